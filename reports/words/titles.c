#include "reports/words/titles.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *rule, *title;
} titles[] = {
    {"api-error", "refused call that went unnoticed"},
    {"async-divergence", "divergent async copy"},
    {"barrier-divergence", "barrier divergence"},
    {"benign-race", "benign race"},
    {"buffer-overrun", "write past the end of a buffer"},
    {"copy-not-awaited", "async copy that nobody waited for"},
    {"data-race", "data race"},
    {"differs", "result differs (accesses not checked)"},
    {"host-race", "race between commands"},
    {"mapped", "access to mapped memory"},
    {"misaligned", "misaligned access"},
    {"null-pointer", "null pointer"},
    {"order-dependent", "order-dependent result"},
    {"out-of-bounds", "out of bounds"},
    {"read-only", "write to read-only memory"},
    {"uninitialized-read", "value that nobody wrote"},
    {"write-only", "read of write-only memory"},
};

const char *rule_title(const char *rule) {
  for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
    if (strcmp(titles[i].rule, rule) == 0) {
      return titles[i].title;
    }
  }
  return rule;
}
