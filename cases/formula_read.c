/* From text to a tree, by the precedences of C. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cases/formula_internal.h"

enum { DEEPEST = 200, LOWEST = 2 /* of an operator that is no || and no && */ };

typedef struct reading {
  const char *text, *at;
  const scope *names;
  formula *out;
  char *variables[FORMULA_VARIABLES]; /* bound; [0] is `i` */
  unsigned variable_count;
  unsigned depth;
  formula_error *e;
  bool failed;
} reading;

static const struct {
  const char *text;
  formula_kind kind;
  formula_operator op;
  unsigned level;
} operators[] = {
    {"||", FORMULA_OR, 0, 0},
    {"&&", FORMULA_AND, 0, 1},
    {"==", FORMULA_BINARY, OPERATOR_EQUAL, 5},
    {"!=", FORMULA_BINARY, OPERATOR_NOT_EQUAL, 5},
    {"<<", FORMULA_BINARY, OPERATOR_LEFT, 7},
    {">>", FORMULA_BINARY, OPERATOR_RIGHT, 7},
    {"<=", FORMULA_BINARY, OPERATOR_LESS_EQUAL, 6},
    {">=", FORMULA_BINARY, OPERATOR_GREATER_EQUAL, 6},
    {"<", FORMULA_BINARY, OPERATOR_LESS, 6},
    {">", FORMULA_BINARY, OPERATOR_GREATER, 6},
    {"|", FORMULA_BINARY, OPERATOR_BIT_OR, LOWEST},
    {"^", FORMULA_BINARY, OPERATOR_BIT_XOR, 3},
    {"&", FORMULA_BINARY, OPERATOR_BIT_AND, 4},
    {"+", FORMULA_BINARY, OPERATOR_ADD, 8},
    {"-", FORMULA_BINARY, OPERATOR_SUBTRACT, 8},
    {"*", FORMULA_BINARY, OPERATOR_MULTIPLY, 9},
    {"/", FORMULA_BINARY, OPERATOR_DIVIDE, 9},
    {"%", FORMULA_BINARY, OPERATOR_REMAINDER, 9},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static formula_node *choice(reading *r);

static formula_node *wrong(reading *r, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!r->failed) {
    r->failed = true;
    r->e->offset = (size_t)(at - r->text);
    (void)vsnprintf(r->e->text, sizeof r->e->text, format, args);
  }
  va_end(args);
  return NULL;
}

static formula_node *add(reading *r, formula_kind kind, const char *at) {
  formula_node *n = mem_calloc(1, sizeof *n);
  n->kind = kind;
  n->offset = (size_t)(at - r->text);
  *ARRAY_ADD(r->out->nodes, r->out->count, r->out->capacity) = n;
  return n;
}

static void skip(reading *r) { r->at += strspn(r->at, " \t\n"); }

static bool take(reading *r, char c) {
  skip(r);
  if (*r->at == c) {
    r->at++;
    return true;
  }
  return false;
}

static bool want(reading *r, char c) {
  if (take(r, c)) {
    return true;
  }
  (void)wrong(r, r->at, "a %c is missing here", c);
  return false;
}

/* --- what operators stand between --------------------------------------------------------------------------------- */

static formula_node *literal(reading *r) {
  const char *begin = r->at;
  char *integer_end = NULL, *real_end = NULL;
  formula_node *n = add(r, FORMULA_VALUE, begin);
  errno = 0;
  const unsigned long long value = strtoull(begin, &integer_end, 0);
  const bool too_large = errno != 0;
  const double real = strtod(begin, &real_end);
  n->value = (formula_value){.real = real_end > integer_end, .integer = value, .number = real};
  if (!n->value.real && too_large) {
    return wrong(r, begin, "this number has more than 64 bits");
  }
  r->at = n->value.real ? real_end : integer_end;
  r->at += strspn(r->at, n->value.real ? "fFlL" : "uUlL");
  return isalnum((unsigned char)*r->at) != 0 || *r->at == '_' || *r->at == '.' ? wrong(r, begin, "this is no number")
                                                                               : n;
}

static formula_node *sum(reading *r, const char *begin) {
  skip(r);
  const char *name = r->at;
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  formula_node *n = add(r, FORMULA_SUM, begin);
  if (length == 0 || isdigit((unsigned char)*name) != 0) {
    return wrong(r, name, "sum wants a name here, as in sum(k, 0, n, x[k])");
  }
  if (r->variable_count == FORMULA_VARIABLES) {
    return wrong(r, begin, "there are too many sums in sums");
  }
  r->at += length;
  n->slot = r->variable_count;
  for (size_t i = 0; i < 3; i++) {
    if (!want(r, ',')) {
      return NULL;
    }
    if (i == 2) {
      r->variables[r->variable_count++] = mem_strndup(name, length);
    }
    n->operands[i] = choice(r);
  }
  free(r->variables[--r->variable_count]);
  r->variables[r->variable_count] = NULL;
  return want(r, ')') ? n : NULL;
}

static formula_node *call(reading *r, const char *begin, size_t length) {
  if (length == 3 && strncmp(begin, "sum", 3) == 0) {
    return sum(r, begin);
  }
  const formula_function *f = formula_functions;
  while (f->name != NULL && (strlen(f->name) != length || strncmp(f->name, begin, length) != 0)) {
    f++;
  }
  if (f->name == NULL) {
    return wrong(r, begin, "there is no function %.*s", (int)length, begin);
  }
  formula_node *n = add(r, FORMULA_CALL, begin);
  n->function = f;
  for (unsigned i = 0; i < f->operands; i++) {
    if (i > 0 && !take(r, ',')) {
      return wrong(r, r->at, "%s takes %u numbers", f->name, f->operands);
    }
    n->operands[i] = choice(r);
  }
  return take(r, ')') ? n : wrong(r, r->at, "%s takes %u number%s", f->name, f->operands, f->operands == 1 ? "" : "s");
}

static formula_node *variable(reading *r, const char *begin, size_t length) {
  for (unsigned i = r->variable_count; i-- > 0;) {
    if (r->variables[i] != NULL && strlen(r->variables[i]) == length && strncmp(r->variables[i], begin, length) == 0) {
      formula_node *n = add(r, FORMULA_VARIABLE, begin);
      n->slot = i;
      return n;
    }
  }
  return NULL;
}

static formula_node *constant(reading *r, const char *begin, size_t length) {
  const bool infinite = length == 3 && strncmp(begin, "inf", 3) == 0;
  if (!infinite && (length != 3 || strncmp(begin, "nan", 3) != 0)) {
    return NULL;
  }
  formula_node *n = add(r, FORMULA_VALUE, begin);
  n->value = (formula_value){.real = true, .number = infinite ? (double)INFINITY : (double)NAN};
  return n;
}

static formula_node *name(reading *r) {
  const char *begin = r->at;
  const size_t length = strspn(begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  r->at += length;
  if (take(r, '(')) {
    return call(r, begin, length);
  }
  formula_node *n = variable(r, begin, length);
  n = n == NULL ? constant(r, begin, length) : n;
  if (n != NULL) {
    return n;
  }
  const scope_name *found = scope_find(r->names, begin, length);
  if (found == NULL) {
    return length == 1 && *begin == 'i' ? wrong(r, begin, "i, the number of an element, has no meaning here")
                                        : wrong(r, begin, "there is no name %.*s", (int)length, begin);
  }
  if (found->kind == SCOPE_WORD) {
    return wrong(r, begin, "%s is the word %s and no number", found->name, found->word);
  }
  n = add(r, found->kind == SCOPE_ARRAY ? FORMULA_ELEMENT : FORMULA_VALUE, begin);
  n->value = found->value;
  n->array = found;
  if (found->kind == SCOPE_ARRAY) {
    if (!take(r, '[')) {
      return wrong(r, begin, "%s is a buffer; %s[i] is one of its numbers", found->name, found->name);
    }
    n->operands[0] = choice(r);
    return want(r, ']') ? n : NULL;
  }
  return n;
}

static formula_node *primary(reading *r) {
  skip(r);
  const unsigned char c = (unsigned char)*r->at;
  if (isdigit(c) != 0 || (c == '.' && isdigit((unsigned char)r->at[1]) != 0)) {
    return literal(r);
  }
  if (isalpha(c) != 0 || c == '_') {
    return name(r);
  }
  if (take(r, '(')) {
    formula_node *n = choice(r);
    return want(r, ')') ? n : NULL;
  }
  return c == '\0' ? wrong(r, r->at, "the formula ends too early") : wrong(r, r->at, "%c has no meaning here", c);
}

static formula_node *unary(reading *r) {
  static const char signs[] = "-!~";
  static const formula_kind kinds[] = {FORMULA_NEGATE, FORMULA_NOT, FORMULA_COMPLEMENT};
  skip(r);
  if (r->depth++ > DEEPEST) {
    return wrong(r, r->at, "the formula is too deep");
  }
  const char *begin = r->at;
  const char *sign = *begin == '\0' ? NULL : strchr(signs, *begin);
  formula_node *n = NULL;
  if (sign != NULL || *begin == '+') {
    r->at++;
    n = unary(r);
    if (sign != NULL) {
      formula_node *outer = add(r, kinds[sign - signs], begin);
      outer->operands[0] = n;
      n = outer;
    }
  } else {
    n = primary(r);
  }
  r->depth--;
  return n;
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

static size_t operator_here(reading *r) {
  skip(r);
  size_t i = 0;
  while (i < OPERATORS && strncmp(r->at, operators[i].text, strlen(operators[i].text)) != 0) {
    i++;
  }
  return i;
}

static formula_node *binary(reading *r, unsigned level) {
  formula_node *left = unary(r);
  for (size_t i = operator_here(r); !r->failed && i < OPERATORS && operators[i].level >= level; i = operator_here(r)) {
    formula_node *n = add(r, operators[i].kind, r->at);
    r->at += strlen(operators[i].text);
    n->op = operators[i].op;
    n->operands[0] = left;
    n->operands[1] = binary(r, operators[i].level + 1);
    left = n;
  }
  return left;
}

static formula_node *choice(reading *r) {
  if (r->depth++ > DEEPEST) {
    return wrong(r, r->at, "the formula is too deep");
  }
  formula_node *n = binary(r, 0);
  skip(r);
  const char *begin = r->at;
  if (!r->failed && take(r, '?')) {
    formula_node *outer = add(r, FORMULA_CHOICE, begin);
    outer->operands[0] = n;
    outer->operands[1] = choice(r);
    outer->operands[2] = want(r, ':') ? choice(r) : NULL;
    n = outer;
  }
  r->depth--;
  return n;
}

formula *formula_read(const char *text, const scope *names, uint64_t elements, formula_error *e) {
  formula *f = mem_calloc(1, sizeof *f);
  reading r = {.text = text, .at = text, .names = names, .out = f, .variable_count = 1, .e = e};
  r.variables[0] = elements > 0 ? mem_strdup("i") : NULL;
  f->elements = elements > 0 ? elements : 1;
  f->root = choice(&r);
  skip(&r);
  if (!r.failed && *r.at != '\0') {
    (void)wrong(&r, r.at, "%c has no meaning here", *r.at);
  }
  for (unsigned i = 0; i < FORMULA_VARIABLES; i++) {
    free(r.variables[i]);
  }
  if (r.failed) {
    formula_free(f);
    return NULL;
  }
  return f;
}

void formula_free(formula *f) {
  if (f == NULL) {
    return;
  }
  mem_free_all(f->nodes, f->count);
  free(f);
}

bool formula_knows(const char *word) {
  static const char *const others[] = {"i", "sum", "inf", "nan"};
  bool known = false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    known = known || strcmp(word, others[i]) == 0;
  }
  for (const formula_function *f = formula_functions; f->name != NULL; f++) {
    known = known || strcmp(word, f->name) == 0;
  }
  return known;
}
