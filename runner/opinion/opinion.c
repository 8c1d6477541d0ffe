/* Launches are drawn for a kernel, or for each way in which host code launches it, and asked. */
#include "runner/opinion/opinion.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/opinion/ask.h"
#include "runner/opinion/draw.h"
#include "runner/sources/host_way.h"

enum { SECONDS_LEAST = 3, WAY_TEXTS = 4 };

/* --- what a kernel allows ------------------------------------------------------------------------------------------ */

/* Large numbers make loops long, and what a proof says of overflow is that there is none. */
static bool wants_small(const asked_source *s, const verify_answer *a) {
  static const char *const loops[] = {"for", "while", "do", "goto", "include", "##"};
  return opinion_mentions(asked_text(s)->text, loops, sizeof loops / sizeof *loops) ||
         premises_have(&a->assumptions, PREMISE_OVERFLOW) || premises_have(&a->assumptions, PREMISE_SIZES);
}

static uint64_t seed_of(const char *kernel) {
  uint64_t seed = 40;
  for (const char *c = kernel; *c != '\0'; c++) {
    seed = replica_draw(seed, (unsigned char)*c);
  }
  return seed;
}

/* Why a run could not be held against this proof: lent; NULL: it can. */
static const char *obstacle(const opinion_options *o, const asked_source *s, const verify_answer *a) {
  return asked_signature(s, a->kernel) == NULL ? "its parameters are not known"
         : o->verify->warp > 0                 ? "the proof relies on work-items that run in step"
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
  if (w->dimensions > 0) {
    say_equal(d, "get_work_dim()", w->dimensions);
  }
  static const char *const offsets[] = {"get_global_offset(0)", "get_global_offset(1)", "get_global_offset(2)"};
  for (unsigned i = 0; i < (w->dimensions > 0 ? w->dimensions : 3); i++) {
    say_equal(d, offsets[i], w->offset_known ? w->offset[i] : 0);
  }
}

static void draws_begin(const asked_source *s, const verify_answer *a, const struct host_way *w, draws *d) {
  const asked_kernel *seen = asked_kernel_find(s, a->kernel);
  *d = (draws){0};
  d->said.items = mem_calloc(a->preconditions.count + WAY_TEXTS, sizeof *d->said.items);
  if (a->preconditions.count > 0) {
    memcpy(d->said.items, a->preconditions.items, a->preconditions.count * sizeof *d->said.items);
  }
  d->said.count = a->preconditions.count;
  if (w != NULL) {
    say_way(d, w);
  }
  terms_read(&d->said, w, asked_signature(s, a->kernel), &d->terms);
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
static int ask_launches(const opinion_options *o, const asked_source *s, const verify_answer *a,
                        const struct host_way *w, opinion *out, error *e) {
  draws d;
  draws_begin(s, a, w, &d);
  replica *all = mem_calloc(o->launches + 1, sizeof *all);
  const char *why = draw_obstacle(&d.drawing);
  const size_t count = why == NULL ? draw_all(&d.drawing, o->launches, all) : 0;
  const int result = count > 0 ? ask_all(o, s, a, &d.terms, all, count, out, e) : 0;
  if (result == 0 && out->kind == OPINION_CONTRADICTS &&
      (premises_have(&a->assumptions, PREMISE_OVERFLOW) || premises_have(&a->assumptions, PREMISE_DIVISION))) {
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

static void say_left(const ways_left *l, const asked_kernel *k, opinion *out) {
  buffer text = {0};
  if (l->count < k->way_count) {
    buffer_printf(&text, "in %zu of the %zu ways in which it is launched: ", l->count, k->way_count);
  }
  buffer_puts(&text, l->why);
  free(out->why);
  out->why = buffer_take(&text);
}

/* Each way has launches of its own; what is open in one is said beside what the others showed. */
static int ask_ways(const opinion_options *o, const asked_source *s, const verify_answer *a, const asked_kernel *k,
                    opinion *out, error *e) {
  int result = 0;
  ways_left left = {0};
  for (size_t i = 0; i < k->way_count && result == 0 && out->kind <= OPINION_AGREES; i++) {
    opinion one = {.kind = OPINION_NONE};
    if (i > 0 && !opinion_has_time(o)) {
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

int opinion_ask(const opinion_options *o, const asked_source *s, const verify_answer *a, opinion *out, error *e) {
  *out = (opinion){.kind = OPINION_NONE};
  const char *why = obstacle(o, s, a);
  if (why != NULL) {
    out->why = mem_strdup(why);
    return 0;
  }
  opinion_options within = *o;
  within.watching.careful = true;
  within.watching.seconds = a->seconds > SECONDS_LEAST ? a->seconds : SECONDS_LEAST;
  within.until = opinion_spent() + within.watching.seconds;
  const asked_kernel *k = a->host == NULL ? NULL : asked_kernel_find(s, a->kernel);
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
