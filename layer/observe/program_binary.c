/* Programs from binaries: those of which the source was seen are instrumented by it. */
#include <string.h>

#include "layer/common/binary.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/hooks.h"
#include "layer/observe/program.h"

/* False: nobody knows what it was made of. */
static bool record_known(cl_program made, cl_context handle, cl_uint count, const size_t *lengths,
                         const unsigned char *const *binaries) {
  recipe r;
  const binary_kind kind = connection_ready() ? binaries_find(count, lengths, binaries, &r) : BINARY_UNKNOWN;
  if (kind == BINARY_UNKNOWN) return false;
  program *p = program_record(made, handle, kind == BINARY_LIBRARY ? PROGRAM_LIBRARY : PROGRAM_LINKED);
  if (p != NULL && kind == BINARY_OBJECT) {
    p->source.compiled = r.units.items[0];
    r.units.count = 0; /* the reference is the program's */
  } else if (p != NULL) {
    program_known(p, &r);
  }
  recipe_free(&r);
  return p != NULL;
}

cl_program CL_API_CALL hook_clCreateProgramWithBinary(cl_context handle, cl_uint num_devices,
                                                      const cl_device_id *devices, const size_t *lengths,
                                                      const unsigned char **binaries, cl_int *status, cl_int *error) {
  cl_program made = driver.clCreateProgramWithBinary(handle, num_devices, devices, lengths, binaries, status, error);
  if (made != NULL && !record_known(made, handle, num_devices, lengths, binaries)) {
    skipped("program from binary",
            "a program from a binary has no source to instrument, and that was not seen while it was built: if the "
            "program keeps binaries from run to run, let it build from source");
  }
  return made;
}

static void keep_binaries(cl_program handle, size_t size, unsigned char *const *binaries) {
  program *p = (program *)object_find(OBJECT_PROGRAM, handle);
  if (p != NULL && size > 0 && connection_alive()) {
    pthread_mutex_lock(&p->lock);
    binaries_keep(handle, &p->made_of, p->source.compiled, binaries);
    pthread_mutex_unlock(&p->lock);
  }
}

cl_int CL_API_CALL hook_clGetProgramInfo(cl_program handle, cl_program_info name, size_t size, void *value,
                                         size_t *size_ret) {
  cl_int result = driver.clGetProgramInfo(handle, name, size, value, size_ret);
  if (result != CL_SUCCESS || value == NULL) return result;
  if (name == CL_PROGRAM_BINARIES) {
    keep_binaries(handle, size, value);
  } else if (name == CL_PROGRAM_REFERENCE_COUNT) {
    cl_uint count;
    memcpy(&count, value, sizeof count);
    count -= program_hidden_references(handle);
    memcpy(value, &count, sizeof count);
  }
  return result;
}
