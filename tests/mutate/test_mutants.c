/* The mutants of each operator: source in, the exact mutants out. The expectations are written from the table of
 * docs/mutation.md, not from output. */
#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "tests/fixtures/mutants_fixture.h"

/* --- the operator table, line by line ----------------------------------------------------------------------------- */

static void exchanges_arithmetic(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"arith", INTS("p[0] = a + b;"), "2:10 + -> -\n2:10 + -> *\n2:10 + -> /\n"},
      {"arith", INTS("p[0] = a - b;"), "2:10 - -> +\n2:10 - -> *\n2:10 - -> /\n"},
      {"arith", INTS("p[0] = a * b;"), "2:10 * -> /\n2:10 * -> +\n2:10 * -> -\n"},
      {"arith", INTS("p[0] = a / b;"), "2:10 / -> *\n2:10 / -> +\n2:10 / -> -\n"},
      {"arith", INTS("p[0] = a % b;"), "2:10 % -> *\n2:10 % -> +\n2:10 % -> -\n2:10 % -> /\n"},
      {"arith", INTS("p[0] = -a;"), "2:8 - -> \n"},
      {"arith", INTS("a++; --b;"), "2:2 ++ -> --\n2:6 -- -> ++\n"},
      {"arith", INTS("a--; ++b;"), "2:2 -- -> ++\n2:6 ++ -> --\n"},
      {"arith", INTS("p[0] = +a;"), ""},
      {"arith", INTS("p[0] = a - b ?: 7;"), "2:10 - -> +\n2:10 - -> *\n2:10 - -> /\n"},
      {"arith", FLOATS("p[0] = a + b;"), "2:10 + -> -\n2:10 + -> *\n2:10 + -> /\n"},
      {"arith", FLOATS("p[0] = -a; a--;"), "2:8 - -> \n2:13 -- -> ++\n"},
      {"arith", FLOATS("p[0] = a++;"), "2:9 ++ -> -- text\n"},
      {"arith", FLOATS("p[0] = ++a;"), "2:8 ++ -> --\n"},
      {"arith", VECTORS("p[0] = v * a;"), "2:10 * -> /\n2:10 * -> +\n2:10 * -> -\n"},
      {"arith", VECTORS("p[0].x = v.y - v.s2;"), "2:14 - -> +\n2:14 - -> *\n2:14 - -> /\n"},
      {"arith", VECTORS("p[0].xy = -v.zw;"), "2:11 - -> \n"},
      {"arith", VECTORS("n++;"), "2:2 ++ -> --\n"},
      {"arith", /* clang puts the initialiser of `s` into the call */
       "constant sampler_t s = CLK_FILTER_NEAREST;\nkernel void k(read_only image2d_t i, global float4 *p) {\n"
       " p[0] = p[1] + read_imagef(i, s, (int2)(0, 1));\n}\n",
       "3:14 + -> -\n3:14 + -> *\n3:14 + -> /\n"},
      {"arith", VECTORS("n % n;"), "2:3 % -> *\n2:3 % -> +\n2:3 % -> -\n2:3 % -> /\n"},
  };
  check_mutants(cases, COUNT(cases));
}

static void exchanges_relations(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"rel", INTS("p[0] = a < b;"), "2:10 < -> >\n2:10 < -> >=\n2:10 < -> <=\n"},
      {"rel", INTS("p[0] = a > b;"), "2:10 > -> <\n2:10 > -> <=\n2:10 > -> >=\n"},
      {"rel", INTS("p[0] = a <= b;"), "2:10 <= -> >=\n2:10 <= -> >\n2:10 <= -> <\n"},
      {"rel", INTS("p[0] = a >= b;"), "2:10 >= -> <=\n2:10 >= -> <\n2:10 >= -> >\n"},
      {"rel", INTS("p[0] = a == b;"), "2:10 == -> !=\n"},
      {"rel", INTS("p[0] = a != b;"), "2:10 != -> ==\n"},
      {"rel", INTS("p[0] = a > b ?: 7;"), "2:10 > -> <\n2:10 > -> <=\n2:10 > -> >=\n"},
      {"rel", INTS("p[0] = p < q;"), "2:10 < -> >\n2:10 < -> >=\n2:10 < -> <=\n"},
      {"rel", INTS("p[0] = p == q;"), "2:10 == -> !=\n"},
      {"rel", FLOATS("p[0] = a >= 2 ? a : b;"), "2:10 >= -> <=\n2:10 >= -> <\n2:10 >= -> >\n"},
      {"rel", VECTORS("n = v < p[0];"), "2:7 < -> >\n2:7 < -> >=\n2:7 < -> <=\n"},
      {"rel", VECTORS("n = v.xyzw == a;"), "2:12 == -> !=\n"},
  };
  check_mutants(cases, COUNT(cases));
}

static void exchanges_logic(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"logic", INTS("p[0] = a && b;"), "2:10 && -> ||\n"},
      {"logic", INTS("p[0] = a || b;"), "2:10 || -> &&\n"},
      {"logic", INTS("p[0] = !a;"), "2:8 ! -> \n"},
      {"logic", INTS("if (!u) p[0] = 1;"), "2:5 ! -> \n"},
      {"logic", INTS("p[0] = !u;"), "2:8 ! ->  text\n"},
      {"logic", INTS("p[0] = !l;"), "2:8 ! ->  text\n"},
      {"logic", INTS("p[0] = !(l) ? 1 : 2;"), "2:8 ! -> \n"},
      {"logic", INTS("if ((!p) && !!q) p[0] = 1;"), "2:6 ! -> \n2:10 && -> ||\n2:13 ! -> \n2:14 ! -> \n"},
      {"logic", INTS("p[0] = !p;"), ""}, /* a pointer is no int */
      {"logic", FLOATS("while (!a) a = b;"), "2:8 ! -> \n"},
      {"logic", VECTORS("n = n && n;"), "2:7 && -> || text\n"},
      {"logic", VECTORS("n = !n;"), "2:5 ! ->  text\n"},
      {"logic", VECTORS("n = !v;"), ""}, /* float4 does not convert to int4 */
      {"logic", VECTORS("n = !u;"), ""},
  };
  check_mutants(cases, COUNT(cases));
}

static void exchanges_bits(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"bit", INTS("p[0] = a & b;"), "2:10 & -> |\n"},    {"bit", INTS("p[0] = a | b;"), "2:10 | -> &\n"},
      {"bit", INTS("p[0] = a ^ b;"), "2:10 ^ -> &\n"},    {"bit", INTS("p[0] = ~a;"), "2:8 ~ -> \n"},
      {"bit", INTS("p[0] = a << b;"), "2:10 << -> >>\n"}, {"bit", INTS("p[0] = l >> b;"), "2:10 >> -> <<\n"},
      {"bit", VECTORS("n = n & n;"), "2:7 & -> |\n"},     {"bit", VECTORS("n = ~n << 2;"), "2:5 ~ -> \n2:8 << -> >>\n"},
      {"bit", INTS("p = &p[a]; p[0] = *&a;"), ""}, /* & and * of an address are no operators of ours */
  };
  check_mutants(cases, COUNT(cases));
}

static void exchanges_assignments(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"assign", INTS("a += b;"), "2:3 += -> -=\n2:3 += -> *=\n2:3 += -> /=\n"},
      {"assign", INTS("a -= b;"), "2:3 -= -> +=\n2:3 -= -> *=\n2:3 -= -> /=\n"},
      {"assign", INTS("a *= b;"), "2:3 *= -> /=\n2:3 *= -> +=\n2:3 *= -> -=\n"},
      {"assign", INTS("a /= b;"), "2:3 /= -> *=\n2:3 /= -> +=\n2:3 /= -> -=\n"},
      {"assign", INTS("a %= b;"), "2:3 %= -> *=\n2:3 %= -> +=\n2:3 %= -> -=\n2:3 %= -> /=\n"},
      {"assign", INTS("a <<= b;"), "2:3 <<= -> >>=\n"},
      {"assign", INTS("a >>= b;"), "2:3 >>= -> <<=\n"},
      {"assign", INTS("a &= b;"), "2:3 &= -> |=\n"},
      {"assign", INTS("a |= b;"), "2:3 |= -> &=\n"},
      {"assign", INTS("a ^= b;"), "2:3 ^= -> &=\n"},
      {"assign", INTS("a = b;"), ""},
      {"assign", INTS("p += a;"), "2:3 += -> -=\n"},
      {"assign", INTS("p -= a;"), "2:3 -= -> +=\n"},
      {"assign", INTS("p[a++] ^= b;"), "2:8 ^= -> &= text\n"},
      {"assign", INTS("p[get_global_id(0)] |= b;"), "2:21 |= -> &=\n"},
      {"assign", FLOATS("p[i] *= a;"), "2:6 *= -> /=\n2:6 *= -> +=\n2:6 *= -> -=\n"},
      {"assign", VECTORS("v.xy += 1;"), "2:6 += -> -=\n2:6 += -> *=\n2:6 += -> /=\n"},
      {"assign", VECTORS("p[0] -= v;"), "2:6 -= -> +=\n2:6 -= -> *=\n2:6 -= -> /=\n"},
  };
  check_mutants(cases, COUNT(cases));
}

static void deletes_barriers(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"barrier", INTS("barrier(CLK_LOCAL_MEM_FENCE);"), "2:1 barrier(CLK_LOCAL_MEM_FENCE) -> \n"},
      {"barrier", INTS("barrier( CLK_LOCAL_MEM_FENCE /* a */ |\n  CLK_GLOBAL_MEM_FENCE );"),
       "2:1 barrier( CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE ) -> \n"},
      {"barrier", "void barrier2(int f) {}\n" INTS("barrier2(1); mem_fence(1);"), ""},
      {"barrier", "void work_group_barrier(int f) {}\n" INTS("work_group_barrier(1);"), ""}, /* the user's own */
  };
  check_mutants(cases, COUNT(cases));
  static const char source[] = INTS("work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);");
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1, .options = "-cl-std=CL2.0"};
  found f;
  find(&in, 1, &f);
  char *text = mutants_text(&f, "barrier");
  assert_string_equal(text, "2:1 work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group) -> \n");
  free(text);
  found_free(&f);
}

static void moves_coordinates(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"image", IMAGES("p[0] = read_imagef(i, s, c);"),
       "2:26 c -> (c) + (int2)(1, 0) (x + 1)\n2:26 c -> (c) + (int2)(0, 1) (y + 1)\n"
       "2:26 c -> (c) - (int2)(1, 0) (x - 1)\n2:26 c -> (c) - (int2)(0, 1) (y - 1)\n"
       "2:26 c -> (c).yx (x and y exchanged)\n"},
      {"image", IMAGES("p[0] = read_imagef(i, s, (float2)(1, 2));"),
       "2:26 (float2)(1, 2) -> ((float2)(1, 2)) + (float2)(1.0f, 0.0f) (x + 1)\n"
       "2:26 (float2)(1, 2) -> ((float2)(1, 2)) + (float2)(0.0f, 1.0f) (y + 1)\n"
       "2:26 (float2)(1, 2) -> ((float2)(1, 2)) - (float2)(1.0f, 0.0f) (x - 1)\n"
       "2:26 (float2)(1, 2) -> ((float2)(1, 2)) - (float2)(0.0f, 1.0f) (y - 1)\n"
       "2:26 (float2)(1, 2) -> ((float2)(1, 2)).yx (x and y exchanged)\n"},
      {"image", IMAGES("p[0] = read_imagef(i, c);"),
       "2:23 c -> (c) + (int2)(1, 0) (x + 1)\n2:23 c -> (c) + (int2)(0, 1) (y + 1)\n"
       "2:23 c -> (c) - (int2)(1, 0) (x - 1)\n2:23 c -> (c) - (int2)(0, 1) (y - 1)\n"
       "2:23 c -> (c).yx (x and y exchanged)\n"},
      {"image", IMAGES("write_imagef(o, c, p[0]);"),
       "2:17 c -> (c) + (int2)(1, 0) (x + 1)\n2:17 c -> (c) + (int2)(0, 1) (y + 1)\n"
       "2:17 c -> (c) - (int2)(1, 0) (x - 1)\n2:17 c -> (c) - (int2)(0, 1) (y - 1)\n"
       "2:17 c -> (c).yx (x and y exchanged)\n"},
      {"image", IMAGES("p[0] = read_imagef(d, s, (int4)(c, c));"),
       "2:26 (int4)(c, c) -> ((int4)(c, c)) + (int4)(1, 0, 0, 0) (x + 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) + (int4)(0, 1, 0, 0) (y + 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) + (int4)(0, 0, 1, 0) (z + 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) - (int4)(1, 0, 0, 0) (x - 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) - (int4)(0, 1, 0, 0) (y - 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) - (int4)(0, 0, 1, 0) (z - 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)).yxzw (x and y exchanged)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)).zyxw (x and z exchanged)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)).xzyw (y and z exchanged)\n"},
      {"image", IMAGES("p[0] = read_imagef(y, s, (int4)(c, c));"), /* the layer is no coordinate */
       "2:26 (int4)(c, c) -> ((int4)(c, c)) + (int4)(1, 0, 0, 0) (x + 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) + (int4)(0, 1, 0, 0) (y + 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) - (int4)(1, 0, 0, 0) (x - 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)) - (int4)(0, 1, 0, 0) (y - 1)\n"
       "2:26 (int4)(c, c) -> ((int4)(c, c)).yxzw (x and y exchanged)\n"},
      {"image", IMAGES("p[0] = read_imagef(e, s, 1);"), ""},
      {"image", IMAGES("p[0].x = get_image_width(i);"), ""},
  };
  check_mutants(cases, COUNT(cases));
}

static void changes_loops(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"loop", INTS("for (int i = 0; i < a; i++) p[i] = 0;"),
       "2:1 for (int i = 0; i < a; i++) ->  (loop skipped)\n2:1 for (int i = 0; i < a; i++) ->  (n-1 iterations: i < a "
       "- 1)\n"
       "2:1 for (int i = 0; i < a; i++) ->  (n+1 iterations: i < a + 1)\n"},
      {"loop", INTS("for (int i = 0, j = 9; i != j; i += 2, j--) p[i] = 0;"),
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (loop skipped)\n"
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (n-1 iterations: without the last one)\n"
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (n+1 iterations: one more when its condition is false)\n"},
      {"loop", INTS("for (int i = a; i >= b * 2; i -= 4) p[i] = 0;"),
       "2:1 for (int i = a; i >= b * 2; i -= 4) ->  (loop skipped)\n"
       "2:1 for (int i = a; i >= b * 2; i -= 4) ->  (n-1 iterations: i >= b * 2 + 4)\n"
       "2:1 for (int i = a; i >= b * 2; i -= 4) ->  (n+1 iterations: i >= b * 2 - 4)\n"},
      {"loop", INTS("for (int i = 0; i < a << 1; i++) p[i] = 0;"), /* another operator would take the limit apart */
       "2:1 for (int i = 0; i < a << 1; i++) ->  (loop skipped)\n"
       "2:1 for (int i = 0; i < a << 1; i++) ->  (n-1 iterations: without the last one)\n"
       "2:1 for (int i = 0; i < a << 1; i++) ->  (n+1 iterations: one more when its condition is false)\n"},
      {"loop", INTS("for (int i = 9; i < a; i--) p[i] = 0;"), /* away from the limit */
       "2:1 for (int i = 9; i < a; i--) ->  (loop skipped)\n"
       "2:1 for (int i = 9; i < a; i--) ->  (n-1 iterations: without the last one)\n"
       "2:1 for (int i = 9; i < a; i--) ->  (n+1 iterations: one more when its condition is false)\n"},
      {"loop", INTS("for (;;) break;"), "2:1 for (;;) ->  (loop skipped)\n"},
      {"loop", INTS("while (1) break;"), "2:1 while (1) ->  (loop skipped)\n"},
      {"loop", INTS("while (a > 0) { a = a - 1; }"),
       "2:1 while (a > 0) ->  (loop skipped)\n2:1 while (a > 0) ->  (n-1 iterations: without the last one)\n"
       "2:1 while (a > 0) ->  (n+1 iterations: one more when its condition is false)\n"},
      {"loop", INTS("while (atomic_dec(p) > 0) b++;"), /* who knows whether another turn comes? */
       "2:1 while (atomic_dec(p) > 0) ->  (loop skipped)\n2:1 while (atomic_dec(p) > 0) ->  (n+1 iterations: one more "
       "when its condition is false)\n"},
      {"loop", INTS("do { a--; } while (a > b);"),
       "2:1 do ->  (loop skipped)\n2:1 do ->  (n-1 iterations: without the last one)\n2:1 do ->  (n+1 iterations: one "
       "more when its condition is false)\n"},
      {"loop", INTS("if (a) p[0] = 1;"), ""},
  };
  check_mutants(cases, COUNT(cases));
}

static void changes_indices(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"index", INTS("p[get_global_id(0)] = 1;"),
       "2:3 get_global_id(0) -> get_local_id(0)\n2:3 get_global_id(0) -> get_group_id(0)\n"
       "2:3 get_global_id(0) -> get_global_size(0)\n2:3 get_global_id(0) -> get_local_size(0)\n"
       "2:3 get_global_id(0) -> get_num_groups(0)\n2:3 get_global_id(0) -> get_global_id(1)\n"
       "2:3 get_global_id(0) -> get_global_id(2)\n2:3 get_global_id(0) -> get_global_id(0) + 1\n"
       "2:3 get_global_id(0) -> get_global_id(0) - 1\n"},
      {"index", INTS("p[0] = get_num_groups(2);"),
       "2:8 get_num_groups(2) -> get_global_id(2)\n2:8 get_num_groups(2) -> get_local_id(2)\n"
       "2:8 get_num_groups(2) -> get_group_id(2)\n2:8 get_num_groups(2) -> get_global_size(2)\n"
       "2:8 get_num_groups(2) -> get_local_size(2)\n2:8 get_num_groups(2) -> get_num_groups(0)\n"
       "2:8 get_num_groups(2) -> get_num_groups(1)\n2:8 get_num_groups(2) -> get_num_groups(2) + 1\n"
       "2:8 get_num_groups(2) -> get_num_groups(2) - 1\n"},
      {"index", INTS("p[0] = get_local_id(a);"),
       "2:8 get_local_id(a) -> get_global_id(a)\n2:8 get_local_id(a) -> get_group_id(a)\n"
       "2:8 get_local_id(a) -> get_global_size(a)\n2:8 get_local_id(a) -> get_local_size(a)\n"
       "2:8 get_local_id(a) -> get_num_groups(a)\n2:8 get_local_id(a) -> get_local_id(((a) + 1) % 3)\n"
       "2:8 get_local_id(a) -> get_local_id(((a) + 2) % 3)\n2:8 get_local_id(a) -> get_local_id(a) + 1\n"
       "2:8 get_local_id(a) -> get_local_id(a) - 1\n"},
      {"index", INTS("p[0] = get_local_id(0) * 2;"),
       "2:8 get_local_id(0) -> get_global_id(0)\n2:8 get_local_id(0) -> get_group_id(0)\n"
       "2:8 get_local_id(0) -> get_global_size(0)\n2:8 get_local_id(0) -> get_local_size(0)\n"
       "2:8 get_local_id(0) -> get_num_groups(0)\n2:8 get_local_id(0) -> get_local_id(1)\n"
       "2:8 get_local_id(0) -> get_local_id(2)\n2:8 get_local_id(0) -> (get_local_id(0) + 1)\n"
       "2:8 get_local_id(0) -> (get_local_id(0) - 1)\n"},
      {"index", INTS("a = (int)get_local_id(0);"),
       "2:10 get_local_id(0) -> get_global_id(0)\n2:10 get_local_id(0) -> get_group_id(0)\n"
       "2:10 get_local_id(0) -> get_global_size(0)\n2:10 get_local_id(0) -> get_local_size(0)\n"
       "2:10 get_local_id(0) -> get_num_groups(0)\n2:10 get_local_id(0) -> get_local_id(1)\n"
       "2:10 get_local_id(0) -> get_local_id(2)\n2:10 get_local_id(0) -> (get_local_id(0) + 1)\n"
       "2:10 get_local_id(0) -> (get_local_id(0) - 1)\n"},
      {"index", INTS("p[0] = get_work_dim();"), ""},
  };
  check_mutants(cases, COUNT(cases));
}

static void makes_updates_plain(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"atomic", INTS("atomic_add(p, a);"), "2:1 atomic_add(p, a) -> *(p) += a (not atomic)\n"},
      {"atomic", INTS("atom_sub(&p[1], a);"), "2:1 atom_sub(&p[1], a) -> *(&p[1]) -= a (not atomic)\n"},
      {"atomic", INTS("a = atomic_xchg(p, 2);"),
       "2:5 atomic_xchg(p, 2) -> ({ int old = *(p); *(p) = 2; old; }) (not atomic)\n"},
      {"atomic", INTS("atomic_inc(p); atom_dec(p);"),
       "2:1 atomic_inc(p) -> (*(p))++ (not atomic)\n2:16 atom_dec(p) -> (*(p))-- (not atomic)\n"},
      {"atomic", INTS("atomic_cmpxchg(p, a, b);"),
       "2:1 atomic_cmpxchg(p, a, b) -> *(p) = *(p) == (a) ? b : *(p) (not atomic)\n"},
      {"atomic", INTS("atomic_min(p, a); atomic_max(w, u);"),
       "2:1 atomic_min(p, a) -> *(p) = min(*(p), a) (not atomic)\n"
       "2:19 atomic_max(w, u) -> *(w) = max(*(w), u) (not atomic)\n"},
      {"atomic", INTS("atomic_and(m, a); atomic_or(m, a); atomic_xor(m, a);"),
       "2:1 atomic_and(m, a) -> *(m) &= a (not atomic)\n2:19 atomic_or(m, a) -> *(m) |= a (not atomic)\n"
       "2:36 atomic_xor(m, a) -> *(m) ^= a (not atomic)\n"},
      {"atomic", INTS("int old = 1 + atomic_add(p, a | b); a = atomic_dec(&p[old]);"),
       "2:15 atomic_add(p, a | b) -> ({ int old = *(p); *(p) = old + (a | b); old; }) (not atomic)\n"
       "2:41 atomic_dec(&p[old]) -> ({ int before = *(&p[old]); *(&p[old]) = before - 1; before; }) (not atomic)\n"},
  };
  check_mutants(cases, COUNT(cases));
}

static void makes_updates_of_2_0_plain(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"atomic", ATOMICS("atomic_fetch_add(p, a);"),
       "2:1 atomic_fetch_add(p, a) -> *(__global int *)(p) += a (not atomic)\n"},
      {"atomic", ATOMICS("atomic_fetch_sub_explicit(u, 2u, memory_order_relaxed);"),
       "2:1 atomic_fetch_sub_explicit(u, 2u, memory_order_relaxed) -> *(__local uint *)(u) -= 2u (not atomic)\n"},
      {"atomic", ATOMICS("a = (int)atomic_fetch_or(l, 1L);"),
       "2:10 atomic_fetch_or(l, 1L) -> ({ long old = *(long *)(l); *(long *)(l) = old | (1L); old; }) (not atomic)\n"},
      {"atomic", ATOMICS("atomic_fetch_and(p, a); atomic_fetch_xor(p, a);"),
       "2:1 atomic_fetch_and(p, a) -> *(__global int *)(p) &= a (not atomic)\n"
       "2:25 atomic_fetch_xor(p, a) -> *(__global int *)(p) ^= a (not atomic)\n"},
      {"atomic",
       ATOMICS("atomic_fetch_min(p, a);\natomic_fetch_max_explicit(u, 3u, memory_order_relaxed, memory_scope_device);"),
       "2:1 atomic_fetch_min(p, a) -> *(__global int *)(p) = min(*(__global int *)(p), a) (not atomic)\n"
       "3:1 atomic_fetch_max_explicit(u, 3u, memory_order_relaxed, memory_scope_device) -> "
       "*(__local uint *)(u) = max(*(__local uint *)(u), 3u) (not atomic)\n"},
      {"atomic", ATOMICS("atomic_exchange(f, 1.5f);"),
       "2:1 atomic_exchange(f, 1.5f) -> *(__global volatile float *)(f) = 1.5f (not atomic)\n"},
      {"atomic", ATOMICS("x = atomic_exchange_explicit(f, 2, memory_order_relaxed);"),
       "2:5 atomic_exchange_explicit(f, 2, memory_order_relaxed) -> ({ float old = *(__global volatile float *)(f); "
       "*(__global volatile float *)(f) = 2; old; }) (not atomic)\n"},
      {"atomic", ATOMICS("atomic_compare_exchange_strong(p, &a, 3);"),
       "2:1 atomic_compare_exchange_strong(p, &a, 3) -> *(__global int *)(p) == *(&a) ? (*(__global int *)(p) = 3, "
       "true) : (*(&a) = *(__global int *)(p), false) (not atomic)\n"},
      {"atomic",
       ATOMICS(
           "if (atomic_compare_exchange_weak_explicit(f, &x, 3, memory_order_relaxed, memory_order_relaxed)) a = 1;"),
       "2:5 atomic_compare_exchange_weak_explicit(f, &x, 3, memory_order_relaxed, memory_order_relaxed) -> "
       "(as_int(*(__global volatile float *)(f)) == as_int(*(&x)) ? (*(__global volatile float *)(f) = 3, true) : "
       "(*(&x) = *(__global volatile float *)(f), false)) (not atomic)\n"},
      {"atomic", ATOMICS("atomic_store(p, a | 1);\natomic_store_explicit(u + 1, 3u, memory_order_release);"),
       "2:1 atomic_store(p, a | 1) -> *(__global int *)(p) = a | 1 (not atomic)\n"
       "3:1 atomic_store_explicit(u + 1, 3u, memory_order_release) -> *(__local uint *)(u + 1) = 3u (not atomic)\n"},
      {"atomic", ATOMICS("a ? atomic_store(p, 1) : atomic_store(p, 2);"),
       "2:5 atomic_store(p, 1) -> (*(__global int *)(p) = 1) (not atomic)\n"
       "2:26 atomic_store(p, 2) -> (*(__global int *)(p) = 2) (not atomic)\n"},
      {"atomic", ATOMICS("atomic_flag_test_and_set(g);\natomic_flag_clear(g);"),
       "2:1 atomic_flag_test_and_set(g) -> *(__global int *)(g) = 1 (not atomic)\n"
       "3:1 atomic_flag_clear(g) -> *(__global int *)(g) = 0 (not atomic)\n"},
      {"atomic", ATOMICS("while (atomic_flag_test_and_set_explicit(g, memory_order_acquire)) a++;"),
       "2:8 atomic_flag_test_and_set_explicit(g, memory_order_acquire) -> ({ bool old = *(__global int *)(g); "
       "*(__global int *)(g) = 1; old; }) (not atomic)\n"},
      {"atomic", "kernel void k() {\nlocal atomic_int t[4];\natomic_fetch_add(t, 1);\n}\n",
       "3:1 atomic_fetch_add(t, 1) -> *(__local int *)(t) += 1 (not atomic)\n"},
      /* neither is an update, nor is a fence; the others are the program's own */
      {"atomic", ATOMICS("atomic_init(p, 1); a = atomic_load(p) + atomic_load_explicit(p, memory_order_relaxed);"), ""},
      {"atomic", ATOMICS("atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);"),
       ""},
      {"atomic",
       "void atomic_fetch_inc(global atomic_int *p) {}\nvoid atomic_store_all(global atomic_int *p) {}\n" ATOMICS(
           "atomic_fetch_inc(p); atomic_store_all(p);"),
       ""},
      {"atomic",
       "void atom_fetch_add(global int *p, int a) {}\nvoid atomic_add_explicit(global int *p) {}\n" INTS(
           "atom_fetch_add(p, 1); atomic_add_explicit(p);"),
       ""},
  };
  check_mutants_with("-cl-std=CL2.0", cases, COUNT(cases));
  check_mutants_with("-cl-std=CL3.0", cases, COUNT(cases));
}

static void changes_fences(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"fence", INTS("barrier(CLK_LOCAL_MEM_FENCE);"), "2:9 CLK_LOCAL_MEM_FENCE -> CLK_GLOBAL_MEM_FENCE\n"},
      {"fence", INTS("barrier(CLK_GLOBAL_MEM_FENCE);"), "2:9 CLK_GLOBAL_MEM_FENCE -> CLK_LOCAL_MEM_FENCE\n"},
      {"fence", INTS("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"), ""}, /* exchanged, it is the same */
      {"fence", INTS("barrier(3); barrier(a);"), ""},
      {"fence", INTS("mem_fence(CLK_LOCAL_MEM_FENCE);"),
       "2:11 CLK_LOCAL_MEM_FENCE -> CLK_GLOBAL_MEM_FENCE\n2:1 mem_fence(CLK_LOCAL_MEM_FENCE) -> \n"},
      {"fence", INTS("read_mem_fence(1);"), "2:1 read_mem_fence(1) -> \n"},
      {"fence", INTS("write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);"),
       "2:1 write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE) -> \n"},
  };
  check_mutants(cases, COUNT(cases));
}

static void deletes_local_initialisation(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"local", INTS("local int t[8];\nt[a] = p[b];"), "3:1 t[a] = p[b] -> \n"},
      {"local", INTS("local int t;\nif (a) t = 0;"), "3:8 t = 0 -> \n"},
      {"local", INTS("m[a] = 1;\n*m = 2;"), "2:1 m[a] = 1 -> \n3:1 *m = 2 -> \n"},
      {"local", INTS("local struct { int x; } t;\nt.x = 1;"), "3:1 t.x = 1 -> \n"},
      {"local", INTS("m[a] = m[b];"), ""}, /* an update */
      {"local", INTS("m[a] += 1;"), ""},
      {"local", INTS("p[a] = m[b];"), ""},
      {"local", INTS("p[0] = m[a] = 1;"), ""}, /* its value is used */
      {"local", INTS("local int *t; t = m;"), ""},
      {"local", INTS("a = 1; p[0] = 2;"), ""},
  };
  check_mutants(cases, COUNT(cases));
}

static void replaces_numbers(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"const", INTS("a = 7;"), "2:5 7 -> 0\n2:5 7 -> 1\n2:5 7 -> -1\n2:5 7 -> 8\n2:5 7 -> 6\n"},
      {"const", INTS("a = 0;"), "2:5 0 -> 1\n2:5 0 -> -1\n"},
      {"const", INTS("a = 1;"), "2:5 1 -> 0\n2:5 1 -> -1\n2:5 1 -> 2\n"},
      {"const", INTS("a = 2;"), "2:5 2 -> 0\n2:5 2 -> 1\n2:5 2 -> -1\n2:5 2 -> 3\n"},
      {"const", INTS("a = 2147483647;"),
       "2:5 2147483647 -> 0\n2:5 2147483647 -> 1\n2:5 2147483647 -> -1\n2:5 2147483647 -> 2147483646\n"},
      {"const", INTS("u = 3u;"), "2:5 3u -> 0u\n2:5 3u -> 1u\n2:5 3u -> -1u\n2:5 3u -> 4u\n2:5 3u -> 2u\n"},
      {"const", INTS("u = 0xffffffff;"), "2:5 0xffffffff -> 0\n2:5 0xffffffff -> 1\n2:5 0xffffffff -> 0xfffffffe\n"},
      {"const", INTS("l = 0x1FL;"),
       "2:5 0x1FL -> 0L\n2:5 0x1FL -> 1L\n2:5 0x1FL -> -1L\n2:5 0x1FL -> 0x20L\n2:5 0x1FL -> 0x1eL\n"},
      {"const", INTS("a = 017;"), "2:5 017 -> 0\n2:5 017 -> 1\n2:5 017 -> -1\n2:5 017 -> 020\n2:5 017 -> 016\n"},
      {"const", FLOATS("a = 2.5f;"),
       "2:5 2.5f -> 0.0f\n2:5 2.5f -> 1.0f\n2:5 2.5f -> -1.0f\n2:5 2.5f -> 3.5f\n2:5 2.5f -> 1.5f\n"},
      {"const", FLOATS("a = 1.;"), "2:5 1. -> 0.0\n2:5 1. -> -1.0\n2:5 1. -> 2.0\n"},
      {"const", FLOATS("a = 1e30f;"), "2:5 1e30f -> 0.0f\n2:5 1e30f -> 1.0f\n2:5 1e30f -> -1.0f\n"},
      {"const", FLOATS("a = .1f;"),
       "2:5 .1f -> 0.0f\n2:5 .1f -> 1.0f\n2:5 .1f -> -1.0f\n2:5 .1f -> 1.1f\n2:5 .1f -> -0.9f\n"},
      {"const", VECTORS("p[0].s1 = v.s0;"), "2:3 0 -> 1\n2:3 0 -> -1\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* --- types -------------------------------------------------------------------------------------------------------- */

static void keeps_pointers_correct(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"paper", INTS("p[0] = *(p + a);"), "2:12 + -> -\n"},
      {"paper", INTS("p[0] = *(p - a);"), "2:12 - -> +\n"},
      {"paper", INTS("p[0] = *(a + p);"), ""}, /* an integer minus a pointer is nothing */
      {"paper", INTS("p[0] = p - q;"), ""},
      {"paper", INTS("p++; --q;"), "2:2 ++ -> --\n2:6 -- -> ++\n"},
      {"paper", INTS("p[0] = *q++;"), "2:10 ++ -> --\n"},
      {"paper", INTS("p[0] = p && q;"), "2:10 && -> ||\n"},
      {"paper,const", INTS("p = 0;"), ""},
      {"paper,const", INTS("a = p == 0;"), "2:7 == -> !=\n"},
  };
  check_mutants(cases, COUNT(cases));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exchanges_arithmetic),
      cmocka_unit_test(exchanges_relations),
      cmocka_unit_test(exchanges_logic),
      cmocka_unit_test(exchanges_bits),
      cmocka_unit_test(exchanges_assignments),
      cmocka_unit_test(deletes_barriers),
      cmocka_unit_test(moves_coordinates),
      cmocka_unit_test(changes_loops),
      cmocka_unit_test(changes_indices),
      cmocka_unit_test(makes_updates_plain),
      cmocka_unit_test(changes_fences),
      cmocka_unit_test(deletes_local_initialisation),
      cmocka_unit_test(replaces_numbers),
      cmocka_unit_test(keeps_pointers_correct),
      cmocka_unit_test(makes_updates_of_2_0_plain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
