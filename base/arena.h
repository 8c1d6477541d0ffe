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
void *mem_arena_array(mem_arena *a, size_t count, size_t size);
/* A copy of an array, with room for one more. */
void *mem_arena_more(mem_arena *a, const void *items, size_t count, size_t size);
/* What is in the other is in this one from now on. */
void mem_arena_adopt(mem_arena *a, mem_arena *other);
char *mem_arena_copy(mem_arena *a, const char *text);
char *mem_arena_copy_part(mem_arena *a, const char *text, size_t length);
char *mem_arena_printf(mem_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mem_arena_free(mem_arena *a);

#endif
