/* Variants that have less of one thing run in batches, and the smallest that does what its input is kept for takes its
 * place. Those that race in the end are put back as they were. */
#include "generate/minimise.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "generate/shrink.h"

enum { PASSES = 6, TOGETHER = 16 }; /* of one input: one of them can win each time */
#define MEMORY (UINT64_C(256) << 20)

typedef struct variant {
  input x;     /* first: lists are of these */
  size_t of;   /* among the inputs that are made smaller */
  size_t took; /* outcomes that its input is kept for */
} variant;

/* An input on its way. */
typedef struct smaller {
  input *at;
  input first; /* as it was */
  shrinking how;
  unsigned passes;
  bool changed, done;
  size_t wanted; /* outcomes that it is kept for */
} smaller;

typedef struct minimising {
  bench *bench;
  const inputs *inputs;
  const outcomes *outcomes;
  smaller *items;
  size_t count;
  variant variants[COVERED_MOST];
  input *list[COVERED_MOST];
  size_t made, fine;
} minimising;

/* --- variants ----------------------------------------------------------------------------------------------------- */

static void begin(minimising *m, input *kept, bool ramps) {
  m->items = mem_calloc(m->count + 1, sizeof *m->items);
  for (size_t i = 0; i < m->count; i++) {
    smaller *s = &m->items[i];
    *s = (smaller){.at = &kept[i], .how = {.memory = true, .ramps = ramps}};
    input_copy(s->at, &s->first);
    for (size_t k = 0; k < m->outcomes->count; k++)
      s->wanted += m->outcomes->items[k].taken && m->outcomes->items[k].owner == s->at->number ? 1 : 0;
    s->done = s->wanted == 0;
  }
}

/* All ways were tried: once more, as long as that wins something. */
static void turn_page(smaller *s) {
  if (s->how.ended && !s->done) {
    s->how.ended = false;
    s->done = !s->changed || ++s->passes == PASSES;
    s->changed = false;
    s->how.at = 0;
  }
}

static void make(minimising *m, size_t index, size_t most) {
  input out[COVERED_MOST];
  smaller *s = &m->items[index];
  const uint64_t one = input_memory(s->at) + 1, fit = MEMORY / one;
  const size_t room = COVERED_MOST - m->made, wish = most < room ? most : room;
  const size_t count = shrink(m->inputs, s->at, &s->how, out, wish < fit ? wish : fit > 0 ? (size_t)fit : 1);
  for (size_t i = 0; i < count; i++) m->variants[m->made++] = (variant){.x = out[i], .of = index};
}

static void release(minimising *m) {
  for (size_t i = 0; i < m->made; i++) input_free(&m->variants[i].x);
  m->made = 0;
}

/* Those that stay in their memory. */
static int settle(minimising *m, error *e) {
  for (size_t i = 0; i < m->made; i++) m->list[i] = &m->variants[i].x;
  m->fine = 0;
  return m->made == 0 ? 0 : bench_settle(m->bench, (inputs *)m->inputs, m->list, m->made, &m->fine, e);
}

static void take(smaller *s, const input *x) {
  char *reason = s->at->reason;
  const unsigned number = s->at->number;
  s->at->reason = NULL;
  input_free(s->at);
  input_copy(x, s->at);
  s->at->reason = reason;
  s->at->number = number;
  s->changed = true;
}

/* --- outcomes ----------------------------------------------------------------------------------------------------- */

/* The outcome is one that variants' inputs are kept for: those that took it. */
static void count_takers(minimising *m, const view *v, const outcome *o, uint64_t cases) {
  for (size_t t = 0; t < v->test_case_count && t < 64; t++) {
    const size_t seat = (size_t)strtoul(v->test_cases[t].name, NULL, 10);
    if ((cases >> t & 1) != 0 && seat < m->fine) {
      variant *is = (variant *)m->list[seat];
      is->took += m->items[is->of].at->number == o->owner ? 1 : 0;
    }
  }
}

static void look(void *context, const view *v) {
  minimising *m = context;
  for (size_t k = 0; k < v->kernel_count; k++) {
    const view_kernel *of = &v->kernels[k];
    for (size_t i = 0; i < of->site_count && strcmp(of->name, m->bench->kernel) == 0; i++) {
      const model_site *s = &of->sites[i];
      for (size_t n = 0; s->file < v->file_count && n < s->outcome_count * m->outcomes->count; n++) {
        const outcome *o = &m->outcomes->items[n % m->outcomes->count];
        const model_outcome *is = &s->outcomes[n / m->outcomes->count];
        if (o->taken && outcome_is(o, &v->files[s->file], s, is)) count_takers(m, v, o, is->cases);
      }
    }
  }
}

static void take_takers(minimising *m) {
  for (size_t i = 0; i < m->count; i++) {
    smaller *s = &m->items[i];
    const variant *best = NULL;
    for (size_t k = 0; k < m->fine; k++) {
      const variant *is = (const variant *)m->list[k];
      const bool right = is->of == i && is->took >= s->wanted;
      best = right && (best == NULL || input_weight(&is->x, s->how.ramps) < input_weight(&best->x, s->how.ramps))
                 ? is
                 : best;
    }
    if (best != NULL) take(s, &best->x);
  }
}

static int run_takers(minimising *m, bool *any, error *e) {
  size_t active = 0;
  for (size_t i = 0; i < m->count; i++) active += m->items[i].done ? 0 : 1;
  *any = active > 0;
  for (size_t i = 0; i < m->count && m->made < COVERED_MOST; i++)
    if (!m->items[i].done)
      make(m, i, active * TOGETHER < COVERED_MOST ? TOGETHER : active < COVERED_MOST ? COVERED_MOST / active : 1);
  int result = settle(m, e);
  if (result == 0 && m->fine > 0) {
    result = bench_cover(m->bench, m->list, m->fine, look, m, e);
    take_takers(m);
  }
  for (size_t i = 0; i < m->count; i++) turn_page(&m->items[i]);
  release(m);
  return result;
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static int by_weight(const void *a, const void *b) {
  const double one = input_weight(*(input *const *)a, false), other = input_weight(*(input *const *)b, false);
  return one < other ? -1 : one > other;
}

static int run_killer(minimising *m, size_t index, sieve *all, error *e) {
  smaller *s = &m->items[index];
  make(m, index, TOGETHER);
  int result = settle(m, e);
  if (result == 0 && m->fine > 0) {
    bool *hits = mem_calloc(m->fine * all->count + 1, sizeof *hits);
    qsort(m->list, m->fine, sizeof *m->list, by_weight);
    result = sieve_try(all, m->bench, s->at->number, m->list, m->fine, hits, e);
    for (size_t i = 0; i < m->fine && result == 0; i++) {
      if (sieve_hits_all(all, hits + i * all->count, s->at->number)) {
        take(s, m->list[i]);
        break;
      }
    }
    free(hits);
  }
  turn_page(s);
  release(m);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* Those that race now are as they were. */
static int check_races(minimising *m, error *e) {
  input **list = mem_calloc(m->count + 1, sizeof *list);
  size_t fine = 0;
  for (size_t i = 0; i < m->count; i++) list[i] = m->items[i].at;
  const int result = m->count == 0 ? 0 : bench_races(m->bench, list, m->count, &fine, e);
  for (size_t i = 0; i < m->count; i++) {
    bool is = result == 0;
    for (size_t k = 0; k < fine && is; k++) is = list[k] != m->items[i].at;
    if (is || result != 0) take(&m->items[i], &m->items[i].first);
    input_free(&m->items[i].first);
  }
  free(list);
  free(m->items);
  return result;
}

/* What is left out on the way is nobody's fault. */
typedef struct quiet {
  void (*left)(void *context, const flaw *f, const input *x);
  unsigned failed;
} quiet;

static quiet be_quiet(bench *b) {
  const quiet before = {b->left, b->failed};
  b->left = NULL;
  b->fixed = true;
  return before;
}

static void speak(bench *b, quiet before) {
  b->left = before.left;
  b->failed = before.failed;
  b->fixed = false;
}

int minimise_takers(bench *b, const inputs *in, input *kept, size_t count, const outcomes *o, error *e) {
  minimising m = {.bench = b, .inputs = in, .outcomes = o, .count = count};
  const quiet before = be_quiet(b);
  bool any = count > 0;
  int result = 0;
  begin(&m, kept, true);
  while (any && result == 0 && clock_now() < b->until) result = run_takers(&m, &any, e);
  const int races = check_races(&m, e);
  speak(b, before);
  return result != 0 ? result : races;
}

int minimise_killers(bench *b, const inputs *in, input *kept, size_t count, const outcomes *o, sieve *all, error *e) {
  minimising m = {.bench = b, .inputs = in, .outcomes = o, .count = count};
  const quiet before = be_quiet(b);
  int result = 0;
  begin(&m, kept, false);
  for (size_t i = 0; i < count; i++) m.items[i].done = m.items[i].wanted > 0;
  for (bool any = true; any && result == 0;) {
    any = false;
    for (size_t i = 0; i < count && result == 0 && clock_now() < b->until; i++) {
      if (!m.items[i].done) {
        result = run_killer(&m, i, all, e);
        any = true;
      }
    }
  }
  const int races = check_races(&m, e);
  speak(b, before);
  return result != 0 ? result : races;
}
