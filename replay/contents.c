/* Contents of memory at some place of the program: zeros, bytes of the capture, or a copy, on the device if there is
 * room, else in the host's memory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/fills/record.h"
#include "replay/replay_internal.h"

#define WORTH_A_COPY 4096u /* bytes of first contents */

static const size_t origin[3];

contents *contents_first(unsigned char *bytes, size_t size) {
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

void contents_release(replay *r, contents *c) {
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
  unsigned char *bytes = malloc(s->size);
  if (bytes == NULL) return CL_OUT_OF_HOST_MEMORY;
  memset(bytes, t->replay->filling, s->size);
  const cl_int status = clEnqueueWriteImage(t->queue, memory, CL_TRUE, origin, s->region, 0, 0, bytes, 0, NULL, NULL);
  free(bytes);
  return status;
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

bool layer_fills(void) {
  const char *filling = getenv(ENV_FILLING);
  return filling != NULL && filling[0] != '\0';
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

bool contents_put(turn *t, cl_mem memory, storage *s, contents *c) {
  cl_int status = c->copy != NULL    ? copy_back(t, memory, s, c->copy)
                  : c->bytes != NULL ? put_bytes(t, memory, s, c)
                                     : put_nothing(t, memory, s);
  if (!succeeded(t, status, "putting the contents of memory back")) return false;
  if (c->copy == NULL && c->bytes != NULL) promote(t, memory, s, c);
  s->holds = c;
  return true;
}

bool contents_differ(turn *t, cl_mem memory, const storage *s) {
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
