/* Vector clocks over lanes. A lane is a row of commands of which each is over before the next one begins: an in-order
 * queue is one, another queue has as many as commands in it can run at once. */
#include "proofs/order/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

struct order {
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
};

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

static bool enqueues(const capture_call *c) { return c->function <= FUNCTION_BARRIER; }

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

static void take_command(order *o, size_t index) {
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

static void count_waiting(order *o, const capture_call *c) {
  if (c->queue != CAPTURE_NONE) {
    o->queues[c->queue].waiting++;
    o->queues[c->queue].waiting_barriers += c->function == FUNCTION_BARRIER ? 1 : 0;
  }
}

static void enqueue(order *o, size_t index) {
  if (must_wait(o, &o->capture->calls[index])) {
    *ARRAY_ADD(o->waiting, o->waiting_count, o->waiting_capacity) = index;
    count_waiting(o, &o->capture->calls[index]);
  } else {
    take_command(o, index);
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
  if (enqueues(c))
    enqueue(o, index);
  else if (c->function == FUNCTION_SET_EVENT)
    set_event(o, c);
  else if (c->function != FUNCTION_USER_EVENT)
    learn(o, c);
}

bool order_is_open(const capture *c) {
  bool open = c->queue_count > 1;
  for (size_t i = 0; i < c->queue_count; i++) open = open || !c->queues[i].in_order;
  for (size_t i = 0; i < c->call_count; i++) /* between the two the host has the memory */
    open = open || c->calls[i].function == FUNCTION_MAP || c->calls[i].function == FUNCTION_MAP_IMAGE;
  return open;
}

static size_t events_of(const capture *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->call_count; i++) count += c->calls[i].event == CAPTURE_NONE ? 0 : 1;
  return count;
}

void order_walk(const capture *c, order_take take, void *context) {
  const size_t events = events_of(c);
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

bool order_before(const order *o, size_t earlier) {
  return over_in(&o->now, o->at[earlier].lane) >= o->at[earlier].tick;
}

bool order_over(const order *o, size_t earlier) {
  return over_in(&o->host, o->at[earlier].lane) >= o->at[earlier].tick;
}
