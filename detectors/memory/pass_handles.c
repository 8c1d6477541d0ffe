/* Handles: what pointers were made from, as expressions and as variables that keep them; events of async copies; parts of values that are loaded whole. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/memory/pass.h"
#include "detectors/memory/record.h"
#include "frontend/facts/accesses.h"

static bool is_pointer(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_POINTER; }

uint32_t memory_number(memory_form *m, const tree_symbol *s) {
  size_t i = 0;
  while (i < m->named_count && m->named[i].symbol != s) i++;
  if (i == m->named_count) *ARRAY_ADD(m->named, m->named_count, m->named_capacity) = (named_memory){s};
  return i >= MEMORY_NOWHERE - MEMORY_ARRAYS ? MEMORY_NOT_KNOWN : MEMORY_ARRAYS + (uint32_t)i;
}

/* The name of a variable's handle; NULL: it has none. To be freed. */
static char *handle_name(memory_writer *w, const tree_symbol *s) {
  if (!has_handle(w->f->node, s)) return NULL;
  const uint32_t parameter = parameter_number(w->f->node, s);
  if (parameter != NONE) return text_of("cltc_h%u", (unsigned)parameter);
  size_t i = 0;
  while (i < w->handled_count && w->handled[i] != s) i++;
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
  if (t == NULL || t->size == 0 || t->size == TREE_UNSIZED || s->kind == TREE_SYMBOL_BUILTIN) return false;
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
  if (name != NULL) buffer_puts(out, name);
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
    case TREE_LOAD: return put_variable(w, n->children[0], out);
    case TREE_DECAY: return put_of_lvalue(w, n->children[0], out);
    case TREE_INTEGER_TO_POINTER:
      if (n->children[0]->constant.kind == TREE_INTEGER_CONSTANT && n->children[0]->constant.integer == 0) {
        buffer_puts(out, "CLTC_NOWHERE");
        return true;
      }
      return false;
    default: return is_pointer(n->children[0]) && put(w, n->children[0], out);
  }
}

static bool put(memory_writer *w, const tree_node *n, buffer *out) {
  switch (n->kind) {
    case TREE_PARENTHESES: return put(w, n->children[0], out);
    case TREE_NAME: /* of an image */
      return n->type != NULL && n->type->kind == TREE_TYPE_IMAGE && put_variable(w, n, out);
    case TREE_CONVERT:
    case TREE_CAST: return put_converted(w, n, out);
    case TREE_ADDRESS: return put_of_lvalue(w, n->children[0], out);
    case TREE_BINARY:
      return (is_pointer(n->children[0]) && put(w, n->children[0], out)) ||
             (is_pointer(n->children[1]) && put(w, n->children[1], out));
    case TREE_STEP:
    case TREE_COMPOUND_ASSIGN: return put_variable(w, n->children[0], out);
    case TREE_ASSIGN:
    case TREE_COMMA: return put(w, n->children[1], out);
    case TREE_CONDITIONAL: return put_choice(w, n, out);
    default: return false;
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
  for (const tree_node *n = value; n != NULL; n = tree_next(value, n))
    if (n->kind == TREE_NAME && n->symbol == s) return true;
  return false;
}

/* The choice between pointers that an expression is, NULL. */
static const tree_node *choice_in(const tree_node *n) {
  while (n->kind == TREE_PARENTHESES ||
         ((n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_POINTER_TO_POINTER))
    n = n->children[0];
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
  if (name != NULL) (void)put(w, value, &handle);
  if (name == NULL || strcmp(name, buffer_text(&handle)) == 0) {
    /* it stays */
  } else if (assigned != NULL && mentions(value, s)) {
    char *new = text_of("cltc_n%s_", name + 5);
    if (strstr(buffer_text(&w->declared), new) == NULL) buffer_printf(&w->declared, " ulong2 %s;", new);
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
    if (n->not_executed) continue;
    if (n->kind == TREE_VARIABLE && n->children[0] != NULL && n->children[0]->kind != TREE_INITIALIZER)
      write_given(w, n->symbol, n->children[0], NULL);
    else if (n->kind == TREE_ASSIGN && is_pointer(n))
      write_given(w, assigned_variable(n), n->children[1], n);
  }
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

static bool is_called(const memory_writer *w, const tree_node *n) {
  for (size_t i = 0; i < w->f->call_count; i++)
    if (w->f->calls[i].token == n->token) return true;
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
    if (span_empty(around)) continue;
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

/* Events of async copies: where the event of a copy is kept, which one it shares, and which ones a wait is for, as addresses of the
 * program's variables. Where events go other ways than from a copy into a variable, every wait is taken for one for all copies. */

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
  if (n->kind == TREE_SUBSCRIPT) return is_plain_value(n->children[1]) && is_kept(n->children[0]);
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
  if (to->kind == TREE_VARIABLE && is_event(to->type))
    buffer_printf(out, "(ulong)&%s", to->symbol->name);
  else if (to->kind == TREE_ASSIGN && to->children[1] == n && is_kept(to->children[0]))
    put_address(tree_uncast(to->children[0]), out);
  else
    buffer_puts(out, "0ul");
}

void put_events(const tree_node *copy, buffer *out) {
  put_kept(copy, out);
  buffer_puts(out, ", ");
  if (!has_own_event(copy) && is_kept(event_of(copy)))
    put_address(tree_uncast(event_of(copy)), out);
  else
    buffer_puts(out, "0ul");
}

/* The events of a wait, as an address that can be written twice; 0: they are not known. */
static void put_list(const tree_node *list, buffer *out) {
  const tree_node *n = tree_uncast(list);
  const bool name = n->kind == TREE_NAME && n->type != NULL &&
                    (n->type->kind == TREE_TYPE_ARRAY || n->type->kind == TREE_TYPE_POINTER);
  if (n->kind == TREE_ADDRESS && is_kept(n->children[0]))
    put_address(tree_uncast(n->children[0]), out);
  else if (name)
    buffer_printf(out, "(ulong)(" EDIT_COPY ")", EDIT_SPAN(n->tokens));
  else
    buffer_puts(out, "0ul");
}

/* Where it costs something to say how many events a group has waited for, all of them. */
void write_waits(memory_writer *w) {
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = body; n != NULL && w->m->copies; n = tree_next(body, n)) {
    if (n->kind != TREE_CALL || n->builtin == NULL || n->builtin->kind != TREE_ASYNC_WAIT || n->child_count < 2)
      continue;
    const tree_node *events = n->children[0];
    buffer list = {0};
    put_list(n->children[1], &list);
    char *after = is_plain_value(events) ? text_of(", cltc_awaited(cltc, (uint)(" EDIT_COPY "), %s))",
                                                   EDIT_SPAN(events->tokens), buffer_text(&list))
                                         : text_of(", cltc_awaited(cltc, ~0u, 0ul))");
    edit_wrap(w->e, n->tokens, text_of("("), after);
    buffer_free(&list);
  }
}

/* Of a vector or structure that is loaded whole: the parts whose values are used, as far as the text shows it. Where one of
 * them was written by nobody, that load is told (cltc_is_unwritten). Padding, components that nobody uses and what is only
 * handed on are none of them. */

enum { MOST_PARTS = 64 };

typedef struct part {
  uint64_t at, size;
  uint32_t member; /* the component or field of the whole that it is, or is in */
} part;

typedef struct part_list {
  part items[MOST_PARTS];
  size_t count;
  bool failed; /* they are not known */
} part_list;

static uint64_t align_of(const tree_type *t) {
  uint64_t most = 1;
  while (t->kind == TREE_TYPE_ARRAY) t = t->element;
  for (size_t i = 0; t->kind == TREE_TYPE_RECORD && t->record != NULL && i < t->record->field_count; i++) {
    const uint64_t align = align_of(t->record->fields[i]->type);
    most = align > most ? align : most;
  }
  return t->kind == TREE_TYPE_RECORD ? most : t->size == 0 ? 1 : t->size;
}

static void add_parts(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top);

/* Of a structure; one with another size than its fields make is packed, or aligned otherwise. */
static void add_fields(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top) {
  uint64_t end = 0;
  l->failed = l->failed || t->record == NULL || t->record->keyword[0] != 's';
  for (size_t i = 0; !l->failed && i < t->record->field_count; i++) {
    const tree_symbol *f = t->record->fields[i];
    const uint64_t align = align_of(f->type);
    l->failed = f->bit_field || f->type->size == 0 || f->type->size == TREE_UNSIZED;
    end = (end + align - 1) / align * align;
    if (!l->failed) {
      add_parts(l, f->type, at + end, top ? (uint32_t)i : member, false);
      end += f->type->size;
    }
  }
  const uint64_t align = align_of(t);
  l->failed = l->failed || (end + align - 1) / align * align != t->size;
}

static void add_parts(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top) {
  if (t->kind == TREE_TYPE_RECORD)
    add_fields(l, t, at, member, top);
  else if (t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_VECTOR)
    for (uint64_t i = 0; i < t->count && !l->failed; i++)
      add_parts(l, t->element, at + i * t->element->size, top ? (uint32_t)i : member, false);
  else if (l->count == MOST_PARTS)
    l->failed = true;
  else
    l->items[l->count++] = (part){at, t->size, member};
}

/* --- which are used ------------------------------------------------------------------------------------------------ */

/* The bits of what a swizzle or member takes of its base. */
static uint64_t taken_by(const tree_node *n, const tree_type *of) {
  uint64_t bits = 0;
  for (uint32_t i = 0; n->kind == TREE_SWIZZLE && i < n->lane_count; i++) bits |= UINT64_C(1) << n->lanes[i];
  for (size_t i = 0; n->kind == TREE_MEMBER && of->record != NULL && i < of->record->field_count && i < MOST_PARTS; i++)
    bits |= of->record->fields[i] == n->symbol ? UINT64_C(1) << i : 0;
  return bits == 0 ? UINT64_MAX : bits;
}

/* What is used of a value: as bits of its components or fields. 0: it is handed on as it is. */
static uint64_t used_of(const tree_node *value, const tree_type *t) {
  const tree_node *n = beyond_parentheses(value), *by = n->parent;
  if (by->kind == TREE_SWIZZLE || by->kind == TREE_MEMBER) return taken_by(by, t);
  if (by->kind == TREE_ASSIGN && n->index == 1 && beyond_parentheses(by)->parent->kind == TREE_EXPRESSION) return 0;
  if (by->kind != TREE_VARIABLE) return UINT64_MAX;
  uint64_t bits = 0;
  const tree_node *body = tree_body(tree_function_of(by));
  for (const tree_node *at = body; at != NULL; at = tree_next(body, at)) {
    if (at->kind == TREE_NAME && at->symbol == by->symbol) {
      const tree_node *around = beyond_parentheses(at)->parent;
      const bool load = around->kind == TREE_CONVERT && around->conversion == TREE_LOAD;
      const tree_node *to = load ? beyond_parentheses(around)->parent : around;
      const bool component = !to->arrow && (to->kind == TREE_SWIZZLE || to->kind == TREE_MEMBER);
      const bool copied = load && to->kind == TREE_ASSIGN && around->index == 1;
      bits |= component ? taken_by(to, t) : copied ? 0 : UINT64_MAX;
    }
  }
  return bits;
}

/* Of a load by this access; NULL: it loads no whole vector or structure. */
static const tree_type *loaded_type(const touch *t) {
  const bool loads = t->kind == CHECK_READ && (t->form == TOUCH_LVALUE || t->form == TOUCH_VECTOR);
  const tree_node *value = !loads ? NULL : t->form == TOUCH_LVALUE ? t->object : t->whole;
  const tree_type *type = value != NULL && value->kind != TREE_SWIZZLE ? value->type : NULL;
  return type != NULL && (type->kind == TREE_TYPE_VECTOR || type->kind == TREE_TYPE_RECORD) ? type : NULL;
}

static void put_case(const part_list *l, uint64_t used, size_t number, buffer *out) {
  bool any = false;
  for (size_t k = 0; k < l->count && !l->failed; k++) {
    const part *p = &l->items[k];
    if (p->member >= MOST_PARTS || (used >> p->member & 1) != 0) {
      buffer_printf(out, any ? " ||" : " case %uu: return", (unsigned)number);
      buffer_printf(out, " cltc_same(c, address + %lluul, %uu)", (unsigned long long)p->at, (unsigned)p->size);
      any = true;
    }
  }
  buffer_puts(out, any ? ";" : "");
}

void put_parts(const memory_form *m, buffer *out) {
  buffer_puts(out, "#define CLTC_PARTS");
  for (size_t i = 0; i < m->count && !m->p->form->brief; i++) {
    const touch *t = &m->items[i];
    const tree_type *type = loaded_type(t);
    if (type != NULL) {
      part_list l = {0};
      add_parts(&l, type, 0, 0, true);
      put_case(&l, used_of(t->form == TOUCH_LVALUE ? t->whole->parent : t->whole, type), i, out);
    }
  }
  buffer_puts(out, "\n");
}
