/* What a reviewer should look at, in one list for the formats that show places: findings, schedules that fail,
 * mutants that the tests do not notice. */
#ifndef CLTC_REPORTS_COMMON_ISSUE_H
#define CLTC_REPORTS_COMMON_ISSUE_H

#include "reports/common/amplification.h"
#include "reports/common/mutation.h"
#include "reports/common/report.h"

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

#endif