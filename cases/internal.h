/* What the files that make captures of cases share. */
#ifndef CLTC_CASES_INTERNAL_H
#define CLTC_CASES_INTERNAL_H

#include "capture/capture.h"
#include "cases/cases.h"
#include "cases/scope.h"
#include "cases/yaml.h"

enum { CASES_MOST = 100000, CAPTURE_ARGUMENTS_LOOKED_AT = 256 };

/* ---- suite.c, scope.c: the file, and which cases it has ---- */

typedef struct kernel_case {
  char *name;
  yaml_value *test; /* its entry in `tests` */
  scope names;      /* of `each` and `let` */
} kernel_case;

/* A kernel file of a suite: a program of its own. */
typedef struct kernel_file {
  char *path;
  buffer source;
} kernel_file;

/* The kernels of a file as they are with some build options. */
typedef struct known_kernels {
  size_t file;
  char *options;
  case_kernels kernels;
} known_kernels;

struct case_suite {
  yaml_file *file;
  char *folder; /* of the file: "" or with a slash at its end */
  char *name;
  kernel_file *files;
  size_t file_count, file_capacity;
  yaml_value *options; /* NULL: none */
  kernel_case *cases;
  size_t count, capacity;
  case_kernels_reader *reader;
  bool updating; /* what is expected may be missing */
  known_kernels *known;
  size_t known_count, known_capacity;
};

/* The keys of a test case, as they stand in the file. */
typedef struct test_keys {
  yaml_value *name, *each, *let, *options, *buffers, *images, *samplers, *launches, *expect;
} test_keys;

/* Adds the cases of an entry of `tests`, one for each combination. */
int case_expand(case_suite *s, yaml_value *test, const test_keys *keys, error *e);

/* ---- scope.c: values of the file, over the names of a case ---- */

typedef struct case_reader {
  case_suite *suite;
  yaml_file *file; /* of the suite */
  const scope *names;
  error *e;
} case_reader;

/* These give -1 with the error set. */
int case_wrong(const case_reader *r, yaml_value *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
int case_keys(const case_reader *r, yaml_value *map, const char *what, const yaml_key *keys, size_t count);
/* It is no formula, or has no value. */
int case_number(const case_reader *r, yaml_value *v, formula_value *out);
/* The same for an integer within bounds; `what`: "the number of elements" … `v` NULL: `*out` stays as it is. */
int case_integer(const case_reader *r, yaml_value *v, const char *what, int64_t least, int64_t most, int64_t *out);
/* The bytes of a number of this type; false: the value is none, which case_not_put says of `what` it is. */
bool case_put(uint32_t kind, formula_value v, unsigned char *to);
int case_not_put(const case_reader *r, uint32_t kind, const char *what, formula_value v, yaml_value *at);
/* A text with its placeholders filled; free it. NULL with `e` set. */
char *case_text(const case_reader *r, yaml_value *v);
/* Beside the suite file, if it is not absolute; free it. */
char *case_path(const case_suite *s, const char *path);

/* ---- formats.c: what the elements of a buffer are ---- */

typedef struct element_type {
  uint32_t number;      /* capture_number */
  uint32_t lanes, used; /* of a float3: 4, 3 */
  size_t size;          /* bytes */
} element_type;

/* Numbers of an element; those that a type of 3 leaves out are not counted. */
size_t case_element_numbers(const element_type *t);
/* Appends ", here: " and the types that kernels have beside numbers, if there are any. */
void case_element_others(const case_kernels *kernels, buffer *out);
/* "float", "int4", or the type of a parameter of `kernels`, in the words of the source, too: where that is no number it
 * is bytes. False: there is none such. */
bool case_element_find(const char *type, const case_kernels *kernels, element_type *out);

/* ---- objects.c: what a buffer or an image holds ---- */

typedef struct contents_keys {
  yaml_value *values, *ramp, *random, *permutation, *file, *formula, *fill;
} contents_keys;
#define CONTENTS_KEYS(k)                                                                                    \
  {"values", &(k).values}, {"ramp", &(k).ramp}, {"random", &(k).random}, {"permutation", &(k).permutation}, \
      {"file", &(k).file}, {"formula", &(k).formula}, {                                                     \
    "fill", &(k).fill                                                                                       \
  }

/* The one that is given, NULL: none. -1 with `e` set: several are. */
int case_contents_form(const case_reader *r, const contents_keys *k, yaml_value **out);
/* How many elements that form has by itself; 0: it does not say. -1 with `e` set. */
int case_contents_count(const case_reader *r, const contents_keys *k, const element_type *type, uint64_t *out);
/* The bytes of so many elements, allocated; `i` of formulas counts numbers, from those of element `first` on. */
int case_contents_make(const case_reader *r, const contents_keys *k, const element_type *type, uint64_t elements,
                       uint64_t first, unsigned char **out);

/* The numbers from 0 up to `count` in the order that a seed gives; free it. */
uint64_t *case_permutation(uint64_t seed, uint64_t count);

/* ---- suite.c and the files of what a case has ---- */

typedef enum case_object_kind { OBJECT_BUFFER, OBJECT_IMAGE, OBJECT_SAMPLER } case_object_kind;

typedef struct case_object {
  char *name;
  case_object_kind kind;
  uint32_t number;   /* among memory objects, or among samplers */
  element_type type; /* of an image: its channels */
  uint64_t elements;
  unsigned char *bytes; /* what it holds before the first launch, NULL: nobody has written it; lent by the capture */
  uint64_t extent[3];   /* of an image */
  bool written;         /* some launch may write it */
} case_object;

typedef struct composing {
  case_reader in; /* over `names` */
  const kernel_case *which;
  test_keys keys;
  scope names;          /* with buffers */
  case_kernels kernels; /* of all files; each is lent by the suite */
  size_t kernel_capacity;
  uint32_t *programs; /* which program each of them is of */
  case_object *objects;
  size_t object_count, object_capacity;
  uint32_t memory_count, sampler_count;
  uint32_t *made; /* by kernel: its number in the capture + 1, 0: not made yet */
  uint32_t made_count;
  case_capture *out;
  yaml_value *at;  /* what is being composed; NULL: the program */
  buffer name;     /* "buffer x", "launch 2 of kernel k" */
  size_t launches; /* so far */
  size_t blob_capacity, command_capacity, expectation_capacity, result_capacity;
} composing;

/* Commands from now on are about this: a buffer x, a launch of k. */
void compose_at(composing *c, yaml_value *at, const char *what, const char *name);
capture_command *compose_command(composing *c, capture_kind kind);
/* Takes over the bytes. */
uint32_t compose_blob(composing *c, unsigned char *bytes, size_t size);
/* NULL: there is none. */
case_object *compose_find(composing *c, const char *name);
/* Adds an object under a name that is new. NULL with the error set. */
case_object *compose_object(composing *c, const char *name, yaml_value *at, case_object_kind kind);

/* Which elements of a buffer are meant: `from` and how many; NULL: from the first, all that follow. */
int compose_part(composing *c, const case_object *o, yaml_value *from, yaml_value *elements, int64_t *first,
                 int64_t *count);

int compose_buffers(composing *c);
int compose_images(composing *c);
int compose_samplers(composing *c);
int compose_launches(composing *c);
int compose_expect(composing *c, yaml_value *entry);
int compose_results(composing *c);

/* The words that a suite has for formats of images and for samplers. */

/* A word and the number that OpenCL has for it. */
typedef struct format_word {
  const char *name;
  uint32_t value, number; /* number: of a channel, capture_number */
} format_word;

/* Ended by a NULL name. */
extern const format_word format_orders[], format_types[], format_addresses[];

/* NULL: there is no such word. */
const format_word *format_find(const format_word *words, const char *name, size_t length);
/* Of OpenCL's numbers; NULL, or NUMBER_KINDS: cases have no word for it. */
uint32_t format_number(uint32_t type);
const char *format_type_name(uint32_t type);
const char *format_order_name(uint32_t order);
const char *format_address_name(uint32_t address);

/* What the files share that write a capture as a suite. */

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
