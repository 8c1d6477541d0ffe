#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

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

void mem_arena_adopt(mem_arena *a, mem_arena *other) {
  struct arena_block **end = &a->blocks;
  while (*end != NULL) {
    end = &(*end)->next;
  }
  *end = other->blocks;
  *other = (mem_arena){0};
}

char *mem_arena_printf(mem_arena *a, const char *format, ...) {
  buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  char *made = mem_arena_copy(a, buffer_text(&text));
  buffer_free(&text);
  return made;
}

void mem_arena_free(mem_arena *a) {
  while (a->blocks != NULL) {
    struct arena_block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
  *a = (mem_arena){0};
}
