/* What a device's compiler makes of sources, as a digest: two programs with the same digest are the same to the device.
 * To be used in a process of its own: drivers keep threads, and may crash. */
#ifndef CLTC_RUNNER_EXPERIMENT_DEVICE_CODE_H
#define CLTC_RUNNER_EXPERIMENT_DEVICE_CODE_H

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

/* The program's binary as the device gives it; to be freed. */
typedef struct device_binary {
  unsigned char *bytes; /* NULL: the device gives none */
  size_t size;
} device_binary;

/* Returns false when the sources do not build. */
bool device_code_build(device_code *d, const device_code_sources *s, device_binary *out);
/* Of the whole binary, as far as it is code; "" where there is none. */
void device_code_digest(const device_binary *b, char digest[65]);

#endif
