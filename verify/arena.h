/* Memory that is freed all at once: values of a proof refer to each other freely and live as long as it does. */
#ifndef CLTC_VERIFY_ARENA_H
#define CLTC_VERIFY_ARENA_H

#include <stddef.h>

/* `{0}` is empty. */
typedef struct arena {
  struct arena_chunk *chunks;
} arena;

/* Zeroed memory of `count * size` bytes that lives until arena_free; never NULL. */
void *arena_get(arena *a, size_t count, size_t size);
/* A copy of a string. */
char *arena_text(arena *a, const char *text);
/* As snprintf into memory of the arena. */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_free(arena *a);

#endif
