/* What reports say in lists, built once from the view: an item, its notes with their places, what leads there, what to paste.
 * Each format writes these nodes in its own way. */
#ifndef CLTC_REPORTS_COMMON_DOCUMENT_H
#define CLTC_REPORTS_COMMON_DOCUMENT_H

#include "base/memory.h"
#include "reports/common/coverage.h"

/* What a reviewer should look at, in one list for the formats that show places: findings, schedules that fail,
 * mutants that the tests do not notice. */

typedef enum issue_level { ISSUE_ERROR, ISSUE_WARNING, ISSUE_NOTICE, ISSUE_LEVELS } issue_level;

/* Schedules that fail alike: of one kernel, with one verdict, at one place. The first that is explained stands for all.
 */
typedef struct failing {
  const db_launch *launch, *last; /* of `schedule`; the last one counted */
  const db_schedule *schedule;
  size_t schedules, launches;
} failing;

/* One of the three; a place that is not known has file MODEL_NONE. Columns count as place_column does. */
typedef struct issue {
  const db_finding *finding;
  failing failing; /* its schedule is NULL when it is none */
  const db_mutant *mutant;
  const db_finding
      *shown; /* what shows it, with places and witness: the finding, or the race that schedules show; or NULL */
  const char *
      rule; /* "barrier-divergence", "async-divergence", "race", "data-race", "deadlock", "crash"; of a mutant its operator */
  const char *kernel; /* "" if none */
  issue_level level;
  uint32_t file, line, column, end_line, end_column;
  const char *suppressed; /* the reason, NULL: not suppressed */
} issue;

typedef struct issues {
  issue *list; /* findings, schedules, mutants, each in the order of the view; survivors before undecided ones */
  size_t count, capacity;
  amplification schedules;
  mutation mutants;
} issues;

/* Issues that the options select, those that are suppressed by the configuration among them. */
issues issues_of(const view *v, const report_options *options);
void issues_free(issues *list);

/* "mutant/rel" or the rule itself. */
void issue_rule(const issue *i, buffer *to);
/* A sentence or two, without a place. */
void issue_message(const view *v, const report_options *options, const issue *i, buffer *to);
/* The same, and a line for each of the places that show it, and for its witness. `names`: of the files, NULL: the view's. */
void issue_text(const view *v, const report_options *options, char *const *names, const issue *i, buffer *to);
/* "Race in kernel scan", "Mutant survived in kernel scan". */
void issue_title(const issue *i, buffer *to);

/* "RACE"; the rule of its finding in the database, "data-race". NULL for a verdict that is not listed. */
const char *failing_word(schedule_verdict verdict);
/* The finding of the same kernel that names places: both accesses of a race. NULL: none does. */
const db_finding *failing_finding(const view *v, const failing *f);

typedef enum doc_kind {
  DOC_ITEM, /* of a list; the nodes up to the next one belong to it */
  DOC_NOTE, /* a sentence below it */
  DOC_STEP, /* one of several below a note, in order */
  DOC_PASTE /* a text to copy, as it is; `title` says what for */
} doc_kind;
typedef enum doc_style { DOC_PLAIN, DOC_WARNING, DOC_ERROR } doc_style;

/* `{0}` but for the kind is a node without a place, title or level. */
typedef struct doc_node {
  doc_kind kind;
  unsigned level;      /* how far it stands in, below its item */
  uint32_t file, line; /* where; line 0: nowhere in particular */
  uint32_t column;     /* 0: of the whole line */
  bool whole;          /* words of the text are never cut: names to copy */
  bool excerpt;        /* with the source line; `column` is marked in it */
  doc_style style;     /* of the title */
  const char *title;   /* of an item: "data race", "RACE"; NULL: none */
  const char *kernel;  /* after it: "in kernel scan"; NULL: none */
  const char *text;
} doc_node;

/* `{.v = …, .options = …}` is empty. */
typedef struct document {
  const view *v;
  const report_options *options;
  doc_node *nodes;
  size_t count, capacity;
  mem_arena memory; /* of texts */
} document;
#define scoped_document __attribute__((cleanup(document_free))) document
void document_free(document *d);
/* Appends a node with this text. */
void document_add(document *d, doc_node node, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A finding: what was seen, where, what leads there, what shows it, what else is known of it, how to see it again, and how to
 * say that it is fine. */
void document_finding(document *d, const db_finding *f);
/* Schedules that fail alike: why, the accesses, the runs. */
void document_failing(document *d, const issue *i);
/* What shows a finding, as notes of this level: places, paths, witness, doubt, confirmation. */
void document_shown(document *d, const db_finding *f, unsigned level);
/* What shows a finding, and what its twin adds, as lines of plain text; paths only if they are wanted. `names`: of the files,
 * NULL: the view's. */
void document_lines(const view *v, char *const *names, const db_finding *f, bool path, buffer *to);

/* What is said of a repair, line by line. */
void document_repair(document *d, const db_repair *r);

/* --- lists, an item each; nothing where there is nothing to say --- */

/* Outputs that differ from run to run of the program as it is. */
void document_unstable(document *d);
/* Programs without instrumentation, and why. */
void document_skipped(document *d);
/* Suppressions of the configuration, and how much each holds back; `unused`: those that hold nothing back, too. */
void document_suppressions(document *d, bool unused);
/* Calls that the driver has refused, how often, with which sizes, and what helps. */
void document_refused(document *d);
/* Launches without schedules, by reason. */
void document_launches(document *d, const amplification *a);
/* What only some schedules reach: each outcome once, in source order. */
void document_reached(document *d, const amplification *a);
/* Kernels that say that their result may depend on the order. */
void document_meant(document *d, const amplification *a);

#endif
