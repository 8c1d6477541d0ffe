/* What memory objects lie in. The list of those in the program's own memory is short, mostly empty. */
#include "layer/common/storage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "wire/turn.h"

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

/* Whether a program looks at mappings and at its own memory, and not what replays it. */
static bool is_looked_at(void) {
  const char *guarded = getenv(ENV_GUARDED);
  return guarded == NULL || strcmp(guarded, "1") != 0;
}

void storage_made(cl_mem handle, cl_mem parent, cl_mem_flags flags, const void *data, size_t size) {
  storage *s = handle != NULL && is_looked_at() ? calloc(1, sizeof *s) : NULL;
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
