/* One thing at a time: fewer groups, smaller groups, smaller numbers, contents that are zero, a ramp, or less. */
#include "generate/shrink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "generate/draw_internal.h"

/* --- weight ------------------------------------------------------------------------------------------------------- */

static const char zeros[] = "fill: 0", counting[] = "ramp: {from: 0, step: 1}";

static double weight_of_words(const char *words, bool ramps) {
  static const struct {
    const char *begin;
    double plain, ramps;
  } rows[] = {{"ramp: ", 2, 0}, {"fill: ", 1, 1}, {"formula: ", 3, 3}, {"random: ", 5, 5}};
  enum { ROWS = sizeof rows / sizeof *rows, SHORT = 20 };
  size_t row = 0;
  if (words == NULL || (!ramps && strcmp(words, zeros) == 0)) return 0;
  while (row < ROWS && strncmp(words, rows[row].begin, strlen(rows[row].begin)) != 0) row++;
  if (row == ROWS) return 4;
  return (ramps ? rows[row].ramps : rows[row].plain) + (row == 2 && strlen(words) >= SHORT ? 1 : 0);
}

double input_weight(const input *x, bool ramps) {
  double weight = (double)input_items(x) * 10000 + (x->launch.offset[0] + x->launch.offset[1] > 0 ? 5000 : 0);
  for (size_t i = 0; i < x->launch.count; i++) {
    const replica_argument *a = &x->launch.arguments[i];
    if (a->is->kind == PARAMETER_VALUE) {
      const double n = fabs(strtod(x->words[i], NULL));
      weight += isfinite(n) ? 10 * log2(1 + n) + (x->words[i][0] == '-' ? 5 : 0) : 2000;
    } else {
      weight += 20 * weight_of_words(x->words[i], ramps) + 3 * log2(1 + (double)input_elements(x, i));
    }
  }
  return weight;
}

/* --- variants ----------------------------------------------------------------------------------------------------- */

typedef struct variants {
  const inputs *in;
  const input *of;
  shrinking *how;
  input *out;
  size_t count, most;
  size_t passed; /* ways, tried now or before */
} variants;

/* A copy to be changed; NULL: this way was tried, or there are enough. */
static input *begin_variant(variants *v) {
  if (v->passed < v->how->at) {
    v->passed++;
    return NULL;
  }
  if (v->count == v->most) {
    v->how->ended = false;
    return NULL;
  }
  v->passed++;
  v->how->at++;
  input_copy(v->of, &v->out[v->count]);
  return &v->out[v->count];
}

/* It stays if it is smaller and may be. */
static void end_variant(variants *v) {
  input *x = &v->out[v->count];
  const bool smaller = input_weight(x, v->how->ramps) < input_weight(v->of, v->how->ramps);
  if (smaller && inputs_allow(v->in, x))
    v->count++;
  else
    input_free(x);
}

static void with_sizes(variants *v, unsigned dimension, uint64_t groups, uint64_t local) {
  input *x = begin_variant(v);
  if (x != NULL) {
    x->launch.local[dimension] = local;
    x->launch.global[dimension] = groups * local;
    end_variant(v);
  }
}

static void with_words(variants *v, size_t index, const char *words) {
  input *x = begin_variant(v);
  if (x != NULL) {
    free(x->words[index]);
    x->words[index] = mem_strdup(words);
    end_variant(v);
  }
}

static void with_integer(variants *v, size_t index, int64_t n) {
  input *x = begin_variant(v);
  if (x != NULL) {
    draw_say_integer(x, index, n);
    end_variant(v);
  }
}

static void shrink_sizes(variants *v) {
  const replica *r = &v->of->launch;
  for (unsigned d = 0; d < r->dimensions; d++) {
    const uint64_t groups = r->global[d] / r->local[d];
    with_sizes(v, d, 1, r->local[d]);
    with_sizes(v, d, groups / 2 + groups % 2, r->local[d]);
    with_sizes(v, d, groups, 1);
    with_sizes(v, d, 1, 1);
  }
  input *x = begin_variant(v);
  if (x != NULL) {
    memset(x->launch.offset, 0, sizeof x->launch.offset);
    end_variant(v);
  }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool is_sized(const input *x, size_t index) {
  return x->launch.arguments[index].is->kind == PARAMETER_GLOBAL ||
         x->launch.arguments[index].is->kind == PARAMETER_LOCAL;
}

/* SIZE_MAX: of all memory. */
static void with_elements(variants *v, size_t index, uint64_t elements) {
  input *x = begin_variant(v);
  if (x != NULL) {
    for (size_t i = 0; i < x->launch.count; i++) {
      const bool now = is_sized(x, i) && (index == SIZE_MAX || index == i) && elements > 0;
      if (now && elements < input_elements(x, i)) input_set_elements(x, i, elements);
    }
    end_variant(v);
  }
}

/* What is as large as the launch or a number that it is given, and powers of two. */
static void shrink_memory(variants *v, size_t index) {
  enum { POWERS = 13 };
  const replica *r = &v->of->launch;
  with_elements(v, index, input_items(v->of));
  for (size_t i = 0; i < r->count; i++) {
    if (draw_is_integer(&r->arguments[i])) {
      const int64_t n = draw_integer(&r->arguments[i]);
      with_elements(v, index, n > 0 ? (uint64_t)n : 0);
    }
  }
  for (unsigned p = 0; p < POWERS; p++) with_elements(v, index, UINT64_C(1) << p);
  for (uint64_t part = 5; part < 8 && index != SIZE_MAX; part++)
    with_elements(v, index, input_elements(v->of, index) * part / 8);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Ramps that begin with other numbers tell buffers apart, and what was there before from what is computed. */
static void shrink_contents(variants *v, size_t index) {
  char own[48];
  const uint64_t from = v->of->launch.arguments[index].is->read_only ? index + 1 : 10 * index + 11;
  (void)snprintf(own, sizeof own, "ramp: {from: %llu, step: 1}", (unsigned long long)from);
  const char *const plain[] = {own, counting, zeros, "fill: 1", "formula: \"i % 3\""};
  const bool may = !draw_contents_said(v->in, v->of, index), ramp = draw_holds_ramp(v->of, index, from);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    with_words(v, index, may && (i > 1 || ramp) ? plain[i] : v->of->words[index]);
}

static void shrink_argument(variants *v, size_t index) {
  static const char *const reals[] = {"0", "1", "2", "0.5"};
  const replica_argument *a = &v->of->launch.arguments[index];
  if (a->is->kind == PARAMETER_GLOBAL && draw_is_number(a->is)) {
    shrink_contents(v, index);
  } else if (a->is->kind == PARAMETER_VALUE && draw_is_integer(a)) {
    const int64_t n = draw_integer(a);
    const int64_t less[] = {0, 1, 2, n / 2, n > 0 ? n - 1 : n + 1};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) with_integer(v, index, less[i]);
  } else if (a->is->kind == PARAMETER_VALUE && draw_is_number(a->is) && v->of->words[index][0] != '[') {
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) with_words(v, index, reals[i]);
  }
}

size_t shrink(const inputs *in, const input *x, shrinking *how, input *out, size_t most) {
  variants v = {.in = in, .of = x, .how = how, .out = out, .most = most};
  how->ended = true;
  shrink_sizes(&v);
  if (how->memory) shrink_memory(&v, SIZE_MAX);
  for (size_t i = 0; i < x->launch.count; i++) {
    if (how->memory && is_sized(x, i)) shrink_memory(&v, i);
    shrink_argument(&v, i);
  }
  return v.count;
}
