/* Findings in the text report, schedules that fail, kernels with what was seen in their launches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "reports/common/report.h"
#include "reports/common/verification.h"
#include "reports/text/text.h"
#include "reports/words/words.h"

/* Tables of kernels with counts: errors with memory, and data races, that were seen on a device. */

#define COLUMN 12
enum { MOST = 3 };

/* What is counted beside launches. */
typedef struct counted {
  size_t count;
  const char *titles[MOST];
  /* Of a kernel, NULL: of all. */
  void (*of)(const text *t, const char *kernel, size_t numbers[MOST]);
} counted;

static void put_number(text *t, uint64_t n, const char *none) {
  char number[32];
  (void)snprintf(number, sizeof number, n == 0 ? none : "%llu", (unsigned long long)n);
  text_right(t, COLUMN, number);
}

static void put_row(text *t, const counted *c, const char *name, uint64_t launches, const char *kernel) {
  size_t numbers[MOST] = {0};
  c->of(t, kernel, numbers);
  text_left(t, t->width - (c->count + 1) * COLUMN, name);
  put_number(t, launches, report_no_launch(t->v));
  for (size_t i = 0; i < c->count; i++) {
    put_number(t, numbers[i], "-");
  }
  buffer_putc(&t->out, '\n');
}

static void write_table(text *t, const counted *c) {
  const view *v = t->v;
  scoped_buffer heading =
      buffer_with("%-*s%*s", (int)(t->width - (c->count + 1) * COLUMN), "Kernel", COLUMN, "launches");
  for (size_t i = 0; i < c->count; i++) {
    buffer_printf(&heading, "%*s", COLUMN, c->titles[i]);
  }
  text_heading(t, buffer_text(&heading));
  uint64_t launches = 0;
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    if (report_selects(t->options, k->name)) {
      scoped_buffer label = {0};
      text_kernel_label(t, k, &label);
      put_row(t, c, buffer_text(&label), k->launches, k->name);
      launches += k->launches;
    }
  }
  text_rule(t);
  put_row(t, c, "total", launches, NULL);
}

static void count_errors(const text *t, const char *kernel, size_t numbers[MOST]) {
  numbers[0] = memory_count(t->v, t->options, kernel, NULL);
}

static void count_races(const text *t, const char *kernel, size_t numbers[MOST]) {
  const race_counts n = races_count(t->v, t->options, kernel);
  numbers[0] = n.race;
  numbers[1] = n.benign;
  numbers[2] = n.divergence;
}

/* Where a report is about all that may be wrong, a table of nothing is a line. `what`: "Data races". */
static bool write_nothing(text *t, const counted *c, const char *what, const char *command) {
  size_t numbers[MOST] = {0}, kernels = 0, sum = 0;
  uint64_t launches = 0;
  c->of(t, NULL, numbers);
  for (size_t i = 0; i < c->count; i++) {
    sum += numbers[i];
  }
  if (!text_findings_first(t->v) || sum > 0) {
    return false;
  }
  for (size_t i = 0; i < t->v->kernel_count; i++) {
    const view_kernel *k = &t->v->kernels[i];
    launches += report_selects(t->options, k->name) ? k->launches : 0;
    kernels += report_selects(t->options, k->name) && k->launches > 0 ? 1 : 0;
  }
  scoped_buffer line = buffer_with("%s of ", what);
  report_runs(t->v, command, &line);
  buffer_printf(&line, ": none was seen in %llu launch%s of %zu kernel%s%s", (unsigned long long)launches,
                launches == 1 ? "" : "es", kernels, text_plural(kernels),
                t->v->skipped_count > 0 ? "; what was not looked at is listed below" : "");
  text_wrapped(t, 0, 2, buffer_text(&line));
  return true;
}

bool text_write_no_memory(text *t) {
  return write_nothing(t, &(counted){1, {"errors"}, count_errors}, "Memory errors", "memory");
}

bool text_write_no_races(text *t) {
  return write_nothing(t, &(counted){3, {"races", "benign", "divergence"}, count_races}, "Data races", "races");
}

void text_write_memory(text *t) { write_table(t, &(counted){1, {"errors"}, count_errors}); }

void text_write_races(text *t) { write_table(t, &(counted){3, {"races", "benign", "divergence"}, count_races}); }

/* Races, deadlocks, crashes and other results in the text report: what depends on the order, where, and how to see it again. */

#define INDENT 4
#define NAME 48 /* columns of a name in a sentence */

/* --- one ------------------------------------------------------------------------------------------------------- */

static void detail(text *t, const char *s) {
  text_pad(t, INDENT);
  text_fitted(t, INDENT, INDENT + 2, s);
}

static void put_name(buffer *to, const char *s) {
  scoped_buffer clean = {0};
  text_name(&clean, s);
  utf8_shorten(to, buffer_text(&clean), NAME);
}

/* "spmv (src/spmv.cl:3)" */
static void put_kernel(const text *t, uint32_t kernel, buffer *to) {
  const view_kernel *k = &t->v->kernels[kernel];
  const model_function *f = &t->v->functions[k->function];
  put_name(to, k->name);
  buffer_puts(to, " (");
  text_place(t, f->file, f->line, to);
  buffer_puts(to, ")");
}

/* What the explanation compares with: "reverse order", "the program as it is". */
static void put_other(const view *v, const db_explanation *x, buffer *to) {
  const db_launch *launch = NULL;
  const db_schedule *s = x->other == 0 ? NULL : view_find_schedule(v, x->other, &launch);
  if (x->other == 0) {
    buffer_puts(to, "the program as it is");
  } else if (s == NULL) {
    buffer_printf(to, "schedule %" PRId64, x->other);
  } else {
    amplification_describe(s, to);
  }
}

/* Both accesses where they were seen; else the line that differs. */
static void write_access(text *t, const db_explanation *x, const db_finding *shown) {
  if (shown != NULL) {
    text_write_shown(t, shown, INDENT);
  } else if (x != NULL && x->file != MODEL_NONE && x->line > 0) {
    scoped_buffer line = {0};
    text_place(t, x->file, x->line, &line);
    detail(t, buffer_text(&line));
    text_excerpt(t, &t->v->files[x->file], x->line, '|', 0, 0);
  }
}

/* "group 17 first (schedule 12) against reverse order (schedule 13): 9 of 20 runs gave the reference's result (45.0 %)"
 */
static void write_pair(text *t, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  scoped_buffer line = {0};
  amplification_describe(s, &line);
  buffer_printf(&line, " (schedule %" PRId64 ")", s->id);
  if (x != NULL && (amplification_verdict(s) == VERDICT_RACE || amplification_verdict(s) == VERDICT_ORDER ||
                    amplification_verdict(s) == VERDICT_DIFFERS)) {
    buffer_puts(&line, " against ");
    put_other(t->v, x, &line);
    const db_launch *launch = NULL;
    if (x->other != 0 && view_find_schedule(t->v, x->other, &launch) != NULL) {
      buffer_printf(&line, " (schedule %" PRId64 ")", x->other);
    }
  }
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  unsigned share = same.total == 0 ? 0 : ratio_thousandths(&same);
  buffer_printf(&line, ": %lu of %lu run%s gave the reference's result (%u.%u %%)", same.covered, same.total,
                text_plural(same.total), share / 10, share % 10);
  size_t otherwise = schedule_count(s->outcomes, RUN_OCCUPANCY);
  if (otherwise > 0) {
    buffer_printf(&line, ", %zu %s not in this order", otherwise, otherwise == 1 ? "was" : "were");
  }
  detail(t, buffer_text(&line));
}

static void write_alike(text *t, const failing *f) {
  size_t more = f->schedules - 1;
  if (more > 0) {
    scoped_buffer line = buffer_with("the same under %zu more schedule%s", more, text_plural(more));
    if (f->launches > 1) {
      buffer_printf(&line, ", of %zu launches in all", f->launches);
    }
    detail(t, buffer_text(&line));
  }
}

static void write_failing(text *t, const issue *i) {
  const failing *f = &i->failing;
  const db_schedule *s = f->schedule;
  const db_explanation *x = s->explanation;
  const char *word = failing_word(amplification_verdict(s));
  scoped_buffer line = buffer_with(" in kernel ");
  put_kernel(t, f->launch->kernel, &line);
  buffer_puts(&line, ", ");
  amplification_launch_name(t->v, f->launch, &line);
  scoped_buffer why = {0};
  explanation_text(t->v, f->launch, s, &why);
  buffer_printf(&line, "%s%s", why.length > 0 ? ": " : "", buffer_text(&why));
  buffer_puts(&t->out, "  ");
  text_styled(t, amplification_fails(amplification_verdict(s)) ? STYLE_RED : STYLE_YELLOW, word);
  buffer_putc(&t->out, ' ');
  text_fitted(t, 3 + strlen(word), INDENT, buffer_text(&line));
  write_access(t, x, i->shown);
  write_pair(t, s);
  write_alike(t, f);
  text_again(t, INDENT, "amplify", s->id);
}

/* --- those that are meant -------------------------------------------------------------------------------------- */

/* "reduce (red.cl:3): 12 schedules, 7 race, 5 consistent", and what was found of the first that was explained. */
static void write_meant_of(text *t, const amplification *a, uint32_t kernel) {
  size_t of[VERDICTS] = {0};
  size_t all = 0;
  scoped_buffer why = {0};
  for (size_t i = 0; i < t->v->launch_count; i++) {
    const db_launch *l = &t->v->launches[i];
    for (size_t k = 0; a->selected[i] && l->kernel == kernel && k < l->schedule_count; k++) {
      if (l->schedules[k].meant) {
        of[amplification_verdict(&l->schedules[k])]++;
        all++;
        if (why.length == 0) {
          explanation_text(t->v, l, &l->schedules[k], &why);
        }
      }
    }
  }
  scoped_buffer line = {0};
  put_kernel(t, kernel, &line);
  buffer_printf(&line, ": %zu schedule%s", all, text_plural(all));
  for (size_t v = VERDICTS; v-- > 0;) {
    if (of[v] > 0) {
      buffer_printf(&line, ", %zu %s", of[v], schedule_verdict_name((schedule_verdict)v));
    }
  }
  buffer_puts(&t->out, "  ");
  text_fitted(t, 2, INDENT, buffer_text(&line));
  if (why.length > 0) {
    detail(t, buffer_text(&why));
  }
}

static void write_meant(text *t, const amplification *a) {
  bool any = false;
  for (size_t i = 0; i < a->kernel_count; i++) {
    if (a->kernels[i].counts.meant == 0) {
      continue;
    }
    if (!any) {
      text_section(t, "Meant: the kernel says that its result may depend on the order");
      any = true;
    }
    write_meant_of(t, a, a->kernels[i].kernel);
  }
}

static bool is_failing(const issue *i) { return i->failing.schedule != NULL && i->suppressed == NULL; }

void text_write_failing(text *t, const amplification *a) {
  size_t count = 0;
  for (size_t i = 0; i < t->issues.count; i++) {
    count += is_failing(&t->issues.list[i]) ? 1 : 0;
  }
  if (count > 0) {
    text_section(t, "What depends on the order");
  }
  const size_t most = text_shown(t, count, TEXT_SHOWN);
  size_t shown = 0;
  for (size_t i = 0; i < t->issues.count && shown < most; i++) {
    if (is_failing(&t->issues.list[i])) {
      write_failing(t, &t->issues.list[i]);
      shown++;
    }
  }
  text_rest(t, count - shown);
  write_meant(t, a);
}

static void write_finding(text *t, const db_finding *f) {
  const view *v = t->v;
  scoped_buffer item = {0};
  if (f->file != MODEL_NONE) {
    buffer_printf(&item, "%s:%u: ", v->files[f->file].name, f->line);
  }
  verification_title(f, &item);
  buffer_printf(&item, "%s%s: ", f->kernel[0] == '\0' ? "" : " in kernel ", f->kernel);
  finding_message(v, f, &item);
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, buffer_text(&item));
  if (f->file != MODEL_NONE && f->place_count == 0) {
    text_excerpt(t, &v->files[f->file], f->line, '|', 0, 0);
  }
  text_write_shown(t, f, 4);
  text_write_suppression(t, f);
}

/* Errors with memory come before races, which they may be the reason of, and these before barriers that diverge. */
static unsigned rank_of(const db_finding *f) {
  static const char *const rules[] = {"data-race", "benign-race", "barrier-divergence", "async-divergence"};
  return (unsigned)(name_number(rules, sizeof rules / sizeof rules[0], f->rule) + 1);
}

bool text_findings_first(const view *v) { return memory_is(v) && races_are(v); }

/* --- the list ------------------------------------------------------------------------------------------------------ */

static const char *file_of(const text *t, const db_finding *f) {
  return f->file == MODEL_NONE ? "" : t->v->files[f->file].name;
}

static int order(const void *a, const void *b, void *context) {
  const db_finding *x = *(const db_finding *const *)a, *y = *(const db_finding *const *)b;
  const int64_t pairs[][2] = {
      {rank_of(x), rank_of(y)},
      {strcmp(file_of(context, x), file_of(context, y)), 0},
      {x->line, y->line},
      {x->place_count > 0 ? x->places[0].column : 0, y->place_count > 0 ? y->places[0].column : 0},
      {x->id, y->id}};
  int result = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && result == 0; i++) {
    result = (pairs[i][0] > pairs[i][1]) - (pairs[i][0] < pairs[i][1]);
  }
  return result;
}

/* Those that are shown, in their order; free() it. */
static const db_finding **listed(text *t, size_t *count) {
  const db_finding **list = mem_calloc(t->issues.count + 1, sizeof *list);
  *count = 0;
  for (size_t i = 0; i < t->issues.count; i++) {
    const db_finding *f = t->issues.list[i].finding;
    if (f != NULL && f->suppressed == NULL) {
      list[(*count)++] = f;
    }
  }
  qsort_r(list, *count, sizeof(const db_finding *), order, t);
  return list;
}

/* --- many of one kernel -------------------------------------------------------------------------------------------- */

enum { MANY = 3, PLACE = 20, TITLE = 20, LAUNCH = 8, TIMES = 8, ID = 6 };
#define MEMORY_COLUMNS(t) ((t)->width - 2 - PLACE - TITLE - LAUNCH - TIMES - ID)

static bool is_short(const db_finding *f) { return memory_saw(f) || races_saw(f); }

static size_t count_of(const db_finding *const *list, size_t count, const char *kernel) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    n += is_short(list[i]) && strcmp(list[i]->kernel, kernel) == 0 ? 1 : 0;
  }
  return n;
}

static void put_short(text *t, const db_finding *f) {
  const db_detail *d = &f->detail;
  scoped_buffer place = {0}, what = {0};
  char number[32];
  text_pad(t, 2);
  text_place(t, f->places[0].file, f->places[0].line, &place);
  if (f->place_count > 1) {
    buffer_printf(&place, ", %u", f->places[1].line);
  }
  verification_title(f, &what);
  text_left(t, PLACE - 1, buffer_text(&place));
  text_pad(t, 1);
  text_left(t, TITLE, buffer_text(&what));
  what.length = 0;
  buffer_puts(&what, f->place_count > 1 ? "" : f->places[0].access);
  buffer_printf(&what, "%s%s", what.length > 0 ? " " : "", d->object);
  if (d->element.known && d->pixel[0] == '\0') {
    buffer_printf(&what, "[%lld]", (long long)d->element.value);
  }
  text_left(t, MEMORY_COLUMNS(t), buffer_text(&what));
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)d->launch.value + 1);
  text_right(t, LAUNCH, number);
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)d->count.value);
  text_right(t, TIMES, number);
  (void)snprintf(number, sizeof number, "%lld", (long long)f->id);
  text_right(t, ID, number);
  buffer_putc(&t->out, '\n');
}

/* All of a kernel that are of its rank are rows of a table. */
static void write_many(text *t, const db_finding *const *list, size_t count, const char *kernel) {
  scoped_buffer line = {0};
  buffer_printf(
      &line,
      "Kernel %s has %zu findings; --all, or `cltestcheck report --verbose%s%s`, shows each in full, --replay ID looks "
      "for one again:",
      kernel, count_of(list, count, kernel), t->options->database == NULL ? "" : " --db ",
      t->options->database == NULL ? "" : t->options->database);
  text_wrapped(t, 0, 2, buffer_text(&line));
  buffer_printf(&t->out, "  %-*s%-*s%-*s%*s%*s%*s\n", PLACE, "place", TITLE, "what", (int)MEMORY_COLUMNS(t), "memory",
                LAUNCH, "launch", TIMES, "times", ID, "ID");
  for (size_t i = 0; i < count; i++) {
    if (is_short(list[i]) && strcmp(list[i]->kernel, kernel) == 0) {
      put_short(t, list[i]);
    }
  }
}

bool text_write_findings(text *t) {
  size_t count = 0;
  const db_finding **list = listed(t, &count);
  if (count > 0) {
    buffer_puts(&t->out, text_findings_first(t->v) ? "" : "\n");
    text_heading(t, "Findings");
  }
  for (size_t i = 0; i < count; i++) {
    const db_finding *f = list[i];
    const bool many = !t->options->all && is_short(f) && count_of(list, count, f->kernel) > MANY;
    if (many && count_of(list, i, f->kernel) == 0) {
      write_many(t, list, count, f->kernel);
    } else if (!many) {
      (verification_shows(f) ? text_write_counterexample : write_finding)(t, f);
    }
  }
  free(list);
  return count > 0;
}

/* Before anything else: results that rest on what was never computed. */
void text_write_unnoticed(text *t) {
  for (size_t i = 0; i < t->v->finding_count; i++) {
    const db_finding *f = &t->v->findings[i];
    if (strcmp(f->rule, "api-error") == 0 && f->suppressed == NULL) {
      scoped_buffer item = buffer_with("Not what it seems: ");
      finding_message(t->v, f, &item);
      text_wrapped(t, 0, 2, buffer_text(&item));
      buffer_putc(&t->out, '\n');
    }
  }
}
