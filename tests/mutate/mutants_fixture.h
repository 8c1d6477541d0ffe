/* Finding the mutants of a small source, as text. */
#ifndef CLTC_TESTS_MUTANTS_FIXTURE_H
#define CLTC_TESTS_MUTANTS_FIXTURE_H

#include "mutate/mutate.h"
#include "mutate/place.h"

/* A program that is kept open; `places` lends from it. */
typedef struct found {
  program program;
  instrument_result instrumented;
  places places;
  mutate_result result;
} found;

/* Finds the mutants of sources; questions of the preprocessor are answered by libclang. The test fails when that is not
 * possible. */
void find(const pp_input *sources, size_t count, found *out);
void found_free(found *f);

/* The mutants of the operators in `list` (see mutate_select_operators), each on a line: "LINE:COLUMN ORIGINAL ->
 * REPLACEMENT (DESCRIPTION)", with "FILE:" in front when that is not "kernel.cl", and " text" (PLACE_TEXT in a use)
 * and " suppressed" behind where that holds. To be freed. */
char *mutants_text(const found *f, const char *list);

typedef struct mutants_case {
  const char *operators, *source, *expected;
} mutants_case;

/* Checks every case, and for each what holds for all mutants. */
void check_mutants(const mutants_case *cases, size_t count);
/* The same with build options. */
void check_mutants_with(const char *options, const mutants_case *cases, size_t count);

/* Kernels around statements, which begin on line 2: with integers, with floats, with vectors, with images. */
#define INTS(body)                                                                                                   \
  "kernel void k(global int *p, global int *q, int a, int b, uint u, long l, local int *m, global uint *w) {\n" body \
  "\n}\n"
#define FLOATS(body) "kernel void k(global float *p, float a, float b, int i) {\n" body "\n}\n"
#define VECTORS(body) "kernel void k(global float4 *p, float4 v, int4 n, uint4 u, float a) {\n" body "\n}\n"
#define IMAGES(body)                                                                                                  \
  "kernel void k(read_only image2d_t i, write_only image2d_t o, read_only image3d_t d, read_only image2d_array_t y, " \
  "read_only image1d_t e, sampler_t s, int2 c, global float4 *p) {\n" body "\n}\n"

/* Functions on atomic types: pointers to global and local memory, a generic one, one to volatile. */
#define ATOMICS(body)                                                                                           \
  "void h(global atomic_int *p, local atomic_uint *u, atomic_long *l, volatile global atomic_float *f, global " \
  "atomic_flag *g, int a, float x) {\n" body "\n}\n"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
