/* The guest's description: the tables of its calls, and what the loader and forks make it do; with the calls after
 * which a run cannot be done again from what is recorded: shared virtual memory, pipes, functions of the host as
 * commands, objects of graphics libraries, and extensions that do such things. */
#include "layer/capture/layer.h"

/* ---- what cannot be done again ---- */

#define PIPE "a pipe"
#define GRAPHICS "memory shared with a graphics library"
#define EXTENSION "memory that an extension allocates"

/* Calls that make something. */
#define MAKES(type, name, parameters, arguments, reason) \
  static type CL_API_CALL refused_##name parameters {    \
    type made = driver.name arguments;                   \
    if (made != NULL) {                                  \
      refuse(reason);                                    \
    }                                                    \
    return made;                                         \
  }

MAKES(void *, clSVMAlloc, (cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment),
      (handle, flags, size, alignment), SVM)
MAKES(cl_mem, clCreatePipe,
      (cl_context handle, cl_mem_flags flags, cl_uint packet, cl_uint packets, const cl_pipe_properties *properties,
       cl_int *status),
      (handle, flags, packet, packets, properties, status), PIPE)
MAKES(cl_mem, clCreateFromGLBuffer, (cl_context handle, cl_mem_flags flags, cl_GLuint buffer, int *status),
      (handle, flags, buffer, status), GRAPHICS)
MAKES(cl_mem, clCreateFromGLTexture,
      (cl_context handle, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *status),
      (handle, flags, target, level, texture, status), GRAPHICS)
MAKES(cl_mem, clCreateFromGLTexture2D,
      (cl_context handle, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *status),
      (handle, flags, target, level, texture, status), GRAPHICS)
MAKES(cl_mem, clCreateFromGLTexture3D,
      (cl_context handle, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *status),
      (handle, flags, target, level, texture, status), GRAPHICS)
MAKES(cl_mem, clCreateFromGLRenderbuffer,
      (cl_context handle, cl_mem_flags flags, cl_GLuint renderbuffer, cl_int *status),
      (handle, flags, renderbuffer, status), GRAPHICS)
MAKES(cl_mem, clCreateFromEGLImageKHR,
      (cl_context handle, CLeglDisplayKHR display, CLeglImageKHR image, cl_mem_flags flags,
       const cl_egl_image_properties_khr *properties, cl_int *status),
      (handle, display, image, flags, properties, status), GRAPHICS)

static cl_int CL_API_CALL set_svm_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  cl_int result = driver.clSetKernelArgSVMPointer(kernel, index, pointer);
  if (result == CL_SUCCESS) refuse(SVM);
  return result;
}

static cl_int CL_API_CALL set_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value) {
  cl_int result = driver.clSetKernelExecInfo(kernel, name, size, value);
  bool svm = name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
  if (result == CL_SUCCESS && svm) refuse(SVM);
  return result;
}

#define ROW(name) CALL(name, refused_##name)
static const guest_call refuse_calls[] = {
    ROW(clSVMAlloc),
    ROW(clCreatePipe),
    ROW(clCreateFromGLBuffer),
    ROW(clCreateFromGLTexture),
    ROW(clCreateFromGLTexture2D),
    ROW(clCreateFromGLTexture3D),
    ROW(clCreateFromGLRenderbuffer),
    ROW(clCreateFromEGLImageKHR),
    CALL(clSetKernelArgSVMPointer, set_svm_pointer),
    CALL(clSetKernelExecInfo, set_exec_info),
    {NULL, 0, NULL},
};

/* ---- functions of extensions ---- */

static cl_context context_of_kernel(cl_kernel kernel) {
  cl_context handle = NULL;
  driver.clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(cl_context), &handle, NULL);
  return handle;
}

static cl_context context_of_queue(cl_command_queue queue) {
  cl_context handle = NULL;
  driver.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &handle, NULL);
  return handle;
}

/* `context`: an expression for the context that the call is about. Whatever comes of it, the capture is unsuitable:
 * most give no status. */
#define EXTENDS(type, name, parameters, arguments, context, reason) \
  static type CL_API_CALL refused_##name parameters {               \
    refuse(reason);                                                 \
    return REAL(refused_##name, context) arguments;                 \
  }

EXTENDS(cl_program, clCreateProgramWithILKHR, (cl_context handle, const void *il, size_t length, cl_int *status),
        (handle, il, length, status), handle, "a program was made from an intermediate language")
EXTENDS(void *, clHostMemAllocINTEL,
        (cl_context handle, const cl_bitfield *properties, size_t size, cl_uint alignment, cl_int *status),
        (handle, properties, size, alignment, status), handle, EXTENSION)
EXTENDS(void *, clDeviceMemAllocINTEL,
        (cl_context handle, cl_device_id device, const cl_bitfield *properties, size_t size, cl_uint alignment,
         cl_int *status),
        (handle, device, properties, size, alignment, status), handle, EXTENSION)
EXTENDS(void *, clSharedMemAllocINTEL,
        (cl_context handle, cl_device_id device, const cl_bitfield *properties, size_t size, cl_uint alignment,
         cl_int *status),
        (handle, device, properties, size, alignment, status), handle, EXTENSION)
EXTENDS(cl_mem, clCreateBufferWithPropertiesINTEL,
        (cl_context handle, const cl_bitfield *properties, cl_mem_flags flags, size_t size, void *data, cl_int *status),
        (handle, properties, flags, size, data, status), handle, EXTENSION)
EXTENDS(cl_int, clSetKernelArgMemPointerINTEL, (cl_kernel kernel, cl_uint index, const void *pointer),
        (kernel, index, pointer), context_of_kernel(kernel), EXTENSION)
EXTENDS(cl_int, clSetKernelArgDevicePointerEXT, (cl_kernel kernel, cl_uint index, cl_ulong pointer),
        (kernel, index, pointer), context_of_kernel(kernel), EXTENSION)
EXTENDS(void *, clSVMAllocARM, (cl_context handle, cl_bitfield flags, size_t size, cl_uint alignment),
        (handle, flags, size, alignment), handle, SVM)
EXTENDS(cl_mem, clImportMemoryARM,
        (cl_context handle, cl_mem_flags flags, const intptr_t *properties, void *host, size_t size, cl_int *status),
        (handle, flags, properties, host, size, status), handle, EXTENSION)
EXTENDS(void *, clCreateCommandBufferKHR,
        (cl_uint count, const cl_command_queue *queues, const cl_properties *properties, cl_int *status),
        (count, queues, properties, status), context_of_queue(count > 0 && queues != NULL ? queues[0] : NULL),
        "a command buffer, whose commands are not followed")
EXTENDS(void *, clCreateSemaphoreWithPropertiesKHR,
        (cl_context handle, const cl_properties *properties, cl_int *status), (handle, properties, status), handle,
        "semaphores")

#define EXTENSION_ROW(name) \
  { #name, (any_function)refused_##name, NULL }
static const guest_extension refuse_extensions[] = {
    EXTENSION_ROW(clCreateProgramWithILKHR),
    EXTENSION_ROW(clHostMemAllocINTEL),
    EXTENSION_ROW(clDeviceMemAllocINTEL),
    EXTENSION_ROW(clSharedMemAllocINTEL),
    EXTENSION_ROW(clCreateBufferWithPropertiesINTEL),
    EXTENSION_ROW(clSetKernelArgMemPointerINTEL),
    EXTENSION_ROW(clSetKernelArgDevicePointerEXT),
    EXTENSION_ROW(clSVMAllocARM),
    EXTENSION_ROW(clImportMemoryARM),
    EXTENSION_ROW(clCreateCommandBufferKHR),
    EXTENSION_ROW(clCreateSemaphoreWithPropertiesKHR),
    {NULL, NULL, NULL},
};

/* ---- the description ---- */

static void *CL_API_CALL get_extension(const char *name) {
  return extension_answer(NULL, name, driver.clGetExtensionFunctionAddress(name));
}

static void *CL_API_CALL get_extension_for_platform(cl_platform_id platform, const char *name) {
  return extension_answer(platform, name, driver.clGetExtensionFunctionAddressForPlatform(platform, name));
}

static const guest_call extension_calls[] = {
    CALL(clGetExtensionFunctionAddress, get_extension),
    CALL(clGetExtensionFunctionAddressForPlatform, get_extension_for_platform),
    {NULL, 0, NULL},
};

static const guest_extension queue_extensions[] = {
    {"clCreateCommandQueueWithPropertiesKHR", (any_function)create_queue_khr, NULL},
    {NULL, NULL, NULL},
};

static const guest_call *const calls[] = {
    command_calls, queue_calls,  order_calls,     memory_calls, program_calls,
    kernel_calls,  refuse_calls, extension_calls, NULL,
};

static const guest_extension *const extensions[] = {queue_extensions, refuse_extensions, NULL};

static void (*const after_fork[])(void) = {
    record_after_fork, file_after_fork, object_after_fork, callback_after_fork, memory_after_fork,  program_after_fork,
    kernel_after_fork, map_after_fork,  queue_after_fork,  order_after_fork,    storage_after_fork, NULL,
};

static bool begin(void) {
  file_start();
  command_over(capture_over, COMMAND_ALL);
  return recording();
}

const guest_description guest = {
    .name = "cltestcheck-capture",
    .calls = calls,
    .extensions = extensions,
    .after_fork = after_fork,
    .begin = begin,
    .end = file_finish,
};
