/* Lines of a file, from lines with code and from branches. */
#include "reports/common/line_table.h"

#include <stdlib.h>

#include "base/memory.h"
#include "reports/common/writers.h"

bool line_table_branch(const model_site *s, uint32_t file, const bool *reported, bool everything) {
  return s->file == file && s->line > 0 &&
         (s->kind == SITE_IF || s->kind == SITE_CONDITIONAL || s->kind == SITE_SWITCH) &&
         report_has(reported, everything, s->function);
}

uint32_t most_tests(const model_site *s) {
  uint32_t most = 0;
  for (size_t i = 0; i < s->outcome_count; i++) {
    most = s->outcomes[i].tests > most ? s->outcomes[i].tests : most;
  }
  return most;
}

static int compare_lines(const void *a, const void *b) {
  const table_line *x = a;
  const table_line *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

static void add(line_table *t, size_t *capacity, table_line line) { *ARRAY_ADD(t->lines, t->count, *capacity) = line; }

static table_line branch_line(const model_site *s) {
  table_line l = {.line = s->line, .tests = most_tests(s), .function = s->function};
  l.outcomes = (uint32_t)s->outcome_count;
  for (size_t i = 0; i < s->outcome_count; i++) {
    l.taken += s->outcomes[i].tests > 0 ? 1 : 0;
  }
  return l;
}

/* Makes entries of one line one. */
static void unite(line_table *t) {
  size_t kept = 0;
  qsort(t->lines, t->count, sizeof *t->lines, compare_lines);
  for (size_t i = 1; i < t->count; i++) {
    table_line *to = &t->lines[kept];
    const table_line *l = &t->lines[i];
    if (l->line != to->line) {
      t->lines[++kept] = *l;
      continue;
    }
    to->tests = l->tests > to->tests ? l->tests : to->tests;
    to->function = to->function == MODEL_NONE || l->function < to->function ? l->function : to->function;
    to->outcomes += l->outcomes;
    to->taken += l->taken;
  }
  t->count = kept + 1;
}

line_table line_table_of(const view *v, uint32_t file, const bool *reported, bool everything) {
  line_table t = {0};
  size_t capacity = 0;
  for (size_t i = 0; i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->file == file && l->line > 0 && report_has(reported, everything, l->function)) {
      add(&t, &capacity, (table_line){.line = l->line, .tests = l->tests, .function = l->function});
    }
  }
  for (size_t i = 0; i < v->site_count; i++) {
    if (line_table_branch(&v->sites[i], file, reported, everything)) {
      add(&t, &capacity, branch_line(&v->sites[i]));
    }
  }
  if (t.count > 0) {
    unite(&t);
  }
  return t;
}

table_line *line_table_find(const line_table *t, uint32_t line) {
  const table_line key = {.line = line};
  return t->count == 0 ? NULL : bsearch(&key, t->lines, t->count, sizeof key, compare_lines);
}
