/* Calls by which the host reads from the device: numbered, and digests of what it gets are sent. A blocking call's
 * bytes are there when it returns. The memory of a non-blocking one is the user's own to reuse as soon as it is
 * complete: we read the same once more, into memory of our own, in a command that the user's command comes after. */
#include "layer/observe/reads.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/memory.h"
#include "layer/observe/observe.h"
#include "layer/observe/refused.h"
#include "layer/observe/turn.h"
#include "wire/protocol.h"

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static void put_blocks(message *m, const unsigned char *bytes, size_t size) {
  size_t block = read_block(size), count = observe.blocks ? size / block + (size % block != 0) : 0;
  message_u32(m, (uint32_t)count);
  for (size_t i = 0; i < count; i++)
    message_u32(m, (uint32_t)digest_short(bytes + i * block, at_most(size - i * block, block)));
}

/* Adds size, digest and blocks of the rows one after the other. False without memory: nothing is added. */
static bool digest_put(message *m, const area *a, bytes_digest *d) {
  size_t size = area_size(a);
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  if (bytes == NULL) return false;
  *d = digest_of(bytes, size);
  MESSAGE_PUT(m, U64(size), U64(d->low), U64(d->high));
  put_blocks(m, bytes, size);
  if (observe.contents) message_bytes(m, bytes, size <= MEMORY_CAP ? size : 0);
  free(owned);
  return true;
}

#define POLL_EVERY 32u /* copies under way */

typedef struct copy {
  arrival base;
  bool wanted; /* the user's call succeeded */
  uint64_t number;
  mark last;
  size_t size;
  unsigned char bytes[];
} copy;

/* One call under way. */
typedef struct reading {
  bool observed;
  bool blocking;
  queue *queue;
  uint64_t number;
  mark last;
  copy *copy;           /* non-blocking; NULL: it could not be made */
  cl_uint waits;        /* of the user's command */
  const cl_event *wait; /* the user's own list, or `longer` */
  cl_event *longer;
} reading;

static atomic_uint_fast64_t numbers;
static atomic_bool noted;

/* ---- what is sent ---- */

/* With `a` NULL: the bytes are not known. */
static void send_read(uint64_t number, const mark *last, const area *a) {
  message m;
  message_start(&m, MESSAGE_READ);
  MESSAGE_PUT(&m, U64(number), TEXT(last->tally != NULL ? last->tally->name : ""), U32(last->argument),
              U64(last->launch), U64(last->tally != NULL ? last->tally->program : 0), U32(observe_threads() ? 1 : 0));
  bytes_digest d = {0};
  bool known = a != NULL && digest_put(&m, a, &d);
  turn_read(number, &d);
  if (!known) {
    MESSAGE_PUT(&m, U64(0) /* bytes */, U64(0) /* digest */, U64(0), U32(0) /* blocks */);
    if (observe.contents) message_bytes(&m, NULL, 0);
  }
  if (observe.contents) MESSAGE_PUT(&m, U32(last->number), U32(last->copied ? 1 : 0), U32(memory_made()));
  connection_send(&m);
  if (!known && !atomic_exchange(&noted, true))
    note("a read of the program could not be looked at: no memory, or it failed on the device");
}

static void copy_arrived(arrival *a, cl_int status) {
  copy *c = (copy *)a;
  area whole = {.first = c->bytes, .row = c->size, .rows = 1, .slices = 1};
  if (c->wanted) send_read(c->number, &c->last, status == CL_COMPLETE ? &whole : NULL);
  free(c);
}

static arrivals copies = ARRIVALS(copies, copy_arrived);

bool reads_poll(const queue *q, bool any) { return arrivals_poll(&copies, q, any); }

void reads_begin(uint64_t number) { atomic_store(&numbers, number); }

void reads_after_fork(void) {
  arrivals_after_fork(&copies);
  atomic_store(&numbers, 0);
  atomic_store(&noted, false);
}

/* ---- a call ---- */

/* Whether a command that reads shows the program anything, and who had the memory last. */
static bool is_looked_at(const command *c, mark *last) {
  switch (c->call) {
    case CALL_clEnqueueMapBuffer:
    case CALL_clEnqueueMapImage:
      *last = memory_last(c->memory);
      return storage_shows(c->flags, storage_was_given(c->memory));
    case CALL_clEnqueueSVMMap:
      memory_last_pointer(c->pointer, last);
      return storage_shows(c->flags, last->tally != NULL);
    case CALL_clEnqueueSVMMemcpy: { /* only copies out of shared virtual memory are reads */
      const bool inside = memory_last_pointer(c->target, last);
      memory_last_pointer(c->source, last);
      return !inside;
    }
    default: *last = memory_last(c->memory); return true;
  }
}

static reading begin(const command *c) {
  reading r = {.blocking = c->blocking, .waits = c->waits, .wait = c->wait};
  r.observed = is_looked_at(c, &r.last) && connection_alive();
  if (!r.observed) return r;
  exit_before_driver(false);
  r.queue = (queue *)object_find(OBJECT_QUEUE, c->on);
  r.number = atomic_fetch_add(&numbers, 1);
  if (atomic_load(&copies.count) % POLL_EVERY == POLL_EVERY - 1) reads_poll(NULL, false);
  return r;
}

/* Memory for our own read of a non-blocking call; NULL if none is needed or there is none. */
static void *copy_make(reading *r, size_t size) {
  if (!r->observed || r->blocking || size > PTRDIFF_MAX - sizeof(copy)) return NULL;
  copy *c = malloc(sizeof *c + size);
  if (c == NULL) return NULL;
  *c = (copy){.base = arrival_on(r->queue), .number = r->number, .last = r->last, .size = size};
  r->copy = c;
  return c->bytes;
}

/* After our own read was enqueued. On a queue that keeps no order the user's command waits for it: what the program
 * does once that one is complete cannot reach what we read. */
static void copy_enqueued(reading *r, cl_int result) {
  if (result != CL_SUCCESS) {
    free(r->copy);
    r->copy = NULL;
    return;
  }
  if (r->queue != NULL && !r->queue->out_of_order) return;
  r->longer = malloc(((size_t)r->waits + 1) * sizeof(cl_event));
  if (r->longer == NULL) return;
  if (r->waits) memcpy(r->longer, r->wait, r->waits * sizeof(cl_event));
  r->longer[r->waits++] = r->copy->base.event;
  r->wait = r->longer;
}

/* A call that failed does not count. */
static void take_number_back(const reading *r) {
  uint64_t next = r->number + 1;
  atomic_compare_exchange_strong(&numbers, &next, r->number);
}

/* `a`: where the bytes of a blocking call are. */
static void end(reading *r, bool success, const area *a) {
  free(r->longer);
  if (!r->observed) return;
  if (!success)
    take_number_back(r);
  else if (r->blocking || r->copy == NULL)
    send_read(r->number, &r->last, r->blocking ? a : NULL);
  if (r->copy == NULL) return;
  r->copy->wanted = success;
  (void)arrivals_put(&copies, &r->copy->base);
  if (r->queue != NULL) atomic_store(&r->queue->dirty, true); /* to be flushed at the end */
}

/* ---- memory of the program's own ---- */

static void see(cl_mem handle, const void *bytes, size_t size) {
  const mark last = memory_last(handle);
  const area a = area_of_bytes(bytes, size);
  if (connection_alive()) send_read(atomic_fetch_add(&numbers, 1), &last, &a);
}

void reads_finished(cl_command_queue handle) {
  if (observe.reads) storage_queue_over(handle, see);
}

/* The same after a blocking command, if the queue keeps an order; and of the commands of events. */
static void reads_blocked(cl_command_queue handle) {
  const queue *q = observe.reads ? (const queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q != NULL && !q->out_of_order) storage_queue_over(handle, see);
}

void reads_waited(cl_uint count, const cl_event *events) {
  for (cl_uint i = 0; observe.reads && events != NULL && i < count; i++) (void)storage_event_over(events[i], see);
}

/* ---- reads ---- */

/* The same into memory of our own. */
static void read_once_more(const command *c, reading *r, void *own) {
  static const size_t nowhere[3];
  command again = *c;
  again.call = c->call == CALL_clEnqueueMapBuffer  ? CALL_clEnqueueReadBuffer
               : c->call == CALL_clEnqueueMapImage ? CALL_clEnqueueReadImage
               : c->call == CALL_clEnqueueSVMMap   ? CALL_clEnqueueSVMMemcpy
                                                   : c->call;
  again.blocking = CL_FALSE;
  again.source = c->call == CALL_clEnqueueSVMMap ? c->pointer : c->source;
  again.pointer = again.target = own;
  again.host_origin = nowhere;
  again.host_row = again.host_slice = 0;
  again.event = &r->copy->base.event;
  command_below(&again);
  copy_enqueued(r, again.result);
}

/* A region that makes no sense, or of an image that is none, has no rows. */
static bool is_known(const command *c, const area *a) { return a->rows > 0 && (c->region == NULL || a->row > 0); }

static void read_observed(command *c) {
  reading r = begin(c);
  area a = r.observed ? command_area(c) : (area){0};
  void *own = is_known(c, &a) ? copy_make(&r, area_checked_size(&a)) : NULL;
  if (own != NULL) read_once_more(c, &r, own);
  command as_given = *c;
  as_given.waits = r.waits;
  as_given.wait = r.wait;
  command_below(&as_given);
  c->result = as_given.result;
  c->mapped = as_given.mapped;
  if (r.observed && c->mapped != NULL) a = command_area(c);
  end(&r, command_worked(c), is_known(c, &a) ? &a : NULL);
}

/* ---- commands: reads, writes and maps that block are synchronisation points ---- */

/* The host waits for it. */
static void transfer(command *c) {
  observe_command();
  mapped_command();
  queue *q = c->blocking ? (queue *)object_find(OBJECT_QUEUE, c->on) : NULL;
  if (q != NULL) evidence_before(q, false);
  if (c->kind == COMMAND_READ && observe.reads)
    read_observed(c);
  else
    command_below(c);
  if (command_worked(c) && c->kind == COMMAND_WRITE) {
    unnoticed_given(c->memory);
    memory_written(c->memory, c->blocking ? NULL : c->on, c->offset, c->size);
  } else if (command_worked(c)) {
    unnoticed_used(c->memory, c->name);
    memory_used(c->memory, c->on, BARE_HOST, NULL, 0);
    mapped_add(c->memory, c->flags, c->offset, c->size, c->mapped);
  }
  if (!c->blocking) return;
  q = command_worked(c) ? (queue *)object_find(OBJECT_QUEUE, c->on) : NULL;
  if (q != NULL && !q->out_of_order) last_launch_waited(c->on);
  evidence_after();
  reads_blocked(c->on);
}

static void copy_or_fill(command *c) {
  mapped_command();
  command_below(c);
  if (!command_worked(c)) return;
  if (c->kind == COMMAND_FILL) {
    unnoticed_given(c->memory);
    memory_written(c->memory, c->on, c->offset, c->size);
    return;
  }
  unnoticed_used(c->memory, c->name);
  unnoticed_given(c->to);
  if (observe.reads) {
    storage_given(c->to, c->on, c->event);
    memory_used(c->memory, c->on, BARE_COPY, NULL, 0);
    memory_copied(c->to);
  }
}

void observe_over(command *c) {
  switch (c->kind) {
    case COMMAND_READ:
    case COMMAND_WRITE: transfer(c); break;
    case COMMAND_COPY:
    case COMMAND_FILL: copy_or_fill(c); break;
    case COMMAND_UNMAP:
      command_below(c);
      if (command_worked(c)) mapped_end(c->memory, c->pointer);
      break;
    default: command_below(c);
  }
}
