/* How strings and comments are written in the languages that build OpenCL programs. */
#ifndef CLTC_HOME_LANGUAGE_H
#define CLTC_HOME_LANGUAGE_H

#include <stdbool.h>

typedef struct language {
  const char *extensions; /* each between blanks; NULL ends the table: any other file */
  bool kernels;           /* a file of this kind is a kernel source, or may be a part of one */
  bool slashes;           /* comments: // and slash star */
  bool hashes;            /* # to the end of the line */
  bool apostrophes;       /* 'text' is a string of any length */
  bool triple;            /* """ and ''' over several lines */
  bool delimited;         /* R"x(...)x" */
  bool numbered;          /* r#"..."# */
  bool backticks;         /* `text` over several lines */
  bool macros;            /* a macro may make a string of its arguments */
} language;

/* The language of a path, by its extension; NULL: files like this one hold no text. */
const language *language_of(const char *path);

#endif
