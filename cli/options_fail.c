/* The words of --fail-on that commands which run programs know. */
#include "cli/options_fail.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "runner/experiment/found.h"
#include "runner/session/memory_rules.h"

typedef struct fail_word {
  const char *word;
  size_t flag; /* where in the settings */
} fail_word;

static const fail_word for_memory[] = {{"api-error", offsetof(settings, fail_on_refused)},
                                       {"buffer-overrun", offsetof(settings, fail_on_overrun)},
                                       {NULL, 0}};
static const fail_word for_order[] = {{"order-dependent", offsetof(settings, fail_on_order)},
                                      {"api-error", offsetof(settings, fail_on_refused)},
                                      {"buffer-overrun", offsetof(settings, fail_on_overrun)},
                                      {NULL, 0}};
static const fail_word for_proofs[] = {{"possible", offsetof(settings, proof.fail_on_possible)},
                                       {"api-error", offsetof(settings, fail_on_refused)},
                                       {"buffer-overrun", offsetof(settings, fail_on_overrun)},
                                       {NULL, 0}};
static const fail_word for_races[] = {{"benign", offsetof(settings, fail_on_benign)},
                                      {"api-error", offsetof(settings, fail_on_refused)},
                                      {"buffer-overrun", offsetof(settings, fail_on_overrun)},
                                      {NULL, 0}};

static int refuse(const fail_word *known, const char *value, error *e) {
  buffer known_words = {0};
  for (const fail_word *w = known; w->word != NULL; w++) {
    buffer_printf(&known_words, "%s%s", w == known ? "" : w[1].word == NULL ? " and " : ", ", w->word);
  }
  const int result = error_set(e, EXIT_USAGE, "--fail-on knows %s, several with commas between; not \"%s\"",
                               buffer_text(&known_words), value);
  buffer_free(&known_words);
  return result;
}

static int take(settings *s, const char *value, const fail_word *known, error *e) {
  const char *at = value;
  do {
    const size_t length = strcspn(at, ",");
    const fail_word *w = known;
    while (w->word != NULL && (strlen(w->word) != length || strncmp(w->word, at, length) != 0)) {
      w++;
    }
    if (w->word == NULL) {
      return refuse(known, value, e);
    }
    *(bool *)((char *)s + w->flag) = true;
    at += length;
  } while (*at++ == ',');
  return 0;
}

int take_fail_on_memory(settings *s, const char *value, error *e) { return take(s, value, for_memory, e); }
int take_fail_on_order(settings *s, const char *value, error *e) { return take(s, value, for_order, e); }
int take_fail_on_possible(settings *s, const char *value, error *e) { return take(s, value, for_proofs, e); }
int take_fail_on_benign(settings *s, const char *value, error *e) { return take(s, value, for_races, e); }

int take_rules(settings *s, const char *value, error *e) {
  s->rules = value;
  for (const char *at = value; *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    if (!memory_rule_is_known(at, length)) {
      return error_set(e, EXIT_USAGE,
                       "--rules knows out-of-bounds, null-pointer, misaligned, read-only, write-only, mapped, "
                       "uninitialized-read, copy-not-awaited, used-before-read, leak and api-error, with commas "
                       "between; not \"%.*s\"",
                       (int)length, at);
    }
    at += length;
  }
  return value[0] != '\0' ? 0 : error_set(e, EXIT_USAGE, "--rules wants names of rules, such as out-of-bounds");
}

const char *fails_on_memory(const settings *s, const view *v) {
  return s->fail_on_refused && has_finding(v, "api-error")
             ? "the program uses memory that a refused launch should have written (--fail-on api-error)"
         : s->fail_on_overrun && has_finding(v, "buffer-overrun")
             ? "a kernel writes past the end of a buffer (--fail-on buffer-overrun)"
             : NULL;
}

void say_fails_on_memory(const settings *s, const view *v) {
  const char *why = fails_on_memory(s, v);
  if (why != NULL) {
    (void)fprintf(stderr, "cltestcheck: %s\n", why);
  }
}
