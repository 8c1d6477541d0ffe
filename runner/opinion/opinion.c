/* Draw, watch; a launch that contradicts is watched again alone, then without optimisation. */
#include "runner/opinion/opinion.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/opinion/draw.h"
#include "runner/opinion/variant.h"

enum { SECONDS_LEAST = 3, RUNS = 4 };

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
  bool small = mentions(verify_text(s)->text, loops, sizeof loops / sizeof *loops);
  for (size_t i = 0; i < a->assumptions.count; i++) {
    small = small || strstr(a->assumptions.items[i], "overflow") != NULL;
  }
  return small;
}

static bool relies_on_locks(const verify_answer *a) {
  bool relies = false;
  for (size_t i = 0; i < a->assumptions.count; i++) {
    relies = relies || strstr(a->assumptions.items[i], "under a lock") != NULL;
  }
  return relies;
}

static bool relies_on_no_overflow(const verify_answer *a) {
  bool relies = false;
  for (size_t i = 0; i < a->assumptions.count; i++) {
    relies = relies || strncmp(a->assumptions.items[i], "no signed overflow", 18) == 0;
  }
  return relies;
}

/* Whether the proof says that accesses stay inside: of some it may not have been shown. */
static bool claims_bounds(const opinion_options *o, const verify_answer *a) {
  bool claims = o->verify->bounds;
  for (size_t i = 0; i < a->assumptions.count; i++) {
    claims = claims && strncmp(a->assumptions.items[i], "accesses stay inside", 20) != 0;
  }
  return claims;
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

/* A launch that crashes, as by a division by zero, ends its process: the launches after it are made in another one. */
static int ask(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  enum { PROCESSES = 6 };
  int result = 0;
  bool more = true;
  for (size_t begin = 0, n = 0; begin < count && n < PROCESSES && result == 0 && more; n++) {
    watched seen;
    result = watch(&o->watching, &all[begin], count - begin, "", &seen, e);
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
  static const char *const sizes[] = {"same size", "_size(", "get_num_groups", "elements("};
  const char *options = verify_text(s)->options;
  const bool later =
      options != NULL && (strstr(options, "-cl-std=CL2") != NULL || strstr(options, "-cl-std=CL3") != NULL);
  bool may = later && strstr(options, "-cl-uniform-work-group-size") == NULL;
  for (size_t i = 0; i < a->preconditions.count; i++) {
    may = may && !mentions(a->preconditions.items[i], sizes, sizeof sizes / sizeof *sizes);
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

int opinion_ask(const opinion_options *o, const verify_source *s, const verify_answer *a, opinion *out, error *e) {
  *out = (opinion){.kind = OPINION_NONE};
  const char *why = obstacle(o, s, a);
  if (why != NULL) {
    out->why = mem_strdup(why);
    return 0;
  }
  terms t;
  terms_read(&a->preconditions, verify_signature(s, a->kernel), &t);
  const verify_kernel *seen = verify_kernel_find(s, a->kernel);
  drawing d = {.base = s->observed && seen != NULL && seen->launch_count > 0 ? &seen->launches[0] : NULL,
               .source = s,
               .kernel = a->kernel,
               .terms = &t,
               .small = wants_small(s, a),
               .seed = seed_of(a->kernel)};
  draw_begin(&d);
  replica *all = mem_calloc(o->launches + 1, sizeof *all);
  opinion_options within = *o;
  within.watching.careful = true;
  within.watching.locks = relies_on_locks(a);
  within.watching.seconds = a->seconds > SECONDS_LEAST ? a->seconds : SECONDS_LEAST;
  within.until = spent() + RUNS * within.watching.seconds;
  why = draw_obstacle(&d);
  const size_t count = why == NULL ? draw_all(&d, o->launches, all) : 0;
  int result = count > 0 ? ask_at_all(&within, all, count, out, e) : 0;
  if (result == 0 && out->kind == OPINION_AGREES && claims_bounds(o, a) && spent() < within.until) {
    result = ask_bounds(within, &t, all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_AGREES && spent() < within.until) {
    result = ask_variants(&within, may_be_ragged(s, a), all, count, out, e);
  }
  if (result == 0 && out->kind == OPINION_CONTRADICTS && relies_on_no_overflow(a)) {
    out->kind = OPINION_OVERFLOW;
  }
  if (result == 0 && out->kind == OPINION_NONE) {
    out->why = mem_strdup(why != NULL  ? why
                          : count == 0 ? "no launch was found that satisfies the preconditions"
                                       : "its program does not build for this device, or does not run there in time");
  }
  for (size_t i = 0; i < count; i++) {
    replica_free(&all[i]);
  }
  free(all);
  draw_end(&d);
  terms_free(&t);
  return result;
}

void opinion_free(opinion *o) {
  free(o->why);
  free(o->text);
  free(o->options);
  replica_free(&o->launch);
  *o = (opinion){0};
}
