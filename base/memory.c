/* Allocation that does not fail, and arenas. */
#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"

static _Noreturn void out_of_memory(void) {
  (void)fputs("cltestcheck: the machine has no memory left; stop other programs and try again\n", stderr);
  exit(EXIT_INTERNAL);
}

void *mem_calloc(size_t count, size_t size) {
  void *p = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
  if (p == NULL) out_of_memory();
  return p;
}

void *mem_realloc(void *old, size_t size) {
  void *p = realloc(old, size == 0 ? 1 : size);
  if (p == NULL) out_of_memory();
  return p;
}

char *mem_strndup(const char *s, size_t length) {
  char *copy = mem_calloc(length + 1, 1);
  memcpy(copy, s, length);
  return copy;
}

char *mem_strdup(const char *s) { return mem_strndup(s, strlen(s)); }

char *mem_printf(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) out_of_memory();
  va_end(arguments);
  return text;
}

void *mem_grow(void *items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return items;
  size_t grown = *capacity < 8 ? 8 : *capacity * 2;
  if (grown < needed) grown = needed;
  if (grown > SIZE_MAX / size) out_of_memory();
  char *bytes = mem_realloc(items, grown * size);
  memset(bytes + *capacity * size, 0, (grown - *capacity) * size);
  *capacity = grown;
  return bytes;
}

void mem_free_all(void *list, size_t count) {
  for (size_t i = 0; i < count && list != NULL; i++) {
    void *one = NULL; /* pointers to other types are kept in the same way */
    memcpy(&one, (const char *)list + i * sizeof one, sizeof one);
    free(one);
  }
  free(list);
}

void mem_free_at(void *pointer) {
  void *memory = NULL;
  memcpy(&memory, pointer, sizeof memory);
  free(memory);
}

enum { BLOCK_BYTES = 1 << 16 };

struct arena_block {
  struct arena_block *next;
  max_align_t bytes[];
};

void *mem_arena_take(mem_arena *a, size_t size) {
  size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
  if (size > a->left) {
    const size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    struct arena_block *b = mem_calloc(1, sizeof *b + room);
    b->next = a->blocks;
    a->blocks = b;
    a->at = (char *)b->bytes;
    a->left = room;
  }
  void *taken = a->at;
  a->at += size;
  a->left -= size;
  return taken;
}

char *mem_arena_copy_part(mem_arena *a, const char *text, size_t length) {
  char *copy = mem_arena_take(a, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *mem_arena_copy(mem_arena *a, const char *text) { return mem_arena_copy_part(a, text, strlen(text)); }

void *mem_arena_array(mem_arena *a, size_t count, size_t size) { return mem_arena_take(a, count * size); }

void *mem_arena_more(mem_arena *a, const void *items, size_t count, size_t size) {
  void *made = mem_arena_array(a, count + 1, size);
  return count == 0 ? made : memcpy(made, items, count * size);
}

void *mem_arena_grow(mem_arena *a, void *items, size_t count, size_t size) {
  if ((count & (count - 1)) == 0) { /* 0 or a power of two: it is full */
    void *larger = mem_arena_array(a, count == 0 ? 1 : 2 * count, size);
    items = count == 0 ? larger : memcpy(larger, items, count * size);
  }
  memset((char *)items + count * size, 0, size);
  return items;
}

void mem_arena_adopt(mem_arena *a, mem_arena *other) {
  struct arena_block **end = &a->blocks;
  while (*end != NULL) end = &(*end)->next;
  *end = other->blocks;
  *other = (mem_arena){0};
}

char *mem_arena_printf(mem_arena *a, const char *format, ...) {
  scoped_buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  return mem_arena_copy(a, buffer_text(&text));
}

void mem_arena_free(mem_arena *a) {
  while (a->blocks != NULL) {
    struct arena_block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
  *a = (mem_arena){0};
}
