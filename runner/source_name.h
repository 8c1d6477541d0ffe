/* Which file on disk a kernel source came from: the API hands over text only, people think in files. */
#ifndef CLTC_RUNNER_SOURCE_NAME_H
#define CLTC_RUNNER_SOURCE_NAME_H

#include <stddef.h>

/* Looks below `directories` (a few levels, a few thousand entries) for a file with exactly this content. Returns its
 * path, relative to the current directory where it lies below it; else "source-XXXXXXXX.cl" after the text's SHA-256.
 * To be freed. */
char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count);

/* Adds the folders in which a program's kernel files may lie to a growing array (base/memory.h): its own and those of its
 * arguments that are paths. Each is to be freed. */
void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity);

#endif
