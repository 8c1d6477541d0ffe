/* A second opinion on a proof, by a way that shares nothing with it: launches that satisfy its preconditions are drawn, and
 * run on a device with their accesses and barriers watched. */
#ifndef CLTC_RUNNER_OPINION_OPINION_H
#define CLTC_RUNNER_OPINION_OPINION_H

#include "proofs/counterexample/replica.h"
#include "runner/amplify/trial.h"

/* --- launches of one kernel, done with its accesses and barriers watched --- */

struct terms;

typedef struct watching {
  const experiment_options *base;
  const char *folder; /* for files */
  bool same_value;    /* work-items that write the same value race, too */
  bool bounds;        /* accesses are held against the ends of their memory, and nothing else is looked at */
  const struct terms
      *sized; /* with `bounds`: only of buffers whose elements these conditions speak of, and of arrays; NULL: of all */
  bool careful;     /* what is found is certain: work-items surely miss a barrier */
  const char *only; /* nothing else counts but what happens to this object; NULL: all does */
  bool accesses;    /* and nothing of who comes to barriers */
  double seconds;   /* of the processor, each time */
} watching;

/* Something that went wrong in one of the launches. */
typedef struct watched_finding {
  bool divergence;   /* else a race, or with `bounds` an access outside */
  size_t launch;     /* of those that were given, from 0 */
  uint32_t lines[2]; /* of the accesses, of the barrier and the decision; 0: not known */
  char *sentence;    /* "work-item 0 of …" */
} watched_finding;

typedef struct watched {
  uint64_t launches; /* that were made */
  bool well;         /* … and none crashed or took too long */
  bool inside;       /* … and all accesses lay in their memory; else that is not known */
  watched_finding *items;
  size_t count, capacity;
} watched;

/* `more`: further build options. -1 with `e`: interrupted (130), or they cannot be run here. Release with watched_free in
 * every case. */
int watch(const watching *w, const replica *all, size_t count, const char *more, watched *out, error *e);
/* The first of the first launch, by lines, divergence before races: after it nothing is defined. NULL: nothing went wrong. */
const watched_finding *watched_first(const watched *w);

/* --- a proof and its launches --- */

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
  bool barriers;    /* of some of them it was seen who comes to barriers */
  bool inside;      /* of all that were made last it was seen that accesses lie in their memory */
  const char *late; /* what there was no time for, the first of it; NULL: nothing */
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

/* The first launch of a kernel that an expression of `--assume` does not hold for goes to `*against`; NULL: it holds for all, or
 * contents that it speaks of are not known. False: it is not understood. */
bool seen_check(const asked_source *s, const asked_kernel *k, const char *assumption, const observed_launch **against);

/* The source of a kernel, changed so that a run shows what the device's own order of work-items, or its sizes of groups,
 * hide. What the changed kernel does the kernel as written may do, too: in another order, or in groups of other sizes. */

typedef enum variant {
  VARIANT_TURNS, /* at atomic functions that a whole group comes to, some of its work-items go first, each time others */
  VARIANT_RAGGED, /* the last group of a dimension has half as many work-items as the others */
  VARIANT_ALONE /* no work-item waits for others; they race for VARIANT_BARRIERS if they come to barriers differently */
} variant;

#define VARIANT_BARRIERS "barriers_come_to"

/* To be freed; NULL: it makes no difference for this kernel, or cannot be written. */
char *variant_text(variant v, const asked_source *s, const char *kernel);

#endif
