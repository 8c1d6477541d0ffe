/* What the files of the front end share; the only header that shows libclang. */
#ifndef CLTC_FRONTEND_FRONTEND_INTERNAL_H
#define CLTC_FRONTEND_FRONTEND_INTERNAL_H

#include <clang-c/Index.h>

#include "frontend/frontend.h"

/* The text that is read. */
typedef struct walker {
  const pp_result *text;
} walker;

/* --- frontend.c --- */
/* Parses `text` and has `read` look at the result. Returns 0, or -1 with a sentence. */
int front_parse(const pp_result *text, const char *options, void (*read)(CXTranslationUnit unit, void *context),
                void *context, error *e);
uint32_t front_offset(CXSourceLocation location);
/* The token that holds byte `offset`, or the last one before it. */
uint32_t front_token_at(const pp_result *text, uint32_t offset);
span front_span(const walker *w, CXCursor cursor);
bool front_in_text(CXCursor cursor);
/* Disposes of the string. */
char *front_take_string(CXString s);
CXCursor front_first_child(CXCursor cursor);

#endif
