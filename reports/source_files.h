/* Where readers of a report find the sources that it names: on disk where they were built from a file, else in a copy
 * that is written beside the report. */
#ifndef CLTC_REPORTS_SOURCE_FILES_H
#define CLTC_REPORTS_SOURCE_FILES_H

#include "reports/report.h"

/* Absolute path of a file of the view: its own where it is on disk with the content that the program was built from,
 * else that of its copy in options->source_directory; the name as the view has it when there is neither. free() it. */
char *source_path(const view *v, size_t file, const report_options *options);

/* Such paths of all files, relative to options->root (NULL: the current directory) where they lie below it. */
typedef struct source_paths {
  char *root; /* absolute, without a slash at its end */
  char **names;
  size_t count;
} source_paths;

source_paths source_paths_of(const view *v, const report_options *options);
void source_paths_free(source_paths *p);

#endif
