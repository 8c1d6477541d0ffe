/* Kernels whose work-items can be compared by the bits that they leave anyway, with neither hashes nor counts.
 *
 * A decision outside of loops is taken at most once: its two bits say which way. Where work-items go apart at such
 * decisions alone, all that come to another decision or a barrier of the kernel may be known to have taken them the
 * same way, as behind `if (i >= n) return;` or within `if (i < n) { … }`. If it would be uniform but for them, all of
 * these work-items execute it alike, and the others not at all: that it has a bit says all that a hash or a count
 * would. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/program_internal.h"

static bool in_loop(const function *f, uint32_t token) {
  for (size_t i = 0; i < f->statements.count; i++) {
    const tree_node *n = f->statements.items[i];
    if (tree_is_loop(n->kind) && span_has(statement_tokens(n), token)) {
      return true;
    }
  }
  return false;
}

/* Whether a statement is a `return` or a block that ends with one. */
static bool returns(const tree_node *n) {
  if (n == NULL || n->kind != TREE_COMPOUND) {
    return n != NULL && n->kind == TREE_RETURN;
  }
  const tree_node *last = n->child_count == 0 ? NULL : n->children[n->child_count - 1];
  return last != NULL && last->kind == TREE_RETURN;
}

/* Whether all work-items that come to a token have taken the `if` the same way. */
static bool is_settled(const instance *decision, uint32_t token) {
  const tree_node *s = decision->node;
  const tree_node *yes = statement_body(s);
  const tree_node *no = statement_otherwise(s);
  if (span_has(statement_tokens(yes), token) || (no != NULL && span_has(statement_tokens(no), token))) {
    return true;
  }
  const tree_node *around = s->parent;
  const bool block = around->kind == TREE_COMPOUND && around->parent->kind != TREE_SWITCH;
  return block && token > s->tokens.last && span_has(around->tokens, token) && (returns(yes) || returns(no));
}

static bool splits(const function *f, const instance *i) {
  return i->plane != NONE && i->kind == SITE_IF && !in_loop(f, i->token);
}

static bool follows_from_splits(const program *p, const function *f, uint32_t wanted, const bool *splitting) {
  bool *used = mem_calloc(f->instance_count, sizeof *used);
  bool follows = uniform_under(p, f, wanted, splitting, used);
  for (size_t i = 0; i < f->instance_count && follows; i++) {
    follows = !used[i] || is_settled(&f->instances[i], f->instances[wanted].token);
  }
  free(used);
  return follows;
}

static bool is_barrier(const instance *i) { return is_meeting(i->kind); }

/* Bits of one word; a barrier gets one that says that it was executed, a decision that has none gets two. */
static bool has_bits(const instance *i) { return is_barrier(i) || i->outcomes == 0 || i->bit % 32 + i->outcomes <= 32; }

static bool all_in_bits(const program *p, const function *f, const bool *splitting) {
  bool all = true;
  for (uint32_t i = 0; i < f->instance_count && all; i++) {
    const instance *in = &f->instances[i];
    all = in->arguments == NONE &&
          (in->plane == NONE || (has_bits(in) && (splitting[i] || (guards_are_all(p, f, in->token) &&
                                                                   follows_from_splits(p, f, i, splitting)))));
  }
  return all;
}

static void give_bits(function *f, const bool *splitting) {
  f->in_slots = true;
  for (size_t i = 0; i < f->instance_count; i++) {
    instance *in = &f->instances[i];
    if (in->plane == NONE) {
      continue;
    }
    in->in_slots = true;
    in->splits = splitting[i];
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
    bool *splitting = mem_calloc(f->instance_count + 1, sizeof *splitting);
    for (size_t i = 0; i < f->instance_count; i++) {
      splitting[i] = splits(f, &f->instances[i]);
    }
    if (all_in_bits(p, f, splitting)) {
      give_bits(f, splitting);
    }
    free(splitting);
  }
}
