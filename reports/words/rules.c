#include "reports/words/rules.h"

#include <string.h>

#include "reports/words/finding_text.h"

const finding_rule finding_rules[] = {
    {"barrier-divergence", "barrier divergence", put_divergence},
    {"async-divergence", "divergent async copy", put_async_divergence},
    {"race", "race", NULL},
    {"data-race", "data race", put_race},
    {"benign-race", "benign race", put_race},
    {"host-race", "race between commands", put_commands},
    {"out-of-bounds", "out of bounds", put_bounds},
    {"null-pointer", "null pointer", put_memory},
    {"misaligned", "misaligned access", put_memory},
    {"read-only", "write to read-only memory", put_memory},
    {"write-only", "read of write-only memory", put_memory},
    {"mapped", "access to mapped memory", put_memory},
    {"api-error", "refused call that went unnoticed", put_refused},
    {"buffer-overrun", "write past the end of a buffer", put_overrun},
    {"uninitialized-read", "value that nobody wrote", put_unwritten},
    {"copy-not-awaited", "async copy that was not awaited", put_memory},
    {"used-before-read", "use of memory before it is read", put_unawaited},
    {"leak", "object that is not released", put_leak},
    {"deadlock", "deadlock", NULL},
    {"crash", "crash", NULL},
    {"order-dependent", "order-dependent result", NULL},
    {"differs", "result differs (accesses not checked)", NULL},
};
const size_t finding_rule_count = sizeof finding_rules / sizeof finding_rules[0];

const finding_rule *rule_find(const char *name) {
  for (size_t i = 0; i < finding_rule_count; i++) {
    if (strcmp(finding_rules[i].name, name) == 0) {
      return &finding_rules[i];
    }
  }
  return NULL;
}

const char *rule_title(const char *name) {
  const finding_rule *rule = rule_find(name);
  return rule == NULL ? name : rule->title;
}

void rule_names(buffer *to) {
  for (size_t i = 0; i < finding_rule_count; i++) {
    buffer_printf(to, "%s%s", i == 0 ? "" : ", ", finding_rules[i].name);
  }
}
