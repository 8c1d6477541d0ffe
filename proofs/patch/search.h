/* Repairing a source: barriers are tried, cheapest first, and each counterexample says which others need not be. */
#ifndef CLTC_REPAIR_SEARCH_H
#define CLTC_REPAIR_SEARCH_H

#include "proofs/patch/spots.h"

/* --- the cheapest set of barriers that counterexamples allow ------------------------------------------------------ */

enum { HITTING_SET_TURNS = 10 }; /* of a loop of which nothing is said */

/* One of these spots must have a barrier with this fence. */
typedef struct hitting_clause {
  uint32_t *spots;
  size_t count, capacity;
  unsigned fence;
  size_t kernel; /* on whose account */
} hitting_clause;

typedef struct hitting_set {
  const spots *spots;
  hitting_clause *clauses;
  size_t count, capacity;
  size_t *banned;     /* a spot: 1 + the kernel on whose account no barrier may stand there; 0: it may */
  size_t most;        /* barriers to be put in */
  double turns;       /* that a loop is taken to make */
  unsigned *existing; /* barriers that the source has, a spot */
} hitting_set;

void hitting_set_init(hitting_set *c, const spots *s, size_t most);
/* Forgets what a kernel asked for. */
void hitting_set_forget(hitting_set *c, size_t kernel);
/* The cheapest barriers, one number a spot (fences, 0: none), and what they cost. False: there are none. */
bool hitting_set_solve(const hitting_set *c, unsigned *flags, double *cost);
/* What barriers cost: for each that is put in how often it is executed, else `turns` to the power of the loops around it;
 * wider fences a little more. */
double hitting_set_cost(const hitting_set *c, const unsigned *flags);
/* Whether barriers are as all clauses want. */
bool hitting_set_allows(const hitting_set *c, const unsigned *flags);
void hitting_set_free(hitting_set *c);

/* --- the search --------------------------------------------------------------------------------------------------- */

/* A place of the text that was asked about: calls first, those of the kernel in front. Line 0: in another file. */
typedef struct flaw_path {
  struct {
    uint32_t line, column;
  } steps[16];
  size_t count;
} flaw_path;

typedef enum flaw_kind {
  FLAW_NONE,       /* proved */
  FLAW_RACE,       /* inside of a group: a barrier may order the two accesses */
  FLAW_BETWEEN,    /* a race between groups: no barrier can */
  FLAW_DIVERGENCE, /* of a barrier: the first way */
  FLAW_UNDECIDED   /* nothing was proved and nothing was found */
} flaw_kind;

typedef struct flaw {
  flaw_kind kind;
  bool definite;
  bool order_shows;  /* of one that is proved: what it computes may depend on the order of work-items */
  unsigned fence;    /* of a race; 0: of memory that no barrier orders */
  bool both_write;   /* of a race: no access is a read */
  flaw_path ways[2]; /* to the accesses */
  char *message;     /* of the engine, "" where it is proved */
  char *preconditions;
} flaw;

void flaw_free(flaw *f);

/* Asks for the kernels of a text that are marked: `flaws` has one entry for each kernel, those that are not marked are
 * left alone. Returns 0, 1: the text does not compile, with `e`; -1: no more can be asked, with `e`. */
typedef struct flaw_finder {
  void *context;
  int (*find)(void *context, const char *text, size_t length, const bool *marked, flaw *flaws, error *e);
} flaw_finder;

typedef enum repair_outcome {
  REPAIR_FINE,      /* nothing was wrong */
  REPAIR_DONE,      /* what was wrong is repaired, and proved */
  REPAIR_PART,      /* likewise of what was wrong inside of groups; a race between groups remains */
  REPAIR_BETWEEN,   /* a race between groups */
  REPAIR_NO_PLACE,  /* no barriers that we may put in help */
  REPAIR_UNDECIDED, /* it is not known whether anything is wrong */
  REPAIR_OVER       /* time is over */
} repair_outcome;

/* Which work-items are looked at. */
typedef enum repair_scope { SCOPE_EVERY, SCOPE_WITHIN /* of one group */, SCOPE_APART /* of two */ } repair_scope;

typedef struct repair_kernel {
  char *name;
  bool chosen;      /* it is to be repaired */
  flaw first, last; /* of the source as it is, and at the end */
  flaw failed;      /* of one that is not repaired: what remains, and its lines in the text that was asked about */
  repair_outcome outcome;
  repair_scope scope;
  const char *why;     /* it is not repaired: a sentence's part */
  uint32_t lines[2];   /* of `first` in the source, 0: not known */
  uint32_t failing[2]; /* of `failed` */
} repair_kernel;

typedef struct repair {
  const spots *spots;
  const char *text;
  size_t length;
  flaw_finder finder;
  bool atomics;    /* its spots have updates */
  bool optimise;   /* barriers that are not needed are taken out */
  double deadline; /* as clock_now tells it, 0: none */
  repair_kernel *kernels;
  size_t kernel_count;
  hitting_set set;
  unsigned *flags; /* a spot: the barriers of the result */
  patch patch;     /* the last text that was asked about */
  size_t tries;
  unsigned **others; /* results of equal cost that are proved, too */
  size_t other_count, other_capacity;
} repair;

/* Fills in outcomes, `flags` and `others`. -1 with `e`: the engine fails. */
int repair_search(repair *r, error *e);
/* `most`: barriers that may be put in. */
void repair_init(repair *r, const spots *s, flaw_finder finder, size_t most, double deadline);
repair_kernel *repair_add_kernel(repair *r, const char *name, bool chosen);
/* Whether anything is changed. */
bool repair_changes(const repair *r);
/* The text with the barriers of `flags`. */
void repair_text(repair *r, const unsigned *flags, buffer *out);
void repair_free(repair *r);

/* --- learn.c --- */
/* Takes up the last counterexample of a kernel, which was found with the barriers of `flags`. REPAIR_DONE: others can
 * be tried; else why the kernel cannot be repaired. */
repair_outcome learn(repair *r, size_t kernel, const unsigned *flags, const char **why);
/* Why nothing repairs a race between groups. */
const char *learn_why_between(const repair *r, const flaw *f);
/* The lines of the source that a flaw of the last text is about; 0: not known. */
void learn_lines(const repair *r, const flaw *f, uint32_t lines[2]);

/* What the search for repairs and what comes after it share. */

/* Takes barriers out of r->flags and fences from them with which, and without which, their kernels are proved. */
int optimise(repair *r, error *e);

#endif
