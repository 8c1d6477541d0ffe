/* Escaping for Markdown. */
#include "reports/common/markdown_text.h"

#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"

/* What has a meaning in Markdown or HTML. */
#define SPECIAL "\\`*_{}[]<>#|!~&@$"

void markdown_text(FILE *out, const char *text) {
  buffer line = {0};
  utf8_line(&line, text, strlen(text));
  for (const char *c = buffer_text(&line); *c != '\0'; c++) {
    if (strchr(SPECIAL, *c) != NULL) {
      (void)fprintf(out, "&#%u;", (unsigned)*c);
    } else {
      (void)fputc(*c, out);
    }
  }
  buffer_free(&line);
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

static void put_fence(FILE *out, size_t length) {
  for (size_t i = 0; i < length; i++) {
    (void)fputc('`', out);
  }
}

void markdown_code(FILE *out, const char *text, bool in_table) {
  buffer line = {0};
  utf8_line(&line, text, strlen(text));
  const char *s = buffer_text(&line);
  size_t fence = longest_run(s) + 1;
  if (line.length > 0) {
    put_fence(out, fence);
    (void)fputs(fence > 1 || s[0] == ' ' ? " " : "", out);
    for (; *s != '\0'; s++) {
      (void)fputs(in_table && *s == '|' ? "\\" : "", out);
      (void)fputc(*s, out);
    }
    (void)fputs(fence > 1 || buffer_text(&line)[0] == ' ' ? " " : "", out);
    put_fence(out, fence);
  }
  buffer_free(&line);
}

static void put_line(buffer *b, const char *prefix, const char *text, size_t length) {
  buffer clean = {0};
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
  buffer shown = {0};
  utf8_shorten(&shown, buffer_text(&clean), MARKDOWN_LINE);
  buffer_printf(b, "%s%s\n", prefix, buffer_text(&shown));
  buffer_free(&clean);
  buffer_free(&shown);
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

void markdown_block(FILE *out, const char *language, const buffer *lines) {
  size_t fence = longest_run(buffer_text(lines)) + 1;
  fence = fence < 3 ? 3 : fence;
  put_fence(out, fence);
  (void)fprintf(out, "%s\n%s", language, buffer_text(lines));
  put_fence(out, fence);
  (void)fputc('\n', out);
}
