/* Launches whose work-items keep apart: what one of them writes, no other one reads or writes. Then the order of
 * work-items and work-groups shows in nothing, and a second run of the launch tells nothing new.
 *
 * This is shown for the real sizes and arguments of a launch, or it does not hold: each buffer that the kernel writes is
 * used at one index alone, a sum of global ids and of numbers that are the same for all work-items, in which no two
 * work-items come to the same number; the index may also have a part that changes as long as that part is a multiple of
 * a number that the rest stays below, as in row * width + column. */
#ifndef CLTC_MUTATE_APART_H
#define CLTC_MUTATE_APART_H

#include "frontend/preprocess.h"
#include "mutate/mutate.h"

#define APART_NO_BUFFER UINT32_MAX

typedef struct apart_argument {
  bool known;      /* `value` is that of an integer */
  int64_t value;   /* sign-extended from its `size` bytes; unsigned ones that are larger than INT32_MAX are not known */
  uint32_t buffer; /* a number of the memory object, the same for all that share memory; or APART_NO_BUFFER */
} apart_argument;

typedef struct apart_launch {
  uint32_t dimensions;
  uint64_t offset[3], global[3];
  const apart_argument *arguments; /* one a parameter of the kernel */
  size_t argument_count;
} apart_launch;

/* The kernels of a program, and what has been shown of them. */
typedef struct apart apart;

/* Reads the sources. NULL: they cannot be read. Free with apart_free. */
apart *apart_read(const pp_input *sources, size_t source_count);
void apart_free(apart *a);
/* Whether the work-items of a launch of `kernel` (its name) keep apart. If so, what that rests on is remembered. */
bool apart_holds(apart *a, const char *kernel, const apart_launch *l);
/* Whether something that has been shown may no longer hold with the mutant in place. `of`: the model of the mutant. */
bool apart_rests_on(const apart *a, const model *of, const mutant *m);

#endif
