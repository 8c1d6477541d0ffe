/* Mutants of calls of OpenCL's built-in functions: barriers, fences, images, work-item functions. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const barriers[] = {"barrier", "work_group_barrier", "sub_group_barrier"};
static const char *const fences[] = {"mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence"};
static const char *const work_item_functions[] = {"get_global_id",   "get_local_id",   "get_group_id",
                                                  "get_global_size", "get_local_size", "get_num_groups"};

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

static char *copy(const char *s) { return s == NULL ? NULL : mem_strdup(s); }

char *argument_text(const finder *f, span argument) {
  source_range range;
  return range_of_argument(&f->u->text, argument, &range) ? text_of_range(&f->u->text, range)
                                                          : text_of_span(&f->u->text, argument);
}

candidate *add_call(finder *f, const front_expression *x, mutate_operator op, place_kind kind) {
  candidate *c = add_candidate(f, op, kind, x->token, x->whole);
  c->replaced = x->whole;
  c->place.type = copy(x->type.name);
  return c;
}

static void take_argument(candidate *c, const front_argument *a) {
  c->place.right = a->tokens;
  c->place.right_type = copy(a->type.name);
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
    bool local = token_is(text, t, names[0]);
    bool global = token_is(text, t, names[1]);
    seen[0] = seen[0] || local;
    seen[1] = seen[1] || global;
    char *own = text_of_span(text, (span){t, t});
    buffer_printf(&out, "%s%s", t == flags.first ? "" : " ", local ? names[1] : global ? names[0] : own);
    free(own);
  }
  if (seen[0] == seen[1]) {
    buffer_free(&out);
    return NULL;
  }
  return buffer_take(&out);
}

static void find_flags(finder *f, const front_expression *x) {
  if (x->argument_count == 0) {
    return;
  }
  *ARRAY_ADD(f->fixed, f->fixed_count, f->fixed_capacity) = (span){x->token + 1, x->whole.last};
  char *exchanged = exchanged_flags(&f->u->text, x->arguments[0].tokens);
  candidate *c = add_call(f, x, MUTATE_FENCE, PLACE_FLAGS);
  take_argument(c, &x->arguments[0]);
  if (exchanged != NULL) {
    add_replacement(c, exchanged);
    free(exchanged);
  }
}

/* --- images ------------------------------------------------------------------------------------------------------- */

static uint32_t image_dimensions(const front_argument *image) {
  const char *name = image->type.name == NULL ? "" : image->type.name;
  return strstr(name, "image2d") != NULL ? 2 : strstr(name, "image3d") != NULL ? 3 : 0;
}

/* Coordinates of 2D array images have a layer behind x and y, those of 3D images a component that is ignored. */
static char *unit_vector(const front_argument *coordinate, uint32_t component) {
  bool floating = coordinate->type.class == FRONT_FLOATING;
  buffer out = {0};
  buffer_printf(&out, "(%s)(", coordinate->type.name);
  for (uint32_t i = 0; i < coordinate->type.components; i++) {
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

static void add_moves(candidate *c, const front_argument *coordinate, const char *argument, char sign) {
  for (uint32_t i = 0; i < c->place.dimensions; i++) {
    char *one = unit_vector(coordinate, i);
    add_coordinate(c, argument, text_of("%c %c 1", "xyz"[i], sign), text_of(" %c %s", sign, one));
    free(one);
  }
}

static void add_exchanges(candidate *c, const front_argument *coordinate, const char *argument) {
  for (uint32_t a = 0; a < c->place.dimensions; a++) {
    for (uint32_t b = a + 1; b < c->place.dimensions; b++) {
      add_coordinate(c, argument, text_of("%c and %c exchanged", "xyz"[a], "xyz"[b]),
                     swizzle(coordinate->type.components, a, b));
    }
  }
}

static void find_image(finder *f, const front_expression *x) {
  bool reads = strncmp(x->callee, "read_image", 10) == 0;
  const char *second = x->argument_count < 2 || x->arguments[1].type.name == NULL ? "" : x->arguments[1].type.name;
  size_t at = reads && strstr(second, "sampler") != NULL ? 2 : 1;
  uint32_t dimensions = x->argument_count <= at ? 0 : image_dimensions(&x->arguments[0]);
  if (dimensions == 0 || x->arguments[at].type.components < dimensions || x->arguments[at].type.components > 4) {
    return;
  }
  const front_argument *coordinate = &x->arguments[at];
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

static void find_index(finder *f, const front_expression *x) {
  if (x->argument_count != 1) {
    return;
  }
  span argument = x->arguments[0].tokens;
  candidate *c = add_call(f, x, MUTATE_INDEX, PLACE_INDEX);
  c->place.right = argument;
  c->place.right_type = copy(x->arguments[0].type.name);
  index_call asked = {c, x->callee, text_of_span(&f->u->text, argument), argument_text(f, argument),
                      parentheses_for_sum(&f->u->text, x->whole)};
  for (size_t i = 0; i < COUNT(work_item_functions); i++) {
    if (strcmp(work_item_functions[i], x->callee) != 0) {
      add_value(&asked, work_item_functions[i], work_item_functions[i], "");
    }
  }
  add_dimension(&asked, 1);
  add_dimension(&asked, 2);
  add_value(&asked, "+ 1", x->callee, " + 1");
  add_value(&asked, "- 1", x->callee, " - 1");
  free(asked.tokens);
  free(asked.written);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* Whether the program has a function of its own with the name. */
static bool is_own(const finder *f, const char *name) {
  const tree_node *n = tree_next_function(f->u->tree, NULL);
  while (n != NULL && strcmp(n->symbol->name, name) != 0) {
    n = tree_next_function(f->u->tree, n);
  }
  return n != NULL;
}

/* A sampler that is written where it is used must be known when the program is compiled. */
static void note_samplers(finder *f, const front_expression *x) {
  for (size_t i = 0; i < x->argument_count; i++) {
    const char *type = x->arguments[i].type.name;
    if (type != NULL && strstr(type, "sampler_t") != NULL) {
      *ARRAY_ADD(f->fixed, f->fixed_count, f->fixed_capacity) = x->arguments[i].tokens;
    }
  }
}

void find_call(finder *f, const front_expression *x) {
  note_samplers(f, x);
  if (is_own(f, x->callee)) {
    return;
  }
  if (is_one_of(x->callee, barriers, COUNT(barriers))) {
    add_replacement(add_call(f, x, MUTATE_BARRIER, PLACE_BARRIER), "");
    find_flags(f, x);
  } else if (is_one_of(x->callee, fences, COUNT(fences))) {
    find_flags(f, x);
    add_replacement(add_call(f, x, MUTATE_FENCE, PLACE_FENCE), "");
  } else if (strncmp(x->callee, "read_image", 10) == 0 || strncmp(x->callee, "write_image", 11) == 0) {
    find_image(f, x);
  } else if (is_one_of(x->callee, work_item_functions, COUNT(work_item_functions))) {
    find_index(f, x);
  } else {
    find_atomic(f, x);
  }
}
