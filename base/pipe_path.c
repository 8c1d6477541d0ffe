#include "base/pipe_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int pipe_refuse(const char *path, error *e) {
  static const char handed_over[] = "/dev/fd/";
  struct stat status;
  const bool there = stat(path, &status) == 0 && strncmp(path, handed_over, sizeof handed_over - 1) != 0;
  const bool device = there && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
  return device || (there && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
             ? error_set(e, EXIT_USAGE, "\"%s\" is a %s, and a file is wanted", path, device ? "device" : "pipe")
             : 0;
}

int file_read(const char *path, const char *what, size_t most, buffer *out, error *e) {
  if (pipe_refuse(path, e) != 0) {
    return -1;
  }
  char chunk[1 << 16];
  size_t n = 0;
  FILE *f = fopen(path, "rbe");
  while (f != NULL && out->length <= most && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
    buffer_append(out, chunk, n);
  }
  const int reason = errno;
  const bool read = f != NULL && ferror(f) == 0;
  if (f != NULL) {
    (void)fclose(f);
  }
  if (!read) {
    return error_set(e, EXIT_USAGE, "%s \"%s\" cannot be read: %s", what, path, strerror(reason));
  }
  return out->length > most ? error_set(e, EXIT_USAGE, "%s \"%s\" is larger than %zu MiB", what, path, most >> 20) : 0;
}
