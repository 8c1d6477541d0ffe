/* What changed from one run to another, or from some runs to others: two views of the database compared. */
#ifndef CLTC_REPORTS_COMPARE_DIFF_H
#define CLTC_REPORTS_COMPARE_DIFF_H

#include "reports/common/document.h"

typedef enum diff_kind { DIFF_FINDING, DIFF_LINE, DIFF_OUTCOME, DIFF_MUTANT, DIFF_PROOF, DIFF_KINDS } diff_kind;

/* Something that is worse than it was (newly missed, newly found, not noticed any more) or better. Places are those of
 * `v`: of the new view, but for a finding that is gone. */
typedef struct diff_entry {
  diff_kind kind;
  bool worse;
  bool fresh; /* worse, and what it is about was not there before */
  const view *v;
  uint32_t file, line; /* file MODEL_NONE: nowhere in particular */
  const issue *issue;  /* of a finding */
  const model_site *site;
  const char *outcome; /* of the site: its label; of a decision: a condition that is shown to matter (MC/DC) */
  size_t order;        /* among those of the site */
  const db_mutant *mutant;
  const db_proof *proof, *was; /* a proof, and what was said of the kernel before; NULL: nothing */
} diff_entry;

typedef struct diff_metric {
  const char *name;
  ratio old, new;
} diff_metric;

enum { DIFF_METRICS = 32 };

typedef struct diff {
  const view *old, *new;
  const char *old_name, *new_name; /* for a heading; set by the caller, lent */
  diff_entry *entries;             /* by kind, worse before better, then by place */
  size_t count, capacity;
  size_t worse[DIFF_KINDS], better[DIFF_KINDS];
  diff_metric metrics[DIFF_METRICS]; /* those that both have anything to cover of */
  size_t metric_count;
  bool coverage, mutation, schedules, verification, races, memory; /* both have it, so that it is compared */
  issues old_issues, new_issues;                                   /* lent by entries */
} diff;

/* Compares what the options select. Sites, mutants and findings of unchanged lines are the same although their lines
 * have moved; of changed lines as far as function, kind and order tell. The views must outlive it. Release with
 * diff_free. */
void diff_make(const view *old, const view *new, const report_options *options, diff *out);
void diff_free(diff *d);

/* Is anything worse? */
bool diff_is_worse(const diff *d);

typedef struct diff_writer {
  const char *name; /* as in report_writers */
  int (*write)(const diff *d, const report_options *options, FILE *out, error *e);
} diff_writer;
extern const diff_writer diff_writers[]; /* ended by a NULL name */
const diff_writer *diff_find(const char *name);

typedef struct line_map {
  uint32_t *old_of; /* of each line of the new text, from 1: the line of the old one, 0 for none */
  size_t count;     /* lines of the new text */
} line_map;

line_map line_map_of(const model_file *old, const model_file *new);
void line_map_free(line_map *m);

/* The old line; 0: the line is new. */
uint32_t line_map_old(const line_map *m, uint32_t line);

/* A file of the new view, and the one that it was. */
typedef struct file_pair {
  uint32_t old; /* MODEL_NONE: it is new */
  line_map lines;
} file_pair;

typedef struct comparison {
  diff *d;
  const report_options *options;
  file_pair *files;    /* by file of the new view */
  uint32_t *functions; /* by function of the new view: of the old one, or MODEL_NONE */
  uint32_t *sites;     /* likewise */
  bool *old_taken;     /* sites of the old view that have a counterpart */
  bool *reported;
} comparison;

void compare_findings(comparison *c);
void compare_proofs(comparison *c);

#endif
