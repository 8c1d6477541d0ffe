/* The file cltestcheck.yaml: how it is read, with its faults and their lines; `config` shows what it and others set. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "cli/options.h"
#include "reports/words/words.h"

enum { UPWARDS = 128, RULE = 64 };

/* A file being read. */
typedef struct config_file {
  const char *path;
  char *folder; /* "" or with a slash at its end: what relative paths begin with */
  yaml_file *file;
  configuration *out;
  settings scratch; /* values are tried on it */
  error *e;
} config_file;

char *configuration_find(void) {
  scoped_buffer folder = {0};
  char *found = NULL;
  struct stat here;
  struct stat above;
  for (int i = 0; i < UPWARDS && found == NULL; i++) {
    struct stat status;
    scoped_buffer path = buffer_with("%s" CONFIGURATION_NAME, buffer_text(&folder));
    if (stat(buffer_text(&path), &status) == 0 && S_ISREG(status.st_mode)) found = buffer_take(&path);
    int known = stat(folder.length == 0 ? "." : buffer_text(&folder), &here);
    buffer_puts(&folder, "../");
    if (known != 0 || stat(buffer_text(&folder), &above) != 0 ||
        (here.st_ino == above.st_ino && here.st_dev == above.st_dev))
      break; /* the root */
  }
  return found;
}

#define FAIL(r, at, ...) yaml_wrong((r)->file, at, (r)->e, __VA_ARGS__)

/* The text of a scalar; NULL for others. */
static const char *scalar_of(yaml_value *n) { return yaml_is_text(n) ? yaml_text(n) : NULL; }

/* Nothing after the colon. */
static bool is_empty(yaml_value *n) {
  const char *text = scalar_of(n);
  return yaml_is_plain(n) && (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static bool is_boolean(yaml_value *n, bool *value) {
  const char *text = yaml_is_plain(n) ? scalar_of(n) : NULL;
  return text != NULL && option_boolean(text, value);
}

/* Calls `take` for each pair of a mapping; a key must be a text and be there once. */
static int for_pairs(config_file *r, yaml_value *mapping, const void *context,
                     int (*take)(config_file *, const void *, const char *, yaml_value *, yaml_value *)) {
  for (size_t p = 0; p < yaml_count(mapping); p++) {
    const char *name = NULL, *earlier = NULL;
    yaml_value *key = NULL, *before = NULL, *value = yaml_pair(r->file, mapping, p, &name, &key);
    if (!yaml_is_text(key)) return FAIL(r, key, "this key is no name");
    for (size_t q = 0; q < p; q++) {
      (void)yaml_pair(r->file, mapping, q, &earlier, &before);
      if (strcmp(earlier, name) == 0)
        return FAIL(r, key, "\"%s\" is here twice; it is in line %zu already", name, yaml_at(before).line);
    }
    if (take(r, context, name, key, value) != 0) return -1;
  }
  return 0;
}

/* --- values of options ------------------------------------------------------------------------------------------- */

/* Is the row an option that a file may set, in this section (NULL: outside of all)? */
static bool settable(const option *o, const command *section, const char *name) {
  return option_is_called(o, name, strlen(name)) && (section == NULL || (o->commands & section->bit) != 0) &&
         (option_flags(o) & OPTION_META) == 0 && (section != NULL || !option_shadowed(o));
}

/* The first row for a switch, or for an option with a value. */
static const option *find_row(const command *section, const char *name, bool is_switch) {
  for (const option *o = options; o->name != NULL; o++)
    if (settable(o, section, name) && (o->argument == NULL) == is_switch) return o;
  return NULL;
}

/* Does some command's option of this name take the value? */
static int try_value(config_file *r, const command *section, const option *first, const char *value, yaml_value *n) {
  error e;
  assignments one = {0};
  int result = -1;
  for (const option *o = first; o->name != NULL && result != 0; o++) {
    if (settable(o, section, first->name) && o->argument != NULL) {
      assignments_add(&one, o, FROM_COMMAND_LINE, value, false, "");
      result = assignments_apply(&one, &r->scratch, &e);
      assignments_free(&one);
    }
  }
  settings_free(&r->scratch); /* what it lends is gone */
  return result == 0 ? 0 : FAIL(r, n, "%s", e.text);
}

/* The value with paths made relative to the file; to be freed. */
static char *located(const config_file *r, const option *o, const char *value) {
  unsigned flags = option_flags(o);
  const char *equals = (flags & OPTION_REPORT) != 0 ? strchr(value, '=') : NULL;
  const char *path = equals != NULL ? equals + 1 : value;
  bool is_path = (flags & (OPTION_FILE | OPTION_FOLDER)) != 0 || equals != NULL;
  bool relative = is_path && path[0] != '/' && path[0] != '\0' && strcmp(path, "-") != 0;
  scoped_buffer text = {0};
  buffer_append(&text, value, (size_t)(path - value));
  buffer_printf(&text, "%s%s", relative ? r->folder : "", path);
  return buffer_take(&text);
}

static configured_value *add_value(config_file *r, const option *o, const command *section, yaml_value *n) {
  configured_value *v = ARRAY_ADD(r->out->values, r->out->value_count, r->out->value_capacity);
  v->name = o->name;
  v->section = section;
  v->is_switch = o->argument == NULL;
  v->origin = mem_printf("%s:%zu:%zu", r->path, yaml_at(n).line, yaml_at(n).column);
  return v;
}

/* One text for an option that takes values. */
static int take_text(config_file *r, const option *o, const command *section, const char *text, yaml_value *n) {
  if (try_value(r, section, o, text, n) != 0) return -1;
  add_value(r, o, section, n)->value = located(r, o, text);
  return 0;
}

static int take_item(config_file *r, const option *o, const command *section, yaml_value *n) {
  const char *text = scalar_of(n);
  if (text == NULL || is_empty(n)) return FAIL(r, n, "%s wants %s here", o->name, o->argument);
  return take_text(r, o, section, text, n);
}

typedef struct place {
  const option *option;
  const command *section;
} place;

/* NAME: VALUE as NAME=VALUE. */
static int take_pair(config_file *r, const void *context, const char *name, yaml_value *key, yaml_value *value) {
  const place *p = context;
  const char *text = scalar_of(value);
  if (text == NULL || is_empty(value)) return FAIL(r, value, "%s wants %s here", p->option->name, p->option->argument);
  scoped_buffer pair = buffer_with("%s=%s", name, text);
  return take_text(r, p->option, p->section, buffer_text(&pair), key);
}

/* Items with commas between, for an option that takes them so; else one after the other. */
static int take_list(config_file *r, const option *o, const command *section, yaml_value *list) {
  const unsigned flags = option_flags(o);
  const size_t count = yaml_count(list);
  if ((flags & (OPTION_JOINED | OPTION_LIST)) == 0) return FAIL(r, list, "%s takes one value, not a list", o->name);
  if ((flags & OPTION_JOINED) == 0) {
    if (count == 0) add_value(r, o, section, list)->off = true;
    for (size_t i = 0; i < count; i++)
      if (take_item(r, o, section, yaml_item(r->file, list, i)) != 0) return -1;
    return 0;
  }
  scoped_buffer joined = {0};
  for (size_t i = 0; i < count; i++) {
    yaml_value *n = yaml_item(r->file, list, i);
    const char *text = scalar_of(n);
    if (text == NULL || is_empty(n)) return FAIL(r, n, "%s wants words or numbers in this list", o->name);
    buffer_printf(&joined, "%s%s", i == 0 ? "" : ",", text);
  }
  return take_text(r, o, section, buffer_text(&joined), list);
}

static int take_option(config_file *r, const void *context, const char *name, yaml_value *key, yaml_value *value) {
  const command *section = context;
  const option *flag = find_row(section, name, true), *valued = find_row(section, name, false);
  bool on = false;
  if (flag == NULL && valued == NULL) {
    suggestion near = {.word = name};
    for (const option *o = options; o->name != NULL; o++)
      if (settable(o, section, o->name)) suggest_consider(&near, o->name);
    if (section == NULL) {
      EACH_COMMAND(c) { suggest_consider(&near, c->name); }
      suggest_consider(&near, "suppressions");
    }
    return FAIL(r, key, "unknown setting \"%s\"%s%s%s%s%s", name, section == NULL ? "" : " of ",
                section == NULL ? "" : section->name, near.best == NULL ? "" : "; did you mean ",
                near.best == NULL ? "; `cltestcheck help COMMAND --all` lists the options" : near.best,
                near.best == NULL ? "" : "?");
  }
  if (flag != NULL && (is_boolean(value, &on) || valued == NULL)) {
    if (!is_boolean(value, &on)) return FAIL(r, value, "%s is true or false", name);
    add_value(r, flag, section, value)->off = !on;
    return 0;
  }
  if (yaml_is_list(value)) return take_list(r, valued, section, value);
  if (yaml_is_map(value)) {
    const place p = {valued, section};
    return (option_flags(valued) & OPTION_MAP) == 0 ? FAIL(r, value, "%s takes no mapping", name)
                                                    : for_pairs(r, value, &p, take_pair);
  }
  return take_item(r, valued, section, value);
}

/* --- suppressions ------------------------------------------------------------------------------------------------ */

static const char *const further_rules[] = {"mutant",        "loop-zero",   "loop-one",     "loop-many",
                                            "loop-boundary", "branch-true", "branch-false", "branch-case"};

/* A rule that can never match is a slip of the pen. */
static int check_rule(config_file *r, const char *rule, yaml_value *n) {
  suggestion near = {.word = rule};
  char names[MUTATE_OPERATORS][RULE];
  bool known = suppress_rule_matches(rule, "data-race");
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    (void)snprintf(names[i], RULE, "mutant/%s", mutate_operators[i].name);
    known = known || suppress_rule_matches(rule, names[i]);
    suggest_consider(&near, names[i]);
  }
  for (size_t i = 0; i < finding_rule_count; i++) {
    known = known || suppress_rule_matches(rule, finding_rules[i].name);
    suggest_consider(&near, finding_rules[i].name);
  }
  for (size_t i = 0; i < sizeof further_rules / sizeof further_rules[0]; i++) {
    known = known || suppress_rule_matches(rule, further_rules[i]);
    suggest_consider(&near, further_rules[i]);
  }
  if (known) return 0;
  scoped_buffer there = {0};
  buffer_puts(&there, near.best == NULL ? "; there are " : "; did you mean ");
  if (near.best == NULL) {
    rule_names(&there);
    buffer_puts(&there, ", mutant and mutant/OPERATOR");
  } else {
    buffer_printf(&there, "%s?", near.best);
  }
  return FAIL(r, n, "there is no rule \"%s\"%s", rule, buffer_text(&there));
}

static int take_part(config_file *r, const void *context, const char *name, yaml_value *key, yaml_value *value) {
  (void)context;
  suppression *s = &r->out->suppressions[r->out->suppression_count - 1];
  const struct {
    const char *name;
    char **to;
  } parts[] = {{"rule", &s->rule}, {"kernel", &s->kernel}, {"line", &s->line}, {"reason", &s->reason}};
  suggestion near = {.word = name};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strcmp(parts[i].name, name) == 0) {
      const char *text = scalar_of(value);
      if (text == NULL || is_empty(value) || text[strspn(text, " \t\n")] == '\0')
        return FAIL(r, value, "%s wants a text", name);
      *parts[i].to = mem_strdup(text);
      return parts[i].to == &s->rule ? check_rule(r, text, value) : 0;
    }
    suggest_consider(&near, parts[i].name);
  }
  return FAIL(r, key, "a suppression has no \"%s\"%s%s%s", name, near.best == NULL ? "" : "; did you mean ",
              near.best == NULL ? ", but rule, kernel, line and reason" : near.best, near.best == NULL ? "" : "?");
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static int take_top(config_file *r, const void *context, const char *name, yaml_value *key, yaml_value *value) {
  (void)context;
  const command *c = command_find(name);
  if (strcmp(name, "suppressions") == 0) {
    if (!yaml_is_list(value))
      return FAIL(r, value, "suppressions is a list: - {rule: RULE, kernel: GLOB, line: TEXT, reason: WHY}");
    for (size_t i = 0; i < yaml_count(value); i++) {
      yaml_value *n = yaml_item(r->file, value, i);
      suppression *s = ARRAY_ADD(r->out->suppressions, r->out->suppression_count, r->out->suppression_capacity);
      if (!yaml_is_map(n))
        return FAIL(r, n, "a suppression is a mapping: {rule: RULE, kernel: GLOB, line: TEXT, reason: WHY}");
      if (for_pairs(r, n, NULL, take_part) != 0) return -1;
      if (s->reason == NULL) return FAIL(r, n, "this suppression has no reason; write reason: and why it is fine");
      if (s->rule == NULL) {
        return FAIL(r, n,
                    "this suppression has no rule; write rule: and what it holds back, such as race or mutant/arith");
      }
    }
    return 0;
  }
  if (c != NULL && yaml_is_map(value)) return for_pairs(r, value, c, take_option);
  if (c != NULL && find_row(NULL, name, true) == NULL && find_row(NULL, name, false) == NULL)
    return FAIL(r, value, "%s is a command: its options follow, one a line, indented", name);
  return take_option(r, NULL, name, key, value);
}

static int read_root(config_file *r) {
  yaml_value *root = yaml_root(r->file);
  if (root == NULL || is_empty(root)) return 0;
  return !yaml_is_map(root) ? FAIL(r, root, "a configuration is lines of the form NAME: VALUE")
                            : for_pairs(r, root, NULL, take_top);
}

int configuration_read(const char *path, configuration *out, error *e) {
  *out = (configuration){.path = mem_strdup(path)};
  const char *slash = strrchr(path, '/');
  config_file r = {
      .path = path, .folder = mem_strndup(path, slash == NULL ? 0 : (size_t)(slash + 1 - path)), .out = out, .e = e};
  const int result = yaml_open(&r.file, path, "configuration file", e) != 0 ? -1 : read_root(&r);
  yaml_close(r.file);
  free(r.folder);
  if (result != 0) configuration_free(out);
  return result;
}

void configuration_assign(const configuration *c, const command *to, assignments *out) {
  for (int sections = 0; sections < 2; sections++) {
    EACH(const configured_value, v, c->values, c->value_count) {
      if ((v->section != NULL) != (sections == 1) || (v->section != NULL && v->section != to)) continue;
      for (const option *o = options; o->name != NULL; o++)
        if ((o->commands & to->bit) != 0 && settable(o, v->section, v->name) && (o->argument == NULL) == v->is_switch)
          assignments_add(out, o, v->section == NULL ? FROM_FILE : FROM_SECTION, v->value, v->off, v->origin);
    }
  }
}

void configuration_free(configuration *c) {
  for (size_t i = 0; i < c->value_count; i++) {
    free(c->values[i].value);
    free(c->values[i].origin);
  }
  EACH(suppression, s, c->suppressions, c->suppression_count) {
    free(s->rule);
    free(s->kernel);
    free(s->line);
    free(s->reason);
  }
  free(c->values);
  free(c->suppressions);
  free(c->path);
  *c = (configuration){0};
}

/* cltestcheck config: what holds, and where it comes from. */

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
static void print_setting(const row *r) {
  scoped_buffer origin = buffer_with("%s", r->origin);
  const char *before = "  ";
  unsigned all = 0;
  for (const option *o = options; o->name != NULL; o++)
    if (strcmp(o->name, r->option->name) == 0 && (o->argument == NULL) == (r->option->argument == NULL))
      all |= o->commands;
  EACH_COMMAND(c) {
    if (r->commands != all && (r->commands & c->bit) != 0) {
      buffer_printf(&origin, "%s%s", before, c->name);
      before = ", ";
    }
  }
  print_row(r->option->name, r->value, buffer_text(&origin));
}

static int cmd_config(const settings *s, error *e) {
  if (s->given.positional.count > 0 || s->given.command != NULL) {
    return error_set(e, EXIT_USAGE, "config wants a command first, and then its options, not \"%s\"",
                     s->given.positional.count > 0 ? s->given.positional.items[0] : "--");
  }
  rows r = {0};
  int result = 0;
  EACH_COMMAND(c) { result = result != 0 || c->run == cmd_config ? result : add_rows(&r, c, s, e); }
  if (result == 0) {
    print_file(s);
    (void)printf("settings%s\n", r.count == 0 ? ": all as usual" : "");
    for (size_t i = 0; i < r.count; i++) print_setting(&r.items[i]);
    print_suppressions(s->report.configuration);
    (void)printf("`cltestcheck config COMMAND` shows every setting of a command.\n");
  }
  for (size_t i = 0; i < r.count; i++) {
    free(r.items[i].value);
    free(r.items[i].origin);
  }
  free(r.items);
  return result;
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
