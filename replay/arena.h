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

/* A kernel on a CPU device that leaves its memory altogether: instead of ending the process, it finds a page there. */

/* What faults were about. */
typedef struct faults {
  bool near;    /* in the arena, near its buffers */
  bool far;     /* anywhere else */
  bool foreign; /* outside of the arena */
  bool written; /* what was lent holds other bytes at the end */
} faults;

/* From now on faults of any thread are mended, within bounds. `a`, which may be NULL, must stay; what is lent near its
 * places holds `filling`, elsewhere zeros. */
void faults_begin(const arena *a, unsigned char filling);
/* Ends it and takes the pages away. */
faults faults_end(void);

/* A replay that crashes says which launch it had in hand. */

/* From now on; the signal then ends the process as it would have. */
void crash_watch(void);
/* Launches are counted from 0 again. */
void crash_turn(void);
/* The next launch is enqueued; `kernel` must stay as long as the replay. */
void crash_launch(const char *kernel);

#endif
