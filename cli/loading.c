/* Views of runs, with suppressions. */
#include "cli/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/globs.h"
#include "base/project.h"
#include "base/say.h"
#include "base/suggest.h"
#include "cli/configuration.h"
#include "reports/common/amplification.h"
#include "reports/common/report.h"
#include "runner/devices.h"
#include "runner/experiment/found.h"

enum { SHOWN_KERNELS = 8 };

/* Without a platform, no layer hears of a program's calls: that it got none must not be taken for no call. */
const char *no_opencl_call(void) {
  static char text[sizeof(error) + 64];
  device *all = NULL;
  size_t count = 0;
  error e;
  if (devices_list(&all, &count, &e) != 0) {
    (void)snprintf(text, sizeof text, "%s (`cltestcheck doctor` says what is missing)", e.text);
    return text;
  }
  free(all);
  return "the program made no OpenCL call (if it does use OpenCL, its loader knows no layers: try --preload; "
         "`cltestcheck doctor` says what is missing)";
}

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

kernel_choice chosen_kernels(const settings *s) {
  return (kernel_choice){s->kernels.items, s->kernels.count, s->exclude.items, s->exclude.count};
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

/* "smooth, differences": the kernels of the view, each name once. */
static void put_names(const view *v, buffer *to) {
  size_t shown = 0;
  for (size_t i = 0; i < v->kernel_count && shown <= SHOWN_KERNELS; i++) {
    bool again = false;
    for (size_t k = 0; k < i && !again; k++) {
      again = strcmp(v->kernels[k].name, v->kernels[i].name) == 0;
    }
    if (!again) {
      buffer_printf(to, "%s%s", shown == 0 ? "" : ", ", shown == SHOWN_KERNELS ? "…" : v->kernels[i].name);
      shown++;
    }
  }
}

/* What is said of a glob, or of all of them. */
static void say_names(const view *v, const char *what, const char *near) {
  buffer text = {0};
  buffer_puts(&text, what);
  if (near != NULL) {
    buffer_printf(&text, "; did you mean --kernel %s?", near);
  }
  buffer_puts(&text, near != NULL ? " There are: " : "; there are: ");
  put_names(v, &text);
  say(stderr, "cltestcheck: %s\n", buffer_text(&text));
  buffer_free(&text);
}

/* Of several globs, those that match nothing. */
static void warn_of_unmatched(const view *v, const words *globs) {
  for (size_t i = 0; i < globs->count; i++) {
    const char *glob = globs->items[i];
    bool matches = false;
    for (size_t k = 0; k < v->kernel_count && !matches; k++) {
      matches = globs_select(&glob, 1, NULL, 0, v->kernels[k].name);
    }
    if (!matches) {
      buffer what = {0};
      buffer_printf(&what, "warning: --kernel %s matches no kernel", glob);
      say_names(v, buffer_text(&what), nearest_kernel(v, glob));
      buffer_free(&what);
    }
  }
}

bool are_unmatched(const view *v, const settings *s) {
  const kernel_choice c = chosen_kernels(s);
  return leaves_no_kernel(v, &c);
}

bool say_unmatched(const view *v, const settings *s) {
  if (are_unmatched(v, s)) {
    say_names(v, "--kernel and --exclude leave no kernel",
              s->kernels.count == 1 ? nearest_kernel(v, s->kernels.items[0]) : NULL);
    return true;
  }
  if (v->kernel_count > 0) {
    warn_of_unmatched(v, &s->kernels);
  }
  return false;
}
