/* Files that a person names: read whole, and no pipes or devices. */
#ifndef CLTC_BASE_PIPE_PATH_H
#define CLTC_BASE_PIPE_PATH_H

#include "base/buffer.h"
#include "base/error.h"

/* Whoever opens a pipe by its name waits until somebody writes to it, maybe for ever; a device may have no end. -1 with
 * `e` set (EXIT_USAGE): the path is one. What a shell hands over as /dev/fd/N has a writer, and is none. */
int pipe_refuse(const char *path, error *e);

/* Appends what is in the file, `what` it is: "kernel file". -1 with `e` set (EXIT_USAGE): it cannot be read, or has more
 * than `most` bytes. */
int file_read(const char *path, const char *what, size_t most, buffer *out, error *e);

#endif
