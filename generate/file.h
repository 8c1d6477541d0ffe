/* The file of generated cases, which is written anew only as long as nobody has changed it. */
#ifndef CLTC_GENERATE_FILE_H
#define CLTC_GENERATE_FILE_H

#include "generate/search.h"

/* FOLDER/NAME.yaml for a kernel file; to be freed. */
char *generated_path(const char *folder, const char *kernels);
/* Whether the file is there and holds this text. */
bool generated_holds(const char *path, const char *text);
/* Writes a kernel file, if it does not hold that already. -1 with `e` (EXIT_USAGE): it cannot be written, or holds something else. */
int generated_source(const char *path, const char *text, error *e);
/* -1 with `e` (EXIT_USAGE): the file is there and is not as `generate` wrote it. */
int generated_check(const char *path, error *e);
/* Makes the folder and writes the kept cases of all searches, for a file that is built with these options. */
int generated_write(const char *path, const char *kernels, const char *options, const search *all, size_t count,
                    error *e);

#endif
