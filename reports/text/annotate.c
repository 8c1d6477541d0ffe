/* Line by line: number, test cases, source; under it what of it was never seen, what was found, which mutants survived.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "reports/common/mutation.h"
#include "reports/common/place.h"
#include "reports/common/report.h"
#include "reports/text/text.h"

enum { BEFORE_SOURCE = 15, TAB = 4 };

/* A file being written. */
typedef struct annotation {
  text *t;
  uint32_t file;
} annotation;

/* Appends a source line, cleaned, tabs as spaces; `*column` becomes the column of the byte at `byte` (from 1). */
static void put_source(buffer *to, const char *line, size_t length, uint32_t byte, size_t *column) {
  size_t width = 0;
  *column = 0;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(line + i, length - i);
    n = n == 0 ? 1 : n;
    *column = i + 1 <= byte ? width : *column;
    size_t spaces = line[i] == '\t' ? TAB - width % TAB : 0;
    for (size_t k = 0; k < spaces; k++) buffer_putc(to, ' ');
    if (spaces == 0) utf8_line(to, line + i, n);
    width += spaces == 0 ? 1 : spaces;
    i += n;
  }
}

/* A mark under byte `byte` (from 1) of a line. */
static void put_mark(annotation *a, uint32_t line, uint32_t byte, text_style style, const char *s) {
  scoped_buffer under = {0}, mark = {0};
  size_t length = 0, column = 0;
  const char *source = place_source_line(&a->t->v->files[a->file], line, &length);
  put_source(&under, source == NULL ? "" : source, source == NULL ? 0 : length, byte, &column);
  buffer_puts(&mark, "^ ");
  text_name(&mark, s);
  text_pad(a->t, BEFORE_SOURCE + column);
  text_styled(a->t, style, buffer_text(&mark));
  buffer_putc(&a->t->out, '\n');
}

static void put_sites(annotation *a, uint32_t line) {
  const view *v = a->t->v;
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    if (s->file == a->file && s->line == line && text_site_missed(v, s) &&
        report_has(a->t->reported, report_everything(a->t->options), s->function)) {
      scoped_buffer what = {0};
      text_describe_site(s, &what);
      put_mark(a, line, s->column, STYLE_YELLOW, buffer_text(&what));
    }
  }
}

/* The line of the finding, or of the other access of a race. */
static bool is_at(const db_finding *f, uint32_t file, uint32_t line) {
  bool at = f->file == file && f->line == line;
  for (size_t i = 0; (races_saw(f) || memory_saw(f)) && i < f->place_count; i++)
    at = at || (f->places[i].file == file && f->places[i].line == line);
  return at;
}

static void put_findings(annotation *a, uint32_t line) {
  const view *v = a->t->v;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    if (f->suppressed == NULL && is_at(f, a->file, line)) {
      scoped_buffer what = buffer_with("%s in kernel %s", f->rule, f->kernel);
      put_mark(a, line, UINT32_MAX, STYLE_RED, buffer_text(&what));
    }
  }
}

static void put_mutants(annotation *a, uint32_t line) {
  const view *v = a->t->v;
  for (size_t i = 0; i < v->mutant_count; i++) {
    const db_mutant *m = &v->mutants[i];
    if (m->file == a->file && m->line == line && m->status == MUTANT_SURVIVED &&
        report_has(a->t->reported, report_everything(a->t->options), m->function)) {
      scoped_buffer what = buffer_with("survived: ");
      mutation_describe(m, &what);
      buffer_printf(&what, " (mutant %u)", m->id);
      put_mark(a, line, m->column, STYLE_YELLOW, buffer_text(&what));
    }
  }
}

static const view_line *line_of(const view *v, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < v->line_count; i++)
    if (v->lines[i].file == file && v->lines[i].line == line) return &v->lines[i];
  return NULL;
}

static void put_line(annotation *a, uint32_t line, const char *source, size_t length) {
  text *t = a->t;
  const view_line *l = report_covered(t->v) ? line_of(t->v, a->file, line) : NULL;
  scoped_buffer shown = {0};
  size_t column = 0;
  put_source(&shown, source, length, 0, &column);
  buffer_printf(&t->out, "%6u|", line);
  if (l == NULL) {
    buffer_printf(&t->out, "      |%s%s", shown.length == 0 ? "" : " ", buffer_text(&shown));
  } else {
    buffer_printf(&t->out, "%6u| ", l->tests);
    text_styled(t, l->tests == 0 ? STYLE_RED : STYLE_GREEN, buffer_text(&shown));
  }
  buffer_putc(&t->out, '\n');
  if (report_covered(t->v) && l != NULL) put_sites(a, line);
  put_findings(a, line);
  put_mutants(a, line);
}

/* Is the line in a function that is reported? All are where no kernel is selected. */
static bool is_shown(const annotation *a, uint32_t line) {
  const view *v = a->t->v;
  bool shown = report_everything(a->t->options);
  for (size_t i = 0; i < v->function_count && !shown; i++) {
    const model_function *f = &v->functions[i];
    shown = f->file == a->file && a->t->reported[i] && f->line <= line && line <= f->end_line;
  }
  return shown;
}

static void put_file(annotation *a) {
  const model_file *f = &a->t->v->files[a->file];
  size_t length = 0;
  const char *source = NULL;
  bool before = true; /* the line before was shown */
  scoped_buffer name = {0};
  text_name(&name, f->name);
  buffer_puts(&name, ":");
  text_heading(a->t, buffer_text(&name));
  for (uint32_t line = 1; (source = place_source_line(f, line, &length)) != NULL; line++) {
    bool shown = is_shown(a, line);
    if (shown)
      put_line(a, line, source, length);
    else if (before)
      buffer_puts(&a->t->out, "      …\n");
    before = shown;
  }
}

int annotate_write(const view *v, const report_options *options, const bool *wanted, FILE *out, error *e) {
  text t = {.v = v, .options = options, .width = options->width};
  bool any = false;
  t.reported = report_functions(v, options);
  if (!report_covered(v)) buffer_puts(&t.out, "Coverage was not measured.\n\n");
  for (uint32_t i = 0; i < v->file_count; i++) {
    if (wanted[i]) {
      buffer_puts(&t.out, any ? "\n" : "");
      put_file(&(annotation){&t, i});
      any = true;
    }
  }
  (void)fwrite(buffer_text(&t.out), 1, t.out.length, out);
  buffer_free(&t.out);
  free(t.reported);
  return report_written(out, e);
}
