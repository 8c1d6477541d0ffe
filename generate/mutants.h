/* The mutants of a kernel, and what is known of each. A mutation campaign (runner/campaign) says which tests kill that there
 * are, and what has become of those that no input kills. */
#ifndef CLTC_GENERATE_MUTANTS_H
#define CLTC_GENERATE_MUTANTS_H

#include "generate/bench.h"

typedef struct aimed_mutant {
  uint32_t id, line;
  mutant_status status;
  char *never;    /* proved that it does what the kernel does, "" or on what conditions; NULL: it is not */
  char *words;    /* "`<` changed to `<=` in line 30" */
  unsigned owner; /* number of the input that is kept for it; 0: of those for outcomes, or none */
} aimed_mutant;

typedef struct mutants {
  aimed_mutant *items;
  size_t count, capacity;
  bool known;                /* inputs ran with them */
  char why[512];             /* why none did; "": nothing is known of that */
  size_t killed_by_tests;    /* that there were */
  size_t killed_by_outcomes; /* by inputs that were kept for outcomes */
} mutants;

/* The one with this id, which is added with its words if it is not there. */
aimed_mutant *mutants_add(mutants *m, uint32_t id, uint32_t line, const char *original, const char *replacement,
                          const char *description);
/* Mutants with the same words get their columns, which `columns` has of each; 0: it has none. */
void mutants_tell_apart(mutants *m, const uint32_t *columns);
/* A campaign of those that are not killed or proved equivalent (of all, if none are known) with the inputs, one after another in
 * one test case. -1 with `e`: interrupted. */
int mutants_try(mutants *m, bench *b, input *const *list, size_t count, error *e);
/* The same with captures, each a test case. */
int mutants_try_captures(mutants *m, bench *b, const word_list *captures, error *e);
/* Whether inputs are still of use against it. */
bool mutant_is_open(const aimed_mutant *a);
/* What an input is kept for, as a clause: "kills `<` changed to `<=` in line 30"; NULL: nothing. To be freed. */
char *mutants_reason(const mutants *m, unsigned owner);
/* Of those that the score counts: how many there are with this status; MUTANT_STATUSES: with any. */
size_t mutants_of(const mutants *m, mutant_status status);
size_t mutants_proved(const mutants *m);
void mutants_free(mutants *m);

#endif
