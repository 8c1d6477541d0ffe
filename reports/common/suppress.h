/* Suppressions: findings, mutants and schedules that a project has looked at and does not want to hear of. They stay in
 * reports, with the reason, and count neither in scores nor in exit statuses. */
#ifndef CLTC_REPORTS_COMMON_SUPPRESS_H
#define CLTC_REPORTS_COMMON_SUPPRESS_H

#include <stdbool.h>

#include "db/db.h"

/* What is suppressed must match all patterns that are given (NULL: any). In patterns * is any text and ? any character;
 * all others mean themselves, so that a line copied from the source matches itself. */
typedef struct suppression {
  char *
      rule; /* barrier-divergence, async-divergence, race, data-race, benign-race, host-race, out-of-bounds and the other rules of memory, deadlock, crash, mutant/OPERATOR, loop-zero and other cases of loops; "mutant" is mutant/ with any operator */
  char *kernel; /* name of the kernel; of a mutant, of its function or of all kernels that reach it */
  char *line;   /* the source line, without spaces at both ends */
  char *reason;
} suppression;

/* Does a pattern match a text of `length` bytes? */
bool suppress_matches(const char *pattern, const char *text, size_t length);
/* Does the rule of a suppression match that of a finding, a verdict, or "mutant/OPERATOR"? */
bool suppress_rule_matches(const char *pattern, const char *rule);

/* Does a pattern (NULL: any does) match the source line, without spaces at both ends? */
bool suppress_line_matches(const char *pattern, const view *v, uint32_t file, uint32_t line);

/* Gives all that a suppression matches its reason (the first one that matches), mutants MUTANT_SUPPRESSED as their
 * status, and fills the view's list of suppressions. A duplicate of a suppressed mutant is suppressed with it. */
void suppress_apply(view *v, const suppression *list, size_t count);

#endif
