/* The preprocessor: OpenCL C source and build options in, macro-free text with the origin of every token out.
 *
 * libclang says where in a macro's body a token is spelled, but neither where an expression ends there, nor which tokens
 * a text expands to and where each comes from, nor what the device's compiler predefines. So we expand macros ourselves
 * and keep, for each token, its place in the user's files. What we cannot know - macros that the device's compiler predefines, such as
 * cl_khr_fp64 or __OPENCL_VERSION__ - is asked: a conditional whose value depends on such a name becomes a question,
 * answered by the device's compiler itself (or, without a device, by libclang), and the run is repeated. */
#ifndef CLTC_FRONTEND_PREPROCESS_H
#define CLTC_FRONTEND_PREPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PP_NONE UINT32_MAX

/* A place in one of `pp_result.files`. Lines and columns count from 1, columns in bytes; offset in bytes. */
typedef struct pp_position {
  uint32_t file;
  uint32_t line;
  uint32_t column;
  uint32_t offset;
} pp_position;

typedef enum pp_kind { PP_IDENTIFIER, PP_NUMBER, PP_STRING, PP_CHARACTER, PP_PUNCTUATOR, PP_PRAGMA } pp_kind;

typedef struct pp_token {
  pp_kind kind;
  uint32_t begin, end;     /* byte range in pp_result.text; a PP_PRAGMA is a whole `#pragma …` line without newline */
  pp_position spelled;     /* where its characters stand: in a macro's body, in a macro's argument, or as plain text */
  uint32_t spelled_length; /* bytes there (for a token made by ## or #: of the operator's left operand) */
  pp_position expanded;    /* the use of the outermost macro that brought it, in a file; equals `spelled` if none did */
  bool in_macro_body;      /* `spelled` lies in a #define or in a -D option */
} pp_token;

typedef struct pp_file {
  char *name; /* as the user would name it: pp_input.name, the header's name in the directive, "<command line>" */
  char *path; /* path the header was read from, or NULL (main source, embedded header, command line) */
  char *text;
  size_t length;
} pp_file;

/* A header handed over in memory (clCompileProgram's input_headers). */
typedef struct pp_header {
  const char *name;
  const char *text;
  size_t length;
} pp_header;

/* An answered question: `expression` as it stood in pp_result.questions. */
typedef struct pp_fact {
  const char *expression;
  bool value;
} pp_fact;

typedef struct pp_input {
  const char *name; /* name of the main source for messages, e.g. "kernel.cl" */
  const char *text; /* may hold NUL bytes only at the end (they are cut) */
  size_t length;
  const char *options;   /* the build options as given to clBuildProgram; NULL is "" */
  const char *directory; /* where relative -I and #include paths start; NULL is "." */
  const char *root;      /* a folder that stands for "/": paths of files below it are told without it; NULL: none */
  const pp_header *headers;
  size_t header_count;
  const pp_fact *facts;
  size_t fact_count;
  bool alone; /* there is no device to ask: what facts do not say is as libclang has it, and no question is left */
} pp_input;

typedef struct pp_result {
  char *text; /* macro-free source: directives gone, but for pragmas on lines of their own */
  size_t length;
  pp_token *tokens;
  size_t token_count;
  pp_file *files; /* [0] is the main source, [1] the command line, then headers; one entry per path */
  size_t file_count;
  pp_position *conditions; /* where the characters of the tokens of all conditions that were evaluated stand, in a
                              macro's body where one brought them */
  size_t condition_count;
  char **questions; /* expressions for `#if` that only the device's compiler can answer, e.g. "defined(cl_khr_fp64)" */
  size_t question_count;
  bool own_name;       /* the text has `__FILE__` where the main source has: no #line may name a file */
  char *other_options; /* the build options without -D, -U, -I and -Werror */
} pp_result;

/* Preprocesses. Returns 0, or -1 with `e` set (a header that cannot be found, a malformed directive, an include depth
 * over 200, an active #error), naming file and line. With question_count > 0 the text is provisional: unanswered
 * conditionals count as false. Release `*out` with pp_result_free in every case. */
int pp_run(const pp_input *in, pp_result *out, error *e);
void pp_result_free(pp_result *r);

/* Whether text that begins with `next` must be kept apart from the `length` characters that it is written after: side
 * by side they would be read as other tokens, or as a comment. */
bool pp_text_joins(const char *before, size_t length, char next);

/* Build options whose absolute -I directories are below `root`; to be freed. Every -I directory is told as it is then.
 */
char *pp_options_below(const char *options, const char *root, void (*tell)(void *context, const char *directory),
                       void *context);

#endif
