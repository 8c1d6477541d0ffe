/* What was seen of conditions, and the ways through decisions. A site is known by the offset of its token: two
 * conditions of one place (arguments that a macro uses twice) are one. */
#include "compare_conditions.h"

#include <stdbool.h>
#include <string.h>

typedef struct comparison {
  const tree *p;
  const model_site *sites;
  size_t count;
  uint32_t file, kernels;
  const char *who;
  FILE *report;
  size_t differences;
} comparison;

static void complain(comparison *c, const model_site *s, const char *outcome, const char *what) {
  fprintf(c->report, "  %u:%u %s, \"%s\" of %s: %s\n", s->line, s->column, site_kind_name(s->kind), outcome, c->who,
          what);
  c->differences++;
}

static const model_site *site_at(const comparison *c, site_kind kind, uint32_t mark) {
  for (size_t i = 0; i < c->count; i++) {
    const model_site *s = &c->sites[i];
    if (s->kind == kind && s->file == c->file && s->offset + 1 == mark) return s;
  }
  return NULL;
}

/* --- from the program to the sites ----------------------------------------------------------------------------------
 */

static bool covered(const model_site *s, const char *label, bool *listed) {
  *listed = false;
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *o = &s->outcomes[i];
    if ((s->kind != SITE_DECISION || o->index >= OUTCOME_PATH) && strcmp(o->label, label) == 0) {
      *listed = true;
      return o->tests > 0;
    }
  }
  return false;
}

static void find_condition(comparison *c, const expression *e) {
  static const char *const labels[] = {"true", "false"};
  const model_site *s = site_at(c, SITE_CONDITION, e->mark);
  for (int k = 0; k < 2; k++) {
    bool listed = false;
    if ((e->seen[k] & c->kernels) == 0) continue;
    if (s == NULL) {
      fprintf(c->report, "  offset %u: the condition is missing among those of %s\n", e->mark - 1, c->who);
      c->differences++;
    } else if (!covered(s, labels[k], &listed)) {
      complain(c, s, labels[k], "missing");
    }
  }
}

static bool was_taken(const expression *e, uint32_t kernels) {
  for (const taken_way *w = e->ways; w != NULL; w = w->next)
    if ((w->kernels & kernels) != 0) return true;
  return false;
}

/* A decision with too many ways has none listed. */
static bool has_ways(const model_site *s) { return s->outcome_count > 0; }

static void find_decision(comparison *c, const expression *e) {
  const model_site *s = site_at(c, SITE_DECISION, e->mark);
  if (s == NULL) {
    fprintf(c->report, "  offset %u: the decision is missing among those of %s\n", e->mark - 1, c->who);
    c->differences++;
    return;
  }
  size_t ways = 0;
  for (const taken_way *w = e->ways; w != NULL; w = w->next) {
    bool listed = false;
    bool seen = covered(s, w->label, &listed);
    ways++;
    if (has_ways(s) && !listed)
      complain(c, s, w->label, "not listed");
    else if (has_ways(s) && !seen && (w->kernels & c->kernels) != 0)
      complain(c, s, w->label, "missing");
  }
  if (!has_ways(s) && ways <= MAX_PATHS && !e->large) complain(c, s, "all", "said to be too many");
}

/* --- from the sites to the program ----------------------------------------------------------------------------------
 */

static bool predicted_condition(const comparison *c, const model_site *s, int which) {
  for (size_t i = 0; i < c->p->expression_count; i++) {
    const expression *e = c->p->expressions[i];
    if (e->mark == s->offset + 1 && (e->seen[which] & c->kernels) != 0) return true;
  }
  return false;
}

static bool predicted_way(const comparison *c, const model_site *s, const char *label) {
  for (size_t i = 0; i < c->p->expression_count; i++) {
    const expression *e = c->p->expressions[i];
    for (const taken_way *w = e->mark == s->offset + 1 ? e->ways : NULL; w != NULL; w = w->next)
      if ((w->kernels & c->kernels) != 0 && strcmp(w->label, label) == 0) return true;
  }
  return false;
}

static bool predicted_large(const comparison *c, const model_site *s) {
  for (size_t i = 0; i < c->p->expression_count; i++)
    if (c->p->expressions[i]->mark == s->offset + 1 && c->p->expressions[i]->large) return true;
  return false;
}

static void check_site(comparison *c, const model_site *s) {
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *o = &s->outcomes[i];
    if (o->tests == 0) continue;
    bool good = s->kind == SITE_CONDITION ? predicted_condition(c, s, o->index == OUTCOME_TRUE ? 0 : 1)
                                          : predicted_way(c, s, o->label) || predicted_large(c, s);
    if (!good) complain(c, s, o->label, "covered, expected not");
  }
}

size_t compare_conditions(const model_site *sites, size_t count, const tree *p, uint32_t file, uint32_t kernels,
                          const char *who, FILE *report) {
  comparison c = {p, sites, count, file, kernels, who, report, 0};
  for (size_t i = 0; i < p->expression_count; i++) {
    const expression *e = p->expressions[i];
    if (e->mark != 0) find_condition(&c, e);
    if (e->mark != 0 && was_taken(e, kernels)) find_decision(&c, e);
  }
  for (size_t i = 0; i < count; i++)
    if (sites[i].file == file && (sites[i].kind == SITE_CONDITION || sites[i].kind == SITE_DECISION))
      check_site(&c, &sites[i]);
  return c.differences;
}
