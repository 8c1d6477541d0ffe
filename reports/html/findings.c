/* Findings: what was seen, where; of races both results and the access; what is suppressed or meant, apart. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "reports/html/page.h"

/* The rule of the finding that the database has for a verdict. */
static const char *const rules[VERDICTS] = {
    [VERDICT_RACE] = "data-race", [VERDICT_DEADLOCK] = "deadlock", [VERDICT_CRASH] = "crash"};

static bool is_explained_fault(const view_schedule *s) {
  return s->explanation != NULL && rules[amplification_verdict(s)] != NULL && !s->meant;
}

/* A schedule that failed, and why. */
typedef struct page_fault {
  const view_launch *launch;
  const view_schedule *schedule;
  size_t alike; /* schedules with an explanation that fail at the same place, this one included */
} page_fault;

typedef struct page_faults {
  page_fault *list;
  size_t count, capacity;
} page_faults;

/* The same kernel, verdict and place, both suppressed or neither. */
static bool is_alike(const page_fault *f, const view_launch *l, const view_schedule *s) {
  const view_explanation *a = f->schedule->explanation;
  const view_explanation *b = s->explanation;
  return f->launch->kernel == l->kernel && amplification_verdict(f->schedule) == amplification_verdict(s) &&
         (f->schedule->suppressed == NULL) == (s->suppressed == NULL) && a->file == b->file && a->line == b->line &&
         strcmp(a->argument, b->argument) == 0;
}

static void add_fault(page_faults *to, const view_launch *l, const view_schedule *s) {
  for (size_t i = 0; i < to->count; i++) {
    if (is_alike(&to->list[i], l, s)) {
      to->list[i].alike++;
      return;
    }
  }
  *ARRAY_ADD(to->list, to->count, to->capacity) = (page_fault){.launch = l, .schedule = s, .alike = 1};
}

static page_faults collect(const page *p) {
  page_faults all = {0};
  for (size_t i = 0; i < p->v->launch_count; i++) {
    const view_launch *l = &p->v->launches[i];
    for (size_t k = 0; p->amplification.selected[i] && k < l->schedule_count; k++) {
      if (is_explained_fault(&l->schedules[k])) {
        add_fault(&all, l, &l->schedules[k]);
      }
    }
  }
  return all;
}

/* Is the finding one of those that a schedule with an explanation shows at greater length? */
static bool is_explained(const page *p, const page_faults *faults, const view_finding *f) {
  for (size_t i = 0; i < faults->count; i++) {
    const page_fault *x = &faults->list[i];
    if (strcmp(p->v->kernels[x->launch->kernel].name, f->kernel) == 0 &&
        strcmp(rules[amplification_verdict(x->schedule)], f->rule) == 0) {
      return true;
    }
  }
  return false;
}

static void put_reason(const page *p, const char *reason) {
  if (reason != NULL) {
    (void)fputs("<p>Suppressed: ", p->out);
    page_text(p->out, reason);
    (void)fputs("\n", p->out);
  }
}

/* --- of the database ------------------------------------------------------------------------------------------- */

static void put_finding(const page *p, size_t index) {
  const view_finding *f = &p->v->findings[index];
  (void)fprintf(p->out, "<li id=d%zu><h3>", index);
  page_text(p->out, f->rule);
  (void)fputs(" in kernel ", p->out);
  page_text(p->out, f->kernel);
  (void)fputs("</h3>\n<p>", p->out);
  page_text(p->out, f->message);
  (void)fputs("\n", p->out);
  if (f->file != MODEL_NONE) {
    (void)fputs("<p>At ", p->out);
    page_place(p, f->file, f->line);
    (void)fputs("\n", p->out);
    page_excerpt(p, f->file, f->line);
  }
  put_reason(p, f->suppressed);
}

/* --- of schedules ---------------------------------------------------------------------------------------------- */

static void put_described(const page *p, const view_schedule *s) {
  buffer words = {0};
  amplification_describe(s, &words);
  page_text(p->out, buffer_text(&words));
  buffer_free(&words);
}

static void put_share(const page *p, const view_schedule *s) {
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  (void)fprintf(p->out, "<td>%lu of %lu (", same.covered, same.total);
  page_percent(p->out, &same);
  (void)fputs(")", p->out);
}

/* The schedule that shows it, and the one (or the program as it is) that gives the other result. */
static void put_sides(const page *p, const view_schedule *s) {
  const view_explanation *x = s->explanation;
  const view_launch *launch = NULL;
  const view_schedule *other = x->other == 0 ? NULL : amplification_find(p->v, x->other, &launch);
  page_table(p->out, "Both orders");
  (void)fputs("<thead><tr><th scope=col>Order", p->out);
  if (x->argument[0] != '\0') {
    (void)fputs("<th scope=col>", p->out);
    page_text(p->out, x->argument);
    (void)fprintf(p->out, "[%" PRIu64 "]", x->first);
  }
  (void)fputs("<th scope=col>Runs with the reference's result<th scope=col>Again\n<tbody>\n<tr><th scope=row>", p->out);
  put_described(p, s);
  if (x->argument[0] != '\0') {
    (void)fputs("<td>", p->out);
    page_text(p->out, x->seen);
  }
  put_share(p, s);
  (void)fprintf(p->out, "<td><code>cltestcheck amplify --replay %" PRId64, s->id);
  if (p->options->database != NULL) {
    (void)fputs(" --db ", p->out);
    page_text(p->out, p->options->database);
  }
  (void)fputs("</code>\n<tr><th scope=row>", p->out);
  if (other == NULL) {
    (void)fputs("the program as it is", p->out);
  } else {
    put_described(p, other);
  }
  if (x->argument[0] != '\0') {
    (void)fputs("<td>", p->out);
    page_text(p->out, x->reference);
  }
  if (other == NULL) {
    (void)fputs("<td>-<td>-", p->out);
  } else {
    put_share(p, other);
    (void)fprintf(p->out, "<td><code>--replay %" PRId64 "</code>", other->id);
  }
  (void)fputs("\n" PAGE_TABLE_END, p->out);
}

static void put_explanation(const page *p, const view_explanation *x) {
  (void)fputs("<p>", p->out);
  page_text(p->out, x->text);
  (void)fputs("\n", p->out);
  if (x->unfinished[0] != '\0') {
    (void)fputs("<p>Never ended: ", p->out);
    page_text(p->out, x->unfinished);
    (void)fputs("\n", p->out);
  }
  if (x->differing > 1) {
    (void)fprintf(p->out, "<p>%" PRIu64 " elements differ, %" PRIu64 " to %" PRIu64 ".\n", x->differing, x->first,
                  x->last);
  }
  if (x->file != MODEL_NONE && x->line > 0) {
    (void)fputs("<p>The access: ", p->out);
    page_place(p, x->file, x->line);
    (void)fputs("\n", p->out);
    page_excerpt(p, x->file, x->line);
  }
}

static void put_fault(const page *p, const page_fault *f) {
  const view_schedule *s = f->schedule;
  buffer name = {0};
  amplification_launch_name(p->v, f->launch, &name);
  (void)fprintf(p->out, "<li><h3><span class=\"st v%u\">%s</span> in kernel <a href=\"#k%u\">",
                (unsigned)amplification_verdict(s), rules[amplification_verdict(s)], f->launch->kernel);
  page_text(p->out, p->v->kernels[f->launch->kernel].name);
  (void)fputs("</a>, ", p->out);
  page_text(p->out, buffer_text(&name));
  (void)fputs("</h3>\n", p->out);
  put_explanation(p, s->explanation);
  put_sides(p, s);
  if (f->alike > 1) {
    (void)fprintf(p->out, "<p>The same in %zu more launch%s.\n", f->alike - 1, f->alike == 2 ? "" : "es");
  }
  put_reason(p, s->suppressed);
  buffer_free(&name);
}

/* --- lists ----------------------------------------------------------------------------------------------------- */

/* Those that are suppressed, or those that are not; `put`: writes them. Returns their number. */
static size_t list(const page *p, const page_faults *faults, bool suppressed, bool put) {
  size_t count = 0;
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const view_finding *f = &p->v->findings[i];
    if ((f->suppressed != NULL) == suppressed && report_selects(p->options, f->kernel) && !is_explained(p, faults, f)) {
      count++;
      if (put) {
        put_finding(p, i);
      }
    }
  }
  for (size_t i = 0; i < faults->count; i++) {
    if ((faults->list[i].schedule->suppressed != NULL) == suppressed) {
      count++;
      if (put) {
        put_fault(p, &faults->list[i]);
      }
    }
  }
  return count;
}

size_t page_count_findings(const page *p) {
  page_faults faults = collect(p);
  size_t count = list(p, &faults, false, false);
  free(faults.list);
  return count;
}

void page_findings(const page *p) {
  page_faults faults = collect(p);
  if (p->findings > 0) {
    (void)fputs("<ol class=found>\n", p->out);
    (void)list(p, &faults, false, true);
    (void)fputs("</ol>\n", p->out);
  } else {
    (void)fputs("<p>Nothing was found.\n", p->out);
  }
  size_t suppressed = list(p, &faults, true, false);
  if (suppressed > 0) {
    (void)fprintf(p->out, "<details><summary>%zu suppressed by the configuration</summary>\n<ol class=found>\n",
                  suppressed);
    (void)list(p, &faults, true, true);
    (void)fputs("</ol></details>\n", p->out);
  }
  free(faults.list);
}
