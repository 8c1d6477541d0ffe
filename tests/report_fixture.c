/* The models and the run that the tests of db/ and reports/ share. */
#include "tests/report_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "base/memory.h"

const char *const fixture_conv_text =
    "#include \"common.h\"\n"
    "\n"
    "__kernel void conv2d(__global const float *in, __global float *out, int n) {\n"
    "\tint x = get_global_id(0);\n"
    "\tint y = get_global_id(1);\n"
    "\tif (x < n && y < n) {\n"
    "\t\tfloat sum = 0.0f;\n"
    "\t\tfor (int k = 0; k < 3; k++) {\n"
    "\t\t\tsum += in[clamp_index(y * n + x + k, n * n)];\n"
    "\t\t}\n"
    "\t\tout[y * n + x] = sum > 0 ? sum : 0;\n"
    "\t} else {\n"
    "\t\tout[0] = -1.0f; /* the range check is never taken, and this comment makes the line a long one */\n"
    "\n"
    "\t\tout[1] = -1.0f;\n"
    "\t}\n"
    "}\n"
    "\n"
    "__kernel void reduce_rows(__global int *rows, int mode, int n) {\n"
    "  int i = get_local_id(0);\n"
    "  switch (mode) {\n"
    "    case 0: rows[i] = 0; break;\n"
    "    case 1: rows[i] = 1; break;\n"
    "  }\n"
    "  while (n > 1) {\n"
    "    n = n / 2;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n";

const char *const fixture_common_text =
    "int clamp_index(int i, int n) {\n"
    "  if (i < 0)\n"
    "    return 0;\n"
    "  return i < n ? i : n - 1;\n"
    "}\n";

const char *const fixture_scan_text =
    "#include \"common.h\"\n"
    "__kernel void scan(__global int *a) {\n"
    "  int i = clamp_index(get_local_id(0), 64);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  a[i] = i;\n"
    "}\n";

/* --- building models ---------------------------------------------------------------------------------------- */

uint32_t fixture_file(model *m, const char *name, const char *text) {
  model_file *f = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
  f->name = mem_strdup(name);
  f->text = mem_strdup(text);
  f->length = strlen(text);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < f->length; i++) {
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  }
  (void)snprintf(f->sha256, sizeof f->sha256, "%016llx%048d", (unsigned long long)hash, 0);
  return (uint32_t)(m->file_count - 1);
}

static uint32_t offset_of(const model *m, uint32_t file, const char *needle) {
  const char *at = strstr(m->files[file].text, needle);
  assert_non_null(at);
  return (uint32_t)(at - m->files[file].text);
}

/* Line and column of an offset. */
static uint32_t line_at(const model *m, uint32_t file, uint32_t offset, uint32_t *column) {
  uint32_t line = 1;
  *column = 1;
  for (uint32_t i = 0; i < offset; i++) {
    bool ends = m->files[file].text[i] == '\n';
    line += ends ? 1 : 0;
    *column = ends ? 1 : *column + 1;
  }
  return line;
}

uint32_t fixture_line_of(const model *m, uint32_t file, const char *needle) {
  uint32_t column;
  return line_at(m, file, offset_of(m, file, needle), &column);
}

static void add_outcome(model_site *s, uint32_t index, const char *label, uint32_t line) {
  s->outcomes = mem_realloc(s->outcomes, (s->outcome_count + 1) * sizeof *s->outcomes);
  s->outcomes[s->outcome_count++] = (model_outcome){index, mem_strdup(label), line};
}

static const struct {
  uint32_t index;
  const char *label;
  bool kinds[SITE_KIND_COUNT];
} kind_outcomes[] = {
    {0, "entered", {[SITE_FUNCTION] = true}},
    {0, "executed", {[SITE_REGION] = true}},
    {0, "covered", {[SITE_BARRIER] = true}},
    {0, "true", {[SITE_IF] = true, [SITE_CONDITIONAL] = true}},
    {1, "false", {[SITE_IF] = true, [SITE_CONDITIONAL] = true}},
    {0, "0 iterations", {[SITE_FOR] = true, [SITE_WHILE] = true}},
    {1, "1 iteration", {[SITE_FOR] = true, [SITE_WHILE] = true, [SITE_DO] = true}},
    {2, ">1 iterations", {[SITE_FOR] = true, [SITE_WHILE] = true, [SITE_DO] = true}},
    {3, "boundary", {[SITE_FOR] = true, [SITE_WHILE] = true, [SITE_DO] = true}},
};

uint32_t fixture_site(model *m, uint32_t file, uint32_t function, site_kind kind, const char *needle) {
  model_site *s = ARRAY_ADD(m->sites, m->site_count, m->site_capacity);
  *s = (model_site){.kind = kind, .file = file, .function = function};
  s->offset = offset_of(m, file, needle);
  s->line = line_at(m, file, s->offset, &s->column);
  s->end_line = line_at(m, file, s->offset + (uint32_t)strlen(needle), &s->end_column);
  for (size_t i = 0; i < sizeof kind_outcomes / sizeof kind_outcomes[0]; i++) {
    if (kind_outcomes[i].kinds[kind]) {
      add_outcome(s, kind_outcomes[i].index, kind_outcomes[i].label, s->line);
    }
  }
  return (uint32_t)(m->site_count - 1);
}

void fixture_case(model *m, uint32_t site, uint32_t index, const char *label, uint32_t line) {
  add_outcome(&m->sites[site], index, label, line);
}

uint32_t fixture_function(model *m, uint32_t file, const char *name, const char *first, const char *last, bool kernel) {
  uint32_t index = (uint32_t)m->function_count;
  uint32_t column;
  *ARRAY_ADD(m->functions, m->function_count, m->function_capacity) = (model_function){
      .name = mem_strdup(name), .file = file, .line = fixture_line_of(m, file, first), .kernel = kernel};
  m->functions[index].end_line = line_at(m, file, offset_of(m, file, last), &column);
  m->functions[index].site = fixture_site(m, file, index, SITE_FUNCTION, first);
  if (kernel) {
    *ARRAY_ADD(m->kernels, m->kernel_count, m->kernel_capacity) =
        (model_kernel){.name = mem_strdup(name), .function = index};
    fixture_reaches(m, (uint32_t)(m->kernel_count - 1), index);
  }
  return index;
}

void fixture_line(model *m, uint32_t file, uint32_t function, const char *needle, uint32_t site, uint32_t outcome) {
  model_line *l = ARRAY_ADD(m->lines, m->line_count, m->line_capacity);
  *l = (model_line){.file = file, .line = fixture_line_of(m, file, needle), .function = function};
  l->terms = mem_calloc(1, sizeof *l->terms);
  l->terms[0] = (model_term){site, outcome};
  l->term_count = 1;
}

void fixture_reaches(model *m, uint32_t kernel, uint32_t function) {
  model_kernel *k = &m->kernels[kernel];
  k->functions = mem_realloc(k->functions, (k->function_count + 1) * sizeof *k->functions);
  k->functions[k->function_count++] = function;
}

/* --- the programs ------------------------------------------------------------------------------------------- */

/* common.h, with its three sites. */
static uint32_t add_common(model *m, uint32_t file) {
  uint32_t f = fixture_function(m, file, "clamp_index", "clamp_index", "}", false);
  uint32_t entry = m->functions[f].site;
  uint32_t check = fixture_site(m, file, f, SITE_IF, "if (i < 0)\n    return 0;");
  (void)fixture_site(m, file, f, SITE_CONDITIONAL, "i < n ? i : n - 1");
  fixture_line(m, file, f, "if (i", entry, 0);
  fixture_line(m, file, f, "return 0", check, OUTCOME_TRUE);
  fixture_line(m, file, f, "return i", check, OUTCOME_FALSE);
  return f;
}

static void add_conv2d(model *m, uint32_t file) {
  uint32_t f = fixture_function(m, file, "conv2d", "conv2d", "}\n\n__kernel void reduce", true);
  uint32_t entry = m->functions[f].site;
  uint32_t check = fixture_site(m, file, f, SITE_IF, "if (x < n && y < n) {\n\t\tfloat");
  uint32_t loop = fixture_site(m, file, f, SITE_FOR, "for (int k = 0; k < 3; k++) {\n");
  (void)fixture_site(m, file, f, SITE_CONDITIONAL, "sum > 0 ? sum : 0");
  fixture_line(m, file, f, "int x", entry, 0);
  fixture_line(m, file, f, "int y", entry, 0);
  fixture_line(m, file, f, "if (x", entry, 0);
  fixture_line(m, file, f, "float sum", check, OUTCOME_TRUE);
  fixture_line(m, file, f, "for (int", check, OUTCOME_TRUE);
  fixture_line(m, file, f, "sum += ", loop, OUTCOME_MANY);
  fixture_line(m, file, f, "out[y", check, OUTCOME_TRUE);
  fixture_line(m, file, f, "out[0]", check, OUTCOME_FALSE);
  fixture_line(m, file, f, "out[1]", check, OUTCOME_FALSE);
}

static void add_reduce_rows(model *m, uint32_t file) {
  uint32_t f = fixture_function(m, file, "reduce_rows", "reduce_rows", "  }\n}\n", true);
  uint32_t entry = m->functions[f].site;
  uint32_t choice = fixture_site(m, file, f, SITE_SWITCH, "switch (mode) {\n");
  fixture_case(m, choice, 0, "case 0", fixture_line_of(m, file, "case 0"));
  fixture_case(m, choice, 1, "case 1", fixture_line_of(m, file, "case 1"));
  fixture_case(m, choice, 2, "default", fixture_line_of(m, file, "switch (mode)"));
  uint32_t loop = fixture_site(m, file, f, SITE_WHILE, "while (n > 1) {\n");
  (void)fixture_site(m, file, f, SITE_BARRIER, "barrier(CLK_LOCAL_MEM_FENCE)");
  fixture_line(m, file, f, "int i", entry, 0);
  fixture_line(m, file, f, "switch", entry, 0);
  fixture_line(m, file, f, "case 0", choice, 0);
  fixture_line(m, file, f, "case 1", choice, 1);
  fixture_line(m, file, f, "while", entry, 0);
  fixture_line(m, file, f, "n = n / 2", loop, OUTCOME_MANY);
  fixture_line(m, file, f, "barrier(", loop, OUTCOME_MANY);
}

void fixture_conv(model *m) {
  *m = (model){.options = mem_strdup("-DN=3")};
  uint32_t main_file = fixture_file(m, "src/conv.cl", fixture_conv_text);
  uint32_t header = fixture_file(m, "src/common.h", fixture_common_text);
  add_conv2d(m, main_file);
  add_reduce_rows(m, main_file);
  fixture_reaches(m, 0, add_common(m, header));
}

void fixture_scan(model *m) {
  *m = (model){.options = mem_strdup("")};
  uint32_t main_file = fixture_file(m, "src/scan.cl", fixture_scan_text);
  uint32_t header = fixture_file(m, "src/common.h", fixture_common_text);
  uint32_t f = fixture_function(m, main_file, "scan", "scan", "}", true);
  uint32_t entry = m->functions[f].site;
  (void)fixture_site(m, main_file, f, SITE_BARRIER, "barrier(CLK_LOCAL_MEM_FENCE)");
  fixture_line(m, main_file, f, "int i", entry, 0);
  fixture_line(m, main_file, f, "barrier(", entry, 0);
  fixture_line(m, main_file, f, "a[i]", entry, 0);
  fixture_reaches(m, 0, add_common(m, header));
}

/* --- a run -------------------------------------------------------------------------------------------------- */

void fixture_evidence(db *d, int64_t test_case, const db_program *p, size_t kernel, uint64_t launches,
                      const model_term *terms, size_t count) {
  db_evidence items[64];
  error e;
  assert_true(count <= 64);
  for (size_t i = 0; i < count; i++) {
    items[i] = (db_evidence){p->sites[terms[i].site], terms[i].outcome};
  }
  if (db_add_evidence(d, test_case, p->kernels[kernel], launches, items, count, &e) != 0) {
    fail_msg("%s", e.text);
  }
}

int64_t fixture_run(db *d) {
  error e;
  int64_t run, small, large;
  model conv, scan;
  db_program p, q;
  fixture_conv(&conv);
  fixture_scan(&scan);
  assert_int_equal(db_begin_run(d, "coverage", "0.1", &run, &e), 0);
  assert_int_equal(db_add_program(d, run, &conv, &p, &e), 0);
  assert_int_equal(db_add_program(d, run, &scan, &q, &e), 0);
  static const model_term by_conv[] = {
      {CONV_KERNEL, 0},
      {CONV_IF, OUTCOME_TRUE},
      {CONV_FOR, OUTCOME_MANY},
      {CONV_FOR, OUTCOME_BOUNDARY},
      {CONV_CONDITIONAL, OUTCOME_TRUE},
      {CONV_HELPER, 0},
      {CONV_HELPER_IF, OUTCOME_FALSE},
      {CONV_HELPER_CONDITIONAL, OUTCOME_TRUE},
  };
  static const model_term by_scan[] = {
      {SCAN_KERNEL, 0},
      {SCAN_BARRIER, OUTCOME_DIVERGED},
      {SCAN_HELPER, 0},
      {SCAN_HELPER_IF, OUTCOME_FALSE},
      {SCAN_HELPER_CONDITIONAL, OUTCOME_FALSE},
  };
  assert_int_equal(db_begin_test_case(d, run, "suite", "small", "./conv 16", &small, &e), 0);
  fixture_evidence(d, small, &p, 0, 2, by_conv, 8);
  assert_int_equal(db_end_test_case(d, small, 0, false, &e), 0);
  assert_int_equal(db_begin_test_case(d, run, "suite", "large", "./conv 1024", &large, &e), 0);
  fixture_evidence(d, large, &p, 0, 1, by_conv, 8);
  fixture_evidence(d, large, &q, 0, 3, by_scan, 5);
  assert_int_equal(db_add_finding(d, large, q.kernels[0], q.sites[SCAN_BARRIER], "barrier-divergence",
                                  "7 of 64 work-items of a work-group executed this barrier", &e),
                   0);
  assert_int_equal(db_end_test_case(d, large, 1, false, &e), 0);
  assert_int_equal(db_add_skipped(d, run, "program from binary", "it has no source, so it runs as it is", &e), 0);
  assert_int_equal(db_end_run(d, run, "Test Device\nVendor", 1, &e), 0);
  db_program_free(&p);
  db_program_free(&q);
  model_free(&conv);
  model_free(&scan);
  return run;
}

/* --- mutants ------------------------------------------------------------------------------------------------ */

enum { TEST_SMALL, TEST_LARGE, TEST_TINY, TESTS };

static const struct {
  const char *operator_name;
  uint32_t file;      /* of conv: 0 conv.cl, 1 common.h */
  const char *before; /* what stands before it, once in the file */
  const char *original, *replacement, *description;
  uint32_t function, kernel;
  mutant_status status;
  const char *reason;
  mutant_verdict verdicts[TESTS];
} fixture_table[FIXTURE_MUTANTS] = {
    [MUTANT_PLUS] = {"arith",
                     0,
                     "clamp_index(y * n ",
                     "+",
                     "-",
                     NULL,
                     0,
                     0,
                     MUTANT_KILLED,
                     "output",
                     {{.runs = 20, .output = 20}, {.runs = 20, .output = 20}, {.runs = 20, .output = 20}}},
    [MUTANT_TIMES] = {"arith",
                      0,
                      "clamp_index(y ",
                      "*",
                      "/",
                      NULL,
                      0,
                      0,
                      MUTANT_KILLED,
                      "crash",
                      {{.runs = 20}, {.runs = 20, .output = 4, .crash = 16}, {.runs = 20}}},
    [MUTANT_FOR] = {"rel",
                    0,
                    "int k = 0; k ",
                    "<",
                    "<=",
                    NULL,
                    0,
                    0,
                    MUTANT_SURVIVED,
                    "",
                    {{.runs = 20}, {.runs = 20}, {.runs = 20}}},
    [MUTANT_X] = {"rel",
                  0,
                  "if (x ",
                  "<",
                  ">",
                  NULL,
                  0,
                  0,
                  MUTANT_UNDECIDED,
                  "output",
                  {{.runs = 20, .output = 7}, {.runs = 20}, {0}}},
    [MUTANT_AND] = {"logic",
                    0,
                    "if (x < n ",
                    "&&",
                    "||",
                    NULL,
                    0,
                    0,
                    MUTANT_KILLED,
                    "timeout",
                    {{.runs = 20, .timeout = 20}, {.runs = 20}, {.runs = 20}}},
    [MUTANT_ZERO] = {"const", 0, "float sum = ", "0.0f", "0", NULL, 0, 0, MUTANT_EQUIVALENT, "", {{0}}},
    [MUTANT_CLAMP] = {"rel", 1, "if (i ", "<", "<=", NULL, 2, 0, MUTANT_SURVIVED, "", {{.runs = 20}}},
    [MUTANT_LAST] = {"arith", 1, "i : n ", "-", "+", NULL, 2, 0, MUTANT_NO_COVERAGE, "", {{0}}},
    [MUTANT_HALF] = {"arith", 0, "n = n ", "/", "*", NULL, 1, 1, MUTANT_NO_COVERAGE, "", {{0}}},
    [MUTANT_BARRIER] =
        {"barrier", 0, "n / 2;\n    ", "barrier(CLK_LOCAL_MEM_FENCE)", "", NULL, 1, 1, MUTANT_NO_COVERAGE, "", {{0}}},
    [MUTANT_WHILE] = {"rel", 0, "while (n ", ">", ">=", NULL, 1, 1, MUTANT_PENDING, "", {{0}}},
    [MUTANT_SUM] = {"rel", 0, "= sum ", ">", ">=", NULL, 0, 0, MUTANT_DUPLICATE, "", {{0}}},
    [MUTANT_MODULO] = {"arith", 0, "out[y ", "*", "%", NULL, 0, 0, MUTANT_INVALID, "", {{0}}},
    [MUTANT_GLOBAL_ID] =
        {"index", 0, "int y = ", "get_global_id", "get_local_id", NULL, 0, 0, MUTANT_SUPPRESSED, "", {{0}}},
    [MUTANT_SKIP] = {"loop",
                     0,
                     "float sum = 0.0f;\n\t\t",
                     "for (int k = 0; k < 3; k++) {\n\t\t\tsum += in[clamp_index(y * n + x + k, n * n)];\n\t\t}",
                     "",
                     "loop skipped",
                     0,
                     0,
                     MUTANT_KILLED,
                     "output",
                     {{.runs = 20, .output = 20}, {.runs = 20, .output = 15, .crash = 5}, {.runs = 20, .output = 19}}},
};

db_mutant *fixture_mutants(const model *m) {
  static const uint32_t kernels[] = {0, 1};
  db_mutant *mutants = mem_calloc(FIXTURE_MUTANTS, sizeof *mutants);
  for (uint32_t i = 0; i < FIXTURE_MUTANTS; i++) {
    uint32_t file = fixture_table[i].file;
    const char *original = fixture_table[i].original;
    db_mutant *to = &mutants[i];
    *to = (db_mutant){.id = 1001 + i,
                      .operator_name = fixture_table[i].operator_name,
                      .file = file,
                      .function = fixture_table[i].function,
                      .original = original,
                      .replacement = fixture_table[i].replacement,
                      .description = fixture_table[i].description,
                      .kernels = &kernels[fixture_table[i].kernel],
                      .kernel_count = 1};
    to->offset = offset_of(m, file, fixture_table[i].before) + (uint32_t)strlen(fixture_table[i].before);
    to->end_offset = to->offset + (uint32_t)strlen(original);
    assert_memory_equal(m->files[file].text + to->offset, original, strlen(original));
    to->line = line_at(m, file, to->offset, &to->column);
    to->end_line = line_at(m, file, to->end_offset, &to->end_column);
  }
  return mutants;
}

static void store_mutant(db *d, int64_t run, const int64_t *tests, const int64_t *ids, size_t i) {
  error e;
  int64_t original = fixture_table[i].status == MUTANT_DUPLICATE ? ids[MUTANT_PLUS] : 0;
  assert_int_equal(db_set_mutant(d, run, ids[i], fixture_table[i].status, fixture_table[i].reason, original, &e), 0);
  for (size_t t = 0; t < TESTS; t++) {
    const mutant_verdict *v = &fixture_table[i].verdicts[t];
    if (v->runs > 0) {
      assert_int_equal(db_put_verdict(d, tests[t], ids[i], v, &e), 0);
    }
  }
}

int64_t fixture_mutation(db *d, unsigned shard, unsigned shards) {
  static const char *const names[TESTS][2] = {{"small", "./conv 16"}, {"large", "./conv 1024"}, {"tiny", "./conv 1"}};
  error e;
  int64_t run;
  int64_t tests[TESTS];
  int64_t ids[FIXTURE_MUTANTS];
  model m;
  db_program p;
  fixture_conv(&m);
  db_mutant *mutants = fixture_mutants(&m);
  assert_int_equal(db_begin_run(d, "mutate", "0.1", &run, &e), 0);
  assert_int_equal(db_set_settings(d, run, "runs=20", &e), 0);
  assert_int_equal(db_add_program(d, run, &m, &p, &e), 0);
  for (size_t t = 0; t < TESTS; t++) {
    assert_int_equal(db_begin_test_case(d, run, "suite", names[t][0], names[t][1], &tests[t], &e), 0);
    assert_int_equal(db_end_test_case(d, tests[t], 0, false, &e), 0);
  }
  assert_int_equal(db_add_mutants(d, &p, &m, mutants, FIXTURE_MUTANTS, ids, &e), 0);
  for (size_t i = shard; i < FIXTURE_MUTANTS; i += shards) {
    store_mutant(d, run, tests, ids, i);
  }
  assert_int_equal(db_end_run(d, run, "Test Device\nVendor", 0, &e), 0);
  free(mutants);
  db_program_free(&p);
  model_free(&m);
  return run;
}

char *fixture_path(const char *name) {
  char directory[] = "/tmp/cltc-test-XXXXXX";
  assert_non_null(mkdtemp(directory));
  buffer path = {0};
  buffer_printf(&path, "%s/%s", directory, name);
  return buffer_take(&path);
}

void fixture_forget(char *path) {
  char command[512];
  *strrchr(path, '/') = '\0';
  (void)snprintf(command, sizeof command, "rm -rf '%s'", path);
  assert_int_equal(system(command), 0);
  free(path);
}
