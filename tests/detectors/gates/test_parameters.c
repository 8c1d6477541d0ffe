/* The parameters of gated kernels and where they are used. */
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

#include "base/buffer.h"
#include "frontend/frontend.h"
#include "gated_text.h"
#include "instrument/archive.h"
#include "instrument/instrument.h"

static bool answer(void *context, const char *expression, const char *options) {
  (void)context;
  return front_answer(expression, options);
}

/* "name: type 3r 4w escapes" for each parameter, a line each. */
static char *describe(const instrument_kernel *k) {
  buffer text = {0};
  for (size_t i = 0; i < k->parameter_count; i++) {
    const instrument_parameter *p = &k->parameters[i];
    buffer_printf(&text, "%s: %s", p->name, p->type);
    for (size_t n = 0; n < p->access_count; n++)
      buffer_printf(&text, " %u%c", (unsigned)p->accesses[n].line, p->accesses[n].writes ? 'w' : 'r');
    buffer_puts(&text, p->escapes ? " escapes\n" : "\n");
  }
  return buffer_take(&text);
}

static void expect(const char *source, size_t kernel, const char *expected) {
  instrument_result r;
  error e = {0};
  if (gated_source("test.cl", source, "", answer, NULL, &r, &e) != 0) fail_msg("%s", e.text);
  char *text = describe(&r.kernels[kernel]);
  assert_string_equal(text, expected);
  free(text);

  /* The same behind a process boundary. */
  buffer bytes = {0};
  archive_write(&r, &bytes);
  instrument_result copy;
  assert_int_equal(archive_read(bytes.data, bytes.length, &copy), 0);
  text = describe(&copy.kernels[kernel]);
  assert_string_equal(text, expected);
  free(text);
  for (size_t cut = 1; cut < bytes.length; cut += 1 + bytes.length / 50) {
    instrument_result broken;
    assert_int_equal(archive_read(bytes.data, bytes.length - cut, &broken), -1);
    instrument_free(&broken);
  }
  buffer_free(&bytes);
  instrument_free(&copy);
  instrument_free(&r);
}

static void test_types(void **state) {
  (void)state;
  expect(
      "typedef uchar byte; typedef struct { int a; } record; struct particle { float4 at; };\n"
      "__kernel void k(__global float *a, __global const byte *restrict b, __global int4 *const c, __global record "
      "*d,\n"
      "                __global struct particle *e, __local int *f, __constant int *g, int h, image2d_t i,\n"
      "                sampler_t j, volatile __global unsigned long int *l, __global float m[], __global float4 "
      "(*n)[8],\n"
      "                struct particle o) {}\n",
      0,
      "a: float\nb: uchar\nc: int4\nd: record\ne: struct particle\nf: \ng: \nh: \ni: \nj: \nl: ulong\nm: float\n"
      "n: float4[8]\no: \n");
}

static void test_accesses(void **state) {
  (void)state;
  expect(
      "__kernel void k(__global int *a, __global float4 *b, __global int *c, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i] = n;\n"
      "  b[i].x = (float)*(a + i);\n"
      "  c[a[i]]++;\n"
      "  *c += i[a];\n"
      "  if (a == c || !b) return;\n"
      "  b->y = sizeof(c[0]) + b[n].s3;\n"
      "  for (int k = 0; k < c[k]; k++) (n > 0 ? a : c)[k] = -a[k];\n"
      "  *a++ = 1, --c;\n"
      "  i = ((__global int *)b)[1];\n"
      "}\n",
      0,
      "a: int 3w 4r 5r 6r 9w 9r 10w\n"
      "b: float4 4w 8w 8r 11r\n"
      "c: int 5r 5w 6r 6w 9r 9w\n"
      "n: \n");
}

static void test_images(void **state) {
  (void)state;
  expect(
      "__kernel void k(__read_only image2d_t a, __write_only image2d_t b, __global int *c) {\n"
      "  const int2 at = (int2)(get_global_id(0), 0);\n"
      "  write_imagef(b, at, read_imagef(a, at));\n"
      "  c[0] = get_image_width(a);\n"
      "}\n",
      0, "a:  3r\nb:  3w\nc: int 4w\n");
}

static void test_members(void **state) {
  (void)state;
  expect(
      "typedef struct { int x; int y[4]; struct { float4 v; } in; } part;\n"
      "__kernel void k(__global part *a, __global float (*b)[4]) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i].y[2] = a->x;\n"
      "  a->in.v.xy = (float2)(1);\n"
      "  (a + 1)->y[a[2].x] += 1;\n"
      "  b[i][1] = (*b)[0];\n"
      "}\n",
      0,
      "a: part 4w 4r 5w 6r 6w 6r\n"
      "b: float[4] 7w 7r\n");
}

static void test_functions_of_the_language(void **state) {
  (void)state;
  expect(
      "__kernel void k(volatile __global int *a, __global float *b, __global const float *c, __local float *l) {\n"
      "  atomic_add(a, 1);\n"
      "  atomic_inc(&a[get_local_id(0)]);\n"
      "  vstore4(vload4(0, c), 1, b + 2);\n"
      "  event_t e = async_work_group_copy(l, c, 8, 0);\n"
      "  e = async_work_group_copy(b, l, 8, e);\n"
      "  b[0] = modf(c[1], &b[1]);\n"
      "  prefetch(c, 4);\n"
      "}\n",
      0,
      "a: int 2r 2w 3r 3w\n"
      "b: float 4w 6w 7w 7w\n"
      "c: float 4r 5r 7r\n"
      "l: \n");
}

static void test_escapes(void **state) {
  (void)state;
  expect(
      "void fill(__global int *p, int n) { p[n] = 1; }\n"
      "int get(int n) { return n; }\n"
      "__kernel void k(__global int *a, __global int *b, __global int *c, __global int *d, __global int *e) {\n"
      "  fill(a, 1);\n"
      "  fill(&b[2], b[3]);\n"
      "  __global int *p = c + 1;\n"
      "  p[0] = get(d[0]);\n"
      "  __global int *q;\n"
      "  q = &e[1];\n"
      "}\n",
      0, "a: int 4w\nb: int 5w 5r\nc: int 7w\nd: int 7r\ne: int\n");
  expect(
      "__global int *same(__global int *p) { return p; }\n"
      "__kernel void k(__global int *a, __global int *b, __global int *c, int n) {\n"
      "  same(a)[0] = 1;\n"
      "  __global int *p = n > 1 ? b : c;\n"
      "  p[0] = b[1];\n"
      "}\n",
      0, "a: int escapes\nb: int 5r escapes\nc: int escapes\nn: \n");
}

static void test_macros_and_names(void **state) {
  (void)state;
  expect(
      "#define AT(p) p[get_global_id(0)]\n"
      "#define SET out[0] = 1\n"
      "__kernel void other(__global int *out) { out[7] = 2; }\n"
      "kernel void k(global int *out, global int *) {\n"
      "  AT(out) = 3;\n"
      "  SET;\n"
      "  { int out[2]; out[0] = 4; }\n"
      "}\n",
      1, "out: int 5w 6w\n: int\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_accesses),
      cmocka_unit_test(test_images),
      cmocka_unit_test(test_members),
      cmocka_unit_test(test_functions_of_the_language),
      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_macros_and_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
