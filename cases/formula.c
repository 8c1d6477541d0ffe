/* Formulas: what is written as a C expression, over the names of a scope, and its value. */

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scope.h"

enum { FORMULA_VARIABLES = 8, SUM_PARTS = 4, FORMULA_OPERANDS = 3 };

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
  c_operator op;
  const formula_function *function;
  const scope_name *array;
  formula_node *operands[FORMULA_OPERANDS];
};

struct formula {
  formula_node *root;
  mem_arena memory;
  bool each;         /* it may use `i`, */
  uint64_t elements; /* for so many of which it is computed */
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
    case OP_ADD: value = a + b; break;
    case OP_SUBTRACT: value = a - b; break;
    case OP_MULTIPLY: value = a == 0 || magnitude(b) <= most / magnitude(a) ? a * b : value; break;
    case OP_DIVIDE:
    case OP_REMAINDER:
      if (b == 0) return wrong(v, n, "this divides by 0");
      value = n->op == OP_DIVIDE ? a / b : a % b;
      break;
    default: /* shifts */
      if (b < 0 || b > 63) return wrong(v, n, "this shifts by %lld bits", (long long)b);
      value = n->op == OP_SHIFT_RIGHT ? a >> b : magnitude(a) <= most >> b ? a * ((number_wide)1 << b) : value;
  }
  *out = integer(value);
  return number_fits(value) ? 0 : wrong(v, n, beyond);
}

/* A comparison of two values; none of the three holds where one is not a number. */
static bool compare(c_operator op, bool less, bool equal, bool greater, formula_value *out) {
  switch (op) {
    case OP_EQUAL: *out = integer(equal); return true;
    case OP_NOT_EQUAL: *out = integer(!equal); return true;
    case OP_LESS: *out = integer(less); return true;
    case OP_LESS_EQUAL: *out = integer(less || equal); return true;
    case OP_GREATER: *out = integer(greater); return true;
    case OP_GREATER_EQUAL: *out = integer(greater || equal); return true;
    default: return false;
  }
}

static int of_integers(const evaluation *v, const formula_node *n, number_wide a, number_wide b, formula_value *out) {
  if (compare(n->op, a<b, a == b, a> b, out)) return 0;
  switch (n->op) {
    case OP_OR: *out = integer(a | b); return 0;
    case OP_XOR: *out = integer(a ^ b); return number_fits(a ^ b) ? 0 : wrong(v, n, beyond);
    case OP_AND: *out = integer(a & b); return 0;
    default: return arithmetic(v, n, a, b, out);
  }
}

static int of_reals(const evaluation *v, const formula_node *n, double a, double b, formula_value *out) {
  if (compare(n->op, a<b, a == b, a> b, out)) return 0;
  switch (n->op) {
    case OP_ADD: *out = real(a + b); return 0;
    case OP_SUBTRACT: *out = real(a - b); return 0;
    case OP_MULTIPLY: *out = real(a * b); return 0;
    case OP_DIVIDE: *out = real(a / b); return 0;
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

/* --- from what is written to a formula ---------------------------------------------------------------------------- */

typedef struct reading {
  const char *text;
  const scope *names;
  formula *out;
  const syntax_node *variables[FORMULA_VARIABLES]; /* bound by sum() */
  unsigned variable_count;
  formula_error *e;
  bool failed;
} reading;

static formula_node *meaning(reading *r, const syntax_node *n);

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

/* With the first `operands` parts of what is written. */
static formula_node *add(reading *r, formula_kind kind, const syntax_node *from, size_t operands) {
  formula_node *n = mem_arena_take(&r->out->memory, sizeof *n);
  *n = (formula_node){.kind = kind, .offset = (size_t)(from->text - r->text), .op = from->op};
  for (size_t i = 0; i < operands && !r->failed; i++) n->operands[i] = meaning(r, from->parts[i]);
  return n;
}

static formula_node *literal(reading *r, const syntax_node *from) {
  char *integer_end = NULL, *real_end = NULL;
  formula_node *n = add(r, FORMULA_VALUE, from, 0);
  errno = 0;
  const unsigned long long value = strtoull(from->text, &integer_end, 0);
  const bool too_large = errno != 0;
  const double real = strtod(from->text, &real_end);
  n->value = (formula_value){.real = real_end > integer_end, .integer = value, .number = real};
  if (!n->value.real && too_large) return cannot_read(r, from->text, "this number has more than 64 bits");
  const char *end = n->value.real ? real_end : integer_end;
  end += strspn(end, n->value.real ? "fFlL" : "uUlL");
  return end != from->text + from->length ? cannot_read(r, from->text, "this is no number") : n;
}

static formula_node *read_sum(reading *r, const syntax_node *from) {
  if (from->count == 0 || from->parts[0]->kind != SYNTAX_NAME)
    return cannot_read(r, from->text, "sum wants a name here, as in sum(k, 0, n, x[k])");
  if (from->count != SUM_PARTS) return cannot_read(r, from->text, "sum takes a name and 3 numbers");
  if (r->variable_count == FORMULA_VARIABLES) return cannot_read(r, from->text, "there are too many sums in sums");
  formula_node *n = add(r, FORMULA_SUM, from, 0);
  n->slot = r->variable_count;
  for (size_t i = 1; i < SUM_PARTS && !r->failed; i++) {
    if (i == 3) r->variables[r->variable_count++] = from->parts[0];
    n->operands[i - 1] = meaning(r, from->parts[i]);
  }
  r->variable_count = n->slot;
  return n;
}

static formula_node *read_call(reading *r, const syntax_node *from) {
  if (syntax_is(from, "sum")) return read_sum(r, from);
  const formula_function *f = formula_functions;
  while (f->name != NULL && !syntax_is(from, f->name)) f++;
  if (f->name == NULL) return cannot_read(r, from->text, "there is no function %.*s", (int)from->length, from->text);
  const size_t most = from->count < f->operands ? from->count : f->operands;
  if (from->count != f->operands)
    return cannot_read(r, most == 0 ? from->text : from->parts[most - 1]->end, "%s takes %u number%s", f->name,
                       f->operands, f->operands == 1 ? "" : "s");
  formula_node *n = add(r, FORMULA_CALL, from, most);
  n->function = f;
  return n;
}

/* `[index]` may follow it. */
static formula_node *name(reading *r, const syntax_node *from) {
  for (unsigned i = r->variable_count; i-- > 0 && from->kind == SYNTAX_NAME;) {
    const syntax_node *known = r->variables[i];
    if (i == 0 ? r->out->each && syntax_is(from, "i")
               : known->length == from->length && strncmp(known->text, from->text, from->length) == 0) {
      formula_node *n = add(r, FORMULA_VARIABLE, from, 0);
      n->slot = i;
      return n;
    }
  }
  formula_node *n = add(r, FORMULA_VALUE, from, 0);
  const scope_name *found = scope_find(r->names, from->text, from->length);
  const bool nan = syntax_is(from, "nan"), constant = nan || syntax_is(from, "inf");
  n->value = (formula_value){.real = true, .number = nan ? (double)NAN : (double)INFINITY};
  if (constant && from->kind == SYNTAX_NAME) return n;
  if (found == NULL) {
    return syntax_is(from, "i") ? cannot_read(r, from->text, "i, the number of an element, has no meaning here")
                                : cannot_read(r, from->text, "there is no name %.*s", (int)from->length, from->text);
  }
  if (found->kind == SCOPE_WORD)
    return cannot_read(r, from->text, "%s is the word %s and no number", found->name, found->word);
  n->value = found->value;
  if ((found->kind == SCOPE_ARRAY) == (from->kind == SYNTAX_NAME)) {
    return from->kind == SYNTAX_NAME
               ? cannot_read(r, from->text, "%s is a buffer; %s[i] is one of its numbers", found->name, found->name)
               : cannot_read(r, from->text + from->length, "[ has no meaning here");
  }
  if (from->kind == SYNTAX_INDEX) n = add(r, FORMULA_ELEMENT, from, 1);
  n->array = found;
  return n;
}

static formula_node *given(reading *r, const syntax_node *from) {
  formula_node *n = add(r, FORMULA_VALUE, from, 0);
  return r->names->value(r->names->context, from, &n->value.integer) ? n
                                                                     : cannot_read(r, from->text, "it has no value");
}

static formula_node *meaning(reading *r, const syntax_node *n) {
  if (r->names->value != NULL && (n->kind == SYNTAX_NAME || n->kind == SYNTAX_CALL)) return given(r, n);
  switch (n->kind) {
    case SYNTAX_NUMBER: return literal(r, n);
    case SYNTAX_NAME:
    case SYNTAX_INDEX: return name(r, n);
    case SYNTAX_CALL: return read_call(r, n);
    case SYNTAX_CHOICE: return add(r, FORMULA_CHOICE, n, 3);
    case SYNTAX_UNARY:
      return *n->text == '+' ? meaning(r, n->parts[0])
                             : add(r,
                                   *n->text == '-'   ? FORMULA_NEGATE
                                   : *n->text == '!' ? FORMULA_NOT
                                                     : FORMULA_COMPLEMENT,
                                   n, 1);
    default:
      return add(r, n->op == OP_LOGICAL_AND ? FORMULA_AND : n->op == OP_LOGICAL_OR ? FORMULA_OR : FORMULA_BINARY, n, 2);
  }
}

/* What is wrong with what is written. */
static void tell(reading *r, const syntax_error *e) {
  switch (e->fault) {
    case SYNTAX_TOO_DEEP: (void)cannot_read(r, e->at, "the formula is too deep"); break;
    case SYNTAX_MISSING: (void)cannot_read(r, e->at, "a %c is missing here", e->wanted); break;
    default:
      (void)(*e->at == '\0' ? cannot_read(r, e->at, "the formula ends too early")
                            : cannot_read(r, e->at, "%c has no meaning here", *e->at));
  }
}

formula *formula_read(const char *text, const scope *names, uint64_t elements, formula_error *e) {
  static const syntax_rules rules = {.signs = "-!~+"};
  formula *f = mem_calloc(1, sizeof *f);
  reading r = {.text = text, .names = names, .out = f, .variable_count = 1, .e = e};
  mem_arena written = {0};
  syntax_error wrong;
  f->each = elements > 0;
  f->elements = elements > 0 ? elements : 1;
  const syntax_node *n = syntax_read(text, &rules, &written, &wrong);
  if (n == NULL) tell(&r, &wrong);
  f->root = n == NULL ? NULL : meaning(&r, n);
  mem_arena_free(&written);
  if (r.failed) {
    formula_free(f);
    return NULL;
  }
  return f;
}

void formula_free(formula *f) {
  if (f == NULL) return;
  mem_arena_free(&f->memory);
  free(f);
}

bool formula_knows(const char *word) {
  static const char *const others[] = {"i", "sum", "inf", "nan"};
  bool known = false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) known = known || strcmp(word, others[i]) == 0;
  for (const formula_function *f = formula_functions; f->name != NULL; f++) known = known || strcmp(word, f->name) == 0;
  return known;
}
