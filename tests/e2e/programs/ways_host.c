/* Kernels that come to be launched in other ways than from a program that was just built from source. Each program launches
 * `plain` of a source program once, and `other` in the way that its first argument says; it prints what both have made.
 *
 *   binary            `other` is of a program made from the binary of one that was built before
 *   linked            of one that was linked of objects, themselves from binaries
 *   cached FILE       the binary is in FILE; where that is not there, it builds from source and writes it
 *   foreign FILE      the same, but it writes nothing: without us somebody has
 *   buffer            by a command buffer that is run twice
 *   contexts          of another context */

#include "tests/layer/host.h" /* first: it says which OpenCL */

/* clang-format off */
#include <CL/cl_ext.h>
/* clang-format on */

enum { ITEMS = 8, MAX_BINARY = 1 << 20 };

static const char plain_source[] =
    "__kernel void plain(__global int *a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i > n)\n"
    "    a[i] += 1;\n"
    "}\n";
static const char other_source[] =
    "__kernel void other(__global int *a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    a[i] += 2;\n"
    "}\n";
/* The same for two objects. */
static const char helper_source[] =
    "int helper(int i, int n);\n"
    "int helper(int i, int n) {\n"
    "  return i < n ? 2 : 0;\n"
    "}\n";
static const char user_source[] =
    "int helper(int i, int n);\n"
    "__kernel void other(__global int *a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  a[i] += helper(i, n);\n"
    "}\n";

static unsigned char bytes[2][MAX_BINARY];

static size_t binary_of(cl_program p, int which) {
  unsigned char *binaries[] = {bytes[which]};
  size_t size = 0;
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  TRUE_(size > 0 && size <= MAX_BINARY);
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binaries, binaries, NULL));
  CHECK(clReleaseProgram(p));
  return size;
}

static cl_program from_binary(const host *h, int which, size_t size) {
  const unsigned char *binaries[] = {bytes[which]};
  cl_int error = CL_SUCCESS;
  cl_program p = clCreateProgramWithBinary(h->context, 1, &h->device, &size, binaries, NULL, &error);
  CHECK(error);
  return p;
}

static cl_program built_from_binary(const host *h, size_t size) {
  cl_program p = from_binary(h, 0, size);
  CHECK(clBuildProgram(p, 1, &h->device, "", NULL, NULL));
  return p;
}

static void launch_and_print(const host *h, cl_program p) {
  cl_mem m = host_buffer(h, ITEMS * sizeof(int));
  cl_kernel k = host_kernel(p, "other");
  host_arguments(k, m, 4);
  host_launch(h, k, ITEMS);
  printf("other %ld\n", host_sum(h, m, ITEMS));
}

static void binary(const host *h, const char *unused) {
  (void)unused;
  launch_and_print(h, built_from_binary(h, binary_of(host_program(h, other_source, ""), 0)));
}

static cl_program object(const host *h, const char *source) {
  cl_int error = CL_SUCCESS;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  CHECK(error);
  CHECK(clCompileProgram(p, 1, &h->device, "", 0, NULL, NULL, NULL, NULL));
  return p;
}

static void linked(const host *h, const char *unused) {
  (void)unused;
  cl_int error = CL_SUCCESS;
  cl_program inputs[] = {from_binary(h, 0, binary_of(object(h, helper_source), 0)),
                         from_binary(h, 1, binary_of(object(h, user_source), 1))};
  cl_program p = clLinkProgram(h->context, 1, &h->device, "", 2, inputs, NULL, NULL, &error);
  CHECK(error);
  launch_and_print(h, p);
}

static size_t read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  const size_t size = f == NULL ? 0 : fread(bytes[0], 1, MAX_BINARY, f);
  if (f != NULL) fclose(f);
  return size;
}

static void cached(const host *h, const char *path) {
  size_t size = read_file(path);
  if (size == 0) {
    cl_program p = host_program(h, other_source, "");
    CHECK(clRetainProgram(p));
    launch_and_print(h, p);
    size = binary_of(p, 0);
    FILE *f = fopen(path, "wb");
    TRUE_(f != NULL && fwrite(bytes[0], 1, size, f) == size && fclose(f) == 0);
  } else {
    launch_and_print(h, built_from_binary(h, size));
  }
}

static void foreign(const host *h, const char *path) {
  (void)host_program(h, other_source, ""); /* of this one nothing is launched */
  launch_and_print(h, built_from_binary(h, read_file(path)));
}

static void contexts(const host *h, const char *unused) {
  (void)unused;
  host another = host_open(0);
  (void)h;
  launch_and_print(&another, host_program(&another, other_source, ""));
}

/* ---- command buffers ---- */

#define FUNCTION(type, name)                                                            \
  type name = (type)clGetExtensionFunctionAddressForPlatform(h->platform, #name "KHR"); \
  TRUE_(name != NULL)

typedef cl_command_buffer_khr (*create_function)(cl_uint, const cl_command_queue *,
                                                 const cl_command_buffer_properties_khr *, cl_int *);
typedef cl_int (*one_function)(cl_command_buffer_khr);
typedef cl_int (*launch_function)(cl_command_buffer_khr, cl_command_queue, const cl_properties *, cl_kernel, cl_uint,
                                  const size_t *, const size_t *, const size_t *, cl_uint, const cl_sync_point_khr *,
                                  cl_sync_point_khr *, cl_mutable_command_khr *);
typedef cl_int (*copy_function)(cl_command_buffer_khr, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                                cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *, cl_mutable_command_khr *);
typedef cl_int (*fill_function)(cl_command_buffer_khr, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                                cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *, cl_mutable_command_khr *);
typedef cl_int (*run_function)(cl_uint, cl_command_queue *, cl_command_buffer_khr, cl_uint, const cl_event *,
                               cl_event *);

/* Fills, launches, copies. */
static void buffer(const host *h, const char *unused) {
  (void)unused;
  FUNCTION(create_function, clCreateCommandBuffer);
  FUNCTION(one_function, clFinalizeCommandBuffer);
  FUNCTION(one_function, clReleaseCommandBuffer);
  FUNCTION(launch_function, clCommandNDRangeKernel);
  FUNCTION(copy_function, clCommandCopyBuffer);
  FUNCTION(fill_function, clCommandFillBuffer);
  FUNCTION(run_function, clEnqueueCommandBuffer);
  const size_t global = ITEMS, whole = ITEMS * sizeof(int);
  const int one = 1;
  cl_int error = CL_SUCCESS;
  cl_sync_point_khr filled, launched;
  cl_event done = NULL;
  cl_mem m = host_buffer(h, whole), copy = host_buffer(h, whole);
  cl_kernel k = host_kernel(host_program(h, other_source, ""), "other");
  cl_command_buffer_khr b = clCreateCommandBuffer(1, &h->queue, NULL, &error);
  CHECK(error);
  host_arguments(k, m, 4);
  CHECK(clCommandFillBuffer(b, NULL, m, &one, sizeof one, 0, whole, 0, NULL, &filled, NULL));
  CHECK(clCommandNDRangeKernel(b, NULL, NULL, k, 1, NULL, &global, NULL, 1, &filled, &launched, NULL));
  CHECK(clCommandCopyBuffer(b, NULL, m, copy, 0, 0, whole, 1, &launched, NULL, NULL));
  CHECK(clFinalizeCommandBuffer(b));
  for (int i = 0; i < 2; i++) {
    CHECK(clEnqueueCommandBuffer(0, NULL, b, 0, NULL, &done));
    CHECK(clWaitForEvents(1, &done));
    CHECK(clReleaseEvent(done));
  }
  CHECK(clReleaseCommandBuffer(b));
  printf("other %ld\n", host_sum(h, copy, ITEMS));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(const host *h, const char *argument);
  } ways[] = {{"binary", binary},   {"linked", linked}, {"cached", cached},
              {"foreign", foreign}, {"buffer", buffer}, {"contexts", contexts}};
  host h = host_open(0);
  cl_mem m = host_buffer(&h, ITEMS * sizeof(int));
  cl_kernel k = host_kernel(host_program(&h, plain_source, ""), "plain");
  host_arguments(k, m, 3);
  host_launch(&h, k, ITEMS);
  printf("plain %ld\n", host_sum(&h, m, ITEMS));
  for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(argv[1], ways[i].name) == 0) {
      ways[i].run(&h, argc > 2 ? argv[2] : "");
      return 0;
    }
  return 64;
}
