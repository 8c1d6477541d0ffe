/* The first OpenCL device, for the tests of schemata: builds texts and launches their kernels. */
#ifndef CLTC_TESTS_SCHEMA_DEVICE_H
#define CLTC_TESTS_SCHEMA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/fixtures/device.h"

enum { VALUES = 128, FLAG_WORDS = 128, HIDDEN = 5 };
#define NO_LIMIT 0xffffffffu

/* What a launch left: `out`, and the flags of mutate/mutate.h. */
typedef struct outcome {
  bool ran;
  int32_t out[VALUES];
  uint32_t flags[FLAG_WORDS];
} outcome;

/* Launches `kernel` (out, in[, image]) with 8 work-items in groups of 4, or one when `single`. `in` has VALUES numbers
 * (`number` lies after them). A kernel with hidden parameters after gets mutant `number` and `fuel`. */
outcome build_run(build *b, const char *kernel, const int32_t *in, bool single, uint32_t number, uint32_t fuel);

#endif
