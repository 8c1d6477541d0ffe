/* One thing at a time: fewer groups, smaller groups, smaller numbers, contents that are zero, a ramp, or less. */
#include "generate/shrink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "generate/draw_internal.h"

/* --- weight ------------------------------------------------------------------------------------------------------- */

static double weight_of_words(const char *words) {
  return words == NULL                         ? 0
         : strcmp(words, "fill: 0") == 0       ? 0
         : strncmp(words, "fill: ", 6) == 0    ? 1
         : strncmp(words, "ramp: ", 6) == 0    ? 2
         : strncmp(words, "formula: ", 9) == 0 ? 3
         : strncmp(words, "random: ", 8) == 0  ? 5
                                               : 4;
}

double input_weight(const input *x) {
  double weight = (double)input_items(x) * 10000 + (x->launch.offset[0] + x->launch.offset[1] > 0 ? 5000 : 0);
  for (size_t i = 0; i < x->launch.count; i++) {
    const replica_argument *a = &x->launch.arguments[i];
    if (a->is->kind == PARAMETER_VALUE) {
      const double n = fabs(strtod(x->words[i], NULL));
      weight += isfinite(n) ? 10 * log2(1 + n) + (x->words[i][0] == '-' ? 5 : 0) : 2000;
    } else {
      weight += 20 * weight_of_words(x->words[i]);
    }
  }
  return weight;
}

/* --- variants ----------------------------------------------------------------------------------------------------- */

typedef struct variants {
  const inputs *in;
  const input *of;
  input *out;
  size_t count, most;
} variants;

/* A copy to be changed; NULL: there are enough. */
static input *begin_variant(variants *v) {
  if (v->count == v->most) return NULL;
  input_copy(v->of, &v->out[v->count]);
  return &v->out[v->count];
}

/* It stays if it is smaller and may be. */
static void end_variant(variants *v) {
  input *x = &v->out[v->count];
  if (input_weight(x) < input_weight(v->of) && inputs_allow(v->in, x))
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

static void shrink_argument(variants *v, size_t index) {
  static const char *const plain[] = {"fill: 0", "fill: 1", "ramp: {from: 0, step: 1}", "formula: \"i % 3\""};
  static const char *const reals[] = {"0", "1", "2", "0.5"};
  const replica_argument *a = &v->of->launch.arguments[index];
  if (a->is->kind == PARAMETER_GLOBAL && draw_is_number(a->is)) {
    const bool said = draw_contents_said(v->in, v->of, index);
    for (size_t i = 0; i < sizeof plain / sizeof *plain && !said; i++) with_words(v, index, plain[i]);
  } else if (a->is->kind == PARAMETER_VALUE && draw_is_integer(a)) {
    const int64_t n = draw_integer(a);
    const int64_t less[] = {0, 1, 2, n / 2, n > 0 ? n - 1 : n + 1};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) with_integer(v, index, less[i]);
  } else if (a->is->kind == PARAMETER_VALUE && draw_is_number(a->is) && v->of->words[index][0] != '[') {
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) with_words(v, index, reals[i]);
  }
}

size_t shrink(const inputs *in, const input *x, input *out, size_t most) {
  variants v = {.in = in, .of = x, .out = out, .most = most};
  shrink_sizes(&v);
  for (size_t i = 0; i < x->launch.count; i++) shrink_argument(&v, i);
  return v.count;
}
