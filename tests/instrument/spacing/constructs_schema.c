/* Kernel files as schemata, with no mutant switched on; those that have none run as they are, and standard error says
 * why. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "tests/fixtures/constructs_program.h"

enum { HIDDEN_PARAMETERS = 5, FLAG_WORDS = 1 << 12 };

static cl_program build(cl_context context, cl_device_id device, const char *text, const char *options) {
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (program != NULL && clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(program);
    return NULL;
  }
  return program;
}

cl_program build_program(cl_context context, cl_device_id device, const char *path, const char *text,
                         const char *options, cl_uint *hidden) {
  const pp_input in = {.name = path, .text = text, .length = strlen(text), .options = options};
  forms f;
  make_forms(&in, &f);
  const bool made = !f.refused[FORM_SCHEMA];
  if (!made) fprintf(stderr, "%s: no schema: %s\n", path, f.texts[FORM_SCHEMA]);
  cl_program program = build(context, device, made ? f.texts[FORM_SCHEMA] : text, made ? f.options : options);
  if (made) { /* the clones are built, too */
    cl_program clones = build(context, device, f.texts[FORM_CLONES], f.options);
    if (clones == NULL)
      fprintf(stderr, "%s: the clones do not build\n", path);
    else
      clReleaseProgram(clones);
  }
  free_forms(&f);
  *hidden = made ? HIDDEN_PARAMETERS : 0;
  return program;
}

void set_hidden(cl_context context, cl_kernel kernel, cl_uint own) {
  const cl_ulong first = (cl_ulong)UINT32_MAX << 32; /* no mutant, no limit of turns */
  const cl_uint capacity = 0;
  void *zeros = calloc(FLAG_WORDS, sizeof(cl_uint));
  cl_mem flags =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, FLAG_WORDS * sizeof(cl_uint), zeros, NULL);
  (void)clSetKernelArg(kernel, own, sizeof flags, &flags);
  (void)clSetKernelArg(kernel, own + 1, sizeof flags, &flags);
  (void)clSetKernelArg(kernel, own + 2, sizeof first, &first);
  (void)clSetKernelArg(kernel, own + 3, sizeof flags, &flags);
  (void)clSetKernelArg(kernel, own + 4, sizeof capacity, &capacity);
  free(zeros);
}
