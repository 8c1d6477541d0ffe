/* A file is looked at before it is written again. */
#include "capture/place_includes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/preprocess.h"

/* --- whether they are where they were ----------------------------------------------------------------------------- */

static bool holds(const char *path, const char *text) {
  const size_t length = strlen(text);
  FILE *f = fopen(path, "rbe");
  char part[1 << 14];
  size_t at = 0, n = 0;
  bool same = f != NULL;
  while (same && (n = fread(part, 1, sizeof part, f)) > 0) {
    same = n <= length - at && memcmp(part, text + at, n) == 0;
    at += n;
  }
  if (f != NULL) {
    same = same && ferror(f) == 0 && at == length;
    (void)fclose(f);
  }
  return same;
}

bool included_are_there(const capture *c) {
  for (size_t i = 0; i < c->include_count; i++) {
    if (!holds(c->includes[i].path, c->includes[i].text)) {
      return false;
    }
  }
  return true;
}

/* --- putting them somewhere else ---------------------------------------------------------------------------------- */

void included_folder(const char *path) {
  char *part = mem_strdup(path);
  for (char *at = part; *at != '\0'; at++) {
    if (*at == '/' && at > part) {
      *at = '\0';
      (void)mkdir(part, 0700);
      *at = '/';
    }
  }
  (void)mkdir(part, 0700);
  free(part);
}

static int not_written(const char *path, error *e) {
  return error_set(e, EXIT_INTERNAL, "a file that the capture's kernels include cannot be written to %s: %s", path,
                   strerror(errno));
}

/* In full or not at all, as several replays may share the folder. */
static int write_file(const char *path, const char *text, error *e) {
  buffer temporary = {0};
  buffer_printf(&temporary, "%s.XXXXXX", path);
  const int fd = mkostemp(temporary.data, O_CLOEXEC);
  int result = fd < 0 ? not_written(path, e) : 0;
  FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
  if (f != NULL) {
    bool written = fputs(text, f) >= 0;
    written = fclose(f) == 0 && written;
    result = written && rename(temporary.data, path) == 0 ? 0 : not_written(path, e);
    if (result != 0) {
      (void)unlink(temporary.data);
    }
  }
  buffer_free(&temporary);
  return result;
}

int included_put(const char *root, const char *at, const char *text, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s%s", root, at);
  char *folder = mem_strndup(path.data, (size_t)(strrchr(path.data, '/') - path.data));
  included_folder(folder);
  free(folder);
  const int result = holds(path.data, text) ? 0 : write_file(path.data, text, e);
  buffer_free(&path);
  return result;
}

bool included_stays_below(const char *path) {
  long depth = 0;
  while (*path != '\0' && depth >= 0) {
    const size_t length = strcspn(path, "/");
    const bool up = length == 2 && memcmp(path, "..", 2) == 0;
    depth += up ? -1 : length > 0 && !(length == 1 && path[0] == '.');
    path += length + (path[length] == '/' ? 1 : 0);
  }
  return depth >= 0;
}

typedef struct place {
  const char *root, *directory; /* the working directory is `directory` below `root` */
} place;

/* A directory of -I may be left by "..", and be there for that alone. */
static void make_searched(void *context, const char *directory) {
  const place *p = context;
  const size_t length = strlen(p->root);
  const bool absolute = strncmp(directory, p->root, length) == 0;
  buffer path = {0};
  buffer_printf(&path, "%s/%s", absolute ? "" : p->directory, absolute ? directory + length : directory);
  if (included_stays_below(path.data)) {
    buffer whole = {0};
    buffer_printf(&whole, "%s%s", p->root, path.data);
    included_folder(whole.data);
    buffer_free(&whole);
  }
  buffer_free(&path);
}

static const char *working_directory(const capture *c) {
  return c->directory != NULL && capture_path_plain(c->directory) ? c->directory : "";
}

char *included_options(const capture *c, const char *root, const char *options) {
  place p = {root, working_directory(c)};
  return pp_options_below(options, root, make_searched, &p);
}

int included_place(const capture *c, const char *root, char **directory, error *e) {
  for (size_t i = 0; i < c->include_count; i++) {
    const capture_include *file = &c->includes[i];
    if (capture_path_plain(file->path) && included_put(root, file->path, file->text, e) != 0) {
      return -1;
    }
  }
  buffer path = {0};
  buffer_printf(&path, "%s%s", root, working_directory(c));
  included_folder(path.data);
  *directory = buffer_take(&path);
  return 0;
}
