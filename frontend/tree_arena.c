/* Memory of a tree, released at once; and a map by address. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree_internal.h"

enum { CHUNK_BYTES = 1 << 16, ALIGNMENT = 16 };

typedef struct chunk {
  struct chunk *next;
  size_t used, capacity;
} chunk;

struct tree_arena {
  chunk *first;
};

static size_t rounded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

tree_arena *tree_arena_new(void) { return mem_calloc(1, sizeof(tree_arena)); }

void tree_arena_free(tree_arena *a) {
  while (a->first != NULL) {
    chunk *next = a->first->next;
    free(a->first);
    a->first = next;
  }
  free(a);
}

void *tree_allocate(tree_arena *a, size_t size) {
  const size_t header = rounded(sizeof(chunk));
  const size_t wanted = rounded(size);
  if (a->first == NULL || a->first->used + wanted > a->first->capacity) {
    const size_t capacity = header + (wanted > CHUNK_BYTES ? wanted : CHUNK_BYTES);
    chunk *c = mem_calloc(1, capacity);
    *c = (chunk){a->first, header, capacity};
    a->first = c;
  }
  void *out = (char *)a->first + a->first->used;
  a->first->used += wanted;
  return out;
}

char *tree_copy_part(tree_arena *a, const char *s, size_t length) {
  char *copy = tree_allocate(a, length + 1);
  memcpy(copy, s, length);
  return copy;
}

char *tree_copy(tree_arena *a, const char *s) { return tree_copy_part(a, s, strlen(s)); }

/* --- the map ------------------------------------------------------------------------------------------------------ */

static size_t slot_of(const tree_map *m, const void *key) {
  size_t at = (size_t)(((uintptr_t)key >> 3) * (uintptr_t)0x9E3779B97F4A7C15u) & (m->capacity - 1);
  while (m->keys[at] != NULL && m->keys[at] != key) {
    at = (at + 1) & (m->capacity - 1);
  }
  return at;
}

void *tree_map_get(const tree_map *m, const void *key) {
  return m->capacity == 0 || key == NULL ? NULL : m->values[slot_of(m, key)];
}

static void grow(tree_map *m) {
  tree_map larger = {.capacity = m->capacity == 0 ? 64 : 2 * m->capacity, .count = m->count};
  larger.keys = mem_calloc(larger.capacity, sizeof *larger.keys);
  larger.values = mem_calloc(larger.capacity, sizeof *larger.values);
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->keys[i] != NULL) {
      const size_t at = slot_of(&larger, m->keys[i]);
      larger.keys[at] = m->keys[i];
      larger.values[at] = m->values[i];
    }
  }
  tree_map_free(m);
  *m = larger;
}

void tree_map_set(tree_map *m, const void *key, void *value) {
  if (2 * (m->count + 1) > m->capacity) {
    grow(m);
  }
  const size_t at = slot_of(m, key);
  m->count += m->keys[at] == NULL ? 1 : 0;
  m->keys[at] = key;
  m->values[at] = value;
}

void tree_map_free(tree_map *m) {
  free(m->keys);
  free(m->values);
  *m = (tree_map){0};
}
