/* Mutation testing in the text report: what is wrong with the baseline, scores, survivors as small diffs, test cases
 * that add nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/mutation.h"
#include "reports/text/text.h"

#define DIFF_LINES 6 /* of a side of a diff */

/* --- the baseline -------------------------------------------------------------------------------------------- */

void text_write_unstable(text *t, const char *without) {
  const view *v = t->v;
  if (v->unstable_count == 0) {
    return;
  }
  buffer line = {0};
  buffer_printf(&line, "%zu output%s of the original, without any %s, differ%s from run to run", v->unstable_count,
                text_plural(v->unstable_count), without, v->unstable_count == 1 ? "s" : "");
  text_styled(t, STYLE_RED, "UNSTABLE: ");
  text_wrapped(t, strlen("UNSTABLE: "), 2, buffer_text(&line));
  buffer_free(&line);
  size_t count = text_shown(t, v->unstable_count, TEXT_SHOWN);
  for (size_t i = 0; i < count; i++) {
    const view_unstable *u = &v->unstable[i];
    buffer item = {0};
    mutation_test_name(&v->test_cases[u->test_case], &item);
    buffer_printf(&item, ": %s", u->what);
    if (u->share > 0) {
      buffer_printf(&item, " (%.1f %% of its bytes)", u->share < 0.001 ? 0.1 : 100 * u->share);
    }
    text_item(t, buffer_text(&item));
    buffer_free(&item);
  }
  text_rest(t, v->unstable_count - count);
  buffer end = {0};
  buffer_printf(&end, "Those bytes are no evidence: what only they would show of a %s is not seen.", without);
  text_wrapped(t, 0, 0, buffer_text(&end));
  buffer_putc(&t->out, '\n');
  buffer_free(&end);
}

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
  for (size_t i = 0; i < COLUMNS; i++) {
    width -= columns[i].width;
  }
  return width;
}

static void write_heading(text *t, const char *name, bool revealed) {
  buffer heading = {0};
  buffer_printf(&heading, "%-*s%*s", (int)name_width(t, revealed), name, SCORE_WIDTH, "score");
  if (revealed) {
    buffer_printf(&heading, "%*s", REVEALED_WIDTH, "revealed");
  }
  for (size_t i = 0; i < COLUMNS; i++) {
    buffer_printf(&heading, "%*s", (int)columns[i].width, columns[i].heading);
  }
  text_heading(t, buffer_text(&heading));
  buffer_free(&heading);
}

static void write_row(text *t, const char *name, const mutation_counts *c, bool revealed) {
  const ratio score = mutation_score(c), noticed = mutation_revealed(c);
  text_left(t, name_width(t, revealed), name);
  text_percentage(t, SCORE_WIDTH, &score);
  if (revealed) {
    text_percentage(t, REVEALED_WIDTH, &noticed);
  }
  for (size_t i = 0; i < COLUMNS; i++) {
    char number[32];
    (void)snprintf(number, sizeof number, "%lu", c->of[columns[i].status]);
    text_right(t, columns[i].width, number);
  }
  buffer_putc(&t->out, '\n');
}

/* Whether a test case fails as it is: whatever a mutant does to it, it reveals nothing. */
static bool any_fails(const view *v) { return report_test_cases(v, "mutate").failed > 0; }

/* What the program's own checks are worth, beside what its data show. */
static void write_revealed(text *t, const mutation_counts *c) {
  buffer line = {0};
  buffer_printf(&line,
                "Revealed: with %lu of the %lu killed mutants the program fails. With the other %lu only the data that "
                "it reads back differ: it does not check them%s.",
                c->revealed, c->of[MUTANT_KILLED], c->of[MUTANT_KILLED] - c->revealed - c->races,
                any_fails(t->v) ? ", or fails without a mutant, too" : "");
  text_wrapped(t, 0, 0, buffer_text(&line));
  buffer_free(&line);
}

static void write_races(text *t, const mutation_counts *c) {
  buffer line = {0};
  buffer_printf(&line,
                "Races: %lu of the %lu killed mutants %s killed by a race or divergence that a checked replay shows. "
                "On this device the data that the host reads back are the same.",
                c->races, c->of[MUTANT_KILLED], c->races == 1 ? "is" : "are");
  text_wrapped(t, 0, 0, buffer_text(&line));
  buffer_free(&line);
}

static void write_method(text *t) {
  buffer words = {0}, line = {0};
  mutation_method(t->v, &words);
  buffer_printf(&line, "How: %s", buffer_text(&words));
  if (words.length > 0) {
    text_wrapped(t, 0, 0, buffer_text(&line));
  }
  buffer_free(&words);
  buffer_free(&line);
}

/* "Not counted: 2 equivalent, 1 duplicate" */
static void write_uncounted(text *t, const mutation_counts *c) {
  static const mutant_status statuses[] = {MUTANT_EQUIVALENT, MUTANT_DUPLICATE, MUTANT_INVALID, MUTANT_SUPPRESSED};
  buffer line = {0};
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    if (c->of[statuses[i]] > 0) {
      buffer_printf(&line, "%s%lu %s", line.length == 0 ? "Not counted: " : ", ", c->of[statuses[i]],
                    mutant_status_name(statuses[i]));
    }
  }
  if (line.length > 0) {
    text_wrapped(t, 0, 0, buffer_text(&line));
  }
  buffer_free(&line);
}

/* What the score of some mutants says about that of all. */
static void write_partial(text *t, const mutation_counts *c) {
  const unsigned long pending = c->of[MUTANT_PENDING];
  unsigned long all = 0;
  for (size_t s = 0; s < MUTANT_STATUSES; s++) {
    all += c->of[s];
  }
  interval i;
  const bool drawn = mutation_interval(t->v, c, &i);
  if (pending == 0 && !drawn) {
    return;
  }
  buffer line = {0};
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
  buffer_free(&line);
}

static void write_reused(text *t, const mutation *m) {
  size_t verdicts = 0;
  size_t reused = 0;
  mutation_verdicts(t->v, m, &verdicts, &reused);
  if (reused > 0) {
    buffer line = {0};
    buffer_printf(&line, "Reused: %zu of %zu verdicts, as nothing that they depend on has changed", reused, verdicts);
    text_wrapped(t, 0, 0, buffer_text(&line));
    buffer_free(&line);
  }
}

static void write_tables(text *t, const mutation *m) {
  const bool revealed = m->all.of[MUTANT_KILLED] > 0 && m->all.unasked == 0;
  write_heading(t, "Kernel", revealed);
  for (size_t i = 0; i < m->kernel_count; i++) {
    buffer label = {0};
    text_kernel_label(t, &t->v->kernels[m->kernels[i].kernel], &label);
    write_row(t, buffer_text(&label), &m->kernels[i].counts, revealed);
    buffer_free(&label);
  }
  if (m->kernel_count == 0) {
    buffer_puts(&t->out, t->v->kernel_count == 0 ? "(no kernel was seen)\n" : "(no kernel matches the selection)\n");
  }
  text_rule(t);
  write_row(t, "total", &m->all, revealed);
  if (revealed && m->all.revealed + m->all.races < m->all.of[MUTANT_KILLED]) {
    write_revealed(t, &m->all);
  }
  if (m->all.races > 0) {
    write_races(t, &m->all);
  }
  write_uncounted(t, &m->all);
  write_partial(t, &m->all);
  write_reused(t, m);
  write_method(t);
  if (m->operator_count > 0) {
    buffer_putc(&t->out, '\n');
    write_heading(t, "Operator", revealed);
  }
  for (size_t i = 0; i < m->operator_count; i++) {
    buffer name = {0};
    text_name(&name, m->operators[i].name);
    write_row(t, buffer_text(&name), &m->operators[i].counts, revealed);
    buffer_free(&name);
  }
}

/* --- one mutant ---------------------------------------------------------------------------------------------- */

/* "conv.cl:8:24: conv2d: rel: < becomes <= (mutant 17" */
static void describe_place(const view *v, const db_mutant *m, buffer *to) {
  const model_file *file = &v->files[m->file];
  if (file->length == 0 && m->line == 1) { /* a call in a program of which no source is known */
    buffer_printf(to, "%s: ", file->name);
  } else {
    buffer_printf(to, "%s:%u:%u: ", file->name, m->line, m->column);
  }
  if (m->function != MODEL_NONE) {
    buffer_printf(to, "%s: ", v->functions[m->function].name);
  }
  buffer_printf(to, "%s: ", m->operator_name);
  mutation_describe(m, to);
  buffer_printf(to, " (mutant %u", m->id);
}

/* The lines of some text, numbered from `number`; the first shows byte `column`. */
static void diff_side(text *t, const char *s, size_t length, uint32_t number, char sign, uint32_t column) {
  const char *end = s + length;
  for (uint32_t n = 0; s < end || n == 0; n++) {
    const char *stop = s == end ? NULL : memchr(s, '\n', (size_t)(end - s));
    stop = stop == NULL ? end : stop;
    size_t line = (size_t)(stop - s);
    line -= line > 0 && s[line - 1] == '\r' ? 1 : 0;
    if (n < DIFF_LINES) {
      text_excerpt_of(t, s, line, number + n, sign, n == 0 ? column : 0, 0);
    } else if (n == DIFF_LINES) {
      buffer_puts(&t->out, "         " UTF8_ELLIPSIS "\n");
    }
    s = stop == end ? end : stop + 1;
  }
}

/* The lines of a mutant as they are and as they become. Where the replacement does not say it, the place alone. */
static void show_diff(text *t, const db_mutant *m) {
  const model_file *file = &t->v->files[m->file];
  if (m->end_offset > file->length || m->offset > m->end_offset) {
    return;
  }
  size_t begin = m->offset;
  size_t end = m->end_offset;
  while (begin > 0 && file->text[begin - 1] != '\n') {
    begin--;
  }
  while (end < file->length && file->text[end] != '\n') {
    end++;
  }
  uint32_t column = (uint32_t)(m->offset - begin) + 1;
  if (m->description != NULL && m->replacement[0] == '\0') {
    uint32_t mark = m->end_line == m->line ? column + (m->end_offset - m->offset) : UINT32_MAX;
    text_excerpt(t, file, m->line, '|', column, mark);
    return;
  }
  buffer mutated = {0};
  buffer_append(&mutated, file->text + begin, m->offset - begin);
  buffer_puts(&mutated, m->replacement);
  buffer_append(&mutated, file->text + m->end_offset, end - m->end_offset);
  diff_side(t, file->text + begin, end - begin, m->line, '-', column);
  diff_side(t, buffer_text(&mutated), mutated.length, m->line, '+', column);
  buffer_free(&mutated);
}

static void show_mutant(text *t, const db_mutant *m) {
  size_t tests = mutation_tests(m);
  buffer line = {0};
  describe_place(t->v, m, &line);
  if (m->status == MUTANT_NO_COVERAGE) {
    buffer_puts(&line, ")");
  } else {
    buffer_printf(&line, ", run by %zu test case%s)", tests, text_plural(tests));
  }
  if (m->status == MUTANT_UNDECIDED) {
    buffer why = {0};
    mutation_explain(t->v, m, &why);
    buffer_printf(&line, "%s%s", why.length == 0 ? "" : ": ", buffer_text(&why));
    buffer_free(&why);
  }
  text_item(t, buffer_text(&line));
  buffer_free(&line);
  if (m->status != MUTANT_NO_COVERAGE) {
    show_diff(t, m);
  }
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
  size_t count = 0;
  size_t *order = mutation_unrevealed(t->v, m, &count);
  if (count > 0) {
    text_section(t, any_fails(t->v) ? "Killed, but not revealed: the program reads wrong data and ends as without them"
                                    : "Killed, but not revealed: the program reads wrong data and goes on");
  }
  const size_t some = text_shown(t, count, UNREVEALED_SHOWN);
  for (size_t i = 0; i < some; i++) {
    show_mutant(t, &t->v->mutants[order[i]]);
  }
  text_rest(t, count - some);
  free(order);
}

/* What the program ran without us may have executed any place. */
static void write_list_heading(text *t, mutant_status status, const char *heading) {
  buffer words = {0};
  const bool unsure = status == MUTANT_NO_COVERAGE && t->v->skipped_count > 0;
  buffer_printf(&words, "%s%s", heading, unsure ? ", as far as it was looked at" : "");
  text_section(t, buffer_text(&words));
  buffer_free(&words);
}

static void write_mutants(text *t, const mutation *m) {
  write_unrevealed(t, m);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    size_t count = 0;
    size_t *order = mutation_order(t->v, m, lists[i].status, &count);
    if (count > 0) {
      write_list_heading(t, lists[i].status, lists[i].heading);
    }
    size_t some = text_shown(t, count, TEXT_SHOWN);
    for (size_t k = 0; k < some; k++) {
      show_mutant(t, &t->v->mutants[order[k]]);
    }
    text_rest(t, count - some);
    free(order);
  }
}

static void write_superfluous(text *t, const mutation *m) {
  const view *v = t->v;
  bool *superfluous = mutation_superfluous(v, m);
  size_t found = 0;
  for (size_t i = 0; superfluous != NULL && i < v->test_case_count; i++) {
    if (!superfluous[i]) {
      continue;
    }
    if (found++ == 0) {
      text_section(t, "Test cases that add no kill: the others kill the same mutants");
    }
    if (found <= TEXT_SHOWN || t->options->show_missed) {
      buffer item = {0};
      mutation_test_name(&v->test_cases[i], &item);
      buffer_printf(&item, ": %s", v->test_cases[i].command_line);
      text_item(t, buffer_text(&item));
      buffer_free(&item);
    }
  }
  text_rest(t, found - text_shown(t, found, TEXT_SHOWN));
  free(superfluous);
}

void text_write_mutation(text *t) {
  const mutation *m = &t->issues.mutants;
  text_write_unstable(t, "mutant");
  write_tables(t, m);
  write_mutants(t, m);
  write_superfluous(t, m);
}
