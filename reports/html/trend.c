/* The totals of the newest runs of the database: a picture of four metrics, and a table. Lines join runs of one command
 * and program. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"
#include "reports/html/page.h"

/* In the order of the picture's lines and the table's columns; the first four have lines. */
static const struct {
  const char *metric, *title;
} columns[] = {{"line", "Lines"},        {"branch", "Branches"},    {"barrier", "Barriers"},
               {"mutation", "Mutation"}, {"function", "Functions"}, {"loop", "Loop cases"}};
#define COLUMNS (sizeof columns / sizeof columns[0])
enum { LINES = 4, WIDTH = 720, HEIGHT = 200, LEFT = 44, RIGHT = 16, TOP = 12, BOTTOM = 24 };

static const db_total *metric_of(const view_trend *t, const char *name) {
  const db_total *total = NAMED(t->metrics, t->metric_count, metric, name);
  return total == NULL || total->total == 0 ? NULL : total;
}

static double x_of(const page *p, size_t run) {
  size_t steps = p->v->trend_count > 1 ? p->v->trend_count - 1 : 1;
  return LEFT + (double)run * (WIDTH - LEFT - RIGHT) / (double)steps;
}

static double y_of(const db_total *m) {
  return TOP + (1 - (double)m->covered / (double)m->total) * (HEIGHT - TOP - BOTTOM);
}

static bool comparable(const view_trend *a, const view_trend *b) {
  return strcmp(a->command, b->command) == 0 && strcmp(a->programs, b->programs) == 0;
}

/* Is there no comparable run before this one? */
static bool is_first(const view *v, size_t run) {
  for (size_t i = 0; i < run; i++) {
    if (comparable(&v->trend[i], &v->trend[run])) {
      return false;
    }
  }
  return true;
}

/* One metric of the runs that can be compared with this one. Runs that did not measure it have no point. */
static void put_line(const page *p, size_t line, size_t first) {
  const view *v = p->v;
  buffer points = {0};
  for (size_t i = first; i < v->trend_count; i++) {
    const db_total *m = metric_of(&v->trend[i], columns[line].metric);
    if (m != NULL && comparable(&v->trend[i], &v->trend[first])) {
      buffer_printf(&points, "%s%.1f,%.1f", points.length > 0 ? " " : "", x_of(p, i), y_of(m));
    }
  }
  if (strchr(buffer_text(&points), ' ') != NULL) {
    (void)fprintf(p->out, "<polyline class=l%zu points=\"%s\"/>\n", line, buffer_text(&points));
  }
  buffer_free(&points);
}

static void put_points(const page *p, size_t line) {
  for (size_t i = 0; i < p->v->trend_count; i++) {
    const view_trend *t = &p->v->trend[i];
    const db_total *m = metric_of(t, columns[line].metric);
    if (m == NULL) {
      continue;
    }
    buffer programs = {0};
    page_programs_of(t->programs, &programs);
    (void)fprintf(p->out, "<circle class=l%zu cx=%.1f cy=%.1f r=3><title>run %" PRId64 ", ", line, x_of(p, i), y_of(m),
                  t->run);
    page_text(p->out, t->command);
    (void)fputs(programs.length > 0 ? " of " : "", p->out);
    page_text(p->out, buffer_text(&programs));
    (void)fprintf(p->out, ": %s ", columns[line].title);
    page_percent(p->out, &(ratio){m->covered, m->total});
    (void)fputs("</title></circle>\n", p->out);
    buffer_free(&programs);
  }
}

static void put_picture(const page *p) {
  (void)fprintf(p->out,
                "<figure><svg viewBox=\"0 0 %d %d\" role=img aria-label=\"Totals of %zu runs in percent; the table "
                "below has the numbers\">\n",
                WIDTH, HEIGHT, p->v->trend_count);
  for (int percent = 0; percent <= 100; percent += 25) {
    double y = TOP + (1 - percent / 100.0) * (HEIGHT - TOP - BOTTOM);
    (void)fprintf(p->out, "<path class=g d=\"M%d %.1fH%d\"/><text x=%d y=%.1f>%d %%</text>\n", LEFT, y, WIDTH - RIGHT,
                  LEFT - 4, y + 4, percent);
  }
  for (size_t i = 0; i < LINES; i++) {
    for (size_t run = 0; run < p->v->trend_count; run++) {
      if (is_first(p->v, run)) {
        put_line(p, i, run);
      }
    }
    put_points(p, i);
  }
  (void)fputs("</svg>\n<figcaption>", p->out);
  for (size_t i = 0; i < LINES; i++) {
    (void)fprintf(
        p->out,
        "<span class=key><svg viewBox=\"0 0 28 8\" aria-hidden=true><path class=l%zu d=\"M0 4H28\"/></svg> %s</span>\n",
        i, columns[i].title);
  }
  (void)fputs("</figcaption></figure>\n", p->out);
}

static void put_run(const page *p, const view_trend *t) {
  (void)fprintf(p->out, "<tr><th scope=row>%" PRId64 "<td class=date data-c=Started>", t->run);
  page_text(p->out, t->started);
  page_cell(p->out, "Command");
  page_text(p->out, t->command);
  page_cell(p->out, "Program");
  buffer programs = {0};
  page_programs_of(t->programs, &programs);
  page_text(p->out, buffer_text(&programs));
  buffer_free(&programs);
  for (size_t i = 0; i < COLUMNS; i++) {
    const db_total *m = metric_of(t, columns[i].metric);
    if (m == NULL) {
      page_cell(p->out, columns[i].title);
      (void)fputs("-", p->out);
    } else {
      page_ratio_cell(p, columns[i].title, columns[i].metric, &(ratio){m->covered, m->total});
    }
  }
  (void)fputs("\n", p->out);
}

void page_trend(const page *p) {
  if (p->v->trend_count > 1) {
    put_picture(p);
  }
  (void)fprintf(p->out, "<details%s><summary>%zu run%s of the database with totals</summary>\n",
                p->v->trend_count <= 10 ? " open" : "", p->v->trend_count, page_plural(p->v->trend_count));
  page_table(p->out, "Totals of runs, newest first");
  (void)fputs("<thead><tr><th scope=col>Run<th scope=col>Started<th scope=col>Command<th scope=col>Program", p->out);
  for (size_t i = 0; i < COLUMNS; i++) {
    (void)fprintf(p->out, "<th scope=col>%s", columns[i].title);
  }
  (void)fputs("\n<tbody>\n", p->out);
  for (size_t i = p->v->trend_count; i-- > 0;) {
    put_run(p, &p->v->trend[i]);
  }
  (void)fputs(PAGE_TABLE_END "</details>\n", p->out);
}
