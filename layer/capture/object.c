/* Records of the user's handles: one hash map keyed by kind and pointer, with counts that mirror the API's. Used with
 * the lock held. */
#include "layer/capture/layer.h"

#define BUCKETS 4096u

static object *buckets[BUCKETS];

static object **bucket_of(object_kind kind, const void *handle) {
  uint64_t key = (uint64_t)(uintptr_t)handle + (uint64_t)kind;
  return &buckets[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 52];
}

/* The link that points at the record, or at NULL. */
static object **locate(object_kind kind, const void *handle) {
  object **at = bucket_of(kind, handle);
  while (*at && ((*at)->handle != handle || (*at)->kind != kind))
    at = &(*at)->next;
  return at;
}

void object_add(object *o, object_kind kind, void *handle) {
  o->kind = kind;
  o->handle = handle;
  o->references = 1;
  object **head = bucket_of(kind, handle);
  o->next = *head;
  *head = o;
}

object *object_find(object_kind kind, const void *handle) { return handle ? *locate(kind, handle) : NULL; }

/* There may be several of a handle: the driver uses it again once it has let go of an object. */
void object_remove(object *o) {
  object **at = bucket_of(o->kind, o->handle);
  while (*at && *at != o)
    at = &(*at)->next;
  if (*at)
    *at = o->next;
}

bool object_release(object *o) {
  if (o->references > 0)
    o->references--;
  return o->references == 0 && o->holds == 0;
}

bool object_unhold(object *o) { return --o->holds == 0 && o->references == 0; }

void object_visit(object_kind kind, void (*visit)(object *o, void *data), void *data) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (object *o = buckets[i]; o; o = o->next)
      if (o->kind == kind)
        visit(o, data);
}

/* A forked child cannot use its parent's OpenCL objects; it starts with none. */
void object_after_fork(void) {
  for (size_t i = 0; i < BUCKETS; i++)
    buckets[i] = NULL;
}
