/* Launches like others, with other sizes. */
#ifndef CLTC_VERIFY_SIZES_H
#define CLTC_VERIFY_SIZES_H

#include "verify/request.h"

/* Whether a size is free. */
bool sizes_any_free(const launch *l);
/* Where one is: as few work-items as can go wrong together, or few in each of two groups. */
launch sizes_small(const launch *l, bool same_group, bool smallest);

#endif
