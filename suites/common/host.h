/* What the host program of every benchmark needs: device, program, kernels, buffers, the closing line.
 *
 * A failing OpenCL call, a wrong argument and a lack of memory end the program with one line on standard error and
 * exit status 1; so no function here returns an error. Programs use the first device of the first platform. */
#ifndef SUITES_COMMON_HOST_H
#define SUITES_COMMON_HOST_H

#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct host {
  const char *name; /* of the benchmark; lent by the caller of host_open */
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} host;

/* Opens the device and builds NAME.cl, which lies beside the executable, with `options` ("" for none). A failed build
 * shows its log. `host_finish` releases all of it. */
host host_open(const char *name, const char *options);

/* Prints "ok NAME: …" or "FAILED NAME: …" to standard output, releases what `host_open` opened and gives the exit
 * status: 0 when `ok`, else 1. */
int host_finish(host *h, bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The folder of the executable, without a closing slash; lent, valid until the next call. */
const char *host_folder(void);

/* Ends the program when `status`, of the OpenCL call named `call`, is not CL_SUCCESS. */
void host_check(cl_int status, const char *call);
/* Ends the program with the sentence "NAME: …". */
_Noreturn void host_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Argument `index` of the program as a whole number in low..high; `fallback` when there are fewer arguments. */
int host_number(int argc, char **argv, int index, int fallback, int low, int high);
/* Whether argument `index` is `word`; when there are fewer arguments, whether `fallback` is. */
bool host_word(int argc, char **argv, int index, const char *fallback, const char *word);

/* Zeroed memory of `count * size` bytes, never NULL; free() it. */
void *host_calloc(size_t count, size_t size);

/* A kernel of the program; clReleaseKernel it. */
cl_kernel host_kernel(const host *h, const char *name);
/* A read-write buffer of `bytes` bytes, filled from `data` or, when that is NULL, with zeros; clReleaseMemObject it. */
cl_mem host_buffer(const host *h, size_t bytes, const void *data);
/* With SUITE_DUMP=FILE in the environment, what is read is also appended to that file. */
void host_read(const host *h, cl_mem buffer, size_t bytes, void *data);
void host_write(const host *h, cl_mem buffer, size_t bytes, const void *data);

/* Sets argument `index` of a kernel to the value of the lvalue `value`. */
#define HOST_ARGUMENT(kernel, index, value) host_argument((kernel), (index), sizeof(value), &(value))
/* `value` NULL: `size` bytes of local memory. */
void host_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value);

/* Launches a kernel and waits for its end. `offset` and `local` may be NULL; the arrays have `dimensions` elements. */
void host_launch(const host *h, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                 const size_t *local);

/* `n` rounded up to a multiple of `multiple`. */
size_t host_round_up(size_t n, size_t multiple);
/* Whether two floats agree within `tolerance`, relative for values above 1. */
bool host_close(float a, float b, float tolerance);

#endif
