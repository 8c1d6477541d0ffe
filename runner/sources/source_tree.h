/* The typed tree of a source, for work that is done in a process of its own (runner/isolate.h). */
#ifndef CLTC_RUNNER_SOURCES_SOURCE_TREE_H
#define CLTC_RUNNER_SOURCES_SOURCE_TREE_H

#include "base/buffer.h"
#include "frontend/tree.h"

typedef struct source_tree_use {
  void *context;
  void (*put)(void *context, const pp_result *text, const tree *t, buffer *out);
} source_tree_use;

/* Reads the source and hands its tree to `use`. Questions of the preprocessor are answered as libclang does. -1 with `e`
 * set: it cannot be read. */
int source_tree_make(const pp_input *in, source_tree_use use, buffer *out, error *e);

#endif
