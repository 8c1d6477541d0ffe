/* Kernels, a row each, the worst first: what its own launches covered, its mutants, schedules, proof; and test cases. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/html/page.h"

/* What comes first: kernels and files by what they miss. */

page_badness page_badness_of(const page *p, const coverage *c) {
  static const char *const metrics[] = {"line", "branch", "barrier", "mutation"};
  page_badness b = {.lowest = 1};
  for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
    ratio r = {0};
    (void)coverage_get(c, metrics[i], &r);
    bool counts = metric_of_mutants(metrics[i]) ? p->mutated : p->covered;
    if (r.total > 0 && counts) {
      const double share = (double)r.covered / (double)r.total;
      if (share < b.lowest) {
        b.lowest = share;
        b.metric = metrics[i];
      }
      b.missed += r.total - r.covered;
    }
  }
  return b;
}

/* Below 0: `a` is worse. */
static int page_compare_badness(const page_badness *a, const page_badness *b) {
  if (a->found != b->found) return a->found ? -1 : 1;
  if (a->lowest < b->lowest || a->lowest > b->lowest) return a->lowest < b->lowest ? -1 : 1;
  return (a->missed < b->missed) - (a->missed > b->missed);
}

/* Is the finding in a file that the kernel has code of? Kernels of several programs may have one name. */
static bool is_in(const page *p, const db_finding *f, const view_kernel *k) {
  bool in = f->file == MODEL_NONE || p->v->functions[k->function].file == f->file;
  for (size_t i = 0; !in && i < k->function_count; i++) in = p->v->functions[k->functions[i]].file == f->file;
  return in;
}

/* Has a kernel findings that no suppression holds back? */
static bool page_kernel_fails(const page *p, uint32_t kernel) {
  const view_kernel *k = &p->v->kernels[kernel];
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (f->suppressed == NULL && strcmp(f->kernel, k->name) == 0 && is_in(p, f, k)) return true;
  }
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_counts *c = &p->issues.schedules.kernels[i].counts;
    if (p->issues.schedules.kernels[i].kernel == kernel &&
        c->of[VERDICT_RACE] + c->of[VERDICT_DEADLOCK] + c->of[VERDICT_CRASH] > 0)
      return true;
  }
  return false;
}

/* --- files ----------------------------------------------------------------------------------------------------- */

typedef struct ranked {
  uint32_t file;
  page_badness badness;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->file > y->file) - (x->file < y->file);
}

void page_order_files(page *p) {
  scoped ranked *list = mem_calloc(p->shown_files, sizeof *list);
  p->order = mem_calloc(p->shown_files, sizeof *p->order);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->file_count; i++)
    if (p->shown[i]) list[count++] = (ranked){i, page_badness_of(p, &p->files[i])};
  if (count > 0) qsort(list, count, sizeof *list, compare_ranked);
  for (size_t i = 0; i < count; i++) p->order[i] = list[i].file;
}

static const struct {
  const char *metric, *title;
} columns[] = {{"line", "Lines"}, {"branch", "Branches"}, {"loop", "Loop cases"}, {"barrier", "Barriers"}};
#define COLUMNS (sizeof columns / sizeof columns[0])

typedef struct row {
  uint32_t kernel;
  coverage covered; /* its mutation: those that it reaches */
  page_badness badness;
} row;

static row row_of(const page *p, uint32_t kernel) {
  row r = {.kernel = kernel};
  coverage_kernel(p->v, &p->v->kernels[kernel], &r.covered);
  r.covered.mutation = (ratio){0};
  for (size_t i = 0; i < p->issues.mutants.kernel_count; i++)
    if (p->issues.mutants.kernels[i].kernel == kernel)
      r.covered.mutation = mutation_score(&p->issues.mutants.kernels[i].counts);
  r.badness = page_badness_of(p, &r.covered);
  r.badness.found = page_kernel_fails(p, kernel);
  return r;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  const int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void put_coverage(const page *p, const row *r) {
  const view_kernel *k = &p->v->kernels[r->kernel];
  report_put(p->out, "<td data-c=\"Launches\">");
  report_put(p->out, k->launches == 0 ? report_no_launch(p->v) : "%llu", (unsigned long long)k->launches);
  for (size_t i = 0; i < COLUMNS; i++) {
    ratio covered;
    (void)coverage_get(&r->covered, columns[i].metric, &covered);
    page_ratio_cell(p, columns[i].title, columns[i].metric, &covered);
  }
}

static void put_schedules(const page *p, uint32_t kernel) {
  report_put(p->out, "<td data-c=\"Schedules\">");
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_kernel *k = &p->issues.schedules.kernels[i];
    if (k->kernel != kernel || k->counts.schedules == 0) continue;
    report_put(p->out, "<a href=\"#k%u\">", kernel);
    const char *before = "";
    for (size_t v = VERDICTS; v-- > 0;) {
      if (k->counts.of[v] > 0) {
        report_put(p->out, "%s%lu %s", before, k->counts.of[v], schedule_verdict_name((schedule_verdict)v));
        before = ", ";
      }
    }
    if (k->counts.meant > 0) {
      report_put(p->out, "%s%lu meant", before, k->counts.meant);
      before = ", ";
    }
    if (k->counts.suppressed > 0) report_put(p->out, "%s%lu suppressed", before, k->counts.suppressed);
    report_put(p->out, "</a>");
    return;
  }
  report_put(p->out, "-");
}

static void put_head(const page *p) {
  report_put(p->out, "<thead><tr><th scope=col>Kernel");
  if (p->covered) {
    report_put(p->out, "<th scope=col>Launches");
    for (size_t i = 0; i < COLUMNS; i++) report_put(p->out, "<th scope=col>%s", columns[i].title);
  }
  report_put(p->out, "%s%s%s\n<tbody>\n", p->mutated ? "<th scope=col>Mutation score" : "",
             p->amplified ? "<th scope=col>Schedules" : "", p->verified ? "<th scope=col>Proof" : "");
}

static void put_row(const page *p, const row *r) {
  const view_kernel *k = &p->v->kernels[r->kernel];
  report_put(p->out, "<tr><th scope=row>%s", page_text(p->out, k->name));
  if (r->badness.found) report_put(p->out, " <a class=\"st ss\" href=\"#findings\">finding</a>");
  report_put(p->out, "<br>%s", page_place(p, p->v->functions[k->function].file, p->v->functions[k->function].line));
  if (p->covered) put_coverage(p, r);
  if (p->mutated) page_ratio_cell(p, "Mutation score", "mutation", &r->covered.mutation);
  if (p->amplified) put_schedules(p, r->kernel);
  if (p->verified) {
    report_put(p->out, "<td data-c=\"Proof\">");
    page_proof_badge(p, r->kernel);
  }
  report_put(p->out, "\n");
}

void page_kernels(const page *p) {
  if (p->v->kernel_count == 0) {
    report_put(p->out, "<p>No kernel was seen.\n");
    return;
  }
  scoped row *rows = mem_calloc(p->v->kernel_count, sizeof *rows);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->kernel_count; i++)
    if (report_selects(p->options, p->v->kernels[i].name)) rows[count++] = row_of(p, i);
  if (count > 0) qsort(rows, count, sizeof *rows, compare_rows);
  page_table_of_heading(p->out, "Kernels, worst first");
  put_head(p);
  for (size_t i = 0; i < count; i++) put_row(p, &rows[i]);
  report_put(p->out, PAGE_TABLE_END);
}

/* Test cases with what they are worth; which of them executed the same lines; programs without instrumentation. */

/* Mutants that each test case kills. */
static size_t *count_kills(const page *p) {
  size_t *kills = mem_calloc(p->v->test_case_count, sizeof *kills);
  for (size_t i = 0; i < p->v->mutant_count; i++) {
    const db_mutant *m = &p->v->mutants[i];
    for (size_t k = 0; p->issues.mutants.selected[i] && k < m->verdict_count; k++)
      kills[m->verdicts[k].test_case] += mutation_kills(m, &m->verdicts[k]) ? 1 : 0;
  }
  return kills;
}

static void put_end(const page *p, const view_test_case *t) {
  if (t->timed_out)
    report_put(p->out, "<td class=bad data-c=Exit>out of time");
  else if (t->status < 0)
    report_put(p->out, "<td class=bad data-c=Exit>did not end");
  else
    report_put(p->out, t->status == 0 ? "<td data-c=Exit>%d" : "<td class=bad data-c=Exit>%d", t->status);
}

static void put_test_cases(const page *p) {
  scoped size_t *kills = count_kills(p);
  scoped bool *superfluous = p->mutated ? mutation_superfluous(p->v, &p->issues.mutants) : NULL;
  page_table_of_heading(p->out, "Test cases and how they ended");
  report_put(p->out, "<thead><tr><th scope=col>Test case<th scope=col>Exit%s<th scope=col>Command\n<tbody>\n",
             p->mutated ? "<th scope=col>Kills" : "");
  for (uint32_t i = 0; i < p->v->test_case_count; i++) {
    report_put(p->out, "<tr id=t%u><th scope=row>%s", i, page_test_name(p, i));
    put_end(p, &p->v->test_cases[i]);
    if (p->mutated) {
      report_put(p->out, "<td data-c=\"Kills\">%zu%s", kills[i],
                 superfluous != NULL && superfluous[i] ? " (all of them others kill, too)" : "");
    }
    report_put(p->out, "<td data-c=\"Command\"><code>%s</code>\n", page_text(p->out, p->v->test_cases[i].command_line));
  }
  report_put(p->out, PAGE_TABLE_END);
}

/* Sets that lines have. */
static bool *find_sets(const page *p) {
  bool *used = mem_calloc(p->v->set_count, sizeof *used);
  for (size_t i = 0; i < p->v->line_count; i++) {
    const view_line *l = &p->v->lines[i];
    if (l->set < p->v->set_count && p->shown[l->file]) used[l->set] = true;
  }
  return used;
}

static void put_set(const page *p, uint32_t set) {
  scoped uint32_t *tests = NULL;
  size_t count = 0, capacity = 0;
  for (uint32_t i = set; i != MODEL_NONE; i = p->v->sets[i].before)
    *ARRAY_ADD(tests, count, capacity) = p->v->sets[i].last;
  report_put(p->out, "<li id=s%u>", set);
  for (size_t i = count; i-- > 0;)
    report_put(p->out, "<a href=#t%u>%s%s", tests[i], page_test_name(p, tests[i]), i > 0 ? "</a>, " : "</a>\n");
}

/* The links after the numbers beside the lines lead here. */
static void put_sets(const page *p) {
  scoped bool *used = find_sets(p);
  report_put(p->out, "<h3>Test cases that executed the same lines</h3>\n<ol class=sets>\n");
  for (uint32_t i = 0; i < p->v->set_count; i++)
    if (used[i]) put_set(p, i);
  report_put(p->out, "</ol>\n");
}

void page_tests(const page *p) {
  if (p->v->test_case_count > 0)
    put_test_cases(p);
  else
    report_put(p->out, "<p>No test case was run.\n");
  if (p->covered && p->v->set_count > 0) put_sets(p);
  scoped_document skipped = {.v = p->v};
  document_skipped(&skipped);
  page_list(p, "<h3>Not measured</h3>", &skipped);
}