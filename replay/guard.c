/* Zones of known bytes before and after each buffer: a mutant that writes a little out of bounds harms no other
 * memory, and is noticed. A buffer is a part of a larger one, aligned as the device aligns buffers; on a CPU device
 * that lies in an arena. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "replay/replay_internal.h"

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

bool all_same(const unsigned char *bytes, size_t size, unsigned char value) {
  return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* --- making them -------------------------------------------------------------------------------------------------- */

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

void guards_open(replay *r) {
  size_t buffers = 0;
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    buffers += r->capture->commands[r->outline.storages[i].made].kind == CAPTURE_BUFFER;
  }
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

void guards_reserve(replay *r) {
  size_t *sizes = mem_calloc(r->outline.storage_count + 1, sizeof *sizes);
  for (size_t i = 0; i < r->outline.storage_count; i++) {
    sizes[i] = r->storages[i].element == 0 ? 2 * r->guard + round_up(r->storages[i].size, PAGE) : 0;
  }
  r->arena = arena_open(sizes, r->outline.storage_count);
  free(sizes);
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

cl_mem guard_buffer(turn *t, storage *s, cl_mem_flags access) {
  replay *r = t->replay;
  const cl_buffer_region region = {.origin = r->guard, .size = s->size};
  if (layer_fills() || s->size > r->device.allocation - 2 * r->guard - r->device.alignment) {
    return NULL;
  }
  s->whole = make_whole(r, s);
  if (s->whole == NULL) {
    return NULL;
  }
  s->guard = r->guard;
  s->filling = zone_filling(r, s);
  cl_mem buffer = clCreateSubBuffer(s->whole, access, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  if (buffer != NULL && fill(t, s, 0, whole_size(r, s))) {
    return buffer;
  }
  if (buffer != NULL) {
    clReleaseMemObject(buffer);
  }
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

bool guards_fill(turn *t, storage *s) {
  if (s->whole == NULL || s->filling == zone_filling(t->replay, s)) {
    return true;
  }
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
  for (size_t i = 0; i < count; i++) {
    if (list[i].mapped != NULL) {
      (void)clEnqueueUnmapMemObject(t->queue, list[i].mapped, list[i].bytes, 0, NULL, NULL);
    }
  }
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
    if (r->storages[i].exposed) {
      list[count++] = (zones){.storage = &r->storages[i]};
    }
    if (count == TOGETHER || (count > 0 && i + 1 == r->outline.storage_count)) {
      if (!check(t, list, count)) {
        return false;
      }
      count = 0;
    }
  }
  return true;
}
