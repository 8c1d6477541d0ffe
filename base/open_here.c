/* Looking a file up among the descriptors of this process. */
#include "base/open_here.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

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
  if (descriptors != NULL) {
    (void)closedir(descriptors);
  }
  return found;
}
