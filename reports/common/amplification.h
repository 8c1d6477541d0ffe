/* What schedule amplification found, counted: totals, by kernel, launches left out by reason; and the words for it. */
#ifndef CLTC_REPORTS_COMMON_AMPLIFICATION_H
#define CLTC_REPORTS_COMMON_AMPLIFICATION_H

#include "base/buffer.h"
#include "reports/common/report.h"
#include "schedamp/verdict.h"

/* Schedules by verdict. Those of kernels that say that their order dependence is meant, and those that the
 * configuration suppresses, are counted apart: `schedules` is `of` summed up plus `meant` plus `suppressed`. */
typedef struct amplification_counts {
  unsigned long schedules, runs;
  unsigned long of[VERDICTS]; /* by schedule_verdict, without those counted apart */
  unsigned long meant, suppressed;
} amplification_counts;

/* A kernel with launches, whether they got schedules or not. */
typedef struct amplification_kernel {
  uint32_t kernel;                    /* of the view */
  unsigned long launches;             /* all of them */
  uint32_t groups_least, groups_most; /* work-groups of a launch, where known; 0: of none */
  uint32_t together;                  /* most found in flight together, 0: not known */
  amplification_counts counts;
} amplification_kernel;

/* Launches without schedules for one reason. */
typedef struct amplification_skipped {
  const char *reason; /* lent by the view */
  unsigned long launches;
  uint32_t *kernels; /* of the view, each once, in source order */
  size_t kernel_count;
} amplification_skipped;

typedef struct amplification {
  amplification_counts all;
  unsigned long launches, kernels_with; /* with schedules */
  amplification_kernel *kernels;        /* in source order */
  size_t kernel_count;
  amplification_skipped *skipped; /* most launches first */
  size_t skipped_count;
  bool *selected; /* launches of the view: of a kernel that the options select */
} amplification;

/* Counts the launches of kernels that the options select. Release with amplification_free. */
void amplification_totals(const view *v, const report_options *options, amplification *out);
void amplification_free(amplification *a);

/* What a run of a schedule may give, in the order of legends. */
enum { AMPLIFICATION_OUTCOMES = 5 };
extern const struct amplification_outcome {
  run_outcome outcome;
  const char *meaning;
} amplification_outcomes[AMPLIFICATION_OUTCOMES];
/* Its place among these; AMPLIFICATION_OUTCOMES for a character that is none. */
size_t amplification_outcome_of(char c);

/* Is the view one of schedule amplification? */
bool amplification_is(const view *v);

/* The verdict of a schedule; VERDICT_PENDING for a word that is none. */
schedule_verdict amplification_verdict(const db_schedule *s);
/* Crash, deadlock, race: what the kernel has to answer for. */
bool amplification_fails(schedule_verdict v);
/* One that fails, or a result that depends on the order without one: what reports list. */
bool amplification_is_listed(schedule_verdict v);

/* The lines of the accesses that an explanation names, at most `most`. */
size_t amplification_accesses(const db_explanation *x, uint32_t *lines, size_t most);

/* "17 first", "17 last", "reverse", "random 9"; with ", hardware gate" where it is not the usual one. */
void amplification_label(const db_schedule *s, buffer *to);
/* The same in a sentence: "group 17 first", "reverse order", "random order 9". */
void amplification_describe(const db_schedule *s, buffer *to);
/* "launch 3 of suite/small". */
void amplification_launch_name(const view *v, const db_launch *l, buffer *to);

#endif
