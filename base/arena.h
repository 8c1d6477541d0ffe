/* Memory that is given back as a whole. */
#ifndef CLTC_BASE_ARENA_H
#define CLTC_BASE_ARENA_H

#include <stddef.h>

/* `{0}` is empty. */
typedef struct mem_arena {
  struct arena_block *blocks;
  char *at;
  size_t left;
} mem_arena;

/* Zeroed, aligned for anything; it lives as long as the arena. */
void *mem_arena_take(mem_arena *a, size_t size);
char *mem_arena_copy(mem_arena *a, const char *text);
char *mem_arena_copy_part(mem_arena *a, const char *text, size_t length);
void mem_arena_free(mem_arena *a);

#endif
