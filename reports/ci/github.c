/* Annotations of GitHub's workflows: a line each, at most ten a level as GitHub shows no more, changed lines first. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"
#include "reports/common/issue.h"
#include "reports/common/place.h"
#include "reports/common/report.h"
#include "reports/common/verification.h"

#define MOST 10 /* of a level, in a step */

static const char *const levels[ISSUE_LEVELS] = {"error", "warning", "notice"};

/* What may become an annotation. */
typedef struct note {
  issue_level level;
  bool changed;
  size_t order;
  issue place; /* where; file MODEL_NONE: nowhere in particular */
  char *title, *message;
} note;

typedef struct github {
  const view *v;
  const report_options *options;
  source_paths paths;
  note *notes;
  size_t count, capacity;
} github;

/* --- changed lines ------------------------------------------------------------------------------------------- */

static bool is_changed(const github *g, const issue *i) {
  for (size_t k = 0; i->file != MODEL_NONE && k < g->options->change_count; k++) {
    const line_range *c = &g->options->changes[k];
    if (c->first <= i->end_line && i->line <= c->last && path_ends(g->v->files[i->file].name, c->file)) return true;
  }
  return false;
}

/* --- collecting ---------------------------------------------------------------------------------------------- */

static void add_note(github *g, issue_level level, const issue *place, const char *title, const buffer *message) {
  note *n = ARRAY_ADD(g->notes, g->count, g->capacity);
  *n = (note){level, is_changed(g, place), g->count, *place, mem_strdup(title), mem_strdup(buffer_text(message))};
}

static const issue nowhere = {.file = MODEL_NONE};

static void add_issues(github *g, const issues *list) {
  for (size_t i = 0; i < list->count; i++) {
    const issue *x = &list->list[i];
    if (x->suppressed == NULL) {
      scoped_buffer title = {0}, message = {0};
      issue_title(x, &title);
      issue_text(g->v, g->options, g->paths.names, x, &message);
      add_note(g, x->level, x, buffer_text(&title), &message);
    }
  }
}

/* Kernels of which nothing is known; findings say the rest. */
static void add_unproved(github *g) {
  for (size_t i = 0; i < g->v->proof_count; i++) {
    const db_proof *p = &g->v->proofs[i];
    const proof_verdict verdict = proof_verdict_of(p);
    if ((verdict == PROOF_UNKNOWN || verdict == PROOF_UNSUPPORTED) && report_selects(g->options, p->name)) {
      scoped_buffer title = {0}, message = {0};
      const uint32_t line = p->line == 0 ? 1 : p->line;
      const issue place = {.file = p->file, .line = line, .end_line = line};
      buffer_printf(&title, "Kernel %s is not verified", p->name);
      buffer_printf(&message, "%s%s%s", proof_verdict_name(verdict), p->reason[0] == '\0' ? "" : ": ", p->reason);
      add_note(g, ISSUE_NOTICE, &place, buffer_text(&title), &message);
    }
  }
}

static void add_thresholds(github *g) {
  coverage c;
  coverage_total(g->v, g->options, &c);
  for (size_t i = 0; i < g->options->threshold_count; i++) {
    if (threshold_below(&g->options->thresholds[i], &c)) {
      scoped_buffer message = {0};
      threshold_say(&g->options->thresholds[i], &c, &message);
      add_note(g, ISSUE_ERROR, &nowhere, "Below --fail-under", &message);
    }
  }
}

static void add_failed_tests(github *g) {
  for (size_t i = 0; i < g->v->test_case_count; i++) {
    const view_test_case *t = &g->v->test_cases[i];
    if (t->status != 0 || t->timed_out) {
      scoped_buffer message = {0};
      mutation_test_name(t, &message);
      if (t->timed_out)
        buffer_puts(&message, " ran out of time");
      else
        buffer_printf(&message, " ended with exit status %d", t->status);
      add_note(g, ISSUE_ERROR, &nowhere, "The program itself failed", &message);
    }
  }
}

static void put_site(const view *v, const model_site *s, uint32_t line, issue *place) {
  *place = (issue){.file = s->file, .line = line == 0 ? 1 : line, .end_line = line == 0 ? 1 : line};
  place->column = line == s->line ? place_column(&v->files[s->file], s->column, s->offset) : 0;
}

/* Conditions of a decision that was reached, none of whose tests shows that they matter. */
static void add_decision(github *g, const model_site *s) {
  mcdc m;
  scoped_buffer conditions = {0};
  mcdc_read(s, &m);
  bool reached = false;
  for (size_t i = 0; i < m.count; i++) {
    const mcdc_condition *c = &m.conditions[i];
    reached = reached || c->seen_true > 0 || c->seen_false > 0;
    if (!c->shown) {
      buffer_printf(&conditions, "%s%s", conditions.length == 0 ? "" : "; ", c->text);
      if (c->pair[0] != NULL) {
        buffer_puts(&conditions, ", ");
        mcdc_needs(&m, c, &conditions);
      }
    }
  }
  if (reached && conditions.length > 0) {
    scoped_buffer message = {0};
    issue place;
    put_site(g->v, s, s->line, &place);
    buffer_printf(&message, "No test cases show that the decision depends on (MC/DC): %s", buffer_text(&conditions));
    add_note(g, ISSUE_NOTICE, &place, "Condition not shown to matter", &message);
  }
}

/* Outcomes that nothing took, of places that were reached. */
static void add_missed_outcomes(github *g, const bool *reported) {
  const view *v = g->v;
  bool everything = report_everything(g->options);
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    size_t missed = 0;
    scoped_buffer outcomes = {0};
    if (s->kind == SITE_DECISION && report_has(reported, everything, s->function)) add_decision(g, s);
    for (size_t k = 0; k < s->outcome_count; k++)
      if (s->outcomes[k].tests == 0) buffer_printf(&outcomes, "%s%s", missed++ == 0 ? "" : ", ", s->outcomes[k].label);
    bool said = s->kind == SITE_REGION || s->kind == SITE_FUNCTION || s->kind == SITE_CONDITION ||
                s->kind == SITE_DECISION; /* by lines, branches and the conditions of decisions */
    bool counts = !said && report_has(reported, everything, s->function);
    bool partly = missed > 0 && (missed < s->outcome_count || s->kind == SITE_BARRIER);
    if (counts && partly) {
      scoped_buffer message = {0};
      issue place;
      put_site(v, s, s->line, &place);
      buffer_printf(&message, "This %s has %s that no test case covers: %s", site_kind_name(s->kind),
                    missed == 1 ? "an outcome" : "outcomes", buffer_text(&outcomes));
      add_note(g, ISSUE_NOTICE, &place, "Outcome never seen", &message);
    }
  }
}

/* Lines that were never executed, one note for those that follow one another. */
static void add_missed_lines(github *g, const bool *reported) {
  const view *v = g->v;
  bool everything = report_everything(g->options);
  for (size_t i = 0; i < v->line_count;) {
    const view_line *l = &v->lines[i];
    size_t next = i + 1;
    if (l->tests > 0 || !report_has(reported, everything, l->function)) {
      i = next;
      continue;
    }
    while (next < v->line_count && v->lines[next].tests == 0 && v->lines[next].file == l->file &&
           v->lines[next].function == l->function)
      next++;
    scoped_buffer message = {0};
    const issue place = {.file = l->file, .line = l->line, .end_line = v->lines[next - 1].line};
    buffer_printf(&message, "No test case executes %s", next - i == 1 ? "this line" : "these lines");
    add_note(g, ISSUE_NOTICE, &place, "Never executed", &message);
    i = next;
  }
}

static int compare_notes(const void *a, const void *b) {
  const note *x = a, *y = b;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  if (x->changed != y->changed) return x->changed ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* --- writing ------------------------------------------------------------------------------------------------- */

/* As workflow commands want it; in properties : and , too. */
static const char *escape_command(report_out *to, const char *text, bool property) {
  scoped_buffer clean = {0};
  buffer *piece = report_piece(to);
  utf8_clean(&clean, text, strlen(text));
  for (const char *c = buffer_text(&clean); *c != '\0'; c++)
    if (*c == '%' || *c == '\r' || *c == '\n' || (property && (*c == ':' || *c == ',')))
      buffer_printf(piece, "%%%02X", (unsigned)*c);
    else
      buffer_printf(piece, (unsigned char)*c < 0x20 && *c != '\t' ? UTF8_REPLACEMENT : "%c", *c);
  return buffer_text(piece);
}

static void write_note(const github *g, const note *n, report_out *out) {
  const issue *p = &n->place;
  report_put(out, "::%s ", levels[n->level]);
  if (p->file != MODEL_NONE) {
    report_put(out, "file=%s,line=%u,", escape_command(out, g->paths.names[p->file], true), p->line);
    if (p->end_line > p->line) {
      report_put(out, "endLine=%u,", p->end_line);
    } else if (p->column > 0) { /* columns are of one line alone */
      report_put(out, "col=%u,", p->column);
      if (p->end_column > p->column) report_put(out, "endColumn=%u,", p->end_column);
    }
  }
  report_put(out, "title=%s::%s\n", escape_command(out, n->title, true), escape_command(out, n->message, false));
}

/* "cltestcheck: not shown: 3 errors, 12 notices; `cltestcheck report` has all" */
static void write_rest(const size_t *count, report_out *out) {
  bool any = false;
  for (size_t i = 0; i < ISSUE_LEVELS; i++) {
    if (count[i] > MOST) {
      report_put(out, "%s%zu %s%s", any ? ", " : "cltestcheck: not shown as annotations: ", count[i] - MOST, levels[i],
                 count[i] == MOST + 1 ? "" : "s");
      any = true;
    }
  }
  if (any) report_put(out, "; other formats have all of them\n");
}

/* "cltestcheck: 12 suppressed: all work-groups write the same value", for the log. */
static void write_suppressions(const view *v, report_out *out) {
  for (size_t i = 0; i < v->suppression_count; i++) {
    if (v->suppressions[i].count > 0) {
      report_put(out, "cltestcheck: %zu suppressed: %s\n", v->suppressions[i].count,
                 escape_command(out, v->suppressions[i].reason, false));
    }
  }
}

int github_write(const view *v, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  github g = {.v = v, .options = options, .paths = source_paths_of(v, options)};
  scoped bool *reported = report_functions(v, options);
  issues list = issues_of(v, options);
  add_failed_tests(&g);
  add_thresholds(&g);
  add_issues(&g, &list);
  add_unproved(&g);
  if (report_covered(v) && report_launched(v)) {
    add_missed_lines(&g, reported);
    add_missed_outcomes(&g, reported);
  }
  if (g.count > 0) qsort(g.notes, g.count, sizeof *g.notes, compare_notes);
  size_t count[ISSUE_LEVELS] = {0};
  for (size_t i = 0; i < g.count; i++) {
    if (count[g.notes[i].level]++ < MOST) write_note(&g, &g.notes[i], out);
    free(g.notes[i].title);
    free(g.notes[i].message);
  }
  write_rest(count, out);
  write_suppressions(v, out);
  free(g.notes);
  issues_free(&list);
  source_paths_free(&g.paths);
  return report_close(out, e);
}