/* Records of the user's handles: one hash map keyed by kind and pointer, with counts that mirror the API's. Its lock
 * is only held for moments and never during a call of the driver. With them what memory objects lie in: the list of
 * those in the program's own memory is short, mostly empty. */
#include "layer/common/object.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "layer/common/guest.h"
#include "wire/turn.h"

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

/* ---- memory objects by what they lie in ---- */

typedef struct storage {
  object object;
  struct storage *parent; /* held */
  bool read_only;         /* for kernels */
  atomic_bool given;
  /* in the program's own memory: */
  const void *own; /* NULL: it is not */
  size_t size;     /* 0: of an image, which is seen by calls alone */
  bool unseen;
  cl_command_queue queue; /* of what was given it last */
  cl_event event;         /* of that, to be compared only */
  struct storage *next;   /* made later */
} storage;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list and what is seen */
static storage *first_own;

static storage *find(cl_mem handle) { return (storage *)object_find(OBJECT_STORAGE, handle); }

static storage *root(storage *s) { return s->parent != NULL ? root(s->parent) : s; }

/* ---- making and releasing ---- */

static void append(storage *s) {
  storage **at = &first_own;
  pthread_mutex_lock(&lock);
  while (*at != NULL) at = &(*at)->next;
  *at = s;
  pthread_mutex_unlock(&lock);
}

/* Whether nobody has looked at what is in it. */
static bool take_out(const storage *s) {
  pthread_mutex_lock(&lock);
  for (storage **at = &first_own; *at != NULL; at = &(*at)->next) {
    if (*at == s) {
      *at = s->next;
      break;
    }
  }
  const bool unseen = s->unseen;
  pthread_mutex_unlock(&lock);
  return unseen;
}

void storage_made(cl_mem handle, cl_mem parent, cl_mem_flags flags, const void *data, size_t size) {
  /* Programs look at mappings and at their own memory, not what replays them. */
  storage *s = handle != NULL && !environment_is(ENV_GUARDED, "1") ? calloc(1, sizeof *s) : NULL;
  if (s == NULL) return;
  s->read_only = (flags & CL_MEM_READ_ONLY) != 0;
  s->parent = parent != NULL ? find(parent) : NULL;
  if (s->parent != NULL) {
    object_hold(&s->parent->object);
  } else if ((flags & CL_MEM_USE_HOST_PTR) != 0 && data != NULL) {
    s->own = data;
    s->size = size;
    append(s);
  }
  object_add(&s->object, OBJECT_STORAGE, handle, 1);
}

void storage_retain(cl_mem handle) { object_retain(OBJECT_STORAGE, handle); }

bool storage_release(cl_mem handle) {
  storage *s = (storage *)object_release(OBJECT_STORAGE, handle);
  bool seen = true;
  while (s != NULL) {
    storage *parent = s->parent;
    seen = !(s->own != NULL && take_out(s)) && seen;
    free(s);
    s = parent != NULL && object_unhold(&parent->object) ? parent : NULL;
  }
  return seen;
}

/* ---- what is put there ---- */

void storage_given(cl_mem handle, cl_command_queue queue, const cl_event *event) {
  storage *part = find(handle);
  storage *s = part != NULL ? root(part) : NULL;
  if (s == NULL) return;
  atomic_store(&s->given, true);
  if (s->own != NULL && !s->read_only && !part->read_only) {
    pthread_mutex_lock(&lock);
    s->unseen = true;
    s->queue = queue;
    s->event = event != NULL ? *event : NULL;
    pthread_mutex_unlock(&lock);
  }
}

bool storage_was_given(cl_mem handle) {
  storage *s = find(handle);
  return s != NULL && atomic_load(&root(s)->given);
}

/* ---- what is seen ---- */

bool storage_shows(cl_map_flags flags, bool given) {
  return (flags & CL_MAP_READ) != 0 || (given && (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0);
}

void storage_read(cl_mem handle) {
  storage *s = find(handle);
  s = s != NULL ? root(s) : NULL;
  if (s != NULL && s->own != NULL && s->size == 0) {
    pthread_mutex_lock(&lock);
    s->unseen = false;
    pthread_mutex_unlock(&lock);
  }
}

/* The next one that is to be looked at, which then counts as seen; held. */
static storage *take_unseen(cl_command_queue queue, cl_event event) {
  pthread_mutex_lock(&lock);
  storage *s = first_own;
  while (s != NULL && !(s->unseen && s->size > 0 && (event != NULL ? s->event == event : s->queue == queue)))
    s = s->next;
  if (s != NULL) {
    s->unseen = false;
    object_hold(&s->object);
  }
  pthread_mutex_unlock(&lock);
  return s;
}

static void look(cl_command_queue queue, cl_event event, storage_see see) {
  for (storage *s; (s = take_unseen(queue, event)) != NULL;) {
    see(s->object.handle, s->own, s->size);
    if (object_unhold(&s->object)) { /* released meanwhile */
      (void)take_out(s);
      free(s);
    }
  }
}

void storage_queue_over(cl_command_queue queue, storage_see see) { look(queue, NULL, see); }

static bool any_unseen(cl_command_queue queue) {
  pthread_mutex_lock(&lock);
  const storage *s = first_own;
  while (s != NULL && !(s->unseen && (queue == NULL || s->queue == queue))) s = s->next;
  pthread_mutex_unlock(&lock);
  return s != NULL;
}

bool storage_unseen(void) { return any_unseen(NULL); }

bool storage_event_over(cl_event event, storage_see see) {
  cl_command_queue queue = NULL;
  if (event == NULL || !storage_unseen()) return true;
  look(NULL, event, see);
  return driver.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &queue, NULL) != CL_SUCCESS ||
         queue == NULL || !any_unseen(queue);
}

void storage_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  first_own = NULL;
}
