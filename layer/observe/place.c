/* Slots of launches: a ring for each kernel function of an in-order queue, chunks for the others. */
#include "layer/observe/place.h"

#include <stdlib.h>

#include "layer/common/guest.h"
#include "layer/observe/evidence.h"
#include "layer/observe/reduction.h"

#define RING_LEAST ((size_t)16 << 10)
#define RING_COMFORT ((size_t)1 << 20) /* beyond this a ring only grows for a single launch */
#define RING_LAUNCHES 4u               /* that a ring should hold at least */
#define ITEM_ALIGNMENT 64u             /* launches begin at such items, for vector stores */

/* ---- in-order queues: a ring for each kernel function ---- */

/* Clean rings of other functions give way. */
static void evict_rings(queue *q, const entry *but) {
  for (entry *e = q->entries; e != NULL; e = e->next) {
    if (e != but && !e->used) {
      slots_release(q->context, &e->ring);
    }
  }
}

static size_t ring_capacity(const entry *e, size_t bytes) {
  size_t capacity = e->ring.capacity * 2 > RING_LEAST ? e->ring.capacity * 2 : RING_LEAST;
  while (capacity < bytes * RING_LAUNCHES && capacity < RING_COMFORT) {
    capacity *= 2;
  }
  if (capacity > RING_COMFORT) {
    capacity = RING_COMFORT;
  }
  return capacity < bytes ? bytes : capacity;
}

/* The full ring is reduced, and replaced by a larger one while it holds few launches. */
static bool ring_renew(queue *q, entry *e, size_t bytes) {
  unsigned held = e->unreduced;
  if (!evidence_reduce(q, e)) {
    return false;
  }
  bool fits = e->ring.memory != NULL && e->ring.capacity >= bytes;
  if (fits && (held >= RING_LAUNCHES * 4 || e->ring.capacity >= RING_COMFORT)) {
    return true;
  }
  size_t capacity = ring_capacity(e, bytes);
  if (fits && capacity <= e->ring.capacity) {
    return true;
  }
  slots larger = {0};
  bool made = slots_make(q->context, &larger, capacity);
  if (!made && fits) {
    return true;
  }
  if (!made) {
    evict_rings(q, NULL); /* this one, too small, as well */
    made = slots_make(q->context, &larger, capacity) || slots_make(q->context, &larger, bytes);
  }
  if (!made) {
    return false;
  }
  slots_release(q->context, &e->ring);
  e->ring = larger;
  return true;
}

void place_in_ring(queue *q, entry *e, size_t items, place *p) {
  size_t item_bytes = e->function->item_bytes, bytes = items * item_bytes;
  size_t first = (e->used + ITEM_ALIGNMENT - 1) / ITEM_ALIGNMENT * ITEM_ALIGNMENT;
  if (e->ring.memory == NULL || (first + items) * item_bytes > e->ring.capacity) {
    if (!ring_renew(q, e, bytes)) {
      return;
    }
    first = 0;
  }
  p->memory = e->ring.memory;
  p->serial = e->ring.serial;
  p->first = first;
  p->in_ring = true;
}

/* ---- out-of-order queues: a chunk for each launch, free again once it is reduced ---- */

static bool chunk_free(chunk *c) {
  cl_int status = -1;
  if (c->reduced == NULL) {
    return true;
  }
  driver.clGetEventInfo(c->reduced, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (status > CL_COMPLETE) {
    return false;
  }
  driver.clReleaseEvent(c->reduced);
  c->reduced = NULL;
  return true;
}

/* Free chunks, too small for this launch, give way. */
static void evict_chunks(queue *q, entry *e) {
  for (chunk **at = &e->chunks; *at != NULL;) {
    chunk *c = *at;
    if (!chunk_free(c)) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    slots_release(q->context, &c->slots);
    slots_release(q->context, &c->planes);
    free(c);
  }
}

void place_in_chunk(queue *q, entry *e, size_t items, place *p) {
  size_t bytes = items * e->function->item_bytes;
  chunk *c = e->chunks;
  while (c != NULL && (c->slots.capacity < bytes || !chunk_free(c))) {
    c = c->next;
  }
  if (c == NULL) {
    c = calloc(1, sizeof *c);
    if (c == NULL) {
      return;
    }
    bool made = slots_make(q->context, &c->slots, bytes);
    if (!made) {
      evict_chunks(q, e);
      made = slots_make(q->context, &c->slots, bytes);
    }
    if (!made) {
      free(c);
      return;
    }
    c->next = e->chunks;
    e->chunks = c;
  }
  p->memory = c->slots.memory;
  p->serial = c->slots.serial;
  p->chunk = c;
}
