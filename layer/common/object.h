/* Records of the user's handles: one map for all, safe for threads. */
#ifndef CLTC_LAYER_COMMON_OBJECT_H
#define CLTC_LAYER_COMMON_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum object_kind {
  OBJECT_CONTEXT,
  OBJECT_QUEUE,
  OBJECT_PROGRAM,
  OBJECT_KERNEL,
  OBJECT_MEMORY,
  OBJECT_STORAGE, /* of a memory object, storage.c */
  OBJECT_GUARD,   /* of a buffer with a guard zone, or a part of one */
  OBJECT_SAMPLER,
  OBJECT_EVENT,
  OBJECT_ALIVE /* of any kind: what the program has not released (layer/observe/alive.h) */
} object_kind;

/* First member of every record. A record is dropped when the user's references and our holds are both gone. */
typedef struct object {
  void *handle;
  object_kind kind;
  long references; /* the user's */
  long holds;      /* by other records */
  struct object *next;
} object;

/* Takes over the record. A stale record of the same handle is forgotten. */
void object_add(object *o, object_kind kind, void *handle, long references);
/* NULL: there is none. */
object *object_find(object_kind kind, const void *handle);
void object_retain(object_kind kind, void *handle);
/* One user's reference less; the record when it is to be dropped (it is out of the map then), else NULL. */
object *object_release(object_kind kind, void *handle);
/* True when this is the user's last reference. */
bool object_last(object_kind kind, void *handle);
void object_hold(object *o);
/* True when the record is to be dropped (it is out of the map then). */
bool object_unhold(object *o);
size_t object_count(object_kind kind);
/* Up to `capacity` records of a kind, held for the caller. */
size_t object_list(object_kind kind, object **list, size_t capacity);
void object_after_fork(void);

/* Defines a guest's hook of the driver's `call`, by which the program retains a handle. */
#define HOOK_RETAIN(name, type, call, kind)                \
  cl_int CL_API_CALL name(type handle) {                   \
    cl_int result = driver.call(handle);                   \
    if (result == CL_SUCCESS) object_retain(kind, handle); \
    return result;                                         \
  }

#endif
