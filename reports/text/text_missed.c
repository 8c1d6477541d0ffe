/* What no test case did, and mutants that no test case notices; sources with both beside their lines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text.h"

/* Mutation testing in the text report: what is wrong with the baseline, scores, survivors as small diffs, test cases
 * that add nothing. */

#define DIFF_LINES 6 /* of a side of a diff */

/* --- tables -------------------------------------------------------------------------------------------------- */

static const struct {
  const char *heading;
  size_t width;
  mutant_status status;
} columns[] = {
    {"killed", 9, MUTANT_KILLED},
    {"undecided", 11, MUTANT_UNDECIDED},
    {"survived", 10, MUTANT_SURVIVED},
    {"no coverage", 13, MUTANT_NO_COVERAGE},
};
#define COLUMNS (sizeof columns / sizeof columns[0])
#define SCORE_WIDTH 9
#define REVEALED_WIDTH 10
#define UNREVEALED_SHOWN 5

/* `revealed`: with the column of that score. */
static size_t name_width(const text *t, bool revealed) {
  size_t width = t->width - SCORE_WIDTH - (revealed ? REVEALED_WIDTH : 0);
  for (size_t i = 0; i < COLUMNS; i++) width -= columns[i].width;
  return width;
}

static void write_heading(text *t, const char *name, bool revealed) {
  scoped_buffer heading = buffer_with("%-*s%*s", (int)name_width(t, revealed), name, SCORE_WIDTH, "score");
  if (revealed) buffer_printf(&heading, "%*s", REVEALED_WIDTH, "revealed");
  for (size_t i = 0; i < COLUMNS; i++) buffer_printf(&heading, "%*s", (int)columns[i].width, columns[i].heading);
  text_heading(t, buffer_text(&heading));
}

static void write_row(text *t, const char *name, const mutation_counts *c, bool revealed) {
  const ratio score = mutation_score(c), noticed = mutation_revealed(c);
  text_left(t, name_width(t, revealed), name);
  text_percentage(t, SCORE_WIDTH, &score);
  if (revealed) text_percentage(t, REVEALED_WIDTH, &noticed);
  for (size_t i = 0; i < COLUMNS; i++) {
    char number[32];
    (void)snprintf(number, sizeof number, "%lu", c->of[columns[i].status]);
    text_right(t, columns[i].width, number);
  }
  buffer_putc(&t->out, '\n');
}

/* Whether a test case fails as it is: whatever a mutant does to it, it reveals nothing. */
static bool any_fails(const view *v) { return report_test_cases(v, "mutate").failed > 0; }

/* What the score of some mutants says about that of all. */
static void write_partial(text *t, const mutation_counts *c) {
  const unsigned long pending = c->of[MUTANT_PENDING];
  unsigned long all = 0;
  for (size_t s = 0; s < MUTANT_STATUSES; s++) all += c->of[s];
  interval i;
  const bool drawn = mutation_interval(t->v, c, &i);
  if (pending == 0 && !drawn) return;
  scoped_buffer line = {0};
  if (pending > 0 && !drawn) {
    buffer_printf(&line, "Partial: no mutant that the score counts is decided yet; --resume goes on");
  } else if (pending > 0) {
    buffer_printf(&line,
                  "Partial: %lu of %lu mutants %s not decided. The others were drawn at random: the score of all is "
                  "%.1f to %.1f %% (95 %% interval); --resume goes on",
                  pending, all, pending == 1 ? "is" : "are", 100 * i.low, 100 * i.high);
  } else {
    buffer_printf(
        &line,
        "Partial: these mutants are a sample of all that there are, whose score is %.1f to %.1f %% (95 %% interval)",
        100 * i.low, 100 * i.high);
  }
  text_wrapped(t, 0, 0, buffer_text(&line));
}

static void write_tables(text *t, const mutation *m) {
  const bool revealed = m->all.of[MUTANT_KILLED] > 0 && m->all.unasked == 0;
  write_heading(t, "Kernel", revealed);
  for (size_t i = 0; i < m->kernel_count; i++) {
    scoped_buffer label = {0};
    text_kernel_label(t, &t->v->kernels[m->kernels[i].kernel], &label);
    write_row(t, buffer_text(&label), &m->kernels[i].counts, revealed);
  }
  if (m->kernel_count == 0)
    buffer_puts(&t->out, t->v->kernel_count == 0 ? "(no kernel was seen)\n" : "(no kernel matches the selection)\n");
  text_rule(t);
  write_row(t, "total", &m->all, revealed);
  if (revealed && m->all.revealed + m->all.races < m->all.of[MUTANT_KILLED]) {
    /* What the program's own checks are worth, beside what its data show. */
    text_sentence(
        t, 0,
        "Revealed: with %lu of the %lu killed mutants the program fails. With the other %lu only the data that "
        "it reads back differ: it does not check them%s.",
        m->all.revealed, m->all.of[MUTANT_KILLED], m->all.of[MUTANT_KILLED] - m->all.revealed - m->all.races,
        any_fails(t->v) ? ", or fails without a mutant, too" : "");
  }
  if (m->all.races > 0) {
    text_sentence(t, 0,
                  "Races: %lu of the %lu killed mutants %s killed by a race or divergence that a checked replay shows. "
                  "On this device the data that the host reads back are the same.",
                  m->all.races, m->all.of[MUTANT_KILLED], m->all.races == 1 ? "is" : "are");
  }
  /* "Not counted: 2 equivalent, 1 duplicate" */
  static const mutant_status statuses[] = {MUTANT_EQUIVALENT, MUTANT_DUPLICATE, MUTANT_INVALID, MUTANT_SUPPRESSED};
  scoped_buffer line = {0};
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    if (m->all.of[statuses[i]] > 0) {
      buffer_printf(&line, "%s%lu %s", line.length == 0 ? "Not counted: " : ", ", m->all.of[statuses[i]],
                    mutant_status_name(statuses[i]));
    }
  }
  if (line.length > 0) text_wrapped(t, 0, 0, buffer_text(&line));
  write_partial(t, &m->all);
  size_t verdicts = 0, reused = 0;
  mutation_verdicts(t->v, m, &verdicts, &reused);
  if (reused > 0)
    text_sentence(t, 0, "Reused: %zu of %zu verdicts, as nothing that they depend on has changed", reused, verdicts);
  scoped_buffer how = buffer_with("How: ");
  mutation_method(t->v, &how);
  if (how.length > strlen("How: ")) text_wrapped(t, 0, 0, buffer_text(&how));
  if (m->operator_count > 0) {
    buffer_putc(&t->out, '\n');
    write_heading(t, "Operator", revealed);
  }
  for (size_t i = 0; i < m->operator_count; i++) {
    scoped_buffer name = {0};
    text_name(&name, m->operators[i].name);
    write_row(t, buffer_text(&name), &m->operators[i].counts, revealed);
  }
}

/* --- one mutant ---------------------------------------------------------------------------------------------- */

/* The lines of some text, numbered from `number`; the first shows byte `column`. */
static void diff_side(text *t, const char *s, size_t length, uint32_t number, char sign, uint32_t column) {
  const char *end = s + length;
  for (uint32_t n = 0; s < end || n == 0; n++) {
    const char *stop = s == end ? NULL : memchr(s, '\n', (size_t)(end - s));
    stop = stop == NULL ? end : stop;
    size_t line = (size_t)(stop - s);
    line -= line > 0 && s[line - 1] == '\r' ? 1 : 0;
    if (n < DIFF_LINES)
      text_excerpt_of(t, s, line, number + n, sign, n == 0 ? column : 0, 0);
    else if (n == DIFF_LINES)
      buffer_puts(&t->out, "         " UTF8_ELLIPSIS "\n");
    s = stop == end ? end : stop + 1;
  }
}

/* The lines of a mutant as they are and as they become. Where the replacement does not say it, the place alone. */
static void show_diff(text *t, const db_mutant *m) {
  const model_file *file = &t->v->files[m->file];
  if (m->end_offset > file->length || m->offset > m->end_offset) return;
  size_t begin = m->offset, end = m->end_offset;
  while (begin > 0 && file->text[begin - 1] != '\n') begin--;
  while (end < file->length && file->text[end] != '\n') end++;
  uint32_t column = (uint32_t)(m->offset - begin) + 1;
  if (m->description != NULL && m->replacement[0] == '\0') {
    uint32_t mark = m->end_line == m->line ? column + (m->end_offset - m->offset) : UINT32_MAX;
    text_excerpt(t, file, m->line, '|', column, mark);
    return;
  }
  scoped_buffer mutated = {0};
  buffer_append(&mutated, file->text + begin, m->offset - begin);
  buffer_puts(&mutated, m->replacement);
  buffer_append(&mutated, file->text + m->end_offset, end - m->end_offset);
  diff_side(t, file->text + begin, end - begin, m->line, '-', column);
  diff_side(t, buffer_text(&mutated), mutated.length, m->line, '+', column);
}

static void show_mutant(text *t, const db_mutant *m) {
  size_t tests = mutation_tests(m);
  scoped_buffer line = {0};
  /* "conv.cl:8:24: conv2d: rel: < becomes <= (mutant 17" */
  const model_file *file = &t->v->files[m->file];
  if (file->length == 0 && m->line == 1) /* a call in a program of which no source is known */
    buffer_printf(&line, "%s: ", file->name);
  else
    buffer_printf(&line, "%s:%u:%u: ", file->name, m->line, m->column);
  if (m->function != MODEL_NONE) buffer_printf(&line, "%s: ", t->v->functions[m->function].name);
  buffer_printf(&line, "%s: ", m->operator_name);
  mutation_describe(m, &line);
  buffer_printf(&line, " (mutant %u", m->id);
  if (m->status == MUTANT_NO_COVERAGE)
    buffer_puts(&line, ")");
  else
    buffer_printf(&line, ", run by %zu test case%s)", tests, report_plural(tests));
  if (m->status == MUTANT_UNDECIDED) {
    scoped_buffer why = {0};
    mutation_explain(t->v, m, &why);
    buffer_printf(&line, "%s%s", why.length == 0 ? "" : ": ", buffer_text(&why));
  }
  text_item(t, buffer_text(&line));
  if (m->status != MUTANT_NO_COVERAGE) show_diff(t, m);
}

/* --- lists --------------------------------------------------------------------------------------------------- */

static const struct {
  mutant_status status;
  const char *heading;
} lists[] = {
    {MUTANT_SURVIVED, "Survived: no test case noticed"},
    {MUTANT_UNDECIDED, "Undecided: a test case noticed in some of its runs"},
    {MUTANT_NO_COVERAGE, "No coverage: no test case executes the place"},
};

/* First those for which a check is missing: of what the host has in its hands already. */
static void write_unrevealed(text *t, const mutation *m) {
  size_t count = 0, *order = mutation_unrevealed(t->v, m, &count);
  if (count > 0) {
    text_section(t, any_fails(t->v) ? "Killed, but not revealed: the program reads wrong data and ends as without them"
                                    : "Killed, but not revealed: the program reads wrong data and goes on");
  }
  const size_t some = text_shown(t, count, UNREVEALED_SHOWN);
  for (size_t i = 0; i < some; i++) show_mutant(t, &t->v->mutants[order[i]]);
  text_rest(t, count - some);
  free(order);
}

static void write_mutants(text *t, const mutation *m) {
  write_unrevealed(t, m);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    size_t count = 0;
    scoped size_t *order = mutation_order(t->v, m, lists[i].status, &count);
    if (count > 0) {
      /* What the program ran without us may have executed any place. */
      scoped_buffer words = {0};
      const bool unsure = lists[i].status == MUTANT_NO_COVERAGE && t->v->skipped_count > 0;
      buffer_printf(&words, "%s%s", lists[i].heading, unsure ? ", as far as it was looked at" : "");
      text_section(t, buffer_text(&words));
    }
    size_t some = text_shown(t, count, TEXT_SHOWN);
    for (size_t k = 0; k < some; k++) show_mutant(t, &t->v->mutants[order[k]]);
    text_rest(t, count - some);
  }
}

static void write_superfluous(text *t, const mutation *m) {
  const view *v = t->v;
  scoped bool *superfluous = mutation_superfluous(v, m);
  size_t found = 0;
  for (size_t i = 0; superfluous != NULL && i < v->test_case_count; i++) {
    if (!superfluous[i]) continue;
    if (found++ == 0) text_section(t, "Test cases that add no kill: the others kill the same mutants");
    if (found <= TEXT_SHOWN || t->options->show_missed) {
      scoped_buffer item = {0};
      mutation_test_name(&v->test_cases[i], &item);
      buffer_printf(&item, ": %s", v->test_cases[i].command_line);
      text_item(t, buffer_text(&item));
    }
  }
  text_rest(t, found - text_shown(t, found, TEXT_SHOWN));
}

void text_write_mutation(text *t) {
  const mutation *m = &t->issues.mutants;
  text_write_unstable(t, "mutant");
  write_tables(t, m);
  write_mutants(t, m);
  write_superfluous(t, m);
}

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
  const item *x = a, *y = b;
  int by_file = (x->file > y->file) - (x->file < y->file);
  int by_line = (x->line > y->line) - (x->line < y->line);
  int by_column = (x->column > y->column) - (x->column < y->column);
  return by_file != 0 ? by_file : by_line != 0 ? by_line : by_column;
}

/* --- what to show ------------------------------------------------------------------------------------------- */

static bool line_missed(const view *v, uint32_t file, uint32_t line) {
  const view_line *l = coverage_line(v, file, line);
  return l != NULL && l->tests == 0;
}

static size_t covered_outcomes(const model_site *s) {
  size_t covered = 0;
  for (size_t i = 0; i < s->outcome_count; i++) covered += s->outcomes[i].tests > 0 ? 1 : 0;
  return covered;
}

/* A site in lines that were never executed says nothing more than those. */
static bool text_site_missed(const view *v, const model_site *s) {
  size_t covered = covered_outcomes(s);
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    return m.shown < m.count && covered > 0;
  }
  return text_counts_missed(s) && covered < s->outcome_count && !(covered == 0 && line_missed(v, s->file, s->line));
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
static void text_describe_site(const model_site *s, buffer *to) {
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
  EACH(const model_outcome, o, s->outcomes, s->outcome_count) {
    if (o->tests == 0) {
      bool loop = is_loop(s->kind) && o->index <= OUTCOME_BOUNDARY;
      buffer_printf(to, "%s%s", before, loop ? loop_words[o->index] : o->label);
      before = ", ";
    }
  }
}

/* Where the mark ends: the construct's end when that is on the same line, else the keyword's or operator's. */
static uint32_t mark_end(const model_site *s, const model_file *file) {
  if (s->end_line == s->line && s->end_column > s->column) return s->end_column;
  size_t length = 0;
  const char *line = place_source_line(file, s->line, &length);
  uint32_t end = s->column;
  while (line != NULL && end <= length && (isalnum((unsigned char)line[end - 1]) != 0 || line[end - 1] == '_')) end++;
  return end > s->column ? end : s->column + 1;
}

/* The conditions of a decision that were not shown to matter, and what would show them. */
static void show_conditions(text *t, const model_site *s) {
  mcdc m;
  mcdc_read(s, &m);
  for (size_t i = 0; i < m.count; i++) {
    const mcdc_condition *c = &m.conditions[i];
    if (c->shown) continue;
    scoped_buffer line = buffer_with("condition %zu of %zu, `%s`", i + 1, m.count, c->text);
    bool evaluated = c->seen_true + c->seen_false > 0;
    buffer_printf(&line, "%s: ",
                  !evaluated           ? ", never evaluated"
                  : c->seen_true == 0  ? ", never true"
                  : c->seen_false == 0 ? ", never false"
                                       : "");
    mcdc_needs(&m, c, &line);
    buffer_puts(&t->out, "    ");
    text_fitted(t, 4, 6, buffer_text(&line));
  }
}

static void show_lines(text *t, const item *group) {
  const model_file *file = &t->v->files[group->file];
  scoped_buffer line = {0};
  if (group->last == group->line)
    buffer_printf(&line, "%s:%u: line never executed", file->name, group->line);
  else
    buffer_printf(&line, "%s:%u: lines %u-%u never executed", file->name, group->line, group->line, group->last);
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
  if (group->last - group->line + 1 > shown)
    buffer_printf(&t->out, "         " UTF8_ELLIPSIS " %u more lines\n", group->last - group->line + 1 - shown);
}

/* --- functions ---------------------------------------------------------------------------------------------- */

static bool entered(const view *v, const model_function *f) {
  return f->site == MODEL_NONE || covered_outcomes(&v->sites[f->site]) > 0;
}

static void function_heading(text *t, const model_function *f, const text_missed *missed) {
  scoped_buffer heading = buffer_with("%s", f->kernel ? "kernel " : "function ");
  text_name(&heading, f->name);
  if (!entered(t->v, f))
    buffer_printf(&heading, ", never entered (%zu line%s)", missed->lines, missed->lines == 1 ? "" : "s");
  buffer_putc(&t->out, '\n');
  scoped_buffer cut = {0};
  utf8_shorten(&cut, buffer_text(&heading), t->width);
  text_heading(t, buffer_text(&cut));
}

static void show_function(text *t, uint32_t function, const text_missed *missed) {
  const view *v = t->v;
  const model_function *f = &v->functions[function];
  if (!entered(v, f)) {
    function_heading(t, f, missed);
    /* A function that was never entered is shown by its first line alone. */
    const model_file *file = &t->v->files[f->file];
    scoped_buffer line = buffer_with("%s:%u:", file->name, f->line);
    buffer_puts(&t->out, "  ");
    text_wrapped(t, 2, 4, buffer_text(&line));
    text_excerpt(t, file, f->line, '-', 0, 0);
    return;
  }
  items all = {0};
  EACH(const model_site, s, v->sites, v->site_count) {
    if (s->function == function && text_site_missed(v, s)) {
      *ARRAY_ADD(all.list, all.count, all.capacity) =
          (item){.file = s->file, .line = s->line, .column = s->column, .site = s};
    }
  }
  /* Lines that were missed one after another, with no executed line in between. */
  item *group = NULL;
  EACH(const view_line, l, v->lines, v->line_count) {
    if (l->function != function) continue;
    if (l->tests > 0) {
      group = NULL;
    } else if (group != NULL && group->file == l->file) {
      group->last = l->line;
    } else {
      group = ARRAY_ADD(all.list, all.count, all.capacity);
      *group = (item){.file = l->file, .line = l->line, .last = l->line};
    }
  }
  if (all.count > 0) {
    function_heading(t, f, missed);
    qsort(all.list, all.count, sizeof *all.list, compare_items);
  }
  for (size_t i = 0; i < all.count; i++)
    if (all.list[i].site != NULL) {
      const model_file *file = &t->v->files[all.list[i].site->file];
      scoped_buffer line = buffer_with("%s:%u:%u: ", file->name, all.list[i].site->line, all.list[i].site->column);
      text_describe_site(all.list[i].site, &line);
      buffer_puts(&t->out, "  ");
      text_wrapped(t, 2, 4, buffer_text(&line));
      text_excerpt(t, file, all.list[i].site->line, '|', all.list[i].site->column, mark_end(all.list[i].site, file));
      if (all.list[i].site->kind == SITE_DECISION) show_conditions(t, all.list[i].site);
    } else
      show_lines(t, &all.list[i]);
  free(all.list);
}

void text_write_missed(text *t) {
  scoped text_missed *missed = text_count_missed(t);
  for (uint32_t i = 0; i < t->v->function_count; i++)
    if (t->reported[i]) show_function(t, i, &missed[i]);
}

/* Line by line: number, test cases, source; under it what of it was never seen, what was found, which mutants survived.
 */

enum { BEFORE_SOURCE = 15 };

/* A file being written. */
typedef struct annotation {
  text *t;
  uint32_t file;
} annotation;

/* A mark under byte `byte` (from 1) of a line, or under its last. */
static void put_mark(annotation *a, uint32_t line, uint32_t byte, text_style style, const char *s) {
  scoped_buffer mark = buffer_with("^ ");
  size_t length = 0;
  const char *source = place_source_line(&a->t->v->files[a->file], line, &length);
  text_layout under;
  text_lay_out(&under, source, source == NULL ? 0 : length);
  const size_t at = byte < length ? byte : length;
  text_name(&mark, s);
  text_pad(a->t, BEFORE_SOURCE + (at == 0 ? 0 : under.columns[at - 1]));
  text_layout_free(&under);
  text_styled(a->t, style, buffer_text(&mark));
  buffer_putc(&a->t->out, '\n');
}

static void put_sites(annotation *a, uint32_t line) {
  const view *v = a->t->v;
  EACH(const model_site, s, v->sites, v->site_count) {
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

static void put_mutants(annotation *a, uint32_t line) {
  const view *v = a->t->v;
  EACH(const db_mutant, m, v->mutants, v->mutant_count) {
    if (m->file == a->file && m->line == line && m->status == MUTANT_SURVIVED &&
        report_has(a->t->reported, report_everything(a->t->options), m->function)) {
      scoped_buffer what = buffer_with("survived: ");
      mutation_describe(m, &what);
      buffer_printf(&what, " (mutant %u)", m->id);
      put_mark(a, line, m->column, STYLE_YELLOW, buffer_text(&what));
    }
  }
}

static void put_line(annotation *a, uint32_t line, const char *source, size_t length) {
  text *t = a->t;
  const view_line *l = report_covered(t->v) ? coverage_line(t->v, a->file, line) : NULL;
  text_layout shown;
  text_lay_out(&shown, source, length);
  buffer_printf(&t->out, "%6u|", line);
  if (l == NULL) {
    buffer_printf(&t->out, "      |%s%s", shown.shown.length == 0 ? "" : " ", buffer_text(&shown.shown));
  } else {
    buffer_printf(&t->out, "%6u| ", l->tests);
    text_styled(t, l->tests == 0 ? STYLE_RED : STYLE_GREEN, buffer_text(&shown.shown));
  }
  text_layout_free(&shown);
  buffer_putc(&t->out, '\n');
  if (report_covered(t->v) && l != NULL) put_sites(a, line);
  const view *v = a->t->v;
  EACH(const db_finding, f, v->findings, v->finding_count) {
    if (f->suppressed == NULL && is_at(f, a->file, line)) {
      scoped_buffer what = buffer_with("%s in kernel %s", f->rule, f->kernel);
      put_mark(a, line, UINT32_MAX, STYLE_RED, buffer_text(&what));
    }
  }
  put_mutants(a, line);
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
    /* Is the line in a function that is reported? All are where no kernel is selected. */
    const view *v = a->t->v;
    bool shown = report_everything(a->t->options);
    for (size_t i = 0; i < v->function_count && !shown; i++) {
      const model_function *in = &v->functions[i];
      shown = in->file == a->file && a->t->reported[i] && in->line <= line && line <= in->end_line;
    }
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
