/* The formats of reports, one table. */
#include "reports/formats.h"

#include <string.h>

#include "reports/common/coverage.h"

#define NO_COVERAGE "is about coverage, which none of these runs measured; `cltestcheck coverage -- PROGRAM` does"
#define NO_MUTANTS "is about mutants, which none of these runs made; `cltestcheck mutate -- PROGRAM` does"

const report_writer report_writers[] = {
    {"text", "tables for people, with the source of what was missed (--show-missed)", text_write, false, NULL, NULL},
    {"json", "everything, for programs (docs/schema.json)", json_write, false, NULL, NULL},
    {"lcov", "tracefile for lcov, genhtml (versions 1 and 2) and editors", lcov_write, true, report_covered,
     NO_COVERAGE},
    {"lcov1", "the same without MC/DC, for readers that refuse records that they do not know", lcov1_write, true,
     report_covered, NO_COVERAGE},
    {"cobertura", "Cobertura's XML (coverage-04.dtd), which Jenkins, GitLab and Azure read", cobertura_write, true,
     report_covered, NO_COVERAGE},
    {"sarif", "findings, races and survivors for GitHub code scanning and editors (SARIF 2.1.0)", sarif_write, true,
     NULL, NULL},
    {"stryker", "mutants for the viewers of mutation-testing-elements (schema version 2)", stryker_write, false,
     mutation_is, NO_MUTANTS},
    {"html", "one page for a browser: coverage, mutants, schedules and proofs in the source", html_write, false, NULL,
     NULL},
    {"junit", "a test case for each kernel, mutant, schedule and proof, which every CI server reads", junit_write, true,
     NULL, NULL},
    {"github", "annotations of a GitHub workflow: ten a kind, changed lines first (--since)", github_write, true, NULL,
     NULL},
    {"markdown", "a summary for a CI job: totals, worst kernels, survivors as diffs, findings", markdown_write, false,
     NULL, NULL},
    {NULL, NULL, NULL, false, NULL, NULL},
};

const report_writer *report_find(const char *name) {
  for (const report_writer *w = report_writers; w->name != NULL; w++)
    if (strcmp(w->name, name) == 0) return w;
  return NULL;
}
