/* The lines of one file as formats for CI show them: lines with code, and lines that only branches are on. */
#ifndef CLTC_REPORTS_COMMON_LINE_TABLE_H
#define CLTC_REPORTS_COMMON_LINE_TABLE_H

#include "reports/common/report.h"

/* A line has at least as many test cases as each of its branches: some readers take a line that was not executed, with a
 * branch that was taken, for a damaged file. */
typedef struct table_line {
  uint32_t line;
  uint32_t tests;    /* test cases that executed it */
  uint32_t function; /* of the view, or MODEL_NONE */
  uint32_t outcomes, taken;
  uint32_t blocks; /* for the writer: sites of the line written so far */
} table_line;

typedef struct line_table {
  table_line *lines; /* in order */
  size_t count;
} line_table;

/* `reported` is from report_functions, `everything` from report_everything. Release with free(lines). */
line_table line_table_of(const view *v, uint32_t file, const bool *reported, bool everything);
/* NULL when there is no such line. */
table_line *line_table_find(const line_table *t, uint32_t line);

/* Is the site a branch of the file that the report is about? */
bool line_table_branch(const model_site *s, uint32_t file, const bool *reported, bool everything);
/* The highest number of test cases that covered an outcome of the site. */
uint32_t most_tests(const model_site *s);

#endif
