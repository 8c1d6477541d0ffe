/* Running a program work-item by work-item: what it writes and which outcomes its sites take, by the definitions of
 * docs/coverage.md and not by the instrumenter's means. Work-items of a group take turns at barriers. */
#ifndef CLTC_TESTS_PROPERTY_INTERPRET_H
#define CLTC_TESTS_PROPERTY_INTERPRET_H

#include <ucontext.h>

#include "tree.h"

typedef struct frame {
  value cells[FRAME_CELLS];
  value *pointers[4]; /* by parameter number */
  value result;
} frame;

/* One use of a macro that is being run. */
typedef struct expansion {
  expression *const *arguments;
  statement *const *holes;
  struct expansion *outer; /* where the arguments and holes belong; NULL: the function itself */
  value cells[MACRO_CELLS];
} expansion;

typedef struct group {
  uint32_t local[LOCAL_LENGTH];
} group;

typedef struct work_item {
  const tree *p;
  const launch *launch;
  group *group;
  uint32_t kernel; /* number of the kernel that was launched */
  size_t global_id[3], local_id[3], group_id[3], id;
  uint32_t *slice;
  frame *frame;
  uint32_t *barriers;      /* by site number: how often this work-item was there */
  uint32_t label;          /* a goto's target on its way */
  const statement *chosen; /* a switch's target on its way; NULL: it is a goto's */
  uint64_t steps;
  bool exhausted; /* too many steps; everything ends */
  bool done;
  ucontext_t context, *scheduler; /* scheduler NULL: no barriers in this kernel */
} work_item;

typedef enum status { RAN, BROKE, CONTINUED, RETURNED, WENT } status;

void take(work_item *w, site *s, uint32_t outcome);
value evaluate(work_item *w, expansion *x, const expression *e);
/* && and || that are no operand of another one: the value; the way taken is noted. */
bool decide(work_item *w, expansion *x, const expression *e);
void run_kernel(work_item *w, function *kernel);
/* Runs every launch; fills in outputs and what was seen. False: the program runs too long. */
bool interpret(tree *p);

#endif
