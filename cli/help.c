/* Help, man page and completion, made from the tables. */
#include <string.h>

#include "cli/options.h"
#include "mutate/operators.h"
#include "reports/report.h"

enum { WIDTH = 80, INDENT = 24 };

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

static const struct {
  int code;
  const char *meaning;
} exits[] = {
    {EXIT_FINE, "fine"},
    {EXIT_USAGE, "wrong arguments, or a file that cannot be used"},
    {EXIT_THRESHOLD, "below a --fail-under threshold"},
    {EXIT_FOUND, "barrier divergence, a race or a deadlock was found"},
    {EXIT_BASELINE, "the program under test itself failed or ran out of time"},
    {EXIT_NOTHING, "nothing was observed: no kernel from source, no launch to order"},
    {EXIT_INTERNAL, "an internal failure (no memory, disk full)"},
};

void help_overview(FILE *out) {
  (void)fputs(
      "Tells how well tests exercise OpenCL kernels, in unmodified programs.\n\n"
      "Usage: cltestcheck COMMAND [OPTIONS] …\n\nCommands:\n",
      out);
  for (const command *c = commands; c->name != NULL; c++) {
    (void)fprintf(out, "  %-10s", c->name);
    wrap(out, c->summary, 12, 12);
  }
  (void)fputs(
      "\nStart here:\n"
      "  cltestcheck coverage -- ./my_tests       coverage of every kernel that it runs\n"
      "  cltestcheck report --show-missed         what the tests never did\n"
      "  cltestcheck mutate -- ./my_tests         which faults they would not notice\n"
      "  cltestcheck amplify -- ./my_tests        which results depend on the order\n\n"
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

static void list_operators(FILE *out) {
  (void)fputs("\nOperators (for --operators):\n", out);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    char head[64];
    (void)snprintf(head, sizeof head, "%s (%s)", mutate_operators[i].name, mutate_operators[i].set);
    (void)fprintf(out, "  %-*s", INDENT - 2, head);
    wrap(out, mutate_operators[i].summary, INDENT, INDENT);
  }
}

void help_command(const command *c, FILE *out) {
  (void)fprintf(out, "Usage: cltestcheck %s ", c->name);
  wrap(out, c->usage, 20 + strlen(c->name), 6);
  (void)fputc(0x0a, out);
  wrap(out, c->details, 0, 0);
  (void)fputs("\nOptions:\n", out);
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0) {
      char head[80];
      option_head(o, head, sizeof head);
      if (strlen(head) + 2 > INDENT) {
        (void)fprintf(out, "%s\n%*s", head, INDENT, "");
      } else {
        (void)fprintf(out, "%-*s", INDENT, head);
      }
      wrap(out, o->help, INDENT, INDENT);
    }
  }
  if ((c->bit & FOR_MUTATE) != 0) {
    list_operators(out);
  }
  if ((c->bit & (FOR_COVERAGE | FOR_REPORT)) != 0) {
    list_metrics(out);
  }
  (void)fputs("\nExit status:\n", out);
  for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++) {
    (void)fprintf(out, "  %-4d%s\n", exits[i].code, exits[i].meaning);
  }
  (void)fprintf(out, "\nExample:\n  %s\n", c->example);
}

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
      if (c == text && (*c == '.' || *c == '\'')) {
        (void)fputs("\\&", out);
      }
      (void)fputc(*c, out);
    }
  }
}

static void man_options(FILE *out, const command *c) {
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) == 0 || o->commands == FOR_ALL) {
      continue;
    }
    (void)fputs(".TP\n", out);
    if (o->letter != 0) {
      (void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    }
    (void)fputs("\\fB\\-\\-", out);
    roff(out, o->name);
    (void)fprintf(out, "\\fR \\fI%s\\fR\n", o->argument == NULL ? "" : o->argument);
    roff(out, o->help);
    (void)fputc('\n', out);
  }
}

void help_man_page(FILE *out) {
  (void)fprintf(out,
                ".TH CLTESTCHECK 1 \"\" \"cltestcheck %s\" \"User Commands\"\n.SH NAME\ncltestcheck \\- test "
                "effectiveness of OpenCL kernels\n.SH SYNOPSIS\n.B cltestcheck\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
                ".SH DESCRIPTION\nMeasures how well tests exercise OpenCL kernels, on unmodified programs.\n"
                ".SH COMMANDS\n",
                CLTC_VERSION);
  for (const command *c = commands; c->name != NULL; c++) {
    (void)fprintf(out, ".SS cltestcheck %s ", c->name);
    roff(out, c->usage);
    (void)fputc('\n', out);
    roff(out, c->details);
    (void)fputc('\n', out);
    man_options(out, c);
    (void)fputs(".PP\nExample:\n.PP\n.nf\n", out);
    roff(out, c->example);
    (void)fputs("\n.fi\n", out);
  }
  (void)fputs(".SH EXIT STATUS\n", out);
  for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++) {
    (void)fprintf(out, ".TP\n.B %d\n", exits[i].code);
    roff(out, exits[i].meaning);
    (void)fputc('\n', out);
  }
}

void help_completion(FILE *out) {
  (void)fputs(
      "# bash completion for cltestcheck\n"
      "_cltestcheck() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -- ]] && { _command_offset $((i + 1)) 2>/dev/null; return; }\n"
      "  done\n"
      "  local known=\n"
      "  case ${COMP_WORDS[1]} in\n",
      out);
  for (const command *c = commands; c->name != NULL; c++) {
    (void)fprintf(out, "    %s) known=\"", c->name);
    for (const option *o = options; o->name != NULL; o++) {
      if ((o->commands & c->bit) != 0) {
        (void)fprintf(out, "--%s ", o->name);
      }
    }
    (void)fputs("\" ;;\n", out);
  }
  (void)fputs("    *) known=\"", out);
  for (const command *c = commands; c->name != NULL; c++) {
    (void)fprintf(out, "%s ", c->name);
  }
  (void)fputs(
      "help\" ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$known\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}\n"
      "complete -o filenames -F _cltestcheck cltestcheck\n",
      out);
}
