/* Commands that race: which of them are in order, which touch the same memory, and the findings of both. */
#include "proofs/order/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/rules.h"
#include "detectors/memory/decoder.h"
#include "proofs/order/access.h"
#include "runner/call_places.h"

/* --- what is in order --------------------------------------------------------------------------------------------- */

/* A command comes before another one if it is over before that one begins, in every run of the program as its host made these
 * calls. What the host knows to be over comes before all that it enqueues from then on, in whichever thread: how threads of the
 * host wait for each other is not seen, and the order in which they made their calls is taken for meant. A queue or an event
 * that is not known puts everything in order.
 *
 * Vector clocks over lanes. A lane is a row of commands of which each is over before the next one begins: an in-order
 * queue is one, another queue has as many as commands in it can run at once. */

enum { LANES_MOST = 256 }; /* of a queue; beyond that commands that could run at once are taken for ordered */

/* Of each lane, how many commands from its beginning are over. */
typedef struct clock_of {
  uint32_t *over;
  size_t count, capacity;
} clock_of;

typedef struct lane {
  uint32_t queue;
  uint32_t last; /* commands in it */
} lane;

typedef struct event_state {
  bool known; /* it is known what comes before it: it was given by a command that was taken, or set by the host */
  clock_of done;
} event_state;

typedef struct queue_state {
  clock_of all;  /* what is over when all of its commands so far are */
  clock_of base; /* what every command waits for that comes from now on */
  size_t lanes;
  size_t waiting, waiting_barriers; /* commands in it that are not taken yet */
} queue_state;

struct order;

/* Called for each call that enqueues a command, once all that comes before the command is known; those of one queue in
 * their order. A command that waits for an event that is never set never runs, and is left out. */
typedef void (*order_take)(void *context, const struct order *o, size_t call);

typedef struct order {
  const capture *capture;
  order_take take;
  void *context;
  clock_of host; /* what the host knows to be over */
  clock_of now;  /* what is over when the command begins that is being taken */
  lane *lanes;
  size_t lane_count, lane_capacity;
  queue_state *queues;
  event_state *events;
  struct { /* one a call */
    uint32_t lane, tick;
  } * at;
  size_t *waiting; /* calls whose commands wait for events that are not known yet, in order */
  size_t waiting_count, waiting_capacity;
} order;

/* --- clocks ------------------------------------------------------------------------------------------------------- */

static uint32_t over_in(const clock_of *c, size_t in) { return in < c->count ? c->over[in] : 0; }

static void raise_to(clock_of *c, size_t in, uint32_t to) {
  while (c->count <= in) *ARRAY_ADD(c->over, c->count, c->capacity) = 0;
  c->over[in] = c->over[in] > to ? c->over[in] : to;
}

static void join(clock_of *to, const clock_of *from) {
  for (size_t i = 0; i < from->count; i++)
    if (from->over[i] > 0) raise_to(to, i, from->over[i]);
}

/* --- what a command waits for ------------------------------------------------------------------------------------- */

static bool in_order(const order *o, const capture_call *c) { return o->capture->queues[c->queue].in_order; }

/* A marker or barrier without a list waits for all that is in the queue. */
static bool waits_for_all(const capture_call *c) {
  return (c->function == FUNCTION_MARKER || c->function == FUNCTION_BARRIER) && c->wait_count == 0;
}

static bool must_wait(const order *o, const capture_call *c) {
  if (c->queue != CAPTURE_NONE) {
    const queue_state *q = &o->queues[c->queue];
    if (q->waiting_barriers > 0 || (q->waiting > 0 && (in_order(o, c) || waits_for_all(c)))) return true;
  }
  for (size_t i = 0; i < c->wait_count; i++)
    if (c->waits[i] != CAPTURE_NONE && !o->events[c->waits[i]].known) return true;
  return false;
}

static void join_everything(order *o) {
  for (size_t i = 0; i < o->lane_count; i++) raise_to(&o->now, i, o->lanes[i].last);
}

static void find_before(order *o, const capture_call *c) {
  o->now.count = 0;
  join(&o->now, &o->host);
  if (c->queue == CAPTURE_NONE) {
    join_everything(o);
  } else {
    const queue_state *q = &o->queues[c->queue];
    join(&o->now, in_order(o, c) || waits_for_all(c) ? &q->all : &q->base);
  }
  for (size_t i = 0; i < c->wait_count; i++)
    if (c->waits[i] == CAPTURE_NONE)
      join_everything(o);
    else
      join(&o->now, &o->events[c->waits[i]].done);
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static uint32_t add_lane(order *o, uint32_t queue) {
  *ARRAY_ADD(o->lanes, o->lane_count, o->lane_capacity) = (lane){.queue = queue};
  if (queue != CAPTURE_NONE) o->queues[queue].lanes++;
  return (uint32_t)(o->lane_count - 1);
}

/* A lane of the queue whose last command is over when this one begins. */
static uint32_t find_lane(order *o, uint32_t queue) {
  uint32_t other = CAPTURE_NONE;
  for (uint32_t i = 0; i < o->lane_count; i++) {
    if (o->lanes[i].queue == queue) {
      if (over_in(&o->now, i) == o->lanes[i].last) return i;
      other = other == CAPTURE_NONE ? i : other;
    }
  }
  if (queue == CAPTURE_NONE || o->queues[queue].lanes < LANES_MOST) return add_lane(o, queue);
  raise_to(&o->now, other, o->lanes[other].last);
  return other;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void order_take_command(order *o, size_t index) {
  const capture_call *c = &o->capture->calls[index];
  find_before(o, c);
  const uint32_t in = find_lane(o, c->queue);
  o->at[index].lane = in;
  o->at[index].tick = ++o->lanes[in].last;
  o->take(o->context, o, index);
  raise_to(&o->now, in, o->lanes[in].last);
  if (c->queue != CAPTURE_NONE) {
    queue_state *q = &o->queues[c->queue];
    join(&q->all, &o->now);
    if (c->function == FUNCTION_BARRIER) join(&q->base, &o->now);
  }
  if (c->event != CAPTURE_NONE) {
    join(&o->events[c->event].done, &o->now);
    o->events[c->event].known = true;
  }
  if (c->blocking) join(&o->host, &o->now);
}

static void enqueue(order *o, size_t index) {
  if (must_wait(o, &o->capture->calls[index])) {
    *ARRAY_ADD(o->waiting, o->waiting_count, o->waiting_capacity) = index;
    if (o->capture->calls[index].queue != CAPTURE_NONE) {
      o->queues[o->capture->calls[index].queue].waiting++;
      o->queues[o->capture->calls[index].queue].waiting_barriers +=
          o->capture->calls[index].function == FUNCTION_BARRIER ? 1 : 0;
    }
  } else {
    order_take_command(o, index);
  }
}

/* An event was set: what waited for it goes on, in the order of its calls. */
static void go_on(order *o) {
  const size_t count = o->waiting_count;
  for (uint32_t i = 0; i < o->capture->queue_count; i++) o->queues[i].waiting = o->queues[i].waiting_barriers = 0;
  o->waiting_count = 0;
  for (size_t i = 0; i < count; i++) /* those that still wait take places that were read already */
    enqueue(o, o->waiting[i]);
}

static void set_event(order *o, const capture_call *c) {
  for (size_t i = 0; i < c->wait_count; i++) {
    event_state *s = c->waits[i] == CAPTURE_NONE ? NULL : &o->events[c->waits[i]];
    if (s != NULL && !s->known) {
      s->known = true;
      join(&s->done, &o->host);
      go_on(o);
    }
  }
}

/* What the host knows now. */
static void learn(order *o, const capture_call *c) {
  if (c->function == FUNCTION_FINISH && c->queue != CAPTURE_NONE) join(&o->host, &o->queues[c->queue].all);
  for (size_t i = 0; i < c->wait_count; i++)
    if (c->waits[i] != CAPTURE_NONE && o->events[c->waits[i]].known) join(&o->host, &o->events[c->waits[i]].done);
}

static void take_call(order *o, size_t index) {
  const capture_call *c = &o->capture->calls[index];
  if (c->function <= FUNCTION_BARRIER)
    enqueue(o, index);
  else if (c->function == FUNCTION_SET_EVENT)
    set_event(o, c);
  else if (c->function != FUNCTION_USER_EVENT)
    learn(o, c);
}

/* Whether there can be two commands that no order is between. */
static bool order_is_open(const capture *c) {
  bool open = c->queue_count > 1;
  for (size_t i = 0; i < c->queue_count; i++) open = open || !c->queues[i].in_order;
  for (size_t i = 0; i < c->call_count; i++) /* between the two the host has the memory */
    open = open || c->calls[i].function == FUNCTION_MAP || c->calls[i].function == FUNCTION_MAP_IMAGE;
  return open;
}

static void order_walk(const capture *c, order_take take, void *context) {
  size_t events = 0;
  for (size_t i = 0; i < c->call_count; i++) events += c->calls[i].event == CAPTURE_NONE ? 0 : 1;
  order o = {.capture = c, .take = take, .context = context};
  o.queues = mem_calloc(c->queue_count + 1, sizeof *o.queues);
  o.events = mem_calloc(events + 1, sizeof *o.events);
  o.at = mem_calloc(c->call_count + 1, sizeof *o.at);
  for (size_t i = 0; i < c->call_count; i++) take_call(&o, i);
  for (size_t i = 0; i < c->queue_count; i++) {
    free(o.queues[i].all.over);
    free(o.queues[i].base.over);
  }
  for (size_t i = 0; i < events; i++) free(o.events[i].done.over);
  free(o.host.over);
  free(o.now.over);
  free(o.lanes);
  free(o.queues);
  free(o.events);
  free(o.at);
  free(o.waiting);
}

/* In `take`: whether the command of a call that was taken before is over when this one begins; */
static bool order_before(const order *o, size_t earlier) {
  return over_in(&o->now, o->at[earlier].lane) >= o->at[earlier].tick;
}

/* … and whether the host knows that, so that it holds for all that comes. */
static bool order_over(const order *o, size_t earlier) {
  return over_in(&o->host, o->at[earlier].lane) >= o->at[earlier].tick;
}

/* --- accesses of each memory, compared with those of commands that are not over ----------------------------------- */

/* --- words -------------------------------------------------------------------------------------------------------- */

typedef struct overlap_words {
  const access_reader *reader;
  uint32_t *number; /* by call: which one of its function (launches: of its kernel) it is, from 1 */
  bool threads;     /* there are several */
} overlap_words;

/* Races with the same key are told of once: those of two functions, or kernels and their parameters. */
typedef struct overlap_key {
  capture_function function[2];
  const char *kernel[2]; /* "": no launch */
  uint32_t index[2];
  touch_kind kind[2];
  bool mapped;
} overlap_key;

static const char *const functions[FUNCTION_KINDS] = {
    [FUNCTION_LAUNCH] = "clEnqueueNDRangeKernel",
    [FUNCTION_TASK] = "clEnqueueTask",
    [FUNCTION_WRITE] = "clEnqueueWriteBuffer",
    [FUNCTION_WRITE_RECT] = "clEnqueueWriteBufferRect",
    [FUNCTION_WRITE_IMAGE] = "clEnqueueWriteImage",
    [FUNCTION_READ] = "clEnqueueReadBuffer",
    [FUNCTION_READ_RECT] = "clEnqueueReadBufferRect",
    [FUNCTION_READ_IMAGE] = "clEnqueueReadImage",
    [FUNCTION_FILL] = "clEnqueueFillBuffer",
    [FUNCTION_FILL_IMAGE] = "clEnqueueFillImage",
    [FUNCTION_COPY] = "clEnqueueCopyBuffer",
    [FUNCTION_COPY_RECT] = "clEnqueueCopyBufferRect",
    [FUNCTION_COPY_IMAGE] = "clEnqueueCopyImage",
    [FUNCTION_COPY_IMAGE_TO_BUFFER] = "clEnqueueCopyImageToBuffer",
    [FUNCTION_COPY_BUFFER_TO_IMAGE] = "clEnqueueCopyBufferToImage",
    [FUNCTION_MAP] = "clEnqueueMapBuffer",
    [FUNCTION_MAP_IMAGE] = "clEnqueueMapImage",
    [FUNCTION_UNMAP] = "clEnqueueUnmapMemObject",
};

static const char *const access_names[TOUCH_KINDS] = {"read", "write", "atomic"};

/* --- calls --------------------------------------------------------------------------------------------------------- */

static bool launches(const capture_call *c) { return c->function == FUNCTION_LAUNCH || c->function == FUNCTION_TASK; }

static const made_launch *launch_of(const overlap_words *w, const capture_call *c) {
  const size_t number = launches(c) ? w->reader->launch_of[c->command] : SIZE_MAX;
  return number == SIZE_MAX ? NULL : &w->reader->made->launches[number];
}

static const char *kernel_of(const overlap_words *w, const capture_call *c) {
  const made_launch *l = launch_of(w, c);
  return l == NULL ? "" : l->kernel;
}

typedef struct counted {
  capture_function function; /* 0: launches */
  const char *kernel;
  uint32_t count;
} counted;

static void overlap_words_begin(overlap_words *w, const access_reader *r) {
  const capture *c = r->capture;
  *w = (overlap_words){.reader = r, .number = mem_calloc(c->call_count + 1, sizeof *w->number)};
  counted *all = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->call_count; i++) {
    const char *kernel = kernel_of(w, &c->calls[i]);
    const capture_function function = launches(&c->calls[i]) ? (capture_function)0 : c->calls[i].function;
    size_t k = 0;
    while (k < count && (all[k].function != function || strcmp(all[k].kernel, kernel) != 0)) k++;
    if (k == count) *ARRAY_ADD(all, count, capacity) = (counted){function, kernel, 0};
    w->number[i] = ++all[k].count;
    w->threads = w->threads || c->calls[i].thread > 0;
  }
  free(all);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static void set_key(const overlap_words *w, overlap_key *to, int side, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  to->function[side] = c->function;
  to->kernel[side] = kernel_of(w, c);
  to->index[side] = a->index;
  to->kind[side] = a->kind;
}

static overlap_key overlap_key_of(const overlap_words *w, const command_access *first, const command_access *second) {
  overlap_key key;
  set_key(w, &key, 0, first);
  set_key(w, &key, 1, second);
  return key;
}

static bool same_side(const overlap_key *a, int i, const overlap_key *b, int k) {
  return a->function[i] == b->function[k] && a->index[i] == b->index[k] && a->kind[i] == b->kind[k] &&
         strcmp(a->kernel[i], b->kernel[k]) == 0;
}

/* In a loop the one comes first as well as the other. */
static bool overlap_same_key(const overlap_key *a, const overlap_key *b) {
  return a->mapped == b->mapped &&
         ((same_side(a, 0, b, 0) && same_side(a, 1, b, 1)) || (same_side(a, 0, b, 1) && same_side(a, 1, b, 0)));
}

/* --- sides --------------------------------------------------------------------------------------------------------- */

static db_command command_of(const overlap_words *w, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  const uint32_t root = w->reader->made->objects[a->object].root;
  return (db_command){.function = functions[c->function],
                      .kernel = mem_strdup(kernel_of(w, c)),
                      .number = w->number[a->call],
                      .queue = c->queue + 1,
                      .in_order = w->reader->capture->queues[c->queue].in_order,
                      .thread = w->threads ? c->thread + 1 : 0,
                      .memory = root + 1,
                      .access = access_names[a->kind],
                      .parameter = mem_strdup(a->parameter == NULL ? "" : a->parameter->name),
                      .mapped = a->host,
                      .sure = a->sure};
}

static overlap_side side_of(const overlap_words *w, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  const made_launch *l = launch_of(w, c);
  buffer call = {0};
  put_call_place(c->module, c->place, &call);
  overlap_side s = {
      .command = command_of(w, a), .source = l == NULL ? SIZE_MAX : l->source, .call = buffer_take(&call)};
  if (a->parameter != NULL) {
    const touched_place *at = &a->parameter->at[a->kind];
    s.file = at->file == NULL ? NULL : mem_strdup(at->file);
    s.line = at->line;
    s.column = at->column;
  }
  return s;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* All but its count. */
static overlap overlap_of(const overlap_words *w, const command_access *first, const command_access *second,
                          bool definite, bool mapped) {
  const made_object *o = &w->reader->made->objects[w->reader->made->objects[first->object].root];
  return (overlap){.first = side_of(w, first),
                   .second = side_of(w, second),
                   .image = o->image,
                   .size = o->size,
                   .low = first->low > second->low ? first->low : second->low,
                   .high = first->high < second->high ? first->high : second->high,
                   .definite = definite,
                   .mapped = mapped};
}

static void free_side(overlap_side *s) {
  free(s->call);
  free((void *)s->command.kernel);
  free((void *)s->command.parameter);
  free(s->file);
}

static void overlap_free(overlap *o) {
  free_side(&o->first);
  free_side(&o->second);
}

enum { KEPT_MOST = 4096 }; /* accesses of one memory that are compared with later ones */

/* A mapping that has not ended. */
typedef struct mapping {
  command_access access;
  uint32_t memory;
} mapping;

/* Two sides that were told of. */
typedef struct told {
  overlap_key key;
  size_t number; /* of the overlap */
} told;

typedef struct finding_overlaps {
  access_reader reader;
  overlap_words words;
  accesses *kept; /* one list a memory: of commands that may not be over */
  accesses now;   /* of the command that begins */
  mapping *mappings;
  size_t mapping_count, mapping_capacity;
  told *told;
  size_t told_count, told_capacity;
  overlaps *to;
} finding_overlaps;

/* --- two accesses -------------------------------------------------------------------------------------------------- */

static bool conflict(const command_access *a, const command_access *b) {
  const bool writes = a->kind != TOUCH_READ || b->kind != TOUCH_READ;
  const bool both_atomic = a->kind == TOUCH_ATOMIC && b->kind == TOUCH_ATOMIC;
  return writes && !both_atomic && a->low < b->high && b->low < a->high;
}

/* All that `a` may touch `b` touches for certain. */
static bool covers(const command_access *b, const command_access *a) {
  return b->sure && b->sure_low < b->sure_high && b->sure_low <= a->low && b->sure_high >= a->high;
}

static bool is_definite(const command_access *a, const command_access *b) {
  const bool meet = a->sure && b->sure && a->sure_low < b->sure_high && b->sure_low < a->sure_high &&
                    a->sure_low < a->sure_high && b->sure_low < b->sure_high;
  return meet || (a->sure && covers(b, a)) || (b->sure && covers(a, b));
}

/* Whatever races with `a` from now on races with `b`, which came later, as well. */
static bool stands_for(const command_access *b, const command_access *a) {
  const bool as_strong = b->kind == a->kind || b->kind == TOUCH_WRITE;
  const bool as_wide = b->low <= a->low && b->high >= a->high;
  const bool as_sure =
      !a->sure ||
      (b->sure && (a->sure_low >= a->sure_high || (b->sure_low <= a->sure_low && b->sure_high >= a->sure_high)));
  return as_strong && as_wide && as_sure && a->host == b->host;
}

/* --- telling ------------------------------------------------------------------------------------------------------- */

static void tell(finding_overlaps *f, const command_access *first, const command_access *second, bool mapped) {
  const bool definite = is_definite(first, second);
  overlap_key key = overlap_key_of(&f->words, first, second);
  key.mapped = mapped;
  if (mapped) /* one finding of a kernel that reads and writes */
    key.kind[0] = key.kind[1] = TOUCH_WRITE;
  size_t i = 0;
  while (i < f->told_count && !overlap_same_key(&f->told[i].key, &key)) i++;
  const bool first_time = i == f->told_count;
  if (first_time) {
    *ARRAY_ADD(f->told, f->told_count, f->told_capacity) = (told){key, f->to->count};
    (void)ARRAY_ADD(f->to->items, f->to->count, f->to->capacity);
  }
  overlap *o = &f->to->items[f->told[i].number];
  const uint64_t count = o->count + 1;
  if (first_time || (definite && !o->definite)) { /* that says more */
    overlap_free(o);
    *o = overlap_of(&f->words, first, second, definite, mapped);
  }
  o->count = count;
}

/* --- commands ------------------------------------------------------------------------------------------------------ */

static uint32_t memory_of(const finding_overlaps *f, const command_access *a) {
  return f->reader.made->objects[a->object].root;
}

/* Compares with what may still run, and keeps the access for later ones. `own`: the mapping that the command ends. */
static void compare_kept(finding_overlaps *f, const order *o, const command_access *a, size_t own) {
  accesses *kept = &f->kept[memory_of(f, a)];
  size_t left = 0;
  for (size_t i = 0; i < kept->count; i++) {
    const command_access *k = &kept->items[i];
    if (order_over(o, k->call) && k->call != a->call) continue;
    const bool before = k->call == a->call || order_before(o, k->call);
    const bool known = own != SIZE_MAX && k->call <= own; /* it was compared with the mapping's beginning */
    if (!before && !known && conflict(k, a)) tell(f, k, a, false);
    if (!before || k->call == a->call || !stands_for(a, k)) kept->items[left++] = *k;
  }
  kept->count = left;
  if (kept->count == KEPT_MOST) {
    memmove(kept->items, kept->items + 1, (kept->count - 1) * sizeof *kept->items);
    kept->count--;
  }
  *ARRAY_ADD(kept->items, kept->count, kept->capacity) = *a;
}

/* Commands that begin while the host has the memory, though they are ordered after the mapping's beginning. */
static void compare_mapped(finding_overlaps *f, const order *o, const command_access *a) {
  for (size_t i = 0; i < f->mapping_count; i++) {
    const mapping *m = &f->mappings[i];
    if (m->memory == memory_of(f, a) && !a->host && order_before(o, m->access.call) && conflict(&m->access, a))
      tell(f, &m->access, a, true);
  }
}

/* The first mapping of the same region: its call; SIZE_MAX: there is none. */
static size_t end_mapping(finding_overlaps *f, const capture_call *c) {
  size_t own = SIZE_MAX;
  for (size_t i = 0; i < f->mapping_count && own == SIZE_MAX; i++) {
    const size_t call = f->mappings[i].access.call;
    const capture_call *begun = &f->reader.capture->calls[call];
    if (begun->memory == c->memory && begun->offset == c->offset && begun->size == c->size &&
        begun->flags == c->flags) {
      f->mappings[i] = f->mappings[--f->mapping_count];
      own = call;
    }
  }
  return own;
}

static void take_command(void *context, const order *o, size_t call) {
  finding_overlaps *f = context;
  const capture_call *c = &f->reader.capture->calls[call];
  f->now.count = 0;
  accesses_of(&f->reader, call, &f->now);
  const size_t own = c->function == FUNCTION_UNMAP ? end_mapping(f, c) : SIZE_MAX;
  for (size_t i = 0; i < f->now.count; i++) {
    compare_mapped(f, o, &f->now.items[i]);
    compare_kept(f, o, &f->now.items[i], own);
  }
  if (c->function == FUNCTION_MAP || c->function == FUNCTION_MAP_IMAGE) {
    for (size_t i = 0; i < f->now.count; i++) {
      *ARRAY_ADD(f->mappings, f->mapping_count, f->mapping_capacity) =
          (mapping){f->now.items[i], memory_of(f, &f->now.items[i])};
    }
  }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

void overlaps_find(const capture *c, const run_made *m, const asked_source *sources, size_t source_count,
                   overlaps *to) {
  if (!order_is_open(c)) return;
  footprints all = footprints_read(c, m, sources, source_count);
  size_t *launch_of = mem_calloc(c->command_count + 1, sizeof *launch_of);
  for (size_t i = 0; i < c->command_count; i++) launch_of[i] = SIZE_MAX;
  for (size_t i = 0; i < m->launch_count; i++) launch_of[m->launches[i].command] = i;
  finding_overlaps f = {.reader = {c, m, &all, launch_of}, .to = to};
  f.kept = mem_calloc(m->object_count + 1, sizeof *f.kept);
  overlap_words_begin(&f.words, &f.reader);
  order_walk(c, take_command, &f);
  free(f.words.number);
  for (size_t i = 0; i < m->object_count; i++) free(f.kept[i].items);
  free(f.kept);
  free(f.now.items);
  free(f.mappings);
  free(f.told);
  free(launch_of);
  footprints_free(&all);
}

void overlaps_free(overlaps *o) {
  for (size_t i = 0; i < o->count; i++) overlap_free(&o->items[i]);
  free(o->items);
  *o = (overlaps){0};
}

/* --- keeping ------------------------------------------------------------------------------------------------------ */

size_t overlap_source(const overlap *o) { return o->first.source != SIZE_MAX ? o->first.source : o->second.source; }

/* A place of the other source is not the finding's. */
static void add_place(const kept_source *k, const overlap *o, const overlap_side *s, const char *role, db_place *places,
                      size_t *count) {
  const uint32_t file =
      k == NULL || s->file == NULL || s->source != overlap_source(o) ? MODEL_NONE : kept_source_file(k, s->file);
  if (file != MODEL_NONE && s->line > 0) {
    places[(*count)++] = (db_place){.role = role,
                                    .access = s->command.access,
                                    .file = file,
                                    .line = s->line,
                                    .column = s->column == 0 ? 1 : s->column};
  }
}

/* Races of the same commands, parameters and kinds of access are one. */
static void put_key(const db_command *c, buffer *to) {
  buffer_printf(to, "%s\n%s\n%s\n%s\n", c->function, c->kernel, c->parameter, c->access);
}

int keep_overlap(db *d, int64_t run, int64_t test_case, const kept_source *k, const overlap *o, error *e) {
  const db_command commands[2] = {o->first.command, o->second.command};
  const char *kernel = commands[o->first.source == overlap_source(o) && commands[0].kernel[0] != '\0' ? 0 : 1].kernel;
  const bool part = o->low > 0 || o->high < o->size;
  const db_witness witness[] = {{.what = "first place", .value = o->first.call},
                                {.what = "second place", .value = o->second.call}};
  db_place places[2];
  size_t place_count = 0;
  buffer key = {0};
  add_place(k, o, &o->first, "first", places, &place_count);
  add_place(k, o, &o->second, "second", places, &place_count);
  put_key(&commands[0], &key);
  put_key(&commands[1], &key);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .of.program = place_count == 0 ? 0 : k->stored.id,
                          .of.kernel = k == NULL || kernel[0] == '\0' ? 0 : kept_source_kernel(k, kernel),
                          .rule = o->mapped ? "mapped" : "host-race",
                          .detail = {.space = o->image ? "image" : "global",
                                     .size = {true, o->size},
                                     .element = {part, o->low},
                                     .element_size = {part, o->high - o->low},
                                     .count = {true, o->count}},
                          .places = places,
                          .place_count = place_count,
                          .commands = commands,
                          .command_count = 2,
                          .witness = witness,
                          .witness_count = 2,
                          .possible = !o->definite,
                          .distinct = buffer_text(&key)};
  const int result = db_put_finding(d, &row, e);
  buffer_free(&key);
  return result;
}

static void leave(const commands_seen *seen, const overlap_side *s) {
  session_leave_mapped(seen->further, s->command.kernel, s->command.parameter, s->line);
}

static int keep(const commands_seen *seen, const observation *o, const overlap *x, error *e) {
  static const prove_options none;
  const size_t source = overlap_source(x);
  const bool wanted = x->definite && rule_is_wanted(seen->rules, x->mapped ? "mapped" : "host-race");
  kept_source k;
  if (!wanted) return 0;
  if (x->mapped) { /* what its accesses say is known by that */
    leave(seen, &x->first);
    leave(seen, &x->second);
  }
  if (source == SIZE_MAX) return keep_overlap(seen->db, seen->run, seen->test_case, NULL, x, e);
  int result = kept_source_open(seen->db, seen->run, &o->sources[source], &none, &k, e);
  if (result == 0) result = keep_overlap(seen->db, seen->run, seen->test_case, &k, x, e);
  kept_source_free(&k);
  return result;
}

int commands_judge(const commands_seen *seen, char **why, error *e) {
  capture c;
  run_made made = {0};
  observation o = {.made = &made};
  overlaps all = {0};
  char *scratch = scratch_temporary("cltestcheck-commands", e);
  if (scratch == NULL || capture_read(seen->path, &c, e) != 0) {
    scratch_close(scratch);
    return -1;
  }
  int result = observe_capture(&c, scratch, seen->argv, &o, e);
  if (result == 0) overlaps_find(&c, &made, o.sources, o.count, &all);
  for (size_t i = 0; i < all.count && result == 0; i++) result = keep(seen, &o, &all.items[i], e);
  *why = c.unsuitable == NULL ? NULL : mem_strdup(c.unsuitable);
  overlaps_free(&all);
  for (size_t i = 0; i < o.count; i++) asked_source_free(&o.sources[i]);
  free(o.sources);
  made_free(&made);
  capture_free(&c);
  scratch_close(scratch);
  return result;
}
