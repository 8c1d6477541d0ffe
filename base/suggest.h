/* "did you mean …?": the known word that is nearest to a misspelt one. */
#ifndef CLTC_BASE_SUGGEST_H
#define CLTC_BASE_SUGGEST_H

#include <stddef.h>

/* `{WORD}` to begin with. */
typedef struct suggestion {
  const char *word;
  const char *best; /* lent by the caller; NULL: nothing is near enough */
  unsigned distance;
} suggestion;

/* Letters to insert, delete, replace or exchange with the next, to get from `a` to `b`; capped at 64 letters. */
unsigned suggest_distance(const char *a, const char *b);
/* Keeps the candidate if it is nearer than what there is: one mistake in three letters at most, or the word is how the
 * candidate begins. */
void suggest_consider(suggestion *s, const char *candidate);

#endif
