/* Keeping the totals of a run when it ends. */
#ifndef CLTC_CLI_TOTALS_H
#define CLTC_CLI_TOTALS_H

#include "db/db.h"

/* Stores the totals of a run whose view this is, all kernels counted, and brings the view's trend up to date. What was
 * not measured (lines, when no launch was counted) is not stored. */
int keep_totals(db *d, int64_t run, view *v, error *e);

#endif
