/* Views of mutants to report on: of fixture_mutation, and made by hand. */
#include "tests/mutation_fixture.h"

#include <stdio.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "tests/ok.h"

void load_mutation(fixture *f, view *v) {
  error e;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, v, &e));
}

void hand_made(view *v, const char *source, size_t tests) {
  *v = (view){.run = 1, .command = mem_strdup("mutate"), .device = mem_strdup(""), .version = mem_strdup("0.1")};
  v->started = mem_strdup("");
  v->files = mem_calloc(1, sizeof *v->files);
  v->files[0] = (view_file){.name = mem_strdup("k.cl"), .text = mem_strdup(source), .length = strlen(source)};
  v->file_count = 1;
  v->functions = mem_calloc(1, sizeof *v->functions);
  v->functions[0] =
      (view_function){.name = mem_strdup("k"), .line = 1, .end_line = 1, .site = MODEL_NONE, .kernel = true};
  v->function_count = 1;
  v->kernels = mem_calloc(1, sizeof *v->kernels);
  v->kernels[0] =
      (view_kernel){.name = mem_strdup("k"), .functions = mem_calloc(1, sizeof(uint32_t)), .function_count = 1};
  v->kernel_count = 1;
  v->test_cases = mem_calloc(tests, sizeof *v->test_cases);
  v->test_case_count = tests;
  for (size_t i = 0; i < tests; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "t%zu", i);
    v->test_cases[i] =
        (view_test_case){.suite = mem_strdup(""), .name = mem_strdup(name), .command_line = mem_strdup("./t")};
  }
}

view_mutant *add_by_hand(view *v, const char *original, const char *replacement, mutant_status status) {
  v->mutants = mem_realloc(v->mutants, (v->mutant_count + 1) * sizeof *v->mutants);
  view_mutant *m = &v->mutants[v->mutant_count];
  const char *source = v->files[0].text;
  const char *at = strstr(source, original);
  assert_non_null(at);
  *m = (view_mutant){.id = (uint32_t)v->mutant_count + 1,
                     .operator_name = mem_strdup("arith"),
                     .line = 1,
                     .column = 1,
                     .end_line = 1,
                     .end_column = 1,
                     .offset = (uint32_t)(at - source),
                     .original = mem_strdup(original),
                     .replacement = mem_strdup(replacement),
                     .kernels = mem_calloc(1, sizeof(uint32_t)),
                     .kernel_count = 1,
                     .status = status,
                     .reason = mem_strdup(status == MUTANT_KILLED ? "output" : ""),
                     .duplicate_of = MODEL_NONE};
  m->end_offset = m->offset + (uint32_t)strlen(original);
  for (const char *c = source; c < at + strlen(original); c++) {
    uint32_t *line = c < at ? &m->line : &m->end_line;
    uint32_t *column = c < at ? &m->column : &m->end_column;
    *line += *c == '\n' ? 1 : 0;
    *column = *c == '\n' ? 1 : *column + 1;
    if (c < at) {
      m->end_line = m->line;
      m->end_column = m->column;
    }
  }
  v->mutant_count++;
  return m;
}

void add_kills(view *v, const char *row) {
  view_mutant *m = add_by_hand(v, "+", "-", MUTANT_KILLED);
  m->verdicts = mem_calloc(strlen(row), sizeof *m->verdicts);
  for (uint32_t i = 0; row[i] != '\0'; i++) {
    m->verdicts[m->verdict_count++] =
        (view_verdict){i, 20, row[i] == '1' ? 20 : 0, 0, 0, 0, 0, 0, 0, false, REVEALED_UNKNOWN};
  }
}
