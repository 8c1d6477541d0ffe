/* --lines: lines of files that something is confined to. */
#ifndef CLTC_BASE_LINE_RANGES_H
#define CLTC_BASE_LINE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct line_range {
  char *file; /* compared with the end of the path of a source: whole names only */
  uint32_t first, last;
} line_range;

typedef struct line_ranges {
  line_range *items;
  size_t count, capacity;
} line_ranges;
/* Reads all. Release in every case. */
int line_ranges_read(const char *const *texts, size_t count, line_ranges *out, error *e);
void line_ranges_free(line_ranges *r);

/* Whether a line of the file at a path is in the range. */
bool line_range_has(const line_range *r, const char *path, uint32_t line);

#endif
