/* Classes of words, from clang's tokens, also of text that is no program. */
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
#include "frontend/frontend.h"
#include "runner/isolate.h"
#include "tests/fixtures/ok.h"

static const char names[HIGHLIGHT_CLASSES] = {
    [HIGHLIGHT_KEYWORD] = 'k', [HIGHLIGHT_TYPE] = 't',    [HIGHLIGHT_BUILTIN] = 'b',
    [HIGHLIGHT_LITERAL] = 'l', [HIGHLIGHT_COMMENT] = 'c', [HIGHLIGHT_DIRECTIVE] = 'd',
};

/* Spans are in order, inside the text, and do not overlap. */
static void assert_sound(const highlight_text *t) {
  uint32_t after = 0;
  for (size_t i = 0; i < t->span_count; i++) {
    assert_true(t->spans[i].offset >= after);
    assert_true(t->spans[i].length > 0 && t->spans[i].what < HIGHLIGHT_CLASSES);
    after = t->spans[i].offset + t->spans[i].length;
    assert_true(after <= t->length);
  }
}

/* "k:__kernel t:void b:get_global_id" */
static void assert_spans(const char *text, const char *wanted) {
  error e;
  highlight_text t = {.text = text, .length = strlen(text)};
  buffer seen = {0};
  OK(highlight(&t, &e));
  assert_sound(&t);
  for (size_t i = 0; i < t.span_count; i++) {
    buffer_printf(&seen, "%s%c:%.*s", i == 0 ? "" : " ", names[t.spans[i].what], (int)t.spans[i].length,
                  text + t.spans[i].offset);
  }
  assert_string_equal(buffer_text(&seen), wanted);
  buffer_free(&seen);
  free(t.spans);
}

static void test_a_kernel(void **state) {
  (void)state;
  assert_spans(
      "__kernel void k(__global float4 *a, const uint n) { // all\n"
      "  int i = get_global_id(0);\n"
      "  if (i < n) a[i] *= 2.5f; /* twice\n and more */\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n}\n",
      "k:__kernel t:void k:__global t:float4 k:const t:uint c:// all t:int b:get_global_id l:0 k:if l:2.5f "
      "c:/* twice\n and more */ b:barrier b:CLK_LOCAL_MEM_FENCE");
}

static void test_words_without_underscores(void **state) {
  (void)state;
  assert_spans("kernel void k(global half *a, local image2d_t b, constant ulong16 *c);",
               "k:kernel t:void k:global t:half k:local t:image2d_t k:constant t:ulong16");
}

static void test_names_of_the_program(void **state) {
  (void)state;
  assert_spans("int max; int clamped(int i) { return max + clamp(i, 0, 9); }\nfloat5 x;",
               "t:int t:int t:int k:return b:clamp l:0 l:9"); /* `max` is not called; there is no float5 */
}

/* All that the table of functions has are the language's. */
static void test_functions(void **state) {
  (void)state;
  assert_spans("int a = read_pipe(p, &x) + vec_step(float3) + get_default_queue() + to_globe(y);",
               "t:int b:read_pipe k:vec_step t:float3 b:get_default_queue");
}

static void test_directives(void **state) {
  (void)state;
  assert_spans("#define TWICE(x) \\\n  ((x) * 2)\n  # if defined(A)\n#include \"a.h\"\n#endif // A\n",
               "d:# d:define l:2 d:# d:if d:# d:include l:\"a.h\" d:# d:endif c:// A");
}

static void test_macro_arguments(void **state) {
  (void)state;
  assert_spans("#define S(a) #a\n", "d:# d:define");
}

/* What no compiler takes has words all the same, or none; nothing is opened that the text names. */
static void test_no_program(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t length;
  } texts[] = {
      {"", 0},
      {"/* never ends", 13},
      {"\"never ends\n'", 12},
      {"int \0 x; \xff\xfe\x80 float", 19},
      {"#include \"/dev/zero\"\n#include </dev/stdin>\nint x;", 48},
      {"#if 1\n#else\n#elif\n((((((((((((((((((((((", 38},
      {"\xef\xbb\xbfint bom;", 11},
      {"\\\n\\\n\\", 5},
      {"\?\?=define", 9},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    error e;
    highlight_text t = {.text = texts[i].text, .length = texts[i].length};
    OK(highlight(&t, &e));
    assert_sound(&t);
    free(t.spans);
  }
}

static void test_a_long_line(void **state) {
  (void)state;
  error e;
  buffer text = {0};
  for (int i = 0; i < 20000; i++) buffer_puts(&text, "int x = 1; ");
  highlight_text t = {.text = text.data, .length = text.length};
  OK(highlight(&t, &e));
  assert_sound(&t);
  assert_int_equal(t.span_count, 40000);
  free(t.spans);
  buffer_free(&text);
}

/* In a process of its own: the same spans, text by text. */
static void test_isolated(void **state) {
  (void)state;
  highlight_text texts[] = {{.text = "int a;", .length = 6}, {.text = "", .length = 0}, {.text = "// b", .length = 4}};
  isolated_highlight(texts, 3);
  assert_int_equal(texts[0].span_count, 1);
  assert_int_equal(texts[0].spans[0].what, HIGHLIGHT_TYPE);
  assert_int_equal(texts[1].span_count, 0);
  assert_int_equal(texts[2].span_count, 1);
  assert_int_equal(texts[2].spans[0].what, HIGHLIGHT_COMMENT);
  for (size_t i = 0; i < 3; i++) {
    assert_false(texts[i].failed);
    free(texts[i].spans);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_kernel),
      cmocka_unit_test(test_words_without_underscores),
      cmocka_unit_test(test_names_of_the_program),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_directives),
      cmocka_unit_test(test_macro_arguments),
      cmocka_unit_test(test_no_program),
      cmocka_unit_test(test_a_long_line),
      cmocka_unit_test(test_isolated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
