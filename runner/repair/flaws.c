/* Answers of the proof engine to flaws. */
#include "runner/repair/flaws.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/engine/answer.h"

prove_options repair_question(const prove_options *as) {
  prove_options o = *as;
  o.bounds = o.barriers = o.explain = false;
  o.first_only = true;
  return o;
}

/* --- flaws ------------------------------------------------------------------------------------------------------- */

static void add_step(flaw_path *w, const answer_spot *at, const char *file) {
  const bool here = strcmp(at->file, file) == 0;
  w->steps[w->count].line = here ? at->line : 0;
  w->steps[w->count++].column = here ? at->column : 0;
}

/* The engine names the innermost call first. */
static flaw_path way_of(const answer_place *p, const char *file) {
  enum { MOST = sizeof((flaw_path *)NULL)->steps / sizeof((flaw_path *)NULL)->steps[0] };
  flaw_path w = {0};
  for (size_t i = p->inlined_count; i-- > 0 && w.count + 1 < MOST;) {
    add_step(&w, &p->inlined[i], file);
  }
  add_step(&w, &p->at, file);
  return w;
}

static flaw_kind kind_of(const answer_finding *f) {
  if (strcmp(f->rule, "barrier-divergence") == 0) {
    return FLAW_DIVERGENCE;
  }
  if (strcmp(f->rule, "data-race") != 0 || f->place_count < 2) {
    return FLAW_UNDECIDED;
  }
  const answer_place *p = f->places;
  const bool known = p[0].has_item && p[1].has_item;
  return known && memcmp(p[0].group, p[1].group, sizeof p[0].group) != 0 ? FLAW_BETWEEN : FLAW_RACE;
}

static char *joined(const premises *p) {
  buffer text = {0};
  for (size_t i = 0; i < p->count; i++) {
    buffer_printf(&text, "%s%s", i == 0 ? "" : ", ", p->items[i].text);
  }
  return buffer_take(&text);
}

/* What is wrong, else why there is no proof. */
static char *message_of(const verify_answer *a) {
  buffer text = {0};
  if (a->finding_count > 0) {
    record_sentence(&a->findings[0], &text);
  } else {
    buffer_puts(&text, a->reason == NULL ? "" : a->reason);
  }
  return buffer_take(&text);
}

static flaw flaw_of(const verify_answer *a, const char *file) {
  const answer_finding *f = a->finding_count > 0 ? &a->findings[0] : NULL;
  flaw made = {.kind = a->verdict == ANSWER_VERIFIED ? FLAW_NONE : FLAW_UNDECIDED, .order_shows = a->order_shows};
  if (a->verdict != ANSWER_VERIFIED && f != NULL) {
    made.kind = kind_of(f);
    made.definite = f->definite;
    made.fence = f->space == NULL                  ? 0
                 : strcmp(f->space, "local") == 0  ? FENCE_LOCAL
                 : strcmp(f->space, "global") == 0 ? FENCE_GLOBAL
                                                   : 0;
    made.both_write =
        f->place_count > 1 && strcmp(f->places[0].access, "read") != 0 && strcmp(f->places[1].access, "read") != 0;
    for (size_t i = 0; i < f->place_count && i < 2; i++) {
      made.ways[i] = way_of(&f->places[i], file);
    }
  }
  made.message = message_of(a);
  made.preconditions = joined(&a->preconditions);
  return made;
}

/* What `verify` says of a kernel that is not verified. */
static char *objection_of(const verify_answer *a) {
  buffer text = {0};
  if (a->verdict == ANSWER_VERIFIED) {
    return NULL;
  }
  const answer_finding *f = a->finding_count > 0 ? &a->findings[0] : NULL;
  buffer_puts(&text, verify_verdict_name(a->verdict));
  if (f != NULL && f->place_count > 0 && f->places[0].at.line > 0) {
    buffer_printf(&text, ", line %u", f->places[0].at.line);
  }
  char *message = message_of(a);
  buffer_printf(&text, ": %s", message);
  free(message);
  return buffer_take(&text);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static int take(void *context, const asked_source *s, proved_kernel *k, error *e) {
  repair_engine *engine = context;
  const repair_options *o = engine->options;
  if (o != NULL && o->second != NULL && o->second(o->context, s, k, e) != 0) {
    proved_kernel_free(k);
    return -1;
  }
  for (size_t i = 0; i < engine->kernel_count; i++) {
    if (strcmp(engine->kernels[i], k->answer.kernel) == 0 && engine->objections != NULL) {
      free(engine->objections[i]);
      engine->objections[i] = objection_of(&k->answer);
    } else if (strcmp(engine->kernels[i], k->answer.kernel) == 0) {
      flaw_free(&engine->flaws[i]);
      engine->flaws[i] = flaw_of(&k->answer, asked_text(s)->name);
    }
  }
  proved_kernel_free(k);
  return 0;
}

/* The source of a question: the file with another text, and the kernels that are asked about; all else is lent. */
typedef struct question {
  asked_source source;
  request_source text;
} question;

static void question_make(question *q, const repair_engine *engine, const char *text, size_t length,
                          const bool *marked) {
  const asked_source *file = engine->source;
  *q = (question){.source = *file, .text = *asked_text(file)};
  q->text.text = mem_strndup(text, length);
  q->text.input.text = q->text.text;
  q->text.input.length = strlen(q->text.text);
  q->source.request.sources = &q->text;
  q->source.every = false;
  q->source.digests = (source_digests){0};
  q->source.kernels = mem_calloc(engine->kernel_count + 1, sizeof *q->source.kernels);
  q->source.kernel_count = 0;
  for (size_t i = 0; i < engine->kernel_count; i++) {
    if (marked[i]) {
      const asked_kernel *known = asked_kernel_find(file, engine->kernels[i]);
      q->source.kernels[q->source.kernel_count++] =
          known != NULL ? *known : (asked_kernel){.name = (char *)engine->kernels[i]};
    }
  }
}

static void question_free(question *q) {
  free(q->source.kernels);
  free(q->text.text);
}

int repair_find(void *context, const char *text, size_t length, const bool *marked, flaw *flaws, error *e) {
  repair_engine *engine = context;
  question q;
  question_make(&q, engine, text, length, marked);
  engine->flaws = flaws;
  engine->prover.listener = (prove_listener){.context = engine, .proved = take};
  int result = q.source.kernel_count == 0 ? 0 : prove_source(&engine->prover, &q.source, e);
  if (result == 0 && engine->prover.interrupted) {
    result = error_set(e, 130, "interrupted; nothing was changed");
  } else if (result != 0 && e->code == EXIT_USAGE) {
    result = 1;
  }
  question_free(&q);
  return result;
}

int repair_object(const repair_engine *engine, const repair_options *options, const buffer *text, const bool *marked,
                  char **objections, error *e) {
  repair_engine full = *engine;
  full.prover.options = options->verify;
  full.options = options;
  full.objections = objections;
  return repair_find(&full, text->data == NULL ? "" : text->data, text->length, marked, NULL, e);
}

int repair_verified(const prover *p, const asked_source *source, const char *text, size_t length, bool *all, error *e) {
  const size_t count = source->kernel_count;
  const char **names = mem_calloc(count + 1, sizeof *names);
  bool *marked = mem_calloc(count + 1, sizeof *marked);
  flaw *flaws = mem_calloc(count + 1, sizeof *flaws);
  for (size_t i = 0; i < count; i++) {
    names[i] = source->kernels[i].name;
    marked[i] = true;
  }
  repair_engine engine = {.prover = *p, .source = source, .kernels = names, .kernel_count = count};
  const int result = repair_find(&engine, text, length, marked, flaws, e);
  *all = result == 0;
  for (size_t i = 0; i < count; i++) {
    *all = *all && flaws[i].message != NULL && flaws[i].kind == FLAW_NONE;
    flaw_free(&flaws[i]);
  }
  free(flaws);
  free(marked);
  free(names);
  return result;
}
