/* What the files share that write a capture as a suite. */
#ifndef CLTC_CASES_TO_YAML_H
#define CLTC_CASES_TO_YAML_H

#include "capture/capture.h"
#include "cases/internal.h"

/* A memory object or a sampler. */
typedef struct described {
  const capture_command *made;
  char *name;
  element_type type;
  char *type_name;
  uint64_t size, grain; /* grain: what all offsets and sizes in it are multiples of */
  uint64_t extent[3];   /* of an image */
  unsigned char *bytes; /* what it holds before it is first used; NULL: nobody has written it */
  bool typed, used;
  bool wanted; /* it stands in the file: something is done with it */
} described;

/* A kernel object, with its arguments as they are set. */
typedef struct given_kernel {
  const char *name;
  uint32_t program;
  const capture_command **arguments;
  size_t count;
} given_kernel;

typedef struct describing {
  const capture *capture;
  const char *folder;
  capture_results results; /* of reads, */
  bool expects;            /* which are to be expected */
  case_kernels kernels;
  described *objects, *samplers;
  size_t object_count, object_capacity, sampler_count, sampler_capacity;
  given_kernel *given;
  size_t given_count, given_capacity;
  const capture_command **programs, **used; /* used: those whose kernels are launched, each text once */
  size_t program_count, program_capacity, used_count, used_capacity;
  size_t command; /* that is looked at */
  size_t end;     /* after the last one that is */
  uint64_t reads, files;
  size_t last_step; /* the last command that is no READ */
  size_t varied;    /* reads that a replay does not get as they were */
  buffer steps, expected;
  error *e;
} describing;

/* -1 with the error set: the command cannot be a part of a case. */
int describing_refuses(const describing *d, const char *what);

/* to_yaml_objects.c: names and types of all objects; then what they are. */
int describing_objects(describing *d);
int describing_put_objects(describing *d, buffer *out);
const case_kernel *describing_kernel(const describing *d, const char *name);
int describing_track(describing *d, const capture_command *c); /* kernels and their arguments */

enum { VALUES_MOST = 16 };

/* Appends "fill: 0", "ramp: {…}", … which give exactly these bytes of the elements from `first` on, or up to `most` numbers
 * as a list; false: there are no such words. */
bool describe_words(const element_type *type, uint64_t first, const unsigned char *bytes, size_t size, size_t most,
                    buffer *out);
/* Appends ", tolerance: {…}" for numbers that compilers round otherwise, as they are in these bytes. */
void describe_tolerance(const element_type *type, const unsigned char *bytes, size_t size, buffer *out);
/* As describe_words with VALUES_MOST; where there are none, writes the file `name` of the folder. -1 with `e` set: it cannot
 * be written. */
int describe_bytes(const element_type *type, uint64_t first, const unsigned char *bytes, size_t size,
                   const char *folder, const char *name, buffer *out, error *e);
/* Appends one number; and whether that text gives the same bytes again. */
void describe_number(uint32_t kind, const unsigned char *bytes, buffer *out);
bool describe_is_exact(uint32_t kind, const unsigned char *bytes);

#endif
