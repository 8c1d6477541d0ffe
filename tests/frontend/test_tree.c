/* The rest of the tree: declarations, types, constants, statements, origins, functions of the language, calls, guards of
 * barriers, places to insert. The expectations are written from the language, not from output. */
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

#include "frontend/tree.h"
#include "tests/fixtures/tree_fixture.h"
#include "tests/frontend/tree_attributes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_type(const tree_type *t, const char *expected) {
  assert_non_null(t);
  char *text = tree_type_text(t);
  assert_string_equal(text, expected);
  free(text);
}

static const tree_symbol *symbol(const tree_fixture *f, const char *name) {
  for (const tree_node *n = f->tree->unit; n != NULL; n = tree_next(f->tree->unit, n))
    if (n->symbol != NULL && strcmp(n->symbol->name, name) == 0 && !tree_is_expression(n->kind)) return n->symbol;
  fail_msg("nothing declares %s", name);
  return NULL;
}

/* --- declarations ------------------------------------------------------------------------------------------------- */

static void test_types(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "typedef struct { float x, y; } point;\n"
      "__constant int table[2][3] = {{1, 2, 3}, {4}};\n"
      "__kernel void k(__global const point *restrict a, __local float b[], __read_only image2d_t im, uint4 v,\n"
      "                __constant volatile int *c) {\n"
      "  __local short tile[8], *t = tile;\n"
      "  const int n = 1;\n"
      "  __global const point *q = a;\n"
      "}\n",
      "");
  const tree_type *a = symbol(&f, "a")->type;
  assert_int_equal(a->kind, TREE_TYPE_POINTER);
  assert_true(a->is_restrict);
  assert_int_equal(a->element->space, TREE_SPACE_GLOBAL);
  assert_true(a->element->is_const);
  assert_int_equal(a->element->plain->record->field_count, 2);
  char *name = tree_plain_text(a->element);
  assert_string_equal(name, "point");
  free(name);
  assert_ptr_equal(symbol(&f, "q")->type->plain->element, a->element);
  assert_type(symbol(&f, "b")->type, "__local float *");
  assert_type(symbol(&f, "im")->type, "__read_only image2d_t");
  assert_type(symbol(&f, "v")->type, "uint4");
  assert_int_equal(symbol(&f, "v")->type->size, 16);
  assert_type(symbol(&f, "c")->type, "__constant volatile int *");
  assert_type(symbol(&f, "tile")->type, "__local short [8]");
  assert_type(symbol(&f, "t")->type, "__local short *");
  assert_type(symbol(&f, "n")->type, "const int");
  const tree_type *table = symbol(&f, "table")->type;
  assert_int_equal(table->count, 2);
  assert_int_equal(table->size, 24);
  assert_int_equal(table->element->count, 3);
  assert_int_equal(table->element->element->space, TREE_SPACE_CONSTANT);
  tree_fixture_close(&f);
}

/* What several declarators share belongs to each of them. */
static void test_declarators(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "static __constant int first = 1, second = 2;\n"
      "void k(const int n) {\n"
      "  unsigned int a = n, *b = &a, *const c = &a, d[2];\n"
      "  for (int i = 0, j = 3; i < j; i++) { }\n"
      "}\n",
      "");
  assert_true(symbol(&f, "second")->is_static);
  assert_string_equal(symbol(&f, "n")->type_text, "const int ");
  assert_string_equal(symbol(&f, "a")->type_text, "unsigned int ");
  assert_string_equal(symbol(&f, "b")->type_text, "unsigned int *");
  assert_string_equal(symbol(&f, "c")->type_text, "unsigned int *");
  assert_null(symbol(&f, "d")->type_text);
  assert_string_equal(symbol(&f, "j")->type_text, "int ");
  tree_fixture_close(&f);
}

static void test_symbols(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "int twice(int a) { return a * 2; }\n"
      "__kernel void k(__write_only image2d_t im, __global int *p) {\n"
      "  int a = twice(3);\n"
      "  for (int a = 0; a < 2; a++) { p[a] = a; }\n"
      "  { unsigned long a = 1; p[0] = a; }\n"
      "  p[1] = a;\n"
      "}\n",
      "");
  assert_true(symbol(&f, "k")->kernel);
  assert_false(symbol(&f, "twice")->kernel);
  assert_int_equal(symbol(&f, "im")->access, TREE_WRITE_ONLY);
  size_t seen = 0;
  for (const tree_node *n = f.tree->unit; n != NULL; n = tree_next(f.tree->unit, n)) {
    if (n->kind == TREE_NAME && strcmp(n->symbol->name, "a") == 0) {
      /* In twice, three in the loop's head and two in its body, the block's, the kernel's. */
      static const char *const types[] = {"int ", "int ", "int ", "int ", "int ", "unsigned long ", "int "};
      assert_true(seen < COUNT(types));
      assert_string_equal(n->symbol->type_text, types[seen]);
      seen++;
    }
  }
  assert_int_equal(seen, 7);
  tree_fixture_close(&f);
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

static void test_constants(void **state) {
  (void)state;
  static const struct {
    const char *expression;
    bool is_constant;
    int64_t value;
  } integers[] = {
      {"1 + 2 * 3", true, 7},
      {"7 / 2", true, 3},
      {"-7 / 2", true, -3},
      {"-7 % 3", true, -1},
      {"1 << 4 | 1", true, 17},
      {"1 << 33", true, 2},  /* by as many as the lowest five bits say */
      {"-8 >> 1", true, -4}, /* fills with the sign */
      {"0xffffffffu + 1", true, 0},
      {"0xffffffffffffffffUL", true, -1}, /* the bits; the type is unsigned */
      {"0xffffffffU", true, 4294967295},
      {"2147483647 + 1", false, 0},
      {"1 / 0", false, 0},
      {"(char)300", true, 44},
      {"(uchar)-1", true, 255},
      {"sizeof(int3)", true, 16},
      {"sizeof(struct s)", true, 16},
      {"sizeof(float[3]) / sizeof(float)", true, 3},
      {"BLUE + 1", true, 8},
      {"'a'", true, 97},
      {"'\\n'", true, 10},
      {"010 + 0x10 + 0b11", true, 27},
      {"1 ? 2 : n", true, 2},
      {"0 && n", true, 0},
      {"n && 0", false, 0},
      {"n", false, 0},
      {"(int)2.9f", true, 2},
      {"(int)1e20f", false, 0},
      {"3 > 2u", true, 1},
      {"-1 < 1u", true, 0}, /* -1 becomes the greatest number */
      {"!5", true, 0},
      {"~5", true, -6},
      {"true + true", true, 2},
      {"CLK_LOCAL_MEM_FENCE", true, 1},
      {"INT_MAX", true, 2147483647},
      {"9007199254740993", true, 9007199254740993},
  };
  for (size_t i = 0; i < COUNT(integers); i++) {
    char source[512];
    (void)snprintf(source, sizeof source,
                   "struct s { int a; float b[3]; };\nenum e { RED, BLUE = 7 };\n"
                   "void k(int n) { long x; x = %s; }\n",
                   integers[i].expression);
    tree_fixture f = tree_fixture_open(source, "");
    const tree_node *value = tree_plain(first_of(&f, TREE_ASSIGN)->children[1]);
    if ((value->constant.kind == TREE_INTEGER_CONSTANT) != integers[i].is_constant ||
        value->constant.integer != integers[i].value) {
      fail_msg("%s is %s%lld", integers[i].expression,
               value->constant.kind == TREE_INTEGER_CONSTANT ? "" : "no constant, ",
               (long long)value->constant.integer);
    }
    tree_fixture_close(&f);
  }
}

static void test_real_constants(void **state) {
  (void)state;
  static const struct {
    const char *expression;
    double value;
  } reals[] = {
      {"0.5f + 1", 1.5}, {"16777216.0f + 1.0f", 16777216.0}, {"0x1p-2f * 3", 0.75}, {"-(2.5f)", -2.5}, {"(float)7", 7},
  };
  for (size_t i = 0; i < COUNT(reals); i++) {
    char source[256];
    (void)snprintf(source, sizeof source, "void k(float x) { x = %s; }\n", reals[i].expression);
    tree_fixture f = tree_fixture_open(source, "");
    const tree_node *value = first_of(&f, TREE_ASSIGN)->children[1];
    assert_int_equal(value->constant.kind, TREE_FLOAT_CONSTANT);
    assert_true(value->constant.real == reals[i].value);
    tree_fixture_close(&f);
  }
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void test_statements(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "void k(int n, __global int *p) {\n"
      "  switch (n) { case 1 ... 3: p[0] = 1; break; case 4: default: ; }\n"
      "  for (;;) { if (n) goto out; else continue; }\n"
      "out: ;\n"
      "  __attribute__((opencl_unroll_hint(2))) while (n--) ;\n"
      "}\n",
      "");
  const tree_node *range = first_of(&f, TREE_CASE);
  assert_int_equal(range->children[0]->constant.integer, 1);
  assert_int_equal(range->children[1]->constant.integer, 3);
  assert_int_equal(range->children[2]->kind, TREE_EXPRESSION);
  assert_true(range->children[0]->not_executed);
  const tree_node *nested = tree_next_beyond(f.tree->unit, range);
  assert_int_equal(nested->kind, TREE_BREAK);
  nested = tree_next_beyond(f.tree->unit, nested);
  assert_null(nested->children[1]);
  assert_int_equal(nested->children[2]->kind, TREE_DEFAULT);
  const tree_node *loop = first_of(&f, TREE_FOR);
  assert_null(loop->children[0]);
  assert_null(loop->children[1]);
  assert_null(loop->children[2]);
  assert_ptr_equal(first_of(&f, TREE_GOTO)->symbol->declaration, first_of(&f, TREE_LABEL));
  const tree_node *hinted = first_of(&f, TREE_WHILE);
  span found[ATTRIBUTES_MOST];
  f.tree->text = &f.text; /* the fixture was moved */
  assert_int_equal(attributes_of(f.tree, hinted, found), 1);
  assert_int_equal(hinted->parent->kind, TREE_COMPOUND);
  tree_fixture_close(&f);
}

static void test_origins(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "#define ADD(x) ((x) + 1)\n"
      "void k(__global int *p) {\n"
      "  p[0] = ADD(p[1] * 2);\n"
      "}\n",
      "");
  const tree_node *sum = first_of(&f, TREE_ASSIGN)->children[1];
  while (sum->kind != TREE_BINARY) sum = sum->children[0];
  const pp_token *plus = &f.text.tokens[sum->token];
  assert_true(plus->in_macro_body);
  assert_int_equal(plus->spelled.line, 1);
  assert_int_equal(plus->spelled.column, 21);
  assert_int_equal(plus->expanded.line, 3);
  assert_int_equal(plus->expanded.column, 10);
  const pp_token *times = &f.text.tokens[tree_plain(sum->children[0])->token];
  assert_false(times->in_macro_body);
  assert_int_equal(times->spelled.line, 3);
  assert_int_equal(times->spelled.column, 19);
  tree_fixture_close(&f);
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static void test_builtins(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tree_builtin_kind kind;
  } known[] = {
      {"get_global_id", TREE_WORK_ITEM},
      {"get_global_offset", TREE_WORK_ITEM},
      {"barrier", TREE_BARRIER},
      {"work_group_barrier", TREE_BARRIER},
      {"sub_group_barrier", TREE_BARRIER},
      {"read_mem_fence", TREE_FENCE},
      {"atomic_work_item_fence", TREE_FENCE},
      {"atomic_add", TREE_ATOMIC_ANY},
      {"atom_cmpxchg", TREE_ATOMIC_ANY},
      {"atomic_load_explicit", TREE_ATOMIC_LOAD},
      {"atomic_store", TREE_ATOMIC_STORE},
      {"atomic_compare_exchange_strong", TREE_ATOMIC_ANY},
      {"read_imageui", TREE_IMAGE_READ},
      {"write_imagef", TREE_IMAGE_WRITE},
      {"get_image_width", TREE_IMAGE_QUERY},
      {"async_work_group_strided_copy", TREE_ASYNC_COPY},
      {"wait_group_events", TREE_ASYNC_WAIT},
      {"vload4", TREE_VECTOR_LOAD},
      {"vstore_half", TREE_VECTOR_STORE},
      {"native_sin", TREE_MATH},
      {"half_exp", TREE_MATH},
      {"fma", TREE_MATH},
      {"mad24", TREE_INTEGER},
      {"popcount", TREE_INTEGER},
      {"clamp", TREE_COMMON},
      {"dot", TREE_GEOMETRIC},
      {"isnan", TREE_RELATIONAL},
      {"select", TREE_RELATIONAL},
      {"convert_int4_sat_rte", TREE_CONVERSION},
      {"shuffle2", TREE_VECTOR_MISC},
      {"work_group_reduce_add", TREE_GROUP},
      {"sub_group_all", TREE_SUB_GROUP},
      {"printf", TREE_PRINTF},
      {"to_local", TREE_ADDRESS_SPACE},
  };
  for (size_t i = 0; i < COUNT(known); i++) {
    const tree_builtin *b = tree_find_builtin(known[i].name);
    if (b == NULL || b->kind != known[i].kind) fail_msg("%s", known[i].name);
  }
  assert_null(tree_find_builtin("barriers"));
  assert_null(tree_find_builtin("mine"));
}

/* What only gives a value, and what gives a group's work-items the same for the same arguments. */
static void test_builtin_properties(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool pure, uniform;
  } known[] = {
      {"get_group_id", true, true},
      {"get_global_id", true, false},
      {"get_local_linear_id", true, false},
      {"get_work_dim", true, true},
      {"mad24", true, true},
      {"max", true, true},
      {"mix", true, false},
      {"sin", true, false},
      {"cospi", true, false},
      {"fract", false, false},
      {"sincos", false, false},
      {"vload4", true, false},
      {"vstore4", false, false},
      {"atomic_load", false, false},
      {"atomic_inc", false, false},
      {"read_imagef", false, false},
      {"barrier", false, false},
      {"work_group_any", false, false},
      {"convert_int4", true, false},
      {"get_image_width", true, false},
      {"enqueue_kernel", false, false},
      {"get_pipe_num_packets", false, false},
      {"printf", false, false},
  };
  for (size_t i = 0; i < COUNT(known); i++) {
    const tree_builtin *b = tree_find_builtin(known[i].name);
    if (b == NULL || tree_builtin_is_pure(b) != known[i].pure || b->uniform != known[i].uniform)
      fail_msg("%s", known[i].name);
  }
}

/* A function of the program with the name of one of the language's is the program's. */
static void test_own_functions(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "float __attribute__((overloadable)) dot(int a) { return a; }\n"
      "void k(__global float *p) { p[0] = dot(3); p[1] = sin(p[0]); }\n",
      "");
  const tree_node *own = first_of(&f, TREE_CALL);
  assert_null(own->builtin);
  assert_int_equal(own->symbol->kind, TREE_SYMBOL_FUNCTION);
  tree_fixture_close(&f);
}

/* --- calls, guards, places ---------------------------------------------------------------------------------------- */

/* Lines of the decisions that guard the barriers of k, a list a barrier. */
static void test_guards(void **state) {
  (void)state;
  static const struct {
    const char *body;
    const char *lines;
  } cases[] = {
      {"barrier(1);\n", ";"},
      {"if (n)\n barrier(1);\n", "2;"},
      {"for (int i = 0; i < n; i++)\n if (p[i])\n  barrier(1);\n", "2 3;"},
      {"if (n) return;\nbarrier(1);\n", "2;"},
      {"barrier(1);\nif (n) return;\n", ";"},
      {"for (;;) {\n if (n) break;\n barrier(1);\n}\n", "3;"},
      {"while (n--) {\n if (p[0]) continue;\n p[1] = 1;\n}\nbarrier(1);\n", ";"},
      {"switch (n) {\n case 1: barrier(1); break;\n default: break;\n}\n", "2;"},
      {"if (n) goto out;\nbarrier(1);\nout: p[0] = 1;\n", "2;"},
      {"do {\n if (p[0])\n  p[1] = 2;\n barrier(1);\n} while (n--);\n", "2;"},
      {"if (n)\n w(p);\nw(p);\n", "2;;"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char source[512];
    (void)snprintf(source, sizeof source,
                   "void w(__global int *p) { p[0] = 1; barrier(1); } __kernel void k(__global int *p, int n) {\n%s}\n",
                   cases[i].body);
    tree_fixture f = tree_fixture_open(source, "");
    const tree_graph g = tree_graph_read(f.tree);
    const tree_graph_function *k = tree_graph_find(&g, symbol(&f, "k"));
    buffer lines = {0};
    for (size_t b = 0; b < k->waits.count; b++) {
      const tree_node_list guards = tree_guards(k, k->waits.items[b]);
      for (size_t d = 0; d < guards.count; d++)
        buffer_printf(&lines, "%s%u", d == 0 ? "" : " ", f.text.tokens[guards.items[d]->tokens.first].spelled.line);
      buffer_putc(&lines, ';');
      free(guards.items);
    }
    if (strcmp(buffer_text(&lines), cases[i].lines) != 0)
      fail_msg("%s: %s instead of %s", cases[i].body, buffer_text(&lines), cases[i].lines);
    buffer_free(&lines);
    tree_fixture_close(&f);
  }
}

static void test_calls(void **state) {
  (void)state;
  tree_fixture f = tree_fixture_open(
      "int a(int n);\n"
      "int b(int n) { return a(n - 1); }\n"
      "int a(int n) { return n ? b(n) : 0; }\n"
      "int c(int n) { for (int i = 0; i < n; i++) { while (n--) { } } return a(n) + a(1); }\n",
      "");
  const tree_graph g = tree_graph_read(f.tree);
  assert_int_equal(g.count, 3);
  const tree_graph_function *c = tree_graph_find(&g, symbol(&f, "c"));
  assert_int_equal(c->calls.count, 2);
  assert_int_equal(c->loops.count, 2);
  assert_int_equal(tree_loop_depth(c->loops.items[1]), 1);
  assert_false(c->reaches_barrier);
  tree_fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_symbols),
      cmocka_unit_test(test_declarators),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_real_constants),
      cmocka_unit_test(test_statements),
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_builtins),
      cmocka_unit_test(test_builtin_properties),
      cmocka_unit_test(test_own_functions),
      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
