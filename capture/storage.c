/* Storage in a capture: which object owns which bytes, and which objects the arguments of a kernel are. A part is
 * always made after what it is a part of. */
#include "capture/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/capture_internal.h"
#include "wire/capture.h"

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

/* Which memory objects a kernel's arguments are. What was set is kept as a list, of which the last entry of an argument
 * counts: a cloned kernel shares the list so far, so that no file can have more memory taken than it has records. A
 * list that is mostly of entries that do not count any more is written anew. */

struct binding {
  const binding *before;
  uint32_t index, object;
};

enum { BLOCK = 1024, SLACK = 64 };

static binding *make(binding_pool *pool) {
  if (!pool->block_count || pool->used == BLOCK) {
    *ARRAY_ADD(pool->blocks, pool->block_count, pool->block_capacity) = mem_calloc(BLOCK, sizeof(binding));
    pool->used = 0;
  }
  return &pool->blocks[pool->block_count - 1][pool->used++];
}

void binding_pool_free(binding_pool *pool) {
  for (size_t i = 0; i < pool->block_count; i++) {
    free(pool->blocks[i]);
  }
  free(pool->blocks);
  *pool = (binding_pool){0};
}

static void push(bindings *b, binding_pool *pool, uint32_t index, uint32_t object) {
  binding *made = make(pool);
  *made = (binding){.before = b->last, .index = index, .object = object};
  b->last = made;
  b->count++;
  if (index >= b->indices) {
    b->indices = index + 1;
  }
}

/* Leaves only the entries that count. */
static void shorten(bindings *b, binding_pool *pool) {
  bool seen[CAPTURE_ARGUMENTS_MOST];
  bindings fresh = {0};
  memset(seen, 0, b->indices);
  for (const binding *at = b->last; at; at = at->before) {
    if (!seen[at->index]) {
      push(&fresh, pool, at->index, at->object);
    }
    seen[at->index] = true;
  }
  fresh.distinct = fresh.count;
  *b = fresh;
}

void bindings_set(bindings *b, binding_pool *pool, uint32_t index, uint32_t object) {
  push(b, pool, index, object);
  if (b->count > 2 * b->distinct + SLACK) {
    shorten(b, pool);
  }
}

bool bindings_all(const bindings *b, bool (*right)(const void *data, uint32_t object), const void *data) {
  bool seen[CAPTURE_ARGUMENTS_MOST];
  memset(seen, 0, b->indices);
  for (const binding *at = b->last; at; at = at->before) {
    if (!seen[at->index] && at->object != CAPTURE_NONE && !right(data, at->object)) {
      return false;
    }
    seen[at->index] = true;
  }
  return true;
}
