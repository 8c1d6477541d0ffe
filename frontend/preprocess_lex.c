/* Tokens: cuts text without line splices into preprocessing tokens (C11 6.4), and says where two of them would
 * run together. */
#include "frontend/preprocess_internal.h"

/* Second characters of punctuators of two characters, by the first one. */
static const char *const second_characters[128] = {
    ['+'] = "+=", ['-'] = "-=>", ['*'] = "=",  ['/'] = "=",  ['%'] = "=:>", ['<'] = "<=:%", ['>'] = ">=",
    ['='] = "=",  ['!'] = "=",   ['&'] = "&=", ['|'] = "|=", ['^'] = "=",   [':'] = ">",    ['#'] = "#",
};

/* What else must not follow a character lest a comment, `...` or `%:%:` comes about. */
static const char *const no_neighbours[128] = {['/'] = "/*", ['.'] = ".", [':'] = ":%"};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }

static bool is_break(char c) { return c == '\n' || c == '\r'; }

static bool contains(const char *const *table, char first, char second) {
  const char *set = (unsigned char)first < 128 ? table[(unsigned char)first] : NULL;
  return set != NULL && second != '\0' && strchr(set, second) != NULL;
}

static uint32_t scan_identifier(const char *s, const char *end) {
  const char *p = s;
  while (p < end && (is_letter(*p) || is_digit(*p))) {
    p++;
  }
  return (uint32_t)(p - s);
}

static uint32_t scan_number(const char *s, const char *end) {
  const char *p = s;
  while (p < end) {
    bool exponent = *p == 'e' || *p == 'E' || *p == 'p' || *p == 'P';
    if (exponent && p + 1 < end && (p[1] == '+' || p[1] == '-')) {
      p += 2;
    } else if (*p == '.' || is_digit(*p) || (is_letter(*p) && *p != '$')) {
      p++;
    } else {
      break;
    }
  }
  return (uint32_t)(p - s);
}

/* A literal from its opening quote, at `s` + `prefix`. Without a closing quote it takes the rest of the line, but for
 * blanks and backslashes at the end, which could become a line splice in the output. */
static uint32_t scan_literal(const char *s, const char *end, uint32_t prefix, bool *unterminated) {
  const char *p = s + prefix;
  char quote = *p++;
  while (p < end && !is_break(*p) && *p != quote) {
    p += *p == '\\' && p + 1 < end && !is_break(p[1]) ? 2 : 1;
  }
  *unterminated = p >= end || *p != quote;
  if (!*unterminated) {
    return (uint32_t)(p - s) + 1;
  }
  while (p > s + prefix + 1 && (is_blank(p[-1]) || p[-1] == '\\')) {
    p--;
  }
  return (uint32_t)(p - s);
}

static uint32_t scan_punctuator(const char *s, const char *end) {
  size_t left = (size_t)(end - s);
  if (left >= 4 && memcmp(s, "%:%:", 4) == 0) {
    return 4;
  }
  if (left >= 3 && (memcmp(s, "...", 3) == 0 || memcmp(s, "<<=", 3) == 0 || memcmp(s, ">>=", 3) == 0)) {
    return 3;
  }
  return left >= 2 && contains(second_characters, s[0], s[1]) ? 2 : 1;
}

uint32_t pp_scan(const char *s, const char *end, token_kind *kind, bool *unterminated) {
  *unterminated = false;
  uint32_t prefix = *s == 'L' && end - s > 1 && (s[1] == '"' || s[1] == '\'') ? 1 : 0;
  if (s[prefix] == '"' || s[prefix] == '\'') {
    *kind = s[prefix] == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
    return scan_literal(s, end, prefix, unterminated);
  }
  if (is_letter(*s)) {
    *kind = TOKEN_IDENTIFIER;
    return scan_identifier(s, end);
  }
  if (is_digit(*s) || (*s == '.' && end - s > 1 && is_digit(s[1]))) {
    *kind = TOKEN_NUMBER;
    return scan_number(s, end);
  }
  *kind = TOKEN_PUNCTUATOR;
  return scan_punctuator(s, end);
}

/* Passes a comment that starts at l->at; false when there is none. */
static bool skip_comment(preprocessor *pp, lexer *l) {
  const char *s = l->source->clean;
  uint32_t length = l->source->clean_length, at = l->at;
  if (at + 1 >= length || s[at] != '/' || (s[at + 1] != '/' && s[at + 1] != '*')) {
    return false;
  }
  bool block = s[at + 1] == '*';
  at += 2;
  if (block) {
    while (at + 1 < length && !(s[at] == '*' && s[at + 1] == '/')) {
      at++;
    }
    if (at + 1 >= length) {
      pp_fail(pp, pp_position_at(l->source, l->file, l->at), "a comment that starts with /* has no end");
    }
    l->at = at + 2 < length ? at + 2 : length;
    return true;
  }
  while (at < length && !is_break(s[at])) {
    at++;
  }
  l->at = at;
  return true;
}

/* Passes blanks and comments of the line; true if there were any. */
static bool skip_blanks(preprocessor *pp, lexer *l) {
  const source *s = l->source;
  uint32_t start = l->at;
  if (start == 0 && s->clean_length >= 3 && memcmp(s->clean, "\xEF\xBB\xBF", 3) == 0) {
    l->at = 3;
  }
  while (l->at < s->clean_length) {
    if (is_blank(s->clean[l->at])) {
      l->at++;
    } else if (!skip_comment(pp, l)) {
      break;
    }
  }
  return l->at > start;
}

static void lex_break(lexer *l, token *t) {
  const source *s = l->source;
  t->kind = TOKEN_NEWLINE;
  l->at += s->clean[l->at] == '\r' && l->at + 1 < s->clean_length && s->clean[l->at + 1] == '\n' ? 2 : 1;
  l->line_start = true;
}

/* Fills in a token of `length` characters at l->at and passes it. */
static void take(preprocessor *pp, lexer *l, token *t, uint32_t length) {
  const source *s = l->source;
  t->text = s->clean + l->at;
  t->length = length;
  t->spelled = pp_position_at(s, l->file, l->at);
  t->expanded = t->spelled;
  t->spelled_length = pp_original_end(s, l->at + length - 1) - t->spelled.offset;
  t->end_line = t->spelled.line;
  if (t->kind == TOKEN_IDENTIFIER) {
    t->symbol = pp_intern(pp, t->text, length);
  }
  l->at += length;
}

void pp_lex(preprocessor *pp, lexer *l, token *t) {
  const source *s = l->source;
  *t = (token){.line_start = l->line_start};
  t->space_before = skip_blanks(pp, l) || l->line_start;
  if (l->at >= s->clean_length || pp->failed) {
    t->kind = TOKEN_END;
    t->text = "";
    t->spelled = t->expanded = pp_position_at(s, l->file, l->at);
    return;
  }
  if (is_break(s->clean[l->at])) {
    lex_break(l, t);
    return;
  }
  l->line_start = false;
  uint32_t length = pp_scan(s->clean + l->at, s->clean + s->clean_length, &t->kind, &t->unterminated);
  take(pp, l, t, length);
}

bool pp_lex_header_name(preprocessor *pp, lexer *l, token *t) {
  (void)skip_blanks(pp, l);
  const source *s = l->source;
  const char *start = s->clean + l->at, *end = s->clean + s->clean_length;
  if (start >= end || (*start != '"' && *start != '<')) {
    return false;
  }
  char close = *start == '<' ? '>' : '"';
  const char *p = start + 1;
  while (p < end && !is_break(*p) && *p != close) {
    p++;
  }
  if (p >= end || *p != close) {
    return false;
  }
  *t = (token){.kind = TOKEN_STRING, .space_before = true};
  take(pp, l, t, (uint32_t)(p - start) + 1);
  return true;
}

/* Whether the right token directly follows the left one in a file: then they were read apart there already. */
static bool adjoin(const token *left, const token *right) {
  return !left->made && !right->made && left->spelled.file == right->spelled.file &&
         left->spelled.offset + left->spelled_length == right->spelled.offset;
}

bool pp_would_glue(const token *left, const token *right) {
  if (adjoin(left, right)) {
    return false;
  }
  char last = left->text[left->length - 1], first = right->text[0];
  bool left_word = left->kind == TOKEN_IDENTIFIER || left->kind == TOKEN_NUMBER;
  bool right_word = right->kind == TOKEN_IDENTIFIER || right->kind == TOKEN_NUMBER;
  bool right_literal = right->kind == TOKEN_STRING || right->kind == TOKEN_CHARACTER;
  if (left_word && ((right_word && first != '.') || (right_literal && left->kind == TOKEN_IDENTIFIER))) {
    return true;
  }
  if (left->kind == TOKEN_NUMBER &&
      (first == '.' || ((first == '+' || first == '-') && strchr("eEpP", last) != NULL))) {
    return true;
  }
  if (left->kind != TOKEN_PUNCTUATOR) {
    return false;
  }
  return (last == '.' && right->kind == TOKEN_NUMBER) || last == '\\' || contains(second_characters, last, first) ||
         contains(no_neighbours, last, first);
}

/* Whether some characters end in a number, which takes letters, dots and, after an exponent's letter, a sign. */
static bool ends_number(const char *s, size_t length) {
  size_t first = length;
  while (first > 0 && (is_letter(s[first - 1]) || is_digit(s[first - 1]) || s[first - 1] == '.')) {
    first--;
  }
  return first < length && (is_digit(s[first]) || (s[first] == '.' && first + 1 < length && is_digit(s[first + 1])));
}

bool pp_text_joins(const char *before, size_t length, char next) {
  char last = length == 0 ? '\n' : before[length - 1];
  bool word = is_letter(last) || is_digit(last);
  if (is_letter(next) || is_digit(next)) {
    return word || (last == '.' && is_digit(next)) || (last == '.' && ends_number(before, length)) || last == '\\';
  }
  if (next == '"' || next == '\'') {
    return word || last == '\\';
  }
  if (next == '.' || next == '+' || next == '-') {
    bool number = (word || last == '.') && ends_number(before, length);
    if (number && (next == '.' || strchr("eEpP", last) != NULL)) {
      return true;
    }
  }
  return (last == '\\' && !is_blank(next) && !is_break(next)) || contains(second_characters, last, next) ||
         contains(no_neighbours, last, next);
}

bool pp_is_hash(const token *t) { return pp_is(t, "#") || pp_is(t, "%:"); }

bool pp_is_paste(const token *t) { return pp_is(t, "##") || pp_is(t, "%:%:"); }
