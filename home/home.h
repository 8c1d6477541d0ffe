/* Where a program's source is written in the project: in a string of one of its files, in a file that the program adds
 * something to, in the argument of a macro. docs/strings.md says what is found. */
#ifndef CLTC_HOME_HOME_H
#define CLTC_HOME_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"

/* The text of a file with a NUL after it, to be freed; NULL: it cannot be read or is no text. */
char *catalogue_read(const char *path, size_t *length);

/* The folders to look in, from now on; they are listed and read when the first source is looked for. None: nothing is
 * found. Of two files that are alike the one nearer to the current directory is taken. */
void home_search_in(const char *const *roots, size_t count);
/* Forgets folders, files and what was found. */
void home_forget(void);

typedef struct home_found {
  model_home *homes; /* in which parts of `text` are written, most of it first; none: nothing was found */
  size_t count;
  char *text; /* the source; where it has several lines of a home on one of its own, broken into these */
  size_t length;
} home_found;

/* Looks for a source. What was found for a text stays the same for the rest of the process. Lent until home_forget. */
const home_found *home_of(const char *text, size_t length);

/* "imgproc.py:20", where the most of a source is written; NULL: unknown. To be freed. */
char *home_title(const home_found *f);

/* A sentence when not all files could be looked at, or two files have a source alike; NULL: neither. Lent until
 * home_forget. */
const char *home_note(void);

/* ---- decode.c: how strings and comments are written in the languages that build OpenCL programs ---- */

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

/* ---- match.c: finding the runs of a stream in the source of a program ---- */

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

/* A text as a sequence of runs. A run is a row of tokens of which a program has all or none. The same holds for all runs
 * of one format. */

typedef struct home_run {
  uint32_t first, count; /* tokens */
  uint32_t hole;         /* the token of the hole before it; UINT32_MAX: a boundary is before it */
  bool joined;           /* to the run before it: both are parts of one format, of which all or nothing is there */
} home_run;

/* What a file is taken for. */
typedef enum stream_kind {
  STREAM_WHOLE,    /* a source as it is */
  STREAM_INCLUDES, /* a source whose #include lines the program replaces */
  STREAM_PARTS,    /* a source of which the program takes some declarations */
  STREAM_STRINGS,  /* its string literals */
  STREAM_PERCENTS, /* formats of printf() and the like */
  STREAM_BRACES,   /* formats of str.format() and the like */
  STREAM_MACROS,   /* arguments of macros that make strings of them */
  STREAM_KINDS
} stream_kind;

typedef struct stream {
  decoded text;
  home_tokens tokens;
  home_run *runs;
  size_t run_count, run_capacity;
  bool apart; /* runs have nothing to do with their neighbours */
} stream;

/* False: the file cannot be read in this way, or it would give the same as another way. */
bool stream_make(stream_kind kind, const char *text, size_t length, const language *l, stream *out);
void stream_free(stream *s);

#define HOME_NONE UINT32_MAX
/* As many tokens in a row prove that they come from a file. A line such as `int i = get_global_id(0);` proves nothing. */
#define HOME_ENOUGH 40
/* The source of a program, so that sequences of HOME_SEED tokens are found in it. */
typedef struct home_target {
  decoded text;
  home_tokens tokens;
  uint32_t *heads, *next;
  size_t head_count; /* a power of two */
} home_target;

home_target home_target_of(const char *text, size_t length);
void home_target_free(home_target *t);
/* The token of the stream that a token of the source corresponds to. */
typedef struct home_claim {
  uint32_t token; /* of the stream: the same, or the hole that it fills; HOME_NONE */
  uint32_t run;   /* of the stream: the run that it belongs to or that comes after the hole */
} home_claim;

/* One claim a token of the source. Each run is there as a whole or not at all; returns how many tokens are. `*steps` is
 * how many comparisons are left to make and counts down; the search ends early at 0. */
size_t home_match(const home_target *t, const stream *s, home_claim *claims, uint64_t *steps);

#endif
