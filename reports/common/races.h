/* Races that were seen on a device: `cltestcheck races`. */
#ifndef CLTC_REPORTS_COMMON_RACES_H
#define CLTC_REPORTS_COMMON_RACES_H

#include "reports/common/report.h"

typedef struct race_counts {
  size_t race, benign, divergence; /* findings that are not suppressed */
} race_counts;

/* Did one of the runs look for them? */
bool races_are(const view *v);
bool races_is_benign(const db_finding *f);
/* Was the race seen, with the accesses as its places? */
bool races_saw(const db_finding *f);
/* Of a kernel, by its name; of all that are selected with NULL. */
race_counts races_count(const view *v, const report_options *options, const char *kernel);

#endif
