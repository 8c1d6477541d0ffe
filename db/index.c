/* The hash map: open addressing, at most half full. */
#include "db/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static size_t hash_of(const index_key *key) {
  uint64_t hash = 0;
  for (int i = 0; i < 4; i++) {
    hash = (hash ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (size_t)hash;
}

/* The entry of the key, or the free one where it belongs. */
static index_entry *slot(const index_map *map, const index_key *key) {
  size_t i = hash_of(key) & (map->capacity - 1);
  while (map->entries[i].value != 0 && memcmp(&map->entries[i].key, key, sizeof *key) != 0) {
    i = (i + 1) & (map->capacity - 1);
  }
  return &map->entries[i];
}

static void grow(index_map *map) {
  index_map larger = {.count = map->count, .capacity = map->capacity == 0 ? 64 : map->capacity * 2};
  larger.entries = mem_calloc(larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->entries[i].value != 0) {
      *slot(&larger, &map->entries[i].key) = map->entries[i];
    }
  }
  free(map->entries);
  *map = larger;
}

uint32_t index_find_or_add(index_map *map, index_key key, uint32_t value) {
  if (map->count * 2 >= map->capacity) {
    grow(map);
  }
  index_entry *entry = slot(map, &key);
  if (entry->value == 0) {
    *entry = (index_entry){key, value + 1};
    map->count++;
  }
  return entry->value - 1;
}

void index_free(index_map *map) {
  free(map->entries);
  *map = (index_map){0};
}
