/* Changes that a repair can make, and their places in a tree: barriers, assignments that are split, updates as calls of
 * atomic functions of OpenCL C 1.1 and later, waits for async copies. */
#include "proofs/patch/spots.h"

#include <stdlib.h>
#include <string.h>

/* Updates as calls of atomic functions of OpenCL C 1.1 and later, and waits for async copies. */

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

/* Whether naming an object once more, or later, makes no difference. */
static bool split_is_pure(const tree_node *object);

static copied read_copy(const tree_node *of) {
  copied c = {0};
  const tree_node *n = of->child_count == 1 ? of->children[0] : NULL;
  if (n == NULL) return c;
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
  if (c.variable != NULL || c.object != NULL) return NULL;
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
      inner(call->children[0])->constant.integer != 1)
    return false;
  const tree_node *address = inner(call->children[1]);
  return address->kind == TREE_ADDRESS && inner(address->children[0])->symbol == event &&
         inner(address->children[0])->kind == TREE_NAME;
}

const tree_node *wait_behind(const pp_result *text, const tree_node *copy, const tree_node *from) {
  const copied c = read_copy(copy);
  const tree_node *block = copy->parent;
  for (uint32_t i = from->index; i < block->child_count; i++) {
    const tree_node *n = block->children[i];
    if (n != copy && waits_for(n, &c)) return spots_plain(text, n->tokens) ? n : NULL;
  }
  return NULL;
}

/* All that is named is declared in front of the `if`. */
static bool is_known_behind(const tree_node *of, const tree_node *around) {
  for (const tree_node *n = of; n != NULL; n = tree_next(of, n)) {
    const tree_node *scope = n->kind == TREE_NAME && n->symbol != NULL ? n->symbol->scope : NULL;
    if (scope != NULL && scope->tokens.first >= around->tokens.first && scope->tokens.last <= around->tokens.last)
      return false;
  }
  return true;
}

/* The `if` after which a statement that waits can be, NULL: there is none. */
static const tree_node *wait_if(const pp_result *text, const tree_node *of) {
  if (of->kind != TREE_EXPRESSION || !is_call(inner(of->children[0]), "wait_group_events") ||
      !spots_plain(text, of->tokens))
    return NULL;
  const tree_node *branch = of->parent;
  const tree_node *around = branch != NULL && branch->kind == TREE_COMPOUND ? branch->parent : NULL;
  const bool fits = around != NULL && around->kind == TREE_IF && around->parent != NULL &&
                    around->parent->kind == TREE_COMPOUND &&
                    spots_plain(text, (span){around->tokens.last, around->tokens.last});
  return fits && is_known_behind(of, around) ? around : NULL;
}

/* Whether a statement waits for the event of a copy alone. */
static bool wait_is_for(const tree_node *copy, const tree_node *of) {
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
  if (object == NULL || object->kind != TREE_SUBSCRIPT || inner(object->children[0])->symbol != array) return -1;
  const tree_constant *index = &inner(object->children[1])->constant;
  return index->kind == TREE_INTEGER_CONSTANT ? index->integer : -1;
}

const tree_node *wait_count(const tree_node *of) { return wait_call(of)->children[0]; }

unsigned wait_short(const pp_result *text, const tree_node *of) {
  enum { MOST = 64 };
  const tree_node *call = wait_call(of);
  const tree_symbol *array = call == NULL ? NULL : array_of(call->children[1]);
  if (array == NULL || of->parent == NULL || of->parent->kind != TREE_COMPOUND ||
      !spots_plain(text, call->children[0]->tokens))
    return 0;
  const uint64_t size = array->type->count;
  const tree_constant *count = &inner(call->children[0])->constant;
  if (size == 0 || size > MOST || count->kind != TREE_INTEGER_CONSTANT || count->integer < 1 ||
      (uint64_t)count->integer >= size)
    return 0;
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
  c_operator op;
  const char *function;
  bool commutes;
} operation;

static const operation operations[] = {{OP_ADD, "atomic_add", true},
                                       {OP_SUBTRACT, "atomic_sub", false},
                                       {OP_AND, "atomic_and", true},
                                       {OP_OR, "atomic_or", true},
                                       {OP_XOR, "atomic_xor", true}};

static const struct { const char *name, *function; } choices[] = {{"min", "atomic_min"}, {"max", "atomic_max"}};

static const operation *operation_of(c_operator op) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].op == op) return &operations[i];
  return NULL;
}

/* Written with the same tokens. */
static bool same_tokens(const pp_result *text, span a, span b) {
  if (a.last - a.first != b.last - b.first) return false;
  for (uint32_t i = 0; i <= a.last - a.first; i++) {
    const pp_token *left = &text->tokens[a.first + i], *right = &text->tokens[b.first + i];
    const size_t length = left->end - left->begin;
    if (right->end - right->begin != length || memcmp(text->text + left->begin, text->text + right->begin, length) != 0)
      return false;
  }
  return true;
}

/* --- what is changed ---------------------------------------------------------------------------------------------- */

/* Why no atomic function changes such an object, NULL: one does. */
static const char *refusal_of(const tree_type *type) {
  const tree_type *plain = type->plain;
  if (plain->kind == TREE_TYPE_FLOAT)
    return "OpenCL C has no atomic functions that compute with floating-point numbers";
  if (plain->kind == TREE_TYPE_VECTOR) return "atomic functions take no vectors";
  if (plain->kind != TREE_TYPE_INTEGER || plain->size < 4) return "atomic functions take int and uint only";
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
  const bool sums = top->op == OP_ADD || top->op == OP_SUBTRACT;
  for (;;) {
    const tree_node *left = tree_plain(n->children[0]);
    const bool deeper = left->kind == TREE_BINARY && left->tokens.first == n->tokens.first &&
                        (left->op == top->op || (sums && (left->op == OP_ADD || left->op == OP_SUBTRACT)));
    if (!deeper) break;
    n = left;
  }
  const operation *o = operation_of(n->op);
  if (o == NULL || (n != top && !o->commutes) || !same_tokens(text, n->children[0]->tokens, u->object->tokens))
    return false;
  set_value(u, o->function, (span){n->token + 1, top->tokens.last},
            n == top ? written_type(n->children[1]) : top->type);
  return true;
}

static bool take_binary(const pp_result *text, update *u, const tree_node *value) {
  const operation *o = operation_of(value->op);
  if (take_left(text, u, value)) return true;
  if (o == NULL || !o->commutes || !same_tokens(text, value->children[1]->tokens, u->object->tokens)) return false;
  set_value(u, o->function, value->children[0]->tokens, written_type(value->children[0]));
  return true;
}

static bool take_choice(const pp_result *text, update *u, const tree_node *call) {
  if (call->builtin == NULL || call->symbol == NULL || call->child_count != 2) return false;
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
  u->function = u->node->op == OP_SUBTRACT ? "atomic_dec" : "atomic_inc";
  u->value = (span){1, 0};
  return u->node->postfix || !used;
}

static bool is_plain_token(const pp_result *text, uint32_t token) { return spots_plain(text, (span){token, token}); }

/* The parts can be taken over as they are written. */
static bool is_written(const pp_result *text, const update *u) {
  const span all = u->node->tokens, object = u->object->tokens;
  const bool ends = is_plain_token(text, all.first) && is_plain_token(text, all.last) &&
                    is_plain_token(text, object.first) && is_plain_token(text, object.last);
  return ends && (u->value.first > u->value.last ||
                  (is_plain_token(text, u->value.first) && is_plain_token(text, u->value.last)));
}

static bool take(const pp_result *text, update *u, bool used, const char **why) {
  u->object = u->node->children[0];
  const bool right = u->node->kind == TREE_COMPOUND_ASSIGN ? take_compound(u, why)
                     : u->node->kind == TREE_STEP          ? take_step(u, used)
                                                           : take_assignment(text, u);
  if (!right) return false;
  *why = refusal_of(u->object->type);
  return *why == NULL && split_is_pure(u->object) && is_written(text, u);
}

static bool changes(const tree_node *n) {
  return (n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP || n->kind == TREE_ASSIGN) &&
         n->children[0]->type != NULL &&
         (n->children[0]->type->space == TREE_SPACE_GLOBAL || n->children[0]->type->space == TREE_SPACE_LOCAL);
}

bool update_find(const pp_result *text, const tree_node *of, update *out, const char **why) {
  *why = NULL;
  const tree_node *whole = of->kind == TREE_EXPRESSION ? of->children[0] : NULL;
  if (whole != NULL && changes(whole)) {
    *out = (update){.node = whole};
    const bool taken = take(text, out, false, why);
    if (taken || *why != NULL || whole->kind != TREE_ASSIGN) return taken;
  }
  if (of->kind != TREE_EXPRESSION && of->kind != TREE_DECLARE) return false;
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
  while (inner->kind == TREE_PARENTHESES) inner = inner->children[0];
  if (inner->kind == TREE_DEREFERENCE && is_plain_token(text, inner->children[0]->tokens.first) &&
      is_plain_token(text, inner->children[0]->tokens.last)) {
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
    if (!u->cast || (digits && !is_unsigned))
      buffer_puts(&b, buffer_text(&value));
    else if (digits)
      buffer_printf(&b, "%su", buffer_text(&value));
    else
      buffer_printf(&b, "(%s)(%s)", type, buffer_text(&value));
    buffer_free(&value);
  }
  buffer_putc(&b, ')');
  return buffer_take(&b);
}

/* Which assignments can be split. */

static bool is_work_item(const tree_builtin *called) { return called != NULL && called->kind == TREE_WORK_ITEM; }

static bool split_is_pure(const tree_node *object) { return !tree_has_effects(object, is_work_item); }

/* The assignment that a statement is, where it can be split: of numbers or vectors, written in the main source, to an
 * object that is named without side effects. NULL: it cannot. */
static const tree_node *split_assignment(const pp_result *text, const tree_node *of) {
  const tree_node *n = of->kind == TREE_EXPRESSION ? of->children[0] : NULL;
  if (n == NULL || (n->kind != TREE_ASSIGN && n->kind != TREE_COMPOUND_ASSIGN) || n->type == NULL ||
      n->tokens.first != of->tokens.first || n->tokens.last + 1 != of->tokens.last || !split_is_pure(n->children[0]))
    return NULL;
  const tree_type_kind kind = n->type->kind;
  const bool number = kind == TREE_TYPE_INTEGER || kind == TREE_TYPE_FLOAT || kind == TREE_TYPE_VECTOR;
  const span s = of->tokens; /* macros between these stay as they are written */
  const bool plain = spots_plain(text, (span){s.first, s.first}) && spots_plain(text, (span){n->token, n->token}) &&
                     spots_plain(text, (span){s.last, s.last});
  return number && plain ? n : NULL;
}

char *split_name(const pp_result *text, const char *wanted) {
  buffer name = {0};
  buffer_puts(&name, wanted);
  while (strstr(text->files[0].text, name.data) != NULL || strstr(text->text, name.data) != NULL)
    buffer_putc(&name, '_');
  return buffer_take(&name);
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

/* Written in the main source, and not through a macro. */
static bool is_plain(const pp_result *text, uint32_t token) {
  const pp_token *t = &text->tokens[token];
  const pp_file *main_file = &text->files[0];
  const size_t length = t->end - t->begin;
  return t->spelled.file == 0 && !t->in_macro_body && t->expanded.file == 0 &&
         t->spelled.offset == t->expanded.offset && t->spelled.offset + t->spelled_length <= main_file->length &&
         t->spelled_length == length && memcmp(main_file->text + t->spelled.offset, text->text + t->begin, length) == 0;
}

bool spots_plain(const pp_result *text, span s) {
  for (uint32_t t = s.first; t <= s.last; t++)
    if (!is_plain(text, t)) return false;
  return true;
}

uint32_t spots_token(const spots *s, size_t offset) {
  const pp_result *text = s->text;
  uint32_t best = NO_TOKEN;
  size_t distance = SIZE_MAX;
  for (uint32_t t = 0; t < text->token_count; t++) {
    const pp_position *at = &text->tokens[t].expanded;
    if (at->file == 0 && at->offset <= offset && offset - at->offset < distance) {
      best = t;
      distance = offset - at->offset;
    }
  }
  const char *source = text->files[0].text;
  return best != NO_TOKEN && memchr(source + (offset - distance), '\n', distance) != NULL ? NO_TOKEN : best;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static uint32_t nesting_of(const tree_node *n) {
  uint32_t depth = 0;
  for (const tree_node *p = n->parent; p != NULL; p = p->parent)
    depth += tree_is_statement(p->kind) && p->kind != TREE_COMPOUND ? 1 : 0;
  return depth;
}

/* A directive between two tokens: braces around it would hold for one of its sides only. */
static bool has_directive(const pp_result *text, uint32_t first, uint32_t last) {
  const char *source = text->files[0].text;
  const size_t end = text->tokens[last].expanded.offset;
  bool fresh = false; /* only blanks since the line began */
  for (size_t i = text->tokens[first].expanded.offset; i < end; i++)
    if (source[i] == '\n')
      fresh = true;
    else if (source[i] == '#' && fresh)
      return true;
    else if (source[i] != ' ' && source[i] != '\t')
      fresh = false;
  return false;
}

static bool can_take_braces(const pp_result *text, const tree_node *n) {
  const span s = n->tokens;
  return s.first > 0 && is_plain(text, s.first - 1) && is_plain(text, s.last) &&
         !has_directive(text, s.first - 1, s.last);
}

/* Written in the main source, or the first of what a macro that is used there brings: text can be put in front. */
static bool is_open(const pp_result *text, uint32_t token) {
  const pp_position *at = &text->tokens[token].expanded;
  const pp_position *before = token == 0 ? NULL : &text->tokens[token - 1].expanded;
  return is_plain(text, token) ||
         (at->file == 0 && (before == NULL || before->file != 0 || before->offset != at->offset));
}

static bool has_room(const pp_result *text, const tree_node *n) {
  if (n->kind == TREE_COMPOUND || is_label(n) || !is_open(text, n->tokens.first)) return false;
  const tree_node *p = n->parent;
  if (p->kind == TREE_COMPOUND) return true;
  const bool branch = p->kind == TREE_IF || tree_is_loop(p->kind);
  return branch && !(p->kind == TREE_FOR && n->index == 0) && can_take_braces(text, n);
}

static repair_spot *add(spots *s, spot_kind kind, const tree_node *function, const tree_node *of, uint32_t token) {
  repair_spot *made = ARRAY_ADD(s->items, s->count, s->capacity);
  *made = (repair_spot){.kind = kind, .statement = of, .function = function, .token = token};
  return made;
}

/* The last statement of a loop's body, after which a barrier is one more. */
static bool ends_turn(const pp_result *text, const tree_node *n) {
  const tree_node *p = n->parent;
  const bool last =
      p->kind == TREE_COMPOUND && n->index + 1 == p->child_count && p->parent != NULL && tree_is_loop(p->parent->kind);
  return !(n->kind == TREE_BREAK || n->kind == TREE_CONTINUE || n->kind == TREE_GOTO || n->kind == TREE_RETURN) &&
         is_plain(text, n->tokens.last) && (last || tree_is_loop(p->kind));
}

static void add_statement(spots *s, const tree_node *function, const tree_node *n) {
  if (!has_room(s->text, n)) return;
  repair_spot *made = add(s, SPOT_BEFORE, function, n, n->tokens.first);
  made->depth = tree_loop_depth(n);
  made->nesting = nesting_of(n);
  const repair_spot before = *made;
  const tree_node *assignment = split_assignment(s->text, n);
  if (assignment != NULL && !has_directive(s->text, n->tokens.first, n->tokens.last)) {
    made = add(s, SPOT_SPLIT, function, n, assignment->token);
    made->call = assignment;
    made->depth = before.depth;
    made->nesting = before.nesting;
  }
  if (ends_turn(s->text, n)) {
    made = add(s, SPOT_BEHIND, function, n, n->tokens.last + 1);
    made->depth = before.depth;
    made->nesting = before.nesting;
  }
}

static repair_spot *add_like(spots *s, spot_kind kind, const tree_node *function, const tree_node *n, uint32_t token) {
  repair_spot *made = add(s, kind, function, n, token);
  made->depth = tree_loop_depth(n);
  made->nesting = nesting_of(n);
  return made;
}

/* The wait can be in front of any statement that follows in the block. */
static void add_waits(spots *s, const tree_node *function, const tree_node *n) {
  enum { WAITS_MOST = 64 };
  if (!wait_is_copy(s->text, n)) return;
  const tree_node *block = n->parent;
  for (uint32_t i = n->index + 1; i < block->child_count && i <= n->index + WAITS_MOST; i++) {
    const tree_node *next = block->children[i];
    if (!is_label(next) && is_open(s->text, next->tokens.first))
      add_like(s, SPOT_WAIT, function, next, next->tokens.first)->copy = n;
  }
  if (n->index + 1 == block->child_count) add_like(s, SPOT_WAIT, function, n, n->tokens.last + 1)->copy = n;
}

static void add_update(spots *s, const tree_node *function, const tree_node *n) {
  update found;
  const char *why = NULL;
  if (update_find(s->text, n, &found, &why)) add_like(s, SPOT_ATOMIC, function, n, found.node->token)->update = found;
}

static void add_barrier(spots *s, const tree_node *function, const tree_node *n) {
  if (n->builtin == NULL || n->builtin->kind != TREE_BARRIER || strncmp(n->symbol->name, "sub_", 4) == 0 ||
      n->child_count == 0)
    return;
  const tree_node *argument = n->children[0];
  const tree_node *p = n->parent;
  const bool own = p->kind == TREE_EXPRESSION && spots_plain(s->text, p->tokens);
  repair_spot *made = add(s, SPOT_BARRIER, function, own ? p : NULL, n->token);
  made->call = n;
  made->depth = tree_loop_depth(n);
  made->nesting = nesting_of(n);
  const bool known = argument->constant.kind == TREE_INTEGER_CONSTANT;
  made->flags = FENCE_THERE | (known ? (unsigned)argument->constant.integer & FENCES : 0);
  made->wide = known && spots_plain(s->text, argument->tokens) && (argument->constant.integer & ~(int64_t)FENCES) == 0;
}

static int by_token(const void *a, const void *b) {
  const repair_spot *left = a, *right = b;
  return left->token != right->token ? (left->token < right->token ? -1 : 1) : (int)left->kind - (int)right->kind;
}

/* An assignment is split or made atomic, not both. */
static void set_rivals(spots *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    s->items[i].rival = PATCH_NO_SPOT;
    for (uint32_t k = 0; k < s->count && s->items[i].kind == SPOT_ATOMIC; k++)
      if (s->items[k].kind == SPOT_SPLIT && s->items[k].statement == s->items[i].statement) s->items[i].rival = k;
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (s->items[i].kind == SPOT_ATOMIC && s->items[i].rival != PATCH_NO_SPOT) s->items[s->items[i].rival].rival = i;
}

bool spots_is_spare(const spots *s, const unsigned *flags, const repair_spot *moved) {
  for (size_t i = 0; i < s->count; i++)
    if (s->items[i].kind == SPOT_WAIT && flags[i] != 0 && wait_is_for(s->items[i].copy, moved->statement)) return true;
  return false;
}

bool spots_is_place(const repair_spot *s) {
  return s->kind == SPOT_BEFORE || s->kind == SPOT_BEHIND || s->kind == SPOT_SPLIT;
}

void spots_find(const pp_result *text, const tree *t, bool atomics, spots *out) {
  *out = (spots){.text = text, .tree = t, .graph = tree_graph_read(t)};
  for (size_t i = 0; i < t->function_count; i++) {
    const tree_node *function = t->functions[i];
    const tree_node *body = tree_body(function);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      if (n != body && tree_is_statement(n->kind) && tree_is_statement(n->parent->kind)) {
        add_statement(out, function, n);
        add_waits(out, function, n);
        const tree_node *around = wait_if(out->text, n);
        if (around != NULL) add_like(out, SPOT_MOVED, function, n, n->tokens.first)->around = around;
        if (wait_short(out->text, n) > 0) add_like(out, SPOT_COUNT, function, n, n->tokens.first);
      }
      if (atomics && tree_is_statement(n->kind)) add_update(out, function, n);
      if (n->kind == TREE_CALL) add_barrier(out, function, n);
    }
  }
  if (out->count > 1) qsort(out->items, out->count, sizeof *out->items, by_token);
  set_rivals(out);
}

void spots_free(spots *s) {
  free(s->items);
  *s = (spots){0};
}

size_t spots_barrier_at(const spots *s, uint32_t token) {
  for (size_t i = 0; i < s->count; i++)
    if (s->items[i].kind == SPOT_BARRIER && span_has(s->items[i].call->tokens, token)) return i;
  return SIZE_MAX;
}
