/* --show-missed: by file and function, in source order, what no test case did. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/mcdc.h"
#include "reports/common/place.h"
#include "reports/text/text.h"

#define GROUP_LINES 12 /* of a group of lines that are shown */

/* Something to show, at a line: a site, or a group of lines never executed. */
typedef struct item {
  uint32_t file, line, last; /* last: of a group; 0 for a site */
  uint32_t column;
  const model_site *site;
} item;

typedef struct items {
  item *list;
  size_t count, capacity;
} items;

static int compare_items(const void *a, const void *b) {
  const item *x = a;
  const item *y = b;
  int by_file = (x->file > y->file) - (x->file < y->file);
  int by_line = (x->line > y->line) - (x->line < y->line);
  int by_column = (x->column > y->column) - (x->column < y->column);
  return by_file != 0 ? by_file : by_line != 0 ? by_line : by_column;
}

/* --- what to show ------------------------------------------------------------------------------------------- */

static bool line_missed(const view *v, uint32_t file, uint32_t line) {
  for (size_t low = 0, high = v->line_count; low < high;) {
    size_t middle = low + (high - low) / 2;
    const view_line *l = &v->lines[middle];
    if (l->file == file && l->line == line) {
      return l->tests == 0;
    }
    if (l->file < file || (l->file == file && l->line < line)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

static size_t covered_outcomes(const model_site *s) {
  size_t covered = 0;
  for (size_t i = 0; i < s->outcome_count; i++) {
    covered += s->outcomes[i].tests > 0 ? 1 : 0;
  }
  return covered;
}

/* A site in lines that were never executed says nothing more than those. */
bool text_site_missed(const view *v, const model_site *s) {
  size_t covered = covered_outcomes(s);
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    return m.shown < m.count && covered > 0;
  }
  return text_counts_missed(s) && covered < s->outcome_count && !(covered == 0 && line_missed(v, s->file, s->line));
}

static void collect_sites(const view *v, uint32_t function, items *to) {
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    if (s->function == function && text_site_missed(v, s)) {
      *ARRAY_ADD(to->list, to->count, to->capacity) =
          (item){.file = s->file, .line = s->line, .column = s->column, .site = s};
    }
  }
}

/* Lines that were missed one after another, with no executed line in between. */
static void collect_lines(const view *v, uint32_t function, items *to) {
  item *group = NULL;
  for (size_t i = 0; i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->function != function) {
      continue;
    }
    if (l->tests > 0) {
      group = NULL;
    } else if (group != NULL && group->file == l->file) {
      group->last = l->line;
    } else {
      group = ARRAY_ADD(to->list, to->count, to->capacity);
      *group = (item){.file = l->file, .line = l->line, .last = l->line};
    }
  }
}

/* --- sites -------------------------------------------------------------------------------------------------- */

/* What is said of a missed outcome of a loop. */
static const char *const loop_words[] = {
    [OUTCOME_ZERO] = "0 iterations",
    [OUTCOME_ONE] = "exactly 1 iteration",
    [OUTCOME_MANY] = "more than 1 iteration",
    [OUTCOME_BOUNDARY] = "ended by its condition",
};

static bool is_loop(site_kind kind) { return kind == SITE_FOR || kind == SITE_WHILE || kind == SITE_DO; }

/* "if: never false", "for: never 0 iterations, exactly 1 iteration", "?: never reached" (it brings its colon along). */
void text_describe_site(const model_site *s, buffer *to) {
  buffer_printf(to, "%s: never ", s->kind == SITE_CONDITIONAL ? "?" : site_kind_name(s->kind));
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    buffer_printf(to, "shown that %zu of %zu conditions matter", m.count - m.shown, m.count);
    return;
  }
  if (s->kind == SITE_BARRIER) {
    buffer_puts(to, "executed by every work-item of a work-group");
    return;
  }
  if (covered_outcomes(s) == 0) {
    buffer_puts(to, "reached");
    return;
  }
  const char *before = "";
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *o = &s->outcomes[i];
    if (o->tests == 0) {
      bool loop = is_loop(s->kind) && o->index <= OUTCOME_BOUNDARY;
      buffer_printf(to, "%s%s", before, loop ? loop_words[o->index] : o->label);
      before = ", ";
    }
  }
}

/* Where the mark ends: the construct's end when that is on the same line, else the keyword's or operator's. */
static uint32_t mark_end(const model_site *s, const model_file *file) {
  if (s->end_line == s->line && s->end_column > s->column) {
    return s->end_column;
  }
  size_t length = 0;
  const char *line = place_source_line(file, s->line, &length);
  uint32_t end = s->column;
  while (line != NULL && end <= length && (isalnum((unsigned char)line[end - 1]) != 0 || line[end - 1] == '_')) {
    end++;
  }
  return end > s->column ? end : s->column + 1;
}

/* The conditions of a decision that were not shown to matter, and what would show them. */
static void show_conditions(text *t, const model_site *s) {
  mcdc m;
  mcdc_read(s, &m);
  for (size_t i = 0; i < m.count; i++) {
    const mcdc_condition *c = &m.conditions[i];
    if (c->shown) {
      continue;
    }
    buffer line = {0};
    buffer_printf(&line, "condition %zu of %zu, `%s`", i + 1, m.count, c->text);
    bool evaluated = c->seen_true + c->seen_false > 0;
    buffer_puts(&line, !evaluated           ? ", never evaluated"
                       : c->seen_true == 0  ? ", never true"
                       : c->seen_false == 0 ? ", never false"
                                            : "");
    buffer_puts(&line, ": ");
    mcdc_needs(&m, c, &line);
    buffer_puts(&t->out, "    ");
    text_fitted(t, 4, 6, buffer_text(&line));
    buffer_free(&line);
  }
}

static void show_site(text *t, const model_site *s) {
  const model_file *file = &t->v->files[s->file];
  buffer line = {0};
  buffer_printf(&line, "%s:%u:%u: ", file->name, s->line, s->column);
  text_describe_site(s, &line);
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, buffer_text(&line));
  buffer_free(&line);
  text_excerpt(t, file, s->line, '|', s->column, mark_end(s, file));
  if (s->kind == SITE_DECISION) {
    show_conditions(t, s);
  }
}

/* --- groups of lines ---------------------------------------------------------------------------------------- */

static void show_lines(text *t, const item *group) {
  const model_file *file = &t->v->files[group->file];
  buffer line = {0};
  if (group->last == group->line) {
    buffer_printf(&line, "%s:%u: line never executed", file->name, group->line);
  } else {
    buffer_printf(&line, "%s:%u: lines %u-%u never executed", file->name, group->line, group->line, group->last);
  }
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, buffer_text(&line));
  buffer_free(&line);
  uint32_t shown = group->last - group->line + 1;
  /* One line too many takes no more room than saying so. */
  shown = shown > GROUP_LINES + 1 ? GROUP_LINES : shown;
  for (uint32_t i = 0; i < shown; i++) {
    uint32_t number = group->line + i;
    text_excerpt(t, file, number, line_missed(t->v, group->file, number) ? '-' : '|', 0, 0);
  }
  if (group->last - group->line + 1 > shown) {
    buffer_printf(&t->out, "         " UTF8_ELLIPSIS " %u more lines\n", group->last - group->line + 1 - shown);
  }
}

/* --- functions ---------------------------------------------------------------------------------------------- */

static bool entered(const view *v, const model_function *f) {
  return f->site == MODEL_NONE || covered_outcomes(&v->sites[f->site]) > 0;
}

static void function_heading(text *t, const model_function *f, const text_missed *missed) {
  buffer heading = {0};
  buffer_puts(&heading, f->kernel ? "kernel " : "function ");
  text_name(&heading, f->name);
  if (!entered(t->v, f)) {
    buffer_printf(&heading, ", never entered (%zu line%s)", missed->lines, missed->lines == 1 ? "" : "s");
  }
  buffer_putc(&t->out, '\n');
  buffer cut = {0};
  utf8_shorten(&cut, buffer_text(&heading), t->width);
  text_heading(t, buffer_text(&cut));
  buffer_free(&cut);
  buffer_free(&heading);
}

/* A function that was never entered is shown by its first line alone. */
static void show_never_entered(text *t, const model_function *f) {
  const model_file *file = &t->v->files[f->file];
  buffer line = {0};
  buffer_printf(&line, "%s:%u:", file->name, f->line);
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, buffer_text(&line));
  buffer_free(&line);
  text_excerpt(t, file, f->line, '-', 0, 0);
}

static void show_function(text *t, uint32_t function, const text_missed *missed) {
  const view *v = t->v;
  const model_function *f = &v->functions[function];
  if (!entered(v, f)) {
    function_heading(t, f, missed);
    show_never_entered(t, f);
    return;
  }
  items all = {0};
  collect_sites(v, function, &all);
  collect_lines(v, function, &all);
  if (all.count > 0) {
    function_heading(t, f, missed);
    qsort(all.list, all.count, sizeof *all.list, compare_items);
  }
  for (size_t i = 0; i < all.count; i++) {
    if (all.list[i].site != NULL) {
      show_site(t, all.list[i].site);
    } else {
      show_lines(t, &all.list[i]);
    }
  }
  free(all.list);
}

void text_write_missed(text *t) {
  text_missed *missed = text_count_missed(t);
  for (uint32_t i = 0; i < t->v->function_count; i++) {
    if (t->reported[i]) {
      show_function(t, i, &missed[i]);
    }
  }
  free(missed);
}
