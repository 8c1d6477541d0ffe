/* The first OpenCL device, for tests that build and launch texts of ours. What must not fail ends the test. */
#ifndef CLTC_TESTS_DEVICE_H
#define CLTC_TESTS_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>

typedef struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
} device;

typedef struct build {
  device *device;
  cl_program program;
} build;

/* Ends the test unless the status is CL_SUCCESS; `what` failed. */
void device_check(cl_int status, const char *what);
device *device_open(void);
cl_program device_source(const device *d, const char *text);
/* NULL when the text does not build; the log then goes to standard error unless `quiet`. */
build *device_build(device *d, const char *text, const char *options, bool quiet);
void build_free(build *b); /* may be NULL */

#endif
