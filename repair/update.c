/* Updates as calls of atomic functions of OpenCL C 1.1 and later, and waits for async copies. */
#include "repair/update.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "frontend/tree.h"
#include "repair/spots.h"

/* A copy's event is a variable, an element of an array, or is given to nobody: then it gets a name. */

static bool is_call(const tree_node *n, const char *name) {
  return n->kind == TREE_CALL && n->symbol != NULL && strncmp(n->symbol->name, name, strlen(name)) == 0;
}

static const tree_node *inner(const tree_node *n) { return tree_plain((tree_node *)n); }

typedef struct copied {
  bool is_copy;
  const tree_node *object;   /* that gets the event, or */
  const tree_node *variable; /* that is declared with it; neither: nobody gets it */
} copied;

static copied read_copy(const tree_node *of) {
  copied c = {0};
  const tree_node *n = of->child_count == 1 ? of->children[0] : NULL;
  if (n == NULL) {
    return c;
  }
  if (of->kind == TREE_DECLARE && n->kind == TREE_VARIABLE && n->child_count == 1 && n->children[0] != NULL) {
    c.variable = n;
    n = n->children[0];
  } else if (of->kind == TREE_EXPRESSION && n->kind == TREE_ASSIGN && split_is_pure(n->children[0])) {
    c.object = n->children[0];
    n = n->children[1];
  } else if (of->kind != TREE_EXPRESSION) {
    return c;
  }
  c.is_copy = is_call(inner(n), "async_work_group_");
  return c;
}

bool wait_is_copy(const pp_result *text, const tree_node *of) {
  return of->parent != NULL && of->parent->kind == TREE_COMPOUND &&
         spots_plain(text, (span){of->tokens.first, of->tokens.first}) &&
         spots_plain(text, (span){of->tokens.last, of->tokens.last}) && read_copy(of).is_copy;
}

static void add_event(const pp_result *text, const tree_node *copy, buffer *out) {
  const copied c = read_copy(copy);
  if (c.variable != NULL) {
    buffer_puts(out, c.variable->symbol->name);
  } else if (c.object != NULL) {
    const pp_token *last = &text->tokens[c.object->tokens.last];
    const size_t begin = text->tokens[c.object->tokens.first].expanded.offset;
    buffer_append(out, text->files[0].text + begin, last->expanded.offset + last->spelled_length - begin);
  } else {
    char *name = split_name(text, "copied");
    buffer_puts(out, name);
    free(name);
  }
}

char *wait_text(const pp_result *text, const tree_node *copy) {
  buffer b = {0};
  buffer_puts(&b, "wait_group_events(1, &");
  add_event(text, copy, &b);
  buffer_puts(&b, ");");
  return buffer_take(&b);
}

char *wait_head(const pp_result *text, const tree_node *copy) {
  const copied c = read_copy(copy);
  if (c.variable != NULL || c.object != NULL) {
    return NULL;
  }
  buffer b = {0};
  buffer_puts(&b, "event_t ");
  add_event(text, copy, &b);
  buffer_puts(&b, " = ");
  return buffer_take(&b);
}

/* `wait_group_events(1, &event)` with the variable of the copy. */
static bool waits_for(const tree_node *n, const copied *c) {
  const tree_node *call = n->kind == TREE_EXPRESSION ? inner(n->children[0]) : n;
  const tree_symbol *event = c->variable != NULL ? c->variable->symbol : c->object != NULL ? c->object->symbol : NULL;
  if (event == NULL || !is_call(call, "wait_group_events") || call->child_count != 2 ||
      inner(call->children[0])->constant.integer != 1) {
    return false;
  }
  const tree_node *address = inner(call->children[1]);
  return address->kind == TREE_ADDRESS && inner(address->children[0])->symbol == event &&
         inner(address->children[0])->kind == TREE_NAME;
}

const tree_node *wait_behind(const pp_result *text, const tree_node *copy, const tree_node *from) {
  const copied c = read_copy(copy);
  const tree_node *block = copy->parent;
  for (uint32_t i = from->index; i < block->child_count; i++) {
    const tree_node *n = block->children[i];
    if (n != copy && waits_for(n, &c)) {
      return spots_plain(text, n->tokens) ? n : NULL;
    }
  }
  return NULL;
}

/* All that is named is declared in front of the `if`. */
static bool is_known_behind(const tree_node *of, const tree_node *around) {
  for (const tree_node *n = of; n != NULL; n = tree_next(of, n)) {
    const tree_node *scope = n->kind == TREE_NAME && n->symbol != NULL ? n->symbol->scope : NULL;
    if (scope != NULL && scope->tokens.first >= around->tokens.first && scope->tokens.last <= around->tokens.last) {
      return false;
    }
  }
  return true;
}

const tree_node *wait_if(const pp_result *text, const tree_node *of) {
  if (of->kind != TREE_EXPRESSION || !is_call(inner(of->children[0]), "wait_group_events") ||
      !spots_plain(text, of->tokens)) {
    return NULL;
  }
  const tree_node *branch = of->parent;
  const tree_node *around = branch != NULL && branch->kind == TREE_COMPOUND ? branch->parent : NULL;
  const bool fits = around != NULL && around->kind == TREE_IF && around->parent != NULL &&
                    around->parent->kind == TREE_COMPOUND &&
                    spots_plain(text, (span){around->tokens.last, around->tokens.last});
  return fits && is_known_behind(of, around) ? around : NULL;
}

bool wait_is_for(const tree_node *copy, const tree_node *of) {
  const copied c = read_copy(copy);
  return waits_for(of, &c);
}

/* --- waits for too few events ------------------------------------------------------------------------------------- */

static const tree_node *wait_call(const tree_node *of) {
  const tree_node *call = of->kind == TREE_EXPRESSION ? inner(of->children[0]) : NULL;
  return call != NULL && is_call(call, "wait_group_events") && call->child_count == 2 ? call : NULL;
}

/* `events` and `&events[0]`: the array. */
static const tree_symbol *array_of(const tree_node *n) {
  n = inner(n);
  if (n->kind == TREE_ADDRESS && inner(n->children[0])->kind == TREE_SUBSCRIPT) {
    const tree_node *element = inner(n->children[0]);
    const tree_constant *first = &inner(element->children[1])->constant;
    n = first->kind == TREE_INTEGER_CONSTANT && first->integer == 0 ? inner(element->children[0]) : n;
  }
  return n->kind == TREE_NAME && n->symbol != NULL && n->symbol->type != NULL &&
                 n->symbol->type->kind == TREE_TYPE_ARRAY
             ? n->symbol
             : NULL;
}

/* The element of the array that gets the copy's event; -1: none, or it is not known which. */
static int64_t element_of(const tree_node *copy, const tree_symbol *array) {
  const copied c = read_copy(copy);
  const tree_node *object = c.is_copy && c.object != NULL ? inner(c.object) : NULL;
  if (object == NULL || object->kind != TREE_SUBSCRIPT || inner(object->children[0])->symbol != array) {
    return -1;
  }
  const tree_constant *index = &inner(object->children[1])->constant;
  return index->kind == TREE_INTEGER_CONSTANT ? index->integer : -1;
}

const tree_node *wait_count(const tree_node *of) { return wait_call(of)->children[0]; }

unsigned wait_short(const pp_result *text, const tree_node *of) {
  enum { MOST = 64 };
  const tree_node *call = wait_call(of);
  const tree_symbol *array = call == NULL ? NULL : array_of(call->children[1]);
  if (array == NULL || of->parent == NULL || of->parent->kind != TREE_COMPOUND ||
      !spots_plain(text, call->children[0]->tokens)) {
    return 0;
  }
  const uint64_t size = array->type->count;
  const tree_constant *count = &inner(call->children[0])->constant;
  if (size == 0 || size > MOST || count->kind != TREE_INTEGER_CONSTANT || count->integer < 1 ||
      (uint64_t)count->integer >= size) {
    return 0;
  }
  bool stored[MOST] = {false};
  uint64_t events = 0;
  for (uint32_t i = 0; i < of->index; i++) {
    const int64_t element = element_of(of->parent->children[i], array);
    if (element >= 0 && (uint64_t)element < size && !stored[element]) {
      stored[element] = true;
      events++;
    }
  }
  return events == size ? (unsigned)size : 0;
}

bool wait_has(const tree_node *copy, const tree_node *of) {
  return element_of(copy, array_of(wait_call(of)->children[1])) >= 0;
}

typedef struct operation {
  tree_operator op;
  const char *function;
  bool commutes;
} operation;

static const operation operations[] = {{TREE_ADD, "atomic_add", true},
                                       {TREE_SUBTRACT, "atomic_sub", false},
                                       {TREE_AND, "atomic_and", true},
                                       {TREE_OR, "atomic_or", true},
                                       {TREE_XOR, "atomic_xor", true}};

static const struct { const char *name, *function; } choices[] = {{"min", "atomic_min"}, {"max", "atomic_max"}};

static const operation *operation_of(tree_operator op) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (operations[i].op == op) {
      return &operations[i];
    }
  }
  return NULL;
}

/* Written with the same tokens. */
static bool same_tokens(const pp_result *text, span a, span b) {
  if (a.last - a.first != b.last - b.first) {
    return false;
  }
  for (uint32_t i = 0; i <= a.last - a.first; i++) {
    const pp_token *left = &text->tokens[a.first + i], *right = &text->tokens[b.first + i];
    const size_t length = left->end - left->begin;
    if (right->end - right->begin != length ||
        memcmp(text->text + left->begin, text->text + right->begin, length) != 0) {
      return false;
    }
  }
  return true;
}

/* --- what is changed ---------------------------------------------------------------------------------------------- */

static bool is_shared(const tree_node *object) {
  return object->type != NULL && (object->type->space == TREE_SPACE_GLOBAL || object->type->space == TREE_SPACE_LOCAL);
}

/* Why no atomic function changes such an object, NULL: one does. */
static const char *refusal_of(const tree_type *type) {
  const tree_type *plain = type->plain;
  if (plain->kind == TREE_TYPE_FLOAT) {
    return "OpenCL C has no atomic functions that compute with floating-point numbers";
  }
  if (plain->kind == TREE_TYPE_VECTOR) {
    return "atomic functions take no vectors";
  }
  if (plain->kind != TREE_TYPE_INTEGER || plain->size < 4) {
    return "atomic functions take int and uint only";
  }
  return plain->size > 4 ? "atomic functions of 64 bits are an extension that many devices do not have" : NULL;
}

static const tree_type *written_type(const tree_node *value) { return tree_plain((tree_node *)value)->type; }

static void set_value(update *u, const char *function, span value, const tree_type *type) {
  u->function = function;
  u->value = value;
  u->cast = type == NULL || type->plain != u->object->type->plain;
}

/* --- x = … x … ---------------------------------------------------------------------------------------------------- */

/* `x + a - b`: the leftmost operand is x and the operator after it `+`; what is after that is the value. */
static bool take_left(const pp_result *text, update *u, const tree_node *top) {
  const tree_node *n = top;
  const bool sums = top->op == TREE_ADD || top->op == TREE_SUBTRACT;
  for (;;) {
    const tree_node *left = tree_plain(n->children[0]);
    const bool deeper = left->kind == TREE_BINARY && left->tokens.first == n->tokens.first &&
                        (left->op == top->op || (sums && (left->op == TREE_ADD || left->op == TREE_SUBTRACT)));
    if (!deeper) {
      break;
    }
    n = left;
  }
  const operation *o = operation_of(n->op);
  if (o == NULL || (n != top && !o->commutes) || !same_tokens(text, n->children[0]->tokens, u->object->tokens)) {
    return false;
  }
  set_value(u, o->function, (span){n->token + 1, top->tokens.last},
            n == top ? written_type(n->children[1]) : top->type);
  return true;
}

static bool take_binary(const pp_result *text, update *u, const tree_node *value) {
  const operation *o = operation_of(value->op);
  if (take_left(text, u, value)) {
    return true;
  }
  if (o == NULL || !o->commutes || !same_tokens(text, value->children[1]->tokens, u->object->tokens)) {
    return false;
  }
  set_value(u, o->function, value->children[0]->tokens, written_type(value->children[0]));
  return true;
}

static bool take_choice(const pp_result *text, update *u, const tree_node *call) {
  if (call->builtin == NULL || call->symbol == NULL || call->child_count != 2) {
    return false;
  }
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    for (size_t x = 0; x < 2 && strcmp(choices[i].name, call->symbol->name) == 0; x++) {
      if (same_tokens(text, call->children[x]->tokens, u->object->tokens)) {
        const tree_node *value = call->children[1 - x];
        set_value(u, choices[i].function, value->tokens, written_type(value));
        return !u->cast; /* they compare as the type of both says */
      }
    }
  }
  return false;
}

static bool take_assignment(const pp_result *text, update *u) {
  const tree_node *value = tree_plain(u->node->children[1]);
  return value->kind == TREE_BINARY ? take_binary(text, u, value)
                                    : value->kind == TREE_CALL && take_choice(text, u, value);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool is_whole_number(const tree_type *t) { return t != NULL && t->plain->kind == TREE_TYPE_INTEGER; }

static bool take_compound(update *u, const char **why) {
  const operation *o = operation_of(u->node->op);
  if (o == NULL) {
    *why = "there is no atomic function for that operator";
    return false;
  }
  const tree_node *value = u->node->children[1];
  set_value(u, o->function, value->tokens, written_type(value));
  return is_whole_number(written_type(value)) || !is_whole_number(u->object->type);
}

static bool take_step(update *u, bool used) {
  u->function = u->node->op == TREE_SUBTRACT ? "atomic_dec" : "atomic_inc";
  u->value = (span){1, 0};
  return u->node->postfix || !used;
}

static bool is_plain(const pp_result *text, uint32_t token) { return spots_plain(text, (span){token, token}); }

/* The parts can be taken over as they are written. */
static bool is_written(const pp_result *text, const update *u) {
  const span all = u->node->tokens, object = u->object->tokens;
  const bool ends = is_plain(text, all.first) && is_plain(text, all.last) && is_plain(text, object.first) &&
                    is_plain(text, object.last);
  return ends && (u->value.first > u->value.last || (is_plain(text, u->value.first) && is_plain(text, u->value.last)));
}

static bool take(const pp_result *text, update *u, bool used, const char **why) {
  u->object = u->node->children[0];
  const bool right = u->node->kind == TREE_COMPOUND_ASSIGN ? take_compound(u, why)
                     : u->node->kind == TREE_STEP          ? take_step(u, used)
                                                           : take_assignment(text, u);
  if (!right) {
    return false;
  }
  *why = refusal_of(u->object->type);
  return *why == NULL && split_is_pure(u->object) && is_written(text, u);
}

static bool changes(const tree_node *n) {
  return (n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP || n->kind == TREE_ASSIGN) &&
         is_shared(n->children[0]);
}

bool update_find(const pp_result *text, const tree_node *of, update *out, const char **why) {
  *why = NULL;
  const tree_node *whole = of->kind == TREE_EXPRESSION ? of->children[0] : NULL;
  if (whole != NULL && changes(whole)) {
    *out = (update){.node = whole};
    const bool taken = take(text, out, false, why);
    if (taken || *why != NULL || whole->kind != TREE_ASSIGN) {
      return taken;
    }
  }
  if (of->kind != TREE_EXPRESSION && of->kind != TREE_DECLARE) {
    return false;
  }
  for (const tree_node *n = of; n != NULL; n = tree_next(of, n)) {
    if (n->kind == TREE_STEP && n->postfix && changes(n)) {
      *out = (update){.node = n};
      return take(text, out, true, why);
    }
  }
  return false;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void add_tokens(const pp_result *text, span s, buffer *out) {
  const char *source = text->files[0].text;
  const pp_token *last = &text->tokens[s.last];
  const size_t begin = text->tokens[s.first].expanded.offset;
  buffer_append(out, source + begin, last->expanded.offset + last->spelled_length - begin);
}

/* `a[i]` to `&a[i]`, `*p` to `p`. */
static void add_address(const pp_result *text, const tree_node *object, buffer *out) {
  const tree_node *inner = object;
  while (inner->kind == TREE_PARENTHESES) {
    inner = inner->children[0];
  }
  if (inner->kind == TREE_DEREFERENCE && is_plain(text, inner->children[0]->tokens.first) &&
      is_plain(text, inner->children[0]->tokens.last)) {
    add_tokens(text, inner->children[0]->tokens, out);
    return;
  }
  buffer_putc(out, '&');
  add_tokens(text, object->tokens, out);
}

char *update_text(const pp_result *text, const update *u) {
  buffer b = {0};
  buffer_printf(&b, "%s(", u->function);
  add_address(text, u->object, &b);
  if (u->value.first <= u->value.last) {
    buffer value = {0};
    add_tokens(text, u->value, &value);
    const bool digits = strspn(buffer_text(&value), "0123456789") == value.length;
    const bool is_unsigned = u->object->type->is_unsigned;
    const char *type = is_unsigned ? "uint" : "int";
    buffer_puts(&b, ", ");
    if (!u->cast || (digits && !is_unsigned)) {
      buffer_puts(&b, buffer_text(&value));
    } else if (digits) {
      buffer_printf(&b, "%su", buffer_text(&value));
    } else {
      buffer_printf(&b, "(%s)(%s)", type, buffer_text(&value));
    }
    buffer_free(&value);
  }
  buffer_putc(&b, ')');
  return buffer_take(&b);
}
