/* Where cltestcheck's own files lie: beside the program in a build tree, below its prefix once installed. */
#ifndef CLTC_RUNNER_PATHS_H
#define CLTC_RUNNER_PATHS_H

/* Absolute path of one of our files or folders, to be freed; NULL when it is not there. `name` is
 * "libcltestcheck-layer.so", "libcltestcheck-capture.so", "libcltestcheck-preload.so",
 * "libcltestcheck-replace.so", "cltestcheck-replay", "cltestcheck-verify" or "suites". */
char *own_path(const char *name);

#endif
