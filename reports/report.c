/* The formats, one table; and which kernels and functions a report is about. */
#include "reports/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/globs.h"
#include "base/memory.h"
#include "reports/writers.h"

const report_writer report_writers[] = {
    {"text", "tables for people, with the source of what was missed (--show-missed)", text_write, false},
    {"json", "everything, for programs (docs/schema.json)", json_write, false},
    {"lcov", "tracefile for lcov 2, genhtml and editors", lcov_write, true},
    {"lcov1", "the same for lcov 1, as Debian 12 has it: functions without their ends", lcov1_write, true},
    {"cobertura", "Cobertura's XML (coverage-04.dtd), which Jenkins, GitLab and Azure read", cobertura_write, true},
    {"sarif", "findings, races and survivors for GitHub code scanning and editors (SARIF 2.1.0)", sarif_write, true},
    {"stryker", "mutants for the viewers of mutation-testing-elements (schema version 2)", stryker_write, false},
    {"html", "one page for a browser: coverage, mutants and schedules in the source", html_write, false},
    {"junit", "a test case for each kernel, mutant and schedule, which every CI server reads", junit_write, true},
    {"github", "annotations of a GitHub workflow: ten a kind, changed lines first (--since)", github_write, true},
    {"markdown", "a summary for a CI job: totals, worst kernels, survivors as diffs, findings", markdown_write, false},
    {NULL, NULL, NULL, false},
};

const report_writer *report_find(const char *name) {
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    if (strcmp(w->name, name) == 0) {
      return w;
    }
  }
  return NULL;
}

void report_runs(const view *v, buffer *to) {
  if (v->run_count > 1) {
    buffer_printf(to, "%zu runs up to ", v->run_count);
  }
  buffer_printf(to, "run %lld", (long long)v->run);
}

bool report_selects(const report_options *options, const char *kernel) {
  return options == NULL || globs_select((const char *const *)options->kernels, options->kernel_count,
                                         (const char *const *)options->exclude, options->exclude_count, kernel);
}

bool *report_functions(const view *v, const report_options *options) {
  bool *reported = mem_calloc(v->function_count, sizeof *reported);
  if (options == NULL || options->kernel_count + options->exclude_count == 0) {
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
  return error_set(e, EXIT_INTERNAL, "the report could not be written; check that there is room where it goes");
}
