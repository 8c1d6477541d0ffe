/* Putting included files below a folder, at the paths that they had. */
#include "replay/includes.h"

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
#include "base/scratch.h"
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

static bool all_there(const capture *c) {
  for (size_t i = 0; i < c->include_count; i++) {
    if (!holds(c->includes[i].path, c->includes[i].text)) {
      return false;
    }
  }
  return true;
}

/* --- putting them somewhere else ---------------------------------------------------------------------------------- */

/* With all folders above it; what cannot be made is noticed when a file is put there. */
static void make_folder(const char *path) {
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

static int put(const char *root, const capture_include *file, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s%s", root, file->path);
  char *folder = mem_strndup(path.data, (size_t)(strrchr(path.data, '/') - path.data));
  make_folder(folder);
  free(folder);
  const int result = holds(path.data, file->text) ? 0 : write_file(path.data, file->text, e);
  buffer_free(&path);
  return result;
}

/* Whether its ".." stay below where it begins. */
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
  if (stays_below(path.data)) {
    buffer whole = {0};
    buffer_printf(&whole, "%s%s", p->root, path.data);
    make_folder(whole.data);
    buffer_free(&whole);
  }
  buffer_free(&path);
}

static void move_options(capture *c, place p) {
  for (size_t i = 0; i < c->command_count; i++) {
    for (size_t s = 0; c->commands[i].kind == CAPTURE_PROGRAM && s < c->commands[i].u.program.source_count; s++) {
      capture_source *source = &c->commands[i].u.program.sources[s];
      char *moved = pp_options_below(source->options, p.root, make_searched, &p);
      free(source->options);
      source->options = moved;
    }
  }
}

static int place_below(capture *c, const char *root, error *e) {
  for (size_t i = 0; i < c->include_count; i++) {
    if (put(root, &c->includes[i], e) != 0) {
      return -1;
    }
  }
  const place p = {root, c->directory != NULL && capture_path_plain(c->directory) ? c->directory : ""};
  buffer directory = {0};
  buffer_printf(&directory, "%s%s", root, p.directory);
  make_folder(directory.data);
  const int result = chdir(directory.data) == 0 ? 0 : not_written(directory.data, e);
  buffer_free(&directory);
  if (result == 0) {
    move_options(c, p);
  }
  return result;
}

int includes_place(capture *c, char **made, error *e) {
  if (all_there(c)) {
    if (c->directory != NULL && chdir(c->directory) != 0) {
      errno = 0; /* nothing is looked for there */
    }
    return 0;
  }
  const char *root = getenv(ENV_INCLUDES);
  if (root == NULL || root[0] == '\0') {
    const char *base = getenv("TMPDIR");
    root = *made = scratch_open(base == NULL || base[0] == '\0' ? "/tmp" : base, "cltestcheck-includes", e);
  }
  return root == NULL ? -1 : place_below(c, root, e);
}
