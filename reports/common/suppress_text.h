/* A suppression for cltestcheck.yaml that can be pasted. */
#ifndef CLTC_REPORTS_COMMON_SUPPRESS_TEXT_H
#define CLTC_REPORTS_COMMON_SUPPRESS_TEXT_H

#include "base/buffer.h"
#include "db/db.h"
#include "reports/common/place.h"

/* The line without spaces at both ends. */
place_line suppress_trimmed(place_line line);
/* "- {rule: data-race, kernel: "scan", line: "a[i] = i;", reason: "…"}", where all that stands in quotes is YAML whatever
 * the source holds. `line` without text: none is given. */
void suppress_text(const char *rule, const char *kernel, place_line line, buffer *to);
/* Of a finding of the view. */
void suppress_finding_text(const view *v, const db_finding *f, buffer *to);

#endif
