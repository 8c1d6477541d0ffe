/* Text that may hold anything: names and source lines, made safe for terminals and JSON, measured and cut by columns.
 */
#ifndef CLTC_BASE_UTF8_H
#define CLTC_BASE_UTF8_H

#include "base/buffer.h"

/* The ellipsis of cut text, one column. */
#define UTF8_ELLIPSIS "\xe2\x80\xa6"
/* U+FFFD, in place of what is not UTF-8. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Length in bytes of the valid UTF-8 character at `s`, of at most `length` bytes; 0 when there is none. */
size_t utf8_character(const char *s, size_t length);
/* Appends `length` bytes of text, with U+FFFD in place of each byte that is not UTF-8. */
void utf8_clean(buffer *to, const char *text, size_t length);
/* The same for one line on a terminal: control characters become U+FFFD too, line ends and tabs a space. */
void utf8_line(buffer *to, const char *text, size_t length);
/* Columns of clean text: one a character. */
size_t utf8_columns(const char *text);
/* Appends clean text cut in the middle to at most `columns`. */
void utf8_shorten(buffer *to, const char *text, size_t columns);

#endif
