#include "runner/repair/turns.h"

#include <stdlib.h>

#include "base/memory.h"
#include "frontend/facts/turns.h"

static facts_launch launch_of(const observed_launch *l, facts_argument *arguments, size_t count) {
  facts_launch made = {.dimensions = l->dimensions, .arguments = arguments, .argument_count = count};
  for (int d = 0; d < 3; d++) {
    made.offset[d] = l->offset[d];
    made.global[d] = l->local[d] * l->groups[d];
    made.local[d] = l->local[d];
  }
  for (size_t i = 0; i < l->argument_count; i++) {
    const observed_argument *a = &l->arguments[i];
    if (a->kind == OBSERVED_INTEGER && a->parameter < count) {
      arguments[a->parameter] = (facts_argument){.known = true, .value = a->integer};
    }
  }
  return made;
}

/* A loop that makes no turn is not free: another launch may make some. */
static double executed_in(const tree_node *at, const tree_node *kernel, const facts_launch *l, double turns) {
  const double least = 0.1;
  double executed = 1;
  for (const tree_node *n = at->parent; n != NULL && n != kernel; n = n->parent) {
    if (tree_is_loop(n->kind)) {
      const int64_t own = turns_of_loop(n, kernel, l);
      executed *= own < 0 ? turns : own == 0 ? least : (double)own;
    }
  }
  return executed;
}

static double executed_at(const repair_spot *s, const asked_kernel *k, double turns) {
  const size_t parameters = s->function->child_count;
  facts_argument *arguments = mem_calloc(parameters + 1, sizeof *arguments);
  double sum = 0, made = 0;
  for (size_t i = 0; i < k->launch_count; i++) {
    const facts_launch l = launch_of(&k->launches[i], arguments, parameters);
    const tree_node *at = s->kind == SPOT_BARRIER || s->statement == NULL ? s->call : s->statement;
    sum += executed_in(at, s->function, &l, turns) * (double)k->launches[i].count;
    made += (double)k->launches[i].count;
  }
  free(arguments);
  return made > 0 ? sum / made : 0;
}

void repair_count_turns(spots *s, const asked_source *source, double turns) {
  for (size_t i = 0; source->observed && i < s->count; i++) {
    repair_spot *spot = &s->items[i];
    const tree_symbol *f = spot->function->symbol;
    const asked_kernel *k = f->kernel ? asked_kernel_find((asked_source *)source, f->name) : NULL;
    spot->executed = k == NULL || spot->depth == 0 ? 0 : executed_at(spot, k, turns);
  }
}
