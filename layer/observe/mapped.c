/* A list of maps; programs have few at a time. What does not fit is not known. */
#include "layer/observe/mapped.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "layer/common/message.h"
#include "layer/observe/connection.h"
#include "wire/protocol.h"

enum { MOST = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  cl_mem memory;
  const void *pointer;
  bool writes;
  size_t offset, size;
} items[MOST];
static atomic_size_t count; /* changed with the lock held */

void mapped_add(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, const void *pointer) {
  if (memory == NULL || pointer == NULL) return;
  pthread_mutex_lock(&lock);
  const size_t at = atomic_load(&count);
  if (at < MOST) {
    items[at].memory = memory;
    items[at].pointer = pointer;
    items[at].writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    items[at].offset = offset;
    items[at].size = size;
    atomic_store(&count, at + 1);
  }
  pthread_mutex_unlock(&lock);
}

/* One map, or with `all` every map of the memory. */
static void drop(cl_mem memory, const void *pointer, bool all) {
  if (memory == NULL || atomic_load(&count) == 0) return;
  pthread_mutex_lock(&lock);
  bool done = false;
  for (size_t i = atomic_load(&count); i-- > 0 && !done;) {
    if (items[i].memory == memory && (all || items[i].pointer == pointer)) {
      const size_t last = atomic_load(&count) - 1;
      items[i] = items[last];
      atomic_store(&count, last);
      done = !all;
    }
  }
  pthread_mutex_unlock(&lock);
}

void mapped_end(cl_mem memory, const void *pointer) { drop(memory, pointer, false); }

void mapped_forget(cl_mem memory) { drop(memory, NULL, true); }

bool mapped_for_writing(cl_mem memory, size_t bytes) {
  bool any = false;
  if (atomic_load(&count) == 0) return false;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < atomic_load(&count); i++) {
    any = any || (items[i].memory == memory && items[i].writes &&
                  (items[i].size == 0 || (items[i].offset == 0 && items[i].size >= bytes)));
  }
  pthread_mutex_unlock(&lock);
  return any;
}

void unordered(void) {
  static atomic_bool told;
  if (!atomic_load(&told) && getenv(ENV_UNAWAITED) != NULL && connection_alive() && !atomic_exchange(&told, true)) {
    message m;
    message_start(&m, MESSAGE_UNORDERED);
    connection_send(&m);
  }
}

void mapped_command(void) {
  if (atomic_load(&count) > 0) unordered();
}

void mapped_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  atomic_store(&count, 0);
}
