/* Files that this process has open already. */
#ifndef CLTC_BASE_OPEN_HERE_H
#define CLTC_BASE_OPEN_HERE_H

#include <stdbool.h>

/* Is the file at this path open in this process? Whoever opens such a file once more and closes it takes away the locks
 * of the whole process on it (POSIX), those of a database among them: another process then changes it under our hands.
 */
bool is_open_here(const char *path);

#endif
