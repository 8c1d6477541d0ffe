/* Which schedules each launch gets. */
#include <stdlib.h>
#include <string.h>

#include "base/globs.h"
#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/session/internal.h"

enum { TARGET_SET = 10 }; /* as in the paper */

#define MEANT_COMMENT "cltestcheck: order-dependent"

static const char one_group[] = "one work-group";
static const char uneven[] = "its last work-groups are smaller than the others: no group can stand for another";
static const char too_many[] = "too many work-groups";
static const char not_gated[] = "it ran without the gate, or the device refused it";
static const char no_such_group[] = "it has none of the work-groups of --targets";

/* --- what a kernel says of itself -----------------------------------------------------------------------------------
 */

/* The line before the one that `at` is in; NULL if that is the first. */
static const char *line_before(const char *text, const char *at) {
  const char *end = memrchr(text, '\n', (size_t)(at - text));
  if (end == NULL) {
    return NULL;
  }
  const char *begin = memrchr(text, '\n', (size_t)(end - text));
  return begin == NULL ? text : begin + 1;
}

/* Whether the lines of comment, attributes or nothing above the function, or its own, say that order is meant. */
static bool is_meant(const model *m, uint32_t kernel) {
  const model_function *f = &m->functions[m->kernels[kernel].function];
  const char *text = m->files[f->file].text;
  const char *line = text;
  for (uint32_t n = 1; n < f->line && line != NULL; n++) {
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  while (line != NULL) {
    size_t length = strcspn(line, "\n");
    if (memmem(line, length, MEANT_COMMENT, strlen(MEANT_COMMENT)) != NULL) {
      return true;
    }
    line = line_before(text, line);
    /* an empty line, or the end of another function, ends what belongs to this one */
    if (line != NULL && (line[strspn(line, " \t\r")] == '\n' || line[0] == '}')) {
      return false;
    }
  }
  return false;
}

/* --- trials ---------------------------------------------------------------------------------------------------------
 */

static bool is_selected(const amplify *a, const amplify_launch *l) {
  const amplify_options *o = a->options;
  const char *name = a->session->programs[l->program].result.model.kernels[l->kernel].name;
  if (o->replay != NULL) {
    return strcmp(name, o->replay->kernel) == 0 && l->number == o->replay->launch;
  }
  return globs_select((const char *const *)o->common.kernels, o->common.kernel_count,
                      (const char *const *)o->common.exclude, o->common.exclude_count, name);
}

/* Why a launch gets no schedules, "" if it does. */
static const char *obstacle(const amplify_launch *l) {
  if (!l->seen) {
    return not_gated;
  }
  if (l->groups == 1) {
    return one_group;
  }
  return l->uneven ? uneven : l->groups >= SCHEDULE_GROUPS_CAP ? too_many : "";
}

static void add_trial(const amplify *a, amplify_launch *l, const schedule *s, size_t *capacity) {
  trial *t = ARRAY_ADD(l->trials, l->trial_count, *capacity);
  t->schedule = *s;
  t->outcomes = mem_calloc(a->options->common.runs + 1, 1);
}

/* The targets of a launch, to be freed. */
static uint32_t *targets_of(const amplify *a, const amplify_launch *l, uint64_t seed, size_t *count) {
  const amplify_options *o = a->options;
  if (o->targets == TARGETS_SETS || o->targets == TARGETS_ALL) {
    return schedule_targets(l->groups, o->targets == TARGETS_ALL ? 1 : TARGET_SET, seed, count);
  }
  if (o->targets == TARGETS_COUNT) {
    size_t wanted = o->target_count < l->groups ? o->target_count : l->groups;
    uint32_t *targets = schedule_targets(l->groups, (uint32_t)((l->groups + wanted - 1) / wanted), seed, count);
    return targets;
  }
  uint32_t *targets = mem_calloc(o->target_count + 1, sizeof *targets);
  for (size_t i = 0; i < o->target_count; i++) {
    if (o->target_list[i] < l->groups) {
      targets[(*count)++] = o->target_list[i];
    }
  }
  return targets;
}

static void add_trials(const amplify *a, amplify_launch *l, uint64_t seed) {
  const amplify_options *o = a->options;
  size_t capacity = 0;
  size_t count = 0;
  if (o->replay != NULL) {
    if (o->replay->schedule.target < l->groups) {
      add_trial(a, l, &o->replay->schedule, &capacity);
    }
    return;
  }
  /* those that tell most come first, should time run out */
  if (o->orders[ORDER_REVERSE]) {
    add_trial(a, l, &(schedule){ORDER_REVERSE, o->gate, 0, 0}, &capacity);
  }
  if (o->orders[ORDER_RANDOM]) {
    add_trial(a, l, &(schedule){ORDER_RANDOM, o->gate, 0, schedule_seed(seed, 0)}, &capacity);
  }
  uint32_t *targets = targets_of(a, l, seed, &count);
  for (int order = ORDER_FIRST; order <= ORDER_LAST; order++) {
    for (size_t i = 0; i < count && o->orders[order]; i++) {
      add_trial(a, l, &(schedule){(schedule_order)order, o->gate, targets[i], 0}, &capacity);
    }
  }
  free(targets);
}

/* A seed for a launch that depends on nothing but the command and the launch. */
static uint64_t seed_of(const amplify *a, const amplify_launch *l) {
  const char *name = a->session->programs[l->program].result.model.kernels[l->kernel].name;
  uint64_t h = a->options->common.seed * UINT64_C(0x9E3779B97F4A7C15) + l->number;
  for (const char *c = name; *c != '\0'; c++) {
    h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
  }
  return h;
}

static int plan_launch(amplify *a, amplify_launch *l, error *e) {
  const session_program *p = &a->session->programs[l->program];
  l->skipped = obstacle(l);
  l->meant = is_meant(&p->result.model, l->kernel);
  if (l->skipped[0] == '\0') {
    add_trials(a, l, seed_of(a, l));
    l->skipped = l->trial_count > 0 ? "" : no_such_group;
  }
  a->out->launches++;
  a->out->gated += l->trial_count > 0 ? 1 : 0;
  a->out->most_groups = l->groups > a->out->most_groups ? l->groups : a->out->most_groups;
  const db_launch row = {.kernel = p->stored.kernels[l->kernel],
                         .number = l->number,
                         .groups = l->groups,
                         .local = l->local,
                         .together = l->together,
                         .skipped = l->skipped};
  return db_put_launch(a->base.db, amplify_case(a)->row, &row, &l->row, e);
}

/* Groups in flight are counted in the first launches of a kernel; the others are taken to be like them. */
static uint32_t groups_together(const amplify *a, const amplify_launch *l) {
  uint32_t most = l->together;
  for (size_t i = 0; i < a->launch_count && l->together == 0; i++) {
    const amplify_launch *other = &a->launches[i];
    if (other->program == l->program && other->kernel == l->kernel && other->together > most) {
      most = other->together;
    }
  }
  return most < l->groups ? most : l->groups;
}

int amplify_plan(amplify *a, error *e) {
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    a->launches[i].together = groups_together(a, &a->launches[i]);
  }
  for (size_t i = 0; i < a->launch_count && result == 0; i++) {
    a->out->launches_all++;
    if (is_selected(a, &a->launches[i])) {
      result = plan_launch(a, &a->launches[i], e);
    }
  }
  return result;
}
