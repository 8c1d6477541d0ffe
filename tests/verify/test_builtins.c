/* Functions on integers whose results the engine computes: a kernel stores to elements of its own where all of them are what is
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
#include "tests/verify/engine.h"

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
static wide clamped(of t, wide n) { return n < lowest(t) ? lowest(t) : n > highest(t) ? highest(t) : n; }
static wide floor_half(wide n) { return n >= 0 ? n / 2 : -((1 - n) / 2); }
static bool has_bit(of t, wide n, unsigned at) {
  (void)t;
  return (((unsigned __int128)n >> at) & 1) != 0;
}

/* --- what the functions give ------------------------------------------------------------------------------------------- */

static wide hadd(of t, const wide *x) { return (void)t, floor_half(x[0] + x[1]); }
static wide rhadd(of t, const wide *x) { return (void)t, floor_half(x[0] + x[1] + 1); }
static wide add_sat(of t, const wide *x) { return clamped(t, x[0] + x[1]); }
static wide sub_sat(of t, const wide *x) { return clamped(t, x[0] - x[1]); }
/* The high half of a product, in steps that fit: digits of half the width. */
static wide mul_hi(of t, const wide *x) {
  const wide base = (wide)1 << t->bits;
  if (t->bits < 64 || t->is_signed) { /* of 64 unsigned bits a product may not fit into 127 */
    const wide product = x[0] * x[1];
    wide rest = product % base;
    rest += rest < 0 ? base : 0;
    return (product - rest) / base;
  }
  const uint64_t a = (uint64_t)x[0], b = (uint64_t)x[1];
  return (wide)(uint64_t)(((unsigned __int128)a * b) >> 64);
}
static wide mad_hi(of t, const wide *x) { return wrapped(t, mul_hi(t, x) + x[2]); }
static wide mad_sat(of t, const wide *x) { return t->bits == 64 ? 0 : clamped(t, x[0] * x[1] + x[2]); }
static wide rotate(of t, const wide *x) {
  const unsigned by = (unsigned)(((x[1] % t->bits) + t->bits) % t->bits);
  wide made = 0;
  for (unsigned n = 0; n < t->bits; n++) {
    made |= has_bit(t, x[0], n) ? (wide)1 << ((n + by) % t->bits) : 0;
  }
  return wrapped(t, made);
}
static wide clz(of t, const wide *x) {
  unsigned n = 0;
  while (n < t->bits && !has_bit(t, x[0], t->bits - 1 - n)) {
    n++;
  }
  return n;
}
static wide popcount(of t, const wide *x) {
  wide count = 0;
  for (unsigned n = 0; n < t->bits; n++) {
    count += has_bit(t, x[0], n);
  }
  return count;
}
static wide bitselect(of t, const wide *x) {
  wide made = 0;
  for (unsigned n = 0; n < t->bits; n++) {
    made |= has_bit(t, has_bit(t, x[2], n) ? x[1] : x[0], n) ? (wide)1 << n : 0;
  }
  return wrapped(t, made);
}

static const struct function {
  const char *name;
  unsigned arguments;
  wide (*gives)(of t, const wide *x);
} functions[] = {{"hadd", 2, hadd},     {"rhadd", 2, rhadd},       {"add_sat", 2, add_sat},    {"sub_sat", 2, sub_sat},
                 {"mul_hi", 2, mul_hi}, {"mad_hi", 3, mad_hi},     {"mad_sat", 3, mad_sat},    {"rotate", 2, rotate},
                 {"clz", 1, clz},       {"popcount", 1, popcount}, {"bitselect", 3, bitselect}};
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
    case 0:
      return lowest(t) + (wide)(next() % 3);
    case 1:
      return highest(t) - (wide)(next() % 3);
    case 2:
      return wrapped(t, (wide)(next() % 5) - 2);
    default:
      return wrapped(t, (wide)next());
  }
}

/* As OpenCL C reads it: the lowest number has no constant of its own. */
static void add_number(buffer *to, of t, wide n) {
  buffer_printf(to, "(%s)0x%llxUL", t->name, (unsigned long long)(uint64_t)n);
}

static void add_call(buffer *to, const struct function *f, of t, const wide *x) {
  buffer_printf(to, "%s(", f->name);
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
    const wide x[] = {any_number(t), any_number(t), any_number(t)};
    buffer_printf(to, "%s", n == 0 ? "" : " && ");
    add_call(to, f, t, x);
    buffer_printf(to, " == ");
    add_number(to, t, f->gives(t, x) + (wrong && n == CALLS / 2 ? 1 : 0));
  }
  buffer_printf(to, " ? i : 0] = i;\n}\n");
}

static bool is_known(const struct function *f, of t) { return f->gives != mad_sat || t->bits < 64; }

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
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    for (unsigned t = wrong ? f % TYPES : 0; t < TYPES; t += wrong ? TYPES : 1) {
      if (is_known(&functions[f], &types[t])) {
        add_kernel(&source, count++, &functions[f], &types[t], wrong);
      }
    }
  }
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

/* What the elements of vectors give, and functions that move elements, with results that were worked out by hand. */
static void vectors(void **state) {
  (void)state;
  static const char *const equal[] = {
      "all(select((int4)(1, 2, 3, 4), (int4)(5, 6, 7, 8), (int4)(0, -1, 1, INT_MIN)) == (int4)(1, 6, 3, 8))",
      "select(3, 4, 0) == 3 && select(3, 4, 1) == 4 && select(3, 4, -1) == 4",
      "any((int2)(1, 2)) == 0 && any((int2)(1, -2)) == 1 && all((int2)(-1, 2)) == 0 && all((char2)(-1, -128)) == 1",
      "all(shuffle((int4)(10, 11, 12, 13), (uint4)(3, 0, 5, 2)) == (int4)(13, 10, 11, 12))",
      "all(shuffle2((int2)(10, 11), (int2)(12, 13), (uint4)(3, 2, 1, 4)) == (int4)(13, 12, 11, 10))",
      "all(convert_uchar4_sat((int4)(-1, 0, 255, 256)) == (uchar4)(0, 0, 255, 255))",
      "convert_char((int)200) == (char)-56 && convert_char_sat((uint)200) == 127 && convert_int((char)-3) == -3",
      "convert_long_sat((ulong)0x8000000000000000UL) == 0x7fffffffffffffffL && convert_ulong_sat(-5L) == 0",
      "upsample((char)-2, (uchar)3) == (short)-509 && upsample((uint)1, (uint)2) == 0x100000002UL",
      "abs_diff((char)-128, (char)127) == 255 && abs_diff((uint)3, (uint)5) == 2",
      "mul24(-3, 5) == -15 && mad24(2, 3, 4) == 10 && as_uint(-1) == 0xffffffffu",
  };
  buffer source = {0};
  for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
    buffer_printf(&source,
                  "kernel void k%zu(global int *a) {\n  const int i = get_global_id(0);\n  a[(%s) ? i : 0] = i;\n}\n",
                  i, equal[i]);
  }
  engine_run run = {0};
  json_t *answers = ask(&source, &run);
  assert_int_equal(json_array_size(answers), sizeof equal / sizeof *equal);
  for (size_t i = 0; i < json_array_size(answers); i++) {
    const json_t *a = json_array_get(answers, i);
    if (strcmp(json_string_value(json_object_get(a, "verdict")), "verified") != 0) {
      fail_msg("%s", json_dumps(a, 0));
    }
  }
  engine_free(&run);
  buffer_free(&source);
}

int main(int argc, char **argv) {
  engine = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_right), cmocka_unit_test(other_results_are_not),
                                     cmocka_unit_test(vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
