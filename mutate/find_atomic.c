/* Mutants of calls of atomic functions: the same update, not atomically. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EXPLICIT "_explicit"

/* The functions that update memory: atomic_… and atom_… of OpenCL C 1.x on plain numbers; atomic_… of 2.0 on atomic
 * types, with and without _explicit. A store is an update, of a flag too: made non-atomically it has no memory order,
 * and may be seen in parts. atomic_load updates nothing; atomic_init is not atomic as it is. */
static const struct {
  const char *name;
  bool typed; /* of 2.0 */
  const char *update;
} functions[] = {
    {"add", false, "add"},
    {"sub", false, "sub"},
    {"xchg", false, "xchg"},
    {"inc", false, "inc"},
    {"dec", false, "dec"},
    {"cmpxchg", false, "cmpxchg"},
    {"min", false, "min"},
    {"max", false, "max"},
    {"and", false, "and"},
    {"or", false, "or"},
    {"xor", false, "xor"},
    {"fetch_add", true, "add"},
    {"fetch_sub", true, "sub"},
    {"fetch_min", true, "min"},
    {"fetch_max", true, "max"},
    {"fetch_and", true, "and"},
    {"fetch_or", true, "or"},
    {"fetch_xor", true, "xor"},
    {"exchange", true, "xchg"},
    {"compare_exchange_strong", true, "compare_exchange"},
    {"compare_exchange_weak", true, "compare_exchange"},
    {"store", true, "store"},
    {"flag_test_and_set", true, "set"},
    {"flag_clear", true, "clear"},
};

/* What a person would write for an update, and the new value where the old one, ~, is used (NULL: the first will do): @
 * is the object, # and $ are further arguments, [ and ] are around what is compared bit by bit. */
static const struct {
  const char *update, *plain, *value;
} updates[] = {
    {"add", "@ += #", "~ + (#)"},
    {"sub", "@ -= #", "~ - (#)"},
    {"xchg", "@ = #", "#"},
    {"inc", "(@)++", "~ + 1"},
    {"dec", "(@)--", "~ - 1"},
    {"cmpxchg", "@ = @ == (#) ? $ : @", "~ == (#) ? $ : ~"},
    {"min", "@ = min(@, #)", "min(~, #)"},
    {"max", "@ = max(@, #)", "max(~, #)"},
    {"and", "@ &= #", "~ & (#)"},
    {"or", "@ |= #", "~ | (#)"},
    {"xor", "@ ^= #", "~ ^ (#)"},
    {"compare_exchange", "[@] == [*(#)] ? (@ = $, true) : (*(#) = @, false)", NULL},
    {"store", "@ = #", NULL},
    {"set", "@ = 1", "1"},
    {"clear", "@ = 0", NULL},
};

/* What atomic types hold, and what shows its bits. */
static const struct {
  const char *plain, *bits;
} types[] = {{"int", ""}, {"uint", ""}, {"float", "as_int"}, {"long", ""}, {"ulong", ""}, {"double", "as_long"}};

/* A call that is asked about. */
typedef struct atomic_call {
  finder *f;
  const tree_node *x;
  size_t update; /* index of its table */
  size_t type;   /* the same, COUNT(types): not of 2.0 */
} atomic_call;

/* --- types -------------------------------------------------------------------------------------------------------- */

/* COUNT(types) if it is no pointer to an atomic type. */
static size_t type_in(const tree_type *pointer) {
  const bool atomic = is_pointer(pointer) && pointer->element->kind == TREE_TYPE_ATOMIC;
  size_t i = atomic ? 0 : COUNT(types);
  while (i < COUNT(types) && strcmp(pointer->element->element->name, types[i].plain) != 0) {
    i++;
  }
  return i;
}

/* A pointer as it is before it is converted to a parameter's type. */
static const tree_type *given_type(const tree_node *argument) {
  while (argument->kind == TREE_CONVERT && is_pointer(argument->children[0]->type)) {
    argument = argument->children[0];
  }
  return argument->type;
}

/* The pointer as the user has it: the parameter may be generic, which not every device knows. */
static const tree_type *pointer_type(const atomic_call *a) {
  const tree_type *given = given_type(a->x->children[0]);
  return a->type < COUNT(types) && type_in(given) < COUNT(types) ? given : a->x->children[0]->type;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* A name that the call does not have. */
static const char *unused_name(const pp_result *text, const tree_node *x) {
  static const char *const names[] = {"old", "before", "old_value", "value_before"};
  size_t name = 0;
  for (const tree_node *n = x; n != NULL && name + 1 < COUNT(names); n = tree_next(x, n)) {
    if (tree_names(text, n, names[name])) {
      name++;
      n = x;
    }
  }
  return names[name];
}

static void put_object(const atomic_call *a, const char *argument, buffer *out) {
  if (a->type == COUNT(types)) {
    buffer_printf(out, "*(%s)", argument);
    return;
  }
  const tree_type *object = pointer_type(a)->element;
  buffer qualifiers = {0};
  tree_put_qualifiers(object, &qualifiers);
  const size_t skipped = object->space == TREE_SPACE_GENERIC ? sizeof "__generic" : 0;
  buffer_printf(out, "*(%s%s *)(%s)", buffer_text(&qualifiers) + skipped, types[a->type].plain, argument);
  buffer_free(&qualifiers);
}

static void put_argument(const atomic_call *a, char mark, buffer *out) {
  size_t index = mark == '@' ? 0 : mark == '#' ? 1 : 2;
  if (index < a->x->child_count) {
    char *text = argument_text(a->f, a->x->children[index]->tokens);
    if (index == 0) {
      put_object(a, text, out);
    } else {
      buffer_puts(out, text);
    }
    free(text);
  }
}

static char *with_arguments(const atomic_call *a, const char *pattern) {
  const char *bits = a->type == COUNT(types) ? "" : types[a->type].bits;
  buffer out = {0};
  for (const char *c = pattern; *c != '\0'; c++) {
    if (strchr("@#$", *c) != NULL) {
      put_argument(a, *c, &out);
    } else if (*c == '~') {
      buffer_puts(&out, unused_name(&a->f->u->text, a->x));
    } else if (strchr("[]", *c) == NULL) {
      buffer_putc(&out, *c);
    } else if (bits[0] != '\0') {
      buffer_printf(&out, "%s%c", *c == '[' ? bits : "", *c == '[' ? '(' : ')');
    }
  }
  return buffer_take(&out);
}

/* The update as an assignment; where its value is used, that is the old one. */
static char *plain_update(const atomic_call *a) {
  const char *plain = updates[a->update].plain;
  const char *value = updates[a->update].value;
  if (!is_used(a->x)) {
    return with_arguments(a, plain);
  }
  char *pattern =
      value == NULL ? text_of("(%s)", plain) : text_of("({ %s ~ = @; @ = %s; ~; })", a->x->type->name, value);
  char *update = with_arguments(a, pattern);
  free(pattern);
  return update;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static bool is_call_of(const char *callee, size_t index) {
  const char *name = functions[index].name;
  bool old = !functions[index].typed;
  const char *begin = strncmp(callee, "atomic_", 7) == 0        ? callee + 7
                      : old && strncmp(callee, "atom_", 5) == 0 ? callee + 5
                                                                : "";
  size_t length = strlen(name);
  return strncmp(begin, name, length) == 0 &&
         (begin[length] == '\0' || (!old && strcmp(begin + length, EXPLICIT) == 0));
}

static size_t update_named(const char *name) {
  size_t i = 0;
  while (strcmp(updates[i].update, name) != 0) {
    i++;
  }
  return i;
}

static void add_atomic(const atomic_call *a) {
  const tree_node *x = a->x;
  const char *update = updates[a->update].update;
  candidate *c = add_call(a->f, x, MUTATE_ATOMIC, PLACE_ATOMIC);
  c->place.arguments = x->child_count - 1;
  c->place.left = x->children[0]->tokens;
  c->place.left_type = pointer_type(a);
  if (x->child_count > 1) {
    const tree_node *second = x->children[1];
    bool pointer = strcmp(update, "compare_exchange") == 0;
    c->place.right = (span){second->tokens.first, x->children[x->child_count - 1]->tokens.last};
    c->place.right_type = pointer ? given_type(second) : second->type;
  }
  add_alternative(c, mem_strdup(update), mem_strdup(update), plain_update(a), mem_strdup("not atomic"));
}

void find_atomic(finder *f, const tree_node *x) {
  size_t i = 0;
  while (i < COUNT(functions) && !is_call_of(x->symbol->name, i)) {
    i++;
  }
  if (i == COUNT(functions) || x->child_count == 0 || x->type == NULL) {
    return;
  }
  atomic_call a = {f, x, update_named(functions[i].update), COUNT(types)};
  if (functions[i].typed) {
    a.type = type_in(x->children[0]->type);
  }
  if (functions[i].typed == (a.type < COUNT(types))) {
    add_atomic(&a);
  }
}
