/* What finding the sites of a function takes; shared by discover.c and decisions.c. */
#ifndef CLTC_INSTRUMENT_DISCOVER_H
#define CLTC_INSTRUMENT_DISCOVER_H

#include "instrument/program.h"

/* What must hold for some code to have been executed: any of up to two outcomes. */
typedef struct region {
  model_term terms[2];
  size_t count;
} region;

/* The state of walking one function. */
typedef struct walk {
  program *p;
  unit *u;
  function *f;
  uint32_t *token_region; /* token - body's first token -> region */
  model_term *selected;   /* case label -> the outcome of its switch */
  region *regions;
  size_t region_count, region_capacity;
} walk;

/* --- discover.c --- */
/* The site at a token, new or known. `last` is the construct's last token, for its extent. */
uint32_t site_at(walk *w, site_kind kind, uint32_t token, uint32_t last, bool *is_new);
/* `line` 0: the site's. */
void add_outcome(program *p, uint32_t site, uint32_t index, const char *label, uint32_t line);
/* An instance with bits for `outcomes` outcomes; lent until the next one is added. */
instance *add_instance(walk *w, site_kind kind, uint32_t token, uint32_t last, uint32_t outcomes, bool *is_new);

/* --- decisions.c --- */
/* The number of ways through a condition made of && and ||; 0 if it is not one or has more than MAX_PATHS. The decision
 * then records what its `if` or `?:` needs. */
uint32_t path_count(const walk *w, span condition);
/* Conditions and decisions of the function; to be called when all other instances are there. */
void walk_decisions(walk *w);

#endif
