/* The device that is presented. */
#ifndef CLTC_LAYER_OBSERVE_DEVICE_H
#define CLTC_LAYER_OBSERVE_DEVICE_H

#include "layer/observe/hooks.h"

/* For clCreateContextFromType, with the presented device where there is one. */
cl_context device_create_context(const cl_context_properties *properties, cl_device_type type, context_notify notify,
                                 void *user_data, cl_int *error);

#endif
