/* Replays whose accesses to memory are checked for data races: what a mutant races with that the original does not, and
 * whether repeats can differ at all. See "Races" in docs/mutation.md. */
#ifndef CLTC_RUNNER_CAMPAIGN_RACES_H
#define CLTC_RUNNER_CAMPAIGN_RACES_H

#include "runner/campaign/internal.h"

/* A place of the original source: bytes of a file of the model. What a mutant has put there is all of it. */
typedef struct race_place {
  uint32_t file, begin, end;
} race_place;

/* Two accesses that nothing orders. */
typedef struct race_pair {
  uint32_t program, kernel;
  race_place now, before;
  bool known;      /* `before` is */
  bool divergence; /* not of accesses: `now` is a barrier or an async call that work-items do not reach alike */
} race_pair;

/* What checked replays have shown. */
typedef struct race_list {
  race_pair *items;
  size_t count, capacity;
  bool unclear; /* something may have been missed, or its results may depend on an order though nothing races */
} race_list;

/* Of a job: what it gives the device, and what that shows. */
typedef struct race_look {
  check_look at;
  const mutant *of;       /* NULL: the original */
  instrument_result made; /* of its program, with the mutant */
  bool tried;
  char *why; /* why it cannot be checked; NULL: it can */
  race_list seen;
} race_look;

void race_list_free(race_list *l); /* NULL is fine */
race_look *race_look_new(check_look at, const mutant *of);
void race_look_free(race_look *l); /* NULL is fine */
/* Whether `seen` has a pair that the original does not have. */
bool races_are_new(const race_list *original, const race_list *seen);
/* What `from` has goes into `to`, too. */
void races_add(race_list *to, const race_list *from);

#endif
