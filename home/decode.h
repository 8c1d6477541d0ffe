/* The text of a file's string literals, and where each character of it is written. */
#ifndef CLTC_HOME_DECODE_H
#define CLTC_HOME_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How strings and comments are written in the languages that build OpenCL programs. */

typedef struct language {
  const char *extensions; /* each between blanks; NULL ends the table: any other file */
  bool kernels;           /* a file of this kind is a kernel source, or may be a part of one */
  bool slashes;           /* comments: // and slash star */
  bool hashes;            /* # to the end of the line */
  bool apostrophes;       /* 'text' is a string of any length */
  bool triple;            /* """ and ''' over several lines */
  bool delimited;         /* R"x(...)x" */
  bool numbered;          /* r#"..."# */
  bool backticks;         /* `text` over several lines */
  bool macros;            /* a macro may make a string of its arguments */
} language;

/* The language of a path, by its extension; NULL: files like this one hold no text. */
const language *language_of(const char *path);

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

/* Decoded text as tokens of OpenCL C: blanks and comments may differ between a program's source and where it is
 * written, tokens may not. */

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
