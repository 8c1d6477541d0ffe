/* What is made from the tables of commands and options: help, man pages, completion, the schema of cltestcheck.yaml. */
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "reports/formats.h"
#include "reports/words/words.h"

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

/* What options take: each word, and what it means. */
typedef void put_entry(FILE *out, const char *word, const char *meaning);

static void each_metric(FILE *out, put_entry *put) {
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) put(out, m->name, m->summary);
}

static void each_format(FILE *out, put_entry *put) {
  for (const report_writer *w = report_writers; w->name != NULL; w++) put(out, w->name, w->summary);
}

static void each_operator(FILE *out, put_entry *put) {
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    scoped_buffer head = buffer_with("%s (%s)", mutate_operators[i].name, mutate_operators[i].set);
    put(out, buffer_text(&head), mutate_operators[i].summary);
  }
}

static void help_entry(FILE *out, const char *word, const char *meaning) {
  (void)fprintf(out, "  %-*s", INDENT - 2, word);
  wrap(out, meaning, INDENT, INDENT);
}

static void help_entries(FILE *out, const char *heading, void (*each)(FILE *out, put_entry *put)) {
  (void)fputs(heading, out);
  each(out, help_entry);
}

static void print_option(const option *o, FILE *out) {
  char head[80], letter[8] = "    ";
  if (o->letter != 0) (void)snprintf(letter, sizeof letter, "-%c, ", o->letter);
  (void)snprintf(head, sizeof head, "  %s--%s%s%s", letter, o->name, o->argument == NULL ? "" : " ",
                 o->argument == NULL ? "" : o->argument);
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
    scoped_buffer more = buffer_with("`cltestcheck help %s --all` has %zu more options%s, and the exit status.",
                                     c->name, print_options(c, false, "", NULL),
                                     (c->bit & FOR_MUTATE) != 0                                 ? ", operators, formats"
                                     : (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0 ? ", metrics, formats"
                                     : (c->bit & FOR_AMPLIFY) != 0                              ? ", formats"
                                                                                                : "");
    (void)fputc('\n', out);
    wrap(out, buffer_text(&more), 0, 0);
    return;
  }
  (void)print_options(c, false, print_options(c, true, "", NULL) == 0 ? "\nOptions:\n" : "\nAll others:\n", out);
  if (all && (c->bit & FOR_MUTATE) != 0) help_entries(out, "\nOperators (for --operators):\n", each_operator);
  if (all && (c->bit & (FOR_COVERAGE | FOR_VERIFY | FOR_REPORT)) != 0)
    help_entries(out, "\nMetrics (for --fail-under):\n", each_metric);
  if (all && (c->bit & (FOR_COVERAGE | FOR_MUTATE | FOR_AMPLIFY | FOR_VERIFY | FOR_REPORT)) != 0)
    help_entries(out, "\nFormats (for --format):\n", each_format);
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

static void exits(FILE *out) {
  (void)fputs(".SH EXIT STATUS\n", out);
  for (const exit_meaning *m = exit_meanings; m->meaning != NULL; m++) {
    char code[16];
    (void)snprintf(code, sizeof code, "%d", m->code);
    entry(out, code, m->meaning);
  }
}

static bool takes_option(const command *c, const char *name, bool with_value) {
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
    if ((o->commands & c->bit) != 0) {
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
  if (takes_option(c, "operators", true)) {
    (void)fputs(".SH OPERATORS\nFor \\fB\\-\\-operators\\fR, with the set that each belongs to:\n", out);
    each_operator(out, entry);
  }
  if (takes_option(c, "fail-under", true) && !takes_option(c, "operators", true)) {
    (void)fputs(".SH METRICS\nFor \\fB\\-\\-fail\\-under\\fR:\n", out);
    each_metric(out, entry);
  }
  if (takes_option(c, "format", true)) {
    (void)fputs(".SH FORMATS\nFor \\fB\\-\\-format\\fR:\n", out);
    each_format(out, entry);
  }
  exits(out);
  (void)fputs(".SH EXAMPLES\n.nf\n", out);
  line(out, c->example);
  (void)fputs(".fi\n.SH SEE ALSO\n.BR cltestcheck (1)\n", out);
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

/* The JSON Schema of cltestcheck.yaml, made from the tables. */

#define TEXT "string"

static json_t *typed(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *text_or_number(void) { return json_pack("{s:[s,s]}", "type", TEXT, "number"); }

/* The words of an option as a JSON array; NULL: it takes any. */
static json_t *words_of(const option *o) {
  scoped_buffer text = {0};
  option_words(o, &text);
  json_t *list = text.length == 0 ? NULL : json_array();
  scoped char *copy = buffer_take(&text);
  for (char *word = list == NULL ? NULL : strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
    json_array_append_new(list, json_string(word));
  return list;
}

/* NAME: VALUE, with the names that there are. */
static json_t *mapping_of(const option *o) {
  json_t *map = typed("object");
  json_t *properties = json_object(), *names = words_of(o);
  size_t i = 0;
  json_t *name = NULL;
  json_array_foreach(names, i, name) { json_object_set_new(properties, json_string_value(name), text_or_number()); }
  json_decref(names);
  json_object_set_new(map, "properties", properties);
  json_object_set_new(map, "additionalProperties", json_false());
  return map;
}

/* Whatever forms a value may have, in an array. */
static void add_forms(const option *o, json_t *forms) {
  unsigned flags = option_flags(o);
  if (o->argument == NULL) {
    json_array_append_new(forms, typed("boolean"));
    return;
  }
  json_t *known = (flags & (OPTION_LIST | OPTION_JOINED)) == 0 ? words_of(o) : NULL;
  json_array_append_new(forms, known != NULL                  ? json_pack("{s:o}", "enum", known)
                               : (flags & OPTION_NUMBER) != 0 ? typed("number")
                                                              : text_or_number());
  if ((flags & (OPTION_LIST | OPTION_JOINED)) != 0)
    json_array_append_new(forms, json_pack("{s:s,s:o}", "type", "array", "items", text_or_number()));
  if ((flags & OPTION_MAP) != 0) json_array_append_new(forms, mapping_of(o));
}

/* `forms` as one schema; takes it over. */
static json_t *any_of(json_t *forms, const char *description) {
  json_t *schema = json_array_size(forms) == 1 ? json_deep_copy(json_array_get(forms, 0)) : json_object();
  if (json_array_size(forms) > 1) json_object_set(schema, "anyOf", forms);
  json_decref(forms);
  json_object_set_new(schema, "description", json_string(description));
  return schema;
}

static bool settable(const option *o) { return (option_flags(o) & OPTION_META) == 0; }

/* The options of one command. */
static json_t *section_of(const command *c) {
  json_t *properties = json_object();
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0 && settable(o)) {
      json_t *forms = json_array();
      add_forms(o, forms);
      json_object_set_new(properties, o->name, any_of(forms, o->help));
    }
  }
  json_t *section = typed("object");
  json_object_set_new(section, "properties", properties);
  json_object_set_new(section, "additionalProperties", json_false());
  return section;
}

static const command *command_of(const char *name) {
  const command *c = command_find(name);
  json_t *section = c == NULL ? NULL : section_of(c);
  bool empty = section == NULL || json_object_size(json_object_get(section, "properties")) == 0;
  json_decref(section);
  return empty ? NULL : c;
}

/* An option outside of sections; a section may have the same name. */
static void add_option(json_t *properties, const option *o) {
  if (!settable(o) || option_shadowed(o) || json_object_get(properties, o->name) != NULL) return;
  json_t *forms = json_array();
  add_forms(o, forms);
  const command *c = command_of(o->name);
  if (c != NULL) json_array_append_new(forms, section_of(c));
  json_object_set_new(properties, o->name, any_of(forms, o->help));
}

static json_t *suppressions(void) {
  scoped_buffer rules = {0};
  rule_names(&rules);
  buffer_puts(&rules,
              ", mutant or mutant/OPERATOR; loop-zero, loop-one, loop-many, loop-boundary, branch-true, branch-false, "
              "branch-case of what cannot be reached");
  json_t *list = json_pack("{s:s,s:s,s:{s:s,s:[s,s],s:b,s:{s:{s:s,s:s},s:{s:s,s:s},s:{s:s,s:s},s:{s:s,s:i,s:s}}}}",
                           "description", "findings, mutants and schedules that are looked at and fine", "type",
                           "array", "items", "type", "object", "required", "rule", "reason", "additionalProperties", 0,
                           "properties", "rule", "type", TEXT, "description", buffer_text(&rules), "kernel", "type",
                           TEXT, "description", "name of the kernel; * and ? stand for others", "line", "type", TEXT,
                           "description", "the source line; * and ? stand for others", "reason", "type", TEXT,
                           "minLength", 1, "description", "why it is fine");
  return list;
}

int help_schema(FILE *out) {
  json_t *properties = json_object();
  for (const option *o = options; o->name != NULL; o++) add_option(properties, o);
  EACH_COMMAND(c) {
    if (json_object_get(properties, c->name) == NULL && command_of(c->name) != NULL) {
      json_t *section = section_of(c);
      json_object_set_new(section, "description", json_string(c->summary));
      json_object_set_new(properties, c->name, section);
    }
  }
  json_object_set_new(properties, "suppressions", suppressions());
  json_t *schema = json_pack("{s:s,s:s,s:s,s:s,s:o,s:b}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
                             "cltestcheck.yaml", "description", "settings of cltestcheck (docs/configuration.md)",
                             "type", "object", "properties", properties, "additionalProperties", 0);
  int result = schema == NULL ? -1 : json_dumpf(schema, out, JSON_INDENT(1) | JSON_SORT_KEYS);
  (void)fputc('\n', out);
  json_decref(schema);
  return result;
}

/* Their names are at the beginnings of lines; what belongs to them is indented. */
#define BENCHMARKS "list 2>/dev/null | sed -n 's/^\\([^ ]\\{1,\\}\\).*/\\1/p'"

static bool takes_benchmarks(const command *c) { return strstr(c->usage, "BENCHMARK") != NULL; }

static bool command_has(const command *c, const option *o) { return (o->commands & c->bit) != 0; }

/* What a value is completed with. */
typedef struct value_words {
  buffer text; /* words, with spaces between; "" for none */
  bool file, folder;
} value_words;

static void completion_words_of(const option *o, value_words *w) {
  unsigned flags = option_flags(o);
  *w = (value_words){.file = (flags & (OPTION_FILE | OPTION_REPORT)) != 0, .folder = (flags & OPTION_FOLDER) != 0};
  option_words(o, &w->text);
}

/* The help up to its first half-sentence: what a list has room for. `special` characters are left out. */
static void put_short(const char *text, const char *special, FILE *out) {
  for (const char *c = text; *c != '\0' && strncmp(c, " (", 2) != 0 && *c != ';'; c++) {
    if (*c == ':' && c[1] == ' ') break;
    if (strchr(special, *c) == NULL) (void)fputc(*c, out);
  }
}

/* --- bash --------------------------------------------------------------------------------------------------------- */

static void bash_values(const command *c, FILE *out) {
  for (const option *o = options; o->name != NULL; o++) {
    value_words w;
    if (!command_has(c, o) || o->argument == NULL) continue;
    completion_words_of(o, &w);
    (void)fprintf(out, "    %s:--%s", c->name, o->name);
    if (o->letter != 0) (void)fprintf(out, "|%s:-%c", c->name, o->letter);
    (void)fprintf(out, ") values=\"%s\" files=%s ;;\n", buffer_text(&w.text), w.file ? "-f" : w.folder ? "-d" : "");
    buffer_free(&w.text);
  }
}

static void bash(FILE *out) {
  (void)fputs(
      "# bash completion for cltestcheck\n"
      "_cltestcheck() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
      "  local known= values= files=none benchmarks= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -- ]] && { _command_offset $((i + 1)) 2>/dev/null; return; }\n"
      "  done\n"
      "  [[ $COMP_CWORD == 1 || $verb == help ]] && verb=\n"
      "  # NAME=VALUE is three words to bash\n"
      "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  [[ $word == = ]] && word=\n"
      "  case $verb:$before in\n",
      out);
  EACH_COMMAND(c) { bash_values(c, out); }
  (void)fputs(
      "  esac\n"
      "  if [[ $files != none ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\") $([[ -n $files ]] && compgen $files -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    %s) known=\"", c->name);
    for (const option *o = options; o->name != NULL; o++)
      if (command_has(c, o)) (void)fprintf(out, "--%s ", o->name);
    (void)fputs(takes_benchmarks(c) ? "\"; benchmarks=yes ;;\n" : "\" ;;\n", out);
  }
  (void)fputs("    *) known=\"", out);
  EACH_COMMAND(c) { (void)fprintf(out, "%s ", c->name); }
  (void)fputs(
      "help\" ;;\n"
      "  esac\n"
      "  [[ -n $benchmarks && $word != -* ]] && known+=\" $(\"${COMP_WORDS[0]}\" " BENCHMARKS
      ")\"\n"
      "  COMPREPLY=($(compgen -W \"$known\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}\n"
      "complete -o filenames -F _cltestcheck cltestcheck\n",
      out);
}

/* --- zsh ---------------------------------------------------------------------------------------------------------- */

#define ZSH_SPECIAL "'[]`$\\:\""

static void zsh(FILE *out) {
  (void)fputs(
      "#compdef cltestcheck\n"
      "_cltestcheck_named() {\n"
      "  local -a names=(${(f)\"$(cltestcheck " BENCHMARKS
      ")\"})\n"
      "  compadd -a names\n"
      "  _files\n"
      "}\n"
      "_cltestcheck() {\n"
      "  local -a verbs=(\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    '%s:", c->name);
    put_short(c->summary, ZSH_SPECIAL, out);
    (void)fputs("'\n", out);
  }
  (void)fputs(
      "    'help:show the options of a command'\n"
      "  )\n"
      "  if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
      "    _describe command verbs\n"
      "    return\n"
      "  fi\n"
      "  local dash=$words[(i)--]\n"
      "  if ((dash < CURRENT)); then\n"
      "    shift dash words\n"
      "    ((CURRENT -= dash))\n"
      "    _normal\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    %s) shift words; ((CURRENT--)); _arguments \\\n", c->name);
    for (const option *o = options; o->name != NULL; o++)
      if (command_has(c, o)) {
        bool repeats = (option_flags(o) & OPTION_LIST) != 0;
        (void)fputs("      ", out);
        if (o->letter != 0)
          (void)fprintf(out, repeats ? "{'*-%c','*--%s'}" : "'(-%c --%s)'{-%c,--%s}", o->letter, o->name, o->letter,
                        o->name);
        else
          (void)fprintf(out, "'%s--%s'", repeats ? "*" : "", o->name);
        (void)fputs("'[", out);
        put_short(o->help, ZSH_SPECIAL, out);
        (void)fputs("]", out);
        if (o->argument != NULL) {
          value_words w;
          completion_words_of(o, &w);
          (void)fputs(":", out);
          put_short(o->argument, ZSH_SPECIAL, out);
          (void)fputs(":", out);
          if (w.text.length > 0)
            (void)fprintf(out, "(%s)", buffer_text(&w.text));
          else if (w.file || w.folder)
            (void)fputs(w.folder ? "_files -/" : "_files", out);
          buffer_free(&w.text);
        }
        (void)fputs("' \\\n", out);
      }
    (void)fprintf(out, "      '*:%s' ;;\n",
                  takes_benchmarks(c) ? "benchmark or file:_cltestcheck_named" : "file:_files");
  }
  (void)fputs(
      "  esac\n"
      "}\n"
      "_cltestcheck \"$@\"\n",
      out);
}

#define FISH_SPECIAL "'\\"

static void fish(FILE *out) {
  (void)fputs("# fish completion for cltestcheck\n", out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "complete -c cltestcheck -n __fish_use_subcommand -f -a %s -d '", c->name);
    put_short(c->summary, FISH_SPECIAL, out);
    (void)fputs("'\n", out);
  }
  EACH_COMMAND(c) {
    for (const option *o = options; o->name != NULL; o++)
      if (command_has(c, o)) {
        (void)fprintf(out, "complete -c cltestcheck -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
        if (o->letter != 0) (void)fprintf(out, " -s %c", o->letter);
        if (o->argument != NULL) {
          value_words w;
          completion_words_of(o, &w);
          (void)fprintf(out, " %s", w.file || w.folder ? "-rF" : "-x");
          if (w.text.length > 0) (void)fprintf(out, " -a '%s'", buffer_text(&w.text));
          buffer_free(&w.text);
        }
        (void)fputs(" -d '", out);
        put_short(o->help, FISH_SPECIAL, out);
        (void)fputs("'\n", out);
      }
    if (takes_benchmarks(c)) {
      (void)fprintf(out, "complete -c cltestcheck -n '__fish_seen_subcommand_from %s' -a '(cltestcheck ", c->name);
      (void)fputs("list 2>/dev/null | string replace -rf \"^(\\S+).*\" \"\\$1\")'\n", out);
    }
  }
}

int help_completion(const char *shell, FILE *out) {
  static const struct {
    const char *shell;
    void (*write)(FILE *);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
    if (strcmp(shells[i].shell, shell) == 0) {
      shells[i].write(out);
      return 0;
    }
  }
  return -1;
}
