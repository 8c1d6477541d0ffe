/* Races between commands as records. */
#ifndef CLTC_RUNNER_ORDER_OVERLAP_WORDS_H
#define CLTC_RUNNER_ORDER_OVERLAP_WORDS_H

#include "runner/order/access.h"
#include "runner/order/overlap.h"

typedef struct overlap_words {
  const access_reader *reader;
  uint32_t *number; /* by call: which one of its function (launches: of its kernel) it is, from 1 */
  bool threads;     /* there are several */
} overlap_words;

/* Races with the same key are told of once: those of two functions, or kernels and their parameters. */
typedef struct overlap_key {
  capture_function function[2];
  const char *kernel[2]; /* "": no launch */
  uint32_t index[2];
  touch_kind kind[2];
  bool mapped;
} overlap_key;

void overlap_words_begin(overlap_words *w, const access_reader *r);
void overlap_words_end(overlap_words *w);
overlap_key overlap_key_of(const overlap_words *w, const command_access *first, const command_access *second);
bool overlap_same_key(const overlap_key *a, const overlap_key *b);
/* All but its count. */
void overlap_describe(const overlap_words *w, const command_access *first, const command_access *second, bool definite,
                      overlap *out);
/* Where the calls of both are. */
void overlap_place(const overlap_words *w, const command_access *first, const command_access *second, overlap *out);
void overlap_free(overlap *o);

#endif
