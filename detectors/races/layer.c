/* Launches of checked kernels: cells for the memory that they may write. What two arguments share has one set. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/races/record.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/forms.h"
#include "layer/observe/objects.h"
#include "wire/protocol.h"

#define LOCAL_CAP ((size_t)64 << 20) /* bytes of cells for local memory */
#define ALIGNMENT 8u                 /* storages begin at such cells */

typedef struct plan {
  objects *objects;
  uint64_t cells; /* in all, those of local memory first */
  uint64_t area;  /* of a work-group */
  uint64_t areas;
} plan;

/* What one argument only reads another one writes: said once. */
static void tell_shared(const function *f, const object_place *places) {
  static atomic_bool told;
  bool shared = false;
  for (uint32_t i = 0; i < f->object_count; i++)
    shared = shared || (!f->objects[i].writes && places[i].in != NULL && places[i].in->writes);
  if (shared && !atomic_exchange(&told, true)) {
    message m;
    message_start(&m, MESSAGE_SHARED);
    connection_send(&m);
  }
}

/* ---- how many cells ---- */

static uint64_t granules(uint64_t bytes, uint32_t shift) { return (bytes + (UINT64_C(1) << shift) - 1) >> shift; }

static uint64_t groups_of(const launch *l) {
  uint64_t groups = 1;
  for (cl_uint d = 0; !l->task && d < l->dimensions; d++) {
    const size_t local = l->local != NULL && l->local[d] > 0 ? l->local[d] : 1;
    groups *= l->global[d] / local + (l->global[d] % local != 0);
  }
  return groups;
}

static size_t cap_of(const queue *q) {
  const char *text = getenv(ENV_CELLS_CAP);
  cl_ulong memory = 0, single = 0;
  driver.clGetDeviceInfo(q->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  driver.clGetDeviceInfo(q->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof single, &single, NULL);
  const uint64_t cap = text != NULL && text[0] ? strtoull(text, NULL, 10) : memory / 4;
  return (size_t)(single < cap ? single : cap);
}

static uint64_t cells_of(const storage *s) {
  return (granules(s->bytes, s->shift) + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

static void tell_too_large(const function *f, const storage *s) {
  note("kernel %s: a memory object of %zu bytes was not checked: the device has no memory for its cells", f->name,
       s->bytes);
}

/* Memory objects that have cells: those that the launch writes, unless they are too large. */
static cl_uint find_written(plan *p, const function *f, uint64_t most, storage **written) {
  cl_uint count = 0;
  for (size_t n = 0; n < p->objects->count; n++) {
    storage *s = &p->objects->storages[n];
    if (s->writes && p->cells + cells_of(s) > most)
      tell_too_large(f, s);
    else if (s->writes)
      written[count++] = s;
  }
  return count;
}

/* Where not all fit, each round begins with another one. */
static void plan_global(plan *p, const queue *q, const function *f) {
  storage *written[STORAGES];
  const char *round = getenv(ENV_CELLS_ROUND);
  const uint64_t most = cap_of(q) / CHECKED_CELL_BYTES;
  const cl_uint count = find_written(p, f, most, written);
  const size_t first = round != NULL ? strtoul(round, NULL, 10) : 0;
  bool left = false;
  for (size_t n = 0; n < count; n++) {
    storage *s = written[(n + first) % count];
    const bool fits = p->cells + cells_of(s) <= most;
    left = left || !fits;
    s->first = fits ? p->cells : CHECKED_NO_CELLS;
    p->cells += fits ? cells_of(s) : 0;
  }
  if (left) {
    message m;
    message_start(&m, MESSAGE_SHORT);
    message_u32(&m, count);
    connection_send(&m);
  }
}

/* ---- their memory ---- */

static bool renew(queue *q, slots *s, size_t bytes) {
  hidden_buffer_release(q->context, s->memory);
  *s = (slots){.memory = hidden_buffer(q->context, bytes), .capacity = bytes, .serial = next_serial()};
  return s->memory != NULL;
}

/* Cells of an earlier launch are told apart by its tag, until all tags have been used. */
static bool take_cells(queue *q, const plan *p, const entry *e, place *at) {
  const size_t bytes = (size_t)p->cells * CHECKED_CELL_BYTES;
  unsigned tag = 1;
  at->memory = e->flags;
  if (bytes == 0) return true;
  if (q->out_of_order) {
    if (!renew(q, &at->own, bytes)) return false;
    at->memory = at->own.memory;
    at->serial = at->own.serial;
  } else {
    if (q->cells.capacity < bytes || q->cells_tag == CHECKED_TAGS) {
      q->cells_tag = 0;
      if (!renew(q, &q->cells, bytes > q->cells.capacity ? bytes : q->cells.capacity)) {
        q->cells = (slots){0};
        return false;
      }
    }
    tag = ++q->cells_tag;
    at->memory = q->cells.memory;
    at->serial = q->cells.serial;
  }
  at->first = (cl_ulong)tag << CHECKED_TAG_AT;
  return true;
}

/* ---- arguments ---- */

/* The first cell, and how large a granule is. */
static cl_ulong with_shift(uint32_t shift, cl_ulong first) {
  return (cl_ulong)(shift > 0 ? shift - 1 : 0) << CHECKED_SHIFT_AT | first;
}

static bool set_objects(const kernel *k, const plan *p) {
  const function *f = k->function;
  cl_uint index = hidden_index(k, HIDDEN_OBJECTS);
  uint64_t in_area = f->area;
  bool set = object_set_pair(k, hidden_index(k, HIDDEN_AREAS), p->area, p->areas);
  for (uint32_t i = 0; set && i < f->object_count; i++) {
    const checked_object *o = &f->objects[i];
    const object_place *a = &p->objects->places[i];
    if (o->local) {
      const size_t bytes = object_local_bytes(k, o);
      set = object_set_pair(k, index++, with_shift(o->shift, in_area), bytes);
      in_area += granules(bytes, o->shift);
    } else if (a->in == NULL || a->in->first == CHECKED_NO_CELLS) {
      set = object_set_pair(k, index++, CHECKED_NO_CELLS, a->bytes);
    } else {
      const cl_ulong first = a->in->first + (a->offset >> a->in->shift);
      set = object_set_pair(k, index++, with_shift(a->in->shift, first), a->bytes);
    }
  }
  return set;
}

/* ---- launches that need no checks ---- */

static bool has_local(const kernel *k) {
  bool any = k->function->area > 0;
  for (uint32_t i = 0; i < k->function->object_count; i++) any = any || k->function->objects[i].local;
  return any;
}

/* Whether no work-item of the launch touches what another one writes. */
static bool checked_is_disjoint(kernel *k, const launch *l) {
  objects *found = has_local(k) ? NULL : objects_find(k);
  needless_memory *of = found != NULL ? calloc(k->argument_count + 1, sizeof *of) : NULL;
  for (uint32_t i = 0; of != NULL && i < k->function->object_count; i++) {
    const cl_uint n = k->function->objects[i].argument;
    if (n < k->argument_count) {
      const storage *in = found->places[i].in;
      of[n] = (needless_memory){.memory = true, .known = in != NULL};
      of[n].number = in != NULL ? (uint64_t)(in - found->storages) : 0;
    }
  }
  const bool disjoint = of != NULL && ask_needless(k, l, of);
  free(of);
  free(found);
  return disjoint;
}

static twin *begin_checked(queue *q, kernel *k, entry *e, const launch *l, place *at) {
  plan p = {.objects = objects_find(k)};
  bool ready = p.objects != NULL;
  if (ready) {
    at->capacity = atomic_load(&k->function->launches);
    tell_shared(k->function, p.objects->places);
    const function *f = k->function;
    p.area = f->area;
    for (uint32_t i = 0; i < f->object_count; i++)
      p.area += f->objects[i].local ? granules(object_local_bytes(k, &f->objects[i]), f->objects[i].shift) : 0;
    const uint64_t room = p.area > 0 ? LOCAL_CAP / (p.area * CHECKED_CELL_BYTES) : 0;
    const uint64_t groups = groups_of(l);
    p.areas = room < groups ? room : groups;
    p.cells = p.area * p.areas;
    plan_global(&p, q, k->function);
    ready = take_cells(q, &p, e, at) && set_objects(k, &p);
  }
  free(p.objects);
  return ready ? &k->stored : NULL;
}

const form_launch checked_launch = {.is_needless = checked_is_disjoint, .begin = begin_checked};
