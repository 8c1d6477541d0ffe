/* What a person reads of a mutant must be what runs: an operator is replaced together with its operands, in
 * parentheses, where the replacement alone would take other ones. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* How tightly binary operators bind. All of them group from the left. */
enum { TIGHTEST = 11 };
static const struct {
  const char *symbol;
  int level;
} binary_operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                        {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                        {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

static int level_of(const char *symbol) {
  for (size_t i = 0; i < COUNT(binary_operators); i++) {
    if (strcmp(binary_operators[i].symbol, symbol) == 0) {
      return binary_operators[i].level;
    }
  }
  return 0;
}

/* Of an expression that is no binary operation: TIGHTEST. */
static int level_at(const tree_node *n) {
  return n->kind == TREE_BINARY || n->kind == TREE_LOGICAL ? level_of(tree_operator_text(n->op)) : TIGHTEST;
}

/* --- parentheses -------------------------------------------------------------------------------------------------- */

static int level_of_operand(const tree_node *n) {
  while (n->kind == TREE_CONVERT) {
    n = n->children[0];
  }
  return level_at(n);
}

/* Whether the expression around `n` would take a part of an operation of that level, if it stood in place of `n`. */
static bool is_torn(const tree_node *n, int level) {
  while (n->parent->kind == TREE_CONVERT) {
    n = n->parent;
  }
  const tree_node *outer = n->parent;
  const bool binary = outer->kind == TREE_BINARY || outer->kind == TREE_LOGICAL;
  return binary && (n->index == 0 ? level < level_at(outer) : level <= level_at(outer));
}

unsigned parentheses_for(const tree_node *x, const char *symbol) {
  int level = level_of(symbol);
  return (level_of_operand(x->children[0]) < level ? AROUND_LEFT : 0u) |
         (level_of_operand(x->children[1]) <= level ? AROUND_RIGHT : 0u) | (is_torn(x, level) ? AROUND_ALL : 0u);
}

unsigned parentheses_for_sum(const tree_node *x) {
  while (x->parent->kind == TREE_CONVERT) {
    x = x->parent;
  }
  switch (x->parent->kind) {
    case TREE_CAST: /* `(int4)(x)` has parentheses of its own */
      return x->parent->tokens.last == x->tokens.last ? AROUND_ALL : 0;
    case TREE_UNARY:
    case TREE_STEP:
    case TREE_DEREFERENCE:
    case TREE_ADDRESS:
    case TREE_MEMBER:
    case TREE_SWIZZLE:
      return AROUND_ALL;
    case TREE_SUBSCRIPT:
      return x->index == 0 ? AROUND_ALL : 0;
    default:
      return is_torn(x, level_of("+")) ? AROUND_ALL : 0;
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
  char *left = text_of_range(text, (source_range){whole.begin, operator.end});
  char *right = text_of_range(text, (source_range){operator.begin, whole.end});
  char *own = text_of_range(text, operator);
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
  free(left);
  free(right);
  free(own);
  return buffer_take(&out);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* What the user's file has there. Where the construct does not stand there in one piece, its token stands for it. */
source_range range_of_candidate(const pp_result *text, const candidate *c) {
  source_range range;
  if (c->is_argument ? range_of_argument(text, c->replaced, &range) : range_of_span(text, c->replaced, &range)) {
    return range;
  }
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
  if (a->parentheses != 0 && operation && whole == NULL) {
    r.description = text_of("%s between the same operands", a->shown);
  } else if (a->description != NULL) {
    r.description = mem_strdup(a->description);
  }
  return r;
}
