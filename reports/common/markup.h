/* Text that may hold anything, in GitHub's Markdown (none of it is taken for markup, HTML, a mention or a reference)
 * and in XML. */
#ifndef CLTC_REPORTS_COMMON_MARKUP_H
#define CLTC_REPORTS_COMMON_MARKUP_H

#include "reports/common/report.h"

/* Pieces: one line of prose, also inside HTML; a code span, nothing for "". */
const char *markdown_text(report_out *to, const char *text);
const char *markdown_code(report_out *to, const char *text, bool in_table);
/* Appends the lines of `length` bytes, at most `most` of them, each after a prefix and cut to MARKDOWN_LINE. */
void markdown_lines(buffer *to, const char *prefix, const char *text, size_t length, size_t most);
/* A piece: such lines as a block of code in a language. */
const char *markdown_block(report_out *to, const char *language, const buffer *lines);

/* A piece: text of an element, or of an attribute in double quotes; what XML cannot hold becomes U+FFFD. */
const char *xml_text(report_out *to, const char *text);

#endif
