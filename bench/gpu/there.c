/* there LIBRARY…: whether the OpenCL libraries of drivers can be loaded, and what they say; why not.
 *
 * A line a library: the error of dlopen, the error of its first call, or the number of its platforms. Then what
 * libcuda.so.1 says, which knows why an NVIDIA device cannot be used where OpenCL only says that there is none.
 * Exit status: 0 when one has a platform, else 1. Linked with libc alone. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

typedef void *(*find_function)(const char *name);
typedef int (*platforms_function)(unsigned capacity, void **platforms, unsigned *count);

/* How drivers give their functions to a loader: cl_khr_icd. */
static bool has_platform(const char *path, void *library) {
  const find_function find = (find_function)dlsym(library, "clGetExtensionFunctionAddress");
  const platforms_function platforms = find == NULL ? NULL : (platforms_function)find("clIcdGetPlatformIDsKHR");
  unsigned count = 0;
  if (platforms == NULL) {
    printf("%s: is no OpenCL driver: it has no clIcdGetPlatformIDsKHR\n", path);
    return false;
  }
  const int status = platforms(0, NULL, &count);
  if (status != 0) {
    printf("%s: loads, and says OpenCL error %d%s\n", path, status,
           status == -1001 ? " (no platform, so no device)" : "");
  } else {
    printf("%s: loads, platforms: %u\n", path, count);
  }
  return status == 0 && count > 0;
}

static bool look(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s: does not load: %s\n", path, dlerror());
    return false;
  }
  return has_platform(path, library); /* never unloaded: drivers have threads */
}

static const char *cuda_words(int code) {
  switch (code) {
    case 0: return "all is well";
    case 3: return "not initialised: is the kernel module loaded, and are there /dev/nvidia* that may be opened?";
    case 100: return "no device";
    case 101: return "no such device";
    case 802: return "the system is not ready (fabric manager)";
    case 803: return "the driver's library and its kernel module are of different versions";
    case 804: return "the forward-compatible library does not run on this device";
    case 999: return "unknown error: often /dev/nvidia-uvm is missing";
    default: return "see cuda.h";
  }
}

static void look_at_cuda(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("libcuda.so.1: does not load: %s\n", dlerror());
    return;
  }
  int (*init)(unsigned) = (int (*)(unsigned))dlsym(library, "cuInit");
  int (*version)(int *) = (int (*)(int *))dlsym(library, "cuDriverGetVersion");
  int (*devices)(int *) = (int (*)(int *))dlsym(library, "cuDeviceGetCount");
  if (init == NULL || version == NULL || devices == NULL) {
    printf("libcuda.so.1: loads, and lacks cuInit\n");
    return;
  }
  int number = 0, count = 0;
  const int code = init(0);
  (void)version(&number);
  (void)devices(&count);
  printf("libcuda.so.1: loads, CUDA %d.%d; cuInit: %d (%s); devices: %d\n", number / 1000, number % 1000 / 10, code,
         cuda_words(code), count);
}

int main(int argc, char **argv) {
  bool found = false;
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++) found = look(argv[i]) || found;
  look_at_cuda();
  return found ? 0 : 1;
}
