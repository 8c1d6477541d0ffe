/* Files below a scratch folder, at the paths that they had. */
#include "runner/verify/include_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/preprocess.h"

/* Whether a name stays below the folder in which it is looked up. */
static bool stays_below(const char *path) {
  long depth = 0;
  while (*path != '\0' && depth >= 0) {
    const size_t length = strcspn(path, "/");
    const bool up = length == 2 && memcmp(path, "..", 2) == 0;
    depth += up ? -1 : length > 0 && !(length == 1 && path[0] == '.');
    path += length + (path[length] == '/' ? 1 : 0);
  }
  return depth >= 0;
}

/* Makes the folders that a path goes through, from its byte `from` on. */
static void make_folders(const char *path, size_t from) {
  char *part = mem_strdup(path);
  for (char *at = part + from; *at != '\0'; at++) {
    if (*at == '/') {
      *at = '\0';
      (void)mkdir(part, 0700);
      *at = '/';
    }
  }
  free(part);
}

static int write_file(const char *path, size_t folders_from, const char *text, error *e) {
  make_folders(path, folders_from);
  FILE *f = fopen(path, "wbe");
  bool written = f != NULL && fputs(text, f) >= 0;
  if (f != NULL) {
    written = fclose(f) == 0 && written;
  }
  return written ? 0
                 : error_set(e, EXIT_INTERNAL, "a file that captured kernels include cannot be written to %s: %s", path,
                             strerror(errno));
}

static bool holds(const char *path, const char *text) {
  const size_t length = strlen(text);
  char *there = mem_calloc(length + 2, 1);
  FILE *f = fopen(path, "rbe");
  const bool same = f != NULL && fread(there, 1, length + 1, f) == length && memcmp(there, text, length) == 0;
  if (f != NULL) {
    (void)fclose(f);
  }
  free(there);
  return same;
}

static bool all_there(const capture *c) {
  for (size_t i = 0; i < c->include_count; i++) {
    if (!holds(c->includes[i].path, c->includes[i].text)) {
      return false;
    }
  }
  return true;
}

typedef struct place {
  const char *root, *directory;
} place;

/* A folder of -I may be gone through by "..", and must be there for that. */
static void make_searched(void *context, const char *directory) {
  const place *p = context;
  const size_t length = strlen(p->root);
  const bool absolute = strncmp(directory, p->root, length) == 0;
  buffer path = {0};
  buffer_printf(&path, "%s/%s/", absolute ? "" : p->directory, absolute ? directory + length : directory);
  if (stays_below(buffer_text(&path))) {
    buffer whole = {0};
    buffer_printf(&whole, "%s%s", p->root, buffer_text(&path));
    make_folders(buffer_text(&whole), length + 1);
    buffer_free(&whole);
  }
  buffer_free(&path);
}

static int place_below(const capture *c, const char *scratch, const char *options, included_files *out, error *e) {
  for (size_t i = 0; i < c->include_count; i++) {
    buffer path = {0};
    buffer_printf(&path, "%s%s", scratch, c->includes[i].path);
    const bool fine = capture_path_plain(c->includes[i].path);
    const int result = fine ? write_file(buffer_text(&path), strlen(scratch) + 1, c->includes[i].text, e) : 0;
    buffer_free(&path);
    if (result != 0) {
      return -1;
    }
  }
  const bool plain = c->directory != NULL && capture_path_plain(c->directory);
  place p = {scratch, plain ? c->directory : ""};
  buffer directory = {0};
  buffer_printf(&directory, "%s%s/", scratch, p.directory);
  make_folders(buffer_text(&directory), strlen(scratch) + 1);
  out->directory = buffer_take(&directory);
  out->options = pp_options_below(options, scratch, make_searched, &p);
  out->root = scratch;
  return 0;
}

int include_files_place(const capture *c, const char *scratch, const char *options, included_files *out, error *e) {
  *out = (included_files){0};
  if (!all_there(c)) {
    return place_below(c, scratch, options, out, e);
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
  make_folders(buffer_text(&path), strlen(scratch) + 1);
  *folder = buffer_take(&path);
  int result = 0;
  for (size_t i = 0; i < s->header_count && result == 0; i++) {
    if (stays_below(s->headers[i].name)) {
      buffer file = {0};
      buffer_printf(&file, "%s%s", *folder, s->headers[i].name);
      result = write_file(buffer_text(&file), strlen(scratch) + 1, s->headers[i].text, e);
      buffer_free(&file);
    }
  }
  return result;
}
