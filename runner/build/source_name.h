/* Which file on disk a kernel source came from: the API hands over text only, people think in files. */
#ifndef CLTC_RUNNER_BUILD_SOURCE_NAME_H
#define CLTC_RUNNER_BUILD_SOURCE_NAME_H

#include <stddef.h>

/* Looks for a file with exactly this content: below the first of `directories`, the current directory, its repository,
 * the root that was set (base/files.h), the other directories; at any depth, nearest first, hidden folders left out.
 * Returns the file's name and, in `*root`, where that starts, as project_name does; for a text that is in no file
 * "source-XXXXXXXX.cl" after its SHA-256, and "". free() both. */
char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count, char **root);

/* Adds the folders in which a program's kernel files may lie to a growing array (base/memory.h): its own and those of
 * its arguments that are paths, and arguments that are files. Each is to be freed. */
void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity);

#endif
