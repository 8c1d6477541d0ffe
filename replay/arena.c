/* Reserved address space: a margin, the places with gaps between them, a margin. */
#include "replay/arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"

#define PAGE ((size_t)4096)
#define CHUNK ((size_t)65536)      /* pages that are touched together, mostly */
#define MARGIN ((size_t)256 << 30) /* an index of 32 bits and elements of 64 bytes */
#define GAP \
  (((size_t)1 << 30) + ((size_t)3 << 16)) /* not a power of two, so that strides hardly go from place to place */
#define MOST ((size_t)16 << 40)           /* of the 128 TiB that a process has */

typedef struct place {
  size_t offset, size;
} place;

struct arena {
  unsigned char *base;
  size_t size;
  place *places; /* in rising order */
  size_t count;
};

/* False: they do not fit. */
static bool lay_out(arena *a, const size_t *sizes) {
  a->size = MARGIN;
  for (size_t i = 0; i < a->count; i++) {
    if (sizes[i] > MOST || a->size > MOST) {
      return false;
    }
    a->places[i] = (place){a->size, (sizes[i] + PAGE - 1) / PAGE * PAGE};
    a->size += a->places[i].size + GAP;
  }
  a->size += MARGIN;
  return a->size <= MOST;
}

arena *arena_open(const size_t *sizes, size_t count) {
  arena *a = mem_calloc(1, sizeof *a);
  a->places = mem_calloc(count + 1, sizeof *a->places);
  a->count = count;
  void *base = MAP_FAILED;
  if (lay_out(a, sizes)) {
    base = mmap(NULL, a->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (base == MAP_FAILED) {
    free(a->places);
    free(a);
    return NULL;
  }
  a->base = base;
  return a;
}

void arena_close(arena *a) {
  if (a == NULL) {
    return;
  }
  (void)munmap(a->base, a->size);
  free(a->places);
  free(a);
}

unsigned char *arena_place(arena *a, size_t number) {
  const place *p = &a->places[number];
  unsigned char *at = a->base + p->offset;
  return p->size > 0 && mprotect(at, p->size, PROT_READ | PROT_WRITE) == 0 ? at : NULL;
}

/* The number of places that begin at or before an offset. */
static size_t places_before(const arena *a, size_t offset) {
  size_t low = 0, high = a->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (a->places[middle].offset <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void *arena_pages(const arena *a, uintptr_t address, size_t *size) {
  const size_t offset = address - (uintptr_t)a->base, behind = places_before(a, offset);
  const size_t begin = offset / CHUNK * CHUNK;
  const size_t least = behind > 0 ? a->places[behind - 1].offset + a->places[behind - 1].size : 0;
  const size_t most = behind < a->count ? a->places[behind].offset : a->size;
  if (begin >= least && begin + CHUNK <= most) {
    *size = CHUNK;
    return a->base + begin;
  }
  *size = PAGE;
  return a->base + offset / PAGE * PAGE;
}

arena_area arena_find(const arena *a, uintptr_t address) {
  if (a == NULL || address < (uintptr_t)a->base || address - (uintptr_t)a->base >= a->size) {
    return ARENA_ELSEWHERE;
  }
  const size_t offset = address - (uintptr_t)a->base, behind = places_before(a, offset);
  const place *before = behind > 0 ? &a->places[behind - 1] : NULL;
  const bool near = (before != NULL && offset < before->offset + before->size + ARENA_NEARNESS) ||
                    (behind < a->count && a->places[behind].offset - offset <= ARENA_NEARNESS);
  return near ? ARENA_NEAR : ARENA_FAR;
}
