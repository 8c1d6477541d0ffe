/* The OpenCL calls that guests intercept, as one table: X(return type, name, parameters, arguments). The tables of the
 * guests, the extension pointers, the preload library and many of the functions that stand over a call are made from
 * it. */
#ifndef CLTC_LAYER_COMMON_CALLS_H
#define CLTC_LAYER_COMMON_CALLS_H

#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "layer/common/opencl.h"

typedef void(CL_CALLBACK *context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *native_function)(void *);
typedef void(CL_CALLBACK *free_notify)(cl_command_queue, cl_uint, void *[], void *);

#define CALLS(X)   \
  CALLS_DEVICE(X)  \
  CALLS_CONTEXT(X) \
  CALLS_QUEUE(X)   \
  CALLS_PROGRAM(X) \
  CALLS_KERNEL(X)  \
  CALLS_EVENT(X) CALLS_MEMORY(X) CALLS_EXTENSION(X)

#define CALLS_DEVICE(X)                                                                                              \
  X(cl_int, clGetPlatformIDs, (cl_uint num_entries, cl_platform_id * platforms, cl_uint * num_platforms),            \
    (num_entries, platforms, num_platforms))                                                                         \
  X(cl_int, clGetDeviceIDs,                                                                                          \
    (cl_platform_id platform, cl_device_type type, cl_uint num_entries, cl_device_id * devices,                      \
     cl_uint * num_devices),                                                                                         \
    (platform, type, num_entries, devices, num_devices))                                                             \
  X(cl_int, clGetDeviceInfo, (cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret), \
    (device, name, size, value, size_ret))

#define CALLS_CONTEXT(X)                                                                                               \
  X(cl_context, clCreateContext,                                                                                       \
    (const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices, context_notify notify, \
     void *user_data, cl_int *error),                                                                                  \
    (properties, num_devices, devices, notify, user_data, error))                                                      \
  X(cl_context, clCreateContextFromType,                                                                               \
    (const cl_context_properties *properties, cl_device_type type, context_notify notify, void *user_data,             \
     cl_int *error),                                                                                                   \
    (properties, type, notify, user_data, error))                                                                      \
  X(cl_int, clRetainContext, (cl_context handle), (handle))                                                            \
  X(cl_int, clReleaseContext, (cl_context handle), (handle))                                                           \
  X(cl_int, clGetContextInfo, (cl_context handle, cl_context_info name, size_t size, void *value, size_t *size_ret),   \
    (handle, name, size, value, size_ret))

#define CALLS_QUEUE(X)                                                                                 \
  X(cl_command_queue, clCreateCommandQueue,                                                            \
    (cl_context handle, cl_device_id device, cl_command_queue_properties properties, cl_int * error),  \
    (handle, device, properties, error))                                                               \
  X(cl_command_queue, clCreateCommandQueueWithProperties,                                              \
    (cl_context handle, cl_device_id device, const cl_queue_properties *properties, cl_int *error),    \
    (handle, device, properties, error))                                                               \
  X(cl_int, clSetCommandQueueProperty,                                                                 \
    (cl_command_queue handle, cl_command_queue_properties properties, cl_bool enable,                  \
     cl_command_queue_properties * old),                                                               \
    (handle, properties, enable, old))                                                                 \
  X(cl_int, clRetainCommandQueue, (cl_command_queue handle), (handle))                                 \
  X(cl_int, clReleaseCommandQueue, (cl_command_queue handle), (handle))                                \
  X(cl_int, clGetCommandQueueInfo,                                                                     \
    (cl_command_queue handle, cl_command_queue_info name, size_t size, void *value, size_t *size_ret), \
    (handle, name, size, value, size_ret))                                                             \
  X(cl_int, clFinish, (cl_command_queue handle), (handle))

#define CALLS_PROGRAM(X)                                                                                              \
  X(cl_program, clCreateProgramWithSource,                                                                            \
    (cl_context handle, cl_uint count, const char **strings, const size_t *lengths, cl_int *error),                   \
    (handle, count, strings, lengths, error))                                                                         \
  X(cl_program, clCreateProgramWithBinary,                                                                            \
    (cl_context handle, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,                      \
     const unsigned char **binaries, cl_int *status, cl_int *error),                                                  \
    (handle, num_devices, devices, lengths, binaries, status, error))                                                 \
  X(cl_program, clCreateProgramWithBuiltInKernels,                                                                    \
    (cl_context handle, cl_uint num_devices, const cl_device_id *devices, const char *names, cl_int *error),          \
    (handle, num_devices, devices, names, error))                                                                     \
  X(cl_program, clCreateProgramWithIL, (cl_context handle, const void *il, size_t length, cl_int *error),             \
    (handle, il, length, error))                                                                                      \
  X(cl_int, clRetainProgram, (cl_program handle), (handle))                                                           \
  X(cl_int, clReleaseProgram, (cl_program handle), (handle))                                                          \
  X(cl_int, clBuildProgram,                                                                                           \
    (cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *options, program_notify notify, \
     void *user_data),                                                                                                \
    (handle, num_devices, devices, options, notify, user_data))                                                       \
  X(cl_int, clCompileProgram,                                                                                         \
    (cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *options, cl_uint num_headers,   \
     const cl_program *headers, const char **header_names, program_notify notify, void *user_data),                   \
    (handle, num_devices, devices, options, num_headers, headers, header_names, notify, user_data))                   \
  X(cl_program, clLinkProgram,                                                                                        \
    (cl_context handle, cl_uint num_devices, const cl_device_id *devices, const char *options, cl_uint num_inputs,    \
     const cl_program *inputs, program_notify notify, void *user_data, cl_int *error),                                \
    (handle, num_devices, devices, options, num_inputs, inputs, notify, user_data, error))                            \
  X(cl_int, clGetProgramInfo, (cl_program handle, cl_program_info name, size_t size, void *value, size_t *size_ret),  \
    (handle, name, size, value, size_ret))

#define CALLS_ARGUMENTS(X)                                                                     \
  X(cl_int, clSetKernelArg, (cl_kernel handle, cl_uint index, size_t size, const void *value), \
    (handle, index, size, value))                                                              \
  X(cl_int, clSetKernelArgSVMPointer, (cl_kernel handle, cl_uint index, const void *value), (handle, index, value))

#define CALLS_KERNEL(X)                                                                                        \
  X(cl_kernel, clCreateKernel, (cl_program handle, const char *name, cl_int *error), (handle, name, error))    \
  X(cl_int, clCreateKernelsInProgram,                                                                          \
    (cl_program handle, cl_uint num_kernels, cl_kernel * kernels, cl_uint * num_kernels_ret),                  \
    (handle, num_kernels, kernels, num_kernels_ret))                                                           \
  X(cl_kernel, clCloneKernel, (cl_kernel handle, cl_int * error), (handle, error))                             \
  X(cl_int, clRetainKernel, (cl_kernel handle), (handle))                                                      \
  X(cl_int, clReleaseKernel, (cl_kernel handle), (handle))                                                     \
  CALLS_ARGUMENTS(X)                                                                                           \
  X(cl_int, clSetKernelExecInfo, (cl_kernel handle, cl_kernel_exec_info name, size_t size, const void *value), \
    (handle, name, size, value))

#define CALLS_ENQUEUE(X)                                                                                          \
  X(cl_int, clEnqueueNDRangeKernel,                                                                               \
    (cl_command_queue on, cl_kernel kernel_handle, cl_uint dimensions, const size_t *start, const size_t *global, \
     const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event),                                  \
    (on, kernel_handle, dimensions, start, global, local, waits, wait, event))                                    \
  X(cl_int, clEnqueueTask,                                                                                        \
    (cl_command_queue on, cl_kernel kernel_handle, cl_uint waits, const cl_event *wait, cl_event *event),         \
    (on, kernel_handle, waits, wait, event))

#define CALLS_EVENT(X)                                                                                        \
  X(cl_int, clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))                        \
  X(cl_int, clGetEventInfo, (cl_event event, cl_event_info name, size_t size, void *value, size_t *size_ret), \
    (event, name, size, value, size_ret))                                                                     \
  X(cl_event, clCreateUserEvent, (cl_context handle, cl_int * error), (handle, error))                        \
  X(cl_int, clSetUserEventStatus, (cl_event event, cl_int status), (event, status))                           \
  X(cl_int, clSetEventCallback, (cl_event event, cl_int status, event_notify notify, void *user_data),        \
    (event, status, notify, user_data))

/* Also what maps, and copies or maps shared virtual memory. */
#define CALLS_READ(X)                                                                                                  \
  X(cl_int, clEnqueueReadBuffer,                                                                                       \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, size_t offset, size_t size, void *pointer, cl_uint waits,   \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, memory, blocking, offset, size, pointer, waits, wait, event))                                                 \
  X(cl_int, clEnqueueReadBufferRect,                                                                                   \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, const size_t *origin, const size_t *host_origin,            \
     const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, void *pointer, cl_uint waits, \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, memory, blocking, origin, host_origin, region, row, slice, host_row, host_slice, pointer, waits, wait,        \
     event))                                                                                                           \
  X(cl_int, clEnqueueReadImage,                                                                                        \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, const size_t *origin, const size_t *region,                 \
     size_t host_row, size_t host_slice, void *pointer, cl_uint waits, const cl_event *wait, cl_event *event),         \
    (on, memory, blocking, origin, region, host_row, host_slice, pointer, waits, wait, event))                         \
  X(void *, clEnqueueMapBuffer,                                                                                        \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,             \
     cl_uint waits, const cl_event *wait, cl_event *event, cl_int *error),                                             \
    (on, memory, blocking, flags, offset, size, waits, wait, event, error))                                            \
  X(void *, clEnqueueMapImage,                                                                                         \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, cl_map_flags flags, const size_t *origin,                   \
     const size_t *region, size_t *map_row, size_t *map_slice, cl_uint waits, const cl_event *wait, cl_event *event,   \
     cl_int *error),                                                                                                   \
    (on, memory, blocking, flags, origin, region, map_row, map_slice, waits, wait, event, error))                      \
  X(cl_int, clEnqueueSVMMemcpy,                                                                                        \
    (cl_command_queue on, cl_bool blocking, void *target, const void *source, size_t size, cl_uint waits,              \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, blocking, target, source, size, waits, wait, event))                                                          \
  X(cl_int, clEnqueueSVMMap,                                                                                           \
    (cl_command_queue on, cl_bool blocking, cl_map_flags flags, void *pointer, size_t size, cl_uint waits,             \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, blocking, flags, pointer, size, waits, wait, event))

#define CALLS_WRITE(X)                                                                                                 \
  X(cl_int, clEnqueueWriteBuffer,                                                                                      \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, size_t offset, size_t size, const void *source,             \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                            \
    (on, memory, blocking, offset, size, source, waits, wait, event))                                                  \
  X(cl_int, clEnqueueWriteBufferRect,                                                                                  \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, const size_t *origin, const size_t *host_origin,            \
     const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, const void *source,           \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                            \
    (on, memory, blocking, origin, host_origin, region, row, slice, host_row, host_slice, source, waits, wait, event)) \
  X(cl_int, clEnqueueWriteImage,                                                                                       \
    (cl_command_queue on, cl_mem memory, cl_bool blocking, const size_t *origin, const size_t *region,                 \
     size_t host_row, size_t host_slice, const void *source, cl_uint waits, const cl_event *wait, cl_event *event),    \
    (on, memory, blocking, origin, region, host_row, host_slice, source, waits, wait, event))

/* From one memory object into another. */
#define CALLS_COPY(X)                                                                                             \
  X(cl_int, clEnqueueCopyBuffer,                                                                                  \
    (cl_command_queue on, cl_mem memory, cl_mem to, size_t offset, size_t to_offset, size_t size, cl_uint waits,  \
     const cl_event *wait, cl_event *event),                                                                      \
    (on, memory, to, offset, to_offset, size, waits, wait, event))                                                \
  X(cl_int, clEnqueueCopyBufferRect,                                                                              \
    (cl_command_queue on, cl_mem memory, cl_mem to, const size_t *origin, const size_t *to_origin,                \
     const size_t *region, size_t row, size_t slice, size_t to_row, size_t to_slice, cl_uint waits,               \
     const cl_event *wait, cl_event *event),                                                                      \
    (on, memory, to, origin, to_origin, region, row, slice, to_row, to_slice, waits, wait, event))                \
  X(cl_int, clEnqueueCopyImageToBuffer,                                                                           \
    (cl_command_queue on, cl_mem memory, cl_mem to, const size_t *origin, const size_t *region, size_t to_offset, \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                       \
    (on, memory, to, origin, region, to_offset, waits, wait, event))                                              \
  X(cl_int, clEnqueueCopyBufferToImage,                                                                           \
    (cl_command_queue on, cl_mem memory, cl_mem to, size_t offset, const size_t *to_origin, const size_t *region, \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                       \
    (on, memory, to, offset, to_origin, region, waits, wait, event))                                              \
  X(cl_int, clEnqueueCopyImage,                                                                                   \
    (cl_command_queue on, cl_mem memory, cl_mem to, const size_t *origin, const size_t *to_origin,                \
     const size_t *region, cl_uint waits, const cl_event *wait, cl_event *event),                                 \
    (on, memory, to, origin, to_origin, region, waits, wait, event))

#define CALLS_FILL(X)                                                                                                  \
  X(cl_int, clEnqueueFillBuffer,                                                                                       \
    (cl_command_queue on, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset, size_t size,         \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                            \
    (on, memory, pattern, pattern_size, offset, size, waits, wait, event))                                             \
  X(cl_int, clEnqueueFillImage,                                                                                        \
    (cl_command_queue on, cl_mem memory, const void *color, const size_t *origin, const size_t *region, cl_uint waits, \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, memory, color, origin, region, waits, wait, event))

#define CALLS_UNMAP(X)                                                                                         \
  X(cl_int, clEnqueueUnmapMemObject,                                                                           \
    (cl_command_queue on, cl_mem memory, void *pointer, cl_uint waits, const cl_event *wait, cl_event *event), \
    (on, memory, pointer, waits, wait, event))

#define CALLS_OTHER_COMMANDS(X)                                                                                        \
  X(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue on, cl_uint waits, const cl_event *wait, cl_event *event),  \
    (on, waits, wait, event))                                                                                          \
  X(cl_int, clEnqueueBarrierWithWaitList, (cl_command_queue on, cl_uint waits, const cl_event *wait, cl_event *event), \
    (on, waits, wait, event))                                                                                          \
  X(cl_int, clEnqueueMarker, (cl_command_queue on, cl_event * event), (on, event))                                     \
  X(cl_int, clEnqueueNativeKernel,                                                                                     \
    (cl_command_queue on, native_function run, void *argument, size_t size, cl_uint count, const cl_mem *objects,      \
     const void **places, cl_uint waits, const cl_event *wait, cl_event *event),                                       \
    (on, run, argument, size, count, objects, places, waits, wait, event))                                             \
  X(cl_int, clEnqueueMigrateMemObjects,                                                                                \
    (cl_command_queue on, cl_uint count, const cl_mem *objects, cl_mem_migration_flags flags, cl_uint waits,           \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, count, objects, flags, waits, wait, event))                                                                   \
  X(cl_int, clEnqueueSVMMemFill,                                                                                       \
    (cl_command_queue on, void *pointer, const void *pattern, size_t pattern_size, size_t size, cl_uint waits,         \
     const cl_event *wait, cl_event *event),                                                                           \
    (on, pointer, pattern, pattern_size, size, waits, wait, event))                                                    \
  X(cl_int, clEnqueueSVMUnmap,                                                                                         \
    (cl_command_queue on, void *pointer, cl_uint waits, const cl_event *wait, cl_event *event),                        \
    (on, pointer, waits, wait, event))                                                                                 \
  X(cl_int, clEnqueueSVMMigrateMem,                                                                                    \
    (cl_command_queue on, cl_uint count, const void **pointers, const size_t *sizes, cl_mem_migration_flags flags,     \
     cl_uint waits, const cl_event *wait, cl_event *event),                                                            \
    (on, count, pointers, sizes, flags, waits, wait, event))                                                           \
  X(cl_int, clEnqueueWaitForEvents, (cl_command_queue on, cl_uint waits, const cl_event *wait), (on, waits, wait))     \
  X(cl_int, clEnqueueBarrier, (cl_command_queue on), (on))

/* Calls that give commands (layer/common/command.h). */
#define COMMANDS(X) \
  CALLS_ENQUEUE(X) CALLS_READ(X) CALLS_WRITE(X) CALLS_COPY(X) CALLS_FILL(X) CALLS_UNMAP(X) CALLS_OTHER_COMMANDS(X)

/* Memory objects that may begin with data of the program. */
#define CALLS_MADE(X)                                                                                                 \
  X(cl_mem, clCreateBuffer, (cl_context handle, cl_mem_flags flags, size_t size, void *data, cl_int *error),          \
    (handle, flags, size, data, error))                                                                               \
  X(cl_mem, clCreateBufferWithProperties,                                                                             \
    (cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags, size_t size, void *data,             \
     cl_int *error),                                                                                                  \
    (handle, properties, flags, size, data, error))                                                                   \
  X(cl_mem, clCreateImage,                                                                                            \
    (cl_context handle, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *data,     \
     cl_int *error),                                                                                                  \
    (handle, flags, format, desc, data, error))                                                                       \
  X(cl_mem, clCreateImageWithProperties,                                                                              \
    (cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *format,       \
     const cl_image_desc *desc, void *data, cl_int *error),                                                           \
    (handle, properties, flags, format, desc, data, error))                                                           \
  X(cl_mem, clCreateImage2D,                                                                                          \
    (cl_context handle, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height, size_t row,   \
     void *data, cl_int *error),                                                                                      \
    (handle, flags, format, width, height, row, data, error))                                                         \
  X(cl_mem, clCreateImage3D,                                                                                          \
    (cl_context handle, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height, size_t depth, \
     size_t row, size_t slice, void *data, cl_int *error),                                                            \
    (handle, flags, format, width, height, depth, row, slice, data, error))

#define CALLS_SUB_BUFFER(X)                                                                           \
  X(cl_mem, clCreateSubBuffer,                                                                        \
    (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *error), \
    (buffer, flags, type, info, error))

#define CALLS_MEMORY(X)                                                                                            \
  CALLS_MADE(X)                                                                                                    \
  CALLS_SUB_BUFFER(X)                                                                                              \
  X(cl_int, clGetMemObjectInfo, (cl_mem handle, cl_mem_info name, size_t size, void *value, size_t *size_ret),     \
    (handle, name, size, value, size_ret))                                                                         \
  X(cl_int, clRetainMemObject, (cl_mem handle), (handle))                                                          \
  X(cl_int, clReleaseMemObject, (cl_mem handle), (handle))                                                         \
  X(void *, clSVMAlloc, (cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment),               \
    (handle, flags, size, alignment))                                                                              \
  X(cl_int, clEnqueueSVMFree,                                                                                      \
    (cl_command_queue handle, cl_uint count, void *pointers[], free_notify notify, void *user_data, cl_uint waits, \
     const cl_event *wait, cl_event *event),                                                                       \
    (handle, count, pointers, notify, user_data, waits, wait, event))

/* The same for calls that return nothing. */
#define CALLS_VOID(X) X(clSVMFree, (cl_context handle, void *pointer), (handle, pointer))

/* Calls that are only looked at where objects that are never released (alive.h) are: those that make, keep and free what
 * has no call above. */
#define CALLS_ALIVE(X)                                       \
  X(cl_int, clRetainEvent, (cl_event handle), (handle))      \
  X(cl_int, clReleaseEvent, (cl_event handle), (handle))     \
  X(cl_int, clRetainSampler, (cl_sampler handle), (handle))  \
  X(cl_int, clReleaseSampler, (cl_sampler handle), (handle)) \
  CALLS_ALIVE_MADE(X)

#define CALLS_ALIVE_MADE(X)                                                                                        \
  X(cl_sampler, clCreateSampler,                                                                                   \
    (cl_context handle, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, cl_int * error), \
    (handle, normalized, addressing, filter, error))                                                               \
  X(cl_sampler, clCreateSamplerWithProperties,                                                                     \
    (cl_context handle, const cl_sampler_properties *properties, cl_int *error), (handle, properties, error))      \
  X(cl_mem, clCreatePipe,                                                                                          \
    (cl_context handle, cl_mem_flags flags, cl_uint packet, cl_uint packets, const cl_pipe_properties *properties, \
     cl_int *error),                                                                                               \
    (handle, flags, packet, packets, properties, error))

#define CALLS_EXTENSION(X)                                             \
  X(void *, clGetExtensionFunctionAddress, (const char *name), (name)) \
  X(void *, clGetExtensionFunctionAddressForPlatform, (cl_platform_id platform, const char *name), (platform, name))

#endif
