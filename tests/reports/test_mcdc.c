/* MC/DC: decisions by hand, random ones against the definition over all values of their conditions, and what reports
 * say of them. */
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
#include "reports/common/coverage.h"
#include "reports/common/report.h"
#include "tests/fixtures/report_checks.h"

enum { MOST = 40 };

/* A decision with its conditions' texts and ways; `tests` of a way: how many test cases took it. */
typedef struct sample {
  model_site site;
  model_outcome outcomes[MOST];
} sample;

static void add(sample *s, uint32_t index, const char *label, uint32_t tests) {
  s->outcomes[s->site.outcome_count++] =
      (model_outcome){.index = index, .label = mem_strdup(label), .line = 2, .tests = tests};
  s->site.outcomes = s->outcomes;
  s->site.kind = SITE_DECISION;
}

static void add_way(sample *s, const char *label, uint32_t tests) {
  add(s, OUTCOME_PATH + (uint32_t)s->site.outcome_count, label, tests);
}

static void forget(sample *s) {
  for (size_t i = 0; i < s->site.outcome_count; i++) free(s->outcomes[i].label);
}

static void assert_needs(const mcdc *m, size_t condition, const char *words) {
  buffer text = {0};
  mcdc_needs(m, &m->conditions[condition], &text);
  assert_string_equal(buffer_text(&text), words);
  buffer_free(&text);
}

/* a && b */
static void make_and(sample *s, uint32_t f, uint32_t tf, uint32_t tt) {
  *s = (sample){.site = {.line = 2, .column = 7, .end_line = 2, .end_column = 13}};
  add(s, 0, "a", 0);
  add(s, 1, "b", 0);
  add_way(s, "F- F", f);
  add_way(s, "TF F", tf);
  add_way(s, "TT T", tt);
}

/* --- by hand ------------------------------------------------------------------------------------------------- */

static void test_all_ways(void **state) {
  (void)state;
  sample s;
  make_and(&s, 1, 2, 3);
  mcdc m;
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, 2);
  assert_int_equal(m.shown, 2);
  assert_string_equal(m.conditions[1].text, "b");
  assert_int_equal(m.conditions[0].seen_true, 3);
  assert_int_equal(m.conditions[0].seen_false, 1);
  forget(&s);
}

static void test_what_is_missing(void **state) {
  (void)state;
  sample s;
  mcdc m;
  make_and(&s, 0, 2, 3); /* a is never false */
  mcdc_read(&s.site, &m);
  assert_int_equal(m.shown, 1);
  assert_false(m.conditions[0].shown);
  assert_int_equal(m.conditions[0].seen_false, 0);
  assert_needs(&m, 0, "needs `a` false");
  assert_true(m.conditions[1].shown);
  forget(&s);
  make_and(&s, 4, 2, 0); /* never true as a whole */
  mcdc_read(&s.site, &m);
  assert_int_equal(m.shown, 0);
  assert_needs(&m, 0, "needs `a` true, `b` true");
  assert_needs(&m, 1, "needs `a` true, `b` true");
  forget(&s);
  make_and(&s, 0, 0, 0);
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, 2);
  assert_int_equal(m.shown, 0);
  assert_needs(&m, 1, "needs `a` true, `b` true; and `a` true, `b` false");
  forget(&s);
}

/* a && b || c: T F T and F - F differ in a and in c; that shows neither. */
static void test_masking(void **state) {
  (void)state;
  sample s = {0};
  add_way(&s, "TT- T", 1);
  add_way(&s, "TFT T", 0);
  add_way(&s, "TFF F", 1);
  add_way(&s, "F-T T", 0);
  add_way(&s, "F-F F", 0);
  mcdc m;
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, 3);
  assert_false(m.conditions[0].shown);
  assert_true(m.conditions[1].shown); /* TT- and TFF: c is not evaluated in the first */
  assert_false(m.conditions[2].shown);
  forget(&s);
  s = (sample){0};
  add_way(&s, "TFT T", 1);
  add_way(&s, "F-F F", 1);
  mcdc_read(&s.site, &m);
  assert_int_equal(m.shown, 0);
  forget(&s);
}

static void test_decisions_without(void **state) {
  (void)state;
  mcdc m;
  model_site large = {.kind = SITE_DECISION};
  mcdc_read(&large, &m);
  assert_int_equal(m.count, 0);
  assert_true(mcdc_too_large(&large));
  model_site branch = {.kind = SITE_IF};
  mcdc_read(&branch, &m);
  assert_int_equal(m.count, 0);
  assert_false(mcdc_too_large(&branch));
  sample s = {0}; /* labels that no program of ours writes */
  add_way(&s, "", 1);
  add_way(&s, "T", 1);
  add_way(&s, " T", 1);
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, 0);
  forget(&s);
}

/* One place in a macro whose argument is a decision in one use and a condition in another. */
static void test_two_shapes(void **state) {
  (void)state;
  sample s;
  make_and(&s, 1, 0, 0);
  add_way(&s, "TTF F", 1);
  add_way(&s, "TTT T", 1);
  mcdc m;
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, 3);
  assert_false(m.conditions[0].shown); /* F- is of another shape than TTT */
  assert_true(m.conditions[2].shown);
  forget(&s);
}

/* --- against the definition ---------------------------------------------------------------------------------- */

typedef struct node {
  int left, right; /* 0: a condition */
  bool conjunction, negated;
} node;

typedef struct tree {
  node nodes[16]; /* [1] is the root */
  int count, conditions;
} tree;

static uint32_t random_state = 1;

static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

static int grow(tree *t, int conditions) {
  const int self = ++t->count;
  t->nodes[self] = (node){.conjunction = draw(2) == 0, .negated = draw(4) == 0};
  if (conditions > 1) {
    const int left = 1 + (int)draw((uint32_t)conditions - 1);
    const int first = grow(t, left);
    const int second = grow(t, conditions - left);
    t->nodes[self].left = first;
    t->nodes[self].right = second;
  }
  return self;
}

/* C's own evaluation; `at` counts the conditions passed, evaluated or not. */
static bool evaluate(const tree *t, int n, uint32_t values, bool evaluated, int *at, char *seen) {
  const node *self = &t->nodes[n];
  bool value;
  if (self->left == 0) {
    value = (values >> *at & 1u) != 0;
    seen[*at] = !evaluated ? '-' : value ? 'T' : 'F';
    ++*at;
  } else {
    value = evaluate(t, self->left, values, evaluated, at, seen);
    const bool goes_on = value == self->conjunction;
    const bool right = evaluate(t, self->right, values, evaluated && goes_on, at, seen);
    value = goes_on ? right : value;
  }
  return value != self->negated;
}

static void label_of(const tree *t, uint32_t values, char label[16]) {
  int at = 0;
  const bool value = evaluate(t, 1, values, true, &at, label);
  memcpy(label + at, value ? " T" : " F", 3);
}

static model_outcome *find_way(sample *s, const char *label) {
  for (size_t i = 0; i < s->site.outcome_count; i++)
    if (strcmp(s->outcomes[i].label, label) == 0) return &s->outcomes[i];
  return NULL;
}

/* Is there a value of all other conditions, with both ways taken, with which this one alone changes the outcome? */
static bool matters(const tree *t, sample *s, int condition) {
  for (uint32_t values = 0; values < 1u << t->conditions; values++) {
    char with[16];
    char without[16];
    label_of(t, values | 1u << condition, with);
    label_of(t, values & ~(1u << condition), without);
    const bool differ = with[t->conditions + 1] != without[t->conditions + 1];
    if (differ && find_way(s, with)->tests > 0 && find_way(s, without)->tests > 0) return true;
  }
  return false;
}

static void check_random_decision(void) {
  tree t = {.conditions = 2 + (int)draw(5)};
  (void)grow(&t, t.conditions);
  sample s = {0};
  for (uint32_t values = 0; values < 1u << t.conditions; values++) {
    char label[16];
    label_of(&t, values, label);
    if (find_way(&s, label) == NULL) add_way(&s, label, draw(3));
  }
  mcdc m;
  mcdc_read(&s.site, &m);
  assert_int_equal(m.count, t.conditions);
  for (int c = 0; c < t.conditions; c++) {
    assert_int_equal(m.conditions[c].shown, matters(&t, &s, c));
    assert_non_null(m.conditions[c].pair[0]);
  }
  /* with all of what is missing, nothing is */
  for (int c = 0; c < t.conditions; c++)
    for (int k = 0; k < 2; k++) find_way(&s, m.conditions[c].pair[k]->label)->tests = 1;
  mcdc_read(&s.site, &m);
  assert_int_equal(m.shown, m.count);
  forget(&s);
}

static void test_random_decisions(void **state) {
  (void)state;
  for (int i = 0; i < 3000; i++) check_random_decision();
}

/* --- reports ------------------------------------------------------------------------------------------------- */

/* A view of one kernel with `if (a && b)` and a decision that is too large. */
typedef struct tiny {
  view v;
  sample s;
  model_file file;
  model_function function;
  model_site sites[4];
  model_outcome entered, condition[2];
  view_line line;
} tiny;

static void make_tiny(tiny *t, uint32_t f, uint32_t tf, uint32_t tt) {
  static char text[] = "__kernel void k(int a, int b) {\n  if (a && b) {}\n}\n";
  *t = (tiny){0};
  make_and(&t->s, f, tf, tt);
  t->file = (model_file){.text = text, .length = sizeof text - 1};
  t->file.name = mem_strdup("k.cl");
  t->function = (model_function){.name = mem_strdup("k"), .line = 1, .end_line = 3, .kernel = true};
  t->entered = (model_outcome){.index = 0, .label = mem_strdup("entered"), .line = 1, .tests = 2};
  t->condition[0] = (model_outcome){.index = OUTCOME_TRUE, .label = mem_strdup("true"), .line = 2, .tests = 2};
  t->condition[1] = (model_outcome){.index = OUTCOME_FALSE, .label = mem_strdup("false"), .line = 2, .tests = 0};
  t->sites[0] = (model_site){.kind = SITE_FUNCTION, .line = 1, .column = 15, .offset = 14};
  t->sites[0].outcomes = &t->entered;
  t->sites[0].outcome_count = 1;
  t->sites[1] = (model_site){.kind = SITE_CONDITION, .line = 2, .column = 7, .offset = 40};
  t->sites[1].outcomes = t->condition;
  t->sites[1].outcome_count = 2;
  t->sites[2] = t->s.site;
  t->sites[2].offset = 42;
  t->sites[2].outcomes = t->s.outcomes;
  t->sites[3] = (model_site){.kind = SITE_DECISION, .line = 2, .column = 7, .offset = 44};
  t->line = (view_line){.line = 2, .tests = 2};
  t->v = (view){.files = &t->file, .file_count = 1};
  t->v.command = mem_strdup("coverage");
  t->v.device = t->v.version = t->v.started = t->v.command;
  t->v.functions = &t->function;
  t->v.function_count = 1;
  t->v.sites = t->sites;
  t->v.site_count = 4;
  t->v.lines = &t->line;
  t->v.line_count = 1;
}

static void forget_tiny(tiny *t) {
  forget(&t->s);
  free(t->file.name);
  free(t->function.name);
  free(t->entered.label);
  free(t->condition[0].label);
  free(t->condition[1].label);
  free(t->v.command);
}

static void test_totals(void **state) {
  (void)state;
  tiny t;
  make_tiny(&t, 0, 2, 3);
  const report_options options = {0};
  coverage c;
  coverage_total(&t.v, &options, &c);
  ASSERT_METRICS(&c, {"condition", 1, 2}, {"mcdc", 1, 2}, {"branch", 0, 0}, {"function", 1, 1});
  forget_tiny(&t);
}

static void test_text(void **state) {
  (void)state;
  tiny t;
  make_tiny(&t, 0, 2, 3);
  const report_options options = {.show_missed = true};
  char *text = render("text", &t.v, &options);
  assert_contains(text, "condition                 1        2    50.0 %\n");
  assert_contains(text, "MC/DC                     1        2    50.0 %\n");
  assert_contains(text, "MC/DC leaves out 1 decision with more than 32 ways through the conditions");
  assert_contains(text, "k.cl:2:7: decision: never shown that 1 of 2 conditions matter");
  assert_contains(text, "condition 1 of 2, `a`, never false: needs `a` false\n");
  assert_lacks(text, "condition 2 of 2");
  assert_fits(text, 80);
  free(text);
  const report_options brief = {0};
  text = render("text", &t.v, &brief);
  assert_contains(text, "the 1 outcome that");
  free(text);
  forget_tiny(&t);
}

static void test_json(void **state) {
  (void)state;
  tiny t;
  make_tiny(&t, 0, 2, 3);
  const report_options options = {0};
  char *text = render("json", &t.v, &options);
  json_t *report = json_loads(text, 0, NULL);
  json_t *total = json_object_get(json_object_get(report, "coverage"), "mcdc");
  assert_int_equal(json_integer_value(json_object_get(total, "covered")), 1);
  assert_int_equal(json_integer_value(json_object_get(total, "total")), 2);
  json_t *missed = json_object_get(report, "missed");
  assert_int_equal(json_array_size(missed), 2);
  assert_string_equal(string_at(json_array_get(missed, 0), "kind"), "condition");
  assert_string_equal(string_at(json_array_get(missed, 0), "outcome"), "false");
  assert_string_equal(string_at(json_array_get(missed, 1), "kind"), "mcdc");
  assert_string_equal(string_at(json_array_get(missed, 1), "outcome"), "condition 1 of 2: needs `a` false");
  json_decref(report);
  free(text);
  forget_tiny(&t);
}

static void test_lcov(void **state) {
  (void)state;
  tiny t;
  make_tiny(&t, 0, 2, 3);
  const report_options options = {0};
  char *text = render("lcov", &t.v, &options);
  assert_contains(text, "MCDC:2,2,t,0,0,a\nMCDC:2,2,f,0,0,a\nMCDC:2,2,t,3,1,b\nMCDC:2,2,f,2,1,b\nMCF:4\nMCH:2\n");
  free(text);
  forget_tiny(&t);
}

/* Two decisions of as many conditions on a line: the first. One further up in the file but later in it comes first. */
static void test_lcov_knows_decisions_by_line(void **state) {
  (void)state;
  tiny t;
  sample other;
  make_tiny(&t, 1, 1, 1);
  make_and(&other, 0, 1, 1);
  t.sites[3] = other.site;
  t.sites[3].outcomes = other.outcomes;
  t.sites[3].offset = 90;
  const report_options options = {0};
  char *text = render("lcov", &t.v, &options);
  assert_contains(text, "MCDC:2,2,f,1,1,b\nMCF:4\nMCH:4\n");
  free(text);
  t.sites[3].line = 1;
  text = render("lcov", &t.v, &options);
  assert_contains(text, "MCDC:1,2,t,0,0,a\nMCDC:1,2,f,0,0,a\nMCDC:1,2,t,1,1,b\nMCDC:1,2,f,1,1,b\nMCDC:2,2,t,1,0,a\n");
  assert_contains(text, "MCF:8\nMCH:6\n");
  free(text);
  forget(&other);
  forget_tiny(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_ways),
      cmocka_unit_test(test_what_is_missing),
      cmocka_unit_test(test_masking),
      cmocka_unit_test(test_decisions_without),
      cmocka_unit_test(test_two_shapes),
      cmocka_unit_test(test_random_decisions),
      cmocka_unit_test(test_totals),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_lcov),
      cmocka_unit_test(test_lcov_knows_decisions_by_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
