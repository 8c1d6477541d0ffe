/* What a device's compiler makes of sources, as a digest: two programs with the same digest are the same to the device.
 * To be used in a process of its own: drivers keep threads, and may crash. */
#ifndef CLTC_RUNNER_DEVICE_CODE_H
#define CLTC_RUNNER_DEVICE_CODE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct device_code device_code;

/* `key`: name, vendor, driver version and OpenCL C version, joined with newlines, as the layer gives them. NULL: there
 * is no such device. */
device_code *device_code_open(const char *key);

/* Sources and the options of each; linked with `link_options`, which are NULL for one source that is built at once. */
typedef struct device_code_sources {
  char *const *texts;
  char *const *options;
  size_t count;
  const char *link_options;
} device_code_sources;

/* Returns false when the sources do not build; an empty digest when the device gives no code to compare. */
bool device_code_digest(device_code *d, const device_code_sources *s, char digest[65]);

#endif
