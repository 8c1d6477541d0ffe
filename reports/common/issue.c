/* Issues: findings, schedules that fail (those that fail alike are one) and mutants, with their words. */
#include "reports/common/issue.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/document.h"
#include "reports/common/place.h"
#include "reports/common/report.h"
#include "reports/common/verification.h"
#include "reports/words/words.h"

typedef struct failing_list {
  failing *list;
  size_t count, capacity;
} failing_list;

/* Grouping schedules that fail alike. */

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

static const char *failing_rule(schedule_verdict verdict) { return words[verdict].rule; }

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
  while (i < to->count && !is_alike(&to->list[i], l, s)) i++;
  if (i == to->count) *ARRAY_ADD(to->list, to->count, to->capacity) = (failing){.launch = l, .schedule = s};
  return &to->list[i];
}

static void find_explained(failing_list *to, const db_launch *l, const db_schedule *s) {
  if (s->explanation != NULL) (void)failing_of(to, l, s);
}

static void count_failing(failing_list *to, const db_launch *l, const db_schedule *s) {
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
      if (amplification_is_listed(amplification_verdict(s)) && !s->meant && (s->suppressed != NULL) == suppressed)
        take(to, l, s);
    }
  }
}

/* The explained ones first, so that the others find theirs. */
static failing_list failing_find(const view *v, const amplification *a, bool suppressed) {
  failing_list found = {0};
  for_failing(v, a, suppressed, &found, find_explained);
  for_failing(v, a, suppressed, &found, count_failing);
  return found;
}

const db_finding *failing_finding(const view *v, const failing *f) {
  const char *rule = failing_rule(amplification_verdict(f->schedule));
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *x = &v->findings[i];
    if (!x->proved && x->place_count > 0 && strcmp(x->rule, rule) == 0 &&
        strcmp(x->kernel, v->kernels[f->launch->kernel].name) == 0)
      return x;
  }
  return NULL;
}

/* Is the finding about schedules that the view has, so that they show it? */
static bool failing_shows(const view *v, const db_finding *f) {
  for (size_t i = 0; !f->proved && i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; strcmp(v->kernels[l->kernel].name, f->kernel) == 0 && k < l->schedule_count; k++) {
      const char *rule = failing_rule(amplification_verdict(&l->schedules[k]));
      if (rule != NULL && strcmp(rule, f->rule) == 0 && !l->schedules[k].meant) return true;
    }
  }
  return false;
}

/* --- places -------------------------------------------------------------------------------------------------- */

/* A whole line. */
static void put_line(const view *v, issue *to, uint32_t file, uint32_t line) {
  to->file = file;
  if (file == MODEL_NONE) return;
  to->line = to->end_line = line == 0 ? 1 : line;
  to->column = to->end_column = 1;
  const place_line text = place_line_of(&v->files[file], to->line);
  if (text.text != NULL) place_extent(&text, &to->column, &to->end_column);
}

static void put_mutant_place(const view *v, issue *to, const db_mutant *m) {
  const model_file *f = &v->files[m->file];
  to->file = m->file;
  to->line = m->line == 0 ? 1 : m->line;
  to->end_line = m->end_line < to->line ? to->line : m->end_line;
  to->column = place_column(f, m->column, m->offset);
  to->column = to->column == 0 ? 1 : to->column;
  to->end_column = place_column(f, m->end_column, m->end_offset);
  to->end_column = to->end_line == to->line && to->end_column < to->column ? to->column : to->end_column;
}

/* --- the list ------------------------------------------------------------------------------------------------ */

static issue *add_issue(issues *to) {
  issue *i = ARRAY_ADD(to->list, to->count, to->capacity);
  *i = (issue){.file = MODEL_NONE, .kernel = ""};
  return i;
}

static void add_findings(const view *v, const report_options *options, issues *to) {
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i], *twin = verification_told_with(v, f);
    const bool told = twin != NULL && !failing_shows(v, twin);
    if (report_selects(options, f->kernel) && !failing_shows(v, f) && !told) {
      issue *x = add_issue(to);
      x->finding = x->shown = f;
      x->rule = strcmp(f->rule, "data-race") == 0 && !f->proved && !races_saw(f) ? "race" : f->rule;
      x->kernel = f->kernel;
      x->suppressed = f->suppressed;
      x->level = f->possible || races_is_benign(f) ? ISSUE_WARNING : ISSUE_ERROR;
      put_line(v, x, f->file, f->line);
    }
  }
}

static void add_failing(const view *v, const failing_list *found, issues *to) {
  for (size_t i = 0; i < found->count; i++) {
    const failing *f = &found->list[i];
    const view_kernel *k = &v->kernels[f->launch->kernel];
    const db_explanation *e = f->schedule->explanation;
    issue *x = add_issue(to);
    x->failing = *f;
    x->shown = failing_finding(v, f);
    x->rule = schedule_verdict_name(amplification_verdict(f->schedule));
    x->kernel = k->name;
    x->suppressed = f->schedule->suppressed;
    x->level = amplification_fails(amplification_verdict(f->schedule)) ? ISSUE_ERROR : ISSUE_WARNING;
    if (e != NULL && e->file != MODEL_NONE && e->line > 0)
      put_line(v, x, e->file, e->line);
    else
      put_line(v, x, v->functions[k->function].file, v->functions[k->function].line);
  }
}

static const char *kernel_of(const view *v, const db_mutant *m) {
  return m->kernel_count > 0         ? v->kernels[m->kernels[0]].name
         : m->function != MODEL_NONE ? v->functions[m->function].name
                                     : "";
}

static void add_mutants(const view *v, mutant_status status, issues *to) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    const db_mutant *m = &v->mutants[i];
    bool suppressed = status == MUTANT_SUPPRESSED && m->suppressed == NULL; /* by a comment: never run */
    if (to->mutants.selected[i] && m->status == status && !suppressed) {
      issue *x = add_issue(to);
      x->mutant = m;
      x->rule = m->operator_name;
      x->kernel = kernel_of(v, m);
      x->level = ISSUE_WARNING;
      x->suppressed = m->suppressed;
      put_mutant_place(v, x, m);
    }
  }
}

issues issues_of(const view *v, const report_options *options) {
  issues list = {0};
  amplification_totals(v, options, &list.schedules);
  mutation_totals(v, options, &list.mutants);
  add_findings(v, options, &list);
  for (int suppressed = 0; suppressed < 2; suppressed++) {
    failing_list found = failing_find(v, &list.schedules, suppressed == 1);
    add_failing(v, &found, &list);
    free(found.list);
  }
  static const mutant_status statuses[] = {MUTANT_SURVIVED, MUTANT_UNDECIDED, MUTANT_SUPPRESSED};
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) add_mutants(v, statuses[i], &list);
  return list;
}

void issues_free(issues *list) {
  amplification_free(&list->schedules);
  mutation_free(&list->mutants);
  free(list->list);
  *list = (issues){0};
}

/* --- words --------------------------------------------------------------------------------------------------- */

void issue_rule(const issue *i, buffer *to) { buffer_printf(to, "%s%s", i->mutant == NULL ? "" : "mutant/", i->rule); }

static void failing_message(const view *v, const report_options *options, const failing *f, buffer *to) {
  const db_schedule *s = f->schedule;
  const size_t before = to->length;
  explanation_text(v, f->launch, s, to);
  if (to->length == before) buffer_puts(to, schedule_verdict_name(amplification_verdict(s)));
  buffer_printf(to, " (%zu schedule%s; ", f->schedules, f->schedules == 1 ? "" : "s");
  amplification_launch_name(v, f->launch, to);
  buffer_puts(to, ", ");
  amplification_describe(s, to);
  buffer_printf(
      to, ": %zu of %zu runs gave the reference's result). See it again with: cltestcheck amplify --replay %" PRId64,
      schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes), s->id);
  if (options->database != NULL) buffer_printf(to, " --db %s", options->database);
}

static void mutant_message(const view *v, const db_mutant *m, buffer *to) {
  size_t tests = mutation_tests(m);
  if (m->status == MUTANT_UNDECIDED)
    buffer_puts(to, "Tests notice it only in some runs when ");
  else if (m->status == MUTANT_SURVIVED)
    buffer_puts(to, "No test case notices when ");
  mutation_describe(m, to);
  buffer_printf(to, " (mutant %u", m->id);
  if (tests > 0) buffer_printf(to, ", run by %zu test case%s", tests, tests == 1 ? "" : "s");
  buffer_puts(to, ")");
  if (m->status == MUTANT_UNDECIDED) {
    buffer_puts(to, ": ");
    mutation_explain(v, m, to);
  }
}

void issue_message(const view *v, const report_options *options, const issue *i, buffer *to) {
  if (i->finding != NULL)
    finding_message(v, i->finding, to);
  else if (i->mutant != NULL)
    mutant_message(v, i->mutant, to);
  else
    failing_message(v, options, &i->failing, to);
}

void issue_text(const view *v, const report_options *options, char *const *names, const issue *i, buffer *to) {
  scoped_buffer lines = {0};
  issue_message(v, options, i, to);
  if (i->shown != NULL) document_lines(v, names, i->shown, false, &lines);
  if (lines.length > 0) { /* but for the end of the last one */
    buffer_puts(to, "\n");
    buffer_append(to, lines.data, lines.length - 1);
  }
}

void issue_title(const issue *i, buffer *to) {
  scoped_buffer title = {0};
  if (i->mutant != NULL)
    buffer_puts(&title, i->mutant->status == MUTANT_UNDECIDED ? "mutant undecided" : "mutant survived");
  else if (i->finding != NULL)
    verification_title(i->finding, &title);
  else
    buffer_puts(&title, rule_title(i->rule));
  if (title.length > 0) title.data[0] = (char)toupper((unsigned char)title.data[0]);
  buffer_printf(to, "%s%s%s", buffer_text(&title), i->kernel[0] == '\0' ? "" : " in kernel ", i->kernel);
}