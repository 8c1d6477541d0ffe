/* Mutants inside expressions and loops as the schema has them: operators become calls of typed functions, operands stay
 * where they are, each iteration burns fuel. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"
#include "frontend/facts/launch.h"
#include "mutate/schema.h"

/* ---- functions that switch an operator ---- */

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

/* A type as OpenCL C spells it: "float4", "__global int *". Lent. */
static const char *spelled(typed_functions *set, const tree_type *type) {
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
  buffer text = buffer_with("%s a, %s b) {\n  const int bad = %s(b == (%s)(0))", name, name,
                            is_vector(type) ? "any(" : "(", name);
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

/* (T a, T b), for shifts (T a, R b); of an assignment the other way round, for its right side is evaluated first.
 * `type` NULL: of pointers, as numbers. */
static const char *binary(typed_functions *set, const pp_result *text, const place *p, const tree_type *type,
                          const char *result) {
  const char *operand = type == NULL ? "ulong" : spelled(set, type);
  bool assigns = p->kind == PLACE_ASSIGN;
  char *own = token_spelling(text, p->token);
  own = assigns ? without_assignment(own) : own;
  bool shift = strcmp(own, "<<") == 0 || strcmp(own, ">>") == 0;
  const char *right = shift && p->right_type != NULL ? spelled(set, p->right_type) : operand;
  buffer body = buffer_with(assigns ? "uint k, %s b, %s a) {\n" : "uint k, %s a, %s b) {\n", assigns ? right : operand,
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
  scoped char *first = text_of("%s%s", assigns ? "assign_" : "", operator_name(own));
  char *base = function_base(first, operand, shift ? right : NULL);
  free(own);
  return require_function(set, result, base, &body);
}

/* (T a): the operator deleted. */
static const char *unary(typed_functions *set, const pp_result *text, const place *p, const char *type) {
  char *own = token_spelling(text, p->token);
  buffer body = buffer_with("uint k, %s a) {\n  if (k == 0u) {\n    return a;\n  }\n  return %sa;\n}", type, own);
  const char *name = strcmp(own, "-") == 0 ? "minus" : strcmp(own, "!") == 0 ? "negation" : "complement";
  free(own);
  return require_function(set, type, function_base(name, type, NULL), &body);
}

/* (T a): other values: the replacements, each after `before`. */
static const char *choice(typed_functions *set, const place *p, const char *name, const char *type,
                          const char *before) {
  buffer body = buffer_with("uint k, %s a) {\n", type);
  for (uint32_t i = 0; i < p->count; i++)
    buffer_printf(&body, "  if (k == %uu) {\n    return %s%s;\n  }\n", (unsigned)i, before, p->replacements[i]);
  buffer_puts(&body, "  return a;\n}");
  return require_function(set, type, function_base(name, strcmp(type, "size_t") == 0 ? NULL : type, NULL), &body);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static const char *index_function(typed_functions *set, const pp_result *text, const place *p) {
  scoped char *own = token_spelling(text, p->token);
  return choice(set, p, own, "size_t", "");
}

/* (object[, operands][, memory orders[, scope]]): what the user's call gives. Lent. */
static const char *atomic_function(typed_functions *set, const pp_result *text, const place *p);

/* The function that gives `place`'s value from its operands: see there for its parameters. Lent. */
static const char *function_of_place(typed_functions *set, const pp_result *text, const place *p) {
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

/* +1 and -1 exchanged, as an int without parameters; the integer or its negative, of type long. Lent. */
static const char *step_function(typed_functions *set, bool up) {
  buffer body = buffer_with("uint k) { return k == 0u ? %s; }", up ? "-1 : 1" : "1 : -1");
  return require_function(set, "int", function_base(up ? "up" : "down", NULL, NULL), &body);
}

static const char *sign_function(typed_functions *set) {
  buffer body = {0};
  buffer_puts(&body, "uint k, long a) { return k == 0u ? -a : a; }");
  return require_function(set, "long", function_base("sign", NULL, NULL), &body);
}

/* The functions that switch atomic updates: the user's own call, or the same update by plain reads and writes, between
 * which other work-items may come. */

/* A call in the making. */
typedef struct atomic_call {
  const place *place;
  const atomic_update *update;
  typed_functions *set;
  const tree_type *value;   /* type of the value */
  const char *type;         /* its name */
  char *pointer;            /* type of the object's pointer p */
  char *object;             /* "*p", or with p converted to a pointer to the plain type */
  buffer parameters, names; /* after the object: ", int b", ", b" */
} atomic_call;

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
  scoped_buffer qualifiers = {0};
  tree_put_qualifiers(object, &qualifiers);
  const char *name = strncmp(own, "atomic_flag", 11) == 0 ? "flag" : c->type;
  c->pointer = text_of("%satomic_%s *", buffer_text(&qualifiers), name);
  c->object = text_of("*(%s%s%s *)p", object->is_volatile ? "" : "volatile ", buffer_text(&qualifiers), c->type);
}

static void add_parameter(atomic_call *c, const char *type, char name) {
  buffer_printf(&c->parameters, ", %s %c", type, name);
  buffer_printf(&c->names, ", %c", name);
}

/* The operands; after those, of …_explicit, memory orders (two for an exchange that compares) and the scope. */
static void add_parameters(atomic_call *c) {
  const char *operands = c->update->operands;
  for (const char *name = operands; *name != '\0'; name++)
    add_parameter(c, *name == 'e' ? spelled(c->set, c->place->right_type) : c->type, *name);
  size_t orders = strchr(operands, 'e') == NULL ? 1 : 2;
  size_t more = c->place->arguments - strlen(operands);
  for (size_t i = 0; i < more; i++) add_parameter(c, i < orders ? "memory_order" : "memory_scope", "xyz"[i]);
}

static void put_comparison(const atomic_call *c, buffer *body) {
  if (strcmp(c->update->name, "cmpxchg") == 0) {
    buffer_printf(body, "    if (a == b) {\n      %s = c;\n    }\n    return a;\n", c->object);
    return;
  }
  const char *bits = c->value->kind != TREE_TYPE_FLOAT ? "" : c->value->size == 4 ? "as_int" : "as_long";
  buffer_printf(body, "    if (%s(a) == %s(*e)) {\n      %s = c;\n      return true;\n    }\n", bits, bits, c->object);
  buffer_puts(body, "    *e = a;\n    return false;\n");
}

static void put_plain(const atomic_call *c, buffer *body) {
  const char *value = c->update->value;
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
  atomic_call c = {.place = p, .update = atomic_update_named(p->replacements[0]), .set = set};
  set_object(&c, own);
  add_parameters(&c);
  buffer body =
      buffer_with("uint k, %s%s p%s) {\n  if (k == 0u) {\n", is_volatile, c.pointer, buffer_text(&c.parameters));
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

/* ---- places ---- */

/* The context and k for the functions of schema_place.c; also marks the place as reached. */
static char *selector(const place *p) {
  return text_of("CLTC_K(%u, %u, 0x%x)", (unsigned)p->first + 1, (unsigned)p->number / 32, 1u << (p->number % 32));
}

/* "CLTC_AT(word, bit) " of a place, to be freed. */
static char *mark_of(const place *p) {
  return text_of("CLTC_AT(%u, 0x%x) ", (unsigned)p->number / 32, 1u << (p->number % 32));
}

static char *copy_of(span tokens) {
  uint32_t length = tokens.last - tokens.first + 1;
  return text_of(EDIT_COPY, (unsigned)tokens.first, (unsigned)tokens.last, (unsigned)(length * LAYERS + LAYERS - 1));
}

/* Vectors take scalar operands, which functions would refuse; pointers are compared as numbers. */
static char *cast_to(const schema_writer *w, const tree_type *type) {
  return is_vector(type) ? text_of("(%s)(", spelled(w->functions, type)) : text_of("%s", "");
}
static const char *cast_end(const tree_type *type) { return is_vector(type) ? ")" : ""; }

static bool is_shift(const place *p) { return p->symbol == OP_SHIFT_LEFT || p->symbol == OP_SHIFT_RIGHT; }

/* left OP right -> function(k, left, right) */
static void edit_binary(const schema_writer *w, const place *p) {
  const tree_type *type = p->kind == PLACE_COMPARE ? p->left_type : p->type;
  const tree_type *right_type = is_shift(p) && p->right_type != NULL ? p->right_type : type;
  span both = {p->left.first, p->right.last};
  scoped char *k = selector(p);
  scoped char *left = cast_to(w, type);
  scoped char *right = cast_to(w, right_type);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE,
      text_of("%s(%s, %s", function_of_place(w->functions, &w->u->text, p), k, left));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of("%s, %s", cast_end(type), right));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("%s)", cast_end(right_type)));
}

static void edit_pointer_compare(const schema_writer *w, const place *p) {
  span both = {p->left.first, p->right.last};
  scoped char *k = selector(p);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE,
      text_of("%s(%s, (ulong)(", function_of_place(w->functions, &w->u->text, p), k));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of("), (ulong)("));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("))"));
}

/* Puts a function around tokens: its last parameter. */
static void edit_around(const schema_writer *w, const place *p, span tokens, const char *name) {
  scoped char *k = selector(p);
  put(w, tokens.first, EDIT_BEFORE, tokens, LAYER_PLACE, text_of("%s(%s, ", name, k));
  put(w, tokens.last, EDIT_AFTER, tokens, LAYER_PLACE, text_of(")"));
}

/* a && b is a ? b : 0, and a || b is a ? 1 : b; with a negated by the mutant, so is the constant. */
static void edit_logical(const schema_writer *w, const place *p) {
  span both = {p->left.first, p->right.last};
  const char *is = p->symbol == OP_LOGICAL_AND ? "CLTC_IS" : "CLTC_IS_NOT";
  scoped char *mark = mark_of(p);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE, text_of("(%s((", mark));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of(") != 0) != %s(%u) ? (", is, (unsigned)p->first + 1));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of(") != 0 : %s(%u))", is, (unsigned)p->first + 1));
}

/* Types whose value `!` hands on when it is deleted; of others only the truth counts. */
static bool fits_int(const tree_type *t) {
  const bool number = t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL);
  return number && (t->size < 4 || (t->size == 4 && !t->is_unsigned));
}

static void edit_prefix(const schema_writer *w, const place *p) {
  span all = {p->token, p->right.last};
  if (p->kind == PLACE_NOT && !fits_int(p->right_type)) {
    scoped char *mark = mark_of(p);
    put(w, p->token, EDIT_REPLACE, all, LAYER_PLACE, text_of("(%s((", mark));
    put(w, all.last, EDIT_AFTER, all, LAYER_PLACE, text_of(") != 0) == CLTC_IS(%u))", (unsigned)p->first + 1));
    return;
  }
  scoped char *k = selector(p);
  put(w, p->token, EDIT_REPLACE, all, LAYER_PLACE,
      text_of("%s(%s, ", function_of_place(w->functions, &w->u->text, p), k));
  put(w, all.last, EDIT_AFTER, all, LAYER_PLACE, text_of(")"));
}

/* --- ++ and -- ---------------------------------------------------------------------------------------------------- */

/* The old value of `v++` is the new one with the step taken away again: of integers and pointers. */
static void edit_postfix(const schema_writer *w, const place *p, const char *step) {
  if (!p->used) {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("("));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s)", step));
  } else if (p->left_type->kind == TREE_TYPE_POINTER) {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("(("));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s) - %s)", step, step));
  } else {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("((%s)((", spelled(w->functions, p->left_type)));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s) - %s))", step, step));
  }
}

/* A step of `int` and `long` is one without sign, so that the sum wraps around. */
static char *step_of(const schema_writer *w, const place *p) {
  const tree_type *t = p->left_type;
  const char *name = step_function(w->functions, p->symbol == OP_ADD);
  const bool is_signed = t->kind == TREE_TYPE_INTEGER && !t->is_unsigned;
  scoped char *k = selector(p);
  return is_vector(t)                ? text_of("(%s)(%s(%s))", spelled(w->functions, t), name, k)
         : is_signed && t->size == 4 ? text_of("(uint)%s(%s)", name, k)
         : is_signed && t->size == 8 ? text_of("(ulong)%s(%s)", name, k)
                                     : text_of("%s(%s)", name, k);
}

static void edit_increment(const schema_writer *w, const place *p) {
  scoped char *step = step_of(w, p);
  if (p->postfix) {
    edit_postfix(w, p, step);
  } else {
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of("("));
    put(w, p->left.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(" += %s)", step));
  }
}

/* left OP= right -> left = function(k, right, left) */
static void edit_assign(const schema_writer *w, const place *p) {
  if (p->left_type->kind == TREE_TYPE_POINTER) {
    edit_around(w, p, p->right, sign_function(w->functions));
    return;
  }
  const tree_type *right_type = is_shift(p) && p->right_type != NULL ? p->right_type : p->type;
  span both = {p->left.first, p->right.last};
  scoped char *k = selector(p);
  scoped char *copy = copy_of(p->left);
  scoped char *right = cast_to(w, right_type);
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE,
      text_of("= %s(%s, %s", function_of_place(w->functions, &w->u->text, p), k, right));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("%s, %s)", cast_end(right_type), copy));
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static void edit_atomic(const schema_writer *w, const place *p) {
  scoped char *k = selector(p);
  put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of("%s", function_of_place(w->functions, &w->u->text, p)));
  put(w, p->token + 1, EDIT_AFTER, p->whole, LAYER_PLACE, text_of("%s, ", k));
}

/* Another argument than a number may name the user's variables, so the choice is made on the spot. */
static void edit_index(const schema_writer *w, const place *p) {
  bool number = p->right.first == p->right.last && w->u->text.tokens[p->right.first].kind == PP_NUMBER;
  if (number) {
    edit_around(w, p, p->whole, function_of_place(w->functions, &w->u->text, p));
    return;
  }
  scoped char *mark = mark_of(p);
  buffer choices = buffer_with("(%s", mark);
  for (uint32_t i = 0; i < p->count; i++) {
    scoped char *value = with_calls(w, p->replacements[i]);
    buffer_printf(&choices, "CLTC_IS(%u) ? %s : ", (unsigned)(p->first + 1 + i), value);
  }
  put(w, p->whole.first, EDIT_BEFORE, p->whole, LAYER_PLACE, buffer_take(&choices));
  put(w, p->whole.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(")"));
}

/* Nothing is switched; only reached or not. */
static void edit_marked(const schema_writer *w, const place *p) {
  scoped char *mark = mark_of(p);
  put(w, p->whole.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("(%s", mark));
  put(w, p->whole.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(")"));
}

/* In a clone the mutant's text stands there for good. */
static void edit_cloned(schema_writer *w, const place *p) {
  edit_marked(w, p);
  uint32_t here = mutant_here(w, p);
  if (here == NONE) return;
  const char *text = p->replacements[here];
  if (p->kind == PLACE_TEXT)
    replace_span(w, p->whole, with_calls(w, text));
  else if (p->kind == PLACE_FLAGS && *text != '\0')
    replace_span(w, p->right, text_of("%s", text));
  else
    replace_span(w, p->whole, text_of("((void)0)"));
}

static void edit_fixed(schema_writer *w, const place *p) {
  const uint32_t here = mutant_here(w, p);
  if (here != NONE) replace_span(w, p->whole, text_of("%s", p->replacements[here]));
}

void edit_place(schema_writer *w, const place *p) {
  switch (p->kind) {
    case PLACE_BINARY:
    case PLACE_COMPARE: edit_binary(w, p); break;
    case PLACE_POINTER_STEP: edit_around(w, p, p->right, sign_function(w->functions)); break;
    case PLACE_POINTER_COMPARE: edit_pointer_compare(w, p); break;
    case PLACE_LOGICAL: edit_logical(w, p); break;
    case PLACE_NOT:
    case PLACE_UNARY: edit_prefix(w, p); break;
    case PLACE_INCREMENT: edit_increment(w, p); break;
    case PLACE_ASSIGN: edit_assign(w, p); break;
    case PLACE_IMAGE: edit_around(w, p, p->right, function_of_place(w->functions, &w->u->text, p)); break;
    case PLACE_INDEX: edit_index(w, p); break;
    case PLACE_LITERAL: edit_around(w, p, p->whole, function_of_place(w->functions, &w->u->text, p)); break;
    case PLACE_ATOMIC: edit_atomic(w, p); break;
    case PLACE_FIXED: edit_fixed(w, p); break;
    case PLACE_LOOP: break;
    default: edit_cloned(w, p); break;
  }
}

/* Loops: every turn burns fuel; and, in clones, the mutants of a loop. */

typedef enum loop_mutant { LOOP_ORIGINAL, LOOP_SKIP, LOOP_LESS, LOOP_MORE } loop_mutant;

static const struct {
  const char *replacement;
  loop_mutant mutant;
} loop_mutants[] = {{"skip", LOOP_SKIP}, {"n-1", LOOP_LESS}, {"n+1", LOOP_MORE}};

/* A loop and what names of ours for it end in. */
typedef struct looped {
  const tree_node *node;
  span condition;
  unsigned number;
} looped;

static const place *place_of_loop(const schema_writer *w, const tree_node *loop) {
  for (size_t i = 0; i < w->places->count; i++) {
    const place *p = &w->places->items[i];
    if (p->kind == PLACE_LOOP && p->function == w->index && p->loop == loop) return p;
  }
  return NULL;
}

static loop_mutant mutant_of_loop(const schema_writer *w, const place *p) {
  uint32_t here = p == NULL ? NONE : mutant_here(w, p);
  for (size_t i = 0; i < sizeof loop_mutants / sizeof loop_mutants[0] && here != NONE; i++)
    if (strcmp(p->replacements[here], loop_mutants[i].replacement) == 0) return loop_mutants[i].mutant;
  return LOOP_ORIGINAL;
}

/* --- looking ahead ----------------------------------------------------------------------------------------------- */

/* The tokens again, without what is around them. */
static void append_copy(span tokens, buffer *out) {
  uint32_t length = tokens.last - tokens.first + 1;
  buffer_printf(out, EDIT_COPY, (unsigned)tokens.first, (unsigned)tokens.last,
                (unsigned)(length * LAYERS + LAYER_TURN - 1));
}

/* An expression that says whether there is another turn, and leaves everything as it was. Declares what it needs. */
static void append_look_ahead(const looped *loop, const look_ahead *l, buffer *out) {
  for (size_t i = 0; i < l->count; i++) {
    buffer_printf(out, "cltc_s%u_%zu = ", loop->number, i);
    buffer_printf(out, "%s, ", l->variables[i]->name);
  }
  if (!span_empty(l->step)) {
    buffer_puts(out, "(");
    append_copy(l->step, out);
    buffer_puts(out, "), ");
  }
  buffer_printf(out, "cltc_x%u = (uint)((", loop->number);
  append_copy(loop->condition, out);
  buffer_puts(out, ") != 0)");
  for (size_t i = 0; i < l->count; i++)
    buffer_printf(out, ", %s = cltc_s%u_%zu", l->variables[i]->name, loop->number, i);
  buffer_printf(out, ", cltc_x%u != 0u", loop->number);
}

static char *make_look_ahead(schema_writer *w, const looped *loop) {
  look_ahead l;
  buffer text = {0};
  if (find_look_ahead(&w->f->statements, loop->node, &l)) {
    append_look_ahead(loop, &l, &text);
    for (size_t i = 0; i < l.count; i++)
      buffer_printf(&w->locals, " %s cltc_s%u_%zu;", l.variables[i]->type_text, loop->number, i);
  } else {
    buffer_puts(&text, "1");
  }
  look_ahead_free(&l);
  return buffer_take(&text);
}

/* --- conditions -------------------------------------------------------------------------------------------------- */

static void wrap_statement(const schema_writer *w, const looped *loop, char *before, char *behind) {
  edit_add(w->edits, statement_tokens(loop->node).first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, before);
  edit_add(w->edits, loop->node->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, behind);
}

static void wrap_condition(const schema_writer *w, const looped *loop, char *before, char *behind) {
  put(w, loop->condition.first, EDIT_BEFORE, loop->condition, LAYER_TURN, before);
  put(w, loop->condition.last, EDIT_AFTER, loop->condition, LAYER_TURN, behind);
}

/* When the condition is false the loop has one more turn, after which it is not asked. */
static void edit_more(schema_writer *w, const looped *loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", loop->number);
  wrap_statement(w, loop, text_of("{ cltc_x%u = 0u; ", loop->number), text_of(" }"));
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, cltc_x%u != 0u ? 0 : (", mark, loop->number),
                 text_of(") != 0 ? 1 : (int)(cltc_x%u = 1u)))", loop->number));
}

/* A turn that would be the last one is left out. */
static void edit_less(schema_writer *w, const looped *loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", loop->number);
  scoped char *ahead = make_look_ahead(w, loop);
  if (loop->node->kind == TREE_DO) wrap_statement(w, loop, text_of("{ if (%s) { ", ahead), text_of(" } }"));
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, (", mark), text_of(") != 0 && (%s)))", ahead));
}

static void edit_original(const schema_writer *w, const looped *loop, const place *p, const char *mark) {
  if (loop->node->kind == TREE_DO && p != NULL) {
    wrap_statement(w, loop, text_of("{ CLTC_MARK(%u, 0x%x) ", (unsigned)p->number / 32, 1u << (p->number % 32)),
                   text_of(" }"));
  }
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, (", loop->node->kind == TREE_DO ? "" : mark),
                 text_of(") != 0))"));
}

static void edit_loop(schema_writer *w, const tree_node *n, uint32_t number) {
  const looped own = {.node = n, .condition = statement_condition(n), .number = number};
  const place *p = place_of_loop(w, n);
  scoped char *mark = p == NULL ? text_of("%s", "") : mark_of(p);
  loop_mutant here = mutant_of_loop(w, p);
  if (span_empty(own.condition)) { /* for (;;) */
    const uint32_t second = n->parts->ends[1];
    put(w, second, EDIT_BEFORE, (span){second, second}, LAYER_TURN,
        here == LOOP_SKIP ? text_of(" 0") : text_of(" (%scltc_turn(cltc, 1))", mark));
  } else if (here == LOOP_SKIP) {
    if (own.node->kind == TREE_DO) wrap_statement(w, &own, text_of("{ if (0) { "), text_of(" } }"));
    wrap_condition(w, &own, text_of("(0 && ("), text_of("))"));
  } else if (here == LOOP_MORE) {
    edit_more(w, &own, mark);
  } else if (here == LOOP_LESS) {
    edit_less(w, &own, mark);
  } else {
    edit_original(w, &own, p, mark);
  }
}

/* A jump back makes a loop of its own. */
static void edit_goto(const schema_writer *w, const tree_node *jump) {
  const tree_node *target = goto_target(jump);
  if (target != NULL && statement_begin(target) < statement_begin(jump)) {
    edit_add(w->edits, statement_begin(jump), EDIT_BEFORE, UINT32_MAX, EDIT_BOTH,
             text_of("{ if (cltc_turn(cltc, 1)) "));
    edit_add(w->edits, jump->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
  }
}

void edit_loops(schema_writer *w) {
  for (uint32_t s = 0; s < w->f->statements.count; s++) {
    const tree_node *n = w->f->statements.items[s];
    if (tree_is_loop(n->kind))
      edit_loop(w, n, s);
    else if (n->kind == TREE_GOTO)
      edit_goto(w, n);
  }
}
