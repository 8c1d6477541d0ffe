/* From a place in the source of a program to the place where it is written: a file of the project, line and column. Such
 * a file is called a home (docs/strings.md). */
#ifndef CLTC_BASE_HOME_H
#define CLTC_BASE_HOME_H

#include "base/model.h"

/* A place in a home. */
typedef struct home_place {
  uint32_t home;                 /* of the file's homes */
  uint32_t offset, line, column; /* in its text; line and column from 1, column in bytes */
} home_place;

/* A place as reports show it: in the home of the file if it has one, else in the file. Lent from the model. */
typedef struct home_shown {
  const char *name;
  uint32_t line, column, end_line;
} home_shown;
/* The place of the bytes from `offset` up to `end_offset` (exclusive). The other arguments are shown if there is no home.
 */
home_shown home_show(const model_file *file, uint32_t offset, uint32_t end_offset, uint32_t line, uint32_t column,
                     uint32_t end_line);

/* Where the lines of a file and of its homes begin. */
typedef struct home_index {
  const model_file *file;
  uint32_t **starts; /* of the file, then of each home */
  size_t *counts;
} home_index;

home_index home_index_of(const model_file *file);
void home_index_free(home_index *x);

/* Where byte `offset` of the file is written. False: that is not known. */
bool home_find(const home_index *x, uint32_t offset, home_place *out);
/* Where a line is written: the place of its first character for which that is known. */
bool home_find_line(const home_index *x, uint32_t line, home_place *out);
/* Where the text that begins at `begin` and ends before byte `end` ends. It is `begin` itself if the end is in another
 * home or before it. */
home_place home_find_end(const home_index *x, const home_place *begin, uint32_t end);
/* The offset of a line and column in the file. */
uint32_t home_offset_of(const home_index *x, uint32_t line, uint32_t column);

#endif
