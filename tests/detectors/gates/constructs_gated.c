/* Kernel files with the gate; those that cannot have it run as they are, and standard error says why.
 * CONSTRUCTS_BUILD holds build options, CONSTRUCTS_ORDER the name of an order. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/gates/record.h"
#include "gated_text.h"
#include "schedamp/schedule.h"
#include "tests/fixtures/constructs_program.h"

enum { HIDDEN_PARAMETERS = 5 };

typedef struct asked {
  cl_context context;
  cl_device_id device;
} asked;

static cl_program build(const asked *a, const char *text, const char *options) {
  cl_program program = clCreateProgramWithSource(a->context, 1, &text, NULL, NULL);
  if (program != NULL && clBuildProgram(program, 1, &a->device, options, NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(program);
    return NULL;
  }
  return program;
}

static bool answer(void *context, const char *expression, const char *options) {
  char *text = malloc(strlen(expression) + 64);
  (void)sprintf(text, "#if %s\n__kernel void yes(void) {}\n#else\n#error no\n#endif\n", expression);
  cl_program program = build(context, text, options);
  free(text);
  if (program != NULL) clReleaseProgram(program);
  return program != NULL;
}

cl_program build_program(cl_context context, cl_device_id device, const char *path, const char *text,
                         const char *options, cl_uint *hidden) {
  asked a = {context, device};
  instrument_result r;
  error e;
  cl_program program = NULL;
  *hidden = 0;
  if (gated_source(path, text, options, answer, &a, &r, &e) != 0) {
    fprintf(stderr, "%s: not gated: %s\n", path, e.text);
    program = build(&a, text, options);
  } else {
    char *all = malloc(strlen(r.options[0]) + 256);
    const char *more = getenv("CONSTRUCTS_BUILD");
    (void)sprintf(all, "%s %.200s", r.options[0], more == NULL ? "" : more);
    program = build(&a, r.texts[0], all);
    *hidden = HIDDEN_PARAMETERS;
    free(all);
  }
  instrument_free(&r);
  return program;
}

/* Room enough for the small launches of these files; nothing is read back. */
enum { FLAG_WORDS = 1 << 12, RECORD_WORDS = GATE_WORDS + (1 << 10), PLANE_WORDS = 1 << 16, CAPACITY = 1 << 10 };

static void set_zeroed(cl_context context, cl_kernel kernel, cl_uint index, size_t words) {
  void *zeros = calloc(words, sizeof(cl_uint));
  cl_mem memory =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words * sizeof(cl_uint), zeros, NULL);
  (void)clSetKernelArg(kernel, index, sizeof memory, &memory);
  free(zeros);
}

void set_hidden(cl_context context, cl_kernel kernel, cl_uint own) {
  const char *name = getenv("CONSTRUCTS_ORDER");
  const int order = schedule_order_find(name == NULL ? "none" : name);
  const schedule wanted = {.order = order < 0 ? ORDER_NONE : (schedule_order)order};
  const cl_ulong first = schedule_pack(&wanted);
  const cl_uint capacity = CAPACITY;
  set_zeroed(context, kernel, own, FLAG_WORDS);
  set_zeroed(context, kernel, own + 1, RECORD_WORDS);
  (void)clSetKernelArg(kernel, own + 2, sizeof first, &first);
  set_zeroed(context, kernel, own + 3, PLANE_WORDS);
  (void)clSetKernelArg(kernel, own + 4, sizeof capacity, &capacity);
}
