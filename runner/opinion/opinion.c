/* Draw, watch; a launch that contradicts is watched again alone, then without optimisation. */
#include "runner/opinion/opinion.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/opinion/draw.h"
#include "runner/opinion/variant.h"
#include "runner/sources/host_way.h"

enum { SECONDS_LEAST = 3, RUNS = 1, WAY_TEXTS = 4 };

/* Seconds of the processor that runs have used. */
static double spent(void) {
  struct rusage u;
  return getrusage(RUSAGE_CHILDREN, &u) != 0 ? 0
                                             : (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                                                   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

static bool mentions(const char *text, const char *const *words, size_t count) {
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    found = found || strstr(text, words[i]) != NULL;
  }
  return found;
}

/* Large numbers make loops long, and what a proof says of overflow is that there is none. */
static bool wants_small(const verify_source *s, const verify_answer *a) {
  static const char *const loops[] = {"for", "while", "do", "goto", "include", "##"};
  return mentions(verify_text(s)->text, loops, sizeof loops / sizeof *loops) ||
         premises_have(&a->assumptions, PREMISE_OVERFLOW) || premises_have(&a->assumptions, PREMISE_SIZES);
}

/* Whether the proof says that accesses stay inside: of some it may not have been shown. */
static bool claims_bounds(const opinion_options *o, const verify_answer *a) {
  return o->verify->bounds && !premises_have(&a->assumptions, PREMISE_INSIDE);
}

static uint64_t seed_of(const char *kernel) {
  uint64_t seed = 40;
  for (const char *c = kernel; *c != '\0'; c++) {
    seed = replica_draw(seed, (unsigned char)*c);
  }
  return seed;
}

/* Why a run could not be held against this proof: lent; NULL: it can. */
static const char *obstacle(const opinion_options *o, const verify_source *s, const verify_answer *a) {
  return verify_signature(s, a->kernel) == NULL ? "its parameters are not known"
         : o->verify->warp > 0                  ? "the proof relies on work-items that run in step"
                                                : NULL;
}

static size_t draw_all(drawing *d, unsigned wanted, replica *all) {
  size_t count = 0;
  for (unsigned i = 0; i < wanted; i++) {
    count += draw_launch(d, i, &all[count]) ? 1 : 0;
    if (count == 0 && i == 1) { /* where two were not found, there is hardly any */
      break;
    }
  }
  return count;
}

/* --- what is found ------------------------------------------------------------------------------------------------ */

static int examine(const opinion_options *o, const replica *launch, opinion *out, error *e) {
  watched alone = {0}, plain = {0};
  int result = watch(&o->watching, launch, 1, "", &alone, e);
  const watched_finding *found = watched_first(&alone);
  if (result == 0 && found != NULL) {
    result = watch(&o->watching, launch, 1, "-cl-opt-disable", &plain, e);
    out->kind = plain.well && plain.count == 0 ? OPINION_COMPILER : OPINION_CONTRADICTS;
    out->why = mem_strdup(found->sentence);
  }
  watched_free(&alone);
  watched_free(&plain);
  return result;
}

/* Which of the launches from `*at` to before `end` shows something by itself: of a pair of places the first launch is told in
 * which both were come to, and what is wrong there may be so in another one (two work-items write in each launch, and in one
 * of them not the same). */
static int find_launch(const opinion_options *o, const replica *all, size_t *at, size_t end, error *e) {
  int result = 0;
  while (end - *at > 1 && result == 0) {
    const size_t middle = *at + (end - *at) / 2;
    watched seen;
    result = watch(&o->watching, &all[*at], middle - *at, "", &seen, e);
    const bool here = watched_first(&seen) != NULL;
    *at = here ? *at : middle;
    end = here ? middle : end;
    watched_free(&seen);
  }
  return result;
}

/* Of the launches from `at` on one shows something: the first that does is examined. */
static int examine_from(const opinion_options *o, replica *all, size_t at, size_t count, opinion *out, error *e) {
  int result = examine(o, &all[at], out, e);
  if (result == 0 && out->kind == OPINION_AGREES && ++at < count) {
    result = find_launch(o, all, &at, count, e);
    result = result == 0 ? examine(o, &all[at], out, e) : result;
  }
  if (out->kind != OPINION_AGREES) {
    out->launch = all[at];
    all[at] = (replica){0};
  }
  return result;
}

/* A run has what is left of the time of all runs of the kernel, and a second to begin with. */
static int watch_rest(const opinion_options *o, const replica *all, size_t count, watched *out, error *e) {
  watching within = o->watching;
  const double left = o->until - spent();
  within.seconds = left < 1 ? 1 : left < within.seconds ? left : within.seconds;
  return watch(&within, all, count, "", out, e);
}

/* A launch that crashes, as by a division by zero, ends its process: the launches after it are made in another one. */
static int ask(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  enum { PROCESSES = 6 };
  int result = 0;
  bool more = true;
  for (size_t begin = 0, n = 0; begin < count && n < PROCESSES && result == 0 && more; n++) {
    watched seen;
    result = watch_rest(o, &all[begin], count - begin, &seen, e);
    const watched_finding *first = watched_first(&seen);
    out->launches += seen.launches;
    out->kind = out->launches > 0 ? OPINION_AGREES : OPINION_NONE;
    if (result == 0 && first != NULL) {
      result = examine_from(o, all, begin + first->launch, count, out, e);
    }
    more = first == NULL && !seen.well && seen.launches > 0 && spent() < o->until;
    begin += seen.launches;
    watched_free(&seen);
  }
  return result;
}

/* The same launches once more, each access held against the end of its memory. */
static int ask_bounds(opinion_options within, const terms *t, replica *all, size_t count, opinion *out, error *e) {
  const uint64_t launches = out->launches;
  within.watching.bounds = true;
  within.watching.sized = t;
  const int result = ask(&within, all, count, out, e);
  out->launches = launches;
  out->kind = out->kind == OPINION_NONE ? OPINION_AGREES : out->kind;
  return result;
}

/* --- changed sources ---------------------------------------------------------------------------------------------- */

/* OpenCL C 3.0 has all of 2.0, but what it leaves to devices, and some have it in 3.0 alone. */
static char *of_later_language(const verify_source *s) {
  const char *options = verify_text(s)->options;
  char *later = options == NULL || strstr(options, "-cl-std=CL2.0") == NULL ? NULL : mem_strdup(options);
  if (later != NULL) {
    strstr(later, "CL2.0")[2] = '3';
  }
  return later;
}

static int ask_at_all(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  int result = ask(o, all, count, out, e);
  out->options = result == 0 && out->kind == OPINION_NONE ? of_later_language(all->source) : NULL;
  for (size_t i = 0; i < count && out->options != NULL; i++) {
    all[i].options = out->options;
  }
  return out->options == NULL ? result : ask(o, all, count, out, e);
}

/* The language lets the last group be smaller, and the proof is not about groups of some size. */
static bool may_be_ragged(const verify_source *s, const verify_answer *a) {
  static const char *const sizes[] = {"_size(", "get_num_groups", "elements("};
  const char *options = verify_text(s)->options;
  const bool later =
      options != NULL && (strstr(options, "-cl-std=CL2") != NULL || strstr(options, "-cl-std=CL3") != NULL);
  bool may = later && strstr(options, "-cl-uniform-work-group-size") == NULL &&
             !premises_have(&a->preconditions, PREMISE_EVEN);
  for (size_t i = 0; i < a->preconditions.count; i++) {
    may = may && !mentions(a->preconditions.items[i].text, sizes, sizeof sizes / sizeof *sizes);
  }
  return may;
}

/* The same launches, by work-items that come in another order, or in groups of two sizes. */
static int ask_variant(const opinion_options *o, variant v, replica *all, size_t count, opinion *out, error *e) {
  static const char *const how[] = {[VARIANT_TURNS] = "where work-items take turns at atomic functions, ",
                                    [VARIANT_RAGGED] = "with a last work-group that is smaller than the others, ",
                                    [VARIANT_ALONE] = "work-items of a group do not come to the same barriers"};
  const opinion before = *out;
  char *text = variant_text(v, all->source, all->kernel);
  if (text == NULL) {
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    all[i].text = text;
  }
  opinion_options within = *o;
  within.watching.only = v == VARIANT_ALONE ? VARIANT_BARRIERS : NULL;
  within.watching.locks = o->watching.locks && v != VARIANT_ALONE;
  const int result = ask(&within, all, count, out, e);
  if (result == 0 && (out->kind == OPINION_CONTRADICTS || out->kind == OPINION_COMPILER)) {
    buffer why = {0};
    buffer_printf(&why, "%s%s", how[v], v == VARIANT_ALONE ? "" : out->why);
    free(out->why);
    out->why = buffer_take(&why);
    out->text = text;
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    all[i].text = NULL;
  }
  free(text);
  out->kind = before.kind;
  out->launches = before.launches;
  return result;
}

static int ask_variants(const opinion_options *o, bool ragged, replica *all, size_t count, opinion *out, error *e) {
  int result = 0;
  if (mentions(verify_text(all->source)->text, (const char *const[]){"atom"}, 1)) {
    result = ask_variant(o, VARIANT_TURNS, all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_AGREES &&
      mentions(verify_text(all->source)->text, (const char *const[]){"barrier"}, 1)) {
    result = ask_variant(o, VARIANT_ALONE, all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_AGREES && ragged) {
    result = ask_variant(o, VARIANT_RAGGED, all, count, out, e);
  }
  return result;
}

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

/* What launches are drawn from: the preconditions and, of host code, what each launch in that way has. */
typedef struct draws {
  premises said; /* its own list of others' texts, and of these */
  char *texts[WAY_TEXTS];
  size_t text_count;
  terms terms;
  drawing drawing;
} draws;

static void say_equal(draws *d, const char *what, uint64_t n) {
  buffer text = {0};
  buffer_printf(&text, "%s == %llu", what, (unsigned long long)n);
  char *made = d->texts[d->text_count++] = buffer_take(&text);
  d->said.items[d->said.count++] = (premise){.kind = PREMISE_EXPRESSION, .text = made};
}

/* Ids begin where the host code says, or at 0 as the verdict then assumes. */
static void say_way(draws *d, const struct host_way *w) {
  for (size_t i = 0; i < w->fact_count; i++) {
    d->said.items[d->said.count++] = (premise){.kind = PREMISE_EXPRESSION, .text = w->facts[i].text};
  }
  if (w->dimensions > 0) {
    say_equal(d, "get_work_dim()", w->dimensions);
  }
  static const char *const offsets[] = {"get_global_offset(0)", "get_global_offset(1)", "get_global_offset(2)"};
  for (unsigned i = 0; i < (w->dimensions > 0 ? w->dimensions : 3); i++) {
    say_equal(d, offsets[i], w->offset_known ? w->offset[i] : 0);
  }
}

static void draws_begin(const verify_source *s, const verify_answer *a, const struct host_way *w, draws *d) {
  const verify_kernel *seen = verify_kernel_find(s, a->kernel);
  *d = (draws){0};
  d->said.items =
      mem_calloc(a->preconditions.count + (w == NULL ? 0 : w->fact_count) + WAY_TEXTS, sizeof *d->said.items);
  if (a->preconditions.count > 0) {
    memcpy(d->said.items, a->preconditions.items, a->preconditions.count * sizeof *d->said.items);
  }
  d->said.count = a->preconditions.count;
  if (w != NULL) {
    say_way(d, w);
  }
  terms_read(&d->said, verify_signature(s, a->kernel), &d->terms);
  d->drawing = (drawing){.base = s->observed && seen != NULL && seen->launch_count > 0 ? &seen->launches[0] : NULL,
                         .source = s,
                         .kernel = a->kernel,
                         .terms = &d->terms,
                         .small = wants_small(s, a),
                         .seed = seed_of(a->kernel)};
  draw_begin(&d->drawing);
}

static void draws_end(draws *d) {
  draw_end(&d->drawing);
  terms_free(&d->terms);
  for (size_t i = 0; i < d->text_count; i++) {
    free(d->texts[i]);
  }
  free(d->said.items);
}

/* --- one kernel --------------------------------------------------------------------------------------------------- */

/* The launches of one way, or those that the preconditions allow. */
static int ask_launches(const opinion_options *o, const verify_source *s, const verify_answer *a,
                        const struct host_way *w, opinion *out, error *e) {
  draws d;
  draws_begin(s, a, w, &d);
  replica *all = mem_calloc(o->launches + 1, sizeof *all);
  const char *why = draw_obstacle(&d.drawing);
  const size_t count = why == NULL ? draw_all(&d.drawing, o->launches, all) : 0;
  int result = count > 0 ? ask_at_all(o, all, count, out, e) : 0;
  if (result == 0 && out->kind == OPINION_AGREES && spent() < o->until) {
    result = ask_variants(o, may_be_ragged(s, a), all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_AGREES && claims_bounds(o, a) && spent() < o->until) {
    result = ask_bounds(*o, &d.terms, all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_CONTRADICTS && premises_have(&a->assumptions, PREMISE_OVERFLOW)) {
    out->kind = OPINION_OVERFLOW;
  }
  if (result == 0 && out->kind == OPINION_NONE) {
    out->why = mem_strdup(why != NULL  ? why
                          : count == 0 ? draw_none(&d.drawing)
                                       : "its program does not build for this device, or does not run there in time");
  }
  for (size_t i = 0; i < count; i++) {
    replica_free(&all[i]);
  }
  free(all);
  draws_end(&d);
  return result;
}

/* Ways that had no launches, and why not the first of them. */
typedef struct ways_left {
  size_t count;
  char *why;
} ways_left;

static void leave(ways_left *l, size_t count, const char *why) {
  l->count += count;
  l->why = l->why == NULL ? mem_strdup(why) : l->why;
}

static void say_left(const ways_left *l, const verify_kernel *k, opinion *out) {
  buffer text = {0};
  if (l->count < k->way_count) {
    buffer_printf(&text, "in %zu of the %zu ways in which it is launched: ", l->count, k->way_count);
  }
  buffer_puts(&text, l->why);
  out->why = buffer_take(&text);
}

/* Each way has launches of its own; what is open in one is said beside what the others showed. */
static int ask_ways(const opinion_options *o, const verify_source *s, const verify_answer *a, const verify_kernel *k,
                    opinion *out, error *e) {
  int result = 0;
  ways_left left = {0};
  for (size_t i = 0; i < k->way_count && result == 0 && out->kind <= OPINION_AGREES; i++) {
    opinion one = {.kind = OPINION_NONE};
    if (i > 0 && spent() >= o->until) {
      leave(&left, k->way_count - i, "the time for it was over");
      break;
    }
    result = ask_launches(o, s, a, &k->ways[i], &one, e);
    if (result == 0 && one.kind == OPINION_NONE) {
      leave(&left, 1, one.why);
    }
    if (one.kind == OPINION_NONE) {
      opinion_free(&one);
    } else {
      one.launches += out->launches;
      opinion_free(out);
      *out = one;
    }
  }
  if (result == 0 && out->kind <= OPINION_AGREES && left.count > 0) {
    say_left(&left, k, out);
  }
  free(left.why);
  return result;
}

int opinion_ask(const opinion_options *o, const verify_source *s, const verify_answer *a, opinion *out, error *e) {
  *out = (opinion){.kind = OPINION_NONE};
  const char *why = obstacle(o, s, a);
  if (why != NULL) {
    out->why = mem_strdup(why);
    return 0;
  }
  opinion_options within = *o;
  within.watching.careful = true;
  within.watching.locks = premises_have(&a->assumptions, PREMISE_LOCKS);
  within.watching.seconds = a->seconds > SECONDS_LEAST ? a->seconds : SECONDS_LEAST;
  within.until = spent() + RUNS * within.watching.seconds;
  const verify_kernel *k = a->host == NULL ? NULL : verify_kernel_find(s, a->kernel);
  if (k == NULL || k->way_count == 0) {
    return ask_launches(&within, s, a, NULL, out, e);
  }
  within.launches = (o->launches + (unsigned)k->way_count - 1) / (unsigned)k->way_count;
  return ask_ways(&within, s, a, k, out, e);
}

void opinion_free(opinion *o) {
  free(o->why);
  free(o->text);
  free(o->options);
  replica_free(&o->launch);
  *o = (opinion){0};
}
