/* Memory that is given back as a whole, and strings and pointers that are found again by their text. */
#ifndef CLTC_HOST_POOL_H
#define CLTC_HOST_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct host_pool host_pool;

host_pool *host_pool_new(void);
void host_pool_free(host_pool *p);
/* Zeroed memory that lives as long as the pool. */
void *host_take(host_pool *p, size_t size);
/* One copy of each text, so that equal texts are equal pointers. */
const char *host_text(host_pool *p, const char *text);
const char *host_text_printf(host_pool *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table from keys of bytes to pointers; `{0}` is empty. Keys are copied into the pool. */
typedef struct host_map {
  struct host_map_entry *entries;
  size_t count, capacity; /* capacity is a power of two */
} host_map;

/* The place of the value of a key; a new key has NULL there. */
void **host_map_at(host_pool *p, host_map *m, const void *key, size_t size);
void host_map_free(host_map *m);

#endif
