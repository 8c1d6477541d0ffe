/* The OpenCL devices of this machine. */
#ifndef CLTC_RUNNER_DEVICES_H
#define CLTC_RUNNER_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct device {
  uint32_t platform, index; /* index of the platform, and of the device in it */
  char platform_name[128];
  char name[128];
  char version[128];
  char driver[128];
  char type[32];
  uint32_t compute_units;
  uint64_t memory;            /* bytes of global memory */
  uint64_t largest_group;     /* work-items of a work-group at most */
  uint32_t forward_progress;  /* sub-groups of a work-group: 1 each makes progress by itself, 0 not promised */
  uint32_t scopes;            /* atomics across the work-groups of a launch (device scope): 1 yes, 0 not promised */
  uint32_t fp64, images, svm; /* double precision, images, shared virtual memory: 1 there, 0 not */
} device;

/* Lists all devices; a driver that crashes while it is asked, or gives no answer for DEVICES_SECONDS, costs its own
 * process only. Without any: EXIT_USAGE. */
int devices_list(device **out, size_t *count, error *e);
/* The same with another limit. */
int devices_list_within(double seconds, device **out, size_t *count, error *e);

/* The device that a person means: `wanted` a number as listed, or a part of the name (ignoring case); `platform` a part
 * of a platform's name; either may be NULL. No match or several: EXIT_USAGE, naming what there is. */
int devices_choose(const char *wanted, const char *platform, device *out, error *e);

/* The same for a list of numbers with commas between them ("0,2"). `alike`: they must be devices of one kind, with the same
 * name, driver and version, so that what one of them shows is what all would. free(*out). */
int devices_choose_all(const char *wanted, const char *platform, bool alike, device **out, size_t *count, error *e);

/* Builds a source in a process of its own, for at most a minute, and where `kernel` is not NULL launches it over 16 work-items: it
 * has one parameter, global int *, and each work-item stores its id. -1 with `e`: the compiler refuses the source (the first lines
 * that it says), the device crashes, does not end or gives other values. */
int device_build(const device *d, const char *text, const char *options, const char *kernel, error *e);

/* What the OpenCL loader of this machine can do. */

typedef struct loader_facts {
  bool found;   /* libOpenCL.so.1 is there */
  bool crashed; /* it, or a driver, ended the process that asked it, or had to be ended */
  bool silent;  /* the latter: no answer within DEVICES_SECONDS */
  bool layers;  /* it loads the layer that OPENCL_LAYERS names; not known without platforms */
  unsigned platforms;
  char name[64]; /* "OpenCL ICD Loader", "" if it does not say */
  char version[64];
  char problem[256]; /* why the layer cannot be loaded into a program; "" if it can */
} loader_facts;

/* Asks it in a process of its own, with our layer. */
void loader_ask(char *layer, loader_facts *out);

#endif
