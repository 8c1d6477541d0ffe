/* Memory that is given back as a whole, and the tables in it. */
#include "host/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"

struct host_pool {
  mem_arena memory;
  host_map texts;
};

struct host_map_entry {
  const void *key;
  size_t size;
  uint64_t hash;
  void *value;
};

host_pool *host_pool_new(void) { return mem_calloc(1, sizeof(host_pool)); }

void host_pool_free(host_pool *p) {
  if (p == NULL) {
    return;
  }
  mem_arena_free(&p->memory);
  host_map_free(&p->texts);
  free(p);
}

void *host_take(host_pool *p, size_t size) { return mem_arena_take(&p->memory, size); }

/* --- tables ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *key, size_t size) {
  const uint64_t hash = hash_more(HASH_EMPTY, key, size);
  return hash ^ (hash >> 29);
}

static void grow(host_map *m) {
  host_map larger = {.capacity = m->capacity == 0 ? 64 : 2 * m->capacity, .count = m->count};
  larger.entries = mem_calloc(larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->entries[i].key != NULL) {
      size_t at = m->entries[i].hash & (larger.capacity - 1);
      while (larger.entries[at].key != NULL) {
        at = (at + 1) & (larger.capacity - 1);
      }
      larger.entries[at] = m->entries[i];
    }
  }
  free(m->entries);
  *m = larger;
}

void **host_map_at(host_pool *p, host_map *m, const void *key, size_t size) {
  if (2 * (m->count + 1) > m->capacity) {
    grow(m);
  }
  const uint64_t hash = hash_of(key, size);
  size_t at = hash & (m->capacity - 1);
  for (; m->entries[at].key != NULL; at = (at + 1) & (m->capacity - 1)) {
    struct host_map_entry *e = &m->entries[at];
    if (e->hash == hash && e->size == size && memcmp(e->key, key, size) == 0) {
      return &e->value;
    }
  }
  void *copy = host_take(p, size + 1);
  memcpy(copy, key, size);
  m->entries[at] = (struct host_map_entry){.key = copy, .size = size, .hash = hash};
  m->count++;
  return &m->entries[at].value;
}

void host_map_free(host_map *m) {
  free(m->entries);
  *m = (host_map){0};
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

const char *host_text(host_pool *p, const char *text) {
  const size_t length = strlen(text);
  void **value = host_map_at(p, &p->texts, text, length);
  if (*value == NULL) {
    *value = mem_arena_copy_part(&p->memory, text, length);
  }
  return *value;
}

const char *host_text_printf(host_pool *p, const char *format, ...) {
  va_list arguments;
  char text[4096];
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return host_text(p, text);
}
