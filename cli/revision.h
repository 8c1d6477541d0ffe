/* The git revision of the working directory. */
#ifndef CLTC_CLI_REVISION_H
#define CLTC_CLI_REVISION_H

#include "db/db.h"

/* Keeps with a run at which revision it is made, where the current directory is in a git repository. */
int revision_keep(db *d, int64_t run, error *e);

/* The commit that a name stands for, 40 or 64 hexadecimal digits; free() it. NULL with a sentence when git is not there
 * or knows no such name. */
char *revision_resolve(const char *name, error *e);

#endif
