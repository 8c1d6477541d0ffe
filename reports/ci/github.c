/* Reports on a pull request: annotations of GitHub's workflows, at most ten a level as GitHub shows no more, changed
 * lines first; Markdown, as for its summaries. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/common/document.h"
#include "reports/common/json.h"

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
  EACH(const issue, x, list->list, list->count) {
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
  EACH(const db_proof, p, g->v->proofs, g->v->proof_count) {
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
  EACH(const view_test_case, t, g->v->test_cases, g->v->test_case_count) {
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

/* Outcomes that nothing took, of places that were reached. */
static void add_missed_outcomes(github *g, const bool *reported) {
  const view *v = g->v;
  bool everything = report_everything(g->options);
  EACH(const model_site, s, v->sites, v->site_count) {
    size_t missed = 0;
    scoped_buffer outcomes = {0};
    if (s->kind == SITE_DECISION && report_has(reported, everything, s->function)) {
      /* Conditions of a decision that was reached, none of whose tests shows that they matter. */
      mcdc m;
      scoped_buffer conditions = {0};
      mcdc_read(s, &m);
      bool reached = false;
      EACH(const mcdc_condition, c, m.conditions, m.count) {
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
        buffer_printf(&message, "No test cases show that the decision depends on (MC/DC): %s",
                      buffer_text(&conditions));
        add_note(g, ISSUE_NOTICE, &place, "Condition not shown to matter", &message);
      }
    }
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

/* Repairs in Markdown: what became of each file, and its patch as a block. */

#define PATCH_LINES 400

static const char *block_of(report_out *out, const char *language, const char *text) {
  scoped_buffer block = {0};
  markdown_lines(&block, "", text, strlen(text), PATCH_LINES);
  return markdown_block(out, language, &block);
}

/* What became of each file, with its patch; nothing where there is none. */
static void markdown_repairs(const view *v, report_out *out) {
  for (size_t i = 0; i < v->repair_count; i++) {
    const db_repair *r = &v->repairs[i];
    report_put(out, "%s%s: %s\n\n%s%s%s", i == 0 ? "\n### Repairs\n\n" : "\n", markdown_code(out, r->name, false),
               repair_words(r), block_of(out, "text", r->report), r->patch[0] == '\0' ? "" : "\n",
               r->patch[0] == '\0' ? "" : block_of(out, "diff", r->patch));
  }
}

/* Proofs in Markdown: a table of kernels, and counterexamples as blocks of text. */

#define COUNTEREXAMPLE_LINES 40

/* "`src/scan.cl:4`"; nothing where it has no file. */
static const char *place_of(report_out *out, const view *v, uint32_t file, uint32_t line, bool in_table) {
  scoped_buffer place = {0};
  if (file != MODEL_NONE) buffer_printf(&place, "%s:%u", v->files[file].name, line);
  return markdown_code(out, buffer_text(&place), in_table);
}

/* A table of the proofs that the options select; nothing when there is none. */
static void markdown_proofs(const view *v, const report_options *options, report_out *out) {
  bool any = false;
  for (size_t i = 0; i < v->proof_count; i++) {
    if (report_selects(options, v->proofs[i].name)) {
      report_put(out, "%s",
                 any ? "" : "\n### Proofs\n\n| kernel | at | verdict | holds, or why not |\n|---|---|---|---|\n");
      const db_proof *p = &v->proofs[i];
      const proof_verdict verdict = proof_verdict_of(p);
      const bool apart = verdict != PROOF_VERIFIED && verification_held_back(v, i);
      const char *strong = proof_is_definite(verdict) && !apart ? "**" : "";
      scoped_buffer text = {0};
      verification_variant(v, i, &text);
      buffer_puts(&text, text.length > 0 ? ": " : "");
      verification_basis(p, &text);
      report_put(out, "| %s | %s | %s%s%s%s | %s |\n", markdown_code(out, p->name, true),
                 place_of(out, v, p->file, p->line, true), strong, proof_verdict_name(verdict), strong,
                 apart ? ", suppressed" : "", markdown_text(out, buffer_text(&text)));
      any = true;
    }
  }
}

#define KERNELS 20
#define SURVIVORS 20
#define FINDINGS 50
#define DIFF_LINES 8 /* of a side of a diff */

typedef struct markdown {
  const view *v;
  const report_options *options;
  report_out *out;
  issues issues;
  coverage total;
  bool covered; /* coverage was measured */
} markdown;

static void put_rest(const markdown *m, size_t all, size_t shown, const char *what) {
  if (all > shown) report_put(m->out, "\n%zu more %s.\n", all - shown, what);
}

/* --- head ---------------------------------------------------------------------------------------------------- */

static void put_title(const markdown *m) {
  const view *v = m->v;
  const char *what = report_subject(v);
  const test_case_counts tests = report_test_cases(v, NULL);
  scoped_buffer runs = {0};
  report_runs(v, NULL, &runs);
  runs.data[0] = (char)(runs.data[0] == 'r' ? 'R' : runs.data[0]);
  report_put(m->out, "## cltestcheck: %s\n\n%s", what, buffer_text(&runs));
  if (tests.all > 0 || (!verification_is(v) && !repairs_are(v)))
    report_put(m->out, ": %zu test case%s", tests.all, report_plural(tests.all));
  if (v->device[0] != '\0') {
    scoped char *device = mem_strndup(v->device, strcspn(v->device, "\n"));
    report_put(m->out, " on %s", markdown_text(m->out, device));
  }
  report_put(m->out, ".");
  if (tests.failed > 0) report_put(m->out, " **%zu of them failed**; what they covered counts.", tests.failed);
  if (tests.unended > 0)
    report_put(m->out, " %zu of them did not end: the run goes on, or was interrupted.", tests.unended);
  report_put(m->out, "\n");
}

static const char *const shown_metrics[] = {"kernel",    "function", "line", "branch",
                                            "condition", "mcdc",     "loop", "barrier"};

static const report_threshold *threshold_of(const markdown *m, const char *metric) {
  return NAMED(m->options->thresholds, m->options->threshold_count, metric, metric);
}

static bool is_shown(const char *metric) {
  return name_number(shown_metrics, sizeof shown_metrics / sizeof shown_metrics[0], metric) >= 0;
}

/* Metrics that people ask for, and those that a threshold is on. */
static void put_totals(const markdown *m) {
  if (!m->covered && !mutation_is(m->v) && !verification_is(m->v) && m->options->threshold_count == 0) return;
  report_put(m->out, "\n| metric | covered | total | | threshold |\n|---|--:|--:|--:|---|\n");
  for (const coverage_metric *c = coverage_metrics; c->name != NULL; c++) {
    const bool of_mutants = mutation_is(m->v) && (strcmp(c->name, "revealed") != 0 || mutation_asked(m->v));
    const bool of_proofs = metric_of_proofs(c->name) && verification_is(m->v);
    const bool wanted = metric_of_mutants(c->name) ? of_mutants : of_proofs || (m->covered && is_shown(c->name));
    if (wanted || threshold_of(m, c->name) != NULL) {
      const report_threshold *t = threshold_of(m, c->name);
      ratio r;
      (void)coverage_get(&m->total, c->name, &r);
      report_put(m->out, "| %s | %lu | %lu | %s | ", c->name, r.covered, r.total, report_percent(m->out, &r));
      if (t != NULL)
        report_put(m->out, "at least %g %%: %s", t->percent, threshold_below(t, &m->total) ? "**below**" : "reached");
      report_put(m->out, " |\n");
    }
  }
  interval i;
  if (mutation_interval(m->v, &m->issues.mutants.all, &i)) {
    report_put(m->out, "\nSome mutants were drawn at random: the score of all is %.1f to %.1f %% (95 %% interval).\n",
               100 * i.low, 100 * i.high);
  }
}

static void put_unmeasured(const markdown *m) {
  if (!m->covered && !verification_is(m->v) && !repairs_are(m->v)) report_put(m->out, "\nCoverage was not measured.\n");
}

static void put_mutation(const markdown *m) {
  static const mutant_status statuses[] = {MUTANT_KILLED,      MUTANT_UNDECIDED, MUTANT_SURVIVED,
                                           MUTANT_NO_COVERAGE, MUTANT_PENDING,   MUTANT_EQUIVALENT,
                                           MUTANT_DUPLICATE,   MUTANT_INVALID,   MUTANT_SUPPRESSED};
  if (!mutation_is(m->v)) return;
  report_put(m->out, "\nMutants:");
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    report_put(m->out, "%s %lu %s", i == 0 ? "" : ",", m->issues.mutants.all.of[statuses[i]],
               mutant_status_name(statuses[i]));
  }
  report_put(m->out, ".\n");
}

static void put_amplification(const markdown *m) {
  static const schedule_verdict verdicts[] = {VERDICT_CONSISTENT, VERDICT_RACE,      VERDICT_DEADLOCK,
                                              VERDICT_CRASH,      VERDICT_OCCUPANCY, VERDICT_PENDING};
  const amplification_counts *c = &m->issues.schedules.all;
  if (!amplification_is(m->v)) return;
  report_put(m->out, "\nSchedules: %lu in %lu runs:", c->schedules, c->runs);
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
    report_put(m->out, "%s %lu %s", i == 0 ? "" : ",", c->of[verdicts[i]], schedule_verdict_name(verdicts[i]));
  for (schedule_verdict v = VERDICT_ORDER; v <= VERDICT_DIFFERS; v++) {
    const char *more = v == VERDICT_ORDER ? "" : " (accesses not checked)";
    if (c->of[v] > 0) report_put(m->out, ", %lu %s%s", c->of[v], schedule_verdict_name(v), more);
  }
  report_put(m->out, ", %lu meant, %lu suppressed.\n", c->meant, c->suppressed);
}

/* --- kernels ------------------------------------------------------------------------------------------------- */

typedef struct row {
  uint32_t kernel;
  coverage own;
  double worth; /* what is covered of all, or the score; 2: nothing to say */
} row;

static double worth_of(const coverage *c) {
  static const char *const parts[] = {"branch", "loop", "barrier", "line"};
  ratio all = {0, 0};
  if (c->mutation.total > 0) return (double)c->mutation.covered / (double)c->mutation.total;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    ratio r;
    (void)coverage_get(c, parts[i], &r);
    all.covered += r.covered;
    all.total += r.total;
  }
  return all.total == 0 ? 2 : (double)all.covered / (double)all.total;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  if (x->worth < y->worth || x->worth > y->worth) return x->worth < y->worth ? -1 : 1;
  return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void put_row(const markdown *m, const row *r) {
  static const char *const metrics[] = {"branch", "loop", "barrier", "line"};
  const view_kernel *k = &m->v->kernels[r->kernel];
  const model_function *f = &m->v->functions[k->function];
  report_put(m->out, "| %s | %s", markdown_code(m->out, k->name, true), place_of(m->out, m->v, f->file, f->line, true));
  if (m->covered) report_put(m->out, k->launches == 0 ? " | **never**" : " | %llu", (unsigned long long)k->launches);
  for (size_t i = 0; m->covered && i < sizeof metrics / sizeof metrics[0]; i++) {
    ratio part;
    (void)coverage_get(&r->own, metrics[i], &part);
    report_put(m->out, " | %s", report_percent(m->out, &part));
  }
  if (mutation_is(m->v)) report_put(m->out, " | %s", report_percent(m->out, &r->own.mutation));
  report_put(m->out, " |\n");
}

static void put_kernels(const markdown *m) {
  const mutation *mutants = &m->issues.mutants;
  bool scored = mutation_is(m->v);
  scoped row *rows = mem_calloc(mutants->kernel_count, sizeof *rows);
  for (size_t i = 0; i < mutants->kernel_count; i++) {
    rows[i].kernel = mutants->kernels[i].kernel;
    coverage_kernel(m->v, &m->v->kernels[rows[i].kernel], &rows[i].own);
    rows[i].own.mutation = mutation_score(&mutants->kernels[i].counts);
    rows[i].worth = worth_of(&rows[i].own);
  }
  if (mutants->kernel_count > 0 && (m->covered || scored)) {
    qsort(rows, mutants->kernel_count, sizeof *rows, compare_rows);
    report_put(m->out, "\n### Kernels, worst first\n\n| kernel | at |%s%s\n|---|---|%s%s\n",
               m->covered ? " launches | branch | loop | barrier | line |" : "", scored ? " score |" : "",
               m->covered ? "--:|--:|--:|--:|--:|" : "", scored ? "--:|" : "");
    for (size_t i = 0; i < mutants->kernel_count && i < KERNELS; i++) put_row(m, &rows[i]);
    put_rest(m, mutants->kernel_count, KERNELS, "kernels, better than these");
  }
}

/* --- findings, survivors ------------------------------------------------------------------------------------- */

static bool is_finding(const issue *i) { return i->suppressed == NULL && i->mutant == NULL; }

static bool is_survivor(const issue *i) { return i->suppressed == NULL && i->mutant != NULL; }

static size_t count_issues(const markdown *m, bool (*wanted)(const issue *)) {
  size_t count = 0;
  for (size_t i = 0; i < m->issues.count; i++) count += wanted(&m->issues.list[i]) ? 1 : 0;
  return count;
}

static void put_findings(const markdown *m) {
  size_t all = count_issues(m, is_finding), shown = 0;
  if (all > 0) report_put(m->out, "\n### Findings\n\n");
  for (size_t i = 0; i < m->issues.count && shown < FINDINGS; i++) {
    if (is_finding(&m->issues.list[i])) {
      scoped_buffer title = {0}, text = {0};
      issue_title(&m->issues.list[i], &title);
      issue_message(m->v, m->options, &m->issues.list[i], &text);
      report_put(m->out, "- **%s**%s%s: %s\n", markdown_text(m->out, buffer_text(&title)),
                 m->issues.list[i].file != MODEL_NONE ? ", " : "",
                 place_of(m->out, m->v, m->issues.list[i].file, m->issues.list[i].line, false),
                 markdown_text(m->out, buffer_text(&text)));
      if (m->issues.list[i].shown != NULL) {
        /* A finding of a proof, after the item of a list that it belongs to. */
        scoped_buffer lines = {0}, block = {0};
        document_lines(m->v, NULL, m->issues.list[i].shown, true, &lines);
        if (lines.length > 0) {
          markdown_lines(&block, "", buffer_text(&lines), lines.length, COUNTEREXAMPLE_LINES);
          report_put(m->out, "%s", markdown_block(m->out, "text", &block));
        }
      }
      shown++;
    }
  }
  put_rest(m, all, FINDINGS, "findings");
}

/* The lines of a mutant as they are and as they become. */
static void put_diff(const markdown *m, const db_mutant *x) {
  const model_file *f = &m->v->files[x->file];
  scoped_buffer b = {0};
  if (x->offset > x->end_offset || x->end_offset > f->length) return;
  const place_line first = place_line_at(f, x->offset), last = place_line_at(f, x->end_offset);
  const char *end = last.text + last.length;
  markdown_lines(&b, "-", first.text, (size_t)(end - first.text), DIFF_LINES);
  if (x->description == NULL || x->replacement[0] != '\0') { /* else the text does not say what happens */
    scoped_buffer mutated = {0};
    buffer_append(&mutated, first.text, (size_t)(f->text + x->offset - first.text));
    buffer_puts(&mutated, x->replacement);
    if (end > f->text + x->end_offset)
      buffer_append(&mutated, f->text + x->end_offset, (size_t)(end - (f->text + x->end_offset)));
    markdown_lines(&b, "+", buffer_text(&mutated), mutated.length, DIFF_LINES);
  }
  report_put(m->out, "%s", markdown_block(m->out, "diff", &b));
}

static void put_survivor(const markdown *m, const db_mutant *x) {
  scoped_buffer text = buffer_with("%s:%u: %s: ", m->v->files[x->file].name, x->line, x->operator_name);
  mutation_describe(x, &text);
  size_t tests = mutation_tests(x);
  buffer_printf(&text, " (mutant %u, run by %zu test case%s%s)", x->id, tests, report_plural(tests),
                x->status == MUTANT_UNDECIDED ? ", undecided" : "");
  report_put(m->out, "<details><summary>%s</summary>\n\n", markdown_text(m->out, buffer_text(&text)));
  put_diff(m, x);
  report_put(m->out, "\n</details>\n");
}

/* Those that most test cases run first. */
static void put_survivors(const markdown *m) {
  static const mutant_status statuses[] = {MUTANT_SURVIVED, MUTANT_UNDECIDED};
  size_t all = count_issues(m, is_survivor), shown = 0;
  if (all == 0) return;
  report_put(m->out, "\n### Mutants that the tests do not notice\n\n");
  for (size_t s = 0; s < sizeof statuses / sizeof statuses[0]; s++) {
    size_t count = 0;
    scoped size_t *order = mutation_order(m->v, &m->issues.mutants, statuses[s], &count);
    for (size_t i = 0; i < count && shown < SURVIVORS; i++, shown++) put_survivor(m, &m->v->mutants[order[i]]);
  }
  put_rest(m, all, SURVIVORS, "mutants that the tests do not notice");
}

/* --- the rest ------------------------------------------------------------------------------------------------ */

/* Nothing where it has no items. */
static void put_list(const markdown *m, const char *heading, const document *d) {
  for (size_t i = 0; i < d->count; i++)
    report_put(m->out, "%s- %s\n", i == 0 ? heading : "", markdown_text(m->out, d->nodes[i].text));
}

static bool any_below(const markdown *m) {
  for (size_t i = 0; i < m->options->threshold_count; i++)
    if (threshold_below(&m->options->thresholds[i], &m->total)) return true;
  return false;
}

/* Something that coverage counts is missing. */
static bool any_missed(const markdown *m) {
  static const char *const metrics[] = {"line", "branch", "loop", "barrier"};
  for (size_t i = 0; m->covered && i < sizeof metrics / sizeof metrics[0]; i++) {
    ratio r;
    (void)coverage_get(&m->total, metrics[i], &r);
    if (r.covered < r.total) return true;
  }
  return false;
}

static bool any_survivors(const markdown *m) { return count_issues(m, is_survivor) > 0; }

static bool any_findings(const markdown *m) { return count_issues(m, is_finding) > 0; }

static bool any_pending(const markdown *m) { return m->issues.mutants.all.of[MUTANT_PENDING] > 0; }

static const struct {
  bool (*applies)(const markdown *m);
  const char *text;
} steps[] = {
    {any_findings,
     "Mend what is found first: behaviour that OpenCL leaves undefined, results that depend on the order."},
    {any_below, "Raise what is below its threshold."},
    {any_survivors,
     "Give the tests what would tell each mutant above from the original, or suppress it with a reason."},
    {any_missed, "`cltestcheck report --show-missed` shows the lines and outcomes that no test case covers."},
    {any_pending, "Some mutants are not decided: the same command with `--resume` goes on."},
};

static void put_steps(const markdown *m) {
  bool any = false;
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if (steps[i].applies(m)) {
      report_put(m->out, "%s- %s\n", any ? "" : "\n### What to do next\n\n", steps[i].text);
      any = true;
    }
  }
}

int markdown_write(const view *v, const report_options *options, FILE *out, error *e) {
  report_out to = {.file = out};
  markdown m = {.v = v, .options = options, .out = &to, .issues = issues_of(v, options), .covered = report_covered(v)};
  coverage_total(v, options, &m.total);
  put_title(&m);
  put_totals(&m);
  put_unmeasured(&m);
  put_mutation(&m);
  put_amplification(&m);
  markdown_proofs(v, options, &to);
  markdown_repairs(v, &to);
  put_findings(&m);
  put_kernels(&m);
  put_survivors(&m);
  scoped_document suppressed = {.v = v}, skipped = {.v = v};
  document_suppressions(&suppressed, false);
  document_skipped(&skipped);
  put_list(&m, "\n### Suppressed\n\n", &suppressed);
  put_list(&m, "\n### Not instrumented\n\n", &skipped);
  put_steps(&m);
  issues_free(&m.issues);
  return report_close(&to, e);
}
