/* What git says: the revision of the working directory, lines that have changed since a revision. */
#ifndef CLTC_CLI_GIT_H
#define CLTC_CLI_GIT_H

#include "runner/campaign/campaign.h"

/* Keeps with a run at which revision it is made, where the current directory is in a git repository. */
int revision_keep(db *d, int64_t run, error *e);

/* The commit that a name stands for, 40 or 64 hexadecimal digits; free() it. NULL with a sentence when git is not there
 * or knows no such name. */
char *revision_resolve(const char *name, error *e);

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
