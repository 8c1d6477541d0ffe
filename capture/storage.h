/* Who owns which bytes in a capture: buffers, sub-buffers, images, and images of buffers. */
#ifndef CLTC_CAPTURE_STORAGE_H
#define CLTC_CAPTURE_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/capture.h"

/* A memory object; its number is its place in the list. */
typedef struct stored_object {
  const capture_command *made; /* lent */
  uint32_t part_of;            /* the object that it is a part of, CAPTURE_NONE: of none */
  uint32_t owner;              /* the object that owns its bytes: what it is, in the end, a part of, or itself */
  uint64_t origin;             /* its first byte in the owner's */
  uint64_t size;               /* of a buffer, in bytes; 0: an image */
  uint64_t flags;              /* as given; 0: the default */
} stored_object;

typedef struct stored_objects {
  stored_object *items;
  size_t count, capacity;
} stored_objects;

bool capture_makes_memory(const capture_command *c);
/* To be called with the commands in order. Returns the object that the command makes, NULL: none; valid until the next
 * call. */
const stored_object *stored_take(stored_objects *list, const capture_command *c);
/* Those of a whole capture. */
stored_objects stored_of(const capture *c);
void stored_free(stored_objects *list);

#endif
