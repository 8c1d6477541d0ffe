/* Files that the kernels of a capture include, on their way into the packed capture. */
#ifndef CLTC_CAPTURE_INCLUDES_H
#define CLTC_CAPTURE_INCLUDES_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "capture/capture.h"

/* Looks for the files that the programs of a capture include, where they were, and appends their records. */
void includes_write(const capture *c, buffer *out);
/* Appends a record of strings. */
void record_strings(buffer *out, uint32_t kind, size_t count, const char *const *strings);

/* The files that a capture's kernels include, put where a compiler finds them. */

/* Whether all of them are where they were, and as they were. */
bool included_are_there(const capture *c);
/* Puts all of them, and the working directory, below the folder `root`, at the paths that they had. `*directory` is where
 * the working directory is then; to be freed. -1 with `e` set: they could not be written. */
int included_place(const capture *c, const char *root, char **directory, error *e);
/* Build options that find them there; to be freed. */
char *included_options(const capture *c, const char *root, const char *options);
/* Puts one file below `root`, in full or not at all, as several processes may share the folder. `path` begins with "/". */
int included_put(const char *root, const char *path, const char *text, error *e);
/* Makes a folder with all folders above it; what cannot be made is noticed when a file is put there. */
void included_folder(const char *path);
/* Whether the ".." of a path stay below where it begins. */
bool included_stays_below(const char *path);

#endif
