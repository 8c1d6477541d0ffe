/* What a command reports on: runs of the database, without what the configuration suppresses. */
#ifndef CLTC_CLI_LOADING_H
#define CLTC_CLI_LOADING_H

#include "cli/settings.h"
#include "db/db.h"

/* Loads runs, with what the configuration suppresses marked. */
int load_view(db *d, const int64_t *runs, size_t run_count, const settings *s, view *out, error *e);
/* Findings that nothing suppresses; schedules that something does. */
size_t count_findings(const view *v);
size_t count_suppressed_schedules(const view *v);
/* Whether there are kernels, but --kernel and --exclude leave none of them; says so on standard error. */
bool say_unmatched(const view *v, const settings *s);
/* Why there may be no OpenCL call, and what to do. */
extern const char no_opencl_call[];

#endif
