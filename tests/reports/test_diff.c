/* Comparing runs: which line is which against a slow way of its own, then what is newly missed, killed, found. */
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
#include "reports/compare/diff.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"

static const report_options plain = {0};

/* --- lines --------------------------------------------------------------------------------------------------- */

static line_map map_texts(const char *old, const char *new) {
  const model_file a = {.text = (char *)old, .length = strlen(old)};
  const model_file b = {.text = (char *)new, .length = strlen(new)};
  return line_map_of(&a, &b);
}

/* Old lines of the new ones, "0" for a new one: "1 0 2". */
static void assert_map(const char *old, const char *new, const char *wanted) {
  line_map m = map_texts(old, new);
  buffer seen = {0};
  for (uint32_t i = 1; i <= m.count; i++) buffer_printf(&seen, "%s%u", i == 1 ? "" : " ", line_map_old(&m, i));
  assert_string_equal(buffer_text(&seen), wanted);
  assert_int_equal(line_map_old(&m, 0), 0);
  assert_int_equal(line_map_old(&m, (uint32_t)m.count + 1), 0);
  buffer_free(&seen);
  line_map_free(&m);
}

static void test_line_maps(void **state) {
  (void)state;
  assert_map("a\nb\nc\n", "a\nb\nc\n", "1 2 3");
  assert_map("a\nb\nc\n", "x\na\nb\ny\nc\n", "0 1 2 0 3");
  assert_map("a\nb\nc\nd\n", "a\nd\n", "1 4");
  assert_map("a\nb\nc\n", "a\nB\nc\n", "1 0 3");
  assert_map("", "a\nb", "0 0");
  assert_map("a\nb", "", "");
  assert_map("a\n  b c\n", "a\r\n\tb  c\r\n", "1 2"); /* spaces do not count */
  assert_map("a\nb\nc\na\nb\n", "b\na\nb\n", "2 4 5");
}

/* The longest common subsequence by the table that every textbook has. */
static size_t longest(const char *a, const char *b) {
  size_t table[41][41] = {{0}};
  for (size_t i = 1; a[i - 1] != '\0'; i++) {
    for (size_t k = 1; b[k - 1] != '\0'; k++) {
      size_t skipped = table[i - 1][k] > table[i][k - 1] ? table[i - 1][k] : table[i][k - 1];
      table[i][k] = a[i - 1] == b[k - 1] ? table[i - 1][k - 1] + 1 : skipped;
    }
  }
  return table[strlen(a)][strlen(b)];
}

/* A letter a line. */
static char *as_lines(const char *letters) {
  buffer text = {0};
  for (const char *c = letters; *c != '\0'; c++) buffer_printf(&text, "%c\n", *c);
  return buffer_take(&text);
}

static void test_line_maps_keep_as_much_as_can_be(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 3000; round++) {
    char letters[2][41] = {{0}};
    for (size_t t = 0; t < 2; t++) {
      seed = seed * 1664525u + 1013904223u;
      size_t length = (seed >> 16) % 40;
      for (size_t i = 0; i < length; i++) {
        seed = seed * 1664525u + 1013904223u;
        letters[t][i] = (char)('a' + (seed >> 16) % (2 + (uint32_t)round % 5));
      }
    }
    char *old = as_lines(letters[0]);
    char *new = as_lines(letters[1]);
    line_map m = map_texts(old, new);
    size_t kept = 0;
    uint32_t last = 0;
    for (uint32_t i = 1; i <= m.count; i++) {
      uint32_t was = line_map_old(&m, i);
      if (was != 0) {
        assert_true(was > last && was <= strlen(letters[0]));
        assert_int_equal(letters[0][was - 1], letters[1][i - 1]);
        last = was;
        kept++;
      }
    }
    assert_int_equal(kept, longest(letters[0], letters[1]));
    line_map_free(&m);
    free(old);
    free(new);
  }
}

/* Texts that share nothing but their ends: more edits than are followed. */
static void test_line_maps_of_large_texts(void **state) {
  (void)state;
  buffer texts[2] = {{0}, {0}};
  for (int t = 0; t < 2; t++) {
    buffer_puts(&texts[t], "first\n");
    for (int i = 0; i < 20000; i++) buffer_printf(&texts[t], "%d of %d\n", i, t);
    buffer_puts(&texts[t], "last\n");
  }
  line_map m = map_texts(buffer_text(&texts[0]), buffer_text(&texts[1]));
  assert_int_equal(line_map_old(&m, 1), 1);
  assert_int_equal(line_map_old(&m, 2), 0);
  assert_int_equal(line_map_old(&m, 20002), 20002);
  line_map_free(&m);
  buffer_free(&texts[0]);
  buffer_free(&texts[1]);
}

/* --- runs ---------------------------------------------------------------------------------------------------- */

#define KERNEL "kernel void k(int a) {\n  if (a > 1)\n    a = 2;\n  if (a > 3)\n    a = 4;\n}\n"

enum { FIRST_IF, SECOND_IF };

/* A run of kernel k of `name`, whose text is `text`. Either `if` was true as said; both were false. */
static void run_of(fixture *f, const char *name, const char *text, bool first, bool second, view *v) {
  error e;
  int64_t run, test;
  db_program p;
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, name, text);
  uint32_t k = fixture_function(&m, file, "k", "kernel", "}\n", true);
  uint32_t ifs[2] = {fixture_site(&m, file, k, SITE_IF, strstr(text, "if (a >")),
                     fixture_site(&m, file, k, SITE_IF, strstr(strstr(text, "if (a >") + 1, "if (a >"))};
  fixture_line(&m, file, k, "a = 2", ifs[FIRST_IF], OUTCOME_TRUE);
  fixture_line(&m, file, k, "a = 4", ifs[SECOND_IF], OUTCOME_TRUE);
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test, &e));
  model_term seen[5] = {{m.functions[k].site, 0}, {ifs[0], OUTCOME_FALSE}, {ifs[1], OUTCOME_FALSE}};
  size_t count = 3;
  if (first) seen[count++] = (model_term){ifs[0], OUTCOME_TRUE};
  if (second) seen[count++] = (model_term){ifs[1], OUTCOME_TRUE};
  fixture_evidence(f->d, test, &p, 0, 1, seen, count);
  OK(db_load(f->d, &run, 1, v, &e));
  db_program_free(&p);
  model_free(&m);
}

/* "worse line 3 new", one an entry. */
static void assert_entries(const diff *d, const char *wanted) {
  static const char *const kinds[] = {"finding", "line", "outcome", "mutant"};
  buffer seen = {0};
  for (size_t i = 0; i < d->count; i++) {
    const diff_entry *x = &d->entries[i];
    buffer_printf(&seen, "%s%s %s %u%s", i == 0 ? "" : "; ", x->worse ? "worse" : "better", kinds[x->kind], x->line,
                  x->fresh ? " new" : "");
  }
  assert_string_equal(buffer_text(&seen), wanted);
  buffer_free(&seen);
}

static void compare(const view *old, const view *new, const char *wanted) {
  diff d;
  diff_make(old, new, &plain, &d);
  assert_entries(&d, wanted);
  assert_int_equal(diff_is_worse(&d), strstr(wanted, "worse") != NULL);
  diff_free(&d);
}

static void test_what_is_newly_missed(void **state) {
  fixture *f = *state;
  view both, first, second, moved, changed;
  run_of(f, "k.cl", KERNEL, true, true, &both);
  run_of(f, "k.cl", KERNEL, true, false, &first);
  run_of(f, "k.cl", KERNEL, false, true, &second);
  compare(&both, &both, "");
  compare(&both, &first, "worse line 5; worse outcome 4");
  compare(&first, &both, "better line 5; better outcome 4");
  compare(&first, &second, "worse line 3; better line 5; worse outcome 2; better outcome 4");
  run_of(f, "k.cl", "/* one\n   two */\n" KERNEL, true, true, &moved);
  compare(&both, &moved, "");
  compare(&first, &moved, "better line 7; better outcome 6");
  /* a condition that was changed is the same condition */
  run_of(f, "k.cl", "kernel void k(int a) {\n  if (a > 1)\n    a = 2;\n  if (a > 33)\n    a = 4;\n}\n", true, false,
         &changed);
  compare(&both, &changed, "worse line 5; worse outcome 4");
  compare(&first, &changed, "");
  view_free(&both);
  view_free(&first);
  view_free(&second);
  view_free(&moved);
  view_free(&changed);
}

/* A source from a string is named by its text; its function tells what it was. Another file is new. */
static void test_names_of_sources(void **state) {
  fixture *f = *state;
  view old, renamed, other;
  run_of(f, "source-1.cl", KERNEL, true, true, &old);
  run_of(f, "source-2.cl", "\n" KERNEL, true, false, &renamed);
  compare(&old, &renamed, "worse line 6; worse outcome 5");
  run_of(f, "source-1.cl", KERNEL, true, false, &other);
  other.functions[0].name = "another";
  other.files[0].name = "other.cl";
  memset(other.files[0].sha256, 'f', 64);
  compare(&old, &other, "worse line 5 new; worse outcome 4 new");
  view_free(&old);
  view_free(&renamed);
  view_free(&other);
}

static void test_findings(void **state) {
  fixture *f = *state;
  view clean, found;
  run_of(f, "k.cl", KERNEL, true, true, &clean);
  run_of(f, "k.cl", KERNEL, true, true, &found);
  found.findings = mem_arena_array(&found.memory, 1, sizeof *found.findings);
  found.findings[0] = (db_finding){.rule = "barrier-divergence", .message = "it diverges", .kernel = "k", .line = 4};
  found.finding_count = 1;
  compare(&clean, &found, "worse finding 4 new");
  compare(&found, &clean, "better finding 4");
  compare(&found, &found, "");
  found.findings[0].suppressed = "looked at";
  compare(&clean, &found, "");
  view_free(&clean);
  view_free(&found);
}

static void test_mutants(void **state) {
  fixture *f = *state;
  error e;
  view old, new;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &old, &e));
  OK(db_load(f->d, &run, 1, &new, &e));
  compare(&old, &new, "");
  for (size_t i = 0; i < new.mutant_count; i++)
    if (new.mutants[i].id == 1001 + MUTANT_CLAMP) /* common.h:2 */
      new.mutants[i].status = MUTANT_KILLED;
    else if (new.mutants[i].id == 1001 + MUTANT_PLUS) /* conv.cl:9 */
      new.mutants[i].status = MUTANT_SURVIVED;
    else if (new.mutants[i].id == 1001 + MUTANT_ZERO) /* equivalent becomes undecided: conv.cl:7 */
      new.mutants[i].status = MUTANT_UNDECIDED;
    else if (new.mutants[i].id == 1001 + MUTANT_FOR) /* survived becomes not covered: no change */
      new.mutants[i].status = MUTANT_NO_COVERAGE;
  diff d;
  diff_make(&old, &new, &plain, &d);
  /* files of the view are in the order of the program */
  assert_entries(&d, "worse mutant 7 new; worse mutant 9; better mutant 2");
  assert_int_equal(d.worse[DIFF_MUTANT], 2);
  assert_int_equal(d.better[DIFF_MUTANT], 1);
  assert_false(d.coverage);
  diff_free(&d);
  compare(&f->v, &new, ""); /* coverage against mutants: nothing to compare */
  view_free(&old);
  view_free(&new);
}

/* --- writers ------------------------------------------------------------------------------------------------- */

static char *write_diff(const char *format, const diff *d) {
  char *text = NULL;
  size_t length = 0;
  error e;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  OK(diff_find(format)->write(d, &plain, out, &e));
  assert_int_equal(fclose(out), 0);
  return text;
}

static void test_formats(void **state) {
  fixture *f = *state;
  view both, first;
  diff d;
  run_of(f, "a<b>|c.cl", KERNEL, true, true, &both);
  run_of(f, "a<b>|c.cl", KERNEL, true, false, &first);
  diff_make(&both, &first, &plain, &d);
  d.old_name = "base";
  d.new_name = "head";
  char *text = write_diff("text", &d);
  assert_contains(text, "From base to head\n");
  assert_contains(text, "line               100.0 %     50.0 %    -50.0\n");
  assert_contains(text, "\nLines newly missed: 1\n  a<b>|c.cl:5\n");
  assert_contains(text, "\nOutcomes newly missed: 1\n  a<b>|c.cl:4: if: true\n");
  assert_contains(text, "Worse: 1 line, 1 outcome. Better: nothing.\n");
  free(text);
  text = write_diff("markdown", &d);
  assert_contains(text, "| line | 100.0 % | 50.0 % | -50.0 |\n");
  assert_contains(text, "- a&#60;b&#62;&#124;c.cl:5\n");
  free(text);
  text = write_diff("json", &d);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  assert_int_equal(integer_at(json_object_get(root, "worse"), "lines"), 1);
  assert_int_equal(integer_at(json_object_get(root, "better"), "lines"), 0);
  assert_int_equal(json_array_size(json_object_get(root, "entries")), 2);
  const json_t *outcome = json_array_get(json_object_get(root, "entries"), 1);
  assert_string_equal(string_at(outcome, "kind"), "outcome");
  assert_string_equal(string_at(outcome, "change"), "worse");
  assert_string_equal(string_at(outcome, "site"), "if");
  assert_string_equal(string_at(outcome, "outcome"), "true");
  assert_int_equal(integer_at(outcome, "column"), 3);
  json_decref(root);
  free(text);
  assert_null(diff_find("lcov"));
  diff_free(&d);
  view_free(&both);
  view_free(&first);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line_maps),
      cmocka_unit_test(test_line_maps_keep_as_much_as_can_be),
      cmocka_unit_test(test_line_maps_of_large_texts),
      TEST(test_what_is_newly_missed),
      TEST(test_names_of_sources),
      TEST(test_findings),
      TEST(test_mutants),
      TEST(test_formats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
