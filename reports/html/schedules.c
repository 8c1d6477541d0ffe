/* A picture a kernel: rows are schedules (targets and other orders), columns repeats. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "reports/html/page.h"

enum { PICTURES = 8 }; /* launches of a kernel that are shown */

/* Class of a run's outcome; the character itself is shown, too. */
static const struct {
  run_outcome outcome;
  const char *name, *meaning;
} outcomes[] = {
    {RUN_REFERENCE, "q0", "the reference's result"},
    {RUN_DIFFERS, "q1", "another one"},
    {RUN_DEADLOCK, "q2", "a work-group never ended"},
    {RUN_OCCUPANCY, "q3", "not in this order: the device has not the room for it"},
    {RUN_CRASH, "q4", "crashed"},
};
#define OUTCOMES (sizeof outcomes / sizeof outcomes[0])

/* `before`, the number and `behind`, but for 0. */
static void put_if(const page *p, const char *before, unsigned long number, const char *behind) {
  if (number > 0) {
    (void)fprintf(p->out, "%s%lu%s", before, number, behind);
  }
}

static void put_runs(const page *p, const char *runs) {
  for (const char *c = runs; *c != '\0';) {
    size_t n = strspn(c, (const char[]){*c, '\0'});
    size_t known = 0;
    while (known < OUTCOMES && (char)outcomes[known].outcome != *c) {
      known++;
    }
    (void)fprintf(p->out, "<i class=%s>", known < OUTCOMES ? outcomes[known].name : "q9");
    page_text_of(p->out, c, n);
    (void)fputs("</i>", p->out);
    c += n;
  }
}

static void put_schedule(const page *p, const db_schedule *s) {
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  buffer label = {0};
  amplification_label(s, &label);
  (void)fputs("<tr><th scope=row>", p->out);
  page_text(p->out, buffer_text(&label));
  (void)fputs("<td class=pic data-c=Runs>", p->out);
  put_runs(p, s->outcomes);
  (void)fprintf(p->out, "<td data-c=Verdict><span class=\"st v%u\">", (unsigned)amplification_verdict(s));
  page_text(p->out, s->verdict);
  (void)fprintf(p->out, "</span>%s%s<td data-c=\"As the reference\">%lu/%lu<td data-c=Id>%" PRId64 "\n",
                s->meant ? " (meant)" : "", s->suppressed != NULL ? " (suppressed)" : "", same.covered, same.total,
                s->id);
  buffer_free(&label);
}

static void put_launch(const page *p, const db_launch *l) {
  (void)fputs("<div class=w><table class=table><caption>", p->out);
  buffer name = {0};
  amplification_launch_name(p->v, l, &name);
  page_text(p->out, buffer_text(&name));
  buffer_free(&name);
  put_if(p, ": ", l->groups, " work-groups");
  put_if(p, " of ", l->local, "");
  put_if(p, ", ", l->together, " in flight");
  (void)fputs(
      "</caption>\n<thead><tr><th scope=col>Schedule<th scope=col>Runs<th scope=col>Verdict<th scope=col>As "
      "the reference<th scope=col>Id\n<tbody>\n",
      p->out);
  for (size_t i = 0; i < l->schedule_count; i++) {
    put_schedule(p, &l->schedules[i]);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

static bool is_quiet(const db_launch *l) {
  for (size_t i = 0; i < l->schedule_count; i++) {
    if (amplification_verdict(&l->schedules[i]) != VERDICT_CONSISTENT) {
      return false;
    }
  }
  return true;
}

/* Launches that show something come first, then the others, as far as there is room. */
static void put_launches(const page *p, const amplification_kernel *k) {
  size_t left = PICTURES;
  size_t others = 0;
  for (int quiet = 0; quiet < 2; quiet++) {
    for (size_t i = 0; i < p->v->launch_count; i++) {
      const db_launch *l = &p->v->launches[i];
      if (l->kernel != k->kernel || l->schedule_count == 0 || is_quiet(l) != (quiet == 1)) {
        continue;
      }
      if (left > 0) {
        put_launch(p, l);
        left--;
      } else {
        others++;
      }
    }
  }
  if (others > 0) {
    (void)fprintf(p->out, "<p>%zu more launch%s; the JSON report has all of them.\n", others, others == 1 ? "" : "es");
  }
}

static void put_counts(const page *p, const amplification_counts *c) {
  (void)fprintf(p->out, "%lu schedule%s", c->schedules, page_plural(c->schedules));
  for (size_t v = VERDICTS; v-- > 0;) {
    if (c->of[v] > 0) {
      (void)fprintf(p->out, ", <span class=\"st v%zu\">%lu %s</span>", v, c->of[v],
                    schedule_verdict_name((schedule_verdict)v));
    }
  }
  put_if(p, ", ", c->meant, " meant");
  put_if(p, ", ", c->suppressed, " suppressed");
}

/* What only schedules reach. */
static void put_reached(const page *p, const amplification_kernel *k) {
  bool any = false;
  for (size_t i = 0; i < p->v->launch_count; i++) {
    const db_launch *l = &p->v->launches[i];
    for (size_t n = 0; l->kernel == k->kernel && n < l->schedule_count; n++) {
      for (size_t r = 0; r < l->schedules[n].reached_count; r++) {
        const view_reached *reached = &l->schedules[n].reached[r];
        const model_site *s = &p->v->sites[reached->site];
        (void)fputs(any ? "" : "<p>Reached under some schedules only:\n<ul>\n", p->out);
        (void)fputs("<li>", p->out);
        page_place(p, s->file, s->line);
        (void)fprintf(p->out, " %s: ", site_kind_name(s->kind));
        page_text(p->out, s->outcomes[reached->outcome].label);
        (void)fputs("\n", p->out);
        any = true;
      }
    }
  }
  (void)fputs(any ? "</ul>\n" : "", p->out);
}

static bool shows_something(const amplification_counts *c) { return c->of[VERDICT_CONSISTENT] < c->schedules; }

static void put_skipped(const page *p) {
  const amplification *a = &p->issues.schedules;
  if (a->skipped_count == 0) {
    return;
  }
  (void)fputs("<h3>Launches without schedules</h3>\n<ul>\n", p->out);
  for (size_t i = 0; i < a->skipped_count; i++) {
    (void)fprintf(p->out, "<li>%lu launch%s: ", a->skipped[i].launches, a->skipped[i].launches == 1 ? "" : "es");
    page_text(p->out, a->skipped[i].reason);
    (void)fprintf(p->out, " (%zu kernel%s)\n", a->skipped[i].kernel_count, page_plural(a->skipped[i].kernel_count));
  }
  (void)fputs("</ul>\n", p->out);
}

void page_schedules(const page *p) {
  (void)fputs(
      "<p>A row is a schedule (a work-group that runs first or last, or an order of all), a character a run:\n<ul "
      "class=legend>\n",
      p->out);
  for (size_t i = 0; i < OUTCOMES; i++) {
    (void)fprintf(p->out, "<li><span class=pic><i class=%s>%c</i></span> %s\n", outcomes[i].name,
                  (char)outcomes[i].outcome, outcomes[i].meaning);
  }
  (void)fputs("</ul>\n", p->out);
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_kernel *k = &p->issues.schedules.kernels[i];
    if (k->counts.schedules == 0) {
      continue;
    }
    (void)fprintf(p->out, "<details class=file id=k%u%s><summary><h3>", k->kernel,
                  shows_something(&k->counts) && p->issues.schedules.kernel_count <= 20 ? " open" : "");
    page_text(p->out, p->v->kernels[k->kernel].name);
    (void)fputs("</h3>", p->out);
    put_counts(p, &k->counts);
    (void)fputs("</summary>\n", p->out);
    put_launches(p, k);
    put_reached(p, k);
    (void)fputs("</details>\n", p->out);
  }
  put_skipped(p);
}
