/* The program under test: builds the kernels of some seeds, launches them and writes what they computed to a file.
 *
 *   property_host OUTPUT SEED…
 *
 * OUTPUT gets, for each launch of each seed, the words of the output buffer. With PROPERTY_TEXTS=FOLDER the programs are
 * those of FOLDER/SEED.cl. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "generator.h"

#define CHECK(call, seed)                                                                       \
  do {                                                                                          \
    cl_int check_result = (call);                                                               \
    if (check_result != CL_SUCCESS) {                                                           \
      fprintf(stderr, "property_host: seed %" PRIu64 ": %s = %d\n", seed, #call, check_result); \
      exit(3);                                                                                  \
    }                                                                                           \
  } while (0)

typedef struct host {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  FILE *output;
} host;

static host open_host(const char *path) {
  host h = {.output = fopen(path, "wb")};
  cl_platform_id platform = NULL;
  cl_int error = CL_SUCCESS;
  CHECK(clGetPlatformIDs(1, &platform, NULL), (uint64_t)0);
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), (uint64_t)0);
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &error);
  CHECK(error, (uint64_t)0);
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error, (uint64_t)0);
  if (h.output == NULL) {
    fprintf(stderr, "property_host: %s cannot be written\n", path);
    exit(3);
  }
  return h;
}

/* To be freed. */
static char *text_of(const tree *p) {
  enum { MOST = 1 << 22 };
  const char *folder = getenv("PROPERTY_TEXTS");
  char *text = calloc(MOST, 1);
  if (folder == NULL) {
    snprintf(text, MOST, "%s", p->text);
    return text;
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/%" PRIu64 ".cl", folder, p->seed);
  FILE *f = fopen(path, "rb");
  if (f == NULL || fread(text, 1, MOST - 1, f) == 0) {
    fprintf(stderr, "property_host: %s cannot be read\n", path);
    exit(3);
  }
  fclose(f);
  return text;
}

static cl_program build(const host *h, const tree *p) {
  cl_int error = CL_SUCCESS;
  char *own = text_of(p);
  const char *text = own;
  cl_program built = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
  free(own);
  CHECK(error, p->seed);
  error = clBuildProgram(built, 1, &h->device, p->options, NULL, NULL);
  if (error != CL_SUCCESS) {
    static char log[65536];
    (void)clGetProgramBuildInfo(built, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "property_host: seed %" PRIu64 " does not build:\n%s\n", p->seed, log);
    exit(4);
  }
  return built;
}

static cl_mem buffer_of(const host *h, const tree *p, const uint32_t *words, size_t count) {
  cl_int error = CL_SUCCESS;
  uint32_t *copy = calloc(count, sizeof *copy);
  for (size_t i = 0; words != NULL && i < count; i++) copy[i] = words[i];
  cl_mem memory =
      clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof *copy, copy, &error);
  CHECK(error, p->seed);
  free(copy);
  return memory;
}

static void set_arguments(const tree *p, const launch *l, cl_kernel kernel, cl_mem in, cl_mem out) {
  cl_uint n = l->n;
  CHECK(clSetKernelArg(kernel, 0, sizeof in, &in), p->seed);
  CHECK(clSetKernelArg(kernel, 1, sizeof out, &out), p->seed);
  CHECK(clSetKernelArg(kernel, 2, sizeof n, &n), p->seed);
  if (l->kernel->takes_local) CHECK(clSetKernelArg(kernel, 3, LOCAL_LENGTH * sizeof(cl_uint), NULL), p->seed);
}

static void run_launch(const host *h, const tree *p, cl_program built, const launch *l) {
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(built, l->kernel->name, &error);
  CHECK(error, p->seed);
  size_t words = l->items * SLICE_LENGTH;
  cl_mem in = buffer_of(h, p, p->input, INPUT_LENGTH);
  cl_mem out = buffer_of(h, p, NULL, words);
  set_arguments(p, l, kernel, in, out);
  CHECK(clEnqueueNDRangeKernel(h->queue, kernel, l->dimensions, l->has_offset ? l->offset : NULL, l->global,
                               l->has_local ? l->local : NULL, 0, NULL, NULL),
        p->seed);
  uint32_t *result = calloc(words, sizeof *result);
  CHECK(clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, words * sizeof *result, result, 0, NULL, NULL), p->seed);
  if (fwrite(result, sizeof *result, words, h->output) != words) exit(3);
  free(result);
  CHECK(clReleaseMemObject(in), p->seed);
  CHECK(clReleaseMemObject(out), p->seed);
  CHECK(clReleaseKernel(kernel), p->seed);
}

static void run_seed(const host *h, uint64_t seed) {
  tree *p = program_make(seed);
  cl_program built = build(h, p);
  for (size_t i = 0; i < p->launch_count; i++) run_launch(h, p, built, &p->launches[i]);
  CHECK(clReleaseProgram(built), seed);
  random_tree_free(p);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: property_host OUTPUT SEED...\n");
    return 2;
  }
  host h = open_host(argv[1]);
  for (int i = 2; i < argc; i++) run_seed(&h, strtoull(argv[i], NULL, 10));
  CHECK(clReleaseCommandQueue(h.queue), (uint64_t)0);
  CHECK(clReleaseContext(h.context), (uint64_t)0);
  return fclose(h.output) == 0 ? 0 : 3;
}
