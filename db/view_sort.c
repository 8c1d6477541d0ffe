/* Bringing a view into source order, references along. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

/* An element and where it was. */
typedef struct moved_function {
  model_function item;
  uint32_t old;
} moved_function;
typedef struct moved_site {
  model_site item;
  uint32_t old;
} moved_site;
typedef struct moved_kernel {
  view_kernel item;
  uint32_t old;
} moved_kernel;
typedef struct moved_mutant {
  db_mutant item;
  uint32_t old;
} moved_mutant;

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int first_difference(const int *differences, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (differences[i] != 0) {
      return differences[i];
    }
  }
  return 0;
}

static int compare_functions(const void *a, const void *b) {
  const model_function *x = &((const moved_function *)a)->item;
  const model_function *y = &((const moved_function *)b)->item;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->line, y->line), strcmp(x->name, y->name)};
  return first_difference(by, 3);
}

static int compare_sites(const void *a, const void *b) {
  const model_site *x = a;
  const model_site *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->offset, y->offset),
                    compare_numbers((uint32_t)x->kind, (uint32_t)y->kind)};
  return first_difference(by, 3);
}

static int compare_moved_sites(const void *a, const void *b) {
  return compare_sites(&((const moved_site *)a)->item, &((const moved_site *)b)->item);
}

static int compare_outcomes(const void *a, const void *b) {
  return compare_numbers(((const model_outcome *)a)->index, ((const model_outcome *)b)->index);
}

static int compare_lines(const void *a, const void *b) {
  const view_line *x = a;
  const view_line *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->line, y->line)};
  return first_difference(by, 2);
}

static int compare_indices(const void *a, const void *b) {
  return compare_numbers(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Kernels that one macro makes are at one place: they stay in the order in which they were found. */
static int compare_kernels(const void *a, const void *b) {
  const moved_kernel *x = a;
  const moved_kernel *y = b;
  const int by[] = {compare_numbers(x->item.function, y->item.function), compare_numbers(x->old, y->old)};
  return first_difference(by, 2);
}

static int compare_mutants(const void *a, const void *b) {
  const db_mutant *x = &((const moved_mutant *)a)->item;
  const db_mutant *y = &((const moved_mutant *)b)->item;
  const int by[] = {
      compare_numbers(x->file, y->file),
      compare_numbers(x->offset, y->offset),
      strcmp(x->operator_name, y->operator_name),
      strcmp(x->replacement, y->replacement),
      compare_numbers(x->id, y->id),
      compare_numbers(((const moved_mutant *)a)->old, ((const moved_mutant *)b)->old),
  };
  return first_difference(by, sizeof by / sizeof by[0]);
}

static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  if (count > 1) {
    qsort(items, count, size, compare);
  }
}

/* New places of the functions, by their old ones. */
static uint32_t *sort_functions(view *v) {
  moved_function *moved = mem_calloc(v->function_count, sizeof *moved);
  uint32_t *map = mem_calloc(v->function_count, sizeof *map);
  for (size_t i = 0; i < v->function_count; i++) {
    moved[i] = (moved_function){v->functions[i], (uint32_t)i};
  }
  sort(moved, v->function_count, sizeof *moved, compare_functions);
  for (size_t i = 0; i < v->function_count; i++) {
    v->functions[i] = moved[i].item;
    map[moved[i].old] = (uint32_t)i;
  }
  free(moved);
  return map;
}

/* New places of the sites, by their old ones. */
static uint32_t *sort_sites(view *v) {
  moved_site *moved = mem_calloc(v->site_count, sizeof *moved);
  uint32_t *map = mem_calloc(v->site_count, sizeof *map);
  for (size_t i = 0; i < v->site_count; i++) {
    moved[i] = (moved_site){v->sites[i], (uint32_t)i};
  }
  sort(moved, v->site_count, sizeof *moved, compare_moved_sites);
  for (size_t i = 0; i < v->site_count; i++) {
    v->sites[i] = moved[i].item;
    map[moved[i].old] = (uint32_t)i;
  }
  for (size_t i = 0; i < v->function_count; i++) {
    v->functions[i].site = v->functions[i].site == MODEL_NONE ? MODEL_NONE : map[v->functions[i].site];
  }
  free(moved);
  return map;
}

static void refer(uint32_t *reference, const uint32_t *map) {
  *reference = *reference == MODEL_NONE ? MODEL_NONE : map[*reference];
}

static void refer_all(model_site *sites, size_t site_count, view_line *lines, size_t line_count, const uint32_t *map) {
  for (size_t i = 0; i < site_count; i++) {
    refer(&sites[i].function, map);
    sort(sites[i].outcomes, sites[i].outcome_count, sizeof *sites[i].outcomes, compare_outcomes);
  }
  for (size_t i = 0; i < line_count; i++) {
    refer(&lines[i].function, map);
  }
  sort(lines, line_count, sizeof *lines, compare_lines);
}

/* New places of the kernels, by their old ones; what they hold is sorted, too. */
static uint32_t *sort_kernels(view *v, const uint32_t *functions) {
  moved_kernel *moved = mem_calloc(v->kernel_count, sizeof *moved);
  uint32_t *map = mem_calloc(v->kernel_count, sizeof *map);
  for (size_t i = 0; i < v->kernel_count; i++) {
    view_kernel *k = &v->kernels[i];
    refer(&k->function, functions);
    for (size_t f = 0; f < k->function_count; f++) {
      refer(&k->functions[f], functions);
    }
    sort(k->functions, k->function_count, sizeof *k->functions, compare_indices);
    sort(k->sites, k->site_count, sizeof *k->sites, compare_sites);
    refer_all(k->sites, k->site_count, k->lines, k->line_count, functions);
    moved[i] = (moved_kernel){*k, (uint32_t)i};
  }
  sort(moved, v->kernel_count, sizeof *moved, compare_kernels);
  for (size_t i = 0; i < v->kernel_count; i++) {
    v->kernels[i] = moved[i].item;
    map[moved[i].old] = (uint32_t)i;
  }
  free(moved);
  return map;
}

static void sort_mutants(view *v, const uint32_t *functions, const uint32_t *kernels) {
  moved_mutant *moved = mem_calloc(v->mutant_count, sizeof *moved);
  uint32_t *map = mem_calloc(v->mutant_count, sizeof *map);
  for (size_t i = 0; i < v->mutant_count; i++) {
    moved[i] = (moved_mutant){v->mutants[i], (uint32_t)i};
  }
  sort(moved, v->mutant_count, sizeof *moved, compare_mutants);
  for (size_t i = 0; i < v->mutant_count; i++) {
    map[moved[i].old] = (uint32_t)i;
  }
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    *m = moved[i].item;
    refer(&m->function, functions);
    refer(&m->duplicate_of, map);
    for (size_t k = 0; k < m->kernel_count; k++) {
      refer(&m->kernels[k], kernels);
    }
    sort(m->kernels, m->kernel_count, sizeof *m->kernels, compare_indices);
  }
  free(moved);
  free(map);
}

void view_sort(view *v) {
  uint32_t *functions = sort_functions(v);
  uint32_t *sites = sort_sites(v);
  refer_all(v->sites, v->site_count, v->lines, v->line_count, functions);
  uint32_t *kernels = sort_kernels(v, functions);
  sort_mutants(v, functions, kernels);
  for (size_t i = 0; i < v->proof_count; i++) {
    refer(&v->proofs[i].kernel, kernels);
  }
  view_sort_launches(v, sites, kernels);
  free(functions);
  free(sites);
  free(kernels);
}
