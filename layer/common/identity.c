/* What the driver says of the device, a line each. */
#include "layer/common/identity.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"

char *device_key(cl_device_id device) {
  static const cl_device_info parts[] = {CL_DEVICE_NAME,    CL_DEVICE_VENDOR,
                                         CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
                                         CL_DEVICE_VERSION, CL_DEVICE_EXTENSIONS};
  static const char last[] = "\nimages";
  enum { PARTS = sizeof parts / sizeof *parts };
  size_t sizes[PARTS], total = 0;
  for (size_t i = 0; i < PARTS; i++) {
    sizes[i] = 0;
    driver.clGetDeviceInfo(device, parts[i], 0, NULL, &sizes[i]);
    total += sizes[i] + 1;
  }
  char *key = malloc(total + sizeof last);
  if (key == NULL) return NULL;
  size_t length = 0;
  for (size_t i = 0; i < PARTS; i++) {
    key[length] = '\0';
    if (sizes[i]) driver.clGetDeviceInfo(device, parts[i], sizes[i], key + length, NULL);
    length += strnlen(key + length, sizes[i]);
    if (i + 1 < PARTS) key[length++] = '\n';
  }
  cl_bool images = CL_FALSE;
  driver.clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
  strcpy(key + length, images ? last : "\n");
  return key;
}
