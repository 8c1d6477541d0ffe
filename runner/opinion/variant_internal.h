/* A source that is being changed: what all variants need. */
#ifndef CLTC_RUNNER_OPINION_VARIANT_INTERNAL_H
#define CLTC_RUNNER_OPINION_VARIANT_INTERNAL_H

#include "frontend/facts/uniform.h"
#include "frontend/tree_graph.h"
#include "runner/opinion/variant.h"

typedef struct insertion {
  size_t at, length, number; /* instead of so many bytes */
  char *text;
} insertion;

typedef struct changing {
  variant what;
  const asked_source *source;
  const char *kernel;
  const pp_result *text;
  const tree *tree;
  insertion *items;
  size_t count, capacity;
  bool stuck; /* something that had to be changed cannot be */
  char *made;
} changing;

/* variant.c: what is inserted is taken over; where it cannot be the source is stuck. */
/* Before a token; instead of a node; at the beginning of a kernel's body. */
void variant_insert(changing *c, uint32_t token, char *text);
void variant_replace(changing *c, const tree_node *n, char *text);
void variant_enter(changing *c, const tree_node *kernel, char *text);
/* Whether all work-items of a group come to a node, as often as each other. */
bool variant_all_come(const uniform_scope *s, const tree_node *at);

/* variant_alone.c */
void variant_alone(changing *c, const tree_node *kernel, const tree_graph *g);

#endif
