/* A list of names; there are few. */
#include "cases/scope.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/number.h"
#include "cases/formula.h"

double formula_real(formula_value v) { return v.real ? v.number : (double)v.integer; }

scope_name *scope_add(scope *s, const char *name) {
  scope_name *n = ARRAY_ADD(s->names, s->count, s->capacity);
  n->name = mem_strdup(name);
  return n;
}

const scope_name *scope_find(const scope *s, const char *name, size_t length) {
  for (size_t i = 0; i < s->count; i++) {
    if (strncmp(s->names[i].name, name, length) == 0 && s->names[i].name[length] == '\0') {
      return &s->names[i];
    }
  }
  return NULL;
}

bool scope_name_right(const char *name) {
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length > 0 && name[length] == '\0' && isdigit((unsigned char)name[0]) == 0 && !formula_knows(name);
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

void scope_write(const scope_name *n, buffer *out) {
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
      if (at[1 + length] != '}' || n == NULL || n->kind == SCOPE_ARRAY) {
        return (long)(at - text);
      }
      scope_write(n, out);
      at += length + 2;
    }
  }
  buffer_puts(out, "");
  return -1;
}
