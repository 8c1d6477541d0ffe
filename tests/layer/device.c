/* One device presented as whatever the program asks for. By itself (argument `plain`) the program asks for any type.
 * env: CLTESTCHECK_PRESENT=0:0
 * plain: plain
 * expect: hello layer_device
 * expect: instrument sources=1 [] headers=0
 * expect: built
 * expect: kernel add launches=1 flags=5 */
#include "host.h"

static int plain;

static void ask(cl_platform_id platform, cl_device_type type, cl_device_type expected, const char *name) {
  cl_device_id device = NULL;
  cl_uint count = 0;
  cl_device_type answer = expected;
  CHECK(clGetDeviceIDs(platform, plain ? CL_DEVICE_TYPE_ALL : type, 1, &device, &count));
  if (!plain) CHECK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof answer, &answer, NULL));
  printf("%s: %u, type %s\n", name, count, answer == expected ? "as asked" : "WRONG");
}

int main(int argc, char **argv) {
  (void)argv;
  plain = argc > 1;
  cl_platform_id platforms[8];
  cl_uint count;
  cl_int error;
  CHECK(clGetPlatformIDs(8, platforms, &count));
  printf("%u platform, %d %d\n", count > 0, clGetPlatformIDs(0, NULL, NULL), clGetPlatformIDs(0, platforms, NULL));
  ask(platforms[0], CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_GPU, "GPU");
  ask(platforms[0], CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_CPU, "CPU");
  ask(platforms[0], CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_ACCELERATOR, "accelerator");
  ask(platforms[0], CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_GPU, "all");
  ask(platforms[0], CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_GPU, "default");
  ask(platforms[0], CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_GPU, "GPU or accelerator");
  printf("no type %d, nowhere %d\n", clGetDeviceIDs(platforms[0], 0, 1, NULL, &count),
         clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[0], 0};
  host h = {.platform = platforms[0]};
  h.context = clCreateContextFromType(properties, plain ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
  CHECK(error);
  size_t size;
  CHECK(clGetContextInfo(h.context, CL_CONTEXT_DEVICES, sizeof h.device, &h.device, &size));
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &error);
  CHECK(error);
  cl_program p = host_program(&h, PLAIN ADD("add"), "");
  cl_kernel k = host_kernel(p, "add");
  cl_mem m = host_buffer(&h, 400);
  host_arguments(k, m, 4);
  host_launch(&h, k, 100);
  printf("%zu, %ld\n", size / sizeof h.device, host_sum(&h, m, 100));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseProgram(p));
  CHECK(clReleaseMemObject(m));
  host_close(&h);
  return 0;
}
