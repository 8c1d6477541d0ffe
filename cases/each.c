/* `each` and `let`: which cases an entry of `tests` stands for. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cases/formula.h"
#include "cases/internal.h"

typedef struct expansion {
  case_suite *suite;
  yaml_value *test;
  const test_keys *keys;
  error *e;
} expansion;

/* --- names -------------------------------------------------------------------------------------------------------- */

static scope_name *add_name(const expansion *x, scope *names, const char *name, yaml_value *at) {
  yaml_file *file = x->suite->file;
  if (!scope_name_right(name)) {
    (void)yaml_wrong(
        file, at, x->e,
        "\"%s\" cannot be a name: it is a word of formulas, or has other characters than letters, digits and _", name);
    return NULL;
  }
  if (scope_find(names, name, strlen(name)) != NULL) {
    (void)yaml_wrong(file, at, x->e, "the name %s is there twice", name);
    return NULL;
  }
  return scope_add(names, name);
}

/* A word that is no name, such as a type, stands for itself; so does an option (-DX), or the name of a file. */
static bool is_word(const scope *names, yaml_value *v) {
  const char *text = yaml_text(v);
  if (!yaml_is_text(v)) {
    return false;
  }
  if (scope_name_right(text)) {
    return scope_find(names, text, strlen(text)) == NULL;
  }
  const char *dot = strchr(text, '.');
  return formula_knows(text) || (text[0] == '-' && isalpha((unsigned char)text[1]) != 0 && strchr(text, '(') == NULL) ||
         (dot != NULL && dot > text && isalpha((unsigned char)dot[-1]) != 0);
}

static int set(const expansion *x, scope *names, const char *name, yaml_value *at, yaml_value *v) {
  formula_value value = {0};
  const bool word = is_word(names, v);
  if (!word && case_number(x->suite, names, v, &value, x->e) != 0) {
    return -1;
  }
  scope_name *n = add_name(x, names, name, at);
  if (n == NULL) {
    return -1;
  }
  n->kind = word ? SCOPE_WORD : SCOPE_NUMBER;
  n->value = value;
  n->word = word ? mem_strdup(yaml_text(v)) : NULL;
  return 0;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static int let(const expansion *x, scope *names) {
  yaml_file *file = x->suite->file;
  yaml_value *lets = x->keys->let;
  if (lets != NULL && !yaml_is_map(lets)) {
    return yaml_wrong(file, lets, x->e, "let is names with formulas, such as let: {m: \"round_up(n, 64)\"}");
  }
  for (size_t i = 0; lets != NULL && i < yaml_count(lets); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(file, lets, i, &name, &at);
    if (set(x, names, name, at, value) != 0) {
      return -1;
    }
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
  case_suite *s = x->suite;
  const size_t each = names->count;
  char *name = NULL;
  if (s->count == CASES_MOST) {
    (void)yaml_wrong(s->file, x->test, x->e, "these are more than %d cases", CASES_MOST);
  } else if (let(x, names) == 0) {
    name = x->keys->name == NULL ? own_name(names, each) : case_text(s, names, x->keys->name, x->e);
  }
  if (name == NULL) {
    scope_free(names);
    return -1;
  }
  *ARRAY_ADD(s->cases, s->count, s->capacity) = (kernel_case){name, x->test, *names};
  return 0;
}

/* All combinations of the lists from `pair` on; the last one varies fastest. */
static int combine(const expansion *x, const scope *so_far, size_t pair) {
  yaml_file *file = x->suite->file;
  yaml_value *each = x->keys->each;
  scope names = {0};
  if (pair == yaml_count(each)) {
    scope_copy(so_far, &names);
    return add_case(x, &names);
  }
  const char *name = NULL;
  yaml_value *at = NULL, *list = yaml_pair(file, each, pair, &name, &at);
  if (!yaml_is_list(list) || yaml_count(list) == 0) {
    return yaml_wrong(file, list, x->e, "%s wants a list of what it is in each case, such as [1, 63, 64]", name);
  }
  int result = 0;
  for (size_t i = 0; i < yaml_count(list) && result == 0; i++) {
    scope_copy(so_far, &names);
    result = set(x, &names, name, at, yaml_item(file, list, i)) != 0 ? -1 : combine(x, &names, pair + 1);
    scope_free(&names);
  }
  return result;
}

static int add_row(const expansion *x, yaml_value *row) {
  yaml_file *file = x->suite->file;
  scope names = {0};
  if (!yaml_is_map(row)) {
    return yaml_wrong(file, row, x->e, "a row of each is names with values, such as {n: 64, m: 1}");
  }
  for (size_t i = 0; i < yaml_count(row); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(file, row, i, &name, &at);
    if (set(x, &names, name, at, value) != 0) {
      scope_free(&names);
      return -1;
    }
  }
  return add_case(x, &names);
}

int case_expand(case_suite *s, yaml_value *test, const test_keys *keys, error *e) {
  const expansion x = {s, test, keys, e};
  yaml_value *each = keys->each;
  scope names = {0};
  if (each == NULL) {
    return add_case(&x, &names);
  }
  if (yaml_is_map(each)) {
    return combine(&x, &names, 0);
  }
  if (!yaml_is_list(each) || yaml_count(each) == 0) {
    return yaml_wrong(s->file, each, e, "each is names with lists, such as {n: [1, 64]}, or a list of rows");
  }
  for (size_t i = 0; i < yaml_count(each); i++) {
    if (add_row(&x, yaml_item(s->file, each, i)) != 0) {
      return -1;
    }
  }
  return 0;
}
