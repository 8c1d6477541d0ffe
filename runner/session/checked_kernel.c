/* A checked kernel, for the layer. */
#include "runner/session/checked_kernel.h"

#include "wire/fields.h"

void checked_kernel_put(const instrument_kernel *k, buffer *out) {
  uint32_t given = 0;
  for (size_t i = 0; i < k->object_count; i++) {
    given += k->objects[i].parameter != MODEL_NONE ? 1 : 0;
  }
  wire_put_u32(out, k->area);
  wire_put_u32(out, given);
  for (size_t i = 0; i < k->object_count; i++) {
    const instrument_object *o = &k->objects[i];
    if (o->parameter != MODEL_NONE) {
      wire_put_u32(out, o->parameter);
      wire_put_u32(out, o->local ? 1 : 0);
      wire_put_u32(out, o->shift);
      wire_put_u32(out, o->writes ? 1 : 0);
    }
  }
}
