/* Values of options, level by level, and the hint at --device, which says the command line again. */
#include "cli/assignments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "cli/option_kinds.h"

/* The hint at --device, with the command line as it was given. */

static const char *type_name(uint32_t type) {
  return (type & 4u) != 0 ? "a GPU" : (type & 2u) != 0 ? "a CPU" : (type & 8u) != 0 ? "an accelerator" : "a";
}

static void add_word(buffer *line, const char *word) {
  buffer_putc(line, ' ');
  shell_word(line, word);
}

static void add_options(const command_line *given, buffer *line) {
  for (size_t i = 0; given->assigned != NULL && i < given->assigned->count; i++) {
    const assignment *a = &given->assigned->items[i];
    if (a->level == FROM_COMMAND_LINE && !a->off) {
      buffer_printf(line, " --%s", a->option->name);
      if (a->value != NULL && a->option->argument != NULL) {
        add_word(line, a->value);
      }
    }
  }
}

void say_denied(const command_line *given, const target *t, uint32_t type) {
  if (t->device != NULL) {
    return;
  }
  scoped_buffer line = buffer_with("cltestcheck %s --device 0", given->typed);
  add_options(given, &line);
  for (size_t i = 0; i < given->positional.count; i++) {
    add_word(&line, given->positional.items[i]);
  }
  buffer_puts(&line, given->command == NULL ? "" : " --");
  for (char **word = given->command; word != NULL && *word != NULL; word++) {
    add_word(&line, *word);
  }
  say(stderr,
      "cltestcheck: the program asked for %s device and there is none; this presents another one (`cltestcheck "
      "devices` lists them):\n    %s\n",
      type_name(type), buffer_text(&line));
}

static void assignment_release(assignment *a) {
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
      assignment_release(&a->items[i]);
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
    assignment_release(&a->items[i]);
  }
  free(a->items);
  *a = (assignments){0};
}
