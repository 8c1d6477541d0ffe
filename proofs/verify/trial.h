/* One launch of a kernel, or all that satisfy what is known: is it proved, or what is wrong. */
#ifndef CLTC_VERIFY_TRIAL_H
#define CLTC_VERIFY_TRIAL_H

#include <jansson.h>

#include "proofs/verify/overflow.h"
#include "proofs/verify/query.h"
#include "proofs/verify/request.h"

typedef enum verdict {
  VERIFIED,
  POSSIBLE_RACE,
  POSSIBLE_DIVERGENCE,
  UNKNOWN,
  UNSUPPORTED,
  OUT_OF_BOUNDS, /* from here on it is definite */
  DIVERGENCE,
  RACE
} verdict;

/* Whether accesses stay inside their buffers and arrays. */
typedef enum inside {
  INSIDE_NOT_ASKED,
  INSIDE_SHOWN,
  INSIDE_OPEN /* it could not be shown of one of them */
} inside;

/* What is tried; verdict, reason and finding are set by the functions below. */
typedef struct trial {
  const kernel *kernel;
  const request *request;
  const launch *launch;
  effort effort;
  mem_arena *memory; /* of texts that outlive a proof */
  verdict verdict;
  const char *reason;
  bool wrong_assumption; /* see proof */
  json_t *finding;       /* owned; NULL: none */
  const bool *without;   /* barriers taken to be away, by number of the value; NULL: none */
  inside inside;         /* of verdict VERIFIED */
  const char *outside;   /* of INSIDE_OPEN: the access; NULL: it is not known which */
  const char *left;      /* the access of a finding out of bounds */
  bool left_always;      /* it is at a constant place: no contents of buffers bring it back */
  const char *doubted;   /* the first that leaves only with particular contents, and what excludes it; NULL: none */
  bool left_open;        /* of a launch that is verified it could not be shown */
  size_t ends_left;      /* launches that were seen of which it was not looked at one by one */
  told_fault told[TOLD_MOST]; /* findings that are told; the search goes on without them */
  size_t told_count;
  told_fault last;     /* the one of `finding`, where it is definite */
  const char *open;    /* what the solver gave no answer to: "a write of a at …", …; NULL: nothing is known of it */
  bool want_inside;    /* to be VERIFIED that has to be shown, too */
  bool easy_products;  /* of products only what proofs need is used */
  bool exact_products; /* set: a proof needs more of them */
  bool no_overflow;    /* a proof rests on products that do not overflow */
  places overflows;    /* that it rests on, too */
  places waits;        /* loops in which work-items wait for others, as places with what is said of them */
  places decided;      /* overflows in a launch whose sizes are given */
  json_t *invariants;  /* where those that a proof used are added; NULL: nowhere */
} trial;

/* Looks for what goes wrong, then for a proof. */
void trial_run(trial *t);
/* Whether something else goes wrong for certain, in the first iterations: as trial_run, without a proof. */
bool trial_more(trial *t);
/* Whether accesses stay inside of their buffers and arrays, of a launch of which all else is known: VERIFIED with `inside`, or
 * OUT_OF_BOUNDS. */
void trial_ends(trial *t);
/* Looks for a proof only: any other verdict than VERIFIED says nothing. */
void trial_prove(trial *t);

#endif
