/* Kernel files as their trees print them; CONSTRUCTS_PRINT=convert writes implicit conversions. Standard error says what
 * cannot be read or has no type. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree.h"
#include "tests/fixtures/constructs_program.h"
#include "tests/fixtures/tree_fixture.h"
#include "tree_print.h"

static cl_program build(cl_context context, cl_device_id device, const char *text, const char *options) {
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (program != NULL && clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    clReleaseProgram(program);
    return NULL;
  }
  return program;
}

static bool answer(cl_context context, cl_device_id device, const char *expression, const char *options) {
  buffer text = {0};
  buffer_printf(&text, "#if %s\n__kernel void yes(void) {}\n#else\n#error no\n#endif\n", expression);
  cl_program program = build(context, device, buffer_text(&text), options);
  buffer_free(&text);
  if (program != NULL) clReleaseProgram(program);
  return program != NULL;
}

static int preprocess(cl_context context, cl_device_id device, pp_input *in, pp_result *out, error *e) {
  static pp_fact facts[64]; /* a process reads one file */
  int result = 0;
  in->facts = facts;
  while ((result = pp_run(in, out, e)) == 0 && out->question_count > 0) {
    for (size_t i = 0; i < out->question_count && in->fact_count < 64; i++) {
      const char *asked = mem_strdup(out->questions[i]);
      facts[in->fact_count++] = (pp_fact){asked, answer(context, device, asked, in->options)};
    }
    pp_result_free(out);
  }
  return result;
}

cl_program build_program(cl_context context, cl_device_id device, const char *path, const char *text,
                         const char *options, cl_uint *hidden) {
  const char *mode = getenv("CONSTRUCTS_PRINT");
  pp_input in = {.name = path, .text = text, .length = strlen(text), .options = options};
  pp_result macro_free;
  tree *t = NULL;
  error e = {0};
  cl_program program = NULL;
  *hidden = 0;
  if (preprocess(context, device, &in, &macro_free, &e) != 0 ||
      tree_build(&macro_free, macro_free.other_options, &t, &e) != 0) {
    fprintf(stderr, "%s: not read: %s\n", path, e.text);
    return NULL;
  }
  size_t all = 0, typed = 0;
  count_expressions(t, &all, &typed);
  if (typed != all) fprintf(stderr, "%s: %zu of %zu expressions are typed\n", path, typed, all);
  buffer printed = {0};
  tree_print(t, mode != NULL && strcmp(mode, "convert") == 0, &printed);
  program = build(context, device, buffer_text(&printed), macro_free.other_options);
  buffer_free(&printed);
  tree_free(t);
  pp_result_free(&macro_free);
  return program;
}

void set_hidden(cl_context context, cl_kernel kernel, cl_uint own) {
  (void)context;
  (void)kernel;
  (void)own;
}
