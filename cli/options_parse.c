/* Words, environment and configuration file become settings here, by the option table; kinds of options, by name. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/say.h"
#include "base/subprocess.h"
#include "cli/options.h"
#include "cli/output.h"
#include "reports/formats.h"

extern char **environ;

static bool command_has(const command *c, const option *o) { return (o->commands & c->bit) != 0; }

/* Options have kinds by their names, and their values become fields of the settings. */

const option_kind option_kinds[] = {
    {"config", OPTION_FILE | OPTION_META, NULL},
    {"no-config", OPTION_META, NULL},
    {"help", OPTION_META, NULL},
    {"db", OPTION_FILE | OPTION_OFTEN, NULL},
    {"device", OPTION_OFTEN, NULL},
    {"capture", OPTION_FILE, NULL},
    {"host", OPTION_FILE, NULL},
    {"compile-commands", OPTION_FILE, NULL},
    {"output", OPTION_FOLDER, NULL},
    {"suites", OPTION_FOLDER, NULL},
    {"ctest", OPTION_FOLDER, NULL},
    {"timeout", OPTION_OFTEN, NULL},
    {"runs", OPTION_OFTEN, NULL},
    {"jobs", OPTION_OFTEN, NULL},
    {"kernel", OPTION_COMMAS | OPTION_OFTEN, NULL},
    {"exclude", OPTION_COMMAS, NULL},
    {"fail-under", OPTION_LIST | OPTION_COMMAS | OPTION_MAP | OPTION_KEYED | OPTION_OFTEN, NULL},
    {"format", OPTION_LIST | OPTION_COMMAS | OPTION_MAP | OPTION_REPORT | OPTION_OFTEN, NULL},
    {"show-missed", OPTION_OFTEN, NULL},
    {"quiet", OPTION_OFTEN, NULL},
    {"color", 0, "auto always never"},
    {"gate", 0, "ticket hardware"},
    {"order", OPTION_JOINED, "first last ascending reverse random"},
    {"targets", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"max-time", OPTION_OFTEN, NULL},
    {"replay", OPTION_OFTEN, NULL},
    {"mutant", OPTION_OFTEN, NULL},
    {"schedule", OPTION_OFTEN, NULL},
    {"launch", OPTION_OFTEN, NULL},
    {"operators", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"oracle", OPTION_OFTEN, "data output exit reads races data,races output,races exit,races"},
    {"ignore", OPTION_LIST, NULL},
    {"lines", OPTION_COMMAS, NULL},
    {"since", OPTION_OFTEN, NULL},
    {"engine", 0, "auto replay rerun"},
    {"all", OPTION_OFTEN, NULL},
    {"mutants", OPTION_OFTEN, NULL},
    {"annotate", OPTION_OFTEN, NULL},
    {"local", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"groups", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"assume", OPTION_OFTEN, NULL},
    {"fail-on", OPTION_OFTEN, NULL},
    {"rules", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"emit-cases", OPTION_FOLDER, NULL},
    {"yaml", OPTION_FOLDER | OPTION_OFTEN, NULL},
    {"update", OPTION_OFTEN, NULL},
    {NULL, 0, NULL},
};

static const option_kind *kind_of(const option *o) {
  for (const option_kind *k = option_kinds; k->name != NULL; k++)
    if (strcmp(k->name, o->name) == 0) return k;
  return NULL;
}

unsigned option_flags(const option *o) {
  static const unsigned of_values[] = {[OPTION_WORDS] = OPTION_LIST,
                                       [OPTION_UNSIGNED] = OPTION_NUMBER,
                                       [OPTION_UINT64] = OPTION_NUMBER,
                                       [OPTION_SECONDS] = OPTION_NUMBER,
                                       [OPTION_PERCENT] = OPTION_NUMBER,
                                       [OPTION_FRACTION] = OPTION_NUMBER,
                                       [OPTION_BY] = 0};
  const option_kind *k = kind_of(o);
  return (k == NULL ? 0 : k->flags) | of_values[o->target.into] | (o->target.folder ? OPTION_FOLDER : 0);
}

static void kind_add_word(buffer *to, const char *word) { buffer_printf(to, "%s%s", to->length == 0 ? "" : " ", word); }

void option_words(const option *o, buffer *to) {
  const option_kind *k = kind_of(o);
  if (k != NULL && k->words != NULL && o->argument != NULL) {
    kind_add_word(to, k->words);
  } else if (strcmp(o->name, "operators") == 0) {
    kind_add_word(to, "paper gpu");
    for (size_t i = 0; i < MUTATE_OPERATORS; i++) kind_add_word(to, mutate_operators[i].name);
  } else if (strcmp(o->name, "rules") == 0) {
    for (const rule_row *r = rule_rows; r->name != NULL; r++)
      if ((r->kinds & RULE_CHOSEN) != 0) kind_add_word(to, r->name);
  } else if (strcmp(o->name, "format") == 0) {
    for (const report_writer *w = report_writers; w->name != NULL; w++) kind_add_word(to, w->name);
  } else if (strcmp(o->name, "fail-on") == 0) { /* another word for each command */
    kind_add_word(to, o->argument);
  } else if (strcmp(o->name, "fail-under") == 0) {
    for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) kind_add_word(to, m->name);
  }
}

/* The name that it had before, which still works; NULL: none. */
static const char *option_earlier(const option *o) {
  static const struct { const char *name, *earlier; } names[] = {{"memory-limit", "memory"}, {"tests", "check"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i].name, o->name) == 0) return names[i].earlier;
  return NULL;
}

static bool is_word(const char *name, const char *word, size_t length) {
  return strncmp(name, word, length) == 0 && name[length] == '\0';
}

bool option_is_called(const option *o, const char *word, size_t length) {
  const char *earlier = option_earlier(o);
  return is_word(o->name, word, length) || (earlier != NULL && is_word(earlier, word, length));
}

bool option_shadowed(const option *o) {
  for (const option *other = options; other->name != NULL && o->argument == NULL; other++)
    if (other->argument != NULL && strcmp(other->name, o->name) == 0) return true;
  return false;
}

bool option_boolean(const char *text, bool *value) {
  static const char *const booleans[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
  for (size_t i = 0; i < sizeof booleans / sizeof booleans[0]; i++) {
    if (strcasecmp(booleans[i], text) == 0) {
      *value = i % 2 == 1;
      return true;
    }
  }
  return false;
}

static void put_variable(const char *name, buffer *to) {
  buffer_puts(to, "CLTESTCHECK_");
  for (const char *c = name; *c != '\0'; c++) buffer_putc(to, *c == '-' ? '_' : (char)toupper((unsigned char)*c));
}

void option_variable(const option *o, buffer *to) { put_variable(o->name, to); }

static const char *value_of(const char *name) {
  scoped_buffer variable = {0};
  put_variable(name, &variable);
  return getenv(buffer_text(&variable));
}

static bool is_variable(const char *name, const char *variable) {
  scoped_buffer own = {0};
  put_variable(name, &own);
  return strcmp(buffer_text(&own), variable) == 0;
}

/* Whether it is a variable of it: that of its name, or of the one that it had before. */
static bool option_has_variable(const option *o, const char *variable) {
  const char *earlier = option_earlier(o);
  return is_variable(o->name, variable) || (earlier != NULL && is_variable(earlier, variable));
}

/* Its value; NULL: it has none. */
static const char *option_in_environment(const option *o) {
  const char *value = value_of(o->name), *earlier = option_earlier(o);
  return value == NULL && earlier != NULL ? value_of(earlier) : value;
}

void option_default(const option *o, buffer *to) {
  static const char before[] = "default: ";
  const char *at = strstr(o->help, before);
  if (at != NULL) {
    at += strlen(before);
    buffer_append(to, at, strcspn(at, ")"));
  }
}

/* A whole number from `least` to `most`. */
static int take_number(const option *o, const char *value, uint64_t *out, error *e) {
  const option_target *t = &o->target;
  char *end = NULL;
  errno = 0;
  *out = strtoull(value, &end, 10);
  const bool right =
      end != value && *end == '\0' && value[0] != '-' && errno == 0 && *out >= t->least && *out <= t->most;
  if (!right && t->wants != NULL)
    return error_set(e, EXIT_USAGE, "--%s wants %s, not \"%s\"", o->name, t->wants, value);
  if (!right) {
    return error_set(e, EXIT_USAGE, "--%s wants a number from %llu to %llu, not \"%s\"", o->name,
                     (unsigned long long)t->least, (unsigned long long)t->most, value);
  }
  return 0;
}

static int take_real(const option *o, const char *value, double *out, error *e) {
  static const struct {
    double most;
    bool zero, whole; /* 0 and `most` are right, too */
    const char *wants;
  } kinds[] = {[OPTION_SECONDS] = {1e9, false, true, "a number of seconds above 0"},
               [OPTION_PERCENT] = {100, true, true, "a percentage, 0 to 100"},
               [OPTION_FRACTION] = {1, false, false, "a number between 0 and 1, such as 1e-5"}};
  const option_into kind = o->target.into;
  const double most = kinds[kind].most;
  char *end = NULL;
  *out = strtod(value, &end);
  const bool right =
      (*out > 0 || (kinds[kind].zero && *out >= 0)) && (*out < most || (kinds[kind].whole && *out <= most));
  return end != value && *end == '\0' && right
             ? 0
             : error_set(e, EXIT_USAGE, "--%s wants %s, not \"%s\"", o->name, kinds[kind].wants, value);
}

static bool is_folder(const char *name) {
  struct stat status;
  return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

/* One of the words of its kind, which stand in a sentence if it is none. */
static int take_word(const option *o, const char *value, const char **out, error *e) {
  scoped_buffer known = {0}, sentence = {0};
  bool found = false;
  option_words(o, &known);
  const char *const all = buffer_text(&known);
  for (const char *at = all; *at != '\0' && !found;) {
    const size_t length = strcspn(at, " ");
    found = strlen(value) == length && strncmp(value, at, length) == 0;
    const char *next = at + length + strspn(at + length, " ");
    buffer_printf(&sentence, "%s%.*s", at == all ? "" : *next == '\0' ? " or " : ", ", (int)length, at);
    at = next;
  }
  if (found)
    *out = value;
  else
    (void)error_set(e, EXIT_USAGE, "--%s is %s, not \"%s\"", o->name, buffer_text(&sentence), value);
  return found ? 0 : -1;
}

/* Gives a value to the settings; `value` is NULL for a switch. */
static int option_take(const option *o, settings *s, const char *value, error *e) {
  void *field = (char *)s + o->target.at;
  uint64_t number = 0;
  int result = 0;
  const bool text = o->target.into <= OPTION_WORDS;
  if (text && o->target.wants != NULL && value[strspn(value, " \t")] == '\0')
    return error_set(e, EXIT_USAGE, "--%s wants %s", o->name, o->target.wants);
  if (o->target.folder && !is_folder(value))
    return error_set(e, EXIT_USAGE, "--%s wants a folder, and \"%s\" is none", o->name, value);
  switch (o->target.into) {
    case OPTION_NOTHING: break;
    case OPTION_SWITCH: *(bool *)field = true; break;
    case OPTION_TEXT: *(const char **)field = value; break;
    case OPTION_WORDS: {
      word_list *list = field;
      *ARRAY_ADD(list->items, list->count, list->capacity) = value;
      break;
    }
    case OPTION_UNSIGNED:
      result = take_number(o, value, &number, e);
      *(unsigned *)field = (unsigned)number;
      break;
    case OPTION_UINT64: result = take_number(o, value, field, e); break;
    case OPTION_SECONDS:
    case OPTION_PERCENT:
    case OPTION_FRACTION: result = take_real(o, value, field, e); break;
    case OPTION_WORD: result = take_word(o, value, field, e); break;
    case OPTION_FOUND: {
      const int found = o->target.find(value);
      if (found < 0) return error_set(e, EXIT_USAGE, "--%s is %s, not \"%s\"", o->name, o->target.wants, value);
      *(unsigned *)field = (unsigned)found;
      break;
    }
    case OPTION_BY: result = o->target.take(o, field, value, e); break;
  }
  return result;
}

/* --- values with their places --- */

static void assignment_release(assignment *a) {
  free(a->value);
  free(a->origin);
}

/* Has it the NAME of `NAME=VALUE`? */
static bool same_key(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return a[length] == '=' && strncmp(a, b, length + 1) == 0;
}

static bool replaced(const assignment *old, const option *o, assignment_level level, const char *value) {
  if (strcmp(old->option->name, o->name) != 0) return false;
  if ((option_flags(o) & OPTION_KEYED) != 0 && value != NULL) return old->value == NULL || same_key(value, old->value);
  return old->level < level;
}

static void add_one(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                    const char *origin) {
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++)
    if (replaced(&a->items[i], o, level, value))
      assignment_release(&a->items[i]);
    else
      a->items[kept++] = a->items[i];
  a->count = kept;
  *ARRAY_ADD(a->items, a->count, a->capacity) =
      (assignment){o, level, value == NULL ? NULL : mem_strdup(value), off, mem_strdup(origin)};
}

void assignments_add(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                     const char *origin) {
  if (value == NULL || (option_flags(o) & OPTION_KEYED) == 0) {
    add_one(a, o, level, value, off, origin);
    return;
  }
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    scoped char *one = mem_strndup(at, length);
    add_one(a, o, level, one, off, origin);
    at += length;
    if (*at == '\0') return;
  }
}

/* Adds all of `from` and leaves it empty. */
static void assignments_move(assignments *to, assignments *from) {
  EACH(const assignment, a, from->items, from->count) {
    assignments_add(to, a->option, a->level, a->value, a->off, a->origin);
  }
  assignments_free(from);
}

int assignments_apply(const assignments *a, settings *out, error *e) {
  EACH(const assignment, one, a->items, a->count) {
    error inner;
    if (one->off || option_take(one->option, out, one->value, &inner) == 0) continue;
    if (one->level == FROM_COMMAND_LINE) {
      *e = inner;
      return -1;
    }
    return error_set(e, inner.code, "%s: %s", one->origin, inner.text);
  }
  return 0;
}

void assignments_free(assignments *a) {
  for (size_t i = 0; i < a->count; i++) assignment_release(&a->items[i]);
  free(a->items);
  *a = (assignments){0};
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static const option *find_long(const command *c, const char *word, size_t length) {
  for (const option *o = options; o->name != NULL; o++)
    if (command_has(c, o) && option_is_called(o, word, length)) return o;
  return NULL;
}

static const option *find_letter(const command *c, char letter) {
  for (const option *o = options; o->name != NULL; o++)
    if (command_has(c, o) && o->letter != 0 && o->letter == letter) return o;
  return NULL;
}

/* The commands that have an option of this name: "coverage and mutate"; nothing when none has. */
static void list_owners(const char *name, buffer *to) {
  const char *owners[COMMAND_COUNT];
  size_t count = 0;
  EACH_COMMAND(c) {
    if (find_long(c, name, strlen(name)) != NULL) owners[count++] = c->name;
  }
  for (size_t i = 0; i < count; i++)
    buffer_printf(to, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", owners[i]);
}

/* `word` is what was typed, `name` the option in it. */
static int unknown_option(const command *c, const char *word, const char *name, error *e) {
  suggestion near = {.word = name};
  for (const option *o = options; o->name != NULL; o++)
    if (command_has(c, o)) suggest_consider(&near, o->name);
  scoped_buffer owners = {0};
  list_owners(name, &owners);
  if (owners.length > 0) {
    (void)error_set(e, EXIT_USAGE, "unknown option \"%s\" of %s: it is one of %s", word, c->name, buffer_text(&owners));
  } else if (near.best != NULL) {
    (void)error_set(e, EXIT_USAGE, "unknown option \"%s\"; did you mean --%s?", word, near.best);
  } else {
    (void)error_set(e, EXIT_USAGE, "unknown option \"%s\"; `cltestcheck help %s --all` lists the options", word,
                    c->name);
  }
  return -1;
}

/* The value of an option that wants one: the next word. */
static int take_value(const command *c, const option *o, int argc, char **argv, int *at, const char **value, error *e) {
  if (*at + 1 >= argc || strcmp(argv[*at + 1], "--") == 0)
    return error_set(e, EXIT_USAGE, "option --%s wants a value: --%s %s", o->name, o->name, o->argument);
  const char *next = argv[*at + 1];
  /* A word where a value is wanted is perhaps an option, as in `--ctest --db FILE`. */
  const bool longer = next[0] == '-' && next[1] == '-' && next[2] != '\0';
  if (longer || (next[0] == '-' && next[1] != '\0' && next[2] == '\0' && find_letter(c, next[1]) != NULL)) {
    return error_set(e, EXIT_USAGE,
                     "option --%s wants a value: --%s %s. After it comes the option %s; if that is the value, write "
                     "--%s=%s",
                     o->name, o->name, o->argument, next, o->name, next);
  }
  *value = next;
  ++*at;
  return 0;
}

/* Takes the option at argv[*at] and, where it has one, its value. */
static int parse_option(const command *c, int argc, char **argv, int *at, assignments *to, error *e) {
  const char *word = argv[*at];
  const option *o = NULL;
  const char *value = NULL;
  bool on = true;
  size_t length = strcspn(word, "=");
  if (word[1] == '-') {
    o = find_long(c, word + 2, length - 2);
    value = word[length] == '=' ? word + length + 1 : NULL;
  } else {
    o = find_letter(c, word[1]);
    value = word[2] != '\0' ? word + 2 : NULL;
  }
  if (o == NULL) {
    scoped char *name = mem_strndup(word + strspn(word, "-"), length - strspn(word, "-"));
    return unknown_option(c, word, name, e);
  }
  if (o->argument == NULL && value != NULL && (word[1] != '-' || !option_boolean(value, &on))) {
    return error_set(e, EXIT_USAGE, "option --%s takes no value but true and false, but \"%s\" gives it one", o->name,
                     word);
  }
  if (o->argument != NULL && value == NULL && take_value(c, o, argc, argv, at, &value, e) != 0) return -1;
  assignments_add(to, o, FROM_COMMAND_LINE, o->argument == NULL ? NULL : value, !on, "command line");
  return 0;
}

static int parse_words(const command *c, int argc, char **argv, settings *out, error *e) {
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      out->given.command = argv + i + 1;
      return 0;
    }
    if (argv[i][0] == '-' && argv[i][1] != '\0') {
      if (parse_option(c, argc, argv, &i, out->given.assigned, e) != 0) return -1;
    } else {
      *ARRAY_ADD(out->given.positional.items, out->given.positional.count, out->given.positional.capacity) = argv[i];
    }
  }
  return 0;
}

static void add_variable(assignments *to, const option *o, const char *name, const char *value, bool off) {
  bool commas = (option_flags(o) & OPTION_COMMAS) != 0;
  for (const char *at = value; at != NULL;) {
    size_t length = commas ? strcspn(at, ",") : strlen(at);
    scoped char *one = mem_strndup(at, length);
    assignments_add(to, o, FROM_ENVIRONMENT, one, off, name);
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  if (value == NULL) assignments_add(to, o, FROM_ENVIRONMENT, NULL, off, name);
}

/* A variable that is one letter away from an option's is a slip of the pen; the layer has others, which are not. */
static int check_variable(const char *variable, error *e) {
  static const char prefix[] = "CLTESTCHECK_";
  scoped char *name = mem_strndup(variable, strcspn(variable, "="));
  suggestion near = {.word = name + strlen(prefix)};
  bool known = false;
  buffer best = {0};
  for (const option *o = options; o->name != NULL && !known; o++) {
    buffer of = {0};
    option_variable(o, &of);
    known = option_has_variable(o, name);
    const char *before = near.best;
    suggest_consider(&near, buffer_text(&of) + strlen(prefix));
    if (near.best != before) {
      buffer_free(&best);
      best = of;
      near.best = buffer_text(&best) + strlen(prefix);
    } else {
      buffer_free(&of);
    }
  }
  int result = known || near.best == NULL || near.distance > 1
                   ? 0
                   : error_set(e, EXIT_USAGE, "%s is no setting; did you mean %s?", name, buffer_text(&best));
  buffer_free(&best);
  return result;
}

static int check_variables(error *e) {
  for (char **v = environ; *v != NULL; v++)
    if (strncmp(*v, "CLTESTCHECK_", strlen("CLTESTCHECK_")) == 0 && check_variable(*v, e) != 0) return -1;
  return 0;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* The last value of an option. */
static const assignment *find_last(const assignments *a, const char *name) {
  for (size_t i = a->count; i > 0; i--)
    if (strcmp(a->items[i - 1].option->name, name) == 0) return &a->items[i - 1];
  return NULL;
}

/* Words and environment say which file; what it says is below what they say. */
static int read_configuration(const command *c, settings *out, error *e) {
  const assignment *named = find_last(out->given.assigned, "config");
  const assignment *none = find_last(out->given.assigned, "no-config");
  bool off = none != NULL && !none->off && (named == NULL || named->level <= none->level);
  char *path = off ? NULL : named != NULL ? mem_strdup(named->value) : configuration_find();
  if (path == NULL) return 0;
  configuration *file = mem_calloc(1, sizeof *file);
  int result = configuration_read(path, file, e);
  free(path);
  if (result != 0) {
    free(file);
    return -1;
  }
  out->report.configuration = file;
  assignments all = {0};
  configuration_assign(file, c, &all);
  assignments_move(&all, out->given.assigned);
  *out->given.assigned = all;
  return 0;
}

/* Environment first, so that words take its place. */
static int read_all(const command *c, int argc, char **argv, settings *out, error *e) {
  /* `COMMAND --help --all`: all of the help, also of a command that has no --all of its own. */
  bool help = false, all = false;
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
    help = help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    all = all || strcmp(argv[i], "--all") == 0;
  }
  if (help && all) {
    out->given.help = out->given.help_all = true;
    return 0;
  }
  assignments *given = out->given.assigned;
  if (parse_words(c, argc, argv, out, e) != 0) return -1;
  const assignment *last = find_last(given, "help");
  if (last != NULL && !last->off) {
    out->given.help = true; /* whatever else is wrong */
    return 0;
  }
  assignments lower = {0};
  /* A variable that is empty is as one that is not there. */
  int result = check_variables(e);
  for (const option *o = options; o->name != NULL && result == 0; o++) {
    scoped_buffer name = {0};
    option_variable(o, &name);
    const char *value = command_has(c, o) && !option_shadowed(o) ? option_in_environment(o) : NULL;
    bool on = true;
    if (value == NULL || value[0] == '\0' || strcmp(o->name, "help") == 0)
      ; /* not there */
    else if (o->argument != NULL)
      add_variable(&lower, o, buffer_text(&name), value, false);
    else if (option_boolean(value, &on))
      add_variable(&lower, o, buffer_text(&name), NULL, !on);
    else
      result = error_set(e, EXIT_USAGE, "%s is true or false, not \"%s\"", buffer_text(&name), value);
  }
  assignments_move(&lower, given);
  *given = lower;
  return result != 0 || read_configuration(c, out, e) != 0 ? -1 : assignments_apply(given, out, e);
}

int options_parse(const command *c, int argc, char **argv, settings *out, error *e) {
  *out = (settings){.given.verb = c->name,
                    .given.typed = c->name,
                    .report.database = DEFAULT_DATABASE,
                    .report.colour = "auto",
                    .mutation.operators = "paper",
                    .experiment.oracle = strcmp(c->name, "mutate") == 0 ? ORACLE_EXIT : ORACLE_READS,
                    .experiment.runs = 20,
                    .verify.second_opinion = 24,
                    .proof.query_timeout = 10,
                    .proof.memory = 1024,
                    .replay.launch = -1,
                    .experiment.shard = 1,
                    .experiment.shards = 1};
  out->given.assigned = mem_calloc(1, sizeof *out->given.assigned);
  return read_all(c, argc, argv, out, e);
}

/* Options share lists. */
static void free_lists(settings *s) {
  for (const option *o = options; o->name != NULL; o++) {
    if (o->target.into == OPTION_WORDS) {
      word_list *list = (word_list *)(void *)((char *)s + o->target.at);
      free(list->items);
      *list = (word_list){0};
    }
  }
}

void settings_free(settings *s) {
  free_lists(s);
  free(s->experiment.ignore.items);
  for (size_t i = 0; i < s->report.format_count; i++) free(s->report.formats[i].name);
  free(s->report.formats);
  free(s->report.thresholds);
  free(s->given.positional.items);
  free(s->amplification.plan.target_list);
  if (s->given.assigned != NULL) {
    assignments_free(s->given.assigned);
    free(s->given.assigned);
  }
  if (s->report.configuration != NULL) {
    configuration_free(s->report.configuration);
    free(s->report.configuration);
  }
  *s = (settings){0};
}

/* The hint at --device, with the command line as it was given. */

static const char *type_name(uint32_t type) {
  return (type & 4u) != 0 ? "a GPU" : (type & 2u) != 0 ? "a CPU" : (type & 8u) != 0 ? "an accelerator" : "a";
}

static void add_word(buffer *line, const char *word) {
  buffer_putc(line, ' ');
  shell_word(line, word);
}

static void add_options(const command_line *given, buffer *line) {
  for (size_t i = 0; given->assigned != NULL && i < given->assigned->count; i++) {
    const assignment *a = &given->assigned->items[i];
    if (a->level == FROM_COMMAND_LINE && !a->off) {
      buffer_printf(line, " --%s", a->option->name);
      if (a->value != NULL && a->option->argument != NULL) add_word(line, a->value);
    }
  }
}

void say_denied(const command_line *given, const target *t, uint32_t type) {
  if (t->device != NULL) return;
  scoped_buffer line = buffer_with("cltestcheck %s --device 0", given->typed);
  add_options(given, &line);
  for (size_t i = 0; i < given->positional.count; i++) add_word(&line, given->positional.items[i]);
  buffer_puts(&line, given->command == NULL ? "" : " --");
  for (char **word = given->command; word != NULL && *word != NULL; word++) add_word(&line, *word);
  say(stderr,
      "cltestcheck: the program asked for %s device and there is none; this presents another one (`cltestcheck "
      "devices` lists them):\n    %s\n",
      type_name(type), buffer_text(&line));
}
