/* Reading cltestcheck.yaml with libyaml, which knows the place of every node. */
#include "cli/configuration.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/pipe_path.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "cli/option_kinds.h"
#include "mutate/operators.h"
#include "reports/words/rules.h"
#include "schedamp/verdict.h"

enum { FILE_CAP = 1 << 20, UPWARDS = 128, RULE = 64 };

/* A file being read. */
typedef struct config_file {
  const char *path;
  char *folder; /* "" or with a slash at its end: what relative paths begin with */
  yaml_document_t document;
  configuration *out;
  settings scratch; /* values are tried on it */
  error *e;
} config_file;

/* --- finding it -------------------------------------------------------------------------------------------------- */

char *configuration_find(void) {
  buffer folder = {0};
  char *found = NULL;
  struct stat here;
  struct stat above;
  for (int i = 0; i < UPWARDS && found == NULL; i++) {
    struct stat status;
    buffer path = {0};
    buffer_printf(&path, "%s" CONFIGURATION_NAME, buffer_text(&folder));
    if (stat(buffer_text(&path), &status) == 0 && S_ISREG(status.st_mode)) {
      found = buffer_take(&path);
    }
    buffer_free(&path);
    int known = stat(folder.length == 0 ? "." : buffer_text(&folder), &here);
    buffer_puts(&folder, "../");
    if (known != 0 || stat(buffer_text(&folder), &above) != 0 ||
        (here.st_ino == above.st_ino && here.st_dev == above.st_dev)) {
      break; /* the root */
    }
  }
  buffer_free(&folder);
  return found;
}

/* --- nodes ------------------------------------------------------------------------------------------------------- */

static int fail_at(config_file *r, yaml_mark_t mark, const char *format, va_list args) {
  char text[1024];
  buffer clean = {0};
  (void)vsnprintf(text, sizeof text, format, args);
  utf8_line(&clean, text, strlen(text));
  int result =
      error_set(r->e, EXIT_USAGE, "%s:%zu:%zu: %s", r->path, mark.line + 1, mark.column + 1, buffer_text(&clean));
  buffer_free(&clean);
  return result;
}

static int __attribute__((format(printf, 3, 4))) fail(config_file *r, const yaml_node_t *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int result = fail_at(r, at->start_mark, format, args);
  va_end(args);
  return result;
}

static char *origin_of(const config_file *r, const yaml_node_t *n) {
  buffer text = {0};
  buffer_printf(&text, "%s:%zu:%zu", r->path, n->start_mark.line + 1, n->start_mark.column + 1);
  return buffer_take(&text);
}

static const yaml_node_t *node(config_file *r, int index) { return yaml_document_get_node(&r->document, index); }

/* The text of a scalar; NULL for others, and for text with a NUL in it. */
static const char *text_of(const yaml_node_t *n) {
  const char *text = n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
  return text != NULL && strlen(text) == n->data.scalar.length ? text : NULL;
}

static bool is_plain(const yaml_node_t *n) {
  return n->type == YAML_SCALAR_NODE && n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* Nothing after the colon. */
static bool is_empty(const yaml_node_t *n) {
  const char *text = text_of(n);
  return is_plain(n) && (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static bool is_boolean(const yaml_node_t *n, bool *value) {
  const char *text = is_plain(n) ? text_of(n) : NULL;
  return text != NULL && option_boolean(text, value);
}

/* Calls `take` for each pair of a mapping; a key must be a text and be there once. */
static int for_pairs(config_file *r, const yaml_node_t *mapping, const void *context,
                     int (*take)(config_file *, const void *, const char *, const yaml_node_t *, const yaml_node_t *)) {
  const yaml_node_pair_t *start = mapping->data.mapping.pairs.start;
  for (const yaml_node_pair_t *p = start; p < mapping->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node(r, p->key);
    const char *name = text_of(key);
    if (name == NULL) {
      return fail(r, key, "this key is no name");
    }
    for (const yaml_node_pair_t *q = start; q < p; q++) {
      const yaml_node_t *before = node(r, q->key);
      if (strcmp(text_of(before), name) == 0) {
        return fail(r, key, "\"%s\" is here twice; it is in line %zu already", name, before->start_mark.line + 1);
      }
    }
    if (take(r, context, name, key, node(r, p->value)) != 0) {
      return -1;
    }
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
  for (const option *o = options; o->name != NULL; o++) {
    if (settable(o, section, name) && (o->argument == NULL) == is_switch) {
      return o;
    }
  }
  return NULL;
}

static int unknown_name(config_file *r, const command *section, const char *name, const yaml_node_t *key) {
  suggestion near = {.word = name};
  for (const option *o = options; o->name != NULL; o++) {
    if (settable(o, section, o->name)) {
      suggest_consider(&near, o->name);
    }
  }
  if (section == NULL) {
    EACH_COMMAND(c) { suggest_consider(&near, c->name); }
    suggest_consider(&near, "suppressions");
  }
  return fail(r, key, "unknown setting \"%s\"%s%s%s%s%s", name, section == NULL ? "" : " of ",
              section == NULL ? "" : section->name, near.best == NULL ? "" : "; did you mean ",
              near.best == NULL ? "; `cltestcheck help COMMAND --all` lists the options" : near.best,
              near.best == NULL ? "" : "?");
}

/* Does some command's option of this name take the value? */
static int try_value(config_file *r, const command *section, const option *first, const char *value,
                     const yaml_node_t *n) {
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
  return result == 0 ? 0 : fail(r, n, "%s", e.text);
}

/* The value with paths made relative to the file; to be freed. */
static char *located(const config_file *r, const option *o, const char *value) {
  unsigned flags = option_flags(o);
  const char *equals = (flags & OPTION_REPORT) != 0 ? strchr(value, '=') : NULL;
  const char *path = equals != NULL ? equals + 1 : value;
  bool is_path = (flags & (OPTION_FILE | OPTION_FOLDER)) != 0 || equals != NULL;
  bool relative = is_path && path[0] != '/' && path[0] != '\0' && strcmp(path, "-") != 0;
  buffer text = {0};
  buffer_append(&text, value, (size_t)(path - value));
  buffer_printf(&text, "%s%s", relative ? r->folder : "", path);
  return buffer_take(&text);
}

static configured_value *add_value(config_file *r, const option *o, const command *section, const yaml_node_t *n) {
  configured_value *v = ARRAY_ADD(r->out->values, r->out->value_count, r->out->value_capacity);
  v->name = o->name;
  v->section = section;
  v->is_switch = o->argument == NULL;
  v->origin = origin_of(r, n);
  return v;
}

/* One text for an option that takes values. */
static int take_text(config_file *r, const option *o, const command *section, const char *text, const yaml_node_t *n) {
  if (try_value(r, section, o, text, n) != 0) {
    return -1;
  }
  add_value(r, o, section, n)->value = located(r, o, text);
  return 0;
}

static int take_item(config_file *r, const option *o, const command *section, const yaml_node_t *n) {
  const char *text = text_of(n);
  if (text == NULL || is_empty(n)) {
    return fail(r, n, "%s wants %s here", o->name, o->argument);
  }
  return take_text(r, o, section, text, n);
}

/* Items with commas between, for an option that takes them so. */
static int take_joined(config_file *r, const option *o, const command *section, const yaml_node_t *list) {
  buffer joined = {0};
  int result = 0;
  for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top && result == 0;
       i++) {
    const yaml_node_t *n = node(r, *i);
    const char *text = text_of(n);
    if (text == NULL || is_empty(n)) {
      result = fail(r, n, "%s wants words or numbers in this list", o->name);
    } else {
      buffer_printf(&joined, "%s%s", i == list->data.sequence.items.start ? "" : ",", text);
    }
  }
  if (result == 0) {
    result = take_text(r, o, section, buffer_text(&joined), list);
  }
  buffer_free(&joined);
  return result;
}

static int take_list(config_file *r, const option *o, const command *section, const yaml_node_t *list) {
  unsigned flags = option_flags(o);
  if ((flags & OPTION_JOINED) != 0) {
    return take_joined(r, o, section, list);
  }
  if ((flags & OPTION_LIST) == 0) {
    return fail(r, list, "%s takes one value, not a list", o->name);
  }
  if (list->data.sequence.items.start == list->data.sequence.items.top) {
    add_value(r, o, section, list)->off = true;
  }
  for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
    if (take_item(r, o, section, node(r, *i)) != 0) {
      return -1;
    }
  }
  return 0;
}

typedef struct place {
  const option *option;
  const command *section;
} place;

/* NAME: VALUE as NAME=VALUE. */
static int take_pair(config_file *r, const void *context, const char *name, const yaml_node_t *key,
                     const yaml_node_t *value) {
  const place *p = context;
  const char *text = text_of(value);
  if (text == NULL || is_empty(value)) {
    return fail(r, value, "%s wants %s here", p->option->name, p->option->argument);
  }
  buffer pair = {0};
  buffer_printf(&pair, "%s=%s", name, text);
  int result = take_text(r, p->option, p->section, buffer_text(&pair), key);
  buffer_free(&pair);
  return result;
}

static int take_option(config_file *r, const void *context, const char *name, const yaml_node_t *key,
                       const yaml_node_t *value) {
  const command *section = context;
  const option *flag = find_row(section, name, true);
  const option *valued = find_row(section, name, false);
  bool on = false;
  if (flag == NULL && valued == NULL) {
    return unknown_name(r, section, name, key);
  }
  if (flag != NULL && (is_boolean(value, &on) || valued == NULL)) {
    if (!is_boolean(value, &on)) {
      return fail(r, value, "%s is true or false", name);
    }
    add_value(r, flag, section, value)->off = !on;
    return 0;
  }
  if (value->type == YAML_SEQUENCE_NODE) {
    return take_list(r, valued, section, value);
  }
  if (value->type == YAML_MAPPING_NODE) {
    const place p = {valued, section};
    return (option_flags(valued) & OPTION_MAP) == 0 ? fail(r, value, "%s takes no mapping", name)
                                                    : for_pairs(r, value, &p, take_pair);
  }
  return take_item(r, valued, section, value);
}

/* --- suppressions ------------------------------------------------------------------------------------------------ */

static const char *const further_rules[] = {"mutant", "loop-zero", "loop-one", "loop-many", "loop-boundary"};

/* A rule that can never match is a slip of the pen. */
static int check_rule(config_file *r, const char *rule, const yaml_node_t *n) {
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
  if (known) {
    return 0;
  }
  buffer there = {0};
  buffer_puts(&there, near.best == NULL ? "; there are " : "; did you mean ");
  if (near.best == NULL) {
    rule_names(&there);
    buffer_puts(&there, ", mutant and mutant/OPERATOR");
  } else {
    buffer_printf(&there, "%s?", near.best);
  }
  const int result = fail(r, n, "there is no rule \"%s\"%s", rule, buffer_text(&there));
  buffer_free(&there);
  return result;
}

static int take_part(config_file *r, const void *context, const char *name, const yaml_node_t *key,
                     const yaml_node_t *value) {
  (void)context;
  suppression *s = &r->out->suppressions[r->out->suppression_count - 1];
  const struct {
    const char *name;
    char **to;
  } parts[] = {{"rule", &s->rule}, {"kernel", &s->kernel}, {"line", &s->line}, {"reason", &s->reason}};
  suggestion near = {.word = name};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strcmp(parts[i].name, name) == 0) {
      const char *text = text_of(value);
      if (text == NULL || is_empty(value) || text[strspn(text, " \t\n")] == '\0') {
        return fail(r, value, "%s wants a text", name);
      }
      *parts[i].to = mem_strdup(text);
      return parts[i].to == &s->rule ? check_rule(r, text, value) : 0;
    }
    suggest_consider(&near, parts[i].name);
  }
  return fail(r, key, "a suppression has no \"%s\"%s%s%s", name, near.best == NULL ? "" : "; did you mean ",
              near.best == NULL ? ", but rule, kernel, line and reason" : near.best, near.best == NULL ? "" : "?");
}

static int take_suppressions(config_file *r, const yaml_node_t *list) {
  if (list->type != YAML_SEQUENCE_NODE) {
    return fail(r, list, "suppressions is a list: - {rule: RULE, kernel: GLOB, line: TEXT, reason: WHY}");
  }
  for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
    const yaml_node_t *n = node(r, *i);
    suppression *s = ARRAY_ADD(r->out->suppressions, r->out->suppression_count, r->out->suppression_capacity);
    if (n->type != YAML_MAPPING_NODE) {
      return fail(r, n, "a suppression is a mapping: {rule: RULE, kernel: GLOB, line: TEXT, reason: WHY}");
    }
    if (for_pairs(r, n, NULL, take_part) != 0) {
      return -1;
    }
    if (s->reason == NULL) {
      return fail(r, n, "this suppression has no reason; write reason: and why it is fine");
    }
    if (s->rule == NULL) {
      return fail(r, n,
                  "this suppression has no rule; write rule: and what it holds back, such as race or mutant/arith");
    }
  }
  return 0;
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static int take_top(config_file *r, const void *context, const char *name, const yaml_node_t *key,
                    const yaml_node_t *value) {
  (void)context;
  const command *c = command_find(name);
  if (strcmp(name, "suppressions") == 0) {
    return take_suppressions(r, value);
  }
  if (c != NULL && value->type == YAML_MAPPING_NODE) {
    return for_pairs(r, value, c, take_option);
  }
  if (c != NULL && find_row(NULL, name, true) == NULL && find_row(NULL, name, false) == NULL) {
    return fail(r, value, "%s is a command: its options follow, one a line, indented", name);
  }
  return take_option(r, NULL, name, key, value);
}

static int read_file(config_file *r, buffer *text) {
  if (pipe_refuse(r->path, r->e) != 0) {
    return -1;
  }
  FILE *f = fopen(r->path, "rbe");
  char chunk[4096];
  size_t n = 0;
  while (f != NULL && text->length <= FILE_CAP && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
    buffer_append(text, chunk, n);
  }
  int result = 0;
  if (f == NULL || ferror(f) != 0) {
    result = error_set(r->e, EXIT_USAGE, "configuration file \"%s\" cannot be read: %s", r->path, strerror(errno));
  } else if (text->length > FILE_CAP) {
    result = error_set(r->e, EXIT_USAGE, "configuration file \"%s\" is larger than 1 MiB", r->path);
  }
  if (f != NULL) {
    (void)fclose(f);
  }
  return result;
}

static int broken(config_file *r, const yaml_parser_t *p) {
  yaml_mark_t at = p->problem_mark;
  if (p->error == YAML_READER_ERROR) {
    return error_set(r->e, EXIT_USAGE, "%s: byte %zu: this is no text that YAML allows: %s", r->path, p->problem_offset,
                     p->problem);
  }
  return error_set(r->e, EXIT_USAGE, "%s:%zu:%zu: this is no YAML: %s", r->path, at.line + 1, at.column + 1,
                   p->problem == NULL ? "out of memory" : p->problem);
}

static int read_root(config_file *r) {
  const yaml_node_t *root = yaml_document_get_root_node(&r->document);
  if (root == NULL || is_empty(root)) {
    return 0;
  }
  return root->type != YAML_MAPPING_NODE ? fail(r, root, "a configuration is lines of the form NAME: VALUE")
                                         : for_pairs(r, root, NULL, take_top);
}

static int read_document(config_file *r, const buffer *text) {
  yaml_parser_t p;
  if (yaml_parser_initialize(&p) == 0) {
    return error_set(r->e, EXIT_INTERNAL, "out of memory");
  }
  yaml_parser_set_input_string(&p, (const unsigned char *)buffer_text(text), text->length);
  int result = 0;
  if (yaml_parser_load(&p, &r->document) == 0) {
    result = broken(r, &p);
  } else {
    result = read_root(r);
    yaml_document_delete(&r->document);
    yaml_document_t second;
    if (result == 0 && yaml_parser_load(&p, &second) == 0) {
      result = broken(r, &p);
    } else if (result == 0) {
      const yaml_node_t *more = yaml_document_get_root_node(&second);
      result = more == NULL ? 0 : fail(r, more, "a configuration is one document; a second one begins here");
      yaml_document_delete(&second);
    }
  }
  yaml_parser_delete(&p);
  return result;
}

int configuration_read(const char *path, configuration *out, error *e) {
  *out = (configuration){.path = mem_strdup(path)};
  const char *slash = strrchr(path, '/');
  config_file r = {
      .path = path, .folder = mem_strndup(path, slash == NULL ? 0 : (size_t)(slash + 1 - path)), .out = out, .e = e};
  buffer text = {0};
  const int result = read_file(&r, &text) != 0 ? -1 : read_document(&r, &text);
  buffer_free(&text);
  free(r.folder);
  if (result != 0) {
    configuration_free(out);
  }
  return result;
}

void configuration_assign(const configuration *c, const command *to, assignments *out) {
  for (int sections = 0; sections < 2; sections++) {
    for (size_t i = 0; i < c->value_count; i++) {
      const configured_value *v = &c->values[i];
      if ((v->section != NULL) != (sections == 1) || (v->section != NULL && v->section != to)) {
        continue;
      }
      for (const option *o = options; o->name != NULL; o++) {
        if ((o->commands & to->bit) != 0 && settable(o, v->section, v->name) && (o->argument == NULL) == v->is_switch) {
          assignments_add(out, o, v->section == NULL ? FROM_FILE : FROM_SECTION, v->value, v->off, v->origin);
        }
      }
    }
  }
}

void configuration_free(configuration *c) {
  for (size_t i = 0; i < c->value_count; i++) {
    free(c->values[i].value);
    free(c->values[i].origin);
  }
  for (size_t i = 0; i < c->suppression_count; i++) {
    suppression *s = &c->suppressions[i];
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
