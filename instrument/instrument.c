/* A program that is instrumented or mutated: preprocessed, parsed, discovered; and the texts of forms: what builds it
 * as a row says. */
#include "instrument/instrument.h"

#include <stdlib.h>

#include "base/memory.h"
#include "instrument/forms.h"

/* ---- forms ---- */

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

/* In front of a unit. */
static void emit_preamble(const program *p, buffer *out) {
  buffer_puts(out, p->form->title);
  INNER_FIRST(n) { CALL(n, before, p, out); }
  scoped_buffer members = {0};
  INNER_FIRST(n) { CALL(n, members, p, &members); }
  if (members.length > 0)
    buffer_printf(out, "typedef struct {\n  uint t, zero;\n%s} cltc_context;\n", buffer_text(&members));
  if (p->form->bare != NULL) buffer_printf(out, "#ifdef CLTC_BARE\n%s#else\n", p->form->bare);
  OUTER_FIRST(n) { CALL(n, macros, p, out); }
  buffer_puts(out, p->form->bare != NULL ? "#endif\n" : "");
}

/* After it. */
static void emit_kernels(const program *p, uint32_t unit_index, buffer *out) {
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

/* All edits of a unit, sorted. */
static void collect_edits(const program *p, uint32_t unit_index, edits *e) {
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
    edits e = {0};
    buffer text = {0};
    collect_edits(p, i, &e);
    emit_preamble(p, &text);
    render_unit(p, &p->units[i], &e, &text);
    emit_kernels(p, i, &text);
    edit_free(&e);
    out->texts[i] = buffer_take(&text);
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

/* ---- instrumenting ---- */

static void take_questions(instrument_result *out, uint32_t source, const pp_result *text) {
  size_t capacity = out->question_count;
  for (size_t i = 0; i < text->question_count; i++) {
    instrument_question *q = ARRAY_ADD(out->questions, out->question_count, capacity);
    q->source = source;
    q->expression = mem_strdup(text->questions[i]);
  }
}

static int preprocess_all(program *p, const pp_input *sources, error *e) {
  for (uint32_t i = 0; i < p->unit_count; i++) {
    if (pp_run(&sources[i], &p->units[i].text, e) != 0) return -1;
    take_questions(p->out, i, &p->units[i].text);
  }
  return 0;
}

static int parse_all(program *p, error *e) {
  for (uint32_t i = 0; i < p->unit_count; i++) {
    unit *u = &p->units[i];
    if (tree_build(&u->text, u->text.other_options, &u->tree, e) != 0) return -1;
    if (u->tree->blocks) return error_set(e, EXIT_INTERNAL, "block literals (device-side enqueue) are not supported");
    u->graph = tree_graph_read(u->tree);
    u->stores = read_stores(u->tree, u->text.other_options);
  }
  return 0;
}

/* A kernel that is called needs a twin that is a plain function, and those cannot declare __local variables. */
static int check_called_kernels(const program *p, error *e) {
  for (size_t i = 0; i < p->function_count; i++) {
    const function *f = &p->functions[i];
    const bool twice = f->node->symbol->kernel && f->called;
    for (const tree_node *n = twice ? f->node : NULL; n != NULL; n = tree_next(f->node, n)) {
      if (n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL) {
        return error_set(e, EXIT_INTERNAL, "kernel %s declares __local variables and is called by another function",
                         f->node->symbol->name);
      }
    }
  }
  return 0;
}

static void join_options(const pp_input *sources, size_t count, model *m) {
  buffer joined = {0};
  for (size_t i = 0; i < count; i++)
    buffer_printf(&joined, "%s%s", i == 0 ? "" : "\n", sources[i].options == NULL ? "" : sources[i].options);
  m->options = buffer_take(&joined);
}

int program_prepare(program *p, const pp_input *sources, size_t source_count, instrument_result *out, error *e) {
  *out = (instrument_result){0};
  *p = (program){.out = out, .unit_count = source_count};
  p->units = mem_calloc(source_count, sizeof *p->units);
  int result = preprocess_all(p, sources, e);
  if (result != 0 || out->question_count > 0) return result;
  result = parse_all(p, e);
  if (result == 0) result = discover(p, e);
  if (result == 0) result = check_called_kernels(p, e);
  if (result == 0) join_options(sources, source_count, &out->model);
  return result;
}

void program_free(program *p) {
  for (size_t i = 0; i < p->unit_count; i++) {
    tree_free(p->units[i].tree);
    pp_result_free(&p->units[i].text);
    free(p->units[i].stores.items);
    free(p->units[i].files);
  }
  for (size_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++) free(f->points[k].guards);
    for (size_t k = 0; k < f->instance_count; k++) free(f->instances[k].paths);
    statements_free(&f->statements);
    free(f->decisions);
    free(f->instances);
    free(f->leaves);
    free(f->implied);
    free(f->calls);
    free(f->points);
  }
  free(p->units);
  free(p->functions);
  free(p->planes);
  free(p->kernel_functions);
}
