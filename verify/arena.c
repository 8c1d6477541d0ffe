/* Chunks of memory that are freed together. */
#include "verify/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK = 1 << 16, ALIGNMENT = 16 };

typedef struct arena_chunk {
  struct arena_chunk *next;
  size_t used, size;
  _Alignas(ALIGNMENT) unsigned char bytes[];
} arena_chunk;

void *arena_get(arena *a, size_t count, size_t size) {
  size_t needed = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (a->chunks == NULL || a->chunks->size - a->chunks->used < needed) {
    const size_t room = needed > CHUNK ? needed : CHUNK;
    arena_chunk *chunk = mem_calloc(1, sizeof *chunk + room);
    chunk->size = room;
    chunk->next = a->chunks;
    a->chunks = chunk;
  }
  void *result = a->chunks->bytes + a->chunks->used;
  a->chunks->used += needed;
  return result;
}

char *arena_text(arena *a, const char *text) {
  const size_t length = strlen(text) + 1;
  return memcpy(arena_get(a, length, 1), text, length);
}

char *arena_printf(arena *a, const char *format, ...) {
  va_list arguments;
  va_list again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = arena_get(a, length < 0 ? 1 : (size_t)length + 1, 1);
  if (length >= 0) {
    (void)vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  return text;
}

void arena_free(arena *a) {
  while (a->chunks != NULL) {
    arena_chunk *next = a->chunks->next;
    free(a->chunks);
    a->chunks = next;
  }
}
