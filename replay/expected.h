/* The results of a kernel case. */
#ifndef CLTC_REPLAY_EXPECTED_H
#define CLTC_REPLAY_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "capture/capture.h"

typedef struct expected_results {
  const capture *capture;
  const char *folder; /* into which what is read goes; NULL: none */
  bool lost;          /* it could not be written, which was said */
  buffer wrong;       /* a line for each result that is not as expected */
} expected_results;

/* Before a turn. */
void expected_begin(expected_results *r);
/* What a READ command got; false: nothing is expected of it. */
bool expected_take(expected_results *r, uint64_t number, const capture_command *command, const unsigned char *bytes,
                   size_t size);

#endif
