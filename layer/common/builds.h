/* What programs are made of, and binaries of them, in folders. Programs of our own that were built before: their
 * binaries are kept in a folder, over processes and commands, so that no text is compiled twice. Whatever is wrong with
 * the folder costs a build from the text, and nothing else. */
#ifndef CLTC_LAYER_COMMON_BUILDS_H
#define CLTC_LAYER_COMMON_BUILDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "layer/common/object.h"
#include "layer/common/opencl.h"

typedef void(CL_CALLBACK *program_notify)(cl_program, void *);
typedef struct source_header {
  char *name;
  char *text;
  size_t length;
} source_header;

/* A translation unit: source, options, embedded headers. Immutable, counted. */
typedef struct unit {
  atomic_long references;
  char *text;
  size_t length;
  char *options;
  source_header *headers;
  size_t header_count;
} unit;

/* First member of every program's record. */
typedef struct source_program {
  object object;
  char *text; /* NULL: it was not made from source */
  size_t length;
  unit *compiled; /* by clCompileProgram; NULL: not yet */
} source_program;

/* A copy, ended by a NUL; NULL without memory. */
char *copy_text(const char *text, size_t length);
/* The strings of clCreateProgramWithSource one after the other, in `*length` bytes without the NUL that some programs
 * count; NULL without memory. The driver has accepted them. */
char *join_strings(cl_uint count, const char **strings, const size_t *lengths, size_t *length);
/* For clBuildProgram or clCompileProgram of this program. NULL without memory, or when a header's source is not
 * known. */
unit *unit_make(const source_program *s, const char *options, cl_uint num_headers, const cl_program *headers,
                const char **names);
void unit_release(unit *u); /* may be NULL */
/* The units of an executable, each with a reference. */
typedef struct unit_list {
  unit **items;
  size_t count;
} unit_list;

/* False without memory: the list is as it was. */
bool units_add(unit_list *l, unit *const *units, size_t count);
/* What an executable is made of: the unit of clBuildProgram, or those of clLinkProgram with its options. */
typedef struct recipe {
  unit_list units;
  bool linked;
  char *link_options;
} recipe;

void recipe_free(recipe *r);
/* False without memory: `to` is empty. */
bool recipe_copy(recipe *to, const recipe *from);
/* Frees text and unit. */
void source_free(source_program *s);

/* A program of the text, built for these devices (0 and NULL: all of the context), from the folder of ENV_BUILDS where
 * it has one (`*was_kept`). The program also when its build fails, for its log; NULL: there is none. */
cl_program build_text(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                      const char *options, bool *was_kept, cl_int *result);

/* What the binaries of the user's programs were made of. When a program takes a binary of what it has built from
 * source, that source is kept in a folder, under the digest of the binary: a program that is made of it later, in this
 * process or in another one, is known by it. */
typedef enum binary_kind { BINARY_UNKNOWN, BINARY_EXECUTABLE, BINARY_LIBRARY, BINARY_OBJECT } binary_kind;

/* The driver has answered CL_PROGRAM_BINARIES of `handle` with `binaries`. Its executable (or library) was made of
 * `made_of`, which may be empty, its object of `compiled`, which may be NULL. */
void binaries_keep(cl_program handle, const recipe *made_of, unit *compiled, unsigned char *const *binaries);
/* What one of these binaries was made of goes to `out`, which is to be freed; of an object it is one unit. */
binary_kind binaries_find(cl_uint count, const size_t *lengths, const unsigned char *const *binaries, recipe *out);

#endif
