/* Rules on memory: their names, which of them are looked for (docs/memory.md). */
#ifndef CLTC_BASE_MEMORY_RULES_H
#define CLTC_BASE_MEMORY_RULES_H

#include "base/buffer.h"

/* In the order of reports. */
typedef struct memory_rule_row {
  const char *name;
  const char *member; /* of JSON, where `memory` counts it; NULL: it counts elsewhere; these stand last */
} memory_rule_row;
extern const memory_rule_row memory_rules[]; /* ended by a row without a name */

/* NULL: there is none such. */
const memory_rule_row *memory_rule_find(const char *name, size_t length);
/* `wanted`: names with commas between; NULL: all are. */
bool memory_rule_is_wanted(const char *wanted, const char *rule);
/* Appends all names: "out-of-bounds, null-pointer … and api-error". */
void memory_rule_names(buffer *to);

#endif
