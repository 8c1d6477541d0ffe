/* Constants: literals read from their tokens, operators computed as OpenCL C says. What would overflow a signed type,
 * divide by zero or is not the same on all devices is no constant. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/tree_internal.h"

/* Operators of a tree are those of integers, and more. */
_Static_assert((int)TREE_ADD == (int)INTEGER_ADD && (int)TREE_LOGICAL_OR == (int)INTEGER_LOGICAL_OR, "the same order");

static const tree_constant none = {.kind = TREE_NOT_CONSTANT};

static unsigned width_of(const tree_type *t) { return t->kind == TREE_TYPE_BOOL ? 1 : (unsigned)(8 * t->size); }

static tree_constant integer_of(const tree_type *t, uint64_t bits) {
  return (tree_constant){.kind = TREE_INTEGER_CONSTANT,
                         .integer = integer_wrap(bits, (integer_type){width_of(t), t->is_unsigned})};
}

/* Numbers of half precision are left alone. */
static tree_constant float_of(const tree_type *t, double value) {
  if (t->size == 2) return none;
  return (tree_constant){.kind = TREE_FLOAT_CONSTANT, .real = t->size == 4 ? (double)(float)value : value};
}

static bool is_scalar(const tree_type *t) {
  return t != NULL && t->kind != TREE_TYPE_VECTOR && (tree_type_is_integer(t) || tree_type_is_float(t));
}

/* --- literals ----------------------------------------------------------------------------------------------------- */

static tree_constant number(const char *text, const tree_type *t) {
  char *end = NULL;
  errno = 0;
  if (tree_type_is_float(t)) {
    const double value = t->size == 4 ? (double)strtof(text, &end) : strtod(text, &end);
    return end == text ? none : float_of(t, value);
  }
  const bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  const unsigned long long value = strtoull(binary ? text + 2 : text, &end, binary ? 2 : 0);
  return errno != 0 || end == text ? none : integer_of(t, value);
}

/* Plain characters and the escapes of one letter. */
static tree_constant character(const char *text, size_t length, const tree_type *t) {
  static const char escapes[] = "abfnrtv\\'\"?";
  static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
  if (length == 3 && (unsigned char)text[1] < 0x80) return integer_of(t, (uint64_t)text[1]);
  const char *found = length == 4 && text[1] == '\\' ? strchr(escapes, text[2]) : NULL;
  if (found != NULL && *found != '\0') return integer_of(t, (uint64_t)meanings[found - escapes]);
  return length == 4 && text[1] == '\\' && text[2] == '0' ? integer_of(t, 0) : none;
}

static tree_constant literal(const tree *t, const tree_node *n) {
  const pp_token *token = &t->text->tokens[n->token];
  const char *text = t->text->text + token->begin;
  const size_t length = token->end - token->begin;
  char copy[128];
  if (!is_scalar(n->type) || length >= sizeof copy) return none;
  memcpy(copy, text, length);
  copy[length] = '\0';
  switch (token->kind) {
    case PP_NUMBER: return number(copy, n->type);
    case PP_CHARACTER: return copy[0] == '\'' ? character(copy, length, n->type) : none;
    default:
      return strcmp(copy, "true") == 0    ? integer_of(n->type, 1)
             : strcmp(copy, "false") == 0 ? integer_of(n->type, 0)
                                          : none;
  }
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

static bool is_true(const tree_constant *c) { return c->kind == TREE_FLOAT_CONSTANT ? c->real != 0 : c->integer != 0; }

static double as_real(const tree_constant *c, const tree_type *t) {
  return c->kind == TREE_FLOAT_CONSTANT ? c->real : t->is_unsigned ? (double)(uint64_t)c->integer : (double)c->integer;
}

/* A number that does not fit into the integer type is no constant. */
static tree_constant to_integer(double value, const tree_type *t) {
  const double whole = trunc(value);
  const double above = ldexp(1, (int)width_of(t) - (t->is_unsigned ? 0 : 1));
  if (!(whole < above) || !(whole >= (t->is_unsigned ? 0 : -above))) return none;
  return integer_of(t, t->is_unsigned ? (uint64_t)whole : (uint64_t)(int64_t)whole);
}

static tree_constant converted(const tree_node *operand, const tree_type *to) {
  const tree_constant *c = &operand->constant;
  if (c->kind == TREE_NOT_CONSTANT || !is_scalar(operand->type) || !is_scalar(to)) return none;
  if (to->kind == TREE_TYPE_BOOL) return integer_of(to, is_true(c));
  if (tree_type_is_float(to)) return float_of(to, as_real(c, operand->type));
  return c->kind == TREE_FLOAT_CONSTANT ? to_integer(c->real, to) : integer_of(to, (uint64_t)c->integer);
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

static tree_constant truth(const tree_type *t, bool value) { return integer_of(t, value ? 1 : 0); }

static bool compare(tree_operator op, bool less, bool equal) {
  switch (op) {
    case TREE_LESS: return less;
    case TREE_LESS_EQUAL: return less || equal;
    case TREE_EQUAL: return equal;
    case TREE_NOT_EQUAL: return !equal;
    case TREE_GREATER: return !less && !equal;
    default: return !less;
  }
}

static bool is_relation(tree_operator op) { return op >= TREE_LESS && op <= TREE_NOT_EQUAL; }

/* Of shifts as many bits count as the type's width lets count: OpenCL C 6.3.j. */
static tree_constant integers(tree_operator op, int64_t a, int64_t b, const tree_type *t) {
  const unsigned width = width_of(t);
  int64_t result = 0;
  if (op == TREE_SHIFT_LEFT || op == TREE_SHIFT_RIGHT) b = (int64_t)((uint64_t)b & (width - 1));
  return integer_compute((integer_operator)op, a, b, (integer_type){width, t->is_unsigned}, &result) == INTEGER_EXACT
             ? integer_of(t, (uint64_t)result)
             : none;
}

static tree_constant reals(tree_operator op, double a, double b, const tree_type *t) {
  const bool single = t->size == 4;
  switch (op) {
    case TREE_ADD: return float_of(t, single ? (double)((float)a + (float)b) : a + b);
    case TREE_SUBTRACT: return float_of(t, single ? (double)((float)a - (float)b) : a - b);
    case TREE_MULTIPLY: return float_of(t, single ? (double)((float)a * (float)b) : a * b);
    default: /* the precision of a division is the device's */ return none;
  }
}

static tree_constant binary(const tree_node *n) {
  const tree_node *left = n->children[0];
  const tree_node *right = n->children[1];
  const tree_constant *a = &left->constant;
  const tree_constant *b = &right->constant;
  if (a->kind == TREE_NOT_CONSTANT || b->kind == TREE_NOT_CONSTANT || !is_scalar(left->type) || !is_scalar(right->type))
    return none;
  if (is_relation(n->op) && a->kind == TREE_FLOAT_CONSTANT) {
    return isnan(a->real) || isnan(b->real) ? none
                                            : truth(n->type, compare(n->op, a->real < b->real, a->real == b->real));
  }
  if (is_relation(n->op)) {
    const tree_constant holds = integers(n->op, a->integer, b->integer, left->type);
    return truth(n->type, holds.integer != 0);
  }
  return tree_type_is_float(n->type) ? reals(n->op, a->real, b->real, n->type)
                                     : integers(n->op, a->integer, b->integer, n->type);
}

static tree_constant logical(const tree_node *n) {
  const tree_constant *a = &n->children[0]->constant;
  const tree_constant *b = &n->children[1]->constant;
  if (a->kind == TREE_NOT_CONSTANT) return none;
  const bool decides = n->op == TREE_LOGICAL_AND ? !is_true(a) : is_true(a);
  if (decides) return truth(n->type, is_true(a));
  return b->kind == TREE_NOT_CONSTANT ? none : truth(n->type, is_true(b));
}

static tree_constant unary(const tree_node *n) {
  const tree_constant *c = &n->children[0]->constant;
  if (c->kind == TREE_NOT_CONSTANT || n->op == TREE_ADD) return *c;
  if (n->op == TREE_NOT) return truth(n->type, !is_true(c));
  if (c->kind == TREE_FLOAT_CONSTANT) return n->op == TREE_SUBTRACT ? float_of(n->type, -c->real) : none;
  return n->op == TREE_SUBTRACT ? integers(TREE_SUBTRACT, 0, c->integer, n->type)
                                : integer_of(n->type, ~(uint64_t)c->integer);
}

static tree_constant conditional(const tree_node *n) {
  const tree_constant *c = &n->children[0]->constant;
  if (c->kind == TREE_NOT_CONSTANT) return none;
  const tree_node *chosen = is_true(c) ? n->children[1] : n->children[2];
  return chosen == NULL ? none : chosen->constant;
}

static tree_constant value_of(const tree *t, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL: return literal(t, n);
    case TREE_NAME:
      return n->symbol->kind == TREE_SYMBOL_ENUMERATOR ? integer_of(n->type, (uint64_t)n->symbol->value) : none;
    case TREE_PARENTHESES: return n->children[0]->constant;
    case TREE_CAST:
    case TREE_CONVERT: return converted(n->children[0], n->type);
    case TREE_UNARY: return unary(n);
    case TREE_BINARY: return binary(n);
    case TREE_LOGICAL: return logical(n);
    case TREE_CONDITIONAL: return conditional(n);
    default: return n->constant; /* that libclang has told */
  }
}

void tree_evaluate(const tree *t, tree_node *root) {
  for (uint32_t i = 0; i < root->child_count; i++)
    if (root->children[i] != NULL) tree_evaluate(t, root->children[i]);
  if (tree_is_expression(root->kind) && is_scalar(root->type)) root->constant = value_of(t, root);
}
