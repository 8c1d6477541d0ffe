/* Outcomes that the configuration calls unreachable: they leave the view, and with it every total and list. */
#ifndef CLTC_REPORTS_COMMON_SUPPRESS_OUTCOMES_H
#define CLTC_REPORTS_COMMON_SUPPRESS_OUTCOMES_H

#include "reports/common/suppress.h"

/* Takes out what a suppression with the rule loop-zero, loop-one, loop-many or loop-boundary (or loop-*) matches and
 * nothing has covered; returns how many. What was covered is not unreachable. */
size_t suppress_outcomes(view *v, const suppression *s);

#endif
