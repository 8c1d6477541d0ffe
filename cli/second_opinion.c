/* A contradiction is a fault of ours: it comes with the launch, as a kernel case that can be sent. */
#include "cli/second_opinion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "cli/emit_cases.h"
#include "cli/experiment.h"
#include "cli/verify_inputs.h"
#include "proofs/opinion/opinion.h"
#include "runner/amplify/trial.h"
#include "runner/devices.h"

void second_opinion_begin(second_opinion *o, const settings *s) {
  o->device = &s->device;
  o->kept = s->cases.emit;
  o->verify = prove_options_of(s);
  o->experiments = experiment_of(s, 1);
  o->launches = s->verify.second_opinion;
}

/* --- what it takes ------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void note(const second_opinion *o, const char *format, ...) {
  va_list arguments;
  scoped_buffer text = {0};
  va_start(arguments, format);
  buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  o->note(o->context, buffer_text(&text));
}

/* When the first kernel needs it: whatever is missing then is said once. */
static bool begin_opinion(second_opinion *o) {
  device *devices = NULL;
  size_t count = 0;
  error e;
  if (o->begun) return !o->none;
  o->begun = true;
  o->none = devices_list(&devices, &count, &e) != 0 || target_find_one(o->device, &o->experiments.target, &e) != 0;
  free(devices);
  if (!o->none && o->experiments.target.replay == NULL)
    o->none = error_set(&e, EXIT_INTERNAL, "the program cltestcheck-replay is not where cltestcheck looks for it") != 0;
  o->scratch = o->none ? NULL : scratch_temporary("cltestcheck-opinion", &e);
  o->none = o->none || o->scratch == NULL;
  if (o->none) {
    note(o, "no proof is held against runs (a second opinion): %s", e.text);
    return false;
  }
  return true;
}

/* --- a contradiction ---------------------------------------------------------------------------------------------- */

static void say_contradiction(second_opinion *o, const opinion *found, const char *kernel) {
  char made[] = "/tmp/cltestcheck-contradiction-XXXXXX";
  const char *folder = o->kept != NULL ? o->kept : mkdtemp(made);
  scoped_buffer text = {0}, name = {0};
  error e;
  buffer_printf(&text, "kernel %s is not verified: a run contradicts the proof: %s", kernel, found->why);
  buffer_printf(&name, "contradiction-%s", kernel);
  if (folder != NULL && emit_replica_quietly(folder, &found->launch, buffer_text(&name), &e) == 0) {
    buffer_printf(&text, "; this is a fault of cltestcheck: please send it %s/%s/suite.yaml, which has the launch",
                  folder, buffer_text(&name));
  }
  note(o, "%s", buffer_text(&text));
}

static void contradict(second_opinion *o, const opinion *found, proved_kernel *k) {
  scoped_buffer reason = {0};
  o->contradicted++;
  say_contradiction(o, found, k->answer.kernel);
  buffer_printf(&reason, "a run contradicts the proof: %s", found->why);
  answer_undecided(&k->answer, buffer_text(&reason));
  k->key[0] = '\0'; /* it is not to be taken over */
}

static void agree(second_opinion *o, const opinion *found, proved_kernel *k) {
  o->agreed++;
  o->made += found->launches;
  k->answer.opinion = found->launches;
  if (k->text != NULL) {
    char *text = answer_with_opinion(k->text, found->launches);
    free(k->text);
    k->text = text;
  }
}

static void blame_compiler(const second_opinion *o, const opinion *found, const char *kernel) {
  note(o,
       "kernel %s is verified, and yet a run on this device goes wrong: %s; with -cl-opt-disable it does not, so "
       "the device's compiler is at fault",
       kernel, found->why);
}

static void blame_undefined(const second_opinion *o, const opinion *found, const verify_answer *a) {
  const bool overflow = premises_have(&a->assumptions, PREMISE_OVERFLOW);
  note(o, "kernel %s is verified where %s; a run in which it may %sgoes wrong: %s", a->kernel,
       overflow ? "signed arithmetic does not overflow" : "nothing is divided by 0", overflow ? "" : "be ", found->why);
}

/* --- launches that were seen -------------------------------------------------------------------------------------- */

typedef struct seen_outside {
  const asked_source *source;
  verify_answer *answer;
  bool found;
} seen_outside;

static const char *copy_text(seen_outside *s, const char *text) {
  return mem_arena_copy(&s->answer->texts, text == NULL ? "" : text);
}

static bool leaves_memory(const db_finding *f) {
  static const char *const rules[] = {"out-of-bounds", "null-pointer", "misaligned"};
  bool leaves = false;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) leaves = leaves || strcmp(f->rule, rules[i]) == 0;
  return leaves && f->place_count > 0;
}

/* A finding of `memory` as one of the proof, which is out of bounds from then on. */
static void take_outside(void *context, const view *v) {
  seen_outside *s = context;
  for (size_t i = 0; i < v->finding_count && !s->found; i++) {
    const db_finding *f = &v->findings[i];
    const bool of_it = f->kernel != NULL && strcmp(f->kernel, s->answer->kernel) == 0;
    if (!of_it || !leaves_memory(f)) continue;
    const db_detail *d = &f->detail;
    answer_undecided(s->answer, "");
    for (size_t k = 0; k < s->answer->assumptions.count; k++) { /* which does not hold */
      premise *p = &s->answer->assumptions.items[k];
      if (p->kind == PREMISE_INSIDE) *p = s->answer->assumptions.items[--s->answer->assumptions.count];
    }
    s->answer->verdict = ANSWER_OUT_OF_BOUNDS;
    s->answer->findings = mem_arena_array(&s->answer->texts, 1, sizeof *s->answer->findings);
    s->answer->finding_count = 1;
    answer_finding *to = s->answer->findings;
    *to = (answer_finding){.rule = copy_text(s, f->rule),
                           .definite = true,
                           .seen = true,
                           .places = mem_arena_array(&s->answer->texts, 1, sizeof *to->places),
                           .place_count = 1,
                           .array = copy_text(s, d->object),
                           .space = copy_text(s, d->space),
                           .pixel = d->pixel == NULL ? NULL : copy_text(s, d->pixel),
                           .has_element = d->element.known,
                           .element = d->element.value,
                           .element_size = d->element_size.value,
                           .has_byte = d->byte.known,
                           .byte = d->byte.value,
                           .object_size = d->size.value,
                           .call = copy_text(s, d->call),
                           .cause = copy_text(s, d->cause),
                           .launch_number = d->launch.value + 1,
                           .launches_made = d->launch.known ? s->answer->given : 0};
    to->places[0] =
        (answer_place){.role = copy_text(s, f->places[0].role),
                       .access = copy_text(s, f->places[0].access),
                       .at = {copy_text(s, asked_text(s->source)->name), f->places[0].line, f->places[0].column},
                       .condition = "",
                       .scope = ""};
    s->found = true;
  }
}

/* Whether a proof leaves open that an access leaves its memory, or is not at a multiple of its size. */
static bool leaves_open(const asked_source *s, const verify_answer *a) {
  return premises_have(&a->assumptions, PREMISE_INSIDE) || strstr(asked_text(s)->text, "*)") != NULL;
}

/* The launches that were seen are made again with the ends of memory watched. True: the kernel is not verified. */
static bool goes_outside(second_opinion *o, const asked_source *s, proved_kernel *k) {
  const char *kernel = k->answer.kernel;
  seen_outside found = {.source = s, .answer = &k->answer};
  if (!s->observed || o->verify.no_bounds || !leaves_open(s, &k->answer)) return false;
  for (size_t i = 0; i < o->capture_count && !found.found; i++) {
    enum { WALL = 20, LEAST = 15 };
    const double seconds = k->answer.seconds > LEAST ? k->answer.seconds : LEAST;
    const trial_options how = {.base = &o->experiments,
                               .kernels.wanted = {&kernel, 1, 1},
                               .folder = o->scratch,
                               .limit = WALL * seconds,
                               .processor = (unsigned)(seconds + 0.999),
                               .look = take_outside,
                               .context = &found};
    trial_result seen = {0};
    error e;
    const int result = trial_run(&trial_memory, &how, o->captures[i], &seen, &e);
    if (result != 0 || seen.code == EXIT_BASELINE) {
      note(o, "kernel %s: the launches that were seen did not run to their end with the ends of memory watched",
           kernel);
    }
  }
  if (found.found) k->key[0] = '\0'; /* it is not to be taken over */
  return found.found;
}

/* --- each kernel -------------------------------------------------------------------------------------------------- */

static opinion_options options_of(const second_opinion *o) {
  return (opinion_options){
      .watching = {.base = &o->experiments, .folder = o->scratch, .same_value = o->verify.no_benign},
      .launches = o->launches,
      .verify = &o->verify};
}

/* Where it cannot be done, something else may be asked; an interruption shows in what comes next. */
int second_opinion_confirm(void *context, const replica *launches, size_t count, double seconds, confirmation *out) {
  second_opinion *o = context;
  error ignored;
  if (o->launches == 0 || !begin_opinion(o) || o->verify.warp > 0) return -1;
  const opinion_options asked = options_of(o);
  return opinion_confirm(&asked, launches, count, seconds, out, &ignored);
}

int second_opinion_give(second_opinion *o, const asked_source *s, proved_kernel *k, error *e) {
  if (o->launches == 0 || k->answer.verdict != ANSWER_VERIFIED) return 0;
  if (o->capture_count > 0 && s->observed && begin_opinion(o) && goes_outside(o, s, k)) return 0;
  if (k->answer.opinion > 0) { /* of the run that the proof is taken over from */
    o->earlier++;
    o->made_earlier += k->answer.opinion;
    return 0;
  }
  if (!begin_opinion(o)) return 0;
  const opinion_options asked = options_of(o);
  opinion found;
  const int result = opinion_ask(&asked, s, &k->answer, &found, e);
  if (result != 0) {
    scoped_buffer text = buffer_with("no second opinion of kernel %s: %s", k->answer.kernel, e->text);
    *ARRAY_ADD(o->without.items, o->without.count, o->without.capacity) = buffer_take(&text);
    opinion_free(&found);
    return e->code == 130 ? -1 : 0;
  }
  if (found.kind == OPINION_CONTRADICTS)
    contradict(o, &found, k);
  else if (found.kind == OPINION_COMPILER)
    blame_compiler(o, &found, k->answer.kernel);
  else if (found.kind == OPINION_OVERFLOW)
    blame_undefined(o, &found, &k->answer);
  else if (found.kind == OPINION_AGREES)
    agree(o, &found, k);
  if (found.kind == OPINION_NONE || (found.kind == OPINION_AGREES && found.why != NULL)) {
    scoped_buffer text = buffer_with(
        "%s kernel %s: %s", found.kind == OPINION_AGREES ? "not all of the second opinion of" : "no second opinion of",
        k->answer.kernel, found.why);
    *ARRAY_ADD(o->without.items, o->without.count, o->without.capacity) = buffer_take(&text);
  }
  opinion_free(&found);
  return 0;
}

/* --- after -------------------------------------------------------------------------------------------------------- */

void second_opinion_say(second_opinion *o) {
  enum { MOST = 5 };
  if (o->agreed > 0) {
    note(o, "second opinion: %llu launches of %zu verified kernel%s, with accesses and barriers watched, %s",
         (unsigned long long)o->made, o->agreed, o->agreed == 1 ? "" : "s",
         o->agreed == 1 ? "do not contradict its proof" : "contradict none of the proofs");
  }
  if (o->earlier > 0) {
    note(o, "second opinion of an earlier run: %llu launches of %zu verified kernel%s contradicted no proof",
         (unsigned long long)o->made_earlier, o->earlier, o->earlier == 1 ? "" : "s");
  }
  for (size_t i = 0; i < o->without.count && i < MOST; i++) note(o, "%s", o->without.items[i]);
  if (o->without.count > MOST)
    note(o, "and of %zu more kernels there is none, or not all of it", o->without.count - MOST);
}

void second_opinion_end(second_opinion *o) {
  mem_free_all(o->without.items, o->without.count);
  target_free(&o->experiments.target);
  scratch_close(o->scratch);
}
