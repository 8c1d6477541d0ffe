/* Facts from host code: what every launch of a kernel has in common, whatever the host program reads or is given.
 *
 * `host_read` walks the program symbolically from its start and looks at each launch that it meets. A fact holds for
 * every run of the program in which the OpenCL calls before the launch succeed and the host code does nothing undefined
 * (overflow of signed numbers, accesses outside of arrays). What cannot be followed is left free: no fact is a guess.
 * docs/host.md says what is followed. */
#ifndef CLTC_HOST_HOST_H
#define CLTC_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/integer.h"

/* --- C over what a kernel can see: its arguments, the sizes of its launch, how many elements its memory has ------- */

/* An integer type of C. */
typedef struct host_integer {
  unsigned bits;
  bool is_signed;
} host_integer;

typedef enum host_seen {
  SEEN_ARGUMENT, /* $0: the kernel's argument 0 */
  SEEN_ELEMENTS, /* elements($0); this and the sizes are ulong */
  SEEN_GLOBAL_SIZE,
  SEEN_LOCAL_SIZE,
  SEEN_GLOBAL_OFFSET
} host_seen;

typedef enum host_expression_kind {
  EXPRESSION_NUMBER, /* `value` */
  EXPRESSION_SEEN,   /* `seen` of `index`: an argument or a dimension */
  EXPRESSION_UNARY,  /* a */
  EXPRESSION_BINARY, /* a, b */
  EXPRESSION_CAST,   /* a, to `type` */
  EXPRESSION_CHOICE  /* a ? b : c */
} host_expression_kind;

typedef enum host_brackets {
  BRACKETS_USUAL, /* around operators, but not around the whole */
  BRACKETS_NONE,
  BRACKETS_ALWAYS
} host_brackets;

typedef struct host_expression {
  host_expression_kind kind;
  c_operator op;
  host_integer type; /* in which C has its value */
  int64_t value;
  host_seen seen;
  unsigned index;
  host_brackets brackets; /* how it is written */
  const struct host_expression *a, *b, *c;
} host_expression;

host_integer integer_promoted(host_integer t);
/* What C computes an operation of the two in. */
host_integer integer_usual(host_integer a, host_integer b);
bool integer_same(host_integer a, host_integer b);

/* Whether two say the same in the same way, whatever their brackets. */
bool expression_same(const host_expression *a, const host_expression *b);
/* With the names of the kernel's arguments, or NULL for $0, $1, … */
void expression_write(const host_expression *e, const char *const *names, buffer *out);

/* What a launch has of what kernels see; false: not known. */
typedef struct seen_values {
  const void *context;
  bool (*value)(const void *context, host_seen seen, unsigned index, int64_t *out);
} seen_values;

/* The value, computed as C computes it. False: it does not follow from what is seen, or C does not define it. */
bool expression_value(const host_expression *e, const seen_values *from, int64_t *out);

/* --- programs and their launches ---------------------------------------------------------------------------------- */

/* A file of the host program, and the options of its compiler ("-I", "include", "-DN=4", "-std=c99", …). */
typedef struct host_source {
  const char *file;
  const char *const *options;
  size_t option_count;
} host_source;

/* All files of one program; more than one of the two may be given. */
typedef struct host_input {
  const host_source *sources;
  size_t source_count;
  const char *compile_commands; /* a file of that name, or NULL: its files of C and C++ */
} host_input;

typedef enum host_fact_kind {
  HOST_FACT_CONSTANT,   /* an argument or a size is a number */
  HOST_FACT_RELATION,   /* arguments and sizes that come from the same variables */
  HOST_FACT_CONDITION,  /* an assertion or a condition that holds whenever the launch is reached */
  HOST_FACT_LOOP,       /* what bounds a loop around the launch */
  HOST_FACT_ALLOCATION, /* a size that must be positive */
  HOST_FACT_ROUNDING,   /* a size that is rounded up */
  HOST_FACT_ELEMENTS    /* how many elements a buffer has */
} host_fact_kind;

/* The expression is not 0 for any launch. Arguments have the types that the host passes (`host_argument`). */
typedef struct host_fact {
  host_fact_kind kind;
  const host_expression *expression;
  unsigned element_size; /* not 0: holds only where elements of the kernel's argument `argument` have so many bytes */
  unsigned argument;
  const char *file; /* where it comes from */
  unsigned line;
} host_fact;

typedef enum host_argument_kind {
  HOST_ARGUMENT_UNKNOWN, /* set, but with what is not followed */
  HOST_ARGUMENT_VALUE,   /* a number */
  HOST_ARGUMENT_MEMORY,  /* a memory object */
  HOST_ARGUMENT_LOCAL,   /* local memory */
  HOST_ARGUMENT_OTHER    /* anything else of `size` bytes: floating-point numbers, vectors, structs, samplers */
} host_argument_kind;

typedef struct host_argument {
  host_argument_kind kind;
  unsigned size;  /* bytes that are passed; 0: not known */
  bool is_signed; /* of a number */
  int memory;     /* which memory object; equal numbers of one launch: the same; -1: not known, may be any */
} host_argument;

/* One clEnqueueNDRangeKernel or clEnqueueTask, reached in one way. */
typedef struct host_launch {
  char *kernel; /* NULL: not known which */
  const char *file;
  unsigned line;
  unsigned dimensions; /* 0: not known */
  bool followed; /* sizes and numbers are constants, or computed from what the user of the program gives, and all that
                    is asked of these before is among the facts */
  uint64_t local[3];    /* 0: no constant; 1 beyond `dimensions` */
  uint64_t groups[3];   /* the same */
  uint64_t offset[3];   /* offsets of 0 where `offset_known` */
  bool offset_known[3]; /* the offset is a constant */
  host_argument *arguments;
  size_t argument_count;
  host_fact *facts;
  size_t fact_count;
  char *options; /* for clBuildProgram; "" for none; NULL: not known; `…` stands for a part that is not known */
  bool options_known;
} host_launch;

typedef struct host_facts {
  host_launch *launches;
  size_t launch_count;
  size_t unknown_launches; /* launches of kernels that are not known which: each may be of any kernel */
  bool complete;           /* false: code was met that could not be read or followed and that may launch kernels */
  char **notes;            /* sentences: what was not followed, and where */
  size_t note_count;
  struct host_pool *pool; /* holds the names of files, and expressions */
} host_facts;

/* Reads the program. Returns 0, or -1 with a sentence when a file cannot be read. Errors in the source are no failure:
 * what they touch is left free. `*out` is to be given to host_free in either case. */
int host_read(const host_input *in, host_facts *out, error *e);
void host_free(host_facts *f);

bool host_is_python(const char *file);

#endif
