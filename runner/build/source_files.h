/* The files below a folder, nearest first. */
#ifndef CLTC_RUNNER_BUILD_SOURCE_FILES_H
#define CLTC_RUNNER_BUILD_SOURCE_FILES_H

#include <stddef.h>
#include <sys/types.h>

typedef struct found_file {
  char *path;
  off_t size;
} found_file;

typedef struct file_listing {
  char *folder;
  found_file *files; /* level by level, those of a folder in order of name */
  size_t count, capacity;
  double made, took; /* in seconds, as clock_now() has them */
  int cut;           /* there are more: it took too long */
} file_listing;

/* What lies below a folder at any depth; hidden files and folders and links to folders are left out, links to files are
 * files. A listing is kept, and made anew when it is much older than the time that it takes. Lent. */
const file_listing *files_below(const char *folder);

#endif
