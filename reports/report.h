/* Reports: one writer a format behind one interface. A writer turns a view of the database into text. */
#ifndef CLTC_REPORTS_REPORT_H
#define CLTC_REPORTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "db/db.h"

typedef struct report_options {
  bool colour;          /* ANSI colours in text */
  unsigned width;       /* columns for text; 0 is 80 */
  bool show_missed;     /* text: lines never executed and outcomes never taken, with source excerpts */
  int exit;             /* exit code of the command, for JSON's run.exit */
  const char **kernels; /* --kernel globs: a kernel must match one, if there are any */
  size_t kernel_count;
  const char **exclude; /* --exclude globs: a kernel must match none */
  size_t exclude_count;
  const char *database;         /* --db as given, for the command in a hint; NULL: the default one */
  const char *source_directory; /* lcov: where lcov_write_sources wrote sources; NULL: nowhere */
} report_options;

typedef struct report_writer {
  const char *name;    /* "text", "json", "lcov", "stryker" */
  const char *summary; /* one line for help */
  int (*write)(const view *v, const report_options *options, FILE *out, error *e);
} report_writer;

/* The writers, ended by a NULL name. */
extern const report_writer report_writers[];
const report_writer *report_find(const char *name);

/* Do the globs select a kernel of this name? NULL options select all. */
bool report_selects(const report_options *options, const char *kernel);
/* Which functions of the view (by index) a report is about: all, or those that a selected kernel reaches when there are
 * globs. free() it. */
bool *report_functions(const view *v, const report_options *options);

/* genhtml and its like open the source files that an lcov file names. Writes the stored text of each file of the view
 * that is not on disk, or is there with other content, into `directory` (made when missing); with
 * report_options.source_directory set to the same directory, the lcov writer refers to those. */
int lcov_write_sources(const view *v, const char *directory, error *e);

/* covered of total; total 0 means n/a. */
typedef struct ratio {
  unsigned long covered, total;
} ratio;

/* Every metric of docs/coverage.md. */
typedef struct coverage {
  ratio kernel, function, line, branch;
  ratio branch_if, branch_switch, branch_conditional;
  ratio condition, mcdc;
  ratio loop_zero, loop_one, loop_many, loop_boundary;
  ratio barrier;
  ratio mutation; /* of totals alone: mutants killed of those that count, mutation.h */
} coverage;

/* Totals over unique sites of the view (only those in functions that a selected kernel reaches, when the options select
 * kernels). */
void coverage_total(const view *v, const report_options *options, coverage *out);
/* One kernel: the sites of the functions that it reaches, with what its own launches covered; `kernel` is launched or
 * not of 1. */
void coverage_kernel(const view *v, const view_kernel *k, coverage *out);
/* Metric by its name on the command line: kernel function line branch if switch conditional condition mcdc loop-zero
 * loop-one loop-many loop-boundary loop (the four together) barrier mutation. NULL name: unknown. */
typedef struct coverage_metric {
  const char *name;
  const char *summary;
} coverage_metric;
extern const coverage_metric coverage_metrics[]; /* ended by a NULL name */
/* -1 when there is no such metric. */
int coverage_get(const coverage *c, const char *metric, ratio *out);

#endif
