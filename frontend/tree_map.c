/* A map by address. */
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "frontend/tree_internal.h"

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
