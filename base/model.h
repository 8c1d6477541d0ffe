/* What is known of one instrumented program: its files, functions, sites, lines and kernels. Made by instrument/,
 * stored by db/, whose views of several programs hold files, functions and sites, too. Indices refer to the arrays of
 * the same model or view; everything is owned by it. */
#ifndef CLTC_BASE_MODEL_H
#define CLTC_BASE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/site.h"

#define MODEL_NONE UINT32_MAX

/* A piece of a file that is written in another one. If both lengths are equal, the characters correspond one by one. If
 * not, the piece corresponds as a whole: an escape sequence, or a value that a program put into a format. */
typedef struct model_span {
  uint32_t offset, length;
  uint32_t home_offset, home_length;
} model_span;

/* A file of the project in which a program's source is written, as a string or otherwise; docs/strings.md. */
typedef struct model_home {
  char *name, *root; /* as a model_file has them */
  char *text;
  size_t length;
  char sha256[65];   /* of `text` */
  model_span *spans; /* by ascending offset; they do not overlap */
  size_t span_count, span_capacity;
} model_home;

typedef struct model_file {
  char *name; /* as shown: path of the file on disk where it is known, else a name we made up */
  char *root; /* the folder that `name` is relative to (base/project.h); NULL, "": not known, or an absolute name */
  char *text; /* the source as the program handed it over */
  size_t length;
  char sha256[65];   /* of `text`, lower-case hexadecimal: the identity of the file */
  model_home *homes; /* where its text is written; none where the file is its own home, or unknown */
  size_t home_count, home_capacity;
} model_file;

typedef struct model_outcome {
  uint32_t index; /* OUTCOME_… or the case number */
  char *label;    /* "true", "false", "case 3", "default", "0 iterations", "boundary", "executed", … */
  uint32_t line;  /* of the case label for a switch, else the site's line */
  uint32_t tests; /* of a view: number of test cases that covered it; 0: not covered */
  uint32_t first; /* the first of them */
} model_outcome;

typedef struct model_site {
  site_kind kind;
  uint32_t file;
  uint32_t line, column; /* of the keyword or operator that makes the site (spelled: in the macro body if there) */
  uint32_t offset;       /* the same in bytes; (file sha256, offset, kind) is the site's identity */
  uint32_t end_line, end_column; /* end of the construct, exclusive; equal to the start when it is spelled elsewhere */
  uint32_t function;             /* index of the enclosing function */
  model_outcome *outcomes;       /* those that count; a loop lists only the cases it has */
  size_t outcome_count;
} model_site;

/* A site and one of its outcomes. */
typedef struct model_term {
  uint32_t site;
  uint32_t outcome;
} model_term;

typedef struct model_function {
  char *name;
  uint32_t file, line, end_line;
  uint32_t site; /* its SITE_FUNCTION */
  bool kernel;
} model_function;

/* A line with code of one function. It was executed when any of its terms holds. */
typedef struct model_line {
  uint32_t file, line;
  uint32_t function;
  model_term *terms;
  size_t term_count;
} model_line;

typedef struct model_kernel {
  char *name;
  uint32_t function;
  uint32_t *functions; /* reachable from the kernel, itself included */
  size_t function_count;
  uint32_t *sites; /* used by these functions but known as another function's: in macros that both use */
  size_t site_count;
} model_kernel;

typedef struct model {
  model_file *files;
  size_t file_count, file_capacity;
  model_function *functions;
  size_t function_count, function_capacity;
  model_site *sites; /* in order of discovery */
  size_t site_count, site_capacity;
  model_line *lines; /* in order of file, then line */
  size_t line_count, line_capacity;
  model_kernel *kernels; /* in source order */
  size_t kernel_count, kernel_capacity;
  char *options; /* the user's build options (of all sources, joined by newlines) */
} model;

/* Tells functions of one place apart. */
uint32_t model_name_digest(const char *name);
void model_free(model *m);
void model_homes_free(model_home *homes, size_t count);
void model_files_free(model_file *files, size_t count);
void model_functions_free(model_function *functions, size_t count);
void model_sites_free(model_site *sites, size_t count);

#endif
