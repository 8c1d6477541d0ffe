/* Findings in the text report, and what stands before all of it. */
#include <string.h>

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

enum { RANKS = 5 };

bool text_findings_first(const view *v) { return memory_is(v) && races_are(v); }

bool text_write_findings(text *t) {
  bool any = false;
  for (size_t i = 0; i < RANKS * t->issues.count; i++) {
    const db_finding *f = t->issues.list[i % t->issues.count].finding;
    if (f == NULL || f->suppressed != NULL || rank_of(f) != i / t->issues.count) {
      continue;
    }
    if (!any) {
      buffer_puts(&t->out, text_findings_first(t->v) ? "" : "\n");
      text_heading(t, "Findings");
      any = true;
    }
    (verification_shows(f) ? text_write_counterexample : write_finding)(t, f);
  }
  return any;
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
