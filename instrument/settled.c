/* Kernels whose work-items can be compared by the bits that they leave anyway, with neither hashes nor counts.
 *
 * A decision outside of loops is taken at most once: its two bits say which way. Where work-items go apart at such
 * decisions alone, all that come to another decision or a barrier of the kernel may be known to have taken them the
 * same way, as after `if (i >= n) return;` or within `if (i < n) { … }`. If it would be uniform but for them, all of
 * these work-items execute it alike, and the others not at all: that it has a bit says all that a hash or a count
 * would. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/program_internal.h"

static bool splits(const instance *i) {
  return i->plane != NONE && i->kind == SITE_IF && tree_loop_depth(i->node) == 0;
}

/* The decisions at which work-items go apart; free() the items. */
static tree_node_list list_splits(const function *f) {
  tree_node_list list = {0};
  for (size_t i = 0; i < f->instance_count; i++) {
    if (splits(&f->instances[i])) {
      *ARRAY_ADD(list.items, list.count, list.capacity) = (tree_node *)f->instances[i].node;
    }
  }
  return list;
}

static bool follows_from(const uniform_scope *scope, const tree_node *wanted, const tree_node_list *splitting) {
  bool *used = mem_calloc(splitting->count + 1, sizeof *used);
  bool follows = uniform_under(scope, wanted, splitting, used);
  for (size_t i = 0; i < splitting->count && follows; i++) {
    follows = !used[i] || took_alike(splitting->items[i], wanted);
  }
  free(used);
  return follows;
}

static bool is_barrier(const instance *i) { return is_meeting(i->kind); }

/* Bits of one word; a barrier gets one that says that it was executed, a decision that has none gets two. */
static bool has_bits(const instance *i) { return is_barrier(i) || i->outcomes == 0 || i->bit % 32 + i->outcomes <= 32; }

static bool all_in_bits(const program *p, const function *f) {
  const uniform_scope scope = scope_of(p, f);
  const tree_node_list splitting = list_splits(f);
  bool all = true;
  for (uint32_t i = 0; i < f->instance_count && all; i++) {
    const instance *in = &f->instances[i];
    all = in->arguments == NONE &&
          (in->plane == NONE || (has_bits(in) && (splits(in) || (guards_are_all(&scope, in->node) &&
                                                                 follows_from(&scope, in->node, &splitting)))));
  }
  free(splitting.items);
  return all;
}

static void give_bits(function *f) {
  f->in_slots = true;
  for (size_t i = 0; i < f->instance_count; i++) {
    instance *in = &f->instances[i];
    if (in->plane == NONE) {
      continue;
    }
    in->in_slots = true;
    in->splits = splits(in);
    if (in->outcomes == 0) {
      in->outcomes = is_barrier(in) ? 1 : 2;
      in->bit = take_bits(f, in->outcomes);
    }
  }
}

/* Whether there are planes, and all that a kernel can reach are its own. */
static bool owns_planes(const program *p, uint32_t kernel) {
  bool any = false;
  bool own = true;
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, kernel, &count);
  for (size_t i = 0; i < p->plane_count; i++) {
    any = any || p->planes[i].function == kernel;
    for (size_t k = 1; k < count; k++) {
      own = own && p->planes[i].function != reach[k];
    }
  }
  free(reach);
  return any && own;
}

void find_settled(program *p) {
  for (uint32_t n = 0; n < p->kernel_count; n++) {
    function *f = &p->functions[p->kernel_functions[n]];
    if (f->called || !owns_planes(p, p->kernel_functions[n])) {
      continue;
    }
    if (all_in_bits(p, f)) {
      give_bits(f);
    }
  }
}
