/* Decoded text as tokens of OpenCL C: blanks and comments may differ between a program's source and where it is
 * written, tokens may not. */
#ifndef CLTC_HOME_TOKENS_H
#define CLTC_HOME_TOKENS_H

#include <stdbool.h>

#include "home/decode.h"

typedef enum home_token_kind { HOME_WORD, HOME_OTHER, HOME_HOLE, HOME_BREAK } home_token_kind;

typedef struct home_token {
  uint32_t begin, end; /* in the decoded text */
  uint32_t hash;       /* of its characters */
  home_token_kind kind;
  bool directive; /* on the line of a # */
} home_token;

typedef struct home_tokens {
  home_token *items;
  size_t count, capacity;
} home_tokens;

/* A word or string that a hole touches is a part of the hole. */
home_tokens home_tokens_of(const decoded *d);
void home_tokens_free(home_tokens *t);

bool home_token_same(const decoded *a, const home_token *x, const decoded *b, const home_token *y);

#endif
