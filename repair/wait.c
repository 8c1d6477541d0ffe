/* A copy's event is a variable, an element of an array, or is given to nobody: then it gets a name. */
#include "repair/wait.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "repair/split.h"
#include "repair/spots.h"

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
