/* Value of the expression of an #if or #elif (C11 6.10.1), macros being expanded. Names that are left may be macros of
 * the device: a value that depends on one is unknown. */
#include "base/integer.h"
#include "frontend/preprocess_internal.h"

typedef struct value {
  uint64_t bits;
  bool is_unsigned;
  bool known;
} value;

/* How an operand matters: its value counts; it counts if the device says so; it is not evaluated at all. */
typedef enum liveness { LIVE, PERHAPS, DEAD } liveness;

typedef struct parser {
  const token *tokens; /* ends with TOKEN_END */
  size_t at;
  size_t depth;
  const char *complaint; /* first fault, or NULL */
} parser;

static value parse_comma(parser *p, liveness live);
static value parse_conditional(parser *p, liveness live);

static value number(uint64_t bits) { return (value){bits, false, true}; }

static const value unknown = {0, false, false};

static bool accept(parser *p, const char *punctuator) {
  bool found = pp_is(&p->tokens[p->at], punctuator);
  p->at += found ? 1 : 0;
  return found;
}

static value complain(parser *p, const char *complaint) {
  if (p->complaint == NULL) p->complaint = complaint;
  return number(0);
}

static void expect(parser *p, const char *punctuator, const char *complaint) {
  if (p->complaint == NULL && !accept(p, punctuator)) (void)complain(p, complaint);
}

/* Whether what follows the digits is a suffix of an integer: u, l, ll in either order and case. */
static bool is_suffix(const char *s, uint32_t length, bool *is_unsigned) {
  uint32_t us = 0, ls = 0;
  for (uint32_t i = 0; i < length; i++) {
    char c = (char)(s[i] | 0x20);
    us += c == 'u' ? 1 : 0;
    ls += c == 'l' ? 1 : 0;
  }
  *is_unsigned = us > 0;
  return us + ls == length && us <= 1 && ls <= 2;
}

static value parse_number(parser *p, const token *t) {
  const char *s = t->text;
  uint32_t i = 0, length = t->length;
  int base = 10;
  if (length > 2 && s[0] == '0' && ((s[1] | 0x20) == 'x' || (s[1] | 0x20) == 'b')) {
    base = (s[1] | 0x20) == 'x' ? 16 : 2;
    i = 2;
  } else if (s[0] == '0') {
    base = 8;
  }
  uint32_t first = i;
  uint64_t bits = 0;
  for (; i < length && (unsigned)hex_digit(s[i]) < (unsigned)base; i++)
    bits = bits * (uint64_t)base + (uint64_t)hex_digit(s[i]);
  bool is_unsigned = false;
  if (i == first || !is_suffix(s + i, length - i, &is_unsigned)) return complain(p, "a number that is no integer");
  return (value){bits, is_unsigned || bits > INT64_MAX, true};
}

/* The value of an escape sequence after its backslash; `*s` moves after it. */
static uint32_t escape(const char **s, const char *end) {
  static const char letters[] = "abfnrtve", codes[] = "\a\b\f\n\r\t\v\033";
  char c = *(*s)++;
  uint32_t code = 0;
  if (c == 'x') {
    for (; *s < end && (unsigned)hex_digit(**s) < 16; (*s)++) code = code * 16 + (uint32_t)hex_digit(**s);
    return code;
  }
  if ((unsigned)hex_digit(c) < 8) {
    code = (uint32_t)hex_digit(c);
    for (int n = 1; n < 3 && *s < end && (unsigned)hex_digit(**s) < 8; n++, (*s)++)
      code = code * 8 + (uint32_t)hex_digit(**s);
    return code;
  }
  const char *letter = c == '\0' ? NULL : strchr(letters, c);
  return letter == NULL ? (unsigned char)c : (unsigned char)codes[letter - letters];
}

static value parse_character(parser *p, const token *t) {
  bool wide = t->text[0] == 'L';
  const char *s = t->text + (wide ? 2 : 1), *end = t->text + t->length - 1;
  if (t->unterminated || s >= end) return complain(p, "a character constant without an end or empty");
  uint32_t bits = 0;
  size_t count = 0;
  for (; s < end; count++) {
    uint32_t code = (unsigned char)*s++;
    if (code == '\\' && s < end) code = escape(&s, end);
    bits = wide ? code : (bits << 8) | (code & 0xff);
  }
  int64_t number_value = count == 1 && !wide ? (int8_t)bits : (int32_t)bits;
  return number((uint64_t)number_value);
}

/* A name that the user does not define, with the arguments it may have as a macro of the device. */
static value parse_unknown(parser *p) {
  size_t depth = 0;
  if (!pp_is(&p->tokens[p->at], "(")) return unknown;
  do {
    const token *t = &p->tokens[p->at];
    depth += pp_is(t, "(") ? 1 : 0;
    depth -= pp_is(t, ")") ? 1 : 0;
    if (t->kind == TOKEN_END) return complain(p, "a missing )");
    p->at++;
  } while (depth > 0);
  return unknown;
}

static value parse_primary(parser *p, liveness live) {
  const token *t = &p->tokens[p->at];
  if (accept(p, "(")) {
    value v = parse_comma(p, live);
    expect(p, ")", "a missing )");
    return v;
  }
  if (t->kind == TOKEN_END) return complain(p, "a missing operand");
  p->at++;
  switch (t->kind) {
    case TOKEN_NUMBER: return parse_number(p, t);
    case TOKEN_CHARACTER: return parse_character(p, t);
    case TOKEN_IDENTIFIER: return parse_unknown(p);
    case TOKEN_UNKNOWN: return unknown;
    default: return complain(p, "something that is no integer constant expression");
  }
}

static value parse_unary(parser *p, liveness live) {
  if (++p->depth > LIMIT_NESTING) {
    p->at += p->tokens[p->at].kind == TOKEN_END ? 0 : 1;
    p->depth--;
    return complain(p, "too deep nesting");
  }
  value v;
  if (accept(p, "!")) {
    v = parse_unary(p, live);
    v = (value){v.bits == 0, false, v.known};
  } else if (accept(p, "-")) {
    v = parse_unary(p, live);
    v.bits = 0 - v.bits;
  } else if (accept(p, "~")) {
    v = parse_unary(p, live);
    v.bits = ~v.bits;
  } else if (accept(p, "+")) {
    v = parse_unary(p, live);
  } else {
    v = parse_primary(p, live);
  }
  p->depth--;
  return v;
}

static const struct {
  const char *text;
  int precedence;
} operators[INTEGER_OPERATORS] = {
    [INTEGER_MULTIPLY] = {"*", 10},
    [INTEGER_DIVIDE] = {"/", 10},
    [INTEGER_REMAINDER] = {"%", 10},
    [INTEGER_ADD] = {"+", 9},
    [INTEGER_SUBTRACT] = {"-", 9},
    [INTEGER_SHIFT_LEFT] = {"<<", 8},
    [INTEGER_SHIFT_RIGHT] = {">>", 8},
    [INTEGER_LESS] = {"<", 7},
    [INTEGER_GREATER] = {">", 7},
    [INTEGER_LESS_EQUAL] = {"<=", 7},
    [INTEGER_GREATER_EQUAL] = {">=", 7},
    [INTEGER_EQUAL] = {"==", 6},
    [INTEGER_NOT_EQUAL] = {"!=", 6},
    [INTEGER_AND] = {"&", 5},
    [INTEGER_XOR] = {"^", 4},
    [INTEGER_OR] = {"|", 3},
    [INTEGER_LOGICAL_AND] = {"&&", 2},
    [INTEGER_LOGICAL_OR] = {"||", 1},
};

/* Shifts by more than the width, and by negative amounts, push every bit out. */
static uint64_t shift(const value *a, const value *b, bool left) {
  if (left) return b->bits > 63 ? 0 : a->bits << b->bits;
  uint64_t amount = b->bits > 63 ? 63 : b->bits;
  if (a->is_unsigned || a->bits <= INT64_MAX) return b->bits > 63 ? 0 : a->bits >> amount;
  return ~(~a->bits >> amount);
}

/* What overflows wraps around; the divisor is not 0. */
static value compute(integer_operator op, const value *a, const value *b) {
  if (op == INTEGER_SHIFT_LEFT || op == INTEGER_SHIFT_RIGHT)
    return (value){shift(a, b, op == INTEGER_SHIFT_LEFT), a->is_unsigned, true};
  const bool is_unsigned = a->is_unsigned || b->is_unsigned;
  const bool truth = operators[op].precedence == operators[INTEGER_LESS].precedence ||
                     operators[op].precedence == operators[INTEGER_EQUAL].precedence || op >= INTEGER_LOGICAL_AND;
  int64_t result = 0;
  (void)integer_compute(op, (int64_t)a->bits, (int64_t)b->bits, (integer_type){64, is_unsigned}, &result);
  return (value){(uint64_t)result, is_unsigned && !truth, true};
}

static value apply(parser *p, integer_operator op, const value *a, const value *b, liveness live) {
  bool decides_a = a->known && (op == INTEGER_LOGICAL_AND ? a->bits == 0 : a->bits != 0);
  bool decides_b = b->known && (op == INTEGER_LOGICAL_AND ? b->bits == 0 : b->bits != 0);
  if ((op == INTEGER_LOGICAL_AND || op == INTEGER_LOGICAL_OR) && (decides_a || decides_b))
    return number(op == INTEGER_LOGICAL_OR);
  if (!a->known || !b->known) return unknown;
  if ((op == INTEGER_DIVIDE || op == INTEGER_REMAINDER) && b->bits == 0)
    return live == LIVE ? complain(p, "a division by zero") : live == PERHAPS ? unknown : number(0);
  return compute(op, a, b);
}

static integer_operator peek_operation(const parser *p) {
  const token *t = &p->tokens[p->at];
  for (int i = INTEGER_ADD; i < INTEGER_OPERATORS; i++)
    if (pp_is(t, operators[i].text)) return (integer_operator)i;
  return INTEGER_NO_OPERATOR;
}

/* How the right operand of && and || matters when the left one has this value. */
static liveness right_liveness(integer_operator op, const value *left, liveness live) {
  if ((op != INTEGER_LOGICAL_AND && op != INTEGER_LOGICAL_OR) || live == DEAD) return live;
  if (!left->known) return PERHAPS;
  return (left->bits != 0) == (op == INTEGER_LOGICAL_AND) ? live : DEAD;
}

static value parse_binary(parser *p, int precedence, liveness live) {
  value left = parse_unary(p, live);
  for (;;) {
    integer_operator op = peek_operation(p);
    if (op == INTEGER_NO_OPERATOR || operators[op].precedence < precedence || p->complaint != NULL) return left;
    p->at++;
    liveness right_live = right_liveness(op, &left, live);
    value right = parse_binary(p, operators[op].precedence + 1, right_live);
    left = apply(p, op, &left, &right, live);
  }
}

static value parse_conditional(parser *p, liveness live) {
  value condition = parse_binary(p, 1, live);
  if (!accept(p, "?")) return condition;
  if (++p->depth > LIMIT_NESTING) return complain(p, "too deep nesting");
  bool known = condition.known, chosen = condition.bits != 0;
  liveness uncertain = live == LIVE && !known ? PERHAPS : live;
  value first = parse_comma(p, known && !chosen ? DEAD : uncertain);
  expect(p, ":", "a ? without :");
  value second = parse_conditional(p, known && chosen ? DEAD : uncertain);
  p->depth--;
  value result = chosen ? first : second;
  result.is_unsigned = first.is_unsigned || second.is_unsigned;
  return known ? result : unknown;
}

static value parse_comma(parser *p, liveness live) {
  value v = parse_conditional(p, live);
  while (p->complaint == NULL && accept(p, ",")) v = parse_conditional(p, live);
  return v;
}

const char *pp_evaluate(const token *tokens, bool *is_known, bool *result) {
  parser p = {.tokens = tokens};
  value v = parse_comma(&p, LIVE);
  if (p.complaint == NULL && tokens[p.at].kind != TOKEN_END) (void)complain(&p, "something after its end");
  *is_known = v.known;
  *result = v.bits != 0;
  return p.complaint;
}
