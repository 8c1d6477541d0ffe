/* The JSON Schema of cltestcheck.yaml, made from the tables. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/help.h"
#include "cli/option_kinds.h"
#include "reports/words/rules.h"

#define TEXT "string"

static json_t *typed(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *text_or_number(void) { return json_pack("{s:[s,s]}", "type", TEXT, "number"); }

static json_t *list_of(json_t *items) { return json_pack("{s:s,s:o}", "type", "array", "items", items); }

/* The words of an option as a JSON array; NULL: it takes any. */
static json_t *words_of(const option *o) {
  buffer text = {0};
  option_words(o, &text);
  json_t *list = text.length == 0 ? NULL : json_array();
  char *copy = buffer_take(&text);
  for (char *word = list == NULL ? NULL : strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    json_array_append_new(list, json_string(word));
  }
  free(copy);
  return list;
}

/* NAME: VALUE, with the names that there are. */
static json_t *mapping_of(const option *o) {
  json_t *map = typed("object");
  json_t *properties = json_object();
  json_t *names = words_of(o);
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
  if ((flags & (OPTION_LIST | OPTION_JOINED)) != 0) {
    json_array_append_new(forms, list_of(text_or_number()));
  }
  if ((flags & OPTION_MAP) != 0) {
    json_array_append_new(forms, mapping_of(o));
  }
}

/* `forms` as one schema; takes it over. */
static json_t *any_of(json_t *forms, const char *description) {
  json_t *schema = json_array_size(forms) == 1 ? json_deep_copy(json_array_get(forms, 0)) : json_object();
  if (json_array_size(forms) > 1) {
    json_object_set(schema, "anyOf", forms);
  }
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
  if (!settable(o) || option_shadowed(o) || json_object_get(properties, o->name) != NULL) {
    return;
  }
  json_t *forms = json_array();
  add_forms(o, forms);
  const command *c = command_of(o->name);
  if (c != NULL) {
    json_array_append_new(forms, section_of(c));
  }
  json_object_set_new(properties, o->name, any_of(forms, o->help));
}

static json_t *suppressions(void) {
  buffer rules = {0};
  rule_names(&rules);
  buffer_puts(&rules,
              ", mutant or mutant/OPERATOR; loop-zero, loop-one, loop-many, loop-boundary of a case that cannot be "
              "reached");
  json_t *list = json_pack("{s:s,s:s,s:{s:s,s:[s,s],s:b,s:{s:{s:s,s:s},s:{s:s,s:s},s:{s:s,s:s},s:{s:s,s:i,s:s}}}}",
                           "description", "findings, mutants and schedules that are looked at and fine", "type",
                           "array", "items", "type", "object", "required", "rule", "reason", "additionalProperties", 0,
                           "properties", "rule", "type", TEXT, "description", buffer_text(&rules), "kernel", "type",
                           TEXT, "description", "name of the kernel; * and ? stand for others", "line", "type", TEXT,
                           "description", "the source line; * and ? stand for others", "reason", "type", TEXT,
                           "minLength", 1, "description", "why it is fine");
  buffer_free(&rules);
  return list;
}

int help_schema(FILE *out) {
  json_t *properties = json_object();
  for (const option *o = options; o->name != NULL; o++) {
    add_option(properties, o);
  }
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
