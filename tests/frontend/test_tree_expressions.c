/* The shapes of expressions: what binds to what, what is converted to what, which components a swizzle has. The
 * expectations are written from the language, not from output. */
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

#include "tests/fixtures/tree_fixture.h"

/* `expected` in the notation of tree_fixture.h. */
typedef struct shape {
  const char *statement;
  const char *expected;
} shape;

/* clang-format off */
#define HEAD \
  "struct s { int a; float b[2]; float4 v; };\n" \
  "enum e { RED, BLUE = 7 };\n" \
  "int h(int x, float y);\n" \
  "void k(__global int *p, __global float *g, __local float4 *l, __global struct s *q, int i, uint u, long n, char c, " \
  "float f, float4 v, int4 w, float8 e, struct s t, bool o) {\n"
/* clang-format on */

static void check(const shape *shapes, size_t count, const char *options) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    char source[2048];
    (void)snprintf(source, sizeof source, "%s%s\n}\n", HEAD, shapes[i].statement);
    tree_fixture f = tree_fixture_open(source, options);
    char *found = notation(&f, first_of(&f, TREE_EXPRESSION)->children[0]);
    if (strcmp(found, shapes[i].expected) != 0) {
      print_error("%s\n  wanted %s\n  found  %s\n", shapes[i].statement, shapes[i].expected, found);
      wrong++;
    }
    size_t all = 0, typed = 0;
    count_expressions(f.tree, &all, &typed);
    assert_int_equal(all, typed);
    free(found);
    tree_fixture_close(&f);
  }
  assert_int_equal(wrong, 0);
}
#define CHECK(shapes) check(shapes, sizeof(shapes) / sizeof((shapes)[0]), "")

static void test_precedence(void **state) {
  (void)state;
  static const shape shapes[] = {
      {"i = i + 3 * i;", "(i = ([i] + (3 * [i]):int):int):int"},
      {"i = (i + 3) * i;", "(i = (#([i] + 3):int * [i]):int):int"},
      {"i = i << 1 & 7;", "(i = (([i] << 1):int & 7):int):int"},
      {"i = i & 1 == 7;", "(i = ([i] & (1 == 7):int):int):int"},
      {"i = i - 1 - 2;", "(i = (([i] - 1):int - 2):int):int"},
      {"i = -i * !i;", "(i = (-[i] * ![i]):int):int"},
      {"i = i < 1 && i || 0;", "(i = ((([i] < 1):int && [i]):int || 0):int):int"},
      {"i = i ? 1 : i ? 2 : 3;", "(i = ([i] ? 1 : ([i] ? 2 : 3):int):int):int"},
      {"i = i ?: 5;", "(i = ([i] ?  : 5):int):int"},
      {"i = *p++;", "(i = [*p++]):int"},
      {"*p = 1, i = 2;", "((*[p] = 1):int , (i = 2):int):int"},
      {"i ^= i | ~i;", "(i ^= ([i] | ~[i]):int):int(int)"},
      {"--i;", "--i"},
  };
  CHECK(shapes);
}

static void test_conversions(void **state) {
  (void)state;
  static const shape shapes[] = {
      {"f = i;", "(f = {float [i]}):float"},
      {"i = f * 2;", "(i = {int ([f] * {float 2}):float}):int"},
      {"n = i + n;", "(n = ({long [i]} + [n]):long):long"},
      {"u = u + i;", "(u = ([u] + {uint [i]}):uint):uint"},
      {"i = c + c;", "(i = ({int [c]} + {int [c]}):int):int"},
      {"i += 2.5f;", "(i += 2.5f):int(float)"},
      {"c <<= 3;", "(c <<= 3):char(int)"},
      {"o = i;", "(o = {bool [i]}):bool"},
      {"i = o;", "(i = {int [o]}):int"},
      {"v = v * f;", "(v = ([v] * {float4 [f]}):float4):float4"},
      {"v = 1;", "(v = {float4 {float 1}}):float4"},
      {"v *= 2;", "(v *= {float4 {float 2}}):float4(float4)"},
      {"w = v < v;", "(w = ([v] < [v]):int4):int4"},
      {"w = v == f;", "(w = ([v] == {float4 [f]}):int4):int4"},
      {"i = f < 1;", "(i = ([f] < {float 1}):int):int"},
      {"w = !v;", "(w = ![v]):int4"},
      {"v = w ? v : f;", "(v = ([w] ? [v] : {float4 [f]}):float4):float4"},
      {"i = (char)f;", "(i = {int <char [f]>}):int"},
      {"v = (float4)(f);", "(v = <float4 [f]>):float4"},
      {"v = (float4)(1, 2, f, i);", "(v = float4({float 1}, {float 2}, [f], {float [i]})):float4"},
      {"v = (float4)(v.xy, 0.0f, 1.0f);", "(v = float4([v.{0 1}], 0.0f, 1.0f)):float4"},
      {"p = 0;", "(p = {__global int * 0}):__global int *"},
      {"p = (__global int *)g;", "(p = <__global int * [g]>):__global int *"},
      {"i = RED + BLUE;", "(i = (RED + BLUE):int):int"},
      {"i = p == 0;", "(i = ([p] == {__global int * 0}):int):int"},
      {"i = p + 1 - p;", "(i = {int (([p] + 1):__global int * - [p]):long}):int"},
      {"f = h(f, i);", "(f = {float h({int [f]}, {float [i]})}):float"},
      {"i = (i, f);", "(i = {int #([i] , [f]):float}):int"},
      {"(void)i;", "<void [i]>"},
  };
  CHECK(shapes);
}

static void test_objects(void **state) {
  (void)state;
  static const shape shapes[] = {
      {"p[i] = 1;", "([p]@[i] = 1):int"},
      {"1[p] = 1;", "([p]@1 = 1):int"},
      {"*(p + i) = 1;", "(*#([p] + [i]):__global int * = 1):int"},
      {"f = t.b[1];", "(f = [{__private float * t.b}@1]):float"},
      {"q->b[i] = q[2].v.x;", "({__global float * [q]->b}@[i] = [[q]@2.v.{0}]):float"},
      {"(*q).a++;", "#*[q].a++"},
      {"p = &p[2];", "(p = &[p]@2):__global int *"},
      {"l->y = 1;", "([l]->{1} = {float 1}):float"},
      {"f = v[i];", "(f = [v@[i]]):float"},
      {"l[i].w = f;", "([l]@[i].{3} = [f]):float"},
      {"i = sizeof(f);", "(i = {int sizeof(#f)}):int"},
      {"i = sizeof f;", "(i = {int sizeof(f)}):int"},
      {"w = as_int4(v);", "(w = as_int4([v])):int4"},
      {"f = as_float(i + 1);", "(f = as_float(([i] + 1):int)):float"},
      {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier({uint CLK_LOCAL_MEM_FENCE})"},
      {"f = INFINITY;", "(f = INFINITY):float"},
  };
  CHECK(shapes);
}

static void test_swizzles(void **state) {
  (void)state;
  static const shape shapes[] = {
      {"v.xyz;", "[v.{0 1 2}]"},
      {"v.rgba;", "[v.{0 1 2 3}]"},
      {"v.wx;", "[v.{3 0}]"},
      {"v.s01;", "[v.{0 1}]"},
      {"v.S3;", "[v.{3}]"},
      {"e.s70;", "[e.{7 0}]"},
      {"e.hi;", "[e.{4 5 6 7}]"},
      {"e.lo;", "[e.{0 1 2 3}]"},
      {"e.even;", "[e.{0 2 4 6}]"},
      {"e.odd;", "[e.{1 3 5 7}]"},
      {"e.hi.lo;", "[e.{4 5 6 7}.{0 1}]"},
      {"e.odd.hi.x;", "[e.{1 3 5 7}.{2 3}.{0}]"},
      {"v.xx;", "[v.{0 0}]"},
      {"v.hi.y;", "[v.{2 3}.{1}]"},
  };
  CHECK(shapes);
}

/* The shapes above are those of OpenCL C 1.2; these need 2.0. */
static void test_generic(void **state) {
  (void)state;
  static const shape shapes[] = {
      {"*(int *)p = 1;", "(*<__generic int * [p]> = 1):int"},
      {"atomic_store((__global atomic_int *)p, 3);",
       "atomic_store({__generic volatile atomic_int * <__global atomic_int * [p]>}, 3)"},
  };
  check(shapes, sizeof shapes / sizeof shapes[0], "-cl-std=CL2.0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence), cmocka_unit_test(test_conversions), cmocka_unit_test(test_objects),
      cmocka_unit_test(test_swizzles),   cmocka_unit_test(test_generic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
