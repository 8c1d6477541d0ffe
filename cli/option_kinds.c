/* Options have kinds by their names, and their values become fields of the settings. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/options.h"
#include "mutate/mutate.h"
#include "reports/common/report.h"
#include "reports/formats.h"

const option_kind option_kinds[] = {
    {"config", OPTION_FILE | OPTION_META, NULL},
    {"no-config", OPTION_META, NULL},
    {"help", OPTION_META, NULL},
    {"db", OPTION_FILE | OPTION_OFTEN, NULL},
    {"device", OPTION_OFTEN, NULL},
    {"suites", OPTION_FOLDER, NULL},
    {"ctest", OPTION_FOLDER, NULL},
    {"root", OPTION_FOLDER, NULL},
    {"source-root", OPTION_LIST | OPTION_FOLDER, NULL},
    {"timeout", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"runs", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"jobs", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"kernel", OPTION_LIST | OPTION_COMMAS | OPTION_OFTEN, NULL},
    {"exclude", OPTION_LIST | OPTION_COMMAS, NULL},
    {"fail-under", OPTION_LIST | OPTION_COMMAS | OPTION_MAP | OPTION_KEYED | OPTION_OFTEN, NULL},
    {"format", OPTION_LIST | OPTION_COMMAS | OPTION_MAP | OPTION_REPORT | OPTION_OFTEN, NULL},
    {"show-missed", OPTION_OFTEN, NULL},
    {"quiet", OPTION_OFTEN, NULL},
    {"color", 0, "auto always never"},
    {"gate", 0, "ticket hardware"},
    {"order", OPTION_JOINED, "first last ascending reverse random"},
    {"targets", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"seed", OPTION_NUMBER, NULL},
    {"max-time", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"replay", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"mutant", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"schedule", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"launch", OPTION_NUMBER | OPTION_OFTEN, NULL},
    {"operators", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"oracle", OPTION_OFTEN, "data output exit reads races data,races output,races exit,races"},
    {"ignore", OPTION_LIST, NULL},
    {"lines", OPTION_LIST | OPTION_COMMAS, NULL},
    {"since", OPTION_OFTEN, NULL},
    {"sample", OPTION_NUMBER, NULL},
    {"shard", 0, NULL},
    {"resume", 0, NULL},
    {"list", 0, NULL},
    {"engine", 0, "auto replay rerun"},
    {"verify-engine", OPTION_NUMBER, NULL},
    {"all", OPTION_OFTEN, NULL},
    {"mutants", OPTION_OFTEN, NULL},
    {"annotate", OPTION_OFTEN, NULL},
    {"coverage", 0, NULL},
    {"local", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"groups", OPTION_JOINED | OPTION_OFTEN, NULL},
    {"assume", OPTION_LIST | OPTION_OFTEN, NULL},
    {"barriers", 0, NULL},
    {"query-timeout", OPTION_NUMBER, NULL},
    {"memory-limit", OPTION_NUMBER, NULL},
    {"warp-sync", OPTION_NUMBER, NULL},
    {"fail-on", OPTION_OFTEN, NULL},
    {"rules", OPTION_JOINED | OPTION_OFTEN,
     "out-of-bounds null-pointer misaligned read-only write-only mapped uninitialized-read copy-not-awaited "
     "used-before-read host-race leak api-error"},
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
  const option_kind *k = kind_of(o);
  return k == NULL ? 0 : k->flags;
}

static void add_word(buffer *to, const char *word) { buffer_printf(to, "%s%s", to->length == 0 ? "" : " ", word); }

void option_words(const option *o, buffer *to) {
  const option_kind *k = kind_of(o);
  if (k != NULL && k->words != NULL && o->argument != NULL) {
    add_word(to, k->words);
  } else if (strcmp(o->name, "operators") == 0) {
    add_word(to, "paper gpu");
    for (size_t i = 0; i < MUTATE_OPERATORS; i++) add_word(to, mutate_operators[i].name);
  } else if (strcmp(o->name, "format") == 0) {
    for (const report_writer *w = report_writers; w->name != NULL; w++) add_word(to, w->name);
  } else if (strcmp(o->name, "fail-on") == 0) { /* another word for each command */
    add_word(to, o->argument);
  } else if (strcmp(o->name, "fail-under") == 0) {
    for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) add_word(to, m->name);
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

bool option_has_variable(const option *o, const char *variable) {
  const char *earlier = option_earlier(o);
  return is_variable(o->name, variable) || (earlier != NULL && is_variable(earlier, variable));
}

const char *option_in_environment(const option *o) {
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

/* Values of options to fields of the settings. */

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

static int take_seconds(const option *o, const char *value, double *out, error *e) {
  char *end = NULL;
  *out = strtod(value, &end);
  if (end == value || *end != '\0' || !(*out > 0) || *out > 1e9)
    return error_set(e, EXIT_USAGE, "--%s wants a number of seconds above 0, not \"%s\"", o->name, value);
  return 0;
}

static int take_percent(const option *o, const char *value, double *out, error *e) {
  char *end = NULL;
  *out = strtod(value, &end);
  if (end == value || *end != '\0' || !(*out >= 0 && *out <= 100))
    return error_set(e, EXIT_USAGE, "--%s wants a percentage, 0 to 100, not \"%s\"", o->name, value);
  return 0;
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

int option_take(const option *o, settings *s, const char *value, error *e) {
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
    case OPTION_SECONDS: result = take_seconds(o, value, field, e); break;
    case OPTION_PERCENT: result = take_percent(o, value, field, e); break;
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
