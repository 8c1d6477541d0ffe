/* The texts of forms: what builds a program as a row says. */
#include "instrument/forms.h"

#include <stdlib.h>

#include "base/memory.h"
#include "instrument/edit.h"
#include "instrument/program_internal.h"

#define TEXT(name) &name
#define NO_TEXT NULL
#define FORM_TEXT(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, ...) [KERNEL_##NAME] = WRITTEN,
static const form_text *const texts[] = {CLTC_FORMS(FORM_TEXT, FORMS_IGNORED)};

#define CALL(n, hook, ...)                        \
  do {                                            \
    const pass *called = p->form->passes[n];      \
    if (called != NULL && called->hook != NULL) { \
      called->hook(p->states[n], __VA_ARGS__);    \
    }                                             \
  } while (0)
#define INNER_FIRST(n) for (size_t n = 0; n < PASSES_MOST; n++)
#define OUTER_FIRST(n) for (size_t n = PASSES_MOST; n-- > 0;)

/* --- the text of a unit --------------------------------------------------------------------------------------------- */

void emit_preamble(const program *p, buffer *out) {
  buffer_puts(out, p->form->title);
  INNER_FIRST(n) { CALL(n, before, p, out); }
  buffer members = {0};
  INNER_FIRST(n) { CALL(n, members, p, &members); }
  if (members.length > 0)
    buffer_printf(out, "typedef struct {\n  uint t, zero;\n%s} cltc_context;\n", buffer_text(&members));
  buffer_free(&members);
  if (p->form->bare != NULL) buffer_printf(out, "#ifdef CLTC_BARE\n%s#else\n", p->form->bare);
  OUTER_FIRST(n) { CALL(n, macros, p, out); }
  buffer_puts(out, p->form->bare != NULL ? "#endif\n" : "");
}

void emit_kernels(const program *p, uint32_t unit_index, buffer *out) {
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    if (p->functions[p->kernel_functions[k]].unit == unit_index) {
      OUTER_FIRST(n) { CALL(n, kernels, p, k, out); }
    }
  }
}

static void edit_head(const program *p, const pp_result *text, const tree_node *declared, edits *e) {
  edit_declared(e, text, declared);
  if (declared->symbol->kernel) {
    OUTER_FIRST(n) { CALL(n, parameters, text, declared, e); }
  }
  OUTER_FIRST(n) { CALL(n, handed, text, declared, e); }
}

void collect_edits(const program *p, uint32_t unit_index, edits *e) {
  const unit *u = &p->units[unit_index];
  for (uint32_t i = 0; i < p->function_count; i++) {
    if (p->functions[i].unit == unit_index) {
      edit_head(p, &u->text, p->functions[i].node, e);
      OUTER_FIRST(n) { CALL(n, function, p, i, e); }
      edit_calls(p, &p->functions[i], e);
    }
  }
  for (const tree_node *n = tree_next_function(u->tree, NULL); n != NULL; n = tree_next_function(u->tree, n))
    if (tree_body(n) == NULL && defined_elsewhere(p, n) != NULL) edit_head(p, &u->text, n, e);
  edit_sort(e);
}

/* --- a program ------------------------------------------------------------------------------------------------------ */

static void write_all(program *p) {
  instrument_result *out = p->out;
  out->source_count = p->unit_count;
  out->texts = mem_calloc(p->unit_count, sizeof *out->texts);
  out->options = mem_calloc(p->unit_count, sizeof *out->options);
  for (uint32_t i = 0; i < p->unit_count; i++) {
    out->texts[i] = rewrite_unit(p, i);
    out->options[i] = mem_strdup(p->units[i].text.other_options);
  }
}

static bool may_be_written(const tree_symbol *s) {
  const tree_type *t = s != NULL ? s->type : NULL;
  const bool pointer = t != NULL && t->kind == TREE_TYPE_POINTER;
  return (pointer && t->element->space == TREE_SPACE_GLOBAL && !t->element->is_const) ||
         (t != NULL && t->kind == TREE_TYPE_IMAGE && (s->access == TREE_WRITE_ONLY || s->access == TREE_READ_WRITE));
}

static void list_written(program *p) {
  for (size_t k = 0; k < p->kernel_count; k++) {
    const tree_node *kernel = p->functions[p->kernel_functions[k]].node;
    instrument_kernel *to = &p->out->kernels[k];
    to->written = mem_calloc(kernel->child_count + 1, sizeof *to->written);
    for (uint32_t i = 0; i + 1 < kernel->child_count; i++)
      if (may_be_written(kernel->children[i]->symbol)) to->written[to->written_count++] = i;
  }
}

static int build(program *p, error *e) {
  p->out->kernels = mem_calloc(p->kernel_count, sizeof *p->out->kernels);
  list_written(p);
  int result = 0;
  for (size_t n = 0; n < PASSES_MOST && p->form->passes[n] != NULL && result == 0; n++)
    result = p->form->passes[n]->begin == NULL ? 0 : p->form->passes[n]->begin(p, &p->states[n], e);
  if (result == 0) write_all(p);
  for (size_t n = 0; n < PASSES_MOST; n++)
    if (p->states[n] != NULL) p->form->passes[n]->end(p->states[n]);
  return result;
}

int instrument_as(const form_text *row, const pp_input *sources, size_t source_count, const char *gate,
                  instrument_result *out, error *e) {
  program p;
  int result = program_prepare(&p, sources, source_count, out, e);
  if (result == 0 && out->question_count == 0) {
    p.form = row;
    p.gate = gate;
    result = build(&p, e);
  }
  program_free(&p);
  return result;
}

int instrument_program(const pp_input *sources, size_t source_count, kernel_form which, const char *gate,
                       instrument_result *out, error *e) {
  return instrument_as(texts[which], sources, source_count, gate, out, e);
}
