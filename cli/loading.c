/* Views of runs are read here, with what the configuration suppresses. */
#include "cli/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/project.h"
#include "base/say.h"
#include "cli/configuration.h"
#include "reports/common/amplification.h"
#include "reports/common/report.h"
#include "runner/devices.h"
#include "runner/experiment/run_words.h"

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

int load_view(db *d, const int64_t *runs, size_t run_count, const report_settings *s, view *out, error *e) {
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

size_t count_suppressed_schedules(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      const db_schedule *s = &v->launches[i].schedules[k];
      count += s->suppressed != NULL && amplification_fails(amplification_verdict(s)) ? 1 : 0;
    }
  }
  return count;
}

static bool any_schedule(const view *v, bool (*is)(const db_schedule *s)) {
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      if (is(&v->launches[i].schedules[k])) {
        return true;
      }
    }
  }
  return false;
}

static bool is_order_dependent(const db_schedule *s) {
  const schedule_verdict verdict = amplification_verdict(s);
  return (verdict == VERDICT_ORDER || verdict == VERDICT_DIFFERS) && s->suppressed == NULL && !s->meant;
}

static bool is_listed(const db_schedule *s) { return amplification_is_listed(amplification_verdict(s)); }

bool has_order_dependent(const view *v) { return any_schedule(v, is_order_dependent); }

bool has_other_results(const view *v) { return any_schedule(v, is_listed); }

/* --- kernels that are not there ------------------------------------------------------------------------------------ */

/* The name nearest to a word; NULL: none is near. */
static const char *nearest_kernel(const word_list *kernels, const char *name) {
  suggestion near = {.word = name};
  for (size_t i = 0; i < kernels->count; i++) {
    suggest_consider(&near, kernels->items[i]);
  }
  return near.best;
}

/* "smooth, differences": each name once. */
static void put_names(const word_list *kernels, buffer *to) {
  size_t shown = 0;
  for (size_t i = 0; i < kernels->count && shown <= SHOWN_KERNELS; i++) {
    bool again = false;
    for (size_t k = 0; k < i && !again; k++) {
      again = strcmp(kernels->items[k], kernels->items[i]) == 0;
    }
    if (!again) {
      buffer_printf(to, "%s%s", shown == 0 ? "" : ", ", shown == SHOWN_KERNELS ? "…" : kernels->items[i]);
      shown++;
    }
  }
}

/* What is said of a glob, or of all of them. */
static void say_names(const word_list *kernels, const char *what, const char *near) {
  scoped_buffer text = buffer_with("%s", what);
  if (near != NULL) {
    buffer_printf(&text, "; did you mean --kernel %s?", near);
  }
  buffer_puts(&text, near != NULL ? " There are: " : "; there are: ");
  put_names(kernels, &text);
  say(stderr, "cltestcheck: %s\n", buffer_text(&text));
}

/* Of several globs, those that match nothing. */
static void warn_of_unmatched(const word_list *kernels, const word_list *globs) {
  for (size_t i = 0; i < globs->count; i++) {
    const char *glob = globs->items[i];
    bool matches = false;
    for (size_t k = 0; k < kernels->count && !matches; k++) {
      matches = kernel_chosen(&(kernel_choice){.wanted = {&glob, 1, 1}}, kernels->items[k]);
    }
    if (!matches) {
      scoped_buffer what = buffer_with("warning: --kernel %s matches no kernel", glob);
      say_names(kernels, buffer_text(&what), nearest_kernel(kernels, glob));
    }
  }
}

bool say_unmatched_of(const word_list *kernels, const kernel_choice *s) {
  bool any = kernels->count == 0;
  for (size_t i = 0; i < kernels->count && !any; i++) {
    any = kernel_chosen(s, kernels->items[i]);
  }
  if (!any) {
    say_names(kernels, "--kernel and --exclude leave no kernel",
              s->wanted.count == 1 ? nearest_kernel(kernels, s->wanted.items[0]) : NULL);
  } else if (kernels->count > 0) {
    warn_of_unmatched(kernels, &s->wanted);
  }
  return !any;
}

bool say_unmatched(const view *v, const kernel_choice *s) {
  word_list kernels = {0};
  for (size_t i = 0; i < v->kernel_count; i++) {
    *ARRAY_ADD(kernels.items, kernels.count, kernels.capacity) = v->kernels[i].name;
  }
  const bool unmatched = say_unmatched_of(&kernels, s);
  free(kernels.items);
  return unmatched;
}
