/* What each kernel reports: the bits of all functions that it reaches, one bit a barrier (covered) and one a plane
 * (diverged), and the records of divergence. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/program_internal.h"

uint32_t *reachable_functions(const program *p, uint32_t from, size_t *count) {
  uint32_t *list = mem_calloc(p->function_count, sizeof *list);
  bool *seen = mem_calloc(p->function_count, sizeof *seen);
  list[0] = from;
  seen[from] = true;
  *count = 1;
  for (size_t i = 0; i < *count; i++) {
    const function *f = &p->functions[list[i]];
    for (size_t k = 0; k < f->call_count; k++) {
      if (!seen[f->calls[k].callee]) {
        seen[f->calls[k].callee] = true;
        list[(*count)++] = f->calls[k].callee;
      }
    }
  }
  free(seen);
  return list;
}

/* The outcome that bit `offset` of an instance stands for. */
static uint32_t outcome_of(const instance *i, uint32_t offset) {
  if (i->kind == SITE_DECISION) {
    return i->paths[offset];
  }
  return i->kind == SITE_FUNCTION || i->kind == SITE_REGION ? 0 : offset;
}

static void add_function_bits(const program *p, uint32_t function_index, instrument_kernel *k) {
  const function *f = &p->functions[function_index];
  size_t base = k->bit_count;
  k->bits = mem_realloc(k->bits, (base + f->bits) * sizeof *k->bits);
  k->bit_count += f->bits;
  for (size_t b = base; b < k->bit_count; b++) {
    k->bits[b] = (model_term){MODEL_NONE, 0};
  }
  for (size_t i = 0; i < f->instance_count; i++) {
    const instance *in = &f->instances[i];
    const bool silent = in->in_slots && is_meeting(in->kind); /* executed by one is not covered */
    for (uint32_t b = 0; b < in->outcomes && !silent; b++) {
      k->bits[base + in->bit + b] = (model_term){in->site, outcome_of(in, b)};
    }
  }
  k->implied = mem_realloc(k->implied, (k->implied_count + f->implied_count) * sizeof *k->implied);
  for (size_t i = 0; i < f->implied_count; i++) {
    k->implied[k->implied_count++] = (instrument_implication){(uint32_t)base + f->implied[i].bit, f->implied[i].term};
  }
}

static int compare_implications(const void *a, const void *b) {
  const uint32_t left = ((const instrument_implication *)a)->bit;
  const uint32_t right = ((const instrument_implication *)b)->bit;
  return (left > right) - (left < right);
}

/* Adds the guards of every call of `callee` within the kernel's functions, and of calls of its callers in turn. */
static void add_call_guards(const program *p, const uint32_t *reach, size_t reach_count, uint32_t callee, bool *planes,
                            bool *visited) {
  if (visited[callee]) {
    return;
  }
  visited[callee] = true;
  for (size_t i = 0; i < reach_count; i++) {
    const function *f = &p->functions[reach[i]];
    for (size_t k = 0; k < f->point_count; k++) {
      if (f->points[k].callee == callee) {
        for (size_t g = 0; g < f->points[k].guard_count; g++) {
          planes[f->points[k].guards[g]] = true;
        }
        add_call_guards(p, reach, reach_count, reach[i], planes, visited);
      }
    }
  }
}

static void set_guards(const program *p, const uint32_t *reach, size_t reach_count, uint32_t function_index,
                       uint32_t instance_index, instrument_plane *barrier) {
  bool *planes = mem_calloc(p->plane_count, sizeof *planes);
  bool *visited = mem_calloc(p->function_count, sizeof *visited);
  const function *f = &p->functions[function_index];
  for (size_t i = 0; i < f->point_count; i++) {
    for (size_t g = 0; f->points[i].instance == instance_index && g < f->points[i].guard_count; g++) {
      planes[f->points[i].guards[g]] = true;
    }
  }
  add_call_guards(p, reach, reach_count, function_index, planes, visited);
  size_t capacity = 0;
  uint32_t record = 0;
  for (size_t i = 0; i < p->plane_count; i++) {
    bool reached = false;
    for (size_t r = 0; r < reach_count; r++) {
      reached = reached || reach[r] == p->planes[i].function;
    }
    if (reached && planes[i]) {
      *ARRAY_ADD(barrier->guards, barrier->guard_count, capacity) = record;
    }
    record += reached ? 1 : 0;
  }
  free(planes);
  free(visited);
}

static void add_planes(const program *p, const uint32_t *reach, size_t reach_count, instrument_kernel *k) {
  size_t capacity = 0;
  for (size_t i = 0; i < p->plane_count; i++) {
    bool reached = false;
    for (size_t r = 0; r < reach_count; r++) {
      reached = reached || reach[r] == p->planes[i].function;
    }
    if (!reached) {
      continue;
    }
    const instance *in = &p->functions[p->planes[i].function].instances[p->planes[i].instance];
    instrument_plane *added = ARRAY_ADD(k->planes, k->plane_count, capacity);
    added->site = in->site;
    added->record = (uint32_t)(k->plane_count - 1);
    added->barrier = in->kind == SITE_BARRIER;
    added->async = in->kind == SITE_ASYNC;
    added->arguments = p->planes[i].arguments;
    if (is_meeting(in->kind)) {
      set_guards(p, reach, reach_count, p->planes[i].function, p->planes[i].instance, added);
    }
  }
}

/* After the functions' bits: per plane one bit (diverged), then per barrier one (covered). */
static void add_plane_bits(instrument_kernel *k) {
  k->bits = mem_realloc(k->bits, (k->bit_count + 2 * k->plane_count + 1) * sizeof *k->bits);
  for (size_t i = 0; i < k->plane_count; i++) {
    k->bits[k->bit_count++] = (model_term){k->planes[i].site, OUTCOME_DIVERGED};
  }
  for (size_t i = 0; i < k->plane_count; i++) {
    if (k->planes[i].barrier) {
      k->bits[k->bit_count++] = (model_term){k->planes[i].site, OUTCOME_COVERED};
    }
  }
}

void lay_out_kernels(program *p) {
  for (size_t n = 0; n < p->kernel_count; n++) {
    instrument_kernel *k = &p->out->kernels[n];
    size_t count = 0;
    uint32_t *reach = reachable_functions(p, p->kernel_functions[n], &count);
    for (size_t i = 0; i < count; i++) {
      add_function_bits(p, reach[i], k);
    }
    if (k->implied_count > 1) {
      qsort(k->implied, k->implied_count, sizeof *k->implied, compare_implications);
    }
    add_planes(p, reach, count, k);
    k->planes_in_slots = p->functions[reach[0]].in_slots;
    k->plane_bit = (uint32_t)k->bit_count;
    add_plane_bits(k);
    free(reach);
    k->flag_words = (uint32_t)((k->bit_count + 31) / 32);
    k->item_bytes = k->plane_bit <= 8 ? 1 : k->plane_bit <= 16 ? 2 : 4 * ((k->plane_bit + 31) / 32);
    k->total_words = k->flag_words + 5 * (uint32_t)k->plane_count;
  }
}
