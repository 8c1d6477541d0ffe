/* Why a schedule's verdict is what it is, in words. */
#ifndef CLTC_REPORTS_WORDS_EXPLANATION_WORDS_H
#define CLTC_REPORTS_WORDS_EXPLANATION_WORDS_H

#include "base/buffer.h"
#include "db/db.h"

/* "out[0] is 1 with the gate open, and 2 with group 17 first, ticket gate; written at line 3; race: …"; nothing where
 * the schedule has no explanation. */
void explanation_text(const view *v, const db_launch *l, const db_schedule *s, buffer *to);
/* The groups that never ended: "group 3 (at the barrier on line 12), group 4 and 7 more"; nothing where none is known. */
void explanation_unfinished(const db_explanation *x, buffer *to);
/* What the schedule that shows a finding says of it: "launch 3, group 17 first, ticket gate: …"; nothing where the view does
 * not have it. */
void explanation_of_finding(const view *v, const db_finding *f, buffer *to);

#endif
