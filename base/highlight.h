/* Colours for a source: pieces of its text, each with a class (keyword, type, …). frontend/highlight.c finds them, the
 * HTML page shows them. */
#ifndef CLTC_BASE_HIGHLIGHT_H
#define CLTC_BASE_HIGHLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum highlight_class {
  HIGHLIGHT_KEYWORD,   /* kernel, __global, if, … */
  HIGHLIGHT_TYPE,      /* int, float4, image2d_t, … */
  HIGHLIGHT_BUILTIN,   /* a function or constant of OpenCL C: get_global_id, CLK_LOCAL_MEM_FENCE */
  HIGHLIGHT_LITERAL,   /* numbers, characters, strings */
  HIGHLIGHT_COMMENT,   /* may span lines */
  HIGHLIGHT_DIRECTIVE, /* `#` and its word: # define */
  HIGHLIGHT_CLASSES
} highlight_class;

typedef struct highlight_span {
  uint32_t offset, length; /* bytes */
  uint32_t what;           /* a highlight_class */
} highlight_span;

/* A text and what was found in it. */
typedef struct highlight_text {
  const char *text; /* lent */
  size_t length;
  highlight_span *spans; /* in order, not overlapping; names of the program and punctuation have none; free() them */
  size_t span_count;
  bool failed; /* libclang could not read it */
} highlight_text;

/* Highlights all of some texts, or sets `failed`. */
typedef void (*highlighter)(highlight_text *texts, size_t count);

#endif
