/* What finding the sites of a function takes; shared by discover.c, regions.c, decisions.c and lines.c. */
#ifndef CLTC_INSTRUMENT_DISCOVER_H
#define CLTC_INSTRUMENT_DISCOVER_H

#include "instrument/conditions.h"
#include "instrument/program_internal.h"

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
  uint32_t *token_region;         /* token - body's first token -> region */
  const tree_node **conditionals; /* ?: in the order of their question marks */
  size_t conditional_count, conditional_capacity;
  model_term *selected; /* token - body's first token -> of a case label that begins there the outcome of its switch */
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

/* --- regions.c --- */
/* A region that any of two outcomes of a site leads to; `second` NONE: there is one. */
uint32_t new_region(walk *w, uint32_t site, uint32_t first, uint32_t second);
/* Walks a statement that runs as part of a region; returns the region of what follows it (a label begins a new one). */
uint32_t walk_statement_at(walk *w, const tree_node *s, uint32_t region_index);
void walk_conditionals(walk *w);
/* Right operands of && and || that stand on a line of their own decide that line. */
void walk_right_operands(walk *w);
void walk_barriers(walk *w);
void walk_async_calls(walk *w);

/* --- lines.c --- */
/* The lines of a function, once its regions are known. */
void collect_lines(walk *w);
/* One entry a line and function. */
void merge_lines(model *m);

/* --- decisions.c --- */
/* The number of ways through a condition made of && and ||, of the statement or ?: `owner`; 0 if it is not one or has
 * more than MAX_PATHS. The decision then records what its `if` or `?:` needs. */
uint32_t path_count(const walk *w, const tree_node *owner, span tokens);
/* -1 with a sentence when a decision has too many conditions, which takes a device's compiler minutes. */
int check_decisions(const walk *w, error *e);
/* Conditions and decisions of the function; to be called when all other instances are there. */
void walk_decisions(walk *w);

#endif
