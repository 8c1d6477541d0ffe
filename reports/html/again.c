/* Of a mutant that survives: the command that runs it again, and the line that says that it may. */
#include <string.h>

#include "base/buffer.h"
#include "base/subprocess.h"
#include "reports/common/mutation.h"
#include "reports/common/place.h"
#include "reports/common/suppress_text.h"
#include "reports/html/page.h"

/* --- the command ----------------------------------------------------------------------------------------------- */

/* The first test case that ran it and has a command. */
static const view_test_case *test_of(const page *p, const db_mutant *m) {
  for (size_t i = 0; i < m->verdict_count; i++) {
    const view_test_case *t = &p->v->test_cases[m->verdicts[i].test_case];
    if (m->verdicts[i].runs > 0 && t->command_line[0] != '\0') {
      return t;
    }
  }
  return NULL;
}

static void put_command(const page *p, const db_mutant *m) {
  const view_test_case *t = test_of(p, m);
  if (t == NULL) {
    return;
  }
  buffer line = {0};
  buffer oracle = {0};
  buffer device = {0};
  mutation_setting(p->v, " oracle ", " device ", &oracle);
  mutation_setting(p->v, " device ", " since ", &device);
  buffer_printf(&line, "cltestcheck mutate --mutant %u --operators ", m->id);
  shell_word(&line, m->operator_name);
  buffer_puts(&line, " --no-cache --db again.db");
  if (oracle.length > 0 && strcmp(buffer_text(&oracle), "exit") != 0) {
    buffer_puts(&line, " --oracle ");
    shell_word(&line, buffer_text(&oracle));
  }
  if (device.length > 0) {
    buffer_puts(&line, " --device ");
    shell_word(&line, buffer_text(&device));
  }
  buffer_printf(&line, " -- %s", t->command_line);
  (void)fputs("<p>Again: ", p->out);
  page_to_paste(p, buffer_text(&line));
  buffer_free(&line);
  buffer_free(&oracle);
  buffer_free(&device);
}

/* --- the suppression ------------------------------------------------------------------------------------------- */

static bool continues(const place_line *line) { return line->length > 0 && line->text[line->length - 1] == '\\'; }

static void put_suppression(const page *p, const db_mutant *m) {
  const model_file *f = &p->v->files[m->file];
  if (m->offset > f->length || m->function >= p->v->function_count) {
    return;
  }
  const place_line line = suppress_trimmed(place_line_at(f, m->offset));
  buffer rule = {0}, text = {0};
  buffer_printf(&rule, "mutant/%s", m->operator_name);
  suppress_text(buffer_text(&rule), p->v->functions[m->function].name, line, &text);
  (void)fputs("<p>It may survive? Below <code>suppressions:</code> in <code>cltestcheck.yaml</code>: ", p->out);
  page_to_paste(p, buffer_text(&text));
  buffer_free(&rule);
  buffer_free(&text);
  if (!continues(&line)) { /* a comment would swallow what joins the lines */
    (void)fputs(" or, for all mutants of the line, at its end: ", p->out);
    page_to_paste(p, "// cltestcheck: no-mutate");
  }
}

void page_suppression(const page *p, const db_finding *f) {
  buffer text = {0};
  suppress_finding_text(p->v, f, &text);
  (void)fputs("<p>It is fine? Below <code>suppressions:</code> in <code>cltestcheck.yaml</code>: ", p->out);
  page_to_paste(p, buffer_text(&text));
  (void)fputs("\n", p->out);
  buffer_free(&text);
}

void page_again(const page *p, const db_mutant *m) {
  if (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED) {
    put_command(p, m);
  }
  put_suppression(p, m);
}
