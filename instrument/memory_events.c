/* Events of async copies: where the event of a copy is kept, which one it shares, and which ones a wait is for, as addresses of the
 * program's variables. Where events go other ways than from a copy into a variable, every wait is taken for one for all copies. */
#include <stdlib.h>
#include <string.h>

#include "instrument/memory.h"

static bool is_event(const tree_type *t) {
  return t != NULL && t->plain->kind == TREE_TYPE_OPAQUE && strcmp(t->plain->name, "event_t") == 0;
}

static bool is_copy(const tree_node *n) {
  return n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_ASYNC_COPY;
}

static bool is_zero(const tree_node *value) {
  const tree_node *n = tree_uncast(value);
  return n->constant.kind == TREE_INTEGER_CONSTANT && n->constant.integer == 0;
}

/* A variable of this function, or an element of one, that can be named twice. */
static bool is_kept(const tree_node *lvalue) {
  const tree_node *n = tree_uncast(lvalue);
  if (n->kind == TREE_SUBSCRIPT) {
    return is_plain_value(n->children[1]) && is_kept(n->children[0]);
  }
  return n->kind == TREE_NAME && n->symbol->kind == TREE_SYMBOL_VARIABLE && n->type != NULL &&
         (is_event(n->type) || (n->type->kind == TREE_TYPE_ARRAY && is_event(n->type->element)));
}

static const tree_node *event_of(const tree_node *copy) { return copy->children[copy->child_count - 1]; }

bool has_own_event(const tree_node *copy) { return is_zero(event_of(copy)); }

/* --- what is not followed ------------------------------------------------------------------------------------------ */

static bool is_vague(const tree_node *n) {
  if (n->kind == TREE_ASSIGN && is_event(n->children[0]->type)) {
    const tree_node *value = tree_uncast(n->children[1]);
    return !is_copy(value) && !is_zero(value);
  }
  return is_copy(n) && n->child_count > 0 && !has_own_event(n) && !is_kept(event_of(n));
}

void find_events(const program *p, memory_form *m) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      m->copying = m->copying || is_copy(n);
      m->vague = m->vague || is_vague(n);
    }
  }
}

/* --- addresses ----------------------------------------------------------------------------------------------------- */

static void put_address(const tree_node *lvalue, buffer *out) {
  buffer_printf(out, "(ulong)&(" EDIT_COPY ")", EDIT_SPAN(lvalue->tokens));
}

/* Where the event of a copy goes; 0: that is not known. */
static void put_kept(const tree_node *copy, buffer *out) {
  const tree_node *n = copy, *to = copy->parent;
  while (to->kind == TREE_PARENTHESES || to->kind == TREE_CONVERT) {
    n = to;
    to = to->parent;
  }
  if (to->kind == TREE_VARIABLE && is_event(to->type)) {
    buffer_printf(out, "(ulong)&%s", to->symbol->name);
  } else if (to->kind == TREE_ASSIGN && to->children[1] == n && is_kept(to->children[0])) {
    put_address(tree_uncast(to->children[0]), out);
  } else {
    buffer_puts(out, "0ul");
  }
}

void put_events(const tree_node *copy, buffer *out) {
  put_kept(copy, out);
  buffer_puts(out, ", ");
  if (!has_own_event(copy) && is_kept(event_of(copy))) {
    put_address(tree_uncast(event_of(copy)), out);
  } else {
    buffer_puts(out, "0ul");
  }
}

/* The events of a wait, as an address that can be written twice; 0: they are not known. */
static void put_list(const tree_node *list, buffer *out) {
  const tree_node *n = tree_uncast(list);
  const bool name = n->kind == TREE_NAME && n->type != NULL &&
                    (n->type->kind == TREE_TYPE_ARRAY || n->type->kind == TREE_TYPE_POINTER);
  if (n->kind == TREE_ADDRESS && is_kept(n->children[0])) {
    put_address(tree_uncast(n->children[0]), out);
  } else if (name) {
    buffer_printf(out, "(ulong)(" EDIT_COPY ")", EDIT_SPAN(n->tokens));
  } else {
    buffer_puts(out, "0ul");
  }
}

/* Where it costs something to say how many events a group has waited for, all of them. */
void write_waits(memory_writer *w) {
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = body; n != NULL && w->m->copies; n = tree_next(body, n)) {
    if (n->kind != TREE_CALL || n->builtin == NULL || n->builtin->kind != TREE_ASYNC_WAIT || n->child_count < 2) {
      continue;
    }
    const tree_node *events = n->children[0];
    buffer list = {0};
    put_list(n->children[1], &list);
    char *after = is_plain_value(events) ? text_of(", cltc_awaited(cltc, (uint)(" EDIT_COPY "), %s))",
                                                   EDIT_SPAN(events->tokens), buffer_text(&list))
                                         : text_of(", cltc_awaited(cltc, ~0u, 0ul))");
    edit_wrap(w->e, n->tokens, EDIT_BOTH, text_of("("), after);
    buffer_free(&list);
  }
}
