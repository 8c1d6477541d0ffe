/* Formulas: a recursive descent parser with the precedences of C, and the evaluation of its tree. */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cases/scope.h"

enum { FORMULA_VARIABLES = 8, FORMULA_OPERANDS = 4 };

typedef enum formula_kind {
  FORMULA_VALUE,
  FORMULA_VARIABLE, /* `slot`: 0 is i, others are bound by sum() */
  FORMULA_ELEMENT,  /* of an array: [index] */
  FORMULA_NEGATE,
  FORMULA_NOT,
  FORMULA_COMPLEMENT,
  FORMULA_AND,
  FORMULA_OR,
  FORMULA_CHOICE,
  FORMULA_SUM, /* from, to, each time; `slot` is its variable */
  FORMULA_BINARY,
  FORMULA_CALL
} formula_kind;

typedef enum formula_operator {
  OPERATOR_BIT_OR,
  OPERATOR_BIT_XOR,
  OPERATOR_BIT_AND,
  OPERATOR_EQUAL,
  OPERATOR_NOT_EQUAL,
  OPERATOR_LESS,
  OPERATOR_LESS_EQUAL,
  OPERATOR_GREATER,
  OPERATOR_GREATER_EQUAL,
  OPERATOR_LEFT,
  OPERATOR_RIGHT,
  OPERATOR_ADD,
  OPERATOR_SUBTRACT,
  OPERATOR_MULTIPLY,
  OPERATOR_DIVIDE,
  OPERATOR_REMAINDER
} formula_operator;

typedef struct formula_function {
  const char *name;
  unsigned operands;
  double (*of_one)(double); /* of real numbers; both NULL: of integers only */
  double (*of_two)(double, double);
  int (*integer)(number_wide, number_wide, number_wide *, const char **); /* NULL: always real; -1 with what is wrong */
} formula_function;

typedef struct formula_node formula_node;
struct formula_node {
  formula_kind kind;
  size_t offset; /* in the text */
  formula_value value;
  unsigned slot;
  formula_operator op;
  const formula_function *function;
  const scope_name *array;
  formula_node *operands[FORMULA_OPERANDS];
};

struct formula {
  formula_node *root;
  formula_node **nodes;
  size_t count, capacity;
  uint64_t elements; /* for which it is computed */
  uint64_t parts;    /* of sums, so far */
};

enum { SUMMANDS = 1 << 24, PARTS_MOST = 1 << 29 };

static const char beyond[] = "the value has more than 64 bits";

/* --- functions ---------------------------------------------------------------------------------------------------- */

static int integer_min(number_wide a, number_wide b, number_wide *out, const char **why) {
  (void)why;
  *out = a < b ? a : b;
  return 0;
}

static int integer_max(number_wide a, number_wide b, number_wide *out, const char **why) {
  (void)why;
  *out = a > b ? a : b;
  return 0;
}

/* Of numbers that are not negative. */
static int integer_ceil_div(number_wide a, number_wide b, number_wide *out, const char **why) {
  if (a < 0 || b <= 0) {
    *why = "ceil_div and round_up want a number from 0 on and a positive one";
    return -1;
  }
  *out = a / b + (a % b != 0 ? 1 : 0);
  return 0;
}

static int integer_round_up(number_wide a, number_wide b, number_wide *out, const char **why) {
  if (integer_ceil_div(a, b, out, why) != 0) return -1;
  *why = beyond;
  *out *= b;
  return number_fits(*out) ? 0 : -1;
}

static int integer_abs(number_wide a, number_wide b, number_wide *out, const char **why) {
  (void)b;
  (void)why;
  *out = a < 0 ? -a : a;
  return 0;
}

static double nearest_float(double a) { return (double)(float)a; }

static const formula_function formula_functions[] = {
    {"min", 2, NULL, fmin, integer_min},
    {"max", 2, NULL, fmax, integer_max},
    {"ceil_div", 2, NULL, NULL, integer_ceil_div},
    {"round_up", 2, NULL, NULL, integer_round_up},
    {"abs", 1, fabs, NULL, integer_abs},
    {"sqrt", 1, sqrt, NULL, NULL},
    {"exp", 1, exp, NULL, NULL},
    {"log", 1, log, NULL, NULL},
    {"sin", 1, sin, NULL, NULL},
    {"cos", 1, cos, NULL, NULL},
    {"pow", 2, NULL, pow, NULL},
    {"floor", 1, floor, NULL, NULL},
    {"float", 1, nearest_float, NULL, NULL},
    {NULL, 0, NULL, NULL, NULL},
};

/* --- evaluation --------------------------------------------------------------------------------------------------- */

typedef struct evaluation {
  number_wide variables[FORMULA_VARIABLES];
  formula *of;
  number_wide repeated; /* how often a sum that stands here is computed, as far as is known */
  formula_error *e;
} evaluation;

static int value_of(evaluation *v, const formula_node *n, formula_value *out);

static int wrong(const evaluation *v, const formula_node *n, const char *format, ...) {
  va_list args;
  va_start(args, format);
  v->e->offset = n->offset;
  (void)vsnprintf(v->e->text, sizeof v->e->text, format, args);
  va_end(args);
  return -1;
}

static bool is_true(formula_value v) { return v.real ? v.number != 0 : v.integer != 0; }

static formula_value integer(number_wide value) { return (formula_value){.integer = value}; }

static formula_value real(double value) { return (formula_value){.real = true, .number = value}; }

static number_wide magnitude(number_wide a) { return a < 0 ? -a : a; }

static int arithmetic(const evaluation *v, const formula_node *n, number_wide a, number_wide b, formula_value *out) {
  const number_wide most = UINT64_MAX;
  number_wide value = most + 1; /* what has no 64 bits */
  switch (n->op) {
    case OPERATOR_ADD: value = a + b; break;
    case OPERATOR_SUBTRACT: value = a - b; break;
    case OPERATOR_MULTIPLY: value = a == 0 || magnitude(b) <= most / magnitude(a) ? a * b : value; break;
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
      if (b == 0) return wrong(v, n, "this divides by 0");
      value = n->op == OPERATOR_DIVIDE ? a / b : a % b;
      break;
    default: /* shifts */
      if (b < 0 || b > 63) return wrong(v, n, "this shifts by %lld bits", (long long)b);
      value = n->op == OPERATOR_RIGHT ? a >> b : magnitude(a) <= most >> b ? a * ((number_wide)1 << b) : value;
  }
  *out = integer(value);
  return number_fits(value) ? 0 : wrong(v, n, beyond);
}

/* A comparison of two values; none of the three holds where one is not a number. */
static bool compare(formula_operator op, bool less, bool equal, bool greater, formula_value *out) {
  switch (op) {
    case OPERATOR_EQUAL: *out = integer(equal); return true;
    case OPERATOR_NOT_EQUAL: *out = integer(!equal); return true;
    case OPERATOR_LESS: *out = integer(less); return true;
    case OPERATOR_LESS_EQUAL: *out = integer(less || equal); return true;
    case OPERATOR_GREATER: *out = integer(greater); return true;
    case OPERATOR_GREATER_EQUAL: *out = integer(greater || equal); return true;
    default: return false;
  }
}

static int of_integers(const evaluation *v, const formula_node *n, number_wide a, number_wide b, formula_value *out) {
  if (compare(n->op, a<b, a == b, a> b, out)) return 0;
  switch (n->op) {
    case OPERATOR_BIT_OR: *out = integer(a | b); return 0;
    case OPERATOR_BIT_XOR: *out = integer(a ^ b); return number_fits(a ^ b) ? 0 : wrong(v, n, beyond);
    case OPERATOR_BIT_AND: *out = integer(a & b); return 0;
    default: return arithmetic(v, n, a, b, out);
  }
}

static int of_reals(const evaluation *v, const formula_node *n, double a, double b, formula_value *out) {
  if (compare(n->op, a<b, a == b, a> b, out)) return 0;
  switch (n->op) {
    case OPERATOR_ADD: *out = real(a + b); return 0;
    case OPERATOR_SUBTRACT: *out = real(a - b); return 0;
    case OPERATOR_MULTIPLY: *out = real(a * b); return 0;
    case OPERATOR_DIVIDE: *out = real(a / b); return 0;
    default: return wrong(v, n, "%% and operators of bits take integers, and one side has a point");
  }
}

static int binary(evaluation *v, const formula_node *n, formula_value *out) {
  formula_value a, b;
  if (value_of(v, n->operands[0], &a) != 0 || value_of(v, n->operands[1], &b) != 0) return -1;
  return a.real || b.real ? of_reals(v, n, formula_real(a), formula_real(b), out)
                          : of_integers(v, n, a.integer, b.integer, out);
}

static int call(evaluation *v, const formula_node *n, formula_value *out) {
  const formula_function *f = n->function;
  formula_value a, b = integer(0);
  if (value_of(v, n->operands[0], &a) != 0 || (f->operands > 1 && value_of(v, n->operands[1], &b) != 0)) return -1;
  const bool has_real = f->of_one != NULL || f->of_two != NULL;
  if (f->integer == NULL || (has_real && (a.real || b.real))) {
    *out = real(f->of_one != NULL ? f->of_one(formula_real(a)) : f->of_two(formula_real(a), formula_real(b)));
    return 0;
  }
  if (a.real || b.real) return wrong(v, n, "%s takes integers", f->name);
  const char *why = "";
  *out = integer(0);
  return f->integer(a.integer, b.integer, &out->integer, &why) == 0 ? 0 : wrong(v, n, "%s", why);
}

static int element(evaluation *v, const formula_node *n, formula_value *out) {
  const scope_name *array = n->array;
  formula_value index;
  if (value_of(v, n->operands[0], &index) != 0) return -1;
  if (array->bytes == NULL) return wrong(v, n, "nobody has written %s", array->name);
  if (index.real || index.integer < 0 || index.integer >= (number_wide)array->count) {
    return index.real ? wrong(v, n, "an index is an integer")
                      : wrong(v, n, "%s has %zu numbers, and %lld is none of them", array->name, array->count,
                              (long long)index.integer);
  }
  const size_t number = (size_t)index.integer,
               at = array->used == 0 ? number : number / array->used * array->of + number % array->used;
  const unsigned char *bytes = array->bytes + at * number_size(array->number);
  if (number_is_real(array->number)) {
    *out = real(number_real(array->number, bytes));
    return 0;
  }
  *out = integer(number_integer(array->number, bytes));
  return 0;
}

/* The parts that a sum adds to those that are there: of all elements, and of the sums that it stands in. */
static int count_parts(evaluation *v, const formula_node *n, number_wide parts) {
  if (parts > SUMMANDS) return wrong(v, n, "a sum has at most %d parts", SUMMANDS);
  v->of->parts += (uint64_t)parts;
  return parts * v->repeated > PARTS_MOST || v->of->parts > PARTS_MOST
             ? wrong(v, n, "the sums of this formula have more than %lld parts in all", (long long)PARTS_MOST)
             : 0;
}

static int sum(evaluation *v, const formula_node *n, formula_value *out) {
  formula_value from, to, one;
  if (value_of(v, n->operands[0], &from) != 0 || value_of(v, n->operands[1], &to) != 0) return -1;
  if (from.real || to.real) return wrong(v, n, "a sum goes from one integer to another");
  const number_wide parts = to.integer > from.integer ? to.integer - from.integer : 0, outer = v->repeated;
  if (count_parts(v, n, parts) != 0) return -1;
  v->repeated = outer * (parts > 0 ? parts : 1);
  *out = integer(0);
  for (number_wide k = from.integer; k < to.integer; k++) {
    v->variables[n->slot] = k;
    if (value_of(v, n->operands[2], &one) != 0) return -1;
    const bool is_real = out->real || one.real;
    *out = is_real ? real(formula_real(*out) + formula_real(one)) : integer(out->integer + one.integer);
    if (!is_real && !number_fits(out->integer)) return wrong(v, n, beyond);
  }
  v->repeated = outer;
  return 0;
}

static int unary(evaluation *v, const formula_node *n, formula_value *out) {
  formula_value a;
  if (value_of(v, n->operands[0], &a) != 0) return -1;
  if (n->kind == FORMULA_NOT) {
    *out = integer(!is_true(a));
    return 0;
  }
  if (n->kind == FORMULA_COMPLEMENT) {
    *out = integer(~a.integer);
    return a.real ? wrong(v, n, "~ takes an integer") : number_fits(~a.integer) ? 0 : wrong(v, n, beyond);
  }
  if (a.real) {
    *out = real(-a.number);
    return 0;
  }
  *out = integer(-a.integer);
  return number_fits(-a.integer) ? 0 : wrong(v, n, beyond);
}

/* && || and ?:, which leave something out. */
static int lazy(evaluation *v, const formula_node *n, formula_value *out) {
  formula_value a;
  if (value_of(v, n->operands[0], &a) != 0) return -1;
  const bool first = is_true(a);
  if (n->kind == FORMULA_CHOICE) return value_of(v, n->operands[first ? 1 : 2], out);
  if (first == (n->kind == FORMULA_OR)) {
    *out = integer(first);
    return 0;
  }
  if (value_of(v, n->operands[1], &a) != 0) return -1;
  *out = integer(is_true(a));
  return 0;
}

static int value_of(evaluation *v, const formula_node *n, formula_value *out) {
  switch (n->kind) {
    case FORMULA_VALUE: *out = n->value; return 0;
    case FORMULA_VARIABLE: *out = integer(v->variables[n->slot]); return 0;
    case FORMULA_ELEMENT: return element(v, n, out);
    case FORMULA_AND:
    case FORMULA_OR:
    case FORMULA_CHOICE: return lazy(v, n, out);
    case FORMULA_SUM: return sum(v, n, out);
    case FORMULA_BINARY: return binary(v, n, out);
    case FORMULA_CALL: return call(v, n, out);
    default: return unary(v, n, out);
  }
}

int formula_at(formula *f, int64_t i, formula_value *out, formula_error *e) {
  evaluation v = {.variables = {i}, .of = f, .repeated = f->elements, .e = e};
  return value_of(&v, f->root, out);
}

/* From text to a tree, by the precedences of C. */

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

static formula_node *cannot_read(reading *r, const char *at, const char *format, ...) {
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
  if (take(r, c)) return true;
  (void)cannot_read(r, r->at, "a %c is missing here", c);
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
  if (!n->value.real && too_large) return cannot_read(r, begin, "this number has more than 64 bits");
  r->at = n->value.real ? real_end : integer_end;
  r->at += strspn(r->at, n->value.real ? "fFlL" : "uUlL");
  return isalnum((unsigned char)*r->at) != 0 || *r->at == '_' || *r->at == '.'
             ? cannot_read(r, begin, "this is no number")
             : n;
}

static formula_node *read_sum(reading *r, const char *begin) {
  skip(r);
  const char *name = r->at;
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  formula_node *n = add(r, FORMULA_SUM, begin);
  if (length == 0 || isdigit((unsigned char)*name) != 0)
    return cannot_read(r, name, "sum wants a name here, as in sum(k, 0, n, x[k])");
  if (r->variable_count == FORMULA_VARIABLES) return cannot_read(r, begin, "there are too many sums in sums");
  r->at += length;
  n->slot = r->variable_count;
  for (size_t i = 0; i < 3; i++) {
    if (!want(r, ',')) return NULL;
    if (i == 2) r->variables[r->variable_count++] = mem_strndup(name, length);
    n->operands[i] = choice(r);
  }
  free(r->variables[--r->variable_count]);
  r->variables[r->variable_count] = NULL;
  return want(r, ')') ? n : NULL;
}

static formula_node *read_call(reading *r, const char *begin, size_t length) {
  if (length == 3 && strncmp(begin, "sum", 3) == 0) return read_sum(r, begin);
  const formula_function *f = formula_functions;
  while (f->name != NULL && (strlen(f->name) != length || strncmp(f->name, begin, length) != 0)) f++;
  if (f->name == NULL) return cannot_read(r, begin, "there is no function %.*s", (int)length, begin);
  formula_node *n = add(r, FORMULA_CALL, begin);
  n->function = f;
  for (unsigned i = 0; i < f->operands; i++) {
    if (i > 0 && !take(r, ',')) return cannot_read(r, r->at, "%s takes %u numbers", f->name, f->operands);
    n->operands[i] = choice(r);
  }
  return take(r, ')')
             ? n
             : cannot_read(r, r->at, "%s takes %u number%s", f->name, f->operands, f->operands == 1 ? "" : "s");
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
  if (!infinite && (length != 3 || strncmp(begin, "nan", 3) != 0)) return NULL;
  formula_node *n = add(r, FORMULA_VALUE, begin);
  n->value = (formula_value){.real = true, .number = infinite ? (double)INFINITY : (double)NAN};
  return n;
}

static formula_node *name(reading *r) {
  const char *begin = r->at;
  const size_t length = strspn(begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  r->at += length;
  if (take(r, '(')) return read_call(r, begin, length);
  formula_node *n = variable(r, begin, length);
  n = n == NULL ? constant(r, begin, length) : n;
  if (n != NULL) return n;
  const scope_name *found = scope_find(r->names, begin, length);
  if (found == NULL) {
    return length == 1 && *begin == 'i' ? cannot_read(r, begin, "i, the number of an element, has no meaning here")
                                        : cannot_read(r, begin, "there is no name %.*s", (int)length, begin);
  }
  if (found->kind == SCOPE_WORD)
    return cannot_read(r, begin, "%s is the word %s and no number", found->name, found->word);
  n = add(r, found->kind == SCOPE_ARRAY ? FORMULA_ELEMENT : FORMULA_VALUE, begin);
  n->value = found->value;
  n->array = found;
  if (found->kind == SCOPE_ARRAY) {
    if (!take(r, '['))
      return cannot_read(r, begin, "%s is a buffer; %s[i] is one of its numbers", found->name, found->name);
    n->operands[0] = choice(r);
    return want(r, ']') ? n : NULL;
  }
  return n;
}

static formula_node *primary(reading *r) {
  skip(r);
  const unsigned char c = (unsigned char)*r->at;
  if (isdigit(c) != 0 || (c == '.' && isdigit((unsigned char)r->at[1]) != 0)) return literal(r);
  if (isalpha(c) != 0 || c == '_') return name(r);
  if (take(r, '(')) {
    formula_node *n = choice(r);
    return want(r, ')') ? n : NULL;
  }
  return c == '\0' ? cannot_read(r, r->at, "the formula ends too early")
                   : cannot_read(r, r->at, "%c has no meaning here", c);
}

static formula_node *read_unary(reading *r) {
  static const char signs[] = "-!~";
  static const formula_kind kinds[] = {FORMULA_NEGATE, FORMULA_NOT, FORMULA_COMPLEMENT};
  skip(r);
  if (r->depth++ > DEEPEST) return cannot_read(r, r->at, "the formula is too deep");
  const char *begin = r->at;
  const char *sign = *begin == '\0' ? NULL : strchr(signs, *begin);
  formula_node *n = NULL;
  if (sign != NULL || *begin == '+') {
    r->at++;
    n = read_unary(r);
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
  while (i < OPERATORS && strncmp(r->at, operators[i].text, strlen(operators[i].text)) != 0) i++;
  return i;
}

static formula_node *read_binary(reading *r, unsigned level) {
  formula_node *left = read_unary(r);
  for (size_t i = operator_here(r); !r->failed && i < OPERATORS && operators[i].level >= level; i = operator_here(r)) {
    formula_node *n = add(r, operators[i].kind, r->at);
    r->at += strlen(operators[i].text);
    n->op = operators[i].op;
    n->operands[0] = left;
    n->operands[1] = read_binary(r, operators[i].level + 1);
    left = n;
  }
  return left;
}

static formula_node *choice(reading *r) {
  if (r->depth++ > DEEPEST) return cannot_read(r, r->at, "the formula is too deep");
  formula_node *n = read_binary(r, 0);
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
  if (!r.failed && *r.at != '\0') (void)cannot_read(&r, r.at, "%c has no meaning here", *r.at);
  for (unsigned i = 0; i < FORMULA_VARIABLES; i++) free(r.variables[i]);
  if (r.failed) {
    formula_free(f);
    return NULL;
  }
  return f;
}

void formula_free(formula *f) {
  if (f == NULL) return;
  mem_free_all(f->nodes, f->count);
  free(f);
}

bool formula_knows(const char *word) {
  static const char *const others[] = {"i", "sum", "inf", "nan"};
  bool known = false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) known = known || strcmp(word, others[i]) == 0;
  for (const formula_function *f = formula_functions; f->name != NULL; f++) known = known || strcmp(word, f->name) == 0;
  return known;
}
