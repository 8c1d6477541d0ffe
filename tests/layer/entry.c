/* The entry points alone, as loaders call them: tables of any length, properties, deinitialisation, the environment;
 * and extension pointers. run.sh sets $CLTC_LAYER for it.
 * layer: 1
 * expect: hello layer_entry
 * expect: hello layer_entry */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

typedef cl_int (*get_info)(cl_layer_info, size_t, void *, size_t *);
typedef cl_int (*init)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **);
typedef cl_int (*init_with_properties)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **,
                                       const cl_properties *);
typedef cl_int (*deinit)(void);

static void *symbol(void *library, const char *name) {
  void *s = dlsym(library, name);
  TRUE_(s);
  return s;
}

static cl_int CL_API_CALL no_platforms(cl_uint n, cl_platform_id *platforms, cl_uint *count) {
  (void)n;
  (void)platforms;
  if (count) *count = 0;
  return -1001;
}

static void *CL_API_CALL extension(const char *name) { return (void *)name; }

/* As ocl-icd: all entries, clInitLayer. As the Khronos loader: a shorter table. */
static void load(void *library, int khronos) {
  cl_icd_dispatch below;
  const cl_icd_dispatch *above = NULL;
  cl_uint entries = khronos ? 70 : sizeof below / sizeof(void *) + 20, given = 0;
  memset(&below, 0, sizeof below);
  below.clGetPlatformIDs = no_platforms;
  below.clGetExtensionFunctionAddress = extension;
  void *table[400] = {0};
  memcpy(table, &below, sizeof below);
  setenv("OPENCL_LAYERS", "cut", 1);
  setenv("CLTESTCHECK_LAYERS", "cut:not cut", 1);
  cl_int result;
  if (khronos)
    result = ((init_with_properties)symbol(library, "clInitLayerWithProperties"))(
        entries, (const cl_icd_dispatch *)(const void *)table, &given, &above, NULL);
  else
    result =
        ((init)symbol(library, "clInitLayer"))(entries, (const cl_icd_dispatch *)(const void *)table, &given, &above);
  TRUE_(result == CL_SUCCESS && above && given && given <= entries);
  TRUE_(strcmp(getenv("OPENCL_LAYERS"), "cut:not cut") == 0);
  TRUE_(above->clGetPlatformIDs && !above->clGetPlatformInfo && !above->clCreateContext && !above->clCloneKernel);
  cl_uint count = 5;
  TRUE_(above->clGetPlatformIDs(0, NULL, &count) == -1001 && count == 0);
  /* what we intercept does not escape; anything else does */
  TRUE_(above->clGetExtensionFunctionAddress("clGetPlatformIDs") == (void *)above->clGetPlatformIDs);
  const char *unknown = "clUnknownKHR", *il = "clCreateProgramWithILKHR";
  TRUE_(above->clGetExtensionFunctionAddress(unknown) == (void *)unknown);
  TRUE_(above->clGetExtensionFunctionAddress(il) != (void *)il);
  const cl_icd_dispatch *second = NULL;
  TRUE_(((init)symbol(library, "clInitLayer"))(entries, (const cl_icd_dispatch *)(const void *)table, &given,
                                               &second) == CL_SUCCESS);
  TRUE_(second && !second->clGetPlatformIDs);
  if (khronos) TRUE_(((deinit)symbol(library, "clDeinitLayer"))() == CL_SUCCESS);
  printf("%s\n", khronos ? "Khronos" : "ocl-icd");
}

int main(void) {
  const char *path = getenv("CLTC_LAYER");
  for (int khronos = 0; khronos < 2; khronos++) {
    fflush(stdout);
    int status;
    if (fork() == 0) {
      void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
      if (library) {
        cl_uint version = 0;
        size_t size = 0;
        char name[64];
        get_info info = (get_info)symbol(library, "clGetLayerInfo");
        TRUE_(info(CL_LAYER_API_VERSION, sizeof version, &version, &size) == CL_SUCCESS && version == 100);
        TRUE_(info(CL_LAYER_NAME, sizeof name, name, &size) == CL_SUCCESS && size == strlen(name) + 1);
        TRUE_(info(CL_LAYER_NAME, 2, name, NULL) == CL_INVALID_VALUE && info(7, 8, name, NULL) == CL_INVALID_VALUE);
        load(library, khronos);
      } else {
        printf("%s\n", khronos ? "Khronos" : "ocl-icd");
      }
      exit(0);
    }
    wait(&status);
    printf("status %d\n", status);
  }
  return 0;
}
