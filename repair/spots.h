/* Places of a source where something can be changed: where a barrier can stand, the barriers that stand there, updates
 * that can be atomic, and where a copy can be waited for. */
#ifndef CLTC_REPAIR_SPOTS_H
#define CLTC_REPAIR_SPOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/tree.h"
#include "frontend/tree_graph.h"
#include "repair/patch.h"
#include "repair/update.h"

/* Fences as CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE are; a barrier of the user has one bit more, as it may have no
 * fence. */
enum { FENCE_LOCAL = 1, FENCE_GLOBAL = 2, FENCES = 3, FENCE_THERE = 4 };

typedef enum spot_kind {
  SPOT_BEFORE,  /* in front of a statement */
  SPOT_BEHIND,  /* after the last statement of a loop's body */
  SPOT_SPLIT,   /* in an assignment: between what it reads and what it stores */
  SPOT_BARRIER, /* a barrier of the user */
  SPOT_ATOMIC,  /* an update that an atomic function can do; any fence says that it does */
  SPOT_WAIT,    /* in front of a statement: a wait for an asynchronous copy; likewise */
  SPOT_MOVED,   /* a wait of the user that goes after the `if` around it; likewise */
  SPOT_COUNT    /* a wait of the user for fewer events than its array holds: it waits for all; likewise */
} spot_kind;

typedef struct repair_spot {
  spot_kind kind;
  const tree_node *statement; /* of a barrier NULL: it is no statement of its own, and cannot go */
  const tree_node *call;      /* of a barrier; of SPOT_SPLIT the assignment */
  const tree_node *function;
  uint32_t token;        /* what is executed in front of it has smaller ones */
  uint32_t depth;        /* loops around it */
  double executed;       /* how often a work-item comes there in a launch, as far as that was seen; 0: it was not */
  uint32_t nesting;      /* statements around it */
  unsigned flags;        /* of a barrier, as it is written, with FENCE_THERE */
  bool wide;             /* its flags can be changed */
  bool closed;           /* nothing may be changed there */
  uint32_t rival;        /* only one of the two can be there; PATCH_NO_SPOT: it has none */
  update update;         /* of SPOT_ATOMIC */
  const tree_node *copy; /* of SPOT_WAIT: the statement that begins it, in the same block; `statement` itself: after */
  const tree_node *around; /* of SPOT_MOVED: that `if` */
} repair_spot;

typedef struct spots {
  const pp_result *text;
  const tree *tree;
  tree_graph graph;
  repair_spot *items; /* in the order of their tokens */
  size_t count, capacity;
} spots;

/* The spots of the main source, with `atomics` those of updates. Lends text and tree. */
void spots_find(const pp_result *text, const tree *t, bool atomics, spots *out);
void spots_free(spots *s);

/* Whether a barrier can be put in there. */
bool spots_is_place(const repair_spot *s);

/* Whether all tokens are written in the main source, and not through a macro. */
bool spots_plain(const pp_result *text, span s);

/* The token of the main source that is written at an offset, or the last one in front of it on the same line; NO_TOKEN:
 * there is none. */
uint32_t spots_token(const spots *s, size_t offset);

/* The barrier of the user whose call has a token; SIZE_MAX: none. */
size_t spots_barrier_at(const spots *s, uint32_t token);

/* Whether a wait that is moved need not be there, as one that is put in waits for the same copy. */
bool spots_is_spare(const spots *s, const unsigned *flags, const repair_spot *moved);

/* The changes that make the barriers of the source those that `flags` says, one a spot: 0 is no barrier. */
void spots_write(const spots *s, const unsigned *flags, patch *out);

/* "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE" */
const char *fence_text(unsigned flags);

/* Assignments that can be done in two steps, with a barrier between them: the value is computed, then stored. */

/* Whether naming an object once more, or later, makes no difference. */
bool split_is_pure(const tree_node *object);
/* A name that the source has nowhere, which begins as is wanted; free() it. */
char *split_name(const pp_result *text, const char *wanted);

#endif
