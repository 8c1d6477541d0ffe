/* The text of a program with bounds: its preamble, hidden parameters, and the edits of a function. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/forms.h"
#include "instrument/memory.h"
#include "wire/memory_record.h"

bool is_memory_parameter(const tree_symbol *s) {
  const tree_type *t = s != NULL ? s->type : NULL;
  const tree_space space = t != NULL && t->kind == TREE_TYPE_POINTER ? t->element->space : TREE_SPACE_NONE;
  return space == TREE_SPACE_GLOBAL || space == TREE_SPACE_CONSTANT || space == TREE_SPACE_LOCAL ||
         (t != NULL && t->kind == TREE_TYPE_IMAGE);
}

static bool is_local(const tree_symbol *s) {
  return s->type->kind == TREE_TYPE_POINTER && s->type->element->space == TREE_SPACE_LOCAL;
}

static bool is_local_array(const tree_node *n) {
  return n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL && n->type->size > 0;
}

/* --- the preamble -------------------------------------------------------------------------------------------------- */

typedef struct found_objects {
  unsigned globals, locals;
} found_objects;

/* Memory of a kernel that an address may be in. */
static found_objects objects_of(const tree_node *kernel) {
  found_objects o = {0};
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    const tree_symbol *s = kernel->children[i]->symbol;
    if (is_memory_parameter(s) && s->type->kind == TREE_TYPE_POINTER) {
      o.locals += is_local(s) ? 1 : 0;
      o.globals += is_local(s) ? 0 : 1;
    }
  }
  const tree_node *body = tree_body(kernel);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    o.locals += is_local_array(n) ? 1 : 0;
  }
  return o;
}

void memory_before(const void *state, const program *p, buffer *out) {
  const memory_form *m = state;
  found_objects most = {1, 1};
  for (size_t i = 0; i < p->function_count; i++) {
    const found_objects o = objects_of(p->functions[i].node);
    most.globals = o.globals > most.globals ? o.globals : most.globals;
    most.locals = o.locals > most.locals ? o.locals : most.locals;
  }
  if (m->looks_up) {
    buffer_printf(out, "#define CLTC_LOOKS_UP\n#define CLTC_GLOBALS %u\n#define CLTC_LOCALS %u\n", most.globals,
                  most.locals);
  }
  buffer_puts(out, m->leaves ? "#define CLTC_FUEL 100000u\n" : "");
  buffer_puts(out, m->copies ? "#define CLTC_COPIES\n" : "");
  buffer_puts(out, m->vague ? "#define CLTC_VAGUE\n" : "");
  buffer_puts(out, m->pixels ? "#define CLTC_PIXELS\n" : "");
  put_parts(m, out);
  buffer_puts(out, instrument_memory);
}

/* --- parameters ---------------------------------------------------------------------------------------------------- */

void memory_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  buffer out = {0};
  for (uint32_t i = 0; i + 1 < declared->child_count; i++) {
    if (is_memory_parameter(declared->children[i]->symbol)) {
      buffer_printf(&out, ", ulong2 cltc_p%u", (unsigned)i);
    }
  }
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&out));
}

void memory_handed(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  buffer out = {0};
  const uint32_t count = declared->child_count - (tree_body(declared) != NULL ? 1 : 0);
  for (uint32_t i = 0; i < count; i++) {
    if (declared->children[i] != NULL && is_handled_type(declared->children[i]->type)) {
      buffer_printf(&out, ", ulong2 cltc_h%u", (unsigned)i);
    }
  }
  buffer_puts(&out, ", ulong cltc_path");
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 0, declared->symbol->kernel ? EDIT_TWIN : EDIT_BOTH,
           buffer_take(&out));
}

/* --- kernels ------------------------------------------------------------------------------------------------------- */

/* The handles of a kernel's parameters. */
static void begin_kernel(memory_writer *w) {
  const tree_node *kernel = w->f->node;
  buffer out = {0};
  buffer_puts(&out,
              " cltc_context cltc_c; __private cltc_context *const cltc = &cltc_c;"
              " cltc_begin(cltc, cltc_flags, cltc_capacity); const ulong cltc_path = 0ul;");
  buffer_puts(&out, w->m->p->form->brief ? "" : " cltc->filling = (uint)cltc_first;");
  found_objects n = {0};
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    const tree_symbol *s = kernel->children[i]->symbol;
    if (!is_handled_type(kernel->children[i]->type)) {
      continue;
    }
    if (s->type->kind == TREE_TYPE_IMAGE) {
      buffer_printf(&out, " ulong2 cltc_h%u = CLTC_OBJECT(cltc_p%u.x, %uu, cltc_p%u.y);", (unsigned)i, (unsigned)i,
                    (unsigned)i, (unsigned)i);
      continue;
    }
    if (!is_memory_parameter(s)) {
      buffer_printf(&out, " ulong2 cltc_h%u = CLTC_UNKNOWN;", (unsigned)i);
      continue;
    }
    buffer_printf(&out,
                  " ulong2 cltc_h%u = (ulong2)((ulong)%s - cltc_p%u.x, (cltc_p%u.y & 0xffffffffffffful) | %uul << 52);",
                  (unsigned)i, s->name, (unsigned)i, (unsigned)i, (unsigned)i);
    if (w->m->looks_up) {
      buffer_printf(&out, " cltc->%s[%u] = cltc_h%u;", is_local(s) ? "locals" : "globals",
                    is_local(s) ? n.locals++ : n.globals++, (unsigned)i);
    }
  }
  edit_add(w->e, body_start(&w->m->p->units[w->f->unit].text, w->f), EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&out));
}

/* Each work-item comes to the end, where it says whether anything was wrong. */
static void end_kernel(memory_writer *w) {
  const tree_node *body = tree_body(w->f->node);
  bool returns = false;
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_RETURN) {
      returns = true;
      edit_add(w->e, statement_begin(n), EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
    }
  }
  edit_add(w->e, w->f->body.last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%sCLTC_END ", returns ? "cltc_exit: ; " : ""));
}

/* Arrays in local memory can be found from their declarations on. */
static void know_arrays(memory_writer *w) {
  unsigned at = 0;
  for (uint32_t i = 0; i + 1 < w->f->node->child_count; i++) {
    const tree_symbol *s = w->f->node->children[i]->symbol;
    at += is_memory_parameter(s) && is_local(s) ? 1 : 0;
  }
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = body; n != NULL && w->m->looks_up; n = tree_next(body, n)) {
    if (is_local_array(n)) {
      const bool array = n->type->kind == TREE_TYPE_ARRAY;
      edit_add(
          w->e, tree_statement_of(n)->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_PLAIN,
          text_of(" cltc->locals[%u] = CLTC_OBJECT(cltc_local_address(%s%s), %uu, %lluul);", at++, array ? "" : "&",
                  n->symbol->name, (unsigned)memory_number(w->m, n->symbol), (unsigned long long)n->type->size));
    }
  }
}

/* --- loops --------------------------------------------------------------------------------------------------------- */

static bool is_there(const tree_node *part, bool (*is)(const tree_node *)) {
  for (const tree_node *n = part; n != NULL; n = tree_next(part, n)) {
    if (is(n)) {
      return true;
    }
  }
  return false;
}

static bool is_read(const tree_node *n) {
  return n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || n->kind == TREE_CALL || n->arrow;
}

static bool is_meeting_place(const tree_node *n) {
  const tree_builtin_kind kind = n->kind == TREE_CALL && n->builtin != NULL ? n->builtin->kind : TREE_MATH;
  return kind == TREE_BARRIER || kind == TREE_ASYNC_COPY || kind == TREE_ASYNC_WAIT || kind == TREE_GROUP ||
         kind == TREE_SUB_GROUP;
}

static bool is_own_call(const tree_node *n) { return n->kind == TREE_CALL && n->builtin == NULL; }

/* Whether what is read may decide how often it turns. Where work-items of a group wait for each other, none leaves. */
static bool may_turn_for_ever(const memory_writer *w, const tree_node *n) {
  const bool counts = n->kind == TREE_FOR && n->children[1] != NULL && n->children[2] != NULL &&
                      !is_there(n->children[1], is_read) && !is_there(n->children[2], is_read);
  return tree_is_loop(n->kind) && !n->not_executed && !counts && !is_done_once(n) && !is_there(n, is_meeting_place) &&
         !(w->f->has_barrier && is_there(n, is_own_call));
}

/* A sentinel is in no memory outside: a work-item that has read there often leaves its loops. */
static void write_loops(memory_writer *w) {
  for (size_t i = 0; i < w->f->statements.count; i++) {
    const tree_node *n = w->f->statements.items[i];
    if (!may_turn_for_ever(w, n)) {
      continue;
    }
    const span condition = statement_condition(n);
    w->m->leaves = true;
    if (span_empty(condition)) {
      edit_add(w->e, n->parts->ends[1], EDIT_BEFORE, 0, EDIT_BOTH, text_of(" cltc_goes_on(cltc)"));
    } else {
      edit_wrap(w->e, condition, text_of("(cltc_goes_on(cltc) && ("), text_of("))"));
    }
  }
}

/* --- functions ----------------------------------------------------------------------------------------------------- */

static uint32_t calls_before(const program *p, uint32_t index) {
  uint32_t calls = 0;
  for (uint32_t i = 0; i < index; i++) {
    calls += (uint32_t)p->functions[i].call_count;
  }
  return calls;
}

static void write_function(memory_form *m, uint32_t index, edits *e) {
  memory_writer w = {.m = m, .f = &m->p->functions[index], .e = e};
  write_handles(&w);
  write_waits(&w);
  write_loops(&w);
  write_calls(&w, calls_before(m->p, index));
  for (size_t i = 0; i < m->count && i < MEMORY_ACCESSES; i++) {
    if (m->items[i].function == index) {
      write_touch(&w, &m->items[i], i);
    }
  }
  const uint32_t start = body_start(&m->p->units[w.f->unit].text, w.f);
  edit_add(e, start, EDIT_AFTER, 1, EDIT_BOTH, text_of("%s", buffer_text(&w.declared)));
  if (w.f->node->symbol->kernel) {
    begin_kernel(&w);
    know_arrays(&w);
    if (m->p->form->brief || m->copies) {
      end_kernel(&w);
    }
  }
  buffer_free(&w.declared);
  free(w.handled);
}

void memory_function(const void *state, const program *p, uint32_t index, edits *e) {
  (void)p;
  memory_form m = *(const memory_form *)state; /* all that it could add is there since memory_try */
  write_function(&m, index, e);
}

void memory_try(memory_form *m) {
  for (int round = 0; round < 2; round++) { /* the second one knows whether it looks up */
    for (uint32_t i = 0; i < m->p->function_count; i++) {
      edits nowhere = {0};
      write_function(m, i, &nowhere);
      edit_free(&nowhere);
    }
  }
}
