/* The functions that switch atomic updates: the user's own call, or the same update by plain reads and writes, between
 * which other work-items may come. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/schema.h"

/* Of an update: its operands after the object, and the new value from the old one, `a`. */
static const struct {
  const char *update;
  const char *operands; /* names; e: a pointer to what is expected */
  const char *value;    /* NULL: it is written on a condition */
} updates[] = {
    {"add", "b", "a + b"},
    {"sub", "b", "a - b"},
    {"xchg", "b", "b"},
    {"inc", "", "a + 1"},
    {"dec", "", "a - 1"},
    {"cmpxchg", "bc", NULL},
    {"min", "b", "a < b ? a : b"},
    {"max", "b", "a > b ? a : b"},
    {"and", "b", "a & b"},
    {"or", "b", "a | b"},
    {"xor", "b", "a ^ b"},
    {"compare_exchange", "ec", NULL},
    {"store", "b", "b"},
    {"set", "", "1"},
    {"clear", "", "0"},
};

/* A call in the making. */
typedef struct atomic_call {
  const place *place;
  size_t update;
  typed_functions *set;
  const tree_type *value;   /* type of the value */
  const char *type;         /* its name */
  char *pointer;            /* type of the object's pointer p */
  char *object;             /* "*p", or with p converted to a pointer to the plain type */
  buffer parameters, names; /* after the object: ", int b", ", b" */
} atomic_call;

static size_t update_of(const place *p) {
  size_t i = 0;
  while (strcmp(updates[i].update, p->replacements[0]) != 0) {
    i++;
  }
  return i;
}

/* "__global volatile atomic_int *" of OpenCL C 2.0 is read and written as "__global volatile int *". */
static void set_object(atomic_call *c, const char *own) {
  const tree_type *object = c->place->left_type->element;
  const bool atomic = object->kind == TREE_TYPE_ATOMIC;
  c->value = atomic ? object->element : c->place->type;
  c->type = spelled(c->set, c->value);
  if (!atomic) {
    c->pointer = mem_strdup(spelled(c->set, c->place->left_type));
    c->object = text_of("*p");
    return;
  }
  buffer qualifiers = {0};
  tree_put_qualifiers(object, &qualifiers);
  const char *name = strncmp(own, "atomic_flag", 11) == 0 ? "flag" : c->type;
  c->pointer = text_of("%satomic_%s *", buffer_text(&qualifiers), name);
  c->object = text_of("*(%s%s%s *)p", object->is_volatile ? "" : "volatile ", buffer_text(&qualifiers), c->type);
  buffer_free(&qualifiers);
}

static void add_parameter(atomic_call *c, const char *type, char name) {
  buffer_printf(&c->parameters, ", %s %c", type, name);
  buffer_printf(&c->names, ", %c", name);
}

/* The operands; after those, of …_explicit, memory orders (two for an exchange that compares) and the scope. */
static void add_parameters(atomic_call *c) {
  const char *operands = updates[c->update].operands;
  for (const char *name = operands; *name != '\0'; name++) {
    add_parameter(c, *name == 'e' ? spelled(c->set, c->place->right_type) : c->type, *name);
  }
  size_t orders = strchr(operands, 'e') == NULL ? 1 : 2;
  size_t more = c->place->arguments - strlen(operands);
  for (size_t i = 0; i < more; i++) {
    add_parameter(c, i < orders ? "memory_order" : "memory_scope", "xyz"[i]);
  }
}

static void put_comparison(const atomic_call *c, buffer *body) {
  if (strcmp(updates[c->update].update, "cmpxchg") == 0) {
    buffer_printf(body, "    if (a == b) {\n      %s = c;\n    }\n    return a;\n", c->object);
    return;
  }
  const char *bits = c->value->kind != TREE_TYPE_FLOAT ? "" : c->value->size == 4 ? "as_int" : "as_long";
  buffer_printf(body, "    if (%s(a) == %s(*e)) {\n      %s = c;\n      return true;\n    }\n", bits, bits, c->object);
  buffer_puts(body, "    *e = a;\n    return false;\n");
}

static void put_plain(const atomic_call *c, buffer *body) {
  const char *value = updates[c->update].value;
  bool gives = c->place->type->kind != TREE_TYPE_VOID;
  if (gives) {
    buffer_printf(body, "    const %s a = %s;\n", c->type, c->object);
  }
  if (value == NULL) {
    put_comparison(c, body);
  } else {
    buffer_printf(body, "    %s = %s;\n    return%s;\n", c->object, value, gives ? " a" : "");
  }
}

const char *atomic_function(typed_functions *set, const pp_result *text, const place *p) {
  const char *is_volatile = p->left_type->element->is_volatile ? "" : "volatile ";
  bool gives = p->type->kind != TREE_TYPE_VOID;
  char *own = token_spelling(text, p->token);
  atomic_call c = {.place = p, .update = update_of(p), .set = set};
  set_object(&c, own);
  add_parameters(&c);
  buffer body = {0};
  buffer_printf(&body, "uint k, %s%s p%s) {\n  if (k == 0u) {\n", is_volatile, c.pointer, buffer_text(&c.parameters));
  put_plain(&c, &body);
  buffer_printf(&body, "  }\n  %s%s(p%s);\n}", gives ? "return " : "", own, buffer_text(&c.names));
  char *base = function_base(own, c.pointer, NULL);
  free(own);
  free(c.pointer);
  free(c.object);
  buffer_free(&c.parameters);
  buffer_free(&c.names);
  return require_function(set, spelled(set, p->type), base, &body);
}
