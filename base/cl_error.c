/* The errors of the specification, as one table. */
#include "base/cl_error.h"

#include <stdio.h>

#include "base/names.h"

static const struct known_error {
  int32_t error;
  const char *name, *remedy;
} errors[] = {
    {-1, "CL_DEVICE_NOT_FOUND", NULL},
    {-2, "CL_DEVICE_NOT_AVAILABLE", NULL},
    {-3, "CL_COMPILER_NOT_AVAILABLE", NULL},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "the device has no memory for it: try a smaller size"},
    {-5, "CL_OUT_OF_RESOURCES", "the device has too little of something for this size: try a smaller one"},
    {-6, "CL_OUT_OF_HOST_MEMORY", "the host has no memory for it"},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE", NULL},
    {-8, "CL_MEM_COPY_OVERLAP", NULL},
    {-9, "CL_IMAGE_FORMAT_MISMATCH", NULL},
    {-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED", NULL},
    {-11, "CL_BUILD_PROGRAM_FAILURE", "the build log says why"},
    {-12, "CL_MAP_FAILURE", NULL},
    {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET", NULL},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", NULL},
    {-15, "CL_COMPILE_PROGRAM_FAILURE", "the build log says why"},
    {-16, "CL_LINKER_NOT_AVAILABLE", NULL},
    {-17, "CL_LINK_PROGRAM_FAILURE", "the build log says why"},
    {-18, "CL_DEVICE_PARTITION_FAILED", NULL},
    {-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", NULL},
    {-30, "CL_INVALID_VALUE", "an argument of the call is out of range, such as a size beyond the end of the buffer"},
    {-31, "CL_INVALID_DEVICE_TYPE", NULL},
    {-32, "CL_INVALID_PLATFORM", NULL},
    {-33, "CL_INVALID_DEVICE", NULL},
    {-34, "CL_INVALID_CONTEXT", NULL},
    {-35, "CL_INVALID_QUEUE_PROPERTIES", NULL},
    {-36, "CL_INVALID_COMMAND_QUEUE", NULL},
    {-37, "CL_INVALID_HOST_PTR", NULL},
    {-38, "CL_INVALID_MEM_OBJECT", NULL},
    {-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", NULL},
    {-40, "CL_INVALID_IMAGE_SIZE", NULL},
    {-41, "CL_INVALID_SAMPLER", NULL},
    {-42, "CL_INVALID_BINARY", "the binary was made for another device"},
    {-43, "CL_INVALID_BUILD_OPTIONS", "the device's compiler does not know one of the options"},
    {-44, "CL_INVALID_PROGRAM", NULL},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE", "the program was not built for this device, or its build failed"},
    {-46, "CL_INVALID_KERNEL_NAME", NULL},
    {-47, "CL_INVALID_KERNEL_DEFINITION", NULL},
    {-48, "CL_INVALID_KERNEL", NULL},
    {-49, "CL_INVALID_ARG_INDEX", NULL},
    {-50, "CL_INVALID_ARG_VALUE", NULL},
    {-51, "CL_INVALID_ARG_SIZE", NULL},
    {-52, "CL_INVALID_KERNEL_ARGS", "an argument of the kernel was never set"},
    {-53, "CL_INVALID_WORK_DIMENSION", NULL},
    {-54, "CL_INVALID_WORK_GROUP_SIZE",
     "the global size has to be a multiple of the work-group size, and a work-group no larger than the device and the "
     "kernel allow (`cltestcheck devices`)"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE", "a work-group is larger in one dimension than the device allows"},
    {-56, "CL_INVALID_GLOBAL_OFFSET", "the offset and the global size together are larger than the device allows"},
    {-57, "CL_INVALID_EVENT_WAIT_LIST", NULL},
    {-58, "CL_INVALID_EVENT", NULL},
    {-59, "CL_INVALID_OPERATION", NULL},
    {-60, "CL_INVALID_GL_OBJECT", NULL},
    {-61, "CL_INVALID_BUFFER_SIZE", NULL},
    {-62, "CL_INVALID_MIP_LEVEL", NULL},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE", "the global size is 0 or larger than the device allows"},
    {-64, "CL_INVALID_PROPERTY", NULL},
    {-65, "CL_INVALID_IMAGE_DESCRIPTOR", NULL},
    {-66, "CL_INVALID_COMPILER_OPTIONS", NULL},
    {-67, "CL_INVALID_LINKER_OPTIONS", NULL},
    {-68, "CL_INVALID_DEVICE_PARTITION_COUNT", NULL},
    {-69, "CL_INVALID_PIPE_SIZE", NULL},
    {-70, "CL_INVALID_DEVICE_QUEUE", NULL},
    {-71, "CL_INVALID_SPEC_ID", NULL},
    {-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED", NULL},
};

enum { ERRORS = sizeof errors / sizeof errors[0] };

const char *cl_error_constant(int32_t error) {
  for (size_t i = 0; i < ERRORS; i++)
    if (errors[i].error == error) return errors[i].name;
  return "";
}

const char *cl_error_name(int32_t error, char *room, size_t size) {
  const char *name = cl_error_constant(error);
  if (name[0] != '\0') return name;
  (void)snprintf(room, size, "%d", (int)error);
  return room;
}

const char *cl_error_remedy(const char *name) {
  const struct known_error *e = NAMED(errors, ERRORS, name, name);
  return e == NULL ? NULL : e->remedy;
}
