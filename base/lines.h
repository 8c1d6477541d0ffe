/* Which lines of a text are those of another: Myers' greedy search for the shortest edit
 * script (An O(ND) difference algorithm, 1986). */
#ifndef CLTC_BASE_LINES_H
#define CLTC_BASE_LINES_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

typedef struct text_line {
  const char *text;
  size_t length; /* with its end */
} text_line;

typedef struct text_lines {
  text_line *items; /* to be freed */
  size_t count, capacity;
} text_lines;

text_lines text_lines_of(const char *text, size_t length);

typedef struct line_diff {
  text_lines old, new;
  bool (*same)(const text_line *a, const text_line *b);
  size_t most_edits; /* that are followed: texts that differ in more are the same as far as that leads; 0: all */
} line_diff;

/* `old_of` has a number for each line of the new text: it becomes the line of the old one, from 1, or 0. */
void line_diff_pairs(const line_diff *d, uint32_t *old_of);

/* Unified diffs. */

/* What `patch -p1` and `git apply` take to make the new text of the old one, in the file a/NAME, b/NAME; nothing where
 * they are the same. */
void diff_write(const char *name, const char *old_text, size_t old_length, const char *new_text, size_t new_length,
                buffer *out);

#endif
