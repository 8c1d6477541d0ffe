/* Finding the runs of a stream in the source of a program. */
#ifndef CLTC_HOME_MATCH_H
#define CLTC_HOME_MATCH_H

#include "home/decode.h"

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
