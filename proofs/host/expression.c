/* Expressions are written as C, and computed as C computes. */
#include "proofs/host/expression.h"

#include <inttypes.h>

#include "proofs/host/term.h"

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

static const char *op_text(host_op op) {
  static const char *const texts[] = {
      [HOST_ADD] = " + ",      [HOST_SUB] = " - ",   [HOST_MUL] = " * ",  [HOST_DIV] = " / ", [HOST_REM] = " % ",
      [HOST_SHL] = " << ",     [HOST_SHR] = " >> ",  [HOST_AND] = " & ",  [HOST_OR] = " | ",  [HOST_XOR] = " ^ ",
      [HOST_LT] = " < ",       [HOST_LE] = " <= ",   [HOST_GT] = " > ",   [HOST_GE] = " >= ", [HOST_EQ] = " == ",
      [HOST_NE] = " != ",      [HOST_LAND] = " && ", [HOST_LOR] = " || ", [HOST_NOT] = "!",   [HOST_NEG] = "-",
      [HOST_COMPLEMENT] = "~",
  };
  return texts[op];
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
      buffer_puts(out, op_text(e->op));
      write_part(e->a, names, e->a->brackets, out);
      break;
    case EXPRESSION_CAST:
      buffer_printf(out, "(%s)", type_name(e->type));
      write_part(e->a, names, e->a->brackets, out);
      break;
    case EXPRESSION_BINARY:
      write_part(e->a, names, e->a->brackets, out);
      buffer_puts(out, op_text(e->op));
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
  const int64_t result = e->op == HOST_NOT ? a == 0 : e->op == HOST_NEG ? (int64_t)(0 - (uint64_t)a) : ~a;
  *out = term_wrap(result, e->type.bits, e->type.is_signed);
  return true;
}

static bool value_of_binary(const host_expression *e, const seen_values *from, int64_t *out) {
  const bool logical = e->op == HOST_LAND || e->op == HOST_LOR;
  const bool shift = e->op == HOST_SHL || e->op == HOST_SHR;
  int64_t a = 0, b = 0;
  if (!expression_value(e->a, from, &a)) return false;
  if (logical && (a != 0) == (e->op == HOST_LOR)) {
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
