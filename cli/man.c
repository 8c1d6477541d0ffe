/* Man pages, made from the tables. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/help.h"
#include "cli/option_kinds.h"
#include "mutate/operators.h"
#include "reports/common/report.h"
#include "reports/formats.h"

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
  for (const char *c = name; *c != '\0'; c++) {
    (void)fputc(toupper((unsigned char)*c), out);
  }
  (void)fprintf(out, " 1 \"\" \"cltestcheck %s\" \"User Commands\"\n.SH NAME\n", CLTC_VERSION);
  roff(out, name);
  (void)fputs(" \\- ", out);
  line(out, summary);
}

static void one_option(FILE *out, const option *o) {
  (void)fputs(".TP\n", out);
  if (o->letter != 0) {
    (void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
  }
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
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
    entry(out, m->name, m->summary);
  }
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
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    entry(out, w->name, w->summary);
  }
}

static bool has(const command *c, const char *name, bool with_value) {
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0 && strcmp(o->name, name) == 0 && (o->argument != NULL) == with_value) {
      return true;
    }
  }
  return false;
}

static void command_page(const command *c, FILE *out) {
  buffer name = {0};
  buffer_printf(&name, "cltestcheck-%s", c->name);
  title(out, buffer_text(&name), c->summary);
  buffer_free(&name);
  (void)fprintf(out, ".SH SYNOPSIS\n.B cltestcheck %s\n", c->name);
  line(out, c->usage);
  (void)fputs(".SH DESCRIPTION\n", out);
  line(out, c->details);
  (void)fputs(".SH OPTIONS\n", out);
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0) {
      one_option(out, o);
    }
  }
  if (has(c, "operators", true)) {
    operators(out);
  }
  if (has(c, "fail-under", true) && !has(c, "operators", true)) {
    metrics(out);
  }
  if (has(c, "format", true)) {
    formats(out);
  }
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
  if (c == NULL) {
    overview_page(out);
  } else {
    command_page(c, out);
  }
}
