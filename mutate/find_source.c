/* The text of the user's files: what stands at tokens, which lines are left out by comments, what is shown of a mutant. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/home.h"
#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

enum { COMMAND_LINE = 1 }; /* the preprocessor's file of -D options */

/* --- scanning ----------------------------------------------------------------------------------------------------- */

/* Whether a line ends with the character at `at`. */
static bool source_ends_line(const char *s, size_t at, size_t end) {
  return s[at] == '\n' || (s[at] == '\r' && (at + 1 >= end || s[at + 1] != '\n'));
}

/* Where the backslash, blanks and line end at `at` end; `at` if that is something else. */
static size_t skip_splice(const char *s, size_t at, size_t end) {
  size_t to = at + 1;
  while (to < end && (s[to] == ' ' || s[to] == '\t' || s[to] == '\f' || s[to] == '\v' ||
                      (s[to] == '\r' && !source_ends_line(s, to, end))))
    to++;
  return s[at] == '\\' && to < end && source_ends_line(s, to, end) ? to + 1 : at;
}

static size_t skip_line_comment(const char *s, size_t at, size_t end) {
  while (at < end && !source_ends_line(s, at, end)) {
    size_t to = skip_splice(s, at, end);
    at = to == at ? at + 1 : to;
  }
  return at;
}

/* Where a comment, a quoted text or a line splice that starts at `at` ends; `at` if none does. */
static size_t source_skip(const char *s, size_t at, size_t end, bool *comment) {
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
    for (to = at + 1; to < end && s[to] != c && !source_ends_line(s, to, end); to++)
      to += s[to] == '\\' && to + 1 < end ? 1 : 0;
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
      if (space && out->length > 0) buffer_putc(out, ' ');
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
  if (!span_empty(s)) put_joined(&out, text->text, text->tokens[s.first].begin, text->tokens[s.last].end);
  return buffer_take(&out);
}

static source_range range_of_token(const pp_result *text, uint32_t token);

/* --- ranges ------------------------------------------------------------------------------------------------------- */

bool stands_in_file(const pp_result *text, uint32_t token) {
  const pp_token *t = &text->tokens[token];
  if (t->spelled.file == COMMAND_LINE) return false;
  scoped char *spelled = text_of_range(text, range_of_token(text, token));
  return strlen(spelled) == t->end - t->begin && memcmp(spelled, text->text + t->begin, t->end - t->begin) == 0;
}

static pp_position end_of_token(const pp_token *t) {
  pp_position end = t->spelled;
  end.column += t->spelled_length;
  end.offset += t->spelled_length;
  return end;
}

static source_range range_of_token(const pp_result *text, uint32_t token) {
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
      if (s[i] == '#') return false;
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
    if (to == i && source_ends_line(s, i, end)) return true;
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

/* Where tokens stand in a file of the user. False if they do not stand there in one piece. */
static bool range_of_span(const pp_result *text, span s, source_range *out) {
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
  if (!in_order(before, behind)) return false;
  *out = (source_range){end_of_token(before), behind->spelled};
  if (!range_is_fine(text, before, *out)) return false;
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
      (!is_plain(last) && last[1].expanded.file != last->expanded.file))
    return false;
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
  if ((!begins && !in_order(first - 1, operator)) || (!ends && !in_order(operator, last + 1))) return false;
  *out = (source_range){begins ? first->spelled : end_of_token(first - 1), ends ? end_of_token(last) : last[1].spelled};
  uint32_t at = out->begin.offset;
  for (const pp_token *t = first; t <= last; t++) {
    bool inside = in_order(t, t) &&
                  t->in_macro_body == operator->in_macro_body && t->spelled.file == operator->spelled.file &&
                                      t->spelled.offset >= out->begin.offset && t->spelled.offset<out->end.offset;
    if (inside && t->spelled.offset < at) return false;
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
      if (s[i] == ',' && depth == 0) return true;
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
      !range_is_fine(text, operator, * out))
    return false;
  const char *s = text->files[out->begin.file].text;
  trim(out, s);
  source_range left = {out->begin, operator->spelled };
  source_range right = {end_of_token(operator), out->end};
  return range_is_fine(text, operator, left) && range_is_fine(text, operator, right) &&
         !has_comma(s, out->begin.offset, out->end.offset);
}

/* Comments that leave lines out of mutation: in the kernel's source, and beside it where that is a string of another
 * file. */

/* --- the lines of a text ------------------------------------------------------------------------------------------ */

typedef struct marks {
  bool *lines;
  size_t count, capacity;
  size_t open; /* line of a no-mutate-begin that has no end yet, 0: none */
} marks;

static void mark(marks *m, size_t first, size_t last) {
  while (m->count <= last) *ARRAY_ADD(m->lines, m->count, m->capacity) = false;
  for (size_t i = first; i <= last; i++) m->lines[i] = true;
}

/* Reads the words of a comment; `line` is its first. */
static void read_comment(marks *m, const char *s, size_t length, size_t line) {
  static const char word[] = "cltestcheck: no-mutate";
  const size_t size = sizeof word - 1;
  for (size_t i = 0; i < length; i++) {
    line += source_ends_line(s, i, length) ? 1 : 0;
    if (length - i < size || memcmp(s + i, word, size) != 0) continue;
    i += size;
    if (length - i >= 6 && memcmp(s + i, "-begin", 6) == 0) {
      m->open = m->open == 0 ? line : m->open;
    } else if (length - i >= 4 && memcmp(s + i, "-end", 4) == 0) {
      mark(m, m->open == 0 ? line : m->open, line);
      m->open = 0;
    } else {
      mark(m, line, line);
    }
    i--;
  }
}

bool *suppressed_lines(const char *text, size_t length, size_t *count) {
  marks m = {0};
  size_t line = 1;
  for (size_t i = 0; i < length;) {
    bool comment = false;
    size_t to = source_skip(text, i, length, &comment);
    to = to == i ? i + 1 : to;
    if (comment) read_comment(&m, text + i, to - i, line);
    for (; i < to; i++) line += source_ends_line(text, i, length) ? 1 : 0;
  }
  if (m.open != 0) /* to the end of the file */
    mark(&m, m.open, line);
  *count = m.count;
  return m.lines;
}

/* --- where it is a string ----------------------------------------------------------------------------------------- */

/* In a file of whatever language, whose comments are not known. */
static bool *lines_of_home(const model_home *home, size_t *count) {
  marks m = {0};
  read_comment(&m, home->text, home->length, 1);
  *count = m.count;
  return m.lines;
}

static void suppress_in_file(mutate_result *r, uint32_t file) {
  const model_file *f = &r->model.files[file];
  bool **lines = mem_calloc(f->home_count + 1, sizeof *lines);
  scoped size_t *counts = mem_calloc(f->home_count + 1, sizeof *counts);
  home_index x = home_index_of(f);
  for (size_t h = 0; h < f->home_count; h++) lines[h] = lines_of_home(&f->homes[h], &counts[h]);
  for (size_t i = 0; i < r->mutant_count; i++) {
    home_place at;
    if (r->mutants[i].file == file && home_find(&x, r->mutants[i].offset, &at))
      r->mutants[i].suppressed = r->mutants[i].suppressed || (at.line < counts[at.home] && lines[at.home][at.line]);
  }
  mem_free_all(lines, f->home_count);
  home_index_free(&x);
}

void mutate_suppress_at_home(mutate_result *r) {
  for (uint32_t file = 0; file < r->model.file_count; file++)
    if (r->model.files[file].home_count > 0) suppress_in_file(r, file);
}

/* What a person reads of a mutant must be what runs: an operator is replaced together with its operands, in
 * parentheses, where the replacement alone would take other ones. */

/* How tightly an expression binds that is no binary operation: more than these, all of which group from the left. */
enum { TIGHTEST = 11 };

static unsigned level_at(const tree_node *n) {
  return n->kind == TREE_BINARY || n->kind == TREE_LOGICAL ? c_operators[n->op].level : TIGHTEST;
}

/* --- parentheses -------------------------------------------------------------------------------------------------- */

static unsigned level_of_operand(const tree_node *n) {
  while (n->kind == TREE_CONVERT) n = n->children[0];
  return level_at(n);
}

/* Whether the expression around `n` would take a part of an operation of that level, if it stood in place of `n`. */
static bool is_torn(const tree_node *n, unsigned level) {
  while (n->parent->kind == TREE_CONVERT) n = n->parent;
  const tree_node *outer = n->parent;
  const bool binary = outer->kind == TREE_BINARY || outer->kind == TREE_LOGICAL;
  return binary && (n->index == 0 ? level < level_at(outer) : level <= level_at(outer));
}

unsigned parentheses_for(const tree_node *x, const char *symbol) {
  const unsigned level = c_operators[c_operator_at(symbol)].level;
  return (level_of_operand(x->children[0]) < level ? AROUND_LEFT : 0u) |
         (level_of_operand(x->children[1]) <= level ? AROUND_RIGHT : 0u) | (is_torn(x, level) ? AROUND_ALL : 0u);
}

unsigned parentheses_for_sum(const tree_node *x) {
  while (x->parent->kind == TREE_CONVERT) x = x->parent;
  switch (x->parent->kind) {
    case TREE_CAST: /* `(int4)(x)` has parentheses of its own */
      return x->parent->tokens.last == x->tokens.last ? AROUND_ALL : 0;
    case TREE_UNARY:
    case TREE_STEP:
    case TREE_DEREFERENCE:
    case TREE_ADDRESS:
    case TREE_MEMBER:
    case TREE_SWIZZLE: return AROUND_ALL;
    case TREE_SUBSCRIPT: return x->index == 0 ? AROUND_ALL : 0;
    default: return is_torn(x, c_operators[OP_ADD].level) ? AROUND_ALL : 0;
  }
}

/* --- characters that become one token ----------------------------------------------------------------------------- */

/* A replacement that stays apart from what stands around the range. */
static char *kept_apart(const pp_result *text, source_range range, const char *replacement) {
  const pp_file *file = &text->files[range.begin.file];
  size_t length = strlen(replacement);
  char behind = range.end.offset < file->length ? file->text[range.end.offset] : ' ';
  char first = length == 0 ? behind : replacement[0];
  bool space = pp_text_joins(file->text, range.begin.offset, first);
  bool more = length > 0 && pp_text_joins(replacement, length, behind);
  return text_of("%s%s%s", space ? " " : "", replacement, more ? " " : "");
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static void put_operand(buffer *out, const char *s, size_t length, bool parentheses) {
  buffer_puts(out, parentheses ? "(" : "");
  buffer_append(out, s, length);
  buffer_puts(out, parentheses ? ")" : "");
}

/* The operation with another operator, blanks where the user has some. */
static char *changed_operation(const pp_result *text, source_range whole, source_range operator, const char * symbol,
                               unsigned parentheses) {
  scoped char *left = text_of_range(text, (source_range){whole.begin, operator.end});
  scoped char *right = text_of_range(text, (source_range){operator.begin, whole.end});
  scoped char *own = text_of_range(text, operator);
  const char *begin = right + strlen(own);
  size_t end = strlen(left) - strlen(own);
  bool blank_left = end > 0 && left[end - 1] == ' ';
  bool blank_right = begin[0] == ' ';
  end -= blank_left ? 1 : 0;
  begin += blank_right ? 1 : 0;
  blank_left = blank_left || ((parentheses & AROUND_LEFT) == 0 && pp_text_joins(left, end, symbol[0]));
  blank_right = blank_right || ((parentheses & AROUND_RIGHT) == 0 && pp_text_joins(symbol, strlen(symbol), begin[0]));
  buffer out = {0};
  buffer_puts(&out, (parentheses & AROUND_ALL) != 0 ? "(" : "");
  put_operand(&out, left, end, (parentheses & AROUND_LEFT) != 0);
  buffer_printf(&out, "%s%s%s", blank_left ? " " : "", symbol, blank_right ? " " : "");
  put_operand(&out, begin, strlen(begin), (parentheses & AROUND_RIGHT) != 0);
  buffer_puts(&out, (parentheses & AROUND_ALL) != 0 ? ")" : "");
  return buffer_take(&out);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* What the user's file has there. Where the construct does not stand there in one piece, its token stands for it. */
source_range range_of_candidate(const pp_result *text, const candidate *c) {
  source_range range;
  if (c->is_argument ? range_of_argument(text, c->replaced, &range) : range_of_span(text, c->replaced, &range))
    return range;
  return range_of_token(text, c->place.token);
}

reading read_mutant(const pp_result *text, const candidate *c, size_t index, const source_range *whole) {
  const alternative *a = &c->items[index];
  reading r = {.range = range_of_candidate(text, c)};
  bool operation = !span_empty(c->place.left);
  char *shown = NULL;
  if (a->parentheses != 0 && operation && whole != NULL) {
    r.range = *whole;
    shown = changed_operation(text, *whole, range_of_token(text, c->place.token), a->shown, a->parentheses);
  } else {
    shown = text_of(a->parentheses != 0 && !operation ? "(%s)" : "%s", a->shown);
  }
  r.original = text_of_range(text, r.range);
  r.replacement = kept_apart(text, r.range, shown);
  free(shown);
  if (a->parentheses != 0 && operation && whole == NULL)
    r.description = text_of("%s between the same operands", a->shown);
  else if (a->description != NULL)
    r.description = mem_strdup(a->description);
  return r;
}
