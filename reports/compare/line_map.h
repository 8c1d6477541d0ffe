/* Which line of a text became which line of another: what a diff leaves alone. Lines that differ in spaces alone are
 * the same. */
#ifndef CLTC_REPORTS_COMPARE_LINE_MAP_H
#define CLTC_REPORTS_COMPARE_LINE_MAP_H

#include "db/db.h"

typedef struct line_map {
  uint32_t *old_of; /* of each line of the new text, from 1: the line of the old one, 0 for none */
  size_t count;     /* lines of the new text */
} line_map;

line_map line_map_of(const model_file *old, const model_file *new);
void line_map_free(line_map *m);

/* The old line; 0: the line is new. */
uint32_t line_map_old(const line_map *m, uint32_t line);

#endif
