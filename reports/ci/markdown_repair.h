/* The parts of the Markdown report on repairs. */
#ifndef CLTC_REPORTS_CI_MARKDOWN_REPAIR_H
#define CLTC_REPORTS_CI_MARKDOWN_REPAIR_H

#include <stdio.h>

#include "db/db.h"

/* What became of each file, with its patch; nothing where there is none. */
void markdown_repairs(const view *v, FILE *out);

#endif
