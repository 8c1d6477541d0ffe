/* Statements as they stand in the text: what belongs to them, their parts, what jumps into them. */
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
#include "frontend/facts/launch.h"
#include "frontend/tree.h"
#include "tests/fixtures/tree_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Tokens with a blank between them; "" for none. To be freed. */
static char *words(const pp_result *text, span s) {
  buffer out = {0};
  for (uint32_t t = s.first; t <= s.last && !span_empty(s); t++) {
    const pp_token *token = &text->tokens[t];
    buffer_puts(&out, out.length > 0 ? " " : "");
    buffer_append(&out, text->text + token->begin, token->end - token->begin);
  }
  return buffer_take(&out);
}

static void assert_words(const tree_fixture *f, span s, const char *expected) {
  char *found = words(&f->text, s);
  assert_string_equal(found == NULL ? "" : found, expected);
  free(found);
}

static tree_fixture open_body(const char *body) {
  char source[1000];
  (void)snprintf(source, sizeof source, "__kernel void k(__global int *a, int n) {\n%s\n}\n", body);
  return tree_fixture_open(source, "");
}

/* The statement number `index` (the body is 0), which must be of that kind. */
static const tree_node *at(const statements *s, size_t index, tree_kind kind) {
  assert_true(index < s->count);
  assert_int_equal(s->items[index]->kind, kind);
  return s->items[index];
}

static void test_parts(void **state) {
  (void)state;
  tree_fixture f = open_body(
      "for (int i = 0; i < n; i += 2) a[i] = 1;\n"
      "if (n > (1)) ; else do n--; while (n);\n"
      "switch (n + 1) { case 1 ... 3: case (2 > 1) ? 7 : 8: n++; default: }\n");
  statements s = list_statements(f.tree->functions[0]);
  const tree_node *loop = at(&s, 1, TREE_FOR);
  assert_words(&f, statement_condition(loop), "i < n");
  assert_words(&f, statement_step(loop), "i += 2");
  assert_words(&f, statement_tokens(statement_body(loop)), "a [ i ] = 1 ;");
  assert_ptr_equal(statement_around(at(&s, 2, TREE_EXPRESSION)), loop);
  const tree_node *branch = at(&s, 3, TREE_IF);
  assert_words(&f, statement_condition(branch), "n > ( 1 )");
  assert_words(&f, statement_tokens(statement_body(branch)), ";");
  const tree_node *once = at(&s, 5, TREE_DO);
  assert_ptr_equal(statement_otherwise(branch), once);
  assert_words(&f, statement_tokens(once), "do n -- ; while ( n ) ;");
  assert_words(&f, statement_condition(once), "n");
  assert_words(&f, statement_step(once), "");
  const tree_node *choice = at(&s, 7, TREE_SWITCH);
  const tree_node *range = at(&s, 9, TREE_CASE);
  assert_words(&f, statement_condition(range), "1 ... 3");
  assert_words(&f, statement_condition(at(&s, 10, TREE_CASE)), "( 2 > 1 ) ? 7 : 8");
  const tree_node *fallback = at(&s, 12, TREE_DEFAULT);
  assert_words(&f, statement_tokens(fallback), "default :");
  assert_null(statement_body(fallback));
  assert_ptr_equal(switch_of_case(range), choice);
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&s, choice, &count);
  assert_int_equal(count, 3);
  free(labels);
  assert_int_equal(s.count, 13);
  statements_free(&s);
  tree_fixture_close(&f);
}

/* Pragmas and attributes in front of a statement belong to it, wherever it stands. */
static void test_front(void **state) {
  (void)state;
  tree_fixture f = open_body(
      "n = 1;\n"
      "#pragma unroll 4\n"
      "for (;;) break;\n"
      "if (n)\n"
      "#pragma unroll 2\n"
      "  while (n) n--;\n"
      "else __attribute__((opencl_unroll_hint(2))) for (; n < 3;) n++;\n"
      "_Pragma(\"unroll\") while (n) { n--; }\n");
  statements s = list_statements(f.tree->functions[0]);
  const tree_node *endless = at(&s, 2, TREE_FOR);
  assert_int_equal(f.text.tokens[statement_tokens(endless).first].kind, PP_PRAGMA);
  assert_int_equal(statement_begin(endless), statement_tokens(endless).first + 1);
  assert_words(&f, statement_condition(endless), "");
  const tree_node *guarded = at(&s, 5, TREE_WHILE);
  assert_int_equal(f.text.tokens[statement_tokens(guarded).first].kind, PP_PRAGMA);
  const tree_node *hinted = at(&s, 7, TREE_FOR);
  assert_true(token_is(&f.text, statement_tokens(hinted).first, "__attribute__"));
  assert_true(token_is(&f.text, statement_begin(hinted), "for"));
  const tree_node *last = at(&s, 9, TREE_WHILE);
  assert_true(token_is(&f.text, statement_tokens(last).first, "_Pragma"));
  assert_true(token_is(&f.text, statement_begin(last), "while"));
  statements_free(&s);
  tree_fixture_close(&f);
}

/* Statements in expressions are listed, but not those in the head of another statement. */
static void test_statement_expressions(void **state) {
  (void)state;
  tree_fixture f = open_body(
      "int m = ({ n++; n; });\n"
      "if (({ n--; n; })) n = 2;\n"
      "for (int i = ({ n; }); i < 3; i++) ;\n");
  statements s = list_statements(f.tree->functions[0]);
  static const tree_kind kinds[] = {TREE_COMPOUND, TREE_DECLARE,    TREE_COMPOUND, TREE_EXPRESSION, TREE_EXPRESSION,
                                    TREE_IF,       TREE_EXPRESSION, TREE_FOR,      TREE_EMPTY};
  assert_int_equal(s.count, COUNT(kinds));
  for (size_t i = 0; i < COUNT(kinds); i++) (void)at(&s, i, kinds[i]);
  assert_ptr_equal(statement_around(s.items[2]), s.items[1]);
  statements_free(&s);
  tree_fixture_close(&f);
}

static void test_jumps(void **state) {
  (void)state;
  tree_fixture f = open_body(
      "if (n > 9) goto in;\n"
      "while (n < 5) in: n++;\n"
      "do { n++; } while (n < 2);\n"
      "switch (n) { case 1: n = 2; if (n) case 2: n = 3; }\n");
  statements s = list_statements(f.tree->functions[0]);
  const tree_node *jump = at(&s, 2, TREE_GOTO);
  const tree_node *loop = at(&s, 3, TREE_WHILE);
  const tree_node *label = at(&s, 4, TREE_LABEL);
  assert_ptr_equal(goto_target(jump), label);
  assert_true(jumped_into(&s, loop));
  assert_true(needs_braces(&s, label));
  assert_true(starts_turn(loop, statement_begin(jump), statement_begin(label)));
  assert_false(jumped_into(&s, at(&s, 6, TREE_DO)));
  assert_false(jumped_into(&s, at(&s, 11, TREE_CASE)));
  assert_true(jumped_into(&s, at(&s, 13, TREE_IF)));
  assert_int_equal(s.jump_count, 2); /* the goto, and the case in the `if` */
  statements_free(&s);
  tree_fixture_close(&f);
}

/* Is a turn known to be the last before it begins? Not where the body changes what the condition looks at. */
static void test_look_ahead(void **state) {
  (void)state;
  static const struct {
    const char *loop;
    bool known;
  } loops[] = {{"for (int i = 0; i < *a; i++) n = 2;", true},       {"for (int i = 0; i < *a; i++) (*a) = 2;", false},
               {"for (int i = 0; i < *a; i++) barrier(1);", false}, {"for (int i = 0; i < n; i++) barrier(1);", true},
               {"while (n > 0) { a[n] = 1; n -= 2; }", true},       {"while (n > 0) { if (n > 3) n -= 2; }", false},
               {"while (n > 0) { int d = 2; n -= d; }", false}};
  for (size_t i = 0; i < COUNT(loops); i++) {
    tree_fixture f = open_body(loops[i].loop);
    statements s = list_statements(f.tree->functions[0]);
    look_ahead l;
    if (find_look_ahead(&s, s.items[1], &l) != loops[i].known) fail_msg("%s", loops[i].loop);
    look_ahead_free(&l);
    statements_free(&s);
    tree_fixture_close(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts), cmocka_unit_test(test_front),      cmocka_unit_test(test_statement_expressions),
      cmocka_unit_test(test_jumps), cmocka_unit_test(test_look_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
