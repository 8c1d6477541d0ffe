/* Where the commands of a kernel case stand: lines of command, bytes of an element and words, in a file beside the
 * capture. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pipe_path.h"
#include "capture/capture.h"

enum { PLACES_MOST = 64 << 20 };

static char *path_of(const char *capture_path) {
  buffer path = {0};
  buffer_printf(&path, "%s.places", capture_path);
  return buffer_take(&path);
}

int capture_places_write(const capture *c, const char *to, error *e) {
  char *path = path_of(to);
  FILE *f = fopen(path, "wbe");
  bool written = f != NULL;
  for (size_t i = 0; i < c->place_count && written; i++) {
    const capture_place *p = &c->places[i];
    written = fprintf(f, "%zu %llu %s\n", p->command, (unsigned long long)p->element, p->text) > 0;
  }
  const bool closed = f != NULL && fclose(f) == 0;
  const int result = written && closed ? 0 : error_set(e, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
  free(path);
  return result;
}

void capture_places_read(capture *c, const char *from) {
  char *path = path_of(from);
  buffer text = {0};
  error ignored;
  const char *at = file_read(path, "places", PLACES_MOST, &text, &ignored) == 0 ? buffer_text(&text) : "";
  while (*at != '\0') {
    const size_t length = strcspn(at, "\n");
    char *words = NULL;
    const size_t command = (size_t)strtoull(at, &words, 10);
    const uint64_t element = strtoull(words, &words, 10);
    if (words < at + length) {
      *ARRAY_ADD(c->places, c->place_count, c->place_capacity) =
          (capture_place){command, element, mem_strndup(words + 1, (size_t)(at + length - words - 1))};
    }
    at += length + (at[length] == '\n' ? 1 : 0);
  }
  buffer_free(&text);
  free(path);
}

static int compare(const void *command, const void *place) {
  const size_t wanted = *(const size_t *)command, is = ((const capture_place *)place)->command;
  return wanted < is ? -1 : wanted > is;
}

const capture_place *capture_place_of(const capture *c, size_t command) {
  return c->place_count == 0 ? NULL : bsearch(&command, c->places, c->place_count, sizeof *c->places, compare);
}
