/* Proofs with fewer and fewer of the facts that launches have in common. */
#include "verify/weaken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/common_facts.h"
#include "verify/premise.h"

/* --- a proof with some of them ------------------------------------------------------------------------------------ */

static void apply_fact(const fact *x, const launch *first, launch *l) {
  switch (x->kind) {
    case FACT_LOCAL:
      l->local[x->dimension] = first->local[x->dimension];
      return;
    case FACT_GROUPS:
      l->groups[x->dimension] = first->groups[x->dimension];
      return;
    case FACT_OFFSET:
      l->offset[x->dimension] = first->offset[x->dimension];
      l->any_offset[x->dimension] = false;
      return;
    case FACT_EVEN:
      l->uneven = false;
      return;
    case FACT_ARGUMENT:
      l->arguments[l->argument_count++] = *x->argument;
      return;
    case FACT_EXPRESSION:
      l->assume[l->assume_count++] = x->text;
      return;
    case FACT_CONTENTS:
      for (size_t i = 0; i < l->buffer_count; i++) {
        contents_known *c = &l->buffers[i].contents;
        if (strcmp(l->buffers[i].name, x->buffer) == 0) {
          c->distinct = c->distinct || x->contents.distinct;
          c->ascending = c->ascending || x->contents.ascending;
          c->identity = c->identity || x->contents.identity;
          if (x->contents.within) {
            c->within = true;
            c->low = x->contents.low;
            c->high = x->contents.high;
          }
        }
      }
      return;
    default:
      return;
  }
}

/* A launch of which only these facts are known. */
static void make_launch(const facts *f, launch *l) {
  const launch *first = &f->launches[0];
  unsigned flat = DIMENSIONS;
  *l = (launch){.count = 1};
  l->assume = mem_calloc(f->count + 1, sizeof *l->assume);
  l->arguments = mem_calloc(f->count + 1, sizeof *l->arguments);
  l->buffers = mem_calloc(first->buffer_count + 1, sizeof *l->buffers);
  for (size_t i = 0; i < first->buffer_count; i++) { /* what is one memory stays so */
    l->buffers[i] = first->buffers[i];
    l->buffers[i].bytes = 0;
    l->buffers[i].contents = (contents_known){.is_unsigned = first->buffers[i].contents.is_unsigned};
    l->buffers[i].held = NULL;
  }
  l->buffer_count = first->buffer_count;
  for (size_t i = 0; i < f->count; i++) {
    flat = f->items[i].on && f->items[i].kind == FACT_DIMENSIONS ? f->items[i].dimension : flat;
  }
  l->dimensions = flat < DIMENSIONS ? flat : 0;
  const unsigned free_dimensions = flat < DIMENSIONS ? flat : first->dimensions == 0 ? 1 : DIMENSIONS;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    l->local[d] = l->groups[d] = d < free_dimensions ? SIZE_FREE : 1;
    l->any_offset[d] = d < free_dimensions;
  }
  l->uneven = facts_uneven(f->trial);
  for (size_t i = 0; i < f->count; i++) {
    if (f->items[i].on) {
      apply_fact(&f->items[i], first, l);
    }
  }
}

static bool is_proved(facts *f, double deadline) {
  launch l;
  make_launch(f, &l);
  trial t = *f->trial;
  const double soon = effort_now() + f->patience;
  deadline = f->patience > 0 && soon < deadline ? soon : deadline;
  const double left = deadline - effort_now();
  t.launch = &l;
  t.finding = NULL;
  t.invariants = NULL;
  t.no_overflow = false;
  t.overflows.count = 0;
  t.easy_products = f->easy;
  t.exact_products = false;
  t.effort.deadline = deadline;
  t.effort.query_seconds = left / 2 < t.effort.query_seconds ? left / 2 : t.effort.query_seconds;
  if (left > 0) {
    trial_prove(&t);
  }
  json_decref(t.finding);
  free((void *)l.assume);
  free(l.arguments);
  free(l.buffers);
  if (left > 0 && t.verdict == VERIFIED && f->proved != NULL) {
    f->proved->no_overflow = t.no_overflow;
    f->proved->overflows = t.overflows;
  }
  f->exact = f->exact || t.exact_products;
  return left > 0 && t.verdict == VERIFIED;
}

/* Some are left out together where the proof holds without them; else each half of them is tried. */
static void drop_some(facts *f, size_t *which, size_t count, double deadline) {
  if (count == 0 || effort_now() > deadline) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    f->items[which[i]].on = false;
  }
  if (is_proved(f, deadline)) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    f->items[which[i]].on = true;
  }
  if (count > 1) {
    drop_some(f, which, count / 2, deadline);
    drop_some(f, which + count / 2, count - count / 2, deadline);
  }
}

/* What the proof does not need is left out, what says most first. */
static void drop(facts *f, double deadline) {
  size_t *which = mem_calloc(f->count + 1, sizeof *which);
  for (unsigned r = RANKS; r-- > 0;) {
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
      if (f->items[i].on && f->items[i].rank == (rank)r) {
        which[count++] = i;
      }
    }
    drop_some(f, which, count, deadline);
  }
  free(which);
}

static void add_premise(const fact *x, json_t *to) {
  switch (x->kind) {
    case FACT_CONTENTS:
      premise_add_contents(to, x->buffer, &x->contents, x->text);
      return;
    case FACT_EVEN:
      premise_add(to, "even", x->text);
      return;
    default:
      break;
  }
  if (x->kind == FACT_ARGUMENT && !x->argument->integer) {
    premise_add(to, "as-seen", x->text);
  } else {
    json_array_append_new(to, json_string(x->text));
  }
}

static json_t *premises_of(const facts *f) {
  json_t *premises = json_array();
  for (size_t i = 0; i < f->count; i++) {
    if (f->items[i].on) {
      add_premise(&f->items[i], premises);
    }
  }
  return premises;
}

/* What is tried, from what says least: nothing but the dimensions, relations, sizes of groups, too, and last the launch as it
 * was, to which relations add nothing but of arguments that differ. */
enum { LEVELS = 4 };

static bool is_on(const fact *x, unsigned level) {
  const bool relation = x->kind == FACT_EXPRESSION;
  switch (level) {
    case 0:
      return x->kind == FACT_DIMENSIONS;
    case 1:
      return x->rank == RANK_RELATION;
    case 2:
      return x->rank <= RANK_LOCAL;
    default:
      return !relation || x->given || x->varies;
  }
}

/* Whether that says anything else than before. */
static bool take_level(facts *f, unsigned level) {
  bool changed = false;
  for (size_t i = 0; i < f->count; i++) {
    const bool on = is_on(&f->items[i], level);
    changed = changed || on != f->items[i].on;
    f->items[i].on = on;
  }
  return changed;
}

#define LEAST_SECONDS 0.2

/* What says most first: where that is no proof there is none, and what it takes is the measure for others. Of these the first that
 * succeeds is the measure for those with a fact less. */
json_t *weaken(trial *t, const launch *launches, size_t count, double deadline) {
  const trial asked = *t;
  const double began = effort_now();
  facts f = {.trial = &asked, .proved = t, .launches = launches, .launch_count = count};
  json_t *found = NULL;
  facts_collect(&f);
  (void)take_level(&f, LEVELS - 1);
  if (is_proved(&f, began + (deadline - began) * 0.5)) {
    bool weaker = false;
    f.easy = !f.exact;
    f.patience = 2 * (effort_now() - began) + 1;
    for (unsigned level = 0; level + 1 < LEVELS && !weaker; level++) {
      const double before = effort_now();
      weaker = take_level(&f, level) && is_proved(&f, deadline);
      f.patience = weaker ? 4 * (effort_now() - before) + LEAST_SECONDS : f.patience;
    }
    if (!weaker) {
      (void)take_level(&f, LEVELS - 1);
    }
    drop(&f, deadline);
    found = premises_of(&f);
  }
  free(f.items);
  return found;
}

/* Each buffer as small as in any of the launches. */
static uint64_t least_bytes(const facts *f, const char *name) {
  uint64_t least = UINT64_MAX;
  for (size_t n = 0; n < f->launch_count; n++) {
    const launch *l = &f->launches[n];
    for (size_t i = 0; i < l->buffer_count; i++) {
      const bool less = strcmp(l->buffers[i].name, name) == 0 && l->buffers[i].bytes < least;
      least = less ? l->buffers[i].bytes : least;
    }
  }
  return least;
}

static void give_least(const facts *f, launch *l) {
  for (size_t i = 0; i < l->buffer_count; i++) {
    l->buffers[i].bytes = least_bytes(f, l->buffers[i].name);
  }
}

bool weaken_ends(const trial *t, const launch *launches, size_t count, double deadline) {
  facts f = {.trial = t, .launches = launches, .launch_count = count};
  launch l;
  trial all = *t;
  facts_collect(&f);
  (void)take_level(&f, LEVELS - 1);
  make_launch(&f, &l);
  give_least(&f, &l);
  all.launch = &l;
  all.finding = NULL;
  all.effort.deadline = deadline;
  trial_ends(&all);
  json_decref(all.finding);
  free((void *)l.assume);
  free(l.arguments);
  free(l.buffers);
  free(f.items);
  return all.verdict == VERIFIED && all.inside == INSIDE_SHOWN;
}

json_t *weaken_nothing(const trial *t, const launch *l) {
  facts f = {.trial = t, .launches = l, .launch_count = 1};
  facts_collect(&f);
  for (size_t i = 0; i < f.count; i++) {
    const bool usual = f.items[i].kind == FACT_DIMENSIONS || f.items[i].kind == FACT_EVEN ||
                       (f.items[i].kind == FACT_OFFSET && l->offset[f.items[i].dimension] == 0);
    f.items[i].on = is_on(&f.items[i], LEVELS - 1) && (!usual || t->verdict == VERIFIED);
  }
  json_t *premises = premises_of(&f);
  free(f.items);
  return premises;
}
