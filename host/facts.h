/* From launches as the walk met them to facts. */
#ifndef CLTC_HOST_FACTS_H
#define CLTC_HOST_FACTS_H

#include "base/buffer.h"
#include "host/walk.h"

/* Something that a kernel can see: an argument, or a size of its launch. */
typedef struct kernel_item {
  const char *text; /* "$0", "get_global_size(1)" */
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

/* --- facts_write.c --- */
/* Writes a term as C over the items that are a basis, but for `without` (NULL: none is left out). False, and nothing is
 * written, where the kernel cannot see all of it. */
bool view_write(const kernel_view *v, const host_term *term, const kernel_item *without, buffer *out);
/* "ITEM == TERM" */
bool view_write_equal(const kernel_view *v, const kernel_item *item, buffer *out);
/* Whether something that the kernel sees is part of the term. */
bool view_sees(const kernel_view *v, const host_term *term);
/* The names of the host's variables in a term: "n (prog.c:3), m". */
void view_names(const host_term *term, buffer *out);

/* --- facts_options.c --- */
void view_options(const kernel_view *v, host_launch *out);

/* --- facts.c --- */
void facts_of_launch(host_walk *w, const met_launch *met, host_launch *out);

#endif
