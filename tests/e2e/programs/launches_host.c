/* A program for launches.sh whose launches are what is mutated: each kernel's right verdicts are written there. It fails
 * where `fill` or `flat` went wrong, and does not look at what the others have made. */
#include "tests/layer/host.h"

enum { COUNT = 60, ROOM = 64, GROUP = 8, WHOLE = 16, ROWS = 8, COLUMNS = 4 };

static const char source[] =
    "kernel void fill(global int *out, int n, int unused) {\n"
    "  const int i = get_global_id(0);\n"
    "  if (i < n) out[i] = i + 1;\n"
    "}\n"
    "kernel void whole(global int *out, float by) { out[get_global_id(0)] = (int)by; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *out) {\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void flat(global int *out) { out[get_global_id(1) * 4 + get_global_id(0)] = 1; }\n";

typedef struct program {
  host host;
  cl_program built;
  int got[ROOM];
} program;

static cl_mem zeros(const program *p, size_t count) {
  static int none[ROOM];
  cl_int status;
  cl_mem made =
      clCreateBuffer(p->host.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(int), none, &status);
  CHECK(status);
  return made;
}

static cl_kernel kernel(const program *p, const char *name, cl_mem out) {
  cl_int status;
  cl_kernel k = clCreateKernel(p->built, name, &status);
  CHECK(status);
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  return k;
}

static void finish(program *p, cl_kernel k, cl_mem out, size_t count) {
  memset(p->got, 0, sizeof p->got);
  CHECK(clEnqueueReadBuffer(p->host.queue, out, CL_TRUE, 0, count * sizeof(int), p->got, 0, NULL, NULL));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(out));
}

/* Two calls of one kernel; what the second one has made is read and not looked at. */
static int fill(program *p) {
  const size_t global = ROOM, local = GROUP;
  const int n = COUNT, unused = 3;
  int wrong = 0;
  for (int round = 0; round < 4; round++) {
    cl_mem out = zeros(p, ROOM);
    cl_kernel k = kernel(p, "fill", out);
    CHECK(clSetKernelArg(k, 1, sizeof n, &n));
    CHECK(clSetKernelArg(k, 2, sizeof unused, &unused));
    if (round % 2 == 0)
      CHECK(clEnqueueNDRangeKernel(p->host.queue, k, 1, NULL, &global, &local, 0, NULL, NULL)); /* checked */
    else
      CHECK(clEnqueueNDRangeKernel(p->host.queue, k, 1, NULL, &global, &local, 0, NULL, NULL)); /* unchecked */
    finish(p, k, out, COUNT);
    for (int i = 0; i < COUNT && round % 2 == 0; i++) wrong += p->got[i] != i + 1;
  }
  return wrong;
}

static void whole(program *p) {
  const size_t global = WHOLE, local = GROUP;
  const float by = 1;
  cl_mem out = zeros(p, WHOLE);
  cl_kernel k = kernel(p, "whole", out);
  CHECK(clSetKernelArg(k, 1, sizeof by, &by));
  CHECK(clEnqueueNDRangeKernel(p->host.queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  finish(p, k, out, WHOLE);
}

static void fixed(program *p) {
  const size_t global = WHOLE, local = GROUP;
  cl_mem out = zeros(p, WHOLE);
  cl_kernel k = kernel(p, "fixed", out);
  CHECK(clEnqueueNDRangeKernel(p->host.queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  finish(p, k, out, WHOLE);
}

static int flat(program *p) {
  const size_t global[] = {COLUMNS, ROWS};
  int wrong = 0;
  cl_mem out = zeros(p, ROOM);
  cl_kernel k = kernel(p, "flat", out);
  CHECK(clEnqueueNDRangeKernel(p->host.queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
  finish(p, k, out, ROOM);
  for (int i = 0; i < ROOM; i++) wrong += p->got[i] != (i < ROWS * COLUMNS);
  return wrong;
}

int main(void) {
  program p = {.host = host_open(0)};
  p.built = host_program(&p.host, source, "");
  int wrong = fill(&p) + flat(&p);
  whole(&p);
  fixed(&p);
  CHECK(clReleaseProgram(p.built));
  host_close(&p.host);
  return wrong > 0;
}
