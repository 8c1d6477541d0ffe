/* Figures of proofs and schedules, and both in words for all formats. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/coverage.h"
#include "reports/words/words.h"

static const struct {
  const char *name;
  bool definite, possible;
} verdicts[PROOF_VERDICTS] = {
    [PROOF_VERIFIED] = {"verified", false, false},
    [PROOF_RACE] = {"race", true, false},
    [PROOF_DIVERGENCE] = {"divergence", true, false},
    [PROOF_OUT_OF_BOUNDS] = {"out-of-bounds", true, false},
    [PROOF_POSSIBLE_RACE] = {"possible-race", false, true},
    [PROOF_POSSIBLE_DIVERGENCE] = {"possible-divergence", false, true},
    [PROOF_UNKNOWN] = {"unknown", false, false},
    [PROOF_UNSUPPORTED] = {"unsupported", false, false},
};

/* What counts of several proofs of a kernel: the first of these. */
static const proof_verdict worst_first[PROOF_VERDICTS] = {
    PROOF_RACE,    PROOF_DIVERGENCE,  PROOF_OUT_OF_BOUNDS, PROOF_POSSIBLE_RACE, PROOF_POSSIBLE_DIVERGENCE,
    PROOF_UNKNOWN, PROOF_UNSUPPORTED, PROOF_VERIFIED,
};

const char *proof_verdict_name(proof_verdict v) { return verdicts[v].name; }

proof_verdict proof_verdict_of(const db_proof *p) {
  for (unsigned i = 0; i < PROOF_VERDICTS; i++)
    if (strcmp(verdicts[i].name, p->verdict) == 0) return (proof_verdict)i;
  return PROOF_UNKNOWN;
}

bool proof_is_definite(proof_verdict v) { return verdicts[v].definite; }

bool proof_is_possible(proof_verdict v) { return verdicts[v].possible; }

bool verification_is(const view *v) { return v->proof_count > 0 || report_has_run(v, "verify"); }

static bool is_of(const db_finding *f, size_t proof) { return f->proved && f->proof == proof; }

bool verification_held_back(const view *v, size_t proof) {
  size_t found = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    if (is_of(&v->findings[i], proof)) {
      if (v->findings[i].suppressed == NULL) return false;
      found++;
    }
  }
  return found > 0;
}

static unsigned rank_of(proof_verdict verdict) {
  unsigned rank = 0;
  while (worst_first[rank] != verdict) rank++;
  return rank;
}

/* Proofs of one kernel, built with other options, stand one after the other. */
static bool same_kernel(const db_proof *a, const db_proof *b) {
  return a->file != MODEL_NONE && a->file == b->file && a->line == b->line && strcmp(a->name, b->name) == 0;
}

/* Counts a kernel by the worst of its proofs from `first` to `end`; one that is held back counts as that before a
 * verified one. */
static void count_kernel(const view *v, size_t first, size_t end, verification *out) {
  proof_verdict worst = PROOF_VERIFIED;
  bool apart = false;
  for (size_t i = first; i < end; i++) {
    const proof_verdict verdict = proof_verdict_of(&v->proofs[i]);
    const bool held = verdict != PROOF_VERIFIED && verification_held_back(v, i);
    apart = apart || held;
    worst = !held && rank_of(verdict) < rank_of(worst) ? verdict : worst;
  }
  out->kernels++;
  *(apart && worst == PROOF_VERIFIED ? &out->suppressed : &out->of[worst]) += 1;
}

void verification_totals(const view *v, const report_options *options, verification *out) {
  *out = (verification){0};
  for (size_t i = 0, end = 0; i < v->proof_count; i = end) {
    for (end = i + 1; end < v->proof_count && same_kernel(&v->proofs[i], &v->proofs[end]);) end++;
    if (report_selects(options, v->proofs[i].name)) count_kernel(v, i, end, out);
  }
}

finding_confirmed verification_confirmed(const view *v, size_t proof) {
  static const finding_confirmed best_first[] = {CONFIRMED_YES, CONFIRMED_NO, CONFIRMED_NOT_LAUNCHABLE};
  for (size_t k = 0; k < sizeof best_first / sizeof best_first[0]; k++) {
    for (size_t i = 0; i < v->finding_count; i++)
      if (is_of(&v->findings[i], proof) && v->findings[i].confirmed == best_first[k]) return best_first[k];
  }
  return CONFIRMED_UNKNOWN;
}

proof_verdict verification_of_kernel(const view *v, uint32_t kernel) {
  for (size_t k = 0; k < PROOF_VERDICTS; k++) {
    for (size_t i = 0; i < v->proof_count; i++)
      if (v->proofs[i].kernel == kernel && proof_verdict_of(&v->proofs[i]) == worst_first[k]) return worst_first[k];
  }
  return PROOF_VERDICTS;
}

/* Proofs and counterexamples in words, for all formats. */

/* The engine's words for a proof that holds for nothing but the launches that it was asked about. */
#define NO_OTHERS "one of the launches that were seen"

static void put_launches(const db_proof *p, buffer *to) {
  if (p->launches > 0 && p->proved == p->launches)
    buffer_printf(to, p->launches == 1 ? "for the launch seen" : "for all %u launches seen", p->launches);
  else if (p->launches > 0)
    buffer_printf(to, "for %u of %u launches seen", p->proved, p->launches);
}

/* What facts it uses stands in a list of its own. */
static void put_host(const db_proof *p, buffer *to) {
  const db_proof_parts *conditions = &p->parts[PROOF_PRECONDITION];
  buffer_printf(to, "for every run of %s", p->parts[PROOF_HOST].list[0].text);
  for (size_t i = 0; i < conditions->count; i++)
    buffer_printf(to, "%s%s", i == 0 ? " in which " : " and ", conditions->list[i].text);
  if (p->launches > 0)
    buffer_printf(to, ", and so for the %u launch%s seen", p->launches, p->launches == 1 ? "" : "es");
}

void verification_basis(const db_proof *p, buffer *to) {
  static const struct {
    const char *condition, *words;
  } dimensions[] = {{"get_work_dim() == 1", "one dimension"},
                    {"get_work_dim() == 2", "two dimensions"},
                    {"get_work_dim() <= 2", "at most two dimensions"},
                    {"get_work_dim() == 3", "three dimensions"}};
  const db_proof_parts *conditions = &p->parts[PROOF_PRECONDITION];
  if (proof_verdict_of(p) != PROOF_VERIFIED) {
    buffer_puts(to, p->reason);
    return;
  }
  if (p->parts[PROOF_HOST].count > 0) {
    put_host(p, to);
    return;
  }
  if (conditions->count == 0) {
    buffer_puts(to, "for all sizes and arguments");
    return;
  }
  if (conditions->count == 1 && p->launches == 0) {
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++) {
      if (strcmp(conditions->list[0].text, dimensions[i].condition) == 0) {
        buffer_printf(to, "for all sizes and arguments, with %s", dimensions[i].words);
        return;
      }
    }
  }
  put_launches(p, to);
  const char *before = p->launches == 0 ? "if " : ", and for all others if ";
  for (size_t i = 0; i < conditions->count; i++) {
    if (strcmp(conditions->list[i].text, NO_OTHERS) == 0) {
      buffer_puts(to, " only");
    } else {
      buffer_printf(to, "%s%s", before, conditions->list[i].text);
      before = " and ";
    }
  }
}

void verification_variant(const view *v, size_t proof, buffer *to) {
  const db_proof *p = &v->proofs[proof];
  for (size_t i = 0; i < v->proof_count; i++) {
    const db_proof *other = &v->proofs[i];
    if (i != proof && other->file == p->file && other->line == p->line && strcmp(other->name, p->name) == 0) {
      buffer_printf(to, p->options[0] == '\0' ? "built without options" : "built with %s", p->options);
      return;
    }
  }
}

/* --- places ---------------------------------------------------------------------------------------------------- */

bool verification_shows(const db_finding *f) {
  return f->proved || races_saw(f) || memory_saw(f) || f->command_count > 0;
}

void verification_title(const db_finding *f, buffer *to) {
  const bool results = strcmp(f->rule, "data-race") == 0 && !f->proved && f->place_count == 0;
  const bool host = strcmp(f->rule, "host-race") == 0 && f->command_count == 0;
  buffer_printf(to, "%s%s", f->possible ? "possible " : "",
                results ? "race"
                : host  ? "race with the host"
                        : rule_title(f->rule));
}

const db_finding *verification_twin(const view *v, const db_finding *f) {
  return f->twin == 0 ? NULL : &v->findings[f->twin - 1];
}

const db_finding *verification_told_with(const view *v, const db_finding *f) {
  return f->proved ? verification_twin(v, f) : NULL;
}

const db_finding *verification_proof(const view *v, const db_finding *f) {
  return f->proved ? f : verification_twin(v, f);
}

void verification_twin_words(const view *v, const db_finding *twin, buffer *to) {
  buffer_puts(to, twin->possible ? "possible by a proof, too: " : "proved, too: ");
  finding_message(v, twin, to);
}

static void put_id(const db_finding *f, const char *id, buffer *to) { finding_id(f, id, to); }

/* "work-item 3 of work-group 0"; nothing when it is not known. */
static bool put_work_item(const db_finding *f, const db_place *p, buffer *to) {
  if (p->local[0] == '\0') return false;
  buffer_puts(to, "work-item ");
  put_id(f, p->local, to);
  if (p->group[0] != '\0') {
    buffer_puts(to, " of work-group ");
    put_id(f, p->group, to);
  }
  return true;
}

void verification_place(const db_finding *f, size_t place, buffer *to) {
  const db_place *p = &f->places[place];
  buffer_printf(to, "%s%s%s", p->role, p->access[0] == '\0' ? "" : " ", p->access);
  if (p->local[0] != '\0') {
    buffer_puts(to, p->access[0] == '\0' ? " of " : " by ");
    (void)put_work_item(f, p, to);
  } else if (p->group[0] != '\0') { /* several work-items of it */
    buffer_printf(to, " by work-group %s", p->group);
  }
  if (p->condition[0] != '\0') buffer_printf(to, ", where %s", p->condition);
}

/* The first two places that are one work-item's: not the barrier that is all of theirs. */
bool verification_place_of_thread(const db_finding *f, uint32_t thread, size_t *place) {
  uint32_t seen = 0;
  for (*place = 0; *place < f->place_count; ++*place) {
    const char *role = f->places[*place].role;
    const bool shared = strcmp(role, "barrier") == 0 || strcmp(role, "allocation") == 0;
    if (!shared && ++seen == thread) return true;
  }
  return false;
}

void verification_thread(const db_finding *f, uint32_t thread, buffer *to) {
  size_t place = 0;
  const bool placed = thread > 0 && verification_place_of_thread(f, thread, &place);
  if (!placed || !put_work_item(f, &f->places[place], to))
    buffer_puts(to, thread == 0 ? "both work-items" : thread == 1 ? "the first work-item" : "the second work-item");
}

/* --- counterexamples ------------------------------------------------------------------------------------------- */

static void put_shown(void *context, finding_part_kind kind, const char *what, const char *value) {
  buffer *to = context;
  if (kind == PART_SHOWN) buffer_printf(to, "%s%s: %s", to->length == 0 ? "" : "; ", what, value);
}

static void put_doubt(void *context, finding_part_kind kind, const char *what, const char *value) {
  buffer *to = context;
  (void)what;
  if (kind == PART_DOUBT)
    buffer_printf(to, "%s%s", to->length == 0 ? "it may be impossible: it depends on " : ", and on ", value);
}

static void put_parts(const db_finding *f, finding_part *put, buffer *to) {
  scoped_buffer words = {0};
  finding_parts(f, put, &words);
  buffer_puts(to, buffer_text(&words));
}

void verification_witness(const db_finding *f, buffer *to) { put_parts(f, put_shown, to); }

void verification_doubt(const db_finding *f, buffer *to) { put_parts(f, put_doubt, to); }

void verification_confirmation(const db_finding *f, buffer *to) {
  static const char *const words[] = {
      [CONFIRMED_UNKNOWN] = "",
      [CONFIRMED_YES] = "confirmed on the device",
      [CONFIRMED_NO] = "not confirmed on the device",
      [CONFIRMED_NOT_LAUNCHABLE] = "cannot be launched on the device",
  };
  if (f->confirmed != CONFIRMED_UNKNOWN)
    buffer_printf(to, "%s%s%s", words[f->confirmed], f->confirmation[0] == '\0' ? "" : ": ", f->confirmation);
}

/* Schedules and launches are counted here, and named. */

const struct amplification_outcome amplification_outcomes[AMPLIFICATION_OUTCOMES] = {
    {RUN_REFERENCE, "the reference's result"},
    {RUN_DIFFERS, "another one"},
    {RUN_DEADLOCK, "a group never ended"},
    {RUN_OCCUPANCY, "not in this order: the device has not the room for it"},
    {RUN_CRASH, "crashed"},
};

size_t amplification_outcome_of(char c) {
  size_t i = 0;
  while (i < AMPLIFICATION_OUTCOMES && (char)amplification_outcomes[i].outcome != c) i++;
  return i;
}

bool amplification_is(const view *v) { return v->launch_count > 0 || report_has_run(v, "amplify"); }

schedule_verdict amplification_verdict(const db_schedule *s) {
  int verdict = schedule_verdict_find(s->verdict);
  return verdict < 0 || verdict >= VERDICTS ? VERDICT_PENDING : (schedule_verdict)verdict;
}

bool amplification_fails(schedule_verdict v) {
  return v == VERDICT_CRASH || v == VERDICT_DEADLOCK || v == VERDICT_RACE;
}

bool amplification_is_listed(schedule_verdict v) {
  return amplification_fails(v) || v == VERDICT_ORDER || v == VERDICT_DIFFERS;
}

/* --- totals -------------------------------------------------------------------------------------------------- */

static void count_schedule(amplification_counts *c, const db_schedule *s) {
  c->schedules++;
  c->runs += strlen(s->outcomes);
  if (s->meant)
    c->meant++;
  else if (s->suppressed != NULL)
    c->suppressed++;
  else
    c->of[amplification_verdict(s)]++;
}

/* Counts a launch in its kernel's row and in all. */
static void count_launch(amplification *a, amplification_kernel *k, const db_launch *l) {
  k->launches++;
  if (l->groups > 0) {
    k->groups_least = k->groups_least == 0 || l->groups < k->groups_least ? l->groups : k->groups_least;
    k->groups_most = l->groups > k->groups_most ? l->groups : k->groups_most;
  }
  k->together = l->together > k->together ? l->together : k->together;
  if (l->schedule_count > 0) {
    a->launches++;
    a->kernels_with += k->counts.schedules == 0 ? 1 : 0;
  }
  for (size_t i = 0; i < l->schedule_count; i++) {
    count_schedule(&a->all, &l->schedules[i]);
    count_schedule(&k->counts, &l->schedules[i]);
  }
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static int compare_skipped(const void *a, const void *b) {
  const amplification_skipped *x = a, *y = b;
  return x->launches != y->launches ? (x->launches < y->launches ? 1 : -1) : strcmp(x->reason, y->reason);
}

static void add_skipped(amplification *a, size_t *capacity, const db_launch *l) {
  amplification_skipped *s = NULL;
  for (size_t i = 0; s == NULL && i < a->skipped_count; i++)
    s = strcmp(a->skipped[i].reason, l->skipped) == 0 ? &a->skipped[i] : NULL;
  if (s == NULL) {
    s = ARRAY_ADD(a->skipped, a->skipped_count, *capacity);
    s->reason = l->skipped;
  }
  s->launches++;
  for (size_t i = 0; i < s->kernel_count; i++)
    if (s->kernels[i] == l->kernel) return;
  s->kernels = mem_realloc(s->kernels, (s->kernel_count + 1) * sizeof *s->kernels);
  s->kernels[s->kernel_count++] = l->kernel;
}

static void list_skipped(const view *v, amplification *a) {
  size_t capacity = 0;
  for (size_t i = 0; i < v->launch_count; i++)
    if (a->selected[i] && v->launches[i].schedule_count == 0) add_skipped(a, &capacity, &v->launches[i]);
  for (size_t i = 0; i < a->skipped_count; i++)
    qsort(a->skipped[i].kernels, a->skipped[i].kernel_count, sizeof *a->skipped[i].kernels, compare_numbers);
  if (a->skipped_count > 0) qsort(a->skipped, a->skipped_count, sizeof *a->skipped, compare_skipped);
}

void amplification_totals(const view *v, const report_options *options, amplification *out) {
  *out = (amplification){.kernels = mem_calloc(v->kernel_count, sizeof *out->kernels),
                         .selected = mem_calloc(v->launch_count, sizeof *out->selected)};
  amplification_kernel *by_kernel = out->kernels; /* for now one for each kernel of the view */
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    out->selected[i] = report_selects(options, v->kernels[l->kernel].name);
    if (out->selected[i]) count_launch(out, &by_kernel[l->kernel], l);
  }
  for (uint32_t i = 0; i < v->kernel_count; i++) {
    if (by_kernel[i].launches > 0) {
      by_kernel[i].kernel = i;
      out->kernels[out->kernel_count++] = by_kernel[i];
    }
  }
  list_skipped(v, out);
}

void amplification_free(amplification *a) {
  for (size_t i = 0; i < a->skipped_count; i++) free(a->skipped[i].kernels);
  free(a->skipped);
  free(a->kernels);
  free(a->selected);
  *a = (amplification){0};
}

size_t amplification_accesses(const db_explanation *x, uint32_t *lines, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < x->place_count && count < most; i++)
    if (strcmp(x->places[i].role, "write") == 0) lines[count++] = x->places[i].line;
  return count;
}

/* With a word before a target and one after an order without; both may be "". */
static void put_schedule(const db_schedule *s, const char *group, const char *order, buffer *to) {
  if (strcmp(s->order, "first") == 0 || strcmp(s->order, "last") == 0)
    buffer_printf(to, "%s%u %s", group, s->target, s->order);
  else if (strcmp(s->order, "random") == 0)
    buffer_printf(to, "random%s %u", order, s->seed);
  else
    buffer_printf(to, "%s%s", s->order, order);
  if (strcmp(s->gate, "ticket") != 0) buffer_printf(to, ", %s gate", s->gate);
}

void amplification_label(const db_schedule *s, buffer *to) { put_schedule(s, "", "", to); }

void amplification_describe(const db_schedule *s, buffer *to) { put_schedule(s, "group ", " order", to); }

void amplification_launch_name(const view *v, const db_launch *l, buffer *to) {
  buffer_printf(to, "launch %u of ", l->number);
  mutation_test_name(&v->test_cases[l->test_case], to);
}
