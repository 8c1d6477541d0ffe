/* The rules of findings by kind: what rooms ask that go by rules. Their words are in reports/words/rules.c; a rule that nobody asks
 * about need not be here. */
#ifndef CLTC_BASE_RULES_H
#define CLTC_BASE_RULES_H

#include "base/buffer.h"

typedef enum rule_kind {
  RULE_RACE = 1,            /* two accesses, nothing orders them */
  RULE_BENIGN = 1 << 1,     /* the same, and both write one value */
  RULE_DIVERGENCE = 1 << 2, /* a barrier or async copy that work-items do not reach alike */
  RULE_OUTSIDE = 1 << 3,    /* an access outside of all that it may touch */
  RULE_ADDRESS = 1 << 4,    /* an address that is wrong: these, and those that a type does not allow */
  RULE_ORDER = 1 << 5,      /* what `amplify` says of a launch: something depends on the order of its work-groups */
  RULE_HOST = 1 << 6,       /* a mistake of the host: `memory` fails by it, whichever kernels are selected */
  RULE_ASIDE = 1 << 7,      /* every command sees it, and it counts where --fail-on names it alone */
  RULE_UNPLACED = 1 << 8,   /* a kernel left it behind, by which access is not known */
  RULE_SAID = 1 << 9,       /* its sentence says all that its pairs say */
  RULE_MEMORY = 1 << 10,    /* `memory` looks for it, and reports count it there */
  RULE_CHOSEN = 1 << 11     /* --rules knows it */
} rule_kind;

typedef struct rule_row {
  const char *name;
  unsigned kinds; /* of rule_kind */
} rule_row;
/* Ended by a row without a name; what `memory` looks for in the order of reports. */
extern const rule_row rule_rows[];

/* Is the rule of one of these kinds? `length`: of the name. */
bool rule_name_is(const char *name, size_t length, unsigned kinds);
bool rule_is(const char *name, unsigned kinds);
/* `wanted`: names with commas between; NULL: all are. */
bool rule_is_wanted(const char *wanted, const char *rule);
/* Appends the names that --rules knows: "out-of-bounds, null-pointer … and api-error". */
void rule_names_chosen(buffer *to);

#endif
