/* Which spots can order two accesses. */
#include <stdlib.h>

#include "base/memory.h"
#include "repair/spots.h"

typedef struct marking {
  const spots *spots;
  bool *marked;
  bool *entered; /* functions that are marked */
} marking;

static void mark_function(marking *m, const tree_graph_function *f);

/* The spots of a span of a function, and those of functions that are called there. */
static void mark_span(marking *m, const tree_graph_function *f, uint32_t above, uint32_t last) {
  for (size_t i = 0; i < m->spots->count; i++) {
    const repair_spot *s = &m->spots->items[i];
    m->marked[i] = m->marked[i] || (s->function == f->function && s->token > above && s->token <= last);
  }
  for (size_t i = 0; i < f->calls.count; i++) {
    const tree_node *call = f->calls.items[i];
    if (call->token > above && call->token <= last) {
      mark_function(m, tree_graph_find(&m->spots->graph, call->symbol));
    }
  }
}

static void mark_function(marking *m, const tree_graph_function *f) {
  if (f != NULL && !m->entered[f - m->spots->graph.functions]) {
    m->entered[f - m->spots->graph.functions] = true;
    mark_span(m, f, f->function->tokens.first, f->function->tokens.last);
  }
}

static const tree_graph_function *function_at(const spots *s, uint32_t token) {
  for (size_t i = 0; i < s->graph.count; i++) {
    if (span_has(s->graph.functions[i].function->tokens, token)) {
      return &s->graph.functions[i];
    }
  }
  return NULL;
}

/* Whether code at a token runs once a turn; the first part of a `for` does not. */
static bool turns(const tree_node *loop, uint32_t token) {
  const tree_node *first = loop->kind == TREE_FOR ? loop->children[0] : NULL;
  return span_has(loop->tokens, token) && (first == NULL || !span_has(first->tokens, token));
}

static void mark_loops(marking *m, const tree_graph_function *f, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < f->loops.count; i++) {
    const tree_node *loop = f->loops.items[i];
    if (turns(loop, a) && turns(loop, b)) {
      mark_span(m, f, loop->tokens.first, loop->tokens.last);
    }
  }
}

/* The accesses of an assignment have tokens in another order than they are executed. */
static void mark_splits(marking *m, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < m->spots->count; i++) {
    const repair_spot *s = &m->spots->items[i];
    m->marked[i] = m->marked[i] ||
                   (s->kind == SPOT_SPLIT && (span_has(s->statement->tokens, a) || span_has(s->statement->tokens, b)));
  }
}

static void mark_callees(marking *m, const spot_path *w, size_t from) {
  for (size_t i = from; i < w->count; i++) {
    mark_function(m, w->tokens[i] == NO_TOKEN ? NULL : function_at(m->spots, w->tokens[i]));
  }
}

void spots_between(const spots *s, const spot_path *a, const spot_path *b, bool *marked) {
  marking m = {s, marked, mem_calloc(s->graph.count + 1, sizeof *m.entered)};
  size_t level = 0;
  for (bool together = true; together && level < a->count && level < b->count; level++) {
    const uint32_t x = a->tokens[level], y = b->tokens[level];
    const tree_graph_function *f = x == NO_TOKEN ? NULL : function_at(s, x);
    if (f == NULL || y == NO_TOKEN || function_at(s, y) != f) {
      break;
    }
    mark_loops(&m, f, x, y);
    together = x == y;
    if (!together) {
      mark_splits(&m, x, y);
      mark_span(&m, f, x < y ? x : y, x < y ? y : x);
    }
  }
  mark_callees(&m, a, level);
  mark_callees(&m, b, level);
  free(m.entered);
}
