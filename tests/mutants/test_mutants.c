/* The mutants of each operator: source in, the exact mutants out. The expectations are written from the table of
 * docs/mutation.md, not from output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "mutants_fixture.h"

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
      {"arith", FLOATS("p[0] = a + b;"), "2:10 + -> -\n2:10 + -> *\n2:10 + -> /\n"},
      {"arith", FLOATS("p[0] = -a; a--;"), "2:8 - -> \n2:13 -- -> ++\n"},
      {"arith", FLOATS("p[0] = a++;"), "2:9 ++ -> -- text\n"},
      {"arith", FLOATS("p[0] = ++a;"), "2:8 ++ -> --\n"},
      {"arith", VECTORS("p[0] = v * a;"), "2:10 * -> /\n2:10 * -> +\n2:10 * -> -\n"},
      {"arith", VECTORS("p[0].x = v.y - v.s2;"), "2:14 - -> +\n2:14 - -> *\n2:14 - -> /\n"},
      {"arith", VECTORS("p[0].xy = -v.zw;"), "2:11 - -> \n"},
      {"arith", VECTORS("n++;"), "2:2 ++ -> --\n"},
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
       "2:1 for (int i = 0; i < a; i++) ->  (loop skipped)\n2:1 for (int i = 0; i < a; i++) ->  (n-1 iterations)\n"
       "2:1 for (int i = 0; i < a; i++) ->  (n+1 iterations)\n"},
      {"loop", INTS("for (int i = 0, j = 9; i != j; i += 2, j--) p[i] = 0;"),
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (loop skipped)\n"
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (n-1 iterations)\n"
       "2:1 for (int i = 0, j = 9; i != j; i += 2, j--) ->  (n+1 iterations)\n"},
      {"loop", INTS("for (;;) break;"), "2:1 for (;;) ->  (loop skipped)\n"},
      {"loop", INTS("while (1) break;"), "2:1 while (1) ->  (loop skipped)\n"},
      {"loop", INTS("while (a > 0) { a = a - 1; }"),
       "2:1 while (a > 0) ->  (loop skipped)\n2:1 while (a > 0) ->  (n-1 iterations)\n"
       "2:1 while (a > 0) ->  (n+1 iterations)\n"},
      {"loop", INTS("while (atomic_dec(p) > 0) b++;"), /* who knows whether another turn comes? */
       "2:1 while (atomic_dec(p) > 0) ->  (loop skipped)\n2:1 while (atomic_dec(p) > 0) ->  (n+1 iterations)\n"},
      {"loop", INTS("do { a--; } while (a > b);"),
       "2:1 do ->  (loop skipped)\n2:1 do ->  (n-1 iterations)\n2:1 do ->  (n+1 iterations)\n"},
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

/* Functions on atomic types: pointers to global and local memory, a generic one, one to volatile. */
#define ATOMICS(body)                                                                                           \
  "void h(global atomic_int *p, local atomic_uint *u, atomic_long *l, volatile global atomic_float *f, global " \
  "atomic_flag *g, int a, float x) {\n" body "\n}\n"

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

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* In place, a replacement must be parsed as the change of the expression tree that it is. */
static void reads_as_it_runs(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"arith", INTS("p[0] = a * b * a;"),
       "2:10 * -> /\n2:8 a * b -> (a + b)\n2:8 a * b -> (a - b)\n2:14 * -> /\n2:14 * -> +\n2:14 * -> -\n"},
      {"arith", INTS("p[0] = a + b * a;"),
       "2:10 + -> -\n2:8 a + b * a -> a * (b * a)\n2:8 a + b * a -> a / (b * a)\n2:14 * -> /\n2:12 b * a -> (b + a)\n"
       "2:12 b * a -> (b - a)\n"},
      {"arith", INTS("p[0] = a - b - a;"),
       "2:10 - -> +\n2:10 - -> *\n2:10 - -> /\n2:14 - -> +\n2:8 a - b - a -> (a - b) * a\n"
       "2:8 a - b - a -> (a - b) / a\n"},
      {"arith", INTS("p[0] = a / b * a;"),
       "2:10 / -> *\n2:8 a / b -> (a + b)\n2:8 a / b -> (a - b)\n2:14 * -> /\n2:14 * -> +\n2:14 * -> -\n"},
      {"arith", INTS("p[0] = a % b + a;"),
       "2:10 % -> *\n2:10 % -> +\n2:10 % -> -\n2:10 % -> /\n2:14 + -> -\n2:14 + -> *\n2:14 + -> /\n"},
      {"arith", FLOATS("p[0] = a * b + a;"),
       "2:10 * -> /\n2:10 * -> +\n2:10 * -> -\n2:14 + -> -\n2:14 + -> *\n2:14 + -> /\n"},
      {"arith", INTS("p[0] = a + b - a * 2 / 3;"), /* (a + b) - ((a * 2) / 3) */
       "2:10 + -> -\n2:10 + -> *\n2:10 + -> /\n2:14 - -> +\n2:8 a + b - a * 2 / 3 -> (a + b) * (a * 2 / 3)\n"
       "2:8 a + b - a * 2 / 3 -> (a + b) / (a * 2 / 3)\n2:18 * -> /\n2:16 a * 2 -> (a + 2)\n2:16 a * 2 -> (a - 2)\n"
       "2:22 / -> *\n2:16 a * 2 / 3 -> (a * 2 + 3)\n2:16 a * 2 / 3 -> (a * 2 - 3)\n"},
      {"arith", INTS("p[0] = (a + b) * u;"),
       "2:11 + -> -\n2:11 + -> *\n2:11 + -> /\n2:16 * -> /\n2:16 * -> +\n2:16 * -> -\n"},
      {"arith", INTS("p[0] = a - (b - a);"),
       "2:10 - -> +\n2:10 - -> *\n2:10 - -> /\n2:15 - -> +\n2:15 - -> *\n2:15 - -> /\n"},
      {"arith", INTS("p[0] = p[a * b] * a;"),
       "2:12 * -> /\n2:12 * -> +\n2:12 * -> -\n2:17 * -> /\n2:17 * -> +\n2:17 * -> -\n"},
      {"arith", INTS("p[0] = (char)a * b * a;"),
       "2:16 * -> /\n2:8 (char)a * b -> ((char)a + b)\n2:8 (char)a * b -> ((char)a - b)\n2:20 * -> /\n2:20 * -> +\n"
       "2:20 * -> -\n"},
      {"arith", INTS("p[0] = -(a + b);"), "2:8 - -> \n2:12 + -> -\n2:12 + -> *\n2:12 + -> /\n"},
      {"arith", INTS("p[0] = -a - b;"), "2:8 - -> \n2:11 - -> +\n2:11 - -> *\n2:11 - -> /\n"},
      {"arith", INTS("p[0] = *(p + a + b);"), "2:12 + -> -\n2:16 + -> -\n"},
      {"arith", INTS("p[0] = max(a, b) * a * b;"),
       "2:18 * -> /\n2:8 max(a, b) * a -> (max(a, b) + a)\n2:8 max(a, b) * a -> (max(a, b) - a)\n2:22 * -> /\n"
       "2:22 * -> +\n2:22 * -> -\n"},
      {"assign", INTS("a *= b + u;"), "2:3 *= -> /=\n2:3 *= -> +=\n2:3 *= -> -=\n"},
      {"rel", INTS("p[0] = a < b == u;"), "2:10 < -> >\n2:10 < -> >=\n2:10 < -> <=\n2:14 == -> !=\n"},
      {"rel", INTS("p[0] = a == b < u;"), "2:10 == -> !=\n2:15 < -> >\n2:15 < -> >=\n2:15 < -> <=\n"},
      {"bit", INTS("p[0] = a & b == a;"), "2:10 & -> |\n"},
      {"bit", INTS("p[0] = a & b & a;"), "2:8 a & b -> (a | b)\n2:14 & -> |\n"},
      {"bit", INTS("p[0] = a | b | a;"), "2:10 | -> &\n2:8 a | b | a -> (a | b) & a\n"},
      {"bit", INTS("p[0] = a | b & a;"), "2:8 a | b & a -> a & (b & a)\n2:12 b & a -> (b | a)\n"},
      {"bit", INTS("p[0] = a ^ b | a;"), "2:10 ^ -> &\n2:8 a ^ b | a -> (a ^ b) & a\n"},
      {"bit", INTS("p[0] = a | b ^ a;"), "2:8 a | b ^ a -> a & (b ^ a)\n2:14 ^ -> &\n"},
      {"bit,arith", INTS("p[0] = a << 1 + b;"), "2:10 << -> >>\n2:15 + -> -\n2:15 + -> *\n2:15 + -> /\n"},
      {"bit", INTS("p[0] = ~a << b;"), "2:8 ~ -> \n2:11 << -> >>\n"},
      {"logic", INTS("p[0] = a && b && u;"), "2:8 a && b -> (a || b)\n2:15 && -> ||\n"},
      {"logic", INTS("p[0] = a || b || u;"), "2:10 || -> &&\n2:8 a || b || u -> (a || b) && u\n"},
      {"logic", INTS("p[0] = a || b && u;"), "2:8 a || b && u -> a && (b && u)\n2:13 b && u -> (b || u)\n"},
      {"logic", INTS("p[0] = !a == b;"), "2:8 ! -> \n"},
      {"logic", VECTORS("n = n && n && n;"), "2:5 n && n -> (n || n) text\n2:12 && -> || text\n"},
      /* over lines, with comments */
      {"arith", INTS("p[0] = a /* x */ *\n  b * a;"),
       "2:18 * -> /\n2:8 a * b -> (a + b)\n2:8 a * b -> (a - b)\n3:5 * -> /\n3:5 * -> +\n3:5 * -> -\n"},
      {"bit", INTS("p[0] = a\n  & b // cltestcheck: no-mutate\n  & a;"),
       "2:8 a & b -> (a | b) suppressed\n4:3 & -> |\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* What an operator takes with it must be all that stands there. */
static void reads_in_macros(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"arith", "#define N 4\n" INTS("p[0] = a * N * b;"),
       "3:10 * -> /\n3:8 a * N -> (a + N)\n3:8 a * N -> (a - N)\n3:14 * -> /\n3:14 * -> +\n3:14 * -> -\n"},
      {"bit", "#define F(x) ((x) + 1)\n" INTS("p[0] = F(a) & F(b) & a;"),
       "3:8 F(a) & F(b) -> (F(a) | F(b))\n3:20 & -> |\n"},
      {"arith", "#define N 4 + 1\n" INTS("p[0] = N * a;"), /* 4 + (1 * a) */
       "1:13 + -> -\n1:13 + -> * (* between the same operands)\n1:13 + -> / (/ between the same operands)\n3:10 * -> "
       "/\n"
       "3:10 * -> + (+ between the same operands)\n3:10 * -> - (- between the same operands)\n"},
      {"arith", "#define F(x, y) ((x) * 2 * (y))\n" INTS("p[0] = F(a, b);"),
       "1:22 * -> /\n1:18 (x) * 2 -> ((x) + 2)\n1:18 (x) * 2 -> ((x) - 2)\n1:26 * -> /\n1:26 * -> +\n1:26 * -> -\n"},
      {"arith", "#define F(x, y) (1 + x * y)\n" INTS("p[0] = F(a, b);"),
       "1:20 + -> -\n1:18 1 + x * y -> 1 * (x * y)\n1:18 1 + x * y -> 1 / (x * y)\n1:24 * -> /\n"
       "1:22 x * y -> (x + y)\n1:22 x * y -> (x - y)\n"},
      {"arith", "#define F(x, y) (1 + x * y)\n" INTS("p[0] = F(a, b) | F(a + 1, b);"), /* 1 + a + (1 * b) */
       "1:20 + -> -\n1:20 + -> * (* between the same operands)\n1:20 + -> / (/ between the same operands)\n1:24 * -> "
       "/\n"
       "1:24 * -> + (+ between the same operands)\n1:24 * -> - (- between the same operands)\n3:22 + -> -\n"
       "3:22 + -> * (* between the same operands)\n3:22 + -> / (/ between the same operands)\n"},
      {"bit", "#define F(x, y) x & y\n" INTS("p[0] = F(a, b) & a;"), /* how far it goes is seen at the use only */
       "1:19 & -> | (| between the same operands)\n3:16 & -> |\n"},
      {"bit", "#define F(x) (x)\n" INTS("p[0] = F(a & b & a);"), "3:10 a & b -> (a | b)\n3:16 & -> |\n"},
      {"bit", "#define F(x) (x)\n#define N 3\n" INTS("p[0] = F(a | N & b | a);"),
       "4:10 a | N & b -> a & (N & b)\n4:14 N & b -> (N | b)\n4:10 a | N & b | a -> (a | N & b) & a\n"},
      {"bit", "#define F(x, y) x y\n" INTS("p[0] = a | F(a &, b);"),
       "3:8 a | F(a &, b) -> a & (F(a &, b))\n3:16 & -> | (| between the same operands)\n"},
      {"bit", "#define F(o) a o b\n" INTS("p[0] = a | F(&) | a;"),
       "3:8 a | F(&) -> a & (F(&))\n3:14 & -> | (| between the same operands)\n"
       "3:8 a | F(&) | a -> (a | F(&)) & a\n"},
      {"bit", "#define F(x) (a & b \\\n  & x)\n" INTS("p[0] = F(a);"), "1:15 a & b -> (a | b)\n2:3 & -> |\n"},
      {"bit", "#define A a &\n#define B b & a\n" INTS("p[0] = A B;"),
       "1:13 & -> | (| between the same operands)\n2:13 & -> |\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* Two tokens must not become another one. */
static void keeps_tokens_apart(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"arith", INTS("p[0] = a+-b;"), "2:9 + -> - \n2:9 + -> *\n2:9 + -> /\n2:10 - -> \n"},
      {"arith", INTS("p[0] = a*-b*a;"),
       "2:9 * -> /\n2:8 a*-b -> (a+-b)\n2:8 a*-b -> (a- -b)\n2:10 - -> \n2:12 * -> /\n2:12 * -> +\n2:12 * -> -\n"},
      {"arith", INTS("p[0] = a-++b;"), "2:9 - -> + \n2:9 - -> *\n2:9 - -> /\n2:10 ++ ->  --\n"},
      {"arith", INTS("p[0] = a%*q;"), "2:9 % -> *\n2:9 % -> +\n2:9 % -> -\n2:9 % -> / \n"},
      {"arith", INTS("p[0] = 0x1e*a;"), "2:12 * -> /\n2:12 * ->  +\n2:12 * ->  -\n"},
      {"arith", INTS("int line = 0; p[0] = line*a;"), "2:26 * -> /\n2:26 * -> +\n2:26 * -> -\n"},
      {"arith", INTS("p[0] = a--*b;"), "2:9 -- -> ++\n2:11 * -> /\n2:11 * -> +\n2:11 * ->  -\n"},
      {"bit", INTS("p[0] = -~-a;"), "2:9 ~ ->  \n"},
      {"logic", "int f(int a) { return!a; }\n", "1:22 ! ->  \n"},
      {"const", INTS("b = a-1;"), "2:7 1 -> 0\n2:7 1 ->  -1\n2:7 1 -> 2\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static void finds_every_place(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"bit", INTS("if (a & 1) a = 2; else if (b & 1) a = 3;"), "2:7 & -> |\n2:30 & -> |\n"},
      {"bit", INTS("while (a & 1) a = 2;"), "2:10 & -> |\n"},
      {"bit", INTS("do a = 1; while (a & 1);"), "2:20 & -> |\n"},
      {"bit", INTS("for (a = b & 1; a & 2; a = a & 4) b = a & 8;"),
       "2:12 & -> |\n2:19 & -> |\n2:30 & -> |\n2:41 & -> |\n"},
      {"bit", INTS("switch (a & 1) { case 0: a = b & 2; default: b = a & 3; }"),
       "2:11 & -> |\n2:32 & -> |\n2:52 & -> |\n"},
      {"bit", INTS("a = a & 1 ? b & 2 : b & 4;"), "2:7 & -> |\n2:15 & -> |\n2:23 & -> |\n"},
      {"bit", INTS("p[a & 1] = q[p[b & 2]];"), "2:5 & -> |\n2:18 & -> |\n"},
      {"bit", INTS("int c = a & 1, d[2] = {a & 2, b};"), "2:11 & -> |\n2:26 & -> |\n"},
      {"bit", INTS("a = max(a & 1, min(b, a & 2));"), "2:11 & -> |\n2:25 & -> |\n"},
      {"bit", INTS("int4 v = (int4)(a & 1, 2, 3, b & 2); v.s0 = (v & v).x;"),
       "2:19 & -> |\n2:32 & -> |\n2:48 & -> |\n"},
      {"bit", INTS("a = as_int(u & 1u); a = convert_int(l & 2);"), "2:14 & -> |\n2:39 & -> |\n"},
      {"bit", INTS("return (void)(a & 1);"), "2:17 & -> |\n"},
      {"bit", INTS("a += b & 1; a = (b, a & 2);"), "2:8 & -> |\n2:23 & -> |\n"},
      {"bit", INTS("a = ({ int t = b & 1; t; });"), "2:18 & -> |\n"},
      {"bit", "int f(int a) { return a & 1; }\n" INTS("p[0] = f(a & 2);"), "1:25 & -> |\n3:12 & -> |\n"},
      {"bit", "int f(int a) { return a & 1; }\n", "1:25 & -> |\n"}, /* that no kernel reaches */
      {"arith", INTS("a = b\n  + a\n  - b;"),
       "3:3 + -> -\n3:3 + -> *\n3:3 + -> /\n4:3 - -> +\n2:5 b + a - b -> (b + a) * b\n"
       "2:5 b + a - b -> (b + a) / b\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* What must be known when the program is compiled, and what is not executed. */
static void leaves_constants_alone(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"paper,gpu",
       "int t(int x);\nstruct s { int x[2 + 1]; };\nenum e { A = 1 + 2, B = A << 1 };\n"
       "typedef int three[1 + 2];\n",
       ""},
      {"paper,gpu", "constant int c[2 + 1] = {1 + 1, -2, 3 & 1};\n" INTS("int t[4 - 1]; t;"), ""},
      {"paper,gpu", INTS("const sampler_t s = CLK_FILTER_NEAREST | CLK_ADDRESS_NONE;"), ""},
      {"paper,gpu", IMAGES("p[0] = read_imagef(e, CLK_FILTER_NEAREST | CLK_ADDRESS_NONE, c.x);"),
       "2:3 0 -> 1\n2:3 0 -> -1\n"},
      {"const", INTS("event_t e = async_work_group_copy(m, p, a, 0);"), ""},
      {"paper,gpu", INTS("enum { A = 1 + 2 }; struct { int x[1 << 2]; } t;"), ""},
      {"paper,gpu", INTS("a = sizeof(a + b); a = sizeof(int[2 * 2]);"), ""},
      {"paper,gpu", INTS("a = vec_step(a + b);"), ""},
      {"paper,gpu", INTS("switch (a) { case 1 + 2: case -1: break; }"), ""},
      {"paper,gpu", "kernel __attribute__((reqd_work_group_size(8 * 2, 1, 1))) void k() { }\n", ""},
      {"paper,gpu", INTS("int t __attribute__((aligned(4 * 4)));"), ""},
      {"paper,gpu", INTS("constant char *t = \"a + b\"; /* a + b */ // a + b"), ""},
      {"paper", INTS("barrier((a + 1) & 2);"), "2:1 barrier((a + 1) & 2) -> \n"},
      {"paper,gpu", INTS("mem_fence(a + 1);"), "2:1 mem_fence(a + 1) -> \n"},
      {"paper", INTS("int t[3] = {[1 + 1] = a};"), ""},
      {"paper", INTS("a = (int[1 + 1]){b, 2}[0];"), ""},
      {"paper", "#if 1 + 1 == 2\n#endif\n" INTS("#pragma unroll 2 + 1\nfor (;;) break;"),
       "5:1 for (;;) ->  (loop skipped)\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* --- macros ------------------------------------------------------------------------------------------------------- */

static void finds_places_in_macros(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      /* in the body: one mutant at the definition, however often it is used */
      {"bit", "#define F(x) ((x) & 1)\n" INTS("a = F(a); b = F(b);"), "1:19 & -> |\n"},
      {"bit", "#define F(x) ((x) & 1)\n", ""},
      /* in an argument: at the use, also where the body uses the argument twice */
      {"bit", "#define F(x) ((x) * (x))\n" INTS("a = F(a & b);"), "3:9 & -> |\n"},
      /* nested */
      {"bit", "#define F(x) (x & 1)\n#define G(x) F(x | 2)\n" INTS("a = G(a ^ b);"),
       "1:17 & -> | (| between the same operands)\n2:18 | -> & (& between the same operands)\n4:9 ^ -> &\n"},
      /* an object-like macro, over several lines */
      {"bit", "#define F a \\\n  & b\n" INTS("a = F;"), "2:3 & -> |\n"},
      /* the operator alone */
      {"bit", "#define AND &\n" INTS("a = a AND b; b = b AND a;"), "1:13 & -> |\n"},
      {"bit", "#define F(o) (a o b)\n" INTS("a = F(&) + F(|);"), "3:7 & -> |\n3:14 | -> &\n"},
      /* used with several types: only what is correct with all */
      {"arith", "#define F(x, y) ((x) + (y))\n" FLOATS("a = F(a, b); p = F(p, i);"), "1:22 + -> -\n"},
      {"arith", "#define F(x, y) ((x) + (y))\n" FLOATS("a = F(a, b); p = F(i, p);"), ""},
      {"bit", "#define F(x, y) ((x) & (y))\n" INTS("a = F(a, b); u = F(u, 1u); l = F(l, b);"), "1:22 & -> |\n"},
      {"logic", "#define F(x) (!(x))\n" INTS("a = F(a); l = F(l);"), "1:15 ! ->  text\n"},
      /* a use that is a constant does not count */
      {"bit", "#define F(x) ((x) | 1)\n" INTS("int t[F(2)]; a = F(a);"), "1:19 | -> &\n"},
      {"bit", "#define F(x) ((x) | 1)\n" INTS("int t[F(2)]; t;"), ""},
      /* made by ## and # or on the command line: nowhere to point to */
      {"bit,assign", "#define F(o) a o##= b\n" INTS("F(&);"), ""},
      {"const", "#define F(x) x##f\n" FLOATS("a = F(1.0);"), ""},
      /* calls and loops */
      {"barrier", "#define SYNC barrier(CLK_LOCAL_MEM_FENCE)\n" INTS("SYNC; SYNC;"),
       "1:14 barrier(CLK_LOCAL_MEM_FENCE) -> \n"},
      {"barrier,fence", "#define FLAGS CLK_LOCAL_MEM_FENCE\n" INTS("barrier(FLAGS);"),
       "3:1 barrier(FLAGS) -> \n3:9 FLAGS -> CLK_GLOBAL_MEM_FENCE\n"},
      {"barrier", "#define SYNC barrier\n" INTS("SYNC(1);"), "1:14 barrier -> \n"},
      {"loop", "#define EACH(i, n) for (int i = 0; i < (n); i++)\n" INTS("EACH(i, a) EACH(j, b) p[i] = j;"),
       "1:20 for (int i = 0; i < (n); i++) ->  (loop skipped)\n"
       "1:20 for (int i = 0; i < (n); i++) ->  (n-1 iterations)\n"
       "1:20 for (int i = 0; i < (n); i++) ->  (n+1 iterations)\n"},
      {"image", "#define AT (int2)(1, 2)\n" IMAGES("p[0] = read_imagef(i, s, AT);"),
       "3:26 AT -> (AT) + (int2)(1, 0) (x + 1)\n3:26 AT -> (AT) + (int2)(0, 1) (y + 1)\n"
       "3:26 AT -> (AT) - (int2)(1, 0) (x - 1)\n3:26 AT -> (AT) - (int2)(0, 1) (y - 1)\n"
       "3:26 AT -> (AT).yx (x and y exchanged)\n"},
      {"index,const", "#define ID(d) get_local_id(d)\n" INTS("p[0] = ID(0) + ID(1);"),
       "1:15 get_local_id(d) -> get_global_id(d)\n1:15 get_local_id(d) -> get_group_id(d)\n"
       "1:15 get_local_id(d) -> get_global_size(d)\n1:15 get_local_id(d) -> get_local_size(d)\n"
       "1:15 get_local_id(d) -> get_num_groups(d)\n1:15 get_local_id(d) -> get_local_id(((d) + 1) % 3)\n"
       "1:15 get_local_id(d) -> get_local_id(((d) + 2) % 3)\n1:15 get_local_id(d) -> (get_local_id(d) + 1)\n"
       "1:15 get_local_id(d) -> (get_local_id(d) - 1)\n3:3 0 -> 1\n3:3 0 -> -1\n3:11 0 -> 1\n3:11 0 -> -1\n"
       "3:19 1 -> 0\n3:19 1 -> -1\n3:19 1 -> 2\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* --- leaving code out --------------------------------------------------------------------------------------------- */

static void obeys_comments(void **state) {
  (void)state;
  static const mutants_case cases[] = {
      {"bit", INTS("a = a & b; // cltestcheck: no-mutate\nb = a & b;"), "2:7 & -> | suppressed\n3:7 & -> |\n"},
      {"bit", INTS("/* cltestcheck: no-mutate */ a = a & b;\nb = a & b;"), "2:36 & -> | suppressed\n3:7 & -> |\n"},
      {"bit",
       INTS("a = a & b;\n// cltestcheck: no-mutate-begin\na = a & b;\na = a | b;\n/* cltestcheck: no-mutate-end */\n"
            "a = a & b;"),
       "2:7 & -> |\n4:7 & -> | suppressed\n5:7 | -> & suppressed\n7:7 & -> |\n"},
      {"bit", INTS("a = a & b; // cltestcheck: no-mutate-begin\na = a & b;"),
       "2:7 & -> | suppressed\n3:7 & -> | suppressed\n"},
      {"bit", INTS("constant char *s = \"// cltestcheck: no-mutate\"; a = a & b;"), "2:55 & -> |\n"},
      {"bit", INTS("a = a & b; // cltestcheck: mutate"), "2:7 & -> |\n"},
      {"bit", "#define F(x) (x & 1) // cltestcheck: no-mutate\n" INTS("a = F(a);\na = F(b) | 2;"),
       "1:17 & -> | suppressed\n4:10 | -> &\n"},
  };
  check_mutants(cases, COUNT(cases));
}

/* --- programs of several files ------------------------------------------------------------------------------------ */

static const char util[] = "int f(int x);\ninline int f(int x) { return x & 1; }\n#define G(x) ((x) | 2)\n";

static void check_text(const pp_input *sources, size_t count, const char *operators, const char *expected) {
  found f;
  find(sources, count, &f);
  char *text = mutants_text(&f, operators);
  assert_string_equal(text, expected);
  free(text);
  found_free(&f);
}

static void finds_places_in_headers(void **state) {
  (void)state;
  static const char first[] = "#include \"util.h\"\nkernel void k(global int *p) { p[0] = f(G(p[1])); }\n";
  static const char second[] = "#include \"util.h\"\nkernel void l(global int *p) { p[0] = G(p[1] ^ 2); }\n";
  pp_header header = {"util.h", util, sizeof util - 1};
  pp_input sources[] = {
      {.name = "kernel.cl", .text = first, .length = sizeof first - 1, .headers = &header, .header_count = 1},
      {.name = "other.cl", .text = second, .length = sizeof second - 1, .headers = &header, .header_count = 1},
  };
  check_text(sources, 1, "bit", "util.h:2:32 & -> |\nutil.h:3:19 | -> &\n");
  /* linked, with the header in both: the same places */
  check_text(sources, 2, "bit", "other.cl:2:46 ^ -> &\nutil.h:2:32 & -> |\nutil.h:3:19 | -> &\n");
}

/* A header on disk is one file of the model, whichever source includes it. */
static void lists_headers_once(void **state) {
  (void)state;
  static const char first[] = "#include \"util.h\"\nkernel void k(global int *p) { p[0] = f(G(p[1])); }\n";
  static const char second[] = "#include \"util.h\"\nkernel void l(global int *p) { p[0] = f(p[1]); }\n";
  char directory[] = "/tmp/cltc-headers-XXXXXX";
  char path[64];
  assert_non_null(mkdtemp(directory));
  (void)snprintf(path, sizeof path, "%s/util.h", directory);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  (void)fputs(util, file);
  (void)fclose(file);
  pp_input sources[] = {
      {.name = "kernel.cl", .text = first, .length = sizeof first - 1, .directory = directory},
      {.name = "other.cl", .text = second, .length = sizeof second - 1, .directory = directory},
  };
  found f;
  find(sources, 2, &f);
  assert_int_equal(f.instrumented.model.file_count, 3);
  char *text = mutants_text(&f, "bit");
  assert_string_equal(text, "util.h:2:32 & -> |\nutil.h:3:19 | -> &\n");
  free(text);
  found_free(&f);
  (void)unlink(path);
  (void)rmdir(directory);
}

static void leaves_the_command_line_alone(void **state) {
  (void)state;
  static const char source[] = INTS("a = EXPR | 1;");
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1, .options = "-DEXPR=(a&b)"};
  check_text(&in, 1, "bit", "2:10 | -> &\n");
}

/* --- identity ----------------------------------------------------------------------------------------------------- */

static void has_stable_ids(void **state) {
  (void)state;
  static const char source[] = "#ifdef X\n#endif\n" INTS("for (int i = 0; i < a; i++) p[i] += q[i] * 2;");
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1};
  pp_input other = in;
  other.name = "elsewhere/named.cl";
  other.options = "-DX -cl-mad-enable";
  found a, b;
  find(&in, 1, &a);
  find(&other, 1, &b);
  assert_true(a.result.mutant_count > 10);
  assert_int_equal(a.result.mutant_count, b.result.mutant_count);
  for (size_t i = 0; i < a.result.mutant_count; i++) {
    assert_int_equal(a.result.mutants[i].id, b.result.mutants[i].id);
    assert_int_equal(a.result.mutants[i].number, b.result.mutants[i].number);
  }
  found_free(&a);
  found_free(&b);
}

static void knows_kernels(void **state) {
  (void)state;
  static const char source[] =
      "int f(int x) { return x & 1; }\nint g(int x) { return x | 1; }\n"
      "kernel void a(global int *p) { p[0] = f(p[1]); }\nkernel void b(global int *p) { p[0] = f(p[1] ^ 2); }\n";
  static const struct {
    const char *original;
    size_t count;
    uint32_t kernels[2];
  } expected[] = {{"&", 2, {0, 1}}, {"|", 0, {0}}, {"^", 1, {1}}};
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1};
  found f;
  find(&in, 1, &f);
  size_t seen = 0;
  for (size_t i = 0; i < f.result.mutant_count; i++) {
    const mutant *m = &f.result.mutants[i];
    if (m->op == MUTATE_BIT) {
      assert_string_equal(m->original, expected[seen].original);
      assert_int_equal(m->kernel_count, expected[seen].count);
      assert_true(m->kernel_count == 0 || memcmp(m->kernels, expected[seen].kernels, m->kernel_count * 4) == 0);
      seen++;
    }
  }
  assert_int_equal(seen, COUNT(expected));
  found_free(&f);
}

/* What the writer of schemata gets to know of each place. */
typedef struct described_place {
  const char *source;
  mutate_operator op;
  place_kind kind;
  const char *type, *left_type, *right_type;
  bool used;
} described_place;

static void check_described(const char *options, const described_place *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pp_input in = {.name = "kernel.cl", .text = cases[i].source, .length = strlen(cases[i].source), .options = options};
    found f;
    find(&in, 1, &f);
    const place *at = NULL;
    for (size_t k = 0; k < f.places.count; k++) {
      at = f.places.items[k].op == cases[i].op ? &f.places.items[k] : at;
    }
    const char *const expected[] = {cases[i].type, cases[i].left_type, cases[i].right_type};
    assert_non_null(at);
    const char *const types[] = {at->type, at->left_type, at->right_type};
    for (size_t k = 0; k < 3; k++) {
      const char *type = types[k] == NULL ? "none" : types[k];
      if (strcmp(type, expected[k] == NULL ? "none" : expected[k]) != 0 || at->kind != cases[i].kind) {
        print_error("%s", cases[i].source);
      }
      assert_string_equal(type, expected[k] == NULL ? "none" : expected[k]);
    }
    assert_int_equal(at->kind, cases[i].kind);
    if (at->used != cases[i].used) {
      print_error("%s", cases[i].source);
    }
    assert_int_equal(at->used, cases[i].used);
    found_free(&f);
  }
}

static void describes_places(void **state) {
  (void)state;
  static const described_place cases[] = {
      {INTS("l = l + a;"), MUTATE_ARITH, PLACE_BINARY, "long", "long", "long", false},
      {INTS("l = l << u;"), MUTATE_BIT, PLACE_BINARY, "long", "long", "uint", false},
      {INTS("a = u < a;"), MUTATE_REL, PLACE_COMPARE, "int", "uint", "uint", false},
      {INTS("a = p < q;"), MUTATE_REL, PLACE_POINTER_COMPARE, "int", "__global int *", "__global int *", false},
      {INTS("p = p + l;"), MUTATE_ARITH, PLACE_POINTER_STEP, "__global int *", "__global int *", "long", false},
      {INTS("short t = a; t += u;"), MUTATE_ASSIGN, PLACE_ASSIGN, "uint", "short", "uint", false},
      {INTS("uchar t = a; t <<= l;"), MUTATE_ASSIGN, PLACE_ASSIGN, "int", "uchar", "long", false},
      {INTS("a = b -= 1.5f;"), MUTATE_ASSIGN, PLACE_ASSIGN, "float", "int", "float", true},
      {INTS("m += a;"), MUTATE_ASSIGN, PLACE_ASSIGN, "__local int *", "__local int *", "int", false},
      {INTS("a++, b;"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, false},
      {INTS("for (a++; a < 2; b = 1) p[0] = 1;"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, false},
      {INTS("for (; a < 2; b = 1, a++) p[0] = 1;"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, false},
      {INTS("for (; a++ < 2;) p[0] = 1;"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, true},
      {INTS("if (a) b++; else p[0] = 1;"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, false},
      {INTS("a = ({ b++; });"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, true},
      {INTS("p[a] = max(b, a++);"), MUTATE_ARITH, PLACE_INCREMENT, "int", "int", NULL, true},
      {INTS("atomic_cmpxchg(w, u, 2);"), MUTATE_ATOMIC, PLACE_ATOMIC, "uint", "__global volatile uint *", "uint",
       false},
      {INTS("a = 1ul;"), MUTATE_CONST, PLACE_LITERAL, "ulong", NULL, NULL, false},
      {VECTORS("u = u * 2;"), MUTATE_ARITH, PLACE_BINARY, "uint4", "uint4", "uint4", false},
      {VECTORS("n = v < a;"), MUTATE_REL, PLACE_COMPARE, "int4", "float4", "float4", false},
      {"typedef struct { float x; } s;\n" FLOATS("local s *t; p[0] = (t + i)->x;"), MUTATE_ARITH, PLACE_POINTER_STEP,
       "__local s *", "__local s *", "int", false},
  };
  check_described(NULL, cases, COUNT(cases));
  static const described_place of_2_0[] = {
      {ATOMICS("a = atomic_fetch_add(p, 1);"), MUTATE_ATOMIC, PLACE_ATOMIC, "int", "__global atomic_int *", "int",
       false},
      {ATOMICS("atomic_compare_exchange_weak(f, &x, 1);"), MUTATE_ATOMIC, PLACE_ATOMIC, "bool",
       "__global volatile atomic_float *", "__private float *", false},
  };
  check_described("-cl-std=CL2.0", of_2_0, COUNT(of_2_0));
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void run_with(const char *options, const char *source, const uint32_t *clones, size_t clone_count,
                     const bool *operators, mutate_result *out) {
  pp_input in = {.name = "kernel.cl", .text = source, .length = strlen(source), .options = options};
  error e = {0};
  if (mutate_program(&in, 1, clones, clone_count, operators, out, &e) != 0) {
    print_error("%s", e.text);
    fail();
  }
  assert_int_equal(out->question_count, 0);
  assert_int_equal(out->source_count, 1);
  size_t count = 0;
  front_error *errors = front_check(out->texts[0], out->options[0], &count);
  front_errors_free(errors, count);
  assert_int_equal(count, 0);
}

static void run(const char *source, const uint32_t *clones, size_t clone_count, const bool *operators,
                mutate_result *out) {
  run_with(NULL, source, clones, clone_count, operators, out);
}

/* libclang takes `n` for the size of an array while it is a constant: its mutants go, the others keep their numbers. */
static void leaves_out_what_is_refused(void **state) {
  (void)state;
  static const char source[] = INTS("const int n = 2 << 1;\nint t[n];\nt[a] = a & b;\np[0] = t[b] | a;");
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1};
  found f;
  find(&in, 1, &f);
  mutate_result r;
  run(source, NULL, 0, NULL, &r);
  size_t kept = 0;
  for (size_t i = 0; i < f.result.mutant_count; i++) {
    if (f.result.mutants[i].line > 2) {
      assert_true(kept < r.mutant_count);
      assert_int_equal(r.mutants[kept].number, f.result.mutants[i].number);
      assert_int_equal(r.mutants[kept].id, f.result.mutants[i].id);
      kept++;
    }
  }
  assert_true(kept < f.result.mutant_count && kept == r.mutant_count);
  assert_int_equal(r.flag_words, MUTATE_WORD_REACHED + 1);
  mutate_free(&r);
  found_free(&f);
}

static void writes_clones(void **state) {
  (void)state;
  static const char source[] = INTS("p[0] = !u | (a & b);") "kernel void other(global int *p) { p[0] = p[1] & 1; }\n";
  mutate_result all, r;
  run(source, NULL, 0, NULL, &all);
  uint32_t number = 0;
  for (size_t i = 0; i < all.mutant_count; i++) {
    number = all.mutants[i].op == MUTATE_LOGIC ? all.mutants[i].number : number;
  }
  run(source, &number, 1, NULL, &r);
  char *name = mutant_clone_name("k", number);
  assert_non_null(strstr(r.texts[0], name));
  assert_null(strstr(r.texts[0], "other__cltc"));
  assert_int_equal(r.mutant_count, all.mutant_count);
  free(name);
  mutate_free(&r);
  mutate_free(&all);
}

static uint32_t number_of(const mutate_result *r, mutate_operator op) {
  uint32_t number = 0;
  for (size_t i = 0; i < r->mutant_count; i++) {
    number = r->mutants[i].op == op ? r->mutants[i].number : number;
  }
  assert_int_not_equal(number, 0);
  return number;
}

/* Mutants whose text libclang refuses would be left out. */
static void writes_atomics_of_2_0(void **state) {
  (void)state;
  static const char source[] =
      ATOMICS("atomic_fetch_add(p, a); a = atomic_fetch_sub_explicit(u, 2u, memory_order_relaxed);\n"
              "atomic_fetch_or(l, 1L); atomic_fetch_and(p, a); atomic_fetch_xor(u, 1u); atomic_fetch_min(l, 2L);\n"
              "a += atomic_fetch_max_explicit(p, a, memory_order_acq_rel, memory_scope_work_group);\n"
              "x = atomic_exchange(f, 2); atomic_store(u, a ? 1u : 2u); atomic_store_explicit(f, x, "
              "memory_order_release);\n"
              "if (atomic_compare_exchange_strong(p, &a, a + 1)) atomic_flag_clear(g);\n"
              "a = atomic_compare_exchange_weak_explicit(f, &x, 3, memory_order_acq_rel, memory_order_relaxed, "
              "memory_scope_device);\n"
              "while (atomic_flag_test_and_set_explicit(g, memory_order_acquire, memory_scope_device)) a++;\n"
              "atomic_flag_clear_explicit(g, memory_order_release); (void)atomic_flag_test_and_set(g);")
          "kernel void k(global atomic_int *p, global atomic_flag *g, global atomic_float *f) {\n"
          "local atomic_uint u; local atomic_long l; h(p, &u, &l, f, g, 1, 2);\n}\n";
  static const char *const standards[] = {"-cl-std=CL2.0", "-cl-std=CL3.0"};
  for (size_t i = 0; i < COUNT(standards); i++) {
    mutate_result r, clones;
    uint32_t numbers[16];
    size_t count = 0;
    run_with(standards[i], source, NULL, 0, NULL, &r);
    for (size_t m = 0; m < r.mutant_count; m++) {
      if (r.mutants[m].op == MUTATE_ATOMIC) {
        assert_true(count < COUNT(numbers));
        assert_int_equal(r.mutants[m].form, MUTANT_SELECTED);
        numbers[count++] = r.mutants[m].number;
      }
    }
    assert_int_equal(count, COUNT(numbers));
    run_with(standards[i], source, numbers, count, NULL, &clones);
    mutate_free(&clones);
    mutate_free(&r);
  }
}

/* All mutants are listed alike, whichever operators are written into the text. */
static void writes_what_is_chosen(void **state) {
  (void)state;
  static const char source[] = INTS(
      "const int n = 2 << 1;\nint t[n];\nt[a] = a & b;\nfor (int i = 0; i < 7; i++) { mem_fence(1); p[i] = t[b] | a; "
      "}");
  bool chosen[MUTATE_OPERATORS];
  assert_int_equal(mutate_select_operators("rel,const", chosen, NULL), 0);
  mutate_result all, some;
  run(source, NULL, 0, NULL, &all);
  run(source, NULL, 0, chosen, &some);
  assert_int_equal(some.mutant_count, all.mutant_count);
  assert_int_equal(some.place_count, all.place_count);
  assert_int_equal(some.flag_words, all.flag_words);
  for (size_t i = 0; i < all.mutant_count; i++) {
    assert_int_equal(some.mutants[i].id, all.mutants[i].id);
    assert_int_equal(some.mutants[i].number, all.mutants[i].number);
    assert_int_equal(some.mutants[i].place, all.mutants[i].place);
  }
  static const char *const names[] = {"cltc_lt_int", "cltc_number_int", "cltc_and_int", "cltc_or_int"};
  for (size_t i = 0; i < COUNT(names); i++) {
    assert_non_null(strstr(all.texts[0], names[i]));
    assert_true((strstr(some.texts[0], names[i]) != NULL) == (i < 2));
  }
  mutate_free(&some);
  uint32_t number = number_of(&all, MUTATE_REL);
  run(source, &number, 1, chosen, &some);
  for (size_t i = 0; i < COUNT(names); i++) {
    assert_true((strstr(some.texts[0], names[i]) != NULL) == (i < 2));
  }
  mutate_free(&some);
  mutate_free(&all);
}

/* Questions of the preprocessor come back, and a source that cannot be read is an error. */
static void asks_and_refuses(void **state) {
  (void)state;
  static const char question[] = "#ifdef cl_khr_fp64\n#endif\nkernel void k() {}\n";
  static const char wrong[] = "kernel void k() { x = 1; }\n";
  pp_input in = {.name = "kernel.cl", .text = question, .length = sizeof question - 1};
  mutate_result r;
  error e = {0};
  assert_int_equal(mutate_program(&in, 1, NULL, 0, NULL, &r, &e), 0);
  assert_int_equal(r.question_count, 1);
  mutate_free(&r);
  in = (pp_input){.name = "kernel.cl", .text = wrong, .length = sizeof wrong - 1};
  assert_int_equal(mutate_program(&in, 1, NULL, 0, NULL, &r, &e), -1);
  assert_non_null(strstr(e.text, "kernel.cl:1: "));
  mutate_free(&r);
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static void selects_operators(void **state) {
  (void)state;
  bool selected[MUTATE_OPERATORS];
  assert_int_equal(mutate_select_operators("paper", selected, NULL), 0);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    assert_int_equal(selected[i], i <= MUTATE_LOOP);
  }
  assert_int_equal(mutate_select_operators("paper,gpu,-rel,-const", selected, NULL), 0);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    assert_int_equal(selected[i], i != MUTATE_REL && i != MUTATE_CONST);
  }
  static const char *const wrong[] = {"", "paper,", "arit", "arithm", "-", "--rel", "paper gpu"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    error e = {0};
    assert_int_equal(mutate_select_operators(wrong[i], selected, &e), -1);
    assert_int_equal(e.code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "paper and gpu, and arith, rel, logic, bit, assign, barrier"));
  }
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
      cmocka_unit_test(reads_as_it_runs),
      cmocka_unit_test(reads_in_macros),
      cmocka_unit_test(keeps_tokens_apart),
      cmocka_unit_test(writes_what_is_chosen),
      cmocka_unit_test(finds_every_place),
      cmocka_unit_test(leaves_constants_alone),
      cmocka_unit_test(finds_places_in_macros),
      cmocka_unit_test(obeys_comments),
      cmocka_unit_test(finds_places_in_headers),
      cmocka_unit_test(leaves_the_command_line_alone),
      cmocka_unit_test(has_stable_ids),
      cmocka_unit_test(knows_kernels),
      cmocka_unit_test(describes_places),
      cmocka_unit_test(leaves_out_what_is_refused),
      cmocka_unit_test(writes_clones),
      cmocka_unit_test(asks_and_refuses),
      cmocka_unit_test(selects_operators),
      cmocka_unit_test(lists_headers_once),
      cmocka_unit_test(makes_updates_of_2_0_plain),
      cmocka_unit_test(writes_atomics_of_2_0),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
