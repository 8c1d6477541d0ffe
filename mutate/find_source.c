/* The text of the user's files: what stands at tokens, and which lines are left out by comments. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "mutate/find.h"

enum { COMMAND_LINE = 1 }; /* the preprocessor's file of -D options */

/* --- scanning ----------------------------------------------------------------------------------------------------- */

bool source_ends_line(const char *s, size_t at, size_t end) {
  return s[at] == '\n' || (s[at] == '\r' && (at + 1 >= end || s[at + 1] != '\n'));
}

/* Where the backslash, blanks and line end at `at` end; `at` if that is something else. */
static size_t skip_splice(const char *s, size_t at, size_t end) {
  size_t to = at + 1;
  while (to < end && (s[to] == ' ' || s[to] == '\t' || s[to] == '\f' || s[to] == '\v' ||
                      (s[to] == '\r' && !source_ends_line(s, to, end)))) {
    to++;
  }
  return s[at] == '\\' && to < end && source_ends_line(s, to, end) ? to + 1 : at;
}

static size_t skip_line_comment(const char *s, size_t at, size_t end) {
  while (at < end && !source_ends_line(s, at, end)) {
    size_t to = skip_splice(s, at, end);
    at = to == at ? at + 1 : to;
  }
  return at;
}

size_t source_skip(const char *s, size_t at, size_t end, bool *comment) {
  char c = s[at];
  char next = at + 1 < end ? s[at + 1] : '\0';
  *comment = c == '/' && (next == '/' || next == '*');
  size_t to = at;
  if (c == '/' && next == '/') {
    to = skip_line_comment(s, at, end);
  } else if (c == '/' && next == '*') {
    const char *close = end - at < 4 ? NULL : memmem(s + at + 2, end - at - 2, "*/", 2);
    to = close == NULL ? end : (size_t)(close - s) + 2;
  } else if (c == '"' || c == '\'') {
    for (to = at + 1; to < end && s[to] != c && !source_ends_line(s, to, end); to++) {
      to += s[to] == '\\' && to + 1 < end ? 1 : 0;
    }
    to += to < end ? 1 : 0;
  } else {
    to = skip_splice(s, at, end);
  }
  return to;
}

static void put_joined(buffer *out, const char *s, size_t begin, size_t end) {
  bool space = false;
  for (size_t i = begin; i < end;) {
    bool comment = false;
    size_t to = source_skip(s, i, end, &comment);
    if (comment || isspace((unsigned char)s[i])) {
      space = true;
      i = comment ? to : i + 1;
    } else if (s[i] == '\\' && to > i) {
      i = to;
    } else {
      if (space && out->length > 0) {
        buffer_putc(out, ' ');
      }
      space = false;
      to = to == i ? i + 1 : to;
      buffer_append(out, s + i, to - i);
      i = to;
    }
  }
}

char *text_of_range(const pp_result *text, source_range range) {
  buffer out = {0};
  put_joined(&out, text->files[range.begin.file].text, range.begin.offset, range.end.offset);
  return buffer_take(&out);
}

char *text_of_span(const pp_result *text, span s) {
  buffer out = {0};
  if (!span_empty(s)) {
    put_joined(&out, text->text, text->tokens[s.first].begin, text->tokens[s.last].end);
  }
  return buffer_take(&out);
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

bool stands_in_file(const pp_result *text, uint32_t token) {
  const pp_token *t = &text->tokens[token];
  if (t->spelled.file == COMMAND_LINE) {
    return false;
  }
  char *spelled = text_of_range(text, range_of_token(text, token));
  bool same = strlen(spelled) == t->end - t->begin && memcmp(spelled, text->text + t->begin, t->end - t->begin) == 0;
  free(spelled);
  return same;
}

static pp_position end_of_token(const pp_token *t) {
  pp_position end = t->spelled;
  end.column += t->spelled_length;
  end.offset += t->spelled_length;
  return end;
}

source_range range_of_token(const pp_result *text, uint32_t token) {
  const pp_token *t = &text->tokens[token];
  return (source_range){t->spelled, end_of_token(t)};
}

/* Whether brackets pair, and no line of the preprocessor begins or ends in the text. */
static bool is_one_piece(const char *s, size_t begin, size_t end) {
  int depth = 0;
  for (size_t i = begin; i < end && depth >= 0;) {
    bool comment = false;
    size_t to = source_skip(s, i, end, &comment);
    if (to == i) {
      depth += strchr("([{", s[i]) != NULL ? 1 : strchr(")]}", s[i]) != NULL ? -1 : 0;
      if (s[i] == '#') {
        return false;
      }
      to++;
    }
    i = to;
  }
  return depth == 0;
}

static bool has_line_end(const char *s, size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    bool comment = false;
    size_t to = source_skip(s, i, end, &comment);
    if (to == i && source_ends_line(s, i, end)) {
      return true;
    }
    i = to == i ? i + 1 : to;
  }
  return false;
}

/* Whether two tokens stand in one file, in order, both in a macro's body or both outside. */
static bool in_order(const pp_token *first, const pp_token *last) {
  return first->spelled.file == last->spelled.file && first->spelled.file != COMMAND_LINE &&
         first->spelled.offset <= last->spelled.offset && first->in_macro_body == last->in_macro_body;
}

static bool range_is_fine(const pp_result *text, const pp_token *first, source_range range) {
  const char *s = text->files[range.begin.file].text;
  return is_one_piece(s, range.begin.offset, range.end.offset) &&
         !(first->in_macro_body && has_line_end(s, range.begin.offset, range.end.offset));
}

bool range_of_span(const pp_result *text, span s, source_range *out) {
  const pp_token *first = &text->tokens[s.first];
  const pp_token *last = &text->tokens[s.last];
  *out = (source_range){first->spelled, end_of_token(last)};
  return in_order(first, last) && range_is_fine(text, first, *out);
}

/* Moves a position over the character there. */
static void step(pp_position *p, const char *s, size_t to, size_t end) {
  for (; p->offset < to; p->offset++) {
    p->column++;
    if (source_ends_line(s, p->offset, end)) {
      p->line++;
      p->column = 1;
    }
  }
}

/* Leaves white space and comments at both ends out. */
static void trim(source_range *r, const char *s) {
  pp_position end = r->begin;
  bool started = false;
  for (pp_position at = r->begin; at.offset < r->end.offset;) {
    bool comment = false;
    size_t to = source_skip(s, at.offset, r->end.offset, &comment);
    bool blank = comment || isspace((unsigned char)s[at.offset]) || (s[at.offset] == '\\' && to > at.offset);
    if (!blank && !started) {
      r->begin = at;
      started = true;
    }
    step(&at, s, to == at.offset ? at.offset + 1 : to, r->end.offset);
    end = blank ? end : at;
  }
  r->end = end;
}

bool range_of_argument(const pp_result *text, span argument, source_range *out) {
  const pp_token *before = &text->tokens[argument.first - 1];
  const pp_token *behind = &text->tokens[argument.last + 1];
  if (!in_order(before, behind)) {
    return false;
  }
  *out = (source_range){end_of_token(before), behind->spelled};
  if (!range_is_fine(text, before, *out)) {
    return false;
  }
  trim(out, text->files[out->begin.file].text);
  return out->begin.offset < out->end.offset;
}

/* Whether a token stands in a file, brought there by no macro. */
static bool is_plain(const pp_token *t) {
  return !t->in_macro_body && t->spelled.file == t->expanded.file && t->spelled.offset == t->expanded.offset;
}

static bool same_use(const pp_token *a, const pp_token *b) {
  return a->expanded.file == b->expanded.file && a->expanded.offset == b->expanded.offset;
}

/* Of an operator outside of macros: an operand brought by a macro must be all that its use brings. */
static bool range_in_file(const pp_result *text, span whole, source_range *out) {
  const pp_token *first = &text->tokens[whole.first];
  const pp_token *last = &text->tokens[whole.last];
  if ((!is_plain(first) && same_use(first - 1, first)) || (!is_plain(last) && same_use(last, last + 1)) ||
      (!is_plain(last) && last[1].expanded.file != last->expanded.file)) {
    return false;
  }
  *out = (source_range){first->expanded, is_plain(last) ? end_of_token(last) : last[1].expanded};
  return true;
}

/* Of an operator in a macro's body or argument: an operand brought by something else is what stands between the
 * operator and the next token that is spelled there, too. */
static bool range_in_macro(const pp_result *text, span whole, const pp_token *operator, source_range * out) {
  const pp_token *first = &text->tokens[whole.first];
  const pp_token *last = &text->tokens[whole.last];
  bool begins = in_order(first, operator);
  bool ends = in_order(operator, last);
  if ((!begins && !in_order(first - 1, operator)) || (!ends && !in_order(operator, last + 1))) {
    return false;
  }
  *out = (source_range){begins ? first->spelled : end_of_token(first - 1), ends ? end_of_token(last) : last[1].spelled};
  uint32_t at = out->begin.offset;
  for (const pp_token *t = first; t <= last; t++) {
    bool inside = in_order(t, t) &&
                  t->in_macro_body == operator->in_macro_body && t->spelled.file == operator->spelled.file &&
                                      t->spelled.offset >= out->begin.offset && t->spelled.offset<out->end.offset;
    if (inside && t->spelled.offset < at) {
      return false;
    }
    at = inside ? t->spelled.offset + t->spelled_length : at;
  }
  return true;
}

/* Whether a comma separates two parts of the text. */
static bool has_comma(const char *s, size_t begin, size_t end) {
  int depth = 0;
  for (size_t i = begin; i < end;) {
    bool comment = false;
    size_t to = source_skip(s, i, end, &comment);
    if (to == i) {
      depth += strchr("([{", s[i]) != NULL ? 1 : strchr(")]}", s[i]) != NULL ? -1 : 0;
      if (s[i] == ',' && depth == 0) {
        return true;
      }
      to++;
    }
    i = to;
  }
  return false;
}

bool range_of_operation(const pp_result *text, span whole, uint32_t token, source_range *out) {
  const pp_token *operator= & text->tokens[token];
  if (!(is_plain(operator) ? range_in_file(text, whole, out) : range_in_macro(text, whole, operator, out)) ||
      out->begin.file != operator->spelled.file || out->end.file != out->begin.file || out->begin.offset >=
                         operator->spelled.offset || out->end.offset <= end_of_token(operator)
                             .offset ||
      !range_is_fine(text, operator, * out)) {
    return false;
  }
  const char *s = text->files[out->begin.file].text;
  trim(out, s);
  source_range left = {out->begin, operator->spelled };
  source_range right = {end_of_token(operator), out->end};
  return range_is_fine(text, operator, left) && range_is_fine(text, operator, right) &&
         !has_comma(s, out->begin.offset, out->end.offset);
}
