/* A second opinion on a proof, by a way that shares nothing with it: launches that satisfy its preconditions are drawn, and
 * run on a device with their accesses and barriers watched. */
#ifndef CLTC_RUNNER_OPINION_OPINION_H
#define CLTC_RUNNER_OPINION_OPINION_H

#include "runner/engine/answer.h"
#include "runner/engine/confirmation.h"
#include "runner/opinion/watch.h"
#include "runner/sources/source.h"

typedef struct opinion_options {
  watching watching;
  unsigned launches; /* a kernel */
  double until;      /* processor time of our children after which nothing more is begun; set by opinion_ask */
  const prove_options *verify;
} opinion_options;

typedef enum opinion_kind {
  OPINION_NONE,        /* no launch was made; `why` */
  OPINION_AGREES,      /* `launches` were made, and nothing went wrong; `why`: what was not looked at, else NULL */
  OPINION_CONTRADICTS, /* `why` is what a run shows */
  OPINION_OVERFLOW,    /* so it does, but the proof rests on no overflow, and this launch may have one */
  OPINION_COMPILER     /* so it does, but not without optimisation: the device's compiler is at fault */
} opinion_kind;

typedef struct opinion {
  opinion_kind kind;
  uint64_t launches;
  bool barriers; /* of some of them it was seen who comes to barriers */
  char *why;
  replica launch;       /* that contradicts; lends from the source, and from */
  char *text, *options; /* the changed source, and its build options; NULL: they are as given */
} opinion;

/* Of a verified answer. -1 with `e`: interrupted (130). Release with opinion_free. */
int opinion_ask(const opinion_options *o, const asked_source *s, const verify_answer *a, opinion *out, error *e);
void opinion_free(opinion *o);

/* Whether runs show what counterexamples of a kernel say: `out` has one for each launch. `seconds`: of the processor. -1 with `e`: interrupted, or nothing can be run. */
int opinion_confirm(const opinion_options *o, const replica *launches, size_t count, double seconds, confirmation *out,
                    error *e);

#endif
