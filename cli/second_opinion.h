/* `verify --second-opinion`: proofs are held against runs on a device, and what comes of it is said. */
#ifndef CLTC_CLI_SECOND_OPINION_H
#define CLTC_CLI_SECOND_OPINION_H

#include "cli/experiment.h"
#include "cli/settings.h"
#include "proofs/client/answer.h"
#include "proofs/client/prove.h"
#include "proofs/counterexample/replica.h"
#include "runner/experiment/options.h"

typedef struct second_opinion {
  const device_settings *device;
  const char *kept;  /* folder of --emit-cases, NULL: none */
  unsigned launches; /* a kernel; 0: none */
  bool begun, none;  /* `none`: there is no device to run them on */
  experiment_options experiments;
  prove_options verify;
  char *scratch;                        /* folder */
  size_t agreed, earlier, contradicted; /* kernels; `earlier`: in the run that their proof is taken over from */
  uint64_t made, made_earlier;          /* launches that contradict nothing */
  char *const *captures;                /* of launches that were seen, lent */
  size_t capture_count;
  word_list without; /* notes of kernels that none is made of, owned */
  void (*note)(void *context, const char *text);
  void *context;
} second_opinion;

/* `o` is zeroed but for note and context. */
void second_opinion_begin(second_opinion *o, const settings *s);
/* Of a verified kernel. A contradiction makes it undecided and is said. -1 with `e`: interrupted (130). */
int second_opinion_give(second_opinion *o, const asked_source *s, proved_kernel *k, error *e);
/* For confirm_options: launches of counterexamples. */
int second_opinion_confirm(void *opinion, const replica *launches, size_t count, double seconds, confirmation *out);
/* Says what was run, and what was not and why. */
void second_opinion_say(second_opinion *o);
void second_opinion_end(second_opinion *o);

#endif
