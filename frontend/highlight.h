/* The words of OpenCL C source, as clang's lexer tells them apart, for showing it in colours. */
#ifndef CLTC_FRONTEND_HIGHLIGHT_H
#define CLTC_FRONTEND_HIGHLIGHT_H

#include "base/error.h"
#include "base/highlight.h"

/* Fills in t->spans. Only the text itself is read, no header. libclang may crash on a hostile text: use
 * isolated_highlight (runner/isolate.h) where that matters. -1 with a sentence when it cannot be read. */
int highlight(highlight_text *t, error *e);

#endif
