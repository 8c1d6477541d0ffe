/* Values of options to fields of the settings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/option_kinds.h"
#include "cli/options.h"

/* A whole number from `least` to `most`. */
static int take_number(const option *o, const char *value, uint64_t *out, error *e) {
  const option_target *t = &o->target;
  char *end = NULL;
  errno = 0;
  *out = strtoull(value, &end, 10);
  const bool right =
      end != value && *end == '\0' && value[0] != '-' && errno == 0 && *out >= t->least && *out <= t->most;
  if (!right && t->wants != NULL) {
    return error_set(e, EXIT_USAGE, "--%s wants %s, not \"%s\"", o->name, t->wants, value);
  }
  if (!right) {
    return error_set(e, EXIT_USAGE, "--%s wants a number from %llu to %llu, not \"%s\"", o->name,
                     (unsigned long long)t->least, (unsigned long long)t->most, value);
  }
  return 0;
}

static int take_seconds(const option *o, const char *value, double *out, error *e) {
  char *end = NULL;
  *out = strtod(value, &end);
  if (end == value || *end != '\0' || !(*out > 0) || *out > 1e9) {
    return error_set(e, EXIT_USAGE, "--%s wants a number of seconds above 0, not \"%s\"", o->name, value);
  }
  return 0;
}

static int take_percent(const option *o, const char *value, double *out, error *e) {
  char *end = NULL;
  *out = strtod(value, &end);
  if (end == value || *end != '\0' || !(*out >= 0 && *out <= 100)) {
    return error_set(e, EXIT_USAGE, "--%s wants a percentage, 0 to 100, not \"%s\"", o->name, value);
  }
  return 0;
}

static bool is_folder(const char *name) {
  struct stat status;
  return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

/* One of the words of its kind, which stand in a sentence if it is none. */
static int take_word(const option *o, const char *value, const char **out, error *e) {
  if (o->target.find != NULL) {
    *out = value;
    return o->target.find(value) >= 0
               ? 0
               : error_set(e, EXIT_USAGE, "--%s is %s, not \"%s\"", o->name, o->target.wants, value);
  }
  buffer known = {0}, sentence = {0};
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
  if (found) {
    *out = value;
  } else {
    (void)error_set(e, EXIT_USAGE, "--%s is %s, not \"%s\"", o->name, buffer_text(&sentence), value);
  }
  buffer_free(&known);
  buffer_free(&sentence);
  return found ? 0 : -1;
}

int option_take(const option *o, settings *s, const char *value, error *e) {
  void *field = (char *)s + o->target.at;
  uint64_t number = 0;
  int result = 0;
  const bool text = o->target.into <= OPTION_WORDS;
  if (text && o->target.wants != NULL && value[strspn(value, " \t")] == '\0') {
    return error_set(e, EXIT_USAGE, "--%s wants %s", o->name, o->target.wants);
  }
  if (o->target.folder && !is_folder(value)) {
    return error_set(e, EXIT_USAGE, "--%s wants a folder, and \"%s\" is none", o->name, value);
  }
  switch (o->target.into) {
    case OPTION_NOTHING:
      break;
    case OPTION_SWITCH:
      *(bool *)field = true;
      break;
    case OPTION_TEXT:
      *(const char **)field = value;
      break;
    case OPTION_WORDS: {
      words *list = field;
      *ARRAY_ADD(list->items, list->count, list->capacity) = value;
      break;
    }
    case OPTION_UNSIGNED:
      result = take_number(o, value, &number, e);
      *(unsigned *)field = (unsigned)number;
      break;
    case OPTION_UINT64:
      result = take_number(o, value, field, e);
      break;
    case OPTION_SECONDS:
      result = take_seconds(o, value, field, e);
      break;
    case OPTION_PERCENT:
      result = take_percent(o, value, field, e);
      break;
    case OPTION_WORD:
      result = take_word(o, value, field, e);
      break;
    case OPTION_BY:
      result = o->target.take(o, field, value, e);
      break;
  }
  return result;
}
