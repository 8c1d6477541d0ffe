/* A list of commands that nobody has waited for; programs have few at a time. What does not fit is not known. The end
 * of a process is told early (evidence.h): what the program waits for after that is told when it does.
 *
 * An event is complete of a command that may have come before or after those of the list. So commands are counted, and
 * events are kept that were given since the list was empty: another event is that of an earlier command.
 *
 * What a command takes from the program's memory is held against a digest of when it was enqueued, at the call by which
 * the program learns that it is complete: before that it must not change. */
#include "layer/observe/unawaited.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "layer/common/command.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/memory.h"
#include "layer/observe/queue.h"
#include "wire/protocol.h"

enum { MOST = 64, EVENTS = 4096, LENT = 64, KERNELS = 32, BARRIERS = 16, PIECE = 1 << 14 };
#define LOOKED_AT ((size_t)8 << 20) /* bytes of a row that are looked at from its beginning, and from its end */

typedef struct waiting {
  const char *call;
  cl_command_queue queue;
  cl_event event;
  const unsigned char *first;
  size_t size;
  uint64_t number; /* of the command */
  bool told;       /* that the program ends */
  bool takes;      /* it takes what is there, */
  area from;
  uint64_t digest; /* and that is its digest */
  call_site site;
} waiting;

/* An event that came later. */
typedef struct later {
  cl_event event;
  uint64_t number, since; /* of its command; all before the other one are over when that is */
} later;

cl_icd_dispatch unawaited_below;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static waiting items[MOST];
static atomic_size_t count; /* changed with the lock held */
static uint64_t numbers;
static later events[EVENTS]; /* by their handles */
static size_t event_count;
static bool events_lost; /* some did not fit */
static struct {
  cl_command_queue queue;
  uint64_t number;
} barriers[BARRIERS]; /* the last one that waited for all before it, of queues that are out of order */
static area lent[LENT];
static atomic_size_t lent_count;

static void unawaited_over(command *c);

bool unawaited_start(void) {
  const bool wanted = environment_is(ENV_UNAWAITED, "1");
  if (wanted) command_over(unawaited_over, COMMAND_ALL);
  return wanted;
}

/* ---- telling, with the lock held ---- */

/* `next`: the call that has used the memory, or before which it has changed, "": the program ends. */
static void tell(const waiting *w, const char *next) {
  call_site here;
  if (next[0] == '\0' || !site_of_call(&here)) here = (call_site){.module = ""};
  TELL(MESSAGE_UNAWAITED, U64(w->number), TEXT(w->call), U64(w->size), TEXT(next), TEXT(w->site.module),
       U64(w->site.offset), U32(w->takes ? 1 : 0), TEXT(here.module), U64(here.offset));
}

static void forget_events(void) {
  if (event_count > 0) memset(events, 0, sizeof events);
  event_count = 0;
  events_lost = false;
}

static void drop(size_t i) {
  if (items[i].told) TELL(MESSAGE_AWAITED, U64(items[i].number));
  const size_t last = atomic_load(&count) - 1;
  items[i] = items[last];
  atomic_store(&count, last);
  if (last == 0) forget_events();
}

/* ---- what commands take ---- */

typedef enum { SEEN, GONE, NOT_SEEN } sight;

/* Memory that was freed may be none any more. */
static sight add_bytes(const unsigned char *from, size_t size, uint64_t *digest) {
  unsigned char piece[PIECE];
  for (size_t at = 0; at < size; at += PIECE) {
    const size_t bytes = size - at < PIECE ? size - at : PIECE;
    const struct iovec to = {piece, bytes}, of = {(void *)(uintptr_t)(from + at), bytes};
    const ssize_t got = process_vm_readv(getpid(), &to, 1, &of, 1, 0);
    if (got != (ssize_t)bytes) return got >= 0 || errno == EFAULT ? GONE : NOT_SEEN;
    *digest = *digest * 0x9E3779B97F4A7C15u + digest_short(piece, bytes);
  }
  return SEEN;
}

static sight look(const area *a, uint64_t *digest) {
  sight s = SEEN;
  *digest = 0;
  for (size_t z = 0; s == SEEN && z < a->slices; z++) {
    for (size_t y = 0; s == SEEN && y < a->rows; y++) {
      const unsigned char *row = a->first + z * a->slice_pitch + y * a->pitch;
      const bool whole = a->row <= 2 * LOOKED_AT;
      s = add_bytes(row, whole ? a->row : LOOKED_AT, digest);
      if (s == SEEN && !whole) s = add_bytes(row + a->row - LOOKED_AT, LOOKED_AT, digest);
    }
  }
  return s;
}

/* What it takes must be as it was. */
static void compare(const waiting *w, const char *call) {
  uint64_t now = 0;
  const sight s = w->takes ? look(&w->from, &now) : NOT_SEEN;
  if (s == GONE || (s == SEEN && now != w->digest)) tell(w, call);
}

static bool is_lent(const unsigned char *first, size_t size) {
  const void *svm;
  size_t bytes;
  bool any = atomic_load(&lent_count) > LENT || memory_extent(first, &svm, &bytes);
  for (size_t i = 0; !any && i < atomic_load(&lent_count); i++)
    any = first < lent[i].first + lent[i].row && lent[i].first < first + size;
  return any;
}

/* ---- what is waited for ---- */

static void add(waiting *w) {
  if (!site_of_call(&w->site)) w->site = (call_site){.module = ""};
  exit_before_driver(false);
  pthread_mutex_lock(&lock);
  if (atomic_load(&count) < MOST) {
    w->number = ++numbers;
    items[atomic_load(&count)] = *w;
    atomic_fetch_add(&count, 1);
  }
  pthread_mutex_unlock(&lock);
}

/* The command fills this memory, or takes what is there; `event`: its, NULL: the program has none. */
static void unawaited_read(const char *call, cl_command_queue on, cl_event event, const void *first, size_t size) {
  if (first != NULL && atomic_load(&count) < MOST && connection_alive())
    add(&(waiting){.call = call, .queue = on, .event = event, .first = first, .size = size});
}

static void unawaited_write(const char *call, cl_command_queue on, cl_event event, area from) {
  waiting w = {.call = call, .queue = on, .event = event, .takes = true, .from = from, .size = area_size(&from)};
  if (from.first == NULL || w.size == 0 || atomic_load(&count) >= MOST || !connection_alive()) return;
  const size_t extent = (from.slices - 1) * from.slice_pitch + (from.rows - 1) * from.pitch + from.row;
  if (!is_lent(from.first, extent) && look(&from, &w.digest) == SEEN) add(&w);
}

/* Whether what is enqueued there runs in order. */
static bool is_in_order(cl_command_queue handle) {
  const queue *q = (const queue *)object_find(OBJECT_QUEUE, handle);
  return q == NULL || !q->out_of_order;
}

/* Its place, or a free one; NULL: there is none. */
static later *place_of(cl_event event) {
  size_t at = ((uintptr_t)event >> 4) * 0x9E3779B1u % EVENTS;
  for (size_t i = 0; i < EVENTS; i++, at = (at + 1) % EVENTS)
    if (events[at].event == event || events[at].event == NULL) return &events[at];
  return NULL;
}

/* The last barrier of the queue: its number, 0: there is none. */
static uint64_t barrier_of(cl_command_queue on, uint64_t fresh) {
  size_t i = 0;
  while (i < BARRIERS && barriers[i].queue != NULL && barriers[i].queue != on) i++;
  events_lost = events_lost || (fresh > 0 && i == BARRIERS);
  if (i < BARRIERS && fresh > 0) {
    barriers[i].queue = on;
    barriers[i].number = fresh;
  }
  return i < BARRIERS ? barriers[i].number : 0;
}

/* A command was enqueued, `event` as above; `all`: it waits for all before it in its queue, `holds`: and what comes
 * after it waits for it. */
static void unawaited_enqueued(cl_command_queue on, cl_event event, bool all, bool holds) {
  if (atomic_load(&count) == 0) return;
  const bool in_order = is_in_order(on);
  pthread_mutex_lock(&lock);
  const uint64_t number = ++numbers, held = barrier_of(on, all && holds && !in_order ? number : 0);
  later *l = event == NULL || event_count > EVENTS / 2 ? NULL : place_of(event);
  if (l != NULL) {
    event_count += l->event == NULL ? 1 : 0;
    *l = (later){event, number, in_order || all ? number : held};
  }
  events_lost = events_lost || (event != NULL && l == NULL);
  pthread_mutex_unlock(&lock);
}

/* An event that none of our calls has given may be one of a command that came after. */
static bool may_be_unseen(cl_event event) {
  cl_command_type type = 0;
  return driver.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
         type < CL_COMMAND_NDRANGE_KERNEL || (type > CL_COMMAND_MARKER && type < CL_COMMAND_READ_BUFFER_RECT) ||
         type == CL_COMMAND_USER || type > CL_COMMAND_SVM_UNMAP;
}

/* All of its queue is over that came before this number. */
static uint64_t over_with(cl_event event, bool unseen) {
  const later *l = place_of(event);
  return l != NULL && l->event == event ? l->since : events_lost || unseen ? UINT64_MAX : 0;
}

typedef void(for_item)(size_t i, const char *call);

static void drop_it(size_t i, const char *call) {
  (void)call;
  drop(i);
}

static void compare_it(size_t i, const char *call) { compare(&items[i], call); }

static void compare_and_drop(size_t i, const char *call) {
  compare_it(i, call);
  drop(i);
}

/* Of a queue all that came before the number, and the command of an event. */
static void each(cl_command_queue on, uint64_t before, cl_event event, for_item *f, const char *call) {
  for (size_t i = atomic_load(&count); i-- > 0;)
    if ((on != NULL && items[i].queue == on && items[i].number < before) || (event != NULL && items[i].event == event))
      f(i, call);
}

/* Who waits for whom after that is not followed, but in the queue `but` the host learns nothing by it. */
static void each_of(cl_uint event_number, const cl_event *list, cl_command_queue but, for_item *f, const char *call) {
  for (cl_uint i = 0; atomic_load(&count) > 0 && list != NULL && i < event_number; i++) {
    cl_command_queue on = NULL;
    driver.clGetEventInfo(list[i], CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &on, NULL);
    const bool unseen = may_be_unseen(list[i]);
    pthread_mutex_lock(&lock);
    const uint64_t before = over_with(list[i], unseen);
    each(on != but || but == NULL ? on : NULL, before, list[i], f, call);
    pthread_mutex_unlock(&lock);
  }
}

static void each_on(cl_command_queue on, for_item *f, const char *call) {
  if (atomic_load(&count) > 0) {
    pthread_mutex_lock(&lock);
    each(on, UINT64_MAX, NULL, f, call);
    pthread_mutex_unlock(&lock);
  }
}

/* `call` begins, after which the program knows that all of a queue (NULL: none) or these events are complete. */
static void unawaited_before(const char *call, cl_command_queue on, cl_uint event_number, const cl_event *list) {
  each_on(on, compare_it, call);
  each_of(event_number, list, NULL, compare_it, call);
}

/* It has waited for all of a queue, for events, or knows that they are complete. */
static void unawaited_finished(cl_command_queue on) { each_on(on, drop_it, ""); }

static void unawaited_waited(cl_uint event_number, const cl_event *list) {
  each_of(event_number, list, NULL, drop_it, "");
}

/* Somebody else waits for these events: a command of a queue, or (NULL) a callback. */
static void unawaited_handed(const char *call, cl_command_queue to, cl_uint event_number, const cl_event *list) {
  each_of(event_number, list, to, compare_and_drop, call);
}

/* ---- what is done with the memory ---- */

/* But by commands of this queue, if it is in order. */
static void use(const char *call, cl_command_queue but, const void *first, size_t size) {
  const unsigned char *from = first;
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;) {
    const waiting *w = &items[i];
    const bool ordered = w->queue == but && is_in_order(but);
    if (!ordered && !w->takes && (uintptr_t)from < (uintptr_t)w->first + w->size &&
        (uintptr_t)w->first < (uintptr_t)from + size) {
      tell(w, call);
      drop(i);
    }
  }
  pthread_mutex_unlock(&lock);
}

/* A call reads or writes this memory at once, or by a command in a queue that waits for no event. */
static void unawaited_used(const char *call, const void *first, size_t size) {
  if (atomic_load(&count) > 0 && first != NULL && size > 0) use(call, NULL, first, size);
}

/* What waits for an event may wait for the command by that. */
static void unawaited_given(const char *call, cl_command_queue on, const void *first, size_t size, cl_uint waits) {
  if (atomic_load(&count) > 0 && first != NULL && size > 0 && waits == 0) use(call, on, first, size);
}

/* A command that comes from now on may change memory of the program that others take, which is right. */
static void unawaited_changes(const char *call) {
  if (atomic_load(&count) > 0) {
    pthread_mutex_lock(&lock);
    for (size_t i = atomic_load(&count); i-- > 0;)
      if (items[i].takes) compare_and_drop(i, call);
    pthread_mutex_unlock(&lock);
  }
}

/* Kernels may change this memory (NULL: it is not known which). */
static void unawaited_lent(const void *first, size_t size) {
  pthread_mutex_lock(&lock);
  const size_t at = atomic_load(&lent_count);
  if (first != NULL && at < LENT) lent[at] = (area){.first = first, .row = size};
  atomic_store(&lent_count, first != NULL && at <= LENT ? at + 1 : LENT + 1);
  pthread_mutex_unlock(&lock);
}

/* The mapping to this pointer ends. */
static void unawaited_unmapped(const void *pointer) {
  if (atomic_load(&count) == 0) return;
  pthread_mutex_lock(&lock);
  for (size_t i = atomic_load(&count); i-- > 0;)
    if ((const void *)items[i].first == pointer) drop(i);
  pthread_mutex_unlock(&lock);
}

/* ---- kernels that several threads use ---- */

/* A call that sets an argument of a kernel or launches it, and one that met it. */
static struct {
  cl_kernel kernel; /* NULL: none */
  const char *call, *met;
  call_site where; /* of the latter */
} under_way[KERNELS];
static cl_kernel told_kernels[KERNELS];
static size_t told_count;

static bool sets(const char *call) { return strncmp(call, "clSet", 5) == 0; }

/* A call sets an argument of the kernel or launches it; gives what is to be handed over when it has done so. Two at the
 * same time, one of which sets an argument, are a race. */
static int unawaited_kernel(const char *call, cl_kernel kernel) {
  int at = -1;
  pthread_mutex_lock(&lock);
  bool told = told_count == KERNELS;
  for (size_t i = 0; i < told_count; i++) told = told || told_kernels[i] == kernel;
  for (int i = 0; i < KERNELS && kernel != NULL; i++) {
    if (under_way[i].kernel == kernel && !told && (sets(call) || sets(under_way[i].call))) {
      told_kernels[told_count++] = kernel;
      told = true;
      under_way[i].met = call;
      if (!site_of_call(&under_way[i].where)) under_way[i].where = (call_site){.module = ""};
    }
    at = at < 0 && under_way[i].kernel == NULL ? i : at;
  }
  if (at >= 0) {
    under_way[at].kernel = kernel;
    under_way[at].call = call;
    under_way[at].met = NULL;
  }
  pthread_mutex_unlock(&lock);
  return at;
}

/* The stack is that of the call which was there first. */
static void unawaited_kernel_done(int at) {
  char name[128] = "", words[192];
  if (at < 0) return;
  pthread_mutex_lock(&lock);
  if (under_way[at].met != NULL) {
    driver.clGetKernelInfo(under_way[at].kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    (void)snprintf(words, sizeof words, "%s of kernel %s", under_way[at].call, name);
    tell(&(waiting){.call = under_way[at].met, .takes = true, .site = under_way[at].where}, words);
  }
  under_way[at].kernel = NULL;
  pthread_mutex_unlock(&lock);
}

void unawaited_send(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < atomic_load(&count); i++) {
    if (!items[i].told && !items[i].takes) {
      tell(&items[i], "");
      items[i].told = true;
    }
  }
  pthread_mutex_unlock(&lock);
}

void unawaited_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  atomic_store(&count, 0);
  memset(under_way, 0, sizeof under_way);
  forget_events();
}

/* ---- the calls by which a program reads without blocking, waits, and uses memory: each does what it did, and says so ---- */

#define BELOW unawaited_below

/* One that reads or writes. Of reads of rectangles and images only the end of the program is looked at. */
static void transfer(command *c) {
  const bool reads = c->kind == COMMAND_READ, last = c->blocking && is_in_order(c->on);
  unawaited_handed(c->name, c->on, c->waits, c->wait);
  unawaited_given(c->name, c->on, reads ? c->pointer : c->source, c->size, c->waits);
  unawaited_before(c->name, last ? c->on : NULL, 0, NULL);
  if (reads) unawaited_changes(c->name);
  command_below(c);
  if (!command_worked(c)) return;
  if (last)
    unawaited_finished(c->on);
  else if (!c->blocking && reads)
    unawaited_read(c->name, c->on, command_event(c), command_maps(c) ? c->mapped : c->pointer, c->size);
  else if (!c->blocking)
    unawaited_write(c->name, c->on, command_event(c), command_area(c));
  unawaited_enqueued(c->on, command_event(c), false, false);
}

/* By its name: without a list a marker and a barrier wait for all; functions of the program may change anything. */
static void other(command *c) {
  const bool holds = strstr(c->name, "Barrier") != NULL, waits = holds || strstr(c->name, "Marker") != NULL;
  unawaited_handed(c->name, c->on, c->waits, c->wait);
  if (c->kind == COMMAND_UNMAP || c->call == CALL_clEnqueueNativeKernel) unawaited_changes(c->name);
  if (c->kind == COMMAND_UNMAP) unawaited_unmapped(c->pointer);
  const int at = c->kind == COMMAND_UNMAP ? -1 : unawaited_kernel(c->name, c->kernel_handle);
  command_below(c);
  unawaited_kernel_done(at);
  if (command_worked(c)) unawaited_enqueued(c->on, command_event(c), waits && c->waits == 0, holds);
}

static void unawaited_over(command *c) {
  if (c->kind == COMMAND_READ || c->kind == COMMAND_WRITE)
    transfer(c);
  else
    other(c);
}

static cl_int CL_API_CALL own_clFinish(cl_command_queue handle) {
  unawaited_before("clFinish", handle, 0, NULL);
  const cl_int result = BELOW.clFinish(handle);
  if (result == CL_SUCCESS) unawaited_finished(handle);
  return result;
}

static cl_int CL_API_CALL own_clWaitForEvents(cl_uint event_number, const cl_event *list) {
  unawaited_before("clWaitForEvents", NULL, event_number, list);
  const cl_int result = BELOW.clWaitForEvents(event_number, list);
  unawaited_waited(event_number, list);
  return result;
}

/* Who asks for the state waits, in a way. */
static cl_int CL_API_CALL own_clGetEventInfo(cl_event event, cl_event_info name, size_t bytes, void *value,
                                             size_t *size_ret) {
  const cl_int result = BELOW.clGetEventInfo(event, name, bytes, value, size_ret);
  if (result == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL &&
      *(cl_int *)value == CL_COMPLETE) {
    unawaited_before("clGetEventInfo", NULL, 1, &event);
    unawaited_waited(1, &event);
  }
  return result;
}

static cl_int CL_API_CALL own_clSetEventCallback(cl_event event, cl_int status, event_notify notify, void *user_data) {
  unawaited_handed("clSetEventCallback", NULL, 1, &event);
  return BELOW.clSetEventCallback(event, status, notify, user_data);
}

/* Those that have a parameter of this name hide it. */
static const size_t size = 0;
#pragma GCC diagnostic ignored "-Wshadow"

#define ARGUMENT(type, name, parameters, arguments) \
  static type CL_API_CALL own_##name parameters {   \
    unawaited_used(#name, value, size);             \
    const int at = unawaited_kernel(#name, handle); \
    const type result = BELOW.name arguments;       \
    unawaited_kernel_done(at);                      \
    return result;                                  \
  }
CALLS_ARGUMENTS(ARGUMENT)

/* Memory of the program's own that kernels use. */
#define CREATE(type, name, parameters, arguments)          \
  static type CL_API_CALL own_##name parameters {          \
    unawaited_used(#name, data, size);                     \
    type result = BELOW.name arguments;                    \
    if (result != NULL && (flags & CL_MEM_USE_HOST_PTR)) { \
      unawaited_lent(size > 0 ? data : NULL, size);        \
    }                                                      \
    return result;                                         \
  }
CALLS_MADE(CREATE)

#define ROW(type, name, parameters, arguments) CALL(name, own_##name),
const guest_call unawaited_calls[] = {
    CALL(clFinish, own_clFinish), CALL(clWaitForEvents, own_clWaitForEvents), CALL(clGetEventInfo, own_clGetEventInfo),
    CALL(clSetEventCallback, own_clSetEventCallback), CALLS_ARGUMENTS(ROW) CALLS_MADE(ROW){NULL, 0, NULL}};
