/* Mutants of operators, numbers and loops: which replacements there are, and with which types they are correct. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

enum { MAX_REPLACEMENTS = 4 };

typedef struct operator_row {
  c_operator from;
  mutate_operator op;
  const char *replacements[MAX_REPLACEMENTS]; /* in this order */
} operator_row;

/* A compound assignment gets the same operators, each with `=`. */
static const operator_row binary_rows[] = {
    {OP_ADD, MUTATE_ARITH, {"-", "*", "/"}},
    {OP_SUBTRACT, MUTATE_ARITH, {"+", "*", "/"}},
    {OP_MULTIPLY, MUTATE_ARITH, {"/", "+", "-"}},
    {OP_DIVIDE, MUTATE_ARITH, {"*", "+", "-"}},
    {OP_REMAINDER, MUTATE_ARITH, {"*", "+", "-", "/"}},
    {OP_LESS, MUTATE_REL, {">", ">=", "<="}},
    {OP_GREATER, MUTATE_REL, {"<", "<=", ">="}},
    {OP_LESS_EQUAL, MUTATE_REL, {">=", ">", "<"}},
    {OP_GREATER_EQUAL, MUTATE_REL, {"<=", "<", ">"}},
    {OP_EQUAL, MUTATE_REL, {"!="}},
    {OP_NOT_EQUAL, MUTATE_REL, {"=="}},
    {OP_LOGICAL_AND, MUTATE_LOGIC, {"||"}},
    {OP_LOGICAL_OR, MUTATE_LOGIC, {"&&"}},
    {OP_AND, MUTATE_BIT, {"|"}},
    {OP_OR, MUTATE_BIT, {"&"}},
    {OP_XOR, MUTATE_BIT, {"&"}},
    {OP_SHIFT_LEFT, MUTATE_BIT, {">>"}},
    {OP_SHIFT_RIGHT, MUTATE_BIT, {"<<"}},
};

static const operator_row unary_rows[] = {
    {OP_SUBTRACT, MUTATE_ARITH, {""}},
    {OP_NOT, MUTATE_LOGIC, {""}},
    {OP_COMPLEMENT, MUTATE_BIT, {""}},
};

static const operator_row step_rows[] = {
    {OP_ADD, MUTATE_ARITH, {"--"}},
    {OP_SUBTRACT, MUTATE_ARITH, {"++"}},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const operator_row *find_row(const operator_row *rows, size_t count, c_operator from) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].from == from) return &rows[i];
  return NULL;
}

/* --- contexts ----------------------------------------------------------------------------------------------------- */

/* Whether only the truth of an expression counts. */
static bool is_truth(const tree_node *x) {
  while (x->parent->kind == TREE_CONVERT || x->parent->kind == TREE_PARENTHESES) x = x->parent;
  const tree_node *p = x->parent;
  switch (p->kind) {
    case TREE_IF:
    case TREE_WHILE:
    case TREE_DO: return true;
    case TREE_FOR: return x->index == 1;
    case TREE_CONDITIONAL: return x->index == 0 && p->children[1] != NULL;
    case TREE_LOGICAL: return p->type != NULL && tree_lanes(p->type) == 1;
    case TREE_UNARY: return p->op == OP_NOT;
    default: return false;
  }
}

/* Whether a statement's value is that of a statement expression: it is the last one there. */
static bool gives_value(const tree_node *st) {
  const tree_node *block = st->parent;
  return block->kind == TREE_COMPOUND && block->parent->kind == TREE_STATEMENT_EXPRESSION &&
         st->index + 1 == block->child_count;
}

bool is_used(const tree_node *x) {
  while (x->parent->kind == TREE_COMMA) x = x->parent;
  switch (x->parent->kind) {
    case TREE_EXPRESSION: return gives_value(x->parent);
    case TREE_FOR: return x->index == 1;
    default: return true;
  }
}

/* Functions that may be called once more or less without anybody noticing. */
static bool is_pure(const tree_builtin *b) {
  return b != NULL && (b->kind == TREE_WORK_ITEM || b->kind == TREE_IMAGE_QUERY || b->kind == TREE_CONVERSION ||
                       b->kind == TREE_INTEGER || b->kind == TREE_COMMON);
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

/* A candidate with the types and operands of an expression; of `-x` and its like the operand is `right`. */
static candidate *add_expression(finder *f, const tree_node *x, mutate_operator op, place_kind kind) {
  candidate *c = add_candidate(f, op, kind, x->token, x->tokens);
  c->place.type = x->type;
  c->place.symbol = x->op;
  if (x->kind != TREE_UNARY) {
    c->place.left = x->children[0]->tokens;
    c->place.left_type = x->children[0]->type;
  }
  if (x->kind != TREE_STEP) {
    const tree_node *last = x->children[x->child_count - 1];
    c->place.right = last->tokens;
    c->place.right_type = last->type;
  }
  return c;
}

/* The expression with another operator, as text: operands keep what they are by parentheses. */
static char *written_out(const finder *f, const tree_node *x, const char *operator_text) {
  scoped char *first = text_of_span(&f->u->text, x->children[0]->tokens);
  scoped char *last = text_of_span(&f->u->text, x->children[x->child_count - 1]->tokens);
  return x->child_count > 1 ? text_of("((%s) %s (%s))", first, operator_text, last)
         : x->postfix       ? text_of("((%s)%s)", first, operator_text)
                            : text_of("(%s(%s))", operator_text, first);
}

static void add_rows(finder *f, candidate *c, const tree_node *x, const char *const *replacements) {
  const bool binary = x->kind == TREE_BINARY || x->kind == TREE_LOGICAL;
  for (size_t i = 0; i < MAX_REPLACEMENTS && replacements[i] != NULL; i++) {
    char *key = text_of("%s%s", replacements[i], x->kind == TREE_COMPOUND_ASSIGN ? "=" : "");
    char *text = c->place.kind == PLACE_TEXT ? written_out(f, x, key) : mem_strdup(key);
    add_alternative(c, key, text, mem_strdup(key), NULL);
    c->items[i].parentheses = binary ? parentheses_for(x, key) : 0;
  }
}

/* A use of an operator with which none of its mutants is type-correct: they are made nowhere, should it be in a macro.
 */
static void add_none(finder *f, const tree_node *x, mutate_operator op) {
  (void)add_candidate(f, op, PLACE_TEXT, x->token, x->tokens);
}

/* Of what is added to a pointer, or taken away. */
static const char *const *pointer_steps(const tree_node *x) {
  static const char *const steps[][MAX_REPLACEMENTS] = {{"-"}, {"+"}};
  return steps[x->op == OP_ADD ? 0 : 1];
}

static void find_pointer_binary(finder *f, const tree_node *x, const operator_row *row) {
  const tree_type *right = x->children[1]->type;
  if (row->op == MUTATE_REL)
    add_rows(f, add_expression(f, x, row->op, PLACE_POINTER_COMPARE), x, row->replacements);
  else if (row->op == MUTATE_LOGIC)
    add_rows(f, add_expression(f, x, row->op, PLACE_LOGICAL), x, row->replacements);
  else if (is_pointer(x->children[0]->type) && is_number(right))
    add_rows(f, add_expression(f, x, row->op, PLACE_POINTER_STEP), x, pointer_steps(x));
  else
    add_none(f, x, row->op); /* pointer - pointer, integer + pointer */
}

static place_kind binary_kind(const tree_node *x, mutate_operator op) {
  bool scalar = tree_lanes(x->type) == 1;
  return op == MUTATE_REL ? PLACE_COMPARE : op != MUTATE_LOGIC ? PLACE_BINARY : scalar ? PLACE_LOGICAL : PLACE_TEXT;
}

static void find_binary(finder *f, const tree_node *x) {
  const operator_row *row = find_row(binary_rows, COUNT(binary_rows), x->op);
  const tree_type *left = x->children[0]->type;
  const tree_type *right = x->children[1]->type;
  if (is_pointer(left) || is_pointer(right))
    find_pointer_binary(f, x, row);
  else if (is_number(left) && is_number(right))
    add_rows(f, add_expression(f, x, row->op, binary_kind(x, row->op)), x, row->replacements);
}

static void find_compound(finder *f, const tree_node *x) {
  const operator_row *row = find_row(binary_rows, COUNT(binary_rows), x->op);
  const tree_node *object = x->children[0];
  const bool pointer = is_pointer(object->type);
  if (x->computed == NULL || (!pointer && !is_number(object->type))) return;
  candidate *c = add_expression(f, x, MUTATE_ASSIGN, tree_has_effects(object, is_pure) ? PLACE_TEXT : PLACE_ASSIGN);
  c->place.type = x->computed;
  c->place.used = is_used(x);
  add_rows(f, c, x, pointer ? pointer_steps(x) : row->replacements);
}

static void find_step(finder *f, const tree_node *x) {
  const operator_row *row = find_row(step_rows, COUNT(step_rows), x->op);
  const tree_type *type = x->children[0]->type;
  if (!is_pointer(type) && !is_number(type)) return;
  const bool used = is_used(x);
  const bool plain = is_pointer(type) || (tree_type_is_integer(type) && tree_lanes(type) == 1) || !used || !x->postfix;
  const bool switched = plain && !tree_has_effects(x->children[0], is_pure);
  candidate *c = add_expression(f, x, row->op, switched ? PLACE_INCREMENT : PLACE_TEXT);
  c->place.postfix = x->postfix;
  c->place.used = used;
  add_rows(f, c, x, row->replacements);
}

/* Scalars that convert to int, which is the type of `!x`, without another value. */
static bool fits_int(const tree_type *t) {
  return tree_type_is_integer(t) && (t->size < 4 || (t->size == 4 && !t->is_unsigned));
}

static void find_not(finder *f, const tree_node *x, const operator_row *row) {
  const bool truth = is_truth(x);
  const tree_type *t = x->children[0]->type;
  const bool vector = tree_lanes(t) > 1;
  if (vector ? t->plain != x->type->plain : !truth && !is_number(t)) {
    add_none(f, x, row->op); /* another vector, or a pointer where a number stood */
    return;
  }
  const place_kind kind = !vector && (truth || fits_int(t)) ? PLACE_NOT : PLACE_TEXT;
  add_rows(f, add_expression(f, x, row->op, kind), x, row->replacements);
}

static void find_unary(finder *f, const tree_node *x) {
  const operator_row *row = find_row(unary_rows, COUNT(unary_rows), x->op);
  const tree_type *type = x->children[0]->type;
  if (row != NULL && row->op == MUTATE_LOGIC && type != NULL)
    find_not(f, x, row);
  else if (row != NULL && is_number(type))
    add_rows(f, add_expression(f, x, row->op, PLACE_UNARY), x, row->replacements);
}

/* --- __local memory ----------------------------------------------------------------------------------------------- */

static bool is_local(const tree_type *t) { return t != NULL && t->space == TREE_SPACE_LOCAL; }

/* Whether an expression names something in __local memory, or a pointer to it. */
static bool reads_local(const tree_node *x) {
  for (const tree_node *n = x; n != NULL; n = tree_next(x, n))
    if (is_local(n->type) || (is_pointer(n->type) && is_local(n->type->element))) return true;
  return false;
}

/* A plain assignment statement to something in __local memory whose right side reads nothing there: what it assigns
 * comes from outside, so it is how the work-group's memory gets its first values. */
static void find_local(finder *f, const tree_node *x) {
  const tree_type *object = x->children[0]->type;
  if (x->parent->kind != TREE_EXPRESSION || is_used(x) || !is_local(object) || is_pointer(object) ||
      reads_local(x->children[1]))
    return;
  candidate *c = add_expression(f, x, MUTATE_LOCAL, PLACE_LOCAL);
  c->replaced = x->tokens;
  add_replacement(c, "");
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* Whether an operator's operands lie around it: those of macros of the compiler's own header do not. */
static bool is_written(const pp_result *text, const tree_node *x) {
  const uint32_t first = x->child_count > 1 || x->postfix ? x->tokens.first : x->token + 1;
  const uint32_t last = x->child_count > 1 || !x->postfix ? x->tokens.last : x->token - 1;
  const span left = x->children[0]->tokens;
  const span right = x->children[x->child_count - 1]->tokens;
  return text->tokens[x->token].kind == PP_PUNCTUATOR && left.first == first && right.last == last &&
         (x->child_count == 1 || (left.last + 1 == x->token && right.first == x->token + 1));
}

void find_operator(finder *f, const tree_node *x) {
  static void (*const find[TREE_KIND_COUNT])(finder * f, const tree_node *x) = {
      [TREE_BINARY] = find_binary, [TREE_LOGICAL] = find_binary, [TREE_COMPOUND_ASSIGN] = find_compound,
      [TREE_ASSIGN] = find_local,  [TREE_UNARY] = find_unary,    [TREE_STEP] = find_step,
  };
  if (find[x->kind] != NULL && x->type != NULL && is_written(&f->u->text, x)) find[x->kind](f, x);
}

/* Mutants of numbers: 0, 1, -1, one more, one less. */

enum { ALTERNATIVES = 5, DIGITS = 40 };

/* A literal taken apart. */
typedef struct literal {
  char *digits; /* without suffix */
  char *suffix; /* "u", "f", … as the user wrote it */
  bool hexadecimal, octal, floating;
} literal;

static bool is_suffix(char c, bool hexadecimal, bool floating) {
  return c == 'u' || c == 'U' || c == 'l' || c == 'L' || c == 'h' || c == 'H' ||
         ((c == 'f' || c == 'F') && (floating || !hexadecimal));
}

static literal take_apart(const finder *f, const tree_node *x) {
  literal l = {.digits = text_of_span(&f->u->text, x->tokens), .floating = tree_type_is_float(x->type)};
  l.hexadecimal = l.digits[0] == '0' && (l.digits[1] == 'x' || l.digits[1] == 'X');
  size_t end = strlen(l.digits);
  while (end > 1 && is_suffix(l.digits[end - 1], l.hexadecimal, l.floating)) end--;
  l.suffix = mem_strdup(l.digits + end);
  l.digits[end] = '\0';
  l.octal = l.digits[0] == '0' && !l.hexadecimal && end > 1 && !l.floating;
  return l;
}

static void add_number(candidate *c, const char *number) {
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->items[i].key, number) == 0) return;
  char *text = number[0] == '-' ? text_of("(%s)", number) : mem_strdup(number);
  add_alternative(c, mem_strdup(number), text, mem_strdup(number), NULL);
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static void put_integer(candidate *c, const literal *l, bool negative, unsigned long long value) {
  bool small = value < 2;
  const char *format = l->hexadecimal && !small ? "%s0x%llx%s" : l->octal && !small ? "%s0%llo%s" : "%s%llu%s";
  scoped char *text = text_of(format, negative ? "-" : "", value, l->suffix);
  add_number(c, text);
}

static void find_integer(candidate *c, const literal *l, const tree_type *type) {
  errno = 0;
  char *end = NULL;
  bool binary = l->digits[0] == '0' && (l->digits[1] == 'b' || l->digits[1] == 'B');
  unsigned long long value = strtoull(binary ? l->digits + 2 : l->digits, &end, binary ? 2 : 0);
  unsigned long long most = type->size >= 8 ? UINT64_MAX : (1ull << (8 * type->size)) - 1;
  most = type->is_unsigned ? most : most / 2;
  if (errno != 0 || *end != '\0' || value > most) return;
  for (unsigned long long small = 0; small < 2; small++)
    if (value != small) put_integer(c, l, false, small);
  if (!type->is_unsigned || value != most) put_integer(c, l, true, 1);
  if (value < most && (!type->is_unsigned || value + 1 != most))
    put_integer(c, l, false, value + 1); /* the greatest of an unsigned type is -1 already */
  if (value > 0) put_integer(c, l, false, value - 1);
}

/* --- floating point ----------------------------------------------------------------------------------------------- */

static double as_type(double value, const tree_type *type) { return type->size <= 4 ? (double)(float)value : value; }

/* The shortest text that reads as the value. */
static void put_floating(candidate *c, const literal *l, double value, const tree_type *type) {
  char digits[DIGITS] = "";
  for (int precision = 1; precision <= 17; precision++) {
    (void)snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (as_type(strtod(digits, NULL), type) == value) break;
  }
  scoped char *text = text_of("%s%s%s", digits, strpbrk(digits, ".e") == NULL ? ".0" : "", l->suffix);
  add_number(c, text);
}

static void find_floating(candidate *c, const literal *l, const tree_type *type) {
  char *end = NULL;
  double value = as_type(strtod(l->digits, &end), type);
  const double others[ALTERNATIVES] = {0, 1, -1, as_type(value + 1, type), as_type(value - 1, type)};
  for (size_t i = 0; i < ALTERNATIVES && *end == '\0' && isfinite(value); i++) {
    bool seen = others[i] == value;
    for (size_t k = 0; k < i; k++) seen = seen || others[k] == others[i];
    if (!seen) put_floating(c, l, others[i], type);
  }
}

/* Whether a literal is converted to a pointer, event or the like, which only 0 is. */
static bool makes_handle(const tree_node *x) {
  const tree_conversion conversion = x->parent->kind == TREE_CONVERT ? x->parent->conversion : TREE_NO_CONVERSION;
  return conversion == TREE_INTEGER_TO_POINTER || conversion == TREE_TO_OPAQUE;
}

void find_literal(finder *f, const tree_node *x) {
  if (f->u->text.tokens[x->token].kind != PP_NUMBER || x->type == NULL) return;
  candidate *c = add_candidate(f, MUTATE_CONST, PLACE_LITERAL, x->token, x->tokens);
  c->place.type = x->type;
  if (makes_handle(x)) return;
  literal l = take_apart(f, x);
  if (l.floating)
    find_floating(c, &l, x->type);
  else
    find_integer(c, &l, x->type);
  free(l.digits);
  free(l.suffix);
}

/* Loops with an iteration more or less, said in the user's own names: where `i < n` is asked after `i += s`, one
 * iteration less is `i < n - s`. */

/* A loop that counts: its condition, and what is added to the limit for one iteration more. */
typedef struct counted {
  const tree_node *condition;
  const tree_node *step; /* NULL: 1 */
  bool up;
} counted;

static bool is_same_variable(const tree_node *a, const tree_node *b) {
  a = tree_plain(a);
  b = tree_plain(b);
  return a->kind == TREE_NAME && b->kind == TREE_NAME && a->symbol != NULL && a->symbol == b->symbol;
}

/* Whether text may be added to the expression's, or it to another's, without parentheses. */
static bool is_summand(const tree_node *x) {
  while (x->kind == TREE_CONVERT) x = x->children[0];
  switch (x->kind) {
    case TREE_NAME:
    case TREE_LITERAL:
    case TREE_PARENTHESES:
    case TREE_CALL:
    case TREE_SUBSCRIPT:
    case TREE_MEMBER: return true;
    case TREE_BINARY:
      return x->op == OP_ADD || x->op == OP_SUBTRACT || x->op == OP_MULTIPLY || x->op == OP_DIVIDE ||
             x->op == OP_REMAINDER;
    default: return false;
  }
}

/* Whether the step goes to where the condition ends the loop. */
static bool read_step(const tree_node *step, counted *out) {
  const bool compound = step->kind == TREE_COMPOUND_ASSIGN;
  if ((!compound && step->kind != TREE_STEP) || (step->op != OP_ADD && step->op != OP_SUBTRACT) ||
      !is_same_variable(step->children[0], out->condition->children[0]))
    return false;
  out->step = compound ? step->children[1] : NULL;
  const tree_node *by = compound ? tree_plain(out->step) : NULL;
  return (by == NULL || by->kind == TREE_NAME || by->kind == TREE_LITERAL) && (step->op == OP_ADD) == out->up;
}

static bool find_counted(const tree_node *n, counted *out) {
  if (n->kind != TREE_FOR || n->children[1] == NULL || n->children[2] == NULL) return false;
  const tree_node *condition = n->children[1];
  while (condition->kind == TREE_CONVERT) condition = condition->children[0];
  if (condition->kind != TREE_BINARY || !is_number(condition->children[0]->type) || !is_summand(condition->children[1]))
    return false;
  out->condition = condition;
  out->up = condition->op == OP_LESS || condition->op == OP_LESS_EQUAL;
  return (out->up || condition->op == OP_GREATER || condition->op == OP_GREATER_EQUAL) &&
         read_step(n->children[2], out);
}

/* As the user wrote the condition; NULL if it does not stand in one piece. */
static char *text_of_condition(const finder *f, const tree_node *x) {
  source_range range;
  return range_of_operation(&f->u->text, x->tokens, x->token, &range) ? text_of_range(&f->u->text, range) : NULL;
}

char *describe_turns(const finder *f, const tree_node *loop, bool more) {
  const char *count = more ? "n+1 iterations" : "n-1 iterations";
  counted c = {0};
  char *condition = find_counted(loop, &c) ? text_of_condition(f, c.condition) : NULL;
  if (condition == NULL)
    return text_of("%s: %s", count, more ? "one more when its condition is false" : "without the last one");
  scoped char *step = c.step == NULL ? mem_strdup("1") : argument_text(f, c.step->tokens);
  char *out = text_of("%s: %s %s %s", count, condition, more == c.up ? "+" : "-", step);
  free(condition);
  return out;
}
