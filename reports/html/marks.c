/* What sites show at the end of their line: outcomes that were never seen, in words; those that were, on request. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/mcdc.h"
#include "reports/common/place.h"
#include "reports/html/page.h"

#define LOOP \
  { "0 times", "once", "more than once", "to its end" }

/* How a kind of site and its outcomes are called. Kinds without outcomes here say the label, those without a word have
 * no mark. */
static const struct {
  const char *word;
  const char *outcomes[4];
} kinds[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = {"function", {"entered"}},
    [SITE_IF] = {"if", {"true", "false"}},
    [SITE_CONDITIONAL] = {"?:", {"true", "false"}},
    [SITE_SWITCH] = {"switch", {NULL}},
    [SITE_FOR] = {"for", LOOP},
    [SITE_WHILE] = {"while", LOOP},
    [SITE_DO] = {"do", LOOP},
    [SITE_BARRIER] = {"barrier", {"by a whole work-group"}},
    [SITE_CONDITION] = {"condition", {"true", "false"}},
    [SITE_DECISION] = {"MC/DC", {NULL}},
};

/* Functions have a mark only when nobody entered them: else their lines say it. */
static bool has_mark(const page *p, const model_site *s) {
  return kinds[s->kind].word != NULL && s->outcome_count > 0 && report_has(p->reported, p->everything, s->function) &&
         (s->kind != SITE_FUNCTION || s->outcomes[0].tests == 0);
}

/* The first byte of a line that is no space. */
static size_t first_word(const model_file *f, size_t at) {
  while (at < f->length && (f->text[at] == ' ' || f->text[at] == '\t')) {
    at++;
  }
  return at;
}

/* Is a condition on a line where a decision of its function has one? A condition alone says what its `if` or loop says.
 */
static bool is_of_decision(const page *p, const model_site *condition, size_t first) {
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == condition->file; i++) {
    const model_site *s = &p->v->sites[i];
    bool decides = s->kind == SITE_DECISION && s->function == condition->function;
    if (decides && s->line <= condition->line && condition->line <= s->end_line) {
      return true;
    }
    for (size_t k = 0; decides && k < s->outcome_count && s->outcomes[k].index < OUTCOME_PATH; k++) {
      if (s->outcomes[k].line == condition->line) {
        return true;
      }
    }
  }
  return false;
}

typedef struct mark_list {
  page_mark *list;
  size_t count, capacity;
} mark_list;

static void add(mark_list *m, size_t offset, const model_site *s, size_t from, size_t to) {
  if (from < to && !mcdc_too_large(s)) {
    *ARRAY_ADD(m->list, m->count, m->capacity) = (page_mark){offset, s, from, to};
  }
}

/* A written case has its mark at its own line; what has no line of its own stands at the switch. */
static void add_switch(const page *p, mark_list *m, const model_site *s, const size_t *starts, size_t line_count) {
  const model_file *f = &p->v->files[s->file];
  size_t own = 0;
  for (size_t i = 0; i < s->outcome_count; i++) {
    uint32_t line = s->outcomes[i].line;
    if (line == s->line || line == 0 || line > line_count) {
      add(m, s->offset, s, i, i + 1);
    } else {
      own = first_word(f, starts[line - 1]);
      add(m, own, s, i, i + 1);
    }
  }
}

static int compare_marks(const void *a, const void *b) {
  const page_mark *x = a;
  const page_mark *y = b;
  if (x->offset != y->offset) {
    return x->offset < y->offset ? -1 : 1;
  }
  if (x->site != y->site) {
    return x->site < y->site ? -1 : 1;
  }
  return (x->from > y->from) - (x->from < y->from);
}

/* The first site of the view that is not before the file. */
static size_t first_site(const view *v, uint32_t file) {
  size_t low = 0;
  size_t high = v->site_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (v->sites[middle].file < file) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

page_mark *page_marks(const page *p, uint32_t file, const size_t *starts, size_t line_count, size_t *count) {
  mark_list m = {0};
  size_t first = first_site(p->v, file);
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == file; i++) {
    const model_site *s = &p->v->sites[i];
    if (!p->covered || !has_mark(p, s)) {
      continue;
    }
    if (s->kind == SITE_SWITCH) {
      add_switch(p, &m, s, starts, line_count);
    } else if (s->kind != SITE_CONDITION || is_of_decision(p, s, first)) {
      add(&m, s->offset, s, 0, s->outcome_count);
    }
  }
  if (m.count > 0) {
    qsort(m.list, m.count, sizeof *m.list, compare_marks);
  }
  *count = m.count;
  return m.list;
}

bool page_mark_misses(const page_mark *m) {
  if (m->site->kind == SITE_DECISION) {
    mcdc read;
    mcdc_read(m->site, &read);
    return read.shown < read.count;
  }
  for (size_t i = m->from; i < m->to; i++) {
    if (m->site->outcomes[i].tests == 0) {
      return true;
    }
  }
  return false;
}

/* --- words ----------------------------------------------------------------------------------------------------- */

enum { CONDITION = 32 }; /* bytes of a condition that are quoted */

/* The text of a condition that is to be quoted; of length 0: it is not. Its offset is that of an operator. */
static place_line quoted(const page *p, const model_site *s) {
  const place_line none = {0};
  if (s->kind != SITE_CONDITION || s->end_line != s->line || s->end_column <= s->column || s->column == 0) {
    return none;
  }
  const place_line line = place_line_of(&p->v->files[s->file], s->line);
  const size_t length = s->end_column - s->column;
  const bool fits = line.text != NULL && length <= CONDITION && s->column - 1 + length <= line.length;
  return fits ? (place_line){line.text + s->column - 1, length} : none;
}

/* Two sites that are called the same. */
static bool alike(const page *p, const model_site *a, const model_site *b) {
  if (a == b || a->kind != b->kind || a->kind == SITE_SWITCH) {
    return false;
  }
  const place_line x = quoted(p, a);
  const place_line y = quoted(p, b);
  return x.length == y.length && (x.length == 0 || memcmp(x.text, y.text, x.length) == 0);
}

/* "if", "x > 0". */
static void put_subject(const page *p, const model_site *s) {
  const place_line text = quoted(p, s);
  if (text.length > 0) {
    page_text_of(p->out, text.text, text.length);
  } else if (s->kind != SITE_SWITCH) {
    (void)fputs(kinds[s->kind].word, p->out);
  }
}

static void put_outcome(const page *p, const model_site *s, const model_outcome *o) {
  const char *word = o->index < 4 ? kinds[s->kind].outcomes[o->index] : NULL;
  if (word != NULL) {
    (void)fputs(word, p->out);
  } else {
    page_text(p->out, o->label);
  }
}

/* In bytes, as sites have it. */
static void put_column(const page *p, const page_mark *marks, size_t count, size_t which) {
  const model_site *s = marks[which].site;
  for (size_t i = 0; i < count; i++) {
    if (alike(p, marks[i].site, s)) {
      (void)fprintf(p->out, ", column %u", s->column);
      return;
    }
  }
}

/* "if never true, never false": outcomes that were seen, or not. */
static bool put_outcomes(const page *p, const page_mark *m, bool seen, const char *class) {
  const model_site *s = m->site;
  size_t count = 0;
  for (size_t i = m->from; i < m->to; i++) {
    const model_outcome *o = &s->outcomes[i];
    if ((o->tests > 0) != seen) {
      continue;
    }
    if (count++ == 0) {
      (void)fprintf(p->out, "<span class=%s>", class);
      put_subject(p, s);
      (void)fputs(s->kind == SITE_SWITCH ? "" : " ", p->out);
      (void)fputs(seen || s->kind == SITE_SWITCH ? "" : "never ", p->out);
    } else {
      (void)fputs(seen || s->kind == SITE_SWITCH ? ", " : ", never ", p->out);
    }
    put_outcome(p, s, o);
    if (seen) {
      (void)fprintf(p->out, " %u test%s", o->tests, page_plural(o->tests));
    } else if (s->kind == SITE_SWITCH) {
      (void)fputs(" never taken", p->out);
    }
  }
  return count > 0;
}

/* The conditions that were shown to decide alone; a title says what is missing for the others. */
static void put_decision(const page *p, const page_mark *marks, size_t count, size_t which, bool never) {
  mcdc read;
  mcdc_read(marks[which].site, &read);
  const bool all = read.shown == read.count;
  (void)fprintf(p->out, "<span class=%s title=\"", all ? "\"b k\"" : never ? "\"b h\"" : "b");
  for (size_t i = 0; i < read.count; i++) {
    const mcdc_condition *c = &read.conditions[i];
    (void)fputs(i == 0 ? "MC/DC: " : "; ", p->out);
    page_text(p->out, c->text);
    (void)fputs(c->shown ? " shown" : " not shown, ", p->out);
    if (!c->shown) {
      buffer needs = {0};
      mcdc_needs(&read, c, &needs);
      page_text(p->out, buffer_text(&needs));
      buffer_free(&needs);
    }
  }
  (void)fprintf(p->out, "\">%zu of %zu decide alone", read.shown, read.count);
  put_column(p, marks, count, which);
  (void)fputs("</span>", p->out);
}

/* What was never seen on a line that nothing executed is said by the line; that of a function is said all the same. */
static void put_site(const page *p, const page_mark *marks, size_t count, size_t which, bool never) {
  const page_mark *m = &marks[which];
  const char *missed = never && m->site->kind != SITE_FUNCTION ? "\"b h\"" : "b";
  for (int seen = 0; seen < 2; seen++) {
    if (put_outcomes(p, m, seen == 1, seen == 1 ? "\"b k\"" : missed)) {
      put_column(p, marks, count, which);
      (void)fputs("</span>", p->out);
    }
  }
}

void page_put_marks(const page *p, const page_mark *marks, size_t count, bool never) {
  if (count > 0) {
    (void)fputs("<span class=e>", p->out);
  }
  for (size_t i = 0; i < count; i++) {
    if (marks[i].site->kind == SITE_DECISION) {
      put_decision(p, marks, count, i, never);
    } else {
      put_site(p, marks, count, i, never);
    }
  }
  (void)fputs(count > 0 ? "</span>" : "", p->out);
}
