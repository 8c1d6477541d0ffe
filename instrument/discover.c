/* Discovery of the functions, sites and lines of a program: its model. */
#include "instrument/discover.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"

/* Lines: which outcomes say that one was executed. */

static void add_line_term(model_line *line, model_term term) {
  for (size_t i = 0; i < line->term_count; i++)
    if (line->terms[i].site == term.site && line->terms[i].outcome == term.outcome) return;
  size_t capacity = line->term_count;
  *ARRAY_ADD(line->terms, line->term_count, capacity) = term;
}

static model_line *line_at(walk *w, uint32_t file, uint32_t number) {
  model *m = &w->p->out->model;
  for (size_t i = m->line_count; i-- > 0 && m->lines[i].function == w->f->model;) /* near the end, if it is there */
    if (m->lines[i].file == file && m->lines[i].line == number) return &m->lines[i];
  model_line *line = ARRAY_ADD(m->lines, m->line_count, m->line_capacity);
  *line = (model_line){.file = file, .line = number, .function = w->f->model};
  return line;
}

/* Whether a line is executed whenever its function is: of functions that one macro makes, this alone tells which was. */
static bool says_entered(const walk *w, const model_term *terms, size_t count) {
  const uint32_t own = w->p->out->model.functions[w->f->model].site;
  bool entered = false;
  for (size_t i = 0; i < count; i++) entered = entered || (terms[i].site == own && terms[i].outcome == OUTCOME_ENTERED);
  return entered;
}

/* Lines that are executed with the function first: on these nothing else counts. */
static void collect(walk *w, bool first) {
  model_line *line = NULL;
  for (uint32_t t = w->f->body.first; t <= w->f->body.last; t++) {
    const uint32_t behind = token_behind_pragma(&w->u->text, t);
    if (behind > t) {
      t = behind - 1;
      continue;
    }
    const pp_position *where = shown_at(&w->u->text.tokens[t]);
    const uint32_t file = file_of(w->p, w->u, where->file);
    if (line == NULL || line->file != file || line->line != where->line) line = line_at(w, file, where->line);
    const region *r = &w->regions[w->token_region[t - w->f->body.first]];
    if (says_entered(w, r->terms, r->count) == first && (first || !says_entered(w, line->terms, line->term_count)))
      for (size_t k = 0; k < r->count; k++) add_line_term(line, r->terms[k]);
  }
}

void collect_lines(walk *w) {
  collect(w, true);
  collect(w, false);
}

static int compare_lines(const void *a, const void *b) {
  const model_line *left = a;
  const model_line *right = b;
  if (left->file != right->file) return left->file < right->file ? -1 : 1;
  if (left->line != right->line) return left->line < right->line ? -1 : 1;
  return left->function < right->function ? -1 : left->function > right->function;
}

/* One entry a line and function. */
static void merge_lines(model *m) {
  if (m->line_count == 0) return;
  qsort(m->lines, m->line_count, sizeof *m->lines, compare_lines);
  size_t kept = 1;
  for (size_t i = 1; i < m->line_count; i++) {
    model_line *last = &m->lines[kept - 1];
    if (compare_lines(last, &m->lines[i]) != 0) {
      m->lines[kept++] = m->lines[i];
      continue;
    }
    for (size_t k = 0; k < m->lines[i].term_count; k++) add_line_term(last, m->lines[i].terms[k]);
    free(m->lines[i].terms);
  }
  m->line_count = kept;
}

/* Functions that one macro makes, or a file that is included twice, have one place and a name each. */
typedef struct site_key {
  uint32_t file, offset;
  uint32_t kind;
  uint32_t name; /* digest of a function's */
} site_key;

typedef struct site_entry {
  site_key key;
  uint32_t site;
  UT_hash_handle hh;
} site_entry;

/* --- the model ----------------------------------------------------------------------------------------------- */

static uint32_t model_file_of(program *p, const pp_file *file) {
  const char *name = file->path == NULL ? file->name : file->path;
  char digest[SHA256_DIGEST_STRING_LENGTH];
  (void)SHA256Data((const uint8_t *)file->text, file->length, digest);
  model *m = &p->out->model;
  for (uint32_t i = 0; i < m->file_count; i++)
    if (strcmp(m->files[i].sha256, digest) == 0 && strcmp(m->files[i].name, name) == 0) return i;
  model_file *added = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
  added->name = mem_strdup(name);
  added->text = mem_strndup(file->text, file->length);
  added->length = file->length;
  memcpy(added->sha256, digest, sizeof added->sha256);
  return (uint32_t)(m->file_count - 1);
}

uint32_t file_of(program *p, unit *u, uint32_t file) {
  if (u->files[file] == NONE) u->files[file] = model_file_of(p, &u->text.files[file]);
  return u->files[file];
}

uint32_t site_at(walk *w, site_kind kind, uint32_t token, uint32_t last, bool *is_new) {
  program *p = w->p;
  const pp_token *t = &w->u->text.tokens[token];
  const pp_token *end = &w->u->text.tokens[last];
  const bool used = kind == SITE_FUNCTION && t->in_macro_body; /* it stands where the macro is used */
  const pp_position *at = used ? &t->expanded : &t->spelled;
  site_key key;
  memset(&key, 0, sizeof key);
  key.file = file_of(p, w->u, at->file);
  key.offset = at->offset;
  key.kind = (uint32_t)kind;
  key.name = kind == SITE_FUNCTION ? model_name_digest(w->f->node->symbol->name) : 0;
  site_entry *table = p->index;
  site_entry *known = NULL;
  HASH_FIND(hh, table, &key, sizeof key, known);
  *is_new = known == NULL;
  if (known != NULL) return known->site;
  model *m = &p->out->model;
  model_site *site = ARRAY_ADD(m->sites, m->site_count, m->site_capacity);
  site->kind = kind;
  site->file = key.file;
  site->line = site->end_line = at->line;
  site->column = site->end_column = at->column;
  site->offset = at->offset;
  site->function = w->f->model;
  site->turns = MODEL_NONE;
  if (!used && end->spelled.file == t->spelled.file && end->spelled.offset >= t->spelled.offset) {
    site->end_line = end->spelled.line;
    site->end_column = end->spelled.column + end->spelled_length;
  }
  known = mem_calloc(1, sizeof *known);
  known->key = key;
  known->site = (uint32_t)(m->site_count - 1);
  HASH_ADD(hh, table, key, sizeof key, known);
  p->index = table;
  return known->site;
}

void add_outcome(program *p, uint32_t site, uint32_t index, const char *label, uint32_t line) {
  model_site *s = &p->out->model.sites[site];
  size_t capacity = s->outcome_count;
  model_outcome *outcome = ARRAY_ADD(s->outcomes, s->outcome_count, capacity);
  *outcome = (model_outcome){.index = index, .label = mem_strdup(label), .line = line == 0 ? s->line : line};
}

uint32_t take_bits(function *f, uint32_t count) {
  if (f->bits % 32 + count > 32) f->bits = (f->bits + 31) / 32 * 32;
  uint32_t bit = f->bits;
  f->bits += count;
  return bit;
}

instance *add_instance(walk *w, site_kind kind, uint32_t token, uint32_t last, uint32_t outcomes, bool *is_new) {
  uint32_t site = site_at(w, kind, token, last, is_new);
  instance *i = ARRAY_ADD(w->f->instances, w->f->instance_count, w->f->instance_capacity);
  *i = (instance){.kind = kind,
                  .site = site,
                  .bit = outcomes == 0 ? 0 : take_bits(w->f, outcomes),
                  .outcomes = outcomes,
                  .token = token,
                  .wrapped = {1, 0},
                  .plane = NONE,
                  .arguments = NONE,
                  .owner = NONE};
  return i;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static uint32_t model_function_of(walk *w, uint32_t site, bool is_new) {
  model *m = &w->p->out->model;
  if (!is_new) return m->sites[site].function;
  const tree_node *definition = w->f->node;
  const pp_token *name = &w->u->text.tokens[definition->token];
  const pp_token *end = &w->u->text.tokens[w->f->body.last];
  model_function *f = ARRAY_ADD(m->functions, m->function_count, m->function_capacity);
  f->name = mem_strdup(definition->symbol->name);
  const pp_position *begin = shown_at(name), *last = shown_at(end);
  f->file = file_of(w->p, w->u, begin->file);
  f->line = begin->line;
  f->end_line = last->file == begin->file && last->line >= f->line ? last->line : f->line;
  f->site = site;
  f->kernel = definition->symbol->kernel;
  m->sites[site].function = (uint32_t)(m->function_count - 1);
  return (uint32_t)(m->function_count - 1);
}

static int compare_tokens(const void *a, const void *b) {
  const uint32_t left = (*(const tree_node *const *)a)->token;
  const uint32_t right = (*(const tree_node *const *)b)->token;
  return left < right ? -1 : left > right;
}

/* The nodes that sites are made of. */
static void list_nodes(walk *w) {
  function *f = w->f;
  const pp_result *text = &w->u->text;
  for (const tree_node *n = f->node; n != NULL; n = tree_next(f->node, n))
    if (is_conditional(text, n))
      *ARRAY_ADD(w->conditionals, w->conditional_count, w->conditional_capacity) = n;
    else if (is_decision(text, n))
      *ARRAY_ADD(f->decisions, f->decision_count, f->decision_capacity) = n;
  if (w->conditional_count > 1) qsort(w->conditionals, w->conditional_count, sizeof *w->conditionals, compare_tokens);
  if (f->decision_count > 1) qsort(f->decisions, f->decision_count, sizeof *f->decisions, compare_tokens);
}

static void walk_all(walk *w) {
  program *p = w->p;
  bool is_new = false;
  w->f->model = NONE;
  instance *entry = add_instance(w, SITE_FUNCTION, w->f->node->token, w->f->parameters.last, 1, &is_new);
  uint32_t site = entry->site;
  w->f->model = model_function_of(w, site, is_new);
  if (is_new) add_outcome(p, site, OUTCOME_ENTERED, "entered", 0);
  (void)walk_statement_at(w, tree_body(w->f->node), new_region(w, site, OUTCOME_ENTERED, NONE));
  walk_conditionals(w);
  walk_right_operands(w);
  walk_barriers(w);
  walk_async_calls(w);
  walk_decisions(w);
  collect_lines(w);
}

static int walk_function(program *p, uint32_t function_index, error *e) {
  function *f = &p->functions[function_index];
  unit *u = &p->units[f->unit];
  walk w = {.p = p, .u = u, .f = f};
  w.token_region = mem_calloc(f->body.last - f->body.first + 1, sizeof *w.token_region);
  w.selected = mem_calloc(f->body.last - f->body.first + 1, sizeof *w.selected);
  list_nodes(&w);
  const int result = check_decisions(&w, e);
  if (result == 0) walk_all(&w);
  free(w.token_region);
  free(w.conditionals);
  free(w.selected);
  free(w.regions);
  return result;
}

static void list_functions(program *p) {
  for (uint32_t n = 0; n < p->unit_count; n++) {
    const tree *t = p->units[n].tree;
    for (size_t i = 0; i < t->function_count; i++) {
      function *f = ARRAY_ADD(p->functions, p->function_count, p->function_capacity);
      f->unit = n;
      f->node = t->functions[i];
      f->graph = &p->units[n].graph.functions[i];
      f->parameters = tree_parameters(t->text, f->node);
      f->body = tree_body(f->node)->tokens;
      f->statements = list_statements(f->node);
      if (f->node->symbol->kernel)
        *ARRAY_ADD(p->kernel_functions, p->kernel_count, p->kernel_capacity) = (uint32_t)(p->function_count - 1);
    }
  }
}

/* By name: a definition in the same source first, else one of another source that is linked. */
static void link_call(program *p, function *f, const tree_node *use) {
  bool own = false;
  for (int pass = 0; pass < 2 && !own; pass++) {
    for (uint32_t g = 0; g < p->function_count; g++) { /* overloads: all of that name */
      if ((p->functions[g].unit == f->unit) == (pass == 0) &&
          strcmp(p->functions[g].node->symbol->name, use->symbol->name) == 0) {
        *ARRAY_ADD(f->calls, f->call_count, f->call_capacity) = (call){use->token, g};
        p->functions[g].called = true;
        own = true;
      }
    }
  }
}

static void link_calls(program *p, uint32_t caller) {
  function *f = &p->functions[caller];
  for (const tree_node *n = f->node; n != NULL; n = tree_next(f->node, n)) {
    const bool names = n->kind == TREE_CALL || n->kind == TREE_NAME;
    if (names && !n->not_executed && n->symbol->kind == TREE_SYMBOL_FUNCTION) link_call(p, f, n);
  }
}

uint32_t *reachable_functions(const program *p, uint32_t from, size_t *count) {
  uint32_t *list = mem_calloc(p->function_count, sizeof *list);
  scoped bool *seen = mem_calloc(p->function_count, sizeof *seen);
  list[0] = from;
  seen[from] = true;
  *count = 1;
  for (size_t i = 0; i < *count; i++) {
    const function *f = &p->functions[list[i]];
    for (size_t k = 0; k < f->call_count; k++) {
      if (!seen[f->calls[k].callee]) {
        seen[f->calls[k].callee] = true;
        list[(*count)++] = f->calls[k].callee;
      }
    }
  }
  return list;
}

static bool has_function(const model_kernel *k, uint32_t f) {
  for (size_t i = 0; i < k->function_count; i++)
    if (k->functions[i] == f) return true;
  return false;
}

/* A site in a macro is the function's that uses it first; a kernel that does not reach that one uses it all the same.
 */
static void add_shared_site(const program *p, uint32_t site, model_kernel *k, size_t *capacity) {
  bool known = has_function(k, p->out->model.sites[site].function);
  for (size_t s = 0; s < k->site_count && !known; s++) known = k->sites[s] == site;
  if (!known) *ARRAY_ADD(k->sites, k->site_count, *capacity) = site;
}

static void add_shared_sites(const program *p, const function *f, model_kernel *k, size_t *capacity) {
  for (size_t i = 0; i < f->instance_count; i++) add_shared_site(p, f->instances[i].site, k, capacity);
  for (size_t i = 0; i < f->implied_count; i++) add_shared_site(p, f->implied[i].term.site, k, capacity);
}

static void list_kernels(program *p) {
  model *m = &p->out->model;
  for (size_t k = 0; k < p->kernel_count; k++) {
    const function *f = &p->functions[p->kernel_functions[k]];
    model_kernel *kernel = ARRAY_ADD(m->kernels, m->kernel_count, m->kernel_capacity);
    kernel->name = mem_strdup(f->node->symbol->name);
    kernel->function = f->model;
    size_t count = 0;
    scoped uint32_t *reach = reachable_functions(p, p->kernel_functions[k], &count);
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++)
      *ARRAY_ADD(kernel->functions, kernel->function_count, capacity) = p->functions[reach[i]].model;
    size_t site_capacity = 0;
    for (size_t i = 0; i < count; i++) add_shared_sites(p, &p->functions[reach[i]], kernel, &site_capacity);
  }
}

int discover(program *p, error *e) {
  list_functions(p);
  int result = 0;
  for (uint32_t i = 0; i < p->unit_count; i++) {
    unit *u = &p->units[i];
    u->files = mem_calloc(u->text.file_count, sizeof *u->files);
    memset(u->files, 0xff, u->text.file_count * sizeof *u->files);
    (void)file_of(p, u, 0);
  }
  for (uint32_t i = 0; i < p->function_count && result == 0; i++) result = walk_function(p, i, e);
  for (uint32_t i = 0; i < p->function_count && result == 0; i++) link_calls(p, i);
  merge_lines(&p->out->model);
  list_kernels(p);
  site_entry *table = p->index;
  site_entry *entry = NULL;
  site_entry *next = NULL;
  HASH_ITER(hh, table, entry, next) {
    HASH_DEL(table, entry);
    free(entry);
  }
  p->index = NULL;
  return result;
}
