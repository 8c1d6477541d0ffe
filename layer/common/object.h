/* Records of the user's handles: one map for all, safe for threads. */
#ifndef CLTC_LAYER_COMMON_OBJECT_H
#define CLTC_LAYER_COMMON_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/opencl.h"

typedef enum object_kind {
  OBJECT_CONTEXT,
  OBJECT_QUEUE,
  OBJECT_PROGRAM,
  OBJECT_KERNEL,
  OBJECT_MEMORY,
  OBJECT_STORAGE, /* of a memory object */
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

/* Storages: memory objects by what they lie in: a sub-buffer, and an image that is made of a buffer, lie in that.
 * Whether anything but the host has put something there, and, where it lies in memory of the program's own
 * (CL_MEM_USE_HOST_PTR), whether the program can see that without a call. All guests that look must be told the same,
 * so that one that records and one that compares look at the same points.
 *
 * Such memory is looked at when the program learns that the launch (or copy) that was given it last is over: when its
 * queue is finished, with a blocking command of its queue if that keeps the order, or with the event of the launch. */

/* What the program's own memory holds now, of a buffer. */
typedef void (*storage_see)(cl_mem handle, const void *bytes, size_t size);
/* A new memory object. `data`, `size`: the host's memory that it was given, of a buffer; an image has no size. */
void storage_made(cl_mem handle, cl_mem parent, cl_mem_flags flags, const void *data, size_t size);
void storage_retain(cl_mem handle);
/* One reference less. False: the object is gone, and in memory of the program's own is what nobody has looked at. */
bool storage_release(cl_mem handle);
/* A launch or a copy was given it, and may have written there. `event`: where the driver has put its event, or NULL. */
void storage_given(cl_mem handle, cl_command_queue queue, const cl_event *event);
bool storage_was_given(cl_mem handle);
/* Whether a mapping shows the program anything: what it maps for writing is there to be read, too, unless it says that
 * it does not care. What nobody but the host has put there (not `given`) tells nothing. */
bool storage_shows(cl_map_flags flags, bool given);
/* The program looks at all of it by a call. */
void storage_read(cl_mem handle);
/* All commands of the queue are over. */
void storage_queue_over(cl_command_queue queue, storage_see see);
/* A command is over. False: it is not clear whether that is the end of a launch whose results are to be looked at. */
bool storage_event_over(cl_event event, storage_see see);
/* Whether there is anything that nobody has looked at. */
bool storage_unseen(void);
void storage_after_fork(void);

#endif
