/* The guest's description: the tables of its calls, and what the loader and forks make it do. */
#include "layer/capture/layer.h"

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
    queue_calls,   event_calls,   order_calls,  memory_calls,    image_calls,
    sampler_calls, program_calls, kernel_calls, enqueue_calls,   transfer_calls,
    map_calls,     copy_calls,    refuse_calls, extension_calls, NULL,
};

static const guest_extension *const extensions[] = {queue_extensions, refuse_extensions, NULL};

static void (*const after_fork[])(void) = {
    record_after_fork, file_after_fork,   blob_after_fork,    object_after_fork,  callback_after_fork,
    event_after_fork,  memory_after_fork, sampler_after_fork, program_after_fork, kernel_after_fork,
    map_after_fork,    queue_after_fork,  order_after_fork,   storage_after_fork, NULL,
};

static bool begin(void) {
  file_start();
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
