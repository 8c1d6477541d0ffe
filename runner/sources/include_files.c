/* Files below a scratch folder, at the paths that they had. */
#include "runner/sources/include_files.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "capture/includes.h"

int include_files_place(const capture *c, const char *scratch, const char *options, included_files *out, error *e) {
  *out = (included_files){0};
  if (!included_are_there(c)) {
    out->options = included_options(c, scratch, options);
    out->root = scratch;
    return included_place(c, scratch, &out->directory, e);
  }
  out->options = mem_strdup(options);
  out->directory = mem_strdup(c->directory == NULL ? "." : c->directory);
  return 0;
}

void included_files_free(included_files *f) {
  free(f->options);
  free(f->directory);
  *f = (included_files){0};
}

int header_files_place(const capture_source *s, const char *scratch, size_t number, char **folder, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/.headers/%zu/", scratch, number);
  included_folder(buffer_text(&path));
  *folder = buffer_take(&path);
  for (size_t i = 0; i < s->header_count; i++) {
    buffer file = {0};
    buffer_printf(&file, "/.headers/%zu/%s", number, s->headers[i].name);
    const bool below = included_stays_below(s->headers[i].name);
    const int result = below ? included_put(scratch, buffer_text(&file), s->headers[i].text, e) : 0;
    buffer_free(&file);
    if (result != 0) {
      return -1;
    }
  }
  return 0;
}
