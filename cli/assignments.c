/* Levels of options. */
#include "cli/assignments.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/option_kinds.h"

static void release(assignment *a) {
  free(a->value);
  free(a->origin);
}

/* Has it the NAME of `NAME=VALUE`? */
static bool same_key(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return a[length] == '=' && strncmp(a, b, length + 1) == 0;
}

static bool replaced(const assignment *old, const option *o, assignment_level level, const char *value) {
  if (strcmp(old->option->name, o->name) != 0) {
    return false;
  }
  if ((option_flags(o) & OPTION_KEYED) != 0 && value != NULL) {
    return old->value == NULL || same_key(value, old->value);
  }
  return old->level < level;
}

static void add_one(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                    const char *origin) {
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++) {
    if (replaced(&a->items[i], o, level, value)) {
      release(&a->items[i]);
    } else {
      a->items[kept++] = a->items[i];
    }
  }
  a->count = kept;
  *ARRAY_ADD(a->items, a->count, a->capacity) =
      (assignment){o, level, value == NULL ? NULL : mem_strdup(value), off, mem_strdup(origin)};
}

void assignments_add(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                     const char *origin) {
  if (value == NULL || (option_flags(o) & OPTION_KEYED) == 0) {
    add_one(a, o, level, value, off, origin);
    return;
  }
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    char *one = mem_strndup(at, length);
    add_one(a, o, level, one, off, origin);
    free(one);
    at += length;
    if (*at == '\0') {
      return;
    }
  }
}

void assignments_move(assignments *to, assignments *from) {
  for (size_t i = 0; i < from->count; i++) {
    const assignment *a = &from->items[i];
    assignments_add(to, a->option, a->level, a->value, a->off, a->origin);
  }
  assignments_free(from);
}

int assignments_apply(const assignments *a, settings *out, error *e) {
  for (size_t i = 0; i < a->count; i++) {
    const assignment *one = &a->items[i];
    error inner;
    if (one->off || option_take(one->option, out, one->value, &inner) == 0) {
      continue;
    }
    if (one->level == FROM_COMMAND_LINE) {
      *e = inner;
      return -1;
    }
    return error_set(e, inner.code, "%s: %s", one->origin, inner.text);
  }
  return 0;
}

void assignments_free(assignments *a) {
  for (size_t i = 0; i < a->count; i++) {
    release(&a->items[i]);
  }
  free(a->items);
  *a = (assignments){0};
}
