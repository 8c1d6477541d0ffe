/* Memory objects and their contents. They stay from turn to turn; what has changed is put back where the program makes
 * an object, or where the turn begins. On a device that has not the memory for all, they go where the program released
 * them. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "detectors/fills/record.h"
#include "replay/replay_internal.h"

/* Contents of memory at some place of the program: zeros, bytes of the capture, or a copy, on the device if there is
 * room, else in the host's memory. */

/* --- contents ----------------------------------------------------------------------------------------------------- */

#define WORTH_A_COPY 4096u /* bytes of first contents */

static const size_t origin[3];

static bool all_same(const unsigned char *bytes, size_t size, unsigned char value) {
  return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Whether the layer fills memory that nobody has written (detectors/fills/record.h): buffers are made without zones
 * then, and left as they are made. */
static bool layer_fills(void) {
  const char *filling = getenv(ENV_FILLING);
  return filling != NULL && filling[0] != '\0';
}

/* All zero: contents of zeros. The bytes are the capture's. */
static contents *contents_first(unsigned char *bytes, size_t size) {
  contents *c = mem_calloc(1, sizeof *c);
  *c = (contents){.references = 1, .bytes = bytes, .size = size};
  return c;
}

contents *contents_retain(contents *c) {
  c->references++;
  return c;
}

static void drop_copy(contents *c) {
  if (c->copy != NULL) {
    clReleaseMemObject(c->copy);
    c->copy = NULL;
  }
  if (c->counter != NULL) {
    *c->counter -= c->size;
    c->counter = NULL;
  }
}

/* NULL is fine. What holds them holds something else from now on. */
static void contents_release(replay *r, contents *c) {
  if (c == NULL || --c->references > 0) return;
  for (size_t i = 0; i < r->outline.storage_count; i++)
    if (r->storages[i].holds == c) r->storages[i].holds = NULL;
  drop_copy(c);
  if (c->owned) free(c->bytes);
  free(c);
}

void contents_demote(replay *r) {
  for (size_t i = 0; i < r->outline.storage_count; i++) drop_copy(r->storages[i].first);
}

/* --- copies on the device ----------------------------------------------------------------------------------------- */

static cl_int copy_out(turn *t, cl_mem memory, const storage *s, cl_mem copy) {
  if (s->element == 0) return clEnqueueCopyBuffer(t->queue, memory, copy, 0, 0, s->size, 0, NULL, NULL);
  return clEnqueueCopyImageToBuffer(t->queue, memory, copy, origin, s->region, 0, 0, NULL, NULL);
}

static cl_int copy_back(turn *t, cl_mem memory, const storage *s, cl_mem copy) {
  if (s->element == 0) return clEnqueueCopyBuffer(t->queue, copy, memory, 0, 0, s->size, 0, NULL, NULL);
  return clEnqueueCopyBufferToImage(t->queue, copy, memory, 0, origin, s->region, 0, NULL, NULL);
}

/* Has `c` keep a copy of what the storage holds now; false: the device has no room for it. */
static bool keep_copy(turn *t, contents *c, cl_mem memory, const storage *s, uint64_t *counter) {
  cl_int status = CL_SUCCESS;
  cl_mem copy = clCreateBuffer(t->replay->device.context, CL_MEM_READ_WRITE, s->size, NULL, &status);
  if (status != CL_SUCCESS) return false;
  if (copy_out(t, memory, s, copy) != CL_SUCCESS) {
    clReleaseMemObject(copy);
    return false;
  }
  c->copy = copy;
  c->counter = counter;
  *counter += c->size;
  return true;
}

/* --- copies in the host's memory ---------------------------------------------------------------------------------- */

/* Rows one after the other from a mapping with these pitches. */
static void gather(unsigned char *to, const unsigned char *from, const storage *s, size_t row, size_t slice) {
  const size_t bytes = s->region[0] * s->element, step = s->layers ? slice : row;
  for (size_t z = 0; z < s->region[2]; z++) {
    for (size_t y = 0; y < s->region[1]; y++) {
      memcpy(to, from + z * slice + y * step, bytes);
      to += bytes;
    }
  }
}

/* Mapped for writing, memory has its latest contents and the program is not seen to read it. */
static void *map(turn *t, cl_mem memory, const storage *s, size_t *row, size_t *slice) {
  cl_int status = CL_SUCCESS;
  return s->element == 0
             ? clEnqueueMapBuffer(t->queue, memory, CL_TRUE, CL_MAP_WRITE, 0, s->size, 0, NULL, NULL, &status)
             : clEnqueueMapImage(t->queue, memory, CL_TRUE, CL_MAP_WRITE, origin, s->region, row, slice, 0, NULL, NULL,
                                 &status);
}

static bool keep_bytes(turn *t, contents *c, cl_mem memory, const storage *s) {
  size_t row = 0, slice = 0;
  unsigned char *bytes = malloc(s->size);
  void *mapped = bytes == NULL ? NULL : map(t, memory, s, &row, &slice);
  if (mapped == NULL) {
    free(bytes);
    return false;
  }
  if (s->element == 0)
    memcpy(bytes, mapped, s->size);
  else
    gather(bytes, mapped, s, row, slice);
  (void)clEnqueueUnmapMemObject(t->queue, memory, mapped, 0, NULL, NULL);
  c->bytes = bytes;
  c->owned = true;
  c->counter = &t->replay->on_host;
  *c->counter += c->size;
  return true;
}

/* A copy of what the memory holds now; NULL: there is no room. */
static contents *contents_save(turn *t, cl_mem memory, const storage *s) {
  replay *r = t->replay;
  contents *c = contents_first(NULL, s->size);
  const bool kept = (r->on_device + s->size <= r->snapshots && keep_copy(t, c, memory, s, &r->on_device)) ||
                    (r->on_host + s->size <= r->host_snapshots && keep_bytes(t, c, memory, s));
  if (!kept) {
    contents_release(r, c);
    return NULL;
  }
  return c;
}

/* --- putting it there --------------------------------------------------------------------------------------------- */

/* A colour would be converted: the bytes themselves. */
static cl_int fill_image(turn *t, cl_mem memory, const storage *s) {
  scoped unsigned char *bytes = malloc(s->size);
  if (bytes == NULL) return CL_OUT_OF_HOST_MEMORY;
  memset(bytes, t->replay->filling, s->size);
  return clEnqueueWriteImage(t->queue, memory, CL_TRUE, origin, s->region, 0, 0, bytes, 0, NULL, NULL);
}

/* What nobody has written: the turn's filling. */
static cl_int put_nothing(turn *t, cl_mem memory, const storage *s) {
  static const unsigned char zeros[16];
  unsigned char filling[16];
  if (layer_fills()) return CL_SUCCESS;
  if (s->element != 0) {
    return t->replay->filling == 0 ? clEnqueueFillImage(t->queue, memory, zeros, origin, s->region, 0, NULL, NULL)
                                   : fill_image(t, memory, s);
  }
  memset(filling, t->replay->filling, sizeof filling);
  const size_t pattern = s->size % 16 == 0 ? 16 : s->size % 4 == 0 ? 4 : 1;
  return clEnqueueFillBuffer(t->queue, memory, filling, pattern, 0, s->size, 0, NULL, NULL);
}

static bool is_nothing(const contents *c) { return c != NULL && c->copy == NULL && c->bytes == NULL; }

void contents_fill(replay *r, unsigned char filling) {
  for (size_t i = 0; i < r->outline.storage_count && filling != r->filling; i++)
    r->storages[i].holds = is_nothing(r->storages[i].holds) ? NULL : r->storages[i].holds;
  r->filling = filling;
}

/* A layer that fills takes memory for written by the host, whichever queue it is used in, where the call waits. */
static cl_int put_bytes(turn *t, cl_mem memory, const storage *s, const contents *c) {
  const cl_bool waits = layer_fills() ? CL_TRUE : CL_FALSE;
  if (s->element != 0)
    return clEnqueueWriteImage(t->queue, memory, waits, origin, s->region, 0, 0, c->bytes, 0, NULL, NULL);
  return clEnqueueWriteBuffer(t->queue, memory, waits, 0, s->size, c->bytes, 0, NULL, NULL);
}

/* Bytes that are put again and again into memory that is not the host's get a copy there. */
static void promote(turn *t, cl_mem memory, const storage *s, contents *c) {
  replay *r = t->replay;
  if (c->puts++ == 1 && !c->owned && !r->device.unified && s->size >= WORTH_A_COPY &&
      r->promoted + s->size <= r->snapshots / 2)
    (void)keep_copy(t, c, memory, s, &r->promoted);
}

static bool contents_put(turn *t, cl_mem memory, storage *s, contents *c) {
  cl_int status = c->copy != NULL    ? copy_back(t, memory, s, c->copy)
                  : c->bytes != NULL ? put_bytes(t, memory, s, c)
                                     : put_nothing(t, memory, s);
  if (!succeeded(t, status, "putting the contents of memory back")) return false;
  if (c->copy == NULL && c->bytes != NULL) promote(t, memory, s, c);
  s->holds = c;
  return true;
}

/* Looks whether a buffer does not hold what it should. */
static bool contents_differ(turn *t, cl_mem memory, const storage *s) {
  if (s->element != 0 || s->holds == NULL || s->holds->copy != NULL) return false;
  const unsigned char *mapped = map(t, memory, s, NULL, NULL);
  if (mapped == NULL) return false;
  const bool same = s->holds->bytes != NULL ? memcmp(mapped, s->holds->bytes, s->size) == 0
                                            : all_same(mapped, s->size, t->replay->filling);
  (void)clEnqueueUnmapMemObject(t->queue, memory, (void *)(uintptr_t)mapped, 0, NULL, NULL);
  return !same;
}

/* What the commands before a place leave in memory, kept for turns that begin there. It is looked at once, when a turn
 * that began earlier comes by; places that were not used for long give way. */

#define CHECKPOINTS 32u

void checkpoint_drop(replay *r, start *s) {
  for (size_t i = 0; i < s->saved_count; i++) {
    contents_release(r, s->saved[i].contents);
    s->saved[i].contents = NULL;
  }
  s->ready = false;
  s->kept = false;
}

/* The place that was not used for longest, of those that keep something; `*count` of them. */
static start *oldest(const replay *r, unsigned *count) {
  start *found = NULL;
  *count = 0;
  for (start *s = r->starts; s != NULL; s = s->next) {
    if (s->kept) {
      (*count)++;
      found = found == NULL || s->used < found->used ? s : found;
    }
  }
  return found;
}

/* Bytes that have to be copied. */
static uint64_t needed(const replay *r, const start *s) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < s->saved_count; i++) {
    const storage *memory = &r->storages[s->saved[i].storage];
    bytes += memory->holds == NULL ? memory->size : 0;
  }
  return bytes;
}

/* Drops old ones until there is room on the device, or at least in the host's memory. That may make more of it needed:
 * what they kept is no more known to be there. */
static void make_room(turn *t, const start *s) {
  replay *r = t->replay;
  unsigned count;
  for (start *old; (old = oldest(r, &count)) != NULL;) {
    const uint64_t bytes = needed(r, s);
    const bool on_device = r->on_device + bytes <= r->snapshots;
    const bool on_host = bytes > r->snapshots && r->on_host + bytes <= r->host_snapshots;
    if (count < CHECKPOINTS && (on_device || on_host)) return;
    (void)clFinish(t->queue); /* what is dropped may be on its way to where the turn began */
    checkpoint_drop(r, old);
  }
}

/* What the storage holds now, from earlier if that is known; NULL: there is no room. */
static contents *save(turn *t, uint32_t number) {
  storage *s = &t->replay->storages[number];
  if (s->holds != NULL) return contents_retain(s->holds);
  s->holds = contents_save(t, t->replay->objects[t->replay->outline.storages[number].object], s);
  return s->holds;
}

void checkpoint_save(turn *t, start *s) {
  replay *r = t->replay;
  if (s->ready || s->hopeless) return;
  s->hopeless = needed(r, s) > r->snapshots + r->host_snapshots;
  if (s->hopeless) return;
  make_room(t, s);
  for (size_t i = 0; i < s->saved_count && !s->hopeless; i++) {
    s->saved[i].contents = save(t, s->saved[i].storage);
    s->hopeless = s->saved[i].contents == NULL;
  }
  if (s->hopeless)
    checkpoint_drop(r, s);
  else
    s->ready = s->kept = true;
}

/* Zones of known bytes before and after each buffer: a mutant that writes a little out of bounds harms no other
 * memory, and is noticed. A buffer is a part of a larger one, aligned as the device aligns buffers; on a CPU device
 * that lies in an arena. */

#define PAGE ((size_t)4096)

#define ZONE ((size_t)64 << 10)
#define SMALL_ZONE ((size_t)4 << 10)
#define MANY_BUFFERS 1000u
#define TOGETHER 16u /* buffers that are looked at in one go */

/* The zones of one buffer, in the host's memory. */
typedef struct zones {
  storage *storage;
  cl_mem mapped; /* NULL: nothing of its own */
  unsigned char *bytes;
  const unsigned char *before, *behind;
  size_t behind_size;
} zones;

/* --- making them -------------------------------------------------------------------------------------------------- */

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

void guards_open(replay *r) {
  size_t buffers = 0;
  for (size_t i = 0; i < r->outline.storage_count; i++)
    buffers += r->capture->commands[r->outline.storages[i].made].kind == CAPTURE_BUFFER;
  r->guard = round_up(buffers > MANY_BUFFERS ? SMALL_ZONE : ZONE, r->device.alignment);
  if (!r->device.unified && buffers > 0) {
    r->view = clCreateBuffer(r->device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                             2 * r->guard * (buffers < TOGETHER ? buffers : TOGETHER), NULL, NULL);
  }
}

void guards_close(replay *r) {
  if (r->view != NULL) {
    clReleaseMemObject(r->view);
    r->view = NULL;
  }
}

static size_t whole_size(const replay *r, const storage *s) {
  return 2 * r->guard + round_up(s->size, r->arena != NULL ? PAGE : r->device.alignment);
}

/* Buffers will be in an arena, if there is address space for them. */
static void guards_reserve(replay *r) {
  scoped size_t *sizes = mem_calloc(r->outline.storage_count + 1, sizeof *sizes);
  for (size_t i = 0; i < r->outline.storage_count; i++)
    sizes[i] = r->storages[i].element == 0 ? 2 * r->guard + round_up(r->storages[i].size, PAGE) : 0;
  r->arena = arena_open(sizes, r->outline.storage_count);
}

static cl_mem make_whole(const replay *r, const storage *s) {
  unsigned char *place = r->arena == NULL ? NULL : arena_place(r->arena, (size_t)(s - r->storages));
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (place == NULL ? 0 : CL_MEM_USE_HOST_PTR);
  return clCreateBuffer(r->device.context, flags, whole_size(r, s), place, NULL);
}

static bool fill(turn *t, const storage *s, size_t offset, size_t size) {
  unsigned char filling[16];
  const size_t pattern = (offset | size) % sizeof filling == 0 ? sizeof filling : 1;
  memset(filling, s->filling, sizeof filling);
  return succeeded(t, clEnqueueFillBuffer(t->queue, s->whole, filling, pattern, offset, size, 0, NULL, NULL),
                   "clEnqueueFillBuffer");
}

/* Of each buffer another one where that is wanted, so that what is copied from zone to zone is seen. */
static unsigned char zone_filling(const replay *r, const storage *s) {
  return r->filling ^ (unsigned char)(r->apart ? 1 + (size_t)(s - r->storages) % 61 : 0);
}

/* A buffer between two zones; NULL: it is to be made without. */
static cl_mem guard_buffer(turn *t, storage *s, cl_mem_flags access) {
  replay *r = t->replay;
  const cl_buffer_region region = {.origin = r->guard, .size = s->size};
  if (layer_fills() || s->size > r->device.allocation - 2 * r->guard - r->device.alignment) return NULL;
  s->whole = make_whole(r, s);
  if (s->whole == NULL) return NULL;
  s->guard = r->guard;
  s->filling = zone_filling(r, s);
  cl_mem part = clCreateSubBuffer(s->whole, access, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  if (part != NULL && fill(t, s, 0, whole_size(r, s))) return part;
  if (part != NULL) clReleaseMemObject(part);
  clReleaseMemObject(s->whole);
  s->whole = NULL;
  s->guard = 0;
  return NULL;
}

/* --- looking at them ---------------------------------------------------------------------------------------------- */

/* Where the host shares the device's memory: each buffer is mapped (for writing: so it is no read of the program). */
static bool map_zones(turn *t, zones *list, size_t count) {
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++) {
    const storage *s = list[i].storage;
    list[i].bytes = clEnqueueMapBuffer(t->queue, s->whole, i + 1 == count, CL_MAP_WRITE, 0, whole_size(t->replay, s), 0,
                                       NULL, NULL, &status);
    list[i].mapped = list[i].bytes == NULL ? NULL : s->whole;
    list[i].before = list[i].bytes;
    list[i].behind = list[i].bytes == NULL ? NULL : list[i].bytes + s->guard + s->size;
    list[i].behind_size = whole_size(t->replay, s) - s->guard - s->size;
  }
  return succeeded(t, status, "clEnqueueMapBuffer");
}

/* Elsewhere: they are copied to one place on the device and come from there together. */
static bool copy_zones(turn *t, zones *list, size_t count) {
  const replay *r = t->replay;
  static const size_t from[3];
  const size_t region[3] = {r->guard, 2, 1};
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++) {
    const size_t to[3] = {0, 2 * i, 0};
    status = clEnqueueCopyBufferRect(t->queue, list[i].storage->whole, r->view, from, to, region,
                                     r->guard + list[i].storage->size, 0, r->guard, 0, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    list[0].bytes =
        clEnqueueMapBuffer(t->queue, r->view, CL_TRUE, CL_MAP_WRITE, 0, 2 * r->guard * count, 0, NULL, NULL, &status);
    list[0].mapped = list[0].bytes == NULL ? NULL : r->view;
  }
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++) {
    list[i].before = list[0].bytes + 2 * r->guard * i;
    list[i].behind = list[i].before + r->guard;
    list[i].behind_size = r->guard;
  }
  return succeeded(t, status, "copying guard zones");
}

static bool fill_zones(turn *t, const storage *s) {
  const size_t end = s->guard + s->size;
  return fill(t, s, 0, s->guard) && fill(t, s, end, whole_size(t->replay, s) - end);
}

static bool repair(turn *t, const storage *s) {
  t->escaped = true;
  t->replay->overrun = t->replay->outline.storages[s - t->replay->storages].made;
  return fill_zones(t, s);
}

/* Has the zones of this one hold what the turn wants there. */
static bool guards_fill(turn *t, storage *s) {
  if (s->whole == NULL || s->filling == zone_filling(t->replay, s)) return true;
  s->filling = zone_filling(t->replay, s);
  return fill_zones(t, s);
}

static bool check(turn *t, zones *list, size_t count) {
  bool broken[TOGETHER] = {false};
  bool done = t->replay->view != NULL ? copy_zones(t, list, count) : map_zones(t, list, count);
  for (size_t i = 0; i < count && done; i++) {
    const storage *s = list[i].storage;
    broken[i] =
        !all_same(list[i].before, s->guard, s->filling) || !all_same(list[i].behind, list[i].behind_size, s->filling);
  }
  for (size_t i = 0; i < count; i++)
    if (list[i].mapped != NULL) (void)clEnqueueUnmapMemObject(t->queue, list[i].mapped, list[i].bytes, 0, NULL, NULL);
  for (size_t i = 0; i < count && done; i++) {
    list[i].storage->exposed = false;
    done = !broken[i] || repair(t, list[i].storage);
  }
  return done;
}

bool guards_check(turn *t) {
  replay *r = t->replay;
  zones list[TOGETHER];
  size_t count = 0;
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    if (r->storages[i].exposed) list[count++] = (zones){.storage = &r->storages[i]};
    if (count == TOGETHER || (count > 0 && i + 1 == r->outline.storage_count)) {
      if (!check(t, list, count)) return false;
      count = 0;
    }
  }
  return true;
}

static const capture_command *made_by(const replay *r, uint32_t number) {
  return &r->capture->commands[r->outline.objects[number].made];
}

/* --- making them -------------------------------------------------------------------------------------------------- */

static bool make_buffer(turn *t, uint32_t number) {
  replay *r = t->replay;
  const uint32_t index = r->outline.objects[number].storage;
  const cl_mem_flags access = r->outline.objects[number].access;
  storage *s = &r->storages[index];
  if (!r->outline.storages[index].images || r->device.images_of_parts) r->objects[number] = guard_buffer(t, s, access);
  if (r->objects[number] != NULL) return true;
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
  if (t->replay->objects[number] != NULL) return true;
  if (c->kind == CAPTURE_BUFFER) return make_buffer(t, number);
  if (c->kind == CAPTURE_SUB_BUFFER) return make(t, c->u.sub_buffer.parent) && make_sub_buffer(t, number);
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
  if (!make(t, number)) return false;
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
  if (s->whole != NULL) clReleaseMemObject(s->whole);
  s->whole = NULL;
  s->guard = 0;
  s->holds = NULL;
  s->exposed = s->lent = false;
}

bool memory_release(turn *t, const capture_command *c, uint32_t number) {
  replay *r = t->replay;
  (void)number;
  const uint32_t index = r->outline.objects[c->u.release.object].storage;
  if (!r->transient || r->outline.storages[index].released != t->command) return true;
  if (r->storages[index].exposed && !guards_check(t)) return false;
  drop_storage(r, index);
  return true;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* What is there at this place and not needed any more goes, what is missing is made. */
static bool tidy(turn *t, size_t command) {
  const outline *o = &t->replay->outline;
  for (size_t i = 0; i < o->storage_count; i++)
    if (o->storages[i].made >= command || o->storages[i].used < command) drop_storage(t->replay, (uint32_t)i);
  for (size_t i = 0; i < o->object_count; i++) {
    const outline_object *object = &o->objects[i];
    const bool alive = object->made < command && object->released >= command;
    if (alive && o->storages[object->storage].used >= command && !make(t, (uint32_t)i)) return false;
  }
  return true;
}

bool memory_begin(turn *t, const start *from) {
  if (t->replay->transient && !tidy(t, from->command)) return false;
  for (size_t i = 0; i < from->saved_count; i++)
    if (!put(t, from->saved[i].storage, from->saved[i].contents)) return false;
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
  for (size_t i = 0; i < r->outline.storage_count; i++) r->storages[i].holds = NULL;
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
  for (size_t i = 0; i < r->outline.storage_count; i++) sum += r->storages[i].size + 2 * r->guard;
  return sum;
}

static bool make_all(turn *t) {
  for (size_t i = 0; i < t->replay->outline.object_count; i++)
    if (!memory_make(t, NULL, (uint32_t)i)) return false;
  return succeeded(t, clFinish(t->queue), "clFinish");
}

static void drop_arena(replay *r) {
  for (size_t i = 0; i < r->outline.storage_count; i++) drop_storage(r, (uint32_t)i);
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
  if (r->device.cpu && !r->transient) guards_reserve(r);
  if (r->transient || make_all(t)) return true;
  if (!t->exhausted) return false;
  memory_go_transient(r);
  return true;
}

void memory_close(replay *r) {
  if (r->objects == NULL) return;
  drop_arena(r);
  for (size_t i = 0; i < r->outline.storage_count; i++) contents_release(r, r->storages[i].first);
}
