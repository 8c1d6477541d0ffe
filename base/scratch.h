/* Folders of this process's own for sockets and captures. Each is locked as long as its process lives: what a process
 * that was killed has left behind is removed when the next one makes a folder of the same name in the same place. */
#ifndef CLTC_BASE_SCRATCH_H
#define CLTC_BASE_SCRATCH_H

#include "base/error.h"

/* A fresh folder BASE/NAME.XXXXXX; its path is to be freed by scratch_close. NULL with `e` set. */
char *scratch_open(const char *base, const char *name, error *e);
/* The same in $TMPDIR, else in /tmp. */
char *scratch_temporary(const char *name, error *e);
/* Removes the folder with all files in it. NULL is fine. */
void scratch_close(char *path);

#endif
