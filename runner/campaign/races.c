/* Checked replays of a campaign: their programs, what comes of them, and what that says of a mutant. */
#include "runner/campaign/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/isolate.h"
#include "runner/session/checked_kernel.h"
#include "runner/session/mutant_text.h"
#include "wire/check_record.h"
#include "wire/protocol.h"

enum { ROUNDS = 200, LOOKS = 3, SLOW = 6 };

/* --- programs ------------------------------------------------------------------------------------------------------ */

static int instrument_inputs(campaign *c, campaign_program *p, const mutant *m, instrument_result *out, error *e) {
  pp_input *inputs = request_inputs(&p->request);
  const size_t source = m == NULL ? SIZE_MAX : mutant_source(inputs, p->request.source_count, &p->schema.model, m);
  char *text = source == SIZE_MAX ? NULL : mutant_text(&inputs[source], m);
  int result = 0;
  if (text != NULL) {
    inputs[source].text = text;
    inputs[source].length = strlen(text);
  }
  if (m != NULL && text == NULL) {
    result = error_set(e, EXIT_USAGE, "it is in a header");
  } else {
    result = isolated_instrument(inputs, p->request.source_count, INSTRUMENT_WITH_CHECKS, NULL, out, e);
  }
  free(inputs);
  free(text);
  (void)c;
  return result;
}

/* -1 with a reason: it stays as it is. */
static int make(campaign *c, campaign_program *p, const mutant *m, instrument_result *out, error *e) {
  for (int round = 0;; round++) {
    const int result = instrument_inputs(c, p, m, out, e);
    error ignored;
    if (result != 0 || out->question_count == 0 || round > ROUNDS ||
        !request_recall(&p->request, c->base.db, out->questions, out->question_count, &ignored)) {
      return result;
    }
    instrument_free(out);
    *out = (instrument_result){0};
  }
}

/* The checked form of the original; NULL: there is none. */
static const instrument_result *original_of(campaign *c, campaign_program *p) {
  error why = {0};
  if (p->checked == NULL && p->unchecked == NULL) {
    instrument_result *made = mem_calloc(1, sizeof *made);
    if (p->reason != NULL || make(c, p, NULL, made, &why) != 0) {
      p->unchecked = mem_strdup(p->reason != NULL ? p->reason : why.text);
      instrument_free(made);
      free(made);
      return NULL;
    }
    p->checked = made;
  }
  return p->checked;
}

static const instrument_result *mutated_of(campaign *c, campaign_program *p, race_look *l) {
  error why = {0};
  if (!l->tried) {
    l->tried = true;
    if (make(c, p, l->of, &l->made, &why) != 0) {
      l->why = mem_strdup(why.text);
    }
  }
  return l->why == NULL ? &l->made : NULL;
}

static void put_program(size_t index, const instrument_result *r, buffer *answer) {
  wire_begin(answer, MESSAGE_INSTRUMENTED);
  wire_put_u32(answer, INSTRUMENTED_OK);
  wire_put_u32(answer, (uint32_t)index);
  wire_put_u32(answer, (uint32_t)r->source_count);
  for (size_t i = 0; i < r->source_count; i++) {
    buffer options = {0};
    buffer_printf(&options, "%s " OPTION_BOUNDS, r->options[i]);
    wire_put_string(answer, r->texts[i], strlen(r->texts[i]));
    wire_put_string(answer, buffer_text(&options), options.length);
    buffer_free(&options);
  }
  wire_put_u32(answer, (uint32_t)r->model.kernel_count);
  for (size_t i = 0; i < r->model.kernel_count; i++) {
    wire_put_string(answer, r->model.kernels[i].name, strlen(r->model.kernels[i].name));
    wire_put_u32(answer, KERNEL_CHECKED);
    wire_put_u32(answer, r->kernels[i].flag_words);
    wire_put_u32(answer, r->kernels[i].total_words);
    checked_kernel_put(&r->kernels[i], answer);
  }
  wire_end(answer);
}

static void put_untouched(buffer *answer) {
  wire_begin(answer, MESSAGE_INSTRUMENTED);
  wire_put_u32(answer, INSTRUMENTED_NOT);
  wire_put_string(answer, "", 0);
  wire_end(answer);
}

static bool has_mutant(const campaign_job *j, size_t program) { return j->look->of != NULL && program == j->program; }

void campaign_answer_checked(campaign_job *j, size_t index, buffer *answer) {
  campaign_program *p = j->campaign->programs[index];
  const instrument_result *r = has_mutant(j, index) ? mutated_of(j->campaign, p, j->look) : original_of(j->campaign, p);
  if (r == NULL) {
    j->look->seen.unclear = true;
    put_untouched(answer);
  } else if (r->question_count > 0) {
    request_ask(r->questions, r->question_count, answer);
    if (has_mutant(j, index)) {
      instrument_free(&j->look->made);
      j->look->made = (instrument_result){0};
      j->look->tried = false;
    } else {
      instrument_free(p->checked);
      free(p->checked);
      p->checked = NULL;
    }
  } else {
    j->look->seen.unclear = j->look->seen.unclear || r->left_out || r->ordered;
    put_program(index, r, answer);
  }
}

/* --- what is seen -------------------------------------------------------------------------------------------------- */

/* Where an access of the job's program is in the original source. */
static race_place place_of(const campaign_job *j, size_t program, const instrument_check *at) {
  const mutant *m = has_mutant(j, program) ? j->look->of : NULL;
  race_place place = {at->file, at->offset, at->offset + 1};
  if (m == NULL || m->file != at->file || at->offset < m->offset) {
    return place;
  }
  const uint32_t length = (uint32_t)strlen(m->replacement);
  if (at->offset < m->offset + length) {
    return (race_place){at->file, m->offset, m->end_offset > m->offset ? m->end_offset : m->offset + 1};
  }
  place.begin = at->offset - length + (m->end_offset - m->offset);
  place.end = place.begin + 1;
  return place;
}

static void take_slot(campaign_job *j, uint32_t program, uint32_t kernel, const instrument_result *of,
                      const uint32_t *slot) {
  const uint32_t key = slot[CHECK_KEY] - 1;
  const uint32_t before = key / 4096, now = key % 4096;
  race_list *l = &j->look->seen;
  l->unclear = true; /* who writes first may decide, though both write the same */
  if (slot[CHECK_FILLED] == 0 || now >= of->check_count || (before >= of->check_count && before != CHECKED_ACCESSES) ||
      slot[CHECK_SAME] >= slot[CHECK_COUNT]) {
    return;
  }
  race_pair pair = {.program = program,
                    .kernel = kernel,
                    .now = place_of(j, program, &of->checks[now]),
                    .known = before != CHECKED_ACCESSES};
  if (pair.known) {
    pair.before = place_of(j, program, &of->checks[before]);
  }
  *ARRAY_ADD(l->items, l->count, l->capacity) = pair;
}

int campaign_checked_evidence(campaign_job *j, uint32_t program, uint32_t kernel, wire_reader *in) {
  const campaign_program *p = j->campaign->programs[program];
  const instrument_result *of = has_mutant(j, program) ? &j->look->made : p->checked;
  const uint32_t words = wire_u32(in);
  if (in->failed || of == NULL || kernel >= of->model.kernel_count || words != CHECKED_WORDS ||
      (size_t)words * 4 != in->left) {
    return -1;
  }
  uint32_t *all = mem_calloc(words, sizeof *all);
  for (uint32_t w = 0; w < words; w++) {
    all[w] = wire_u32(in);
  }
  static const uint32_t doubts[] = {CHECKED_DROPPED, CHECKED_DEEP, CHECKED_LARGE, CHECKED_UNSEEN};
  for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
    j->look->seen.unclear = j->look->seen.unclear || all[doubts[i]] > 0;
  }
  for (uint32_t i = 0; i < CHECKED_SLOT_COUNT; i++) {
    const uint32_t *slot = all + CHECKED_SLOTS + (size_t)i * CHECKED_SLOT_WORDS;
    if (slot[CHECK_KEY] != 0) {
      take_slot(j, program, kernel, of, slot);
    }
  }
  free(all);
  return 0;
}

/* --- jobs ---------------------------------------------------------------------------------------------------------- */

/* Whether what the mutant changes is a text that can be checked. */
static bool is_text(const mutant *m) { return m->description == NULL || m->op == MUTATE_ATOMIC; }

bool campaign_can_check(const campaign *c, size_t test, size_t program, uint32_t index) {
  const campaign_program *p = c->programs[program];
  return c->options->races && experiment_is_replayed(&c->base, test) && !c->tests[test].unchecked &&
         p->unchecked == NULL && is_text(p->mutants[index].is);
}

campaign_job *campaign_checked_job(campaign *c, size_t test, size_t program, uint32_t index, reference *r,
                                   double limit) {
  test_state *t = &c->tests[test];
  if (t->checking) {
    return NULL;
  }
  const bool original = t->looks == 0 || (t->races->count > 0 && t->looks < LOOKS);
  campaign_job *j = campaign_job_new(c, JOB_CHECKED, test);
  t->checking = original;
  j->program = program;
  j->mutant = index;
  j->reference = r;
  j->look = race_look_new(original ? NULL : c->programs[program]->mutants[index].is);
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
  const char *name = c->options->common.tests[j->base.test].name;
  const char *why = failed(j);
  t->checking = false;
  t->unchecked = why != NULL;
  if (why != NULL) {
    experiment_note(&c->base,
                    "%s: a replay of it cannot be checked for races (%.300s): mutants are judged by data alone", name,
                    why);
    return;
  }
  if (t->races == NULL) {
    t->races = mem_calloc(1, sizeof *t->races);
  }
  races_add(t->races, &j->look->seen);
  t->looks++;
  for (size_t p = 0; p < c->program_count; p++) {
    campaign_program *of = c->programs[p];
    if (of->unchecked != NULL && of->reason == NULL && !of->unchecked_said) {
      of->unchecked_said = true;
      experiment_note(&c->base, "kernels of %s cannot be checked for races: %.300s", of->name, of->unchecked);
    }
  }
}

static void tell_unchecked(campaign *c, const campaign_job *j, const char *why) {
  campaign_program *p = c->programs[j->program];
  if (c->options->verbose || !p->unchecked_said) {
    experiment_note(&c->base, "mutant %u cannot be checked for races: %.300s%s", (unsigned)j->look->of->id, why,
                    c->options->verbose ? "" : " (others of this program are not listed)");
  }
  p->unchecked_said = true;
}

mutant_races campaign_checked_ended(campaign *c, campaign_job *j) {
  const test_state *t = &c->tests[j->base.test];
  if (j->look->of == NULL) {
    original_ended(c, j);
    return RACES_UNASKED;
  }
  const char *why = failed(j);
  if (why != NULL) {
    tell_unchecked(c, j, why);
    return RACES_UNKNOWN;
  }
  if (races_are_new(t->races, &j->look->seen)) {
    return RACES_NEW;
  }
  if (j->look->seen.unclear) {
    return RACES_OLD;
  }
  if (c->options->verbose) {
    experiment_note(&c->base, "mutant %u, %s: nothing races: repeats of a replay are alike", (unsigned)j->look->of->id,
                    c->options->common.tests[j->base.test].name);
  }
  return RACES_NONE;
}
