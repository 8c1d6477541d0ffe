/* Loading what a command reports on: runs of the database. */
#ifndef CLTC_CLI_LOADING_H
#define CLTC_CLI_LOADING_H

#include "base/names.h"
#include "cli/settings.h"
#include "db/db.h"

/* Loads runs, and marks what the configuration suppresses. */
int load_view(db *d, const int64_t *runs, size_t run_count, const report_settings *s, view *out, error *e);
/* Whether a schedule shows a result that depends on the order, without a race, and is neither meant nor suppressed. */
bool has_order_dependent(const view *v);
/* Whether any schedule gave another result, also one that is meant or suppressed. */
bool has_other_results(const view *v);
/* Schedules that are suppressed. */
size_t count_suppressed_schedules(const view *v);
/* True if the view has kernels but --kernel and --exclude leave none: the exit status is EXIT_NOTHING. say_unmatched has
 * then said so on standard error, with the names that there are; else it warns of each glob that matches nothing. */
bool say_unmatched(const view *v, const kernel_choice *s);
/* The same of kernels by their names, where no run has been loaded. */
bool say_unmatched_of(const word_list *kernels, const kernel_choice *s);
/* The sentence for a program that no OpenCL call was seen of: why that may be, and what to do. Lent until the next call. */
const char *no_opencl_call(void);

#endif
