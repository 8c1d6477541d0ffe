/* Every way to make a program: rebuilds, callbacks, compile and link with embedded headers, libraries, binaries,
 * failing builds, refusals, questions.
 * expect: hello layer_programs
 * expect: instrument sources=1 [-DN=1] headers=0
 * expect: instrument sources=1 [-DN=2] headers=0
 * expect: instrument sources=1 [-DCALLED] headers=0
 * expect: instrument sources=1 [-DASKED=7] headers=0
 * expect: instrument sources=1 [-DASKED=7] headers=0
 * expect: fact 0 __OPENCL_VERSION__ >= 120 = 1
 * expect: fact 0 defined(ASKED) && ASKED == 8 = 0
 * expect: fact 0 ) broken ( = 0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=1 [] headers=0
 * expect: instrument sources=2 [-DPART=1] headers=1 [] headers=0 linked [] others=0
 * expect: instrument sources=2 [-DPART=1] headers=1 [] headers=0 linked [] others=0
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: instrument sources=2 [] headers=0 [] headers=0 linked [] others=0
 * expect: instrument sources=1 [] headers=0 linked [] others=1
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: built
 * expect: refused
 * expect: failed
 * expect: failed
 * expect: skipped program from binary
 * expect: skipped program from binary
 * expect: kernel rebuilt launches=3 flags=5
 * expect: kernel called launches=1 flags=5
 * expect: kernel asked launches=1 flags=3
 * expect: kernel broken launches=0 flags=0
 * expect: kernel linked launches=2 flags=5
 * expect: kernel library launches=1 flags=5
 * expect: kernel mixed launches=1 flags=3 */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

static long run_kernel(const host *h, cl_program p, const char *name, int n) {
  cl_kernel k = host_kernel(p, name);
  cl_mem m = host_buffer(h, 400);
  host_arguments(k, m, n);
  host_launch(h, k, 100);
  long sum = host_sum(h, m, 100);
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
  return sum;
}

/* PoCL drops a launch's hold on its kernel a moment after the launch is complete, and refuses to build until then. */
static int build_when_free(cl_program p, const char *options) {
  const struct timespec moment = {0, 1000000};
  int error;
  for (int left = 5000; (error = clBuildProgram(p, 0, NULL, options, NULL, NULL)) == CL_INVALID_OPERATION && left;
       left--)
    nanosleep(&moment, NULL);
  return error;
}

static void rebuild(const host *h) {
  const char *source = PLAIN
      "//@kernel rebuilt 1 1 2\n__kernel void rebuilt(__global int *a, int n HIDDEN) {\n"
      "  BEGIN(1); HIT(0); if (N == 2) HIT(2); a[get_global_id(0)] = n * N; END1\n}\n";
  cl_program p = host_program(h, source, "-DN=1");
  printf("rebuilt %ld\n", run_kernel(h, p, "rebuilt", 3));
  cl_kernel k = host_kernel(p, "rebuilt");
  printf("attached %d\n", clBuildProgram(p, 1, &h->device, "-DN=3", NULL, NULL));
  printf("rebuilt %ld\n", run_kernel(h, p, "rebuilt", 3));
  CHECK(clReleaseKernel(k));
  CHECK(build_when_free(p, "-DN=2"));
  printf("rebuilt %ld\n", run_kernel(h, p, "rebuilt", 3));
  printf("fails %d\n", build_when_free(p, "-DN=("));
  cl_build_status status;
  CHECK(clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  cl_int error;
  clCreateKernel(p, "rebuilt", &error);
  printf("status %d kernel %d\n", status, error);
  CHECK(clReleaseProgram(p));
  source = "__kernel void wrong(";
  p = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  printf("fails %d\n", clBuildProgram(p, 1, &h->device, "", NULL, NULL));
  CHECK(clReleaseProgram(p));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done_condition = PTHREAD_COND_INITIALIZER;
static int done_count;

static void CL_CALLBACK done(cl_program p, void *data) {
  (void)p;
  pthread_mutex_lock(&lock);
  done_count += *(int *)data;
  pthread_cond_signal(&done_condition);
  pthread_mutex_unlock(&lock);
}

static void wait_done(int count) {
  pthread_mutex_lock(&lock);
  while (done_count < count) pthread_cond_wait(&done_condition, &lock);
  pthread_mutex_unlock(&lock);
}

static void callback(const host *h) {
  const char *source = PLAIN ADD("called");
  cl_int error;
  int one = 1;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  CHECK(clBuildProgram(p, 1, &h->device, "-DCALLED", done, &one));
  wait_done(1);
  printf("called %ld\n", run_kernel(h, p, "called", 3));
  CHECK(clReleaseProgram(p));
}

static void questions(const host *h) {
  cl_program p = host_program(
      h,
      PLAIN "//@ask __OPENCL_VERSION__ >= 120\n//@ask defined(ASKED) && ASKED == 8\n//@ask ) broken (\n" ADD("asked"),
      "-DASKED=7");
  printf("asked %ld\n", run_kernel(h, p, "asked", 7));
  CHECK(clReleaseProgram(p));
}

static void refusals(const host *h) {
  cl_program p = host_program(h, PLAIN "//@broken\n" ADD("broken"), "");
  printf("broken %ld\n", run_kernel(h, p, "broken", 7));
  CHECK(clReleaseProgram(p));
  p = host_program(h, PLAIN "//@not of today\n" ADD("untouched"), NULL);
  printf("untouched %ld\n", run_kernel(h, p, "untouched", 7));
  CHECK(clReleaseProgram(p));
}

static cl_program compile(const host *h, const char *source, const char *options, const char *name, cl_program header,
                          int asynchronous) {
  cl_int error;
  int one = 1;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  CHECK(error);
  int before = done_count;
  CHECK(clCompileProgram(p, 1, &h->device, options, name ? 1 : 0, name ? &header : NULL, name ? &name : NULL,
                         asynchronous ? done : NULL, asynchronous ? &one : NULL));
  if (asynchronous) wait_done(before + 1);
  return p;
}

#define HELPER "int helper(int n) { return 2 * n; }\n"
#define LINKED(name)                                                        \
  PLAIN "int helper(int n);\n//@kernel " name " 1 1 2\n__kernel void " name \
        "(__global int *a, int n HIDDEN) {\n"                               \
        "  BEGIN(1); HIT(0); if (n == 3) HIT(2); else HIT(1); a[get_global_id(0)] = helper(n); END1\n}\n"

static void link_two(const host *h) {
  cl_int error;
  int one = 1;
  const char *text = "int helper(int n);\n#define UNUSED 1\n";
  cl_program header = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
  cl_program parts[2];
  parts[0] = compile(h, "#include \"part.h\"\n" LINKED("linked"), "-DPART=1", "part.h", header, 0);
  parts[1] = compile(h, HELPER, NULL, NULL, NULL, 1);
  CHECK(clReleaseProgram(header));
  cl_program p = clLinkProgram(h->context, 1, &h->device, "", 2, parts, NULL, NULL, &error);
  CHECK(error);
  printf("linked %ld\n", run_kernel(h, p, "linked", 3));
  CHECK(clReleaseProgram(p));
  int before = done_count;
  p = clLinkProgram(h->context, 0, NULL, NULL, 2, parts, done, &one, &error);
  CHECK(error);
  wait_done(before + 1);
  CHECK(clReleaseProgram(parts[0]));
  CHECK(clReleaseProgram(parts[1]));
  printf("linked %ld\n", run_kernel(h, p, "linked", 3));
  CHECK(clReleaseProgram(p));
}

static void link_library(const host *h) {
  cl_int error;
  cl_program helper = compile(h, HELPER, "", NULL, NULL, 0);
  cl_program library = clLinkProgram(h->context, 1, &h->device, "-create-library", 1, &helper, NULL, NULL, &error);
  CHECK(error);
  CHECK(clReleaseProgram(helper));
  cl_program parts[] = {compile(h, LINKED("library"), "", NULL, NULL, 0), library};
  cl_program p = clLinkProgram(h->context, 1, &h->device, NULL, 2, parts, NULL, NULL, &error);
  CHECK(error);
  printf("library %ld\n", run_kernel(h, p, "library", 3));
  CHECK(clReleaseProgram(parts[0]));
  CHECK(clReleaseProgram(library));
  CHECK(clReleaseProgram(p));
}

static cl_program from_binary(const host *h, cl_program p) {
  size_t size;
  cl_int status, error;
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = malloc(size);
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  const unsigned char *given = binary;
  cl_program made = clCreateProgramWithBinary(h->context, 1, &h->device, &size, &given, &status, &error);
  CHECK(error);
  free(binary);
  return made;
}

/* A binary that is linked in stays as it is, and its count tells nothing of us. */
static void link_binary(const host *h) {
  cl_int error;
  cl_uint count;
  cl_program helper = compile(h, HELPER, "", NULL, NULL, 0), binary = from_binary(h, helper);
  cl_program parts[] = {compile(h, LINKED("mixed"), "", NULL, NULL, 0), binary};
  cl_program p = clLinkProgram(h->context, 1, &h->device, "", 2, parts, NULL, NULL, &error);
  CHECK(error);
  CHECK(clGetProgramInfo(binary, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL));
  printf("mixed %ld, binary %u\n", run_kernel(h, p, "mixed", 4), count);
  CHECK(clReleaseProgram(helper));
  CHECK(clReleaseProgram(parts[0]));
  CHECK(clReleaseProgram(binary));
  CHECK(clReleaseProgram(p));
}

static void binary(const host *h) {
  cl_program built = host_program(h, PLAIN "//@not twice\n" ADD("kept"), "");
  cl_program p = from_binary(h, built);
  CHECK(clBuildProgram(p, 1, &h->device, "", NULL, NULL));
  char source[64] = "?";
  size_t size;
  CHECK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof source, source, &size));
  printf("kept %ld, source of %zu\n", run_kernel(h, p, "kept", 7), size);
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseProgram(built));
}

/* The least count that is seen in a while: drivers give back what finished commands held a little later. */
static void counts(const host *h) {
  cl_uint least = 0, count;
  for (int i = 0; i < 40; i++) {
    CHECK(clGetContextInfo(h->context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    least = i == 0 || count < least ? count : least;
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  printf("context %u\n", least);
}

int main(int argc, char **argv) {
  host h = host_open(0);
  void (*const parts[])(const host *) = {rebuild,  callback,     questions,   refusals,
                                         link_two, link_library, link_binary, binary};
  for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
    if (argc < 2 || atoi(argv[1]) == i) {
      parts[i](&h);
      counts(&h);
    }
  host_close(&h);
  return 0;
}
