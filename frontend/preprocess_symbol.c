/* Names of the preprocessor: each identifier once, in a hash table, with the macro that it means; and the memory
 * that lives as long as a run. */
#include <stdlib.h>

#include "base/hash.h"
#include "frontend/preprocess_internal.h"

void *pp_allocate(preprocessor *pp, size_t size) { return mem_arena_take(&pp->memory, size); }

static uint32_t hash_of(const char *name, uint32_t length) {
  const uint64_t hash = hash_more(HASH_EMPTY, name, length);
  return (uint32_t)(hash ^ (hash >> 32));
}

/* The name's place in the table: where it is, or the free one where it belongs. */
static symbol **place_of(symbol **table, size_t capacity, const char *name, uint32_t length, uint32_t hash) {
  size_t i = hash & (capacity - 1);
  while (table[i] != NULL) {
    const symbol *s = table[i];
    if (s->hash == hash && s->length == length && memcmp(s->name, name, length) == 0) {
      break;
    }
    i = (i + 1) & (capacity - 1);
  }
  return &table[i];
}

static void grow(preprocessor *pp) {
  size_t capacity = pp->symbol_capacity == 0 ? 1024 : pp->symbol_capacity * 2;
  symbol **table = mem_calloc(capacity, sizeof *table);
  for (size_t i = 0; i < pp->symbol_capacity; i++) {
    symbol *s = pp->symbols[i];
    if (s != NULL) {
      *place_of(table, capacity, s->name, s->length, s->hash) = s;
    }
  }
  free(pp->symbols);
  pp->symbols = table;
  pp->symbol_capacity = capacity;
}

symbol *pp_intern(preprocessor *pp, const char *name, uint32_t length) {
  if (pp->symbol_count * 2 >= pp->symbol_capacity) {
    grow(pp);
  }
  uint32_t hash = hash_of(name, length);
  symbol **place = place_of(pp->symbols, pp->symbol_capacity, name, length, hash);
  if (*place == NULL) {
    symbol *s = pp_allocate(pp, sizeof *s);
    char *copy = pp_allocate(pp, (size_t)length + 1);
    memcpy(copy, name, length);
    *s = (symbol){.name = copy, .length = length, .hash = hash};
    *place = s;
    pp->symbol_count++;
  }
  return *place;
}

void pp_release_macro(macro *m) {
  if (m != NULL && --m->uses == 0) {
    free(m->body);
    free(m);
  }
}

void pp_set_macro(symbol *s, macro *m) {
  macro *old = s->macro;
  s->macro = m;
  s->undefined = m == NULL;
  if (m != NULL) {
    m->uses++;
  }
  pp_release_macro(old);
}

void pp_free_symbols(preprocessor *pp) {
  for (size_t i = 0; i < pp->symbol_capacity; i++) {
    if (pp->symbols[i] != NULL) {
      pp_release_macro(pp->symbols[i]->macro);
    }
  }
  free(pp->symbols);
  mem_arena_free(&pp->memory);
}
