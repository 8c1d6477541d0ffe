/* Text that may hold anything, as HTML; small pieces that every part of the page uses. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/html/page.h"

/* Characters that change the direction of the text around them, or break lines: a range of UTF-8 of three bytes that
 * begins with e2, and those of two bytes. */
static bool is_deceptive(const char *s, size_t n) {
  const unsigned char *u = (const unsigned char *)s;
  if (n == 2) {
    return (u[0] == 0xc2 && u[1] < 0xa0) || (u[0] == 0xd8 && u[1] == 0x9c); /* C1 controls; U+061C */
  }
  return n == 3 && u[0] == 0xe2 &&
         ((u[1] == 0x80 && ((u[2] >= 0x8e && u[2] <= 0x8f) || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
          (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9)); /* U+200E, F; U+2028 … U+202E; U+2066 … U+2069 */
}

/* What stands for an ASCII character that is not itself; NULL: it is. */
static const char *escaped(unsigned char c, char picture[4]) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
      return NULL;
    case '\n':
      return " ";
    default:
      break;
  }
  if (c >= 0x20 && c != 0x7f) {
    return NULL;
  }
  picture[0] = (char)0xe2; /* U+2400 + c, and U+2421 for DEL */
  picture[1] = (char)0x90;
  picture[2] = (char)(0x80 + (c == 0x7f ? 0x21 : c));
  picture[3] = '\0';
  return picture;
}

void page_text_of(FILE *out, const char *text, size_t length) {
  size_t plain = 0; /* where what can be written as it is began */
  for (size_t i = 0; i < length;) {
    char picture[4];
    size_t n = utf8_character(text + i, length - i);
    const char *instead = n == 1                                ? escaped((unsigned char)text[i], picture)
                          : n == 0 || is_deceptive(text + i, n) ? UTF8_REPLACEMENT
                                                                : NULL;
    if (instead != NULL) {
      (void)fwrite(text + plain, 1, i - plain, out);
      (void)fputs(instead, out);
      plain = i + (n == 0 ? 1 : n);
    }
    i += n == 0 ? 1 : n;
  }
  (void)fwrite(text + plain, 1, length - plain, out);
}

void page_text(FILE *out, const char *text) { page_text_of(out, text, strlen(text)); }

const char *page_plural(size_t count) { return count == 1 ? "" : "s"; }

const char *page_file_name(const page *p, uint32_t file) {
  return p->v->files[file].name + (p->shown[file] ? p->folder : 0);
}

void page_place(const page *p, uint32_t file, uint32_t line) {
  if (file == MODEL_NONE) {
    return;
  }
  if (p->shown[file]) {
    (void)fprintf(p->out, "<a href=\"#f%u-%u\">", file, line);
  }
  page_text(p->out, page_file_name(p, file));
  (void)fprintf(p->out, ":%u%s", line, p->shown[file] ? "</a>" : "");
}

void page_percent(FILE *out, const ratio *r) {
  if (r->total == 0) {
    (void)fputs("n/a", out);
    return;
  }
  unsigned thousandths = ratio_thousandths(r);
  (void)fprintf(out, "%u.%u %%", thousandths / 10, thousandths % 10);
}

void page_test_name(const page *p, uint32_t test_case) {
  buffer name = {0};
  mutation_test_name(&p->v->test_cases[test_case], &name);
  page_text(p->out, buffer_text(&name));
  buffer_free(&name);
}

void page_excerpt(const page *p, uint32_t file, uint32_t line) {
  enum { LONGEST = 400 };
  const model_file *f = &p->v->files[file];
  const char *at = f->text;
  const char *end = f->text + f->length;
  for (uint32_t i = 1; i < line && at != NULL && at < end; i++) {
    at = memchr(at, '\n', (size_t)(end - at));
    at = at == NULL ? NULL : at + 1;
  }
  if (line == 0 || at == NULL || at >= end) {
    return;
  }
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  size_t length = (size_t)((newline == NULL ? end : newline) - at);
  (void)fprintf(p->out, "<pre class=x><b>%u</b> ", line);
  page_text_of(p->out, at, length < LONGEST ? length : LONGEST);
  (void)fprintf(p->out, "%s</pre>\n", length < LONGEST ? "" : UTF8_ELLIPSIS);
}

void page_to_paste(const page *p, const char *text) {
  (void)fputs("<code class=paste>", p->out);
  page_text(p->out, text);
  (void)fputs("</code>", p->out);
}
