/* Files: whether one is open here, reading one whole, writing one whole or not at all; temporary folders; names of a
 * project's files. */
#ifndef CLTC_BASE_FILES_H
#define CLTC_BASE_FILES_H

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

/* How reports name files: relative to the root of the project, so that a name does not depend on the folder in which a
 * command is run. */

/* --root: names start at this folder from now on, whatever repository a file lies in. NULL: there is none. */
void project_set_root(const char *folder);
/* That folder, absolute; NULL: none was set. Lent. */
const char *project_chosen_root(void);
/* The root of the git repository that a folder lies in, absolute; of a submodule that of the repository around it.
 * NULL: it lies in none. free() it. */
char *project_repository(const char *folder);
/* The name of the file at `path`: relative to the root that was set; without one to the root of the repository that
 * the file lies in; outside of repositories to the current directory. Absolute where the file does not lie below that.
 * A link has the name of its target, unless only the link itself lies there. `*root` is the folder that the name is
 * relative to, "" for an absolute name. free() both. */
char *project_name(const char *path, char **root);
/* `name` below `root`, an absolute one as it is. free() it. */
char *project_path(const char *root, const char *name);
/* The part of an absolute path below an absolute folder; NULL: it lies elsewhere. Lent, a part of `path`. */
const char *project_below(const char *path, const char *folder);

#endif
