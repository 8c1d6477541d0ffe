/* What reports say of repairs. */
#ifndef CLTC_REPORTS_COMMON_REPAIRS_H
#define CLTC_REPORTS_COMMON_REPAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "db/db.h"

/* Was something repaired, or tried to be? */
bool repairs_are(const view *v);
/* "repaired", "repaired in part", … of an outcome; as good as nothing was wrong: "fine". */
const char *repair_words(const db_repair *r);
/* Whether a line of the file as it is goes, or something new stands in front of it. */
bool repair_touches(const db_repair *r, uint32_t line);
/* The next line from `*at` on, without its end, and its length; NULL: there are no more. */
const char *repair_line(const char **at, size_t *length);

#endif
