/* What the OpenCL loader of this machine can do. */
#ifndef CLTC_RUNNER_LOADER_H
#define CLTC_RUNNER_LOADER_H

#include <stdbool.h>

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
