/* From launches as the walk met them to facts. */
#ifndef CLTC_HOST_FACTS_H
#define CLTC_HOST_FACTS_H

#include "proofs/host/expression.h"
#include "proofs/host/walk.h"

/* Something that a kernel can see: an argument, or a size of its launch. */
typedef struct kernel_item {
  const host_expression *seen;
  const host_term *term;
  host_where where; /* what gave it this value */
  bool basis;       /* others are written with it */
} kernel_item;

enum { MOST_ITEMS = MOST_ARGUMENTS + 9 };

typedef struct kernel_view {
  host_walk *walk;
  const met_launch *met;
  kernel_item items[MOST_ITEMS];
  size_t count;
} kernel_view;

/* --- facts_options.c --- */

/* --- facts.c --- */
void facts_of_launch(host_walk *w, const met_launch *met, host_launch *out);

#endif
