/* Matching suppressions with what a view holds. */
#include "reports/common/suppress.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/amplification.h"
#include "reports/common/place.h"
#include "reports/common/suppress_outcomes.h"

#define MUTANT "mutant"
#define RULE 64               /* bytes of a rule */
#define DATA_RACE "data-race" /* the rule of a finding about a race */

/* --- patterns -------------------------------------------------------------------------------------------------- */

/* Goes back to the last * where it does not fit, so it takes length times length at worst. */
bool suppress_matches(const char *pattern, const char *s, size_t length) {
  const char *star = NULL;
  size_t at = 0;
  size_t tried = 0;
  while (at < length) {
    if (*pattern == '*') {
      star = pattern++;
      tried = at;
    } else if (*pattern == '?' || (*pattern != '\0' && *pattern == s[at])) {
      pattern++;
      at++;
    } else if (star != NULL) {
      pattern = star + 1;
      at = ++tried;
    } else {
      return false;
    }
  }
  return pattern[strspn(pattern, "*")] == '\0';
}

static bool matches(const char *pattern, const char *name) {
  return pattern == NULL || suppress_matches(pattern, name, strlen(name));
}

/* --- rules ----------------------------------------------------------------------------------------------------- */

bool suppress_rule_matches(const char *pattern, const char *rule) {
  if (strcmp(pattern, MUTANT) == 0) {
    pattern = MUTANT "/*";
  }
  return matches(pattern, rule) || (strcmp(rule, DATA_RACE) == 0 && matches(pattern, "race"));
}

/* --- places ---------------------------------------------------------------------------------------------------- */

bool suppress_line_matches(const char *pattern, const view *v, uint32_t file, uint32_t line) {
  if (pattern == NULL) {
    return true;
  }
  size_t length = 0;
  const char *at = file == MODEL_NONE ? NULL : place_source_line(&v->files[file], line, &length);
  if (at == NULL) {
    return false;
  }
  while (length > 0 && isspace((unsigned char)at[0]) != 0) {
    at++;
    length--;
  }
  while (length > 0 && isspace((unsigned char)at[length - 1]) != 0) {
    length--;
  }
  return suppress_matches(pattern, at, length);
}

static bool kernels_match(const char *pattern, const view *v, const db_mutant *m) {
  bool all = m->kernel_count > 0;
  for (size_t i = 0; i < m->kernel_count; i++) {
    all = all && matches(pattern, v->kernels[m->kernels[i]].name);
  }
  return all || (m->function == MODEL_NONE ? pattern == NULL : matches(pattern, v->functions[m->function].name));
}

/* --- what is suppressed ---------------------------------------------------------------------------------------- */

static bool take(view *v, size_t which, char **suppressed) {
  if (*suppressed != NULL) {
    return false;
  }
  *suppressed = mem_strdup(v->suppressions[which].reason);
  v->suppressions[which].count++;
  return true;
}

static void apply_to_findings(view *v, const suppression *s, size_t which) {
  for (size_t i = 0; i < v->finding_count; i++) {
    db_finding *f = &v->findings[i];
    if (suppress_rule_matches(s->rule, f->rule) && matches(s->kernel, f->kernel) &&
        suppress_line_matches(s->line, v, f->file, f->line)) {
      if (take(v, which, &f->suppressed) && f->twin != 0 && v->findings[f->twin - 1].suppressed == NULL) {
        v->findings[f->twin - 1].suppressed = mem_strdup(v->suppressions[which].reason); /* they are told as one */
      }
    }
  }
}

static void apply_to_mutants(view *v, const suppression *s, size_t which) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    char rule[RULE];
    (void)snprintf(rule, sizeof rule, MUTANT "/%s", m->operator_name);
    if (m->status != MUTANT_SUPPRESSED && suppress_rule_matches(s->rule, rule) && kernels_match(s->kernel, v, m) &&
        suppress_line_matches(s->line, v, m->file, m->line) && take(v, which, &m->suppressed)) {
      m->status = MUTANT_SUPPRESSED;
    }
  }
}

/* A duplicate has no verdict but its original's. */
static void apply_to_duplicates(view *v, size_t which) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    const db_mutant *original = m->duplicate_of == MODEL_NONE ? NULL : &v->mutants[m->duplicate_of];
    if (m->status == MUTANT_DUPLICATE && original != NULL && original->suppressed != NULL &&
        take(v, which, &m->suppressed)) {
      m->status = MUTANT_SUPPRESSED;
    }
  }
}

static void apply_to_schedules(view *v, const suppression *s, size_t which) {
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    const view_kernel *k = &v->kernels[l->kernel];
    for (size_t n = 0; n < l->schedule_count && matches(s->kernel, k->name); n++) {
      db_schedule *one = &l->schedules[n];
      const db_explanation *x = one->explanation;
      if (amplification_is_listed(amplification_verdict(one)) && !one->meant &&
          suppress_rule_matches(s->rule, one->verdict) &&
          suppress_line_matches(s->line, v, x == NULL ? MODEL_NONE : x->file, x == NULL ? 0 : x->line)) {
        (void)take(v, which, &one->suppressed);
      }
    }
  }
}

static char *copy(const char *s) { return s == NULL ? NULL : mem_strdup(s); }

void suppress_apply(view *v, const suppression *list, size_t count) {
  v->suppressions = mem_calloc(count, sizeof *v->suppressions);
  v->suppression_count = count;
  for (size_t i = 0; i < count; i++) {
    const suppression *s = &list[i];
    v->suppressions[i] = (view_suppression){copy(s->rule), copy(s->kernel), copy(s->line), copy(s->reason), 0};
    apply_to_findings(v, s, i);
    apply_to_mutants(v, s, i);
    apply_to_duplicates(v, i);
    apply_to_schedules(v, s, i);
    v->suppressions[i].count += suppress_outcomes(v, s);
  }
}
