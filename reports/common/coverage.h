/* Modified condition/decision coverage of one decision, from the ways through it that were taken. */
#ifndef CLTC_REPORTS_COMMON_COVERAGE_H
#define CLTC_REPORTS_COMMON_COVERAGE_H

#include "base/buffer.h"
#include "db/db.h"
#include "reports/common/report.h"

/* One condition of a decision. Two ways through the decision show that it matters when it is seen true in the one and
 * false in the other, the decision ends differently, and no other condition that is evaluated in both differs
 * (unique-cause MC/DC with masking of what is not evaluated). */
typedef struct mcdc_condition {
  const char *text; /* the view's */
  uint32_t line;
  uint32_t seen_true, seen_false; /* the most test cases of a way that saw it so */
  bool shown;
  /* Two ways that show it, true first: both taken if `shown`, else those of which fewest are missing; NULL where the
   * view does not have two such ways. */
  const model_outcome *pair[2];
} mcdc_condition;

typedef struct mcdc {
  size_t count; /* 0: the decision has too many ways through it, or is none */
  size_t shown;
  mcdc_condition conditions[OUTCOME_PATH];
} mcdc;

/* `decision` is a SITE_DECISION; any other has no conditions. */
void mcdc_read(const model_site *decision, mcdc *out);
/* Has the decision too many ways through it for MC/DC? */
bool mcdc_too_large(const model_site *s);
/* "needs a > 0 true, b > 0 false": the ways that are missing for a condition, in words. */
void mcdc_needs(const mcdc *m, const mcdc_condition *condition, buffer *to);

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
