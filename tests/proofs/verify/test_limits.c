/* The engine on sources that nobody wrote for it: very large, very deep, broken, empty, or too hard. It answers for each kernel,
 * or with one sentence, within its limits.
 *   verify_limits ENGINE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "tests/proofs/verify/engine.h"

static const char *engine;

/* Seconds for a kernel, and those that reading, compiling and ending may take beside that: a sanitised build is slow, and other work
 * may be on the machine. */
static const double LIMIT = 0.5, BESIDE = 60;

/* --- sources ------------------------------------------------------------------------------------------------------ */

static const char head[] = "kernel void k(global int *a, local int *t, int n) {\n  const int i = get_global_id(0);\n";

static void many_lines(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  int x = n;\n");
  for (int line = 0; line < 5000; line++) buffer_printf(b, "  x = x * 3 + (x >> %d);\n", line % 7);
  buffer_puts(b, "  a[i] = x;\n}\n");
}

static void many_accesses(buffer *b) {
  buffer_puts(b, head);
  for (int line = 0; line < 5000; line++)
    buffer_printf(b, "  a[i * 5000 + %d] = a[i * 5000 + %d] + n;\n", line, 4999 - line);
  buffer_puts(b, "}\n");
}

static void many_branches(buffer *b) {
  buffer_puts(b, head);
  for (int line = 0; line < 1000; line++) buffer_printf(b, "  if (a[i] > %d) {\n    a[i] = %d;\n  }\n", line, line / 2);
  buffer_puts(b, "}\n");
}

static void nested_ifs(buffer *b) {
  buffer_puts(b, head);
  for (int depth = 0; depth < 250; depth++) /* clang nests brackets no deeper than 256 */
    buffer_printf(b, "if (n > %d && a[i] != %d) {\n", depth, depth);
  buffer_puts(b, "a[i] = 1;\n");
  for (int depth = 0; depth < 250; depth++) buffer_puts(b, "}\n");
  buffer_puts(b, "}\n");
}

/* Without brackets clang takes 300 of them, too. */
static void nested_plain_ifs(buffer *b) {
  buffer_puts(b, head);
  for (int depth = 0; depth < 300; depth++) buffer_printf(b, "if (a[i + %d] != n)\n", depth);
  buffer_puts(b, "a[i] = 1;\n}\n");
}

static void barriers_in_loops(buffer *b) {
  buffer_puts(b, head);
  for (int depth = 0; depth < 8; depth++) {
    buffer_printf(b, "for (int j%d = 0; j%d < n; j%d++) {\n", depth, depth, depth);
    for (int k = 0; k < 5; k++)
      buffer_printf(b, "t[get_local_id(0) + %d] += j%d;\nbarrier(CLK_LOCAL_MEM_FENCE);\n", k, depth);
  }
  for (int depth = 0; depth < 8; depth++) buffer_puts(b, "}\n");
  buffer_puts(b, "}\n");
}

static void nested_loops(buffer *b) {
  buffer_puts(b, head);
  for (int depth = 0; depth < 60; depth++)
    buffer_printf(b, "for (int j%d = 0; j%d < n; j%d++) {\n", depth, depth, depth);
  buffer_puts(b, "a[i] += 1;\n");
  for (int depth = 0; depth < 60; depth++) buffer_puts(b, "}\n");
  buffer_puts(b, "}\n");
}

static void macros(buffer *b) { /* each names the one before twice: 2^12 statements */
  buffer_puts(b, "#define M0 x += a[i];\n");
  for (int level = 1; level <= 12; level++) buffer_printf(b, "#define M%d M%d M%d\n", level, level - 1, level - 1);
  buffer_puts(b, head);
  buffer_puts(b, "  int x = 0;\n  M12\n  a[i] = x;\n}\n");
}

static void macro_of_itself(buffer *b) {
  buffer_puts(b, "#define f(x) f((x) + 1)\n#define A B\n#define B A\nint(f)(int x) {\n  return x;\n}\n");
  buffer_puts(b, "kernel void k(global int *a) {\n  int A = 0;\n  a[f(get_global_id(0))] = A;\n}\n");
}

static void long_expression(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  a[i] = 0");
  for (int term = 0; term < 2000; term++) buffer_printf(b, " + n * %d", term);
  buffer_puts(b, ";\n}\n");
}

static void many_arguments(buffer *b) {
  buffer_puts(b, "kernel void k(");
  for (int argument = 0; argument < 400; argument++) buffer_printf(b, "global int *a%d, int n%d, ", argument, argument);
  buffer_puts(b, "global int *a) {\n  a[get_global_id(0)] = n399;\n}\n");
}

static void many_labels(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  switch (n) {\n");
  for (int label = 0; label < 500; label++) buffer_printf(b, "  case %d:\n    a[i + %d] = 1;\n", label * 3, label % 2);
  buffer_puts(b, "  }\n}\n");
}

static void large_private(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  int mine[1000000];\n  mine[n] = i;\n  a[i] = mine[n + 1];\n}\n");
}

static void large_structure(buffer *b) {
  buffer_puts(b, "struct s {\n  int a[3000];\n};\n");
  buffer_puts(b,
              "kernel void k(global struct s *a) {\n  struct s mine = a[get_global_id(0)];\n  a[get_global_id(0) + 1] "
              "= mine;\n}\n");
}

static void no_end(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  for (;;) {\n    a[i] += 1;\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n}\n");
}

static void no_way(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  while (1)\n    ;\n  a[i] = 1;\n}\nkernel void l(void) {\n}\n");
}

static void calls_itself(buffer *b) {
  buffer_puts(b, "int f(int x) {\n  return x > 0 ? f(x - 1) : 0;\n}\n");
  buffer_puts(b, head);
  buffer_puts(b, "  a[i] = f(n);\n}\n");
}

static void calls_nobody(buffer *b) {
  buffer_puts(b, "int f(global int *x);\n");
  buffer_puts(b, head);
  buffer_puts(b, "  a[i] = f(a);\n}\n");
}

static void loops_into_each_other(buffer *b) { /* no loop of LLVM's: two ways in */
  buffer_puts(b, head);
  buffer_puts(
      b,
      "  int j = 0;\n  if (n > 3)\n    goto second;\nfirst:\n  a[i] = j++;\nsecond:\n  a[i] += j;\n  if (j < n)\n    "
      "goto first;\n}\n");
}

static void computed(buffer *b) {
  buffer_puts(b, head);
  buffer_puts(b, "  size_t p = (size_t)a + n;\n  *(global int *)p = i;\n}\n");
}

static void pointers_in_memory(buffer *b) {
  buffer_puts(b,
              "kernel void k(global int *a, global size_t *p) {\n  global int *global *q = (global int *global *)p;\n"
              "  *q[get_global_id(0)] = 1;\n}\n");
}

static void hard(buffer *b) { /* a product of hashes: nothing that a solver can do in time */
  buffer_puts(b, "kernel void k(global int *a, ulong x) {\n  ulong h = get_global_id(0) ^ x;\n");
  for (int round = 0; round < 12; round++) buffer_puts(b, "  h = (h ^ h >> 29) * (h | 0x9E3779B97F4A7C15ul);\n");
  buffer_puts(b, "  a[h] = get_global_id(0);\n}\n");
}

static void missing_header(buffer *b) { buffer_puts(b, "#include \"nowhere.h\"\nkernel void k(void) {\n}\n"); }
static void itself_included(buffer *b) { buffer_puts(b, "#include __FILE__\nkernel void k(void) {\n}\n"); }
static void wrong_syntax(buffer *b) { buffer_puts(b, "kernel void k(global int *a) {\n  a[0 = 1;\n}\n"); }
static void wrong_type(buffer *b) { buffer_puts(b, "kernel void k(global int *a) {\n  a = 1.0f;\n}\n"); }
static void nothing(buffer *b) { buffer_puts(b, ""); }
static void no_kernel(buffer *b) { buffer_puts(b, "int f(int x) {\n  return x;\n}\n"); }
static void only_comment(buffer *b) { buffer_puts(b, "/* no end"); }
static void backslash(buffer *b) { buffer_puts(b, "kernel void k(global int *a) { a[get_global_id(0)] = 1; }\\"); }
static void wrong_directive(buffer *b) { buffer_puts(b, "#if\n#else\nkernel void k(void) {\n}\n"); }

/* --- what has to come ----------------------------------------------------------------------------------------------- */

typedef struct limit_case {
  const char *name;
  void (*write)(buffer *b);
  int answers;      /* kernels; -1: a sentence and exit status 1 */
  const char *says; /* a part of the sentence, or the verdict of the first kernel; NULL: any */
} limit_case;

static const limit_case cases[] = {
    {"many lines", many_lines, 1, NULL},
    {"many accesses", many_accesses, 1, NULL},
    {"many branches", many_branches, 1, NULL},
    {"nested ifs", nested_ifs, 1, NULL},
    {"nested plain ifs", nested_plain_ifs, 1, NULL},
    {"barriers in loops", barriers_in_loops, 1, NULL},
    {"nested loops", nested_loops, 1, NULL},
    {"macros", macros, 1, NULL},
    {"macro of itself", macro_of_itself, 1, "verified"},
    {"long expression", long_expression, 1, "verified"},
    {"many arguments", many_arguments, 1, "verified"},
    {"many labels", many_labels, 1, NULL},
    {"large private", large_private, 1, NULL},
    {"large structure", large_structure, 1, NULL},
    {"no end", no_end, 1, NULL},
    {"no way", no_way, 2, NULL},
    {"calls itself", calls_itself, 1, NULL},
    {"calls nobody", calls_nobody, 1, "unsupported"},
    {"loops into each other", loops_into_each_other, 1, NULL},
    {"computed", computed, 1, NULL},
    {"pointers in memory", pointers_in_memory, 1, "unsupported"},
    {"hard", hard, 1, NULL},
    {"missing header", missing_header, -1, "nowhere.h"},
    {"itself included", itself_included, -1, "kernels.cl"},
    {"wrong syntax", wrong_syntax, -1, "kernels.cl:2"},
    {"wrong type", wrong_type, -1, "kernels.cl:2"},
    {"nothing", nothing, 0, NULL},
    {"no kernel", no_kernel, 0, NULL},
    {"only comment", only_comment, -1, "comment"},
    {"backslash", backslash, 1, "verified"},
    {"wrong directive", wrong_directive, -1, "kernels.cl:1"},
};

static const char *verdict_of(const engine_run *run) {
  const char *verdict = json_string_value(json_object_get(json_array_get(run->answers, 0), "verdict"));
  return verdict == NULL ? "no verdict" : verdict;
}

static void check_sentence(const engine_run *run, const char *says) {
  const json_t *line = json_array_get(run->answers, 0);
  const char *text = json_string_value(json_object_get(line, "error"));
  assert_int_equal(run->code, 1);
  assert_int_equal(json_array_size(run->answers), 1);
  assert_non_null(text);
  assert_true(json_is_integer(json_object_get(line, "code")));
  if (strchr(text, '\n') != NULL || (says != NULL && strstr(text, says) == NULL))
    fail_msg("this is no sentence about \"%s\": %s", says, text);
}

static void check_answers(const engine_run *run, int answers, const char *says) {
  assert_int_equal(run->code, 0);
  assert_int_equal(json_array_size(run->answers), answers);
  for (size_t i = 0; i < json_array_size(run->answers); i++) {
    char *wrong = engine_malformed(json_array_get(run->answers, i));
    if (wrong != NULL) fail_msg("%s", wrong);
  }
  if (says != NULL) assert_string_equal(verdict_of(run), says);
}

static engine_run ask(const char *source, double timeout) {
  json_t *request = json_pack("{s:s,s:s,s:f}", "source", source, "file", "kernels.cl", "timeout", timeout);
  const engine_run run = engine_ask_json(engine, request, 120);
  json_decref(request);
  return run;
}

static void test_case(void **state) {
  const limit_case *c = *state;
  buffer source = {0};
  c->write(&source);
  engine_run run = ask(buffer_text(&source), LIMIT);
  print_message("%s: %.1f seconds, %s\n", c->name, run.seconds, verdict_of(&run));
  if (c->answers < 0) {
    check_sentence(&run, c->says);
  } else {
    check_answers(&run, c->answers, c->says);
    assert_true(run.seconds < LIMIT + BESIDE);
  }
  engine_free(&run);
  buffer_free(&source);
}

/* --- other limits --------------------------------------------------------------------------------------------------- */

/* A kernel that is too hard ends at its limit, says so, and does not keep others of the source from their answers. */
static void test_time_limit(void **state) {
  (void)state;
  buffer source = {0};
  hard(&source);
  buffer_puts(&source, "kernel void easy(global int *a) {\n  a[get_global_id(0)] = 1;\n}\n");
  engine_run run = ask(buffer_text(&source), 1);
  assert_int_equal(run.code, 0);
  assert_int_equal(json_array_size(run.answers), 2);
  assert_string_equal(json_string_value(json_object_get(engine_answer(&run, "easy"), "verdict")), "verified");
  assert_string_equal(json_string_value(json_object_get(engine_answer(&run, "k"), "verdict")), "unknown");
  assert_true(run.seconds < 1 + BESIDE);
  engine_free(&run);
  buffer_free(&source);
}

/* Text that is no UTF-8 cannot stand in a request: what asks has to replace it. */
static void test_not_utf8(void **state) {
  (void)state;
  static const char request[] = "{\"source\": \"kernel void k(void) { } // \xff\xfe\"}";
  engine_run run = engine_ask(engine, request, sizeof request - 1, 60);
  check_sentence(&run, "decode");
  engine_free(&run);
  run = ask("// caf\xc3\xa9 \xe2\x82\xac\nkernel void k(global int *a) { a[get_global_id(0)] = 1; }\n", LIMIT);
  check_answers(&run, 1, "verified");
  engine_free(&run);
}

int main(int argc, char **argv) {
  enum { COUNT = sizeof cases / sizeof *cases };
  struct CMUnitTest tests[COUNT + 2] = {cmocka_unit_test(test_time_limit), cmocka_unit_test(test_not_utf8)};
  if (argc != 2) {
    (void)fprintf(stderr, "usage: verify_limits ENGINE\n");
    return 1;
  }
  engine = argv[1];
  for (size_t i = 0; i < COUNT; i++) {
    tests[i + 2] =
        (struct CMUnitTest){.name = cases[i].name, .test_func = test_case, .initial_state = (void *)&cases[i]};
  }
  return _cmocka_run_group_tests("verify_limits", tests, COUNT + 2, NULL, NULL);
}
