/* What a run of a program printed, and words for a person about runs. */
#ifndef CLTC_RUNNER_EXPERIMENT_RUN_WORDS_H
#define CLTC_RUNNER_EXPERIMENT_RUN_WORDS_H

#include "base/names.h"
#include "db/db.h"
#include "runner/experiment/pool.h"
#include "runner/experiment/transcript.h"

/* The digest of what `fd` holds, without the lines that one of the extended regular expressions matches. */
void output_digest(int fd, const char *const *ignore, size_t ignore_count, char digest[65]);

/* "NAME fails WITHOUT: exit status 3; its last words: …" of a run that failed or was too long. */
void failure_words(const pool_job *job, const char *name, const char *without, char *out, size_t size);

/* After a crash by signal `status` - 128: "`cltestcheck memory -- LINE` tells whether a kernel left its memory", or what else
 * to run where that was `looked_at`. LINE: the command line of the program, "" where it is not known. `out` is "" after a
 * signal that no fault in the program gives. */
void crash_advice(int status, const char *line, bool looked_at, char *out, size_t size);

/* The last line that a worker wrote to standard error before it ended without its turn, or how it ended. */
void worker_words(const pool_job *job, char *out, size_t size);

/* Calls `found` for every output that is unstable under the oracle, named in words, with the share of its bytes that
 * varies; all reads of one argument of one kernel launch are one. Ends with -1 when `found` does. */
typedef int (*unstable_found)(void *context, const char *what, double share, error *e);
int unstable_outputs(const transcript *t, transcript_oracle oracle, unstable_found found, void *context, error *e);
/* Reads that are the same in every run, at least in part. */
size_t stable_reads(const transcript *t);

/* What a run has found, as far as it counts: in the kernels that are chosen, and not suppressed. */

size_t count_findings(const view *v, const kernel_choice *c);
/* Whether it is one of these. */
bool finding_counts(const db_finding *f, const kernel_choice *c);
/* Whether work-items race to write the same value: a finding that count_findings leaves out. */
bool has_benign(const view *v, const kernel_choice *c);
/* Whether it is an error for who asks for it alone. */
bool finding_is_aside(const db_finding *f);
/* Whether there is one of this rule; api-error and buffer-overrun are left out by the others, too. */
bool has_finding(const view *v, const char *rule);
/* Whether the view has kernels and none of them is chosen. */
bool leaves_no_kernel(const view *v, const kernel_choice *c);

#endif
