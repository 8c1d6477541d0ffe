/* How constructs_host builds a kernel file: as it is, or with the gate. */
#ifndef CLTC_TESTS_CONSTRUCTS_PROGRAM_H
#define CLTC_TESTS_CONSTRUCTS_PROGRAM_H

#include <CL/cl.h>

/* NULL when it does not build. `*hidden` gets the number of parameters that its kernels have behind the user's. */
cl_program build_program(cl_context context, cl_device_id device, const char *path, const char *text,
                         const char *options, cl_uint *hidden);
/* Sets the hidden arguments, behind `own` of the user's. */
void set_hidden(cl_context context, cl_kernel kernel, cl_uint own);

#endif
