/* Modified condition/decision coverage of one decision, from the ways through it that were taken. */
#ifndef CLTC_REPORTS_COMMON_MCDC_H
#define CLTC_REPORTS_COMMON_MCDC_H

#include "base/buffer.h"
#include "db/db.h"

/* One condition of a decision. Two ways through the decision show that it matters when it is seen true in the one and
 * false in the other, the decision ends differently, and no other condition that is evaluated in both differs
 * (unique-cause MC/DC with masking of what is not evaluated). */
typedef struct mcdc_condition {
  const char *text; /* the view's */
  uint32_t line;
  uint32_t seen_true, seen_false; /* the most test cases of a way that saw it so */
  bool shown;
  /* Two ways that show it, true first: both taken if `shown`, else those of which fewest are missing; NULL where the
   * view does not have two such ways. */
  const model_outcome *pair[2];
} mcdc_condition;

typedef struct mcdc {
  size_t count; /* 0: the decision has too many ways through it, or is none */
  size_t shown;
  mcdc_condition conditions[OUTCOME_PATH];
} mcdc;

/* `decision` is a SITE_DECISION; any other has no conditions. */
void mcdc_read(const model_site *decision, mcdc *out);
/* Has the decision too many ways through it for MC/DC? */
bool mcdc_too_large(const model_site *s);
/* "needs a > 0 true, b > 0 false": the ways that are missing for a condition, in words. */
void mcdc_needs(const mcdc *m, const mcdc_condition *condition, buffer *to);

#endif
