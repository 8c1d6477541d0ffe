/* Which device this is. */
#ifndef CLTC_LAYER_COMMON_IDENTITY_H
#define CLTC_LAYER_COMMON_IDENTITY_H

#include "layer/common/opencl.h"

/* Text that identifies the device and its compiler to cltestcheck, in lines; free it. NULL without memory. */
char *device_key(cl_device_id device);

#endif
