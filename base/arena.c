#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

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

void mem_arena_free(mem_arena *a) {
  while (a->blocks != NULL) {
    struct arena_block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
  *a = (mem_arena){0};
}
