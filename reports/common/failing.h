/* Races, deadlocks and crashes that schedules have shown, and results that depend on the order without any. What a
 * kernel does at one place is listed once, however many schedules show it. */
#ifndef CLTC_REPORTS_COMMON_FAILING_H
#define CLTC_REPORTS_COMMON_FAILING_H

#include "reports/common/amplification.h"

/* Schedules that fail alike: of one kernel, with one verdict, at one place. The first that is explained stands for all.
 */
typedef struct failing {
  const db_launch *launch, *last; /* of `schedule`; the last one counted */
  const db_schedule *schedule;
  size_t schedules, launches;
} failing;

typedef struct failing_list {
  failing *list;
  size_t count, capacity;
} failing_list;

/* Those of the launches that are selected, without schedules that are meant: of those that are suppressed, or of the
 * others. Release with free(list). */
failing_list failing_find(const view *v, const amplification *a, bool suppressed);

/* "RACE"; the rule of its finding in the database, "data-race". NULL for a verdict that is not listed. */
const char *failing_word(schedule_verdict verdict);
const char *failing_rule(schedule_verdict verdict);
/* The finding of the same kernel that names places: both accesses of a race. NULL: none does. */
const db_finding *failing_finding(const view *v, const failing *f);
/* Is the finding about schedules that the view has, so that they show it? */
bool failing_shows(const view *v, const db_finding *f);

#endif
