/* What matters, at a glance: tiles, and thresholds that are missed. */
#include <string.h>

#include "base/buffer.h"
#include "reports/common/threshold.h"
#include "reports/html/page.h"

/* --- tiles ----------------------------------------------------------------------------------------------------- */

static void put_tile(const page *p, const char *place, const char *metric, const ratio *r, const char *what) {
  (void)fprintf(p->out, "<li class=\"r %s\"><a href=\"#%s\"><b>", page_level(p, metric, r), place);
  page_percent(p->out, r);
  (void)fprintf(p->out, "</b> %s", what);
  if (r->total > 0) {
    (void)fprintf(p->out, " <small>%lu/%lu</small>", r->covered, r->total);
    page_bar(p->out, r);
  }
  (void)fputs("</a>\n", p->out);
}

static void put_count_tile(const page *p, const char *place, unsigned long count, const char *what, bool bad) {
  (void)fprintf(p->out, "<li%s><a href=\"#%s\"><b>%lu</b> %s%s</a>\n", bad ? " class=bad" : "", place, count, what,
                page_plural(count));
}

/* "1 of 2 files is repaired", with those in which nothing was wrong. */
static void put_repairs_tile(const page *p) {
  size_t good = 0;
  for (size_t i = 0; i < p->v->repair_count; i++) {
    const char *outcome = p->v->repairs[i].outcome;
    good += strcmp(outcome, "fine") == 0 || strcmp(outcome, "repaired") == 0 ? 1 : 0;
  }
  (void)fprintf(p->out, "<li%s><a href=\"#repairs\"><b>%zu</b> of %zu file%s repaired or fine</a>\n",
                good < p->v->repair_count ? " class=bad" : "", good, p->v->repair_count,
                p->v->repair_count == 1 ? "" : "s");
}

static void put_tiles(const page *p) {
  static const struct {
    const char *metric, *what;
  } tiles[] = {{"line", "lines"}, {"branch", "branch outcomes"}, {"loop", "loop cases"}, {"barrier", "barriers"}};
  (void)fputs("<ul class=tiles>\n", p->out);
  for (size_t i = 0; p->covered && i < sizeof tiles / sizeof tiles[0]; i++) {
    ratio r;
    (void)coverage_get(&p->total, tiles[i].metric, &r);
    put_tile(p, "coverage", tiles[i].metric, &r, tiles[i].what);
  }
  if (p->mutated) {
    const ratio score = mutation_score(&p->issues.mutants.all);
    const ratio revealed = mutation_revealed(&p->issues.mutants.all);
    put_tile(p, "mutation", "mutation", &score, "mutation score");
    if (revealed.total > 0) {
      put_tile(p, "mutation", "revealed", &revealed, "revealed");
    }
  }
  if (p->amplified) {
    const amplification_counts *c = &p->issues.schedules.all;
    unsigned long bad = c->of[VERDICT_RACE] + c->of[VERDICT_DEADLOCK] + c->of[VERDICT_CRASH];
    (void)fprintf(p->out, "<li%s><a href=\"#verdicts\"><b>%lu</b> of %lu schedules fail</a>\n",
                  bad > 0 ? " class=bad" : "", bad, c->schedules);
  }
  if (p->verified) {
    put_tile(p, "proofs", "verified", &p->total.verified, "kernels verified");
  }
  if (p->v->repair_count > 0) {
    put_repairs_tile(p);
  }
  if (p->findings > 0 || p->v->repair_count == 0) {
    put_count_tile(p, "findings", p->findings, "finding", p->findings > 0);
  }
  (void)fputs("</ul>\n", p->out);
}

/* --- thresholds ------------------------------------------------------------------------------------------------ */

/* As the exit status has it: a threshold is asked of runs that measure its metric. */
static void put_missed(const page *p) {
  for (size_t i = 0; i < p->options->threshold_count; i++) {
    const report_threshold *t = &p->options->thresholds[i];
    if (!report_measures(p->v, t->metric) || !threshold_below(t, &p->total)) {
      continue;
    }
    buffer words = {0};
    threshold_say(t, &p->total, &words);
    (void)fputs("<p class=missed>Not reached: ", p->out);
    page_text(p->out, buffer_text(&words));
    (void)fputs(".\n", p->out);
    buffer_free(&words);
  }
}

void page_overview(const page *p) {
  put_missed(p);
  put_tiles(p);
}
