/* Records of the user's handles: one hash map keyed by kind and pointer, with counts that mirror the API's. Its lock
 * is only held for moments and never during a call of the driver. */
#include "layer/common/object.h"

#include <pthread.h>
#include <stdint.h>

#define BUCKETS 4096u

static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;
static object *buckets[BUCKETS];

static object **bucket_of(object_kind kind, const void *handle) {
  uint64_t key = (uint64_t)(uintptr_t)handle + (uint64_t)kind;
  return &buckets[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 52];
}

/* With the lock held: the link that points at the record, or at NULL. */
static object **locate(object_kind kind, const void *handle) {
  object **at = bucket_of(kind, handle);
  while (*at != NULL && ((*at)->handle != handle || (*at)->kind != kind)) at = &(*at)->next;
  return at;
}

/* With the lock held. The record may have been replaced by one of a reused handle. */
static void unlink_record(object *o) {
  object **at = locate(o->kind, o->handle);
  if (*at == o) *at = o->next;
}

void object_add(object *o, object_kind kind, void *handle, long references) {
  o->kind = kind;
  o->handle = handle;
  o->references = references;
  pthread_mutex_lock(&map_lock);
  object **at = locate(kind, handle);
  if (*at != NULL) *at = (*at)->next;
  object **head = bucket_of(kind, handle);
  o->next = *head;
  *head = o;
  pthread_mutex_unlock(&map_lock);
}

object *object_find(object_kind kind, const void *handle) {
  if (handle == NULL) return NULL;
  pthread_mutex_lock(&map_lock);
  object *o = *locate(kind, handle);
  pthread_mutex_unlock(&map_lock);
  return o;
}

void object_retain(object_kind kind, void *handle) {
  pthread_mutex_lock(&map_lock);
  object *o = *locate(kind, handle);
  if (o != NULL) o->references++;
  pthread_mutex_unlock(&map_lock);
}

object *object_release(object_kind kind, void *handle) {
  if (handle == NULL) return NULL;
  pthread_mutex_lock(&map_lock);
  object *o = *locate(kind, handle);
  bool gone = false;
  if (o != NULL && o->references > 0) {
    o->references--;
    gone = o->references == 0 && o->holds == 0;
  }
  if (gone) unlink_record(o);
  pthread_mutex_unlock(&map_lock);
  return gone ? o : NULL;
}

bool object_last(object_kind kind, void *handle) {
  pthread_mutex_lock(&map_lock);
  const object *o = handle != NULL ? *locate(kind, handle) : NULL;
  bool last = o != NULL && o->references == 1;
  pthread_mutex_unlock(&map_lock);
  return last;
}

void object_hold(object *o) {
  pthread_mutex_lock(&map_lock);
  o->holds++;
  pthread_mutex_unlock(&map_lock);
}

bool object_unhold(object *o) {
  pthread_mutex_lock(&map_lock);
  bool gone = --o->holds == 0 && o->references == 0;
  if (gone) unlink_record(o);
  pthread_mutex_unlock(&map_lock);
  return gone;
}

size_t object_count(object_kind kind) {
  size_t count = 0;
  pthread_mutex_lock(&map_lock);
  for (size_t i = 0; i < BUCKETS; i++)
    for (const object *o = buckets[i]; o != NULL; o = o->next) count += o->kind == kind;
  pthread_mutex_unlock(&map_lock);
  return count;
}

size_t object_list(object_kind kind, object **list, size_t capacity) {
  size_t count = 0;
  pthread_mutex_lock(&map_lock);
  for (size_t i = 0; i < BUCKETS; i++) {
    for (object *o = buckets[i]; o != NULL && count < capacity; o = o->next) {
      if (o->kind == kind) {
        o->holds++;
        list[count++] = o;
      }
    }
  }
  pthread_mutex_unlock(&map_lock);
  return count;
}

/* A forked child cannot use its parent's OpenCL objects; it starts with none. */
void object_after_fork(void) {
  map_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  for (size_t i = 0; i < BUCKETS; i++) buckets[i] = NULL;
}
