/* The rules of findings by kind. */
#include "base/rules.h"

#include <string.h>

enum { LOOKED_FOR = RULE_MEMORY | RULE_CHOSEN };

const rule_row rule_rows[] = {{"out-of-bounds", LOOKED_FOR | RULE_OUTSIDE | RULE_ADDRESS},
                              {"null-pointer", LOOKED_FOR | RULE_OUTSIDE | RULE_ADDRESS},
                              {"memory-error", LOOKED_FOR | RULE_UNPLACED | RULE_SAID},
                              {"misaligned", LOOKED_FOR | RULE_ADDRESS},
                              {"read-only", LOOKED_FOR},
                              {"write-only", LOOKED_FOR},
                              {"mapped", LOOKED_FOR | RULE_SAID},
                              {"uninitialized-read", LOOKED_FOR | RULE_SAID},
                              {"copy-not-awaited", LOOKED_FOR | RULE_SAID},
                              {"used-before-read", LOOKED_FOR | RULE_HOST | RULE_SAID},
                              {"host-race", LOOKED_FOR | RULE_HOST | RULE_SAID},
                              {"leak", LOOKED_FOR | RULE_HOST | RULE_SAID},
                              {"api-error", RULE_CHOSEN | RULE_HOST | RULE_ASIDE | RULE_SAID},
                              {"buffer-overrun", RULE_ASIDE | RULE_UNPLACED | RULE_SAID},
                              {"data-race", RULE_RACE},
                              {"benign-race", RULE_BENIGN},
                              {"barrier-divergence", RULE_DIVERGENCE},
                              {"async-divergence", RULE_DIVERGENCE},
                              {"race", RULE_ORDER},
                              {"deadlock", RULE_ORDER},
                              {"crash", RULE_ORDER},
                              {"differs", RULE_ORDER},
                              {"order-dependent", RULE_ORDER},
                              {NULL, 0}};

bool rule_name_is(const char *name, size_t length, unsigned kinds) {
  const rule_row *r = rule_rows;
  while (r->name != NULL && (strlen(r->name) != length || strncmp(r->name, name, length) != 0)) r++;
  return (r->kinds & kinds) != 0;
}

bool rule_is(const char *name, unsigned kinds) { return rule_name_is(name, strlen(name), kinds); }

bool rule_is_wanted(const char *wanted, const char *rule) {
  bool any = wanted == NULL;
  for (const char *at = wanted; at != NULL && *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    any = any || (strlen(rule) == length && strncmp(rule, at, length) == 0);
    at += length;
  }
  return any;
}

void rule_names_chosen(buffer *to) {
  const char *before = "", *last = NULL;
  for (const rule_row *r = rule_rows; r->name != NULL; r++) {
    if ((r->kinds & RULE_CHOSEN) == 0) continue;
    if (last != NULL) buffer_printf(to, "%s%s", before, last);
    before = last == NULL ? "" : ", ";
    last = r->name;
  }
  buffer_printf(to, " and %s", last);
}
