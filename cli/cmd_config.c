/* cltestcheck config: what holds, and where it comes from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/options.h"

enum { NAME_WIDTH = 18, VALUE_WIDTH = 28 };

static void print_row(const char *name, const char *value, const char *origin) {
  scoped_buffer clean = {0};
  utf8_line(&clean, value, strlen(value));
  int pad = VALUE_WIDTH - (int)utf8_columns(buffer_text(&clean));
  (void)printf("  %-*s %s%*s %s\n", NAME_WIDTH, name, buffer_text(&clean), pad > 0 ? pad : 0, "", origin);
}

static void print_file(const settings *s) {
  if (s->report.configuration != NULL)
    (void)printf("configuration file: %s\n", s->report.configuration->path);
  else
    (void)printf("configuration file: none (no " CONFIGURATION_NAME " here or above)\n");
}

static void print_suppressions(const configuration *c) {
  for (size_t i = 0; c != NULL && i < c->suppression_count; i++) {
    const suppression *s = &c->suppressions[i];
    const struct {
      const char *name, *pattern;
    } parts[] = {{"rule", s->rule}, {"kernel", s->kernel}, {"line", s->line}, {"reason", s->reason}};
    scoped_buffer line = {0};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
      if (parts[k].pattern != NULL) {
        buffer_printf(&line, "%s%s: ", line.length == 0 ? "" : ", ", parts[k].name);
        utf8_line(&line, parts[k].pattern, strlen(parts[k].pattern));
      }
    }
    (void)printf("%s  %s\n", i == 0 ? "suppressions\n" : "", buffer_text(&line));
  }
}

/* --- one command -------------------------------------------------------------------------------------------------- */

static const char *value_of(const assignment *a) {
  if (a->option->argument == NULL) return a->off ? "off" : "on";
  return a->value == NULL ? "(none)" : a->value;
}

/* Of an option that takes one value the last one holds. */
static bool assignment_holds(const assignments *a, size_t i) {
  bool list = (option_flags(a->items[i].option) & OPTION_LIST) != 0;
  for (size_t k = i + 1; k < a->count && !list; k++)
    if (strcmp(a->items[k].option->name, a->items[i].option->name) == 0) return false;
  return true;
}

static void print_option(const option *o, const assignments *a) {
  bool given = false;
  for (size_t i = 0; i < a->count; i++) {
    if (a->items[i].option == o && assignment_holds(a, i)) {
      print_row(o->name, value_of(&a->items[i]), a->items[i].origin);
      given = true;
    }
  }
  if (!given) {
    scoped_buffer usual = {0};
    option_default(o, &usual);
    print_row(o->name, o->argument == NULL ? "off" : usual.length == 0 ? "(none)" : buffer_text(&usual), "default");
  }
}

void config_print_command(const command *c, const settings *s) {
  print_file(s);
  (void)printf("%s\n", c->name);
  for (const option *o = options; o->name != NULL; o++)
    if ((o->commands & c->bit) != 0 && (option_flags(o) & OPTION_META) == 0) print_option(o, s->given.assigned);
  print_suppressions(s->report.configuration);
}

/* --- all commands ------------------------------------------------------------------------------------------------- */

/* A setting, and the commands for which it holds. */
typedef struct row {
  const option *option;
  char *value, *origin;
  unsigned commands;
} row;
typedef struct rows {
  row *items;
  size_t count, capacity;
} rows;

static void add_row(rows *r, const assignment *a, const command *c) {
  for (size_t i = 0; i < r->count; i++) {
    row *old = &r->items[i];
    if (strcmp(old->option->name, a->option->name) == 0 && strcmp(old->origin, a->origin) == 0 &&
        strcmp(old->value, value_of(a)) == 0) {
      old->commands |= c->bit;
      return;
    }
  }
  *ARRAY_ADD(r->items, r->count, r->capacity) =
      (row){a->option, mem_strdup(value_of(a)), mem_strdup(a->origin), c->bit};
}

/* Those of one command by file and environment. */
static int add_rows(rows *r, const command *c, const settings *own, error *e) {
  settings s;
  const char *path = own->report.configuration == NULL ? NULL : own->report.configuration->path;
  char *arguments[] = {path == NULL ? "--no-config" : "--config", (char *)path};
  int result = options_parse(c, path == NULL ? 1 : 2, arguments, &s, e);
  for (size_t i = 0; result == 0 && i < s.given.assigned->count; i++) {
    const assignment *a = &s.given.assigned->items[i];
    if ((option_flags(a->option) & OPTION_META) == 0 && assignment_holds(s.given.assigned, i)) add_row(r, a, c);
  }
  settings_free(&s);
  return result;
}

/* Commands are named where not all that have such an option have this value. */
static void print_set(const row *r) {
  scoped_buffer origin = buffer_with("%s", r->origin);
  unsigned all = 0;
  for (const option *o = options; o->name != NULL; o++) {
    all |= strcmp(o->name, r->option->name) == 0 && (o->argument == NULL) == (r->option->argument == NULL) ? o->commands
                                                                                                           : 0;
  }
  const char *before = "  ";
  EACH_COMMAND(c) {
    if (r->commands != all && (r->commands & c->bit) != 0) {
      buffer_printf(&origin, "%s%s", before, c->name);
      before = ", ";
    }
  }
  print_row(r->option->name, r->value, buffer_text(&origin));
}

static int cmd_config(const settings *s) {
  error e;
  if (s->given.positional.count > 0 || s->given.command != NULL) {
    const char *word = s->given.positional.count > 0 ? s->given.positional.items[0] : "--";
    (void)fprintf(stderr, "cltestcheck: config wants a command first, and then its options, not \"%s\"\n", word);
    return EXIT_USAGE;
  }
  rows r = {0};
  int result = 0;
  EACH_COMMAND(c) { result = result != 0 || c->run == cmd_config ? result : add_rows(&r, c, s, &e); }
  if (result == 0) {
    print_file(s);
    (void)printf("settings%s\n", r.count == 0 ? ": all as usual" : "");
  } else {
    (void)fprintf(stderr, "cltestcheck: %s\n", e.text);
  }
  for (size_t i = 0; i < r.count; i++) {
    if (result == 0) print_set(&r.items[i]);
    free(r.items[i].value);
    free(r.items[i].origin);
  }
  free(r.items);
  if (result == 0) {
    print_suppressions(s->report.configuration);
    (void)printf("`cltestcheck config COMMAND` shows every setting of a command.\n");
  }
  return result == 0 ? EXIT_FINE : e.code;
}

const command command_config = {
    "config",
    "show which settings hold, and where they come from",
    "[COMMAND [OPTIONS]]",
    "Without a COMMAND: what cltestcheck.yaml and the environment (CLTESTCHECK_RUNS, …) set, command by command, and "
    "the suppressions. With one: every setting of that command, with the given options above the rest. Each with its "
    "place: file, line and column, variable, command line, or default.",
    "cltestcheck config mutate --runs 5",
    cmd_config,
    FOR_CONFIG};
