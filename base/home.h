/* Following a place in a program's source to where it is written: a file of the project, its line and column. */
#ifndef CLTC_BASE_HOME_H
#define CLTC_BASE_HOME_H

#include "base/model.h"

/* A place in a home, as sites have it. */
typedef struct home_place {
  uint32_t home;                 /* of the file's homes */
  uint32_t offset, line, column; /* in its text; line and column from 1, column in bytes */
} home_place;

/* A place of a model's file as a person is told of it: in its home where it has one. Lent from the model. */
typedef struct home_shown {
  const char *name;
  uint32_t line, column, end_line;
} home_shown;
/* `end_offset` is behind the last byte of what begins at `offset`; the rest is what is shown where there is no home. */
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

/* Where byte `offset` of the file is written. False: nowhere known. */
bool home_find(const home_index *x, uint32_t offset, home_place *out);
/* Where a line is written: its first character that is written anywhere. */
bool home_find_line(const home_index *x, uint32_t line, home_place *out);
/* Where what ends before byte `end` ends, in the same home as `begin` and not before it; else `begin` itself. */
home_place home_find_end(const home_index *x, const home_place *begin, uint32_t end);
/* The byte of the file that a line and column are. */
uint32_t home_offset_of(const home_index *x, uint32_t line, uint32_t column);

#endif
