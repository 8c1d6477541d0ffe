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

void collect_lines(walk *w) {
  model *m = &w->p->out->model;
  model_line *line = NULL;
  for (uint32_t t = w->f->body.first; t <= w->f->body.last; t++) {
    const pp_token *token = &w->u->text.tokens[t];
    const uint32_t behind = token_behind_pragma(&w->u->text, t);
    if (behind > t) {
      t = behind - 1;
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
    const region *r = &w->regions[w->token_region[t - w->f->body.first]];
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
