/* A text as a sequence of runs. A run is a row of tokens of which a program has all or none. The same holds for all runs
 * of one format. */
#ifndef CLTC_HOME_STREAM_H
#define CLTC_HOME_STREAM_H

#include "home/tokens.h"

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

#endif
