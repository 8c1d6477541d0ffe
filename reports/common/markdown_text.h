/* Text that may hold anything in GitHub's Markdown: none of it is taken for markup, HTML, a mention or a reference. */
#ifndef CLTC_REPORTS_COMMON_MARKDOWN_TEXT_H
#define CLTC_REPORTS_COMMON_MARKDOWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buffer.h"

/* One line of prose, also inside HTML. */
void markdown_text(FILE *out, const char *text);
/* A code span. Nothing for "". */
void markdown_code(FILE *out, const char *text, bool in_table);

#define MARKDOWN_LINE 300 /* columns of a line of code */
/* Appends the lines of `length` bytes, at most `most` of them, each after a prefix and cut to MARKDOWN_LINE. */
void markdown_lines(buffer *to, const char *prefix, const char *text, size_t length, size_t most);
/* Such lines as a block of code in a language. */
void markdown_block(FILE *out, const char *language, const buffer *lines);

#endif
