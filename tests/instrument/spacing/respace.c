/* A small tokeniser, apart from that of the tool, and what is written of its tokens. */
#include "respace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

const char *const spacing_names[] = {"blanks", "least", "lines"};

static const char *const long_punctuators[] = {
    "%:%:", "...", "<<=", ">>=", "##", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",   "*=",  "/=",  "%=",  "+=", "-=", "&=", "^=", "|=", "<:", ":>", "<%", "%>", "%:"};

char *without_splices(const char *text) {
  buffer out = {0};
  while (*text != '\0') {
    size_t blanks = *text == '\\' ? strspn(text + 1, " \t\f\v") + 1 : 0;
    size_t end = blanks == 0 ? 0
                 : text[blanks] == '\r' && text[blanks + 1] == '\n'
                     ? 2
                     : strchr("\r\n", text[blanks]) && text[blanks] != '\0';
    if (end > 0)
      text += blanks + end;
    else
      buffer_putc(&out, *text++);
  }
  return buffer_text(&out) == out.data ? buffer_take(&out) : strdup("");
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }

/* After white space and comments. */
static const char *skip_space(const char *s, bool *line_start) {
  for (;;) {
    if (*s == '\n' || *s == '\r') {
      *line_start = true;
      s++;
    } else if (*s == ' ' || *s == '\t' || *s == '\f' || *s == '\v') {
      s++;
    } else if (s[0] == '/' && s[1] == '/') {
      s += strcspn(s, "\r\n");
    } else if (s[0] == '/' && s[1] == '*') {
      const char *end = strstr(s + 2, "*/");
      s = end == NULL ? s + strlen(s) : end + 2;
    } else {
      return s;
    }
  }
}

static const char *literal_end(const char *s) {
  const char quote = *s++;
  while (*s != '\0' && *s != quote && *s != '\n' && *s != '\r')
    s += s[0] == '\\' && s[1] != '\0' && s[1] != '\n' ? 2 : 1;
  return *s == quote ? s + 1 : s;
}

static const char *number_end(const char *s) {
  while (is_word(*s) || *s == '.') s += strchr("eEpP", *s) != NULL && (s[1] == '+' || s[1] == '-') ? 2 : 1;
  return s;
}

static const char *token_end(const char *s) {
  if (s[0] == '"' || s[0] == '\'' || (s[0] == 'L' && (s[1] == '"' || s[1] == '\'')))
    return literal_end(s[0] == 'L' ? s + 1 : s);
  if (isdigit((unsigned char)s[0]) || (s[0] == '.' && isdigit((unsigned char)s[1]))) return number_end(s);
  if (is_word(*s)) {
    while (is_word(*s)) s++;
    return s;
  }
  for (size_t i = 0; i < sizeof long_punctuators / sizeof *long_punctuators; i++)
    if (strncmp(s, long_punctuators[i], strlen(long_punctuators[i])) == 0) return s + strlen(long_punctuators[i]);
  return s + 1;
}

const char *next_token(const char **at, const char **begin, bool *line_start) {
  *begin = skip_space(*at, line_start);
  if (**begin == '\0') {
    *at = *begin;
    return NULL;
  }
  *at = token_end(*begin);
  return *at;
}

/* Whether two tokens that are written side by side are still these two. */
static bool stay_apart(const buffer *left, const char *right, size_t length) {
  buffer both = {0};
  buffer_append(&both, left->data, left->length);
  buffer_append(&both, right, length);
  const char *at = buffer_text(&both), *begin = NULL;
  bool line_start = false;
  const char *end = next_token(&at, &begin, &line_start);
  bool apart = end == both.data + left->length;
  end = apart ? next_token(&at, &begin, &line_start) : NULL;
  apart = apart && begin == both.data + left->length && end == both.data + both.length;
  buffer_free(&both);
  return apart;
}

/* A directive as it is, but on one line; returns what is after it. */
static const char *put_directive(const char *s, buffer *out) {
  if (out->length > 0 && out->data[out->length - 1] != '\n') buffer_putc(out, '\n');
  while (*s != '\0' && *s != '\n' && *s != '\r' && !(s[0] == '/' && s[1] == '/')) {
    bool unused = false;
    const char *end = s[0] == '/' && s[1] == '*' ? skip_space(s, &unused)
                      : *s == '"' || *s == '\''  ? literal_end(s)
                                                 : s + 1;
    if (s[0] == '/' && s[1] == '*') { /* a comment, with the blanks after it */
      end = strstr(s + 2, "*/");
      end = end == NULL ? s + strlen(s) : end + 2;
      buffer_putc(out, ' ');
    } else {
      buffer_append(out, s, (size_t)(end - s));
    }
    s = end;
  }
  buffer_putc(out, '\n');
  return s;
}

char *respace(const char *text, spacing how) {
  char *clean = without_splices(text);
  const char *at = strncmp(clean, "\xEF\xBB\xBF", 3) == 0 ? clean + 3 : clean, *begin = NULL;
  buffer out = {0}, last = {0};
  for (;;) {
    bool line_start = at == clean;
    const char *end = next_token(&at, &begin, &line_start);
    if (end == NULL) break;
    if (line_start && (*begin == '#' || strncmp(begin, "%:", 2) == 0)) {
      at = put_directive(begin, &out);
      last.length = 0;
      continue;
    }
    if (last.length > 0 && (how != SPACING_LEAST || !stay_apart(&last, begin, (size_t)(end - begin))))
      buffer_putc(&out, how == SPACING_LINES ? '\n' : ' ');
    buffer_append(&out, begin, (size_t)(end - begin));
    last.length = 0;
    buffer_append(&last, begin, (size_t)(end - begin));
  }
  buffer_putc(&out, '\n');
  buffer_free(&last);
  free(clean);
  return buffer_take(&out);
}
