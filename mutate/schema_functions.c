/* The functions that switch operators. All take the context and a number k: 0 for the first replacement, 1 for the
 * next, any larger one for the user's own operator; then the operands, which the caller thus writes and evaluates once.
 * In a clone k is a constant and compilers fold them to the one operator. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"
#include "mutate/schema.h"

static const struct {
  const char *symbol, *name;
} operators[] = {{"+", "add"}, {"-", "sub"}, {"*", "mul"},  {"/", "div"},  {"%", "rem"}, {"&", "and"},
                 {"|", "or"},  {"^", "xor"}, {"<<", "shl"}, {">>", "shr"}, {"<", "lt"},  {"<=", "le"},
                 {">", "gt"},  {">=", "ge"}, {"==", "eq"},  {"!=", "ne"},  {"~", "not"}};

/* Of signed integers, by their bytes. */
static const char *const minima[] = {
    [1] = "(-128)", [2] = "(-32768)", [4] = "(-2147483647 - 1)", [8] = "(-9223372036854775807L - 1)"};

/* --- the set ----------------------------------------------------------------------------------------------------- */

/* A function, by its base name and text (all but the name). */
typedef struct typed_function {
  char *key, *name;
  UT_hash_handle hh;
} typed_function;

/* A name that is taken, and the number of the next one that begins so. */
typedef struct typed_name {
  char *name;
  unsigned next;
  UT_hash_handle hh;
} typed_name;

/* What a type is called. */
typedef struct spelled_type {
  const tree_type *type;
  char *text;
  UT_hash_handle hh;
} spelled_type;

const char *spelled(typed_functions *set, const tree_type *type) {
  spelled_type *found = NULL;
  HASH_FIND_PTR(set->types, &type, found);
  if (found == NULL) {
    found = mem_calloc(1, sizeof *found);
    *found = (spelled_type){.type = type, .text = tree_value_text(type)};
    HASH_ADD_PTR(set->types, type, found);
  }
  return found->text;
}

/* False: it is taken. */
static bool take_name(typed_functions *set, const char *name) {
  typed_name *found = NULL;
  HASH_FIND_STR(set->names, name, found);
  if (found != NULL) return false;
  found = mem_calloc(1, sizeof *found);
  *found = (typed_name){.name = mem_strdup(name), .next = 2};
  HASH_ADD_KEYPTR(hh, set->names, found->name, strlen(found->name), found);
  return true;
}

static char *new_name(typed_functions *set, const char *base) {
  char *name = mem_strdup(base);
  while (!take_name(set, name)) {
    typed_name *first = NULL;
    HASH_FIND_STR(set->names, base, first);
    free(name);
    name = text_of("%s_%u", base, first->next++);
  }
  if (set->unit > 0) { /* before OpenCL C 1.2 nothing is static */
    char *own = text_of("%s_unit%u", name, (unsigned)set->unit);
    free(name);
    name = own;
  }
  return name;
}

/* "cltc_add_float" out of its words (NULL: none); what cannot stand in a name becomes `_`. To be freed. */
static char *function_base(const char *first, const char *second, const char *third) {
  char *base = text_of("cltc_%s%s%s%s%s", first, second == NULL ? "" : "_", second == NULL ? "" : second,
                       third == NULL ? "" : "_", third == NULL ? "" : third);
  size_t length = 0;
  for (const char *c = base; *c != '\0'; c++) {
    char kept = isalnum((unsigned char)*c) ? *c : '_';
    if (kept != '_' || length == 0 || base[length - 1] != '_') base[length++] = kept;
  }
  base[length > 0 && base[length - 1] == '_' ? length - 1 : length] = '\0';
  return base;
}

/* The function of that base name, result and text (both taken over), made if there is none yet. Lent. */
static const char *require_function(typed_functions *set, const char *result, char *base, buffer *text) {
  char *key = text_of("%s %s", base, buffer_text(text));
  typed_function *made = NULL;
  HASH_FIND_STR(set->made, key, made);
  if (made == NULL) {
    made = mem_calloc(1, sizeof *made);
    *made = (typed_function){.key = key, .name = new_name(set, base)};
    HASH_ADD_KEYPTR(hh, set->made, made->key, strlen(made->key), made);
    buffer_printf(&set->pending, "CLTC_INLINE %s %s(__private cltc_context *cltc, %s\n", result, made->name,
                  buffer_text(text));
  } else {
    free(key);
  }
  free(base);
  buffer_free(text);
  return made->name;
}

void typed_functions_free(typed_functions *set) {
  typed_function *made = NULL;
  typed_function *next = NULL;
  HASH_ITER(hh, set->made, made, next) {
    HASH_DEL(set->made, made);
    free(made->key);
    free(made->name);
    free(made);
  }
  typed_name *name = NULL;
  typed_name *other = NULL;
  HASH_ITER(hh, set->names, name, other) {
    HASH_DEL(set->names, name);
    free(name->name);
    free(name);
  }
  spelled_type *type = NULL;
  spelled_type *after = NULL;
  HASH_ITER(hh, set->types, type, after) {
    HASH_DEL(set->types, type);
    free(type->text);
    free(type);
  }
  buffer_free(&set->pending);
  *set = (typed_functions){0};
}

/* --- operators --------------------------------------------------------------------------------------------------- */

static const char *operator_name(const char *symbol) {
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (strcmp(operators[i].symbol, symbol) == 0) return operators[i].name;
  return "op";
}

/* Integer division: by zero, or of the smallest number by -1, it is recorded and gives 0. `own`: it is not one that a
 * mutation brings in. */
static const char *division(typed_functions *set, const char *symbol, const tree_type *type, bool own) {
  const tree_type *component = tree_component(type);
  const char *name = spelled(set, type);
  buffer text = {0};
  buffer_printf(&text, "%s a, %s b) {\n  const int bad = %s(b == (%s)(0))", name, name, is_vector(type) ? "any(" : "(",
                name);
  if (!component->is_unsigned)
    buffer_printf(&text, " | ((b == (%s)(-1)) & (a == (%s)%s))", name, name, minima[component->size]);
  buffer_printf(&text,
                ");\n  if (bad != 0) {\n    cltc_divided%s(cltc);\n    return (%s)(0);\n  }\n  return a %s b;\n}",
                own ? "_own" : "", name, symbol);
  return require_function(set, name, function_base(own ? "own" : "checked", operator_name(symbol), name), &text);
}

/* Signed integers wrap around, as devices have it: what a mutant computes must not depend on what a compiler makes of
 * an overflow in one form or another. */
static bool wraps(const char *symbol, const tree_type *type, const char *name) {
  static const char *const names[] = {"char", "short", "int", "long"};
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const size_t length = strlen(names[i]);
    known =
        known || (strncmp(name, names[i], length) == 0 && name[length + strspn(name + length, "0123456789")] == '\0');
  }
  return known && strlen(symbol) == 1 && strchr("+-*", symbol[0]) != NULL && !tree_component(type)->is_unsigned;
}

static void append_operation(typed_functions *set, const char *symbol, const tree_type *type, bool own, buffer *out) {
  const bool integer =
      type != NULL && tree_type_is_integer(type) && tree_component(type)->size < sizeof minima / sizeof *minima;
  if ((strcmp(symbol, "/") == 0 || strcmp(symbol, "%") == 0) && integer) {
    buffer_printf(out, "%s(cltc, a, b)", division(set, symbol, type, own));
  } else if (integer && wraps(symbol, type, spelled(set, type))) {
    const char *name = spelled(set, type);
    buffer_printf(out, "as_%s(as_u%s(a) %s as_u%s(b))", name, name, symbol, name);
  } else {
    buffer_printf(out, "a %s b", symbol);
  }
}

/* A token's characters, to be freed. */
static char *token_spelling(const pp_result *text, uint32_t token) {
  const pp_token *t = &text->tokens[token];
  return mem_strndup(text->text + t->begin, t->end - t->begin);
}

/* "+" of "+=". */
static char *without_assignment(char *symbol) {
  size_t length = strlen(symbol);
  if (length > 1 && symbol[length - 1] == '=') symbol[length - 1] = '\0';
  return symbol;
}

/* (T a, T b), for shifts (T a, R b); of an assignment the other way round, for its right side is evaluated first. `type`
 * NULL: of pointers, as numbers. */
static const char *binary(typed_functions *set, const pp_result *text, const place *p, const tree_type *type,
                          const char *result) {
  const char *operand = type == NULL ? "ulong" : spelled(set, type);
  bool assigns = p->kind == PLACE_ASSIGN;
  char *own = token_spelling(text, p->token);
  own = assigns ? without_assignment(own) : own;
  bool shift = strcmp(own, "<<") == 0 || strcmp(own, ">>") == 0;
  const char *right = shift && p->right_type != NULL ? spelled(set, p->right_type) : operand;
  buffer body = {0};
  buffer_printf(&body, assigns ? "uint k, %s b, %s a) {\n" : "uint k, %s a, %s b) {\n", assigns ? right : operand,
                assigns ? operand : right);
  for (uint32_t i = 0; i < p->count; i++) {
    char *symbol = mem_strdup(p->replacements[i]);
    symbol = assigns ? without_assignment(symbol) : symbol;
    buffer_printf(&body, "  if (k == %uu) {\n    return ", (unsigned)i);
    append_operation(set, symbol, type, false, &body);
    buffer_puts(&body, ";\n  }\n");
    free(symbol);
  }
  buffer_puts(&body, "  return ");
  append_operation(set, own, type, true, &body);
  buffer_puts(&body, ";\n}");
  char *first = text_of("%s%s", assigns ? "assign_" : "", operator_name(own));
  char *base = function_base(first, operand, shift ? right : NULL);
  free(first);
  free(own);
  return require_function(set, result, base, &body);
}

/* (T a): the operator deleted. */
static const char *unary(typed_functions *set, const pp_result *text, const place *p, const char *type) {
  char *own = token_spelling(text, p->token);
  buffer body = {0};
  buffer_printf(&body, "uint k, %s a) {\n  if (k == 0u) {\n    return a;\n  }\n  return %sa;\n}", type, own);
  const char *name = strcmp(own, "-") == 0 ? "minus" : strcmp(own, "!") == 0 ? "negation" : "complement";
  free(own);
  return require_function(set, type, function_base(name, type, NULL), &body);
}

/* (T a): other values: the replacements, each after `before`. */
static const char *choice(typed_functions *set, const place *p, const char *name, const char *type,
                          const char *before) {
  buffer body = {0};
  buffer_printf(&body, "uint k, %s a) {\n", type);
  for (uint32_t i = 0; i < p->count; i++)
    buffer_printf(&body, "  if (k == %uu) {\n    return %s%s;\n  }\n", (unsigned)i, before, p->replacements[i]);
  buffer_puts(&body, "  return a;\n}");
  return require_function(set, type, function_base(name, strcmp(type, "size_t") == 0 ? NULL : type, NULL), &body);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static const char *index_function(typed_functions *set, const pp_result *text, const place *p) {
  char *own = token_spelling(text, p->token);
  const char *name = choice(set, p, own, "size_t", "");
  free(own);
  return name;
}

/* (object[, operands][, memory orders[, scope]]): what the user's call gives. Lent. */
static const char *atomic_function(typed_functions *set, const pp_result *text, const place *p);

const char *function_of_place(typed_functions *set, const pp_result *text, const place *p) {
  switch (p->kind) {
    case PLACE_COMPARE: return binary(set, text, p, p->left_type, spelled(set, p->type));
    case PLACE_POINTER_COMPARE: return binary(set, text, p, NULL, "int");
    case PLACE_NOT: return unary(set, text, p, "int");
    case PLACE_UNARY: return unary(set, text, p, spelled(set, p->type));
    case PLACE_LITERAL: return choice(set, p, "number", spelled(set, p->type), "");
    case PLACE_IMAGE: return choice(set, p, "coordinate", spelled(set, p->right_type), "(a)");
    case PLACE_INDEX: return index_function(set, text, p);
    case PLACE_ATOMIC: return atomic_function(set, text, p);
    default: return binary(set, text, p, p->type, spelled(set, p->type));
  }
}

const char *step_function(typed_functions *set, bool up) {
  buffer body = {0};
  buffer_printf(&body, "uint k) { return k == 0u ? %s; }", up ? "-1 : 1" : "1 : -1");
  return require_function(set, "int", function_base(up ? "up" : "down", NULL, NULL), &body);
}

const char *sign_function(typed_functions *set) {
  buffer body = {0};
  buffer_puts(&body, "uint k, long a) { return k == 0u ? -a : a; }");
  return require_function(set, "long", function_base("sign", NULL, NULL), &body);
}

/* The functions that switch atomic updates: the user's own call, or the same update by plain reads and writes, between
 * which other work-items may come. */

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
  while (strcmp(updates[i].update, p->replacements[0]) != 0) i++;
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
  for (const char *name = operands; *name != '\0'; name++)
    add_parameter(c, *name == 'e' ? spelled(c->set, c->place->right_type) : c->type, *name);
  size_t orders = strchr(operands, 'e') == NULL ? 1 : 2;
  size_t more = c->place->arguments - strlen(operands);
  for (size_t i = 0; i < more; i++) add_parameter(c, i < orders ? "memory_order" : "memory_scope", "xyz"[i]);
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
  if (gives) buffer_printf(body, "    const %s a = %s;\n", c->type, c->object);
  if (value == NULL)
    put_comparison(c, body);
  else
    buffer_printf(body, "    %s = %s;\n    return%s;\n", c->object, value, gives ? " a" : "");
}

static const char *atomic_function(typed_functions *set, const pp_result *text, const place *p) {
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
