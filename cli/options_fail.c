/* The words of --fail-on that commands which run programs know. */
#include "cli/options_fail.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory_rules.h"
#include "runner/experiment/found.h"

static const struct {
  const char *word;
  size_t flag; /* where in the part */
  unsigned commands;
} fail_words[] = {{"benign", offsetof(fail_settings, benign), FOR_RACES | FOR_CHECK},
                  {"order-dependent", offsetof(fail_settings, order), FOR_AMPLIFY},
                  {"possible", offsetof(fail_settings, possible), FOR_VERIFY},
                  {"api-error", offsetof(fail_settings, refused), FOR_ALL},
                  {"buffer-overrun", offsetof(fail_settings, overrun), FOR_ALL}};
enum { WORDS = sizeof fail_words / sizeof fail_words[0] };

static int refuse(const option *o, const char *value, error *e) {
  buffer known = {0};
  for (size_t i = 0; i < WORDS; i++) {
    if ((fail_words[i].commands & o->commands) != 0) {
      buffer_printf(&known, "%s%s", known.length == 0 ? "" : i + 1 == WORDS ? " and " : ", ", fail_words[i].word);
    }
  }
  const int result = error_set(e, EXIT_USAGE, "--fail-on knows %s, several with commas between; not \"%s\"",
                               buffer_text(&known), value);
  buffer_free(&known);
  return result;
}

int take_fail_on(const option *o, void *part, const char *value, error *e) {
  const char *at = value;
  do {
    const size_t length = strcspn(at, ",");
    bool found = false;
    for (size_t i = 0; i < WORDS && !found; i++) {
      const char *word = fail_words[i].word;
      found = (fail_words[i].commands & o->commands) != 0 && strlen(word) == length && strncmp(word, at, length) == 0;
      if (found) {
        *(bool *)((char *)part + fail_words[i].flag) = true;
      }
    }
    if (!found) {
      return refuse(o, value, e);
    }
    at += length;
  } while (*at++ == ',');
  return 0;
}

int take_rules(const option *o, void *part, const char *value, error *e) {
  (void)o;
  *(const char **)part = value;
  for (const char *at = value; *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    if (memory_rule_find(at, length) == NULL) {
      buffer names = {0};
      memory_rule_names(&names);
      (void)error_set(e, EXIT_USAGE, "--rules knows %s, with commas between; not \"%.*s\"", buffer_text(&names),
                      (int)length, at);
      buffer_free(&names);
      return -1;
    }
    at += length;
  }
  return value[0] != '\0' ? 0 : error_set(e, EXIT_USAGE, "--rules wants names of rules, such as out-of-bounds");
}

const char *fails_on_memory(const fail_settings *s, const view *v) {
  return s->refused && has_finding(v, "api-error")
             ? "the program uses what a refused call should have made (--fail-on api-error)"
         : s->overrun && has_finding(v, "buffer-overrun")
             ? "a kernel writes past the end of a buffer (--fail-on buffer-overrun)"
             : NULL;
}

void say_fails_on_memory(const fail_settings *s, const view *v) {
  const char *why = fails_on_memory(s, v);
  if (why != NULL) {
    (void)fprintf(stderr, "cltestcheck: %s\n", why);
  }
}
