/* What mutation testing found, counted: totals, by kernel, by operator, and what the test cases are worth. */
#ifndef CLTC_REPORTS_COMMON_MUTATION_H
#define CLTC_REPORTS_COMMON_MUTATION_H

#include "base/buffer.h"
#include "base/interval.h"
#include "reports/common/report.h"

/* Mutants by status. `total` is those that the score counts: killed, undecided, survived, no coverage. A duplicate is
 * counted through its original. */
typedef struct mutation_counts {
  unsigned long total;
  unsigned long of[MUTANT_STATUSES]; /* by mutant_status */
  unsigned long revealed;            /* of those killed: the program itself notices them */
  unsigned long unasked;             /* of those killed: it is not known whether it does */
  unsigned long races;               /* of those killed: a race alone tells them, which no program could notice */
} mutation_counts;

/* Some mutants together: a kernel's (`name` and `kernel`, of the view) or an operator's (`kernel` MODEL_NONE). */
typedef struct mutation_group {
  const char *name; /* lent by the view */
  uint32_t kernel;
  mutation_counts counts;
} mutation_group;

typedef struct mutation {
  mutation_counts all;
  mutation_group *kernels; /* every kernel that the options select, in source order */
  size_t kernel_count;
  mutation_group *operators; /* those of the view's mutants, by name */
  size_t operator_count;
  bool *selected; /* mutants: reached by a selected kernel */
} mutation;

/* Counts the mutants that kernels selected by the options reach: a mutant is one in the total, and one in the row of
 * each kernel that reaches it. Release with mutation_free. */
void mutation_totals(const view *v, const report_options *options, mutation *out);
void mutation_free(mutation *m);

/* Does the score count mutants of this status? */
bool mutation_counts_status(mutant_status status);

/* killed of total: the mutation score. */
ratio mutation_score(const mutation_counts *c);

/* Where the score of all mutants lies, of which some were drawn at random: the 95 % interval. False where all are decided,
 * or none. */
bool mutation_interval(const view *v, const mutation_counts *c, interval *out);

/* revealed of total: the score of the program's own checks. Total 0 where it is not known of some mutant. */
ratio mutation_revealed(const mutation_counts *c);
/* Whether the program itself notices a mutant; REVEALED_UNKNOWN: not known, or it is not killed. */
mutant_revealed mutation_is_revealed(const db_mutant *m);

/* Is it known of each killed mutant whether the program notices it? */
bool mutation_asked(const view *v);

/* Is the view one of mutation testing? */
bool mutation_is(const view *v);

/* Did every run against this test case differ? Less runs than the mutant had elsewhere decide nothing. */
bool mutation_kills(const db_mutant *m, const mutant_verdict *verdict);
/* Number of test cases that ran the mutant. */
size_t mutation_tests(const db_mutant *m);

/* Verdicts on selected mutants, and how many of them were taken over from earlier runs. */
void mutation_verdicts(const view *v, const mutation *m, size_t *verdicts, size_t *reused);

/* Selected mutants of a status, in the order in which a developer should look: those that most test cases ran first,
 * then source order. Indices of the view; free() it. */
size_t *mutation_order(const view *v, const mutation *m, mutant_status status, size_t *count);
/* The same for killed mutants that the program itself does not notice. */
size_t *mutation_unrevealed(const view *v, const mutation *m, size_t *count);

/* What stands between two words of the settings of the run of mutate; its test cases stand before them. */
void mutation_setting(const view *v, const char *from, const char *to, buffer *value);
/* "20 runs of each mutant, …, revealed by the exit status"; nothing where it is not known. */
void mutation_method(const view *v, buffer *to);

/* The test cases without which all that is killed still is: those outside a set that is made by taking, again and
 * again, the test case that kills most of what is left. One that no mutant was run against is none of them: it may test
 * something else. By index of the view; free() it. NULL when nothing can be said: no kills, one test case, or mutants
 * that are pending. */
bool *mutation_superfluous(const view *v, const mutation *m);

/* "suite/name", or the name alone. */
void mutation_test_name(const view_test_case *t, buffer *to);
/* "< becomes <=", "loop skipped", "barrier(f) deleted": one line, long texts cut. */
void mutation_describe(const db_mutant *m, buffer *to);
/* "the output differed in 20 of 20 runs of suite/small": of a test case that kills the mutant, else of the one in which
 * most runs differed; nothing when none did. */
void mutation_explain(const view *v, const db_mutant *m, buffer *to);

#endif
