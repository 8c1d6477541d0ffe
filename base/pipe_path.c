#include "base/pipe_path.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

int pipe_refuse(const char *path, error *e) {
  static const char handed_over[] = "/dev/fd/";
  struct stat status;
  const bool pipe = stat(path, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  return pipe && strncmp(path, handed_over, sizeof handed_over - 1) != 0
             ? error_set(e, EXIT_USAGE, "\"%s\" is a pipe, and a file is wanted", path)
             : 0;
}
