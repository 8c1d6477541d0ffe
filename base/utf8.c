/* UTF-8: checking, cleaning, cutting. */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* Lead bytes by length, with the smallest code point that may take it. */
static const struct {
  unsigned char mask, lead;
  uint32_t smallest;
} forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

size_t utf8_character(const char *s, size_t length) {
  for (size_t n = 0; length > 0 && n < sizeof forms / sizeof forms[0]; n++) {
    unsigned char first = (unsigned char)s[0];
    if ((first & forms[n].mask) != forms[n].lead) continue;
    if (n >= length) return 0;
    uint32_t code = first & (unsigned char)~forms[n].mask;
    for (size_t i = 1; i <= n; i++) {
      unsigned char next = (unsigned char)s[i];
      if ((next & 0xc0) != 0x80) return 0;
      code = (code << 6) | (next & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < forms[n].smallest || code > 0x10ffff || surrogate ? 0 : n + 1;
  }
  return 0;
}

void utf8_clean(buffer *to, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    if (n == 0) {
      buffer_puts(to, UTF8_REPLACEMENT);
      i++;
    } else {
      buffer_append(to, text + i, n);
      i += n;
    }
  }
}

/* C0, DEL and C1 control characters. */
static bool is_control(const char *s, size_t n) {
  unsigned char c = (unsigned char)s[0];
  return (n == 1 && (c < 0x20 || c == 0x7f)) || (n == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0);
}

void utf8_line(buffer *to, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    if (n == 1 && strchr("\t\r\n", text[i]) != NULL && text[i] != '\0')
      buffer_putc(to, ' ');
    else if (n == 0 || is_control(text + i, n))
      buffer_puts(to, UTF8_REPLACEMENT);
    else
      buffer_append(to, text + i, n);
    i += n == 0 ? 1 : n;
  }
}

size_t utf8_columns(const char *text) {
  size_t columns = 0;
  for (; *text != '\0'; text++) columns += ((unsigned char)*text & 0xc0) != 0x80 ? 1 : 0;
  return columns;
}

/* The byte where column `column` begins. */
static size_t byte_of(const char *text, size_t column) {
  size_t i = 0;
  for (size_t seen = 0; text[i] != '\0'; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80 && seen++ == column) break;
  return i;
}

void utf8_shorten(buffer *to, const char *text, size_t columns) {
  size_t all = utf8_columns(text);
  if (all <= columns) {
    buffer_puts(to, text);
    return;
  }
  if (columns == 0) return;
  size_t front = columns / 2;
  size_t back = columns - front - 1;
  buffer_append(to, text, byte_of(text, front));
  buffer_puts(to, UTF8_ELLIPSIS);
  buffer_puts(to, text + byte_of(text, all - back));
}
