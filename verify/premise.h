/* What a verdict rests on, as the answer says it: a C expression is a string, all else an object with "text", a sentence, and
 * "kind", the word by which whoever reads the answer knows it:
 *
 *   preconditions   "even"      no work-group is smaller than the others
 *                   "as-seen"   the value of an argument that is no integer, null, one memory
 *                   "contents"  of "buffer": "holds" is "distinct", "ascending", "identity" or "values" ("low" to "high")
 *                   "inside"    accesses stay inside their buffers
 *                   "other"     all else
 *   assumptions     "overflow" (no signed one), "division" (none by 0), "sizes" (their products), "waits" (loops end),
 *                   "inside", "other" */
#ifndef CLTC_VERIFY_PREMISE_H
#define CLTC_VERIFY_PREMISE_H

#include <jansson.h>
#include <stdbool.h>

#include "verify/request.h"

void premise_add(json_t *to, const char *kind, const char *text);
void premise_add_contents(json_t *to, const char *buffer, const contents_known *c, const char *text);

#endif
