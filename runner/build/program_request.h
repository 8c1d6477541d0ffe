/* Requests of the layer to instrument a program (MESSAGE_INSTRUMENT), decoded, and names of their sources. */
#ifndef CLTC_RUNNER_BUILD_PROGRAM_REQUEST_H
#define CLTC_RUNNER_BUILD_PROGRAM_REQUEST_H

#include "db/db.h"
#include "home/home.h"
#include "instrument/instrument.h"
#include "runner/build/forms.h"
#include "wire/fields.h"

typedef struct request_source {
  pp_input input; /* points into what follows */
  char *text, *options, *name;
  char *root;             /* where the name starts: base/files.h */
  const home_found *home; /* where the text is written if that is in no file of its own; lent, NULL: not looked for */
  pp_header *headers;
  size_t header_count;
  pp_fact *facts;
  size_t fact_count, fact_capacity;
} request_source;

typedef struct program_request {
  char *device; /* name, vendor, driver and language version, joined with newlines */
  char *directory;
  request_source *sources;
  size_t source_count;
  bool linked; /* with `link_options`; of `others` there is no source */
  char *link_options;
  size_t others;
  char key[65]; /* digest of everything but the facts */
} program_request;

/* Returns -1 when the payload is malformed. Release `*out` in every case. */
int request_decode(wire_reader *in, program_request *out);
/* One of a single text, for which there is no device: what only one could answer libclang does (pp_input.alone). `root` as
 * in pp_input. */
void request_of_text(program_request *out, const char *name, const char *text, size_t length, const char *options,
                     const char *directory, const char *root);
/* The same of a file and build options, ended by NULL (NULL: none). EXIT_USAGE when it cannot be read. */
int request_of_file(program_request *out, const char *path, char *const *options, error *e);
void request_free(program_request *r);

/* Adds an answer; one that is there already stays. */
void request_add_fact(program_request *r, size_t source, const char *expression, bool value);
/* Adds all that earlier runs learned from this device's compiler with these options. */
int request_recall(program_request *r, db *d, error *e);
/* Keeps the request's facts for later runs. */
int request_remember(const program_request *r, db *d, error *e);
/* The answer that asks the layer. */
void request_ask(const instrument_question *questions, size_t count, buffer *answer);
/* Names each source after its file: looked for where the program runs, and in `directories`. Of one that is in no file
 * of its own it looks up where it is written; such a source gets the lines back that it lost there. */
void request_name_sources(program_request *r, const char *const *directories, size_t count);
/* Gives the files of a program that was made from the request the names of reports: sources those of the request,
 * headers the same kind; and sources their homes. */
void request_name_files(const program_request *r, model *m);
/* What to call the program in a sentence: its first source. To be freed. */
char *request_title(const program_request *r);
/* The inputs as an array for instrument_program; to be freed (not what it points to). */
pp_input *request_inputs(const program_request *r);

/* The answer for an instrumented program (MESSAGE_INSTRUMENTED). `number`: of the program in the run. `left`: which kernels are not named, so that they run as they were written; NULL: none.
 * `more`: further options. */
void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const bool *left, const form_row *form,
                    const char *more);

/* Which file on disk a kernel source came from: the API hands over text only, people think in files. */

/* Looks for a file with exactly this content: below the first of `directories`, the current directory, its repository,
 * the root that was set (base/files.h), the other directories; at any depth, nearest first, hidden folders left out.
 * Returns the file's name and, in `*root`, where that starts, as project_name does; for a text that is in no file
 * "source-XXXXXXXX.cl" after its SHA-256, and "". free() both. */
char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count, char **root);

/* Adds the folders in which a program's kernel files may lie to a growing array (base/memory.h): its own and those of
 * its arguments that are paths, and arguments that are files. Each is to be freed. */
void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity);

#endif
