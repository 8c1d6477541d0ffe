/* Pictures of launches in the text report: rows are schedules, columns repeats, one character a run. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text_amplification.h"

#define PICTURES 4     /* launches that are shown */
#define ROWS 12        /* of a launch */
#define FOLD 4         /* consistent rows one after another that become one line */
#define LABEL_LEAST 10 /* columns of a row's name */
#define LABEL_MOST 26
#define VERDICT 17 /* columns of a row's verdict, with the space before it */
#define INDENT 4

static const struct {
  run_outcome outcome;
  const char *meaning;
  bool coloured;
  text_style style;
} legend[] = {
    {RUN_REFERENCE, "the reference's result", false, STYLE_GREEN},
    {RUN_DIFFERS, "another one", true, STYLE_RED},
    {RUN_DEADLOCK, "a group never ended", true, STYLE_RED},
    {RUN_OCCUPANCY, "not in this order: the device has not the room for it", true, STYLE_YELLOW},
    {RUN_CRASH, "crashed", true, STYLE_RED},
};
#define OUTCOMES (sizeof legend / sizeof legend[0])

static void write_legend(text *t) {
  buffer line = {0};
  buffer_puts(&line, "A row is a schedule, a character a run:");
  for (size_t i = 0; i < OUTCOMES; i++) {
    buffer_printf(&line, "%s %c %s", i == 0 ? "" : ",", (char)legend[i].outcome, legend[i].meaning);
  }
  text_wrapped(t, 0, 2, buffer_text(&line));
  buffer_free(&line);
}

/* --- a row ----------------------------------------------------------------------------------------------------- */

/* Characters that are the same, in their colour; '?' for what no outcome has. */
static void put_span(text *t, char c, size_t count) {
  size_t known = 0;
  while (known < OUTCOMES && (char)legend[known].outcome != c) {
    known++;
  }
  buffer span = {0};
  for (size_t i = 0; i < count; i++) {
    buffer_putc(&span, known == OUTCOMES ? '?' : c);
  }
  if (known < OUTCOMES && legend[known].coloured) {
    text_styled(t, legend[known].style, buffer_text(&span));
  } else {
    buffer_puts(&t->out, buffer_text(&span));
  }
  buffer_free(&span);
}

/* The runs in `room` columns; an ellipsis for those after. */
static void put_runs(text *t, const char *outcomes, size_t room) {
  size_t runs = strlen(outcomes);
  size_t shown = runs <= room ? runs : room - 1;
  for (size_t i = 0; i < shown;) {
    size_t n = 1;
    while (i + n < shown && outcomes[i + n] == outcomes[i]) {
      n++;
    }
    put_span(t, outcomes[i], n);
    i += n;
  }
  if (shown < runs) {
    buffer_puts(&t->out, UTF8_ELLIPSIS);
  }
}

static void label_of(const db_schedule *s, buffer *to) {
  buffer raw = {0};
  amplification_label(s, &raw);
  text_name(to, buffer_text(&raw));
  buffer_free(&raw);
}

/* Columns of the names of a launch's schedules. */
static size_t label_width(const db_launch *l) {
  size_t width = LABEL_LEAST;
  for (size_t i = 0; i < l->schedule_count; i++) {
    buffer label = {0};
    label_of(&l->schedules[i], &label);
    size_t columns = utf8_columns(buffer_text(&label));
    width = columns > width ? columns : width;
    buffer_free(&label);
  }
  return width > LABEL_MOST ? LABEL_MOST : width;
}

/* "    17 first    .x.x..xx  race 50.0 %" */
static void put_row(text *t, const db_schedule *s, size_t width) {
  schedule_verdict verdict = amplification_verdict(s);
  buffer label = {0};
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
  buffer_free(&label);
}

/* --- a launch -------------------------------------------------------------------------------------------------- */

static bool is_consistent(const db_schedule *s) { return amplification_verdict(s) == VERDICT_CONSISTENT; }

/* How many consistent schedules follow one another from the i-th on. */
static size_t consistent_from(const db_launch *l, size_t i) {
  size_t n = 0;
  while (i + n < l->schedule_count && is_consistent(&l->schedules[i + n])) {
    n++;
  }
  return n;
}

static void put_folded(text *t, size_t count, const char *what) {
  text_pad(t, INDENT);
  buffer_printf(&t->out, "%zu more schedule%s: %s\n", count, text_plural(count), what);
}

/* The schedules from the i-th on in one line: "30 more schedules: 20 race, 10 consistent". */
static void put_others(text *t, const db_launch *l, size_t i) {
  size_t of[VERDICTS] = {0};
  for (size_t k = i; k < l->schedule_count; k++) {
    of[amplification_verdict(&l->schedules[k])]++;
  }
  buffer what = {0};
  for (size_t v = 0; v < VERDICTS; v++) {
    if (of[v] > 0) {
      buffer_printf(&what, "%s%zu %s", what.length == 0 ? "" : ", ", of[v], schedule_verdict_name((schedule_verdict)v));
    }
  }
  put_folded(t, l->schedule_count - i, buffer_text(&what));
  buffer_free(&what);
}

static void put_rows(text *t, const db_launch *l) {
  size_t width = label_width(l);
  size_t rows = 0;
  for (size_t i = 0; i < l->schedule_count;) {
    size_t same = consistent_from(l, i);
    if (same >= FOLD) {
      put_folded(t, same, "all consistent");
      i += same;
    } else if (rows == ROWS && !t->options->show_missed && i + 1 < l->schedule_count) {
      put_others(t, l, i);
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
  buffer line = {0};
  text_kernel_label(t, &t->v->kernels[l->kernel], &line);
  buffer_puts(&line, ", ");
  amplification_launch_name(t->v, l, &line);
  if (l->groups > 0) {
    buffer_printf(&line, ": %u work-group%s", l->groups, text_plural(l->groups));
    if (l->local > 0) {
      buffer_printf(&line, " of %u", l->local);
    }
    if (l->together > 0) {
      buffer_printf(&line, ", %u in flight", l->together);
    }
  }
  buffer_puts(&line, meant ? "; that the order matters is meant" : "");
  buffer_puts(&t->out, "  ");
  text_fitted(t, 2, INDENT, buffer_text(&line));
  put_rows(t, l);
  buffer_free(&line);
}

/* --- which launches -------------------------------------------------------------------------------------------- */

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

void text_write_pictures(text *t, const amplification *a) {
  const view *v = t->v;
  size_t shown = 0;
  size_t left = 0;
  for (picture p = PICTURE_FAULT; p < PICTURE_NONE; p++) {
    for (size_t i = 0; i < v->launch_count; i++) {
      if (!a->selected[i] || picture_of(&v->launches[i]) != p) {
        continue;
      }
      if (shown == PICTURES && !t->options->show_missed) {
        left++;
        continue;
      }
      if (shown++ == 0) {
        text_section(t, "Launches, schedule by schedule");
        write_legend(t);
      }
      put_launch(t, &v->launches[i], p == PICTURE_MEANT);
    }
  }
  text_rest(t, left);
}
