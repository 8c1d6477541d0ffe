/* Queues, and what our kernels left on each. */
#ifndef CLTC_LAYER_OBSERVE_QUEUE_H
#define CLTC_LAYER_OBSERVE_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/object.h"
#include "layer/observe/context.h"
#include "layer/observe/shadow.h"

/* Memory per work-item. */
typedef struct slots {
  cl_mem memory;
  size_t capacity; /* bytes */
  uint64_t serial;
} slots;

/* Slots of one launch on an out-of-order queue. */
typedef struct chunk {
  struct chunk *next;
  slots slots;
  struct slots planes;
  cl_event reduced; /* busy until then; NULL: free */
} chunk;

/* Words of the launches of a gated kernel (schedamp/schedule.h), zero again before each. */
typedef struct gate_record {
  struct gate_record *next;
  cl_mem memory;
  uint64_t serial;
  bool in_order;   /* of the last launch */
  cl_event zeroed; /* busy until then; NULL: never used */
} gate_record;

/* One kernel function on one queue, in one test case. */
typedef struct function_on_queue { /* search.h has a `struct entry` */
  struct function_on_queue *next;
  function *function;
  uint32_t test_case; /* 0: none has begun */
  cl_mem flags;
  uint64_t flags_serial;
  uint64_t launches;  /* since the last evidence */
  cl_uint first, end; /* numbers of these launches' twins, among the kernel's: from `first` and before `end`; 0: none */
  slots ring;         /* in-order queues */
  size_t used;        /* items in the ring since its last reduction */
  unsigned unreduced; /* launches in it */
  slots planes;       /* in-order queues */
  cl_kernel judge;    /* compares work-items at barriers */
  chunk *chunks;      /* out-of-order queues */
  cl_event *pending;  /* out-of-order: what a read of `flags` has to wait for */
  size_t pending_count, pending_capacity;
  gate_record *records; /* of a gated kernel */
} entry;

typedef struct queue {
  object object;
  context *context; /* held */
  cl_device_id device;
  bool out_of_order;
  bool cpu;
  bool non_uniform; /* the last work-group of a dimension may be smaller */
  cl_uint units;
  pthread_mutex_t lock;
  entry *entries;
  slots cells;        /* of checked kernels, on an in-order queue */
  unsigned cells_tag; /* of the last launch that used them */
  cl_kernel reduce;
  bool reduce_tried;
  atomic_bool dirty;
  atomic_bool busy;   /* kernels were launched as the user wrote them, and the program has not waited for the queue */
  uint64_t collected; /* when, in ns */
  uint64_t cost;      /* of the last collection, in ns */
} queue;

void queue_record(cl_command_queue handle, cl_context context_handle, cl_device_id device);
/* Flushes all queues of the context; only once waits_wanted is set or they are watched. */
void queues_flush(const context *c);
/* No queue goes from now on, until it is called with false. */
void queues_keep(bool keep);
/* Who keeps them now has done so, or takes too long. */
void queues_settle(void);
void queue_after_fork(void);
/* The function's entry on this queue, made if need be; NULL if the device has no memory for it. */
entry *queue_entry(queue *q, function *f);
void recursive_mutex(pthread_mutex_t *lock);
/* Forgets events of `pending` that are complete. */
void entry_prune(entry *e);
uint64_t now_ns(void);

/* A zeroed hidden buffer, within a cap on all memory that slots take; NULL if the device has none. */
cl_mem hidden_buffer(context *c, size_t bytes);
void hidden_buffer_release(context *c, cl_mem memory);
uint64_t next_serial(void);
bool slots_make(context *c, slots *s, size_t bytes);
void slots_release(context *c, slots *s);

/* Set once the layer may want to wait for commands: it then needs to know of callbacks, and of queues that go. */
extern atomic_bool waits_wanted;
/* Whether commands of this queue may be waited for by this thread: not while a user event of its context is open, or
 * in a callback of an event. */
bool may_wait(const queue *q);

#endif
