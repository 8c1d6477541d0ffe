/* Tokens of a macro-free text by their numbers, and spans of them. */
#ifndef CLTC_FRONTEND_TOKENS_H
#define CLTC_FRONTEND_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/preprocess.h"

#define NO_TOKEN UINT32_MAX

/* Tokens first..last, both included; empty when first > last. */
typedef struct span {
  uint32_t first, last;
} span;

static inline bool span_empty(span s) { return s.first > s.last; }
static inline bool span_has(span s, uint32_t token) { return token >= s.first && token <= s.last; }

/* A digraph is what it stands for. */
bool token_is(const pp_result *text, uint32_t token, const char *spelling);
bool same_spelling(const pp_result *text, uint32_t a, uint32_t b);
/* The parentheses after a name, which may stand in parentheses itself: `(f)(x)`. Empty if there are none. */
span token_parentheses(const pp_result *text, uint32_t name);
/* The `;` that ends what begins at a token, outside of parentheses; the last token if there is none. */
uint32_t token_semicolon(const pp_result *text, uint32_t first);
/* The token after a pragma or `_Pragma(…)` that stands at `token`; else `token` itself. */
uint32_t token_behind_pragma(const pp_result *text, uint32_t token);
/* The bracket that closes `open` ("(", "[" or "{"), NO_TOKEN if the tokens end first. */
uint32_t token_match(const pp_result *text, uint32_t open);

#endif
