/* Names of OpenCL's errors, and what helps against those that programs meet most. */
#ifndef CLTC_BASE_CL_ERROR_H
#define CLTC_BASE_CL_ERROR_H

#include <stddef.h>
#include <stdint.h>

/* "CL_INVALID_WORK_GROUP_SIZE"; "" where the specification has no such error. */
const char *cl_error_constant(int32_t error);
/* "CL_INVALID_WORK_GROUP_SIZE", or the number in decimal, for which `room` has to have at least 12 bytes. */
const char *cl_error_name(int32_t error, char *room, size_t size);
/* A clause on what to do about an error of this name; NULL: nothing is known. */
const char *cl_error_remedy(const char *name);

#endif
