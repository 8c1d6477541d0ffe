/* Terms written as C over what a kernel can see, with the casts that C needs to compute the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "host/facts.h"

typedef struct c_type {
  unsigned bits;
  bool is_signed;
} c_type;

static const char *type_name(unsigned bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? "char" : "uchar";
    case 16:
      return is_signed ? "short" : "ushort";
    case 32:
      return is_signed ? "int" : "uint";
    default:
      return is_signed ? "long" : "ulong";
  }
}

static const char *op_text(host_op op) {
  static const char *const texts[] = {
      [HOST_ADD] = " + ",  [HOST_SUB] = " - ",   [HOST_MUL] = " * ",  [HOST_DIV] = " / ", [HOST_REM] = " % ",
      [HOST_SHL] = " << ", [HOST_SHR] = " >> ",  [HOST_AND] = " & ",  [HOST_OR] = " | ",  [HOST_XOR] = " ^ ",
      [HOST_LT] = " < ",   [HOST_LE] = " <= ",   [HOST_GT] = " > ",   [HOST_GE] = " >= ", [HOST_EQ] = " == ",
      [HOST_NE] = " != ",  [HOST_LAND] = " && ", [HOST_LOR] = " || ",
  };
  return texts[op];
}

static c_type promoted(c_type t) { return t.bits < 32 ? (c_type){32, true} : t; }

/* What C computes an operation of the two in. */
static c_type usual(c_type a, c_type b) {
  a = promoted(a);
  b = promoted(b);
  if (a.bits != b.bits) {
    return a.bits > b.bits ? a : b;
  }
  return (c_type){a.bits, a.is_signed && b.is_signed};
}

static bool same(c_type a, c_type b) { return a.bits == b.bits && a.is_signed == b.is_signed; }

typedef struct writing {
  const kernel_view *view;
  const kernel_item *without;
} writing;

static bool write_term(const writing *w, const host_term *t, buffer *out, c_type *type);

static c_type number_type(const host_term *t) {
  if (t->value >= INT32_MIN && t->value <= INT32_MAX && (t->is_signed || t->value >= 0)) {
    return (c_type){32, true};
  }
  return (c_type){t->bits < 32 ? 32 : t->bits, t->is_signed};
}

static void write_number(const host_term *t, buffer *out, c_type *type) {
  *type = number_type(t);
  if (t->is_signed) {
    buffer_printf(out, "%" PRId64 "%s", t->value, type->bits == 64 ? "L" : "");
  } else {
    buffer_printf(out, "%" PRIu64 "%s", (uint64_t)t->value, type->is_signed ? "" : type->bits == 64 ? "UL" : "u");
  }
}

/* An operand of an operation that is computed in `wanted`; a cast is left out where C converts by itself. */
typedef struct operand {
  buffer text;
  c_type type;
} operand;

/* An item that is the term. */
static bool write_same(const writing *w, const host_term *t, buffer *out, c_type *type) {
  for (size_t i = 0; i < w->view->count; i++) {
    const kernel_item *item = &w->view->items[i];
    if (item->basis && item != w->without && item->term == t) {
      buffer_puts(out, item->text);
      *type = (c_type){t->bits, t->is_signed};
      return true;
    }
  }
  return false;
}

static bool write_item(const writing *w, const host_term *t, buffer *out, c_type *type) {
  if (write_same(w, t, out, type)) {
    return true;
  }
  for (size_t i = 0; i < w->view->count; i++) { /* one that was widened from it */
    const kernel_item *item = &w->view->items[i];
    const host_term *own = item->term;
    if (!item->basis || item == w->without || own->a != t) {
      continue;
    }
    if (own->kind == TERM_BINARY && (own->op == HOST_ADD || own->op == HOST_SUB) && term_is_number(own->b) &&
        t->bits >= 32) { /* one that a number was added to */
      operand number = {{0}, {0, false}};
      write_number(own->b, &number.text, &number.type);
      const bool fits = number.type.bits == 32 && number.type.is_signed && own->b->value >= 0;
      if (fits) {
        buffer_printf(out, "(%s %c %s)", item->text, own->op == HOST_ADD ? '-' : '+', buffer_text(&number.text));
        *type = (c_type){t->bits, t->is_signed};
      }
      buffer_free(&number.text);
      if (fits) {
        return true;
      }
    }
    if (own->kind == TERM_CAST && own->bits >= t->bits) {
      buffer_printf(out, "(%s)%s", type_name(t->bits, t->is_signed), item->text);
      *type = (c_type){t->bits, t->is_signed};
      return true;
    }
  }
  return false;
}

static bool write_operand(const writing *w, const host_term *t, bool strip, operand *o) {
  const host_term *inner = strip && t->kind == TERM_CAST && t->a->bits > 0 ? t->a : t;
  buffer_free(&o->text);
  if (write_same(w, t, &o->text, &o->type)) {
    return true;
  }
  if (inner != t && write_term(w, inner, &o->text, &o->type)) {
    return true;
  }
  buffer_free(&o->text);
  return write_term(w, t, &o->text, &o->type);
}

static void put_cast(operand *o, c_type to) {
  buffer cast = {0};
  buffer_printf(&cast, "(%s)%s", type_name(to.bits, to.is_signed), buffer_text(&o->text));
  buffer_free(&o->text);
  o->text = cast;
  o->type = to;
}

static bool write_both(const writing *w, const host_term *t, operand *a, operand *b) {
  const c_type wanted = {t->a->bits, t->a->is_signed};
  const bool shift = t->op == HOST_SHL || t->op == HOST_SHR;
  const bool logical = t->op == HOST_LAND || t->op == HOST_LOR;
  if (!write_operand(w, t->a, !shift && !logical, a) || !write_operand(w, t->b, !logical, b)) {
    return false;
  }
  if (shift || logical) {
    if (shift && !same(promoted(a->type), wanted)) {
      put_cast(a, wanted);
    }
    return true;
  }
  if (!same(usual(a->type, b->type), wanted)) {
    put_cast(a, wanted);
  }
  if (!same(usual(a->type, b->type), wanted)) {
    put_cast(b, wanted);
  }
  return true;
}

static bool write_binary(const writing *w, const host_term *t, buffer *out, c_type *type) {
  operand a = {{0}, {0, false}};
  operand b = {{0}, {0, false}};
  const bool fine = write_both(w, t, &a, &b);
  if (fine) {
    buffer_printf(out, "(%s%s%s)", buffer_text(&a.text), op_text(t->op), buffer_text(&b.text));
    *type = (c_type){t->bits, t->is_signed};
  }
  buffer_free(&a.text);
  buffer_free(&b.text);
  return fine;
}

static bool write_unary(const writing *w, const host_term *t, buffer *out, c_type *type) {
  operand a = {{0}, {0, false}};
  const bool fine = write_operand(w, t->a, false, &a);
  if (fine) {
    if (t->op != HOST_NOT && !same(a.type, (c_type){t->a->bits, t->a->is_signed})) {
      put_cast(&a, (c_type){t->a->bits, t->a->is_signed});
    }
    const char *sign = t->op == HOST_NOT ? "!" : t->op == HOST_NEG ? "-" : "~";
    buffer_printf(out, "(%s%s)", sign, buffer_text(&a.text));
    *type = (c_type){t->bits, t->is_signed};
  }
  buffer_free(&a.text);
  return fine;
}

static bool write_choice(const writing *w, const host_term *t, buffer *out, c_type *type) {
  operand parts[3] = {{{0}, {0, false}}, {{0}, {0, false}}, {{0}, {0, false}}};
  const c_type wanted = {t->bits, t->is_signed};
  const bool fine = write_operand(w, t->a, false, &parts[0]) && write_operand(w, t->b, false, &parts[1]) &&
                    write_operand(w, t->c, false, &parts[2]);
  if (fine) {
    for (int i = 1; i < 3; i++) {
      if (!same(parts[i].type, wanted)) {
        put_cast(&parts[i], wanted);
      }
    }
    buffer_printf(out, "(%s ? %s : %s)", buffer_text(&parts[0].text), buffer_text(&parts[1].text),
                  buffer_text(&parts[2].text));
    *type = wanted;
  }
  for (int i = 0; i < 3; i++) {
    buffer_free(&parts[i].text);
  }
  return fine;
}

static bool write_cast(const writing *w, const host_term *t, buffer *out, c_type *type) {
  operand a = {{0}, {0, false}};
  const bool fine = t->a->bits > 0 && write_term(w, t->a, &a.text, &a.type);
  if (fine) {
    put_cast(&a, (c_type){t->bits, t->is_signed});
    buffer_puts(out, buffer_text(&a.text));
    *type = a.type;
  }
  buffer_free(&a.text);
  return fine;
}

static bool write_term(const writing *w, const host_term *t, buffer *out, c_type *type) {
  if (term_is_number(t)) {
    write_number(t, out, type);
    return true;
  }
  if (write_item(w, t, out, type)) {
    return true;
  }
  switch (t->kind) {
    case TERM_BINARY:
      return write_binary(w, t, out, type);
    case TERM_UNARY:
      return write_unary(w, t, out, type);
    case TERM_CAST:
      return write_cast(w, t, out, type);
    case TERM_CHOICE:
      return t->bits > 0 && write_choice(w, t, out, type);
    default:
      return false;
  }
}

/* Without the parentheses around the whole. */
static void put_plain(const buffer *text, buffer *out) {
  const char *s = buffer_text(text);
  int depth = 0;
  bool whole = s[0] == '(' && text->length > 2;
  for (size_t i = 0; i < text->length && whole; i++) {
    depth += s[i] == '(' ? 1 : s[i] == ')' ? -1 : 0;
    whole = depth > 0 || i + 1 == text->length;
  }
  buffer_append(out, whole ? s + 1 : s, whole ? text->length - 2 : text->length);
}

/* Than `==` does: parentheses around it may go. */
static bool binds_tighter(const host_term *t) {
  const host_term *inner = t->kind == TERM_CAST ? t->a : t;
  return inner->kind == TERM_BINARY && inner->op >= HOST_ADD && inner->op <= HOST_SHR;
}

bool view_write(const kernel_view *v, const host_term *term, const kernel_item *without, buffer *out) {
  const writing w = {v, without};
  operand o = {{0}, {0, false}};
  const bool fine = write_term(&w, term, &o.text, &o.type);
  if (fine) {
    put_plain(&o.text, out);
  }
  buffer_free(&o.text);
  return fine;
}

bool view_write_equal(const kernel_view *v, const kernel_item *item, buffer *out) {
  const writing w = {v, item};
  const c_type wanted = {item->term->bits, item->term->is_signed};
  operand o = {{0}, {0, false}};
  bool fine = write_operand(&w, item->term, true, &o);
  if (fine && !same(usual(wanted, o.type), promoted(wanted))) {
    fine = write_operand(&w, item->term, false, &o);
  }
  if (fine) {
    buffer_printf(out, "%s == ", item->text);
    if (binds_tighter(item->term)) {
      put_plain(&o.text, out);
    } else {
      buffer_puts(out, buffer_text(&o.text));
    }
  }
  buffer_free(&o.text);
  return fine;
}

bool view_sees(const kernel_view *v, const host_term *term) {
  if (term == NULL) {
    return false;
  }
  for (size_t i = 0; i < v->count; i++) {
    const host_term *t = v->items[i].term;
    if (v->items[i].basis && t != NULL &&
        (t == term || ((t->kind == TERM_CAST || t->kind == TERM_BINARY) && t->a == term))) {
      return true;
    }
  }
  return view_sees(v, term->a) || view_sees(v, term->b) || view_sees(v, term->c);
}

void view_names(const host_term *term, buffer *out) {
  if (term == NULL) {
    return;
  }
  if (term->kind == TERM_SYMBOL && term->name != NULL && term->name[0] != '\0') {
    buffer text = {0};
    buffer_printf(&text, term->where.line == 0 ? "%s" : "%s (line %u)", term->name, term->where.line);
    if (strstr(buffer_text(out), buffer_text(&text)) == NULL) {
      buffer_printf(out, "%s%s", out->length == 0 ? "" : ", ", buffer_text(&text));
    }
    buffer_free(&text);
    return;
  }
  if (term->kind != TERM_SYMBOL) {
    view_names(term->a, out);
    view_names(term->b, out);
    view_names(term->c, out);
  }
}
