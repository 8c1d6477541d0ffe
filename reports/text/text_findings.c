/* Findings in the text report, and what stands before all of it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "reports/common/memory.h"
#include "reports/common/races.h"
#include "reports/common/verification.h"
#include "reports/text/text.h"
#include "reports/words/finding_words.h"

static void write_finding(text *t, const db_finding *f) {
  const view *v = t->v;
  buffer item = {0};
  if (f->file != MODEL_NONE) {
    buffer_printf(&item, "%s:%u: ", v->files[f->file].name, f->line);
  }
  verification_title(f, &item);
  buffer_printf(&item, "%s%s: ", f->kernel[0] == '\0' ? "" : " in kernel ", f->kernel);
  finding_message(v, f, &item);
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, buffer_text(&item));
  buffer_free(&item);
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
  buffer place = {0}, what = {0};
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
  buffer_free(&place);
  buffer_free(&what);
}

/* All of a kernel that are of its rank are rows of a table. */
static void write_many(text *t, const db_finding *const *list, size_t count, const char *kernel) {
  buffer line = {0};
  buffer_printf(
      &line,
      "Kernel %s has %zu findings; --all, or `cltestcheck report --verbose%s%s`, shows each in full, --replay ID looks "
      "for one again:",
      kernel, count_of(list, count, kernel), t->options->database == NULL ? "" : " --db ",
      t->options->database == NULL ? "" : t->options->database);
  text_wrapped(t, 0, 2, buffer_text(&line));
  buffer_free(&line);
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
      buffer item = {0};
      buffer_puts(&item, "Not what it seems: ");
      finding_message(t->v, f, &item);
      text_wrapped(t, 0, 2, buffer_text(&item));
      buffer_putc(&t->out, '\n');
      buffer_free(&item);
    }
  }
}
