/* From launches as the walk met them to facts. */
#ifndef CLTC_HOST_FACTS_H
#define CLTC_HOST_FACTS_H

#include "host/expression.h"
#include "host/walk.h"

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

/* --- facts_express.c --- */
const host_expression *view_seen(const kernel_view *v, host_seen what, unsigned index, host_integer type);
const host_expression *view_number(const kernel_view *v, const host_term *number);
const host_expression *view_binary(const kernel_view *v, host_op op, host_integer type, const host_expression *a,
                                   const host_expression *b);
const host_expression *view_cast(const kernel_view *v, host_integer to, const host_expression *a);
/* The same, written with other brackets. */
const host_expression *view_brackets(const kernel_view *v, const host_expression *e, host_brackets brackets);
/* A term over the items that are a basis. NULL: the kernel cannot see all of it. */
const host_expression *view_express(const kernel_view *v, const host_term *term);
/* "ITEM == TERM", over other items. */
const host_expression *view_express_equal(const kernel_view *v, const kernel_item *item);
/* Whether something that the kernel sees is part of the term. */
bool view_sees(const kernel_view *v, const host_term *term);

/* --- facts_options.c --- */
/* The options of clBuildProgram, as far as they are known. */
void find_options(const met_launch *m, host_launch *out);

/* --- facts.c --- */
void facts_of_launch(host_walk *w, const met_launch *met, host_launch *out);

#endif
