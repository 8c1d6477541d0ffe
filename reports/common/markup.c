/* Markdown and XML take text that may hold anything. */
#include "reports/common/markup.h"

#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"

#define MARKDOWN_LINE 300 /* columns of a line of code */

/* Escaping for Markdown. */

/* What has a meaning in Markdown or HTML. */
#define SPECIAL "\\`*_{}[]<>#|!~&@$"

const char *markdown_text(report_out *to, const char *text) {
  scoped_buffer line = {0};
  buffer *piece = report_piece(to);
  utf8_line(&line, text, strlen(text));
  for (const char *c = buffer_text(&line); *c != '\0'; c++)
    buffer_printf(piece, strchr(SPECIAL, *c) != NULL ? "&#%u;" : "%c", (unsigned)*c);
  return buffer_text(piece);
}

/* The longest run of backticks. */
static size_t longest_run(const char *text) {
  size_t longest = 0;
  for (const char *c = text; *c != '\0';) {
    size_t run = strspn(c, "`");
    longest = run > longest ? run : longest;
    c += run == 0 ? 1 : run;
  }
  return longest;
}

static void add_fence(buffer *to, size_t length) {
  for (size_t i = 0; i < length; i++) buffer_putc(to, '`');
}

const char *markdown_code(report_out *to, const char *text, bool in_table) {
  scoped_buffer line = {0};
  buffer *piece = report_piece(to);
  utf8_line(&line, text, strlen(text));
  const char *s = buffer_text(&line);
  const size_t fence = longest_run(s) + 1;
  const char *space = fence > 1 || s[0] == ' ' ? " " : "";
  if (line.length > 0) {
    add_fence(piece, fence);
    buffer_puts(piece, space);
    for (; *s != '\0'; s++) buffer_printf(piece, "%s%c", in_table && *s == '|' ? "\\" : "", *s);
    buffer_puts(piece, space);
    add_fence(piece, fence);
  }
  return buffer_text(piece);
}

static void put_line(buffer *b, const char *prefix, const char *text, size_t length) {
  scoped_buffer clean = {0};
  length -= length > 0 && text[length - 1] == '\r' ? 1 : 0;
  for (size_t i = 0; i < length; i++) { /* tabs stay */
    if (text[i] == '\t') {
      buffer_putc(&clean, '\t');
      continue;
    }
    size_t n = utf8_character(text + i, length - i);
    n = n == 0 ? 1 : n;
    utf8_line(&clean, text + i, n);
    i += n - 1;
  }
  scoped_buffer shown = {0};
  utf8_shorten(&shown, buffer_text(&clean), MARKDOWN_LINE);
  buffer_printf(b, "%s%s\n", prefix, buffer_text(&shown));
}

void markdown_lines(buffer *b, const char *prefix, const char *text, size_t length, size_t most) {
  const char *end = text + length;
  for (size_t n = 0; text < end || n == 0; n++) {
    const char *stop = text == end ? end : memchr(text, '\n', (size_t)(end - text));
    stop = stop == NULL ? end : stop;
    if (n == most) {
      buffer_printf(b, "%s" UTF8_ELLIPSIS "\n", prefix);
      return;
    }
    put_line(b, prefix, text, (size_t)(stop - text));
    text = stop == end ? end : stop + 1;
  }
}

const char *markdown_block(report_out *to, const char *language, const buffer *lines) {
  buffer *piece = report_piece(to);
  size_t fence = longest_run(buffer_text(lines)) + 1;
  fence = fence < 3 ? 3 : fence;
  add_fence(piece, fence);
  buffer_printf(piece, "%s\n%s", language, buffer_text(lines));
  add_fence(piece, fence);
  buffer_puts(piece, "\n");
  return buffer_text(piece);
}

/* Escaping for XML. */

static const struct {
  char character;
  const char *entity;
} entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
                {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};

static const char *entity_of(char c) {
  for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
    if (entities[i].character == c) return entities[i].entity;
  return NULL;
}

/* XML 1.0 has no other C0 controls, no U+FFFE and no U+FFFF. */
static bool is_character(const char *s, size_t n) {
  return !(n == 0 || (n == 1 && (unsigned char)s[0] < 0x20) ||
           (n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0)));
}

const char *xml_text(report_out *to, const char *text) {
  buffer *piece = report_piece(to);
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    const char *entity = entity_of(text[i]);
    if (entity != NULL)
      buffer_puts(piece, entity);
    else if (is_character(text + i, n))
      buffer_append(piece, text + i, n);
    else
      buffer_puts(piece, UTF8_REPLACEMENT);
    i += n == 0 ? 1 : n;
  }
  return buffer_text(piece);
}