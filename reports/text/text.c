/* The text report: a table of kernels, the totals, findings, what to do next. */
#include "reports/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/mcdc.h"
#include "reports/common/memory.h"
#include "reports/common/mutation.h"
#include "reports/common/races.h"
#include "reports/common/verification.h"
#include "reports/text/text_amplification.h"
#include "reports/words/finding_words.h"

#define WIDTH 80
#define WIDTH_LEAST 64
#define COLUMN 9 /* of a figure in the table */

/* --- the table of kernels ----------------------------------------------------------------------------------- */

static void fraction(text *t, size_t columns, const ratio *r) {
  char number[48];
  (void)snprintf(number, sizeof number, r->total == 0 ? "n/a" : "%lu/%lu", r->covered, r->total);
  text_right(t, columns, number);
}

static const struct {
  const char *heading, *metric;
  void (*figure)(text *t, size_t columns, const ratio *r);
} columns[] = {
    {"branch", "branch", text_percentage},
    {"loop", "loop", fraction},
    {"barrier", "barrier", fraction},
    {"line", "line", text_percentage},
};
#define COLUMNS (sizeof columns / sizeof columns[0])

/* Room for the name. */
static size_t name_columns(const text *t) { return t->width - COLUMN * (COLUMNS + 1); }

static void figures(text *t, const coverage *c) {
  for (size_t i = 0; i < COLUMNS; i++) {
    ratio r;
    (void)coverage_get(c, columns[i].metric, &r);
    columns[i].figure(t, COLUMN, &r);
  }
  buffer_putc(&t->out, '\n');
}

static void name_column(text *t, const char *name) { text_left(t, name_columns(t), name); }

static void launches_column(text *t, uint64_t launches) {
  char number[32];
  (void)snprintf(number, sizeof number, launches == 0 ? report_no_launch(t->v) : "%llu", (unsigned long long)launches);
  if (strlen(number) >= COLUMN) {
    (void)snprintf(number, sizeof number, "%.1e", (double)launches);
  }
  text_right(t, COLUMN, number);
}

static void write_table(text *t, const coverage *total) {
  buffer heading = {0};
  buffer_printf(&heading, "%-*s%*s", (int)name_columns(t), "Kernel", COLUMN, "launches");
  for (size_t i = 0; i < COLUMNS; i++) {
    buffer_printf(&heading, "%*s", COLUMN, columns[i].heading);
  }
  text_heading(t, buffer_text(&heading));
  buffer_free(&heading);
  size_t shown = 0;
  uint64_t launches = 0;
  for (size_t i = 0; i < t->v->kernel_count; i++) {
    const view_kernel *k = &t->v->kernels[i];
    if (!report_selects(t->options, k->name)) {
      continue;
    }
    coverage c;
    coverage_kernel(t->v, k, &c);
    buffer label = {0};
    text_kernel_label(t, k, &label);
    name_column(t, buffer_text(&label));
    buffer_free(&label);
    launches_column(t, k->launches);
    figures(t, &c);
    shown++;
    launches += k->launches;
  }
  if (shown == 0) {
    buffer_puts(&t->out, t->v->kernel_count == 0 ? "(no kernel was seen)\n" : "(no kernel matches the selection)\n");
  }
  text_rule(t);
  name_column(t, "total");
  launches_column(t, launches);
  figures(t, total);
}

/* --- totals ------------------------------------------------------------------------------------------------- */

static const struct {
  const char *label, *metric;
} breakdown[] = {
    {"kernel", "kernel"},
    {"function", "function"},
    {"line", "line"},
    {"branch", "branch"},
    {"  if", "if"},
    {"  switch", "switch"},
    {"  ?:", "conditional"},
    {"condition", "condition"},
    {"MC/DC", "mcdc"},
    {"loop", "loop"},
    {"  0 iterations", "loop-zero"},
    {"  1 iteration", "loop-one"},
    {"  >1 iterations", "loop-many"},
    {"  boundary", "loop-boundary"},
    {"barrier", "barrier"},
};

/* Decisions that have no MC/DC. */
static void write_too_large(text *t) {
  size_t count = 0;
  for (size_t i = 0; i < t->v->site_count; i++) {
    const model_site *s = &t->v->sites[i];
    count += mcdc_too_large(s) && report_has(t->reported, report_everything(t->options), s->function) ? 1 : 0;
  }
  if (count > 0) {
    buffer note = {0};
    buffer_printf(&note, "MC/DC leaves out %zu decision%s with more than %d ways through the conditions", count,
                  text_plural(count), MAX_PATHS);
    text_wrapped(t, 0, 2, buffer_text(&note));
    buffer_free(&note);
  }
}

static void write_breakdown(text *t, const coverage *total) {
  buffer heading = {0};
  buffer_printf(&heading, "%-18s%9s%9s%10s", "Total", "covered", "of", "");
  while (heading.length > 0 && heading.data[heading.length - 1] == ' ') {
    heading.data[--heading.length] = '\0';
  }
  text_heading(t, buffer_text(&heading));
  buffer_free(&heading);
  for (size_t i = 0; i < sizeof breakdown / sizeof breakdown[0]; i++) {
    ratio r;
    (void)coverage_get(total, breakdown[i].metric, &r);
    buffer_printf(&t->out, "%-18s%9lu%9lu", breakdown[i].label, r.covered, r.total);
    text_percentage(t, 10, &r);
    buffer_putc(&t->out, '\n');
  }
  write_too_large(t);
}

/* --- title, findings, skipped programs ---------------------------------------------------------------------- */

static void note_tests(text *t, size_t count, const char *what) {
  if (count > 0) {
    buffer note = {0};
    buffer_printf(&note, "%zu of them %s", count, what);
    text_wrapped(t, 0, 2, buffer_text(&note));
    buffer_free(&note);
  }
}

static void write_title(text *t, const char *what, const char *command) {
  const view *v = t->v;
  const test_case_counts tests = report_test_cases(v, command);
  buffer title = {0};
  buffer_printf(&title, "%s of ", what);
  report_runs(v, command, &title);
  buffer_printf(&title, ": %zu test case%s", tests.all, text_plural(tests.all));
  size_t first_line = strcspn(v->device, "\n");
  if (first_line > 0) {
    buffer device = {0};
    buffer_puts(&title, " on ");
    utf8_line(&device, v->device, first_line);
    utf8_shorten(&title, buffer_text(&device), t->width > title.length + 10 ? t->width - title.length : 10);
    buffer_free(&device);
  }
  text_heading(t, buffer_text(&title));
  note_tests(t, tests.failed, "failed (exit status not 0, or out of time); what they covered counts");
  note_tests(t, tests.unended, "did not end: the run goes on, or was interrupted");
  buffer_putc(&t->out, '\n');
  buffer_free(&title);
}

/* "2 suppressed: the last writer wins on purpose (race, kernel hist*)" */
static void write_suppression(text *t, const view_suppression *s) {
  buffer line = {0};
  if (s->count > 0) {
    buffer_printf(&line, "%zu suppressed: ", s->count);
  } else {
    buffer_puts(&line, "matches nothing: ");
  }
  text_name(&line, s->reason);
  const struct { const char *name, *pattern; } parts[] = {{"rule", s->rule}, {"kernel", s->kernel}, {"line", s->line}};
  const char *before = " (";
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (parts[i].pattern != NULL) {
      buffer_printf(&line, "%s%s ", before, parts[i].name);
      text_name(&line, parts[i].pattern);
      before = ", ";
    }
  }
  buffer_puts(&line, before[0] == ',' ? ")" : "");
  text_item(t, buffer_text(&line));
  buffer_free(&line);
}

static void write_suppressions(text *t) {
  bool any = false;
  for (size_t i = 0; i < t->v->suppression_count; i++) {
    const view_suppression *s = &t->v->suppressions[i];
    if (s->count == 0 && !t->options->verbose) {
      continue;
    }
    if (!any) {
      text_section(t, "Suppressed by the configuration");
      any = true;
    }
    write_suppression(t, s);
  }
}

static void write_skipped(text *t) {
  const view *v = t->v;
  if (v->skipped_count > 0) {
    text_section(t, "Not instrumented");
  }
  for (size_t i = 0; i < v->skipped_count; i++) {
    buffer item = {0};
    buffer_printf(&item, "%s: %s", v->skipped[i].program, v->skipped[i].reason);
    buffer_puts(&t->out, "  ");
    text_wrapped(t, 2, 4, buffer_text(&item));
    buffer_free(&item);
  }
}

/* What the driver has refused, how often, with which sizes, and what helps. */
static void write_refused(text *t) {
  const view *v = t->v;
  if (v->refused_count > 0) {
    text_section(t, "Refused by the device");
  }
  for (size_t i = 0; i < v->refused_count; i++) {
    const db_refused *r = &v->refused[i];
    const char *remedy = cl_error_remedy(r->error);
    buffer item = {0};
    buffer_printf(&item, "%s%s%s, %lld time%s: %s", r->call, r->kernel[0] == '\0' ? "" : " of ", r->kernel,
                  (long long)r->count, r->count == 1 ? "" : "s", r->error);
    if (r->detail[0] != '\0') {
      buffer_printf(&item, " (%s)", r->detail);
    }
    buffer_printf(&item, "%s%s", remedy == NULL ? "" : "; ", remedy == NULL ? "" : remedy);
    buffer_puts(&t->out, "  ");
    text_wrapped(t, 2, 4, buffer_text(&item));
    buffer_free(&item);
  }
}

/* --- what next ---------------------------------------------------------------------------------------------- */

bool text_counts_missed(const model_site *s) {
  return s->kind != SITE_REGION && s->kind != SITE_FUNCTION && s->kind != SITE_CONDITION;
}

static size_t missed_outcomes(const model_site *s) {
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    return m.count - m.shown;
  }
  size_t missed = 0;
  for (size_t k = 0; k < s->outcome_count; k++) {
    missed += s->outcomes[k].tests == 0 ? 1 : 0;
  }
  return missed;
}

text_missed *text_count_missed(const text *t) {
  const view *v = t->v;
  text_missed *missed = mem_calloc(v->function_count, sizeof *missed);
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    if (text_counts_missed(s) && s->function != MODEL_NONE && t->reported[s->function]) {
      missed[s->function].outcomes += missed_outcomes(s);
    }
  }
  for (size_t i = 0; i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->function != MODEL_NONE && t->reported[l->function] && l->tests == 0) {
      missed[l->function].lines++;
    }
  }
  return missed;
}

static void describe(buffer *to, const text_missed *m) {
  if (m->lines > 0) {
    buffer_printf(to, "%zu line%s", m->lines, text_plural(m->lines));
  }
  if (m->outcomes > 0) {
    buffer_printf(to, "%s%zu outcome%s", m->lines > 0 ? " and " : "", m->outcomes, text_plural(m->outcomes));
  }
}

void text_show_missed(const text *t, buffer *to) {
  const char *database = t->options->database;
  buffer_printf(to, "`cltestcheck report --show-missed%s%s`", database == NULL ? "" : " --db ",
                database == NULL ? "" : database);
}

#define WORST 3

/* The functions with most missing, at most WORST of them. */
static void write_worst(text *t, const text_missed *missed) {
  const view *v = t->v;
  bool *done = mem_calloc(v->function_count, sizeof *done);
  text_heading(t, "Most is missing in");
  for (int n = 0; n < WORST; n++) {
    size_t worst = v->function_count;
    size_t most = 0;
    for (size_t i = 0; i < v->function_count; i++) {
      if (!done[i] && missed[i].lines + missed[i].outcomes > most) {
        most = missed[i].lines + missed[i].outcomes;
        worst = i;
      }
    }
    if (worst == v->function_count) {
      break;
    }
    done[worst] = true;
    const model_function *f = &v->functions[worst];
    buffer item = {0};
    buffer_printf(&item, "%s:%u: %s: ", v->files[f->file].name, f->line, f->name);
    describe(&item, &missed[worst]);
    buffer_puts(&t->out, "  ");
    text_wrapped(t, 2, 4, buffer_text(&item));
    buffer_free(&item);
  }
  free(done);
}

static void write_next(text *t) {
  text_missed *missed = text_count_missed(t);
  text_missed sum = {0};
  for (size_t i = 0; i < t->v->function_count; i++) {
    sum.lines += missed[i].lines;
    sum.outcomes += missed[i].outcomes;
  }
  if (sum.lines + sum.outcomes > 0) {
    buffer_putc(&t->out, '\n');
    if (t->options->show_missed) {
      write_worst(t, missed);
    } else {
      buffer item = {0};
      buffer_puts(&item, "Run ");
      text_show_missed(t, &item);
      buffer_puts(&item, " to see the ");
      describe(&item, &sum);
      buffer_puts(&item, " that nothing covered.");
      text_wrapped(t, 0, 0, buffer_text(&item));
      buffer_free(&item);
    }
  }
  free(missed);
}

static void write_coverage(text *t) {
  coverage total;
  coverage_total(t->v, t->options, &total);
  write_title(t, "Coverage", "coverage");
  write_table(t, &total);
  buffer_putc(&t->out, '\n');
  write_breakdown(t, &total);
  if (t->options->show_missed) {
    text_write_missed(t);
  }
}

/* Experiments that look for something, each below a title of its own. */
static const struct {
  bool (*is)(const view *v);
  const char *title, *command;
  void (*write)(text *t);
  bool (*nothing)(text *t); /* writes that there is nothing to write; NULL: a table shows it */
} looks[] = {
    {mutation_is, "Mutation testing", "mutate", text_write_mutation, NULL},
    {amplification_is, "Schedule amplification", "amplify", text_write_amplification, NULL},
    {memory_is, "Memory errors", "memory", text_write_memory, text_write_no_memory},
    {races_are, "Data races", "races", text_write_races, text_write_no_races},
};

/* `any`: something stands before them. Gives whether there were any. */
static bool write_looks(text *t, bool any) {
  for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
    if (looks[i].is(t->v)) {
      buffer_puts(&t->out, any ? "\n" : "");
      if (looks[i].nothing == NULL || !looks[i].nothing(t)) {
        write_title(t, looks[i].title, looks[i].command);
        looks[i].write(t);
      }
      any = true;
    }
  }
  return any;
}

int text_write(const view *v, const report_options *options, FILE *out, error *e) {
  text t = {.v = v, .options = options, .width = options->width == 0 ? WIDTH : options->width};
  t.width = t.width < WIDTH_LEAST ? WIDTH_LEAST : t.width;
  t.reported = report_functions(v, options);
  t.issues = issues_of(v, options);
  text_write_unnoticed(&t);
  const bool first = text_findings_first(v);
  bool before = first && text_write_findings(&t);
  before = write_looks(&t, before) || before;
  if (verification_is(v)) {
    buffer_puts(&t.out, before ? "\n" : "");
    text_write_verification(&t);
    before = true;
  }
  if (v->repair_count > 0) {
    buffer_puts(&t.out, before ? "\n" : "");
    text_write_repairs(&t);
    before = true;
  }
  /* `amplify` and `races` measure coverage on their way; who wants to see it asks for what was missed */
  bool aside = (amplification_is(v) || races_are(v)) && !report_has_run(v, "coverage") && !options->show_missed;
  bool covered = report_covered(v) && !aside;
  if (covered) {
    buffer_puts(&t.out, before ? "\n" : "");
    write_coverage(&t);
  }
  if (!first) {
    (void)text_write_findings(&t);
  }
  write_suppressions(&t);
  write_skipped(&t);
  write_refused(&t);
  if (covered) {
    write_next(&t);
  }
  (void)fwrite(buffer_text(&t.out), 1, t.out.length, out);
  buffer_free(&t.out);
  free(t.reported);
  issues_free(&t.issues);
  return report_written(out, e);
}
