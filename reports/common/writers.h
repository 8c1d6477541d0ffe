/* What the writers share. */
#ifndef CLTC_REPORTS_COMMON_WRITERS_H
#define CLTC_REPORTS_COMMON_WRITERS_H

#include "reports/common/report.h"

int text_write(const view *v, const report_options *options, FILE *out, error *e);
int json_write(const view *v, const report_options *options, FILE *out, error *e);
int lcov_write(const view *v, const report_options *options, FILE *out, error *e);
int lcov1_write(const view *v, const report_options *options, FILE *out, error *e);
int cobertura_write(const view *v, const report_options *options, FILE *out, error *e);
int sarif_write(const view *v, const report_options *options, FILE *out, error *e);
int junit_write(const view *v, const report_options *options, FILE *out, error *e);
int github_write(const view *v, const report_options *options, FILE *out, error *e);
int markdown_write(const view *v, const report_options *options, FILE *out, error *e);
int stryker_write(const view *v, const report_options *options, FILE *out, error *e);
int html_write(const view *v, const report_options *options, FILE *out, error *e);

/* A ratio whose total is not 0, rounded to a thousandth; 1000 means all and 0 none. */
unsigned ratio_thousandths(const ratio *r);

/* Ends a writer: 0 when everything reached the file. */
int report_written(FILE *out, error *e);

/* Is the part of a function, by its index or MODEL_NONE, in the report? `reported` is from report_functions; what
 * belongs to no function is in it when all functions are (`everything`). */
static inline bool report_has(const bool *reported, bool everything, uint32_t function) {
  return function == MODEL_NONE ? everything : reported[function];
}
/* Do the options select all kernels? */
static inline bool report_everything(const report_options *options) {
  return options == NULL || options->kernels.wanted_count + options->kernels.exclude_count == 0;
}

#endif
