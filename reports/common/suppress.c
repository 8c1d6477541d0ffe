/* Suppressions of the configuration are matched with what a view holds. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"

enum { LONGEST = 200 }; /* bytes of a source line that stand in a suppression */

/* In double quotes for YAML. What a page or a terminal cannot show as it is matches any character. */
static void put_pattern(buffer *to, const char *text, size_t length, const char *end) {
  buffer_putc(to, '"');
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    if (n == 1 && (text[i] == '"' || text[i] == '\\'))
      buffer_printf(to, "\\%c", text[i]);
    else if (n == 1 && text[i] >= ' ' && text[i] < 0x7f)
      buffer_putc(to, text[i]);
    else
      for (size_t k = 0; k < (n == 0 ? 1 : n); k++) buffer_putc(to, '?');
    i += n == 0 ? 1 : n;
  }
  buffer_printf(to, "%s\"", end);
}

place_line suppress_trimmed(place_line line) {
  while (line.length > 0 && isspace((unsigned char)line.text[0]) != 0) {
    line.text++;
    line.length--;
  }
  while (line.length > 0 && isspace((unsigned char)line.text[line.length - 1]) != 0) line.length--;
  return line;
}

void suppress_text(const char *rule, const char *kernel, place_line line, const char *reason, buffer *to) {
  const place_line shown = suppress_trimmed(line);
  const bool cut = shown.length > LONGEST;
  buffer_printf(to, "- {rule: %s", rule);
  if (kernel[0] != '\0') {
    buffer_puts(to, ", kernel: ");
    put_pattern(to, kernel, strlen(kernel), "");
  }
  if (shown.text != NULL) {
    buffer_puts(to, ", line: ");
    put_pattern(to, shown.text, cut ? LONGEST : shown.length, cut ? "*" : "");
  }
  buffer_printf(to, ", reason: \"%s\"}", reason);
}

void suppress_finding_text(const view *v, const db_finding *f, buffer *to) {
  const place_line line = f->file == MODEL_NONE ? (place_line){0} : place_line_of(&v->files[f->file], f->line);
  suppress_text(f->rule, f->kernel, line, UTF8_ELLIPSIS, to);
}

const char *suppress_outcome_rule(site_kind kind, uint32_t outcome) {
  static const char *const loops[] = {[OUTCOME_ZERO] = "loop-zero",
                                      [OUTCOME_ONE] = "loop-one",
                                      [OUTCOME_MANY] = "loop-many",
                                      [OUTCOME_BOUNDARY] = "loop-boundary"};
  switch (kind) {
    case SITE_FOR:
    case SITE_WHILE:
    case SITE_DO: return outcome <= OUTCOME_BOUNDARY ? loops[outcome] : "";
    case SITE_IF:
    case SITE_CONDITIONAL:
      return outcome == OUTCOME_TRUE ? "branch-true" : outcome == OUTCOME_FALSE ? "branch-false" : "";
    case SITE_SWITCH: return outcome == OUTCOME_DIVERGED ? "" : "branch-case";
    default: return "";
  }
}

static bool is_named(const suppression *s, const char *name) {
  return s->kernel == NULL || suppress_matches(s->kernel, name, strlen(name));
}

static bool has_function(const view_kernel *k, uint32_t function) {
  bool has = false;
  for (size_t i = 0; i < k->function_count; i++) has = has || k->functions[i] == function;
  return has;
}

/* Is it in a function that is meant, or that only kernels reach that are? */
static bool is_meant(const view *v, const suppression *s, uint32_t function) {
  size_t reach = 0, meant = 0;
  if (function == MODEL_NONE || is_named(s, v->functions[function].name))
    return function != MODEL_NONE || s->kernel == NULL;
  for (size_t i = 0; i < v->kernel_count; i++) {
    const bool reaches = has_function(&v->kernels[i], function);
    reach += reaches ? 1 : 0;
    meant += reaches && is_named(s, v->kernels[i].name) ? 1 : 0;
  }
  return reach > 0 && meant == reach;
}

/* Without those that a schedule of work-groups has reached: that refers to outcomes by their places. */
static bool is_unreached(const view *v, const model_site *site) {
  for (size_t l = 0; l < v->launch_count; l++) {
    for (size_t i = 0; i < v->launches[l].schedule_count; i++) {
      const db_schedule *s = &v->launches[l].schedules[i];
      for (size_t k = 0; k < s->reached_count; k++)
        if (&v->sites[s->reached[k].site] == site) return false;
    }
  }
  return true;
}

static bool suppress_line_matches(const char *pattern, const view *v, uint32_t file, uint32_t line);

static size_t take_outcomes(const view *v, const suppression *s, model_site *site) {
  size_t kept = 0;
  for (size_t i = 0; i < site->outcome_count; i++) {
    model_outcome *o = &site->outcomes[i];
    const char *rule = suppress_outcome_rule(site->kind, o->index);
    const uint32_t line = site->kind == SITE_SWITCH ? o->line : site->line;
    if (o->tests == 0 && rule[0] != '\0' && suppress_matches(s->rule, rule, strlen(rule)) &&
        suppress_line_matches(s->line, v, site->file, line))
      continue;
    site->outcomes[kept++] = *o;
  }
  const size_t taken = site->outcome_count - kept;
  site->outcome_count = kept;
  return taken;
}

/* Takes out outcomes that a suppression with a rule like loop-zero, or branch-true, matches and nothing has covered; returns how
 * many. What was covered is not unreachable. */
static size_t suppress_outcomes(view *v, const suppression *s) {
  size_t taken = 0;
  if (s->rule == NULL || (strncmp(s->rule, "loop-", 5) != 0 && strncmp(s->rule, "branch-", 7) != 0)) return 0;
  for (size_t i = 0; i < v->site_count; i++)
    if (is_meant(v, s, v->sites[i].function) && is_unreached(v, &v->sites[i]))
      taken += take_outcomes(v, s, &v->sites[i]);
  for (size_t k = 0; k < v->kernel_count; k++) {
    for (size_t i = 0; i < v->kernels[k].site_count; i++) {
      model_site *site = &v->kernels[k].sites[i];
      if (is_named(s, v->kernels[k].name) || is_meant(v, s, site->function)) (void)take_outcomes(v, s, site);
    }
  }
  return taken;
}

#define MUTANT "mutant"
#define RULE 64               /* bytes of a rule */
#define DATA_RACE "data-race" /* the rule of a finding about a race */

/* Goes back to the last * where it does not fit, so it takes length times length at worst. */
bool suppress_matches(const char *pattern, const char *s, size_t length) {
  const char *star = NULL;
  size_t at = 0, tried = 0;
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

bool suppress_rule_matches(const char *pattern, const char *rule) {
  if (strcmp(pattern, MUTANT) == 0) pattern = MUTANT "/*";
  return matches(pattern, rule) || (strcmp(rule, DATA_RACE) == 0 && matches(pattern, "race"));
}

/* Does a pattern (NULL: any does) match the source line, without spaces at both ends? */
static bool suppress_line_matches(const char *pattern, const view *v, uint32_t file, uint32_t line) {
  if (pattern == NULL) return true;
  size_t length = 0;
  const char *at = file == MODEL_NONE ? NULL : place_source_line(&v->files[file], line, &length);
  if (at == NULL) return false;
  while (length > 0 && isspace((unsigned char)at[0]) != 0) {
    at++;
    length--;
  }
  while (length > 0 && isspace((unsigned char)at[length - 1]) != 0) length--;
  return suppress_matches(pattern, at, length);
}

static bool kernels_match(const char *pattern, const view *v, const db_mutant *m) {
  bool all = m->kernel_count > 0;
  for (size_t i = 0; i < m->kernel_count; i++) all = all && matches(pattern, v->kernels[m->kernels[i]].name);
  return all || (m->function == MODEL_NONE ? pattern == NULL : matches(pattern, v->functions[m->function].name));
}

/* --- what is suppressed ---------------------------------------------------------------------------------------- */

static bool suppress_take(view *v, size_t which, char **suppressed) {
  if (*suppressed != NULL) return false;
  *suppressed = v->suppressions[which].reason;
  v->suppressions[which].count++;
  return true;
}

static void apply_to_findings(view *v, const suppression *s, size_t which) {
  for (size_t i = 0; i < v->finding_count; i++) {
    db_finding *f = &v->findings[i];
    if (suppress_rule_matches(s->rule, f->rule) && matches(s->kernel, f->kernel) &&
        suppress_line_matches(s->line, v, f->file, f->line)) {
      if (suppress_take(v, which, &f->suppressed) && f->twin != 0 && v->findings[f->twin - 1].suppressed == NULL)
        v->findings[f->twin - 1].suppressed = v->suppressions[which].reason; /* they are told as one */
    }
  }
}

static void apply_to_mutants(view *v, const suppression *s, size_t which) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    char rule[RULE];
    (void)snprintf(rule, sizeof rule, MUTANT "/%s", m->operator_name);
    if (m->status != MUTANT_SUPPRESSED && suppress_rule_matches(s->rule, rule) && kernels_match(s->kernel, v, m) &&
        suppress_line_matches(s->line, v, m->file, m->line) && suppress_take(v, which, &m->suppressed))
      m->status = MUTANT_SUPPRESSED;
  }
}

/* A duplicate has no verdict but its original's. */
static void apply_to_duplicates(view *v, size_t which) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    const db_mutant *original = m->duplicate_of == MODEL_NONE ? NULL : &v->mutants[m->duplicate_of];
    if (m->status == MUTANT_DUPLICATE && original != NULL && original->suppressed != NULL &&
        suppress_take(v, which, &m->suppressed))
      m->status = MUTANT_SUPPRESSED;
  }
}

static void apply_to_schedules(view *v, const suppression *s, size_t which) {
  EACH(const db_launch, l, v->launches, v->launch_count) {
    const view_kernel *k = &v->kernels[l->kernel];
    for (size_t n = 0; n < l->schedule_count && matches(s->kernel, k->name); n++) {
      db_schedule *one = &l->schedules[n];
      const db_explanation *x = one->explanation;
      if (amplification_is_listed(amplification_verdict(one)) && !one->meant &&
          suppress_rule_matches(s->rule, one->verdict) &&
          suppress_line_matches(s->line, v, x == NULL ? MODEL_NONE : x->file, x == NULL ? 0 : x->line))
        (void)suppress_take(v, which, &one->suppressed);
    }
  }
}

static char *copy_pattern(view *v, const char *s) { return s == NULL ? NULL : mem_arena_copy(&v->memory, s); }

void suppress_apply(view *v, const suppression *list, size_t count) {
  v->suppressions = mem_arena_array(&v->memory, count, sizeof *v->suppressions);
  v->suppression_count = count;
  for (size_t i = 0; i < count; i++) {
    const suppression *s = &list[i];
    v->suppressions[i] = (view_suppression){copy_pattern(v, s->rule), copy_pattern(v, s->kernel),
                                            copy_pattern(v, s->line), copy_pattern(v, s->reason), 0};
    apply_to_findings(v, s, i);
    apply_to_mutants(v, s, i);
    apply_to_duplicates(v, i);
    apply_to_schedules(v, s, i);
    v->suppressions[i].count += suppress_outcomes(v, s);
  }
}
