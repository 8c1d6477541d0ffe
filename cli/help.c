/* Help, made from the tables: short with what is used most, or all of it. */
#include "cli/help.h"

#include <string.h>

#include "base/buffer.h"
#include "cli/option_kinds.h"
#include "mutate/operators.h"
#include "reports/common/report.h"
#include "reports/formats.h"

enum { WIDTH = 80, INDENT = 26 };

/* Writes `text` wrapped to the terminal's width, starting at column `column`, continued at `indent`. */
static void wrap(FILE *out, const char *text, size_t column, size_t indent) {
  size_t at = column;
  bool first = true;
  while (*text != '\0') {
    size_t length = strcspn(text, " \n");
    if (!first && at + 1 + length > WIDTH - 1) {
      (void)fprintf(out, "\n%*s", (int)indent, "");
      at = indent;
    } else if (!first) {
      (void)fputc(' ', out);
      at++;
    }
    (void)fprintf(out, "%.*s", (int)length, text);
    at += length;
    text += length;
    text += *text == '\0' ? 0 : 1;
    first = false;
  }
  (void)fputc('\n', out);
}

const exit_meaning exit_meanings[] = {
    {EXIT_FINE, "fine"},
    {EXIT_USAGE, "wrong arguments, or a file that cannot be used"},
    {EXIT_THRESHOLD, "below a threshold, or what --fail-on names was found"},
    {EXIT_FOUND, "found: a memory error, a race, barrier divergence, a deadlock"},
    {EXIT_BASELINE, "the program under test itself failed or ran out of time"},
    {EXIT_NOTHING, "nothing was observed: no kernel from source, no launch to order"},
    {EXIT_INTERNAL, "an internal failure (no memory, disk full)"},
    {EXIT_STOPPED, "interrupted; what was seen is kept"},
    {0, NULL},
};

void help_overview(FILE *out) {
  (void)fputs(
      "Tells how well tests exercise OpenCL kernels, in unmodified programs.\n\n"
      "Usage: cltestcheck COMMAND [OPTIONS] …\n\nCommands:\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "  %-10s", c->name);
    wrap(out, c->summary, 12, 12);
  }
  (void)fputs(
      "\nStart here:\n"
      "  cltestcheck check -- ./my_tests          all that kernels do wrong, one report\n"
      "  cltestcheck doctor                       what is missing on this machine\n"
      "  cltestcheck coverage -- ./my_tests       coverage of every kernel that it runs\n"
      "  cltestcheck report --show-missed         what the tests never did\n"
      "  cltestcheck mutate -- ./my_tests         which faults they would not notice\n"
      "  cltestcheck amplify -- ./my_tests        which results depend on the order\n"
      "  cltestcheck races -- ./my_tests          which accesses race\n"
      "  cltestcheck memory -- ./my_tests         which accesses leave their buffers\n"
      "  cltestcheck verify -- ./my_tests         whether a race is possible at all\n\n"
      "`cltestcheck help COMMAND` shows a command's options.\n",
      out);
}

static void option_head(const option *o, char *text, size_t size) {
  char letter[8] = "    ";
  if (o->letter != 0) {
    (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
  }
  (void)snprintf(text, size, "  %s--%s%s%s", letter, o->name, o->argument == NULL ? "" : " ",
                 o->argument == NULL ? "" : o->argument);
}

static void list_metrics(FILE *out) {
  (void)fputs("\nMetrics (for --fail-under):\n", out);
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
    (void)fprintf(out, "  %-*s", INDENT - 2, m->name);
    wrap(out, m->summary, INDENT, INDENT);
  }
}

static void list_formats(FILE *out) {
  (void)fputs("\nFormats (for --format):\n", out);
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    (void)fprintf(out, "  %-*s", INDENT - 2, w->name);
    wrap(out, w->summary, INDENT, INDENT);
  }
}

static void list_operators(FILE *out) {
  (void)fputs("\nOperators (for --operators):\n", out);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    char head[64];
    (void)snprintf(head, sizeof head, "%s (%s)", mutate_operators[i].name, mutate_operators[i].set);
    (void)fprintf(out, "  %-*s", INDENT - 2, head);
    wrap(out, mutate_operators[i].summary, INDENT, INDENT);
  }
}

static void print_option(const option *o, FILE *out) {
  char head[80];
  option_head(o, head, sizeof head);
  if (strlen(head) + 2 > INDENT) {
    (void)fprintf(out, "%s\n%*s", head, INDENT, "");
  } else {
    (void)fprintf(out, "%-*s", INDENT, head);
  }
  wrap(out, o->help, INDENT, INDENT);
}

/* Those used most, or the others; returns how many. */
static size_t print_options(const command *c, bool often, const char *heading, FILE *out) {
  size_t count = 0;
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0 && ((option_flags(o) & OPTION_OFTEN) != 0) == often) {
      if (out != NULL) {
        (void)fputs(count == 0 ? heading : "", out);
        print_option(o, out);
      }
      count++;
    }
  }
  return count;
}

/* Nothing but --config, --no-config and --help is left. */
static bool is_short(const command *c) { return print_options(c, false, "", NULL) <= 3; }

static void print_exits(FILE *out) {
  (void)fputs("\nExit status:\n", out);
  for (const exit_meaning *m = exit_meanings; m->meaning != NULL; m++) {
    (void)fprintf(out, "  %-4d%s\n", m->code, m->meaning);
  }
}

void help_command(const command *c, bool all, FILE *out) {
  (void)fprintf(out, "Example: %s\n", c->example);
  (void)fprintf(out, "Usage:   cltestcheck %s ", c->name);
  wrap(out, c->usage, 22 + strlen(c->name), 9);
  (void)fputc('\n', out);
  wrap(out, c->details, 0, 0);
  (void)print_options(c, true, all ? "\nUsed most:\n" : "\nOptions:\n", out);
  if (!all && !is_short(c)) {
    buffer more = {0};
    buffer_printf(&more, "`cltestcheck help %s --all` has %zu more options%s, and the exit status.", c->name,
                  print_options(c, false, "", NULL),
                  (c->bit & FOR_MUTATE) != 0                                 ? ", operators, formats"
                  : (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0 ? ", metrics, formats"
                  : (c->bit & FOR_AMPLIFY) != 0                              ? ", formats"
                                                                             : "");
    (void)fputc('\n', out);
    wrap(out, buffer_text(&more), 0, 0);
    buffer_free(&more);
    return;
  }
  (void)print_options(c, false, print_options(c, true, "", NULL) == 0 ? "\nOptions:\n" : "\nAll others:\n", out);
  if (all && (c->bit & FOR_MUTATE) != 0) {
    list_operators(out);
  }
  if (all && (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0) {
    list_metrics(out);
  }
  if (all && (c->bit & (FOR_COVERAGE | FOR_MUTATE | FOR_AMPLIFY | FOR_VERIFY | FOR_REPORT)) != 0) {
    list_formats(out);
  }
  if (all) {
    print_exits(out);
  }
}
