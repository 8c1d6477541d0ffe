/* Programs from source: what they were made of. */
#ifndef CLTC_LAYER_COMMON_SOURCE_H
#define CLTC_LAYER_COMMON_SOURCE_H

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
/* Nothing yet, with one reference; NULL without memory. */
unit *unit_empty(void);

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

#endif
