/* Mappings. One that shows what a kernel has written is a read. What the host wrote into one for writing is recorded
 * when it is unmapped: all of it, or, where a kernel has put something there before, what differs from then. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"

/* Differences are told in pieces of so many bytes, counted from the buffer's start: no number is torn. */
#define PIECE 8u
#define RUNS_MOST 256u /* of pieces that differ; beyond that they are one */

typedef struct mapping {
  struct mapping *next;
  cl_mem handle;
  uint32_t memory;
  void *pointer;
  capture_command write; /* for when it is unmapped */
  area area;
  unsigned char *before; /* the bytes as they were mapped; NULL: all that is there is taken for written */
  cl_event event;        /* NULL: it is mapped; else it was not yet when the call returned */
} mapping;

static mapping *mappings;

static mapping **locate(cl_mem handle, const void *pointer) {
  mapping **at = &mappings;
  while (*at != NULL && ((*at)->handle != handle || (*at)->pointer != pointer)) at = &(*at)->next;
  return at;
}

static void drop(mapping **at) {
  mapping *gone = *at;
  *at = gone->next;
  if (gone->event != NULL) driver.clReleaseEvent(gone->event);
  free(gone->before);
  free(gone);
}

void map_forget(uint32_t number) {
  order_forget_memory(number);
  for (mapping **at = &mappings; *at != NULL;)
    if ((*at)->memory == number)
      drop(at);
    else
      at = &(*at)->next;
}

void map_after_fork(void) { mappings = NULL; }

/* ---- mapping ---- */

static unsigned char *copy_of(const area *a) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  if (owned != NULL || bytes == NULL) return owned;
  unsigned char *copy = malloc(area_size(a) + 1);
  if (copy != NULL && area_size(a)) memcpy(copy, bytes, area_size(a));
  return copy;
}

/* With the lock held. Takes over the event. */
static void add(memory *m, const mapping *made, cl_map_flags flags) {
  mapping *kept = malloc(sizeof *kept);
  if (kept == NULL) {
    unsuitable("the capture ran out of memory");
    if (made->event != NULL) driver.clReleaseEvent(made->event);
    return;
  }
  *kept = *made;
  kept->memory = m->number;
  if (kept->event == NULL && storage_was_given(made->handle) && !(flags & CL_MAP_WRITE_INVALIDATE_REGION))
    kept->before = copy_of(&kept->area);
  kept->next = mappings;
  mappings = kept;
  memory_mapped(m, 1);
}

/* The memory is mapped, or will be. With the lock held. */
static void record_map(memory *m, mapping *made, cl_map_flags flags, capture_kind read) {
  if (storage_shows(flags, storage_was_given(made->handle))) {
    capture_command c = made->write;
    c.kind = read;
    if (made->event == NULL) area_digest(&made->area, &c);
    memory_command(&c, made->handle, NULL);
  }
  if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0 && recording())
    add(m, made, flags);
  else if (made->event != NULL)
    driver.clReleaseEvent(made->event);
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                    size_t offset, size_t size, cl_uint waits, const cl_event *wait, cl_event *event,
                                    cl_int *status) {
  waiting w = wait_begin(blocking, event);
  void *pointer =
      driver.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waits, wait, wait_event(&w), status);
  bool arrived = wait_for_command(&w, pointer != NULL);
  if (pointer != NULL && record_begin_command(queue)) {
    const host_call call = {FUNCTION_MAP, queue, blocking, waits, wait, event};
    const capture_call region = {.flags = flags, .offset = offset, .size = size};
    memory *m = memory_find(buffer);
    order_mapped(&call, buffer, pointer, &region);
    mapping made = {.handle = buffer, .pointer = pointer, .area = area_of_bytes(pointer, size)};
    made.write = (capture_command){.kind = CAPTURE_WRITE, .u.bytes = {.offset = offset, .size = size}};
    made.event = arrived || m == NULL ? NULL : wait_keep_event(&w, true);
    if (m != NULL) record_map(m, &made, flags, CAPTURE_READ);
    record_end_blocking(queue, blocking);
  }
  wait_end(&w);
  return pointer;
}

static bool is_whole(cl_mem image, const size_t *region) {
  static const cl_image_info names[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE};
  size_t all = 1;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    size_t size = 0;
    driver.clGetImageInfo(image, names[i], sizeof size, &size, NULL);
    all *= size > 0 ? size : 1;
  }
  return region[0] * region[1] * region[2] == all;
}

static void *CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                   const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                                   cl_uint waits, const cl_event *wait, cl_event *event, cl_int *status) {
  waiting w = wait_begin(blocking, event);
  void *pointer = driver.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, waits, wait,
                                           wait_event(&w), status);
  bool arrived = wait_for_command(&w, pointer != NULL);
  if (pointer != NULL && record_begin_command(queue)) {
    const host_call call = {FUNCTION_MAP_IMAGE, queue, blocking, waits, wait, event};
    memory *m = memory_find(image);
    order_mapped(&call, image, pointer, &(capture_call){.flags = flags, .size = is_whole(image, region) ? 1 : 0});
    mapping made = {.handle = image, .pointer = pointer};
    made.write = image_command(CAPTURE_WRITE_IMAGE, origin, region);
    if (m != NULL) {
      made.area = memory_area(m, region, row != NULL ? *row : 0, slice != NULL ? *slice : 0, pointer);
      made.event = arrived ? NULL : wait_keep_event(&w, true);
      record_map(m, &made, flags, CAPTURE_READ_IMAGE);
      storage_read(image);
    }
    record_end_blocking(queue, blocking);
  }
  wait_end(&w);
  return pointer;
}

/* ---- unmapping ---- */

static void record_all(mapping *w) {
  uint32_t blob = blob_of(&w->area);
  if (w->write.kind == CAPTURE_WRITE)
    w->write.u.bytes.blob = blob;
  else
    w->write.u.area.blob = blob;
  memory_command(&w->write, w->handle, NULL);
}

/* Part of a buffer: bytes from `first` to before `end` of the mapping. */
static void record_part(const mapping *w, size_t first, size_t end) {
  capture_command c = w->write;
  c.u.bytes.offset += first;
  c.u.bytes.size = end - first;
  c.u.bytes.blob = blob_of_bytes(w->area.first + first, end - first);
  memory_command(&c, w->handle, NULL);
}

/* The end of the piece that begins at or contains `at`. */
static size_t piece_end(const mapping *w, size_t at) {
  size_t end = at + PIECE - (size_t)(w->write.u.bytes.offset + at) % PIECE;
  return end < w->area.row ? end : w->area.row;
}

/* The next run of pieces that differ, from `*end` on. */
static bool next_run(const mapping *w, size_t *first, size_t *end) {
  size_t at = *end;
  while (at < w->area.row && memcmp(w->area.first + at, w->before + at, piece_end(w, at) - at) == 0)
    at = piece_end(w, at);
  *first = at;
  while (at < w->area.row && memcmp(w->area.first + at, w->before + at, piece_end(w, at) - at) != 0)
    at = piece_end(w, at);
  *end = at;
  return *first < *end;
}

static void record_differences(const mapping *w) {
  size_t runs = 0, first, end = 0, begin = 0, last = 0;
  for (; next_run(w, &first, &end); runs++) {
    begin = runs ? begin : first;
    last = end;
  }
  if (runs > RUNS_MOST) {
    record_part(w, begin, last);
    return;
  }
  for (end = 0; runs && next_run(w, &first, &end);) record_part(w, first, end);
}

/* Whether an image is as it was. */
static bool unchanged(const mapping *w) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(&w->area, &owned);
  bool same = bytes != NULL && memcmp(bytes, w->before, area_size(&w->area)) == 0;
  free(owned);
  return same;
}

/* Until it is mapped the host may not write to it. */
static bool is_mapped(const mapping *w) {
  cl_int status = CL_QUEUED;
  return w->event == NULL || (driver.clGetEventInfo(w->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                                    NULL) == CL_SUCCESS &&
                              status == CL_COMPLETE);
}

static void record_written(mapping *w) {
  if (!is_mapped(w)) return;
  if (w->before == NULL)
    record_all(w);
  else if (w->write.kind == CAPTURE_WRITE)
    record_differences(w);
  else if (!unchanged(w))
    record_all(w);
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem handle, void *pointer, cl_uint waits,
                                const cl_event *wait, cl_event *event) {
  if (record_begin_command(queue)) {
    mapping *w = *locate(handle, pointer);
    if (w != NULL) record_written(w); /* the bytes may be gone afterwards */
    record_end();
  }
  cl_int result = driver.clEnqueueUnmapMemObject(queue, handle, pointer, waits, wait, event);
  if (result == CL_SUCCESS && record_begin()) {
    (void)order_unmapped(&(host_call){FUNCTION_UNMAP, queue, false, waits, wait, event}, handle, pointer);
    mapping **at = locate(handle, pointer);
    memory *m = *at != NULL ? memory_numbered((*at)->memory) : NULL;
    if (m != NULL) memory_mapped(m, -1);
    if (*at != NULL) drop(at);
    record_end();
  }
  return result;
}

const guest_call map_calls[] = {
    CALL(clEnqueueMapBuffer, map_buffer),
    CALL(clEnqueueMapImage, map_image),
    CALL(clEnqueueUnmapMemObject, unmap),
    {NULL, 0, NULL},
};
