/* The launches of counterexamples, watched: all of a kernel together, and each alone where together they do not end well. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/opinion/opinion.h"

static bool is_race(const answer_finding *f) { return strcmp(f->rule, "data-race") == 0; }

/* Whether a line is that of a place, or of a call that the place was inlined by. */
static bool is_at(const answer_place *p, uint32_t line) {
  bool at = p->at.line == line;
  for (size_t i = 0; i < p->inlined_count; i++) {
    at = at || p->inlined[i].line == line;
  }
  return at;
}

/* Of a race the lines, in either order. Divergence shows at the barrier that some work-items reach, whichever that is. */
static bool matches(const answer_finding *f, const watched_finding *w) {
  if (!is_race(f) || w->divergence) {
    return !is_race(f) && w->divergence;
  }
  const answer_place *p = f->places;
  const uint32_t a = w->lines[0], b = w->lines[1];
  if (f->place_count < 2 || b == 0) { /* the access before is not known any more */
    return f->place_count > 0 && (is_at(&p[0], a) || (f->place_count > 1 && is_at(&p[1], a)));
  }
  return (is_at(&p[0], a) && is_at(&p[1], b)) || (is_at(&p[0], b) && is_at(&p[1], a));
}

static bool has_copy(const answer_finding *f) {
  bool has = false;
  for (size_t i = 0; i < f->place_count; i++) {
    has = has || f->places[i].copy;
  }
  return has;
}

static confirmation judge(const answer_finding *f, const watched *w, size_t launch) {
  const watched_finding *other = NULL;
  for (size_t i = 0; i < w->count; i++) {
    if (w->items[i].launch == launch && matches(f, &w->items[i])) {
      return (confirmation){CONFIRMED_YES, mem_strdup("a run of this launch with its accesses watched shows it")};
    }
    other = w->items[i].launch == launch ? &w->items[i] : other;
  }
  buffer why = {0};
  if (w->launches <= launch || !w->well) {
    buffer_puts(&why, "this launch does not run to its end here, with its accesses watched");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  if (has_copy(f)) {
    buffer_puts(&why, "of asynchronous copies a run does not show all that is wrong");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  buffer_puts(&why, "a run of this launch with its accesses watched ");
  if (other != NULL) {
    buffer_printf(&why, "shows something else: %s", other->sentence);
  } else {
    buffer_puts(&why, "does not show it");
  }
  return (confirmation){CONFIRMED_NO, buffer_take(&why)};
}

int opinion_confirm(const opinion_options *o, const replica *launches, size_t count, double seconds, confirmation *out,
                    error *e) {
  enum { SECONDS_LEAST = 3 };
  watching w = o->watching;
  w.seconds = seconds > SECONDS_LEAST ? seconds : SECONDS_LEAST;
  watched all;
  int result = watch(&w, launches, count, "", &all, e);
  for (size_t i = 0; i < count && result == 0; i++) {
    out[i] = judge(launches[i].finding, &all, i);
    if (out[i].how == CONFIRMED_NOT_LAUNCHABLE && count > 1) {
      watched alone;
      result = watch(&w, &launches[i], 1, "", &alone, e);
      free(out[i].why);
      out[i] = judge(launches[i].finding, &alone, 0);
      watched_free(&alone);
    }
  }
  watched_free(&all);
  return result;
}
