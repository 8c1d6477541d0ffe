/* Reports: one writer a format behind one interface. A writer turns a view of the database into text. */
#ifndef CLTC_REPORTS_COMMON_REPORT_H
#define CLTC_REPORTS_COMMON_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/highlight.h"
#include "base/line_ranges.h"
#include "base/names.h"
#include "db/db.h"

/* A metric of coverage_metrics and the least that is asked of it. */
typedef struct report_threshold {
  const char *metric;
  double percent;
} report_threshold;

typedef struct report_options {
  bool colour;      /* ANSI colours in text */
  unsigned width;   /* columns for text; 0 is 80 */
  bool show_missed; /* text: lines never executed and outcomes never taken, with source excerpts */
  bool verbose;     /* text: suppressions that hold nothing back, too */
  bool all;         /* text: every finding in full */
  int exit;         /* exit code of the command, for JSON's run.exit */
  kernel_choice kernels;
  const char *database;               /* --db as given, for the command in a hint; NULL: the default one */
  const char *source_directory;       /* where report_write_sources wrote sources; NULL: nowhere */
  const char *root;                   /* sources are looked for below this directory first; NULL: . */
  const report_threshold *thresholds; /* --fail-under */
  size_t threshold_count;
  const line_range *changes; /* lines changed since what a reviewer knows */
  size_t change_count;
  highlighter highlight; /* html: for the colours of source; NULL: it stays plain */
} report_options;

/* Do the globs select a kernel of this name? NULL options select all. */
bool report_selects(const report_options *options, const char *kernel);
/* "run 3", "2 runs up to run 3": of the runs of a command, of all where it is NULL or none is of it. */
void report_runs(const view *v, const char *command, buffer *to);
/* Counts the test cases of those runs, and how many of them failed or have not ended. */
typedef struct test_case_counts {
  size_t all, failed, unended;
} test_case_counts;
test_case_counts report_test_cases(const view *v, const char *command);
/* What the report is about, for a title: "data races", "coverage". */
const char *report_subject(const view *v);
/* Is one of the runs of this command? */
bool report_has_run(const view *v, const char *command);
/* Was coverage measured? If not, nothing is covered in the view and nothing was missed. */
bool report_covered(const view *v);
/* Was any kernel of the view launched, so that its coverage says something? */
bool report_launched(const view *v);
/* What is said of a kernel without launches: "never", or only "not seen", where not all that the program ran was looked at. */
const char *report_no_launch(const view *v);
/* Which functions of the view (by index) a report is about: all, or those that a selected kernel reaches when there are
 * globs. free() it. */
bool *report_functions(const view *v, const report_options *options);

/* Readers of many formats open the source files that a report names. Writes the stored text of each file of the view
 * that is not on disk, or is there with other content, into options->source_directory (made when there is one to
 * write) and counts them; writers refer to those. */
int report_write_sources(const view *v, const report_options *options, size_t *written, error *e);
/* Names of files start at this absolute folder from now on; those of files that lie elsewhere become absolute. */
void report_set_root(view *v, const char *root);

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
  ratio verified; /* of totals alone: kernels that are proved free of races and divergence, of those that were asked */
  ratio revealed; /* of totals alone: those of them that the program itself notices; total 0 where that is not known */
} coverage;

/* Totals over unique sites of the view (only those in functions that a selected kernel reaches, when the options select
 * kernels). */
void coverage_total(const view *v, const report_options *options, coverage *out);
/* The same for each file of the view: `out` has room for v->file_count. Kernels and mutants are counted where they
 * stand. */
void coverage_by_file(const view *v, const report_options *options, coverage *out);
/* One kernel: the sites of the functions that it reaches, with what its own launches covered; `kernel` is launched or
 * not of 1. */
void coverage_kernel(const view *v, const view_kernel *k, coverage *out);
/* Metric by its name on the command line: kernel function line branch if switch conditional condition mcdc loop-zero
 * loop-one loop-many loop-boundary loop (the four together) barrier mutation revealed verified. NULL name: unknown. */
typedef struct coverage_metric {
  const char *name;
  const char *summary;
} coverage_metric;
extern const coverage_metric coverage_metrics[]; /* ended by a NULL name */
/* Whether mutation testing or verification measures it, and not coverage. */
bool metric_of_mutants(const char *name);
bool metric_of_proofs(const char *name);
/* What a metric is a share of, after its name: "coverage", "score", "share". */
const char *metric_noun(const char *name);
/* Do the runs of the view measure it? */
bool report_measures(const view *v, const char *metric);
/* -1 when there is no such metric. */
int coverage_get(const coverage *c, const char *metric, ratio *out);

#endif
