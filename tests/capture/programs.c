/* Programs: built, built again, not built, with callbacks, compiled with headers and linked, libraries. */
#include <stdatomic.h>
#include <time.h>

#include "expect.h"

static cl_program source(const host *h, const char *text) {
  cl_int error;
  cl_program p = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
  CHECK(error);
  return p;
}

static void built_twice(const host *h) {
  const char *parts[2] = {"kernel void a(global int *x) {", " *x = N; }ignored"};
  const size_t lengths[2] = {0, 10};
  cl_int error;
  cl_program p = clCreateProgramWithSource(h->context, 2, parts, lengths, &error);
  CHECK(error);
  TRUE_(clBuildProgram(p, 1, &h->device, "-DN=(", NULL, NULL) != CL_SUCCESS); /* is not recorded */
  CHECK(clBuildProgram(p, 1, &h->device, "-DN=1", NULL, NULL));
  expect("program source=\"kernel void a(global int *x) { *x = N; }\" options=\"-DN=1\"");
  CHECK(clBuildProgram(p, 1, &h->device, "-DN=2", NULL, NULL));
  expect("program source=\"kernel void a(global int *x) { *x = N; }\" options=\"-DN=2\"");
  cl_kernel k = expect_kernel(p, 1, "a");
  TRUE_(clBuildProgram(p, 1, &h->device, "-DN=3", NULL, NULL) != CL_SUCCESS); /* it has a kernel */
  expect_kernel(p, 1, "a");
  CHECK(clReleaseKernel(k));
  expect("release-kernel object=0");
  clReleaseProgram(p);
}

static atomic_int called;

static void CL_CALLBACK made(cl_program p, void *data) {
  cl_kernel *k = data;
  *k = expect_kernel(p, 2, "b"); /* before clBuildProgram has returned, maybe */
  atomic_store(&called, 1);
}

static void wait_for_callback(void) {
  while (!atomic_exchange(&called, 0)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void built_later(const host *h) {
  cl_program p = source(h, "kernel void b(global int *x) { *x = 3; }");
  cl_kernel k = NULL;
  expect("program source=\"kernel void b(global int *x) { *x = 3; }\" options=\"\"");
  CHECK(clBuildProgram(p, 0, NULL, NULL, made, &k));
  wait_for_callback();
  CHECK(clReleaseKernel(k));
  expect("release-kernel object=2");
  TRUE_(clBuildProgram(p, 1, NULL, "-DX", NULL, NULL) != CL_SUCCESS); /* refused: the build before stays */
  expect_kernel(p, 2, "b");
}

static cl_program compiled(const host *h, const char *text, const char *options, cl_uint headers,
                           const cl_program *programs, const char **names) {
  cl_program p = source(h, text);
  CHECK(clCompileProgram(p, 1, &h->device, options, headers, programs, names, NULL, NULL));
  return p;
}

#define TWO "int one(int x); int two(int x); int two(int x) { return one(one(x)); }"
#define MAIN "int two(int x); kernel void c(global int *x) { *x = two(*x); }"
static void linked(const host *h) {
  cl_int error;
  cl_program header = source(h, "#define ONE 1\n");
  const char *name = "one.h";
  cl_program one = compiled(h, "#include \"one.h\"\nint one(int x) { return x + ONE; }", "-DA", 1, &header, &name);
  cl_program two = compiled(h, TWO, NULL, 0, NULL, NULL), main_ = compiled(h, MAIN, "-DB", 0, NULL, NULL);
  cl_program parts[2] = {one, two};
  cl_program library = clLinkProgram(h->context, 1, &h->device, "-create-library", 2, parts, NULL, NULL, &error);
  if (error) {
    printf("no libraries: %d\n", error);
    library = NULL;
  }
  cl_program all[3] = {one, two, main_}, few[2] = {library, main_};
  cl_program p = clLinkProgram(h->context, 1, &h->device, "", library ? 2 : 3, library ? few : all, NULL, NULL, &error);
  CHECK(error);
  expect(
      "program linked=\"\" source=\"#include \"one.h\"\\nint one(int x) { return x + ONE; }\" options=\"-DA\" "
      "one.h=\"#define ONE 1\\n\" source=\"" TWO "\" options=\"\" source=\"" MAIN "\" options=\"-DB\"");
  clReleaseProgram(one);
  clReleaseProgram(two);
  clReleaseProgram(main_);
  cl_kernel k = expect_kernel(p, 3, "c");
  cl_mem m = host_buffer(h, 4);
  expect("buffer flags=1 size=4 blob=00000000");
  CHECK(clSetKernelArg(k, 0, sizeof m, &m));
  expect("argument kernel=4 0 memory object=0");
  host_launch(h, k, 1);
  expect("launch kernel=4 dimensions=1 global=1,0,0");
  int value;
  CHECK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  expect_read(&value, 4, "read memory=0 offset=0 size=4");
  printf("%d\n", value);
}

static cl_program linked_later;

static void CL_CALLBACK link_made(cl_program p, void *data) {
  (void)data;
  linked_later = p;
  expect_kernel(p, 4, "c");
  atomic_store(&called, 1);
}

static void linked_with_callback(const host *h) {
  cl_int error;
  cl_program one =
      compiled(h, "int two(int x) { return x; } kernel void c(global int *x) { *x = two(*x); }", "", 0, NULL, NULL);
  expect(
      "program linked=\"\" source=\"int two(int x) { return x; } "
      "kernel void c(global int *x) { *x = two(*x); }\" options=\"\"");
  cl_program p = clLinkProgram(h->context, 1, &h->device, "", 1, &one, link_made, NULL, &error);
  wait_for_callback();
  TRUE_(p == linked_later);
}

int main(void) {
  host h = host_open(0);
  built_twice(&h);
  built_later(&h);
  linked(&h);
  linked_with_callback(&h);
  host_close(&h);
  return 0;
}
