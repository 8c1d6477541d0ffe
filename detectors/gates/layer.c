/* Gated kernels (schedamp/schedule.h): before each launch cltestcheck says in which order its work-groups are to execute;
 * after it, the gate record is read and zeroed. On an in-order queue one record of a kernel serves all launches, as
 * the next begins after that. On others a record is free again once it is known to be zero. */
#include "detectors/gates/layer.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detectors/gates/record.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/contents.h"
#include "layer/observe/context.h"
#include "layer/observe/evidence.h"
#include "layer/observe/forms.h"
#include "layer/observe/kernel.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "layer/observe/reads.h"
#include "layer/observe/shadow.h"
#include "layer/observe/turn.h"
#include "wire/protocol.h"

#define FIRST_DESCRIPTOR 200 /* out of the way of the program's own */
#define RECORD_BYTES (GATE_WORDS * sizeof(uint32_t))
#define GROUPS_BYTES_CAP ((size_t)256 << 20) /* of a record with a word for each work-group */
#define POLL_EVERY 32u                       /* records under way */

/* ---- a record that is watched ----
 * It lies in a file: where the device works on the host's memory it shows, also after the process was killed, how far each
 * work-group has come. One launch has the file at a time, over all processes. */

/* The file in use: open, as that keeps its lock. */
typedef struct watch {
  int fd;
  dev_t device;
  ino_t inode;
  void *address;
  size_t bytes;
} watch;

static atomic_bool in_use; /* by this process, whose own locks do not shut it out */

static int open_high(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR) : -1;
  if (high < 0) return fd;
  close(fd);
  return high;
}

/* All zero and there in full: a page that the file system has no room for would kill the process when it is written. */
static bool file_prepare(int fd, size_t bytes) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &whole) == 0 && ftruncate(fd, 0) == 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0;
}

static bool watch_open(watch *w, size_t bytes) {
  struct stat s;
  *w = (watch){.fd = open_high(observe.watch), .bytes = bytes, .address = MAP_FAILED};
  if (w->fd < 0) return false;
  if (file_prepare(w->fd, bytes) && fstat(w->fd, &s) == 0) {
    w->device = s.st_dev;
    w->inode = s.st_ino;
    w->address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
  }
  if (w->address != MAP_FAILED) return true;
  close(w->fd);
  return false;
}

/* The program may have closed or reused our descriptor. */
static void watch_close(watch *w) {
  struct stat s;
  munmap(w->address, w->bytes);
  if (fstat(w->fd, &s) == 0 && s.st_dev == w->device && s.st_ino == w->inode) close(w->fd);
  free(w);
  atomic_store(&in_use, false);
}

static void CL_CALLBACK buffer_gone(cl_mem memory, void *data) {
  (void)memory;
  watch_close(data);
}

static cl_mem make_buffer(context *c, watch *w) {
  cl_int error;
  cl_mem memory = driver.clSetMemObjectDestructorCallback != NULL
                      ? driver.clCreateBuffer(c->object.handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, w->bytes,
                                              w->address, &error)
                      : NULL;
  if (memory != NULL && driver.clSetMemObjectDestructorCallback(memory, buffer_gone, w) == CL_SUCCESS) {
    atomic_fetch_add(&c->buffers, 1);
    return memory;
  }
  if (memory != NULL) driver.clReleaseMemObject(memory);
  return NULL;
}

/* A zeroed hidden buffer over the watched file; NULL: there is no such file, or a launch has it. */
static cl_mem watch_buffer(context *c, size_t bytes) {
  if (observe.watch == NULL || atomic_exchange(&in_use, true)) return NULL;
  watch *w = malloc(sizeof *w);
  if (w != NULL && watch_open(w, bytes)) {
    cl_mem memory = make_buffer(c, w);
    if (memory != NULL) return memory;
    watch_close(w);
    return NULL;
  }
  free(w);
  atomic_store(&in_use, false);
  return NULL;
}

/* ---- records ---- */

/* The read of a record under way. */
typedef struct record_read {
  arrival base;
  uint64_t number;
  uint32_t words[GATE_WORDS];
} record_read;

/* ---- what is sent ---- */

static void record_arrived(arrival *a, cl_int status) {
  record_read *r = (record_read *)a;
  message m;
  if (status == CL_COMPLETE) {
    message_start(&m, MESSAGE_GATED);
    message_u64(&m, r->number);
    message_u32(&m, GATE_WORDS);
    message_words(&m, r->words, GATE_WORDS);
    connection_send(&m);
  }
  free(r);
}

static arrivals records = ARRIVALS(records, record_arrived);

bool gate_poll(const queue *q, bool any) { return arrivals_poll(&records, q, any); }

void gate_after_fork(void) {
  arrivals_after_fork(&records);
  atomic_store(&in_use, false);
}

/* ---- the question ---- */

static void write_question(message *m, const function *f, const launch *l) {
  static const size_t one = 1;
  cl_uint dimensions = l->task ? 1 : l->dimensions;
  const size_t *global = l->task ? &one : l->global, *local = l->task ? &one : l->local;
  uint32_t even = 1;
  message_start(m, MESSAGE_LAUNCH);
  message_u32(m, f->program);
  message_u32(m, f->kernel);
  message_u32(m, dimensions);
  for (cl_uint d = 0; d < dimensions; d++) {
    size_t size = local != NULL ? local[d] : 0;
    message_u64(m, global[d]);
    message_u64(m, size);
    if (size > 0 && global[d] % size) even = 0;
  }
  message_u32(m, even);
}

static void ask(const function *f, const launch *l, gating *g) {
  if (turn_order(f, &g->order, &g->answered)) return;
  message m;
  unsigned char *body = NULL;
  size_t length = 0;
  write_question(&m, f, l);
  if (!connection_ask(&m, MESSAGE_SCHEDULE, &body, &length)) return;
  wire_reader r = {.at = body, .left = length};
  gating answer = {.answered = true};
  answer.order.number = wire_u64(&r);
  answer.order.first = wire_u64(&r);
  answer.order.flags = wire_u32(&r);
  if (!r.failed) *g = answer;
  free(body);
}

/* ---- records ---- */

static void record_free(queue *q, gate_record *r) {
  if (r->zeroed != NULL) driver.clReleaseEvent(r->zeroed);
  hidden_buffer_release(q->context, r->memory);
  free(r);
}

void gate_records_release(queue *q, entry *e) {
  while (e->records != NULL) {
    gate_record *r = e->records;
    e->records = r->next;
    record_free(q, r);
  }
}

static gate_record *record_make(queue *q, entry *e) {
  gate_record *r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;
  r->memory = hidden_buffer(q->context, RECORD_BYTES);
  if (r->memory == NULL) {
    free(r);
    return NULL;
  }
  r->serial = next_serial();
  r->next = e->records;
  e->records = r;
  return r;
}

/* One that is zero when a launch that is enqueued now begins; one that was not zeroed is dropped. */
static gate_record *record_find(queue *q, entry *e) {
  for (gate_record **at = &e->records; *at != NULL;) {
    gate_record *r = *at;
    cl_int status = r->zeroed != NULL ? event_status(r->zeroed) : CL_COMPLETE;
    if (status == CL_COMPLETE || (status > CL_COMPLETE && r->in_order && !q->out_of_order)) return r;
    if (status > CL_COMPLETE) {
      at = &r->next;
      continue;
    }
    *at = r->next;
    record_free(q, r);
  }
  return record_make(q, e);
}

/* Or more: how the driver cuts a launch that says nothing about it, is not known. */
static size_t count_groups(const launch *l) {
  size_t groups = 1;
  for (cl_uint d = 0; !l->task && d < l->dimensions; d++) {
    size_t local = l->local != NULL && l->local[d] > 0 ? l->local[d] : 1;
    groups *= l->global[d] / local + (l->global[d] % local != 0);
  }
  return groups;
}

/* Memory with room for a word for each work-group, where the launch needs it; for this launch only. */
static cl_mem memory_for_groups(queue *q, const kernel *k, const launch *l, const gating *g) {
  size_t bytes = RECORD_BYTES + count_groups(l) * sizeof(uint32_t);
  bool wanted = (g->order.flags & SCHEDULE_WATCH) != 0;
  if (bytes > GROUPS_BYTES_CAP || (!wanted && !k->shadow->watched)) return NULL;
  cl_mem memory = wanted ? watch_buffer(q->context, bytes) : NULL;
  return memory != NULL || !k->shadow->watched ? memory : hidden_buffer(q->context, bytes);
}

/* False: there is no memory for its record. */
static bool gate_begin(queue *q, const kernel *k, entry *e, const launch *l, gating *g) {
  ask(k->function, l, g);
  g->memory = memory_for_groups(q, k, l, g);
  if (g->memory != NULL) {
    g->serial = next_serial();
    return true;
  }
  g->record = k->shadow->watched ? NULL : record_find(q, e);
  if (g->record == NULL) return false;
  g->memory = g->record->memory;
  g->serial = g->record->serial;
  return true;
}

/* It did not take place. */
static void gate_cancel(queue *q, gating *g) {
  if (g->record == NULL) hidden_buffer_release(q->context, g->memory);
  *g = (gating){0};
}

/* ---- after the launch ---- */

static record_read *read_record(queue *q, const gating *g, cl_event done) {
  record_read *a = g->answered ? calloc(1, sizeof *a) : NULL;
  if (a == NULL) return NULL;
  a->base = arrival_on(q);
  a->number = g->order.number;
  if (driver.clEnqueueReadBuffer(q->object.handle, g->memory, CL_FALSE, 0, RECORD_BYTES, a->words, done != NULL ? 1 : 0,
                                 done != NULL ? &done : NULL, &a->base.event) == CL_SUCCESS)
    return a;
  free(a);
  return NULL;
}

static void forget_record(queue *q, entry *e, gate_record *r) {
  gate_record **at = &e->records;
  while (*at != r) at = &(*at)->next;
  *at = r->next;
  record_free(q, r);
}

/* After `before`, where the queue keeps no order. */
static void zero_record(queue *q, entry *e, gate_record *r, cl_event before) {
  static const uint32_t zeros[GATE_WORDS]; /* read by the driver at any time */
  bool waits = q->out_of_order;
  if (r->zeroed != NULL) driver.clReleaseEvent(r->zeroed);
  r->zeroed = NULL;
  r->in_order = !q->out_of_order;
  if (driver.clEnqueueWriteBuffer(q->object.handle, r->memory, CL_FALSE, 0, sizeof zeros, zeros, waits ? 1 : 0,
                                  waits ? &before : NULL, &r->zeroed) != CL_SUCCESS) {
    r->zeroed = NULL;
    forget_record(q, e, r);
  }
}

/* Reads its record and zeroes it. `done`: on an out-of-order queue the launch, else NULL. */
static void gate_end(queue *q, entry *e, gating *g, cl_event done) {
  record_read *a = read_record(q, g, done);
  if (g->record != NULL)
    zero_record(q, e, g->record, a != NULL ? a->base.event : done);
  else
    hidden_buffer_release(q->context, g->memory); /* the driver keeps it until its commands have ended */
  if (a == NULL) return;
  if (arrivals_put(&records, &a->base) % POLL_EVERY == 0) gate_poll(NULL, false);
}

/* ---- a launch ---- */

static twin *begin_gated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (!gate_begin(q, k, e, l, &p->gating)) return NULL;
  p->memory = p->gating.memory;
  p->serial = p->gating.serial;
  p->first = p->gating.order.first;
  return &k->stored;
}

static void cancel_gated(queue *q, place *p) { gate_cancel(q, &p->gating); }

static void end_gated(queue *q, kernel *k, entry *e, place *p, launch *l, cl_event done) {
  if (p->gating.order.flags & SCHEDULE_MEMORY) l->left = contents_of(k, p->gating.order.number, done);
  gate_end(q, e, &p->gating, done);
}

const form_launch gated_launch = {.begin = begin_gated, .cancel = cancel_gated, .end = end_gated};
