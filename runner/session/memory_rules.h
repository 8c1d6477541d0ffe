/* Which rules on memory are looked for: names with commas between (docs/memory.md). */
#ifndef CLTC_RUNNER_SESSION_MEMORY_RULES_H
#define CLTC_RUNNER_SESSION_MEMORY_RULES_H

#include <stdbool.h>
#include <stddef.h>

bool memory_rule_is_known(const char *name, size_t length);
/* `wanted` NULL: all are. */
bool memory_rule_is_wanted(const char *wanted, const char *rule);

#endif
