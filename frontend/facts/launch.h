/* Questions about a kernel and a launch of it, of which sizes and arguments are known: what it touches, whether its work-items are
 * disjoint, whether accesses stay inside of their memory, how often loops turn. */
#ifndef CLTC_FRONTEND_FACTS_LAUNCH_H
#define CLTC_FRONTEND_FACTS_LAUNCH_H

#include "frontend/tree.h"

#define FACTS_NO_BUFFER UINT32_MAX

typedef struct facts_argument {
  bool known;      /* `value` is that of an integer */
  int64_t value;   /* sign-extended from its `size` bytes; unsigned ones that are larger than INT32_MAX are not known */
  uint32_t buffer; /* a number of the memory object, the same for all that share memory; or FACTS_NO_BUFFER */
  uint64_t bytes;  /* of memory, from where the argument points to */
  bool no_read, no_write; /* what must not be done with it */
} facts_argument;

typedef struct facts_launch {
  uint32_t dimensions;
  uint64_t offset[3], global[3];
  uint64_t local[3];               /* 0: not known */
  const facts_argument *arguments; /* one a parameter of the kernel */
  size_t argument_count;
} facts_launch;

typedef struct span_list {
  span *items;
  size_t count, capacity;
} span_list;

/* What a launch touches of the memory that it is given: which bytes at most, and which for certain. */

typedef enum touch_kind { TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC, TOUCH_KINDS } touch_kind;

/* What is done through one parameter in one of these ways. Bytes count from where the parameter points to. */
typedef struct touch {
  bool may;     /* it may happen at all */
  bool bounded; /* only from byte `low` to before byte `high` */
  int64_t low, high;
  bool sure;                   /* at least one byte of these is touched in every run; not bounded: one of the memory */
  int64_t sure_low, sure_high; /* all bytes from the one to before the other are; empty: it is not known which */
  uint32_t token;              /* where it happens; PP_NONE: not known */
} touch;

typedef struct parameter_touches {
  touch by[TOUCH_KINDS];
} parameter_touches;

/* One a parameter of `kernel` (its definition), to be freed. The launch ends, and no work-item leaves the memory that
 * it is given. What goes where accesses.h does not follow may be read and, where the type lets it, written anywhere. */
parameter_touches *read_footprint(const tree_node *kernel, const facts_launch *l);

/* Are the work-items of a launch disjoint: does none of them read or write what another one writes? Then the order of
 * work-items and work-groups shows in nothing, and a second run of the launch tells nothing new.
 *
 * This is shown for the real sizes and arguments of a launch, or it does not hold: each buffer that the kernel writes is
 * used at one index alone, a sum of global ids and of numbers that are the same for all work-items, in which no two
 * work-items come to the same number; the index may also have a part that changes as long as that part is a multiple of
 * a number that the rest stays below, as in row * width + column. */

/* `kernel`: its definition in the tree; `graph`: what it calls and whether it reaches a barrier, NULL: not known, so
 * false. What a true answer rests on is added to `used`: the tokens of indices, initial values and conditions. */
bool launch_is_disjoint(const tree *t, const tree_node *kernel, const tree_graph_function *graph, const facts_launch *l,
                        span_list *used);

/* Do all accesses of a launch stay inside of the memory that they are meant for? Then they need no checks.
 *
 * The kernel is gone through as it is written, with ranges in place of its private integers (inside_values.c), for the sizes and
 * arguments of the launch. What is read from memory may be anything. Either each access is shown to lie in the object that
 * its pointer was made from, or the answer is no. */

/* `kernel`: its definition in the tree. Arguments have their bytes (facts_argument). */
bool launch_stays_inside(const tree_node *kernel, const facts_launch *l);

/* How often a loop turns in a launch, as far as its text and the launch's arguments say. */

enum { TURNS_MOST = 1 << 20 }; /* no loop is followed for longer */

/* The turns that the first work-item of the launch makes; -1: they do not follow. The loop lies in `kernel`. Its one
 * variable may be stored to once in the loop, by a `for`'s step or by a statement of the body that each turn executes.
 * A `break` is not looked at: it is what the loop makes at most. */
int64_t turns_of_loop(const tree_node *loop, const tree_node *kernel, const facts_launch *l);

/* The turns that each execution of a `for` makes in any launch, 2 for all that are more; -1: they do not follow from its text, or
 * something else may end it. */
int64_t turns_always(const tree_node *loop, const tree_node *function);

/* Knowing that a turn of a loop would be its last one: do what leads to the next turn, evaluate the condition, undo.
 * That works when all that is changed on the way are plain local variables, and when the loop's body changes nothing
 * that the condition looks at. What is not understood is refused. */

/* What has to be done to know whether a loop has another turn: save the variables, take the step, evaluate the
 * condition, restore the variables. */
typedef struct look_ahead {
  span step;                     /* the expression that leads to the next turn; empty when the condition does it */
  const tree_symbol **variables; /* each has a type in one piece */
  size_t count, capacity;
} look_ahead;

/* Returns false when that cannot be done by text. `s`: of the loop's function. Release `*out` in every case. */
bool find_look_ahead(const statements *s, const tree_node *loop, look_ahead *out);
void look_ahead_free(look_ahead *l);

#endif
