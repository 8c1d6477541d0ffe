/* Buffers are set again only when they are others than before. */
#include "layer/observe/hidden.h"

#include "layer/common/guest.h"

cl_uint hidden_index(const kernel *k, hidden_value value) {
  const hidden_value *row = kernel_forms[k->function->form].hidden;
  cl_uint index = k->argument_count;
  for (; *row != HIDDEN_END && *row != value; row++) index++;
  return index;
}

/* What a launch has no memory for gets any buffer: its kernel does not touch it then. */
static cl_mem buffer_of(hidden_value value, const entry *e, const place *p) {
  const cl_mem planes = p->planes != NULL ? p->planes->memory : NULL;
  const cl_mem memory = value == HIDDEN_FLAGS || value == HIDDEN_ANY ? NULL
                        : value == HIDDEN_PLANES                     ? planes
                                                                     : p->memory;
  return memory != NULL ? memory : e->flags;
}

static bool set(const twin *t, cl_uint index, size_t size, const void *value) {
  return driver.clSetKernelArg(t->kernel, index, size, value) == CL_SUCCESS;
}

static bool set_buffer(twin *t, cl_uint first, cl_uint at, cl_mem now, bool renewed) {
  if (!renewed && t->buffers[at] == now) return true;
  t->buffers[at] = now;
  return set(t, first + at, sizeof(cl_mem), &now);
}

bool hidden_set(const kernel *k, twin *t, const entry *e, const place *p) {
  const hidden_value *row = kernel_forms[k->function->form].hidden;
  const cl_uint first = k->argument_count;
  const uint64_t serial =
      e->flags_serial + (p->memory != NULL ? p->serial << 21 : 0) + (p->planes != NULL ? p->planes->serial << 42 : 0);
  const bool renewed = t->serial != serial;
  bool done = true;
  t->serial = 0;
  for (cl_uint at = 0; done && row[at] != HIDDEN_END; at++) {
    const cl_uint number = row[at] == HIDDEN_ZERO ? 0 : p->capacity;
    if (hidden_is_buffer(row[at]))
      done = set_buffer(t, first, at, buffer_of(row[at], e, p), renewed);
    else if (hidden_is_ulong(row[at]))
      done = set(t, first + at, sizeof p->first, &p->first);
    else if (hidden_is_uint(row[at]))
      done = set(t, first + at, sizeof number, &number);
  }
  t->serial = done ? serial : 0;
  return done;
}
