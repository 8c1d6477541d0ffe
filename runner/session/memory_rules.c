/* The names of rules. */
#include "runner/session/memory_rules.h"

#include <string.h>

static const char *const rules[] = {
    "out-of-bounds",      "null-pointer",     "misaligned",       "read-only", "write-only", "mapped",
    "uninitialized-read", "copy-not-awaited", "used-before-read", "host-race", "leak",       "api-error"};

static bool is_word(const char *name, const char *at, size_t length) {
  return strlen(name) == length && strncmp(name, at, length) == 0;
}

bool memory_rule_is_known(const char *name, size_t length) {
  bool any = false;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    any = any || is_word(rules[i], name, length);
  }
  return any;
}

bool memory_rule_is_wanted(const char *wanted, const char *rule) {
  bool any = wanted == NULL;
  for (const char *at = wanted; at != NULL && *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    any = any || is_word(rule, at, length);
    at += length;
  }
  return any;
}
