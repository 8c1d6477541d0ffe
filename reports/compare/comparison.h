/* A comparison under way: diff.c pairs files, functions, sites and mutants, diff_found.c findings and proofs. */
#ifndef CLTC_REPORTS_COMPARE_COMPARISON_H
#define CLTC_REPORTS_COMPARE_COMPARISON_H

#include "reports/compare/diff.h"
#include "reports/compare/line_map.h"

/* A file of the new view, and the one that it was. */
typedef struct file_pair {
  uint32_t old; /* MODEL_NONE: it is new */
  line_map lines;
} file_pair;

typedef struct comparison {
  diff *d;
  const report_options *options;
  file_pair *files;    /* by file of the new view */
  uint32_t *functions; /* by function of the new view: of the old one, or MODEL_NONE */
  uint32_t *sites;     /* likewise */
  bool *old_taken;     /* sites of the old view that have a counterpart */
  bool *reported;
} comparison;

/* The line that a line of the new view was; 0 for none. The file that a file was; MODEL_NONE for none. */
uint32_t comparison_old_line(const comparison *c, uint32_t file, uint32_t line);
uint32_t comparison_old_file(const comparison *c, uint32_t file);
/* Adds an entry and counts it. */
void comparison_add(diff *d, diff_entry entry);

void compare_findings(comparison *c);
void compare_proofs(comparison *c);

#endif
