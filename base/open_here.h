/* Files that this process has open already. */
#ifndef CLTC_BASE_OPEN_HERE_H
#define CLTC_BASE_OPEN_HERE_H

#include <stdbool.h>

/* Is the file at this path open in this process? Then do not open it a second time. POSIX drops all locks that a process
 * has on a file when it closes the file once. Another process could then change a database while we use it. */
bool is_open_here(const char *path);

#endif
