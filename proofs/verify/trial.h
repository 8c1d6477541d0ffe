/* One launch of a kernel, or all that satisfy what is known: is it proved, or what is wrong. */
#ifndef CLTC_VERIFY_TRIAL_H
#define CLTC_VERIFY_TRIAL_H

#include "proofs/verify/query.h"

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
  overflow_places overflows; /* that it rests on, too */
  overflow_places waits;     /* loops in which work-items wait for others, as places with what is said of them */
  overflow_places decided;   /* overflows in a launch whose sizes are given */
  json_t *invariants;        /* where those that a proof used are added; NULL: nowhere */
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

/* --- counterexample.c: who does what, where, on which launch, on which way, as JSON; what a proof rests on, in words  */

/* The finding of a hit, as the answer has it; owned by the caller. */
json_t *counterexample_finding(proof *p, const hit *h);
/* As text, "file:line:column". */
const char *counterexample_where(const proof *p, uint32_t number);
/* The access as "a read of x at file:line:column". */
const char *counterexample_access(const proof *p, const access *a);

/* Adds the candidates that are used, as {"file", "line", "text"}, each text of a place once. */
void explain_invariants(proof *p, const bool *used, json_t *list);
/* Which barriers can be left out one at a time, as {"file", "line", "column", "needed"}: of a kernel that is proved for the
 * launches. Owned by the caller. */
json_t *explain_barriers(const trial *t, const launch *launches, size_t count);
/* Whether all executions of a proved kernel give one result: no atomic whose order can show. */
bool explain_one_result(const kernel *k);

/* --- weaken.c: what all launches that were asked for have in common, less what the proof does not need ------------ */

/* Looks for facts that hold in all of these launches and are enough for a proof, until the deadline of the trial. A list of
 * premises, owned by the caller; NULL: no such facts were found. */
json_t *weaken(trial *t, const launch *launches, size_t count, double deadline);
/* What is known of one launch, as premises: where nothing weaker was found. */
json_t *weaken_nothing(const trial *t, const launch *l);

/* Whether accesses stay inside in launches that are alike, shown of all at once by what they have in common. */
bool weaken_ends(const trial *t, const launch *launches, size_t count, double deadline);

void premise_add(json_t *to, const char *kind, const char *text);

/* --- seen.c: what launches that were seen have in common proves those that are like the first, others are proved one by one  */

/* Ends with the first launch that goes wrong. `*preconditions`: what the verdict rests on, owned by the caller. Gives how many
 * launches are proved. */
size_t seen_prove(trial *t, const kernel_request *asked, json_t **preconditions);

#endif
