/* Places in a tree where a barrier can stand, and assignments that can be split. */
#include "repair/spots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/tree.h"
#include "frontend/tree_graph.h"
#include "repair/patch.h"
#include "repair/update.h"

/* Which assignments can be split. */

static bool is_work_item(const tree_builtin *called) { return called != NULL && called->kind == TREE_WORK_ITEM; }

bool split_is_pure(const tree_node *object) { return !tree_has_effects(object, is_work_item); }

/* The assignment that a statement is, where it can be split: of numbers or vectors, written in the main source, to an
 * object that is named without side effects. NULL: it cannot. */
static const tree_node *split_assignment(const pp_result *text, const tree_node *of) {
  const tree_node *n = of->kind == TREE_EXPRESSION ? of->children[0] : NULL;
  if (n == NULL || (n->kind != TREE_ASSIGN && n->kind != TREE_COMPOUND_ASSIGN) || n->type == NULL ||
      n->tokens.first != of->tokens.first || n->tokens.last + 1 != of->tokens.last || !split_is_pure(n->children[0])) {
    return NULL;
  }
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
  while (strstr(text->files[0].text, name.data) != NULL || strstr(text->text, name.data) != NULL) {
    buffer_putc(&name, '_');
  }
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
  for (uint32_t t = s.first; t <= s.last; t++) {
    if (!is_plain(text, t)) {
      return false;
    }
  }
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
  for (const tree_node *p = n->parent; p != NULL; p = p->parent) {
    depth += tree_is_statement(p->kind) && p->kind != TREE_COMPOUND ? 1 : 0;
  }
  return depth;
}

static bool is_label(const tree_node *n) {
  return n->kind == TREE_CASE || n->kind == TREE_DEFAULT || n->kind == TREE_LABEL;
}

/* A directive between two tokens: braces around it would hold for one of its sides only. */
static bool has_directive(const pp_result *text, uint32_t first, uint32_t last) {
  const char *source = text->files[0].text;
  const size_t end = text->tokens[last].expanded.offset;
  bool fresh = false; /* only blanks since the line began */
  for (size_t i = text->tokens[first].expanded.offset; i < end; i++) {
    if (source[i] == '\n') {
      fresh = true;
    } else if (source[i] == '#' && fresh) {
      return true;
    } else if (source[i] != ' ' && source[i] != '\t') {
      fresh = false;
    }
  }
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
  if (n->kind == TREE_COMPOUND || is_label(n) || !is_open(text, n->tokens.first)) {
    return false;
  }
  const tree_node *p = n->parent;
  if (p->kind == TREE_COMPOUND) {
    return true;
  }
  const bool branch = p->kind == TREE_IF || tree_is_loop(p->kind);
  return branch && !(p->kind == TREE_FOR && n->index == 0) && can_take_braces(text, n);
}

static repair_spot *add(spots *s, spot_kind kind, const tree_node *function, const tree_node *of, uint32_t token) {
  repair_spot *made = ARRAY_ADD(s->items, s->count, s->capacity);
  *made = (repair_spot){.kind = kind, .statement = of, .function = function, .token = token};
  return made;
}

static bool is_jump(const tree_node *n) {
  return n->kind == TREE_BREAK || n->kind == TREE_CONTINUE || n->kind == TREE_GOTO || n->kind == TREE_RETURN;
}

/* The last statement of a loop's body, after which a barrier is one more. */
static bool ends_turn(const pp_result *text, const tree_node *n) {
  const tree_node *p = n->parent;
  const bool last =
      p->kind == TREE_COMPOUND && n->index + 1 == p->child_count && p->parent != NULL && tree_is_loop(p->parent->kind);
  return !is_jump(n) && is_plain(text, n->tokens.last) && (last || tree_is_loop(p->kind));
}

static void add_statement(spots *s, const tree_node *function, const tree_node *n) {
  if (!has_room(s->text, n)) {
    return;
  }
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

static void add_update(spots *s, const tree_node *function, const tree_node *n) {
  update found;
  const char *why = NULL;
  if (update_find(s->text, n, &found, &why)) {
    add_like(s, SPOT_ATOMIC, function, n, found.node->token)->update = found;
  }
}

/* The wait can be in front of any statement that follows in the block. */
static void add_waits(spots *s, const tree_node *function, const tree_node *n) {
  enum { WAITS_MOST = 64 };
  if (!wait_is_copy(s->text, n)) {
    return;
  }
  const tree_node *block = n->parent;
  for (uint32_t i = n->index + 1; i < block->child_count && i <= n->index + WAITS_MOST; i++) {
    const tree_node *next = block->children[i];
    if (!is_label(next) && is_open(s->text, next->tokens.first)) {
      add_like(s, SPOT_WAIT, function, next, next->tokens.first)->copy = n;
    }
  }
  if (n->index + 1 == block->child_count) {
    add_like(s, SPOT_WAIT, function, n, n->tokens.last + 1)->copy = n;
  }
}

static void add_moved(spots *s, const tree_node *function, const tree_node *n) {
  const tree_node *around = wait_if(s->text, n);
  if (around != NULL) {
    add_like(s, SPOT_MOVED, function, n, n->tokens.first)->around = around;
  }
}

static void add_count(spots *s, const tree_node *function, const tree_node *n) {
  if (wait_short(s->text, n) > 0) {
    add_like(s, SPOT_COUNT, function, n, n->tokens.first);
  }
}

static void add_barrier(spots *s, const tree_node *function, const tree_node *n) {
  if (n->builtin == NULL || n->builtin->kind != TREE_BARRIER || strncmp(n->symbol->name, "sub_", 4) == 0 ||
      n->child_count == 0) {
    return;
  }
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
    for (uint32_t k = 0; k < s->count && s->items[i].kind == SPOT_ATOMIC; k++) {
      if (s->items[k].kind == SPOT_SPLIT && s->items[k].statement == s->items[i].statement) {
        s->items[i].rival = k;
      }
    }
  }
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->items[i].kind == SPOT_ATOMIC && s->items[i].rival != PATCH_NO_SPOT) {
      s->items[s->items[i].rival].rival = i;
    }
  }
}

bool spots_is_spare(const spots *s, const unsigned *flags, const repair_spot *moved) {
  for (size_t i = 0; i < s->count; i++) {
    if (s->items[i].kind == SPOT_WAIT && flags[i] != 0 && wait_is_for(s->items[i].copy, moved->statement)) {
      return true;
    }
  }
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
        add_moved(out, function, n);
        add_count(out, function, n);
      }
      if (atomics && tree_is_statement(n->kind)) {
        add_update(out, function, n);
      }
      if (n->kind == TREE_CALL) {
        add_barrier(out, function, n);
      }
    }
  }
  if (out->count > 1) {
    qsort(out->items, out->count, sizeof *out->items, by_token);
  }
  set_rivals(out);
}

void spots_free(spots *s) {
  free(s->items);
  *s = (spots){0};
}

size_t spots_barrier_at(const spots *s, uint32_t token) {
  for (size_t i = 0; i < s->count; i++) {
    if (s->items[i].kind == SPOT_BARRIER && span_has(s->items[i].call->tokens, token)) {
      return i;
    }
  }
  return SIZE_MAX;
}
