/* Files that captured kernels include, put where a compiler finds them. */
#ifndef CLTC_RUNNER_SOURCES_INCLUDE_FILES_H
#define CLTC_RUNNER_SOURCES_INCLUDE_FILES_H

#include "capture/capture.h"

/* How a source is compiled with them. */
typedef struct included_files {
  char *options, *directory;
  const char *root; /* stands for "/"; NULL: the files are where they were. Lent */
} included_files;

/* Where the files are not where they were, or other ones, puts them below `scratch`. -1 with `e` set: they could not be
 * written. Release with included_files_free in every case. */
int include_files_place(const capture *c, const char *scratch, const char *options, included_files *out, error *e);
void included_files_free(included_files *f);

/* Puts the headers that a program handed over with a source into a folder below `scratch`, `*folder` (to be freed). */
int header_files_place(const capture_source *s, const char *scratch, size_t number, char **folder, error *e);

#endif
