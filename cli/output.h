/* Writing the reports that a command was asked for. */
#ifndef CLTC_CLI_OUTPUT_H
#define CLTC_CLI_OUTPUT_H

#include "cli/settings.h"
#include "reports/common/report.h"

/* Says an error on standard error and returns its exit code. */
int say_error(const error *e);

/* The options of a text report that goes to `out`: kernels, colours, width. */
report_options terminal_options(const report_settings *s, FILE *out);
/* Writes every requested format: to its file (whole or not at all), or to `standard` when it names none. If reports went
 * to standard error and the file of standard output is as empty as before, says so. */
int write_formats(const view *v, const report_settings *s, int exit, FILE *standard, error *e);
/* Is there a requested format that has nothing to show, as none of the runs has what it is about? */
bool formats_lack(const view *v, const report_settings *s);
/* The text report. */
int write_text(const view *v, const report_settings *s, int exit, FILE *out, error *e);
/* Whether some --fail-under is not reached. */
bool below_thresholds(const view *v, const report_settings *s);
/* Names each of them in a line, in red on a terminal. A command says this last. `unmeasured`: those that the runs did not
 * measure are named, too; a command that makes a run knows what it measures. */
void say_below(const view *v, const report_settings *s, bool unmeasured);

/* Before anything is written: remembers the file that standard output goes to. */
void empty_output_begin(void);

typedef struct whole_file {
  FILE *out;
  const char *path; /* what a link points to */
  bool special;     /* a pipe, a device and the like: written as it is */
} whole_file;

/* Has `write` write the file: through a temporary name, so that a reader never finds half of it. */
int whole_file_write(const char *name, int (*write)(const whole_file *f, void *context, error *e), void *context,
                     error *e);

/* Whether each report that is asked for can be written to its file, as far as is known before. -1 with `e` set: one cannot. */
int formats_check(const report_settings *s, error *e);

/* A sentence on the finding of api-error or buffer-overrun that makes the command fail, by what was asked for; NULL: there
 * is none. */
const char *fails_on_memory(const fail_settings *s, const view *v);
/* Says that on standard error, if there is one. */
void say_fails_on_memory(const fail_settings *s, const view *v);

/* Loading what a command reports on: runs of the database. */

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
