/* Gated kernels on an in-order queue, beside one that is not: each launch has a schedule and a record of its own.
 * expect: hello layer_gate
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: built
 * expect: kernel add launches=1007 flags=7
 * expect: kernel other launches=500 flags=5
 * expect: kernel plain launches=500 flags=3
 * expect: kernel refused launches=0 flags=0
 * expect: gated add asked=1007 arrived=1007
 * expect: gated other asked=500 arrived=500
 * expect: gated refused asked=3 arrived=0
 * expect: launch add 100/0 even=1 times=500
 * expect: launch add 100/20 even=1 times=502
 * expect: launch add 1/1 even=1 times=2
 * expect: launch uneven 10/3 even=0 times=1
 * expect: launch add 12/4 10/5 even=1 times=1
 * expect: launch uneven 6/2 5/4 2/1 even=0 times=1
 * expect: launch add 6/0 5/0 2/0 even=1 times=1
 * expect: launch add 64/0 even=1 times=1
 * expect: launch other 100/0 even=1 times=500
 * expect: launch refused 100/0 even=1 times=3
 * expect: note program=1 kernel refused: the device refused an instrumented launch; it ran uninstrumented */
#include "host.h"

static host h;
static cl_program program;

static void launch(cl_command_queue queue, cl_kernel k, cl_uint dimensions, const size_t *global, const size_t *local) {
  CHECK(clEnqueueNDRangeKernel(queue, k, dimensions, NULL, global, local, 0, NULL, NULL));
}

/* Launches without end, and with nothing to wait for between them. */
static void many(void) {
  cl_kernel add = host_kernel(program, "add"), other = host_kernel(program, "other"),
            plain = host_kernel(program, "plain");
  cl_mem m = host_buffer(&h, 400), n = host_buffer(&h, 400);
  const size_t items = 100, twenty = 20;
  host_arguments(add, m, 7);
  host_arguments(plain, m, 6);
  host_arguments(other, n, 3);
  for (int i = 0; i < 500; i++) {
    launch(h.queue, add, 1, &items, NULL);
    launch(h.queue, plain, 1, &items, NULL);
    launch(h.queue, add, 1, &items, &twenty);
    launch(h.queue, other, 1, &items, NULL);
  }
  printf("many %ld %ld\n", host_sum(&h, m, 100), host_sum(&h, n, 100));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseKernel(other));
  CHECK(clReleaseKernel(plain));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
}

/* Shapes, with a launch that the device refuses and empty ones. */
static void shapes(void) {
  cl_kernel k = host_kernel(program, "add");
  cl_mem m = host_buffer(&h, 1000);
  host_arguments(k, m, 1);
  CHECK(clEnqueueTask(h.queue, k, 0, NULL, NULL));
  const size_t two[] = {12, 10}, groups[] = {4, 5};
  launch(h.queue, k, 2, two, groups);
  const size_t three[] = {6, 5, 2};
  launch(h.queue, k, 3, three, NULL);
  const size_t none = 0, sixty_four = 64;
  printf("empty %d\n", clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &none, NULL, 0, NULL, NULL));
  printf("none %d\n", clEnqueueNDRangeKernel(h.queue, k, 0, NULL, NULL, NULL, 0, NULL, NULL));
  const size_t offset = 8;
  CHECK(clEnqueueNDRangeKernel(h.queue, k, 1, &offset, &sixty_four, NULL, 0, NULL, NULL));
  cl_event event;
  CHECK(clEnqueueTask(h.queue, k, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  cl_command_type type;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  printf("shapes %ld %d\n", host_sum(&h, m, 250), type == CL_COMMAND_TASK || type == CL_COMMAND_NDRANGE_KERNEL);
  CHECK(clReleaseEvent(event));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

/* The device may take such launches or not. */
static void uneven(void) {
  const char *path = getenv("LAYER_EXPECT");
  FILE *f = path ? fopen(path, "a") : NULL;
  cl_kernel k = host_kernel(program, "uneven");
  cl_mem m = host_buffer(&h, 1000);
  int taken = 0;
  host_arguments(k, m, 1);
  const size_t global[] = {6, 5, 2}, local[] = {2, 4, 1}, ten = 10, by_three = 3;
  taken += clEnqueueNDRangeKernel(h.queue, k, 3, NULL, global, local, 0, NULL, NULL) == CL_SUCCESS;
  taken += clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &ten, &by_three, 0, NULL, NULL) == CL_SUCCESS;
  printf("uneven %ld %d\n", host_sum(&h, m, 250), taken);
  if (f) {
    fprintf(f, "kernel uneven launches=%d flags=%d\ngated uneven asked=2 arrived=%d\n", taken, taken ? 5 : 0, taken);
    fclose(f);
  }
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

/* A second queue, a clone, and everything released while it runs. */
static void others(void) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  cl_kernel k = host_kernel(program, "add");
  cl_mem m = host_buffer(&h, 400), n = host_buffer(&h, 400);
  const size_t items = 100, twenty = 20;
  host_arguments(k, m, 9);
  launch(h.queue, k, 1, &items, &twenty);
  cl_kernel clone = clCloneKernel(k, &error);
  if (error) clone = k;
  CHECK(clSetKernelArg(clone, 0, sizeof n, &n));
  launch(queue, clone, 1, &items, &twenty);
  if (clone != k) CHECK(clReleaseKernel(clone));
  CHECK(clFinish(queue));
  cl_uint count;
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
  printf("queue's references %u\n", count);
  CHECK(clReleaseCommandQueue(queue));
  CHECK(clReleaseKernel(k));
  printf("others %ld %ld\n", host_sum(&h, m, 100), host_sum(&h, n, 100));
  CHECK(clReleaseMemObject(m));
  CHECK(clReleaseMemObject(n));
}

static void refused(void) {
  cl_program p = host_program(&h,
                              PLAIN
                              "//@refused refused\n//@gated refused 1 2 0\n#ifndef ATTRIBUTE_refused\n"
                              "#define ATTRIBUTE_refused\n#endif\n"
                              "__kernel ATTRIBUTE_refused void refused(__global int *a, int n HIDDEN) {\n"
                              "  GATED; a[get_global_id(0)] += n;\n}\n",
                              "");
  cl_kernel k = host_kernel(p, "refused");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 2);
  for (int i = 0; i < 3; i++) host_launch(&h, k, 100);
  printf("refused %ld\n", host_sum(&h, m, 100));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
}

int main(void) {
  h = host_open(0);
  program =
      host_program(&h, PLAIN GATED_ADD("add", "0") GATED_ADD("other", "0") GATED_ADD("uneven", "0") ADD("plain"), "");
  many();
  shapes();
  uneven();
  others();
  refused();
  CHECK(clReleaseProgram(program));
  cl_uint count;
  CHECK(clGetContextInfo(h.context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  host_close(&h);
  return 0;
}
