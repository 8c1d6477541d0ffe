/* Help, man pages and the table of commands: short help has what is used most. */
#include "cli/help.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "mutate/mutate.h"
#include "reports/common/report.h"
#include "reports/formats.h"

#define EXIT_STOPPED 130

/* The commands, one table. */

#define COMMAND_AT(name, NAME) &command_##name,
const command *const commands[] = {COMMANDS(COMMAND_AT) NULL};

const command *command_find(const char *name) {
  EACH_COMMAND(c) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

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
  if (o->letter != 0) (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
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
  if (strlen(head) + 2 > INDENT)
    (void)fprintf(out, "%s\n%*s", head, INDENT, "");
  else
    (void)fprintf(out, "%-*s", INDENT, head);
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
  for (const exit_meaning *m = exit_meanings; m->meaning != NULL; m++)
    (void)fprintf(out, "  %-4d%s\n", m->code, m->meaning);
}

void help_command(const command *c, bool all, FILE *out) {
  (void)fprintf(out, "Example: %s\n", c->example);
  (void)fprintf(out, "Usage:   cltestcheck %s ", c->name);
  wrap(out, c->usage, 22 + strlen(c->name), 9);
  (void)fputc('\n', out);
  wrap(out, c->details, 0, 0);
  (void)print_options(c, true, all ? "\nUsed most:\n" : "\nOptions:\n", out);
  if (!all && !is_short(c)) {
    scoped_buffer more = {0};
    buffer_printf(&more, "`cltestcheck help %s --all` has %zu more options%s, and the exit status.", c->name,
                  print_options(c, false, "", NULL),
                  (c->bit & FOR_MUTATE) != 0                                 ? ", operators, formats"
                  : (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0 ? ", metrics, formats"
                  : (c->bit & FOR_AMPLIFY) != 0                              ? ", formats"
                                                                             : "");
    (void)fputc('\n', out);
    wrap(out, buffer_text(&more), 0, 0);
    return;
  }
  (void)print_options(c, false, print_options(c, true, "", NULL) == 0 ? "\nOptions:\n" : "\nAll others:\n", out);
  if (all && (c->bit & FOR_MUTATE) != 0) list_operators(out);
  if (all && (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0) list_metrics(out);
  if (all && (c->bit & (FOR_COVERAGE | FOR_MUTATE | FOR_AMPLIFY | FOR_VERIFY | FOR_REPORT)) != 0) list_formats(out);
  if (all) print_exits(out);
}

/* Man pages, made from the tables. */

/* roff takes a leading dot or quote, and a bare hyphen or backslash, as its own. */
static void roff(FILE *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '-') {
      (void)fputs("\\-", out);
    } else if (*c == '\\') {
      (void)fputs("\\e", out);
    } else if (*c == '\n') {
      (void)fputs("\n.PP\n", out);
    } else {
      if (c == text && (*c == '.' || *c == '\'')) (void)fputs("\\&", out);
      (void)fputc(*c, out);
    }
  }
}

static void line(FILE *out, const char *text) {
  roff(out, text);
  (void)fputc('\n', out);
}

/* A word in bold, and what it means. */
static void entry(FILE *out, const char *word, const char *meaning) {
  (void)fputs(".TP\n.B ", out);
  line(out, word);
  line(out, meaning);
}

static void title(FILE *out, const char *name, const char *summary) {
  (void)fputs(".TH ", out);
  for (const char *c = name; *c != '\0'; c++) (void)fputc(toupper((unsigned char)*c), out);
  (void)fprintf(out, " 1 \"\" \"cltestcheck %s\" \"User Commands\"\n.SH NAME\n", CLTC_VERSION);
  roff(out, name);
  (void)fputs(" \\- ", out);
  line(out, summary);
}

static void one_option(FILE *out, const option *o) {
  (void)fputs(".TP\n", out);
  if (o->letter != 0) (void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
  (void)fputs("\\fB\\-\\-", out);
  roff(out, o->name);
  (void)fputs("\\fR", out);
  if (o->argument != NULL) {
    (void)fputs(" \\fI", out);
    roff(out, o->argument);
    (void)fputs("\\fR", out);
  }
  (void)fputc('\n', out);
  line(out, o->help);
}

static void exits(FILE *out) {
  (void)fputs(".SH EXIT STATUS\n", out);
  for (const exit_meaning *m = exit_meanings; m->meaning != NULL; m++) {
    char code[16];
    (void)snprintf(code, sizeof code, "%d", m->code);
    entry(out, code, m->meaning);
  }
}

static void metrics(FILE *out) {
  (void)fputs(".SH METRICS\nFor \\fB\\-\\-fail\\-under\\fR:\n", out);
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) entry(out, m->name, m->summary);
}

static void operators(FILE *out) {
  (void)fputs(".SH OPERATORS\nFor \\fB\\-\\-operators\\fR, with the set that each belongs to:\n", out);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    char head[64];
    (void)snprintf(head, sizeof head, "%s (%s)", mutate_operators[i].name, mutate_operators[i].set);
    entry(out, head, mutate_operators[i].summary);
  }
}

static void formats(FILE *out) {
  (void)fputs(".SH FORMATS\nFor \\fB\\-\\-format\\fR:\n", out);
  for (const report_writer *w = report_writers; w->name != NULL; w++) entry(out, w->name, w->summary);
}

static bool command_has(const command *c, const char *name, bool with_value) {
  for (const option *o = options; o->name != NULL; o++)
    if ((o->commands & c->bit) != 0 && strcmp(o->name, name) == 0 && (o->argument != NULL) == with_value) return true;
  return false;
}

static void command_page(const command *c, FILE *out) {
  scoped_buffer name = buffer_with("cltestcheck-%s", c->name);
  title(out, buffer_text(&name), c->summary);
  (void)fprintf(out, ".SH SYNOPSIS\n.B cltestcheck %s\n", c->name);
  line(out, c->usage);
  (void)fputs(".SH DESCRIPTION\n", out);
  line(out, c->details);
  (void)fputs(".SH OPTIONS\n", out);
  for (const option *o = options; o->name != NULL; o++)
    if ((o->commands & c->bit) != 0) one_option(out, o);
  if (command_has(c, "operators", true)) operators(out);
  if (command_has(c, "fail-under", true) && !command_has(c, "operators", true)) metrics(out);
  if (command_has(c, "format", true)) formats(out);
  exits(out);
  (void)fputs(".SH EXAMPLES\n.nf\n", out);
  line(out, c->example);
  (void)fputs(".fi\n.SH SEE ALSO\n.BR cltestcheck (1)\n", out);
}

static void environment(FILE *out) {
  (void)fputs(".SH ENVIRONMENT\n", out);
  entry(out, "CLTESTCHECK_OPTION",
        "The value of an option: CLTESTCHECK_RUNS=5 is --runs 5, CLTESTCHECK_FAIL_UNDER=branch=80,line=90 is "
        "--fail-under twice, CLTESTCHECK_QUIET=1 is --quiet. Options on the command line are above it, the "
        "configuration file is below.");
  entry(out, "CLTESTCHECK_SLOTS_CAP",
        "Bytes of device memory that evidence of running launches may take, 64 MiB where it is not set.");
  entry(out, "NO_COLOR", "No colours, unless --color always asks for them.");
  entry(out, "OPENCL_LAYERS", "Other OpenCL layers; ours is put in front.");
  entry(out, "TMPDIR", "Where temporary captures go.");
}

static void overview_page(FILE *out) {
  title(out, "cltestcheck", "test effectiveness of OpenCL kernels");
  (void)fputs(
      ".SH SYNOPSIS\n.B cltestcheck\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n"
      "Measures how well the tests of a program exercise its OpenCL kernels, without a change to program, kernels or "
      "build: as a layer between the program and its driver.\n.SH COMMANDS\n",
      out);
  EACH_COMMAND(c) { entry(out, c->name, c->summary); }
  (void)fputs(".PP\nEach has a page of its own, such as\n.BR cltestcheck\\-coverage (1).\n", out);
  exits(out);
  environment(out);
  (void)fputs(".SH FILES\n", out);
  entry(out, "cltestcheck.yaml",
        "Options and suppressions of a project, found in the working folder or the nearest one above it. `cltestcheck "
        "config` says what holds.");
  entry(out, "cltestcheck.db", "The results database, in the working folder.");
  (void)fputs(".SH EXAMPLES\n.nf\n", out);
  EACH_COMMAND(c) { line(out, c->example); }
  (void)fputs(".fi\n.SH SEE ALSO\n", out);
  EACH_COMMAND(c) {
    (void)fprintf(out, ".BR cltestcheck\\-%s (1)%s\n", c->name, c == commands[COMMAND_COUNT - 1] ? "" : ",");
  }
}

void help_man_page(const command *c, FILE *out) {
  if (c == NULL)
    overview_page(out);
  else
    command_page(c, out);
}