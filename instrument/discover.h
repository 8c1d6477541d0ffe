/* What finding the sites of a function takes; shared by discover.c and detectors/coverage/. */
#ifndef CLTC_INSTRUMENT_DISCOVER_H
#define CLTC_INSTRUMENT_DISCOVER_H

#include "frontend/tree.h"
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

/* --- detectors/coverage/pass_regions.c --- */
/* A region that any of two outcomes of a site leads to; `second` NONE: there is one. */
uint32_t new_region(walk *w, uint32_t site, uint32_t first, uint32_t second);
/* Walks a statement that runs as part of a region; returns the region of what follows it (a label begins a new one). */
uint32_t walk_statement_at(walk *w, const tree_node *s, uint32_t region_index);
void walk_conditionals(walk *w);
/* Right operands of && and || that stand on a line of their own decide that line. */
void walk_right_operands(walk *w);
void walk_barriers(walk *w);
void walk_async_calls(walk *w);

/* --- discover.c --- */
/* The lines of a function, once its regions are known. */
void collect_lines(walk *w);

/* --- detectors/coverage/pass_decisions.c --- */
/* The number of ways through a condition made of && and ||, of the statement or ?: `owner`; 0 if it is not one or has
 * more than MAX_PATHS. The decision then records what its `if` or `?:` needs. */
uint32_t path_count(const walk *w, const tree_node *owner, span tokens);
/* -1 with a sentence when a decision has too many conditions, which takes a device's compiler minutes. */
int check_decisions(const walk *w, error *e);
/* Conditions and decisions of the function; to be called when all other instances are there. */
void walk_decisions(walk *w);

/* A condition, or an operand of && or ||. */
typedef struct condition {
  span inner;                /* without the parentheses and `!` around it */
  bool negated;              /* there is an odd number of `!` */
  const tree_node *decision; /* `inner` is a && or || on scalars; NULL: an atomic condition */
  uint32_t token;            /* by which an atomic condition is known: its operator, else its first token */
} condition;

/* `condition ? yes : no` in a place where it is executed. */
typedef struct conditional {
  uint32_t question, colon;
  span condition, yes, no;
  uint32_t components; /* 1 for a scalar condition; else the vector's length: both arms are evaluated */
  const char *kept;    /* for GNU's `condition ?: no`: type of the condition, which is also the value; else NULL */
} conditional;

/* Whether a node is a && or || on scalars that is executed. The next three are about such. */
bool is_decision(const pp_result *text, const tree_node *n);
bool is_conjunction(const tree_node *decision);
span right_operand(const tree_node *decision);
condition read_condition(const pp_result *text, const tree_node *n);
/* Whether a node is a ?: that is a site. The next two are about such. */
bool is_conditional(const pp_result *text, const tree_node *n);
conditional read_conditional(const tree_node *n);
/* Signed integer type of the size of the components of a vector condition: "char", "short", "int", "long". */
const char *conditional_element(const tree_node *n);

#endif
