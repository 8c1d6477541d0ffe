/* What a device's compiler makes of a source, as a digest: two sources with the same digest are the same to the device.
 * To be used in a process of its own: drivers keep threads, and may crash. */
#ifndef CLTC_RUNNER_DEVICE_CODE_H
#define CLTC_RUNNER_DEVICE_CODE_H

#include <stdbool.h>

typedef struct device_code device_code;

/* `key`: name, vendor, driver version and OpenCL C version, joined with newlines, as the layer gives them. NULL: there
 * is no such device. */
device_code *device_code_open(const char *key);

/* Returns false when the source does not build; an empty digest when the device gives no code to compare. */
bool device_code_digest(device_code *d, const char *source, const char *options, char digest[65]);

#endif
