/* The functions of OpenCL C, by what they are for. */
#ifndef CLTC_FRONTEND_TREE_BUILTINS_H
#define CLTC_FRONTEND_TREE_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tree_builtin_kind {
  TREE_WORK_ITEM,  /* get_global_id and its like */
  TREE_BARRIER,    /* waits for other work-items of the group */
  TREE_FENCE,      /* orders memory, waits for nobody */
  TREE_ATOMIC_ANY, /* atomics: read, change and write one object */
  TREE_ATOMIC_LOAD,
  TREE_ATOMIC_STORE,
  TREE_IMAGE_READ,
  TREE_IMAGE_WRITE,
  TREE_IMAGE_QUERY,
  TREE_ASYNC_COPY,
  TREE_ASYNC_WAIT,
  TREE_PREFETCH,
  TREE_VECTOR_LOAD,
  TREE_VECTOR_STORE,
  TREE_MATH,
  TREE_INTEGER,
  TREE_COMMON,
  TREE_GEOMETRIC,
  TREE_RELATIONAL,
  TREE_CONVERSION,
  TREE_VECTOR_MISC, /* shuffle, shuffle2 */
  TREE_GROUP,       /* work_group_reduce_add and its like: all work-items of the group take part */
  TREE_SUB_GROUP,
  TREE_PIPE,
  TREE_ADDRESS_SPACE, /* to_global and its like, get_fence */
  TREE_PRINTF,
  TREE_EVENT, /* of device-side enqueue */
  TREE_BUILTIN_KIND_COUNT
} tree_builtin_kind;

/* What a function does through a pointer argument. */
typedef enum tree_effect { TREE_EFFECT_NONE, TREE_EFFECT_READ, TREE_EFFECT_WRITE, TREE_EFFECT_BOTH } tree_effect;

typedef struct tree_builtin {
  tree_builtin_kind kind;
  tree_effect first, others; /* through its first pointer argument, and through the others */
  bool uniform;              /* gives all work-items of a group the same for the same integers */
} tree_builtin;

/* NULL for a name that is no function of OpenCL C. */
const tree_builtin *tree_find_builtin(const char *name);
/* Whether it does nothing but give a value: it writes nothing, waits for nobody, and may be called once more or less. */
bool tree_builtin_is_pure(const tree_builtin *b);
const char *tree_builtin_name(tree_builtin_kind kind);

#endif
