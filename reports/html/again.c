/* Of a mutant that survives: the command that runs it again, and the line that says that it may. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "reports/common/mutation.h"
#include "reports/common/place.h"
#include "reports/html/page.h"

enum { LONGEST = 200 }; /* bytes of a source line that stand in a suppression */

/* --- the command ----------------------------------------------------------------------------------------------- */

/* The first test case that ran it and has a command. */
static const view_test_case *test_of(const page *p, const view_mutant *m) {
  for (size_t i = 0; i < m->verdict_count; i++) {
    const view_test_case *t = &p->v->test_cases[m->verdicts[i].test_case];
    if (m->verdicts[i].runs > 0 && t->command_line[0] != '\0') {
      return t;
    }
  }
  return NULL;
}

static void put_command(const page *p, const view_mutant *m) {
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

/* In double quotes for YAML. What a page cannot show as it is matches any character. */
static void put_pattern(buffer *to, const char *text, size_t length, const char *behind) {
  buffer_putc(to, '"');
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    if (n == 1 && (text[i] == '"' || text[i] == '\\')) {
      buffer_putc(to, '\\');
      buffer_putc(to, text[i]);
    } else if (n == 1 && text[i] >= ' ' && text[i] < 0x7f) {
      buffer_putc(to, text[i]);
    } else {
      for (size_t k = 0; k < (n == 0 ? 1 : n); k++) {
        buffer_putc(to, '?');
      }
    }
    i += n == 0 ? 1 : n;
  }
  buffer_printf(to, "%s\"", behind);
}

static bool continues(const place_line *line) { return line->length > 0 && line->text[line->length - 1] == '\\'; }

static place_line trimmed(place_line line) {
  while (line.length > 0 && isspace((unsigned char)line.text[0]) != 0) {
    line.text++;
    line.length--;
  }
  while (line.length > 0 && isspace((unsigned char)line.text[line.length - 1]) != 0) {
    line.length--;
  }
  return line;
}

static void put_suppression(const page *p, const view_mutant *m) {
  const view_file *f = &p->v->files[m->file];
  if (m->offset > f->length || m->function >= p->v->function_count) {
    return;
  }
  const place_line line = trimmed(place_line_at(f, m->offset));
  buffer rule = {0};
  const char *function = p->v->functions[m->function].name;
  const bool cut = line.length > LONGEST;
  buffer_printf(&rule, "- {rule: mutant/%s, kernel: ", m->operator_name);
  put_pattern(&rule, function, strlen(function), "");
  buffer_puts(&rule, ", line: ");
  put_pattern(&rule, line.text, cut ? LONGEST : line.length, cut ? "*" : "");
  buffer_puts(&rule, ", reason: \"" UTF8_ELLIPSIS "\"}");
  (void)fputs("<p>It may survive? Below <code>suppressions:</code> in <code>cltestcheck.yaml</code>: ", p->out);
  page_to_paste(p, buffer_text(&rule));
  buffer_free(&rule);
  if (!continues(&line)) { /* a comment would swallow what joins the lines */
    (void)fputs(" or, for all mutants of the line, at its end: ", p->out);
    page_to_paste(p, "// cltestcheck: no-mutate");
  }
}

void page_again(const page *p, const view_mutant *m) {
  if (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED) {
    put_command(p, m);
  }
  put_suppression(p, m);
}
