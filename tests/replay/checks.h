/* Doing scripts and looking at what they read. */
#ifndef CLTC_TESTS_REPLAY_CHECKS_H
#define CLTC_TESTS_REPLAY_CHECKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "replay/replay.h"
#include "script.h"

/* What the reads of a turn were. */
typedef struct outcome {
  uint64_t reads, wrong;   /* wrong: with other bytes than the script expects */
  uint64_t first, next;    /* numbers of the first one, and after the last one */
  unsigned char bytes[64]; /* of the last one, the beginning */
} outcome;

/* clEnqueueNDRangeKernel, clCreateBuffer and clBuildProgram of this process, counted; the others that are made to fail.
 */
typedef struct calls {
  unsigned launches, buffers, builds;
  unsigned refused;     /* so many of the next clCreateBuffer fail for want of memory */
  size_t refused_above; /* only of buffers larger than that */
} calls;
extern calls seen;

replay *open_script(const script *s, const replay_options *o);
/* A turn; `functions` may be NULL. Fails the test if it is not complete. */
outcome do_turn(replay *r, const replay_turn *what, const replay_functions *functions, replay_result *result);
/* So many turns in which all reads are as expected and nothing escapes, with memory as it comes and with little; frees
 * the script. */
void expect_turns(script *s, unsigned turns);

#define TESTS(X) \
  X(arena)       \
  X(buffers)     \
  X(images) X(kernels) X(programs) X(checkpoints) X(guards) X(memories) X(workers) X(comparisons) X(refusals) X(random)
#define DECLARE(name) int test_##name(void);
TESTS(DECLARE)
#undef DECLARE

#endif
