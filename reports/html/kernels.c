/* A row a kernel, the worst first: what its own launches covered, its mutants, its schedules, its proof. */
#include <stdlib.h>

#include "base/memory.h"
#include "reports/html/page.h"

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
  for (size_t i = 0; i < p->issues.mutants.kernel_count; i++) {
    if (p->issues.mutants.kernels[i].kernel == kernel) {
      r.covered.mutation = mutation_score(&p->issues.mutants.kernels[i].counts);
    }
  }
  r.badness = page_badness_of(p, &r.covered);
  r.badness.found = page_kernel_fails(p, kernel);
  return r;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a;
  const row *y = b;
  const int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void put_coverage(const page *p, const row *r) {
  const view_kernel *k = &p->v->kernels[r->kernel];
  page_cell(p->out, "Launches");
  (void)fprintf(p->out, k->launches == 0 ? report_no_launch(p->v) : "%llu", (unsigned long long)k->launches);
  for (size_t i = 0; i < COLUMNS; i++) {
    ratio covered;
    (void)coverage_get(&r->covered, columns[i].metric, &covered);
    page_ratio_cell(p, columns[i].title, columns[i].metric, &covered);
  }
}

static void put_schedules(const page *p, uint32_t kernel) {
  page_cell(p->out, "Schedules");
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_kernel *k = &p->issues.schedules.kernels[i];
    if (k->kernel != kernel || k->counts.schedules == 0) {
      continue;
    }
    (void)fprintf(p->out, "<a href=\"#k%u\">", kernel);
    const char *before = "";
    for (size_t v = VERDICTS; v-- > 0;) {
      if (k->counts.of[v] > 0) {
        (void)fprintf(p->out, "%s%lu %s", before, k->counts.of[v], schedule_verdict_name((schedule_verdict)v));
        before = ", ";
      }
    }
    if (k->counts.meant > 0) {
      (void)fprintf(p->out, "%s%lu meant", before, k->counts.meant);
      before = ", ";
    }
    if (k->counts.suppressed > 0) {
      (void)fprintf(p->out, "%s%lu suppressed", before, k->counts.suppressed);
    }
    (void)fputs("</a>", p->out);
    return;
  }
  (void)fputs("-", p->out);
}

static void put_head(const page *p) {
  (void)fputs("<thead><tr><th scope=col>Kernel", p->out);
  if (p->covered) {
    (void)fputs("<th scope=col>Launches", p->out);
    for (size_t i = 0; i < COLUMNS; i++) {
      (void)fprintf(p->out, "<th scope=col>%s", columns[i].title);
    }
  }
  (void)fputs(p->mutated ? "<th scope=col>Mutation score" : "", p->out);
  (void)fputs(p->amplified ? "<th scope=col>Schedules" : "", p->out);
  (void)fputs(p->verified ? "<th scope=col>Proof" : "", p->out);
  (void)fputs("\n<tbody>\n", p->out);
}

static void put_row(const page *p, const row *r) {
  const view_kernel *k = &p->v->kernels[r->kernel];
  (void)fputs("<tr><th scope=row>", p->out);
  page_text(p->out, k->name);
  if (r->badness.found) {
    (void)fputs(" <a class=\"st ss\" href=\"#findings\">finding</a>", p->out);
  }
  (void)fputs("<br>", p->out);
  page_place(p, p->v->functions[k->function].file, p->v->functions[k->function].line);
  if (p->covered) {
    put_coverage(p, r);
  }
  if (p->mutated) {
    page_ratio_cell(p, "Mutation score", "mutation", &r->covered.mutation);
  }
  if (p->amplified) {
    put_schedules(p, r->kernel);
  }
  if (p->verified) {
    page_cell(p->out, "Proof");
    page_proof_badge(p, r->kernel);
  }
  (void)fputs("\n", p->out);
}

void page_kernels(const page *p) {
  if (p->v->kernel_count == 0) {
    (void)fputs("<p>No kernel was seen.\n", p->out);
    return;
  }
  row *rows = mem_calloc(p->v->kernel_count, sizeof *rows);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->kernel_count; i++) {
    if (report_selects(p->options, p->v->kernels[i].name)) {
      rows[count++] = row_of(p, i);
    }
  }
  if (count > 0) {
    qsort(rows, count, sizeof *rows, compare_rows);
  }
  page_table_of_heading(p->out, "Kernels, worst first");
  put_head(p);
  for (size_t i = 0; i < count; i++) {
    put_row(p, &rows[i]);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
  free(rows);
}
