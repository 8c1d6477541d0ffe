/* What comes first: kernels and files by what they miss. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/html/page.h"

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

int page_compare_badness(const page_badness *a, const page_badness *b) {
  if (a->found != b->found) {
    return a->found ? -1 : 1;
  }
  if (a->lowest < b->lowest || a->lowest > b->lowest) {
    return a->lowest < b->lowest ? -1 : 1;
  }
  return (a->missed < b->missed) - (a->missed > b->missed);
}

/* Is the finding in a file that the kernel has code of? Kernels of several programs may have one name. */
static bool is_in(const page *p, const db_finding *f, const view_kernel *k) {
  bool in = f->file == MODEL_NONE || p->v->functions[k->function].file == f->file;
  for (size_t i = 0; !in && i < k->function_count; i++) {
    in = p->v->functions[k->functions[i]].file == f->file;
  }
  return in;
}

bool page_kernel_fails(const page *p, uint32_t kernel) {
  const view_kernel *k = &p->v->kernels[kernel];
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (f->suppressed == NULL && strcmp(f->kernel, k->name) == 0 && is_in(p, f, k)) {
      return true;
    }
  }
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_counts *c = &p->issues.schedules.kernels[i].counts;
    if (p->issues.schedules.kernels[i].kernel == kernel &&
        c->of[VERDICT_RACE] + c->of[VERDICT_DEADLOCK] + c->of[VERDICT_CRASH] > 0) {
      return true;
    }
  }
  return false;
}

/* --- files ----------------------------------------------------------------------------------------------------- */

typedef struct ranked {
  uint32_t file;
  page_badness badness;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a;
  const ranked *y = b;
  int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->file > y->file) - (x->file < y->file);
}

void page_order_files(page *p) {
  ranked *list = mem_calloc(p->shown_files, sizeof *list);
  p->order = mem_calloc(p->shown_files, sizeof *p->order);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->file_count; i++) {
    if (p->shown[i]) {
      list[count++] = (ranked){i, page_badness_of(p, &p->files[i])};
    }
  }
  if (count > 0) {
    qsort(list, count, sizeof *list, compare_ranked);
  }
  for (size_t i = 0; i < count; i++) {
    p->order[i] = list[i].file;
  }
  free(list);
}
