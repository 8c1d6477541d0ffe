/* Barriers that are not needed: each is tried without, those in the deepest loops first. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search_internal.h"

/* --- which kernels ------------------------------------------------------------------------------------------------ */

static void enter(const tree_graph *g, const tree_graph_function *f, bool *entered) {
  if (f == NULL || entered[f - g->functions]) {
    return;
  }
  entered[f - g->functions] = true;
  for (size_t i = 0; i < f->calls.count; i++) {
    enter(g, tree_graph_find(g, f->calls.items[i]->symbol), entered);
  }
}

static bool reaches(const tree_graph *g, const tree_graph_function *from, const tree_node *function) {
  bool *entered = mem_calloc(g->count + 1, sizeof *entered), found = false;
  enter(g, from, entered);
  for (size_t i = 0; i < g->count; i++) {
    found = found || (entered[i] && g->functions[i].function == function);
  }
  free(entered);
  return found;
}

static size_t kernel_named(const repair *r, const char *name) {
  size_t i = 0;
  while (i < r->kernel_count && strcmp(r->kernels[i].name, name) != 0) {
    i++;
  }
  return i;
}

/* Marks the kernels that reach a function. False: one of them is not proved, or not asked about. */
static bool mark_users(const repair *r, const tree_node *function, bool *marked) {
  const tree_graph *g = &r->spots->graph;
  bool proved = true, chosen = false;
  memset(marked, 0, r->kernel_count * sizeof *marked);
  for (size_t i = 0; i < g->count; i++) {
    const tree_symbol *symbol = g->functions[i].function->symbol;
    if (!symbol->kernel || !reaches(g, &g->functions[i], function)) {
      continue;
    }
    const size_t k = kernel_named(r, symbol->name);
    proved = proved && k < r->kernel_count && r->kernels[k].last.kind == FLAW_NONE;
    if (k < r->kernel_count) {
      marked[k] = true;
      chosen = chosen || r->kernels[k].chosen;
    }
  }
  return proved && chosen;
}

/* --- trying ------------------------------------------------------------------------------------------------------- */

/* And nothing depends on the order of work-items: a barrier may be what makes atomic functions give what they do. */
static bool all_proved(const repair *r, const bool *marked) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    const flaw *last = &r->kernels[i].last;
    if (marked[i] && (last->kind != FLAW_NONE || last->order_shows)) {
      return false;
    }
  }
  return true;
}

/* With other flags at one spot; they stay if the kernels are proved. */
static int try_flags(repair *r, size_t spot, unsigned flags, const bool *marked, bool *good, error *e) {
  const unsigned before = r->flags[spot];
  flaw *kept = mem_calloc(r->kernel_count + 1, sizeof *kept);
  for (size_t i = 0; i < r->kernel_count; i++) {
    kept[i] = flaw_copy(&r->kernels[i].last);
  }
  r->flags[spot] = flags;
  const int result = search_ask(r, r->flags, marked, e);
  *good = result == 0 && all_proved(r, marked);
  for (size_t i = 0; i < r->kernel_count; i++) {
    if (*good) {
      flaw_free(&kept[i]);
    } else {
      flaw_free(&r->kernels[i].last);
      r->kernels[i].last = kept[i];
    }
  }
  r->flags[spot] = *good ? flags : before;
  free(kept);
  return result < 0 ? -1 : 0;
}

static int try_barrier(repair *r, size_t i, bool *marked, error *e) {
  const repair_spot *s = &r->spots->items[i];
  bool good = false;
  if (!mark_users(r, s->function, marked)) {
    return 0;
  }
  if (s->statement != NULL && try_flags(r, i, 0, marked, &good, e) != 0) {
    return -1;
  }
  const bool both = s->wide && (r->flags[i] & FENCES) == FENCES;
  for (unsigned fence = FENCE_LOCAL; both && !good && fence <= FENCE_GLOBAL; fence++) {
    if (try_flags(r, i, FENCE_THERE | fence, marked, &good, e) != 0) {
      return -1;
    }
  }
  return 0;
}

int optimise(repair *r, error *e) {
  bool *marked = mem_calloc(r->kernel_count + 1, sizeof *marked);
  uint32_t deepest = 0;
  for (size_t i = 0; i < r->spots->count; i++) {
    deepest = r->spots->items[i].depth > deepest ? r->spots->items[i].depth : deepest;
  }
  int result = 0;
  for (uint32_t depth = deepest + 1; depth-- > 0;) {
    for (size_t i = 0; i < r->spots->count && result == 0 && !search_is_late(r); i++) {
      const repair_spot *s = &r->spots->items[i];
      if (s->kind == SPOT_BARRIER && s->depth == depth && r->flags[i] != 0 && !s->closed) {
        result = try_barrier(r, i, marked, e);
      }
    }
  }
  free(marked);
  return result;
}
