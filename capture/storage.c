/* A part is always made after what it is a part of. */
#include "capture/storage.h"

#include <stdlib.h>

#include "base/memory.h"

bool capture_makes_memory(const capture_command *c) { return c->kind >= CAPTURE_BUFFER && c->kind <= CAPTURE_IMAGE; }

static stored_object read_object(const capture_command *c) {
  switch (c->kind) {
    case CAPTURE_BUFFER:
      return (stored_object){.made = c, .part_of = CAPTURE_NONE, .size = c->u.buffer.size, .flags = c->u.buffer.flags};
    case CAPTURE_SUB_BUFFER:
      return (stored_object){.made = c,
                             .part_of = c->u.sub_buffer.parent,
                             .origin = c->u.sub_buffer.origin,
                             .size = c->u.sub_buffer.size,
                             .flags = c->u.sub_buffer.flags};
    default:
      return (stored_object){.made = c, .part_of = c->u.image.buffer, .flags = c->u.image.flags};
  }
}

const stored_object *stored_take(stored_objects *list, const capture_command *c) {
  if (!capture_makes_memory(c)) {
    return NULL;
  }
  stored_object made = read_object(c);
  made.owner = (uint32_t)list->count;
  if (made.part_of != CAPTURE_NONE) {
    made.owner = list->items[made.part_of].owner;
    made.origin += list->items[made.part_of].origin;
  }
  stored_object *added = ARRAY_ADD(list->items, list->count, list->capacity);
  *added = made;
  return added;
}

stored_objects stored_of(const capture *c) {
  stored_objects list = {0};
  for (size_t i = 0; i < c->command_count; i++) {
    (void)stored_take(&list, &c->commands[i]);
  }
  return list;
}

void stored_free(stored_objects *list) {
  free(list->items);
  *list = (stored_objects){0};
}
