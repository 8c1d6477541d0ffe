/* Schedules and launches are counted here, and named. */
#include "reports/common/amplification.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/mutation.h"
#include "reports/common/report.h"

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

static void count_groups(amplification_kernel *k, const db_launch *l) {
  if (l->groups > 0) {
    k->groups_least = k->groups_least == 0 || l->groups < k->groups_least ? l->groups : k->groups_least;
    k->groups_most = l->groups > k->groups_most ? l->groups : k->groups_most;
  }
  k->together = l->together > k->together ? l->together : k->together;
}

/* Counts a launch in its kernel's row and in all. */
static void count_launch(amplification *a, amplification_kernel *k, const db_launch *l) {
  k->launches++;
  count_groups(k, l);
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

/* --- words --------------------------------------------------------------------------------------------------- */

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
