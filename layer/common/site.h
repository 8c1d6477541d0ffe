/* Where the program makes the OpenCL call that is under way. */
#ifndef CLTC_LAYER_COMMON_SITE_H
#define CLTC_LAYER_COMMON_SITE_H

#include <stdbool.h>
#include <stdint.h>

/* An address in the call, counted from where the file was loaded, as debug information has it. */
typedef struct call_site {
  const char *module; /* path of the file; stays as long as it is loaded */
  uint64_t offset;
} call_site;

/* False: the stack does not tell. Costs some microseconds. */
bool site_of_call(call_site *out);

#endif
