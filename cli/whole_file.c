/* Writing through a temporary name. */
#include "cli/whole_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

enum { MOST_LINKS = 40 }; /* as Linux has it */

/* Why writing fails: the stream has forgotten, so the file is asked once more. */
static int failure_of(FILE *out) { return write(fileno(out), "\n", 1) < 0 ? errno : EIO; }

/* Closes and puts in place what was written with `result`. */
static int finish(const whole_file *f, const char *temporary, int result, error *e) {
  bool failed = fflush(f->out) != 0 || ferror(f->out) != 0;
  int reason = failed ? failure_of(f->out) : 0;
  if (fclose(f->out) != 0 || (result == 0 && !failed && !f->special && rename(temporary, f->path) != 0)) {
    reason = failed ? reason : errno;
    failed = true;
  }
  if (failed) {
    result = error_set(e, EXIT_INTERNAL, "the report \"%s\" could not be written: %s", f->path, strerror(reason));
  }
  if (result != 0 && !f->special) {
    (void)unlink(temporary);
  }
  return result;
}

/* The file that a path leads to, through links, also where there is none yet. free() it. */
static char *target_of(const char *name) {
  char *path = mem_strdup(name);
  for (int links = 0; links < MOST_LINKS; links++) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
      break;
    }
    target[length] = '\0';
    const char *slash = strrchr(path, '/');
    buffer next = {0};
    buffer_append(&next, path, target[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - path));
    buffer_puts(&next, target);
    free(path);
    path = buffer_take(&next);
  }
  return path;
}

static int check(const char *name, error *e) {
  struct stat status;
  const bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  char *path = special ? mem_strdup(name) : target_of(name);
  buffer temporary = {0};
  buffer_printf(&temporary, "%s.part", path);
  int reason = special && S_ISDIR(status.st_mode) ? EISDIR : special && access(path, W_OK) != 0 ? errno : 0;
  if (!special) {
    FILE *out = fopen(buffer_text(&temporary), "a"); /* another process may be writing it */
    reason = out == NULL ? errno : 0;
    if (out != NULL) {
      const bool empty = fseek(out, 0, SEEK_END) == 0 && ftell(out) == 0;
      (void)fclose(out);
      (void)(empty ? unlink(buffer_text(&temporary)) : 0);
    }
  }
  const int result =
      reason == 0 ? 0 : error_set(e, EXIT_USAGE, "the report \"%s\" cannot be written: %s", path, strerror(reason));
  buffer_free(&temporary);
  free(path);
  return result;
}

int whole_file_write(const char *name, int (*write)(const whole_file *f, void *context, error *e), void *context,
                     error *e) {
  struct stat status;
  bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  char *resolved = special ? mem_strdup(name) : target_of(name);
  whole_file f = {.path = resolved, .special = special};
  buffer temporary = {0};
  buffer_printf(&temporary, "%s%s", f.path, special ? "" : ".part");
  f.out = fopen(buffer_text(&temporary), "w");
  int result = f.out == NULL
                   ? error_set(e, EXIT_USAGE, "the report \"%s\" cannot be written: %s", f.path, strerror(errno))
                   : finish(&f, buffer_text(&temporary), write(&f, context, e), e);
  free(resolved);
  buffer_free(&temporary);
  return result;
}

int formats_check(const report_settings *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->format_count && result == 0; i++) {
    const char *path = s->formats[i].file;
    result = path != NULL && strcmp(path, "-") != 0 ? check(path, e) : 0;
  }
  return result;
}
