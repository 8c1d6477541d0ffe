/* Memory that is given back as a whole, and the tables in it. */
#include "host/pool.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

enum { BLOCK = 1 << 16 };

typedef struct block {
  struct block *next;
  max_align_t bytes[];
} block;

struct host_pool {
  block *blocks;
  char *at;
  size_t left;
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
  while (p->blocks != NULL) {
    block *next = p->blocks->next;
    free(p->blocks);
    p->blocks = next;
  }
  host_map_free(&p->texts);
  free(p);
}

void *host_take(host_pool *p, size_t size) {
  size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
  if (size > p->left) {
    const size_t room = size > BLOCK ? size : BLOCK;
    block *b = mem_calloc(1, sizeof *b + room);
    b->next = p->blocks;
    p->blocks = b;
    p->at = (char *)b->bytes;
    p->left = room;
  }
  void *taken = p->at;
  p->at += size;
  p->left -= size;
  return taken;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *key, size_t size) {
  const unsigned char *bytes = key;
  uint64_t hash = 14695981039346656037U;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * 1099511628211U;
  }
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
    char *copy = host_take(p, length + 1);
    memcpy(copy, text, length);
    *value = copy;
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
