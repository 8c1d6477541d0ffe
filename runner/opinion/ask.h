/* Launches of a kernel that is verified are run in all the forms in which they may contradict the proof. */
#ifndef CLTC_RUNNER_OPINION_ASK_H
#define CLTC_RUNNER_OPINION_ASK_H

#include "runner/opinion/opinion.h"
#include "runner/opinion/terms.h"

/* Seconds of the processor that runs have used. */
double opinion_spent(void);
/* Whether there is time for one more run: a second is the least that one can be given. */
bool opinion_has_time(const opinion_options *o);
bool opinion_mentions(const char *text, const char *const *words, size_t count);

/* Those with groups of one size first, in each form, as a device may build each form for each size; then the others. `out`
 * has what is known before. The launch that contradicts is taken out of `all`. */
int ask_all(const opinion_options *o, const asked_source *s, const verify_answer *a, const terms *t, replica *all,
            size_t count, opinion *out, error *e);

#endif
