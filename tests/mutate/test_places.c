/* Where mutants are, how they read, and what is known of each. */
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

#include "base/memory.h"
#include "tests/fixtures/mutants_fixture.h"

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
       "1:20 for (int i = 0; i < (n); i++) ->  (n-1 iterations: i < (n) - 1)\n"
       "1:20 for (int i = 0; i < (n); i++) ->  (n+1 iterations: i < (n) + 1)\n"},
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
    for (size_t k = 0; k < f.places.count; k++) at = f.places.items[k].op == cases[i].op ? &f.places.items[k] : at;
    const char *const expected[] = {cases[i].type, cases[i].left_type, cases[i].right_type};
    assert_non_null(at);
    const tree_type *const types[] = {at->type, at->left_type, at->right_type};
    for (size_t k = 0; k < 3; k++) {
      char *type = types[k] == NULL ? mem_strdup("none") : tree_value_text(types[k]);
      if (strcmp(type, expected[k] == NULL ? "none" : expected[k]) != 0 || at->kind != cases[i].kind)
        print_error("%s", cases[i].source);
      assert_string_equal(type, expected[k] == NULL ? "none" : expected[k]);
      free(type);
    }
    assert_int_equal(at->kind, cases[i].kind);
    if (at->used != cases[i].used) print_error("%s", cases[i].source);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_as_it_runs),
      cmocka_unit_test(reads_in_macros),
      cmocka_unit_test(keeps_tokens_apart),
      cmocka_unit_test(finds_every_place),
      cmocka_unit_test(leaves_constants_alone),
      cmocka_unit_test(finds_places_in_macros),
      cmocka_unit_test(obeys_comments),
      cmocka_unit_test(finds_places_in_headers),
      cmocka_unit_test(leaves_the_command_line_alone),
      cmocka_unit_test(has_stable_ids),
      cmocka_unit_test(knows_kernels),
      cmocka_unit_test(describes_places),
      cmocka_unit_test(lists_headers_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
