/* The names of rules on memory. */
#include "base/memory_rules.h"

#include <string.h>

const memory_rule_row memory_rules[] = {{"out-of-bounds", "out_of_bounds"},
                                        {"null-pointer", "null_pointer"},
                                        {"memory-error", "memory_error"},
                                        {"misaligned", "misaligned"},
                                        {"read-only", "read_only"},
                                        {"write-only", "write_only"},
                                        {"mapped", "mapped"},
                                        {"uninitialized-read", "uninitialized_read"},
                                        {"copy-not-awaited", "copy_not_awaited"},
                                        {"used-before-read", "used_before_read"},
                                        {"host-race", "host_race"},
                                        {"leak", "leak"},
                                        {"api-error", NULL},
                                        {NULL, NULL}};

const memory_rule_row *memory_rule_find(const char *name, size_t length) {
  const memory_rule_row *r = memory_rules;
  while (r->name != NULL && (strlen(r->name) != length || strncmp(r->name, name, length) != 0)) r++;
  return r->name == NULL ? NULL : r;
}

bool memory_rule_is_wanted(const char *wanted, const char *rule) {
  bool any = wanted == NULL;
  for (const char *at = wanted; at != NULL && *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    any = any || (strlen(rule) == length && strncmp(rule, at, length) == 0);
    at += length;
  }
  return any;
}

void memory_rule_names(buffer *to) {
  for (const memory_rule_row *r = memory_rules; r->name != NULL; r++)
    buffer_printf(to, "%s%s", r == memory_rules ? "" : r[1].name == NULL ? " and " : ", ", r->name);
}
