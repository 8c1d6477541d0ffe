/* Reports: the metrics by hand-counted examples, and each format read back. */
#include <jansson.h>
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

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/report.h"
#include "reports/formats.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

/* --- metrics ------------------------------------------------------------------------------------------------ */

static void test_totals(void **state) {
  fixture *f = *state;
  coverage c;
  coverage_total(&f->v, NULL, &c);
  ASSERT_METRICS(&c, {"kernel", 2, 3}, {"function", 3, 4}, {"line", 12, 22}, {"branch", 5, 11}, {"if", 2, 4},
                 {"switch", 0, 3}, {"conditional", 3, 4}, {"loop-zero", 0, 2}, {"loop-one", 0, 2}, {"loop-many", 1, 2},
                 {"loop-boundary", 1, 2}, {"loop", 2, 8}, {"barrier", 0, 2});
}

static const view_kernel *kernel_named(const view *v, const char *name) {
  for (size_t i = 0; i < v->kernel_count; i++)
    if (strcmp(v->kernels[i].name, name) == 0) return &v->kernels[i];
  fail_msg("no kernel %s", name);
  return NULL;
}

static void test_a_kernel_counts_its_own_launches_only(void **state) {
  fixture *f = *state;
  coverage c;
  coverage_kernel(&f->v, kernel_named(&f->v, "conv2d"), &c);
  ASSERT_METRICS(&c, {"kernel", 1, 1}, {"function", 2, 2}, {"line", 9, 12}, {"branch", 4, 8}, {"if", 2, 4},
                 {"conditional", 2, 4}, {"loop", 2, 4}, {"barrier", 0, 0}, {"switch", 0, 0});
  coverage_kernel(&f->v, kernel_named(&f->v, "scan"), &c);
  ASSERT_METRICS(&c, {"kernel", 1, 1}, {"function", 2, 2}, {"line", 5, 6}, {"branch", 2, 4}, {"loop", 0, 0},
                 {"barrier", 0, 1});
  coverage_kernel(&f->v, kernel_named(&f->v, "reduce_rows"), &c);
  ASSERT_METRICS(&c, {"kernel", 0, 1}, {"function", 0, 1}, {"line", 0, 7}, {"branch", 0, 3});
}

static void test_selection(void **state) {
  fixture *f = *state;
  coverage c;
  report_options only_scan = {.kernels = {.wanted = {(const char *[]){"sc*", "nothing"}, 2, 2}}};
  coverage_total(&f->v, &only_scan, &c);
  /* The helper's `?:` was taken both ways, once by conv2d: totals are over all evidence. */
  ASSERT_METRICS(&c, {"kernel", 1, 1}, {"function", 2, 2}, {"line", 5, 6}, {"branch", 3, 4}, {"barrier", 0, 1});
  report_options no_rows = {.kernels.exclude = {(const char *[]){"reduce_*"}, 1, 1}};
  coverage_total(&f->v, &no_rows, &c);
  ASSERT_METRICS(&c, {"kernel", 2, 2}, {"function", 3, 3}, {"line", 12, 15}, {"switch", 0, 0});
  report_options both = {.kernels = {.wanted = {(const char *[]){"*"}, 1, 1}},
                         .kernels.exclude = {(const char *[]){"conv2d", "scan", "reduce_rows"}, 3, 3}};
  coverage_total(&f->v, &both, &c);
  ASSERT_METRICS(&c, {"kernel", 0, 0}, {"function", 0, 0}, {"line", 0, 0}, {"branch", 0, 0});
}

static void test_metrics_have_names(void **state) {
  (void)state;
  const coverage c = {0};
  ratio r;
  size_t count = 0;
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++, count++) {
    assert_int_equal(coverage_get(&c, m->name, &r), 0);
    assert_true(strlen(m->summary) > 0);
  }
  assert_int_equal(count, 18);
  assert_int_equal(coverage_get(&c, "speed", &r), -1);
  assert_null(report_find("pdf"));
}

/* A kernel that another kernel calls was not launched: covered as a function, not as a kernel. */
static void test_a_kernel_called_by_a_kernel(void **state) {
  fixture *f = *state;
  error e;
  int64_t run, test_case;
  db_program p;
  view v;
  coverage c;
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, "calls.cl", "kernel void inner() { }\nkernel void outer() { inner(); }\n");
  uint32_t inner = fixture_function(&m, file, "inner", "inner", "}", true);
  (void)fixture_function(&m, file, "outer", "outer", "inner(); }", true);
  fixture_reaches(&m, 1, inner);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  fixture_evidence(f->d, test_case, &p, 1, 1, (const model_term[]){{0, 0}, {1, 0}}, 2);
  OK(db_load(f->d, NULL, 0, &v, &e));
  coverage_total(&v, NULL, &c);
  ASSERT_METRICS(&c, {"kernel", 1, 2}, {"function", 2, 2});
  coverage_kernel(&v, kernel_named(&v, "outer"), &c);
  ASSERT_METRICS(&c, {"kernel", 1, 1}, {"function", 2, 2});
  coverage_kernel(&v, kernel_named(&v, "inner"), &c);
  ASSERT_METRICS(&c, {"kernel", 0, 1}, {"function", 0, 1});
  view_free(&v);
  model_free(&m);
  db_program_free(&p);
}

/* --- text --------------------------------------------------------------------------------------------------- */

static void test_text(void **state) {
  fixture *f = *state;
  const report_options options = {0};
  char *text = render("text", &f->v, &options);
  assert_fits(text, 80);
  assert_contains(text, "Coverage of run 1: 2 test cases on Test Device\n1 of them failed");
  assert_contains(text,
                  "Kernel                              launches   branch     loop  barrier     line\n"
                  "conv2d                                     3   50.0 %      2/4      n/a   75.0 %\n"
                  "reduce_rows                         not seen    0.0 %      0/4      0/1    0.0 %\n"
                  "scan                                       3   50.0 %      n/a      0/1   83.3 %\n"
                  "--------------------------------------------------------------------------------\n"
                  "total                                      6   45.5 %      2/8      0/2   54.5 %\n");
  assert_contains(text, "\n  ?:                      3        4    75.0 %\n");
  assert_contains(text, "  src/scan.cl:4: barrier divergence in kernel scan: 7 of 64 work-items of a\n    work-group");
  assert_contains(text, "  program from binary: it has no source, so it runs as it is\n");
  assert_contains(text, "cltestcheck report --show-missed");
  assert_lacks(text, "\033");
  free(text);
}

static void test_text_with_colour_is_the_same_text(void **state) {
  fixture *f = *state;
  report_options options = {.show_missed = true};
  char *plain = render("text", &f->v, &options);
  options.colour = true;
  char *colour = render("text", &f->v, &options);
  assert_contains(colour, "\033[31m0.0 %\033[0m");
  char *to = colour;
  for (const char *from = colour; *from != '\0';)
    if (*from == '\033')
      from = strchr(from, 'm') + 1;
    else
      *to++ = *from++;
  *to = '\0';
  assert_string_equal(plain, colour);
  free(plain);
  free(colour);
}

static void test_text_shows_what_was_missed(void **state) {
  fixture *f = *state;
  const report_options options = {.show_missed = true};
  char *text = render("text", &f->v, &options);
  assert_fits(text, 80);
  assert_contains(text,
                  "  src/conv.cl:6:2: if: never false\n"
                  "     6 |     if (x < n && y < n) {\n"
                  "       |     ^~\n");
  assert_contains(text, "for: never 0 iterations, exactly 1 iteration\n");
  assert_contains(text,
                  "  src/conv.cl:11:20: ?: never false\n"
                  "    11 |         out[y * n + x] = sum > 0 ? sum : 0;\n"
                  "       |                          ^~~~~~~~~~~~~~~~~\n");
  assert_contains(text,
                  "  src/conv.cl:13: lines 13-15 never executed\n"
                  "    13 -         out[0] = -1.0f; /* the range check is never taken, and this co\xe2\x80\xa6\n"
                  "    14 |\n"
                  "    15 -         out[1] = -1.0f;\n");
  assert_contains(text, "kernel reduce_rows, never entered (7 lines)\n");
  assert_lacks(text, "while: never"); /* inside what was never entered */
  assert_contains(text, "barrier: never executed by every work-item of a work-group\n");
  assert_contains(text, "Most is missing in\n  src/conv.cl:19: reduce_rows: 7 lines and 8 outcomes\n");
  assert_lacks(text, "cltestcheck report --show-missed");
  free(text);
}

static void test_text_of_nothing(void **state) {
  fixture *f = *state;
  error e;
  int64_t run;
  view v;
  const report_options options = {.show_missed = true};
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  char *text = render("text", &v, &options);
  assert_contains(text, "(no kernel was seen)\n");
  assert_contains(text, "total                                  never      n/a      n/a      n/a      n/a\n");
  assert_contains(text, "barrier                   0        0       n/a\n");
  assert_lacks(text, "100.0 %");
  view_free(&v);
  free(text);
}

/* One kernel, with a name and a source of the test's choice; line 1 has code and is never executed. */
static void load_odd(fixture *f, const char *name, const char *source, view *v) {
  error e;
  int64_t run;
  db_program p;
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, "odd.cl", source);
  uint32_t function = fixture_function(&m, file, name, source, source, true);
  fixture_line(&m, file, function, source, m.functions[function].site, 1);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_load(f->d, NULL, 0, v, &e));
  db_program_free(&p);
  model_free(&m);
}

static void test_odd_names_and_sources(void **state) {
  fixture *f = *state;
  view v;
  char name[200];
  (void)snprintf(name, sizeof name, "%s", "start_");
  for (int i = 0; i < 40; i++) (void)strncat(name, "\xc3\xa9", sizeof name - strlen(name) - 1); /* e acute */
  (void)strncat(name, "\033[2J\xff_end", sizeof name - strlen(name) - 1);
  char source[300];
  memset(source, 'x', sizeof source);
  source[0] = '\t';
  source[1] = '\xfe';
  source[2] = '\033';
  source[sizeof source - 1] = '\0';
  load_odd(f, name, source, &v);
  const report_options options = {.show_missed = true, .width = 70};
  char *text = render("text", &v, &options);
  assert_fits(text, 70);
  assert_lacks(text, "\033");
  assert_contains(text, "start_\xc3\xa9");
  assert_contains(text, "\xe2\x80\xa6"); /* cut in the middle */
  assert_contains(text, "\xef\xbf\xbd_end ");
  free(text);
  char *json = render("json", &v, &options);
  json_error_t problem;
  json_t *root = json_loads(json, 0, &problem);
  assert_non_null(root);
  json_decref(root);
  free(json);
  view_free(&v);
}

static void test_shortening(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
    size_t columns;
  } cases[] = {
      {"short", "short", 5},
      {"matrix_multiply", "matr\xe2\x80\xa6ply", 8},
      {"ab", "\xe2\x80\xa6", 1},
      {"ab", "", 0},
      {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "\xc3\xa9\xe2\x80\xa6\xc3\xa9", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    buffer b = {0};
    utf8_shorten(&b, cases[i].text, cases[i].columns);
    assert_string_equal(buffer_text(&b), cases[i].expected);
    buffer_free(&b);
  }
}

static void test_long_groups_are_cut(void **state) {
  fixture *f = *state;
  error e;
  int64_t run, test_case;
  db_program p;
  view v;
  model m = {.options = mem_strdup("")};
  buffer source = {0};
  buffer_puts(&source, "kernel void k() {\n");
  for (int i = 1; i <= 40; i++) buffer_printf(&source, "  statement_%02d();\n", i);
  buffer_puts(&source, "}\n");
  uint32_t file = fixture_file(&m, "long.cl", buffer_text(&source));
  uint32_t function = fixture_function(&m, file, "k", "k()", "}", true);
  uint32_t region = fixture_site(&m, file, function, SITE_REGION, "statement_01");
  for (int i = 1; i <= 40; i++) {
    char name[24];
    (void)snprintf(name, sizeof name, "statement_%02d", i);
    fixture_line(&m, file, function, name, region, 0);
  }
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  fixture_evidence(f->d, test_case, &p, 0, 1, (const model_term[]){{0, 0}}, 1);
  OK(db_load(f->d, NULL, 0, &v, &e));
  const report_options options = {.show_missed = true};
  char *text = render("text", &v, &options);
  assert_contains(text, "long.cl:2: lines 2-41 never executed\n");
  assert_contains(text, "    13 -   statement_12();\n         \xe2\x80\xa6 28 more lines\n");
  assert_lacks(text, "statement_13");
  free(text);
  view_free(&v);
  buffer_free(&source);
  db_program_free(&p);
  model_free(&m);
}

/* --- json --------------------------------------------------------------------------------------------------- */

static void assert_ratio(const json_t *in, const char *key, json_int_t covered, json_int_t total) {
  const json_t *r = json_object_get(in, key);
  assert_int_equal(integer_at(r, "covered"), covered);
  assert_int_equal(integer_at(r, "total"), total);
  assert_int_equal(json_object_size(r), 2);
}

static void test_json(void **state) {
  fixture *f = *state;
  const report_options options = {.exit = 3};
  char *text = render("json", &f->v, &options);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  assert_int_equal(integer_at(root, "schema"), 1);
  assert_string_equal(string_at(json_object_get(root, "tool"), "name"), "cltestcheck");
  assert_string_equal(string_at(json_object_get(root, "tool"), "version"), "0.1");
  const json_t *run = json_object_get(root, "run");
  assert_int_equal(integer_at(run, "id"), 1);
  assert_int_equal(integer_at(run, "exit"), 3);
  assert_string_equal(string_at(run, "command"), "coverage");
  assert_string_equal(string_at(run, "device"), "Test Device\nVendor");
  const json_t *total = json_object_get(root, "coverage");
  assert_ratio(total, "kernel", 2, 3);
  assert_ratio(total, "branch", 5, 11);
  assert_ratio(json_object_get(total, "branch_by"), "conditional", 3, 4);
  assert_ratio(json_object_get(total, "loop"), "boundary", 1, 2);
  assert_ratio(total, "line", 12, 22);
  const json_t *kernels = json_object_get(root, "kernels");
  assert_int_equal(json_array_size(kernels), 3);
  const json_t *conv2d = json_array_get(kernels, 0);
  assert_string_equal(string_at(conv2d, "name"), "conv2d");
  assert_string_equal(string_at(conv2d, "file"), "src/conv.cl");
  assert_int_equal(integer_at(conv2d, "line"), 3);
  assert_int_equal(integer_at(conv2d, "launches"), 3);
  assert_ratio(json_object_get(conv2d, "coverage"), "line", 9, 12);
  const json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
  assert_string_equal(string_at(finding, "rule"), "barrier-divergence");
  assert_string_equal(string_at(finding, "file"), "src/scan.cl");
  assert_int_equal(integer_at(finding, "line"), 4);
  const json_t *skipped = json_array_get(json_object_get(root, "skipped"), 0);
  assert_string_equal(string_at(skipped, "program"), "program from binary");
  assert_null(json_object_get(root, "mutation"));
  assert_int_equal(json_array_size(json_object_get(root, "missed")), 14 + 1 + 10);
  json_decref(root);
  free(text);
}

static void test_json_follows_its_schema(void **state) {
  fixture *f = *state;
  error e;
  OK(add_finding(f->d, 1, 0, 0, "race", "somewhere", &e));
  view v;
  OK(db_load(f->d, NULL, 0, &v, &e));
  const report_options options = {0};
  char *text = render("json", &v, &options);
  assert_follows_schema(text);
  view_free(&v);
  free(text);
}

static void test_json_of_a_selection(void **state) {
  fixture *f = *state;
  const report_options options = {.kernels = {.wanted = {(const char *[]){"conv2d"}, 1, 1}}};
  char *text = render("json", &f->v, &options);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_int_equal(json_array_size(json_object_get(root, "kernels")), 1);
  assert_int_equal(json_array_size(json_object_get(root, "findings")), 0);
  assert_ratio(json_object_get(root, "coverage"), "kernel", 1, 1);
  assert_lacks(text, "scan.cl");
  json_decref(root);
  free(text);
}

/* What a suppression holds back is counted with its reason, and no finding any more. */
static void test_suppressed_findings(void **state) {
  fixture *f = *state;
  view_suppression patterns[] = {{"barrier-divergence", NULL, "barrier(*", "all work-items of the last group", 1},
                                 {"race", "scan", NULL, "never seen", 0}};
  f->v.findings[0].suppressed = patterns[0].reason;
  f->v.suppressions = patterns;
  f->v.suppression_count = 2;
  const report_options options = {0};
  char *text = render("text", &f->v, &options);
  assert_contains(text, "\nSuppressed by the configuration\n");
  assert_contains(text,
                  "  1 suppressed: all work-items of the last group (rule barrier-divergence, line\n    barrier(*)\n");
  assert_lacks(text, "\nFindings\n");
  assert_lacks(text, "never seen");
  free(text);
  text = render("json", &f->v, &options);
  assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_int_equal(json_array_size(json_object_get(root, "findings")), 0);
  const json_t *suppressions = json_object_get(root, "suppressions");
  assert_int_equal(json_array_size(suppressions), 2);
  const json_t *first = json_array_get(suppressions, 0);
  assert_string_equal(string_at(first, "reason"), "all work-items of the last group");
  assert_int_equal(integer_at(first, "count"), 1);
  assert_true(json_is_null(json_object_get(first, "kernel")));
  json_decref(root);
  free(text);
  f->v.suppressions = NULL;
  f->v.suppression_count = 0;
}

/* --- lcov --------------------------------------------------------------------------------------------------- */

/* What a section holds, counted line by line, against its own summary. */
typedef struct lcov_sums {
  unsigned functions, functions_hit, branches, branches_hit, lines, lines_hit;
  unsigned sections;
  unsigned first[16];      /* line of each function */
  unsigned line_tests[64]; /* by line number, plus 1; 0: no such line */
} lcov_sums;

static void read_branch(const char *line, lcov_sums *s) {
  unsigned number, block, branch;
  char taken[16];
  assert_int_equal(sscanf(line, "BRDA:%u,%u,%u,%15s", &number, &block, &branch, taken), 4);
  s->branches++;
  s->branches_hit += strcmp(taken, "-") != 0 && strcmp(taken, "0") != 0 ? 1 : 0;
}

/* The last line before the next function, as readers have it. */
static unsigned last_line(const lcov_sums *s, unsigned function) {
  unsigned last = 63;
  for (unsigned i = 0; i < s->functions; i++)
    last = s->first[i] > s->first[function] && s->first[i] <= last ? s->first[i] - 1 : last;
  return last;
}

/* A function that has lines with code begins on one. */
static void functions_begin_on_lines(const lcov_sums *s) {
  for (unsigned i = 0; i < s->functions; i++) {
    bool any = false;
    for (unsigned line = s->first[i]; line <= last_line(s, i); line++) any = any || s->line_tests[line] > 0;
    assert_true(!any || s->line_tests[s->first[i]] > 0);
  }
}

static void read_lcov_line(const char *line, lcov_sums *s) {
  unsigned a, b;
  char name[64];
  if (strncmp(line, "BRDA:", 5) == 0) {
    read_branch(line, s);
  } else if (sscanf(line, "FN:%u,%63s", &a, name) == 2) {
    assert_in_range(a, 1, 63);
    assert_null(strchr(name, ',')); /* readers before lcov 2 take a last line for the name */
    assert_in_range(s->functions, 0, 15);
    s->first[s->functions++] = a;
  } else if (sscanf(line, "FNDA:%u,%63s", &a, name) == 2) {
    s->functions_hit += a > 0 ? 1 : 0;
  } else if (sscanf(line, "DA:%u,%u", &a, &b) == 2) {
    assert_in_range(a, 1, 63);
    assert_int_equal(s->line_tests[a], 0); /* once, in order */
    s->line_tests[a] = b + 1;
    s->lines++;
    s->lines_hit += b > 0 ? 1 : 0;
  } else if (sscanf(line, "FNF:%u", &a) == 1) {
    assert_int_equal(a, s->functions);
  } else if (sscanf(line, "FNH:%u", &a) == 1) {
    assert_int_equal(a, s->functions_hit);
  } else if (sscanf(line, "BRF:%u", &a) == 1) {
    assert_int_equal(a, s->branches);
  } else if (sscanf(line, "BRH:%u", &a) == 1) {
    assert_int_equal(a, s->branches_hit);
  } else if (sscanf(line, "LF:%u", &a) == 1) {
    assert_int_equal(a, s->lines);
  } else if (sscanf(line, "LH:%u", &a) == 1) {
    assert_int_equal(a, s->lines_hit);
  } else if (strcmp(line, "end_of_record") == 0) {
    functions_begin_on_lines(s);
    *s = (lcov_sums){.sections = s->sections + 1};
  } else if (strncmp(line, "SF:", 3) != 0 && strncmp(line, "TN:", 3) != 0) {
    fail_msg("what is this: %s", line);
  }
}

static unsigned read_lcov(const char *report) {
  lcov_sums sums = {0};
  char *copy = mem_strdup(report);
  for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n")) read_lcov_line(line, &sums);
  free(copy);
  return sums.sections;
}

static void test_lcov(void **state) {
  fixture *f = *state;
  const report_options options = {0};
  char *text = render("lcov", &f->v, &options);
  assert_int_equal(read_lcov(text), 3);
  assert_contains(text, "SF:src/conv.cl\nFN:4,conv2d\nFN:20,reduce_rows\nFNDA:2,conv2d\nFNDA:0,reduce_rows\n");
  assert_contains(text, "BRDA:6,0,0,2\nBRDA:6,0,1,0\n");
  assert_contains(text, "BRDA:21,0,0,-\nBRDA:21,0,1,-\nBRDA:21,0,2,-\n"); /* the switch was never reached */
  assert_contains(text, "DA:9,2\n");
  free(text);
  text = render("lcov1", &f->v, &options);
  assert_contains(text, "SF:src/conv.cl\nFN:4,conv2d\nFN:20,reduce_rows\nFNDA:2,conv2d\n");
  free(text);
  text = render("lcov", &f->v, &options);
  assert_contains(text, "DA:13,0\n");
  free(text);
  const report_options scan = {.kernels = {.wanted = {(const char *[]){"scan"}, 1, 1}}};
  text = render("lcov", &f->v, &scan);
  assert_int_equal(read_lcov(text), 2);
  assert_lacks(text, "conv.cl");
  free(text);
}

/* Two functions of a name, two branches on a line, a branch on a line that is not a line with code and stands outside
 * of its function, as a macro's do. */
static void test_lcov_is_consistent(void **state) {
  fixture *f = *state;
  error e;
  int64_t run, test_case;
  db_program p;
  view v;
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, "t.cl", "void f1() {}\nvoid f2() {}\nx ? y : z; u ? v : w;\n");
  uint32_t f1 = fixture_function(&m, file, "f", "f1", "}", true);
  (void)fixture_function(&m, file, "f", "f2", "}\nx", false);
  uint32_t first = fixture_site(&m, file, f1, SITE_CONDITIONAL, "x ?");
  (void)fixture_site(&m, file, f1, SITE_CONDITIONAL, "u ?");
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test_case, &e));
  fixture_evidence(f->d, test_case, &p, 0, 1, (const model_term[]){{0, 0}, {first, OUTCOME_FALSE}}, 2);
  OK(db_load(f->d, NULL, 0, &v, &e));
  const report_options options = {0};
  char *text = render("lcov", &v, &options);
  assert_int_equal(read_lcov(text), 1);
  assert_contains(text, "FN:3,f@1\nFN:2,f@2\nFNDA:1,f@1\nFNDA:0,f@2\nFNF:2\nFNH:1\n");
  assert_contains(text, "BRDA:3,0,0,0\nBRDA:3,0,1,1\nBRDA:3,1,0,0\nBRDA:3,1,1,0\nBRF:4\nBRH:1\nDA:3,1\nLF:1\nLH:1\n");
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
}

static bool file_holds(const char *path, const char *text) {
  char content[4096];
  FILE *in = fopen(path, "rb");
  if (in == NULL) return false;
  size_t length = fread(content, 1, sizeof content - 1, in);
  (void)fclose(in);
  content[length] = '\0';
  return strcmp(content, text) == 0;
}

static void test_lcov_sources(void **state) {
  fixture *f = *state;
  error e;
  char directory[256], path[300];
  size_t written;
  (void)snprintf(directory, sizeof directory, "%s-sources", f->path);
  const report_options options = {.source_directory = directory};
  OK(report_write_sources(&f->v, &options, &written, &e));
  OK(report_write_sources(&f->v, &options, &written, &e)); /* again */
  (void)snprintf(path, sizeof path, "%s/conv.cl", directory);
  assert_true(file_holds(path, fixture_conv_text));
  (void)snprintf(path, sizeof path, "%s/common.h", directory);
  assert_true(file_holds(path, fixture_common_text));
  char *text = render("lcov", &f->v, &options);
  char line[320];
  (void)snprintf(line, sizeof line, "SF:%s\n", path);
  assert_contains(text, line);
  free(text);
  const report_options nowhere = {.source_directory = "/nowhere/at/all"};
  assert_int_equal(report_write_sources(&f->v, &nowhere, &written, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, "/nowhere/at/all"));
}

/* A source on disk with the same content is referred to where it is; another file of its name is kept apart. */
static void test_lcov_sources_on_disk(void **state) {
  fixture *f = *state;
  error e;
  int64_t run;
  db_program p;
  view v;
  char name[300], directory[256];
  size_t written;
  (void)snprintf(directory, sizeof directory, "%s-sources", f->path);
  (void)snprintf(name, sizeof name, "%s-there.cl", f->path);
  static const char source[] = "kernel void k() { }\n";
  FILE *out = fopen(name, "wb");
  assert_true(out != NULL && fputs(source, out) >= 0 && fclose(out) == 0);
  model m = {.options = mem_strdup("")};
  static const char *const texts[] = {source, "kernel void a() { }\n", "kernel void b() { }\n"};
  static const char *const kernels[] = {"k", "a", "b"};
  const char *names[] = {name, "one/kernel.cl", "../two/kernel.cl"};
  for (size_t i = 0; i < 3; i++) {
    uint32_t file = fixture_file(&m, names[i], texts[i]);
    uint32_t function = fixture_function(&m, file, kernels[i], "kernel", "}", true);
    fixture_line(&m, file, function, "kernel", m.functions[function].site, 0);
  }
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  const report_options options = {.source_directory = directory};
  OK(report_write_sources(&v, &options, &written, &e));
  char *text = render("lcov", &v, &options);
  char line[320];
  (void)snprintf(line, sizeof line, "SF:%s\n", name);
  assert_contains(text, line);
  for (size_t i = 1; i < 3; i++) {
    (void)snprintf(line, sizeof line, "SF:%s/%.12s-kernel.cl\n", directory, v.files[i].sha256);
    assert_contains(text, line);
    line[strlen(line) - 1] = '\0';
    assert_true(file_holds(line + 3, texts[i]));
  }
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
}

/* --- all writers -------------------------------------------------------------------------------------------- */

static void test_a_report_that_cannot_be_written(void **state) {
  fixture *f = *state;
  error e;
  const report_options options = {0};
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    assert_int_equal(w->write(&f->v, &options, full, &e), -1);
    assert_int_equal(e.code, EXIT_INTERNAL);
    (void)fclose(full);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_totals),
      TEST(test_a_kernel_counts_its_own_launches_only),
      TEST(test_selection),
      cmocka_unit_test(test_metrics_have_names),
      TEST(test_a_kernel_called_by_a_kernel),
      TEST(test_text),
      TEST(test_text_with_colour_is_the_same_text),
      TEST(test_text_shows_what_was_missed),
      TEST(test_text_of_nothing),
      TEST(test_odd_names_and_sources),
      cmocka_unit_test(test_shortening),
      TEST(test_long_groups_are_cut),
      TEST(test_json),
      TEST(test_json_follows_its_schema),
      TEST(test_json_of_a_selection),
      TEST(test_suppressed_findings),
      TEST(test_lcov),
      TEST(test_lcov_is_consistent),
      TEST(test_lcov_sources),
      TEST(test_lcov_sources_on_disk),
      TEST(test_a_report_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
