/* The allocator discipline of our own processes: allocation does not fail; a machine without memory ends the
 * process with exit code 70 and a sentence. The layer, a guest in the user's process, does not use this. */
#ifndef CLTC_BASE_MEMORY_H
#define CLTC_BASE_MEMORY_H

#include <stddef.h>

/* Zeroed memory of `count * size` bytes, never NULL; free() it. */
void *mem_calloc(size_t count, size_t size);
/* As realloc; never NULL for size > 0. */
void *mem_realloc(void *old, size_t size);
/* A copy of the string, or of its first `length` bytes with a terminating NUL; free() it. */
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t length);
/* The text that printf would write; free() it. */
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Frees so many pieces of memory and the list of them; NULL is fine. */
void mem_free_all(void *list, size_t count);
/* A pointer whose block frees what it points to. */
#define scoped __attribute__((cleanup(mem_free_at)))
void mem_free_at(void *pointer);

/* Appends room for one element to a growing array: `items` pointer, `count`, `capacity` (size_t lvalues).
 * Evaluates to a pointer to the new, zeroed element. */
#define ARRAY_ADD(items, count, capacity) \
  (((items) = mem_grow((items), &(capacity), (count) + 1, sizeof *(items))), &((items)[(count)++]))

/* Grows an array of elements of `size` bytes to hold `needed`; new room is zeroed. */
void *mem_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* Memory that is given back as a whole. */

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
/* Appends room for one element to an array that only this makes longer, as ARRAY_ADD does: the room doubles, so that the
 * count says how much there is. */
#define ARENA_ADD(arena, items, count) \
  (((items) = mem_arena_grow((arena), (items), (count), sizeof *(items))), &((items)[(count)++]))
void *mem_arena_grow(mem_arena *a, void *items, size_t count, size_t size);
/* What is in the other is in this one from now on. */
void mem_arena_adopt(mem_arena *a, mem_arena *other);
char *mem_arena_copy(mem_arena *a, const char *text);
char *mem_arena_copy_part(mem_arena *a, const char *text, size_t length);
char *mem_arena_printf(mem_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mem_arena_free(mem_arena *a);

/* Goes through `count` elements of an array, which stays where it is meanwhile: `item` points to one after the other. */
#define EACH(type, item, items, count) \
  for (type *item = (items), *item##_end = item == NULL ? item : item + (count); item != item##_end; item++)

#endif
