/* Views of runs, with suppressions. */
#include "cli/loading.h"

#include <stdio.h>

#include "base/globs.h"
#include "base/project.h"
#include "base/suggest.h"
#include "cli/configuration.h"
#include "reports/report.h"

const char no_opencl_call[] =
    "the program made no OpenCL call (if it does use OpenCL, its loader knows no layers: try --preload; `cltestcheck "
    "doctor` says what is missing)";

int load_view(db *d, const int64_t *runs, size_t run_count, const settings *s, view *out, error *e) {
  if (db_load(d, runs, run_count, out, e) != 0) {
    return -1;
  }
  if (project_chosen_root() != NULL) {
    report_set_root(out, project_chosen_root());
  }
  if (s->configuration != NULL) {
    suppress_apply(out, s->configuration->suppressions, s->configuration->suppression_count);
  }
  return 0;
}

size_t count_findings(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    count += v->findings[i].suppressed == NULL ? 1 : 0;
  }
  return count;
}

size_t count_suppressed_schedules(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      count += v->launches[i].schedules[k].suppressed != NULL ? 1 : 0;
    }
  }
  return count;
}

void say_unmatched(const view *v, const settings *s) {
  suggestion near = {s->kernels.count == 1 ? s->kernels.items[0] : NULL, NULL, 0};
  for (size_t i = 0; i < v->kernel_count; i++) {
    const char *name = v->kernels[i].name;
    if (globs_select((const char *const *)s->kernels.items, s->kernels.count, (const char *const *)s->exclude.items,
                     s->exclude.count, name)) {
      return;
    }
    if (near.word != NULL) {
      suggest_consider(&near, name);
    }
  }
  if (v->kernel_count == 0) {
    return;
  }
  (void)fputs("cltestcheck: --kernel and --exclude leave no kernel to report on", stderr);
  if (near.best != NULL) {
    (void)fprintf(stderr, "; did you mean --kernel %s?", near.best);
  }
  (void)fputc('\n', stderr);
}
