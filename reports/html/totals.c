/* Totals: coverage by metric, mutants by status and operator, schedules by verdict, suppressions. */
#include <string.h>

#include "reports/html/page.h"

/* --- coverage -------------------------------------------------------------------------------------------------- */

static void put_coverage(const page *p) {
  (void)fputs("<h3 id=coverage>Coverage</h3>\n", p->out);
  page_table(p->out, "Coverage by metric");
  (void)fputs("<thead><tr><th scope=col>Metric<th scope=col>Covered<th scope=col>What is counted\n<tbody>\n", p->out);
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
    if (metric_of_mutants(m->name) || metric_of_proofs(m->name)) {
      continue;
    }
    ratio r;
    (void)coverage_get(&p->total, m->name, &r);
    (void)fprintf(p->out, "<tr><th scope=row>%s", m->name);
    page_ratio_cell(p, "Covered", m->name, &r);
    page_cell(p->out, "What is counted");
    (void)fprintf(p->out, "%s\n", m->summary);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

/* --- mutants --------------------------------------------------------------------------------------------------- */

static void put_statuses(const page *p) {
  page_table(p->out, "Mutants by status");
  (void)fputs("<thead><tr><th scope=col>Status<th scope=col>Mutants<th scope=col>Meaning\n<tbody>\n", p->out);
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    mutant_status s = page_status_order[i];
    if (p->issues.mutants.all.of[s] > 0 || s == MUTANT_KILLED || s == MUTANT_SURVIVED) {
      (void)fprintf(p->out,
                    "<tr><th scope=row><span class=\"st s%c\">%s</span><td data-c=Mutants>%lu<td data-c=Meaning>%s%s\n",
                    page_statuses[s].letter, page_statuses[s].word, p->issues.mutants.all.of[s],
                    page_statuses[s].meaning, mutation_counts_status(s) ? "" : " (not in the score)");
    }
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

static void put_operators(const page *p) {
  page_table(p->out, "Mutants by operator");
  (void)fputs("<thead><tr><th scope=col>Operator<th scope=col>Score", p->out);
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    if (p->issues.mutants.all.of[page_status_order[i]] > 0) {
      (void)fprintf(p->out, "<th scope=col>%s", page_statuses[page_status_order[i]].word);
    }
  }
  (void)fputs("\n<tbody>\n", p->out);
  for (size_t o = 0; o < p->issues.mutants.operator_count; o++) {
    const mutation_group *g = &p->issues.mutants.operators[o];
    const ratio score = mutation_score(&g->counts);
    (void)fputs("<tr><th scope=row>", p->out);
    page_text(p->out, g->name);
    page_ratio_cell(p, "Score", "mutation", &score);
    for (size_t i = 0; i < MUTANT_STATUSES; i++) {
      if (p->issues.mutants.all.of[page_status_order[i]] > 0) {
        page_cell(p->out, page_statuses[page_status_order[i]].word);
        (void)fprintf(p->out, "%lu", g->counts.of[page_status_order[i]]);
      }
    }
    (void)fputs("\n", p->out);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

static void put_unstable(const page *p) {
  if (p->v->unstable_count == 0) {
    return;
  }
  (void)fputs("<p>Outputs that differ from run to run of the program as it is, and are no evidence:\n<ul>\n", p->out);
  for (size_t i = 0; i < p->v->unstable_count; i++) {
    const view_unstable *u = &p->v->unstable[i];
    (void)fputs("<li>", p->out);
    page_test_name(p, u->test_case);
    (void)fputs(": ", p->out);
    page_text(p->out, u->what);
    (void)fprintf(p->out, ", %.1f %% of its bytes\n", u->share * 100);
  }
  (void)fputs("</ul>\n", p->out);
}

/* What the program's own checks are worth. */
static void put_revealed(const page *p) {
  const ratio revealed = mutation_revealed(&p->issues.mutants.all);
  if (revealed.total > 0) {
    (void)fputs(" Revealed: <b>", p->out);
    page_percent(p->out, &revealed);
    (void)fprintf(p->out,
                  "</b>, %lu make%s the program fail; of the other %lu that are killed only data tell: there, an "
                  "assertion is missing.",
                  revealed.covered, revealed.covered == 1 ? "s" : "",
                  p->issues.mutants.all.of[MUTANT_KILLED] - revealed.covered);
  }
}

static void put_mutation(const page *p) {
  const ratio score = mutation_score(&p->issues.mutants.all);
  size_t verdicts = 0;
  size_t reused = 0;
  mutation_verdicts(p->v, &p->issues.mutants, &verdicts, &reused);
  (void)fputs("<h3 id=mutation>Mutation testing</h3>\n<p>Mutation score: <b>", p->out);
  page_percent(p->out, &score);
  (void)fprintf(p->out, "</b>, %lu of %lu mutant%s killed.", score.covered, score.total, page_plural(score.total));
  interval i;
  if (mutation_interval(p->v, &p->issues.mutants.all, &i)) {
    (void)fprintf(p->out, " These were drawn at random; the score of all is %.1f to %.1f %% (95 %% interval).",
                  100 * i.low, 100 * i.high);
  }
  put_revealed(p);
  if (reused > 0) {
    (void)fprintf(p->out, " %zu of %zu verdicts are earlier runs'.", reused, verdicts);
  }
  (void)fputs("\n", p->out);
  put_unstable(p);
  put_statuses(p);
  put_operators(p);
}

/* --- schedules ------------------------------------------------------------------------------------------------- */

static void put_verdicts(const page *p) {
  const amplification_counts *c = &p->issues.schedules.all;
  (void)fprintf(p->out, "<h3 id=verdicts>Schedule amplification</h3>\n<p>%lu schedule%s of %lu launch%s, %lu run%s.\n",
                c->schedules, page_plural(c->schedules), p->issues.schedules.launches,
                p->issues.schedules.launches == 1 ? "" : "es", c->runs, page_plural(c->runs));
  page_table(p->out, "Schedules by verdict");
  (void)fputs("<thead><tr><th scope=col>Verdict<th scope=col>Schedules\n<tbody>\n", p->out);
  for (size_t i = 1; i <= VERDICTS; i++) {
    schedule_verdict verdict = (schedule_verdict)(i % VERDICTS); /* pending last */
    if (c->of[verdict] > 0 || verdict == VERDICT_CONSISTENT || verdict == VERDICT_RACE) {
      (void)fprintf(p->out, "<tr><th scope=row><span class=\"st v%u\">%s</span><td data-c=Schedules>%lu\n",
                    (unsigned)verdict, schedule_verdict_name(verdict), c->of[verdict]);
    }
  }
  if (c->meant > 0) {
    (void)fprintf(p->out, "<tr><th scope=row>meant: the kernel says so<td data-c=Schedules>%lu\n", c->meant);
  }
  if (c->suppressed > 0) {
    (void)fprintf(p->out, "<tr><th scope=row>suppressed by the configuration<td data-c=Schedules>%lu\n", c->suppressed);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

/* --- suppressions ---------------------------------------------------------------------------------------------- */

static void put_pattern(const page *p, const char *column, const char *pattern) {
  page_cell(p->out, column);
  page_text(p->out, pattern == NULL ? "any" : pattern);
}

static void put_suppressions(const page *p) {
  (void)fputs("<h3 id=suppressions>Suppressions</h3>\n", p->out);
  page_table(p->out, "Suppressions of the configuration");
  (void)fputs(
      "<thead><tr><th scope=col>Reason<th scope=col>Rule<th scope=col>Kernel<th scope=col>Line<th scope=col>Holds "
      "back\n<tbody>\n",
      p->out);
  for (size_t i = 0; i < p->v->suppression_count; i++) {
    const view_suppression *s = &p->v->suppressions[i];
    (void)fputs("<tr><th scope=row>", p->out);
    page_text(p->out, s->reason == NULL ? "" : s->reason);
    put_pattern(p, "Rule", s->rule);
    put_pattern(p, "Kernel", s->kernel);
    put_pattern(p, "Line", s->line);
    page_cell(p->out, "Holds back");
    (void)fprintf(p->out, "%zu%s\n", s->count, s->count == 0 ? " (nothing: it may go)" : "");
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

void page_totals(const page *p) {
  if (p->covered) {
    put_coverage(p);
  }
  if (p->mutated) {
    put_mutation(p);
  }
  if (p->amplified) {
    put_verdicts(p);
  }
  if (p->v->suppression_count > 0) {
    put_suppressions(p);
  }
}
