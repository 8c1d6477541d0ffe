/* The files of a project that may hold kernels, and the words in them. */
#ifndef CLTC_HOME_CATALOGUE_H
#define CLTC_HOME_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "home/decode.h"

typedef struct catalogue_file {
  char *path;
  const language *language;
  unsigned char *words; /* a Bloom filter; NULL: not read yet, or no text */
  uint32_t bits;        /* of it: a power of two */
} catalogue_file;

typedef struct catalogue {
  catalogue_file *files; /* by path */
  size_t count, capacity;
  bool incomplete; /* there were more files, or too little time to read them */
} catalogue;

/* The files of `roots`: those that git knows or does not ignore where one is in a repository, else what is in the
 * folder, but for folders that hold what was built or belongs to others. Links are not followed; what is no regular
 * file of at most some megabytes is left out. Reads them until `until` (base/clock.h). */
void catalogue_fill(catalogue *c, const char *const *roots, size_t count, double until);
void catalogue_free(catalogue *c);

/* The text of a file with a NUL after it, to be freed; NULL: it cannot be read or is no text. */
char *catalogue_read(const char *path, size_t *length);

/* The hash of a word as the filters have it. */
uint32_t catalogue_word(const char *s, size_t length);
bool catalogue_has(const catalogue_file *f, uint32_t word);

#endif
