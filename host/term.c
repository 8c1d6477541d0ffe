/* Terms: one of each, and symbols. Simplifying is in term_simplify.c. */
#include "host/term.h"

#include <string.h>

#include "host/term_internal.h"

/* What tells terms apart. */
typedef struct term_key {
  uint32_t kind, op, bits, is_signed;
  int64_t value;
  double real;
  const void *a, *b, *c, *place, *text;
} term_key;

const host_term *term_make(host_terms *t, const host_term *wanted) {
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
    case TERM_NUMBER:
      return true;
    case TERM_SYMBOL:
      return a->given;
    case TERM_BINARY:
      return term_is_followed(a->a) && term_is_followed(a->b);
    case TERM_UNARY:
    case TERM_CAST:
      return term_is_followed(a->a);
    case TERM_CHOICE:
      return term_is_followed(a->a) && term_is_followed(a->b) && term_is_followed(a->c);
    default:
      return false;
  }
}

static bool has_symbol(const host_term *in, const host_term *symbol) {
  return in != NULL &&
         (in == symbol || (in->kind != TERM_SYMBOL &&
                           (has_symbol(in->a, symbol) || has_symbol(in->b, symbol) || has_symbol(in->c, symbol))));
}

bool term_share_symbol(const host_term *a, const host_term *b) {
  if (a == NULL) {
    return false;
  }
  if (a->kind == TERM_SYMBOL) {
    return has_symbol(b, a);
  }
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
