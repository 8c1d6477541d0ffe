/* The order in which mutants are run: those whose verdicts tell most come first, so that a campaign that is cut off has
 * seen a bit of everything. First one mutant of each line, one function after another in turn, then a second one of
 * each line, and so on; within a line by operator. It depends on the mutants alone. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/campaign/internal.h"

/* By what a survivor says: decisions and loops first, as their outcomes are what tests miss; then what is hard to see
 * in other ways; arithmetic, of which there is most, behind. */
static const unsigned char telling[MUTATE_OPERATORS] = {
    [MUTATE_REL] = 0,    [MUTATE_LOGIC] = 1,  [MUTATE_LOOP] = 2,   [MUTATE_BARRIER] = 3, [MUTATE_ATOMIC] = 4,
    [MUTATE_INDEX] = 5,  [MUTATE_ASSIGN] = 6, [MUTATE_IMAGE] = 7,  [MUTATE_BIT] = 8,     [MUTATE_ARITH] = 9,
    [MUTATE_LOCAL] = 10, [MUTATE_FENCE] = 11, [MUTATE_CONST] = 12,
};

typedef struct entry {
  mutant_place place;
  const mutant *is;
  uint32_t of_line, of_function; /* how many come before it in its line; among those with the same in its function */
} entry;

static int compare(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

/* The first difference of some pairs of numbers. */
static int compare_all(const uint32_t pairs[][2], size_t count) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) {
    result = compare(pairs[i][0], pairs[i][1]);
  }
  return result;
}

static int by_line(const void *a, const void *b) {
  const entry *x = a, *y = b;
  const uint32_t pairs[][2] = {{x->place.program, y->place.program},
                               {x->is->file, y->is->file},
                               {x->is->line, y->is->line},
                               {telling[x->is->op], telling[y->is->op]},
                               {x->place.index, y->place.index}};
  return compare_all(pairs, sizeof pairs / sizeof pairs[0]);
}

static int by_function(const void *a, const void *b) {
  const entry *x = a, *y = b;
  const uint32_t pairs[][2] = {{x->place.program, y->place.program},
                               {x->is->function, y->is->function},
                               {x->of_line, y->of_line},
                               {telling[x->is->op], telling[y->is->op]},
                               {x->place.index, y->place.index}};
  return compare_all(pairs, sizeof pairs / sizeof pairs[0]);
}

static int by_worth(const void *a, const void *b) {
  const entry *x = a, *y = b;
  const uint32_t pairs[][2] = {{x->of_line, y->of_line},
                               {x->of_function, y->of_function},
                               {telling[x->is->op], telling[y->is->op]},
                               {x->place.program, y->place.program},
                               {x->place.index, y->place.index}};
  return compare_all(pairs, sizeof pairs / sizeof pairs[0]);
}

static bool same_line(const entry *x, const entry *y) {
  return x->place.program == y->place.program && x->is->file == y->is->file && x->is->line == y->is->line;
}

static bool same_level(const entry *x, const entry *y) {
  return x->place.program == y->place.program && x->is->function == y->is->function && x->of_line == y->of_line;
}

static void rank(entry *all, size_t count) {
  qsort(all, count, sizeof *all, by_line);
  for (size_t i = 1; i < count; i++) {
    all[i].of_line = same_line(&all[i - 1], &all[i]) ? all[i - 1].of_line + 1 : 0;
  }
  qsort(all, count, sizeof *all, by_function);
  for (size_t i = 1; i < count; i++) {
    all[i].of_function = same_level(&all[i - 1], &all[i]) ? all[i - 1].of_function + 1 : 0;
  }
  qsort(all, count, sizeof *all, by_worth);
}

void campaign_order(campaign *c) {
  entry *all = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (uint32_t p = 0; p < c->program_count; p++) {
    const campaign_program *program = c->programs[p];
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      if (program->mutants[m].chosen && !program->mutants[m].decided) {
        *ARRAY_ADD(all, count, capacity) = (entry){.place = {p, m}, .is = program->mutants[m].is};
      }
    }
  }
  if (count > 0) {
    rank(all, count);
  }
  free(c->order);
  c->order = mem_calloc(count + 1, sizeof *c->order);
  c->order_count = count;
  for (size_t i = 0; i < count; i++) {
    c->order[i] = all[i].place;
  }
  free(all);
}
