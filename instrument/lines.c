/* Lines: which outcomes say that one was executed. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/discover.h"

static void add_line_term(model_line *line, model_term term) {
  for (size_t i = 0; i < line->term_count; i++) {
    if (line->terms[i].site == term.site && line->terms[i].outcome == term.outcome) {
      return;
    }
  }
  size_t capacity = line->term_count;
  *ARRAY_ADD(line->terms, line->term_count, capacity) = term;
}

static model_line *line_at(walk *w, uint32_t file, uint32_t number) {
  model *m = &w->p->out->model;
  for (size_t i = m->line_count; i-- > 0 && m->lines[i].function == w->f->model;) { /* near the end, if it is there */
    if (m->lines[i].file == file && m->lines[i].line == number) {
      return &m->lines[i];
    }
  }
  model_line *line = ARRAY_ADD(m->lines, m->line_count, m->line_capacity);
  *line = (model_line){.file = file, .line = number, .function = w->f->model};
  return line;
}

/* Whether a line is executed whenever its function is: of functions that one macro makes, this alone tells which was. */
static bool says_entered(const walk *w, const model_term *terms, size_t count) {
  const uint32_t own = w->p->out->model.functions[w->f->model].site;
  bool entered = false;
  for (size_t i = 0; i < count; i++) {
    entered = entered || (terms[i].site == own && terms[i].outcome == OUTCOME_ENTERED);
  }
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
    if (line == NULL || line->file != file || line->line != where->line) {
      line = line_at(w, file, where->line);
    }
    const region *r = &w->regions[w->token_region[t - w->f->body.first]];
    if (says_entered(w, r->terms, r->count) == first && (first || !says_entered(w, line->terms, line->term_count))) {
      for (size_t k = 0; k < r->count; k++) {
        add_line_term(line, r->terms[k]);
      }
    }
  }
}

void collect_lines(walk *w) {
  collect(w, true);
  collect(w, false);
}

static int compare_lines(const void *a, const void *b) {
  const model_line *left = a;
  const model_line *right = b;
  if (left->file != right->file) {
    return left->file < right->file ? -1 : 1;
  }
  if (left->line != right->line) {
    return left->line < right->line ? -1 : 1;
  }
  return left->function < right->function ? -1 : left->function > right->function;
}

void merge_lines(model *m) {
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
