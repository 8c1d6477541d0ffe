/* Asking libclang: reading macro-free OpenCL C, checking a text of ours, answering the preprocessor. */
#ifndef CLTC_FRONTEND_FRONTEND_H
#define CLTC_FRONTEND_FRONTEND_H

#include "base/highlight.h"
#include "frontend/tree.h"

/* Preprocesses a source for which there is no device (pp_input.alone) and builds its tree (tree_build). Release both in
 * every case. */
int front_source(const pp_input *in, pp_result *text, tree **t, error *e);

/* An error that libclang finds in a text. */
typedef struct front_error {
  char *file; /* as #line has it */
  uint32_t line;
  char *function; /* the definition that it lies in, "" if none */
  char *message;
} front_error;

/* Reads a text that we have written, with #line; returns its errors, to be released with front_errors_free. */
front_error *front_check(const char *text, const char *options, size_t *count);
void front_errors_free(front_error *errors, size_t count);

/* Loads libclang now, where it is not yet: for processes that fork others which read kernels, one each. */
void front_load(void);

/* The folder of clang's own headers. */
const char *front_clang_headers(void);

/* Of libclang's number of a binary operator, or of an assignment with one; OP_NONE: it is another. */
c_operator front_binary_operator(unsigned kind);

/* Answers a preprocessor question as libclang's OpenCL C would; for use without a device. */
bool front_answer(const char *expression, const char *options);

/* The words of OpenCL C source, as clang's lexer tells them apart, for showing it in colours. */

/* Fills in t->spans. Only the text itself is read, no header. libclang may crash on a hostile text: use
 * isolated_highlight (runner/isolate.h) where that matters. -1 with a sentence when it cannot be read. */
int highlight(highlight_text *t, error *e);

#endif
