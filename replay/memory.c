/* Memory objects. They stay from turn to turn; what has changed is put back where the program makes an object, or where
 * the turn begins. On a device that has not the memory for all, they go where the program released them. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "replay/replay_internal.h"

static const capture_command *made_by(const replay *r, uint32_t number) {
  return &r->capture->commands[r->outline.objects[number].made];
}

/* --- making them -------------------------------------------------------------------------------------------------- */

static bool make_buffer(turn *t, uint32_t number) {
  replay *r = t->replay;
  const uint32_t index = r->outline.objects[number].storage;
  const cl_mem_flags access = r->outline.objects[number].access;
  storage *s = &r->storages[index];
  if (!r->outline.storages[index].images || r->device.images_of_parts) {
    r->objects[number] = guard_buffer(t, s, access);
  }
  if (r->objects[number] != NULL) {
    return true;
  }
  cl_int status = CL_SUCCESS;
  r->objects[number] = clCreateBuffer(r->device.context, access, s->size, NULL, &status);
  return succeeded(t, status, "clCreateBuffer");
}

static bool make_sub_buffer(turn *t, uint32_t number) {
  replay *r = t->replay;
  const capture_command *c = made_by(r, number);
  const storage *s = &r->storages[r->outline.objects[number].storage];
  const cl_mem parent = s->whole != NULL ? s->whole : r->objects[c->u.sub_buffer.parent];
  const cl_buffer_region region = {.origin = s->guard + c->u.sub_buffer.origin, .size = c->u.sub_buffer.size};
  cl_int status = CL_SUCCESS;
  r->objects[number] =
      clCreateSubBuffer(parent, r->outline.objects[number].access, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  return succeeded(t, status, "clCreateSubBuffer");
}

static bool make_image(turn *t, uint32_t number) {
  replay *r = t->replay;
  const capture_command *c = made_by(r, number);
  const bool part = c->u.image.buffer != CAPTURE_NONE;
  const cl_image_format format = {.image_channel_order = c->u.image.order,
                                  .image_channel_data_type = c->u.image.data_type};
  cl_image_desc desc = {.image_type = c->u.image.type,
                        .image_width = c->u.image.width,
                        .image_height = c->u.image.height,
                        .image_depth = c->u.image.depth,
                        .image_array_size = c->u.image.array_size,
                        .image_row_pitch = part ? c->u.image.row_pitch : 0};
  desc.buffer = part ? r->objects[c->u.image.buffer] : NULL;
  cl_int status = CL_SUCCESS;
  r->objects[number] =
      clCreateImage(r->device.context, r->outline.objects[number].access, &format, &desc, NULL, &status);
  return succeeded(t, status, "clCreateImage");
}

/* The object, and first what it is a part of. */
static bool make(turn *t, uint32_t number) {
  const capture_command *c = made_by(t->replay, number);
  if (t->replay->objects[number] != NULL) {
    return true;
  }
  if (c->kind == CAPTURE_BUFFER) {
    return make_buffer(t, number);
  }
  if (c->kind == CAPTURE_SUB_BUFFER) {
    return make(t, c->u.sub_buffer.parent) && make_sub_buffer(t, number);
  }
  return (c->u.image.buffer == CAPTURE_NONE || make(t, c->u.image.buffer)) && make_image(t, number);
}

static bool put(turn *t, uint32_t index, contents *c) {
  storage *s = &t->replay->storages[index];
  return s->holds == c || contents_put(t, t->replay->objects[t->replay->outline.storages[index].object], s, c);
}

bool memory_make(turn *t, const capture_command *c, uint32_t number) {
  const uint32_t index = t->replay->outline.objects[number].storage;
  const outline_storage *known = &t->replay->outline.storages[index];
  (void)c;
  if (!make(t, number)) {
    return false;
  }
  return known->object != number || known->overwritten || put(t, index, t->replay->storages[index].first);
}

cl_mem memory_root(const replay *r, uint32_t number, size_t *offset) {
  const capture_command *c = made_by(r, number);
  const uint32_t index = r->outline.objects[number].storage;
  const storage *s = &r->storages[index];
  *offset = s->guard + (c->kind == CAPTURE_SUB_BUFFER ? c->u.sub_buffer.origin : 0);
  return s->whole != NULL ? s->whole : r->objects[r->outline.storages[index].object];
}

/* --- releasing them ----------------------------------------------------------------------------------------------- */

static void drop_object(replay *r, uint32_t number) {
  if (r->objects[number] != NULL) {
    clReleaseMemObject(r->objects[number]);
    r->objects[number] = NULL;
  }
}

/* Parts come after what they are parts of. */
static void drop_storage(replay *r, uint32_t index) {
  const outline_storage *known = &r->outline.storages[index];
  storage *s = &r->storages[index];
  size_t left = r->objects[known->object] == NULL ? 0 : known->parts;
  for (size_t i = known->object + (size_t)1; left > 0 && i < r->outline.object_count; i++) {
    if (r->outline.objects[i].storage == index) {
      drop_object(r, (uint32_t)i);
      left--;
    }
  }
  drop_object(r, known->object);
  if (s->whole != NULL) {
    clReleaseMemObject(s->whole);
  }
  s->whole = NULL;
  s->guard = 0;
  s->holds = NULL;
  s->exposed = s->lent = false;
}

static void drop_all(replay *r) {
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    drop_storage(r, (uint32_t)i);
  }
}

bool memory_release(turn *t, const capture_command *c, uint32_t number) {
  replay *r = t->replay;
  (void)number;
  const uint32_t index = r->outline.objects[c->u.release.object].storage;
  if (!r->transient || r->outline.storages[index].released != t->command) {
    return true;
  }
  if (r->storages[index].exposed && !guards_check(t)) {
    return false;
  }
  drop_storage(r, index);
  return true;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* What is there at this place and not needed any more goes, what is missing is made. */
static bool tidy(turn *t, size_t command) {
  const outline *o = &t->replay->outline;
  for (size_t i = 0; i < o->storage_count; i++) {
    if (o->storages[i].made >= command || o->storages[i].used < command) {
      drop_storage(t->replay, (uint32_t)i);
    }
  }
  for (size_t i = 0; i < o->object_count; i++) {
    const outline_object *object = &o->objects[i];
    const bool alive = object->made < command && object->released >= command;
    if (alive && o->storages[object->storage].used >= command && !make(t, (uint32_t)i)) {
      return false;
    }
  }
  return true;
}

bool memory_begin(turn *t, const start *from) {
  if (t->replay->transient && !tidy(t, from->command)) {
    return false;
  }
  for (size_t i = 0; i < from->saved_count; i++) {
    if (!put(t, from->saved[i].storage, from->saved[i].contents)) {
      return false;
    }
  }
  return true;
}

void memory_changed(replay *r, uint32_t number) { r->storages[r->outline.objects[number].storage].holds = NULL; }

bool memory_launched(turn *t, uint32_t number) {
  const replay *r = t->replay;
  storage *s = &r->storages[r->outline.objects[number].storage];
  if (r->trusting && (r->outline.objects[number].access & CL_MEM_READ_ONLY) != 0) {
    s->lent = !s->looked;
  } else {
    s->holds = NULL;
    s->exposed = s->whole != NULL;
  }
  return guards_fill(t, s);
}

/* Some programs say CL_MEM_READ_ONLY and write all the same. */
bool memory_trusted(turn *t) {
  bool trusted = true;
  for (size_t i = 0; i < t->replay->outline.storage_count; i++) {
    storage *s = &t->replay->storages[i];
    if (s->lent && s->holds != NULL) {
      s->looked = true;
      trusted = trusted && !contents_differ(t, t->replay->objects[t->replay->outline.storages[i].object], s);
    }
    s->lent = false;
  }
  return trusted;
}

void memory_forget(replay *r) {
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    r->storages[i].holds = NULL;
  }
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void measure(storage *s, const capture_command *c) {
  if (c->kind == CAPTURE_BUFFER) {
    s->size = c->u.buffer.size;
    return;
  }
  (void)capture_extent(c, s->region);
  s->element = capture_element(c->u.image.order, c->u.image.data_type);
  s->size = capture_region_bytes(s->region, s->element);
  s->layers = c->u.image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

static void describe_storages(replay *r) {
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    storage *s = &r->storages[i];
    const capture_command *c = made_by(r, r->outline.storages[i].object);
    const uint32_t blob = c->kind == CAPTURE_BUFFER ? c->u.buffer.blob : c->u.image.blob;
    measure(s, c);
    s->first = contents_first(blob == CAPTURE_NONE ? NULL : r->capture->blobs[blob].bytes, s->size);
  }
}

static uint64_t bytes_of_all(const replay *r) {
  uint64_t sum = 0;
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    sum += r->storages[i].size + 2 * r->guard;
  }
  return sum;
}

static bool make_all(turn *t) {
  for (size_t i = 0; i < t->replay->outline.object_count; i++) {
    if (!memory_make(t, NULL, (uint32_t)i)) {
      return false;
    }
  }
  return succeeded(t, clFinish(t->queue), "clFinish");
}

static void drop_arena(replay *r) {
  drop_all(r);
  arena_close(r->arena);
  r->arena = NULL;
}

void memory_go_transient(replay *r) {
  drop_arena(r);
  r->transient = true;
}

bool memory_open(turn *t) {
  replay *r = t->replay;
  describe_storages(r);
  r->transient = bytes_of_all(r) > r->memory;
  if (r->device.cpu && !r->transient) {
    guards_reserve(r);
  }
  if (r->transient || make_all(t)) {
    return true;
  }
  if (!t->exhausted) {
    return false;
  }
  memory_go_transient(r);
  return true;
}

void memory_close(replay *r) {
  if (r->objects == NULL) {
    return;
  }
  drop_arena(r);
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    contents_release(r, r->storages[i].first);
  }
}
