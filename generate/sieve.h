/* Which inputs kill which mutants: many launches in one process, for which the device builds the kernels once. */
#ifndef CLTC_GENERATE_SIEVE_H
#define CLTC_GENERATE_SIEVE_H

#include "generate/bench.h"
#include "generate/mutants.h"

typedef struct sieved_mutant {
  uint32_t number;
  size_t aimed;   /* at: place among the mutants */
  bool cloned;    /* it has a kernel of its own */
  bool hit;       /* an input was found once, and not looked at again; */
  unsigned owner; /* number of that input */
  bool doubtful;  /* what was found once was not so again */
  unsigned wild;  /* runs with it alone that ended by a signal */
  bool asked;     /* the proof engine was asked about it */
} sieved_mutant;

/* A text with mutants in it. */
typedef struct sieve_text {
  asked_source source;
  const signature *of; /* with the parameters that it has more; NULL: there is no text */
  char *path;
  uint32_t flag_words;
} sieve_text;

typedef struct sieve {
  const char *kernel; /* lent */
  mutants *all;       /* lent; */
  sieved_mutant *items;
  size_t count;
  sieve_text selected, cloned;
} sieve;

/* Adds the kernel's mutants to `all`. Release with sieve_end in every case. */
void sieve_begin(sieve *s, const asked_source *source, const char *kernel, const char *folder, mutants *all);
/* Those that no input kills, or has hit. */
size_t sieve_open(const sieve *s);
/* Of the open mutants, or of those that are hit by this owner where that is not 0, which have other results: `hits[i * s->count +
 * m]`, of input i and mutant m. -1 with `e`: interrupted, or nothing can be run. */
int sieve_try(sieve *s, const bench *b, unsigned owner, input *const *list, size_t count, bool *hits, error *e);
/* The same in two runs. A mutant that ends both by a signal is hit by all. */
int sieve_certain(sieve *s, const bench *b, unsigned owner, input *const *list, size_t count, bool *hits, error *e);
/* Chooses inputs that hit all open ones that these hit: so many come first then, with their hits. */
size_t sieve_choose(const sieve *s, input **list, size_t count, bool *hits);
/* What these hit of an input is open no more, and its own. Returns how many. */
size_t sieve_take(sieve *s, const bool *hits, unsigned owner);
/* Whether these have all that this input is kept for. */
bool sieve_hits_all(const sieve *s, const bool *hits, unsigned owner);
/* From now on the killed ones of this owner are asked for by its number, or (`again` false) they are not. How many; 0 also where one of them
 * is known by its crashes alone. */
size_t sieve_ask_killed(sieve *s, unsigned owner, bool again);
/* What these hit is killed. What this owner had hit else is open once more. */
void sieve_kill(sieve *s, const bool *hits, unsigned owner);
void sieve_end(sieve *s);

#endif
