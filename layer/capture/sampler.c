/* Samplers. Their numbers stay: a capture does not release them. */
#include <stdlib.h>

#include "layer/capture/layer.h"

typedef struct sampler {
  object object;
  uint32_t number;
} sampler;

static uint32_t count;

uint32_t sampler_number(const void *handle) {
  const sampler *s = (sampler *)object_find(OBJECT_SAMPLER, handle);
  return s != NULL ? s->number : CAPTURE_NONE;
}

void sampler_after_fork(void) { count = 0; }

static uint32_t ask(cl_sampler handle, cl_sampler_info name) {
  cl_uint value = 0;
  if (driver.clGetSamplerInfo(handle, name, sizeof value, &value, NULL) != CL_SUCCESS)
    unsuitable("the driver does not say what a sampler does");
  return value;
}

/* With the lock held. */
static void record_sampler(cl_sampler handle) {
  sampler *s = calloc(1, sizeof *s);
  if (s == NULL) {
    unsuitable("the capture ran out of memory");
    return;
  }
  s->number = count++;
  object_add(&s->object, OBJECT_SAMPLER, handle, 1);
  record(&(capture_command){.kind = CAPTURE_SAMPLER,
                            .u.sampler = {.normalized = ask(handle, CL_SAMPLER_NORMALIZED_COORDS) != 0,
                                          .addressing = ask(handle, CL_SAMPLER_ADDRESSING_MODE),
                                          .filter = ask(handle, CL_SAMPLER_FILTER_MODE)}});
}

static void made(cl_sampler handle, bool plain) {
  if (handle == NULL || !record_begin()) return;
  if (plain)
    record_sampler(handle);
  else
    unsuitable("a sampler has properties of an extension");
  record_end();
}

static cl_sampler CL_API_CALL create_sampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                                             cl_filter_mode filter, cl_int *status) {
  cl_sampler s = driver.clCreateSampler(handle, normalized, addressing, filter, status);
  made(s, true);
  return s;
}

static bool known(cl_sampler_properties name) {
  return name == CL_SAMPLER_NORMALIZED_COORDS || name == CL_SAMPLER_ADDRESSING_MODE || name == CL_SAMPLER_FILTER_MODE;
}

static cl_sampler CL_API_CALL create_sampler_with_properties(cl_context handle, const cl_sampler_properties *properties,
                                                             cl_int *status) {
  cl_sampler s = driver.clCreateSamplerWithProperties(handle, properties, status);
  bool plain = true;
  for (const cl_sampler_properties *p = properties; s != NULL && p != NULL && *p; p += 2) plain = plain && known(*p);
  made(s, plain);
  return s;
}

static HOOK_RETAIN(retain_sampler, cl_sampler, clRetainSampler, OBJECT_SAMPLER)

    static cl_int CL_API_CALL release_sampler(cl_sampler handle) {
  record_release(OBJECT_SAMPLER, handle);
  return driver.clReleaseSampler(handle);
}

const guest_call sampler_calls[] = {
    CALL(clCreateSampler, create_sampler),
    CALL(clCreateSamplerWithProperties, create_sampler_with_properties),
    CALL(clRetainSampler, retain_sampler),
    CALL(clReleaseSampler, release_sampler),
    {NULL, 0, NULL},
};
