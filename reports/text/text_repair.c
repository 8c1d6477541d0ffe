/* Repairs in the text report: what became of each file, and its patch. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/repairs.h"
#include "reports/text/text.h"

static void write_report(text *t, const db_repair *r) {
  const char *at = r->report, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) {
    char *one = mem_strndup(line, length);
    const size_t indent = strspn(one, " ");
    text_pad(t, indent);
    text_fitted(t, indent, indent + 2, one + indent);
    free(one);
  }
}

static void write_patch(text *t, const db_repair *r) {
  const char *at = r->patch, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) {
    buffer clean = {0};
    char *one = mem_strndup(line, length);
    text_name(&clean, one);
    text_styled(t, line[0] == '+' ? STYLE_GREEN : line[0] == '-' ? STYLE_RED : STYLE_DIM, buffer_text(&clean));
    buffer_putc(&t->out, '\n');
    buffer_free(&clean);
    free(one);
  }
}

void text_write_repairs(text *t) {
  buffer title = {0};
  buffer_puts(&title, "Repairs of ");
  report_runs(t->v, "repair", &title);
  text_heading(t, buffer_text(&title));
  buffer_free(&title);
  buffer_putc(&t->out, '\n');
  for (size_t i = 0; i < t->v->repair_count; i++) {
    const db_repair *r = &t->v->repairs[i];
    buffer_puts(&t->out, i > 0 ? "\n" : "");
    buffer_printf(&t->out, "%s: ", r->name);
    const bool good = strcmp(r->outcome, "fine") == 0 || strcmp(r->outcome, "repaired") == 0;
    text_styled(t, good ? STYLE_GREEN : STYLE_RED, repair_words(r));
    buffer_putc(&t->out, '\n');
    write_report(t, r);
    write_patch(t, r);
  }
}
