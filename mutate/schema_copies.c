/* Which copies of functions the clones need: for each number its kernels, and on the way to the mutant copies of their
 * own; functions that have nothing to do with the mutant are shared with number 0. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/schema.h"

/* MUTATE_ORIGINAL_OF: number 0, but of some kernels only. */
static bool is_original(uint32_t clone) { return (clone & MUTATE_ORIGINAL_OF(0)) != 0; }

static int compare_numbers(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a;
  uint32_t right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

static void list_numbers(copies *c, const uint32_t *clones, size_t clone_count) {
  c->numbers = mem_calloc(clone_count + 1, sizeof *c->numbers);
  for (size_t i = 0; i < clone_count; i++) {
    c->numbers[i + 1] = is_original(clones[i]) ? 0 : clones[i];
  }
  qsort(c->numbers, clone_count + 1, sizeof *c->numbers, compare_numbers);
  for (size_t i = 0; i < clone_count + 1; i++) {
    if (i == 0 || c->numbers[i] != c->numbers[c->count - 1]) {
      c->numbers[c->count++] = c->numbers[i];
    }
  }
}

static size_t index_of(const copies *c, uint32_t number) {
  const uint32_t *found = bsearch(&number, c->numbers, c->count, sizeof number, compare_numbers);
  return found == NULL ? 0 : (size_t)(found - c->numbers);
}

/* Marks the functions with the mutant, and then those that call them. */
static void touch(const copies *c, const places *p, size_t index) {
  bool *touched = c->touched + index * c->function_count;
  uint32_t number = c->numbers[index];
  for (size_t i = 0; i < p->count && number > 0; i++) {
    const place *pl = &p->items[i];
    if (number > pl->first && number <= pl->first + pl->count) {
      touched[pl->function] = true;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 0; f < c->function_count; f++) {
      const function *from = &p->program->functions[f];
      for (size_t k = 0; k < from->call_count && !touched[f]; k++) {
        touched[f] = touched[from->calls[k].callee];
        changed = changed || touched[f];
      }
    }
  }
}

/* Overloads have one name, and so one number. */
uint32_t number_of_callee(const copies *c, const program *p, uint32_t number, uint32_t callee) {
  const bool *touched = c->touched + index_of(c, number) * c->function_count;
  for (size_t f = 0; f < c->function_count; f++) {
    if (touched[f] && strcmp(p->functions[f].node->symbol->name, p->functions[callee].node->symbol->name) == 0) {
      return number;
    }
  }
  return 0;
}

static void need(copies *c, const program *p, size_t index, uint32_t f, unsigned char how) {
  unsigned char *needs = &c->needs[index * c->function_count + f];
  bool known = *needs != 0;
  *needs |= how;
  for (size_t k = 0; k < p->functions[f].call_count && !known; k++) {
    uint32_t callee = p->functions[f].calls[k].callee;
    uint32_t number = number_of_callee(c, p, c->numbers[index], callee);
    need(c, p, index_of(c, number), callee, COPY_CALLED);
  }
}

static void need_kernels(copies *c, const program *p, const mutate_result *r, uint32_t clone) {
  uint32_t number = clone & ~MUTATE_ORIGINAL_OF(0);
  if (number > r->mutant_count) {
    return;
  }
  size_t count = number == 0 ? p->kernel_count : r->mutants[number - 1].kernel_count;
  for (size_t k = 0; k < count; k++) {
    uint32_t kernel = number == 0 ? (uint32_t)k : r->mutants[number - 1].kernels[k];
    need(c, p, index_of(c, is_original(clone) ? 0 : clone), p->kernel_functions[kernel], COPY_ENTRY);
  }
}

copies plan_copies(const places *p, const mutate_result *r, const uint32_t *clones, size_t clone_count) {
  copies c = {.function_count = p->program->function_count};
  list_numbers(&c, clones, clone_count);
  c.needs = mem_calloc(c.count * c.function_count + 1, 1);
  c.touched = mem_calloc(c.count * c.function_count + 1, sizeof *c.touched);
  for (size_t i = 0; i < c.count; i++) {
    touch(&c, p, i);
  }
  for (size_t i = 0; i < clone_count; i++) {
    need_kernels(&c, p->program, r, clones[i]);
  }
  return c;
}

void copies_free(copies *c) {
  free(c->numbers);
  free(c->needs);
  free(c->touched);
  *c = (copies){0};
}
