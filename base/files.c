/* Files: whether one is open here, reading one whole, writing one whole or not at all. */
#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"

bool is_open_here(const char *path) {
  struct stat wanted;
  bool found = false;
  DIR *descriptors = stat(path, &wanted) == 0 ? opendir("/proc/self/fd") : NULL;
  for (struct dirent *entry = NULL; descriptors != NULL && !found && (entry = readdir(descriptors)) != NULL;) {
    struct stat status;
    char *end = NULL;
    long number = strtol(entry->d_name, &end, 10);
    found = end != entry->d_name && fstat((int)number, &status) == 0 && status.st_dev == wanted.st_dev &&
            status.st_ino == wanted.st_ino;
  }
  if (descriptors != NULL) (void)closedir(descriptors);
  return found;
}

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
  if (pipe_refuse(path, e) != 0) return -1;
  char chunk[1 << 16];
  size_t n = 0;
  FILE *f = fopen(path, "rbe");
  while (f != NULL && out->length <= most && (n = fread(chunk, 1, sizeof chunk, f)) > 0) buffer_append(out, chunk, n);
  const int reason = errno;
  const bool read = f != NULL && ferror(f) == 0;
  if (f != NULL) (void)fclose(f);
  if (!read) return error_set(e, EXIT_USAGE, "%s \"%s\" cannot be read: %s", what, path, strerror(reason));
  return out->length > most ? error_set(e, EXIT_USAGE, "%s \"%s\" is larger than %zu MiB", what, path, most >> 20) : 0;
}

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno != EINTR) return false;
    bytes += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return fsync(fd) == 0;
}

int file_replace(const char *path, const void *bytes, size_t size) {
  struct stat before;
  char *target = realpath(path, NULL);
  const bool there = target != NULL && stat(target, &before) == 0;
  const char *to = there ? target : path;
  buffer temporary = {0};
  buffer_printf(&temporary, "%s.XXXXXX", to);
  const int fd = there && access(to, W_OK) != 0 ? -1 : mkostemp(temporary.data, O_CLOEXEC);
  bool done = fd >= 0 && write_all(fd, bytes, size) && (!there || fchmod(fd, before.st_mode & 07777) == 0);
  int reason = done ? 0 : errno;
  if (fd >= 0 && close(fd) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && rename(temporary.data, to) != 0) {
    done = false;
    reason = errno;
  }
  if (fd >= 0 && !done) (void)unlink(temporary.data);
  buffer_free(&temporary);
  free(target);
  return reason;
}
