/* The text of a unit with its mutants: the schema, in which a launch chooses one, or clones, in which they stand for
 * good.
 *
 * A work-item keeps its context in private memory, as coverage does: the mutant m that it was launched with and its
 * fuel. Operators are calls of typed functions that compare m with their numbers (schema_functions.c); what would
 * endanger or slow down other mutants (barriers, loops) is changed in clones only. Where a mutant stands in a macro's
 * body, each use has it. */
#include "mutate/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/edit.h"

extern const char mutate_schema[]; /* schema.cl */

/* Indexed by place_kind. */
static const mutant_form forms[] = {
    [PLACE_BINARY] = MUTANT_SELECTED,       [PLACE_COMPARE] = MUTANT_SELECTED,
    [PLACE_POINTER_STEP] = MUTANT_SELECTED, [PLACE_POINTER_COMPARE] = MUTANT_SELECTED,
    [PLACE_LOGICAL] = MUTANT_SELECTED,      [PLACE_NOT] = MUTANT_SELECTED,
    [PLACE_UNARY] = MUTANT_SELECTED,        [PLACE_INCREMENT] = MUTANT_SELECTED,
    [PLACE_ASSIGN] = MUTANT_SELECTED,       [PLACE_BARRIER] = MUTANT_CLONED,
    [PLACE_IMAGE] = MUTANT_SELECTED,        [PLACE_LOOP] = MUTANT_CLONED,
    [PLACE_INDEX] = MUTANT_SELECTED,        [PLACE_ATOMIC] = MUTANT_SELECTED,
    [PLACE_FLAGS] = MUTANT_CLONED,          [PLACE_FENCE] = MUTANT_CLONED,
    [PLACE_LOCAL] = MUTANT_CLONED,          [PLACE_LITERAL] = MUTANT_SELECTED,
    [PLACE_TEXT] = MUTANT_CLONED,           [PLACE_FIXED] = MUTANT_CLONED,
};

mutant_form schema_form(place_kind kind) { return forms[kind]; }

/* What a unit's text is written with. */
typedef struct unit_writer {
  const places *places;
  const program *p;
  const unit *u;
  const copies *copies; /* NULL for the schema */
  typed_functions functions;
  renderer out;
} unit_writer;

static void append_preamble(const places *p, uint32_t unit_index, bool clones, buffer *out) {
  uint32_t words = 0;
  for (size_t i = 0; i < p->count; i++) {
    words = p->items[i].number / 32 >= words ? p->items[i].number / 32 + 1 : words;
  }
  if (unit_index > 0) { /* before OpenCL C 1.2 nothing is static */
    buffer_printf(out,
                  "#define cltc_turn cltc_turn_unit%u\n#define cltc_divided cltc_divided_unit%u\n"
                  "#define cltc_divided_own cltc_divided_own_unit%u\n",
                  (unsigned)unit_index, (unsigned)unit_index, (unsigned)unit_index);
  }
  buffer_puts(out, "/* Mutants by cltestcheck. */\ntypedef struct {\n  uint m, events;\n  long fuel;\n");
  if (words > 0) {
    buffer_printf(out, "#ifdef CLTC_REACH\n  uint r[%u];\n#endif\n", (unsigned)words);
  }
  buffer_puts(out, "} cltc_context;\n");
  buffer_puts(out, mutate_schema);
  buffer_puts(out, clones ? "" : "#define CLTC_M (cltc->m)\n");
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static uint32_t function_index(const program *p, const tree_node *definition) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    if (p->functions[i].node == definition) {
      return i;
    }
  }
  return NONE;
}

static void write_span(unit_writer *w, span tokens, const edits *e, enum edit_mode mode) {
  w->out.edits = e;
  w->out.mode = mode;
  render_tokens(&w->out, tokens);
}

/* A definition, as a kernel or a function that others call, or both. */
static void write_definition(unit_writer *w, uint32_t index, uint32_t number, unsigned needs) {
  edits e = {0};
  const function *f = &w->p->functions[index];
  schema_writer s = {.places = w->places,
                     .p = w->p,
                     .u = w->u,
                     .f = f,
                     .index = index,
                     .number = number,
                     .copies = w->copies,
                     .functions = &w->functions,
                     .edits = &e};
  schema_edits(&s);
  if (w->functions.pending.length > 0) {
    render_lines(&w->out, buffer_text(&w->functions.pending));
    buffer_free(&w->functions.pending);
  }
  if (number != SCHEMA_TEXT) {
    char *lines = text_of("#undef CLTC_M\n#define CLTC_M %uu\n", (unsigned)number);
    render_lines(&w->out, lines);
    free(lines);
  }
  span tokens = {f->node->tokens.first, f->body.last};
  if (!f->node->symbol->kernel || (needs & COPY_ENTRY) != 0) {
    write_span(w, tokens, &e, EDIT_PLAIN);
  }
  if (f->node->symbol->kernel && (needs & COPY_CALLED) != 0) {
    render_lines(&w->out, "");
    write_span(w, tokens, &e, EDIT_TWIN);
  }
  edit_free(&e);
}

static void write_definitions(unit_writer *w, uint32_t index) {
  if (w->copies == NULL) {
    write_definition(w, index, SCHEMA_TEXT, COPY_ENTRY | (w->p->functions[index].called ? COPY_CALLED : 0));
    return;
  }
  for (size_t i = 0; i < w->copies->count; i++) {
    unsigned needs = w->copies->needs[i * w->copies->function_count + index];
    if (needs != 0) {
      write_definition(w, index, w->copies->numbers[i], needs);
    }
  }
}

/* --- declarations: several functions may share one --------------------------------------------------------------- */

static unsigned needs_of(const unit_writer *w, size_t copy, const char *name) {
  unsigned needs = 0;
  for (size_t f = 0; f < w->p->function_count; f++) {
    if (strcmp(w->p->functions[f].node->symbol->name, name) == 0) {
      needs |= w->copies == NULL ? (w->p->functions[f].called ? COPY_ENTRY | COPY_CALLED : COPY_ENTRY)
                                 : w->copies->needs[copy * w->copies->function_count + f];
    }
  }
  return needs;
}

/* One copy of the declaration that begins at `first`; copy NONE: the schema's. */
static void write_declaration(unit_writer *w, span tokens, size_t copy) {
  edits e = {0};
  unsigned needs = 0;
  bool kernel = false;
  const tree *t = w->u->tree;
  for (const tree_node *n = tree_next_function(t, NULL); n != NULL; n = tree_next_function(t, n)) {
    if (n->tokens.first == tokens.first && defined_elsewhere(w->p, n) != NULL) {
      edit_declared(&e, &w->u->text, n);
      if (w->copies != NULL) {
        edit_add(&e, n->token, EDIT_SUFFIX, 1, EDIT_BOTH, mutant_clone_name("", w->copies->numbers[copy]));
      }
      kernel = kernel || n->symbol->kernel;
      needs |= needs_of(w, copy, n->symbol->name);
    }
  }
  edit_sort(&e);
  if (w->copies != NULL && needs != 0) {
    render_lines(&w->out, "");
  }
  if ((w->copies == NULL && needs == 0) || (needs & (unsigned)(kernel ? COPY_ENTRY : COPY_CALLED | COPY_ENTRY)) != 0) {
    write_span(w, tokens, &e, EDIT_PLAIN);
  }
  if (kernel && (needs & COPY_CALLED) != 0) {
    render_lines(&w->out, "");
    write_span(w, tokens, &e, EDIT_TWIN);
  }
  edit_free(&e);
}

static void write_declarations(unit_writer *w, span tokens) {
  for (size_t i = 0; i < (w->copies == NULL ? 1 : w->copies->count); i++) {
    write_declaration(w, tokens, i);
  }
}

/* --- the unit ---------------------------------------------------------------------------------------------------- */

/* The function whose declaration or definition begins at a token. */
static const tree_node *function_at(const unit *u, uint32_t token) {
  const tree_node *n = tree_next_function(u->tree, NULL);
  while (n != NULL && n->tokens.first != token) {
    n = tree_next_function(u->tree, n);
  }
  return n;
}

/* Writes what begins at token `t`; returns the token after it. */
static uint32_t write_next(unit_writer *w, uint32_t t) {
  static const edits none = {0};
  const tree_node *declared = function_at(w->u, t);
  if (declared == NULL) {
    write_span(w, (span){t, t}, &none, EDIT_PLAIN);
    return t + 1;
  }
  uint32_t index = function_index(w->p, declared);
  if (index != NONE) {
    write_definitions(w, index);
    return declared->tokens.last + 1;
  }
  uint32_t end = token_semicolon(&w->u->text, t);
  write_declarations(w, (span){t, end});
  return end + 1;
}

char *schema_text(const places *p, uint32_t unit_index, const mutate_result *r, const uint32_t *clones,
                  size_t clone_count) {
  copies c = {0};
  if (clones != NULL) {
    c = plan_copies(p, r, clones, clone_count);
  }
  unit_writer w = {.places = p,
                   .p = p->program,
                   .u = &p->program->units[unit_index],
                   .copies = clones == NULL ? NULL : &c,
                   .functions = {.unit = unit_index}};
  w.out = (renderer){.text = &w.u->text, .mode = EDIT_PLAIN, .file = NONE};
  append_preamble(p, unit_index, clones != NULL, &w.out.out);
  for (uint32_t t = 0; t < w.u->text.token_count;) {
    t = write_next(&w, t);
  }
  buffer_putc(&w.out.out, '\n');
  typed_functions_free(&w.functions);
  copies_free(&c);
  return buffer_take(&w.out.out);
}
