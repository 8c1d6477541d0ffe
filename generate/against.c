/* Both are run plainly, and what they leave in memory is held against each other, within tolerances by type. Before it is
 * said that they differ, the reference must have one result: nothing in it races, and values that nobody has written have
 * been looked for. */
#include "generate/against.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "capture/number.h"
#include "generate/shrink.h"

enum { CERTAIN_SECONDS = 60, SHRINK_ROUNDS = 12, VARIANTS = 32 };

/* --- the other kernel --------------------------------------------------------------------------------------------- */

char *against_obstacle(const signature *own, const signature *other) {
  buffer text = {0};
  if (own->count != other->count) {
    buffer_printf(&text, "%s has %zu arguments and %s has %zu", own->kernel, own->count, other->kernel, other->count);
    return buffer_take(&text);
  }
  for (size_t i = 0; i < own->count; i++) {
    const parameter *a = &own->parameters[i], *b = &other->parameters[i];
    if (a->kind != b->kind || a->size != b->size ||
        (a->kind != PARAMETER_LOCAL && strcmp(a->type, b->type) != 0 && strcmp(a->written, b->written) != 0)) {
      buffer_printf(&text, "argument %zu of %s is of type %s, and that of %s of type %s", i + 1, own->kernel, a->type,
                    other->kernel, b->type);
      return buffer_take(&text);
    }
    if (a->kind == PARAMETER_IMAGE && !(a->read_only && b->read_only)) {
      buffer_printf(&text, "they may write the image %s, and images are not compared", a->name);
      return buffer_take(&text);
    }
  }
  return NULL;
}

/* The same launch of the other kernel. */
static void input_of_other(const against *a, const input *from, input *to) {
  input_copy(from, to);
  to->launch.source = a->source;
  to->launch.kernel = a->other.kernel;
  for (size_t i = 0; i < to->launch.count; i++) to->launch.arguments[i].is = &a->of->parameters[i];
}

/* --- results ------------------------------------------------------------------------------------------------------ */

/* By type, where nothing is said. */
static double relative_of(const against *a, uint32_t kind) {
  const size_t size = number_size(kind);
  return a->tolerance.relative > 0 ? a->tolerance.relative : size == 8 ? 1e-9 : size == 4 ? 1e-4 : 1e-2;
}

static double largest(const case_result *r, const unsigned char *bytes) {
  const uint32_t kind = r->shape.number;
  double most = 0;
  for (uint64_t at = 0; number_is_real(kind) && at + number_size(kind) <= r->size; at += number_size(kind)) {
    const double n = fabs(number_real(kind, bytes + at));
    most = isfinite(n) && n > most ? n : most;
  }
  return most;
}

/* Sums in another order are off by a part of their largest terms, not of themselves; and terms may be products of what is
 * only read. */
static double scale_of(const against *a, const bench_results *r, size_t first, size_t count) {
  const parameter *p = a->of->parameters;
  double scale = 1;
  for (size_t i = 0; i < count; i++, p++) {
    while (p->kind != PARAMETER_GLOBAL) p++;
    const double most = p->read_only ? largest(&r->cases.results[first + i], r->ran.results[first + i]) : 0;
    scale *= most > 1 ? most : 1;
  }
  return isfinite(scale) ? scale : DBL_MAX;
}

/* Overflow and what comes of it is one thing: infinities of both signs and no number come in another order, too. */
static void join_endless(uint32_t kind, const unsigned char *wanted, unsigned char *got, uint64_t size) {
  const size_t step = number_size(kind);
  for (uint64_t at = 0; at + step <= size; at += step)
    if (!isfinite(number_real(kind, wanted + at)) && !isfinite(number_real(kind, got + at)))
      memcpy(got + at, wanted + at, step);
}

/* Of the buffer with that number among the arguments. */
static const char *name_of(const against *a, size_t number) {
  const parameter *p = a->of->parameters;
  for (size_t left = number + 1; left > 0; p++)
    if (p->kind == PARAMETER_GLOBAL && --left == 0) return p->name;
  return "";
}

/* What differs in a result, as a sentence; NULL: nothing. */
static char *difference_in(const against *a, const case_result *r, const char *name, const unsigned char *wanted,
                           unsigned char *got, double scale) {
  capture_expectation shape = r->shape;
  number_difference d;
  buffer text = {0};
  if (number_is_real(shape.number)) {
    shape.relative = relative_of(a, shape.number);
    shape.absolute = shape.relative * fmax(scale, largest(r, wanted));
    join_endless(shape.number, wanted, got, r->size);
  }
  if (!numbers_differ(&shape, wanted, got, (size_t)r->size, &d)) return NULL;
  buffer_printf(&text, "%s: ", name);
  numbers_say(&shape, wanted, got, &d, &text);
  return buffer_take(&text);
}

/* Of each input what differs; `all` has as many. Results come launch by launch. */
static void compare(const against *a, const bench_results *wanted, bench_results *got, size_t count, char **all) {
  const size_t each = count == 0 ? 0 : wanted->ran.count / count;
  for (size_t i = 0; i < wanted->ran.count && wanted->ran.count == got->ran.count && each > 0; i++) {
    const case_result *r = &wanted->cases.results[i];
    if (all[i / each] == NULL && r->size == got->cases.results[i].size) {
      all[i / each] = difference_in(a, r, name_of(a, i % each), wanted->ran.results[i], got->ran.results[i],
                                    scale_of(a, wanted, i / each * each, each));
    }
  }
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

/* What the other kernel does wrong by itself. */
static void take_flaws(const flaws *seen, size_t count, char **all) {
  for (size_t i = 0; i < seen->count; i++) {
    const flaw *f = &seen->items[i];
    if (f->launch < count && all[f->launch] == NULL) {
      buffer text = {0};
      buffer_printf(&text, "%s in line %u: %s", f->rule, (unsigned)f->line, f->sentence);
      all[f->launch] = buffer_take(&text);
    }
  }
}

/* Takes those away that have a sentence. */
static size_t without(input **list, char **sentences, size_t count) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    if (sentences[i] == NULL) list[left++] = list[i];
    free(sentences[i]);
    sentences[i] = NULL;
  }
  return left;
}

static bool is_smaller(const input *x, const input *than) { return input_weight(x, false) < input_weight(than, false); }

static void take_difference(against *a, const input *x, char *sentence) {
  if (a->difference == NULL || is_smaller(x, &a->smallest)) {
    free(a->difference);
    input_free(&a->smallest);
    input_copy(x, &a->smallest);
    a->difference = sentence;
  } else {
    free(sentence);
  }
}

/* Those on which they differ, so far as one look at results says. `pairs`: of the other kernel, in the same order. */
static int look_for_differences(against *a, bench *own, input *const *list, input *const *pairs, size_t count,
                                char **all, bool *well, error *e) {
  bench_results mine, others;
  bool first = false, second = false;
  int result = bench_run(own, list, count, READS_ALL, &mine, &first, e);
  if (result != 0) {
    bench_results_free(&mine);
    return -1;
  }
  result = bench_run(&a->other, pairs, count, READS_ALL, &others, &second, e);
  *well = result == 0 && first && second;
  if (*well && a->reference)
    compare(a, &others, &mine, count, all);
  else if (*well)
    compare(a, &mine, &others, count, all);
  bench_results_free(&mine);
  bench_results_free(&others);
  return result;
}

/* Keeps the smallest difference that is certain. */
static int confirm_smallest(against *a, bench *own, input *const *list, input *const *pairs, size_t count, char **all,
                            error *e) {
  int result = 0;
  for (size_t tries = 0; tries < 3 && result == 0; tries++) {
    size_t best = count;
    for (size_t i = 0; i < count; i++)
      best = all[i] != NULL && (best == count || is_smaller(list[i], list[best])) ? i : best;
    if (best == count || (a->difference != NULL && !is_smaller(list[best], &a->smallest))) break;
    input *x = a->reference ? pairs[best] : list[best];
    size_t certain = 0;
    bench *reference = a->reference ? &a->other : own;
    const double until = reference->until;
    reference->until = clock_now() + CERTAIN_SECONDS; /* what was found is not lost as time is over */
    result = bench_races(reference, &x, 1, &certain, e);
    reference->until = until;
    if (certain == 1) {
      take_difference(a, list[best], all[best]);
      all[best] = NULL;
      break;
    }
    a->unclear++;
    a->compared--;
    free(all[best]);
    all[best] = NULL;
  }
  return result;
}

/* The other kernel's accesses and barriers first: where it is the reference, what is wrong in it is no input. */
static int watch_other(against *a, input **list, input **pairs, size_t *count, char **all, error *e) {
  int result = 0;
  for (unsigned look = 0; look < 2 && result == 0 && *count > 0; look++) {
    flaws seen = {0};
    bool well = false;
    result = bench_look(&a->other, look == 1, pairs, *count, &seen, &well, e);
    take_flaws(&seen, *count, all);
    flaws_free(&seen);
    if (a->reference) {
      char *same[VARIANTS * 2] = {NULL};
      for (size_t i = 0; i < *count; i++) {
        same[i] = all[i] == NULL ? NULL : mem_strdup(all[i]);
        a->unclear += all[i] != NULL ? 1 : 0;
      }
      const size_t left = without(list, same, *count);
      *count = without(pairs, all, *count);
      (void)left;
    }
  }
  return result;
}

static bool has_sentence(char *const *all, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++) any = any || all[i] != NULL;
  return any;
}

int against_try(against *a, bench *own, input *const *list, size_t count, error *e) {
  enum { MOST = VARIANTS * 2 };
  input others[MOST], *pairs[MOST], *left[MOST];
  char *all[MOST] = {NULL};
  size_t number = count > MOST ? MOST : count;
  const size_t made = number;
  bool well = false;
  a->other.until = own->until;
  for (size_t i = 0; i < made; i++) {
    input_of_other(a, list[i], &others[i]);
    pairs[i] = &others[i];
    left[i] = list[i];
  }
  int result = a->reference ? watch_other(a, left, pairs, &number, all, e) : 0;
  result = result == 0 && number > 0 ? look_for_differences(a, own, left, pairs, number, all, &well, e) : result;
  if (result == 0 && !a->reference && well && !has_sentence(all, number))
    result = watch_other(a, left, pairs, &number, all, e);
  const bool failed = result == 0 && number > 0 && !well;
  if (failed && number == 1 && a->compared > 0 && all[0] == NULL && !a->reference)
    all[0] = mem_strdup("it crashes, or does not end");
  if (result == 0 && number > 0 && (well || number == 1)) {
    a->compared += well || all[0] != NULL ? number : 0;
    result = confirm_smallest(a, own, left, pairs, number, all, e);
  } else if (failed && clock_now() < own->until) { /* halves tell which of them is to blame */
    const size_t half = number / 2;
    input *both[MOST];
    memcpy(both, left, number * sizeof *both);
    result = against_try(a, own, both, half, e) != 0 ? -1 : against_try(a, own, both + half, number - half, e);
  }
  for (size_t i = 0; i < made; i++) {
    free(all[i]);
    input_free(&others[i]);
  }
  return result;
}

int against_shrink(against *a, bench *own, inputs *in, error *e) {
  int result = 0;
  bool smaller = a->difference != NULL;
  for (unsigned round = 0; round < SHRINK_ROUNDS && smaller && result == 0 && clock_now() < own->until; round++) {
    input variants[VARIANTS], *list[VARIANTS];
    const double before = input_weight(&a->smallest, false);
    const size_t count = shrink(in, &a->smallest, &(shrinking){0}, variants, VARIANTS);
    size_t fine = 0;
    for (size_t i = 0; i < count; i++) list[i] = &variants[i];
    result = count == 0 ? 0 : bench_settle(own, in, list, count, &fine, e);
    result = result == 0 && fine > 0 ? against_try(a, own, list, fine, e) : result;
    a->compared -= fine < a->compared ? fine : a->compared; /* not drawn for their own sake */
    smaller = input_weight(&a->smallest, false) < before;
    for (size_t i = 0; i < count; i++) input_free(&variants[i]);
  }
  if (a->difference != NULL && !a->reference) { /* shown with the kernel that is in question */
    input own_words = a->smallest;
    input_of_other(a, &own_words, &a->smallest);
    input_free(&own_words);
  }
  return result;
}

void against_free(against *a) {
  free(a->difference);
  input_free(&a->smallest);
}
