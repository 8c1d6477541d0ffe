/* Kernels: made anew in each turn, with their arguments. */
#include <stdio.h>

#include "cltestcheck.h"
#include "replay/crash.h"
#include "replay/replay_internal.h"

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* An object that is gone can be no argument of a launch any more. */
static bool gone(const replay *r, const capture_command *c) {
  return c->u.argument.kind == CAPTURE_MEMORY && c->u.argument.object != CAPTURE_NONE &&
         r->objects[c->u.argument.object] == NULL;
}

static cl_int set(const replay *r, cl_kernel kernel, const capture_command *c) {
  const cl_uint index = c->u.argument.index;
  const uint32_t object = c->u.argument.object;
  const cl_mem nothing = NULL;
  switch (c->u.argument.kind) {
    case CAPTURE_VALUE:
      return clSetKernelArg(kernel, index, c->u.argument.size, c->u.argument.bytes);
    case CAPTURE_LOCAL:
      return clSetKernelArg(kernel, index, c->u.argument.size, NULL);
    case CAPTURE_MEMORY:
      return clSetKernelArg(kernel, index, sizeof(cl_mem), object == CAPTURE_NONE ? &nothing : &r->objects[object]);
    case CAPTURE_SAMPLE:
      return clSetKernelArg(kernel, index, sizeof(cl_sampler), &r->samplers[object]);
  }
  return CL_INVALID_VALUE;
}

static bool give(turn *t, uint32_t number, const capture_command *c) {
  replay *r = t->replay;
  uint32_t *given = &r->given[r->outline.kernels[number].first_slot + c->u.argument.index];
  *given = CAPTURE_NONE;
  if (gone(r, c)) {
    return true;
  }
  if (c->u.argument.kind == CAPTURE_MEMORY) {
    *given = c->u.argument.object;
  }
  return succeeded(t, set(r, r->kernels[number], c), "clSetKernelArg");
}

/* A kernel that was made before the turn's first command and is not launched in it is not there. */
bool kernels_argument(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  return t->replay->kernels[c->u.argument.kernel] == NULL || give(t, c->u.argument.kernel, c);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* `set_by`: for each argument the command that set it, or NEVER; NULL: none is set. */
static bool make(turn *t, uint32_t number, const size_t *set_by) {
  replay *r = t->replay;
  const outline_kernel *k = &r->outline.kernels[number];
  cl_int status = CL_SUCCESS;
  r->kernels[number] = clCreateKernel(r->setup->programs[k->program], k->name, &status);
  if (!succeeded(t, status, "clCreateKernel")) {
    return false;
  }
  for (uint32_t i = 0; i < k->arguments; i++) {
    r->given[k->first_slot + i] = CAPTURE_NONE;
    if (set_by != NULL && set_by[i] != NEVER && !give(t, number, &r->capture->commands[set_by[i]])) {
      return false;
    }
  }
  return true;
}

/* A clone is a kernel that is given the original's arguments: not every device clones. */
bool kernels_make(turn *t, const capture_command *c, uint32_t number) {
  (void)c;
  return make(t, number, t->replay->outline.kernels[number].inherited);
}

bool kernels_begin(turn *t, const start *from) {
  const outline *o = &t->replay->outline;
  t->replay->launches = 0;
  for (size_t i = 0; from->command > 0 && i < o->kernel_count; i++) {
    const outline_kernel *k = &o->kernels[i];
    const bool wanted = k->made < from->command && k->launched != NEVER && k->launched >= from->command;
    if (wanted && !make(t, (uint32_t)i, from->arguments + k->first_slot)) {
      return false;
    }
  }
  return true;
}

bool kernels_release(turn *t, const capture_command *c, uint32_t number) {
  cl_kernel *kernel = &t->replay->kernels[c->u.release.object];
  (void)number;
  if (*kernel != NULL) {
    clReleaseKernel(*kernel);
    *kernel = NULL;
  }
  return true;
}

void kernels_end(replay *r) {
  for (size_t i = 0; i < r->outline.kernel_count; i++) {
    if (r->kernels[i] != NULL) {
      clReleaseKernel(r->kernels[i]);
      r->kernels[i] = NULL;
    }
  }
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void name_launch(replay *r) {
  char name[16];
  (void)snprintf(name, sizeof name, "%u", r->launches++);
  cltestcheck_begin(name);
}

bool kernels_launch(turn *t, const capture_command *c, uint32_t number) {
  static const size_t one[1] = {1};
  replay *r = t->replay;
  const outline_kernel *k = &r->outline.kernels[c->u.launch.kernel];
  const bool task = c->u.launch.task, offset = !task && c->u.launch.has_offset, local = task || c->u.launch.has_local;
  (void)number;
  for (uint32_t i = 0; i < k->arguments; i++) {
    const uint32_t object = r->given[k->first_slot + i];
    if (object != CAPTURE_NONE && !memory_launched(t, object)) {
      return false;
    }
  }
  crash_launch(k->name);
  if (r->named) {
    name_launch(r);
  }
  const cl_int status = clEnqueueNDRangeKernel(
      t->queue, r->kernels[c->u.launch.kernel], task ? 1 : c->u.launch.dimensions, offset ? c->u.launch.offset : NULL,
      task ? one : c->u.launch.global, !local ? NULL : (task ? one : c->u.launch.local), 0, NULL, NULL);
  if (status != CL_SUCCESS) {
    char what[256];
    (void)snprintf(what, sizeof what, "launch of kernel %s", k->name);
    return succeeded(t, status, what);
  }
  return true;
}
