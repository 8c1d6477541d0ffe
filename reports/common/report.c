/* Which runs, kernels and functions a report is about. */
#include "reports/common/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "reports/common/amplification.h"
#include "reports/common/memory.h"
#include "reports/common/mutation.h"
#include "reports/common/races.h"
#include "reports/common/repairs.h"
#include "reports/common/verification.h"
#include "reports/common/writers.h"

bool report_has_run(const view *v, const char *command) {
  bool found = strcmp(v->command, command) == 0;
  for (size_t i = 0; i < v->run_count && !found; i++) {
    found = strcmp(v->runs[i].command, command) == 0;
  }
  return found;
}

/* Is a run meant where those of a command are: of all commands where it is NULL or no run is of it. */
static bool is_meant(const view *v, const view_run *run, const char *command) {
  return command == NULL || strcmp(run->command, command) == 0 || !report_has_run(v, command);
}

void report_runs(const view *v, const char *command, buffer *to) {
  size_t count = 0;
  long long newest = (long long)v->run;
  for (size_t i = 0; i < v->run_count; i++) {
    if (is_meant(v, &v->runs[i], command)) {
      count++;
      newest = (long long)v->runs[i].id;
    }
  }
  if (count > 1) {
    buffer_printf(to, "%zu runs up to ", count);
  }
  buffer_printf(to, "run %lld", newest);
}

test_case_counts report_test_cases(const view *v, const char *command) {
  bool *meant = mem_calloc(v->test_case_count, sizeof *meant);
  memset(meant, v->run_count == 0, v->test_case_count * sizeof *meant);
  for (size_t i = 0; i < v->run_count; i++) {
    const view_run *run = &v->runs[i];
    for (size_t k = 0; k < run->test_case_count; k++) {
      meant[run->test_cases[k]] |= is_meant(v, run, command);
    }
  }
  test_case_counts count = {0};
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    bool unended = t->status < 0 && !t->timed_out;
    count.all += meant[i] ? 1 : 0;
    count.unended += meant[i] && unended ? 1 : 0;
    count.failed += meant[i] && !unended && (t->status != 0 || t->timed_out) ? 1 : 0;
  }
  free(meant);
  return count;
}

/* What the report is about: the first of these. */
static const struct {
  bool (*is)(const view *v);
  const char *what;
} subjects[] = {{mutation_is, "mutation testing"}, {amplification_is, "schedule amplification"},
                {races_are, "data races"},         {memory_is, "memory errors"},
                {verification_is, "verification"}, {repairs_are, "repairs"}};

/* NULL: it is none of these. */
static const char *find_subject(const view *v) {
  const char *what = NULL;
  for (size_t i = sizeof subjects / sizeof subjects[0]; i-- > 0;) {
    what = subjects[i].is(v) ? subjects[i].what : what;
  }
  return what;
}

bool report_covered(const view *v) { return v->covers || (v->run_count == 0 && find_subject(v) == NULL); }

const char *report_subject(const view *v) {
  const char *what = find_subject(v);
  return what != NULL ? what : report_covered(v) ? "coverage" : v->command;
}

const char *report_no_launch(const view *v) { return v->skipped_count > 0 ? "not seen" : "never"; }

bool report_measures(const view *v, const char *metric) {
  if (metric_of_mutants(metric)) {
    return mutation_is(v) && (strcmp(metric, "revealed") != 0 || mutation_asked(v));
  }
  return metric_of_proofs(metric) ? verification_is(v) : report_covered(v);
}

bool report_selects(const report_options *options, const char *kernel) {
  return options == NULL || kernel_chosen(&options->kernels, kernel);
}

bool *report_functions(const view *v, const report_options *options) {
  bool *reported = mem_calloc(v->function_count, sizeof *reported);
  if (options == NULL || options->kernels.wanted_count + options->kernels.exclude_count == 0) {
    memset(reported, true, v->function_count * sizeof *reported);
    return reported;
  }
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    for (size_t f = 0; report_selects(options, k->name) && f < k->function_count; f++) {
      reported[k->functions[f]] = true;
    }
  }
  return reported;
}

bool report_launched(const view *v) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (v->kernels[i].launches > 0) {
      return true;
    }
  }
  return false;
}

int report_written(FILE *out, error *e) {
  errno = 0;
  if ((fflush(out) == 0 && ferror(out) == 0) || errno == EPIPE) { /* a reader that has seen enough is no failure */
    return 0;
  }
  return error_set(e, EXIT_INTERNAL, "the report could not be written: %s; check that there is room where it goes",
                   errno == 0 ? "writing failed" : strerror(errno));
}
