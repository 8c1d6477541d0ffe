/* The text report on errors with memory that were seen on a device: a table of kernels. */
#include "reports/common/memory.h"
#include "reports/text/text.h"

#define COLUMN 12

static void put_number(text *t, uint64_t n, const char *none) {
  char number[32];
  (void)snprintf(number, sizeof number, n == 0 ? none : "%llu", (unsigned long long)n);
  text_right(t, COLUMN, number);
}

static void put_row(text *t, const char *name, uint64_t launches, size_t errors) {
  text_left(t, t->width - 2 * COLUMN, name);
  put_number(t, launches, report_no_launch(t->v));
  put_number(t, errors, "-");
  buffer_putc(&t->out, '\n');
}

void text_write_memory(text *t) {
  const view *v = t->v;
  buffer heading = {0};
  buffer_printf(&heading, "%-*s%*s%*s", (int)t->width - 2 * COLUMN, "Kernel", COLUMN, "launches", COLUMN, "errors");
  text_heading(t, buffer_text(&heading));
  buffer_free(&heading);
  uint64_t launches = 0;
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    if (!report_selects(t->options, k->name)) {
      continue;
    }
    buffer label = {0};
    text_kernel_label(t, k, &label);
    put_row(t, buffer_text(&label), k->launches, memory_count(v, t->options, k->name, NULL));
    buffer_free(&label);
    launches += k->launches;
  }
  text_rule(t);
  put_row(t, "total", launches, memory_count(v, t->options, NULL, NULL));
}
