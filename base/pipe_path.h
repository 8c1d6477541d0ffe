/* Paths of pipes in place of files. */
#ifndef CLTC_BASE_PIPE_PATH_H
#define CLTC_BASE_PIPE_PATH_H

#include "base/error.h"

/* Whoever opens a pipe by its name waits until somebody writes to it, maybe for ever. -1 with `e` set (EXIT_USAGE): the path is
 * one. What a shell hands over as /dev/fd/N has a writer, and is none. */
int pipe_refuse(const char *path, error *e);

#endif
