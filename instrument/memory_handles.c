/* What pointers were made from: expressions for the handles of pointers, and variables that keep them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/memory.h"
#include "wire/memory_record.h"

static bool is_pointer(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_POINTER; }

uint32_t memory_number(memory_form *m, const tree_symbol *s) {
  size_t i = 0;
  while (i < m->named_count && m->named[i].symbol != s) {
    i++;
  }
  if (i == m->named_count) {
    *ARRAY_ADD(m->named, m->named_count, m->named_capacity) = (named_memory){s};
  }
  return i >= MEMORY_NOWHERE - MEMORY_ARRAYS ? MEMORY_NOT_KNOWN : MEMORY_ARRAYS + (uint32_t)i;
}

/* The name of a variable's handle; NULL: it has none. To be freed. */
static char *handle_name(memory_writer *w, const tree_symbol *s) {
  if (!has_handle(w->f->node, s)) {
    return NULL;
  }
  const uint32_t parameter = parameter_number(w->f->node, s);
  if (parameter != NONE) {
    return text_of("cltc_h%u", (unsigned)parameter);
  }
  size_t i = 0;
  while (i < w->handled_count && w->handled[i] != s) {
    i++;
  }
  if (i == w->handled_count) {
    *ARRAY_ADD(w->handled, w->handled_count, w->handled_capacity) = s;
    buffer_printf(&w->declared, " ulong2 cltc_s%u = CLTC_UNKNOWN;", (unsigned)i);
  }
  return text_of("cltc_s%u", (unsigned)i);
}

/* --- handles as expressions ---------------------------------------------------------------------------------------- */

static bool put(memory_writer *w, const tree_node *n, buffer *out);

/* Of a variable that is memory itself. */
static bool put_named(memory_writer *w, const tree_symbol *s, buffer *out) {
  const tree_type *t = s->type;
  if (t == NULL || t->size == 0 || t->size == TREE_UNSIZED || s->kind == TREE_SYMBOL_BUILTIN) {
    return false;
  }
  const char *address = t->kind == TREE_TYPE_ARRAY ? "" : "&";
  buffer_printf(out, "CLTC_OBJECT(%s(%s%s), %uu, %lluul)",
                t->space == TREE_SPACE_LOCAL ? "cltc_local_address" : "(ulong)", address, s->name,
                (unsigned)memory_number(w->m, s), (unsigned long long)t->size);
  return true;
}

static bool put_of_lvalue(memory_writer *w, const tree_node *lvalue, buffer *out) {
  const memory_root r = root_of_lvalue(lvalue);
  return r.pointer != NULL ? put(w, r.pointer, out) : r.name != NULL && put_named(w, r.name->symbol, out);
}

static bool put_variable(memory_writer *w, const tree_node *lvalue, buffer *out) {
  const memory_root r = root_of_lvalue(lvalue);
  char *name = r.name != NULL && r.name->type == lvalue->type ? handle_name(w, r.name->symbol) : NULL;
  if (name != NULL) {
    buffer_puts(out, name);
  }
  free(name);
  return name != NULL;
}

/* The same for both values, or what the condition says. */
static bool put_choice(memory_writer *w, const tree_node *n, buffer *out) {
  buffer yes = {0}, no = {0};
  bool known = n->children[1] != NULL && put(w, n->children[1], &yes) && put(w, n->children[2], &no);
  const bool same = known && strcmp(buffer_text(&yes), buffer_text(&no)) == 0;
  known = known && (same || is_plain_value(n->children[0]));
  if (same) {
    buffer_puts(out, buffer_text(&yes));
  } else if (known) {
    buffer_printf(out, "((" EDIT_COPY ") ? ", EDIT_SPAN(n->children[0]->tokens));
    buffer_printf(out, "%s : %s)", buffer_text(&yes), buffer_text(&no));
  }
  buffer_free(&yes);
  buffer_free(&no);
  return known;
}

static bool put_converted(memory_writer *w, const tree_node *n, buffer *out) {
  switch (n->conversion) {
    case TREE_LOAD:
      return put_variable(w, n->children[0], out);
    case TREE_DECAY:
      return put_of_lvalue(w, n->children[0], out);
    case TREE_INTEGER_TO_POINTER:
      if (n->children[0]->constant.kind == TREE_INTEGER_CONSTANT && n->children[0]->constant.integer == 0) {
        buffer_puts(out, "CLTC_NOWHERE");
        return true;
      }
      return false;
    default:
      return is_pointer(n->children[0]) && put(w, n->children[0], out);
  }
}

static bool put(memory_writer *w, const tree_node *n, buffer *out) {
  switch (n->kind) {
    case TREE_PARENTHESES:
      return put(w, n->children[0], out);
    case TREE_NAME: /* of an image */
      return n->type != NULL && n->type->kind == TREE_TYPE_IMAGE && put_variable(w, n, out);
    case TREE_CONVERT:
    case TREE_CAST:
      return put_converted(w, n, out);
    case TREE_ADDRESS:
      return put_of_lvalue(w, n->children[0], out);
    case TREE_BINARY:
      return (is_pointer(n->children[0]) && put(w, n->children[0], out)) ||
             (is_pointer(n->children[1]) && put(w, n->children[1], out));
    case TREE_STEP:
    case TREE_COMPOUND_ASSIGN:
      return put_variable(w, n->children[0], out);
    case TREE_ASSIGN:
    case TREE_COMMA:
      return put(w, n->children[1], out);
    case TREE_CONDITIONAL:
      return put_choice(w, n, out);
    default:
      return false;
  }
}

void put_handle(memory_writer *w, const tree_node *pointer, buffer *out) {
  buffer text = {0};
  if (put(w, pointer, &text)) {
    buffer_puts(out, buffer_text(&text));
  } else {
    w->m->looks_up = true;
    buffer_puts(out, "CLTC_UNKNOWN");
  }
  buffer_free(&text);
}

/* --- variables ----------------------------------------------------------------------------------------------------- */

static bool mentions(const tree_node *value, const tree_symbol *s) {
  for (const tree_node *n = value; n != NULL; n = tree_next(value, n)) {
    if (n->kind == TREE_NAME && n->symbol == s) {
      return true;
    }
  }
  return false;
}

/* The choice between pointers that an expression is, NULL. */
static const tree_node *choice_in(const tree_node *n) {
  while (n->kind == TREE_PARENTHESES ||
         ((n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_POINTER_TO_POINTER)) {
    n = n->children[0];
  }
  return n->kind == TREE_CONDITIONAL && n->children[1] != NULL ? n : NULL;
}

bool is_chosen_late(const tree_node *pointer) {
  const tree_node *choice = choice_in(pointer);
  return choice != NULL && !is_plain_value(choice->children[0]);
}

void give_handle(memory_writer *w, const char *name, const tree_node *pointer) {
  if (is_chosen_late(pointer)) {
    const tree_node *choice = choice_in(pointer);
    give_handle(w, name, choice->children[1]);
    give_handle(w, name, choice->children[2]);
    return;
  }
  /* a 0 is a null pointer only as long as it stands alone */
  const bool number = pointer->kind == TREE_CONVERT && pointer->conversion == TREE_INTEGER_TO_POINTER;
  char *type = number ? tree_value_text(pointer->type) : NULL;
  buffer handle = {0};
  put_handle(w, pointer, &handle);
  edit_wrap(w->e, pointer->tokens,
            number ? text_of("(%s = %s, (%s)(", name, buffer_text(&handle), type)
                   : text_of("(%s = %s, ", name, buffer_text(&handle)),
            text_of(number ? "))" : ")"));
  buffer_free(&handle);
  free(type);
}

/* The variable gets the value's handle with the value. One that the value uses keeps its own until then. */
static void write_given(memory_writer *w, const tree_symbol *s, const tree_node *value, const tree_node *assigned) {
  char *name = handle_name(w, s);
  buffer handle = {0};
  if (name != NULL) {
    (void)put(w, value, &handle);
  }
  if (name == NULL || strcmp(name, buffer_text(&handle)) == 0) {
    /* it stays */
  } else if (assigned != NULL && mentions(value, s)) {
    char *new = text_of("cltc_n%s_", name + 5);
    if (strstr(buffer_text(&w->declared), new) == NULL) {
      buffer_printf(&w->declared, " ulong2 %s;", new);
    }
    edit_wrap(w->e, assigned->tokens, text_of("("), text_of(", %s = %s, %s)", name, new, s->name));
    give_handle(w, new, value);
    free(new);
  } else {
    give_handle(w, name, value);
  }
  buffer_free(&handle);
  free(name);
}

static const tree_symbol *assigned_variable(const tree_node *n) {
  const memory_root r = root_of_lvalue(n->children[0]);
  return r.name != NULL && !r.member ? r.name->symbol : NULL;
}

void write_handles(memory_writer *w) {
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->not_executed) {
      continue;
    }
    if (n->kind == TREE_VARIABLE && n->children[0] != NULL && n->children[0]->kind != TREE_INITIALIZER) {
      write_given(w, n->symbol, n->children[0], NULL);
    } else if (n->kind == TREE_ASSIGN && is_pointer(n)) {
      write_given(w, assigned_variable(n), n->children[1], n);
    }
  }
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

static bool is_called(const memory_writer *w, const tree_node *n) {
  for (size_t i = 0; i < w->f->call_count; i++) {
    if (w->f->calls[i].token == n->token) {
      return true;
    }
  }
  return false;
}

void write_calls(memory_writer *w, uint32_t first_call) {
  const pp_result *text = &w->m->p->units[w->f->unit].text;
  const tree_node *body = tree_body(w->f->node);
  uint32_t number = first_call;
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    const span around = n->kind == TREE_CALL && n->builtin == NULL && is_called(w, n)
                            ? token_parentheses(text, n->token)
                            : (span){1, 0};
    if (span_empty(around)) {
      continue;
    }
    buffer out = {0};
    for (uint32_t i = 0; i < n->child_count; i++) {
      if (is_handled_type(n->children[i]->type)) {
        buffer_puts(&out, ", ");
        put_handle(w, n->children[i], &out);
      }
    }
    number++;
    buffer_printf(&out, ", cltc_path << 8 | %uul", number < 255 ? (unsigned)number : 255U);
    edit_add(w->e, around.last, EDIT_BEFORE, 0, EDIT_BOTH, buffer_take(&out));
  }
}
