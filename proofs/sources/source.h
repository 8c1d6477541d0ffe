/* What is to be proved: kernel sources with the sizes and arguments of their kernels, observed or assumed. */
#ifndef CLTC_PROOFS_SOURCES_SOURCE_H
#define CLTC_PROOFS_SOURCES_SOURCE_H

#include "base/names.h"
#include "capture/capture.h"
#include "frontend/preprocess.h"
#include "runner/build/program_request.h"

/* --- what memory objects hold while a capture is gone through, as far as the host has said it: no kernel runs ----- */

/* What is true of the integers in a buffer at a launch. */
typedef struct contents_facts {
  bool distinct;  /* no two are the same */
  bool ascending; /* none is below the one before it */
  bool identity;  /* element i is i */
  bool bounded;   /* all are from `low` to `high` */
  int64_t low, high;
} contents_facts;

typedef struct memory_object {
  bool image;
  uint64_t size;
  uint32_t parent;      /* of a sub-buffer; CAPTURE_NONE: it is none */
  uint64_t origin;      /* in the parent */
  bool constant;        /* no kernel may write it */
  unsigned char *bytes; /* NULL: nothing is known */
  unsigned char *known; /* 1 for each byte that is known */
  uint64_t changes;     /* of the contents */
  struct {              /* the facts that were asked for last: */
    uint64_t changes;
    uint32_t element;
    bool is_unsigned, there;
    contents_facts facts;
  } kept;
} memory_object;

typedef struct contents {
  memory_object *objects; /* by their number in the capture */
  size_t count, capacity;
  uint64_t bytes; /* that are kept */
} contents;

/* Takes a command of the capture that makes memory or changes it; others are left alone. */
void contents_take(contents *m, const capture *c, const capture_command *command);
/* A kernel may have written the object. */
void contents_forget(contents *m, uint32_t object);
/* What is true of the object as integers of `element` bytes. */
contents_facts contents_of(contents *m, uint32_t object, uint32_t element, bool is_unsigned);
void contents_free(contents *m);

/* The same of `count` integers at `bytes`. */
contents_facts facts_of(const unsigned char *bytes, uint64_t count, uint32_t element, bool is_unsigned);

/* --- parameters of kernels, read from their source in a process of its own ---------------------------------------- */

enum { SIGNATURE_LINE = 64, SIGNATURE_SIDE = 8 };

typedef enum parameter_kind {
  PARAMETER_GLOBAL, /* a pointer to global or constant memory */
  PARAMETER_LOCAL,  /* a pointer to local memory */
  PARAMETER_VALUE,
  PARAMETER_IMAGE,
  PARAMETER_OTHER /* samplers, pipes, … */
} parameter_kind;

typedef struct parameter {
  char *name;
  char *type;    /* of the value, or of what the pointer points to: "float4" */
  char *written; /* the same in the words of the source, without qualifiers: "real"; "": it is not in one piece */
  parameter_kind kind;
  uint32_t size;    /* bytes of that; 0: not known */
  bool integer;     /* that is one integer, */
  bool is_unsigned; /* of this kind */
  bool read_only;   /* a pointer through which nothing is written */
  bool atomic;      /* atomic functions may use what it points to, and */
  uint64_t
      reach; /* bytes that a launch of SIGNATURE_LINE work-items, or of SIGNATURE_SIDE in each dimension, may touch, with integers
                       of as much; 0: not known. Both only where they were asked for */
} parameter;

typedef struct signature {
  char *kernel;
  parameter *parameters;
  size_t count;
  uint32_t dimensions;  /* that the kernel and functions that it may call ask about: 1 to 3 */
  bool asks_dimensions; /* they ask how many there are */
} signature;

/* Of the source and all that it includes. */
typedef struct source_digests {
  char files[65]; /* with their names */
  char texts[65]; /* without */
} source_digests;

/* The kernels that the source defines, in order; `reach`: with what launches of them touch. Questions of the preprocessor are answered as libclang does. -1 with
 * `e` set: the source cannot be read. Free with signatures_free. */
int signatures_read(const pp_input *in, bool reach, signature **out, size_t *count, source_digests *digests, error *e);
void signatures_free(signature *s, size_t count);

/* --- sources, their kernels and launches -------------------------------------------------------------------------- */

typedef enum observed_kind {
  OBSERVED_INTEGER, /* a scalar */
  OBSERVED_BYTES,   /* another value, as it lies in memory */
  OBSERVED_BUFFER,  /* also an image */
  OBSERVED_LOCAL    /* `size` bytes of local memory */
} observed_kind;

typedef struct observed_argument {
  observed_kind kind;
  uint32_t parameter;   /* of the signature */
  int64_t integer;      /* with the bits of an unsigned one */
  unsigned char *bytes; /* of a value; of a small buffer what it holds, NULL: not known */
  uint64_t size;        /* of `bytes`, of the buffer, of the local memory */
  bool null;            /* of a buffer: there is none */
  uint32_t memory;      /* the same number in one launch: the same memory object */
  uint64_t offset;      /* of a sub-buffer in its memory object */
  contents_facts facts;
} observed_argument;

typedef struct observed_launch {
  uint64_t count; /* how often it was made */
  uint64_t first; /* which of the kernel's launches it was first, from 1 */
  uint32_t dimensions;
  uint64_t local[3], groups[3], offset[3];
  bool local_chosen; /* the program left `local` to the driver: it is one that a driver may take */
  observed_argument *arguments;
  size_t argument_count, argument_capacity;
} observed_launch;

enum { LAUNCHES_MOST = 64 }; /* of a kernel that are proved */

struct host_way;
struct host_facts;

typedef struct asked_kernel {
  char *name;
  observed_launch *launches; /* distinct ones */
  size_t launch_count, launch_capacity;
  uint64_t made;         /* launches in all, */
  uint64_t distinct;     /* distinct ones among them, */
  struct host_way *ways; /* that host code has to launch it; none: nothing is known of host code */
  size_t way_count, way_capacity;
  char *host;         /* the name of that code, with ways */
  bool host_complete; /* there are no others */
  bool host_whole;    /* all of the code was read that may launch kernels */
  char **host_notes;  /* sentences on which all that is said of the ways rests; lent */
  size_t host_note_count;
  uint64_t uneven; /* and those that are not among `launches`, as their last groups are smaller */
} asked_kernel;

typedef struct asked_source {
  program_request request; /* it is its one source */
  char *read_options;      /* with what its device defines; NULL: as it was built */
  char *search;            /* folder with the headers that the program handed over with it; NULL: none */
  char *problem;           /* why an observed one cannot be read; NULL: it can */
  source_digests digests;  /* of its files, "": not known */
  signature *signatures;
  size_t signature_count;
  asked_kernel *kernels; /* to be verified; with `every` none is listed */
  size_t kernel_count, kernel_capacity;
  bool every;    /* the source could not be read here: all kernels that the engine finds */
  bool observed; /* launches are the preconditions; else what the command line says */
} asked_source;

/* A number a dimension. */
typedef struct prove_sizes {
  uint64_t sizes[3];   /* 0: any */
  unsigned dimensions; /* 0: nothing is said */
} prove_sizes;

typedef struct prove_options {
  double timeout, query_timeout; /* seconds */
  unsigned memory;               /* MiB */
  unsigned jobs;
  const char *only; /* nothing is looked for but accesses outside in code of this file; NULL: all is */
  bool no_benign, no_bounds, alias, barriers, explain, warp_resync;
  bool first_only; /* nothing is looked for behind the first thing that goes wrong */
  unsigned warp;   /* work-items that run in step, 0: none */
  /* of kernels that were not observed: */
  prove_sizes local, groups;
  word_list assume;
} prove_options;

/* A source as a program builds it, copied; its kernels are not listed yet. `root` stands for "/", where files that it
 * includes were put below it (NULL: they are where they are). Release with asked_source_free. */
void asked_source_init(asked_source *s, const char *text, size_t length, const char *options, const char *directory,
                       const char *root);
/* It was built for this device: its macros are what that defines (base/opencl_compiler.h). */
void asked_source_on(asked_source *s, const char *device);
/* A header that the program hands over with it. */
void asked_source_add_header(asked_source *s, const char *name, const char *text);
/* Its text, options, names. */
const request_source *asked_text(const asked_source *s);
/* Reads the signatures of its kernels; where that cannot be done the source is one of which `every` kernel is asked
 * about, and `e` says why. */
int asked_source_read(asked_source *s, error *e);

const signature *asked_signature(const asked_source *s, const char *kernel);
asked_kernel *asked_kernel_find(const asked_source *s, const char *name);
asked_kernel *asked_kernel_add(asked_source *s, const char *name);
/* Lists the kernels of its signatures that are chosen (base/names.h), and takes those away that are not. */
void asked_source_choose(asked_source *s, const kernel_choice *which);
void observed_launch_free(observed_launch *l);
void asked_source_free(asked_source *s);

/* A way in which host code launches a kernel: sizes, facts and memory that a proof may use. */

typedef struct way_fact {
  char *text;                               /* C, with the kernel's names */
  const struct host_expression *expression; /* the same; the facts of the host code keep it */
  char *from;                               /* "main.c:31" */
  bool size;                                /* of work-groups */
  bool offset;                              /* of ids */
  bool allocation;                          /* holds where the call succeeds */
} way_fact;

/* One way, or several that say the same. */
struct host_way {
  unsigned dimensions;          /* 0: not known */
  uint64_t local[3], groups[3]; /* 0: any */
  uint64_t offset[3];
  bool offset_known;
  way_fact *facts;
  size_t fact_count, fact_capacity;
  int *memory; /* by parameter: of arguments that are the same memory the same number; -1: not known which */
  size_t parameter_count;
  bool shared;  /* two pointers are the same memory */
  char *unsure; /* two pointers of which it is not known whether they are; NULL: none */
  char *ends;   /* pointers to memory of a size that is not known; NULL: none */
  bool open;    /* not all of the host code was followed, or not all that the kernel is given */
  char *from;   /* the launch: "main.c:40" */
};

void host_way_free(struct host_way *w);
/* Forgets the ways of a kernel. */
void host_ways_free(asked_kernel *k);

/* Sources with annotations for proofs: what stands there for the engine alone is nothing for whoever reads the source here. */

/* The build options, and with them definitions of the annotations that the text names, so that it can be read. To be freed. */
char *annotated_options(const char *text, const char *options);

/* The launches of a kernel that host code can make, as host/ finds them: sizes, facts and memory of each way to launch
 * it. */

enum { WAYS_MOST = 64 };

/* Gives the kernels of a source their ways, which are not used after the facts are freed. `host` is a name for people: "main.c". */
void ways_add(asked_source *s, const struct host_facts *facts, const char *host);

typedef enum way_fit { WAY_FITS, WAY_MAY_FIT, WAY_CONTRADICTS } way_fit;

/* Whether a launch that was seen can have been made in this way. `*fact`: the first fact that it contradicts, NULL: it
 * has other sizes or other memory. */
way_fit way_fits(const struct host_way *w, const signature *of, const observed_launch *l, const way_fact **fact);

#endif
