/* Address space for buffers on a CPU device, far from everything else: what a kernel reaches for outside of its
 * buffers, with an index of 32 bits, is there, too, and no memory of a library's. */
#ifndef CLTC_REPLAY_ARENA_H
#define CLTC_REPLAY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena arena;

typedef enum arena_area {
  ARENA_ELSEWHERE, /* not in the arena */
  ARENA_NEAR,      /* within ARENA_NEARNESS bytes of a place, or in one: a program may well have memory there */
  ARENA_FAR
} arena_area;

#define ARENA_NEARNESS ((size_t)256 << 20)

/* Reserves `count` places of these sizes in bytes, none of which may be touched yet; NULL: there is not enough address
 * space. */
arena *arena_open(const size_t *sizes, size_t count);
void arena_close(arena *a); /* NULL is fine; nothing may use it any more */

/* The place, readable and writable from now on, all zeros, aligned to a page; NULL: there is not enough memory. */
unsigned char *arena_place(arena *a, size_t number);

/* Where an address is. Signal handlers may ask. `a` NULL: nothing is in it. */
arena_area arena_find(const arena *a, uintptr_t address);
/* Whole pages around an address of the arena that is in no place, and in none themselves. Signal handlers may ask. */
void *arena_pages(const arena *a, uintptr_t address, size_t *size);

#endif
