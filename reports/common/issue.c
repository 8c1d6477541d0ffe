/* Collecting issues, and the words for them. */
#include "reports/common/issue.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/place.h"
#include "reports/common/races.h"
#include "reports/common/verification.h"
#include "reports/common/writers.h"
#include "reports/words/explanation_words.h"
#include "reports/words/finding_words.h"
#include "reports/words/rules.h"

/* --- places -------------------------------------------------------------------------------------------------- */

/* A whole line. */
static void put_line(const view *v, issue *to, uint32_t file, uint32_t line) {
  to->file = file;
  if (file == MODEL_NONE) {
    return;
  }
  to->line = to->end_line = line == 0 ? 1 : line;
  to->column = to->end_column = 1;
  const place_line text = place_line_of(&v->files[file], to->line);
  if (text.text != NULL) {
    place_extent(&text, &to->column, &to->end_column);
  }
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

static issue *add(issues *to) {
  issue *i = ARRAY_ADD(to->list, to->count, to->capacity);
  *i = (issue){.file = MODEL_NONE, .kernel = ""};
  return i;
}

static void add_findings(const view *v, const report_options *options, issues *to) {
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const db_finding *twin = verification_told_with(v, f);
    const bool told = twin != NULL && !failing_shows(v, twin);
    if (report_selects(options, f->kernel) && !failing_shows(v, f) && !told) {
      issue *x = add(to);
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
    issue *x = add(to);
    x->failing = *f;
    x->shown = failing_finding(v, f);
    x->rule = schedule_verdict_name(amplification_verdict(f->schedule));
    x->kernel = k->name;
    x->suppressed = f->schedule->suppressed;
    x->level = amplification_fails(amplification_verdict(f->schedule)) ? ISSUE_ERROR : ISSUE_WARNING;
    if (e != NULL && e->file != MODEL_NONE && e->line > 0) {
      put_line(v, x, e->file, e->line);
    } else {
      put_line(v, x, v->functions[k->function].file, v->functions[k->function].line);
    }
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
      issue *x = add(to);
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
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    add_mutants(v, statuses[i], &list);
  }
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
  if (to->length == before) {
    buffer_puts(to, schedule_verdict_name(amplification_verdict(s)));
  }
  buffer_printf(to, " (%zu schedule%s; ", f->schedules, f->schedules == 1 ? "" : "s");
  amplification_launch_name(v, f->launch, to);
  buffer_puts(to, ", ");
  amplification_describe(s, to);
  buffer_printf(
      to, ": %zu of %zu runs gave the reference's result). See it again with: cltestcheck amplify --replay %" PRId64,
      schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes), s->id);
  if (options->database != NULL) {
    buffer_printf(to, " --db %s", options->database);
  }
}

static void mutant_message(const view *v, const db_mutant *m, buffer *to) {
  size_t tests = mutation_tests(m);
  if (m->status == MUTANT_UNDECIDED) {
    buffer_puts(to, "Tests notice it only in some runs when ");
  } else if (m->status == MUTANT_SURVIVED) {
    buffer_puts(to, "No test case notices when ");
  }
  mutation_describe(m, to);
  buffer_printf(to, " (mutant %u", m->id);
  if (tests > 0) {
    buffer_printf(to, ", run by %zu test case%s", tests, tests == 1 ? "" : "s");
  }
  buffer_puts(to, ")");
  if (m->status == MUTANT_UNDECIDED) {
    buffer_puts(to, ": ");
    mutation_explain(v, m, to);
  }
}

void issue_message(const view *v, const report_options *options, const issue *i, buffer *to) {
  if (i->finding != NULL) {
    finding_message(v, i->finding, to);
  } else if (i->mutant != NULL) {
    mutant_message(v, i->mutant, to);
  } else {
    failing_message(v, options, &i->failing, to);
  }
}

void issue_text(const view *v, const report_options *options, char *const *names, const issue *i, buffer *to) {
  buffer lines = {0};
  issue_message(v, options, i, to);
  if (i->shown != NULL) {
    verification_lines(v, names, i->shown, false, &lines);
  }
  if (lines.length > 0) { /* but for the end of the last one */
    buffer_puts(to, "\n");
    buffer_append(to, lines.data, lines.length - 1);
  }
  buffer_free(&lines);
}

void issue_title(const issue *i, buffer *to) {
  buffer title = {0};
  if (i->mutant != NULL) {
    buffer_puts(&title, i->mutant->status == MUTANT_UNDECIDED ? "mutant undecided" : "mutant survived");
  } else if (i->finding != NULL) {
    verification_title(i->finding, &title);
  } else {
    buffer_puts(&title, rule_title(i->rule));
  }
  if (title.length > 0) {
    title.data[0] = (char)toupper((unsigned char)title.data[0]);
  }
  buffer_printf(to, "%s%s%s", buffer_text(&title), i->kernel[0] == '\0' ? "" : " in kernel ", i->kernel);
  buffer_free(&title);
}
