/* Grouping schedules that fail alike. */
#include "reports/common/failing.h"

#include <string.h>

#include "base/memory.h"

static const struct {
  const char *word, *rule;
} words[VERDICTS] = {
    [VERDICT_RACE] = {"RACE", "data-race"},
    [VERDICT_DEADLOCK] = {"DEADLOCK", "deadlock"},
    [VERDICT_CRASH] = {"CRASH", "crash"},
    [VERDICT_ORDER] = {"ORDER-DEPENDENT", "order-dependent"},
    [VERDICT_DIFFERS] = {"DIFFERS (ACCESSES NOT CHECKED)", "differs"},
};

const char *failing_word(schedule_verdict verdict) { return words[verdict].word; }

const char *failing_rule(schedule_verdict verdict) { return words[verdict].rule; }

/* Do the explanations name the same place? A schedule without one is like any other of its kernel and verdict. */
static bool same_place(const db_explanation *a, const db_explanation *b) {
  return a == NULL || b == NULL || (a->file == b->file && a->line == b->line && strcmp(a->argument, b->argument) == 0);
}

static bool is_alike(const failing *f, const db_launch *l, const db_schedule *s) {
  return f->launch->kernel == l->kernel && amplification_verdict(f->schedule) == amplification_verdict(s) &&
         same_place(f->schedule->explanation, s->explanation);
}

/* Those that fail as a schedule does; new ones where there are none. */
static failing *failing_of(failing_list *to, const db_launch *l, const db_schedule *s) {
  size_t i = 0;
  while (i < to->count && !is_alike(&to->list[i], l, s)) {
    i++;
  }
  if (i == to->count) {
    *ARRAY_ADD(to->list, to->count, to->capacity) = (failing){.launch = l, .schedule = s};
  }
  return &to->list[i];
}

static void find_explained(failing_list *to, const db_launch *l, const db_schedule *s) {
  if (s->explanation != NULL) {
    (void)failing_of(to, l, s);
  }
}

static void count(failing_list *to, const db_launch *l, const db_schedule *s) {
  failing *f = failing_of(to, l, s);
  f->schedules++;
  f->launches += f->last != l ? 1 : 0;
  f->last = l;
}

static void for_failing(const view *v, const amplification *a, bool suppressed, failing_list *to,
                        void (*take)(failing_list *, const db_launch *, const db_schedule *)) {
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a->selected[i] && k < l->schedule_count; k++) {
      const db_schedule *s = &l->schedules[k];
      if (amplification_is_listed(amplification_verdict(s)) && !s->meant && (s->suppressed != NULL) == suppressed) {
        take(to, l, s);
      }
    }
  }
}

/* The explained ones first, so that the others find theirs. */
failing_list failing_find(const view *v, const amplification *a, bool suppressed) {
  failing_list found = {0};
  for_failing(v, a, suppressed, &found, find_explained);
  for_failing(v, a, suppressed, &found, count);
  return found;
}

const db_finding *failing_finding(const view *v, const failing *f) {
  const char *rule = failing_rule(amplification_verdict(f->schedule));
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *x = &v->findings[i];
    if (!x->proved && x->place_count > 0 && strcmp(x->rule, rule) == 0 &&
        strcmp(x->kernel, v->kernels[f->launch->kernel].name) == 0) {
      return x;
    }
  }
  return NULL;
}

bool failing_shows(const view *v, const db_finding *f) {
  for (size_t i = 0; !f->proved && i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; strcmp(v->kernels[l->kernel].name, f->kernel) == 0 && k < l->schedule_count; k++) {
      const char *rule = failing_rule(amplification_verdict(&l->schedules[k]));
      if (rule != NULL && strcmp(rule, f->rule) == 0 && !l->schedules[k].meant) {
        return true;
      }
    }
  }
  return false;
}
