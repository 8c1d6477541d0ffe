/* How far a mutant is that is being run: one state, and what leads from one to another. */
#ifndef CLTC_RUNNER_CAMPAIGN_MUTANT_STATE_H
#define CLTC_RUNNER_CAMPAIGN_MUTANT_STATE_H

#include <stdbool.h>

/* Up to MUTANT_REVEALS all of them are of one test case. `Checks` are checked replays, and only runs that may be replays
 * lead there. */
typedef enum mutant_state {
  MUTANT_IDLE,              /* there is no mutant; the first state */
  MUTANT_RUNS,              /* it runs, by replays where the test case has them */
  MUTANT_CHECKS_RACES,      /* a check comes next, for races */
  MUTANT_CHECKS_DIVERGENCE, /* another one, for barriers that are not reached alike: it has no race of its own, */
  MUTANT_CHECKS_LAST_DOUBT, /* and neither does anything else depend on the order */
  MUTANT_CHECKED,           /* it runs; checks do not tell more */
  MUTANT_ALIKE,             /* it runs; nothing in it depends on the order of work-items: its repeats are alike */
  MUTANT_RACES,             /* a check has shown a race that the original does not have */
  MUTANT_RERUNS,            /* it runs by its program: replays do not tell */
  MUTANT_REVEALS,           /* the test case kills it: does its program notice? */
  MUTANT_AGAIN,             /* all of it once more by the program, as --verify-engine wants */
  MUTANT_AGAIN_REVEALS,     /* likewise, and a test case kills it */
  MUTANT_STATES
} mutant_state;

typedef enum mutant_event {
  MUTANT_IS_TAKEN,
  MUTANT_WANTS_CHECK,
  MUTANT_NEW_RACE,      /* a check shows a race, or a divergence, that the original does not have, */
  MUTANT_OLD_RACE,      /* or none that it does not have, */
  MUTANT_NO_RACE,       /* or nothing that depends on an order; */
  MUTANT_UNCHECKED,     /* or it cannot be made */
  MUTANT_MAY_DIVERGE,   /* after a check for races: it has barriers that may not be reached alike */
  MUTANT_REPLAY_FAILED, /* a replay of it does not tell */
  MUTANT_IS_ASKED,      /* its verdict against the test case is there, and whether the program notices it is asked */
  MUTANT_NEXT_TEST,
  MUTANT_IS_VERIFIED, /* after the last test case: it is among those that the program decides once more */
  MUTANT_IS_DECIDED,
  MUTANT_EVENTS
} mutant_event;

/* The state after an event. What cannot happen in a state changes nothing. */
mutant_state mutant_after(mutant_state s, mutant_event event);

/* Its runs are replays where the test case has them. */
bool mutant_replays(mutant_state s);
/* A check comes next: for races, or for divergence. */
bool mutant_checks(mutant_state s);
bool mutant_checks_divergence(mutant_state s);
/* No check was made yet. */
bool mutant_is_unchecked(mutant_state s);
bool mutant_reveals(mutant_state s);
/* The program decides what replays have decided. */
bool mutant_is_again(mutant_state s);

#endif
