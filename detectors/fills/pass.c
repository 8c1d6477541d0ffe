/* Fillings as a pass: private and local variables that begin without a value get one that the launch chooses, so that runs
 * with different ones tell whether anything depends on it. */
#include <stdlib.h>
#include <string.h>

#include "frontend/tree.h"
#include "instrument/forms.h"
#include "instrument/program_internal.h"

typedef struct filled_variable {
  uint32_t function;
  const tree_node *node;
} filled_variable;

typedef struct fill_form {
  filled_variable *items; /* in source order: their numbers are those of instrument_result.filled */
  size_t count, capacity;
} fill_form;

/* --- which there are ----------------------------------------------------------------------------------------------- */

/* Whether bytes of any value make a value of the type that harms nobody: no pointers, events or truth values. */
static bool takes_any_bytes(const tree_type *t) {
  while (t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_VECTOR) t = t->element;
  bool all = t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_FLOAT;
  if (t->kind == TREE_TYPE_RECORD && t->record != NULL && t->record->complete) {
    all = true;
    for (size_t i = 0; i < t->record->field_count && all; i++) all = takes_any_bytes(t->record->fields[i]->type);
  }
  return all;
}

/* Whether each work-item of a group comes to a statement of the kernel's body: nothing before it may leave. */
static bool all_come(const tree_node *statement) {
  const tree_node *body = statement->parent;
  for (uint32_t i = 0; i < statement->index; i++) {
    const tree_node *before = body->children[i];
    for (const tree_node *n = before; n != NULL; n = tree_next(before, n))
      if (n->kind == TREE_RETURN || n->kind == TREE_GOTO || n->kind == TREE_LABEL) return false;
  }
  return true;
}

static bool mentions(const tree_node *root, const tree_symbol *symbol) {
  const tree_node *n = root;
  while (n != NULL && (n->kind != TREE_NAME || n->symbol != symbol)) n = tree_next(root, n);
  return n != NULL;
}

/* Whether a jump may lead to the middle of a block, past what stands before. */
static bool is_jumped_into(const tree_node *block) {
  const tree_node *body = block;
  bool cases = false, in_switch = false, labels = false;
  for (const tree_node *n = block; n != NULL && !cases; n = tree_next(block, n)) cases = is_case(n);
  for (const tree_node *n = block->parent; n != NULL && n->kind != TREE_FUNCTION; body = n, n = n->parent)
    in_switch = in_switch || n->kind == TREE_SWITCH;
  for (const tree_node *n = body; n != NULL && !labels; n = tree_next(body, n)) labels = n->kind == TREE_LABEL;
  return labels || (cases && in_switch);
}

/* Whether a number is stored as a whole before it can be read: what it begins with does not matter. */
static bool is_stored_first(const tree_node *variable) {
  const tree_node *block = variable->parent->parent, *n = tree_next(block, variable);
  while (n != NULL && (n->kind != TREE_NAME || n->symbol != variable->symbol)) n = tree_next(block, n);
  const tree_node *store = n == NULL ? NULL : n->parent;
  if (store == NULL || store->kind != TREE_ASSIGN || store->children[0] != n ||
      mentions(store->children[1], variable->symbol) ||
      (variable->type->kind != TREE_TYPE_INTEGER && variable->type->kind != TREE_TYPE_FLOAT))
    return n == NULL;
  const tree_node *part = store;
  while (part->parent != block && (part->parent->kind == TREE_EXPRESSION || part->parent->kind == TREE_PARENTHESES ||
                                   (part->parent->kind == TREE_FOR && part->index == 0)))
    part = part->parent;
  return part->parent == block && !is_jumped_into(block);
}

static bool is_filled(const tree_node *n) {
  const tree_node *statement = n->kind == TREE_VARIABLE ? n->parent : NULL;
  const tree_type *t = n->type;
  if (statement == NULL || statement->kind != TREE_DECLARE || statement->parent == NULL ||
      statement->parent->kind != TREE_COMPOUND || t == NULL || t->size == 0 || t->size == TREE_UNSIZED || t->is_const ||
      (n->child_count > 0 && n->children[0] != NULL) || n->symbol->is_static || n->symbol->is_extern ||
      !takes_any_bytes(t))
    return false;
  const bool local = t->space == TREE_SPACE_LOCAL;
  return local ? all_come(statement)
               : (t->space == TREE_SPACE_NONE || t->space == TREE_SPACE_PRIVATE) && !is_stored_first(n);
}

/* Local memory of the size that the launch gives it. */
static bool is_filled_parameter(const tree_node *n) {
  const tree_type *to =
      n->kind == TREE_PARAMETER && n->type != NULL && n->type->kind == TREE_TYPE_POINTER ? n->type->element : NULL;
  return to != NULL && to->space == TREE_SPACE_LOCAL && !to->is_const && to->size > 0 && to->size != TREE_UNSIZED &&
         takes_any_bytes(to);
}

static const tree_type *memory_type(const tree_node *n) {
  return n->kind == TREE_PARAMETER ? n->type->element : n->type;
}

/* Of the integers that it is made of; 0: it is made of other things. */
static unsigned integer_bytes(const tree_type *t) {
  while (t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_VECTOR) t = t->element;
  return t->kind == TREE_TYPE_INTEGER ? (unsigned)t->size : 0;
}

/* --- what is told of them ------------------------------------------------------------------------------------------ */

uint32_t fill_plain_bytes(const tree_type *t) {
  while (t->kind == TREE_TYPE_ARRAY) t = t->element;
  const bool vector = t->kind == TREE_TYPE_VECTOR;
  return t->kind == TREE_TYPE_RECORD ? 0 : vector && t->count == 3 ? (uint32_t)(t->size / 4 * 3) : (uint32_t)t->size;
}

/* An argument of a function of the language that stores there. */
static bool is_target(const tree_node *by, const tree_node *argument) {
  const char *name = by->kind == TREE_CALL && by->builtin != NULL && by->symbol != NULL ? by->symbol->name : "";
  const bool copies = strncmp(name, "async_work_group", strlen("async_work_group")) == 0;
  return (copies && argument->index == 0) || strncmp(name, "vstore", strlen("vstore")) == 0;
}

/* The first place after its declaration where its value is read; NULL: there is none. */
static const tree_node *first_read(const tree_node *body, const tree_node *variable) {
  for (const tree_node *n = variable->kind == TREE_PARAMETER ? body : tree_next(body, variable); n != NULL;
       n = tree_next(body, n)) {
    const bool named = n->kind == TREE_NAME && n->symbol == variable->symbol;
    const tree_node *above = named ? n->parent : NULL, *part = n;
    while (above != NULL &&
           (above->kind == TREE_PARENTHESES || above->kind == TREE_SUBSCRIPT || above->kind == TREE_MEMBER ||
            above->kind == TREE_SWIZZLE || above->kind == TREE_DEREFERENCE ||
            (above->kind == TREE_CONVERT &&
             (above->conversion == TREE_DECAY ||
              (above->conversion == TREE_LOAD && above->type != NULL && above->type->kind == TREE_TYPE_POINTER))))) {
      part = above;
      above = above->parent;
    }
    if (above != NULL && above->kind != TREE_ASSIGN && above->kind != TREE_DECLARE && !is_target(above, part)) return n;
    if (above != NULL && above->kind == TREE_ASSIGN) {
      const tree_node *stored = above->children[0];
      if (n->tokens.first > stored->tokens.last) return n;
    }
  }
  return NULL;
}

/* Of a number that has no address nobody writes a part, so that any byte of it which is handed on was computed, as by a
 * mask. */
static bool is_taken_whole(const tree_node *body, const tree_node *variable) {
  const tree_type *t = memory_type(variable);
  if (t->kind != TREE_TYPE_INTEGER && t->kind != TREE_TYPE_FLOAT) return false;
  for (const tree_node *n = tree_next(body, variable); n != NULL; n = tree_next(body, n)) {
    const tree_node *of = n->kind == TREE_ADDRESS ? tree_bare(n->children[0]) : NULL;
    if (of != NULL && of->kind == TREE_NAME && of->symbol == variable->symbol) return false;
  }
  return variable->kind != TREE_PARAMETER;
}

static void put_place(program *p, uint32_t unit_index, uint32_t token, uint32_t *file, uint32_t *line,
                      uint32_t *column) {
  unit *u = &p->units[unit_index];
  const pp_position *at = shown_at(&u->text.tokens[token]);
  *file = file_of(p, u, at->file);
  *line = at->line;
  *column = at->column;
}

static void put_filled(const fill_form *m, program *p) {
  p->out->filled = mem_calloc(m->count + 1, sizeof *p->out->filled);
  p->out->filled_count = m->count;
  for (size_t i = 0; i < m->count; i++) {
    const filled_variable *v = &m->items[i];
    const function *f = &p->functions[v->function];
    const tree_node *body = tree_body(f->node), *read = first_read(body, v->node);
    instrument_filled *to = &p->out->filled[i];
    *to = (instrument_filled){.name = mem_strdup(v->node->symbol->name),
                              .function = mem_strdup(f->node->symbol->name),
                              .plain = is_taken_whole(body, v->node) ? 1 : fill_plain_bytes(memory_type(v->node)),
                              .local = memory_type(v->node)->space == TREE_SPACE_LOCAL};
    put_place(p, f->unit, read != NULL ? read->token : v->node->token, &to->file, &to->line, &to->column);
  }
}

static int begin(program *p, void **state, error *e) {
  (void)e;
  fill_form *m = mem_calloc(1, sizeof *m);
  *state = m;
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *whole = p->functions[i].node, *body = tree_body(whole);
    for (uint32_t n = 0; n + 1 < whole->child_count && whole->symbol->kernel; n++)
      if (is_filled_parameter(whole->children[n]))
        *ARRAY_ADD(m->items, m->count, m->capacity) = (filled_variable){i, whole->children[n]};
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
      if (is_filled(n)) *ARRAY_ADD(m->items, m->count, m->capacity) = (filled_variable){i, n};
  }
  put_filled(m, p);
  list_parameters(p);
  return 0;
}

static void end(void *state) {
  fill_form *m = state;
  free(m->items);
  free(m);
}

/* --- the text ------------------------------------------------------------------------------------------------------ */

/* detectors/fills/record.h has the numbers. `width`: bytes of an integer, else 0. */
static const char helpers[] =
    "#define CLTC_FILLS\n"
    "uchar cltc_byte(uint f, uint n, uint width, uint i) {\n"
    "  const uint kind = f & 3u;\n"
    "  if (n < (f >> 2 & 0x7fffu) || n >= f >> 17) { return (uchar)0; }\n"
    "  if (kind == 1u && width > 0u) { return (uchar)(i % width == 0u ? 1u + n % 113u : 0u); }\n"
    "  return (uchar)(kind == 3u ? 255u : (kind == 2u ? 0xeau : 0x6au) + n % 18u);\n"
    "}\n"
    "void cltc_fill(__private void *to, uint bytes, uint width, uint f, uint n) {\n"
    "  for (uint i = 0; i < bytes; i++) { ((__private uchar *)to)[i] = cltc_byte(f, n, width, i); }\n"
    "}\n"
    "void cltc_fill_local(__local void *to, uint bytes, uint width, uint f, uint n) {\n"
    "  const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
    "  const uint own = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + "
    "get_local_id(0);\n"
    "  for (uint i = own; i < bytes; i += items) { ((__local uchar *)to)[i] = cltc_byte(f, n, width, i); }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "}\n";

static void before(const void *state, const program *p, buffer *out) {
  (void)state, (void)p;
  buffer_puts(out, helpers);
}

static void fill_function(const void *state, const program *p, uint32_t index, edits *e) {
  const fill_form *m = state;
  for (size_t i = 0; i < m->count; i++) {
    const filled_variable *v = &m->items[i];
    if (v->function != index) continue;
    const unsigned width = integer_bytes(memory_type(v->node));
    if (v->node->kind == TREE_PARAMETER) {
      const uint32_t start = body_start(&p->units[p->functions[index].unit].text, &p->functions[index]);
      edit_add(e, start, EDIT_AFTER, UINT32_MAX, EDIT_PLAIN,
               text_of(" cltc_fill_local(%s, (uint)CLTC_SIZE(cltc_h%u), %uu, cltc->launch, CLTC_FIRST + %zuu);",
                       v->node->symbol->name, (unsigned)v->node->index, width, i));
      continue;
    }
    const bool local = v->node->type->space == TREE_SPACE_LOCAL;
    edit_add(e, v->node->parent->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH,
             text_of(" cltc_fill%s(&%s, %lluu, %uu, cltc->launch, CLTC_FIRST + %zuu);", local ? "_local" : "",
                     v->node->symbol->name, (unsigned long long)v->node->type->size, width, i));
  }
}

static const pass fill_pass = {.begin = begin, .end = end, .before = before, .function = fill_function};

const form_text filled_text = {
    .title = "/* With fillings by cltestcheck. */\n", .passes = {&fill_pass, &memory_pass}, .brief = true};
