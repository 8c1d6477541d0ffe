/* A view: release. */
#include <stdlib.h>

#include "db/view_build.h"

static void free_kernels(view_kernel *kernels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(kernels[i].name);
    free(kernels[i].functions);
    model_sites_free(kernels[i].sites, kernels[i].site_count);
    free(kernels[i].lines);
  }
  free(kernels);
}

static void free_remarks(view *v) {
  for (size_t i = 0; i < v->finding_count; i++) {
    view_free_finding(&v->findings[i]);
  }
  for (size_t i = 0; i < v->skipped_count; i++) {
    sql_free(&view_skipped_columns, &v->skipped[i]);
  }
  for (size_t i = 0; i < v->test_case_count; i++) {
    sql_free(&view_test_case_columns, &v->test_cases[i]);
  }
  for (size_t i = 0; i < v->meant_count; i++) {
    view_free_finding(&v->meant[i]);
  }
  free(v->findings);
  free(v->meant);
  for (size_t i = 0; i < v->refused_count; i++) {
    sql_free(&db_refused_columns, &v->refused[i]);
  }
  free(v->refused);
  free(v->skipped);
  free(v->test_cases);
}

static void free_mutants(view *v) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    sql_free(&db_mutant_columns, m);
    free((void *)m->description);
    free(m->reason);
    free(m->suppressed);
    free(m->kernels);
    free(m->verdicts);
  }
  for (size_t i = 0; i < v->unstable_count; i++) {
    free(v->unstable[i].what);
  }
  free(v->mutants);
  free(v->unstable);
}

static void free_suppressions(view *v) {
  for (size_t i = 0; i < v->suppression_count; i++) {
    free(v->suppressions[i].rule);
    free(v->suppressions[i].kernel);
    free(v->suppressions[i].line);
    free(v->suppressions[i].reason);
  }
  free(v->suppressions);
}

void view_free(view *v) {
  model_files_free(v->files, v->file_count);
  model_functions_free(v->functions, v->function_count);
  model_sites_free(v->sites, v->site_count);
  free(v->lines);
  free(v->sets);
  free_kernels(v->kernels, v->kernel_count);
  free_remarks(v);
  free_mutants(v);
  view_free_proofs(v);
  view_free_repairs(v);
  view_free_launches(v);
  free_suppressions(v);
  for (size_t i = 0; i < v->run_count; i++) {
    free(v->runs[i].command);
    free(v->runs[i].test_cases);
  }
  free(v->runs);
  free(v->command);
  free(v->device);
  free(v->version);
  free(v->started);
  free(v->revision);
  free(v->settings);
  *v = (view){0};
}
