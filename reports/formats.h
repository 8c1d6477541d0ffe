/* The formats of reports, one table: what --format takes. */
#ifndef CLTC_REPORTS_FORMATS_H
#define CLTC_REPORTS_FORMATS_H

#include "reports/common/report.h"

typedef struct report_writer {
  const char *name;    /* "text", "json", "lcov", … */
  const char *summary; /* one line for help */
  int (*write)(const view *v, const report_options *options, FILE *out, error *e);
  bool names_files;           /* its readers open the sources that it names */
  bool (*has)(const view *v); /* does the view have what the format is about? NULL: it is about all */
  const char *lacks;          /* what to say if not */
} report_writer;

/* The writers, ended by a NULL name. */
extern const report_writer report_writers[];
const report_writer *report_find(const char *name);

#endif
