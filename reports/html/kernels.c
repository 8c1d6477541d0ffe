/* A row a kernel: what its own launches covered, its mutants, its schedules. */
#include "reports/html/page.h"

static const struct {
  const char *metric, *title;
} columns[] = {{"line", "Lines"}, {"branch", "Branches"}, {"loop", "Loop cases"}, {"barrier", "Barriers"}};
#define COLUMNS (sizeof columns / sizeof columns[0])

static void put_coverage(const page *p, const view_kernel *k) {
  coverage c;
  coverage_kernel(p->v, k, &c);
  (void)fprintf(p->out, k->launches == 0 ? "<td>never" : "<td>%llu", (unsigned long long)k->launches);
  for (size_t i = 0; i < COLUMNS; i++) {
    ratio r;
    (void)coverage_get(&c, columns[i].metric, &r);
    page_ratio_cell(p->out, &r);
  }
}

static void put_score(const page *p, uint32_t kernel) {
  for (size_t i = 0; i < p->mutation.kernel_count; i++) {
    if (p->mutation.kernels[i].kernel == kernel) {
      const ratio score = mutation_score(&p->mutation.kernels[i].counts);
      page_ratio_cell(p->out, &score);
      return;
    }
  }
  (void)fputs("<td>-", p->out);
}

static void put_schedules(const page *p, uint32_t kernel) {
  (void)fputs("<td>", p->out);
  for (size_t i = 0; i < p->amplification.kernel_count; i++) {
    const amplification_kernel *k = &p->amplification.kernels[i];
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
  (void)fputs("\n<tbody>\n", p->out);
}

void page_kernels(const page *p) {
  if (p->v->kernel_count == 0) {
    (void)fputs("<p>No kernel was seen.\n", p->out);
    return;
  }
  page_table_of_heading(p->out, "Kernels");
  put_head(p);
  for (uint32_t i = 0; i < p->v->kernel_count; i++) {
    const view_kernel *k = &p->v->kernels[i];
    if (!report_selects(p->options, k->name)) {
      continue;
    }
    (void)fputs("<tr><th scope=row>", p->out);
    page_text(p->out, k->name);
    (void)fputs("<br>", p->out);
    page_place(p, p->v->functions[k->function].file, p->v->functions[k->function].line);
    if (p->covered) {
      put_coverage(p, k);
    }
    if (p->mutated) {
      put_score(p, i);
    }
    if (p->amplified) {
      put_schedules(p, i);
    }
    (void)fputs("\n", p->out);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}
