/* What the program read from the device: it is read again, into memory of our own, and shown. */
#include <stdlib.h>

#include "replay/replay_internal.h"

/* Room for so many bytes; NULL: the machine has not that much memory. */
static unsigned char *room(turn *t, size_t size) {
  replay *r = t->replay;
  if (size > r->scratch_size || r->scratch == NULL) {
    free(r->scratch);
    r->scratch = malloc(size > 0 ? size : 1);
    r->scratch_size = r->scratch == NULL ? 0 : size;
  }
  if (r->scratch == NULL) {
    (void)error_set(t->error, EXIT_INTERNAL, "there are no %zu bytes of memory for what the program reads; free some",
                    size);
  }
  return r->scratch;
}

static bool shown(turn *t, const capture_command *c, uint32_t number, size_t size) {
  replay *r = t->replay;
  t->reads++;
  if (r->reader != NULL) {
    r->reader(r->reader_data, number, c, r->scratch, size);
  }
  t->over = t->functions != NULL && t->functions->over();
  return true;
}

bool read_bytes(turn *t, const capture_command *c, uint32_t number) {
  const size_t size = c->u.bytes.size;
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(t,
                   clEnqueueReadBuffer(t->queue, t->replay->objects[c->u.bytes.memory], CL_TRUE, c->u.bytes.offset,
                                       size, to, 0, NULL, NULL),
                   "clEnqueueReadBuffer") &&
         shown(t, c, number, size);
}

bool read_rectangle(turn *t, const capture_command *c, uint32_t number) {
  static const size_t host[3];
  const size_t size = capture_region_bytes(c->u.area.at.region, 1);
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(
             t,
             clEnqueueReadBufferRect(t->queue, t->replay->objects[c->u.area.memory], CL_TRUE, c->u.area.at.origin, host,
                                     c->u.area.at.region, c->u.area.row, c->u.area.slice, 0, 0, to, 0, NULL, NULL),
             "clEnqueueReadBufferRect") &&
         shown(t, c, number, size);
}

bool read_image(turn *t, const capture_command *c, uint32_t number) {
  const replay *r = t->replay;
  const capture_command *image = &r->capture->commands[r->outline.objects[c->u.area.memory].made];
  const size_t element = capture_element(image->u.image.order, image->u.image.data_type);
  const size_t size = capture_region_bytes(c->u.area.at.region, element);
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(t,
                   clEnqueueReadImage(t->queue, r->objects[c->u.area.memory], CL_TRUE, c->u.area.at.origin,
                                      c->u.area.at.region, 0, 0, to, 0, NULL, NULL),
                   "clEnqueueReadImage") &&
         shown(t, c, number, size);
}
