/* Reports: the metrics by hand-counted examples, and each format read back. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "reports/mutation.h"
#include "reports/report.h"
#include "reports/utf8.h"
#include "tests/report_fixture.h"

#define OK(call)              \
  do {                        \
    if ((call) != 0) {        \
      fail_msg("%s", e.text); \
    }                         \
  } while (0)

/* A database with fixture_run in it, and its view. */
typedef struct fixture {
  char *path;
  db *d;
  view v;
} fixture;

static int setup(void **state) {
  fixture *f = mem_calloc(1, sizeof *f);
  error e;
  f->path = fixture_path("results.db");
  OK(db_open(&f->d, f->path, DB_WRITE, &e));
  (void)fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &f->v, &e));
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  view_free(&f->v);
  db_close(f->d);
  fixture_forget(f->path);
  free(f);
  return 0;
}

/* A report as a string. */
static char *render(const char *format, const view *v, const report_options *options) {
  char *text = NULL;
  size_t length = 0;
  error e;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  OK(report_find(format)->write(v, options, out, &e));
  assert_int_equal(fclose(out), 0);
  return text;
}

static void assert_contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL) {
    fail_msg("\"%s\" is not in:\n%s", part, text);
  }
}

static void assert_lacks(const char *text, const char *part) {
  if (strstr(text, part) != NULL) {
    fail_msg("\"%s\" is in:\n%s", part, text);
  }
}

/* --- metrics ------------------------------------------------------------------------------------------------ */

typedef struct expected {
  const char *metric;
  unsigned long covered, total;
} expected;

static void assert_metrics(const coverage *c, const expected *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ratio r;
    assert_int_equal(coverage_get(c, list[i].metric, &r), 0);
    if (r.covered != list[i].covered || r.total != list[i].total) {
      fail_msg("%s is %lu/%lu, not %lu/%lu", list[i].metric, r.covered, r.total, list[i].covered, list[i].total);
    }
  }
}

#define ASSERT_METRICS(c, ...) \
  assert_metrics((c), (const expected[]){__VA_ARGS__}, sizeof((const expected[]){__VA_ARGS__}) / sizeof(expected))

static void test_totals(void **state) {
  fixture *f = *state;
  coverage c;
  coverage_total(&f->v, NULL, &c);
  ASSERT_METRICS(&c, {"kernel", 2, 3}, {"function", 3, 4}, {"line", 12, 22}, {"branch", 5, 11}, {"if", 2, 4},
                 {"switch", 0, 3}, {"conditional", 3, 4}, {"loop-zero", 0, 2}, {"loop-one", 0, 2}, {"loop-many", 1, 2},
                 {"loop-boundary", 1, 2}, {"loop", 2, 8}, {"barrier", 0, 2});
}

static const view_kernel *kernel_named(const view *v, const char *name) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (strcmp(v->kernels[i].name, name) == 0) {
      return &v->kernels[i];
    }
  }
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
  report_options only_scan = {.kernels = (const char *[]){"sc*", "nothing"}, .kernel_count = 2};
  coverage_total(&f->v, &only_scan, &c);
  /* The helper's `?:` was taken both ways, once by conv2d: totals are over all evidence. */
  ASSERT_METRICS(&c, {"kernel", 1, 1}, {"function", 2, 2}, {"line", 5, 6}, {"branch", 3, 4}, {"barrier", 0, 1});
  report_options no_rows = {.exclude = (const char *[]){"reduce_*"}, .exclude_count = 1};
  coverage_total(&f->v, &no_rows, &c);
  ASSERT_METRICS(&c, {"kernel", 2, 2}, {"function", 3, 3}, {"line", 12, 15}, {"switch", 0, 0});
  report_options both = {.kernels = (const char *[]){"*"},
                         .kernel_count = 1,
                         .exclude = (const char *[]){"conv2d", "scan", "reduce_rows"},
                         .exclude_count = 3};
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
  assert_int_equal(count, 14);
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

/* No line is wider than `width`. */
static void assert_fits(const char *text, size_t width) {
  for (const char *line = text; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    char *copy = mem_strndup(line, length);
    if (utf8_columns(copy) > width) {
      fail_msg("too wide: %s", copy);
    }
    free(copy);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
}

static void test_text(void **state) {
  fixture *f = *state;
  const report_options options = {0};
  char *text = render("text", &f->v, &options);
  assert_fits(text, 80);
  assert_contains(text, "Coverage of run 1: 2 test cases on Test Device\n1 of them failed");
  assert_contains(text,
                  "Kernel                              launches   branch     loop  barrier     line\n"
                  "conv2d                                     3   50.0 %      2/4      n/a   75.0 %\n"
                  "reduce_rows                            never    0.0 %      0/4      0/1    0.0 %\n"
                  "scan                                       3   50.0 %      n/a      0/1   83.3 %\n"
                  "--------------------------------------------------------------------------------\n"
                  "total                                      6   45.5 %      2/8      0/2   54.5 %\n");
  assert_contains(text, "\n  ?:                      3        4    75.0 %\n");
  assert_contains(text, "  src/scan.cl:4: barrier-divergence in kernel scan: 7 of 64 work-items of a\n    work-group");
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
  for (const char *from = colour; *from != '\0';) {
    if (*from == '\033') {
      from = strchr(from, 'm') + 1;
    } else {
      *to++ = *from++;
    }
  }
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
  for (int i = 0; i < 40; i++) {
    (void)strncat(name, "\xc3\xa9", sizeof name - strlen(name) - 1); /* e acute */
  }
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
  for (int i = 1; i <= 40; i++) {
    buffer_printf(&source, "  statement_%02d();\n", i);
  }
  buffer_puts(&source, "}\n");
  uint32_t file = fixture_file(&m, "long.cl", buffer_text(&source));
  uint32_t function = fixture_function(&m, file, "k", "k()", "}", true);
  uint32_t region = fixture_site(&m, file, function, SITE_REGION, "statement_01");
  for (int i = 1; i <= 40; i++) {
    char name[16];
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

static const char *string_at(const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  assert_non_null(s);
  return s;
}

static json_int_t integer_at(const json_t *object, const char *key) {
  assert_true(json_is_integer(json_object_get(object, key)));
  return json_integer_value(json_object_get(object, key));
}

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

/* As far as docs/schema.json goes: type, required, properties, items, and references to definitions. */
static void check(const json_t *schema, const json_t *rule, const json_t *value, const char *where) {
  const char *reference = json_string_value(json_object_get(rule, "$ref"));
  if (reference != NULL) {
    rule = json_object_get(json_object_get(schema, "$defs"), reference + strlen("#/$defs/"));
    assert_non_null(rule);
  }
  static const char *const types[] = {
      [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",  [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
      [JSON_REAL] = "number",   [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean", [JSON_NULL] = "null"};
  const json_t *type = json_object_get(rule, "type");
  bool fits = type == NULL || json_is_array(type);
  if (json_is_string(type)) {
    fits = strcmp(json_string_value(type), types[json_typeof(value)]) == 0;
  }
  for (size_t i = 0; i < json_array_size(type); i++) {
    fits = strcmp(json_string_value(json_array_get(type, i)), types[json_typeof(value)]) == 0 || (i > 0 && fits);
  }
  if (!fits) {
    fail_msg("%s is a %s", where, types[json_typeof(value)]);
  }
  size_t i;
  const json_t *entry;
  const json_t *allowed = json_object_get(rule, "enum");
  bool known = allowed == NULL;
  json_array_foreach(allowed, i, entry) { known = known || json_equal(entry, value); }
  if (!known) {
    fail_msg("%s is none of the values that the schema knows", where);
  }
  json_array_foreach(json_object_get(rule, "required"), i, entry) {
    if (json_object_get(value, json_string_value(entry)) == NULL) {
      fail_msg("%s lacks %s", where, json_string_value(entry));
    }
  }
  const char *key;
  json_object_foreach((json_t *)value, key, entry) {
    const json_t *property = json_object_get(json_object_get(rule, "properties"), key);
    property = property == NULL ? json_object_get(rule, "additionalProperties") : property;
    if (property == NULL) {
      fail_msg("the schema does not know %s in %s", key, where);
    }
    check(schema, property, entry, key);
  }
  json_array_foreach(value, i, entry) { check(schema, json_object_get(rule, "items"), entry, where); }
}

/* docs/schema.json; skips the test when it is not in reach. */
static json_t *load_schema(void) {
  const char *const places[] = {"docs/schema.json", "../docs/schema.json", "../../docs/schema.json"};
  json_t *schema = NULL;
  json_error_t problem;
  const char *root = getenv("CLTC_SOURCE_DIR");
  char path[1024];
  if (root != NULL) {
    (void)snprintf(path, sizeof path, "%s/docs/schema.json", root);
    schema = json_load_file(path, 0, &problem);
  }
  for (size_t i = 0; schema == NULL && i < sizeof places / sizeof places[0]; i++) {
    schema = json_load_file(places[i], 0, &problem);
  }
  if (schema == NULL) {
    print_message("docs/schema.json is not in reach of the working directory\n");
    skip();
  }
  return schema;
}

static void assert_follows_schema(const char *text) {
  json_error_t problem;
  json_t *schema = load_schema();
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  check(schema, schema, root, "the report");
  json_decref(root);
  json_decref(schema);
}

static void test_json_follows_its_schema(void **state) {
  fixture *f = *state;
  error e;
  OK(db_add_finding(f->d, 1, 0, 0, "race", "somewhere", &e));
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
  const report_options options = {.kernels = (const char *[]){"conv2d"}, .kernel_count = 1};
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

/* --- lcov --------------------------------------------------------------------------------------------------- */

/* What a section holds, counted line by line, against its own summary. */
typedef struct lcov_sums {
  unsigned functions, functions_hit, branches, branches_hit, lines, lines_hit;
  unsigned sections;
  unsigned line_tests[64]; /* by line number, plus 1; 0: no such line */
} lcov_sums;

static void read_branch(const char *line, lcov_sums *s) {
  unsigned number, block, branch;
  char taken[16];
  assert_int_equal(sscanf(line, "BRDA:%u,%u,%u,%15s", &number, &block, &branch, taken), 4);
  s->branches++;
  s->branches_hit += strcmp(taken, "-") != 0 && strcmp(taken, "0") != 0 ? 1 : 0;
}

static void read_lcov_line(const char *line, lcov_sums *s) {
  unsigned a, b;
  char name[64];
  if (strncmp(line, "BRDA:", 5) == 0) {
    read_branch(line, s);
  } else if (sscanf(line, "FN:%u,%63s", &a, name) == 2) {
    assert_true(a > 0);
    s->functions++;
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
    *s = (lcov_sums){.sections = s->sections + 1};
  } else if (strncmp(line, "SF:", 3) != 0 && strncmp(line, "TN:", 3) != 0) {
    fail_msg("what is this: %s", line);
  }
}

static unsigned read_lcov(const char *report) {
  lcov_sums sums = {0};
  char *copy = mem_strdup(report);
  for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    read_lcov_line(line, &sums);
  }
  free(copy);
  return sums.sections;
}

static void test_lcov(void **state) {
  fixture *f = *state;
  const report_options options = {0};
  char *text = render("lcov", &f->v, &options);
  assert_int_equal(read_lcov(text), 3);
  assert_contains(text, "SF:src/conv.cl\nFN:3,conv2d\nFN:19,reduce_rows\nFNDA:2,conv2d\nFNDA:0,reduce_rows\n");
  assert_contains(text, "BRDA:6,0,0,2\nBRDA:6,0,1,0\n");
  assert_contains(text, "BRDA:21,0,0,-\nBRDA:21,0,1,-\nBRDA:21,0,2,-\n"); /* the switch was never reached */
  assert_contains(text, "DA:9,2\n");
  assert_contains(text, "DA:13,0\n");
  free(text);
  const report_options scan = {.kernels = (const char *[]){"scan"}, .kernel_count = 1};
  text = render("lcov", &f->v, &scan);
  assert_int_equal(read_lcov(text), 2);
  assert_lacks(text, "conv.cl");
  free(text);
}

/* Two functions of a name, two branches on a line, a branch on a line that is not a line with code. */
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
  assert_contains(text, "FN:1,f@1\nFN:2,f@2\nFNDA:1,f@1\nFNDA:0,f@2\nFNF:2\nFNH:1\n");
  assert_contains(text, "BRDA:3,0,0,0\nBRDA:3,0,1,1\nBRDA:3,1,0,0\nBRDA:3,1,1,0\nBRF:4\nBRH:1\nDA:3,1\nLF:1\nLH:1\n");
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
}

static bool file_holds(const char *path, const char *text) {
  char content[4096];
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    return false;
  }
  size_t length = fread(content, 1, sizeof content - 1, in);
  (void)fclose(in);
  content[length] = '\0';
  return strcmp(content, text) == 0;
}

static void test_lcov_sources(void **state) {
  fixture *f = *state;
  error e;
  char directory[256], path[300];
  (void)snprintf(directory, sizeof directory, "%s-sources", f->path);
  OK(lcov_write_sources(&f->v, directory, &e));
  OK(lcov_write_sources(&f->v, directory, &e)); /* again */
  (void)snprintf(path, sizeof path, "%s/conv.cl", directory);
  assert_true(file_holds(path, fixture_conv_text));
  (void)snprintf(path, sizeof path, "%s/common.h", directory);
  assert_true(file_holds(path, fixture_common_text));
  const report_options options = {.source_directory = directory};
  char *text = render("lcov", &f->v, &options);
  char line[320];
  (void)snprintf(line, sizeof line, "SF:%s\n", path);
  assert_contains(text, line);
  free(text);
  assert_int_equal(lcov_write_sources(&f->v, "/nowhere/at/all", &e), -1);
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
  OK(lcov_write_sources(&v, directory, &e));
  const report_options options = {.source_directory = directory};
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

/* --- mutation ----------------------------------------------------------------------------------------------- */

/* The view of fixture_mutation. */
static void load_mutation(fixture *f, view *v) {
  error e;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, v, &e));
}

/* Counts in the order killed, undecided, survived, no coverage; equivalent, duplicate, invalid, suppressed, pending. */
static void assert_counts(const mutation_counts *c, const unsigned long expected_counts[9]) {
  static const mutant_status order[9] = {MUTANT_KILLED,      MUTANT_UNDECIDED,  MUTANT_SURVIVED,
                                         MUTANT_NO_COVERAGE, MUTANT_EQUIVALENT, MUTANT_DUPLICATE,
                                         MUTANT_INVALID,     MUTANT_SUPPRESSED, MUTANT_PENDING};
  for (size_t i = 0; i < 9; i++) {
    if (c->of[order[i]] != expected_counts[i]) {
      fail_msg("%lu are %s, not %lu", c->of[order[i]], mutant_status_name(order[i]), expected_counts[i]);
    }
  }
  assert_int_equal(c->total, expected_counts[0] + expected_counts[1] + expected_counts[2] + expected_counts[3]);
}

static void test_mutation_totals(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_counts(&m.all, (const unsigned long[]){4, 1, 2, 3, 1, 1, 1, 1, 1});
  assert_int_equal(mutation_score(&m.all).covered, 4);
  assert_int_equal(mutation_score(&m.all).total, 10);
  assert_int_equal(m.kernel_count, 2);
  assert_string_equal(m.kernels[0].name, "conv2d");
  assert_counts(&m.kernels[0].counts, (const unsigned long[]){4, 1, 2, 1, 1, 1, 1, 1, 0});
  assert_counts(&m.kernels[1].counts, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  static const struct {
    const char *name;
    unsigned long counts[9];
  } operators[] = {
      {"arith", {2, 0, 0, 2, 0, 0, 1, 0, 0}}, {"barrier", {0, 0, 0, 1, 0, 0, 0, 0, 0}},
      {"const", {0, 0, 0, 0, 1, 0, 0, 0, 0}}, {"index", {0, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"logic", {1, 0, 0, 0, 0, 0, 0, 0, 0}}, {"loop", {1, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"rel", {0, 1, 2, 0, 0, 1, 0, 0, 1}},
  };
  assert_int_equal(m.operator_count, 7);
  for (size_t i = 0; i < 7; i++) {
    assert_string_equal(m.operators[i].name, operators[i].name);
    assert_counts(&m.operators[i].counts, operators[i].counts);
  }
  mutation_free(&m);
  coverage c;
  coverage_total(&v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 10});
  coverage_total(&f->v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 0, 0});
  view_free(&v);
}

static void test_mutants_of_selected_kernels(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  coverage c;
  load_mutation(f, &v);
  const report_options rows = {.kernels = (const char *[]){"reduce*"}, .kernel_count = 1};
  mutation_totals(&v, &rows, &m);
  assert_counts(&m.all, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  assert_int_equal(m.kernel_count, 1);
  assert_int_equal(m.operator_count, 3);
  mutation_free(&m);
  const report_options no_rows = {.exclude = (const char *[]){"reduce*"}, .exclude_count = 1};
  coverage_total(&v, &no_rows, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 8});
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    char *text = render(w->name, &v, &rows);
    if (strcmp(w->name, "stryker") != 0) { /* that has the whole source */
      assert_lacks(text, "conv2d");
    }
    if (strcmp(w->name, "lcov") != 0) {
      assert_contains(text, "1009");
      assert_lacks(text, "1003");
    }
    free(text);
  }
  const report_options none = {.kernels = (const char *[]){"nothing"}, .kernel_count = 1};
  char *text = render("text", &v, &none);
  assert_contains(text, "(no kernel matches the selection)\n");
  assert_contains(text, "total                             n/a        0          0         0            0\n");
  free(text);
  view_free(&v);
}

/* --- views made by hand */

/* One file, one kernel, `tests` test cases, no mutants yet. */
static void hand_made(view *v, const char *source, size_t tests) {
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
    v->test_cases[i] = (view_test_case){mem_strdup(""), mem_strdup(name), mem_strdup("./t"), 0, false};
  }
}

/* A mutant of the text `original` where it stands first in the source. */
static view_mutant *add_by_hand(view *v, const char *original, const char *replacement, mutant_status status) {
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

/* `rows[i]` says which test cases kill the next mutant: a 1 in the i-th place. All have 20 runs. */
static void add_kills(view *v, const char *row) {
  view_mutant *m = add_by_hand(v, "+", "-", MUTANT_KILLED);
  m->verdicts = mem_calloc(strlen(row), sizeof *m->verdicts);
  for (uint32_t i = 0; row[i] != '\0'; i++) {
    m->verdicts[m->verdict_count++] = (view_verdict){i, 20, row[i] == '1' ? 20 : 0, 0, 0};
  }
}

static void test_scores_are_rounded(void **state) {
  (void)state;
  static const struct {
    size_t killed, survived;
    const char *text, *json;
  } cases[] = {
      {0, 0, "    n/a ", "\"score\": null"},  {1, 0, "100.0 %", "\"score\": 100.0"},
      {0, 1, "  0.0 %", "\"score\": 0.0"},    {1, 2, " 33.3 %", "\"score\": 33.3"},
      {2, 1, " 66.7 %", "\"score\": 66.7"},   {1999, 1, " 99.9 %", "\"score\": 99.9"},
      {1, 2999, "  0.1 %", "\"score\": 0.1"}, {7, 1, " 87.5 %", "\"score\": 87.5"},
      {1, 15, "  6.3 %", "\"score\": 6.3"}, /* 6.25 */
  };
  const report_options options = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    view v;
    hand_made(&v, "a + b", 1);
    for (size_t k = 0; k < cases[i].killed + cases[i].survived; k++) {
      (void)add_by_hand(&v, "+", "-", k < cases[i].killed ? MUTANT_KILLED : MUTANT_SURVIVED);
    }
    (void)add_by_hand(&v, "+", "-", MUTANT_EQUIVALENT); /* these do not count */
    (void)add_by_hand(&v, "+", "-", MUTANT_PENDING);
    char *text = render("text", &v, &options);
    char row[64];
    (void)snprintf(row, sizeof row, "total                         %s", cases[i].text);
    assert_contains(text, row);
    free(text);
    text = render("json", &v, &options);
    assert_contains(text, cases[i].json);
    free(text);
    view_free(&v);
  }
}

/* small kills three mutants, large three, of which one it alone; tiny kills one that both kill, and in 19 of 20 runs
 * another. */
static void test_superfluous_test_cases(void **state) {
  fixture *f = *state;
  error e;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* one is pending */
  mutation_free(&m);
  int64_t run = v.run;
  view_free(&v);
  for (int64_t id = 1; id <= FIXTURE_MUTANTS; id++) {
    mutant_status status;
    OK(db_get_mutant(f->d, run, id, &status, &e));
    if (status == MUTANT_PENDING) {
      OK(db_set_mutant(f->d, run, id, MUTANT_NO_COVERAGE, "", 0, &e));
    }
  }
  OK(db_load(f->d, &run, 1, &v, &e));
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_non_null(superfluous);
  assert_false(superfluous[0]);
  assert_false(superfluous[1]);
  assert_true(superfluous[2]);
  free(superfluous);
  mutation_free(&m);
  const report_options options = {0};
  char *text = render("text", &v, &options);
  assert_contains(text, "\nTest cases that add no kill: the others kill the same mutants\n  suite/tiny: ./conv 1\n");
  assert_lacks(text, "--resume");
  free(text);
  text = render("json", &v, &options);
  assert_contains(text, "\"superfluous_tests\": [\n      2\n    ]");
  free(text);
  view_free(&v);
}

static void test_superfluous_test_cases_are_found_greedily(void **state) {
  (void)state;
  view v;
  mutation m;
  hand_made(&v, "a + b", 4);
  /* t1 kills most (4); then t0 and t3 have one left each; t2's kills are all made by then. */
  static const char *const rows[] = {"0110", "0110", "0100", "0101", "1010", "0001"};
  for (size_t i = 0; i < 6; i++) {
    add_kills(&v, rows[i]);
  }
  v.mutants[5].verdicts[2] = (view_verdict){2, 3, 3, 0, 0}; /* stopped after 3 of 20 runs: no kill */
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_memory_equal(superfluous, ((const bool[]){false, false, true, false}), 4 * sizeof(bool));
  free(superfluous);
  mutation_free(&m);
  view_free(&v);
  hand_made(&v, "a + b", 2);
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* no kills at all */
  mutation_free(&m);
  view_free(&v);
}

/* --- text of mutants */

static void test_text_of_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_add_unstable(f->d, 4, "argument 1 of kernel conv2d, launch 3", 0.125, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  report_options options = {0};
  char *text = render("text", &v, &options);
  assert_string_equal(text,
                      "Mutation testing of run 2: 3 test cases on Test Device\n"
                      "\n"
                      "UNSTABLE: 1 output of the original, without any mutant, differs from run to run\n"
                      "  suite/large: argument 1 of kernel conv2d, launch 3 (12.5 % of its bytes)\n"
                      "Those bytes are no evidence: what only they would show of a mutant is not seen.\n"
                      "\n"
                      "Kernel                          score   killed  undecided  survived  no coverage\n"
                      "conv2d                         50.0 %        4          1         2            1\n"
                      "reduce_rows                     0.0 %        0          0         0            2\n"
                      "--------------------------------------------------------------------------------\n"
                      "total                          40.0 %        4          1         2            3\n"
                      "Not counted: 1 equivalent, 1 duplicate, 1 invalid, 1 suppressed\n"
                      "1 mutant was not decided: go on with --resume\n"
                      "\n"
                      "Operator                        score   killed  undecided  survived  no coverage\n"
                      "arith                          50.0 %        2          0         0            2\n"
                      "barrier                         0.0 %        0          0         0            1\n"
                      "const                             n/a        0          0         0            0\n"
                      "index                             n/a        0          0         0            0\n"
                      "logic                         100.0 %        1          0         0            0\n"
                      "loop                          100.0 %        1          0         0            0\n"
                      "rel                             0.0 %        0          1         2            0\n"
                      "\n"
                      "Survived: no test case noticed\n"
                      "  src/conv.cl:8:21: conv2d: rel: < becomes <= (mutant 1003, run by 3 test cases)\n"
                      "     8 -         for (int k = 0; k < 3; k++) {\n"
                      "     8 +         for (int k = 0; k <= 3; k++) {\n"
                      "  src/common.h:2:9: clamp_index: rel: < becomes <= (mutant 1007, run by 1 test\n"
                      "    case)\n"
                      "     2 -   if (i < 0)\n"
                      "     2 +   if (i <= 0)\n"
                      "\n"
                      "Undecided: a test case noticed in some of its runs\n"
                      "  src/conv.cl:6:8: conv2d: rel: < becomes > (mutant 1004, run by 2 test cases):\n"
                      "    the output differed in 7 of 20 runs of suite/small\n"
                      "     6 -     if (x < n && y < n) {\n"
                      "     6 +     if (x > n && y < n) {\n"
                      "\n"
                      "No coverage: no test case executes the place\n"
                      "  src/conv.cl:26:11: reduce_rows: arith: / becomes * (mutant 1009)\n"
                      "  src/conv.cl:27:5: reduce_rows: barrier: barrier(CLK_LOCAL_MEM_FENCE) deleted\n"
                      "    (mutant 1010)\n"
                      "  src/common.h:4:24: clamp_index: arith: - becomes + (mutant 1008)\n");
  options.colour = true;
  char *colour = render("text", &v, &options);
  assert_contains(colour, "\033[31mUNSTABLE: ");
  assert_contains(colour, "\033[1mSurvived");
  free(colour);
  free(text);
  view_free(&v);
}

/* Coverage follows where the run counted launches, and where other runs are asked for, too. */
static void test_text_of_mutants_with_coverage(void **state) {
  fixture *f = *state;
  error e;
  view v;
  const int64_t runs[] = {1, fixture_mutation(f->d, 0, 1)};
  OK(db_load(f->d, runs, 2, &v, &e));
  const report_options options = {0};
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  const char *first = strstr(text, "Mutation testing of run 2: 5 test cases");
  assert_non_null(first);
  const char *second = strstr(first, "\nCoverage of run 2: 5 test cases");
  assert_non_null(second);
  assert_contains(second, "conv2d                                     3   50.0 %      2/4      n/a   75.0 %\n");
  free(text);
  view_free(&v);
}

static void test_text_of_a_run_without_mutants(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(&v, "kernel void k() { }", 1);
  char *text = render("text", &v, &options);
  assert_contains(text, "k                                 n/a        0          0         0            0\n");
  assert_lacks(text, "Coverage");
  assert_lacks(text, "Operator");
  free(text);
  text = render("json", &v, &options);
  assert_contains(text, "\"score\": null");
  assert_follows_schema(text);
  free(text);
  view_free(&v);
}

static size_t occurrences(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    count++;
  }
  return count;
}

static void test_long_lists_are_cut(void **state) {
  (void)state;
  view v;
  hand_made(&v, "a + b", 1);
  for (size_t i = 0; i < 25; i++) {
    (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  }
  for (size_t i = 0; i < 20; i++) {
    (void)add_by_hand(&v, "+", "*", MUTANT_NO_COVERAGE);
  }
  report_options options = {.database = "x.db"};
  char *text = render("text", &v, &options);
  assert_int_equal(occurrences(text, "+ becomes -"), 20);
  assert_contains(text, "(mutant 20, run by 0 test cases)\n");
  assert_lacks(text, "(mutant 21,");
  assert_contains(text, "  \xe2\x80\xa6 and 5 more; `cltestcheck report --show-missed --db x.db` shows all\n");
  assert_int_equal(occurrences(text, "+ becomes *"), 20); /* not one too many */
  assert_int_equal(occurrences(text, "shows all"), 1);
  free(text);
  options.show_missed = true;
  text = render("text", &v, &options);
  assert_int_equal(occurrences(text, "+ becomes -"), 25);
  assert_lacks(text, "shows all");
  free(text);
  view_free(&v);
}

static void test_diffs(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(
      &v,
      "first\r\n"
      "  barrier(F); x += 1;\r\n"
      "  loop {\r\n"
      "    body\r\n"
      "  }\r\n"
      "  last line of the file, which is so long that the place of the mutant on it is far out of sight: here @ it is",
      1);
  (void)add_by_hand(&v, "barrier(F)", "", MUTANT_SURVIVED);
  (void)add_by_hand(&v, "loop {\r\n    body\r\n  }", "one\n  two", MUTANT_SURVIVED);
  view_mutant *skipped = add_by_hand(&v, "loop {\r\n    body\r\n  }", "", MUTANT_SURVIVED);
  skipped->description = mem_strdup("loop skipped");
  view_mutant *turns = add_by_hand(&v, "body", "", MUTANT_SURVIVED);
  turns->description = mem_strdup("n-1 iterations");
  (void)add_by_hand(&v, "@", "#", MUTANT_SURVIVED);
  view_mutant *beyond = add_by_hand(&v, "@", "?", MUTANT_SURVIVED);
  beyond->end_offset = 9999;
  (void)add_by_hand(&v, "first", "", MUTANT_SURVIVED);
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  assert_contains(text,
                  "  k.cl:2:3: k: arith: barrier(F) deleted (mutant 1, run by 0 test cases)\n"
                  "     2 -   barrier(F); x += 1;\n"
                  "     2 +   ; x += 1;\n");
  assert_contains(text,
                  "     3 -   loop {\n"
                  "     4 -     body\n"
                  "     5 -   }\n"
                  "     3 +   one\n"
                  "     4 +   two\n");
  assert_contains(text,
                  "  k.cl:3:3: k: arith: loop skipped (mutant 3, run by 0 test cases)\n"
                  "     3 |   loop {\n"
                  "       |   ^~~~~~\n");
  assert_contains(text,
                  "  k.cl:4:5: k: arith: n-1 iterations (mutant 4, run by 0 test cases)\n"
                  "     4 |     body\n"
                  "       |     ^~~~\n");
  assert_contains(text, "here @ it is\n     6 + ");
  assert_contains(text, "here # it is\n");
  assert_contains(text, "@ becomes ? (mutant 6, run by 0 test cases)\n  k.cl:1:1:"); /* no such text: no excerpt */
  assert_contains(text, "     1 - first\n     1 +\n");
  free(text);
  view_free(&v);
}

/* --- JSON of mutants */

static const json_t *json_mutant(const json_t *root, json_int_t id) {
  size_t i;
  const json_t *mutant;
  json_array_foreach(json_object_get(root, "mutants"), i, mutant) {
    if (integer_at(mutant, "id") == id) {
      return mutant;
    }
  }
  fail_msg("no mutant %lld", (long long)id);
  return NULL;
}

static void test_json_of_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_add_unstable(f->d, 4, "argument 1 of kernel conv2d, launch 3", 0.125, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  const report_options options = {0};
  char *text = render("json", &v, &options);
  assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  const json_t *summary = json_object_get(root, "mutation");
  assert_true(json_real_value(json_object_get(summary, "score")) == 40.0);
  assert_int_equal(integer_at(summary, "total"), 10);
  assert_int_equal(integer_at(summary, "no_coverage"), 3);
  assert_int_equal(integer_at(summary, "pending"), 1);
  const json_t *arith = json_object_get(json_object_get(summary, "by_operator"), "arith");
  assert_int_equal(integer_at(arith, "total"), 4);
  assert_int_equal(integer_at(arith, "killed"), 2);
  const json_t *rows = json_array_get(json_object_get(summary, "by_kernel"), 1);
  assert_string_equal(string_at(rows, "name"), "reduce_rows");
  assert_int_equal(integer_at(rows, "line"), 19);
  assert_int_equal(integer_at(rows, "total"), 2);
  const json_t *unstable = json_array_get(json_object_get(summary, "unstable"), 0);
  assert_int_equal(integer_at(unstable, "test"), 1);
  assert_true(json_real_value(json_object_get(unstable, "share")) == 0.125);
  assert_true(json_is_null(json_object_get(summary, "superfluous_tests")));
  assert_int_equal(json_array_size(json_object_get(root, "mutants")), FIXTURE_MUTANTS);
  const json_t *times = json_mutant(root, 1001 + MUTANT_TIMES);
  assert_string_equal(string_at(times, "operator"), "arith");
  assert_string_equal(string_at(times, "file"), "src/conv.cl");
  assert_int_equal(integer_at(times, "line"), 9);
  assert_int_equal(integer_at(times, "column"), 28);
  assert_int_equal(integer_at(times, "end_column"), 29);
  assert_string_equal(string_at(times, "original"), "*");
  assert_string_equal(string_at(times, "replacement"), "/");
  assert_string_equal(string_at(times, "status"), "killed");
  assert_string_equal(string_at(times, "reason"), "crash");
  assert_string_equal(string_at(times, "function"), "conv2d");
  const json_t *test = json_array_get(json_object_get(times, "tests"), 1);
  assert_int_equal(integer_at(test, "test"), 1);
  assert_int_equal(integer_at(test, "runs"), 20);
  assert_int_equal(integer_at(test, "output"), 4);
  assert_int_equal(integer_at(test, "crash"), 16);
  assert_int_equal(integer_at(json_mutant(root, 1001 + MUTANT_SUM), "duplicate_of"), 1001 + MUTANT_PLUS);
  assert_string_equal(string_at(json_mutant(root, 1001 + MUTANT_LAST), "status"), "no-coverage");
  json_decref(root);
  free(text);
  view_free(&v);
}

/* --- Stryker: what of its published schema matters, in words of our own */

static void check_position(const json_t *p) {
  assert_true(integer_at(p, "line") >= 1);
  assert_true(integer_at(p, "column") >= 1);
}

static void check_ids(const json_t *list, const json_t *known) {
  size_t i;
  const json_t *id;
  assert_true(json_is_array(list));
  json_array_foreach(list, i, id) { assert_non_null(json_object_get(known, json_string_value(id))); }
}

static void check_stryker_mutant(const json_t *m, json_t *seen, const json_t *tests) {
  static const char *const statuses[] = {"Killed",       "Survived", "NoCoverage", "CompileError",
                                         "RuntimeError", "Timeout",  "Ignored",    "Pending"};
  const char *id = string_at(m, "id");
  assert_null(json_object_get(seen, id));
  assert_int_equal(json_object_set_new(seen, id, json_true()), 0);
  (void)string_at(m, "mutatorName");
  (void)string_at(m, json_object_get(m, "replacement") == NULL ? "description" : "replacement");
  (void)string_at(m, "statusReason");
  const char *status = string_at(m, "status");
  bool known = false;
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    known = known || strcmp(status, statuses[i]) == 0;
  }
  assert_true(known);
  const json_t *description = json_object_get(m, "description");
  assert_true(description == NULL || json_is_string(description));
  const json_t *start = json_object_get(json_object_get(m, "location"), "start");
  const json_t *end = json_object_get(json_object_get(m, "location"), "end");
  check_position(start);
  check_position(end);
  json_int_t lines = integer_at(end, "line") - integer_at(start, "line");
  assert_true(lines > 0 || (lines == 0 && integer_at(end, "column") >= integer_at(start, "column")));
  check_ids(json_object_get(m, "coveredBy"), tests);
  check_ids(json_object_get(m, "killedBy"), tests);
  assert_true(json_is_number(json_object_get(m, "testsCompleted")));
}

static void check_threshold(const json_t *thresholds, const char *key) {
  json_int_t value = integer_at(thresholds, key);
  assert_true(value >= 0 && value <= 100);
}

static json_t *check_stryker(const char *text) {
  json_error_t problem;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
  assert_non_null(root);
  assert_string_equal(string_at(root, "schemaVersion"), "2");
  check_threshold(json_object_get(root, "thresholds"), "high");
  check_threshold(json_object_get(root, "thresholds"), "low");
  json_t *tests = json_object();
  const char *key;
  json_t *file;
  size_t i;
  const json_t *item;
  json_object_foreach(json_object_get(root, "testFiles"), key, file) {
    json_array_foreach(json_object_get(file, "tests"), i, item) {
      (void)string_at(item, "name");
      assert_null(json_object_get(tests, string_at(item, "id")));
      assert_int_equal(json_object_set_new(tests, string_at(item, "id"), json_true()), 0);
    }
  }
  json_t *seen = json_object();
  assert_true(json_is_object(json_object_get(root, "files")));
  json_object_foreach(json_object_get(root, "files"), key, file) {
    (void)string_at(file, "language");
    (void)string_at(file, "source");
    assert_true(json_is_array(json_object_get(file, "mutants")));
    json_array_foreach(json_object_get(file, "mutants"), i, item) { check_stryker_mutant(item, seen, tests); }
  }
  json_decref(seen);
  json_decref(tests);
  return root;
}

/* Against the published schema, where CLTESTCHECK_STRYKER_SCHEMA names a copy and python3 has jsonschema. */
static void check_published_schema(const fixture *f, const char *text) {
  const char *schema = getenv("CLTESTCHECK_STRYKER_SCHEMA");
  if (schema == NULL || system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    return;
  }
  char path[300];
  (void)snprintf(path, sizeof path, "%s-stryker.json", f->path);
  FILE *out = fopen(path, "w");
  assert_true(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
  char command[1024];
  (void)snprintf(
      command, sizeof command,
      "python3 -c 'import json, jsonschema, sys; jsonschema.validate(*[json.load(open(n, encoding=\"utf-8\")) "
      "for n in sys.argv[1:]])' '%s' \"$CLTESTCHECK_STRYKER_SCHEMA\"",
      path);
  assert_int_equal(system(command), 0);
  print_message("valid by %s\n", schema);
}

static void test_stryker(void **state) {
  fixture *f = *state;
  view v;
  load_mutation(f, &v);
  const report_options options = {0};
  char *text = render("stryker", &v, &options);
  json_t *root = check_stryker(text);
  check_published_schema(f, text);
  static const struct {
    uint32_t mutant;
    const char *status, *reason; /* that it begins with */
    size_t covered, killed;
  } expected_mutants[] = {
      {MUTANT_PLUS, "Killed", "the output differed in 20 of 20 runs of suite/small", 3, 3},
      {MUTANT_TIMES, "Killed", "the output differed in 4, it crashed in 16 of 20 runs of suite/large", 3, 1},
      {MUTANT_FOR, "Survived", "no run differed", 3, 0},
      {MUTANT_X, "Survived", "undecided: the output differed in 7 of 20 runs of suite/small", 2, 0},
      {MUTANT_AND, "Timeout", "it ran out of time in 20 of 20 runs of suite/small", 3, 1},
      {MUTANT_ZERO, "Ignored", "equivalent", 0, 0},
      {MUTANT_LAST, "NoCoverage", "no test case", 0, 0},
      {MUTANT_WHILE, "Pending", "not decided", 0, 0},
      {MUTANT_SUM, "Ignored", "duplicate: compiles to the same device code as an earlier mutant, 1001", 0, 0},
      {MUTANT_MODULO, "CompileError", "does not compile", 0, 0},
      {MUTANT_GLOBAL_ID, "Ignored", "suppressed", 0, 0},
      {MUTANT_SKIP, "Killed", "the output differed in 20 of 20 runs of suite/small", 3, 2},
  };
  const json_t *conv = json_object_get(json_object_get(root, "files"), "src/conv.cl");
  const json_t *common = json_object_get(json_object_get(root, "files"), "src/common.h");
  assert_string_equal(string_at(conv, "source"), fixture_conv_text);
  assert_int_equal(json_array_size(json_object_get(conv, "mutants")), FIXTURE_MUTANTS - 2);
  for (size_t i = 0; i < sizeof expected_mutants / sizeof expected_mutants[0]; i++) {
    char id[16];
    (void)snprintf(id, sizeof id, "%u", 1001 + expected_mutants[i].mutant);
    const json_t *found = NULL;
    size_t k;
    const json_t *m;
    json_array_foreach(json_object_get(conv, "mutants"), k, m) {
      found = strcmp(string_at(m, "id"), id) == 0 ? m : found;
    }
    json_array_foreach(json_object_get(common, "mutants"), k, m) {
      found = strcmp(string_at(m, "id"), id) == 0 ? m : found;
    }
    assert_string_equal(string_at(found, "status"), expected_mutants[i].status);
    const char *reason = expected_mutants[i].reason;
    assert_memory_equal(string_at(found, "statusReason"), reason, strlen(reason));
    assert_int_equal(json_array_size(json_object_get(found, "coveredBy")), expected_mutants[i].covered);
    assert_int_equal(json_array_size(json_object_get(found, "killedBy")), expected_mutants[i].killed);
    assert_int_equal(integer_at(found, "testsCompleted"), expected_mutants[i].covered);
    /* A loop that is skipped: what would stand there does not say it. */
    assert_int_equal(json_object_get(found, "replacement") == NULL, expected_mutants[i].mutant == MUTANT_SKIP);
  }
  json_decref(root);
  free(text);
  view_free(&v);
}

/* Columns are JavaScript's: a character outside the first plane is two, a byte that is no UTF-8 one. */
static void test_stryker_columns(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(&v, "\n\xc3\xa9\xf0\x9f\x98\x80\xff + 1", 1); /* e acute, a face, a stray byte */
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  v.mutants[0].id = 7;
  (void)add_by_hand(&v, "+", "*", MUTANT_SURVIVED);
  v.mutants[1].id = 7; /* alike by chance */
  char *text = render("stryker", &v, &options);
  json_t *root = check_stryker(text);
  const json_t *m =
      json_array_get(json_object_get(json_object_get(json_object_get(root, "files"), "k.cl"), "mutants"), 0);
  const json_t *start = json_object_get(json_object_get(m, "location"), "start");
  const json_t *end = json_object_get(json_object_get(m, "location"), "end");
  assert_int_equal(integer_at(start, "line"), 2);
  assert_int_equal(integer_at(start, "column"), 1 + 1 + 2 + 1 + 1);
  assert_int_equal(integer_at(end, "column"), 1 + 1 + 2 + 1 + 1 + 1);
  json_decref(root);
  free(text);
  view_free(&v);
}

/* --- all writers */

#define HOSTILE "\"'\\</script>\033[2J\x01\xff\xc3\n\t%s\xe2\x80\xa8"

static char *hostile(const char *name) {
  char text[128];
  (void)snprintf(text, sizeof text, "%s%s", name, HOSTILE);
  return mem_strdup(text);
}

static void test_hostile_mutants(void **state) {
  fixture *f = *state;
  view v;
  hand_made(&v, "a + b \033[2J\xff \"quoted\"\n", 2);
  char **const texts[] = {&v.files[0].name,
                          &v.functions[0].name,
                          &v.kernels[0].name,
                          &v.test_cases[0].name,
                          &v.test_cases[0].suite,
                          &v.test_cases[1].command_line,
                          &v.device,
                          &v.version,
                          &v.started};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(*texts[i]);
    *texts[i] = hostile("x");
  }
  for (unsigned status = 0; status < MUTANT_STATUSES; status++) {
    view_mutant *m = add_by_hand(&v, "+", HOSTILE, (mutant_status)status);
    free(m->operator_name);
    free(m->original);
    free(m->reason);
    m->operator_name = hostile("op");
    m->original = hostile("original");
    m->reason = hostile("reason");
    m->description = status % 2 == 0 ? hostile("description") : NULL;
    m->duplicate_of = status == MUTANT_DUPLICATE ? 0 : MODEL_NONE;
    m->verdicts = mem_calloc(2, sizeof *m->verdicts);
    m->verdicts[0] = (view_verdict){0, 20, 5, 5, 10};
    m->verdict_count = status == MUTANT_KILLED || status == MUTANT_UNDECIDED ? 1 : 0;
  }
  v.unstable = mem_calloc(1, sizeof *v.unstable);
  v.unstable[0] = (view_unstable){0, hostile("what"), 0.00001};
  v.unstable_count = 1;
  const report_options options = {.show_missed = true};
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  assert_lacks(text, "\033");
  assert_lacks(text, "\x01");
  assert_lacks(text, "\xff");
  assert_contains(text, "(0.1 % of its bytes)");
  assert_contains(text, "description\"'\\</script>\xef\xbf\xbd[2J");
  free(text);
  text = render("json", &v, &options);
  assert_follows_schema(text);
  assert_lacks(text, "\xff");
  free(text);
  text = render("stryker", &v, &options);
  json_decref(check_stryker(text));
  assert_lacks(text, "\xff");
  check_published_schema(f, text);
  free(text);
  text = render("lcov", &v, &options);
  free(text);
  view_free(&v);
}

/* The time that this takes is looked at by hand: 0.5 s or so, for all formats. */
static void test_ten_thousand_mutants(void **state) {
  (void)state;
  view v;
  const report_options options = {.show_missed = true};
  hand_made(&v, "", 20);
  free(v.files[0].text);
  v.files[0].length = 200000;
  v.files[0].text = mem_calloc(v.files[0].length + 1, 1);
  memset(v.files[0].text, '+', v.files[0].length);
  for (size_t i = 79; i < v.files[0].length; i += 80) {
    v.files[0].text[i] = '\n';
  }
  v.mutants = NULL;
  for (uint32_t i = 0; i < 10000; i++) {
    if (i % 2 == 0) {
      add_kills(&v, "01000000000000000100");
    } else {
      (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
    }
    view_mutant *m = &v.mutants[i];
    m->offset = i * 20 + 3;
    m->end_offset = m->offset + 1;
    m->line = m->end_line = m->offset / 80 + 1;
    m->column = m->offset % 80 + 1;
    m->end_column = m->column + 1;
  }
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    char *text = render(w->name, &v, &options);
    if (strcmp(w->name, "text") == 0) {
      assert_int_equal(occurrences(text, " becomes "), 5000);
      assert_int_equal(occurrences(text, "(mutant "), 5000);
      assert_int_equal(occurrences(text, "\n  t"), 19); /* t1 is enough */
    }
    free(text);
  }
  view_free(&v);
}

static void test_a_report_that_cannot_be_written(void **state) {
  fixture *f = *state;
  error e;
  const report_options options = {0};
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
      skip();
    }
    assert_int_equal(w->write(&f->v, &options, full, &e), -1);
    assert_int_equal(e.code, EXIT_INTERNAL);
    (void)fclose(full);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

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
      TEST(test_lcov),
      TEST(test_lcov_is_consistent),
      TEST(test_lcov_sources),
      TEST(test_lcov_sources_on_disk),
      TEST(test_mutation_totals),
      TEST(test_mutants_of_selected_kernels),
      cmocka_unit_test(test_scores_are_rounded),
      TEST(test_superfluous_test_cases),
      cmocka_unit_test(test_superfluous_test_cases_are_found_greedily),
      TEST(test_text_of_mutants),
      TEST(test_text_of_mutants_with_coverage),
      cmocka_unit_test(test_text_of_a_run_without_mutants),
      cmocka_unit_test(test_long_lists_are_cut),
      cmocka_unit_test(test_diffs),
      TEST(test_json_of_mutants),
      TEST(test_stryker),
      cmocka_unit_test(test_stryker_columns),
      TEST(test_hostile_mutants),
      cmocka_unit_test(test_ten_thousand_mutants),
      TEST(test_a_report_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
