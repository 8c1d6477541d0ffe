/* Unified diffs. */
#ifndef CLTC_REPAIR_DIFF_H
#define CLTC_REPAIR_DIFF_H

#include <stddef.h>

#include "base/buffer.h"

/* What `patch -p1` and `git apply` take to make the new text of the old one, in the file a/NAME, b/NAME; nothing where
 * they are the same. */
void diff_write(const char *name, const char *old_text, size_t old_length, const char *new_text, size_t new_length,
                buffer *out);

#endif
