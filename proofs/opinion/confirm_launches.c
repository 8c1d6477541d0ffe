/* The launches of counterexamples, watched: all of a kernel together, and each alone where together they do not end well. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "proofs/opinion/opinion.h"

static bool is_race(const answer_finding *f) { return strcmp(f->rule, "data-race") == 0; }

/* Whether a line is that of a place, or of a call that the place was inlined by. */
static bool is_at(const answer_place *p, uint32_t line) {
  bool at = p->at.line == line;
  for (size_t i = 0; i < p->inlined_count; i++) at = at || p->inlined[i].line == line;
  return at;
}

static bool is_outside(const answer_finding *f) { return strcmp(f->rule, "out-of-bounds") == 0; }

/* Of a race the lines, in either order. Divergence shows at the barrier that some work-items reach, whichever that is. */
static bool matches(const answer_finding *f, const watched_finding *w) {
  if (is_outside(f)) return f->place_count > 0 && is_at(&f->places[0], w->lines[0]);
  if (!is_race(f) || w->divergence) return !is_race(f) && w->divergence;
  const answer_place *p = f->places;
  const uint32_t a = w->lines[0], b = w->lines[1];
  if (f->place_count < 2 || b == 0) /* the access before is not known any more */
    return f->place_count > 0 && (is_at(&p[0], a) || (f->place_count > 1 && is_at(&p[1], a)));
  return (is_at(&p[0], a) && is_at(&p[1], b)) || (is_at(&p[0], b) && is_at(&p[1], a));
}

static bool has_copy(const answer_finding *f) {
  bool has = false;
  for (size_t i = 0; i < f->place_count; i++) has = has || f->places[i].copy;
  return has;
}

static confirmation judge(const answer_finding *f, const watched *w, size_t launch) {
  const watched_finding *other = NULL;
  for (size_t i = 0; i < w->count; i++) {
    if (w->items[i].launch == launch && matches(f, &w->items[i]))
      return (confirmation){CONFIRMED_YES, mem_strdup("a run of this launch with its accesses watched shows it")};
    other = w->items[i].launch == launch ? &w->items[i] : other;
  }
  buffer why = {0};
  if (w->launches == 0 || !w->well) {
    buffer_puts(&why, "this launch does not run to its end here, with its accesses watched");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  if (has_copy(f)) {
    buffer_puts(&why, "of asynchronous copies a run does not show all that is wrong");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  buffer_puts(&why, "a run of this launch with its accesses watched ");
  if (other != NULL)
    buffer_printf(&why, "shows something else: %s", other->sentence);
  else
    buffer_puts(&why, "does not show it");
  return (confirmation){CONFIRMED_NO, buffer_take(&why)};
}

/* Those whose findings are accesses outside, or those whose are not. */
static int confirm_some(const watching *w, const replica *launches, size_t count, confirmation *out, error *e) {
  replica *some = mem_calloc(count + 1, sizeof *some);
  size_t *which = mem_calloc(count + 1, sizeof *which), wanted = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_outside(launches[i].finding) == w->bounds) {
      some[wanted] = launches[i];
      which[wanted++] = i;
    }
  }
  watched all = {0};
  int result = wanted == 0 ? 0 : watch(w, some, wanted, "", &all, e);
  for (size_t i = 0; i < wanted && result == 0; i++) {
    confirmation *one = &out[which[i]];
    *one = judge(some[i].finding, &all, i);
    if (one->how != CONFIRMED_YES && wanted > 1) { /* the same pair of places is told once of several launches */
      watched alone;
      result = watch(w, &some[i], 1, "", &alone, e);
      free(one->why);
      *one = judge(some[i].finding, &alone, 0);
      watched_free(&alone);
    }
  }
  watched_free(&all);
  free(some);
  free(which);
  return result;
}

int opinion_confirm(const opinion_options *o, const replica *launches, size_t count, double seconds, confirmation *out,
                    error *e) {
  enum { SECONDS_LEAST = 3 };
  watching w = o->watching;
  w.seconds = seconds > SECONDS_LEAST ? seconds : SECONDS_LEAST;
  if (confirm_some(&w, launches, count, out, e) != 0) return -1;
  w.bounds = true;
  return confirm_some(&w, launches, count, out, e);
}
