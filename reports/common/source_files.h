/* Where readers of a report find the sources that it names: on disk where they were built from a file, else in a copy
 * that is written beside the report. */
#ifndef CLTC_REPORTS_COMMON_SOURCE_FILES_H
#define CLTC_REPORTS_COMMON_SOURCE_FILES_H

#include "reports/common/report.h"

/* How a report names the files of the view: as the view does, wherever the report is made; where a file is not on disk
 * with the content that the program was built from, by its copy in options->source_directory, if there is one. */
typedef struct source_paths {
  char *root;   /* the absolute folder that relative names start at on this machine, as far as it is known */
  char **names; /* a copy's is absolute unless it lies below the root */
  size_t count;
} source_paths;

source_paths source_paths_of(const view *v, const report_options *options);
void source_paths_free(source_paths *p);

#endif
