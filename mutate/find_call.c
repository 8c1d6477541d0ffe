/* Mutants of calls of OpenCL's built-in functions: barriers, fences, images, work-item functions. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "frontend/edits.h"
#include "mutate/find.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

candidate *add_call(finder *f, const tree_node *x, mutate_operator op, place_kind kind) {
  candidate *c = add_candidate(f, op, kind, x->token, x->tokens);
  c->replaced = x->tokens;
  c->place.type = x->type;
  return c;
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
    char *own = text_of_span(text, (span){t, t});
    const bool local = strcmp(own, names[0]) == 0;
    const bool global = strcmp(own, names[1]) == 0;
    seen[0] = seen[0] || local;
    seen[1] = seen[1] || global;
    buffer_printf(&out, "%s%s", t == flags.first ? "" : " ", local ? names[1] : global ? names[0] : own);
    free(own);
  }
  if (seen[0] == seen[1]) {
    buffer_free(&out);
    return NULL;
  }
  return buffer_take(&out);
}

static void find_flags(finder *f, const tree_node *x) {
  if (x->child_count == 0) {
    return;
  }
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
  buffer out = {0};
  buffer_printf(&out, "(%s)(", coordinate->type->name);
  for (uint32_t i = 0; i < tree_lanes(coordinate->type); i++) {
    buffer_printf(&out, "%s%d%s", i == 0 ? "" : ", ", i == component, floating ? ".0f" : "");
  }
  buffer_putc(&out, ')');
  return buffer_take(&out);
}

/* ".yx" and its like: the components in order, `a` and `b` exchanged. */
static char *swizzle(uint32_t components, uint32_t a, uint32_t b) {
  buffer out = {0};
  buffer_putc(&out, '.');
  for (uint32_t i = 0; i < components; i++) {
    buffer_putc(&out, "xyzw"[i == a ? b : i == b ? a : i]);
  }
  return buffer_take(&out);
}

static void add_coordinate(candidate *c, const char *argument, char *key, char *behind) {
  char *shown = text_of("(%s)%s", argument, behind);
  add_alternative(c, key, behind, shown, mem_strdup(key));
}

static void add_moves(candidate *c, const tree_node *coordinate, const char *argument, char sign) {
  for (uint32_t i = 0; i < c->place.dimensions; i++) {
    char *one = unit_vector(coordinate, i);
    add_coordinate(c, argument, text_of("%c %c 1", "xyz"[i], sign), text_of(" %c %s", sign, one));
    free(one);
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
      tree_lanes(coordinate->type) > 4) {
    return;
  }
  candidate *c = add_call(f, x, MUTATE_IMAGE, PLACE_IMAGE);
  take_argument(c, coordinate);
  c->place.dimensions = dimensions;
  char *argument = argument_text(f, coordinate->tokens);
  add_moves(c, coordinate, argument, '+');
  add_moves(c, coordinate, argument, '-');
  add_exchanges(c, coordinate, argument);
  free(argument);
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
  for (unsigned d = 0; d < 3; d++) {
    if (strcmp(argument, dimensions[d]) == 0) {
      return mem_strdup(dimensions[(d + step) % 3]);
    }
  }
  return text_of("((%s) + %u) %% 3", argument, step);
}

static void add_dimension(const index_call *asked, unsigned step) {
  char *tokens = other_dimension(asked->tokens, step);
  char *written = other_dimension(asked->written, step);
  add_alternative(asked->c, text_of("dimension + %u", step), text_of("%s(%s)", asked->callee, tokens),
                  text_of("%s(%s)", asked->callee, written), NULL);
  free(tokens);
  free(written);
}

static void find_index(finder *f, const tree_node *x) {
  if (x->child_count != 1 || name_number(work_item_functions, COUNT(work_item_functions), x->symbol->name) < 0) {
    return;
  }
  span argument = x->children[0]->tokens;
  candidate *c = add_call(f, x, MUTATE_INDEX, PLACE_INDEX);
  c->place.right = argument;
  c->place.right_type = x->children[0]->type;
  const char *callee = x->symbol->name;
  index_call asked = {c, callee, text_of_span(&f->u->text, argument), argument_text(f, argument),
                      parentheses_for_sum(x)};
  for (size_t i = 0; i < COUNT(work_item_functions); i++) {
    if (strcmp(work_item_functions[i], callee) != 0) {
      add_value(&asked, work_item_functions[i], work_item_functions[i], "");
    }
  }
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
  if (x->builtin == NULL || !tree_is_written(&f->u->text, x)) {
    return;
  }
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
    case TREE_IMAGE_WRITE:
      find_image(f, x);
      break;
    case TREE_WORK_ITEM:
      find_index(f, x);
      break;
    default:
      find_atomic(f, x);
      break;
  }
}
