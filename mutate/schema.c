/* The text of a unit with its mutants: the schema, in which a launch chooses one, or clones, in which they stand for
 * good.
 *
 * A work-item keeps its context in private memory, as coverage does: the mutant m that it was launched with and its
 * fuel. Operators are calls of typed functions that compare m with their numbers (schema_place.c); what would
 * endanger or slow down other mutants (barriers, loops) is changed in clones only. Where a mutant stands in a macro's
 * body, each use has it. */
#include "mutate/schema.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/edit.h"

#define SCHEMA_TEXT UINT32_MAX /* schema_writer.number: not a clone */

/* Which functions are written for which number. Functions that a mutant does not touch are shared with number 0. */
enum { COPY_ENTRY = 1, COPY_CALLED = 2 }; /* as a kernel; as a function that others call */

/* Which copies of functions the clones need: for each number its kernels, and on the way to the mutant copies of their
 * own; functions that have nothing to do with the mutant are shared with number 0. */

/* MUTATE_ORIGINAL_OF: number 0, but of some kernels only. */
static bool is_original(uint32_t clone) { return (clone & MUTATE_ORIGINAL_OF(0)) != 0; }

static int compare_numbers(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a;
  uint32_t right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

static void list_numbers(copies *c, const uint32_t *clones, size_t clone_count) {
  c->numbers = mem_calloc(clone_count + 1, sizeof *c->numbers);
  for (size_t i = 0; i < clone_count; i++) c->numbers[i + 1] = is_original(clones[i]) ? 0 : clones[i];
  qsort(c->numbers, clone_count + 1, sizeof *c->numbers, compare_numbers);
  for (size_t i = 0; i < clone_count + 1; i++)
    if (i == 0 || c->numbers[i] != c->numbers[c->count - 1]) c->numbers[c->count++] = c->numbers[i];
}

static size_t index_of(const copies *c, uint32_t number) {
  const uint32_t *found = bsearch(&number, c->numbers, c->count, sizeof number, compare_numbers);
  return found == NULL ? 0 : (size_t)(found - c->numbers);
}

/* Marks the functions with the mutant, and then those that call them. */
static void touch(const copies *c, const places *p, size_t index) {
  bool *touched = c->touched + index * c->function_count;
  uint32_t number = c->numbers[index];
  for (size_t i = 0; i < p->count && number > 0; i++) {
    const place *pl = &p->items[i];
    if (number > pl->first && number <= pl->first + pl->count) touched[pl->function] = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 0; f < c->function_count; f++) {
      const function *from = &p->program->functions[f];
      for (size_t k = 0; k < from->call_count && !touched[f]; k++) {
        touched[f] = touched[from->calls[k].callee];
        changed = changed || touched[f];
      }
    }
  }
}

/* The number of the copy of function `callee` that the copies for `number` call. */
static uint32_t number_of_callee(const copies *c, const program *p, uint32_t number, uint32_t callee) {
  const bool *touched = c->touched + index_of(c, number) * c->function_count;
  for (size_t f = 0; f < c->function_count; f++)
    if (touched[f] && strcmp(p->functions[f].node->symbol->name, p->functions[callee].node->symbol->name) == 0)
      return number;
  return 0;
}

static void need(copies *c, const program *p, size_t index, uint32_t f, unsigned char how) {
  unsigned char *needs = &c->needs[index * c->function_count + f];
  bool known = *needs != 0;
  *needs |= how;
  for (size_t k = 0; k < p->functions[f].call_count && !known; k++) {
    uint32_t callee = p->functions[f].calls[k].callee;
    uint32_t number = number_of_callee(c, p, c->numbers[index], callee);
    need(c, p, index_of(c, number), callee, COPY_CALLED);
  }
}

static void need_kernels(copies *c, const program *p, const mutate_result *r, uint32_t clone) {
  uint32_t number = clone & ~MUTATE_ORIGINAL_OF(0);
  if (number > r->mutant_count) return;
  size_t count = number == 0 ? p->kernel_count : r->mutants[number - 1].kernel_count;
  for (size_t k = 0; k < count; k++) {
    uint32_t kernel = number == 0 ? (uint32_t)k : r->mutants[number - 1].kernels[k];
    need(c, p, index_of(c, is_original(clone) ? 0 : clone), p->kernel_functions[kernel], COPY_ENTRY);
  }
}

static copies plan_copies(const places *p, const mutate_result *r, const uint32_t *clones, size_t clone_count) {
  copies c = {.function_count = p->program->function_count};
  list_numbers(&c, clones, clone_count);
  c.needs = mem_calloc(c.count * c.function_count + 1, 1);
  c.touched = mem_calloc(c.count * c.function_count + 1, sizeof *c.touched);
  for (size_t i = 0; i < c.count; i++) touch(&c, p, i);
  for (size_t i = 0; i < clone_count; i++) need_kernels(&c, p->program, r, clones[i]);
  return c;
}

static void copies_free(copies *c) {
  free(c->numbers);
  free(c->needs);
  free(c->touched);
  *c = (copies){0};
}

/* All edits of one function: parameters, entry and exit, calls, places, loops, and in clones its name. */

void put(const schema_writer *w, uint32_t token, enum edit_place where, span around, uint32_t layer, char *text) {
  edit_add(w->edits, token, where, (around.last - around.first + 1) * LAYERS + layer, EDIT_BOTH, text);
}

uint32_t mutant_here(const schema_writer *w, const place *p) {
  return w->number == SCHEMA_TEXT || w->number <= p->first || w->number > p->first + p->count
             ? NONE
             : w->number - p->first - 1;
}

/* --- replaced tokens --------------------------------------------------------------------------------------------- */

void replace_span(schema_writer *w, span tokens, char *text) {
  *ARRAY_ADD(w->replaced, w->replaced_count, w->replaced_capacity) = (replaced_span){tokens, text};
}

static bool belongs_to(const edit *e, span tokens) {
  uint32_t widest = (tokens.last - tokens.first + 1) * LAYERS + LAYERS - 1;
  bool outside = e->extent > widest && ((e->token == tokens.first && e->place == EDIT_BEFORE) ||
                                        (e->token == tokens.last && e->place == EDIT_AFTER));
  return span_has(tokens, e->token) && !outside;
}

static void apply_replaced(schema_writer *w) {
  for (size_t i = 0; i < w->replaced_count; i++) {
    span tokens = w->replaced[i].tokens;
    size_t kept = 0;
    for (size_t k = 0; k < w->edits->count; k++)
      if (belongs_to(&w->edits->items[k], tokens))
        free(w->edits->items[k].text);
      else
        w->edits->items[kept++] = w->edits->items[k];
    w->edits->count = kept;
    for (uint32_t t = tokens.first; t <= tokens.last; t++)
      edit_add(w->edits, t, EDIT_REPLACE, 0, EDIT_BOTH, t == tokens.first ? w->replaced[i].text : text_of("%s", ""));
  }
  free(w->replaced);
  w->replaced = NULL;
  w->replaced_count = w->replaced_capacity = 0;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

/* In clones: the function's own name and those that it calls. */
static void edit_names(const schema_writer *w) {
  edit_add(w->edits, w->f->node->token, EDIT_SUFFIX, 1, EDIT_BOTH, mutant_clone_name("", w->number));
  for (size_t i = 0; i < w->f->call_count; i++) {
    const call *c = &w->f->calls[i];
    if (i == 0 || w->f->calls[i - 1].token != c->token) {
      edit_add(w->edits, c->token, EDIT_SUFFIX, 1, EDIT_BOTH,
               mutant_clone_name("", number_of_callee(w->copies, w->p, w->number, c->callee)));
    }
  }
}

/* --- entry and exit ---------------------------------------------------------------------------------------------- */

static bool has_barrier(const schema_writer *w, uint32_t index) {
  const tree_node *root = w->p->functions[index].node;
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n))
    if (n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_BARRIER) return true;
  return false;
}

static bool has_wide_switch(const function *f) {
  bool wide = false;
  for (size_t i = 0; i < f->instance_count; i++) wide = wide || is_wide_switch(&f->instances[i]);
  return wide;
}

/* What a kernel has in the functions that it reaches. */
typedef struct kernel_needs {
  bool *words; /* of the reach record */
  uint32_t word_count;
  bool barrier, wide_switch;
} kernel_needs;

static void find_needs(const schema_writer *w, kernel_needs *needs) {
  size_t count = 0;
  scoped uint32_t *reach = reachable_functions(w->p, w->index, &count);
  for (size_t i = 0; i < count; i++) {
    needs->barrier = needs->barrier || has_barrier(w, reach[i]);
    needs->wide_switch = needs->wide_switch || has_wide_switch(&w->p->functions[reach[i]]);
    for (size_t k = 0; k < w->places->count; k++)
      if (w->places->items[k].function == reach[i]) needs->words[w->places->items[k].number / 32] = true;
  }
}

/* Compilers keep words that are read one by one in variables: after a switch that takes them as long as labels times
 * words. What a loop reads stays in memory. */
static void append_keep(const kernel_needs *needs, buffer *out) {
  uint32_t first = needs->word_count, end = 0;
  const bool loop = needs->wide_switch && !needs->barrier;
  for (uint32_t i = 0; i < needs->word_count; i++) {
    if (needs->words[i] && !loop) buffer_printf(out, " CLTC_KEEP%s(%u)", needs->barrier ? "_EVENLY" : "", (unsigned)i);
    first = needs->words[i] && i < first ? i : first;
    end = needs->words[i] ? i + 1 : end;
  }
  if (loop && first < end) buffer_printf(out, " CLTC_KEEP_WORDS(%u, %u)", (unsigned)first, (unsigned)end);
}

/* What stands at the beginning of a kernel and at its end. */
static void append_frame(const schema_writer *w, uint32_t place_count, buffer *begin, buffer *out) {
  kernel_needs needs = {.word_count = place_count / 32 + 1};
  needs.words = mem_calloc(needs.word_count, sizeof *needs.words);
  find_needs(w, &needs);
  buffer_printf(begin, " CLTC_BEGIN%s", needs.barrier ? "_EVENLY" : "");
  append_keep(&needs, out);
  buffer_printf(out, " CLTC_END%s ", needs.barrier ? "_EVENLY" : "");
  free(needs.words);
}

/* Returns become jumps to the exit. */
static bool edit_returns(const schema_writer *w) {
  bool any = false;
  for (size_t s = 0; s < w->f->statements.count; s++) {
    const tree_node *n = w->f->statements.items[s];
    if (n->kind == TREE_RETURN) {
      edit_add(w->edits, statement_begin(n), EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
      any = true;
    }
  }
  return any;
}

/* A size, label or attribute has its value as soon as the function is entered. */
static char *marks_of_fixed(const schema_writer *w) {
  buffer out = {0};
  for (size_t i = 0; i < w->places->count; i++) {
    const place *p = &w->places->items[i];
    if (p->kind == PLACE_FIXED && p->function == w->index)
      buffer_printf(&out, " CLTC_MARK(%u, 0x%x)", (unsigned)p->number / 32, 1u << (p->number % 32));
  }
  return out.length == 0 ? NULL : buffer_take(&out);
}

static void edit_body(schema_writer *w) {
  uint32_t start = body_start(&w->u->text, w->f);
  if (w->f->node->symbol->kernel) {
    uint32_t place_count = 0;
    for (size_t i = 0; i < w->places->count; i++)
      place_count = w->places->items[i].number >= place_count ? w->places->items[i].number + 1 : place_count;
    buffer begin = {0}, exit = {0};
    buffer_puts(&exit, edit_returns(w) ? " cltc_exit: ;" : "");
    append_frame(w, place_count, &begin, &exit);
    edit_add(w->edits, start, EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&begin));
    edit_add(w->edits, w->f->body.last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&exit));
  }
  if (w->locals.length > 0) edit_add(w->edits, start, EDIT_AFTER, 2, EDIT_BOTH, buffer_take(&w->locals));
  char *marks = marks_of_fixed(w);
  if (marks != NULL) edit_add(w->edits, start, EDIT_AFTER, 3, EDIT_BOTH, marks);
}

/* All edits of the function, sorted. */
static void schema_edits(schema_writer *w) {
  edit_declared(w->edits, &w->u->text, w->f->node);
  edit_calls(w->p, w->f, w->edits);
  if (w->number != SCHEMA_TEXT) edit_names(w);
  for (size_t i = 0; i < w->places->count; i++)
    if (w->places->items[i].function == w->index && w->places->items[i].count > 0) edit_place(w, &w->places->items[i]);
  edit_loops(w);
  apply_replaced(w);
  edit_body(w);
  buffer_free(&w->locals);
  edit_sort(w->edits);
}

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
  for (size_t i = 0; i < p->count; i++) words = p->items[i].number / 32 >= words ? p->items[i].number / 32 + 1 : words;
  if (unit_index > 0) { /* before OpenCL C 1.2 nothing is static */
    buffer_printf(out,
                  "#define cltc_turn cltc_turn_unit%u\n#define cltc_divided cltc_divided_unit%u\n"
                  "#define cltc_divided_own cltc_divided_own_unit%u\n",
                  (unsigned)unit_index, (unsigned)unit_index, (unsigned)unit_index);
  }
  buffer_puts(out, "/* Mutants by cltestcheck. */\ntypedef struct {\n  uint m, events;\n  long fuel;\n");
  if (words > 0) buffer_printf(out, "#ifdef CLTC_REACH\n  uint r[%u];\n#endif\n", (unsigned)words);
  buffer_puts(out, "} cltc_context;\n");
  buffer_puts(out, mutate_schema);
  buffer_puts(out, clones ? "" : "#define CLTC_M (cltc->m)\n");
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static uint32_t function_index(const program *p, const tree_node *definition) {
  for (uint32_t i = 0; i < p->function_count; i++)
    if (p->functions[i].node == definition) return i;
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
    scoped char *lines = text_of("#undef CLTC_M\n#define CLTC_M %uu\n", (unsigned)number);
    render_lines(&w->out, lines);
  }
  span tokens = {f->node->tokens.first, f->body.last};
  if (!f->node->symbol->kernel || (needs & COPY_ENTRY) != 0) write_span(w, tokens, &e, EDIT_PLAIN);
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
    if (needs != 0) write_definition(w, index, w->copies->numbers[i], needs);
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
      if (w->copies != NULL)
        edit_add(&e, n->token, EDIT_SUFFIX, 1, EDIT_BOTH, mutant_clone_name("", w->copies->numbers[copy]));
      kernel = kernel || n->symbol->kernel;
      needs |= needs_of(w, copy, n->symbol->name);
    }
  }
  edit_sort(&e);
  if (w->copies != NULL && needs != 0) render_lines(&w->out, "");
  if ((w->copies == NULL && needs == 0) || (needs & (unsigned)(kernel ? COPY_ENTRY : COPY_CALLED | COPY_ENTRY)) != 0)
    write_span(w, tokens, &e, EDIT_PLAIN);
  if (kernel && (needs & COPY_CALLED) != 0) {
    render_lines(&w->out, "");
    write_span(w, tokens, &e, EDIT_TWIN);
  }
  edit_free(&e);
}

/* --- the unit ---------------------------------------------------------------------------------------------------- */

/* The function whose declaration or definition begins at a token. */
static const tree_node *function_at(const unit *u, uint32_t token) {
  const tree_node *n = tree_next_function(u->tree, NULL);
  while (n != NULL && n->tokens.first != token) n = tree_next_function(u->tree, n);
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
  for (size_t i = 0; i < (w->copies == NULL ? 1 : w->copies->count); i++) write_declaration(w, (span){t, end}, i);
  return end + 1;
}

char *schema_text(const places *p, uint32_t unit_index, const mutate_result *r, const uint32_t *clones,
                  size_t clone_count) {
  copies c = {0};
  if (clones != NULL) c = plan_copies(p, r, clones, clone_count);
  unit_writer w = {.places = p,
                   .p = p->program,
                   .u = &p->program->units[unit_index],
                   .copies = clones == NULL ? NULL : &c,
                   .functions = {.unit = unit_index}};
  w.out = (renderer){.text = &w.u->text, .mode = EDIT_PLAIN, .file = NONE};
  append_preamble(p, unit_index, clones != NULL, &w.out.out);
  for (uint32_t t = 0; t < w.u->text.token_count;) t = write_next(&w, t);
  buffer_putc(&w.out.out, '\n');
  typed_functions_free(&w.functions);
  copies_free(&c);
  return buffer_take(&w.out.out);
}

/* Calls in text that a mutant brings in as a whole. */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The program's function with that name, NONE if there is none. */
static uint32_t function_named(const program *p, const char *name, size_t length) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    const char *own = p->functions[i].node->symbol->name;
    if (strlen(own) == length && memcmp(own, name, length) == 0) return i;
  }
  return NONE;
}

static const char *skip_space(const char *s) {
  while (isspace((unsigned char)*s)) s++;
  return s;
}

/* Where the parenthesis at `open` closes, NULL if it does not. */
static const char *closing(const char *open) {
  int depth = 0;
  for (const char *c = open; *c != '\0'; c++) {
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
    if (depth == 0) return c;
  }
  return NULL;
}

static void append_calls(const schema_writer *w, const char *text, const char *end, buffer *out);

/* A word, and if it is a call of the program's, its arguments; returns what is after. */
static const char *append_word(const schema_writer *w, const char *text, const char *end, buffer *out) {
  size_t length = 0;
  while (text + length < end && is_word(text[length])) length++;
  buffer_append(out, text, length);
  uint32_t f = function_named(w->p, text, length);
  const char *open = skip_space(text + length);
  const char *close = f != NONE && *open == '(' ? closing(open) : NULL;
  if (close == NULL || close >= end) return text + length;
  buffer_puts(out, w->p->functions[f].node->symbol->kernel ? TWIN_SUFFIX : "");
  scoped char *suffix = w->number == SCHEMA_TEXT
                            ? mem_strdup("")
                            : mutant_clone_name("", number_of_callee(w->copies, w->p, w->number, f));
  buffer_printf(out, "%s(", suffix);
  append_calls(w, open + 1, close, out);
  buffer_puts(out, skip_space(open + 1) == close ? "cltc)" : ", cltc)");
  return close + 1;
}

static void append_calls(const schema_writer *w, const char *text, const char *end, buffer *out) {
  while (text < end)
    if (is_word(*text))
      text = append_word(w, text, end, out);
    else
      buffer_putc(out, *text++);
}

char *with_calls(const schema_writer *w, const char *text) {
  buffer out = {0};
  append_calls(w, text, text + strlen(text), &out);
  return buffer_take(&out);
}
