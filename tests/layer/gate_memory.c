/* What a launch left in its arguments is sent, whatever they are, and none of that is a read of the program's.
 * env: CLTESTCHECK_OBSERVE=1
 * expect: hello layer_gate_memory
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel every launches=2 flags=1
 * expect: kernel add launches=12 flags=7
 * expect: kernel large launches=1 flags=1
 * expect: kernel shared launches=2 flags=1
 * expect: kernel draw launches=1 flags=1
 * expect: gated every asked=2 arrived=2
 * expect: gated add asked=12 arrived=12
 * expect: gated large asked=1 arrived=1
 * expect: gated shared asked=2 arrived=2
 * expect: gated draw asked=1 arrived=1
 * expect: launch every 10/0 even=1 times=2
 * expect: launch add 100/0 even=1 times=12
 * expect: launch large 64/0 even=1 times=1
 * expect: launch shared 100/0 even=1 times=2
 * expect: launch draw 5/0 3/0 even=1 times=1 */
#include <unistd.h>

#include "expect.h"
#include "host.h"

#define MEMORY_CAP ((size_t)64 << 20)
#define LARGE (MEMORY_CAP + 4096)

/* Without the layer it says what is in a kernel's arguments in words, so that nothing need be computed twice here. */
static const char *const source =
    PLAIN GATED_ADD("add", "1")
    "//@gated every 1 2 1\n"
    "__kernel void every(__global int *a, ulong scalar, __local int *l, __constant int *c, __global int *again,\n"
    "                  __global int *none, __global int *part, float4 f HIDDEN) {\n"
    "  GATED; GATED_HIT(0); int i = get_global_id(0); l[get_local_id(0)] = i;\n"
    "  a[i] += (int)(scalar >> 32) + l[get_local_id(0)] + c[0] + (none ? 1 : 0); part[i] += (int)f.x;\n}\n"
    "//@gated large 1 2 1\n"
    "__kernel void large(__global uchar *a HIDDEN) { GATED; GATED_HIT(0); a[get_global_id(0)] = get_global_id(0); }\n"
    "//@gated shared 1 2 1\n"
    "__kernel void shared(__global int *a HIDDEN) { GATED; GATED_HIT(0); a[get_global_id(0)] += 3; }\n"
    "//@gated draw 1 2 1\n"
    "__kernel void draw(__write_only image2d_t image, __read_only image2d_t other, sampler_t s HIDDEN) {\n"
    "  GATED; GATED_HIT(0); int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(image, at, read_imageui(other, s, at) + (uint4)(at.x, at.y, 7, 9));\n}\n";

static host h;
static cl_program program;

static void read_ints(cl_command_queue queue, cl_mem m, int *to, size_t bytes) {
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

/* Every kind of argument: two buffers at three places, a part of one, and what is no memory. */
static void every(void) {
  cl_int error;
  cl_kernel k = host_kernel(program, "every");
  cl_mem a = host_buffer(&h, 4096 + 40), c = host_buffer(&h, 4);
  cl_buffer_region region = {4096, 40};
  cl_mem part = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CHECK(error);
  int host_a[1024 + 10], host_part[10], zero = 0;
  cl_ulong scalar = (cl_ulong)(uintptr_t)a; /* a number that looks like memory */
  cl_float4 f = {{5, 0, 0, 0}};
  const size_t items = 10;
  scalar = (scalar & 0xffffffffu) | (cl_ulong)3 << 32;
  for (int i = 0; i < 2; i++) {
    CHECK(clSetKernelArg(k, 0, sizeof a, &a));
    CHECK(clSetKernelArg(k, 1, sizeof scalar, &scalar));
    CHECK(clSetKernelArg(k, 2, 64, NULL));
    CHECK(clSetKernelArg(k, 3, sizeof c, &c));
    CHECK(clSetKernelArg(k, 4, sizeof a, &a));
    CHECK(clSetKernelArg(k, 5, sizeof a, NULL));
    CHECK(clSetKernelArg(k, 6, sizeof part, &part));
    CHECK(clSetKernelArg(k, 7, sizeof f, &f));
    CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    read_ints(h.queue, a, host_a, sizeof host_a);
    read_ints(h.queue, part, host_part, sizeof host_part);
    expect_read("every", 0, (unsigned)i, host_a, sizeof host_a);
    expect_read("every", 6, (unsigned)i, host_part, sizeof host_part);
    expect_memory("every", (unsigned)i, 0, host_a, sizeof host_a, sizeof host_a);
    expect_memory("every", (unsigned)i, 3, &zero, sizeof zero, sizeof zero);
    expect_memory("every", (unsigned)i, 4, host_a, sizeof host_a, sizeof host_a);
    expect_memory("every", (unsigned)i, 6, host_part, sizeof host_part, sizeof host_part);
    printf("every %d %d %d\n", host_a[3], host_a[1027], host_part[3]);
  }
  CHECK(clReleaseMemObject(part));
  CHECK(clReleaseMemObject(a));
  CHECK(clReleaseMemObject(c));
  CHECK(clReleaseKernel(k));
}

/* A chain of launches on a queue: what each left, though the next follows at once. */
static void chain(cl_command_queue queue, unsigned first) {
  cl_kernel k = host_kernel(program, "add");
  cl_mem m = host_buffer(&h, 400);
  int values[100] = {0};
  const size_t items = 100;
  cl_event last = NULL;
  for (unsigned i = 0; i < 5; i++) {
    cl_event event;
    host_arguments(k, m, i < 4 ? (int)i : 8);
    CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, last ? 1 : 0, last ? &last : NULL, &event));
    if (last) CHECK(clReleaseEvent(last));
    last = event;
    for (int j = 0; j < 100; j++) values[j] += i < 4 ? 2 * (int)i : 8;
    expect_memory("add", first + i, 0, values, sizeof values, sizeof values);
  }
  CHECK(clFinish(queue));
  CHECK(clReleaseEvent(last));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

/* While a user event is open nothing is waited for, and nothing is told. */
static void open_event(void) {
  cl_int error;
  cl_kernel k = host_kernel(program, "add");
  cl_mem m = host_buffer(&h, 400);
  const size_t items = 100;
  cl_event gate = clCreateUserEvent(h.context, &error), done;
  CHECK(error);
  host_arguments(k, m, 3);
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &items, NULL, 1, &gate, &done));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &done));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseEvent(done));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

static volatile int called;

/* A callback must not block: nothing is told of this launch. */
static void CL_CALLBACK again(cl_event event, cl_int status, void *data) {
  const size_t items = 100;
  (void)event;
  cl_int result = clEnqueueNDRangeKernel(h.queue, data, 1, NULL, &items, NULL, 0, NULL, NULL);
  called = status == CL_COMPLETE && result == CL_SUCCESS ? 1 : -1;
}

static void in_callback(void) {
  cl_int error;
  cl_kernel k = host_kernel(program, "add");
  cl_mem m = host_buffer(&h, 400);
  cl_event gate = clCreateUserEvent(h.context, &error), marker;
  CHECK(error);
  host_arguments(k, m, 3);
  CHECK(clEnqueueMarkerWithWaitList(h.queue, 1, &gate, &marker));
  CHECK(clSetEventCallback(marker, CL_COMPLETE, again, k));
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  while (!called) usleep(100);
  CHECK(clFinish(h.queue));
  printf("called %d\n", called);
  CHECK(clReleaseEvent(marker));
  CHECK(clReleaseEvent(gate));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

static void large(void) {
  cl_kernel k = host_kernel(program, "large");
  cl_mem m = host_buffer(&h, LARGE);
  unsigned char *bytes = calloc(1, MEMORY_CAP);
  for (unsigned i = 0; i < 64; i++) bytes[i] = (unsigned char)i;
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  host_launch(&h, k, 64);
  CHECK(clFinish(h.queue));
  expect_memory("large", 0, 0, bytes, MEMORY_CAP, LARGE);
  free(bytes);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

/* A pointer into shared memory stands for the whole allocation. */
static void shared(void) {
  cl_kernel k = host_kernel(program, "shared");
  int *a = clSVMAlloc(h.context, CL_MEM_READ_WRITE, 600, 0), *other = clSVMAlloc(h.context, CL_MEM_READ_WRITE, 600, 0);
  int values[150] = {0};
  TRUE_(a && other);
  CHECK(clEnqueueSVMMap(h.queue, CL_TRUE, CL_MAP_WRITE, a, 600, 0, NULL, NULL));
  memset(a, 0, 600);
  CHECK(clEnqueueSVMUnmap(h.queue, a, 0, NULL, NULL));
  for (unsigned i = 0; i < 2; i++) {
    CHECK(clSetKernelArgSVMPointer(k, 0, a + 25 * i));
    host_launch(&h, k, 100);
    for (unsigned j = 0; j < 100; j++) values[25 * i + j] += 3;
    expect_memory("shared", i, 0, values, sizeof values, sizeof values);
  }
  CHECK(clFinish(h.queue));
  clSVMFree(h.context, other);
  clSVMFree(h.context, a);
  CHECK(clReleaseKernel(k));
}

static cl_mem make_image(cl_uchar first) {
  cl_int error;
  cl_uchar bytes[60];
  for (unsigned i = 0; i < 60; i++) bytes[i] = (cl_uchar)(first + i);
  cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 3};
  cl_mem image = clCreateImage(h.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &error);
  CHECK(error);
  return image;
}

static void images(void) {
  cl_int error;
  cl_kernel k = host_kernel(program, "draw");
  cl_mem image = make_image(0), other = make_image(100);
  cl_sampler sampler = clCreateSampler(h.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
  CHECK(error);
  CHECK(clSetKernelArg(k, 0, sizeof image, &image));
  CHECK(clSetKernelArg(k, 1, sizeof other, &other));
  CHECK(clSetKernelArg(k, 2, sizeof sampler, &sampler));
  const size_t items[] = {5, 3};
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 2, NULL, items, NULL, 0, NULL, NULL));
  CHECK(clFinish(h.queue));
  unsigned char drawn[60], original[60];
  for (unsigned i = 0; i < 60; i++) {
    const unsigned more[] = {i / 4 % 5, i / 20, 7, 9};
    original[i] = (unsigned char)(100 + i);
    drawn[i] = (unsigned char)(100 + i + more[i % 4]);
  }
  expect_memory("draw", 0, 0, drawn, 60, 60);
  expect_memory("draw", 0, 1, original, 60, 60);
  CHECK(clReleaseSampler(sampler));
  CHECK(clReleaseMemObject(image));
  CHECK(clReleaseMemObject(other));
  CHECK(clReleaseKernel(k));
}

int main(void) {
  cl_int error;
  h = host_open(0);
  program = host_program(&h, source, "");
  every();
  chain(h.queue, 0);
  open_event();
  cl_command_queue unordered =
      clCreateCommandQueue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  CHECK(error);
  in_callback();
  chain(unordered, 7);
  CHECK(clReleaseCommandQueue(unordered));
  large();
  shared();
  images();
  CHECK(clReleaseProgram(program));
  host_close(&h);
  return 0;
}
