/* Building and launching. */
#include "gate_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OWN_PARAMETERS = 5, FLAG_WORDS = 64, PLANE_WORDS_PER_ITEM = 32 };

build *device_link(device *d, char *const *texts, char *const *options, size_t count) {
  cl_program parts[2] = {NULL, NULL};
  cl_int status = CL_SUCCESS;
  build *b = calloc(1, sizeof *b);
  b->device = d;
  for (size_t i = 0; i < count; i++) {
    parts[i] = device_source(d, texts[i]);
    device_check(clCompileProgram(parts[i], 1, &d->id, options[i], 0, NULL, NULL, NULL, NULL), "clCompileProgram");
  }
  b->program = clLinkProgram(d->context, 1, &d->id, "", (cl_uint)count, parts, NULL, NULL, &status);
  device_check(status, "clLinkProgram");
  for (size_t i = 0; i < count; i++) clReleaseProgram(parts[i]);
  return b;
}

bool device_answer(void *context, const char *expression, const char *options) {
  char *text = malloc(strlen(expression) + 64);
  (void)sprintf(text, "#if %s\n__kernel void yes(void) {}\n#else\n#error no\n#endif\n", expression);
  build *b = device_build(context, text, options, true);
  free(text);
  build_free(b);
  return b != NULL;
}

/* --- launching ---------------------------------------------------------------------------------------------------- */

typedef struct memories {
  cl_mem own[OWN_PARAMETERS], flags, record, planes;
} memories;

static cl_mem zeroed(const device *d, size_t words) {
  cl_int status = CL_SUCCESS;
  uint32_t *zeros = calloc(words, sizeof *zeros);
  cl_mem memory =
      clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words * sizeof *zeros, zeros, &status);
  device_check(status, "clCreateBuffer");
  free(zeros);
  return memory;
}

static uint32_t *read_words(const device *d, cl_mem memory, size_t words) {
  uint32_t *all = calloc(words, sizeof *all);
  device_check(clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, words * sizeof *all, all, 0, NULL, NULL),
               "clEnqueueReadBuffer");
  return all;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  device_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void set_arguments(cl_kernel kernel, const memories *m, const schedule *order, uint32_t capacity) {
  const cl_ulong first = schedule_pack(order);
  for (cl_uint i = 0; i < OWN_PARAMETERS; i++) set(kernel, i, sizeof m->own[i], &m->own[i]);
  set(kernel, OWN_PARAMETERS, sizeof m->flags, &m->flags);
  set(kernel, OWN_PARAMETERS + 1, sizeof m->record, &m->record);
  set(kernel, OWN_PARAMETERS + 2, sizeof first, &first);
  set(kernel, OWN_PARAMETERS + 3, sizeof m->planes, &m->planes);
  set(kernel, OWN_PARAMETERS + 4, sizeof capacity, &capacity);
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool launch(const device *d, cl_kernel kernel, const shape *s) {
  size_t global[DIMENSIONS];
  for (size_t i = 0; i < DIMENSIONS; i++) global[i] = s->groups[i] * s->local[i] - (i == 0 ? s->missing : 0);
  const cl_int status =
      clEnqueueNDRangeKernel(d->queue, kernel, s->dimensions, s->offset, global, s->local, 0, NULL, NULL);
  if (s->missing == 0) device_check(status, "clEnqueueNDRangeKernel");
  device_check(clFinish(d->queue), "clFinish");
  return status == CL_SUCCESS;
}

traces build_run(build *b, const char *name, const shape *s, const schedule *order) {
  const device *d = b->device;
  const size_t groups = s->groups[0] * s->groups[1] * s->groups[2];
  const size_t items = groups * s->local[0] * s->local[1] * s->local[2];
  const size_t words[OWN_PARAMETERS] = {1, groups, groups, groups, items};
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(b->program, name, &status);
  device_check(status, "clCreateKernel");
  memories m = {.flags = zeroed(d, FLAG_WORDS),
                .record = zeroed(d, GATE_WORDS + groups),
                .planes = zeroed(d, 8 + (items + 1) * PLANE_WORDS_PER_ITEM)};
  for (size_t i = 0; i < OWN_PARAMETERS; i++) m.own[i] = zeroed(d, words[i]);
  const uint32_t never = UINT32_MAX;
  device_check(clEnqueueFillBuffer(d->queue, m.own[1], &never, sizeof never, 0, groups * sizeof never, 0, NULL, NULL),
               "fill");
  set_arguments(kernel, &m, order, (uint32_t)items);
  traces t = {.groups = (uint32_t)groups, .items = (uint32_t)items};
  const double begin = now();
  t.launched = launch(d, kernel, s);
  t.seconds = now() - begin;
  t.begin = read_words(d, m.own[1], groups);
  t.end = read_words(d, m.own[2], groups);
  t.members = read_words(d, m.own[3], groups);
  t.visits = read_words(d, m.own[4], items);
  t.states = read_words(d, m.record, GATE_WORDS + groups);
  memcpy(t.record, t.states, sizeof t.record);
  memmove(t.states, t.states + GATE_WORDS, groups * sizeof *t.states);
  uint32_t *flags = read_words(d, m.flags, 1);
  t.flags = flags[0];
  free(flags);
  for (size_t i = 0; i < OWN_PARAMETERS; i++) clReleaseMemObject(m.own[i]);
  clReleaseMemObject(m.flags);
  clReleaseMemObject(m.record);
  clReleaseMemObject(m.planes);
  clReleaseKernel(kernel);
  return t;
}

void traces_free(traces *t) {
  free(t->begin);
  free(t->end);
  free(t->members);
  free(t->visits);
  free(t->states);
}
