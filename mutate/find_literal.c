/* Mutants of numbers: 0, 1, -1, one more, one less. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

enum { ALTERNATIVES = 5, DIGITS = 40 };

/* A literal taken apart. */
typedef struct literal {
  char *digits; /* without suffix */
  char *suffix; /* "u", "f", … as the user wrote it */
  bool hexadecimal, octal, floating;
} literal;

static bool is_suffix(char c, bool hexadecimal, bool floating) {
  return c == 'u' || c == 'U' || c == 'l' || c == 'L' || c == 'h' || c == 'H' ||
         ((c == 'f' || c == 'F') && (floating || !hexadecimal));
}

static literal take_apart(const finder *f, const tree_node *x) {
  literal l = {.digits = text_of_span(&f->u->text, x->tokens), .floating = tree_type_is_float(x->type)};
  l.hexadecimal = l.digits[0] == '0' && (l.digits[1] == 'x' || l.digits[1] == 'X');
  size_t end = strlen(l.digits);
  while (end > 1 && is_suffix(l.digits[end - 1], l.hexadecimal, l.floating)) {
    end--;
  }
  l.suffix = mem_strdup(l.digits + end);
  l.digits[end] = '\0';
  l.octal = l.digits[0] == '0' && !l.hexadecimal && end > 1 && !l.floating;
  return l;
}

static void add_number(candidate *c, const char *number) {
  for (size_t i = 0; i < c->count; i++) {
    if (strcmp(c->items[i].key, number) == 0) {
      return;
    }
  }
  char *text = number[0] == '-' ? text_of("(%s)", number) : mem_strdup(number);
  add_alternative(c, mem_strdup(number), text, mem_strdup(number), NULL);
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static void put_integer(candidate *c, const literal *l, bool negative, unsigned long long value) {
  bool small = value < 2;
  const char *format = l->hexadecimal && !small ? "%s0x%llx%s" : l->octal && !small ? "%s0%llo%s" : "%s%llu%s";
  char *text = text_of(format, negative ? "-" : "", value, l->suffix);
  add_number(c, text);
  free(text);
}

static void find_integer(candidate *c, const literal *l, const tree_type *type) {
  errno = 0;
  char *end = NULL;
  bool binary = l->digits[0] == '0' && (l->digits[1] == 'b' || l->digits[1] == 'B');
  unsigned long long value = strtoull(binary ? l->digits + 2 : l->digits, &end, binary ? 2 : 0);
  unsigned long long most = type->size >= 8 ? UINT64_MAX : (1ull << (8 * type->size)) - 1;
  most = type->is_unsigned ? most : most / 2;
  if (errno != 0 || *end != '\0' || value > most) {
    return;
  }
  for (unsigned long long small = 0; small < 2; small++) {
    if (value != small) {
      put_integer(c, l, false, small);
    }
  }
  if (!type->is_unsigned || value != most) {
    put_integer(c, l, true, 1);
  }
  if (value < most && (!type->is_unsigned || value + 1 != most)) {
    put_integer(c, l, false, value + 1); /* the greatest of an unsigned type is -1 already */
  }
  if (value > 0) {
    put_integer(c, l, false, value - 1);
  }
}

/* --- floating point ----------------------------------------------------------------------------------------------- */

static double as_type(double value, const tree_type *type) { return type->size <= 4 ? (double)(float)value : value; }

/* The shortest text that reads as the value. */
static void put_floating(candidate *c, const literal *l, double value, const tree_type *type) {
  char digits[DIGITS] = "";
  for (int precision = 1; precision <= 17; precision++) {
    (void)snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (as_type(strtod(digits, NULL), type) == value) {
      break;
    }
  }
  char *text = text_of("%s%s%s", digits, strpbrk(digits, ".e") == NULL ? ".0" : "", l->suffix);
  add_number(c, text);
  free(text);
}

static void find_floating(candidate *c, const literal *l, const tree_type *type) {
  char *end = NULL;
  double value = as_type(strtod(l->digits, &end), type);
  const double others[ALTERNATIVES] = {0, 1, -1, as_type(value + 1, type), as_type(value - 1, type)};
  for (size_t i = 0; i < ALTERNATIVES && *end == '\0' && isfinite(value); i++) {
    bool seen = others[i] == value;
    for (size_t k = 0; k < i; k++) {
      seen = seen || others[k] == others[i];
    }
    if (!seen) {
      put_floating(c, l, others[i], type);
    }
  }
}

/* Whether a literal is converted to a pointer, event or the like, which only 0 is. */
static bool makes_handle(const tree_node *x) {
  const tree_conversion conversion = x->parent->kind == TREE_CONVERT ? x->parent->conversion : TREE_NO_CONVERSION;
  return conversion == TREE_INTEGER_TO_POINTER || conversion == TREE_TO_OPAQUE;
}

void find_literal(finder *f, const tree_node *x) {
  if (f->u->text.tokens[x->token].kind != PP_NUMBER || x->type == NULL) {
    return;
  }
  candidate *c = add_candidate(f, MUTATE_CONST, PLACE_LITERAL, x->token, x->tokens);
  c->place.type = x->type;
  if (makes_handle(x)) {
    return;
  }
  literal l = take_apart(f, x);
  if (l.floating) {
    find_floating(c, &l, x->type);
  } else {
    find_integer(c, &l, x->type);
  }
  free(l.digits);
  free(l.suffix);
}
