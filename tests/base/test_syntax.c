/* Expressions as trees, each with all of its brackets, and where what is none goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/syntax.h"

static const char *const casts[] = {"int", NULL};
static const syntax_rules rules = {.signs = "-!", .casts = casts, .commas = true};

static void put(const syntax_node *n, buffer *out) {
  const bool infix = n->kind == SYNTAX_BINARY || n->kind == SYNTAX_CHOICE || n->kind == SYNTAX_COMMA;
  if (!infix) buffer_append(out, n->text, n->length);
  if (n->kind == SYNTAX_NUMBER || n->kind == SYNTAX_NAME) return;
  buffer_putc(out, n->kind == SYNTAX_INDEX ? '[' : '(');
  for (size_t i = 0; i < n->count; i++) {
    const char *between = n->kind == SYNTAX_BINARY   ? c_operators[n->op].text
                          : n->kind == SYNTAX_CHOICE ? (i == 1 ? "?" : ":")
                                                     : ",";
    buffer_puts(out, i == 0 ? "" : between);
    put(n->parts[i], out);
  }
  buffer_putc(out, n->kind == SYNTAX_INDEX ? ']' : ')');
}

static void reads(void **state) {
  (void)state;
  static const struct {
    const char *text, *tree;
  } cases[] = {
      {"a + b * c - d", "((a+(b*c))-d)"},
      {"a || b && c | d ^ e & f == g < h << i + j % k", "(a||(b&&(c|(d^(e&(f==(g<(h<<(i+(j%k))))))))))"},
      {"a <= b >= c >> d != e", "(((a<=b)>=(c>>d))!=e)"},
      {" - ! a", "-(!(a))"},
      {"a ? b , c : d ? e : f", "(a?(b,c):(d?e:f))"},
      {"f ( ) + g(a, (b, c), x[i + 1])", "(f()+g(a,(b,c),x[(i+1)]))"},
      {"f(1, 2, 3, 4, 5, 6, 7, 8, 9)", "f(1,2,3,4,5,6,7,8,9)"},
      {"(int)a * (int) -b", "(int(a)*int(-(b)))"},
      {"1e+3 + 0x1e+5 - 0x1p-3 + .5 + 1u", "(((((1e+3+0x1e)+5)-0x1p-3)+.5)+1u)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mem_arena memory = {0};
    syntax_error e;
    buffer out = {0};
    const syntax_node *n = syntax_read(cases[i].text, &rules, &memory, &e);
    assert_non_null(n);
    put(n, &out);
    assert_string_equal(buffer_text(&out), cases[i].tree);
    buffer_free(&out);
    mem_arena_free(&memory);
  }
}

static syntax_error fault(const char *text) {
  mem_arena memory = {0};
  syntax_error e;
  assert_null(syntax_read(text, &rules, &memory, &e));
  mem_arena_free(&memory);
  return e;
}

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    syntax_fault fault;
    size_t at;
    char wanted;
  } cases[] = {
      {"", SYNTAX_NO_OPERAND, 0, 0},        {"a + ", SYNTAX_NO_OPERAND, 4, 0},  {"a * ) ", SYNTAX_NO_OPERAND, 4, 0},
      {"~a", SYNTAX_NO_OPERAND, 0, 0},      {"(a", SYNTAX_MISSING, 2, ')'},     {"x[a)", SYNTAX_MISSING, 3, ']'},
      {"a ? b", SYNTAX_MISSING, 5, ':'},    {"f(a b)", SYNTAX_MISSING, 4, ')'}, {"a b", SYNTAX_REST, 2, 0},
      {"a <<= b", SYNTAX_NO_OPERAND, 4, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const syntax_error e = fault(cases[i].text);
    assert_int_equal(e.fault, cases[i].fault);
    assert_ptr_equal(e.at, cases[i].text + cases[i].at);
    assert_int_equal(e.wanted, cases[i].wanted);
  }
}

/* What would need a deep stack is refused, in every direction. */
static void deep(void **state) {
  (void)state;
  static char text[200001];
  static const char *const parts[] = {"((", "--", "a+", "x[", "f(", "a?"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    for (size_t k = 0; k + 1 < sizeof text; k++) text[k] = parts[i][k % 2];
    assert_int_equal(fault(text).fault, SYNTAX_TOO_DEEP);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(refuses), cmocka_unit_test(deep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
