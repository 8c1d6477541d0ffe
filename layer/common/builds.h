/* Programs of our own that were built before. Their binaries are kept in a folder, over processes and commands, so that
 * no text is compiled twice. Whatever is wrong with the folder costs a build from the text, and nothing else. */
#ifndef CLTC_LAYER_COMMON_BUILDS_H
#define CLTC_LAYER_COMMON_BUILDS_H

#include <stdbool.h>

#include "layer/common/opencl.h"

/* A program of the text, built for these devices (0 and NULL: all of the context), from the folder of ENV_BUILDS where
 * it has one (`*was_kept`). The program also when its build fails, for its log; NULL: there is none. */
cl_program build_text(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                      const char *options, bool *was_kept, cl_int *result);

#endif
