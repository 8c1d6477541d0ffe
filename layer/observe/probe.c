/* Questions that only the device's compiler can answer: each becomes a kernel under `#if` in a tiny program, and the
 * names of the kernels that exist are the answers. */
#include "layer/observe/probe.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "layer/observe/context.h"
#include "layer/observe/program.h"
#include "layer/observe/quiet.h"
#include "layer/observe/shadow.h"

extern const char probe_text[]; /* probe.cl */

/* The names of the program's kernels, or NULL if the source does not build. Free it. */
static char *kernel_names(const context *c, const executable *r, const char *options, const char *source) {
  cl_int result = CL_SUCCESS;
  cl_program p = build_text(c->object.handle, r->device_count, r->devices, source, options, &result);
  if (p == NULL) {
    return NULL;
  }
  char *names = NULL;
  size_t size = 0;
  if (result == CL_SUCCESS && driver.clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) == CL_SUCCESS) {
    names = calloc(1, size + 2);
    if (names != NULL && driver.clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, size, names, NULL) != CL_SUCCESS) {
      names[0] = '\0';
    }
  }
  driver.clReleaseProgram(p);
  return names;
}

static bool contains(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; (at = strstr(at, name)) != NULL; at += length) {
    if ((at == names || at[-1] == ';') && (at[length] == ';' || at[length] == '\0')) {
      return true;
    }
  }
  return false;
}

static bool ask(const context *c, const executable *r, const char *options, fact **facts, size_t count) {
  size_t size = strlen(probe_text) + 1;
  for (size_t i = 0; i < count; i++) {
    size += strlen(facts[i]->expression) + 96;
  }
  char *source = malloc(size);
  if (source == NULL) {
    return false;
  }
  size_t length = (size_t)snprintf(source, size, "%s", probe_text);
  for (size_t i = 0; i < count; i++) {
    length += (size_t)snprintf(source + length, size - length, "#if %s\n__kernel void cltc_q%zu(void) {}\n#endif\n",
                               facts[i]->expression, i);
  }
  char *names = kernel_names(c, r, options, source);
  free(source);
  if (names == NULL) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    char name[48];
    snprintf(name, sizeof name, "cltc_q%zu", i);
    facts[i]->value = contains(names, name);
  }
  free(names);
  return true;
}

void probe_answer(const context *c, const executable *r, const char *options, fact **facts, size_t count) {
  char *quietly = count ? join_options(options, OPTION_QUIET) : NULL;
  if (quietly == NULL) {
    return;
  }
  quiet silence;
  quiet_begin(&silence, first_device(c, r));
  bool together = ask(c, r, quietly, facts, count);
  for (size_t i = 0; !together && i < count; i++) {
    if (!ask(c, r, quietly, &facts[i], 1)) {
      facts[i]->value = 0;
    }
  }
  quiet_end(&silence);
  free(quietly);
}
