/* Completion for bash, zsh and fish, and the JSON Schema of cltestcheck.yaml, are made from the tables. */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/help.h"
#include "cli/options.h"
#include "reports/words/words.h"

/* The JSON Schema of cltestcheck.yaml, made from the tables. */

#define TEXT "string"

static json_t *typed(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *text_or_number(void) { return json_pack("{s:[s,s]}", "type", TEXT, "number"); }

static json_t *list_of(json_t *items) { return json_pack("{s:s,s:o}", "type", "array", "items", items); }

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
  if ((flags & (OPTION_LIST | OPTION_JOINED)) != 0) json_array_append_new(forms, list_of(text_or_number()));
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

static void zsh_option(const option *o, FILE *out) {
  bool repeats = (option_flags(o) & OPTION_LIST) != 0;
  (void)fputs("      ", out);
  if (o->letter != 0)
    (void)fprintf(out, repeats ? "{'*-%c','*--%s'}" : "'(-%c --%s)'{-%c,--%s}", o->letter, o->name, o->letter, o->name);
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
      if (command_has(c, o)) zsh_option(o, out);
    (void)fprintf(out, "      '*:%s' ;;\n",
                  takes_benchmarks(c) ? "benchmark or file:_cltestcheck_named" : "file:_files");
  }
  (void)fputs(
      "  esac\n"
      "}\n"
      "_cltestcheck \"$@\"\n",
      out);
}

/* --- fish --------------------------------------------------------------------------------------------------------- */

#define FISH_SPECIAL "'\\"

static void fish_option(const command *c, const option *o, FILE *out) {
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

static void fish(FILE *out) {
  (void)fputs("# fish completion for cltestcheck\n", out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "complete -c cltestcheck -n __fish_use_subcommand -f -a %s -d '", c->name);
    put_short(c->summary, FISH_SPECIAL, out);
    (void)fputs("'\n", out);
  }
  EACH_COMMAND(c) {
    for (const option *o = options; o->name != NULL; o++)
      if (command_has(c, o)) fish_option(c, o, out);
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
