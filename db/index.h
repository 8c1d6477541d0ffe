/* A hash map from four numbers to one: finds what two programs have in common while a view is put together. */
#ifndef CLTC_DB_INDEX_H
#define CLTC_DB_INDEX_H

#include <stddef.h>
#include <stdint.h>

typedef struct index_key {
  uint32_t part[4];
} index_key;
typedef struct index_entry {
  index_key key;
  uint32_t value; /* plus 1; 0: free */
} index_entry;

/* `{0}` is empty. */
typedef struct index_map {
  index_entry *entries;
  size_t count, capacity;
} index_map;

/* The value of a key; when it has none yet, `value` becomes it. */
uint32_t index_find_or_add(index_map *map, index_key key, uint32_t value);
void index_free(index_map *map);

#endif
