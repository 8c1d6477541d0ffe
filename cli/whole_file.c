/* Writing through a temporary name. */
#include "cli/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"

/* Closes and puts in place what was written with `result`. */
static int finish(const whole_file *f, const char *temporary, int result, error *e) {
  int reason = errno;
  bool failed = ferror(f->out) != 0;
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

int whole_file_write(const char *name, int (*write)(const whole_file *f, void *context, error *e), void *context,
                     error *e) {
  struct stat status;
  bool special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
  char *resolved = special ? NULL : realpath(name, NULL);
  whole_file f = {.path = resolved == NULL ? name : resolved, .special = special};
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
