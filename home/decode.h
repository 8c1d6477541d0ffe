/* The text of a file's string literals, and where each character of it is written. */
#ifndef CLTC_HOME_DECODE_H
#define CLTC_HOME_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "home/language.h"

/* Stand in decoded text for what is not known: */
#define DECODED_HOLE '\001'  /* a value that a program puts into a format: %d, {name} */
#define DECODED_BREAK '\002' /* the end of a piece; what follows may stand anywhere else in a program */
#define DECODED_VALUE '\003' /* a value between two literals: a macro, a variable */

typedef struct decoded {
  char *text;
  uint32_t *at;    /* of each character: where it is written */
  uint32_t *width; /* and in how many bytes */
  size_t count, capacity;
  bool percents, braces; /* there is something that would be a hole if it were a format */
} decoded;

/* What the strings are taken for. */
typedef enum decode_format { DECODE_PLAIN, DECODE_PERCENTS, DECODE_BRACES } decode_format;

decoded decode_literals(const char *text, size_t length, const language *l, decode_format format);
/* The text itself, character by character. */
decoded decode_nothing(const char *text, size_t length);
/* The same, but for \n outside of quotes: in the argument of a macro that makes a string of it that ends a line. */
decoded decode_arguments(const char *text, size_t length);
void decoded_free(decoded *d);

#endif
