/* Places of a source where something can be changed: where a barrier can stand, the barriers that stand there, updates
 * that can be atomic, and where a copy can be waited for. */
#ifndef CLTC_REPAIR_SPOTS_H
#define CLTC_REPAIR_SPOTS_H

#include "frontend/tree.h"

/* Updates of shared memory that an atomic function can do: `x += v`, `x++`, `x = max(x, v)`. */

typedef struct update {
  const tree_node *node;   /* the expression that becomes a call */
  const tree_node *object; /* what is changed */
  const char *function;    /* "atomic_add" */
  span value;              /* tokens of its last argument; first > last: it has none */
  bool cast;               /* the value is of another type than the object */
} update;

/* The update that a statement is; where it is none, the first `x++` in it, whose old value is used. False: there is none;
 * `*why` says what is in the way of an update that there is, else it is NULL. */
bool update_find(const pp_result *text, const tree_node *of, update *out, const char **why);
/* The call; free() it. */
char *update_text(const pp_result *text, const update *u);

/* Whether a statement of a block begins one copy, of which it can be said how to wait for it. */
bool wait_is_copy(const pp_result *text, const tree_node *of);
/* "wait_group_events(1, &event);" and what must stand in front of the copy for that, NULL: nothing. free() them. */
char *wait_text(const pp_result *text, const tree_node *copy);
char *wait_head(const pp_result *text, const tree_node *copy);
/* The number of events that a wait should be for, which is for some of those that the block has stored in all elements of
 * an array; 0: it is no such wait. */
unsigned wait_short(const pp_result *text, const tree_node *of);
/* The number that it is for. */
const tree_node *wait_count(const tree_node *of);
/* Whether the copy's event is in the array of such a wait. */
bool wait_has(const tree_node *copy, const tree_node *of);
/* The wait for this very event that the block has at a statement or after it; NULL: none that can go. */
const tree_node *wait_behind(const pp_result *text, const tree_node *copy, const tree_node *from);

/* Changes of a text, and where places of the changed text come from. */

#define PATCH_NOWHERE SIZE_MAX
#define PATCH_NO_SPOT UINT32_MAX

typedef struct patch_change {
  size_t offset, removed; /* bytes of the original */
  char *text;             /* put there instead */
  uint32_t spot;          /* on whose account, PATCH_NO_SPOT: of none */
  size_t number;          /* at one offset the earlier one comes first */
} patch_change;

typedef struct patch {
  patch_change *items;
  size_t count, capacity;
} patch;

/* Takes over `text`. */
void patch_add(patch *p, size_t offset, size_t removed, char *text, uint32_t spot);
/* Writes the changed text; puts the changes in order. Removed parts must not overlap. */
void patch_apply(patch *p, const char *text, size_t length, buffer *out);
/* Where a byte of the changed text was in the original, after patch_apply. In text that was put in it is the offset of
 * the change, and `*spot` says on whose account; else that is PATCH_NO_SPOT. */
size_t patch_origin(const patch *p, size_t offset, uint32_t *spot);
void patch_free(patch *p);

/* The offset of a line and column (from 1, in bytes) of a text; PATCH_NOWHERE: there is no such line. */
size_t text_offset(const char *text, size_t length, uint32_t line, uint32_t column);
/* The line of an offset, from 1. */
uint32_t line_at(const char *text, size_t offset);

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
/* A name that the source has nowhere, which begins as is wanted; free() it. */
char *split_name(const pp_result *text, const char *wanted);

#endif
