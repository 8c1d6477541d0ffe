/* Places in sources as editors and web pages count them. */
#ifndef CLTC_REPORTS_COMMON_PLACE_H
#define CLTC_REPORTS_COMMON_PLACE_H

#include "db/db.h"
#include "reports/common/report.h"

/* A column in UTF-16 code units, from 1, of a place given by its column in bytes and its offset. What is not UTF-8
 * counts one a byte. */
uint32_t place_column(const model_file *file, uint32_t column, uint32_t offset);

/* The bytes of a line, lent; NULL when the file has no such line. */
const char *place_source_line(const model_file *file, uint32_t line, size_t *length);

/* A line of a file: its bytes without the line's end, lent; NULL when there is no such line. */
typedef struct place_line {
  const char *text;
  size_t length;
} place_line;
place_line place_line_of(const model_file *file, uint32_t line);
/* The line that byte `offset` is on, without looking through the file. */
place_line place_line_at(const model_file *file, uint32_t offset);

/* Columns, as above, of the first character of a line that is not blank and after its last one. */
void place_extent(const place_line *line, uint32_t *first, uint32_t *end);

/* How a report names the files of the view: as the view does, wherever the report is made; where a file is not on disk
 * with the content that the program was built from, by its copy in options->source_directory, if there is one. */
typedef struct source_paths {
  char *root;   /* the absolute folder that relative names start at on this machine, as far as it is known */
  char **names; /* a copy's is absolute unless it lies below the root */
  size_t count;
} source_paths;

source_paths source_paths_of(const view *v, const report_options *options);
void source_paths_free(source_paths *p);

#endif
