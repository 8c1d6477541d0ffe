/* The text report: words and figures, a table of kernels, the totals, what to do next. */
#include "reports/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Words and figures of the text report: styles, columns, lines that wrap, names. */

static const char *const styles[] = {
    [STYLE_BOLD] = "\033[1m", [STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m",
    [STYLE_RED] = "\033[31m", [STYLE_DIM] = "\033[2m",
};

void text_styled(text *t, text_style style, const char *s) {
  if (t->options->colour)
    buffer_printf(&t->out, "%s%s\033[0m", styles[style], s);
  else
    buffer_puts(&t->out, s);
}

void text_heading(text *t, const char *s) {
  text_styled(t, STYLE_BOLD, s);
  buffer_putc(&t->out, '\n');
}

void text_section(text *t, const char *s) {
  buffer_putc(&t->out, '\n');
  text_heading(t, s);
}

void text_name(buffer *to, const char *s) { utf8_line(to, s, strlen(s)); }

void text_pad(text *t, size_t count) {
  for (size_t i = 0; i < count; i++) buffer_putc(&t->out, ' ');
}

void text_right(text *t, size_t columns, const char *s) {
  size_t width = utf8_columns(s);
  text_pad(t, width < columns ? columns - width : 0);
  buffer_puts(&t->out, s);
}

void text_wrapped(text *t, size_t column, size_t indent, const char *s) {
  scoped_buffer clean = {0};
  text_name(&clean, s);
  size_t at = column;
  bool first = true; /* of its line */
  for (const char *word = strtok(clean.data == NULL ? (char[]){""} : clean.data, " "); word != NULL;
       word = strtok(NULL, " ")) {
    size_t width = utf8_columns(word);
    if (at + (first ? 0 : 1) + width > t->width && at > indent) {
      buffer_putc(&t->out, '\n');
      text_pad(t, indent);
      at = indent;
      first = true;
    }
    buffer_printf(&t->out, "%s%s", first ? "" : " ", word);
    at += width + (first ? 0 : 1);
    first = false;
  }
  buffer_putc(&t->out, '\n');
}

void text_sentence(text *t, size_t indent, const char *format, ...) {
  scoped_buffer line = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&line, format, arguments);
  va_end(arguments);
  text_wrapped(t, 0, indent, buffer_text(&line));
}

void text_percentage(text *t, size_t columns, const ratio *r) {
  if (r->total == 0) {
    text_right(t, columns, "n/a");
    return;
  }
  unsigned thousandths = ratio_thousandths(r);
  char number[48];
  int length = snprintf(number, sizeof number, "%u.%u %%", thousandths / 10, thousandths % 10);
  text_pad(t, (size_t)length < columns ? columns - (size_t)length : 0);
  text_styled(t, thousandths >= 900 ? STYLE_GREEN : thousandths >= 500 ? STYLE_YELLOW : STYLE_RED, number);
}

void text_rule(text *t) {
  for (size_t i = 0; i < t->width; i++) buffer_putc(&t->out, '-');
  buffer_putc(&t->out, '\n');
}

void text_left(text *t, size_t width, const char *s) {
  scoped_buffer cut = {0};
  utf8_shorten(&cut, s, width);
  buffer_puts(&t->out, buffer_text(&cut));
  text_pad(t, width - utf8_columns(buffer_text(&cut)));
}

/* --- names -------------------------------------------------------------------------------------------------- */

void text_kernel_label(const text *t, const view_kernel *k, buffer *to) {
  const view *v = t->v;
  text_name(to, k->name);
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (&v->kernels[i] != k && strcmp(v->kernels[i].name, k->name) == 0) {
      const model_function *f = &v->functions[k->function];
      buffer_puts(to, " (");
      text_name(to, path_end(v->files[f->file].name));
      buffer_printf(to, ":%u)", f->line);
      return;
    }
  }
}

/* Lists in the text report: items, and how much of a long list is shown. */

void text_item(text *t, const char *s) {
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, s);
}

size_t text_shown(const text *t, size_t count, size_t most) {
  return t->options->show_missed || count <= most ? count : most;
}

static void text_show_missed(const text *t, buffer *to);

void text_rest(text *t, size_t count) {
  if (count > 0) {
    scoped_buffer item = {0};
    buffer_printf(&item, UTF8_ELLIPSIS " and %zu more; ", count);
    text_show_missed(t, &item);
    buffer_puts(&item, " shows all");
    text_item(t, buffer_text(&item));
  }
}

void text_fitted(text *t, size_t column, size_t indent, const char *s) {
  scoped_buffer clean = {0}, fitted = {0};
  text_name(&clean, s);
  char empty[] = "";
  char *rest = NULL;
  char *word = strtok_r(clean.data == NULL ? empty : clean.data, " ", &rest);
  for (; word != NULL; word = strtok_r(NULL, " ", &rest)) {
    buffer_puts(&fitted, fitted.length == 0 ? "" : " ");
    utf8_shorten(&fitted, word, t->width - indent); /* of a line of its own */
  }
  text_wrapped(t, column, indent, buffer_text(&fitted));
}

void text_place(const text *t, uint32_t file, uint32_t line, buffer *to) {
  buffer_printf(to, "%s:%u", t->v->files[file].name, line);
}

/* A source line under a place, with a mark, as compilers show it. */

#define TAB 4
#define GUTTER 9 /* columns before the source: two spaces, the number, a space, the gutter's character, a space */

void text_lay_out(text_layout *l, const char *line, size_t length) {
  *l = (text_layout){0};
  l->columns = mem_calloc(length + 1, sizeof *l->columns);
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(line + i, length - i);
    n = n == 0 ? 1 : n;
    for (size_t k = 0; k < n; k++) l->columns[i + k] = l->width;
    if (line[i] == '\t') {
      do {
        buffer_putc(&l->shown, ' ');
        l->width++;
      } while (l->width % TAB != 0);
    } else {
      utf8_line(&l->shown, line + i, n);
      l->width++;
    }
    i += n;
  }
  l->columns[length] = l->width;
}

void text_layout_free(text_layout *l) {
  buffer_free(&l->shown);
  free(l->columns);
}

/* Appends columns [from, from + room) of a laid out line, with an ellipsis where something is cut off. */
static void put_window(text *t, const text_layout *l, size_t from, size_t room) {
  size_t column = 0;
  const char *s = buffer_text(&l->shown);
  for (size_t i = 0; i < l->shown.length; column++) {
    size_t n = utf8_character(s + i, l->shown.length - i);
    bool cut = (column == from && from > 0) || (column == from + room - 1 && l->width > from + room);
    if (column >= from && column < from + room) {
      if (cut)
        buffer_puts(&t->out, UTF8_ELLIPSIS);
      else
        buffer_append(&t->out, s + i, n);
    }
    i += n;
  }
}

static void put_mark(text *t, size_t from, size_t room, size_t begin, size_t end) {
  buffer_printf(&t->out, "%*s| ", GUTTER - 2, "");
  for (size_t column = from; column < end && column < from + room; column++)
    buffer_putc(&t->out, column < begin ? ' ' : column == begin ? '^' : '~');
  buffer_putc(&t->out, '\n');
}

static void trim_end(buffer *b) {
  while (b->length > 0 && b->data[b->length - 1] == ' ') b->data[--b->length] = '\0';
}

void text_excerpt_of(text *t, const char *source, size_t length, uint32_t line, char gutter, uint32_t column,
                     uint32_t end) {
  text_layout l;
  text_lay_out(&l, source, length);
  bool placed = column > 0 && column <= length;
  size_t mark = placed ? l.columns[column - 1] : 0;
  size_t room = t->width - GUTTER;
  size_t from = mark + 8 < room ? 0 : mark - room / 2;
  buffer_printf(&t->out, "%6u %c ", line, gutter);
  put_window(t, &l, from, room);
  trim_end(&t->out);
  buffer_putc(&t->out, '\n');
  if (placed && end > 0) {
    size_t stop = end > length ? l.width : l.columns[end - 1];
    put_mark(t, from, room, mark, stop > mark ? stop : mark + 1);
  }
  text_layout_free(&l);
}

void text_excerpt(text *t, const model_file *file, uint32_t line, char gutter, uint32_t column, uint32_t end) {
  size_t length = 0;
  const char *source = place_source_line(file, line, &length);
  if (source != NULL) text_excerpt_of(t, source, length, line, gutter, column, end);
}

/* After the title of an item, on its line: "in kernel scan: …". */
static void put_titled(text *t, const doc_node *n, size_t indent, const char *point) {
  static const text_style styles_of[] = {
      [DOC_PLAIN] = STYLE_BOLD, [DOC_WARNING] = STYLE_YELLOW, [DOC_ERROR] = STYLE_RED};
  const size_t separator = n->kernel == NULL ? strspn(n->text, ": ") : 1;
  scoped_buffer rest = {0};
  buffer_puts(&t->out, point);
  text_styled(t, styles_of[n->style], n->title);
  buffer_append(&t->out, n->kernel == NULL ? n->text : " ", separator);
  if (n->kernel != NULL) buffer_printf(&rest, "in kernel %s", n->kernel);
  buffer_puts(&rest, n->kernel == NULL ? n->text + separator : n->text);
  text_fitted(t, indent + strlen(point) + strlen(n->title) + separator, 4, buffer_text(&rest));
}

static void put_node(text *t, const doc_node *n, size_t indent) {
  scoped_buffer line = {0};
  indent += 2 * n->level;
  text_pad(t, indent);
  /* "src/conv.cl:12:3: " */
  if (n->line > 0) {
    text_place(t, n->file, n->line, &line);
    buffer_printf(&line, n->column > 0 ? ":%u" : "%.0u", n->column);
    buffer_puts(&line, n->title != NULL || n->text[0] != '\0' ? ": " : "");
  }
  if (n->kind == DOC_PASTE) { /* never broken, however long it is */
    buffer_printf(&line, "%s: %s", n->title, n->text);
    text_name(&t->out, buffer_text(&line));
    buffer_putc(&t->out, '\n');
  } else if (n->title != NULL) {
    put_titled(t, n, indent, buffer_text(&line));
  } else {
    buffer_puts(&line, n->text);
    (n->whole ? text_wrapped : text_fitted)(t, indent, indent + 2, buffer_text(&line));
  }
  if (n->excerpt && n->line > 0)
    text_excerpt(t, &t->v->files[n->file], n->line, '|', n->column, n->column == 0 ? 0 : n->column + 1);
}

void text_document(text *t, const document *d, size_t indent) {
  for (size_t i = 0; i < d->count; i++) put_node(t, &d->nodes[i], indent);
}

void text_list(text *t, const char *heading, const document *d, size_t most) {
  size_t all = 0, items = 0;
  for (size_t i = 0; i < d->count; i++) all += d->nodes[i].kind == DOC_ITEM ? 1 : 0;
  if (all > 0 && heading != NULL) text_section(t, heading);
  const size_t shown = text_shown(t, all, most);
  for (size_t i = 0; i < d->count; i++) {
    items += d->nodes[i].kind == DOC_ITEM ? 1 : 0;
    if (items <= shown) put_node(t, &d->nodes[i], 2);
  }
  text_rest(t, all - shown);
}

void text_write_unstable(text *t, const char *without) {
  const size_t count = t->v->unstable_count;
  scoped_document d = {.v = t->v};
  document_unstable(&d);
  if (count > 0) {
    scoped_buffer line = buffer_with("%zu output%s of the original, without any %s, differ%s from run to run", count,
                                     report_plural(count), without, count == 1 ? "s" : "");
    text_styled(t, STYLE_RED, "UNSTABLE: ");
    text_wrapped(t, strlen("UNSTABLE: "), 2, buffer_text(&line));
    text_list(t, NULL, &d, TEXT_SHOWN);
    text_sentence(t, 0, "Those bytes are no evidence: what only they would show of a %s is not seen.", without);
    buffer_putc(&t->out, '\n');
  }
}

#define WIDTH 80
#define WIDTH_LEAST 64

/* --- tables of kernels -------------------------------------------------------------------------------------- */

enum { MOST = 4 };

/* How often each kernel was launched, and what is said of it in columns of one width. */
typedef struct kernel_table {
  size_t width, count;
  const char *titles[MOST];
  /* Numbers of a kernel, NULL: of all; or NULL: the titles are metrics of coverage. */
  void (*numbers)(const text *t, const char *kernel, size_t numbers[MOST]);
} kernel_table;

static void count_errors(const text *t, const char *kernel, size_t numbers[MOST]) {
  numbers[0] = memory_count(t->v, t->options, kernel, NULL);
}

static void count_races(const text *t, const char *kernel, size_t numbers[MOST]) {
  const race_counts n = races_count(t->v, t->options, kernel);
  numbers[0] = n.race;
  numbers[1] = n.benign;
  numbers[2] = n.divergence;
}

static const kernel_table covered_table = {9, 4, {"branch", "loop", "barrier", "line"}, NULL},
                          error_table = {12, 1, {"errors"}, count_errors},
                          race_table = {12, 3, {"races", "benign", "divergence"}, count_races};

/* Room for the name. */
static size_t name_columns(const text *t, const kernel_table *k) { return t->width - k->width * (k->count + 1); }

static void put_figure(text *t, const kernel_table *table, size_t i, const coverage *c) {
  ratio r;
  char number[48];
  (void)coverage_get(c, table->titles[i], &r);
  if (strcmp(table->titles[i], "branch") == 0 || strcmp(table->titles[i], "line") == 0) {
    text_percentage(t, table->width, &r);
  } else {
    (void)snprintf(number, sizeof number, r.total == 0 ? "n/a" : "%lu/%lu", r.covered, r.total);
    text_right(t, table->width, number);
  }
}

/* `kernel`: NULL: of all. */
static void put_row(text *t, const kernel_table *table, const char *name, uint64_t launches,
                    const view_kernel *kernel) {
  char number[32];
  text_left(t, name_columns(t, table), name);
  (void)snprintf(number, sizeof number, launches == 0 ? report_no_launch(t->v) : "%llu", (unsigned long long)launches);
  if (strlen(number) >= table->width) (void)snprintf(number, sizeof number, "%.1e", (double)launches);
  text_right(t, table->width, number);
  size_t numbers[MOST] = {0};
  coverage c = {0};
  if (table->numbers != NULL)
    table->numbers(t, kernel == NULL ? NULL : kernel->name, numbers);
  else if (kernel != NULL)
    coverage_kernel(t->v, kernel, &c);
  else
    coverage_total(t->v, t->options, &c);
  for (size_t i = 0; i < table->count; i++) {
    (void)snprintf(number, sizeof number, numbers[i] == 0 ? "-" : "%zu", numbers[i]);
    if (table->numbers == NULL)
      put_figure(t, table, i, &c);
    else
      text_right(t, table->width, number);
  }
  buffer_putc(&t->out, '\n');
}

static void write_table(text *t, const kernel_table *table) {
  scoped_buffer heading = buffer_with("%-*s%*s", (int)name_columns(t, table), "Kernel", (int)table->width, "launches");
  for (size_t i = 0; i < table->count; i++) buffer_printf(&heading, "%*s", (int)table->width, table->titles[i]);
  text_heading(t, buffer_text(&heading));
  size_t shown = 0;
  uint64_t launches = 0;
  EACH(const view_kernel, k, t->v->kernels, t->v->kernel_count) {
    if (!report_selects(t->options, k->name)) continue;
    scoped_buffer label = {0};
    text_kernel_label(t, k, &label);
    put_row(t, table, buffer_text(&label), k->launches, k);
    shown++;
    launches += k->launches;
  }
  if (shown == 0 && table->numbers == NULL)
    buffer_puts(&t->out, t->v->kernel_count == 0 ? "(no kernel was seen)\n" : "(no kernel matches the selection)\n");
  text_rule(t);
  put_row(t, table, "total", launches, NULL);
}

/* Where a report is about all that may be wrong, a table of nothing is a line. `what`: "Data races". */
static bool write_nothing(text *t, const kernel_table *table, const char *what, const char *command) {
  size_t numbers[MOST] = {0}, kernels = 0, sum = 0;
  uint64_t launches = 0;
  table->numbers(t, NULL, numbers);
  for (size_t i = 0; i < table->count; i++) sum += numbers[i];
  if (!text_findings_first(t->v) || sum > 0) return false;
  EACH(const view_kernel, k, t->v->kernels, t->v->kernel_count) {
    launches += report_selects(t->options, k->name) ? k->launches : 0;
    kernels += report_selects(t->options, k->name) && k->launches > 0 ? 1 : 0;
  }
  scoped_buffer line = buffer_with("%s of ", what);
  report_runs(t->v, command, &line);
  buffer_printf(&line, ": none was seen in %llu launch%s of %zu kernel%s%s", (unsigned long long)launches,
                launches == 1 ? "" : "es", kernels, report_plural(kernels),
                t->v->skipped_count > 0 ? "; what was not looked at is listed below" : "");
  text_wrapped(t, 0, 2, buffer_text(&line));
  return true;
}

/* --- totals ------------------------------------------------------------------------------------------------- */

static const struct {
  const char *label, *metric;
} breakdown[] = {
    {"kernel", "kernel"},
    {"function", "function"},
    {"line", "line"},
    {"branch", "branch"},
    {"  if", "if"},
    {"  switch", "switch"},
    {"  ?:", "conditional"},
    {"condition", "condition"},
    {"MC/DC", "mcdc"},
    {"loop", "loop"},
    {"  0 iterations", "loop-zero"},
    {"  1 iteration", "loop-one"},
    {"  >1 iterations", "loop-many"},
    {"  boundary", "loop-boundary"},
    {"barrier", "barrier"},
};

static void note_tests(text *t, size_t count, const char *what) {
  if (count > 0) text_sentence(t, 2, "%zu of them %s", count, what);
}

static void write_title(text *t, const char *what, const char *command) {
  const view *v = t->v;
  const test_case_counts tests = report_test_cases(v, command);
  scoped_buffer title = buffer_with("%s of ", what);
  report_runs(v, command, &title);
  buffer_printf(&title, ": %zu test case%s", tests.all, report_plural(tests.all));
  size_t first_line = strcspn(v->device, "\n");
  if (first_line > 0) {
    scoped_buffer device = {0};
    buffer_puts(&title, " on ");
    utf8_line(&device, v->device, first_line);
    utf8_shorten(&title, buffer_text(&device), t->width > title.length + 10 ? t->width - title.length : 10);
  }
  text_heading(t, buffer_text(&title));
  note_tests(t, tests.failed, "failed (exit status not 0, or out of time); what they covered counts");
  note_tests(t, tests.unended, "did not end: the run goes on, or was interrupted");
  buffer_putc(&t->out, '\n');
}

/* --- what next ---------------------------------------------------------------------------------------------- */

bool text_counts_missed(const model_site *s) {
  return s->kind != SITE_REGION && s->kind != SITE_FUNCTION && s->kind != SITE_CONDITION;
}

static size_t missed_outcomes(const model_site *s) {
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    return m.count - m.shown;
  }
  size_t missed = 0;
  for (size_t k = 0; k < s->outcome_count; k++) missed += s->outcomes[k].tests == 0 ? 1 : 0;
  return missed;
}

text_missed *text_count_missed(const text *t) {
  const view *v = t->v;
  text_missed *missed = mem_calloc(v->function_count, sizeof *missed);
  EACH(const model_site, s, v->sites, v->site_count) {
    if (text_counts_missed(s) && s->function != MODEL_NONE && t->reported[s->function])
      missed[s->function].outcomes += missed_outcomes(s);
  }
  EACH(const view_line, l, v->lines, v->line_count) {
    if (l->function != MODEL_NONE && t->reported[l->function] && l->tests == 0) missed[l->function].lines++;
  }
  return missed;
}

static void describe_missed(buffer *to, const text_missed *m) {
  if (m->lines > 0) buffer_printf(to, "%zu line%s", m->lines, report_plural(m->lines));
  if (m->outcomes > 0)
    buffer_printf(to, "%s%zu outcome%s", m->lines > 0 ? " and " : "", m->outcomes, report_plural(m->outcomes));
}

/* The command that shows more, in quotes. */
static void text_show_missed(const text *t, buffer *to) {
  const char *database = t->options->database;
  buffer_printf(to, "`cltestcheck report --show-missed%s%s`", database == NULL ? "" : " --db ",
                database == NULL ? "" : database);
}

#define WORST 3

static void write_next(text *t) {
  text_missed *missed = text_count_missed(t), sum = {0};
  for (size_t i = 0; i < t->v->function_count; i++) {
    sum.lines += missed[i].lines;
    sum.outcomes += missed[i].outcomes;
  }
  if (sum.lines + sum.outcomes > 0) {
    buffer_putc(&t->out, '\n');
    if (t->options->show_missed) {
      /* The functions with most missing, at most WORST of them. */
      const view *v = t->v;
      scoped bool *done = mem_calloc(v->function_count, sizeof *done);
      text_heading(t, "Most is missing in");
      for (int n = 0; n < WORST; n++) {
        size_t worst = v->function_count, most = 0;
        for (size_t i = 0; i < v->function_count; i++) {
          if (!done[i] && missed[i].lines + missed[i].outcomes > most) {
            most = missed[i].lines + missed[i].outcomes;
            worst = i;
          }
        }
        if (worst == v->function_count) break;
        done[worst] = true;
        const model_function *f = &v->functions[worst];
        scoped_buffer item = buffer_with("%s:%u: %s: ", v->files[f->file].name, f->line, f->name);
        describe_missed(&item, &missed[worst]);
        buffer_puts(&t->out, "  ");
        text_wrapped(t, 2, 4, buffer_text(&item));
      }
    } else {
      scoped_buffer item = buffer_with("Run ");
      text_show_missed(t, &item);
      buffer_puts(&item, " to see the ");
      describe_missed(&item, &sum);
      buffer_puts(&item, " that nothing covered.");
      text_wrapped(t, 0, 0, buffer_text(&item));
    }
  }
  free(missed);
}

static void write_coverage(text *t) {
  coverage total;
  coverage_total(t->v, t->options, &total);
  write_title(t, "Coverage", "coverage");
  write_table(t, &covered_table);
  buffer_putc(&t->out, '\n');
  scoped_buffer heading = buffer_with("%-18s%9s%9s%10s", "Total", "covered", "of", "");
  while (heading.length > 0 && heading.data[heading.length - 1] == ' ') heading.data[--heading.length] = '\0';
  text_heading(t, buffer_text(&heading));
  for (size_t i = 0; i < sizeof breakdown / sizeof breakdown[0]; i++) {
    ratio r;
    (void)coverage_get(&total, breakdown[i].metric, &r);
    buffer_printf(&t->out, "%-18s%9lu%9lu", breakdown[i].label, r.covered, r.total);
    text_percentage(t, 10, &r);
    buffer_putc(&t->out, '\n');
  }
  /* Decisions that have no MC/DC. */
  size_t count = 0;
  EACH(const model_site, s, t->v->sites, t->v->site_count) {
    count += mcdc_too_large(s) && report_has(t->reported, report_everything(t->options), s->function) ? 1 : 0;
  }
  if (count > 0) {
    text_sentence(t, 2, "MC/DC leaves out %zu decision%s with more than %d ways through the conditions", count,
                  report_plural(count), MAX_PATHS);
  }
  if (t->options->show_missed) text_write_missed(t);
}

/* Experiments that look for something, each below a title of its own. */
static const struct {
  bool (*is)(const view *v);
  const char *title, *command;
  void (*write)(text *t); /* or `table` */
  const kernel_table *table;
} looks[] = {
    {mutation_is, "Mutation testing", "mutate", text_write_mutation, NULL},
    {amplification_is, "Schedule amplification", "amplify", text_write_amplification, NULL},
    {memory_is, "Memory errors", "memory", NULL, &error_table},
    {races_are, "Data races", "races", NULL, &race_table},
};

/* `any`: something stands before them. Gives whether there were any. */
static bool write_looks(text *t, bool any) {
  for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
    const kernel_table *table = looks[i].table;
    if (!looks[i].is(t->v)) continue;
    buffer_puts(&t->out, any ? "\n" : "");
    any = true;
    if (table != NULL && write_nothing(t, table, looks[i].title, looks[i].command)) continue;
    write_title(t, looks[i].title, looks[i].command);
    if (table != NULL)
      write_table(t, table);
    else
      looks[i].write(t);
  }
  return any;
}

int text_write(const view *v, const report_options *options, FILE *out, error *e) {
  text t = {.v = v, .options = options, .width = options->width == 0 ? WIDTH : options->width};
  t.width = t.width < WIDTH_LEAST ? WIDTH_LEAST : t.width;
  t.reported = report_functions(v, options);
  t.issues = issues_of(v, options);
  text_write_unnoticed(&t);
  const bool first = text_findings_first(v);
  bool before = first && text_write_findings(&t);
  before = write_looks(&t, before) || before;
  if (verification_is(v)) {
    buffer_puts(&t.out, before ? "\n" : "");
    text_write_verification(&t);
    before = true;
  }
  if (v->repair_count > 0) {
    buffer_puts(&t.out, before ? "\n" : "");
    text_write_repairs(&t);
    before = true;
  }
  /* `amplify` and `races` measure coverage on their way; who wants to see it asks for what was missed */
  bool aside = (amplification_is(v) || races_are(v)) && !report_has_run(v, "coverage") && !options->show_missed;
  bool covered = report_covered(v) && !aside;
  if (covered) {
    buffer_puts(&t.out, before ? "\n" : "");
    write_coverage(&t);
  }
  if (!first) (void)text_write_findings(&t);
  scoped_document suppressed = {.v = v}, skipped = {.v = v}, refused = {.v = v};
  document_suppressions(&suppressed, options->verbose);
  document_skipped(&skipped);
  document_refused(&refused);
  text_list(&t, "Suppressed by the configuration", &suppressed, SIZE_MAX);
  text_list(&t, "Not instrumented", &skipped, SIZE_MAX);
  text_list(&t, "Refused by the device", &refused, SIZE_MAX);
  if (covered) write_next(&t);
  (void)fwrite(buffer_text(&t.out), 1, t.out.length, out);
  buffer_free(&t.out);
  free(t.reported);
  issues_free(&t.issues);
  return report_written(out, e);
}
