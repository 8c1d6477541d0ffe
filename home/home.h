/* Where a program's source is written in the project: in a string of one of its files, in a file that the program adds
 * something to, in the argument of a macro. docs/strings.md says what is found. */
#ifndef CLTC_HOME_HOME_H
#define CLTC_HOME_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/model.h"
#include "home/decode.h"
#include "home/match.h"

/* The files of a project that may hold kernels, and the words in them. */

typedef struct catalogue_file {
  char *path;
  const language *language;
  unsigned char *words; /* a Bloom filter; NULL: not read yet, or no text */
  uint32_t bits;        /* of it: a power of two */
} catalogue_file;

/* The text of a file with a NUL after it, to be freed; NULL: it cannot be read or is no text. */
char *catalogue_read(const char *path, size_t *length);

/* The folders to look in, from now on; they are listed and read when the first source is looked for. None: nothing is
 * found. Of two files that are alike the one nearer to the current directory is taken. */
void home_search_in(const char *const *roots, size_t count);
/* Forgets folders, files and what was found. */
void home_forget(void);

typedef struct home_found {
  model_home *homes; /* in which parts of `text` are written, most of it first; none: nothing was found */
  size_t count;
  char *text; /* the source; where it has several lines of a home on one of its own, broken into these */
  size_t length;
} home_found;

/* Looks for a source. What was found for a text stays the same for the rest of the process. Lent until home_forget. */
const home_found *home_of(const char *text, size_t length);

/* "imgproc.py:20", where the most of a source is written; NULL: unknown. To be freed. */
char *home_title(const home_found *f);

/* A sentence when not all files could be looked at, or two files have a source alike; NULL: neither. Lent until
 * home_forget. */
const char *home_note(void);

/* A file that is taken for something, and what that has of the source. */
typedef struct candidate {
  const catalogue_file *file;
  char *text;
  size_t length;
  stream_kind kind;
  stream stream;
  home_claim *claims; /* one a token of the source */
  size_t total;       /* tokens of the source that are in it */
  size_t away;        /* folders between the file and the current directory */
} candidate;

#endif
