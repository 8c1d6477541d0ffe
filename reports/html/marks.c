/* What a site shows in the source, at its place: outcomes, each covered or crossed out. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/html/page.h"
#include "reports/mcdc.h"

/* How the outcomes of a kind of site are written: by number, else the label itself. Kinds without a word have no mark.
 */
static const struct {
  const char *word;
  const char *outcomes[4];
} kinds[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = {"function", {"entered"}},    [SITE_IF] = {"if", {"T", "F"}},
    [SITE_CONDITIONAL] = {"?:", {"T", "F"}},        [SITE_SWITCH] = {"switch", {NULL}},
    [SITE_FOR] = {"for", {"0", "1", "&gt;1", "b"}}, [SITE_WHILE] = {"while", {"0", "1", "&gt;1", "b"}},
    [SITE_DO] = {"do", {"0", "1", "&gt;1", "b"}},   [SITE_BARRIER] = {"barrier", {"all"}},
    [SITE_CONDITION] = {"condition", {"T", "F"}},   [SITE_DECISION] = {"MC/DC", {NULL}},
};

/* Functions have a mark only when nobody entered them: else their lines say it. */
static bool has_mark(const page *p, const view_site *s) {
  return kinds[s->kind].word != NULL && s->outcome_count > 0 && report_has(p->reported, p->everything, s->function) &&
         (s->kind != SITE_FUNCTION || s->outcomes[0].tests == 0);
}

/* The first byte of a line that is no space. */
static size_t first_word(const view_file *f, size_t at) {
  while (at < f->length && (f->text[at] == ' ' || f->text[at] == '\t')) {
    at++;
  }
  return at;
}

/* Is a condition on a line where a decision of its function has one? A condition alone says what its `if` or loop says.
 */
static bool is_of_decision(const page *p, const view_site *condition, size_t first) {
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == condition->file; i++) {
    const view_site *s = &p->v->sites[i];
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

typedef struct marks {
  page_mark *list;
  size_t count, capacity;
} marks;

static void add(marks *m, size_t offset, const view_site *s, size_t from, size_t to) {
  if (from < to && !mcdc_too_large(s)) {
    *ARRAY_ADD(m->list, m->count, m->capacity) = (page_mark){offset, s, from, to};
  }
}

/* A written case has its mark at its own line; what has no line of its own stands at the switch. */
static void add_switch(const page *p, marks *m, const view_site *s, const size_t *starts, size_t line_count) {
  const view_file *f = &p->v->files[s->file];
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
  marks m = {0};
  size_t first = first_site(p->v, file);
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == file; i++) {
    const view_site *s = &p->v->sites[i];
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

static void put_outcome(FILE *out, const view_site *s, const view_outcome *o) {
  const char *word = o->index < 4 ? kinds[s->kind].outcomes[o->index] : NULL;
  (void)fputs(o->tests == 0 ? "<i class=n>" : "<i>", out);
  if (s->kind == SITE_SWITCH) {
    (void)fputs(strcmp(o->label, "default") == 0 ? "default" : "case", out);
  } else if (word != NULL) {
    (void)fputs(word, out);
  } else {
    page_text(out, o->label);
  }
  (void)fputs("</i>", out);
}

/* The numbers of the conditions, crossed out where none was shown to decide alone. */
static void put_decision(FILE *out, const view_site *s) {
  mcdc read;
  mcdc_read(s, &read);
  (void)fputs("<span class=b role=img title=\"MC/DC: ", out);
  for (size_t i = 0; i < read.count; i++) {
    const mcdc_condition *c = &read.conditions[i];
    (void)fputs(i == 0 ? "" : "; ", out);
    page_text(out, c->text);
    (void)fputs(c->shown ? " shown" : " not shown, ", out);
    if (!c->shown) {
      buffer needs = {0};
      mcdc_needs(&read, c, &needs);
      page_text(out, buffer_text(&needs));
      buffer_free(&needs);
    }
  }
  (void)fputs("\">", out);
  for (size_t i = 0; i < read.count; i++) {
    (void)fprintf(out, "<i%s>%zu</i>", read.conditions[i].shown ? "" : " class=n", i + 1);
  }
  (void)fputs("</span>", out);
}

/* <span class=b role=img title="if: true 3 tests, false never"> with a letter or two for each outcome. */
void page_put_mark(FILE *out, const page_mark *m) {
  const view_site *s = m->site;
  if (s->kind == SITE_DECISION) {
    put_decision(out, s);
    return;
  }
  (void)fprintf(out, "<span class=b role=img title=\"%s: ", kinds[s->kind].word);
  for (size_t i = m->from; i < m->to; i++) {
    const view_outcome *o = &s->outcomes[i];
    (void)fputs(i == m->from ? "" : ", ", out);
    page_text(out, o->label);
    (void)fprintf(out, o->tests == 0 ? " never" : " %u test%s", o->tests, page_plural(o->tests));
  }
  (void)fputs("\">", out);
  for (size_t i = m->from; i < m->to; i++) {
    put_outcome(out, s, &s->outcomes[i]);
  }
  (void)fputs("</span>", out);
}
