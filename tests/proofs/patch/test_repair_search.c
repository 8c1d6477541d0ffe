/* The search for repairs with a stand-in for the proof engine that looks at the text alone: letters are accesses, and it
 * wants a barrier with a fence between pairs of them; barriers in `if (odd)` diverge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "proofs/patch/search.h"
#include "tests/fixtures/tree_fixture.h"

/* A pair of accesses of the kernel, which are the first ones so named in the text. */
typedef struct pair {
  const char *first, *second;
  unsigned fence;
  bool between_groups;
} pair;

typedef struct stand_in {
  const pair *pairs;
  size_t pair_count;
  size_t asked;
} stand_in;

static void set_way(flaw_path *w, const char *text, const char *at) {
  const char *line = at;
  while (line > text && line[-1] != '\n') line--;
  w->count = 1;
  w->steps[0].line = line_at(text, (size_t)(at - text));
  w->steps[0].column = (uint32_t)(at - line) + 1;
}

/* A barrier with the fence from one place to another. */
static bool is_ordered(const char *from, const char *to, unsigned fence) {
  const char *name = fence == FENCE_LOCAL ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
  for (const char *b = from; (b = strstr(b, "barrier(")) != NULL && b < to; b++) {
    const char *flag = strstr(b, name), *end = strchr(b, ';');
    if (flag != NULL && flag < end) return true;
  }
  return false;
}

static bool find_divergence(const char *text, flaw *f) {
  const char *branch = strstr(text, "if (odd) {");
  const char *end = branch == NULL ? NULL : strchr(branch, '}');
  const char *barrier = branch == NULL ? NULL : strstr(branch, "barrier(");
  if (barrier == NULL || barrier > end) return false;
  f->kind = FLAW_DIVERGENCE;
  set_way(&f->ways[0], text, barrier);
  return true;
}

static int find(void *context, const char *text, size_t length, const bool *marked, flaw *flaws, error *e) {
  (void)length;
  (void)e;
  stand_in *s = context;
  s->asked++;
  assert_true(marked[0]);
  *flaws = (flaw){.definite = true, .message = mem_strdup("m"), .preconditions = mem_strdup("")};
  const bool within = strstr(text, "__assume(__same_group);") != NULL;
  const bool apart = strstr(text, "__assume(!__same_group);") != NULL;
  for (size_t i = 0; i < s->pair_count; i++) {
    const pair *p = &s->pairs[i];
    if (p->between_groups ? within : apart) continue;
    const char *a = strstr(text, p->first), *b = strstr(text, p->second);
    const bool atomic = a > text && a[-1] == '&' && b[-1] == '&';
    if (!atomic && (p->between_groups || !is_ordered(a, b, p->fence))) {
      flaws->kind = p->between_groups ? FLAW_BETWEEN : FLAW_RACE;
      flaws->fence = p->fence;
      set_way(&flaws->ways[0], text, a);
      set_way(&flaws->ways[1], text, b);
      return 0;
    }
  }
  (void)find_divergence(text, flaws);
  return 0;
}

typedef struct outcome {
  repair_outcome outcome;
  char *text;
  size_t asked;
} outcome;

static double turns = HITTING_SET_TURNS;

static outcome search(const char *source, const pair *pairs, size_t count, size_t most) {
  tree_fixture f = tree_fixture_open(source, "");
  spots s;
  spots_find(&f.text, f.tree, true, &s);
  stand_in engine = {pairs, count, 0};
  repair r;
  error e = {0};
  repair_init(&r, &s, (flaw_finder){&engine, find}, most, 0);
  r.set.turns = turns;
  repair_add_kernel(&r, "k", true);
  assert_int_equal(repair_search(&r, &e), 0);
  buffer text = {0};
  repair_text(&r, r.flags, &text);
  const outcome out = {r.kernels[0].outcome, buffer_take(&text), engine.asked};
  repair_free(&r);
  spots_free(&s);
  tree_fixture_close(&f);
  return out;
}

static void expect(const char *source, const pair *pairs, size_t count, const char *wanted) {
  outcome o = search(source, pairs, count, 9);
  assert_string_equal(o.text, wanted);
  assert_int_equal(o.outcome, REPAIR_DONE);
  free(o.text);
}

#define HEAD "kernel void k(global int *a, global int *b, global int *c, int odd, int n) {\n"
#define LOCAL "  barrier(CLK_LOCAL_MEM_FENCE);\n"
#define GLOBAL "  barrier(CLK_GLOBAL_MEM_FENCE);\n"

static void test_one_for_two_pairs(void **state) {
  (void)state;
  const pair pairs[] = {{"a[1]", "c[3]", FENCE_LOCAL, false}, {"b[2]", "c[4]", FENCE_LOCAL, false}};
  expect(HEAD "  a[1] = 0;\n  b[2] = 0;\n  c[3] = 0;\n  c[4] = 0;\n}\n", pairs, 2,
         HEAD "  a[1] = 0;\n  b[2] = 0;\n" LOCAL "  c[3] = 0;\n  c[4] = 0;\n}\n");
}

static void test_one_fence_for_each(void **state) {
  (void)state;
  const pair apart[] = {{"a[1]", "b[2]", FENCE_LOCAL, false}, {"b[2]", "c[3]", FENCE_GLOBAL, false}};
  expect(HEAD "  a[1] = 0;\n  b[2] = 0;\n  c[3] = 0;\n}\n", apart, 2,
         HEAD "  a[1] = 0;\n" LOCAL "  b[2] = 0;\n" GLOBAL "  c[3] = 0;\n}\n");
  const pair together[] = {{"a[1]", "c[3]", FENCE_LOCAL, false}, {"b[2]", "c[3]", FENCE_GLOBAL, false}};
  expect(HEAD "  a[1] = 0;\n  b[2] = 0;\n  c[3] = 0;\n}\n", together, 2,
         HEAD "  a[1] = 0;\n  b[2] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  c[3] = 0;\n}\n");
}

/* Outside of the loop it is executed once. */
static void test_not_in_the_loop(void **state) {
  (void)state;
  const pair pairs[] = {{"a[1]", "b[2]", FENCE_LOCAL, false}};
  expect(HEAD "  a[1] = 0;\n  for (int i = 0; i < n; i++) {\n    b[2] = 0;\n  }\n}\n", pairs, 1,
         HEAD "  a[1] = 0;\n" LOCAL "  for (int i = 0; i < n; i++) {\n    b[2] = 0;\n  }\n}\n");
}

/* Two outside, or one in the loop if that makes one turn. */
static void test_turns(void **state) {
  (void)state;
  const pair pairs[] = {{"a[1]", "c[3]", FENCE_LOCAL, false}, {"b[2]", "c[4]", FENCE_LOCAL, false}};
  const char *source =
      HEAD "  a[1] = 0;\n  for (int i = 0; i < n; i++) {\n    b[2] = 0;\n    c[3] = 0;\n  }\n  c[4] = 0;\n}\n";
  expect(source, pairs, 2,
         HEAD "  a[1] = 0;\n" LOCAL "  for (int i = 0; i < n; i++) {\n    b[2] = 0;\n    c[3] = 0;\n  }\n" LOCAL
              "  c[4] = 0;\n}\n");
  turns = 1;
  expect(source, pairs, 2,
         HEAD "  a[1] = 0;\n  for (int i = 0; i < n; i++) {\n    b[2] = 0;\n  " LOCAL
              "    c[3] = 0;\n  }\n  c[4] = 0;\n}\n");
  turns = HITTING_SET_TURNS;
}

static void test_out_of_the_branch(void **state) {
  (void)state;
  const pair pairs[] = {{"a[1]", "c[3]", FENCE_LOCAL, false}};
  expect(HEAD "  a[1] = 0;\n  if (odd) {\n    b[2] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  c[3] = 0;\n}\n",
         pairs, 1, HEAD "  a[1] = 0;\n  if (odd) {\n    b[2] = 0;\n  }\n" LOCAL "  c[3] = 0;\n}\n");
}

static void test_wider_is_cheaper(void **state) {
  (void)state;
  const pair pairs[] = {{"a[1]", "c[3]", FENCE_LOCAL, false}};
  expect(HEAD "  a[1] = 0;\n" GLOBAL "  c[3] = 0;\n}\n", pairs, 1,
         HEAD "  a[1] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  c[3] = 0;\n}\n");
}

static void test_what_cannot_be(void **state) {
  (void)state;
  const char *source = HEAD "  a[1] = 0;\n  b[2] = 0; c[3] = b[2] + c[4];\n}\n";
  const struct {
    pair pair;
    size_t most;
    repair_outcome outcome;
  } cases[] = {{{"a[1]", "b[2]", FENCE_LOCAL, true}, 9, REPAIR_BETWEEN},
               {{"c[3]", "c[4]", FENCE_LOCAL, false}, 9, REPAIR_NO_PLACE},
               {{"a[1]", "b[2]", 0, false}, 9, REPAIR_NO_PLACE},
               {{"a[1]", "b[2]", FENCE_LOCAL, false}, 0, REPAIR_NO_PLACE},
               {{"a[1]", "b[2]", FENCE_LOCAL, false}, 1, REPAIR_DONE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome o = search(source, &cases[i].pair, 1, cases[i].most);
    assert_int_equal(o.outcome, cases[i].outcome);
    assert_int_equal(strcmp(o.text, source) != 0, cases[i].outcome == REPAIR_DONE);
    free(o.text);
  }
}

/* A race between groups remains, and one inside of them is repaired. */
static void test_a_part(void **state) {
  (void)state;
  const pair pairs[] = {{"b[2]", "c[3]", FENCE_GLOBAL, true}, {"a[1]", "c[3]", FENCE_LOCAL, false}};
  outcome o = search(HEAD "  a[1] = 0;\n  b[2] = 0;\n  c[3] = 0;\n}\n", pairs, 2, 9);
  assert_int_equal(o.outcome, REPAIR_PART);
  assert_string_equal(o.text, HEAD "  a[1] = 0;\n  b[2] = 0;\n" LOCAL "  c[3] = 0;\n}\n");
  free(o.text);
}

/* Where no barrier helps, a race between groups says more. */
static void test_two_reasons(void **state) {
  (void)state;
  const pair pairs[] = {{"c[3]", "c[4]", FENCE_LOCAL, false}, {"a[1]", "b[2]", FENCE_GLOBAL, true}};
  outcome o = search(HEAD "  a[1] = 0;\n  b[2] = 0; c[3] = b[2] + c[4];\n}\n", pairs, 2, 9);
  assert_int_equal(o.outcome, REPAIR_BETWEEN);
  free(o.text);
}

/* An update is made atomic where no barrier helps, and between groups. */
static void test_updates(void **state) {
  (void)state;
  const pair same[] = {{"a[1]", "a[1]", FENCE_LOCAL, false}}, groups[] = {{"a[1]", "a[1]", FENCE_GLOBAL, true}};
  const pair *const pairs[] = {same, groups};
  for (size_t i = 0; i < 2; i++) {
    outcome o = search(HEAD "  a[1] += n;\n}\n", pairs[i], 1, 9);
    assert_string_equal(o.text, HEAD "  atomic_add(&a[1], n);\n}\n");
    assert_int_equal(o.outcome, REPAIR_DONE);
    free(o.text);
  }
}

/* With nothing wrong the engine is asked once, and the text stays. */
static void test_nothing_wrong(void **state) {
  (void)state;
  const char *source = HEAD "  a[1] = 0;\n}\n";
  outcome o = search(source, NULL, 0, 9);
  assert_int_equal(o.outcome, REPAIR_FINE);
  assert_int_equal(o.asked, 1);
  assert_string_equal(o.text, source);
  free(o.text);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* A barrier at the n-th place of the source. */
static char *with_barrier(const char *source, spot_kind kind, size_t number) {
  tree_fixture f = tree_fixture_open(source, "");
  spots s;
  spots_find(&f.text, f.tree, true, &s);
  unsigned *flags = mem_calloc(s.count + 1, sizeof *flags);
  for (size_t i = 0; i < s.count; i++) {
    flags[i] = s.items[i].kind == SPOT_BARRIER ? s.items[i].flags : 0;
    if (s.items[i].kind == kind && number-- == 0) flags[i] = FENCE_LOCAL;
  }
  patch p = {0};
  buffer out = {0};
  spots_write(&s, flags, &p);
  patch_apply(&p, source, strlen(source), &out);
  patch_free(&p);
  free(flags);
  spots_free(&s);
  tree_fixture_close(&f);
  return buffer_take(&out);
}

#define B "barrier(CLK_LOCAL_MEM_FENCE);"

static void test_forms(void **state) {
  (void)state;
  const struct {
    const char *source;
    spot_kind kind;
    size_t number;
    const char *wanted;
  } cases[] = {
      {"kernel void k(global int *a) { a[0] = 1; }", SPOT_BEFORE, 0,
       "kernel void k(global int *a) { " B " a[0] = 1; }"},
      {"kernel void k(int n) {\n\tif (n)\n\t\tn = 1; /* c */\n\telse\n\t\tn = 2; // d\n}\n", SPOT_BEFORE, 1,
       "kernel void k(int n) {\n\tif (n) {\n\t\t" B "\n\t\tn = 1; } /* c */\n\telse\n\t\tn = 2; // d\n}\n"},
      {"kernel void k(int n) {\n  while (n)\n    n--; // d\n}\n", SPOT_BEHIND, 0,
       "kernel void k(int n) {\n  while (n) {\n    n--; // d\n    " B "\n  }\n}\n"},
      {"kernel void k(int n) {\r\n  n = 1;\r\n}\r\n", SPOT_BEFORE, 0,
       "kernel void k(int n) {\r\n  " B "\r\n  n = 1;\r\n}\r\n"},
      {"kernel void k(int n) {\n  for (;;) { n = 1; }\n}\n", SPOT_BEHIND, 0,
       "kernel void k(int n) {\n  for (;;) { n = 1; " B " }\n}\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = with_barrier(cases[i].source, cases[i].kind, cases[i].number);
    assert_string_equal(text, cases[i].wanted);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_for_two_pairs),
                                     cmocka_unit_test(test_one_fence_for_each),
                                     cmocka_unit_test(test_not_in_the_loop),
                                     cmocka_unit_test(test_out_of_the_branch),
                                     cmocka_unit_test(test_wider_is_cheaper),
                                     cmocka_unit_test(test_what_cannot_be),
                                     cmocka_unit_test(test_turns),
                                     cmocka_unit_test(test_a_part),
                                     cmocka_unit_test(test_two_reasons),
                                     cmocka_unit_test(test_updates),
                                     cmocka_unit_test(test_nothing_wrong),
                                     cmocka_unit_test(test_forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
