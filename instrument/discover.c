/* Finding the functions and sites of a program and the lines that they decide. */
#include "instrument/discover.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"

typedef struct site_key {
  uint32_t file, offset;
  uint32_t kind;
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
  for (uint32_t i = 0; i < m->file_count; i++) {
    if (strcmp(m->files[i].sha256, digest) == 0 && strcmp(m->files[i].name, name) == 0) {
      return i;
    }
  }
  model_file *added = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
  added->name = mem_strdup(name);
  added->text = mem_strndup(file->text, file->length);
  added->length = file->length;
  memcpy(added->sha256, digest, sizeof added->sha256);
  return (uint32_t)(m->file_count - 1);
}

uint32_t file_of(program *p, unit *u, uint32_t file) {
  if (u->files[file] == NONE) {
    u->files[file] = model_file_of(p, &u->text.files[file]);
  }
  return u->files[file];
}

uint32_t site_at(walk *w, site_kind kind, uint32_t token, uint32_t last, bool *is_new) {
  program *p = w->p;
  const pp_token *t = &w->u->text.tokens[token];
  const pp_token *end = &w->u->text.tokens[last];
  site_key key;
  memset(&key, 0, sizeof key);
  key.file = file_of(p, w->u, t->spelled.file);
  key.offset = t->spelled.offset;
  key.kind = (uint32_t)kind;
  site_entry *table = p->index;
  site_entry *known = NULL;
  HASH_FIND(hh, table, &key, sizeof key, known);
  *is_new = known == NULL;
  if (known != NULL) {
    return known->site;
  }
  model *m = &p->out->model;
  model_site *site = ARRAY_ADD(m->sites, m->site_count, m->site_capacity);
  site->kind = kind;
  site->file = key.file;
  site->line = site->end_line = t->spelled.line;
  site->column = site->end_column = t->spelled.column;
  site->offset = t->spelled.offset;
  site->function = w->f->model;
  if (end->spelled.file == t->spelled.file && end->spelled.offset >= t->spelled.offset) {
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
  if (f->bits % 32 + count > 32) {
    f->bits = (f->bits + 31) / 32 * 32;
  }
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
                  .statement = NONE,
                  .conditional = NONE,
                  .token = token,
                  .wrapped = {1, 0},
                  .plane = NONE,
                  .owner = NONE};
  return i;
}

/* --- regions --------------------------------------------------------------------------------------------------- */

static uint32_t new_region(walk *w, uint32_t site, uint32_t first, uint32_t second) {
  region *r = ARRAY_ADD(w->regions, w->region_count, w->region_capacity);
  r->terms[r->count++] = (model_term){site, first};
  if (second != NONE) {
    r->terms[r->count++] = (model_term){site, second};
  }
  return (uint32_t)(w->region_count - 1);
}

static void paint(walk *w, span tokens, uint32_t region_index) {
  uint32_t base = w->f->front->body;
  for (uint32_t t = tokens.first; t <= tokens.last && !span_empty(tokens); t++) {
    w->token_region[t - base] = region_index;
  }
}

/* Code with a bit of its own. */
static uint32_t bit_region(walk *w, uint32_t token, uint32_t last, uint32_t owner, span wrapped) {
  bool is_new = false;
  instance *i = add_instance(w, SITE_REGION, token, last, 1, &is_new);
  i->statement = owner;
  i->wrapped = wrapped;
  if (is_new) {
    add_outcome(w->p, i->site, OUTCOME_EXECUTED, "executed", 0);
  }
  return new_region(w, i->site, OUTCOME_EXECUTED, NONE);
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static const statement *at(const walk *w, uint32_t s) { return &w->f->syntax.items[s]; }

static bool is_label(const walk *w, uint32_t s) {
  return at(w, s)->kind == STATEMENT_CASE || at(w, s)->kind == STATEMENT_LABEL;
}

/* Whether control may leave statement `s` by a jump, so that what follows it may be missed. */
static bool may_jump(const walk *w, uint32_t s) {
  for (uint32_t i = s; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    statement_kind kind = at(w, i)->kind;
    if (kind == STATEMENT_RETURN || kind == STATEMENT_GOTO) {
      return true;
    }
    if (kind != STATEMENT_BREAK && kind != STATEMENT_CONTINUE) {
      continue;
    }
    uint32_t target = i;
    do {
      target = at(w, target)->parent;
    } while (target != NO_STATEMENT && !is_loop(at(w, target)->kind) &&
             !(kind == STATEMENT_BREAK && at(w, target)->kind == STATEMENT_SWITCH));
    if (target == NO_STATEMENT || target < s) {
      return true;
    }
  }
  return false;
}

/* Whether control may come into statement `s` past its own labels, so that what follows it may be executed without what
 * is before it. */
static bool may_be_entered(const walk *w, uint32_t s) {
  while (s != NO_STATEMENT && is_label(w, s)) {
    s = at(w, s)->body;
  }
  return s != NO_STATEMENT && jumped_into(&w->f->syntax, s);
}

static uint32_t walk_statement(walk *w, uint32_t s, uint32_t region_index);

static void walk_if(walk *w, uint32_t s, uint32_t region_index) {
  const statement *st = at(w, s);
  bool is_new = false;
  uint32_t outcomes = path_count(w, st->condition) > 0 ? 0 : 2;
  instance *i = add_instance(w, SITE_IF, st->keyword, st->condition.last + 1, outcomes, &is_new);
  i->statement = s;
  uint32_t site = i->site;
  if (is_new) {
    add_outcome(w->p, site, OUTCOME_TRUE, "true", 0);
    add_outcome(w->p, site, OUTCOME_FALSE, "false", 0);
  }
  (void)region_index;
  (void)walk_statement(w, st->body, new_region(w, site, OUTCOME_TRUE, NONE));
  if (st->otherwise != NO_STATEMENT) {
    uint32_t no = new_region(w, site, OUTCOME_FALSE, NONE);
    paint(w, (span){at(w, st->body)->tokens.last + 1, at(w, st->otherwise)->tokens.first}, no);
    (void)walk_statement(w, st->otherwise, no);
  }
}

static const char *const loop_labels[] = {"0 iterations", "1 iteration", ">1 iterations", "boundary"};

/* The line a person sees a token on: that of the macro's use for a token out of a macro body. */
static const pp_position *shown_at(const pp_token *t) { return t->in_macro_body ? &t->expanded : &t->spelled; }

/* The header of a loop whose body is jumped into: what is repeated of it has evidence of its own. */
static void walk_repeated_header(walk *w, uint32_t s, uint32_t site) {
  const statement *st = at(w, s);
  span condition = st->condition;
  if (st->kind == STATEMENT_DO) {
    return;
  }
  if (span_empty(condition)) { /* for (;;) */
    paint(w, (span){st->for_second, st->for_second}, new_region(w, site, OUTCOME_MANY, NONE));
    return;
  }
  span header = st->kind == STATEMENT_FOR ? condition : (span){st->keyword, condition.last + 1};
  paint(w, header, bit_region(w, condition.first - 1, condition.last, NONE, condition));
}

/* A body that is jumped into: what stands before its first label has a bit of its own. */
static uint32_t walk_top_of_body(walk *w, uint32_t body, uint32_t region_index) {
  uint32_t first = at(w, body)->keyword;
  return is_label(w, body) ? region_index : bit_region(w, first, first, body, (span){1, 0});
}

static void walk_loop(walk *w, uint32_t s) {
  const statement *st = at(w, s);
  site_kind kind = st->kind == STATEMENT_FOR ? SITE_FOR : st->kind == STATEMENT_DO ? SITE_DO : SITE_WHILE;
  uint32_t last = st->kind == STATEMENT_FOR ? st->for_close : st->condition.last + 1;
  bool is_new = false;
  instance *i = add_instance(w, kind, st->keyword, kind == SITE_DO ? st->keyword : last, 4, &is_new);
  i->statement = s;
  uint32_t site = i->site;
  bool condition = !span_empty(st->condition);
  for (uint32_t k = OUTCOME_ZERO; is_new && k <= OUTCOME_BOUNDARY; k++) {
    if ((k != OUTCOME_ZERO || (condition && kind != SITE_DO)) && (k != OUTCOME_BOUNDARY || condition)) {
      add_outcome(w->p, site, k, loop_labels[k], 0);
    }
  }
  uint32_t body = new_region(w, site, OUTCOME_ONE, OUTCOME_MANY);
  if (!span_empty(st->increment)) {
    const pp_token *tokens = w->u->text.tokens;
    if (shown_at(&tokens[st->increment.first])->line != shown_at(&tokens[st->keyword])->line) {
      paint(w, st->increment, bit_region(w, st->increment.first, st->increment.last, NONE, st->increment));
    }
  }
  st = at(w, s);
  if (st->kind == STATEMENT_DO) {
    paint(w, (span){at(w, st->body)->tokens.last + 1, st->tokens.last}, body);
  }
  if (!jumped_into(&w->f->syntax, st->body)) {
    (void)walk_statement(w, st->body, body);
    return;
  }
  walk_repeated_header(w, s, site);
  (void)walk_statement(w, st->body, walk_top_of_body(w, st->body, body));
  if (at(w, st->body)->kind == STATEMENT_COMPOUND) {
    paint(w, (span){at(w, st->body)->tokens.last, at(w, st->body)->tokens.last}, body);
  }
}

/* The case labels of switch `s`, in source order: those whose nearest switch is `s`. `*fallback`: its default, if it
 * has one. */
static uint32_t *case_labels(const walk *w, uint32_t s, size_t *count, uint32_t *fallback) {
  uint32_t *labels = NULL;
  size_t capacity = 0;
  *count = 0;
  *fallback = NO_STATEMENT;
  for (uint32_t i = s + 1; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    if (at(w, i)->kind != STATEMENT_CASE) {
      continue;
    }
    uint32_t owner = switch_of_case(&w->f->syntax, i);
    if (owner == s && span_empty(at(w, i)->condition)) {
      *fallback = i;
    } else if (owner == s) {
      *ARRAY_ADD(labels, *count, capacity) = i;
    }
  }
  return labels;
}

static void name_cases(walk *w, uint32_t site, const uint32_t *labels, size_t count) {
  const pp_result *text = &w->u->text;
  for (size_t k = 0; k < count; k++) {
    span value = at(w, labels[k])->condition;
    buffer label = {0};
    buffer_puts(&label, "case ");
    buffer_append(&label, text->text + text->tokens[value.first].begin,
                  text->tokens[value.last].end - text->tokens[value.first].begin);
    add_outcome(w->p, site, (uint32_t)k, buffer_text(&label), text->tokens[value.first].spelled.line);
    buffer_free(&label);
  }
  add_outcome(w->p, site, (uint32_t)count, "default", 0);
}

static void walk_switch(walk *w, uint32_t s, uint32_t region_index) {
  const statement *st = at(w, s);
  size_t count = 0;
  uint32_t fallback = NO_STATEMENT;
  uint32_t *labels = case_labels(w, s, &count, &fallback);
  bool is_new = false;
  instance *i = add_instance(w, SITE_SWITCH, st->keyword, st->condition.last + 1, (uint32_t)count + 1, &is_new);
  i->statement = s;
  if (is_new) {
    name_cases(w, i->site, labels, count);
  }
  for (size_t k = 0; k < count; k++) {
    w->selected[labels[k]] = (model_term){i->site, (uint32_t)k};
  }
  if (fallback != NO_STATEMENT) {
    w->selected[fallback] = (model_term){i->site, (uint32_t)count};
  }
  free(labels);
  (void)walk_statement(w, st->body, region_index);
}

/* Whether a statement always ends in a jump, so that nothing gets from it to the next one. */
static bool jumps_away(const walk *w, uint32_t s) {
  while (is_label(w, s) && at(w, s)->body != NO_STATEMENT) {
    s = at(w, s)->body;
  }
  const statement_kind kind = at(w, s)->kind;
  return kind == STATEMENT_BREAK || kind == STATEMENT_RETURN || kind == STATEMENT_GOTO || kind == STATEMENT_CONTINUE;
}

/* Whether the code of the case label `s` is executed when its switch selects it and not else: it stands at the top of
 * the switch's body, and `before`, the statement that stands before it there, does not lead to it. */
static bool only_selected(const walk *w, uint32_t s, uint32_t before) {
  const uint32_t outer = at(w, s)->parent;
  return at(w, s)->kind == STATEMENT_CASE && at(w, outer)->kind == STATEMENT_COMPOUND &&
         at(w, at(w, outer)->parent)->kind == STATEMENT_SWITCH && (before == NO_STATEMENT || jumps_away(w, before));
}

/* A label's code has a bit of its own if a statement can be put behind the colon. Returns the region behind it. */
static uint32_t walk_label(walk *w, uint32_t s, uint32_t region_index) {
  uint32_t inner = s;
  uint32_t outer = at(w, s)->parent;
  while (is_label(w, outer)) {
    inner = outer;
    outer = at(w, outer)->parent;
  }
  if (at(w, outer)->kind == STATEMENT_COMPOUND || needs_braces(&w->f->syntax, inner)) {
    region_index = bit_region(w, at(w, s)->keyword, at(w, s)->colon, s, (span){1, 0});
    paint(w, at(w, s)->tokens, region_index);
  }
  uint32_t body = at(w, s)->body;
  return body == NO_STATEMENT ? region_index : walk_statement(w, body, region_index);
}

static void walk_children(walk *w, uint32_t s, uint32_t region_index) {
  bool missed = false;
  uint32_t before = NO_STATEMENT;
  for (uint32_t i = s + 1; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    if (at(w, i)->parent != s) {
      continue;
    }
    if (missed && !is_label(w, i)) {
      region_index = bit_region(w, at(w, i)->keyword, at(w, i)->keyword, i, (span){1, 0});
    }
    if (only_selected(w, i, before)) {
      region_index = new_region(w, w->selected[i].site, w->selected[i].outcome, NONE);
      paint(w, at(w, i)->tokens, region_index);
      region_index = at(w, i)->body == NO_STATEMENT ? region_index : walk_statement(w, at(w, i)->body, region_index);
    } else {
      region_index = walk_statement(w, i, region_index);
    }
    before = i;
    missed = may_jump(w, i) || may_be_entered(w, i);
  }
  uint32_t first = w->token_region[at(w, s)->tokens.first - w->f->front->body];
  uint32_t last = jumped_into(&w->f->syntax, s) ? region_index : first;
  paint(w, (span){at(w, s)->tokens.last, at(w, s)->tokens.last}, last);
}

/* Walks a statement that runs as part of a region; returns the region of what follows it (a label begins a new one). */
static uint32_t walk_statement(walk *w, uint32_t s, uint32_t region_index) {
  paint(w, at(w, s)->tokens, region_index);
  switch (at(w, s)->kind) {
    case STATEMENT_COMPOUND:
    case STATEMENT_SIMPLE:
      walk_children(w, s, region_index);
      break;
    case STATEMENT_IF:
      walk_if(w, s, region_index);
      break;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
      walk_loop(w, s);
      break;
    case STATEMENT_SWITCH:
      walk_switch(w, s, region_index);
      break;
    case STATEMENT_CASE:
    case STATEMENT_LABEL:
      return walk_label(w, s, region_index);
    default:
      walk_children(w, s, region_index);
      break;
  }
  return region_index;
}

/* --- expressions ------------------------------------------------------------------------------------------------- */

static void walk_conditionals(walk *w) {
  const front_facts *facts = &w->u->facts;
  span body = {w->f->front->body, w->f->front->end};
  for (uint32_t c = 0; c < facts->conditional_count; c++) {
    const front_conditional *fc = &facts->conditionals[c];
    if (!span_has(body, fc->question)) {
      continue;
    }
    bool is_new = false;
    uint32_t outcomes = fc->kept == NULL && fc->components == 1 && path_count(w, fc->condition) > 0 ? 0 : 2;
    instance *i = add_instance(w, SITE_CONDITIONAL, fc->question, fc->no.last, outcomes, &is_new);
    i->conditional = c;
    if (is_new) {
      add_outcome(w->p, i->site, OUTCOME_TRUE, "true", 0);
      add_outcome(w->p, i->site, OUTCOME_FALSE, "false", 0);
    }
    if (fc->components == 1) {
      uint32_t site = i->site;
      if (fc->kept == NULL) {
        paint(w, (span){fc->question, fc->yes.last}, new_region(w, site, OUTCOME_TRUE, NONE));
      }
      paint(w, (span){fc->colon, fc->no.last}, new_region(w, site, OUTCOME_FALSE, NONE));
    }
  }
}

/* Right operands of && and || that stand on a line of their own decide that line. */
static void walk_logicals(walk *w) {
  const front_facts *facts = &w->u->facts;
  const pp_token *tokens = w->u->text.tokens;
  span body = {w->f->front->body, w->f->front->end};
  for (size_t l = 0; l < facts->logical_count; l++) {
    const front_logical *fl = &facts->logicals[l];
    if (span_has(body, fl->operator_token) && fl->operator_token > 0 &&
        shown_at(&tokens[fl->right.whole.first])->line != shown_at(&tokens[fl->operator_token - 1])->line) {
      uint32_t r = bit_region(w, fl->right.whole.first, fl->right.whole.last, NONE, fl->right.whole);
      paint(w, fl->right.whole, r);
      if (shown_at(&tokens[fl->operator_token])->line == shown_at(&tokens[fl->right.whole.first])->line) {
        paint(w, (span){fl->operator_token, fl->operator_token}, r);
      }
    }
  }
}

static void walk_barriers(walk *w) {
  const pp_result *text = &w->u->text;
  for (uint32_t t = w->f->front->body; t < w->f->front->end; t++) {
    if ((token_is(text, t, "barrier") || token_is(text, t, "work_group_barrier")) && token_is(text, t + 1, "(") &&
        !token_is(text, t - 1, ".") && !token_is(text, t - 1, "->")) {
      bool is_new = false;
      instance *i = add_instance(w, SITE_BARRIER, t, token_match(text, t + 1), 0, &is_new);
      if (is_new) {
        add_outcome(w->p, i->site, OUTCOME_COVERED, "executed by every work-item of a work-group", 0);
      }
    }
  }
}

/* --- lines ---------------------------------------------------------------------------------------------------------
 */

static void add_line_term(model_line *line, model_term term) {
  for (size_t i = 0; i < line->term_count; i++) {
    if (line->terms[i].site == term.site && line->terms[i].outcome == term.outcome) {
      return;
    }
  }
  size_t capacity = line->term_count;
  *ARRAY_ADD(line->terms, line->term_count, capacity) = term;
}

static void collect_lines(walk *w) {
  model *m = &w->p->out->model;
  model_line *line = NULL;
  for (uint32_t t = w->f->front->body; t <= w->f->front->end; t++) {
    const pp_token *token = &w->u->text.tokens[t];
    if (token->kind == PP_PRAGMA) {
      continue;
    }
    if (token_is(&w->u->text, t, "_Pragma") && token_match(&w->u->text, t + 1) < w->f->front->end) {
      t = token_match(&w->u->text, t + 1);
      continue;
    }
    const pp_position *where = shown_at(token);
    uint32_t file = file_of(w->p, w->u, where->file);
    if (line == NULL || line->file != file || line->line != where->line) {
      line = NULL;
      for (size_t i = m->line_count; i-- > 0 && line == NULL;) { /* near the end, if it is there */
        line = m->lines[i].file == file && m->lines[i].line == where->line ? &m->lines[i] : NULL;
        if (m->lines[i].function != w->f->model) {
          break;
        }
      }
      if (line == NULL) {
        line = ARRAY_ADD(m->lines, m->line_count, m->line_capacity);
        *line = (model_line){.file = file, .line = where->line, .function = w->f->model};
      }
    }
    const region *r = &w->regions[w->token_region[t - w->f->front->body]];
    for (size_t k = 0; k < r->count; k++) {
      add_line_term(line, r->terms[k]);
    }
  }
}

static int compare_lines(const void *a, const void *b) {
  const model_line *left = a;
  const model_line *right = b;
  if (left->file != right->file) {
    return left->file < right->file ? -1 : 1;
  }
  return left->line < right->line ? -1 : left->line > right->line;
}

/* One entry a line: functions made by several uses of a macro share lines. */
static void merge_lines(model *m) {
  if (m->line_count == 0) {
    return;
  }
  qsort(m->lines, m->line_count, sizeof *m->lines, compare_lines);
  size_t kept = 1;
  for (size_t i = 1; i < m->line_count; i++) {
    model_line *last = &m->lines[kept - 1];
    if (compare_lines(last, &m->lines[i]) != 0) {
      m->lines[kept++] = m->lines[i];
      continue;
    }
    for (size_t k = 0; k < m->lines[i].term_count; k++) {
      add_line_term(last, m->lines[i].terms[k]);
    }
    free(m->lines[i].terms);
  }
  m->line_count = kept;
}

/* --- functions -------------------------------------------------------------------------------------------------------
 */

static uint32_t model_function_of(walk *w, uint32_t site, bool is_new) {
  model *m = &w->p->out->model;
  if (!is_new) {
    return m->sites[site].function;
  }
  const front_function *front = w->f->front;
  const pp_token *name = &w->u->text.tokens[front->name_token];
  const pp_token *end = &w->u->text.tokens[front->end];
  model_function *f = ARRAY_ADD(m->functions, m->function_count, m->function_capacity);
  f->name = mem_strdup(front->name);
  f->file = m->sites[site].file;
  f->line = name->spelled.line;
  f->end_line = end->spelled.file == name->spelled.file && end->spelled.line >= f->line ? end->spelled.line : f->line;
  f->site = site;
  f->kernel = front->kernel;
  m->sites[site].function = (uint32_t)(m->function_count - 1);
  return (uint32_t)(m->function_count - 1);
}

static int walk_function(program *p, uint32_t function_index, error *e) {
  function *f = &p->functions[function_index];
  unit *u = &p->units[f->unit];
  if (f->front->end == NO_TOKEN || syntax_read(&u->text, f->front->body, &f->syntax) != 0) {
    return error_set(e, EXIT_INTERNAL, "the body of %s could not be read", f->front->name);
  }
  walk w = {.p = p, .u = u, .f = f};
  w.token_region = mem_calloc(f->front->end - f->front->body + 1, sizeof *w.token_region);
  w.selected = mem_calloc(f->syntax.count, sizeof *w.selected);
  bool is_new = false;
  f->model = NONE;
  instance *entry = add_instance(&w, SITE_FUNCTION, f->front->name_token, f->front->close, 1, &is_new);
  uint32_t site = entry->site;
  f->model = model_function_of(&w, site, is_new);
  if (is_new) {
    add_outcome(p, site, OUTCOME_ENTERED, "entered", 0);
  }
  (void)walk_statement(&w, 0, new_region(&w, site, OUTCOME_ENTERED, NONE));
  walk_conditionals(&w);
  walk_logicals(&w);
  walk_barriers(&w);
  walk_decisions(&w);
  collect_lines(&w);
  free(w.token_region);
  free(w.selected);
  free(w.regions);
  return 0;
}

static void list_functions(program *p) {
  for (uint32_t n = 0; n < p->unit_count; n++) {
    for (size_t i = 0; i < p->units[n].facts.function_count; i++) {
      const front_function *front = &p->units[n].facts.functions[i];
      if (front->body == NO_TOKEN) {
        continue;
      }
      function *f = ARRAY_ADD(p->functions, p->function_count, p->function_capacity);
      f->unit = n;
      f->front = front;
      if (front->kernel) {
        *ARRAY_ADD(p->kernel_functions, p->kernel_count, p->kernel_capacity) = (uint32_t)(p->function_count - 1);
      }
    }
  }
}

/* Calls by name: a definition in the same source first, else one of another source that is linked. */
static void link_calls(program *p, uint32_t caller) {
  function *f = &p->functions[caller];
  const front_facts *facts = &p->units[f->unit].facts;
  span body = {f->front->body, f->front->end};
  for (size_t i = 0; i < facts->use_count; i++) {
    if (!span_has(body, facts->uses[i].token)) {
      continue;
    }
    bool own = false;
    for (int pass = 0; pass < 2 && !own; pass++) {
      for (uint32_t g = 0; g < p->function_count; g++) { /* overloads: all of that name */
        if ((p->functions[g].unit == f->unit) == (pass == 0) &&
            strcmp(p->functions[g].front->name, facts->uses[i].name) == 0) {
          *ARRAY_ADD(f->calls, f->call_count, f->call_capacity) = (call){facts->uses[i].token, g};
          p->functions[g].called = true;
          own = true;
        }
      }
    }
  }
}

static bool has_function(const model_kernel *k, uint32_t f) {
  for (size_t i = 0; i < k->function_count; i++) {
    if (k->functions[i] == f) {
      return true;
    }
  }
  return false;
}

/* A site in a macro is the function's that uses it first; a kernel that does not reach that one uses it all the same.
 */
static void add_shared_site(const program *p, uint32_t site, model_kernel *k, size_t *capacity) {
  bool known = has_function(k, p->out->model.sites[site].function);
  for (size_t s = 0; s < k->site_count && !known; s++) {
    known = k->sites[s] == site;
  }
  if (!known) {
    *ARRAY_ADD(k->sites, k->site_count, *capacity) = site;
  }
}

static void add_shared_sites(const program *p, const function *f, model_kernel *k, size_t *capacity) {
  for (size_t i = 0; i < f->instance_count; i++) {
    add_shared_site(p, f->instances[i].site, k, capacity);
  }
  for (size_t i = 0; i < f->implied_count; i++) {
    add_shared_site(p, f->implied[i].term.site, k, capacity);
  }
}

static void list_kernels(program *p) {
  model *m = &p->out->model;
  for (size_t k = 0; k < p->kernel_count; k++) {
    const function *f = &p->functions[p->kernel_functions[k]];
    model_kernel *kernel = ARRAY_ADD(m->kernels, m->kernel_count, m->kernel_capacity);
    kernel->name = mem_strdup(f->front->name);
    kernel->function = f->model;
    size_t count = 0;
    uint32_t *reach = reachable_functions(p, p->kernel_functions[k], &count);
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
      *ARRAY_ADD(kernel->functions, kernel->function_count, capacity) = p->functions[reach[i]].model;
    }
    size_t site_capacity = 0;
    for (size_t i = 0; i < count; i++) {
      add_shared_sites(p, &p->functions[reach[i]], kernel, &site_capacity);
    }
    free(reach);
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
  for (uint32_t i = 0; i < p->function_count && result == 0; i++) {
    result = walk_function(p, i, e);
  }
  for (uint32_t i = 0; i < p->function_count && result == 0; i++) {
    link_calls(p, i);
  }
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
