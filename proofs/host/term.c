/* Terms, one of each, symbols among them, and the expressions that facts are made of. */
#include <inttypes.h>
#include <string.h>

#include "proofs/host/walk.h"

static int64_t term_wrap(int64_t value, unsigned bits, bool is_signed);

/* A term of more parts than this is not followed: a symbol stands for it. */
enum { TERM_HEAVY = 60 };

/* What tells terms apart. */
typedef struct term_key {
  uint32_t kind, op, bits, is_signed;
  int64_t value;
  double real;
  const void *a, *b, *c, *place, *text;
} term_key;

/* The one term that is made as `wanted` says. */
static const host_term *term_make(host_terms *t, const host_term *wanted) {
  term_key key;
  memset(&key, 0, sizeof key);
  key.kind = (uint32_t)wanted->kind;
  key.op = (uint32_t)wanted->op;
  key.bits = wanted->bits;
  key.is_signed = wanted->is_signed;
  key.value = wanted->value;
  key.real = wanted->real;
  key.a = wanted->a;
  key.b = wanted->b;
  key.c = wanted->c;
  key.place = wanted->place == NULL ? (const void *)wanted->decl : (const void *)wanted->place;
  key.text = wanted->text;
  void **at = host_map_at(t->pool, &t->map, &key, sizeof key);
  if (*at == NULL) {
    host_term *made = host_take(t->pool, sizeof *made);
    *made = *wanted;
    made->weight = 1 + (wanted->a == NULL ? 0 : wanted->a->weight) + (wanted->b == NULL ? 0 : wanted->b->weight) +
                   (wanted->c == NULL ? 0 : wanted->c->weight);
    *at = made;
  }
  return *at;
}

const host_term *term_number(host_terms *t, int64_t value, unsigned bits, bool is_signed) {
  return term_make(
      t, &(host_term){
             .kind = TERM_NUMBER, .value = term_wrap(value, bits, is_signed), .bits = bits, .is_signed = is_signed});
}

const host_term *term_null(host_terms *t) { return term_make(t, &(host_term){.kind = TERM_NUMBER}); }

const host_term *term_real(host_terms *t, double value) {
  return term_make(t, &(host_term){.kind = TERM_REAL, .real = value});
}

const host_term *term_unset(host_terms *t) { return term_make(t, &(host_term){.kind = TERM_UNSET}); }

const host_term *term_address(host_terms *t, const struct host_place *place) {
  return term_make(t, &(host_term){.kind = TERM_ADDRESS, .place = place});
}

const host_term *term_text(host_terms *t, const char *text) {
  return term_make(t, &(host_term){.kind = TERM_TEXT, .text = host_text(t->pool, text)});
}

const host_term *term_format(host_terms *t, const char *text, const host_term *values) {
  return term_make(t, &(host_term){.kind = TERM_FORMAT, .text = host_text(t->pool, text), .a = values});
}

const host_term *term_pair(host_terms *t, const host_term *first, const host_term *rest) {
  return term_make(t, &(host_term){.kind = TERM_PAIR, .a = first, .b = rest});
}

const host_term *term_function(host_terms *t, const host_decl *decl) {
  return term_make(t, &(host_term){.kind = TERM_FUNCTION, .decl = decl});
}

static host_term typed(const host_type *type) {
  host_term s = {.kind = TERM_SYMBOL};
  if (type != NULL && type->kind == HOST_INTEGER) {
    s.bits = (unsigned)type->size * 8;
    s.is_signed = type->is_signed;
  }
  s.real_number = type != NULL && type->kind == HOST_FLOAT;
  return s;
}

const host_term *term_symbol(host_terms *t, const host_type *type) {
  host_term s = typed(type);
  s.value = ++t->symbols;
  return term_make(t, &s);
}

const host_term *term_given(host_terms *t, const host_type *type) {
  host_term s = typed(type);
  s.value = ++t->symbols;
  s.given = true;
  return term_make(t, &s);
}

bool term_is_followed(const host_term *a) {
  switch (a->kind) {
    case TERM_NUMBER: return true;
    case TERM_SYMBOL: return a->given;
    case TERM_BINARY: return term_is_followed(a->a) && term_is_followed(a->b);
    case TERM_UNARY:
    case TERM_CAST: return term_is_followed(a->a);
    case TERM_CHOICE: return term_is_followed(a->a) && term_is_followed(a->b) && term_is_followed(a->c);
    default: return false;
  }
}

static bool has_symbol(const host_term *in, const host_term *symbol) {
  return in != NULL &&
         (in == symbol || (in->kind != TERM_SYMBOL &&
                           (has_symbol(in->a, symbol) || has_symbol(in->b, symbol) || has_symbol(in->c, symbol))));
}

bool term_share_symbol(const host_term *a, const host_term *b) {
  if (a == NULL) return false;
  if (a->kind == TERM_SYMBOL) return has_symbol(b, a);
  return term_share_symbol(a->a, b) || term_share_symbol(a->b, b) || term_share_symbol(a->c, b);
}

const host_term *term_symbol_of(host_terms *t, const host_type *type, const struct host_place *place,
                                const host_term *time) {
  host_term s = typed(type);
  s.place = place;
  s.a = time;
  return term_make(t, &s);
}

const host_term *term_apply(host_terms *t, const char *function, const host_term *a, const host_term *b,
                            const host_type *type) {
  host_term s = typed(type);
  s.kind = TERM_APPLY;
  s.text = host_text(t->pool, function);
  s.a = a;
  s.b = b;
  return a->weight + (b == NULL ? 0 : b->weight) > TERM_HEAVY ? term_symbol(t, type) : term_make(t, &s);
}

/* --- simpler terms ------------------------------------------------------------------------------------------------ */

/* Terms are computed and simplified as C computes. */

/* What C computes it with: wrapped to `bits`. */
static int64_t term_wrap(int64_t value, unsigned bits, bool is_signed) {
  return bits == 0 ? value : integer_wrap((uint64_t)value, (integer_type){bits < 64 ? bits : 64, !is_signed});
}

bool term_is(const host_term *a, int64_t value) { return term_is_number(a) && a->value == value; }

bool term_keeps_size(const host_term *cast) {
  const host_term *a = cast->a;
  return cast->kind == TERM_CAST && a->bits > 0 && a->bits <= cast->bits &&
         (cast->bits == 64 || (!a->is_signed && a->bits < cast->bits) || (a->is_signed && cast->is_signed));
}

bool term_is_opposite(const host_term *a, const host_term *b) {
  return (a->kind == TERM_UNARY && a->op == OP_NOT && a->a == b) ||
         (a->kind == TERM_BINARY && b->kind == TERM_BINARY && a->a == b->a && a->b == b->b &&
          c_operator_negated(a->op) != OP_NONE && c_operator_negated(a->op) == b->op);
}

static bool is_comparison(c_operator op) { return op >= OP_LESS && op <= OP_NOT_EQUAL; }
static bool is_condition(const host_term *a) {
  return (a->kind == TERM_BINARY && (is_comparison(a->op) || a->op == OP_LOGICAL_AND || a->op == OP_LOGICAL_OR)) ||
         (a->kind == TERM_UNARY && a->op == OP_NOT);
}

/* A term that nobody can follow: too long, or undefined. */
static const host_term *unknown(host_terms *t, unsigned bits, bool is_signed) {
  host_type type = {.kind = bits == 0 ? HOST_OTHER_TYPE : HOST_INTEGER, .size = bits / 8, .is_signed = is_signed};
  return term_symbol(t, &type);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* An operation on two numbers of a type, still to be wrapped to it; the second of a shift is of any. False: C does not
 * define it. */
/* Overflow wraps around, but for that of a quotient. */
static bool term_compute(c_operator op, int64_t a, int64_t b, unsigned bits, bool is_signed, int64_t *result) {
  const integer_result r = integer_compute(op, a, b, (integer_type){bits < 64 ? bits : 64, !is_signed}, result);
  return r == INTEGER_EXACT || (r == INTEGER_OVERFLOWS && op != OP_DIVIDE && op != OP_REMAINDER);
}

/* --- binary ------------------------------------------------------------------------------------------------------- */

static const host_term *same_operands(host_terms *t, c_operator op, const host_term *a) {
  switch (op) {
    case OP_EQUAL:
    case OP_LESS_EQUAL:
    case OP_GREATER_EQUAL: return term_number(t, 1, 32, true);
    case OP_NOT_EQUAL:
    case OP_LESS:
    case OP_GREATER: return term_number(t, 0, 32, true);
    case OP_SUBTRACT:
    case OP_XOR: return term_number(t, 0, a->bits, a->is_signed);
    default: return NULL;
  }
}

static const host_term *neutral(c_operator op, const host_term *a, const host_term *b) {
  const bool zero = term_is(b, 0);
  const bool one = term_is(b, 1);
  if ((zero && (op == OP_ADD || op == OP_SUBTRACT || op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT || op == OP_OR ||
                op == OP_XOR)) ||
      (one && (op == OP_MULTIPLY || op == OP_DIVIDE)))
    return a;
  if ((term_is(a, 0) && (op == OP_ADD || op == OP_OR)) || (term_is(a, 1) && op == OP_MULTIPLY)) return b;
  return term_is_number(b) && zero && (op == OP_MULTIPLY || op == OP_AND) ? b : NULL;
}

static const host_term *logical(host_terms *t, c_operator op, const host_term *a, const host_term *b) {
  const bool and = op == OP_LOGICAL_AND;
  if (term_is_number(a)) return (a->value != 0) == and? term_truth(t, b) : term_number(t, and? 0 : 1, 32, true);
  if (term_is_number(b) && (b->value != 0) == and) return term_truth(t, a);
  return NULL;
}

/* With a number: into the branches of a choice between numbers, so that what a function returned can be asked. */
static bool is_choice_of_numbers(const host_term *a) {
  return a->kind == TERM_CHOICE && (term_is_number(a->b) || is_choice_of_numbers(a->b)) &&
         (term_is_number(a->c) || is_choice_of_numbers(a->c));
}

static const host_term *simplify_binary(host_terms *t, c_operator op, const host_term *a, const host_term *b) {
  int64_t result = 0;
  const bool boolean = is_comparison(op) || op == OP_LOGICAL_AND || op == OP_LOGICAL_OR;
  if (term_is_number(a) && term_is_number(b) && term_compute(op, a->value, b->value, a->bits, a->is_signed, &result))
    return boolean ? term_number(t, result, 32, true) : term_number(t, result, a->bits, a->is_signed);
  if (op == OP_LOGICAL_AND || op == OP_LOGICAL_OR) return logical(t, op, a, b);
  if (a == b && same_operands(t, op, a) != NULL) return same_operands(t, op, a);
  if (is_choice_of_numbers(a) && term_is_number(b))
    return term_choice(t, a->a, term_binary(t, op, a->b, b), term_binary(t, op, a->c, b));
  if (op == OP_SHIFT_LEFT && term_is_number(b) && b->value > 0 && b->value < (int64_t)a->bits - 1)
    return term_binary(t, OP_MULTIPLY, a, term_number(t, (int64_t)1 << b->value, a->bits, a->is_signed));
  const host_term *asked = a->kind == TERM_CAST ? a->a : a;
  if ((op == OP_NOT_EQUAL || op == OP_EQUAL) && term_is(b, 0) && is_condition(asked))
    return op == OP_NOT_EQUAL ? asked : term_unary(t, OP_NOT, asked);
  return neutral(op, a, b);
}

const host_term *term_binary(host_terms *t, c_operator op, const host_term *a, const host_term *b) {
  const bool boolean = is_comparison(op) || op == OP_LOGICAL_AND || op == OP_LOGICAL_OR;
  const unsigned bits = boolean ? 32 : a->bits;
  const bool is_signed = boolean || a->is_signed;
  if (a->bits == 0 || b->bits == 0 || a->weight + b->weight > TERM_HEAVY) return unknown(t, bits, is_signed);
  const host_term *simple = simplify_binary(t, op, a, b);
  if (simple != NULL) return simple;
  return term_make(t,
                   &(host_term){.kind = TERM_BINARY, .op = op, .bits = bits, .is_signed = is_signed, .a = a, .b = b});
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static const host_term *negate(host_terms *t, const host_term *a) {
  if (a->kind == TERM_BINARY && c_operator_negated(a->op) != OP_NONE)
    return term_binary(t, c_operator_negated(a->op), a->a, a->b);
  if (a->kind == TERM_UNARY && a->op == OP_NOT && is_condition(a->a)) return a->a;
  return NULL;
}

const host_term *term_unary(host_terms *t, c_operator op, const host_term *a) {
  const unsigned bits = op == OP_NOT ? 32 : a->bits;
  const bool is_signed = op == OP_NOT || a->is_signed;
  if (a->bits == 0 || a->weight > TERM_HEAVY) return unknown(t, bits, is_signed);
  if (term_is_number(a)) {
    const int64_t result = op == OP_NOT      ? a->value == 0
                           : op == OP_NEGATE ? (int64_t)(0 - (uint64_t)a->value)
                                             : ~a->value;
    return term_number(t, result, bits, is_signed);
  }
  const host_term *simple = op == OP_NOT ? negate(t, a) : NULL;
  if (simple != NULL) return simple;
  return term_make(t, &(host_term){.kind = TERM_UNARY, .op = op, .bits = bits, .is_signed = is_signed, .a = a});
}

const host_term *term_cast(host_terms *t, const host_term *a, unsigned bits, bool is_signed) {
  if (a->bits == bits && a->is_signed == is_signed) return a;
  if (term_is_number(a)) return term_number(t, a->value, bits, is_signed);
  if (a->bits == 0 || a->weight > TERM_HEAVY) return unknown(t, bits, is_signed);
  if (a->kind == TERM_CAST && bits <= a->bits && a->a->bits <= a->bits)
    return term_cast(t, a->a, bits, is_signed); /* the low bits are the same */
  if (is_choice_of_numbers(a))
    return term_choice(t, a->a, term_cast(t, a->b, bits, is_signed), term_cast(t, a->c, bits, is_signed));
  return term_make(t, &(host_term){.kind = TERM_CAST, .bits = bits, .is_signed = is_signed, .a = a});
}

const host_term *term_choice(host_terms *t, const host_term *condition, const host_term *yes, const host_term *no) {
  if (yes == no || no->kind == TERM_UNSET) return yes;
  if (yes->kind == TERM_UNSET) return no;
  if (yes->kind == TERM_PAIR && no->kind == TERM_PAIR && yes->b == no->b)
    return term_pair(t, term_choice(t, condition, yes->a, no->a), yes->b);
  if (term_is_number(condition)) return condition->value != 0 ? yes : no;
  if (condition->weight + yes->weight + no->weight > TERM_HEAVY || yes->bits != no->bits ||
      yes->is_signed != no->is_signed || condition->bits == 0)
    return unknown(t, yes->bits == no->bits ? yes->bits : 0, yes->is_signed);
  if (yes->bits == 32 && term_is(yes, 1) && term_is(no, 0) && is_condition(condition)) return condition;
  if (yes->bits == 32 && term_is(yes, 0) && term_is(no, 1) && is_condition(condition))
    return term_unary(t, OP_NOT, condition);
  return term_make(
      t, &(host_term){
             .kind = TERM_CHOICE, .bits = yes->bits, .is_signed = yes->is_signed, .a = condition, .b = yes, .c = no});
}

const host_term *term_truth(host_terms *t, const host_term *a) {
  if (a->bits == 0) return unknown(t, 32, true);
  return is_condition(a) ? a : term_binary(t, OP_NOT_EQUAL, a, term_number(t, 0, a->bits, a->is_signed));
}

/* --- expressions, written as C and computed as C computes --------------------------------------------------------- */

/* --- types -------------------------------------------------------------------------------------------------------- */

host_integer integer_promoted(host_integer t) { return t.bits < 32 ? (host_integer){32, true} : t; }

host_integer integer_usual(host_integer a, host_integer b) {
  a = integer_promoted(a);
  b = integer_promoted(b);
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return (host_integer){a.bits, a.is_signed && b.is_signed};
}

bool integer_same(host_integer a, host_integer b) { return a.bits == b.bits && a.is_signed == b.is_signed; }

bool expression_same(const host_expression *a, const host_expression *b) {
  if (a == NULL || b == NULL) return a == b;
  return a->kind == b->kind && a->op == b->op && integer_same(a->type, b->type) && a->value == b->value &&
         a->seen == b->seen && a->index == b->index && expression_same(a->a, b->a) && expression_same(a->b, b->b) &&
         expression_same(a->c, b->c);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *type_name(host_integer t) {
  switch (t.bits) {
    case 8: return t.is_signed ? "char" : "uchar";
    case 16: return t.is_signed ? "short" : "ushort";
    case 32: return t.is_signed ? "int" : "uint";
    default: return t.is_signed ? "long" : "ulong";
  }
}

static void write_number(const host_expression *e, buffer *out) {
  const bool wide = e->type.bits == 64;
  if (e->type.is_signed)
    buffer_printf(out, "%" PRId64 "%s", e->value, wide ? "L" : "");
  else
    buffer_printf(out, "%" PRIu64 "%s", (uint64_t)e->value, wide ? "UL" : "u");
}

static void write_seen(const host_expression *e, const char *const *names, buffer *out) {
  static const char *const functions[] = {[SEEN_ELEMENTS] = "elements",
                                          [SEEN_GLOBAL_SIZE] = "get_global_size",
                                          [SEEN_LOCAL_SIZE] = "get_local_size",
                                          [SEEN_GLOBAL_OFFSET] = "get_global_offset"};
  const bool of_argument = e->seen == SEEN_ARGUMENT || e->seen == SEEN_ELEMENTS;
  if (e->seen != SEEN_ARGUMENT) buffer_printf(out, "%s(", functions[e->seen]);
  if (of_argument && names != NULL)
    buffer_puts(out, names[e->index]);
  else
    buffer_printf(out, "%s%u", of_argument ? "$" : "", e->index);
  buffer_puts(out, e->seen == SEEN_ARGUMENT ? "" : ")");
}

static void write_part(const host_expression *e, const char *const *names, host_brackets brackets, buffer *out) {
  const bool operation = e->kind == EXPRESSION_UNARY || e->kind == EXPRESSION_BINARY || e->kind == EXPRESSION_CHOICE;
  const bool around = brackets == BRACKETS_ALWAYS || (brackets == BRACKETS_USUAL && operation);
  buffer_puts(out, around ? "(" : "");
  switch (e->kind) {
    case EXPRESSION_NUMBER: write_number(e, out); break;
    case EXPRESSION_SEEN: write_seen(e, names, out); break;
    case EXPRESSION_UNARY:
      buffer_puts(out, c_operators[e->op].text);
      write_part(e->a, names, e->a->brackets, out);
      break;
    case EXPRESSION_CAST:
      buffer_printf(out, "(%s)", type_name(e->type));
      write_part(e->a, names, e->a->brackets, out);
      break;
    case EXPRESSION_BINARY:
      write_part(e->a, names, e->a->brackets, out);
      buffer_printf(out, " %s ", c_operators[e->op].text);
      write_part(e->b, names, e->b->brackets, out);
      break;
    case EXPRESSION_CHOICE:
      write_part(e->a, names, e->a->brackets, out);
      buffer_puts(out, " ? ");
      write_part(e->b, names, e->b->brackets, out);
      buffer_puts(out, " : ");
      write_part(e->c, names, e->c->brackets, out);
      break;
  }
  buffer_puts(out, around ? ")" : "");
}

void expression_write(const host_expression *e, const char *const *names, buffer *out) {
  write_part(e, names, BRACKETS_NONE, out);
}

/* --- value -------------------------------------------------------------------------------------------------------- */

static bool value_of_unary(const host_expression *e, const seen_values *from, int64_t *out) {
  int64_t a = 0;
  if (!expression_value(e->a, from, &a)) return false;
  const int64_t result = e->op == OP_NOT ? a == 0 : e->op == OP_NEGATE ? (int64_t)(0 - (uint64_t)a) : ~a;
  *out = term_wrap(result, e->type.bits, e->type.is_signed);
  return true;
}

static bool value_of_binary(const host_expression *e, const seen_values *from, int64_t *out) {
  const bool logical = e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR;
  const bool shift = e->op == OP_SHIFT_LEFT || e->op == OP_SHIFT_RIGHT;
  int64_t a = 0, b = 0;
  if (!expression_value(e->a, from, &a)) return false;
  if (logical && (a != 0) == (e->op == OP_LOGICAL_OR)) {
    *out = a != 0;
    return true;
  }
  if (!expression_value(e->b, from, &b)) return false;
  const host_integer in = shift ? integer_promoted(e->a->type) : integer_usual(e->a->type, e->b->type);
  a = logical ? a : term_wrap(a, in.bits, in.is_signed);
  b = logical || shift ? b : term_wrap(b, in.bits, in.is_signed);
  if (!term_compute(e->op, a, b, in.bits, in.is_signed, out)) return false;
  *out = term_wrap(*out, e->type.bits, e->type.is_signed);
  return true;
}

bool expression_value(const host_expression *e, const seen_values *from, int64_t *out) {
  int64_t a = 0;
  bool known = true;
  switch (e->kind) {
    case EXPRESSION_NUMBER: *out = e->value; return true;
    case EXPRESSION_UNARY: return value_of_unary(e, from, out);
    case EXPRESSION_BINARY: return value_of_binary(e, from, out);
    case EXPRESSION_SEEN: known = from->value(from->context, e->seen, e->index, out); break;
    case EXPRESSION_CAST: known = expression_value(e->a, from, out); break;
    case EXPRESSION_CHOICE:
      known = expression_value(e->a, from, &a) && expression_value(a != 0 ? e->b : e->c, from, out);
      break;
  }
  *out = term_wrap(*out, e->type.bits, e->type.is_signed);
  return known;
}
