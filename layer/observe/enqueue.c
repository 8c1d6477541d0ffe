/* Launches: how many there are whose evidence is to come, and which was the last, in a file that all processes of the
 * program share with cltestcheck: it stands when a process ends before its evidence has been read. The twin runs in the
 * place of the original. Whatever goes wrong, the original is launched and its answer is the user's. */
#include "layer/observe/enqueue.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detectors/coverage/layer.h"
#include "layer/common/builds.h"
#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/contents.h"
#include "layer/observe/evidence.h"
#include "layer/observe/forms.h"
#include "layer/observe/guard.h"
#include "layer/observe/hooks.h"
#include "layer/observe/memory.h"
#include "layer/observe/objects.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "layer/observe/refused.h"
#include "layer/observe/shadow.h"
#include "layer/observe/vary.h"
#include "wire/protocol.h"

/* ---- launches and builds that are announced ---- */

enum { TRIES = 100000, NAME_BYTES = 100 };

/* The same as launches_file, for processes that write at the same time. */
typedef struct shared_launches {
  _Atomic uint64_t announced;
  uint64_t made, ended;
  _Atomic uint64_t built, kept;
  _Atomic uint32_t lock;
  char last[sizeof((launches_file *)0)->last];
} shared_launches;
_Static_assert(sizeof(shared_launches) == sizeof(launches_file), "they are the same file");

static _Atomic(shared_launches *) file; /* NULL: there is none */

/* The last launch of this process. */
static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint64_t number;
  cl_command_queue queue;
  cl_event event; /* the program's; only to be compared */
} own_launch;

static _Thread_local struct {
  uint64_t number;
  char before[sizeof((launches_file *)0)->last]; /* what was the last launch before it */
} under_way;

void announced_open(const char *socket_path) {
  char path[256];
  struct stat s;
  if (atomic_load(&file) != NULL || snprintf(path, sizeof path, "%s" LAUNCHES_SUFFIX, socket_path) >= (int)sizeof path)
    return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *at = MAP_FAILED;
  if (fstat(fd, &s) == 0 && s.st_size == sizeof(launches_file))
    at = mmap(NULL, sizeof(launches_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (at != MAP_FAILED) atomic_store(&file, at);
}

/* One more launch whose evidence is to come. */
static void announced_launch(void) {
  shared_launches *f = atomic_load(&file);
  if (f != NULL) atomic_fetch_add(&f->announced, 1);
}

cl_program announced_build(cl_context in, cl_uint device_count, const cl_device_id *devices, const char *text,
                           const char *options, cl_int *result) {
  bool kept = false;
  cl_program p = build_text(in, device_count, devices, text, options, &kept, result);
  shared_launches *f = atomic_load(&file);
  if (f != NULL) atomic_fetch_add(kept ? &f->kept : &f->built, 1);
  return p;
}

/* ---- the last launch ---- */

/* NULL: there is no file, or a process that has died kept it. */
static shared_launches *begin_writing(void) {
  shared_launches *f = atomic_load(&file);
  for (int i = 0; f != NULL && i < TRIES; i++)
    if (atomic_exchange(&f->lock, 1) == 0) return f;
  return NULL;
}

static void end_writing(shared_launches *f) { atomic_store(&f->lock, 0); }

static size_t put_sizes(char *text, size_t size, const char *what, const size_t *sizes, cl_uint dimensions) {
  size_t length = (size_t)snprintf(text, size, "%s", what);
  for (cl_uint d = 0; d < dimensions && length < size; d++)
    length += (size_t)snprintf(text + length, size - length, "%s%zu", d ? " x " : " ", sizes[d]);
  return length < size ? length : size - 1;
}

void launch_in_words(const launch *l, char *text, size_t size) {
  cl_uint dimensions = l->dimensions <= 3 ? l->dimensions : 0;
  size_t length = l->global != NULL ? put_sizes(text, size, "global size", l->global, dimensions) : 0;
  text[length] = '\0';
  if (l->local != NULL) put_sizes(text + length, size - length, ", work-group size", l->local, dimensions);
}

static void describe(cl_kernel handle, const launch *l, char *text, size_t size) {
  char name[NAME_BYTES] = "", sizes[100];
  if (driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL) != CL_SUCCESS)
    snprintf(name, sizeof name, "with a long name");
  launch_in_words(l, sizes, sizeof sizes);
  snprintf(text, size, "kernel %s%s%s%s", name, sizes[0] ? " (" : "", sizes, sizes[0] ? ")" : "");
}

/* A launch of any kernel begins: it is the last one. Should the driver refuse it, the one before it is that again. */
static void last_launch_begins(cl_command_queue on, cl_kernel handle, const launch *l) {
  under_way.number = 0;
  shared_launches *f = atomic_load(&file);
  if (f == NULL || handle == NULL) return;
  char text[sizeof f->last];
  describe(handle, l, text, sizeof text);
  f = begin_writing();
  if (f == NULL) return;
  under_way.number = ++f->made;
  memcpy(under_way.before, f->last, sizeof f->last);
  memcpy(f->last, text, sizeof text);
  end_writing(f);
  pthread_mutex_lock(&own_lock);
  own_launch.number = under_way.number;
  own_launch.queue = on;
  own_launch.event = NULL;
  pthread_mutex_unlock(&own_lock);
}

static void last_launch_made(const cl_event *event) {
  pthread_mutex_lock(&own_lock);
  if (own_launch.number == under_way.number && event != NULL) own_launch.event = *event;
  pthread_mutex_unlock(&own_lock);
}

static void last_launch_refused(void) {
  shared_launches *f = under_way.number ? begin_writing() : NULL;
  if (f == NULL) return;
  if (f->made == under_way.number) {
    f->made--;
    memcpy(f->last, under_way.before, sizeof f->last);
  }
  end_writing(f);
}

static void ended(cl_command_queue on, cl_event event) {
  pthread_mutex_lock(&own_lock);
  const bool is = on != NULL ? own_launch.queue == on : own_launch.event == event;
  const uint64_t number = is ? own_launch.number : 0;
  pthread_mutex_unlock(&own_lock);
  shared_launches *f = number ? begin_writing() : NULL;
  if (f != NULL) {
    f->ended = number > f->ended ? number : f->ended;
    end_writing(f);
  }
}

void last_launch_waited(cl_command_queue on) { ended(on, NULL); }

void last_launch_event(cl_event event) {
  if (event != NULL) ended(NULL, event);
}

void announced_after_fork(void) {
  own_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  own_launch.number = 0;
}

/* ---- launches ---- */

static twin *begin_mutated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l;
  p->first = k->function->schema.mutant | (cl_ulong)k->function->schema.fuel << 32;
  return &k->stored;
}

const form_launch mutated_launch = {.begin = begin_mutated};

static twin *begin_plain(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l, (void)p;
  return objects_set(k) ? &k->stored : NULL;
}

#define PENDING_CAP 64u
#define COLLECT_NS UINT64_C(250000000) /* at the latest, for programs that never synchronise */

#define LAUNCH(name) &name
#define NO_LAUNCH NULL
#define FORM_LAUNCH(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, LAUNCHED, ...) [KERNEL_##NAME] = LAUNCHED,
static const form_launch *const launches[] = {CLTC_FORMS(FORM_LAUNCH, FORMS_IGNORED)};

static const form_launch *form_of(const kernel *k) {
  static const form_launch plain = {.begin = begin_plain};
  const form_launch *own = launches[k->function->form];
  return own != NULL ? own : &plain;
}

/* ---- launches ---- */

static cl_int run(cl_command_queue queue_handle, cl_kernel kernel_handle, const launch *l, cl_event *event) {
  if (l->task) return driver.clEnqueueTask(queue_handle, kernel_handle, l->waits, l->wait, event);
  return driver.clEnqueueNDRangeKernel(queue_handle, kernel_handle, l->dimensions, l->offset, l->global, l->local,
                                       l->waits, l->wait, event);
}

/* False: nothing to observe, or the original will say what is wrong. */
static bool count_items(const queue *q, launch *l) {
  l->items = 1;
  l->full_items = 1;
  if (l->task) return true;
  if (l->dimensions < 1 || l->dimensions > 3 || l->global == NULL) return false;
  for (cl_uint d = 0; d < l->dimensions; d++) {
    size_t local = l->local != NULL && l->local[d] ? l->local[d] : 1;
    size_t full = (l->global[d] / local + (l->global[d] % local != 0)) * local;
    if (l->local == NULL && q->non_uniform &&
        __builtin_mul_overflow(full, 2, &full)) /* the driver may choose any size */
      return false;
    if (__builtin_mul_overflow(l->items, l->global[d], &l->items) ||
        __builtin_mul_overflow(l->full_items, full, &l->full_items))
      return false;
  }
  return l->items && l->full_items <= SIZE_MAX / 4096; /* nothing runs in an empty launch */
}

static void add_pending(entry *e, cl_event event) {
  if (e->pending_count >= PENDING_CAP) entry_prune(e);
  if (e->pending_count == e->pending_capacity) {
    size_t capacity = e->pending_capacity ? e->pending_capacity * 2 : 16;
    cl_event *grown = realloc(e->pending, capacity * sizeof(cl_event));
    if (grown == NULL) return;
    e->pending = grown;
    e->pending_capacity = capacity;
  }
  if (driver.clRetainEvent(event) == CL_SUCCESS) e->pending[e->pending_count++] = event;
}

/* After an out-of-order launch: its comparison and reduction, and what reads of the flags have to wait for. */
static void follow_up(queue *q, entry *e, const place *p, const launch *l, cl_uint number, cl_event done) {
  if (p->chunk == NULL) {
    add_pending(e, done);
    return;
  }
  cl_event judged = NULL;
  if (p->planes != NULL && !planes_judge(q, e, p->planes->memory, p->memory, p->first, number, 1, &done, &judged))
    judged = NULL;
  const cl_event *before = judged != NULL ? &judged : &done;
  cl_event reduced = NULL;
  if (!reduction_enqueue(q, e, p->memory, l->full_items, 1, before, &reduced)) {
    driver.clRetainEvent(*before);
    reduced = *before;
  }
  if (judged != NULL) driver.clReleaseEvent(judged);
  if (reduced == NULL) return;
  p->chunk->reduced = reduced;
  add_pending(e, reduced);
}

/* ---- the twin ---- */

static void launched(queue *q, entry *e, const place *p, const launch *l, cl_uint number) {
  e->launches++;
  e->first = e->end == 0 || number < e->first ? number : e->first;
  e->end = number >= e->end ? number + 1 : e->end;
  announced_launch();
  evidence_watch();
  if (p->in_ring) {
    e->used = (size_t)p->first + l->full_items;
    e->unreduced++;
  }
  atomic_store(&q->dirty, true);
  uint64_t now = now_ns();
  if (!q->collected) q->collected = now;
  if (now - q->collected >= COLLECT_NS) {
    evidence_before(q, true);
    evidence_after();
  }
}

static uint64_t mix(uint64_t digest, uint64_t value) { return (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15) + 1; }

/* Drivers compile for what this digest is made of, some of them only when a kernel is launched. */
static uint64_t shape_of(const launch *l, bool direct) {
  uint64_t digest = mix(1, direct);
  for (cl_uint d = 0; d < l->dimensions; d++) {
    digest = mix(digest, l->local != NULL ? l->local[d] : l->global[d]);
    digest = mix(digest, l->offset != NULL && l->offset[d]);
    digest = mix(digest, l->global[d] > UINT16_MAX);
  }
  return digest;
}

/* Should the process die in this launch, cltestcheck knows of which kernel. */
static void announce(function *f, const launch *l, bool direct) {
  uint64_t shape = shape_of(l, direct);
  if (atomic_exchange(&f->announced, shape) == shape) return;
  exit_before_driver(true);
  evidence_compiling();
  TELL(MESSAGE_LAUNCHING, U32(f->program), U32(f->kernel));
}

/* What follows the launch of a twin on the queue. `done` is the launch where the queue keeps no order. */
static void behind(queue *q, kernel *k, entry *e, place *p, launch *l, cl_uint number, cl_event done) {
  if (form_of(k)->end != NULL) form_of(k)->end(q, k, e, p, l, done);
  if (q->out_of_order) {
    follow_up(q, e, p, l, number, done);
    if (l->event != NULL)
      *l->event = done;
    else
      driver.clReleaseEvent(done);
  } else if (p->planes != NULL) {
    planes_judge(q, e, p->planes->memory, p->memory, p->first, number, 0, NULL, NULL);
  }
  launched(q, e, p, l, number);
}

/* With both locks held. False: nothing was launched. */
static bool launch_placed(queue *q, kernel *k, entry *e, place *p, twin *t, launch *l) {
  if (!planes_place(q, k, e, l, p) || !hidden_set(k, t, e, p)) return false;
  cl_uint number = atomic_fetch_add(&k->function->launches, 1);
  cl_event done = NULL;
  announce(k->function, l, t == &k->direct);
  if (run(q->object.handle, t->kernel, l, q->out_of_order ? &done : l->event) != CL_SUCCESS) return false;
  behind(q, k, e, p, l, number, done);
  return true;
}

static bool launch_twin(queue *q, kernel *k, launch *l) {
  entry *e = queue_entry(q, k->function);
  place p = {0};
  const form_launch *f = form_of(k);
  twin *t = e != NULL ? f->begin(q, k, e, l, &p) : NULL;
  bool ran = t != NULL && launch_placed(q, k, e, &p, t, l);
  if (t != NULL && !ran && f->cancel != NULL) f->cancel(q, &p);
  hidden_buffer_release(q->context, p.own.memory); /* the driver keeps it until the launch has ended */
  return ran;
}

/* A kernel as the user wrote it. */
static cl_int run_untouched(cl_command_queue queue_handle, cl_kernel kernel_handle, const launch *l) {
  cl_int result = run(queue_handle, kernel_handle, l, l->event);
  queue *q = result == CL_SUCCESS && connection_alive() ? (queue *)object_find(OBJECT_QUEUE, queue_handle) : NULL;
  if (q != NULL && !atomic_exchange(&q->busy, true)) {
    exit_before_driver(true);
    evidence_compiling();
  }
  return result;
}

/* The original in the place of a twin that cannot run. */
static cl_int run_original(cl_command_queue queue_handle, cl_kernel kernel_handle, const kernel *k, const launch *l) {
  cl_int result = run_untouched(queue_handle, kernel_handle, l);
  if (result == CL_SUCCESS && !atomic_exchange(&k->function->noted, true)) {
    note_uninstrumented(k->function->program,
                        "kernel %s: the device refused an instrumented launch; it ran uninstrumented",
                        k->function->name);
  }
  return result;
}

/* The original, as nothing of the launch needs to be watched. */
static cl_int run_needless(queue *q, cl_kernel kernel_handle, kernel *k, const launch *l) {
  (void)atomic_fetch_add(&k->function->launches, 1); /* others say which of the kernel's launches they are */
  const cl_int result = run_untouched(q->object.handle, kernel_handle, l);
  if (result == CL_SUCCESS && form_of(k)->counts_needless) {
    pthread_mutex_lock(&q->lock);
    entry *e = queue_entry(q, k->function);
    if (e != NULL) {
      e->launches++;
      atomic_store(&q->dirty, true);
    }
    pthread_mutex_unlock(&q->lock);
  }
  return result;
}

/* The twin if there is one, else the original. */
static cl_int launch_either(cl_command_queue queue_handle, cl_kernel kernel_handle, kernel *k, launch *l) {
  queue *q = k != NULL && k->function != NULL ? (queue *)object_find(OBJECT_QUEUE, queue_handle) : NULL;
  if (q == NULL || !count_items(q, l) || !connection_alive()) return run_untouched(queue_handle, kernel_handle, l);
  pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&q->lock);
  const form_launch *f = form_of(k);
  const bool needless = !k->broken && f->is_needless != NULL && f->is_needless(k, l);
  bool ran = !k->broken && !needless && launch_twin(q, k, l);
  pthread_mutex_unlock(&q->lock);
  pthread_mutex_unlock(&k->lock);
  if (needless) return run_needless(q, kernel_handle, k, l);
  return ran ? CL_SUCCESS : run_original(queue_handle, kernel_handle, k, l);
}

/* As the mutant of the turn or of the process has it, unless the device refuses that. */
static cl_int launch_varied(cl_command_queue queue_handle, cl_kernel kernel_handle, kernel *k, launch *l) {
  variation v;
  if (!vary_begin(k, kernel_handle, l, &v)) return launch_either(queue_handle, kernel_handle, k, l);
  const cl_int result = run_untouched(queue_handle, kernel_handle, &v.launch);
  vary_end(k, kernel_handle, &v, result);
  return result == CL_SUCCESS ? result : launch_either(queue_handle, kernel_handle, k, l);
}

static cl_int enqueue(cl_command_queue queue_handle, cl_kernel kernel_handle, launch *l) {
  kernel *k = (kernel *)object_find(OBJECT_KERNEL, kernel_handle);
  if (k != NULL) exit_before_driver(false);
  observe_command();
  mapped_command();
  guard_before(k, queue_handle);
  const bool varies = observe.varies && k != NULL && k->tally != NULL;
  last_launch_begins(queue_handle, kernel_handle, l);
  cl_int result =
      varies ? launch_varied(queue_handle, kernel_handle, k, l) : launch_either(queue_handle, kernel_handle, k, l);
  if (result == CL_SUCCESS && varies) vary_tell(k, l);
  if (result == CL_SUCCESS && k != NULL && k->tally != NULL) observe_launched(k, queue_handle, l->event);
  if (result == CL_SUCCESS) {
    last_launch_made(l->event);
    guard_after(k, queue_handle);
    unnoticed_launched(kernel_handle, k);
  } else {
    last_launch_refused();
    refused_launch(kernel_handle, k, l, result);
  }
  contents_send(queue_handle, l->left);
  return result;
}

void launch_over(command *c) {
  launch l = {.dimensions = c->dimensions,
              .offset = c->start,
              .global = c->global,
              .local = c->local,
              .waits = c->waits,
              .wait = c->wait,
              .event = c->event,
              .task = c->call == CALL_clEnqueueTask};
  c->result = enqueue(c->on, c->kernel_handle, &l);
}
