/* A capture of the launches, under `races`; under `coverage`, too, where there are barriers that work-items may miss. */
#include "runner/opinion/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "reports/words/words.h"
#include "runner/counterexample/replica.h"
#include "runner/opinion/terms.h"

enum { WALL = 20 }; /* seconds of a busy machine for one of the processor, which is what limits it */

typedef struct looking {
  const watching *watching;
  const char *text; /* of the source */
  size_t count;
  watched *out;
} looking;

static bool is_divergence(const db_finding *f) { return strstr(f->rule, "divergence") != NULL; }

static bool mentions(const char *text, const char *const *words, size_t count) {
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    found = found || strstr(text, words[i]) != NULL;
  }
  return found;
}

/* Two writes of which `races` does not know whether they bring the same: of pixels, structures, half, what functions store. */
static bool may_be_alike(const looking *l, const db_finding *f) {
  static const char *const words[] = {"struct", "union",  "half",     "frexp", "fract",
                                      "modf",   "sincos", "lgamma_r", "remquo"};
  const bool pixel = f->detail.space != NULL && strcmp(f->detail.space, "image") == 0;
  bool writes = pixel || (!f->detail.value_size.known && mentions(l->text, words, sizeof words / sizeof *words));
  for (size_t i = 0; i < f->place_count; i++) {
    writes = writes && strcmp(f->places[i].access, "write") == 0;
  }
  return writes;
}

static bool counts(const looking *l, const db_finding *f) {
  const char *const races[] = {"data-race", "barrier-divergence", "async-divergence", "benign-race"},
                    *const outside[] = {"out-of-bounds", "null-pointer"};
  const char *const *rules = l->watching->bounds ? outside : races;
  const size_t of = l->watching->bounds ? 2 : l->watching->same_value ? 4 : 3;
  if (l->watching->sized != NULL && l->watching->bounds &&
      (f->detail.object == NULL || f->detail.object[0] == '\0' || !terms_size(l->watching->sized, f->detail.object))) {
    return false;
  }
  if (l->watching->only != NULL && (f->detail.object == NULL || strcmp(f->detail.object, l->watching->only) != 0)) {
    return false;
  }
  const bool unsure = l->watching->careful && !l->watching->same_value && may_be_alike(l, f);
  for (size_t i = 0; i < of && !unsure; i++) {
    if (strcmp(f->rule, rules[i]) == 0) {
      return f->detail.launch.known && f->detail.launch.value < l->count;
    }
  }
  return false;
}

static void look(void *context, const view *v) {
  const looking *l = context;
  watched *out = l->out;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    if (!counts(l, f)) {
      continue;
    }
    buffer text = {0};
    finding_sentence(f, NULL, &text);
    *ARRAY_ADD(out->items, out->count, out->capacity) = (watched_finding){
        .divergence = is_divergence(f),
        .launch = (size_t)f->detail.launch.value,
        .lines = {f->place_count > 0 ? f->places[0].line : 0, f->place_count > 1 ? f->places[1].line : 0},
        .sentence = buffer_take(&text)};
  }
}

const watched_finding *watched_first(const watched *w) {
  const watched_finding *first = NULL;
  for (size_t i = 0; i < w->count; i++) {
    const watched_finding *f = &w->items[i];
    const bool earlier = first == NULL || f->launch < first->launch;
    if (earlier || (f->launch == first->launch && f->divergence && !first->divergence)) {
      first = f;
    }
  }
  return first;
}

void watched_free(watched *w) {
  for (size_t i = 0; i < w->count; i++) {
    free(w->items[i].sentence);
  }
  free(w->items);
  *w = (watched){0};
}

/* Whether work-items can come to a place where they have to meet. A file that it includes may have one. */
static bool may_meet(const char *text) {
  static const char *const words[] = {"barrier", "async_", "wait_group", "include", "##"};
  return mentions(text, words, sizeof words / sizeof *words);
}

int watch(const watching *w, const replica *all, size_t count, const char *more, watched *out, error *e) {
  capture c = {0};
  buffer path = {0};
  const char *const text = all->text != NULL ? all->text : asked_text(all->source)->text;
  looking l = {w, text, count, out};
  const char *const kernel = all->kernel;
  const bool meets = may_meet(text);
  const trial_kind *kind = w->bounds               ? &trial_memory
                           : !meets || w->accesses ? &trial_accesses
                           : w->careful            ? &trial_watched
                                                   : &trial_races;
  const double share = kind == &trial_watched ? w->seconds / 2 : w->seconds; /* it runs them twice */
  const trial_options o = {.base = w->base,
                           .kernels = {&kernel, 1, NULL, 0},
                           .folder = w->folder,
                           .limit = WALL * w->seconds,
                           .processor = (unsigned)(share + 0.999),
                           .strict = w->careful,
                           .look = look,
                           .context = &l};
  trial_result seen = {0};
  *out = (watched){0};
  buffer_printf(&path, "%s/drawn.cltc", w->folder);
  replicas_capture(all, count, more, &c);
  const int result =
      capture_write(&c, buffer_text(&path), e) != 0 ? -1 : trial_run(kind, &o, buffer_text(&path), &seen, e);
  out->launches = seen.launches < count ? seen.launches : count; /* some looks take several runs */
  out->well = seen.launches > 0 && seen.code != EXIT_BASELINE;
  capture_free(&c);
  buffer_free(&path);
  return result;
}
