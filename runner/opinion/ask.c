/* Launches are watched; one that contradicts is watched again alone, then without optimisation. */
#include "runner/opinion/ask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/opinion/variant.h"

double opinion_spent(void) {
  struct rusage u;
  return getrusage(RUSAGE_CHILDREN, &u) != 0 ? 0
                                             : (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                                                   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

bool opinion_mentions(const char *text, const char *const *words, size_t count) {
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    found = found || strstr(text, words[i]) != NULL;
  }
  return found;
}

/* Whether the proof says that accesses stay inside: of some it may not have been shown. */
static bool claims_bounds(const opinion_options *o, const verify_answer *a) {
  return o->verify->bounds && !premises_have(&a->assumptions, PREMISE_INSIDE);
}

/* How many have groups like those of `one`. */
static size_t alike(const replica *all, size_t count, const replica *one) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    n += memcmp(all[i].local, one->local, sizeof one->local) == 0 ? 1 : 0;
  }
  return n;
}

/* Launches with groups of one size, the most frequent one, come first; gives how many. A device may build a kernel for each
 * size. */
static size_t put_alike_first(replica *all, size_t count) {
  size_t best = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t n = alike(all, count, &all[i]);
    best = n > most ? i : best;
    most = n > most ? n : most;
  }
  const replica one = count > 0 ? all[best] : (replica){0};
  for (size_t i = 0, to = 0; i < count; i++) {
    if (memcmp(all[i].local, one.local, sizeof one.local) == 0) {
      const replica found = all[i];
      memmove(&all[to + 1], &all[to], (i - to) * sizeof *all);
      all[to++] = found;
    }
  }
  return most;
}

/* --- what is found ------------------------------------------------------------------------------------------------ */

static int examine(const opinion_options *o, const replica *launch, opinion *out, error *e) {
  watched alone = {0}, plain = {0};
  int result = watch(&o->watching, launch, 1, "", &alone, e);
  const watched_finding *found = watched_first(&alone);
  if (result == 0 && found != NULL) {
    result = watch(&o->watching, launch, 1, "-cl-opt-disable", &plain, e);
    out->kind = plain.well && plain.count == 0 ? OPINION_COMPILER : OPINION_CONTRADICTS;
    free(out->why);
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

bool opinion_has_time(const opinion_options *o) { return o->until - opinion_spent() >= 1; }

/* A run has what is left of the time of all runs of the kernel. */
static int watch_rest(const opinion_options *o, const replica *all, size_t count, watched *out, error *e) {
  watching within = o->watching;
  const double left = o->until - opinion_spent();
  within.seconds = left < within.seconds ? left : within.seconds;
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
    out->barriers = out->barriers || (seen.launches > 0 && (!o->watching.accesses || o->watching.only != NULL));
    out->kind = out->launches > 0 ? OPINION_AGREES : OPINION_NONE;
    if (result == 0 && first != NULL) {
      result = examine_from(o, all, begin + first->launch, count, out, e);
    }
    more = first == NULL && !seen.well && seen.launches > 0 && opinion_has_time(o);
    begin += seen.launches;
    watched_free(&seen);
  }
  return result;
}

/* --- changed sources ---------------------------------------------------------------------------------------------- */

/* OpenCL C 3.0 has all of 2.0, but what it leaves to devices, and some have it in 3.0 alone. */
static char *of_later_language(const asked_source *s) {
  const char *options = asked_text(s)->options;
  char *later = options == NULL || strstr(options, "-cl-std=CL2.0") == NULL ? NULL : mem_strdup(options);
  if (later != NULL) {
    strstr(later, "CL2.0")[2] = '3';
  }
  return later;
}

/* The first `now` of all launches. */
static int ask_at_all(const opinion_options *o, replica *all, size_t now, size_t count, opinion *out, error *e) {
  const int result = ask(o, all, now, out, e);
  if (result != 0 || out->kind != OPINION_NONE || out->options != NULL) {
    return result;
  }
  out->options = of_later_language(all->source);
  for (size_t i = 0; i < count && out->options != NULL; i++) {
    all[i].options = out->options;
  }
  return out->options == NULL ? 0 : ask(o, all, now, out, e);
}

/* The language lets the last group be smaller, and the proof is not about groups of some size. */
static bool may_be_ragged(const asked_source *s, const verify_answer *a) {
  static const char *const sizes[] = {"_size(", "get_num_groups", "elements("};
  const char *options = asked_text(s)->options;
  const bool later =
      options != NULL && (strstr(options, "-cl-std=CL2") != NULL || strstr(options, "-cl-std=CL3") != NULL);
  bool may = later && strstr(options, "-cl-uniform-work-group-size") == NULL &&
             !premises_have(&a->preconditions, PREMISE_EVEN);
  for (size_t i = 0; i < a->preconditions.count; i++) {
    may = may && !opinion_mentions(a->preconditions.items[i].text, sizes, sizeof sizes / sizeof *sizes);
  }
  return may;
}

/* The same launches, by work-items that come in another order, or in groups of two sizes. Takes the text over; `ran`:
 * launches were made. */
static int ask_variant(const opinion_options *o, variant v, char *text, replica *all, size_t count, opinion *out,
                       bool *ran, error *e) {
  static const char *const how[] = {[VARIANT_TURNS] = "where work-items take turns at atomic functions, ",
                                    [VARIANT_RAGGED] = "with a last work-group that is smaller than the others, ",
                                    [VARIANT_ALONE] = "work-items of a group do not come to the same barriers"};
  const opinion before = *out;
  *ran = false;
  if (text == NULL || !opinion_has_time(o)) {
    free(text);
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    all[i].text = text;
  }
  opinion_options within = *o;
  within.watching.accesses = true; /* who comes to barriers is seen of the kernel as it is */
  within.watching.only = v == VARIANT_ALONE ? VARIANT_BARRIERS : NULL;
  const int result = ask(&within, all, count, out, e);
  *ran = out->kind != OPINION_NONE;
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

static char *changed(variant v, const replica *all, const char *word) {
  return opinion_mentions(asked_text(all->source)->text, &word, 1) ? variant_text(v, all->source, all->kernel) : NULL;
}

/* Whether work-items may also meet where no barrier stands. */
static bool meets_otherwise(const replica *all) {
  static const char *const others[] = {"async_", "wait_group", "include", "##"};
  return opinion_mentions(asked_text(all->source)->text, others, sizeof others / sizeof *others);
}

/* A launch that shows divergence as the kernel is says more of it than one of the changed kernel. */
static int ask_as_it_is(const opinion_options *o, opinion *out, error *e) {
  watched seen;
  char *const text = out->text;
  out->launch.text = NULL;
  const int result = watch(&o->watching, &out->launch, 1, "", &seen, e);
  const watched_finding *f = watched_first(&seen);
  if (result == 0 && f != NULL && f->divergence) {
    free(out->why);
    out->why = mem_strdup(f->sentence);
    out->text = NULL;
    free(text);
  } else {
    out->launch.text = text;
  }
  watched_free(&seen);
  return result;
}

/* Not the first time that these launches are made. */
static int ask_again(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  const uint64_t launches = out->launches;
  const int result = opinion_has_time(o) ? ask(o, all, count, out, e) : 0;
  out->launches = launches;
  out->kind = out->kind == OPINION_NONE ? OPINION_AGREES : out->kind;
  return result;
}

/* Who comes to barriers: by the changed kernel, or, if that cannot be run and it was not looked at, by the kernel as it is. */
static int ask_barriers(const opinion_options *o, char *alone, bool open, replica *all, size_t count, opinion *out,
                        error *e) {
  bool ran = false;
  const int result = ask_variant(o, VARIANT_ALONE, alone, all, count, out, &ran, e);
  return result != 0                                   ? result
         : out->kind == OPINION_CONTRADICTS            ? ask_as_it_is(o, out, e)
         : out->kind == OPINION_AGREES && open && !ran ? ask_again(o, all, count, out, e)
                                                       : 0;
}

static int ask_variants(const opinion_options *o, bool ragged, replica *all, size_t count, opinion *out, error *e) {
  bool ran = false;
  int result = ask_variant(o, VARIANT_TURNS, changed(VARIANT_TURNS, all, "atom"), all, count, out, &ran, e);
  if (result == 0 && out->kind == OPINION_AGREES && ragged) {
    result = ask_variant(o, VARIANT_RAGGED, changed(VARIANT_RAGGED, all, ""), all, count, out, &ran, e);
  }
  return result;
}

/* Each access held against the end of its memory. */
static int ask_bounds(opinion_options within, const terms *t, replica *all, size_t count, opinion *out, error *e) {
  within.watching.bounds = true;
  within.watching.sized = t;
  return ask_again(&within, all, count, out, e);
}

/* Launches with groups of one size, in all forms of the kernel; each is built once then. */
static int ask_alike(const opinion_options *o, const asked_source *s, const verify_answer *a, const terms *t,
                     replica *all, size_t alike, size_t count, opinion *out, error *e) {
  char *alone = changed(VARIANT_ALONE, all, "barrier");
  opinion_options first = *o;
  first.watching.accesses = alone != NULL && !meets_otherwise(all);
  int result = ask_at_all(&first, all, alike, count, out, e);
  if (result == 0 && out->kind == OPINION_AGREES && alone != NULL) {
    result = ask_barriers(o, alone, first.watching.accesses, all, alike, out, e);
  } else {
    free(alone);
  }
  if (result == 0 && out->kind == OPINION_AGREES) {
    result = ask_variants(o, may_be_ragged(s, a), all, alike, out, e);
  }
  if (result == 0 && out->kind == OPINION_AGREES && claims_bounds(o, a)) {
    result = ask_bounds(*o, t, all, alike, out, e);
  }
  return result;
}

int ask_all(const opinion_options *o, const asked_source *s, const verify_answer *a, const terms *t, replica *all,
            size_t count, opinion *out, error *e) {
  int result = 0;
  for (size_t at = 0; at < count && result == 0 && out->kind <= OPINION_AGREES && opinion_has_time(o);) {
    const size_t alike = put_alike_first(all + at, count - at);
    result = ask_alike(o, s, a, t, all + at, alike, count - at, out, e);
    at += alike;
  }
  if (result == 0 && out->kind == OPINION_AGREES && !out->barriers) {
    out->why = mem_strdup("its barriers were not looked at, as the time for it was over");
  }
  return result;
}
