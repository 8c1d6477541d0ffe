/* Mutants of calls of OpenCL's built-in functions: barriers, fences, images, work-item functions, atomic updates. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "frontend/edits.h"
#include "mutate/find.h"

/* Mutants of calls of atomic functions: the same update, not atomically. */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EXPLICIT "_explicit"

/* Of OpenCL C 1.x on plain numbers; those of atomic types follow. A store is an update, of a flag too: made
 * non-atomically it has no memory order, and may be seen in parts. atomic_load updates nothing; atomic_init is not atomic
 * as it is. */
static const atomic_update updates[] = {
    {"add", "@ += #", "~ + (#)", "b", "a + b", false},
    {"sub", "@ -= #", "~ - (#)", "b", "a - b", false},
    {"xchg", "@ = #", "#", "b", "b", false},
    {"inc", "(@)++", "~ + 1", "", "a + 1", false},
    {"dec", "(@)--", "~ - 1", "", "a - 1", false},
    {"cmpxchg", "@ = @ == (#) ? $ : @", "~ == (#) ? $ : ~", "bc", NULL, false},
    {"min", "@ = min(@, #)", "min(~, #)", "b", "a < b ? a : b", false},
    {"max", "@ = max(@, #)", "max(~, #)", "b", "a > b ? a : b", false},
    {"and", "@ &= #", "~ & (#)", "b", "a & b", false},
    {"or", "@ |= #", "~ | (#)", "b", "a | b", false},
    {"xor", "@ ^= #", "~ ^ (#)", "b", "a ^ b", false},
    {"compare_exchange", "[@] == [*(#)] ? (@ = $, true) : (*(#) = @, false)", NULL, "ec", NULL, true},
    {"store", "@ = #", NULL, "b", "b", true},
    {"set", "@ = 1", "1", "", "1", true},
    {"clear", "@ = 0", NULL, "", "0", true},
};

/* Functions of OpenCL C 2.0 on atomic types, with and without _explicit. */
static const struct {
  const char *name, *update;
} functions[] = {{"fetch_add", "add"},
                 {"fetch_sub", "sub"},
                 {"fetch_min", "min"},
                 {"fetch_max", "max"},
                 {"fetch_and", "and"},
                 {"fetch_or", "or"},
                 {"fetch_xor", "xor"},
                 {"exchange", "xchg"},
                 {"compare_exchange_strong", "compare_exchange"},
                 {"compare_exchange_weak", "compare_exchange"},
                 {"store", "store"},
                 {"flag_test_and_set", "set"},
                 {"flag_clear", "clear"}};

const atomic_update *atomic_update_named(const char *name) {
  size_t i = 0;
  while (strcmp(updates[i].name, name) != 0) i++;
  return &updates[i];
}

/* What atomic types hold, and what shows its bits. */
static const struct {
  const char *plain, *bits;
} types[] = {{"int", ""}, {"uint", ""}, {"float", "as_int"}, {"long", ""}, {"ulong", ""}, {"double", "as_long"}};

/* A call that is asked about. */
typedef struct atomic_call {
  finder *f;
  const tree_node *x;
  const atomic_update *update;
  size_t type; /* index of its table, COUNT(types): not of 2.0 */
} atomic_call;

/* --- types -------------------------------------------------------------------------------------------------------- */

/* COUNT(types) if it is no pointer to an atomic type. */
static size_t type_in(const tree_type *pointer) {
  const bool atomic = is_pointer(pointer) && pointer->element->kind == TREE_TYPE_ATOMIC;
  size_t i = atomic ? 0 : COUNT(types);
  while (i < COUNT(types) && strcmp(pointer->element->element->name, types[i].plain) != 0) i++;
  return i;
}

/* A pointer as it is before it is converted to a parameter's type. */
static const tree_type *given_type(const tree_node *argument) {
  while (argument->kind == TREE_CONVERT && is_pointer(argument->children[0]->type)) argument = argument->children[0];
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
  scoped_buffer qualifiers = {0};
  tree_put_qualifiers(object, &qualifiers);
  const size_t skipped = object->space == TREE_SPACE_GENERIC ? sizeof "__generic" : 0;
  buffer_printf(out, "*(%s%s *)(%s)", buffer_text(&qualifiers) + skipped, types[a->type].plain, argument);
}

static void put_argument(const atomic_call *a, char mark, buffer *out) {
  size_t index = mark == '@' ? 0 : mark == '#' ? 1 : 2;
  if (index < a->x->child_count) {
    scoped char *text = argument_text(a->f, a->x->children[index]->tokens);
    if (index == 0)
      put_object(a, text, out);
    else
      buffer_puts(out, text);
  }
}

static char *with_arguments(const atomic_call *a, const char *pattern) {
  const char *bits = a->type == COUNT(types) ? "" : types[a->type].bits;
  buffer out = {0};
  for (const char *c = pattern; *c != '\0'; c++)
    if (strchr("@#$", *c) != NULL)
      put_argument(a, *c, &out);
    else if (*c == '~')
      buffer_puts(&out, unused_name(&a->f->u->text, a->x));
    else if (strchr("[]", *c) == NULL)
      buffer_putc(&out, *c);
    else if (bits[0] != '\0')
      buffer_printf(&out, "%s%c", *c == '[' ? bits : "", *c == '[' ? '(' : ')');
  return buffer_take(&out);
}

/* The update as an assignment; where its value is used, that is the old one. */
static char *plain_update(const atomic_call *a) {
  const char *plain = a->update->plain;
  const char *value = a->update->used;
  if (!is_used(a->x)) return with_arguments(a, plain);
  char *pattern =
      value == NULL ? text_of("(%s)", plain) : text_of("({ %s ~ = @; @ = %s; ~; })", a->x->type->name, value);
  char *update = with_arguments(a, pattern);
  free(pattern);
  return update;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* What a function does, by its name; NULL: it is none of these. */
static const atomic_update *update_of(const char *callee, bool *typed) {
  const bool atomic = strncmp(callee, "atomic_", 7) == 0;
  const char *name = atomic ? callee + 7 : strncmp(callee, "atom_", 5) == 0 ? callee + 5 : "";
  *typed = false;
  for (size_t i = 0; i < COUNT(updates); i++)
    if (!updates[i].typed && strcmp(updates[i].name, name) == 0) return &updates[i];
  *typed = true;
  for (size_t i = 0; i < COUNT(functions) && atomic; i++) {
    const size_t length = strlen(functions[i].name);
    if (strncmp(name, functions[i].name, length) == 0 && (name[length] == '\0' || strcmp(name + length, EXPLICIT) == 0))
      return atomic_update_named(functions[i].update);
  }
  return NULL;
}

static candidate *add_call(finder *f, const tree_node *x, mutate_operator op, place_kind kind) {
  candidate *c = add_candidate(f, op, kind, x->token, x->tokens);
  c->replaced = x->tokens;
  c->place.type = x->type;
  return c;
}

static void add_atomic(const atomic_call *a) {
  const tree_node *x = a->x;
  const char *update = a->update->name;
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

/* For any call that is not of a function of the program's own. */
static void find_atomic(finder *f, const tree_node *x) {
  bool typed = false;
  const atomic_update *update = update_of(x->symbol->name, &typed);
  if (update == NULL || x->child_count == 0 || x->type == NULL) return;
  const atomic_call a = {f, x, update, typed ? type_in(x->children[0]->type) : COUNT(types)};
  if (typed == (a.type < COUNT(types))) add_atomic(&a);
}

static const char *const work_item_functions[] = {"get_global_id",   "get_local_id",   "get_group_id",
                                                  "get_global_size", "get_local_size", "get_num_groups"};

static bool is_sampler(const tree_node *argument) {
  return argument->type != NULL && strcmp(argument->type->name, "sampler_t") == 0;
}

char *argument_text(const finder *f, span argument) {
  source_range range;
  return range_of_argument(&f->u->text, argument, &range) ? text_of_range(&f->u->text, range)
                                                          : text_of_span(&f->u->text, argument);
}

static void take_argument(candidate *c, const tree_node *a) {
  c->place.right = a->tokens;
  c->place.right_type = a->type;
  c->replaced = a->tokens;
  c->is_argument = true;
}

/* --- barriers and fences ------------------------------------------------------------------------------------------ */

/* The flags with local and global exchanged; NULL when that changes nothing, or they are no names. */
static char *exchanged_flags(const pp_result *text, span flags) {
  static const char *const names[] = {"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
  buffer out = {0};
  bool seen[2] = {false, false};
  for (uint32_t t = flags.first; t <= flags.last; t++) {
    scoped char *own = text_of_span(text, (span){t, t});
    const bool local = strcmp(own, names[0]) == 0;
    const bool global = strcmp(own, names[1]) == 0;
    seen[0] = seen[0] || local;
    seen[1] = seen[1] || global;
    buffer_printf(&out, "%s%s", t == flags.first ? "" : " ", local ? names[1] : global ? names[0] : own);
  }
  if (seen[0] == seen[1]) {
    buffer_free(&out);
    return NULL;
  }
  return buffer_take(&out);
}

static void find_flags(finder *f, const tree_node *x) {
  if (x->child_count == 0) return;
  char *exchanged = exchanged_flags(&f->u->text, x->children[0]->tokens);
  candidate *c = add_call(f, x, MUTATE_FENCE, PLACE_FLAGS);
  take_argument(c, x->children[0]);
  if (exchanged != NULL) {
    add_replacement(c, exchanged);
    free(exchanged);
  }
}

/* --- images ------------------------------------------------------------------------------------------------------- */

static uint32_t image_dimensions(const tree_node *image) {
  const char *name = image->type == NULL ? "" : image->type->name;
  return strstr(name, "image2d") != NULL ? 2 : strstr(name, "image3d") != NULL ? 3 : 0;
}

/* Coordinates of 2D array images have a layer after x and y, those of 3D images a component that is ignored. */
static char *unit_vector(const tree_node *coordinate, uint32_t component) {
  bool floating = tree_type_is_float(coordinate->type);
  buffer out = buffer_with("(%s)(", coordinate->type->name);
  for (uint32_t i = 0; i < tree_lanes(coordinate->type); i++)
    buffer_printf(&out, "%s%d%s", i == 0 ? "" : ", ", i == component, floating ? ".0f" : "");
  buffer_putc(&out, ')');
  return buffer_take(&out);
}

/* ".yx" and its like: the components in order, `a` and `b` exchanged. */
static char *swizzle(uint32_t components, uint32_t a, uint32_t b) {
  buffer out = {0};
  buffer_putc(&out, '.');
  for (uint32_t i = 0; i < components; i++) buffer_putc(&out, "xyzw"[i == a ? b : i == b ? a : i]);
  return buffer_take(&out);
}

static void add_coordinate(candidate *c, const char *argument, char *key, char *behind) {
  char *shown = text_of("(%s)%s", argument, behind);
  add_alternative(c, key, behind, shown, mem_strdup(key));
}

static void add_moves(candidate *c, const tree_node *coordinate, const char *argument, char sign) {
  for (uint32_t i = 0; i < c->place.dimensions; i++) {
    scoped char *one = unit_vector(coordinate, i);
    add_coordinate(c, argument, text_of("%c %c 1", "xyz"[i], sign), text_of(" %c %s", sign, one));
  }
}

static void add_exchanges(candidate *c, const tree_node *coordinate, const char *argument) {
  for (uint32_t a = 0; a < c->place.dimensions; a++) {
    for (uint32_t b = a + 1; b < c->place.dimensions; b++) {
      add_coordinate(c, argument, text_of("%c and %c exchanged", "xyz"[a], "xyz"[b]),
                     swizzle(tree_lanes(coordinate->type), a, b));
    }
  }
}

static void find_image(finder *f, const tree_node *x) {
  const uint32_t at = x->child_count > 1 && is_sampler(x->children[1]) ? 2 : 1;
  const uint32_t dimensions = x->child_count <= at ? 0 : image_dimensions(x->children[0]);
  const tree_node *coordinate = dimensions == 0 ? NULL : x->children[at];
  if (coordinate == NULL || !is_number(coordinate->type) || tree_lanes(coordinate->type) < dimensions ||
      tree_lanes(coordinate->type) > 4)
    return;
  candidate *c = add_call(f, x, MUTATE_IMAGE, PLACE_IMAGE);
  take_argument(c, coordinate);
  c->place.dimensions = dimensions;
  scoped char *argument = argument_text(f, coordinate->tokens);
  add_moves(c, coordinate, argument, '+');
  add_moves(c, coordinate, argument, '-');
  add_exchanges(c, coordinate, argument);
}

/* --- work-item functions ------------------------------------------------------------------------------------------ */

/* A call of a work-item function: for the schema with the argument's tokens, for a person as the user wrote it. */
typedef struct index_call {
  candidate *c;
  const char *callee;
  char *tokens, *written;
  unsigned sum; /* parentheses that a sum in its place needs */
} index_call;

static void add_value(const index_call *asked, const char *key, const char *callee, const char *behind) {
  bool alone = behind[0] == '\0';
  add_alternative(asked->c, mem_strdup(key), text_of(alone ? "%s(%s)%s" : "(%s(%s)%s)", callee, asked->tokens, behind),
                  text_of("%s(%s)%s", callee, asked->written, behind), NULL);
  asked->c->items[asked->c->count - 1].parentheses = alone ? 0 : asked->sum;
}

/* The argument of another dimension, `step` further on: 0, 1, 2 in a ring. */
static char *other_dimension(const char *argument, unsigned step) {
  static const char *const dimensions[] = {"0", "1", "2"};
  for (unsigned d = 0; d < 3; d++)
    if (strcmp(argument, dimensions[d]) == 0) return mem_strdup(dimensions[(d + step) % 3]);
  return text_of("((%s) + %u) %% 3", argument, step);
}

static void add_dimension(const index_call *asked, unsigned step) {
  scoped char *tokens = other_dimension(asked->tokens, step);
  scoped char *written = other_dimension(asked->written, step);
  add_alternative(asked->c, text_of("dimension + %u", step), text_of("%s(%s)", asked->callee, tokens),
                  text_of("%s(%s)", asked->callee, written), NULL);
}

static void find_index(finder *f, const tree_node *x) {
  if (x->child_count != 1 || name_number(work_item_functions, COUNT(work_item_functions), x->symbol->name) < 0) return;
  span argument = x->children[0]->tokens;
  candidate *c = add_call(f, x, MUTATE_INDEX, PLACE_INDEX);
  c->place.right = argument;
  c->place.right_type = x->children[0]->type;
  const char *callee = x->symbol->name;
  index_call asked = {c, callee, text_of_span(&f->u->text, argument), argument_text(f, argument),
                      parentheses_for_sum(x)};
  for (size_t i = 0; i < COUNT(work_item_functions); i++)
    if (strcmp(work_item_functions[i], callee) != 0)
      add_value(&asked, work_item_functions[i], work_item_functions[i], "");
  add_dimension(&asked, 1);
  add_dimension(&asked, 2);
  add_value(&asked, "+ 1", callee, " + 1");
  add_value(&asked, "- 1", callee, " - 1");
  free(asked.tokens);
  free(asked.written);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

bool is_fixed(const tree_node *x) {
  const tree_builtin *b = x->parent->kind == TREE_CALL ? x->parent->builtin : NULL;
  const bool flags = b != NULL && (b->kind == TREE_BARRIER || b->kind == TREE_FENCE);
  return flags || (x->parent->kind == TREE_CALL && is_sampler(x));
}

void find_call(finder *f, const tree_node *x) {
  if (x->builtin == NULL || !tree_is_written(&f->u->text, x)) return;
  switch (x->builtin->kind) {
    case TREE_BARRIER:
      add_replacement(add_call(f, x, MUTATE_BARRIER, PLACE_BARRIER), "");
      find_flags(f, x);
      break;
    case TREE_FENCE:
      find_flags(f, x);
      add_replacement(add_call(f, x, MUTATE_FENCE, PLACE_FENCE), "");
      break;
    case TREE_IMAGE_READ:
    case TREE_IMAGE_WRITE: find_image(f, x); break;
    case TREE_WORK_ITEM: find_index(f, x); break;
    default: find_atomic(f, x); break;
  }
}
