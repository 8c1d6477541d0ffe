/* A parser of expressions that computes while it reads, in the types that C says. */
#include "runner/ways/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200 };

typedef struct value {
  uint64_t bits; /* sign-extended where it is signed */
  unsigned width;
  bool is_signed;
} value;

typedef struct parser {
  const char *at;
  const signature *of;
  const observed_launch *launch;
  unsigned depth;
  unsigned unused; /* within operands that are not evaluated */
  bool failed;     /* not known, or no expression */
} parser;

static value choice(parser *r);

/* --- values ------------------------------------------------------------------------------------------------------- */

static value number(uint64_t bits, unsigned width, bool is_signed) {
  value v = {bits, width, is_signed};
  if (width < 64) {
    v.bits &= (UINT64_C(1) << width) - 1;
    if (is_signed && (v.bits >> (width - 1)) != 0) {
      v.bits |= ~((UINT64_C(1) << width) - 1);
    }
  }
  return v;
}

static value fail(parser *r) {
  r->failed = r->failed || r->unused == 0;
  return number(0, 32, true);
}

static value truth_of(bool holds) { return number(holds ? 1 : 0, 32, true); }

static value promoted(value v) { return v.width < 32 ? number(v.bits, 32, true) : v; }

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static void skip(parser *r) { r->at += strspn(r->at, " "); }

static bool take(parser *r, const char *token) {
  const size_t length = strlen(token);
  skip(r);
  if (strncmp(r->at, token, length) != 0) {
    return false;
  }
  r->at += length;
  return true;
}

static void want(parser *r, const char *token) {
  if (!take(r, token)) {
    r->failed = true;
  }
}

static uint64_t digits(parser *r) {
  char *end = NULL;
  const uint64_t n = strtoull(r->at, &end, 10);
  r->failed = r->failed || end == r->at;
  r->at = end;
  return n;
}

static value literal(parser *r) {
  const uint64_t n = digits(r);
  bool is_unsigned = false, is_long = false;
  for (; strchr("uUlL", *r->at) != NULL && *r->at != '\0'; r->at++) {
    is_unsigned = is_unsigned || *r->at == 'u' || *r->at == 'U';
    is_long = is_long || *r->at == 'l' || *r->at == 'L';
  }
  const bool wide = is_long || n > (is_unsigned ? UINT32_MAX : INT32_MAX);
  return number(n, wide ? 64 : 32, !is_unsigned);
}

/* --- what a launch has -------------------------------------------------------------------------------------------- */

static const observed_argument *argument_of(const parser *r, uint64_t index) {
  for (size_t i = 0; i < r->launch->argument_count; i++) {
    if (r->launch->arguments[i].parameter == index) {
      return &r->launch->arguments[i];
    }
  }
  return NULL;
}

static value argument(parser *r) {
  const uint64_t index = digits(r);
  const observed_argument *a = argument_of(r, index);
  if (a == NULL || a->kind != OBSERVED_INTEGER || index >= r->of->count) {
    return fail(r);
  }
  const parameter *p = &r->of->parameters[index];
  return p->size == 0 || p->size > 8 ? fail(r) : number((uint64_t)a->integer, p->size * 8, !p->is_unsigned);
}

static value elements(parser *r) {
  want(r, "($");
  const uint64_t index = digits(r);
  want(r, ")");
  const observed_argument *a = argument_of(r, index);
  if (a == NULL || (a->kind != OBSERVED_BUFFER && a->kind != OBSERVED_LOCAL) || index >= r->of->count ||
      r->of->parameters[index].size == 0) {
    return fail(r);
  }
  return number(a->size / r->of->parameters[index].size, 64, false);
}

static value size_of(parser *r, unsigned which) {
  want(r, "(");
  const uint64_t d = digits(r);
  want(r, ")");
  const observed_launch *l = r->launch;
  if (d > 2 || (l->local_chosen && which > 0 && which < 3)) {
    return fail(r);
  }
  const uint64_t sizes[] = {l->local[d] * l->groups[d], l->local[d], l->groups[d], l->offset[d]};
  return number(sizes[which], 64, false);
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

static bool cast(parser *r, unsigned *width, bool *is_signed) {
  static const struct {
    const char *text;
    unsigned width;
    bool is_signed;
  } types[] = {{"(char)", 8, true}, {"(uchar)", 8, false}, {"(short)", 16, true}, {"(ushort)", 16, false},
               {"(int)", 32, true}, {"(uint)", 32, false}, {"(long)", 64, true},  {"(ulong)", 64, false}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (take(r, types[i].text)) {
      *width = types[i].width;
      *is_signed = types[i].is_signed;
      return true;
    }
  }
  return false;
}

static value primary(parser *r) {
  static const char *const sizes[] = {"get_global_size", "get_local_size", "get_num_groups", "get_global_offset"};
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (take(r, sizes[i])) {
      return size_of(r, i);
    }
  }
  if (take(r, "(")) {
    const value v = choice(r);
    want(r, ")");
    return v;
  }
  if (take(r, "elements")) {
    return elements(r);
  }
  if (take(r, "$")) {
    return argument(r);
  }
  skip(r);
  return *r->at >= '0' && *r->at <= '9' ? literal(r) : fail(r);
}

static value unary(parser *r) {
  unsigned width = 0;
  bool is_signed = false;
  if (++r->depth > DEEPEST) {
    r->failed = true;
    return fail(r);
  }
  value v = {0};
  if (cast(r, &width, &is_signed)) {
    v = unary(r);
    v = number(v.bits, width, is_signed);
  } else if (take(r, "-")) {
    v = promoted(unary(r));
    v = number(-v.bits, v.width, v.is_signed);
  } else if (take(r, "~")) {
    v = promoted(unary(r));
    v = number(~v.bits, v.width, v.is_signed);
  } else if (take(r, "!")) {
    v = truth_of(unary(r).bits == 0);
  } else {
    v = primary(r);
  }
  r->depth--;
  return v;
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

typedef enum operation {
  OP_MUL,
  OP_DIV,
  OP_REM,
  OP_ADD,
  OP_SUB,
  OP_SHL,
  OP_SHR,
  OP_LE,
  OP_GE,
  OP_LT,
  OP_GT,
  OP_EQ,
  OP_NE,
  OP_AND,
  OP_XOR,
  OP_OR,
  OP_LAND,
  OP_LOR
} operation;

/* In the order in which they are looked for: longer ones first. */
static const struct {
  const char *text;
  operation op;
  unsigned level; /* binds the tighter, the higher */
} operators[] = {{"<<", OP_SHL, 8}, {">>", OP_SHR, 8},  {"<=", OP_LE, 7},  {">=", OP_GE, 7},  {"==", OP_EQ, 6},
                 {"!=", OP_NE, 6},  {"&&", OP_LAND, 2}, {"||", OP_LOR, 1}, {"*", OP_MUL, 10}, {"/", OP_DIV, 10},
                 {"%", OP_REM, 10}, {"+", OP_ADD, 9},   {"-", OP_SUB, 9},  {"<", OP_LT, 7},   {">", OP_GT, 7},
                 {"&", OP_AND, 5},  {"^", OP_XOR, 4},   {"|", OP_OR, 3}};

static bool less(value a, value b) { return a.is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits; }

static value divide(parser *r, operation op, value a, value b) {
  if (b.bits == 0 || (a.is_signed && b.bits == UINT64_MAX)) { /* by 0; by -1, which may overflow */
    return b.bits == 0 ? fail(r) : number(op == OP_DIV ? -a.bits : 0, a.width, true);
  }
  if (a.is_signed) {
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return number((uint64_t)(op == OP_DIV ? x / y : x % y), a.width, true);
  }
  return number(op == OP_DIV ? a.bits / b.bits : a.bits % b.bits, a.width, false);
}

static value shift(parser *r, operation op, value a, value b) {
  a = promoted(a);
  if (b.bits >= a.width) {
    return fail(r);
  }
  if (op == OP_SHL) {
    return number(a.bits << b.bits, a.width, a.is_signed);
  }
  return number(a.is_signed ? (uint64_t)((int64_t)a.bits >> b.bits) : a.bits >> b.bits, a.width, a.is_signed);
}

/* The usual conversions of C. */
static void convert(value *a, value *b) {
  *a = promoted(*a);
  *b = promoted(*b);
  const unsigned width = a->width > b->width ? a->width : b->width;
  const bool is_signed = (a->is_signed || a->width < width) && (b->is_signed || b->width < width);
  *a = number(a->bits, width, is_signed);
  *b = number(b->bits, width, is_signed);
}

static value apply(parser *r, operation op, value a, value b) {
  if (op == OP_SHL || op == OP_SHR) {
    return shift(r, op, a, b);
  }
  convert(&a, &b);
  switch (op) {
    case OP_MUL:
      return number(a.bits * b.bits, a.width, a.is_signed);
    case OP_DIV:
    case OP_REM:
      return divide(r, op, a, b);
    case OP_ADD:
      return number(a.bits + b.bits, a.width, a.is_signed);
    case OP_SUB:
      return number(a.bits - b.bits, a.width, a.is_signed);
    case OP_LT:
      return truth_of(less(a, b));
    case OP_GT:
      return truth_of(less(b, a));
    case OP_LE:
      return truth_of(!less(b, a));
    case OP_GE:
      return truth_of(!less(a, b));
    case OP_EQ:
      return truth_of(a.bits == b.bits);
    case OP_NE:
      return truth_of(a.bits != b.bits);
    case OP_AND:
      return number(a.bits & b.bits, a.width, a.is_signed);
    case OP_XOR:
      return number(a.bits ^ b.bits, a.width, a.is_signed);
    default:
      return number(a.bits | b.bits, a.width, a.is_signed);
  }
}

/* An operator that binds at least as tight as `level`; false: there is none here. */
static bool take_operator(parser *r, unsigned level, operation *op, unsigned *own) {
  skip(r);
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
    if (strncmp(r->at, operators[i].text, strlen(operators[i].text)) == 0) {
      if (operators[i].level < level) {
        return false;
      }
      r->at += strlen(operators[i].text);
      *op = operators[i].op;
      *own = operators[i].level;
      return true;
    }
  }
  return false;
}

static value binary(parser *r, unsigned level) {
  value left = unary(r);
  operation op = OP_MUL;
  unsigned own = 0;
  while (!r->failed && take_operator(r, level, &op, &own)) {
    const bool logical = op == OP_LAND || op == OP_LOR;
    const bool decided = logical && (left.bits != 0) == (op == OP_LOR);
    r->unused += decided ? 1 : 0;
    const value right = binary(r, own + 1);
    r->unused -= decided ? 1 : 0;
    left = logical ? truth_of(decided ? op == OP_LOR : right.bits != 0) : apply(r, op, left, right);
  }
  return left;
}

static value choice(parser *r) {
  const value condition = binary(r, 1);
  if (r->failed || !take(r, "?")) {
    return condition;
  }
  const bool yes = condition.bits != 0;
  r->unused += yes ? 0 : 1;
  value a = choice(r);
  r->unused -= yes ? 0 : 1;
  want(r, ":");
  r->unused += yes ? 1 : 0;
  value b = choice(r);
  r->unused -= yes ? 1 : 0;
  convert(&a, &b);
  return yes ? a : b;
}

truth evaluate(const char *expression, const signature *of, const observed_launch *l) {
  parser r = {.at = expression, .of = of, .launch = l};
  const value v = choice(&r);
  skip(&r);
  return r.failed || *r.at != '\0' ? TRUTH_UNKNOWN : v.bits != 0 ? TRUTH_YES : TRUTH_NO;
}
