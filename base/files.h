/* Files: whether one is open here, reading one whole, writing one whole or not at all; temporary folders. */
#ifndef CLTC_BASE_FILES_H
#define CLTC_BASE_FILES_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/* Is the file at this path open in this process? Then do not open it a second time. POSIX drops all locks that a
 * process has on a file when it closes the file once. Another process could then change a database while we use it. */
bool is_open_here(const char *path);

/* Whoever opens a pipe by its name waits until somebody writes to it, maybe for ever; a device may have no end. -1 with
 * `e` set (EXIT_USAGE): the path is one. What a shell hands over as /dev/fd/N has a writer, and is none. */
int pipe_refuse(const char *path, error *e);

/* Appends what is in the file, `what` it is: "kernel file". -1 with `e` set (EXIT_USAGE): it cannot be read, or has
 * more than `most` bytes. */
int file_read(const char *path, const char *what, size_t most, buffer *out, error *e);

/* Writes the file through a temporary name beside it, so that no reader finds half of it. Where there is one, links to
 * it and its permissions stay; else it is its owner's alone. Returns 0, or why it could not (errno): it is as it was
 * then. */
int file_replace(const char *path, const void *bytes, size_t size);

/* Folders of this process's own for sockets and captures. Each is locked as long as its process lives: what a process
 * that was killed has left behind is removed when the next one makes a folder of the same name in the same place. */

/* A fresh folder BASE/NAME.XXXXXX; its path is to be freed by scratch_close. NULL with `e` set. */
char *scratch_open(const char *base, const char *name, error *e);
/* The same in $TMPDIR, else in /tmp. */
char *scratch_temporary(const char *name, error *e);
/* Removes the folder with all files in it. NULL is fine. */
void scratch_close(char *path);

#endif
