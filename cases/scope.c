/* Scopes: the names that formulas see, values of the file, and the cases that `each` and `let` make of an entry. */
#include "cases/scope.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cases/internal.h"

double formula_real(formula_value v) { return v.real ? v.number : (double)v.integer; }

scope_name *scope_add(scope *s, const char *name) {
  scope_name *n = ARRAY_ADD(s->names, s->count, s->capacity);
  n->name = mem_strdup(name);
  return n;
}

const scope_name *scope_find(const scope *s, const char *name, size_t length) {
  for (size_t i = 0; i < s->count; i++)
    if (strncmp(s->names[i].name, name, length) == 0 && s->names[i].name[length] == '\0') return &s->names[i];
  return NULL;
}

bool scope_name_right(const char *name) {
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  const bool word = formula_knows(name) || strcmp(name, "null") == 0; /* as an argument that is no memory at all */
  return length > 0 && name[length] == '\0' && isdigit((unsigned char)name[0]) == 0 && !word;
}

void scope_copy(const scope *from, scope *to) {
  for (size_t i = 0; i < from->count; i++) {
    scope_name *n = scope_add(to, from->names[i].name);
    char *name = n->name;
    *n = from->names[i];
    n->name = name;
    n->word = n->word == NULL ? NULL : mem_strdup(n->word);
  }
}

void scope_free(scope *s) {
  for (size_t i = 0; i < s->count; i++) {
    free(s->names[i].name);
    free(s->names[i].word);
  }
  free(s->names);
  *s = (scope){0};
}

/* Appends a value as a person writes it: "64", "0.5". */
static void scope_write(const scope_name *n, buffer *out) {
  unsigned char bytes[8];
  if (n->kind == SCOPE_WORD) {
    buffer_puts(out, n->word);
  } else if (n->value.real) {
    number_put_real(NUMBER_DOUBLE, bytes, n->value.number);
    number_write(NUMBER_DOUBLE, bytes, out);
  } else {
    number_put_wide(n->value.integer, out);
  }
}

long scope_fill(const scope *s, const char *text, buffer *out) {
  const char *at = text;
  while (*at != '\0') {
    const size_t plain = strcspn(at, "{");
    buffer_append(out, at, plain);
    at += plain;
    if (at[0] == '{' && at[1] == '{') {
      buffer_putc(out, '{');
      at += 2;
    } else if (at[0] == '{') {
      const size_t length = strcspn(at + 1, "}");
      const scope_name *n = scope_find(s, at + 1, length);
      if (at[1 + length] != '}' || n == NULL || n->kind == SCOPE_ARRAY) return (long)(at - text);
      scope_write(n, out);
      at += length + 2;
    }
  }
  buffer_puts(out, "");
  return -1;
}

/* Numbers and texts of the file. */

int case_wrong(const case_reader *r, yaml_value *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  scoped_buffer text = {0};
  buffer_vprintf(&text, format, args);
  va_end(args);
  return yaml_wrong(r->file, at, r->e, "%s", buffer_text(&text));
}

int case_keys(const case_reader *r, yaml_value *map, const char *what, const yaml_key *keys, size_t count) {
  return yaml_keys(r->file, map, what, keys, count, r->e);
}

int case_number(const case_reader *r, yaml_value *v, formula_value *out) {
  formula_error why;
  if (!yaml_is_text(v)) return case_wrong(r, v, "a number or a formula is wanted here");
  formula *f = formula_read(yaml_text(v), r->names, 0, &why);
  const bool known = f != NULL && formula_at(f, 0, out, &why) == 0;
  formula_free(f);
  return known ? 0 : yaml_wrong_in(r->file, v, why.offset, r->e, "%s", why.text);
}

bool case_put(uint32_t kind, formula_value v, unsigned char *to) {
  const bool real = number_is_real(kind), whole = !v.real || (floor(v.number) == v.number && fabs(v.number) < 0x1p64);
  const number_wide integer = real || !whole ? 0 : v.real ? (number_wide)v.number : v.integer;
  if (real)
    number_put_real(kind, to, formula_real(v));
  else if (whole && number_holds(kind, integer))
    number_put_integer(kind, to, integer);
  return real || (whole && number_holds(kind, integer));
}

int case_not_put(const case_reader *r, uint32_t kind, const char *what, formula_value v, yaml_value *at) {
  scoped_buffer is = {0};
  if (!v.real)
    number_put_wide(v.integer, &is);
  else
    buffer_printf(&is, "%g", v.number);
  return case_wrong(r, at, "%s is an integer of type %s, which does not hold %s", what, number_name(kind),
                    buffer_text(&is));
}

int case_integer(const case_reader *r, yaml_value *v, const char *what, int64_t least, int64_t most, int64_t *out) {
  formula_value value;
  if (v == NULL) return 0;
  if (case_number(r, v, &value) != 0) return -1;
  if (value.real) return case_wrong(r, v, "%s is an integer, and this is %g", what, value.number);
  scoped_buffer is = {0};
  number_put_wide(value.integer, &is);
  *out = (int64_t)value.integer;
  return value.integer >= least && value.integer <= most
             ? 0
             : case_wrong(r, v, "%s is from %lld to %lld, and this is %s", what, (long long)least, (long long)most,
                          buffer_text(&is));
}

char *case_text(const case_reader *r, yaml_value *v) {
  buffer out = {0};
  if (!yaml_is_text(v)) {
    (void)case_wrong(r, v, "a text is wanted here");
    return NULL;
  }
  const long wrong = scope_fill(r->names, yaml_text(v), &out);
  if (wrong < 0) return buffer_take(&out);
  buffer_free(&out);
  (void)yaml_wrong_in(r->file, v, (size_t)wrong, r->e,
                      "{…} takes a name of each: or let:, and there is none such; {{ is a brace");
  return NULL;
}

/* `each` and `let`: which cases an entry of `tests` stands for. */

typedef struct expansion {
  case_reader in; /* without names */
  yaml_value *test;
  const test_keys *keys;
} expansion;

static scope_name *add_name(const expansion *x, scope *names, const char *name, yaml_value *at) {
  if (!scope_name_right(name)) {
    (void)case_wrong(
        &x->in, at,
        "\"%s\" cannot be a name: it is a word of cases, or has other characters than letters, digits and _", name);
    return NULL;
  }
  if (scope_find(names, name, strlen(name)) != NULL) {
    (void)case_wrong(&x->in, at, "the name %s is there twice", name);
    return NULL;
  }
  return scope_add(names, name);
}

/* A word that is no name, such as a type, stands for itself; so does an option (-DX), or the name of a file. */
static bool is_word(const scope *names, yaml_value *v) {
  const char *text = yaml_text(v);
  if (!yaml_is_text(v)) return false;
  if (scope_name_right(text)) return scope_find(names, text, strlen(text)) == NULL;
  const char *dot = strchr(text, '.');
  return formula_knows(text) || (text[0] == '-' && isalpha((unsigned char)text[1]) != 0 && strchr(text, '(') == NULL) ||
         (dot != NULL && dot > text && isalpha((unsigned char)dot[-1]) != 0);
}

static int set(const expansion *x, scope *names, const char *name, yaml_value *at, yaml_value *v) {
  formula_value value = {0};
  const bool word = is_word(names, v);
  const case_reader in = {x->in.suite, x->in.file, names, x->in.e};
  if (!word && case_number(&in, v, &value) != 0) return -1;
  scope_name *n = add_name(x, names, name, at);
  if (n == NULL) return -1;
  n->kind = word ? SCOPE_WORD : SCOPE_NUMBER;
  n->value = value;
  n->word = word ? mem_strdup(yaml_text(v)) : NULL;
  return 0;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static int let(const expansion *x, scope *names) {
  yaml_value *lets = x->keys->let;
  if (lets != NULL && !yaml_is_map(lets))
    return case_wrong(&x->in, lets, "let is names with formulas, such as let: {m: \"round_up(n, 64)\"}");
  for (size_t i = 0; lets != NULL && i < yaml_count(lets); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(x->in.file, lets, i, &name, &at);
    if (set(x, names, name, at, value) != 0) return -1;
  }
  return 0;
}

/* "n=64, type=float" for a test without a name. */
static char *own_name(const scope *names, size_t count) {
  buffer out = {0};
  for (size_t i = 0; i < count; i++) {
    buffer_printf(&out, "%s%s=", i == 0 ? "" : ", ", names->names[i].name);
    scope_write(&names->names[i], &out);
  }
  buffer_puts(&out, count == 0 ? "test" : "");
  return buffer_take(&out);
}

/* Takes over the names. */
static int add_case(const expansion *x, scope *names) {
  case_suite *s = x->in.suite;
  const case_reader in = {s, s->file, names, x->in.e};
  const size_t each = names->count;
  char *name = NULL;
  if (s->count == CASES_MOST)
    (void)case_wrong(&in, x->test, "these are more than %d cases", CASES_MOST);
  else if (let(x, names) == 0)
    name = x->keys->name == NULL ? own_name(names, each) : case_text(&in, x->keys->name);
  if (name == NULL) {
    scope_free(names);
    return -1;
  }
  *ARRAY_ADD(s->cases, s->count, s->capacity) = (kernel_case){name, x->test, *names};
  return 0;
}

/* All combinations of the lists from `pair` on; the last one varies fastest. */
static int combine(const expansion *x, const scope *so_far, size_t pair) {
  yaml_value *each = x->keys->each;
  scope names = {0};
  if (pair == yaml_count(each)) {
    scope_copy(so_far, &names);
    return add_case(x, &names);
  }
  const char *name = NULL;
  yaml_value *at = NULL, *list = yaml_pair(x->in.file, each, pair, &name, &at);
  if (!yaml_is_list(list) || yaml_count(list) == 0)
    return case_wrong(&x->in, list, "%s wants a list of what it is in each case, such as [1, 63, 64]", name);
  int result = 0;
  for (size_t i = 0; i < yaml_count(list) && result == 0; i++) {
    scope_copy(so_far, &names);
    result = set(x, &names, name, at, yaml_item(x->in.file, list, i)) != 0 ? -1 : combine(x, &names, pair + 1);
    scope_free(&names);
  }
  return result;
}

static int add_row(const expansion *x, yaml_value *row) {
  scope names = {0};
  if (!yaml_is_map(row)) return case_wrong(&x->in, row, "a row of each is names with values, such as {n: 64, m: 1}");
  for (size_t i = 0; i < yaml_count(row); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(x->in.file, row, i, &name, &at);
    if (set(x, &names, name, at, value) != 0) {
      scope_free(&names);
      return -1;
    }
  }
  return add_case(x, &names);
}

int case_expand(case_suite *s, yaml_value *test, const test_keys *keys, error *e) {
  const expansion x = {{s, s->file, NULL, e}, test, keys};
  yaml_value *each = keys->each;
  scope names = {0};
  if (each == NULL) return add_case(&x, &names);
  if (yaml_is_map(each)) return combine(&x, &names, 0);
  if (!yaml_is_list(each) || yaml_count(each) == 0)
    return yaml_wrong(s->file, each, e, "each is names with lists, such as {n: [1, 64]}, or a list of rows");
  for (size_t i = 0; i < yaml_count(each); i++)
    if (add_row(&x, yaml_item(s->file, each, i)) != 0) return -1;
  return 0;
}
