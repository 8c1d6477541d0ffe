/* Checked replays of a campaign: their programs, what comes of them, and what that says of a mutant. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/races/decoder.h"
#include "runner/build/build.h"
#include "runner/campaign/internal.h"
#include "wire/answer.h"

enum { RUNS = 3, SLOW = 6 };

/* Of a record of divergence (instrument_plane). */
enum { RECORD_WORDS = 5, RECORD_CLAIMED = 0 };

static const struct {
  program_form form;
  const char *what;
} looks[LOOKS] = {[LOOK_RACES] = {FORM_CHECKED_BOUNDS, "races"}, [LOOK_DIVERGENCE] = {FORM_COVERAGE, "divergence"}};

/* --- programs ------------------------------------------------------------------------------------------------------ */

/* -1 with a reason: it stays as it is. */
static int make(const campaign_program *p, check_look look, const mutant *m, instrument_result *out, error *e) {
  return m == NULL ? build_instrumented(&p->request, form_rows[looks[look].form].kernels, out, e)
                   : build_with_mutant(&p->request, form_rows[looks[look].form].kernels, &p->schema.model, m, out, e);
}

/* The checked form of the original; NULL: there is none. */
static const instrument_result *original_of(campaign_program *p, check_look look) {
  error why = {0};
  if (p->checked[look] == NULL && p->unchecked[look] == NULL) {
    instrument_result *made = mem_calloc(1, sizeof *made);
    if (p->reason != NULL || make(p, look, NULL, made, &why) != 0) {
      p->unchecked[look] = mem_strdup(p->reason != NULL ? p->reason : why.text);
      instrument_free(made);
      free(made);
      return NULL;
    }
    p->checked[look] = made;
  }
  return p->checked[look];
}

static const instrument_result *mutated_of(const campaign_program *p, race_look *l) {
  error why = {0};
  if (!l->tried) {
    l->tried = true;
    if (make(p, l->at, l->of, &l->made, &why) != 0) l->why = mem_strdup(why.text);
  }
  return l->why == NULL ? &l->made : NULL;
}

static bool has_mutant(const campaign_job *j, size_t program) { return j->look->of != NULL && program == j->program; }

void campaign_answer_checked(campaign_job *j, size_t index, buffer *answer) {
  campaign_program *p = j->campaign->programs.list[index];
  const instrument_result *r = has_mutant(j, index) ? mutated_of(p, j->look) : original_of(p, j->look->at);
  if (r == NULL) {
    j->look->seen.unclear = true;
    answer_untouched(answer, "");
  } else if (r->question_count > 0) {
    request_ask(r->questions, r->question_count, answer);
    if (has_mutant(j, index)) {
      instrument_free(&j->look->made);
      j->look->made = (instrument_result){0};
      j->look->tried = false;
    } else {
      instrument_free(p->checked[j->look->at]);
      free(p->checked[j->look->at]);
      p->checked[j->look->at] = NULL;
    }
  } else {
    j->look->seen.unclear = j->look->seen.unclear || r->left_out || r->ordered;
    program_answer(answer, (uint32_t)index, r, NULL, &form_rows[looks[j->look->at].form], "");
  }
}

/* --- what is seen -------------------------------------------------------------------------------------------------- */

/* Where an access of the job's program is in the original source. */
static race_place place_of(const campaign_job *j, size_t program, uint32_t file, uint32_t offset) {
  const mutant *m = has_mutant(j, program) ? j->look->of : NULL;
  race_place place = {file, offset, offset + 1};
  if (m == NULL || m->file != file || offset < m->offset) return place;
  const uint32_t length = (uint32_t)strlen(m->replacement);
  if (offset < m->offset + length)
    return (race_place){file, m->offset, m->end_offset > m->offset ? m->end_offset : m->offset + 1};
  place.begin = offset - length + (m->end_offset - m->offset);
  place.end = place.begin + 1;
  return place;
}

static race_place place_of_access(const campaign_job *j, size_t program, const instrument_check *at) {
  return place_of(j, program, at->file, at->offset);
}

static void take_slot(campaign_job *j, uint32_t program, uint32_t kernel, const instrument_result *of,
                      const checked_slot *slot) {
  race_list *l = &j->look->seen;
  l->unclear = true; /* who writes first may decide, though both write the same */
  if (!slot->whole || slot->same) return;
  race_pair pair = {.program = program,
                    .kernel = kernel,
                    .now = place_of_access(j, program, &of->checks[slot->now]),
                    .known = slot->before != CHECKED_ACCESSES};
  if (pair.known) pair.before = place_of_access(j, program, &of->checks[slot->before]);
  *ARRAY_ADD(l->items, l->count, l->capacity) = pair;
}

static void take_races(campaign_job *j, uint32_t program, uint32_t kernel, const instrument_result *of,
                       const uint32_t *all) {
  static const uint32_t doubts[] = {CHECKED_DROPPED, CHECKED_DEEP, CHECKED_LARGE, CHECKED_UNSEEN};
  for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++)
    j->look->seen.unclear = j->look->seen.unclear || all[doubts[i]] > 0;
  for (uint32_t i = 0; i < CHECKED_SLOT_COUNT; i++) {
    checked_slot slot;
    if (checked_slot_read(of, all, i, &slot)) take_slot(j, program, kernel, of, &slot);
  }
}

static bool diverged(const instrument_kernel *k, const uint32_t *all, uint32_t record) {
  return all[k->flag_words + (size_t)RECORD_WORDS * record + RECORD_CLAIMED] != 0;
}

static void take_divergence(campaign_job *j, uint32_t program, uint32_t kernel, const instrument_result *of,
                            const uint32_t *all) {
  const instrument_kernel *k = &of->kernels[kernel];
  race_list *l = &j->look->seen;
  for (size_t i = 0; i < k->plane_count; i++) {
    const instrument_plane *plane = &k->planes[i];
    bool any = diverged(k, all, plane->record);
    for (size_t g = 0; g < plane->guard_count; g++) any = any || diverged(k, all, k->planes[plane->guards[g]].record);
    if (any && (plane->barrier || plane->async)) {
      const model_site *s = &of->model.sites[plane->site];
      l->unclear = true;
      *ARRAY_ADD(l->items, l->count, l->capacity) = (race_pair){
          .program = program, .kernel = kernel, .now = place_of(j, program, s->file, s->offset), .divergence = true};
    }
  }
}

int campaign_checked_evidence(campaign_job *j, uint32_t program, uint32_t kernel, wire_reader *in) {
  const campaign_program *p = j->campaign->programs.list[program];
  const instrument_result *of = has_mutant(j, program) ? &j->look->made : p->checked[j->look->at];
  const uint32_t words = wire_u32(in);
  if (in->failed || of == NULL || kernel >= of->model.kernel_count || words != of->kernels[kernel].total_words ||
      (size_t)words * 4 != in->left)
    return -1;
  scoped uint32_t *all = mem_calloc(words, sizeof *all);
  for (uint32_t w = 0; w < words; w++) all[w] = wire_u32(in);
  (j->look->at == LOOK_RACES ? take_races : take_divergence)(j, program, kernel, of, all);
  return 0;
}

/* --- jobs ---------------------------------------------------------------------------------------------------------- */

/* Whether what the mutant changes is a text that can be checked. */
static bool is_text(const mutant *m) { return m->description == NULL || m->op == MUTATE_ATOMIC; }

bool campaign_can_check(const campaign *c, check_look look, size_t test, size_t program, uint32_t index) {
  const campaign_program *p = c->programs.list[program];
  return c->options->common.races && p->launches == NULL && experiment_is_replayed(&c->base, test) &&
         !c->tests[test].unchecked[look] && p->unchecked[look] == NULL && is_text(p->mutants[index].mutant);
}

bool campaign_may_diverge(const campaign_programs *all, size_t program, uint32_t index) {
  campaign_program *p = all->list[program];
  const mutant *m = p->mutants[index].mutant;
  bool waits = false, may = false;
  for (size_t i = 0; i < p->schema.model.site_count; i++) {
    const site_kind kind = p->schema.model.sites[i].kind;
    waits = waits || kind == SITE_BARRIER || kind == SITE_ASYNC;
  }
  if (waits) {
    instrument_result made = {0};
    error ignored;
    may = make(p, LOOK_DIVERGENCE, m, &made, &ignored) != 0 || made.question_count > 0;
    for (size_t k = 0; k < m->kernel_count && !may; k++) may = made.kernels[m->kernels[k]].plane_count > 0;
    instrument_free(&made);
  }
  return waits && may;
}

campaign_job *campaign_checked_job(campaign *c, check_look look, uint32_t index, reference *r, double limit) {
  test_state *t = &c->tests[r->test];
  if (t->checking) return NULL;
  const bool original = t->looks[look] == 0 || (t->races->count > 0 && t->looks[look] < RUNS);
  campaign_job *j = campaign_job_new(c, JOB_CHECKED, r->test);
  t->checking = original;
  j->program = r->program;
  j->mutant = index;
  j->reference = r;
  j->look = race_look_new(look, original ? NULL : mutant_at(&c->programs, r->program, index)->mutant);
  j->base.job.limit = limit * SLOW;
  campaign_replay_job(j);
  return j;
}

/* Why the replay says nothing; NULL: it does. */
static const char *failed(const campaign_job *j) {
  const pool_job *job = &j->base.job;
  return j->look->why != NULL ? j->look->why
         : j->refused != NULL ? j->refused
         : job->timed_out     ? "it does not end in time"
         : !job->replayed     ? "the replay ended early"
                              : replay_failed(job);
}

static void original_ended(campaign *c, const campaign_job *j) {
  test_state *t = &c->tests[j->base.test];
  const char *name = c->base.options->tests[j->base.test].name;
  const char *why = failed(j);
  t->checking = false;
  t->unchecked[j->look->at] = why != NULL;
  if (why != NULL) {
    experiment_note(&c->base, "%s: a replay of it cannot be checked for %s (%.300s): that says nothing of mutants",
                    name, looks[j->look->at].what, why);
    return;
  }
  if (t->races == NULL) t->races = mem_calloc(1, sizeof *t->races);
  races_add(t->races, &j->look->seen);
  t->looks[j->look->at]++;
  for (size_t p = 0; p < c->programs.count; p++) {
    campaign_program *of = c->programs.list[p];
    if (of->unchecked[j->look->at] != NULL && of->reason == NULL && !of->unchecked_said) {
      of->unchecked_said = true;
      experiment_note(&c->base, "kernels of %s cannot be checked for %s: %.300s", of->name, looks[j->look->at].what,
                      of->unchecked[j->look->at]);
    }
  }
}

static void tell_unchecked(campaign *c, const campaign_job *j, const char *why) {
  campaign_program *p = c->programs.list[j->program];
  if (c->options->verbose || !p->unchecked_said) {
    experiment_note(&c->base, "mutant %u cannot be checked for %s: %.300s%s", (unsigned)j->look->of->id,
                    looks[j->look->at].what, why,
                    c->options->verbose ? "" : " (others of this program are not listed)");
  }
  p->unchecked_said = true;
}

mutant_event campaign_checked_ended(campaign *c, campaign_job *j) {
  const test_state *t = &c->tests[j->base.test];
  if (j->look->of == NULL) {
    original_ended(c, j);
    return MUTANT_EVENTS;
  }
  const char *why = failed(j);
  if (why != NULL) {
    tell_unchecked(c, j, why);
    return MUTANT_UNCHECKED;
  }
  return races_are_new(t->races, &j->look->seen) ? MUTANT_NEW_RACE
         : j->look->seen.unclear                 ? MUTANT_OLD_RACE
                                                 : MUTANT_NO_RACE;
}

/* Pairs of accesses, by their places in the original source. */

static bool same_place(const race_place *a, const race_place *b) {
  return a->file == b->file && a->begin < b->end && b->begin < a->end;
}

/* Of two pairs one of which has an access that is not known, the other one decides: it is better to overlook a mutant's
 * race than to blame it for the original's. */
static bool same_pair(const race_pair *a, const race_pair *b) {
  if (a->program != b->program || a->kernel != b->kernel || a->divergence != b->divergence) return false;
  const bool crossed = a->known && b->known && same_place(&a->now, &b->before) && same_place(&a->before, &b->now);
  const bool straight = same_place(&a->now, &b->now) && (!a->known || !b->known || same_place(&a->before, &b->before));
  const bool half = (!a->known && b->known && same_place(&a->now, &b->before)) ||
                    (a->known && !b->known && same_place(&a->before, &b->now));
  return crossed || straight || half;
}

static bool has(const race_list *l, const race_pair *p) {
  for (size_t i = 0; i < l->count; i++)
    if (same_pair(&l->items[i], p)) return true;
  return false;
}

bool races_are_new(const race_list *original, const race_list *seen) {
  for (size_t i = 0; i < seen->count; i++)
    if (!has(original, &seen->items[i])) return true;
  return false;
}

void races_add(race_list *to, const race_list *from) {
  for (size_t i = 0; i < from->count; i++) *ARRAY_ADD(to->items, to->count, to->capacity) = from->items[i];
  to->unclear = to->unclear || from->unclear;
}

void race_list_free(race_list *l) {
  if (l != NULL) {
    free(l->items);
    free(l);
  }
}

race_look *race_look_new(check_look at, const mutant *of) {
  race_look *l = mem_calloc(1, sizeof *l);
  l->at = at;
  l->of = of;
  return l;
}

void race_look_free(race_look *l) {
  if (l != NULL) {
    instrument_free(&l->made);
    free(l->why);
    free(l->seen.items);
    free(l);
  }
}
