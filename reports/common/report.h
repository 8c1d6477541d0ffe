/* Reports: one writer a format behind one interface. A writer turns a view of the database into text. What all of them ask:
 * what a report is about, places in sources, suppressions. */
#ifndef CLTC_REPORTS_COMMON_REPORT_H
#define CLTC_REPORTS_COMMON_REPORT_H

#include <stdio.h>

#include "base/buffer.h"
#include "base/highlight.h"
#include "base/line_ranges.h"
#include "base/names.h"
#include "base/rules.h"
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
  ratio mutation; /* of totals alone: mutants killed of those that count */
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
/* A line with code; NULL: it has none. */
const view_line *coverage_line(const view *v, uint32_t file, uint32_t line);
/* -1 when there is no such metric. */
int coverage_get(const coverage *c, const char *metric, ratio *out);

/* Did one of the runs look for them? */
bool memory_is(const view *v);
/* Was it seen, with the access as its place? */
bool memory_saw(const db_finding *f);
/* Findings of a rule (NULL: of all) that are not suppressed; of a kernel, by its name, or of all that are selected with
 * NULL. */
size_t memory_count(const view *v, const report_options *options, const char *kernel, const char *rule);

typedef struct race_counts {
  size_t race, benign, divergence; /* findings that are not suppressed */
} race_counts;

/* Did one of the runs look for them? */
bool races_are(const view *v);
bool races_is_benign(const db_finding *f);
/* Was the race seen, with the accesses as its places? */
bool races_saw(const db_finding *f);
/* Of a kernel, by its name; of all that are selected with NULL. */
race_counts races_count(const view *v, const report_options *options, const char *kernel);

/* Was something repaired, or tried to be? */
bool repairs_are(const view *v);
/* "repaired", "repaired in part", … of an outcome; as good as nothing was wrong: "fine". */
const char *repair_words(const db_repair *r);
/* Whether a line of the file as it is goes, or something new stands in front of it. */
bool repair_touches(const db_repair *r, uint32_t line);
/* The next line from `*at` on, without its end, and its length; NULL: there are no more. */
const char *repair_line(const char **at, size_t *length);

/* A metric without anything to cover is never below. */
bool threshold_below(const report_threshold *t, const coverage *c);
/* "branch coverage is 50.0 % (1 of 2), below 80 %". */
void threshold_say(const report_threshold *t, const coverage *c, buffer *to);

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

/* A file that a report goes to, and texts that are made for its next line: `{.file = …}`. */
enum { REPORT_PIECES = 24 };
typedef struct report_out {
  FILE *file;
  buffer pieces[REPORT_PIECES];
  size_t count; /* of those that are in use */
} report_out;
/* Writes; what report_piece has given out goes back. */
void report_put(report_out *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An empty buffer, until the next report_put. */
buffer *report_piece(report_out *to);
/* Releases it; 0 when everything reached the file. */
int report_close(report_out *to, error *e);
/* "97.5 %", "n/a": a piece. */
const char *report_percent(report_out *to, const ratio *r);
/* "s" or "". */
const char *report_plural(size_t count);

/* Is the part of a function, by its index or MODEL_NONE, in the report? `reported` is from report_functions; what
 * belongs to no function is in it when all functions are (`everything`). */
static inline bool report_has(const bool *reported, bool everything, uint32_t function) {
  return function == MODEL_NONE ? everything : reported[function];
}
/* Do the options select all kernels? */
static inline bool report_everything(const report_options *of) {
  return of == NULL || of->kernels.wanted.count + of->kernels.exclude.count == 0;
}

/* Writes the files of the view that `wanted` selects (by index), with the functions that the options select: a line is
 * its number, the number of test cases that executed it, its source; marks are under it. */
int annotate_write(const view *v, const report_options *options, const bool *wanted, FILE *out, error *e);

/* Places in sources as editors and web pages count them. */

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

/* Suppressions: findings, mutants and schedules that a project has looked at and does not want to hear of. They stay in
 * reports, with the reason, and count neither in scores nor in exit statuses. */

/* What is suppressed must match all patterns that are given (NULL: any). In patterns * is any text and ? any character;
 * all others mean themselves, so that a line copied from the source matches itself. */
typedef struct suppression {
  char *
      rule; /* barrier-divergence, async-divergence, race, data-race, benign-race, host-race, out-of-bounds and the other rules of memory, deadlock, crash, mutant/OPERATOR, loop-zero and other cases of loops, branch-true, branch-false, branch-case; "mutant" is mutant/ with any operator */
  char *kernel; /* name of the kernel; of a mutant, of its function or of all kernels that reach it */
  char *line;   /* the source line, without spaces at both ends */
  char *reason;
} suppression;

/* Does a pattern match a text of `length` bytes? */
bool suppress_matches(const char *pattern, const char *text, size_t length);
/* Does the rule of a suppression match that of a finding, a verdict, or "mutant/OPERATOR"? */
bool suppress_rule_matches(const char *pattern, const char *rule);

/* Gives all that a suppression matches its reason (the first one that matches), mutants MUTANT_SUPPRESSED as their
 * status, and fills the view's list of suppressions. A duplicate of a suppressed mutant is suppressed with it. */
void suppress_apply(view *v, const suppression *list, size_t count);

/* The line without spaces at both ends. */
place_line suppress_trimmed(place_line line);
/* "- {rule: data-race, kernel: "scan", line: "a[i] = i;", reason: "…"}", where all that stands in quotes is YAML whatever
 * the source holds. `line` without text: none is given. */
void suppress_text(const char *rule, const char *kernel, place_line line, const char *reason, buffer *to);
/* The rule of one that says that an outcome cannot be reached: "loop-zero", "branch-true"; "": there is none. */
const char *suppress_outcome_rule(site_kind kind, uint32_t outcome);
/* Of a finding of the view. */
void suppress_finding_text(const view *v, const db_finding *f, buffer *to);

#endif
