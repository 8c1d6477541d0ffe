/* Functions on integers whose results the engine computes, and those of which it does not: a kernel stores to elements of its own where all of them are what is
 * computed here, in C, and all of its work-items to one element where one is not. So it is verified, or a race.
 *   test_builtins ENGINE */
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

typedef __int128 wide;

static const struct type {
  const char *name;
  unsigned bits;
  bool is_signed;
} types[] = {{"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
             {"int", 32, true}, {"uint", 32, false}, {"long", 64, true},  {"ulong", 64, false}};
typedef const struct type *of;
enum { TYPES = sizeof types / sizeof *types };

static wide lowest(of t) { return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0; }
static wide highest(of t) { return ((wide)1 << (t->is_signed ? t->bits - 1 : t->bits)) - 1; }

/* The number of the type with the same low bits. */
static wide wrapped(of t, wide n) {
  wide all = (wide)1 << t->bits, rest = n % all;
  rest += rest < 0 ? all : 0;
  return rest > highest(t) ? rest - all : rest;
}

/* --- what the functions give ------------------------------------------------------------------------------------------- */

static wide least(of t, const wide *x) { return (void)t, x[0] < x[1] ? x[0] : x[1]; }
static wide most(of t, const wide *x) { return (void)t, x[0] < x[1] ? x[1] : x[0]; }
static wide clamped(of t, const wide *x) { return least(t, (wide[]){most(t, x), x[2]}); }
static wide magnitude(of t, const wide *x) { return (void)t, x[0] < 0 ? -x[0] : x[0]; }

static const struct function {
  const char *name;
  unsigned arguments;
  wide (*gives)(of t, const wide *x);
} functions[] = {{"min", 2, least}, {"max", 2, most}, {"clamp", 3, clamped}, {"abs", 1, magnitude}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* --- kernels ------------------------------------------------------------------------------------------------------------ */

static uint64_t seed = 88172645463325252U;
static uint64_t next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

static wide any_number(of t) {
  switch (next() % 5) {
    case 0: return lowest(t) + (wide)(next() % 3);
    case 1: return highest(t) - (wide)(next() % 3);
    case 2: return wrapped(t, (wide)(next() % 5) - 2);
    default: return wrapped(t, (wide)next());
  }
}

/* As OpenCL C reads it: the lowest number has no constant of its own. */
static void add_number(buffer *to, of t, wide n) {
  buffer_printf(to, "(%s)0x%llxUL", t->name, (unsigned long long)(uint64_t)n);
}

static void add_call(buffer *to, const struct function *f, of t, const wide *x) {
  buffer_printf(to, "(%s)%s(", t->name, f->name);
  for (unsigned n = 0; n < f->arguments; n++) {
    buffer_printf(to, "%s", n == 0 ? "" : ", ");
    add_number(to, t, x[n]);
  }
  buffer_printf(to, ")");
}

/* `wrong`: one of the results is expected to be another. */
static void add_kernel(buffer *to, unsigned number, const struct function *f, of t, bool wrong) {
  enum { CALLS = 8 };
  buffer_printf(to, "kernel void k%u(global int *a) {\n  const int i = get_global_id(0);\n  a[", number);
  for (unsigned n = 0; n < CALLS; n++) {
    wide x[] = {any_number(t), any_number(t), any_number(t)};
    if (x[1] > x[2] && f->gives == clamped) /* else it is not defined */
      x[1] = x[2];
    buffer_printf(to, "%s", n == 0 ? "" : " && ");
    add_call(to, f, t, x);
    buffer_printf(to, " == ");
    add_number(to, t, f->gives(t, x) + (wrong && n == CALLS / 2 ? 1 : 0));
  }
  buffer_printf(to, " ? i : 0] = i;\n}\n");
}

static json_t *ask(const buffer *source, engine_run *run) {
  json_t *request = json_pack("{s:s,s:s,s:i}", "source", source->data, "options", "-cl-std=CL1.2", "timeout", 60);
  *run = engine_ask_json(engine, request, 300);
  json_decref(request);
  assert_int_equal(run->code, 0);
  return run->answers;
}

/* All functions of all types; `wrong`: so that each is a race. */
static void check(bool wrong) {
  buffer source = {0};
  unsigned count = 0;
  for (unsigned f = 0; f < FUNCTIONS; f++)
    for (unsigned t = wrong ? f % TYPES : 0; t < TYPES; t += wrong ? TYPES : 1)
      add_kernel(&source, count++, &functions[f], &types[t], wrong);
  engine_run run = {0};
  json_t *answers = ask(&source, &run);
  assert_int_equal(json_array_size(answers), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *a = json_array_get(answers, i);
    const char *verdict = json_string_value(json_object_get(a, "verdict"));
    if (strcmp(verdict, wrong ? "race" : "verified") != 0) {
      fail_msg("%s is %s: %s\n%s", json_string_value(json_object_get(a, "kernel")), verdict,
               json_string_value(json_object_get(a, "reason")), source.data);
    }
  }
  engine_free(&run);
  buffer_free(&source);
}

static void results_are_right(void **state) {
  (void)state;
  check(false);
}

static void other_results_are_not(void **state) {
  (void)state;
  check(true);
}

/* Of each: `a[(it) ? i : 0] = i` is what is said. */
static void expect(const char *const *conditions, size_t count, const char *said) {
  buffer source = {0};
  for (size_t i = 0; i < count; i++) {
    buffer_printf(&source,
                  "kernel void k%zu(global int *a) {\n  const int i = get_global_id(0);\n  a[(%s) ? i : 0] = i;\n}\n",
                  i, conditions[i]);
  }
  engine_run run = {0};
  json_t *answers = ask(&source, &run);
  assert_int_equal(json_array_size(answers), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *a = json_array_get(answers, i);
    if (strcmp(json_string_value(json_object_get(a, "verdict")), said) != 0)
      fail_msg("%s: %s", conditions[i], json_dumps(a, 0));
  }
  engine_free(&run);
  buffer_free(&source);
}

/* Vectors element by element, with results that were worked out by hand. */
static void vectors(void **state) {
  (void)state;
  static const char *const equal[] = {
      "max((int4)(1, -2, 3, -4), (int4)(0)).w == 0 && max((int4)(1, -2, 3, -4), (int4)(0)).z == 3",
      "min((uint2)(1, 0xffffffffu), 7u).y == 7 && clamp((char2)(-128, 5), (char)-1, (char)4).x == -1",
      "mul24(-3, 5) == -15 && mad24(2, 3, 4) == 10 && as_uint(-1) == 0xffffffffu && abs((char)-128) == 128",
  };
  expect(equal, sizeof equal / sizeof *equal, "verified");
}

/* Of others nothing is known but that they give the same for the same: neither a proof nor a certain race. */
static void not_computed(void **state) {
  (void)state;
  static const char *const right[] = {
      "hadd(1, 4) == 2",           "rhadd(1, 4) == 3",         "add_sat(1, 2) == 3",
      "sub_sat(1, 2) == -1",       "mul_hi(1, 2) == 0",        "mad_hi(1, 2, 3) == 3",
      "mad_sat(1, 2, 3) == 5",     "rotate(1, 2) == 4",        "clz(1) == 31",
      "popcount(3) == 2",          "bitselect(1, 2, -1) == 2", "select(3, 4, 1) == 4",
      "any((int2)(1, -2)) == 1",   "all((int2)(-1, 2)) == 0",  "shuffle((int2)(1, 2), (uint2)(1, 0)).x == 2",
      "convert_int((char)3) == 3", "abs_diff(3, 5) == 2",      "upsample((char)1, (uchar)2) == 258"};
  expect(right, sizeof right / sizeof *right, "possible-race");
}

int main(int argc, char **argv) {
  engine = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_right), cmocka_unit_test(other_results_are_not),
                                     cmocka_unit_test(vectors), cmocka_unit_test(not_computed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
