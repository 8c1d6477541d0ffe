/* What a source says about itself: preconditions, invariants of loops, assertions. In comments, `// cltestcheck: invariant i >= 0`
 * and `// cltestcheck: requires n > 0`, or as calls with the names that GPUVerify has for them. */
#ifndef CLTC_VERIFY_ANNOTATIONS_H
#define CLTC_VERIFY_ANNOTATIONS_H

#include "base/buffer.h"

/* Appends what has to stand before a source that has annotations; nothing where it has none. */
void annotations_declare(const char *source, buffer *to);
/* Appends the source with annotations in comments as calls, on their lines. */
void annotations_expand(const char *source, buffer *to);

#endif
