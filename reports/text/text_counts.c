/* Tables of kernels with counts: errors with memory, and data races, that were seen on a device. */
#include "reports/common/memory.h"
#include "reports/common/races.h"
#include "reports/text/text.h"

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
  buffer heading = {0};
  buffer_printf(&heading, "%-*s%*s", (int)(t->width - (c->count + 1) * COLUMN), "Kernel", COLUMN, "launches");
  for (size_t i = 0; i < c->count; i++) {
    buffer_printf(&heading, "%*s", COLUMN, c->titles[i]);
  }
  text_heading(t, buffer_text(&heading));
  buffer_free(&heading);
  uint64_t launches = 0;
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    if (report_selects(t->options, k->name)) {
      buffer label = {0};
      text_kernel_label(t, k, &label);
      put_row(t, c, buffer_text(&label), k->launches, k->name);
      buffer_free(&label);
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
  buffer line = {0};
  buffer_printf(&line, "%s of ", what);
  report_runs(t->v, command, &line);
  buffer_printf(&line, ": none was seen in %llu launch%s of %zu kernel%s", (unsigned long long)launches,
                launches == 1 ? "" : "es", kernels, text_plural(kernels));
  buffer_puts(&line, t->v->skipped_count > 0 ? "; what was not looked at is listed below" : "");
  text_wrapped(t, 0, 2, buffer_text(&line));
  buffer_free(&line);
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
