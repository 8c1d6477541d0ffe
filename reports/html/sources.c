/* Every source: lines with the test cases that executed them, tokens in their colours, what is missed at the end of
 * lines, mutants below them. */
#include <stdlib.h>
#include <string.h>

#include "reports/html/page.h"

typedef struct page_mark {
  size_t offset; /* in the file: in front of this byte */
  const model_site *site;
  size_t from, to; /* of its outcomes */
} page_mark;

/* What the signs in the sources mean. */

static void put_coverage(const page *p) {
  report_put(p->out,
             "<div><dt>Tests<dd>the number of test cases that executed the line, a link to their names; 0: none did; "
             "nothing: no code\n</div><div><dt><span class=b>if never false</span><dd>executed, and this was never "
             "seen\n</div><div><dt><span class=b>for never 0 times</span><dd>of the cases 0 times, once, more than "
             "once, to its end (its own condition ended it), those that were never seen\n</div><div><dt><span "
             "class=b>1 of 2 decide alone</span><dd>conditions of <code>&amp;&amp;</code> and <code>||</code> that "
             "were shown to decide (MC/DC)\n</div><div><dt><span class=b>never by a whole work-group</span><dd>a "
             "barrier that not all work-items of any work-group executed as often as each other\n</div>");
}

static void page_legend(const page *p) {
  report_put(p->out, "<details id=legend><summary>What the signs mean</summary>\n<dl class=legend>\n");
  if (p->covered) put_coverage(p);
  for (size_t i = 0; p->mutated && i < MUTANT_STATUSES; i++) {
    const page_status *s = &page_statuses[page_status_order[i]];
    report_put(p->out, "<div><dt><span class=\"st s%c\">%s</span><dd>%s\n</div>", s->letter, s->word, s->meaning);
  }
  if (p->mutated && page_count_unrevealed(p) > 0) {
    report_put(p->out, "<div><dt><span class=\"st s%c\">%s</span><dd>%s\n</div>", page_unrevealed.letter,
               page_unrevealed.word, page_unrevealed.meaning);
  }
  report_put(p->out,
             "<div><dt>Colours<dd>red: below what is asked (lines %g %%, mutation score %g %%); amber: to half of the "
             "way from there to 100 %%; green: above\n</div></dl>\n<p>Percentages are covered/total; 100.0 %% means "
             "all, n/a that there is nothing to count.\n</details>\n",
             page_least(p, "line"), page_least(p, "mutation"));
}

/* The list of files, worst first. */

static void put_share(const page *p, const char *metric, const char *word, const ratio *r) {
  if (r->total > 0) {
    report_put(p->out, "<span class=\"r %s\">%s<b>%s</b> %s</span>", page_level(p, metric, r), page_bar(p->out, r),
               report_percent(p->out, r), word);
  }
}

/* Lines, mutants, and whatever is worse than they are. */
static void put_shares(const page *p, const coverage *c) {
  const page_badness worst = page_badness_of(p, c);
  if (p->covered) put_share(p, "line", "lines", &c->line);
  if (p->mutated) put_share(p, "mutation", "killed", &c->mutation);
  if (worst.metric != NULL && strcmp(worst.metric, "branch") == 0)
    put_share(p, "branch", "branches", &c->branch);
  else if (worst.metric != NULL && strcmp(worst.metric, "barrier") == 0)
    put_share(p, "barrier", "barriers", &c->barrier);
}

/* Pieces of page_sources. */
static void page_file_list(const page *p) {
  report_put(p->out,
             "<nav id=files aria-label=Files>\n<details open><summary>%zu file%s, worst first</summary>\n<ol>\n",
             p->shown_files, report_plural(p->shown_files));
  for (size_t i = 0; i < p->shown_files; i++) {
    report_put(p->out, "<li><a href=\"#f%u\">%s</a>", p->order[i], page_text(p->out, page_file_name(p, p->order[i])));
    put_shares(p, &p->files[p->order[i]]);
    report_put(p->out, "\n");
  }
  report_put(p->out, "</ol>\n</details>\n</nav>\n");
}

/* What sites show at the end of their line: outcomes that were never seen, in words; those that were, on request. */

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
  while (at < f->length && (f->text[at] == ' ' || f->text[at] == '\t')) at++;
  return at;
}

/* Is a condition on a line where a decision of its function has one? A condition alone says what its `if` or loop says.
 */
static bool is_of_decision(const page *p, const model_site *condition, size_t first) {
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == condition->file; i++) {
    const model_site *s = &p->v->sites[i];
    bool decides = s->kind == SITE_DECISION && s->function == condition->function;
    if (decides && s->line <= condition->line && condition->line <= s->end_line) return true;
    for (size_t k = 0; decides && k < s->outcome_count && s->outcomes[k].index < OUTCOME_PATH; k++)
      if (s->outcomes[k].line == condition->line) return true;
  }
  return false;
}

typedef struct mark_list {
  page_mark *list;
  size_t count, capacity;
} mark_list;

static void add_mark(mark_list *m, size_t offset, const model_site *s, size_t from, size_t to) {
  if (from < to && !mcdc_too_large(s)) *ARRAY_ADD(m->list, m->count, m->capacity) = (page_mark){offset, s, from, to};
}

static int compare_marks(const void *a, const void *b) {
  const page_mark *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  if (x->site != y->site) return x->site < y->site ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

/* The marks of a file in order of offset; free() them. `starts` are the offsets of its lines. */
static page_mark *page_marks(const page *p, uint32_t file, const size_t *starts, size_t line_count, size_t *count) {
  mark_list m = {0};
  /* The first site of the view that is not before the file. */
  size_t first = 0, high = p->v->site_count;
  while (first < high) {
    size_t middle = (first + high) / 2;
    if (p->v->sites[middle].file < file)
      first = middle + 1;
    else
      high = middle;
  }
  for (size_t i = first; i < p->v->site_count && p->v->sites[i].file == file; i++) {
    const model_site *s = &p->v->sites[i];
    if (!p->covered || !has_mark(p, s)) continue;
    if (s->kind == SITE_SWITCH) {
      /* A written case has its mark at its own line; what has no line of its own stands at the switch. */
      const model_file *f = &p->v->files[s->file];
      for (size_t k = 0; k < s->outcome_count; k++) {
        const uint32_t line = s->outcomes[k].line;
        const bool own = line != s->line && line != 0 && line <= line_count;
        add_mark(&m, own ? first_word(f, starts[line - 1]) : s->offset, s, k, k + 1);
      }
    } else if (s->kind != SITE_CONDITION || is_of_decision(p, s, first))
      add_mark(&m, s->offset, s, 0, s->outcome_count);
  }
  if (m.count > 0) qsort(m.list, m.count, sizeof *m.list, compare_marks);
  *count = m.count;
  return m.list;
}

static bool page_mark_misses(const page_mark *m) {
  if (m->site->kind == SITE_DECISION) {
    mcdc read;
    mcdc_read(m->site, &read);
    return read.shown < read.count;
  }
  for (size_t i = m->from; i < m->to; i++)
    if (m->site->outcomes[i].tests == 0) return true;
  return false;
}

/* --- words ----------------------------------------------------------------------------------------------------- */

enum { CONDITION = 32 }; /* bytes of a condition that are quoted */

/* The text of a condition that is to be quoted; of length 0: it is not. Its offset is that of an operator. */
static place_line quoted(const page *p, const model_site *s) {
  const place_line none = {0};
  if (s->kind != SITE_CONDITION || s->end_line != s->line || s->end_column <= s->column || s->column == 0) return none;
  const place_line line = place_line_of(&p->v->files[s->file], s->line);
  const size_t length = s->end_column - s->column;
  const bool fits = line.text != NULL && length <= CONDITION && s->column - 1 + length <= line.length;
  return fits ? (place_line){line.text + s->column - 1, length} : none;
}

/* Two sites that are called the same. */
static bool alike(const page *p, const model_site *a, const model_site *b) {
  if (a == b || a->kind != b->kind || a->kind == SITE_SWITCH) return false;
  const place_line x = quoted(p, a), y = quoted(p, b);
  return x.length == y.length && (x.length == 0 || memcmp(x.text, y.text, x.length) == 0);
}

/* In bytes, as sites have it. */
static void put_column(const page *p, const page_mark *marks, size_t count, size_t which) {
  const model_site *s = marks[which].site;
  for (size_t i = 0; i < count; i++) {
    if (alike(p, marks[i].site, s)) {
      report_put(p->out, ", column %u", s->column);
      return;
    }
  }
}

/* "if", "x > 0". */
static void put_subject(const page *p, const model_site *s) {
  const place_line text = quoted(p, s);
  if (text.length > 0)
    report_put(p->out, "%s", page_text_of(p->out, text.text, text.length));
  else if (s->kind != SITE_SWITCH)
    report_put(p->out, "%s", kinds[s->kind].word);
}

/* "if never true, never false": outcomes that were seen, or not. */
static bool put_outcomes(const page *p, const page_mark *m, bool seen, const char *class) {
  const model_site *s = m->site;
  size_t count = 0;
  for (size_t i = m->from; i < m->to; i++) {
    const model_outcome *o = &s->outcomes[i];
    if ((o->tests > 0) != seen) continue;
    if (count++ == 0) {
      report_put(p->out, "<span class=%s>", class);
      put_subject(p, s);
      report_put(p->out, "%s%s", s->kind == SITE_SWITCH ? "" : " ", seen || s->kind == SITE_SWITCH ? "" : "never ");
    } else {
      report_put(p->out, "%s", seen || s->kind == SITE_SWITCH ? ", " : ", never ");
    }
    const char *word = o->index < 4 ? kinds[s->kind].outcomes[o->index] : NULL;
    report_put(p->out, "%s", word != NULL ? word : page_text(p->out, o->label));
    if (seen)
      report_put(p->out, " %u test%s", o->tests, report_plural(o->tests));
    else if (s->kind == SITE_SWITCH)
      report_put(p->out, " never taken");
  }
  return count > 0;
}

/* The conditions that were shown to decide alone; a title says what is missing for the others. */
static void put_decision(const page *p, const page_mark *marks, size_t count, size_t which, bool never) {
  mcdc read;
  mcdc_read(marks[which].site, &read);
  const bool all = read.shown == read.count;
  report_put(p->out, "<span class=%s title=\"", all ? "\"b k\"" : never ? "\"b h\"" : "b");
  for (size_t i = 0; i < read.count; i++) {
    const mcdc_condition *c = &read.conditions[i];
    report_put(p->out, "%s%s%s", i == 0 ? "MC/DC: " : "; ", page_text(p->out, c->text),
               c->shown ? " shown" : " not shown, ");
    if (!c->shown) {
      scoped_buffer needs = {0};
      mcdc_needs(&read, c, &needs);
      report_put(p->out, "%s", page_text(p->out, buffer_text(&needs)));
    }
  }
  report_put(p->out, "\">%zu of %zu decide alone", read.shown, read.count);
  put_column(p, marks, count, which);
  report_put(p->out, "</span>");
}

/* What was never seen on a line that nothing executed is said by the line; that of a function is said all the same. */
static void put_site(const page *p, const page_mark *marks, size_t count, size_t which, bool never) {
  const page_mark *m = &marks[which];
  const char *missed = never && m->site->kind != SITE_FUNCTION ? "\"b h\"" : "b";
  for (int seen = 0; seen < 2; seen++) {
    if (put_outcomes(p, m, seen == 1, seen == 1 ? "\"b k\"" : missed)) {
      put_column(p, marks, count, which);
      report_put(p->out, "</span>");
    }
  }
}

/* The marks of a line: what was never seen; and what was, which is shown on request. `never`: nothing executed the
 * line, which says it all. */
static void page_put_marks(const page *p, const page_mark *marks, size_t count, bool never) {
  if (count > 0) report_put(p->out, "<span class=e>");
  for (size_t i = 0; i < count; i++)
    if (marks[i].site->kind == SITE_DECISION)
      put_decision(p, marks, count, i, never);
    else
      put_site(p, marks, count, i, never);
  report_put(p->out, "%s", count > 0 ? "</span>" : "");
}

/* Lines that are longer stay plain; files are open at first when all of them together are not longer than this. */
enum { COLOURED_BYTES = 10000, OPEN_LINES = 4000 };

static const char classes[HIGHLIGHT_CLASSES] = {
    [HIGHLIGHT_KEYWORD] = 'k', [HIGHLIGHT_TYPE] = 't',    [HIGHLIGHT_BUILTIN] = 'f',
    [HIGHLIGHT_LITERAL] = 'l', [HIGHLIGHT_COMMENT] = 'c', [HIGHLIGHT_DIRECTIVE] = 'd',
};

/* A file being written; the cursors go through what lies in it, line by line. */
typedef struct source {
  const page *p;
  uint32_t file;
  const model_file *f;
  size_t *starts; /* of the lines, and the end of the file */
  size_t line_count;
  const highlight_text *highlighted;
  page_mark *marks;
  size_t mark_count;
  size_t span, mark, line, mutant; /* cursors */
  uint32_t set;                    /* test cases of the line before */
} source;

/* Code from `from` to `to`, with the spans that lie in it. */
static void put_code(source *s, size_t from, size_t to, bool coloured) {
  report_out *out = s->p->out;
  const highlight_text *h = s->highlighted;
  while (from < to) {
    while (s->span < h->span_count && h->spans[s->span].offset + h->spans[s->span].length <= from) s->span++;
    const highlight_span *span = s->span < h->span_count && coloured ? &h->spans[s->span] : NULL;
    size_t begin = span == NULL || span->offset > to ? to : span->offset > from ? span->offset : from;
    report_put(out, "%s", page_text_of(out, s->f->text + from, begin - from));
    from = begin;
    if (begin < to) {
      size_t end = span->offset + span->length < to ? span->offset + span->length : to;
      report_put(out, "<i class=%c>%s</i>", classes[span->what], page_text_of(out, s->f->text + begin, end - begin));
      from = end;
    }
  }
}

static void put_line_code(source *s, size_t begin, size_t end) {
  report_put(s->p->out, "<code>");
  put_code(s, begin, end, end - begin <= COLOURED_BYTES);
  report_put(s->p->out, "</code>");
}

/* --- what hangs on a line -------------------------------------------------------------------------------------- */

/* The line of the view with this number, NULL: no code. */
static const view_line *line_of(source *s, uint32_t number) {
  const view *v = s->p->v;
  while (s->line < v->line_count && v->lines[s->line].file == s->file && v->lines[s->line].line < number) s->line++;
  const view_line *l = s->line < v->line_count ? &v->lines[s->line] : NULL;
  bool here = l != NULL && l->file == s->file && l->line == number;
  return here && s->p->covered && report_has(s->p->reported, s->p->everything, l->function) ? l : NULL;
}

static bool has_finding(const source *s, uint32_t number) {
  for (size_t i = 0; i < s->p->v->finding_count; i++)
    if (s->p->v->findings[i].file == s->file && s->p->v->findings[i].line == number) return true;
  return false;
}

static bool is_on_line(const source *s, size_t mutant, uint32_t number) {
  const view *v = s->p->v;
  return mutant < v->mutant_count && v->mutants[mutant].file == s->file && v->mutants[mutant].line <= number;
}

static int compare_mutants(const void *a, const void *b, void *mutants) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return page_compare_mutants((const db_mutant *)mutants + x, (const db_mutant *)mutants + y);
}

static void put_hanging(source *s, uint32_t number) {
  const bool finding = has_finding(s, number), proved = page_line_proved(s->p, s->file, number);
  const bool repaired = page_line_repaired(s->p, s->file, number);
  size_t end = s->mutant;
  while (is_on_line(s, end, number)) end++;
  if (!finding && !proved && !repaired && end == s->mutant) return;
  report_put(s->p->out, "<div class=q>");
  if (finding) {
    const view *v = s->p->v;
    for (size_t i = 0; i < v->finding_count; i++)
      if (v->findings[i].file == s->file && v->findings[i].line == number &&
          verification_told_with(v, &v->findings[i]) == NULL && report_selects(s->p->options, v->findings[i].kernel))
        page_finding_link(s->p, i);
  }
  if (proved) page_put_proofs(s->p, s->file, number);
  if (repaired) page_put_repair(s->p);
  /* Those of the line, up to `end`: with their columns where two read alike. */
  const size_t begin = s->mutant;
  db_mutant *all = s->p->v->mutants;
  scoped size_t *order = mem_calloc(end - begin + 1, sizeof *order);
  scoped bool *alike = mem_calloc(end - begin + 1, sizeof *alike);
  size_t count = 0;
  for (size_t i = begin; i < end; i++)
    if (s->p->issues.mutants.selected[i]) order[count++] = i;
  qsort_r(order, count, sizeof *order, compare_mutants, all);
  for (size_t i = 1; i < count; i++)
    if (compare_mutants(&order[i - 1], &order[i], all) == 0)
      alike[order[i - 1] - begin] = alike[order[i] - begin] = true;
  for (size_t i = begin; i < end; i++)
    if (s->p->issues.mutants.selected[i]) page_mutant(s->p, i, alike[i - begin]);
  s->mutant = end;
  report_put(s->p->out, "</div>");
}

/* --- a file ---------------------------------------------------------------------------------------------------- */

/* The end of a line without what ends it. */
static size_t end_of(const source *s, size_t line) {
  size_t end = s->starts[line + 1];
  end -= end > s->starts[line] && s->f->text[end - 1] == '\n' ? 1 : 0;
  return end - (end > s->starts[line] && s->f->text[end - 1] == '\r' ? 1 : 0);
}

/* The number of test cases, a link to their names; one can be reached by the keyboard where they change. */
static void put_tests(source *s, const view_line *l) {
  if (l == NULL) return;
  if (l->set == MODEL_NONE || l->set >= s->p->v->set_count)
    report_put(s->p->out, "%u", l->tests);
  else
    report_put(s->p->out, "<a href=#s%u%s>%u</a>", l->set, l->set == s->set ? " tabindex=-1" : "", l->tests);
  s->set = l->set;
}

/* y: executed; n: never; p: executed, but an outcome on it was never taken. */
static void put_row(source *s, size_t line) {
  uint32_t number = (uint32_t)line + 1;
  const view_line *l = line_of(s, number);
  const size_t first = s->mark;
  bool misses = false;
  for (; s->mark < s->mark_count && s->marks[s->mark].offset < s->starts[line + 1]; s->mark++)
    misses = misses || page_mark_misses(&s->marks[s->mark]);
  report_put(s->p->out, "<tr id=f%u-%u%s><th scope=row>%u<td>", s->file, number,
             l == NULL       ? ""
             : l->tests == 0 ? " class=n"
             : misses        ? " class=p"
                             : " class=y",
             number);
  put_tests(s, l);
  report_put(s->p->out, "<td>");
  put_line_code(s, s->starts[line], end_of(s, line));
  page_put_marks(s->p, s->marks + first, s->mark - first, l != NULL && l->tests == 0);
  put_hanging(s, number);
  report_put(s->p->out, "\n");
}

static void put_file(const page *p, uint32_t file, const highlight_text *highlighted, bool open) {
  source s = {.p = p, .file = file, .f = &p->v->files[file], .highlighted = highlighted, .set = MODEL_NONE};
  size_t capacity = 0, at = 0;
  while (at < s.f->length) {
    *ARRAY_ADD(s.starts, s.line_count, capacity) = at;
    const char *newline = memchr(s.f->text + at, '\n', s.f->length - at);
    at = newline == NULL ? s.f->length : (size_t)(newline - s.f->text) + 1;
  }
  *ARRAY_ADD(s.starts, s.line_count, capacity) = s.f->length;
  s.line_count--;
  s.marks = page_marks(p, file, s.starts, s.line_count, &s.mark_count);
  while (s.line < p->v->line_count && p->v->lines[s.line].file < file) s.line++;
  while (s.mutant < p->v->mutant_count && p->v->mutants[s.mutant].file < file) s.mutant++;
  report_put(p->out, "<details class=file id=f%u%s><summary><h3 id=h-f%u>%s</h3>", file, open ? " open" : "", file,
             page_text(p->out, page_file_name(p, file)));
  static const struct {
    const char *metric, *title;
  } columns[] = {{"line", "lines"},
                 {"branch", "branches"},
                 {"loop", "loop cases"},
                 {"barrier", "barriers"},
                 {"mutation", "mutation score"}};
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
    bool killed = metric_of_mutants(columns[i].metric);
    ratio r;
    (void)coverage_get(&p->files[file], columns[i].metric, &r);
    if (r.total > 0 && (killed ? p->mutated : p->covered)) {
      report_put(p->out, " <span class=\"r %s\">%s %s <small>%lu/%lu</small></span>",
                 page_level(p, columns[i].metric, &r), columns[i].title, report_percent(p->out, &r), r.covered,
                 r.total);
    }
  }
  report_put(p->out, "</summary>\n");
  if (highlighted->failed)
    report_put(p->out, "<p>Without colours: the front end (libclang) could not read this source.\n");
  report_out *out = s.p->out;
  report_put(out,
             "<div class=w role=group tabindex=0 aria-labelledby=h-f%u><table class=c "
             "aria-labelledby=h-f%u><thead><tr><th scope=col>Line<th scope=col>Tests<th scope=col>Source\n<tbody>\n",
             s.file, s.file);
  for (size_t i = 0; i < s.line_count; i++) put_row(&s, i);
  report_put(out, PAGE_TABLE_END);
  report_put(p->out, "</details>\n");
  free(s.marks);
  free(s.starts);
}

/* Texts of the files that are shown, one after the other. */
static highlight_text *highlight_shown(const page *p) {
  highlight_text *texts = mem_calloc(p->shown_files, sizeof *texts);
  size_t count = 0;
  for (size_t i = 0; i < p->v->file_count; i++)
    if (p->shown[i]) texts[count++] = (highlight_text){.text = p->v->files[i].text, .length = p->v->files[i].length};
  if (p->options->highlight != NULL) p->options->highlight(texts, count);
  return texts;
}

static size_t count_lines(const page *p) {
  size_t lines = 0;
  for (size_t i = 0; i < p->v->file_count; i++)
    for (size_t k = 0; p->shown[i] && k < p->v->files[i].length; k++) lines += p->v->files[i].text[k] == '\n' ? 1 : 0;
  return lines;
}

/* Which of the shown files, in their own order, each file is. */
static size_t *find_places(const page *p) {
  size_t *places = mem_calloc(p->v->file_count, sizeof *places), count = 0;
  for (size_t i = 0; i < p->v->file_count; i++) {
    places[i] = count;
    count += p->shown[i] ? 1 : 0;
  }
  return places;
}

void page_sources(const page *p) {
  scoped highlight_text *texts = highlight_shown(p);
  scoped size_t *places = find_places(p);
  bool open = count_lines(p) <= OPEN_LINES;
  page_filter(p);
  report_put(p->out, "<div class=beside>\n");
  page_file_list(p);
  report_put(p->out, "<aside aria-label=\"What the signs mean\">\n");
  page_legend(p);
  report_put(p->out, "</aside>\n<div class=files>\n");
  for (size_t i = 0; i < p->shown_files; i++) put_file(p, p->order[i], &texts[places[p->order[i]]], open);
  report_put(p->out, "</div>\n</div>\n");
  for (size_t i = 0; i < p->shown_files; i++) free(texts[i].spans);
}