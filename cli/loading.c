/* Views of runs, with suppressions. */
#include "cli/loading.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/globs.h"
#include "base/project.h"
#include "base/say.h"
#include "base/suggest.h"
#include "cli/configuration.h"
#include "reports/common/amplification.h"
#include "reports/common/report.h"

enum { SHOWN_KERNELS = 8 };

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

static bool is_benign(const view_finding *f) { return strcmp(f->rule, "benign-race") == 0; }

static bool is_chosen(const settings *s, const char *kernel) {
  return globs_select((const char *const *)s->kernels.items, s->kernels.count, (const char *const *)s->exclude.items,
                      s->exclude.count, kernel);
}

static bool counts(const view_finding *f, const settings *s, bool benign) {
  return f->suppressed == NULL && is_benign(f) == benign && (f->kernel == NULL || is_chosen(s, f->kernel));
}

bool finding_counts(const view_finding *f, const settings *s) { return counts(f, s, false); }

size_t count_findings(const view *v, const settings *s) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    count += counts(&v->findings[i], s, false) ? 1 : 0;
  }
  return count;
}

bool has_benign(const view *v, const settings *s) {
  for (size_t i = 0; i < v->finding_count; i++) {
    if (counts(&v->findings[i], s, true)) {
      return true;
    }
  }
  return false;
}

size_t count_suppressed_schedules(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      const view_schedule *s = &v->launches[i].schedules[k];
      count += s->suppressed != NULL && amplification_is_fault(amplification_verdict(s)) ? 1 : 0;
    }
  }
  return count;
}

bool has_order_dependent(const view *v) {
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      const view_schedule *s = &v->launches[i].schedules[k];
      const schedule_verdict verdict = amplification_verdict(s);
      if ((verdict == VERDICT_ORDER || verdict == VERDICT_DIFFERS) && s->suppressed == NULL && !s->meant) {
        return true;
      }
    }
  }
  return false;
}

/* The kernel of the view nearest to a name; NULL: none is near. */
static const char *nearest_kernel(const view *v, const char *name) {
  suggestion near = {.word = name};
  for (size_t i = 0; i < v->kernel_count; i++) {
    suggest_consider(&near, v->kernels[i].name);
  }
  return near.best;
}

bool say_unmatched(const view *v, const settings *s) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (is_chosen(s, v->kernels[i].name)) {
      return false;
    }
  }
  if (v->kernel_count == 0 || s->kernels.count + s->exclude.count == 0) {
    return false;
  }
  const char *near = s->kernels.count == 1 ? nearest_kernel(v, s->kernels.items[0]) : NULL;
  buffer names = {0};
  buffer_puts(&names, near != NULL ? "did you mean --kernel " : "there are: ");
  for (size_t i = 0; near == NULL && i < v->kernel_count && i < SHOWN_KERNELS; i++) {
    buffer_printf(&names, "%s%s", i == 0 ? "" : ", ", v->kernels[i].name);
  }
  buffer_puts(&names, near != NULL ? near : v->kernel_count > SHOWN_KERNELS ? ", …" : "");
  say(stderr, "cltestcheck: --kernel and --exclude leave no kernel to report on; %s%s\n", buffer_text(&names),
      near == NULL ? "" : "?");
  buffer_free(&names);
  return true;
}
