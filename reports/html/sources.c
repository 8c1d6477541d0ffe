/* Every source: lines with the test cases that executed them, tokens in their colours, what is missed at the end of
 * lines, mutants below them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/html/page.h"

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

/* --- a line's code --------------------------------------------------------------------------------------------- */

/* Code from `from` to `to`, with the spans that lie in it. */
static void put_code(source *s, size_t from, size_t to, bool coloured) {
  FILE *out = s->p->out;
  const highlight_text *h = s->highlighted;
  while (from < to) {
    while (s->span < h->span_count && h->spans[s->span].offset + h->spans[s->span].length <= from) {
      s->span++;
    }
    const highlight_span *span = s->span < h->span_count && coloured ? &h->spans[s->span] : NULL;
    size_t begin = span == NULL || span->offset > to ? to : span->offset > from ? span->offset : from;
    page_text_of(out, s->f->text + from, begin - from);
    from = begin;
    if (begin < to) {
      size_t end = span->offset + span->length < to ? span->offset + span->length : to;
      (void)fprintf(out, "<i class=%c>", classes[span->what]);
      page_text_of(out, s->f->text + begin, end - begin);
      (void)fputs("</i>", out);
      from = end;
    }
  }
}

static void put_line_code(source *s, size_t begin, size_t end) {
  (void)fputs("<code>", s->p->out);
  put_code(s, begin, end, end - begin <= COLOURED_BYTES);
  (void)fputs("</code>", s->p->out);
}

/* --- what hangs on a line -------------------------------------------------------------------------------------- */

/* The line of the view with this number, NULL: no code. */
static const view_line *line_of(source *s, uint32_t number) {
  const view *v = s->p->v;
  while (s->line < v->line_count && v->lines[s->line].file == s->file && v->lines[s->line].line < number) {
    s->line++;
  }
  const view_line *l = s->line < v->line_count ? &v->lines[s->line] : NULL;
  bool here = l != NULL && l->file == s->file && l->line == number;
  return here && s->p->covered && report_has(s->p->reported, s->p->everything, l->function) ? l : NULL;
}

static bool has_finding(const source *s, uint32_t number) {
  for (size_t i = 0; i < s->p->v->finding_count; i++) {
    if (s->p->v->findings[i].file == s->file && s->p->v->findings[i].line == number) {
      return true;
    }
  }
  return false;
}

static void put_findings(const source *s, uint32_t number) {
  const view *v = s->p->v;
  for (size_t i = 0; i < v->finding_count; i++) {
    if (v->findings[i].file == s->file && v->findings[i].line == number &&
        verification_told_with(v, &v->findings[i]) == NULL && report_selects(s->p->options, v->findings[i].kernel)) {
      page_finding_link(s->p, i);
    }
  }
}

static bool is_on_line(const source *s, size_t mutant, uint32_t number) {
  const view *v = s->p->v;
  return mutant < v->mutant_count && v->mutants[mutant].file == s->file && v->mutants[mutant].line <= number;
}

/* Does another mutant of the line, of those up to `end`, read as this one does? */
static bool has_twin(const source *s, size_t begin, size_t end, size_t mutant) {
  for (size_t i = begin; i < end; i++) {
    if (i != mutant && s->p->issues.mutants.selected[i] &&
        page_mutants_alike(&s->p->v->mutants[i], &s->p->v->mutants[mutant])) {
      return true;
    }
  }
  return false;
}

static void put_mutants(source *s, size_t end) {
  for (size_t i = s->mutant; i < end; i++) {
    if (s->p->issues.mutants.selected[i]) {
      page_mutant(s->p, i, has_twin(s, s->mutant, end, i));
    }
  }
  s->mutant = end;
}

static void put_hanging(source *s, uint32_t number) {
  const bool finding = has_finding(s, number);
  const bool proved = page_line_proved(s->p, s->file, number);
  const bool repaired = page_line_repaired(s->p, s->file, number);
  size_t end = s->mutant;
  while (is_on_line(s, end, number)) {
    end++;
  }
  if (!finding && !proved && !repaired && end == s->mutant) {
    return;
  }
  (void)fputs("<div class=q>", s->p->out);
  if (finding) {
    put_findings(s, number);
  }
  if (proved) {
    page_put_proofs(s->p, s->file, number);
  }
  if (repaired) {
    page_put_repair(s->p);
  }
  put_mutants(s, end);
  (void)fputs("</div>", s->p->out);
}

/* --- a file ---------------------------------------------------------------------------------------------------- */

static void find_starts(source *s) {
  size_t capacity = 0;
  size_t at = 0;
  while (at < s->f->length) {
    *ARRAY_ADD(s->starts, s->line_count, capacity) = at;
    const char *newline = memchr(s->f->text + at, '\n', s->f->length - at);
    at = newline == NULL ? s->f->length : (size_t)(newline - s->f->text) + 1;
  }
  *ARRAY_ADD(s->starts, s->line_count, capacity) = s->f->length;
  s->line_count--;
}

/* The end of a line without what ends it. */
static size_t end_of(const source *s, size_t line) {
  size_t end = s->starts[line + 1];
  end -= end > s->starts[line] && s->f->text[end - 1] == '\n' ? 1 : 0;
  return end - (end > s->starts[line] && s->f->text[end - 1] == '\r' ? 1 : 0);
}

/* The number of test cases, a link to their names; one can be reached by the keyboard where they change. */
static void put_tests(source *s, const view_line *l) {
  if (l == NULL) {
    return;
  }
  if (l->set == MODEL_NONE || l->set >= s->p->v->set_count) {
    (void)fprintf(s->p->out, "%u", l->tests);
  } else {
    (void)fprintf(s->p->out, "<a href=#s%u%s>%u</a>", l->set, l->set == s->set ? " tabindex=-1" : "", l->tests);
  }
  s->set = l->set;
}

/* y: executed; n: never; p: executed, but an outcome on it was never taken. */
static void put_row(source *s, size_t line) {
  uint32_t number = (uint32_t)line + 1;
  const view_line *l = line_of(s, number);
  const size_t first = s->mark;
  bool misses = false;
  for (; s->mark < s->mark_count && s->marks[s->mark].offset < s->starts[line + 1]; s->mark++) {
    misses = misses || page_mark_misses(&s->marks[s->mark]);
  }
  (void)fprintf(s->p->out, "<tr id=f%u-%u%s><th scope=row>%u<td>", s->file, number,
                l == NULL       ? ""
                : l->tests == 0 ? " class=n"
                : misses        ? " class=p"
                                : " class=y",
                number);
  put_tests(s, l);
  (void)fputs("<td>", s->p->out);
  put_line_code(s, s->starts[line], end_of(s, line));
  page_put_marks(s->p, s->marks + first, s->mark - first, l != NULL && l->tests == 0);
  put_hanging(s, number);
  (void)fputs("\n", s->p->out);
}

static void put_totals(const page *p, uint32_t file) {
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
      (void)fprintf(p->out, " <span class=\"r %s\">%s ", page_level(p, columns[i].metric, &r), columns[i].title);
      page_percent(p->out, &r);
      (void)fprintf(p->out, " <small>%lu/%lu</small></span>", r.covered, r.total);
    }
  }
}

static void put_rows(source *s) {
  FILE *out = s->p->out;
  (void)fprintf(out,
                "<div class=w role=group tabindex=0 aria-labelledby=h-f%u><table class=c aria-labelledby=h-f%u>"
                "<thead><tr><th scope=col>Line<th scope=col>Tests<th scope=col>Source\n<tbody>\n",
                s->file, s->file);
  for (size_t i = 0; i < s->line_count; i++) {
    put_row(s, i);
  }
  (void)fputs(PAGE_TABLE_END, out);
}

static void put_file(const page *p, uint32_t file, const highlight_text *highlighted, bool open) {
  source s = {.p = p, .file = file, .f = &p->v->files[file], .highlighted = highlighted, .set = MODEL_NONE};
  find_starts(&s);
  s.marks = page_marks(p, file, s.starts, s.line_count, &s.mark_count);
  while (s.line < p->v->line_count && p->v->lines[s.line].file < file) {
    s.line++;
  }
  while (s.mutant < p->v->mutant_count && p->v->mutants[s.mutant].file < file) {
    s.mutant++;
  }
  (void)fprintf(p->out, "<details class=file id=f%u%s><summary><h3 id=h-f%u>", file, open ? " open" : "", file);
  page_text(p->out, page_file_name(p, file));
  (void)fputs("</h3>", p->out);
  put_totals(p, file);
  (void)fputs("</summary>\n", p->out);
  if (highlighted->failed) {
    (void)fputs("<p>Without colours: the front end (libclang) could not read this source.\n", p->out);
  }
  put_rows(&s);
  (void)fputs("</details>\n", p->out);
  free(s.marks);
  free(s.starts);
}

/* --- all of them ----------------------------------------------------------------------------------------------- */

/* Texts of the files that are shown, one after the other. */
static highlight_text *highlight_shown(const page *p) {
  highlight_text *texts = mem_calloc(p->shown_files, sizeof *texts);
  size_t count = 0;
  for (size_t i = 0; i < p->v->file_count; i++) {
    if (p->shown[i]) {
      texts[count++] = (highlight_text){.text = p->v->files[i].text, .length = p->v->files[i].length};
    }
  }
  if (p->options->highlight != NULL) {
    p->options->highlight(texts, count);
  }
  return texts;
}

static size_t count_lines(const page *p) {
  size_t lines = 0;
  for (size_t i = 0; i < p->v->file_count; i++) {
    for (size_t k = 0; p->shown[i] && k < p->v->files[i].length; k++) {
      lines += p->v->files[i].text[k] == '\n' ? 1 : 0;
    }
  }
  return lines;
}

/* Which of the shown files, in their own order, each file is. */
static size_t *find_places(const page *p) {
  size_t *places = mem_calloc(p->v->file_count, sizeof *places);
  size_t count = 0;
  for (size_t i = 0; i < p->v->file_count; i++) {
    places[i] = count;
    count += p->shown[i] ? 1 : 0;
  }
  return places;
}

void page_sources(const page *p) {
  highlight_text *texts = highlight_shown(p);
  size_t *places = find_places(p);
  bool open = count_lines(p) <= OPEN_LINES;
  page_filter(p);
  (void)fputs("<div class=beside>\n", p->out);
  page_file_list(p);
  (void)fputs("<aside aria-label=\"What the signs mean\">\n", p->out);
  page_legend(p);
  (void)fputs("</aside>\n<div class=files>\n", p->out);
  for (size_t i = 0; i < p->shown_files; i++) {
    put_file(p, p->order[i], &texts[places[p->order[i]]], open);
  }
  (void)fputs("</div>\n</div>\n", p->out);
  for (size_t i = 0; i < p->shown_files; i++) {
    free(texts[i].spans);
  }
  free(places);
  free(texts);
}
