/* Suppressions: findings, mutants and schedules that a project has looked at and does not want to hear of. They stay in
 * reports, with the reason, and count neither in scores nor in exit statuses. */
#ifndef CLTC_REPORTS_COMMON_SUPPRESS_H
#define CLTC_REPORTS_COMMON_SUPPRESS_H

#include <stdbool.h>

#include "base/buffer.h"
#include "db/db.h"
#include "reports/common/place.h"

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
