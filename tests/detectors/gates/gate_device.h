/* The first OpenCL device: builds gated kernels that keep a log, launches them and reads what they left. */
#ifndef CLTC_TESTS_GATE_DEVICE_H
#define CLTC_TESTS_GATE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detectors/gates/record.h"
#include "schedamp/schedule.h"
#include "tests/fixtures/device.h"

enum { DIMENSIONS = 3 };

/* Sizes of a launch; dimensions that are not used are 1, their offset 0. */
typedef struct shape {
  uint32_t dimensions;
  size_t groups[DIMENSIONS], local[DIMENSIONS], offset[DIMENSIONS];
  size_t missing; /* work-items by which the last group of dimension 0 is smaller */
} shape;

/* What a launch left. The kernel's work-items take the time from one counter, first and last of all that they do. */
typedef struct traces {
  bool launched; /* false: the device refused it */
  double seconds;
  uint32_t groups, items;             /* of the launch, in all */
  uint32_t *begin, *end;              /* by the group that was stood for: time of its first and of its last action */
  uint32_t *members;                  /* its work-items */
  uint32_t *visits;                   /* by global id */
  uint32_t record[GATE_WORDS], flags; /* the gate record, the first word of the coverage */
  uint32_t *states;                   /* after the record, by group */
} traces;

/* As gated_answer. */
bool device_answer(void *device, const char *expression, const char *options);
/* Compiles texts apart, each with its options, and links them. */
build *device_link(device *d, char *const *texts, char *const *options, size_t count);
/* Launches kernel `name`, whose own parameters are: __global uint *clock, *begin, *end, *members, *visits. */
traces build_run(build *b, const char *name, const shape *s, const schedule *order);
void traces_free(traces *t);

#endif
