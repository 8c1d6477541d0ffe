/* Lines changed since a git revision. */
#ifndef CLTC_CLI_CHANGED_LINES_H
#define CLTC_CLI_CHANGED_LINES_H

#include "base/error.h"
#include "runner/campaign/campaign.h"

typedef struct changed_lines {
  line_range *items;
  size_t count, capacity;
  char **names; /* of files; the items lend them */
  size_t name_count, name_capacity;
} changed_lines;

/* What `git diff REV` says of the working tree that the current directory is in, and all lines of files that git does not
 * know and is not to ignore. EXIT_USAGE when git is not there or does not know the revision. Release with changed_lines_free in every case.
 */
int changed_lines_read(const char *revision, changed_lines *out, error *e);
void changed_lines_free(changed_lines *l);

#endif
