/* The preprocessor: expansion by the examples of the C standard, origins of tokens, questions, options, headers,
 * errors, and rubbish. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "frontend/preprocess.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct run {
  int status;
  pp_result result;
  error error;
} run;

static run preprocess(const char *source, const char *options) {
  pp_input in = {.name = "kernel.cl", .text = source, .length = strlen(source), .options = options};
  run r = {0};
  r.status = pp_run(&in, &r.result, &r.error);
  return r;
}

/* Checks what holds for every result: ranges in order, places that agree with the files' text. */
static void check_tokens(const pp_result *r) {
  uint32_t at = 0;
  for (size_t i = 0; i < r->token_count; i++) {
    const pp_token *t = &r->tokens[i];
    assert_true(t->begin >= at && t->end > t->begin && t->end <= r->length);
    for (; at < t->begin; at++) assert_true(r->text[at] == ' ' || r->text[at] == '\n');
    at = t->end;
    const pp_position *places[] = {&t->spelled, &t->expanded};
    for (size_t k = 0; k < 2; k++) {
      assert_true(places[k]->file < r->file_count);
      assert_true(places[k]->offset < r->files[places[k]->file].length);
      assert_true(places[k]->line >= 1 && places[k]->column >= 1 && places[k]->column <= places[k]->offset + 1);
    }
    assert_true(t->spelled.offset + t->spelled_length <= r->files[t->spelled.file].length);
  }
  assert_string_equal(r->text + at, "\n");
}

typedef struct expectation {
  const char *source, *options, *text;
} expectation;

static void check_texts(const expectation *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    run r = preprocess(cases[i].source, cases[i].options);
    if (r.status != 0 || strcmp(r.result.text, cases[i].text) != 0)
      print_error("source:\n%s\ngives: %s\n%s", cases[i].source, r.error.text, r.result.text);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.result.text, cases[i].text);
    assert_int_equal(r.result.question_count, 0);
    check_tokens(&r.result);
    pp_result_free(&r.result);
  }
}

static void expands_the_examples_of_the_standard(void **state) {
  (void)state;
  static const expectation cases[] = {
      /* C11 6.10.3.5, example 3 */
      {"#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n"
       "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n"
       "#define str(x) # x\n"
       "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
       "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
       NULL,
       "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n"
       "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))\n   ^m(0,1);\n"
       "int i[] = { 1, 23, 4, 5, };\nchar c[2][6] = { \"hello\", \"\" };\n"},
      /* example 4 */
      {"#define str(s) # s\n#define xstr(s) str(s)\n"
       "#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n x ## s, x ## t)\n"
       "#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n"
       "#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\ndebug(1, 2);\n"
       "fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n == 0) str(: @\\n), s);\n"
       "xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n",
       NULL,
       "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);\n"
       "fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\"\n       \": @\\n\", s);\n"
       "\"vers2.h\"\n\"hello\";\n\"hello\" \", world\"\n"},
      /* example 5 */
      {"#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), "
       "t(,,) };\n",
       NULL, "int j[] = { 123, 45, 67, 89,\n10, 11, 12, };\n"},
      /* example 7 */
      {"#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n"
       "#define report(test, ...) ((test)?puts(#test):\\\n printf(__VA_ARGS__))\ndebug(\"Flag\");\n"
       "debug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\nreport(x>y, \"x is %d\", x);\n",
       NULL,
       "fprintf(stderr, \"Flag\");\nfprintf(stderr, \"X = %d\\n\", x);\n"
       "puts(\"The first, second, and third items.\");\n((x>y)?puts(\"x>y\"): printf(\"x is %d\", x));\n"},
      /* 6.10.3.3: # and ## of # ## # is no operator */
      {"#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
       "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);\n",
       NULL, "char p[] = \"x ## y\";\n"},
      /* 6.10.3.4: nested use of the same macro */
      {"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n", NULL, "2*9*g\n"},
  };
  check_texts(cases, COUNT(cases));
}

static void expands_macros(void **state) {
  (void)state;
  static const expectation cases[] = {
      {"#define A B\n#define B A\nA B\n", NULL, "A B\n"},
      {"#define f(x) x\nf\nf (1) f\n(2) f(f)(3)\n", NULL, "f\n1 2\n    f(3)\n"},
      {"#define f(x, y) x-y\nf((1,2), (g(3, 4)))  f( , ) f(,2)\n", NULL, "(1,2)-(g(3, 4)) - -2\n"},
      {"#define f() 1\nf() f( ) f(/* c */)\n", NULL, "1 1 1\n"},
      {"#define f(x, y) x + y\nint a = f(1,\n\n  2); int b;\nint c;\n", NULL, "int a = 1 + 2\n    ; int b;\nint c;\n"},
      {"#define E\n#define P +\n+P -E-1 E.5 x E y\n", NULL, "+ + - -1 .5 x y\n"},
      {"#define P(x) +x\n#define D .\n1 P(+) D D. <D% a/D\n", NULL, "1 + + . . . <.% a/.\n"},
      {"#define S /\nS* x *S\n", NULL, "/ * x */\n"},
      {"#define L(x) x\nL(a)L(\"b\") L(1)L(2) L(a)L(1) L(1)L(.) L(-)L(->) L(:)L(>)\n", NULL,
       "a \"b\" 1 2 a 1 1 . - -> : >\n"},
      /* variadic macros */
      {"#define v(f, ...) g(f, ## __VA_ARGS__)\nv(1) v(1,) v(1, 2) v(1,2, 3)\n", NULL, "g(1) g(1) g(1, 2) g(1,2, 3)\n"},
      {"#define v(f, rest...) g(f, rest)\nv(1, 2, 3) v(1)\n", NULL, "g(1, 2, 3) g(1, )\n"},
      {"#define c(a, ...) a ## __VA_ARGS__\nc(x, y, z)\n", NULL, "xy, z\n"},
      {"#define s(...) #__VA_ARGS__\ns() s( a ,  b ) s(\"\\n\", '\"') s(\\) s(a\n  b)\n", NULL,
       "\"\" \"a , b\" \"\\\"\\\\n\\\", '\\\"'\" \"\" \"a b\"\n"},
      /* pasting makes new names that expand again, operands of ## do not */
      {"#define AB 1\n#define A 2\n#define c(x, y) x ## y\n#define d(x, y) c(x, y)\nc(A, B) d(A, B) c(A,) c(., 5)\n",
       NULL, "1 2B 2 .5\n"},
      {"#define c(x, y) x ## y\nc(c, c(1, 2))\nc(<, <=) c(L, 'a') c(1e, 5)\n", NULL, "cc(1, 2)\n<<= L'a' 1e5\n"},
      /* directives within the arguments */
      {"#define f(x) <x>\nf(1\n#undef f\n#define f 3\n 2) f\n", NULL, "<1 2>\n    3\n"},
      {"#define f(x) x\nf(\n#if 0\n1\n#else\n2\n#endif\n)\n", NULL, "2\n"},
      /* digraphs, splices, comments, odd line ends */
      {"%:define f(x) <: x%:%:1, %: x :>\nf(a )\n", NULL, "<: a1, \"a\" :>\n"},
      {"#def\\\nine A\\\n  1 /* a\n b */ 2\nA fo\\\r\no // x \\\n y\nz\n", NULL, "1 2 foo\nz\n"},
      {"a\r\n  b\rc", NULL, "a\n  b\nc\n"},
      {"#define f(x) #x\nf(\"/*\") /* \" */ f('//') // '\nit's f(1) /* x\nb\n", NULL,
       "\"\\\"/*\\\"\" \"'//'\"\nit's f(1) /* x\nb\n"},
      {"", NULL, "\n"},
      {"\xEF\xBB\xBFint a;", NULL, "   int a;\n"},
  };
  check_texts(cases, COUNT(cases));
}

static void expands_built_in_macros(void **state) {
  (void)state;
  static const expectation cases[] = {
      {"__LINE__ \\\n__LINE__\n__FILE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__\n", NULL, "1\n2\n__FILE__ 0 1 0\n"},
      {"#define L __LINE__\n#define f(x) x __LINE__\n\nL f(\n__LINE__)\n", NULL, "4 5 5\n"},
      {"#ifdef __LINE__\n1\n#endif\n#if __LINE__ == 4 && defined(__FILE__)\n2\n#endif\n", NULL, "1\n2\n"},
      {"#define c(a, b) a ## b\n#define d(a, b) c(a, b)\nd(x, __LINE__)\n", NULL, "x3\n"},
      {"__DATE__ M_PI __OPENCL_VERSION__\n", NULL, "__DATE__ M_PI __OPENCL_VERSION__\n"},
      {"_Pragma(\"unroll\") for\n", NULL, "_Pragma(\"unroll\") for\n"},
  };
  check_texts(cases, COUNT(cases));
}

static void obeys_directives(void **state) {
  (void)state;
  static const expectation cases[] = {
      {"#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif\n", NULL, "a\n"},
      {"#if 0\na\n#if 1\nb\n#else\nc\n#endif\n#elif 1\nd\n#elif 1\ne\n#else\nf\n#endif\ng\n", NULL, "d\ng\n"},
      {"#if 0\n#bogus don't /* x\n*/ #include \"nowhere\"\n#error no\n#else\na\n#endif\n", NULL, "a\n"},
      {"#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#else\nc\n#endif\n#undef A\n#ifdef A\nd\n#endif\n#if "
       "A\ne\n#endif\n",
       NULL, "a\nc\n"},
      {"#\n# /* c */ define /* c */ A /* c */ 1 // x\nA\n#line 77 \"x\"\n# 78 \"y\"\n#warning w\n#ident "
       "\"x\"\n__LINE__\n",
       NULL, "1\n80\n"},
      {"  # pragma  unroll\\\n 4 // x\nA\n#pragma once\n#define unroll 1\n#pragma unroll unroll\nx", NULL,
       "  #pragma unroll 4\nA\n#pragma unroll 1\nx\n"},
      {"#define A(x) x\nA(1\n#pragma p\n2) 3\n", NULL, "#pragma p\n1 2\n   3\n"},
      {"#if 0\n#else junk\n1\n#endif junk\n", NULL, "1\n"},
      {"#if 0\n#ifdef\n#elif\n#endif\n#endif\n1\n", NULL, "1\n"},
  };
  check_texts(cases, COUNT(cases));
}

static const struct {
  const char *condition;
  bool value;
} conditions[] = {
    {"1", true},
    {"0", false},
    {"-1 < 0", true},
    {"-1 > 0u", true},
    {"1 + 2 * 3 == 7", true},
    {"(1 + 2) * 3 == 9", true},
    {"10 - 4 - 3 == 3", true},
    {"7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", true},
    {"1 << 4 >> 2 == 4", true},
    {"-8 >> 1 == -4", true},
    {"0x7fffffffffffffff + 1 < 0", true},
    {"0xffffffffffffffff > 0", true},
    {"18446744073709551615 == -1", true},
    {"~0 == -1 && ~0u > 0", true},
    {"!0 == 1 && !5 == 0", true},
    {"0 && 1/0", false},
    {"1 || 1/0", true},
    {"1 ? 2 : 1/0", true},
    {"0 ? 1/0 : 0", false},
    {"0 ? 1 : 0 ? 2 : 3", true},
    {"(1 ? -1 : 0u) > 0", true},
    {"1, 0", false},
    {"'a' == 97 && '\\n' == 10 && '\\x41' == 65 && '\\101' == 65", true},
    {"'\\377' < 0 && L'\\377' > 0", true},
    {"'ab' == 24930", true},
    {"0b101 == 5 && 017 == 15 && 0xAuLL == 10", true},
    {"3 & 6 ^ 1 | 8", true},
    {"(3 & 6 ^ 1 | 8) == 11", true},
    {"1 == 1 == 1 != 0", true},
    {"2 > 1 >= 1", true},
    {"- - 1 == + 1", true},
    {"(-9223372036854775807 - 1) / -1 < 0", true},
    {"(-9223372036854775807 - 1) % -1", false},
    {"1 << 64", false},
    {"defined A && defined(A) && !defined B", true},
    {"A == 4 && F(2) == 4", true},
    {"B", false},
    {"defined A == 1 ? F(0) : 1/0", false},
    {"SELF", false},
    {"F", false},
    {"HAS", true},
    /* what the device alone knows must not matter here */
    {"0 && UNKNOWN", false},
    {"1 || UNKNOWN(1, (2))", true},
    {"UNKNOWN && 0", false},
    {"UNKNOWN > 1 || A", true},
    {"defined(UNKNOWN) && B", false},
    {"1 ? 0 : UNKNOWN", false},
    {"1 || __has_builtin(foo)", true},
};

static void evaluates_conditions(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(conditions); i++) {
    char source[512];
    (void)snprintf(source, sizeof source,
                   "#define A 4\n#define F(x) (x * 2)\n#define SELF SELF\n#define HAS defined(A)\n#undef B\n"
                   "#if %s\nyes\n#else\nno\n#endif\n",
                   conditions[i].condition);
    run r = preprocess(source, NULL);
    if (r.status != 0 || r.result.question_count != 0) print_error("%s: %s\n", conditions[i].condition, r.error.text);
    assert_int_equal(r.status, 0);
    assert_int_equal(r.result.question_count, 0);
    assert_string_equal(r.result.text, conditions[i].value ? "yes\n" : "no\n");
    pp_result_free(&r.result);
  }
}

static void asks_the_device(void **state) {
  (void)state;
  static const struct {
    const char *line, *question;
  } cases[] = {
      {"#ifdef cl_khr_fp64", "defined(cl_khr_fp64)"},
      {"#ifndef cl_khr_fp64", "defined(cl_khr_fp64)"},
      {"#if defined cl_khr_fp64", "defined(cl_khr_fp64)"},
      {"#if __OPENCL_VERSION__ >= V // version", "__OPENCL_VERSION__ >= 120"},
      {"#if defined(V) && __OPENCL_VERSION__>=V", "1 && __OPENCL_VERSION__>=120"},
      {"#if !defined(X)/**/||\\\nB", "!defined(X) ||0"},
      {"#if __has_builtin(V) && 1", "__has_builtin(V) && 1"},
      {"#if __has_include(<no/such.h>)", "__has_include(<no/such.h>)"},
      {"#if HAS", "defined(Y)"},
      {"#if X(V, 1/0) == 2", "X(120, 1/0) == 2"},
      {"#if X ? 1 : 2/0", "X ? 1 : 2/0"},
      {"#if X 1", "X 1"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char source[512];
    (void)snprintf(source, sizeof source,
                   "#define V 120\n#define HAS defined(Y)\n#undef B\n%s\nyes\n#else\nno\n#endif\n", cases[i].line);
    bool negated = strstr(cases[i].line, "ifndef") != NULL;
    run r = preprocess(source, NULL);
    assert_int_equal(r.status, 0);
    assert_int_equal(r.result.question_count, 1);
    assert_string_equal(r.result.questions[0], cases[i].question);
    assert_string_equal(r.result.text, negated ? "yes\n" : "no\n");
    pp_result_free(&r.result);
    for (int value = 0; value < 2; value++) {
      pp_fact fact = {cases[i].question, value == 1};
      pp_input in = {.name = "k.cl", .text = source, .length = strlen(source), .facts = &fact, .fact_count = 1};
      assert_int_equal(pp_run(&in, &r.result, &r.error), 0);
      assert_int_equal(r.result.question_count, 0);
      assert_string_equal(r.result.text, (value == 1) != negated ? "yes\n" : "no\n");
      pp_result_free(&r.result);
    }
  }
}

static void asks_once_and_in_order(void **state) {
  (void)state;
  run r = preprocess(
      "#ifdef A\n#ifdef B\n#endif\n#endif\n#if C > 1\n#elif D\n#else\nx\n#endif\n#ifdef A\n#endif\n"
      "#define E\n#ifdef E\ny\n#endif\n",
      "-DF -UG");
  static const char *const questions[] = {"defined(A)", "C > 1", "D"};
  assert_int_equal(r.status, 0);
  assert_string_equal(r.result.text, "x\ny\n");
  assert_int_equal(r.result.question_count, COUNT(questions));
  for (size_t i = 0; i < COUNT(questions); i++) assert_string_equal(r.result.questions[i], questions[i]);
  pp_result_free(&r.result);
}

/* Faults that an answer may remove wait for the answers. */
static void defers_errors_while_questions_are_open(void **state) {
  (void)state;
  static const char *const sources[] = {
      "#ifndef cl_khr_fp64\n#error no double\n#endif\n",
      "#if A\n#define OK\n#else\n#undef OK\n#endif\n#ifndef OK\n#error not ok\n#endif\n",
      "#ifndef A\n#include \"nowhere.h\"\n#endif\n",
      "#define f(x) x\n#ifndef A\nf(1,2)\n#endif\n",
  };
  for (size_t i = 0; i < COUNT(sources); i++) {
    run r = preprocess(sources[i], NULL);
    assert_int_equal(r.status, 0);
    assert_true(r.result.question_count > 0);
    pp_result_free(&r.result);
  }
}

static void reads_options(void **state) {
  (void)state;
  static const expectation cases[] = {
      {"A B C\n", "-DA -D B -DC=3", "1 1 3\n"},
      {"A B(2)\n", "-D A=x -D\"B(x)=x + 1\"", "x 2 + 1\n"},
      {"A B C\n", "-DA='a b' -DB=\"c d\" -DC=e\\ f", "a b c d e f\n"},
      {"A B\n", "  -DA=\\\"s\\\"\t-DB='\"t\\n\"' ", "\"s\" \"t\\n\"\n"},
      {"A B\n", "-DA -UA -DB=1 -DB=2", "A 2\n"},
      {"#ifdef A\n1\n#endif\n#ifdef B\n2\n#endif\n3\n", "-U A -UB", "3\n"},
      {"A B C\n", "-DA= -DB=x=y -DC=\\\\ -DE", "  x=y\n"},
      {"A\n", "-DA=__FILE__:__LINE__", "__FILE__:1\n"},
  };
  check_texts(cases, COUNT(cases));
  run r = preprocess("x\n",
                     "-cl-std=CL1.2 -DA  -Werror -w -Werror=foo -I inc -Iinc2 -UB \"-x y\" -cl-fast-relaxed-math -D");
  assert_int_equal(r.status, 0);
  assert_string_equal(r.result.other_options, "-cl-std=CL1.2 -w \"-x y\" -cl-fast-relaxed-math -D");
  assert_string_equal(r.result.files[1].name, "<command line>");
  assert_string_equal(r.result.files[1].text, "#define A 1\n#undef B\n");
  pp_result_free(&r.result);
}

static const pp_token *find(const pp_result *r, const char *text, size_t nth) {
  for (size_t i = 0; i < r->token_count; i++) {
    const pp_token *t = &r->tokens[i];
    if (t->end - t->begin == strlen(text) && memcmp(r->text + t->begin, text, strlen(text)) == 0 && nth-- == 0)
      return t;
  }
  fail_msg("no token %s", text);
  return NULL;
}

typedef struct origin {
  const char *text;
  size_t nth;
  pp_kind kind;
  uint32_t file, line, column, length; /* spelled */
  uint32_t expanded_line, expanded_column;
  bool in_macro_body;
} origin;

static void check_origins(const pp_result *r, const origin *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const origin *o = &cases[i];
    const pp_token *t = find(r, o->text, o->nth);
    if (t->spelled.line != o->line || t->spelled.column != o->column)
      print_error("%s is spelled at %u:%u\n", o->text, t->spelled.line, t->spelled.column);
    assert_int_equal(t->kind, o->kind);
    assert_int_equal(t->spelled.file, o->file);
    assert_int_equal(t->spelled.line, o->line);
    assert_int_equal(t->spelled.column, o->column);
    assert_int_equal(t->spelled_length, o->length);
    assert_int_equal(t->expanded.file, 0);
    assert_int_equal(t->expanded.line, o->expanded_line);
    assert_int_equal(t->expanded.column, o->expanded_column);
    assert_int_equal(t->in_macro_body, o->in_macro_body);
  }
}

static void knows_where_tokens_come_from(void **state) {
  (void)state;
  run r = preprocess(
      "#define MAX(a, b) ((a) > (b) ? a : OTHER(b))\n"
      "#define OTHER(x) x + ONE - N\n"
      "#define ONE 1\n"
      "  int v = MAX(p,\n"
      "              ONE);\n"
      "#define CAT(a, b) a ## b q ## b #b\n"
      "CAT(le, ft) spli\\\n"
      "ced\n"
      "#define ID(x) x\n"
      "ID(__LINE__) 'c'\n",
      "-DN=77");
  static const origin cases[] = {
      {"int", 0, PP_IDENTIFIER, 0, 4, 3, 3, 4, 3, false},  {"p", 0, PP_IDENTIFIER, 0, 4, 15, 1, 4, 11, false},
      {">", 0, PP_PUNCTUATOR, 0, 1, 24, 1, 4, 11, true},   {"1", 0, PP_NUMBER, 0, 3, 13, 1, 4, 11, true},
      {"+", 0, PP_PUNCTUATOR, 0, 2, 20, 1, 4, 11, true},   {"1", 2, PP_NUMBER, 0, 3, 13, 1, 4, 11, true},
      {"77", 0, PP_NUMBER, 1, 1, 11, 2, 4, 11, true},      {";", 0, PP_PUNCTUATOR, 0, 5, 19, 1, 5, 19, false},
      {"left", 0, PP_IDENTIFIER, 0, 7, 5, 2, 7, 1, false}, {"qft", 0, PP_IDENTIFIER, 0, 6, 26, 1, 7, 1, true},
      {"\"ft\"", 0, PP_STRING, 0, 6, 33, 2, 7, 1, true},   {"spliced", 0, PP_IDENTIFIER, 0, 7, 13, 9, 7, 13, false},
      {"10", 0, PP_NUMBER, 0, 10, 4, 8, 10, 1, false},     {"'c'", 0, PP_CHARACTER, 0, 10, 14, 3, 10, 14, false},
  };
  assert_int_equal(r.status, 0);
  check_tokens(&r.result);
  check_origins(&r.result, cases, COUNT(cases));
  assert_memory_equal(r.result.files[0].text + find(&r.result, "qft", 0)->spelled.offset, "q ##", 4);
  pp_result_free(&r.result);

  r = preprocess("a\n  #pragma unroll 4 // x\nb\n", NULL);
  static const origin pragma[] = {{"#pragma unroll 4", 0, PP_PRAGMA, 0, 2, 3, 16, 2, 3, false}};
  check_origins(&r.result, pragma, 1);
  pp_result_free(&r.result);
}

static void write_file(const char *directory, const char *name, const char *text) {
  char path[300];
  (void)snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
  assert_int_equal(fclose(f), 0);
}

static char directory[64];

static int make_headers(void **state) {
  (void)state;
  (void)strcpy(directory, "/tmp/test_preprocess_XXXXXX");
  if (mkdtemp(directory) == NULL) return -1;
  char sub[300];
  (void)snprintf(sub, sizeof sub, "%s/sub", directory);
  if (mkdir(sub, 0700) != 0) return -1;
  write_file(directory, "a.h", "in_a __FILE__ __INCLUDE_LEVEL__\n#include \"sub/b.h\"\n");
  write_file(directory, "once.h", "#pragma once\nonly_once");
  write_file(directory, "self.h", "#include \"self.h\"\n");
  write_file(directory, "open.h", "#if 1\n");
  write_file(directory, "part.h", "f(1,");
  write_file(sub, "b.h", "#define B in_b\nB\n#include \"c.h\"\n");
  write_file(sub, "c.h", "in_sub_c __INCLUDE_LEVEL__\n");
  write_file(directory, "c.h", "in_c\n");
  return 0;
}

static int remove_headers(void **state) {
  (void)state;
  static const char *const names[] = {"a.h",     "once.h",  "self.h", "open.h", "part.h",
                                      "sub/b.h", "sub/c.h", "c.h",    "sub"};
  char path[300];
  for (size_t i = 0; i < COUNT(names); i++) {
    (void)snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    (void)remove(path);
  }
  return rmdir(directory);
}

static run preprocess_with_headers(const char *source, const char *options) {
  static const pp_header headers[] = {{"memory.h", "in_memory\n#include \"c.h\"\n", 25}, {"x/y.h", "in_x_y", 6}};
  pp_input in = {.name = "kernel.cl",
                 .text = source,
                 .length = strlen(source),
                 .options = options,
                 .directory = directory,
                 .headers = headers,
                 .header_count = COUNT(headers)};
  run r = {0};
  r.status = pp_run(&in, &r.result, &r.error);
  return r;
}

static void finds_headers(void **state) {
  (void)state;
  static const expectation cases[] = {
      {"#include \"a.h\"\nx\n", "", "in_a \"./a.h\" 1\nin_b\nin_sub_c 3\nx\n"},
      {"#include <c.h>\n", "", "in_c\n"},
      {"#include <c.h>\n#include \"c.h\"\n", "-I sub", "in_sub_c 1\nin_c\n"},
      {"#include \"b.h\"\n", "-Isub", "in_b\nin_sub_c 2\n"},
      {"#include \"memory.h\"\n#include <x/y.h>\n", "", "in_memory\nin_c\nin_x_y\n"},
      {"#define H \"c.h\"\n#define I <c.h>\n#include H\n#include I\n#include <c.h> junk\n", "", "in_c\nin_c\nin_c\n"},
      {"#include \"once.h\"\n#include <once.h>\n#include \"sub/../once.h\"\n", "", "only_once\n"},
      {"#if __has_include(\"a.h\") && !__has_include(<c.h>)\n1\n#else\n2\n#endif\n", "", "2\n"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    run r = preprocess_with_headers(cases[i].source, cases[i].options);
    if (r.status != 0) print_error("%s\n%s\n", cases[i].source, r.error.text);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.result.text, cases[i].text);
    check_tokens(&r.result);
    pp_result_free(&r.result);
  }
}

static void names_files_once(void **state) {
  (void)state;
  run r = preprocess_with_headers("#include \"c.h\"\n#include \"sub/../c.h\"\n#include \"memory.h\"\n", "");
  char path[300];
  (void)snprintf(path, sizeof path, "%s/c.h", directory);
  assert_int_equal(r.status, 0);
  assert_int_equal(r.result.file_count, 4);
  assert_string_equal(r.result.files[0].name, "kernel.cl");
  assert_null(r.result.files[0].path);
  assert_string_equal(r.result.files[2].name, "c.h");
  assert_string_equal(r.result.files[2].path, path);
  assert_string_equal(r.result.files[2].text, "in_c\n");
  assert_string_equal(r.result.files[3].name, "memory.h");
  assert_null(r.result.files[3].path);
  assert_string_equal(r.result.text, "in_c\nin_c\nin_memory\nin_c\n");
  assert_int_equal(r.result.tokens[1].expanded.file, 2);
  pp_result_free(&r.result);
}

static void reports_errors(void **state) {
  (void)state;
  static const struct {
    const char *source, *place, *part;
  } cases[] = {
      {"x\n\n#include \"foo.h\"\n", "kernel.cl:3: ", "header \"foo.h\" was not found in the headers given in memory"},
      {"#include <opencl-c.h>\n", "kernel.cl:1: ", "header \"opencl-c.h\" was not found"},
      {"#include \"self.h\"\n", "self.h:1: ", "more than 200 deep"},
      {"#include\n", "kernel.cl:1: ", "#include wants"},
      {"\n#error no way /* out */ here\n", "kernel.cl:2: ", "#error no way here"},
      {"#if 1\n#if 2\n#endif\n", "kernel.cl:1: ", "no #endif"},
      {"#include \"open.h\"\n#endif\n", "open.h:1: ", "no #endif"},
      {"#endif\n", "kernel.cl:1: ", "#endif without #if"},
      {"#if 0\n#else\n#else\n#endif\n", "kernel.cl:3: ", "#else after #else"},
      {"#if 0\n#else\n#elif 1\n#endif\n", "kernel.cl:3: ", "#elif after #else"},
      {"\n#if 1/0\n#endif\n", "kernel.cl:2: ", "division by zero"},
      {"#if\n#endif\n", "kernel.cl:1: ", "missing operand"},
      {"#if (1\n#endif\n", "kernel.cl:1: ", "missing )"},
      {"#if 1 2\n#endif\n", "kernel.cl:1: ", "something after its end"},
      {"#if 1.5\n#endif\n", "kernel.cl:1: ", "no integer"},
      {"#if \"a\"\n#endif\n", "kernel.cl:1: ", "no integer constant expression"},
      {"#if defined\n#endif\n", "kernel.cl:1: ", "defined"},
      {"#ifdef\n#endif\n", "kernel.cl:1: ", "#ifdef wants the name"},
      {"#define\n", "kernel.cl:1: ", "#define wants the name"},
      {"#define f(x\n", "kernel.cl:1: ", "closing parenthesis"},
      {"#define f(x, x) x\n", "kernel.cl:1: ", "same name"},
      {"#define f(x) #y\n", "kernel.cl:1: ", "before a parameter"},
      {"#define f ## x\n", "kernel.cl:1: ", "at the start"},
      {"#define f x ##\n", "kernel.cl:1: ", "at the end"},
      {"#define f(x) x\n\nf(1,2)\n", "kernel.cl:3: ", "macro f wants 1 arguments, not 2"},
      {"#define f(x, y) x\nf(1\n", "kernel.cl:2: ", "no closing parenthesis"},
      {"#define f(x, y) x\n#include \"part.h\"\n2)\n", "part.h:1: ", "no closing parenthesis"},
      {"#define f(x, y) x ## y\nf(+, /)\n", "kernel.cl:2: ", "is no token"},
      {"a /* b\n", "kernel.cl:1: ", "no end"},
      {"#bogus\n", "kernel.cl:1: ", "#bogus is not a directive"},
      {"#define A0 x x x x x x x x\n#define A1 A0 A0 A0 A0 A0 A0 A0 A0\n#define A2 A1 A1 A1 A1 A1 A1 A1 A1\n"
       "#define A3 A2 A2 A2 A2 A2 A2 A2 A2\n#define A4 A3 A3 A3 A3 A3 A3 A3 A3\n#define A5 A4 A4 A4 A4 A4 A4 A4 A4\n"
       "#define A6 A5 A5 A5 A5 A5 A5 A5 A5\n#define A7 A6 A6 A6 A6 A6 A6 A6 A6\nA7 A7 A7\n",
       "kernel.cl:9: ", "too large"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    run r = preprocess_with_headers(cases[i].source, "");
    assert_int_equal(r.status, -1);
    if (strstr(r.error.text, cases[i].part) == NULL) print_error("%s", cases[i].source);
    assert_non_null(strstr(r.error.text, cases[i].part));
    assert_memory_equal(r.error.text, cases[i].place, strlen(cases[i].place));
    pp_result_free(&r.result);
  }
}

static uint32_t next_random(uint32_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  return *seed;
}

static const char *const soup_pieces[] = {
    "#define ",
    "#define f(x) ",
    "#define g(x, ...) ",
    "#if ",
    "#ifdef ",
    "#else\n",
    "#endif\n",
    "#undef ",
    "#pragma ",
    "#include ",
    "#elif ",
    "\n#",
    "defined",
    "(",
    ")",
    ",",
    "##",
    "#",
    "f",
    "g",
    "f(",
    "g(f,",
    "x",
    "A",
    "B",
    "__VA_ARGS__",
    "1",
    "0x",
    "1e",
    "+",
    "-",
    ".",
    "...",
    "<",
    ">",
    "%:",
    "\"",
    "'",
    "\\",
    "\\\n",
    "\n",
    "\n",
    "\n",
    " ",
    " ",
    "/*",
    "*/",
    "//",
    "\r",
    "L",
    "\"a\"",
    "'b'",
    "__LINE__",
    "__COUNTER__",
    "&&",
    "?",
    ":",
    "\t",
    "%",
    "=",
    "/",
    "!",
    "\\ \r\n",
};

/* Some source-like rubbish; returns its length. */
static size_t make_soup(char *text, size_t room, int round, uint32_t *seed) {
  size_t length = 0, wanted = next_random(seed) % (round % 4 == 0 ? 400 : 30);
  for (size_t i = 0; i < wanted && length + 20 < room; i++) {
    uint32_t choice = next_random(seed);
    if (choice % 40 == 0) {
      text[length++] = (char)(choice >> 8);
      continue;
    }
    const char *piece = soup_pieces[(choice >> 8) % COUNT(soup_pieces)];
    memcpy(text + length, piece, strlen(piece));
    length += strlen(piece);
  }
  return length;
}

/* Whether the text can be read back: no line but pragmas starts with #, and no backslash ends it. */
static bool can_be_read_back(const pp_result *r) {
  for (size_t i = 0; i < r->token_count; i++) {
    const pp_token *t = &r->tokens[i];
    char first = r->text[t->begin], second = r->text[t->begin + 1];
    if (t->kind == PP_PUNCTUATOR && (first == '#' || first == '\\' || (first == '%' && second == ':'))) return false;
    if (r->text[t->end - 1] == '\\') return false;
  }
  return true;
}

static void check_reads_back(const pp_result *r) {
  pp_input in = {.name = "again.cl", .text = r->text, .length = r->length};
  pp_result again;
  error e;
  int status = pp_run(&in, &again, &e);
  if (status != 0 || again.token_count != r->token_count) print_error("not read back:\n%s\n", r->text);
  assert_int_equal(status, 0);
  assert_int_equal(again.token_count, r->token_count);
  for (size_t i = 0; i < r->token_count; i++) {
    const pp_token *a = &r->tokens[i], *b = &again.tokens[i];
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->end - a->begin, b->end - b->begin);
    assert_memory_equal(r->text + a->begin, again.text + b->begin, a->end - a->begin);
  }
  pp_result_free(&again);
}

static void survives_rubbish(void **state) {
  (void)state;
  uint32_t seed = 20240229;
  char text[4096];
  size_t fine = 0;
  for (int round = 0; round < 3000; round++) {
    size_t length = make_soup(text, sizeof text, round, &seed);
    pp_input in = {.name = "soup.cl", .text = text, .length = length, .options = "-DA=f(x -D\"B(x)=x ## A\""};
    pp_result r;
    error e = {0};
    if (pp_run(&in, &r, &e) == 0) {
      check_tokens(&r);
      if (can_be_read_back(&r)) {
        check_reads_back(&r);
        fine++;
      }
    } else {
      assert_true(e.text[0] != '\0');
    }
    pp_result_free(&r);
  }
  assert_true(fine > 100); /* else the rubbish is too odd to test much */
}

/* Sources that would take for ever, or all memory or stack, without limits. */
static void ends_in_time(void **state) {
  (void)state;
  enum { DEEP = 100000 };
  char *text = calloc(3 * DEEP + 200, 1);
  assert_non_null(text);
  static const char *const starts[] = {"#define f(x) x\n", "#if ", "#if ",
                                       "#define f(x) g(x x)\n#define g(x) f(x x)\n"};
  static const char *const pieces[] = {"f(", "(", "!", "f("};
  for (size_t i = 0; i < COUNT(starts); i++) {
    char *end = text + sprintf(text, "%s", starts[i]);
    for (int k = 0; k < DEEP; k++) end += sprintf(end, "%s", pieces[i]);
    (void)sprintf(end, "1\n");
    run r = preprocess(text, NULL);
    assert_int_equal(r.status, -1);
    pp_result_free(&r.result);
  }
  free(text);
  run r = preprocess(
      "#define a(x) b(x x)\n#define b(x) c(x x)\n#define c(x) d(x x)\n#define d(x) e(x x)\n"
      "#define e(x)\n#define A a(a(a(a(a(a(a(a(1))))))))\nA\n",
      NULL);
  assert_int_equal(r.status, 0);
  pp_result_free(&r.result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expands_the_examples_of_the_standard),
      cmocka_unit_test(expands_macros),
      cmocka_unit_test(expands_built_in_macros),
      cmocka_unit_test(obeys_directives),
      cmocka_unit_test(evaluates_conditions),
      cmocka_unit_test(asks_the_device),
      cmocka_unit_test(asks_once_and_in_order),
      cmocka_unit_test(defers_errors_while_questions_are_open),
      cmocka_unit_test(reads_options),
      cmocka_unit_test(knows_where_tokens_come_from),
      cmocka_unit_test_setup_teardown(finds_headers, make_headers, remove_headers),
      cmocka_unit_test_setup_teardown(names_files_once, make_headers, remove_headers),
      cmocka_unit_test_setup_teardown(reports_errors, make_headers, remove_headers),
      cmocka_unit_test(survives_rubbish),
      cmocka_unit_test(ends_in_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
