/* Mutants as JSON and for Stryker, read back; and all formats with hostile and with many mutants. */
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
#include "reports/common/report.h"
#include "reports/formats.h"
#include "tests/fixtures/mutation_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

/* --- JSON of mutants */

static const json_t *json_mutant(const json_t *root, json_int_t id) {
  size_t i;
  const json_t *mutant;
  json_array_foreach(json_object_get(root, "mutants"), i, mutant) {
    if (integer_at(mutant, "id") == id) return mutant;
  }
  fail_msg("no mutant %lld", (long long)id);
  return NULL;
}

/* Two verdicts of MUTANT_PLUS, which all three test cases run, are an earlier run's. */
static void test_reused_verdicts(void **state) {
  fixture *f = *state;
  error e;
  view v;
  const report_options options = {0};
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  char *text = render("text", &v, &options);
  assert_lacks(text, "Reused");
  free(text);
  size_t verdicts = 0;
  for (size_t i = 0; i < v.mutant_count; i++) {
    verdicts += v.mutants[i].verdict_count;
    if (v.mutants[i].id == 1001 + MUTANT_PLUS) v.mutants[i].verdicts[0].reused = v.mutants[i].verdicts[2].reused = true;
  }
  char line[128];
  (void)snprintf(line, sizeof line, "\nReused: 2 of %zu verdicts, as nothing that they depend on has changed\n",
                 verdicts);
  text = render("text", &v, &options);
  assert_contains(text, line);
  free(text);
  text = render("json", &v, &options);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  const json_t *summary = json_object_get(root, "mutation");
  assert_int_equal(integer_at(summary, "verdicts"), verdicts);
  assert_int_equal(integer_at(summary, "reused"), 2);
  const json_t *tests = json_object_get(json_mutant(root, 1001 + MUTANT_PLUS), "tests");
  for (size_t t = 0; t < 3; t++)
    assert_int_equal(json_is_true(json_object_get(json_array_get(tests, t), "reused")), t != 1);
  json_decref(root);
  free(text);
  view_free(&v);
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
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) known = known || strcmp(status, statuses[i]) == 0;
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
  if (schema == NULL || system("python3 -c 'import jsonschema' 2>/dev/null") != 0) return;
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
      {MUTANT_SUM, "Ignored", "duplicate: compiles to the same code as an earlier mutant, 1001", 0, 0},
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

/* Replays are not counted as runs of the program, of which --runs says how many there are. */
static void test_stryker_of_replays(void **state) {
  (void)state;
  static const struct {
    mutant_verdict verdict;
    const char *reason;
  } cases[] = {{{.runs = 3, .output = 3, .replayed = 3}, "the output differed in 3 of 3 replays of "},
               {{.runs = 1, .output = 1, .replayed = 1}, "the output differed in 1 of 1 replay of "},
               {{.runs = 3, .output = 3, .replayed = 1}, "the output differed in 3 of 3 runs of "},
               {{.runs = 5, .outside = 5, .replayed = 5}, "it wrote outside of a buffer in 5 of 5 replays of "},
               {{.runs = 3, .unwritten = 2, .replayed = 3},
                "it reads memory that nobody wrote (line 1), and differed in 2 of 3 replays of "}};
  const report_options options = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    view v;
    hand_made(&v, "1 + 1", 1);
    db_mutant *m = add_by_hand(&v, "+", "-", MUTANT_KILLED);
    m->verdicts = mem_arena_array(&v.memory, 1, sizeof *m->verdicts);
    m->verdicts[m->verdict_count++] = cases[i].verdict;
    char *text = render("stryker", &v, &options);
    assert_contains(text, cases[i].reason);
    view_free(&v);
    free(text);
  }
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

static char *hostile(view *v, const char *name) { return mem_arena_printf(&v->memory, "%s%s", name, HOSTILE); }

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
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) *texts[i] = hostile(&v, "x");
  for (unsigned status = 0; status < MUTANT_STATUSES; status++) {
    db_mutant *m = add_by_hand(&v, "+", HOSTILE, (mutant_status)status);
    m->operator_name = hostile(&v, "op");
    m->original = hostile(&v, "original");
    m->reason = hostile(&v, "reason");
    m->description = status % 2 == 0 ? hostile(&v, "description") : NULL;
    m->duplicate_of = status == MUTANT_DUPLICATE ? 0 : MODEL_NONE;
    m->verdicts = mem_arena_array(&v.memory, 2, sizeof *m->verdicts);
    m->verdicts[0] = (mutant_verdict){.runs = 20, .output = 5, .crash = 5, .timeout = 10};
    m->verdict_count = status == MUTANT_KILLED || status == MUTANT_UNDECIDED ? 1 : 0;
  }
  v.unstable = mem_arena_array(&v.memory, 1, sizeof *v.unstable);
  v.unstable[0] = (view_unstable){0, hostile(&v, "what"), 0.00001};
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
  v.files[0].length = 200000;
  v.files[0].text = mem_arena_array(&v.memory, v.files[0].length + 1, 1);
  memset(v.files[0].text, '+', v.files[0].length);
  for (size_t i = 79; i < v.files[0].length; i += 80) v.files[0].text[i] = '\n';
  v.mutants = NULL;
  for (uint32_t i = 0; i < 10000; i++) {
    if (i % 2 == 0)
      add_kills(&v, "01000000000000000100");
    else
      (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
    db_mutant *m = &v.mutants[i];
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

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_reused_verdicts),
      TEST(test_json_of_mutants),
      TEST(test_stryker),
      cmocka_unit_test(test_stryker_of_replays),
      cmocka_unit_test(test_stryker_columns),
      TEST(test_hostile_mutants),
      cmocka_unit_test(test_ten_thousand_mutants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
