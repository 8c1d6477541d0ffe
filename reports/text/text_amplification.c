/* Schedule amplification in the text report: what was tried, kernel by kernel, what was left out, what is reached only
 * under some schedules, and what it all proves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text.h"

/* Pictures of launches in the text report: rows are schedules, columns repeats, one character a run. */

#define PICTURES 4     /* launches that are shown */
#define ROWS 12        /* of a launch */
#define FOLD 4         /* consistent rows one after another that become one line */
#define LABEL_LEAST 10 /* columns of a row's name */
#define LABEL_MOST 26
#define VERDICT 17 /* columns of a row's verdict, with the space before it */
#define INDENT 4

/* --- a row ----------------------------------------------------------------------------------------------------- */

/* Characters that are the same, in their colour; '?' for what no outcome has. */
static void put_span(text *t, char c, size_t count) {
  static const text_style styles[] = {STYLE_GREEN, STYLE_RED, STYLE_RED, STYLE_YELLOW, STYLE_RED};
  const size_t known = amplification_outcome_of(c);
  scoped_buffer span = {0};
  for (size_t i = 0; i < count; i++) buffer_putc(&span, known == AMPLIFICATION_OUTCOMES ? '?' : c);
  if (known > 0 && known < AMPLIFICATION_OUTCOMES) /* the reference's result is plain */
    text_styled(t, styles[known], buffer_text(&span));
  else
    buffer_puts(&t->out, buffer_text(&span));
}

/* The runs in `room` columns; an ellipsis for those after. */
static void put_runs(text *t, const char *outcomes, size_t room) {
  size_t runs = strlen(outcomes);
  size_t shown = runs <= room ? runs : room - 1;
  for (size_t i = 0; i < shown;) {
    size_t n = 1;
    while (i + n < shown && outcomes[i + n] == outcomes[i]) n++;
    put_span(t, outcomes[i], n);
    i += n;
  }
  if (shown < runs) buffer_puts(&t->out, UTF8_ELLIPSIS);
}

static void label_of(const db_schedule *s, buffer *to) {
  scoped_buffer raw = {0};
  amplification_label(s, &raw);
  text_name(to, buffer_text(&raw));
}

/* "    17 first    .x.x..xx  race 50.0 %" */
static void put_row(text *t, const db_schedule *s, size_t width) {
  schedule_verdict verdict = amplification_verdict(s);
  scoped_buffer label = {0};
  label_of(s, &label);
  text_pad(t, INDENT);
  text_left(t, width, buffer_text(&label));
  buffer_puts(&t->out, "  ");
  put_runs(t, s->outcomes, t->width - INDENT - width - 2 - VERDICT);
  buffer_printf(&t->out, "  %s", schedule_verdict_name(verdict));
  if (verdict == VERDICT_RACE) {
    const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
    text_percentage(t, 8, &same);
  }
  buffer_putc(&t->out, '\n');
}

/* --- a launch -------------------------------------------------------------------------------------------------- */

static bool is_consistent(const db_schedule *s) { return amplification_verdict(s) == VERDICT_CONSISTENT; }

static void put_folded(text *t, size_t count, const char *what) {
  text_pad(t, INDENT);
  buffer_printf(&t->out, "%zu more schedule%s: %s\n", count, report_plural(count), what);
}

/* Columns of the names of a launch's schedules. */
static size_t label_width(const db_launch *l) {
  size_t width = LABEL_LEAST;
  EACH(const db_schedule, s, l->schedules, l->schedule_count) {
    scoped_buffer label = {0};
    label_of(s, &label);
    const size_t columns = utf8_columns(buffer_text(&label));
    width = columns > width ? columns : width;
  }
  return width > LABEL_MOST ? LABEL_MOST : width;
}

static void put_rows(text *t, const db_launch *l) {
  const size_t width = label_width(l);
  size_t rows = 0;
  for (size_t i = 0; i < l->schedule_count;) {
    /* How many consistent schedules follow one another from the i-th on. */
    size_t same = 0;
    while (i + same < l->schedule_count && is_consistent(&l->schedules[i + same])) same++;
    if (same >= FOLD) {
      put_folded(t, same, "all consistent");
      i += same;
    } else if (rows == ROWS && !t->options->show_missed && i + 1 < l->schedule_count) {
      /* The schedules from the i-th on in one line: "30 more schedules: 20 race, 10 consistent". */
      size_t of[VERDICTS] = {0};
      for (size_t k = i; k < l->schedule_count; k++) of[amplification_verdict(&l->schedules[k])]++;
      scoped_buffer what = {0};
      for (size_t v = 0; v < VERDICTS; v++)
        if (of[v] > 0)
          buffer_printf(&what, "%s%zu %s", what.length == 0 ? "" : ", ", of[v],
                        schedule_verdict_name((schedule_verdict)v));
      put_folded(t, l->schedule_count - i, buffer_text(&what));
      return;
    } else {
      put_row(t, &l->schedules[i], width);
      rows++;
      i++;
    }
  }
}

/* "spmv, launch 3 of suite/small: 64 work-groups of 128, 2 in flight" */
static void put_launch(text *t, const db_launch *l, bool meant) {
  scoped_buffer line = {0};
  text_kernel_label(t, &t->v->kernels[l->kernel], &line);
  buffer_puts(&line, ", ");
  amplification_launch_name(t->v, l, &line);
  if (l->groups > 0) {
    buffer_printf(&line, ": %u work-group%s", l->groups, report_plural(l->groups));
    if (l->local > 0) buffer_printf(&line, " of %u", l->local);
    if (l->together > 0) buffer_printf(&line, ", %u in flight", l->together);
  }
  buffer_puts(&line, meant ? "; that the order matters is meant" : "");
  buffer_puts(&t->out, "  ");
  text_fitted(t, 2, INDENT, buffer_text(&line));
  put_rows(t, l);
}

/* What there is to see in a launch, the most telling first. */
typedef enum picture { PICTURE_FAULT, PICTURE_OTHER, PICTURE_MEANT, PICTURE_NONE } picture;

static picture picture_of(const db_launch *l) {
  picture best = PICTURE_NONE;
  for (size_t i = 0; i < l->schedule_count; i++) {
    schedule_verdict v = amplification_verdict(&l->schedules[i]);
    picture p = v == VERDICT_CONSISTENT || v == VERDICT_PENDING ? PICTURE_NONE
                : l->schedules[i].meant                         ? PICTURE_MEANT
                : l->schedules[i].suppressed != NULL            ? PICTURE_NONE
                : amplification_fails(v)                        ? PICTURE_FAULT
                                                                : PICTURE_OTHER;
    best = p < best ? p : best;
  }
  return best;
}

/* Launches with a verdict other than consistent: a row a schedule, a character a run (text_amplification.c). */
static void text_write_pictures(text *t, const amplification *a) {
  const view *v = t->v;
  size_t shown = 0, left = 0;
  for (picture p = PICTURE_FAULT; p < PICTURE_NONE; p++) {
    for (size_t i = 0; i < v->launch_count; i++) {
      if (!a->selected[i] || picture_of(&v->launches[i]) != p) continue;
      if (shown == PICTURES && !t->options->show_missed) {
        left++;
        continue;
      }
      if (shown++ == 0) {
        text_section(t, "Launches, schedule by schedule");
        scoped_buffer line = buffer_with("A row is a schedule, a character a run:");
        for (size_t k = 0; k < AMPLIFICATION_OUTCOMES; k++) {
          buffer_printf(&line, "%s %c %s", k == 0 ? "" : ",", (char)amplification_outcomes[k].outcome,
                        amplification_outcomes[k].meaning);
        }
        text_wrapped(t, 0, 2, buffer_text(&line));
      }
      put_launch(t, &v->launches[i], p == PICTURE_MEANT);
    }
  }
  text_rest(t, left);
}

static void paragraph(text *t, const char *s) { text_fitted(t, 0, 0, s); }

/* Verdicts in the order in which they are listed, and their columns in the table. */
static const struct {
  schedule_verdict verdict;
  const char *word, *heading;
  char mark; /* heading of a column of zeros: as in the pictures */
  text_style style;
} verdicts[] = {
    {VERDICT_CONSISTENT, "consistent", "same", '.', STYLE_GREEN},
    {VERDICT_RACE, "race", "race", 'x', STYLE_RED},
    {VERDICT_DEADLOCK, "deadlock", "deadlock", 'D', STYLE_RED},
    {VERDICT_OCCUPANCY, "occupancy-bound", "no room", 'o', STYLE_YELLOW},
    {VERDICT_CRASH, "crash", "crash", '!', STYLE_RED},
    {VERDICT_ORDER, "order-dependent", "order", '~', STYLE_YELLOW},
    {VERDICT_DIFFERS, "differs (accesses not checked)", "differs", '?', STYLE_YELLOW},
};
#define COUNTED (sizeof verdicts / sizeof verdicts[0])

/* The last ones are left out where there are none. */
static size_t counted(const amplification_counts *all) {
  return all->of[VERDICT_DIFFERS] > 0 ? COUNTED : all->of[VERDICT_ORDER] > 0 ? COUNTED - 1 : COUNTED - 2;
}

/* "22 schedules of 3 launches (2 kernels), 440 runs: 20 consistent, 2 race, 0 deadlock, 0 occupancy-bound, 0 crash" */
static void write_summary(text *t, const amplification *a) {
  const amplification_counts *c = &a->all;
  scoped_buffer line = buffer_with("%lu schedule%s of %lu %s (%lu kernel%s), %lu run%s", c->schedules,
                                   report_plural(c->schedules), a->launches, a->launches == 1 ? "launch" : "launches",
                                   a->kernels_with, report_plural(a->kernels_with), c->runs, report_plural(c->runs));
  for (size_t i = 0; i < counted(c) && c->schedules > 0; i++)
    buffer_printf(&line, "%s %lu %s", i == 0 ? ":" : ",", c->of[verdicts[i].verdict], verdicts[i].word);
  if (c->of[VERDICT_PENDING] > 0) buffer_printf(&line, ", %lu without a run", c->of[VERDICT_PENDING]);
  if (c->meant > 0)
    buffer_printf(&line, "; counted apart: %lu of kernels whose dependence on the order is meant", c->meant);
  if (c->suppressed > 0) {
    buffer_printf(&line, "%s %lu that the configuration suppresses",
                  c->meant > 0 ? "," : "; counted apart:", c->suppressed);
  }
  paragraph(t, buffer_text(&line));
  buffer_putc(&t->out, '\n');
}

/* --- the table ------------------------------------------------------------------------------------------------- */

#define NARROW 2 /* columns of a column of zeros */
#define MEANT 7
#define NAME_LEAST 14

/* What stands before the verdicts. */
static const struct {
  const char *heading;
  size_t width;
} columns[] = {{"launches", 9}, {"groups", 10}, {"in flight", 10}, {"schedules", 10}, {"runs", 7}};
#define COLUMNS (sizeof columns / sizeof columns[0])

static size_t verdict_width(const amplification *a, size_t i) {
  return a->all.of[verdicts[i].verdict] == 0 ? NARROW : strlen(verdicts[i].heading) + 2;
}

static size_t figures_width(void) {
  size_t width = 0;
  for (size_t i = 0; i < COLUMNS; i++) width += columns[i].width;
  return width;
}

static size_t verdicts_width(const amplification *a) {
  size_t width = a->all.meant == 0 ? 0 : MEANT;
  for (size_t i = 0; i < counted(&a->all); i++) width += verdict_width(a, i);
  return width;
}

/* A number in at most five characters: 1234, 99999, 100k, 12M. */
static void put_number(buffer *to, unsigned long n) {
  static const char units[] = "kMGT";
  if (n < 100000) {
    buffer_printf(to, "%lu", n);
    return;
  }
  size_t unit = 0;
  for (n /= 1000; n >= 10000 && unit + 2 < sizeof units; unit++) n /= 1000;
  buffer_printf(to, "%lu%c", n, units[unit]);
}

static void number_column(text *t, size_t width, unsigned long n) {
  scoped_buffer number = {0};
  put_number(&number, n);
  text_right(t, width, buffer_text(&number));
}

/* "64", "16-256"; "-" for what is not known. */
static void range_column(text *t, size_t width, uint32_t least, uint32_t most) {
  scoped_buffer range = {0};
  if (most == 0)
    buffer_putc(&range, '-');
  else
    put_number(&range, least);
  if (most > least) {
    buffer_putc(&range, '-');
    put_number(&range, most);
  }
  text_right(t, width, buffer_text(&range));
}

/* A count in its colour; dim where it is 0. */
static void count_column(text *t, size_t width, unsigned long n, text_style style) {
  scoped_buffer number = {0};
  put_number(&number, n);
  text_pad(t, number.length < width ? width - number.length : 0);
  text_styled(t, n == 0 ? STYLE_DIM : style, buffer_text(&number));
}

static void write_heading(text *t, const amplification *a, size_t name, bool verdicts_too) {
  scoped_buffer heading = buffer_with("%-*s", (int)name, "Kernel");
  for (size_t i = 0; i < COLUMNS; i++) buffer_printf(&heading, "%*s", (int)columns[i].width, columns[i].heading);
  for (size_t i = 0; i < counted(&a->all) && verdicts_too; i++) {
    const char mark[] = {verdicts[i].mark, '\0'};
    size_t width = verdict_width(a, i);
    buffer_printf(&heading, "%*s", (int)width, width == NARROW ? mark : verdicts[i].heading);
  }
  if (a->all.meant > 0 && verdicts_too) buffer_printf(&heading, "%*s", MEANT, "meant");
  text_heading(t, buffer_text(&heading));
}

static void write_table(text *t, const amplification *a) {
  if (a->kernel_count == 0) {
    buffer_puts(&t->out, t->v->launch_count == 0 ? "(no launch of a kernel was seen)\n"
                                                 : "(no launch of a kernel that matches the selection)\n");
    return;
  }
  size_t name = t->width - figures_width();
  bool verdicts_too = name >= verdicts_width(a) + NAME_LEAST;
  name -= verdicts_too ? verdicts_width(a) : 0;
  write_heading(t, a, name, verdicts_too);
  EACH(const amplification_kernel, k, a->kernels, a->kernel_count) {
    scoped_buffer label = {0};
    text_kernel_label(t, &t->v->kernels[k->kernel], &label);
    text_left(t, name, buffer_text(&label));
    number_column(t, columns[0].width, k->launches);
    range_column(t, columns[1].width, k->groups_least, k->groups_most);
    range_column(t, columns[2].width, k->together, k->together);
    number_column(t, columns[3].width, k->counts.schedules);
    number_column(t, columns[4].width, k->counts.runs);
    if (verdicts_too) {
      for (size_t i = 0; i < counted(&a->all); i++)
        count_column(t, verdict_width(a, i), k->counts.of[verdicts[i].verdict], verdicts[i].style);
      if (a->all.meant > 0) count_column(t, MEANT, k->counts.meant, STYLE_YELLOW);
      buffer_putc(&t->out, '\n');
    } else {
      /* "  18 consistent, 2 race", where there is no room for columns. */
      scoped_buffer line = {0};
      for (size_t i = 0; i < COUNTED; i++)
        if (k->counts.of[verdicts[i].verdict] > 0)
          buffer_printf(&line, "%s%lu %s", line.length == 0 ? "" : ", ", k->counts.of[verdicts[i].verdict],
                        verdicts[i].word);
      if (k->counts.meant > 0) buffer_printf(&line, "%s%lu meant", line.length == 0 ? "" : ", ", k->counts.meant);
      buffer_putc(&t->out, '\n');
      if (line.length > 0) text_item(t, buffer_text(&line));
    }
  }
}

static void write_conclusion(text *t, const amplification *a) {
  const amplification_counts *c = &a->all;
  unsigned long occupancy = c->of[VERDICT_OCCUPANCY], consistent = c->of[VERDICT_CONSISTENT];
  scoped_buffer line = {0};
  if (occupancy > 0) {
    buffer_printf(&line,
                  "%lu schedule%s could not be had (occupancy-bound): the device holds too few work-groups at a time "
                  "for %s order, so nothing is known of %s. The ticket gate does not depend on that.",
                  occupancy, report_plural(occupancy), occupancy == 1 ? "its" : "their",
                  occupancy == 1 ? "it" : "them");
  } else if (consistent > 0 && consistent == c->schedules - c->meant - c->suppressed) {
    buffer_printf(&line,
                  "%s%lu schedule%s gave the same result as without one, in every run: in these orders of work-groups "
                  "no race shows. That proves nothing about orders that were not tried, about other inputs, or about "
                  "work-items of one work-group among themselves.",
                  consistent == 1 ? "The " : "All ", consistent, report_plural(consistent));
  }
  if (line.length > 0) {
    buffer_putc(&t->out, '\n');
    paragraph(t, buffer_text(&line));
  }
}

void text_write_amplification(text *t) {
  const amplification *a = &t->issues.schedules;
  if (!mutation_is(t->v)) text_write_unstable(t, "schedule");
  write_summary(t, a);
  write_table(t, a);
  scoped_document launches = {.v = t->v}, reached = {.v = t->v};
  document_launches(&launches, a);
  document_reached(&reached, a);
  text_list(t, "Launches without schedules", &launches, TEXT_SHOWN);
  text_write_pictures(t, a);
  text_write_failing(t, a);
  text_list(t, "Reached under some schedules, never by the program as it is", &reached, TEXT_SHOWN);
  write_conclusion(t, a);
}
