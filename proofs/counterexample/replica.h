/* A launch made from a counterexample: sizes, and an argument for each parameter. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_H
#define CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_H

#include "proofs/client/answer.h"

typedef enum fill_kind {
  FILL_ZERO,
  FILL_ALIKE,    /* all elements are `from` */
  FILL_COUNTING, /* element i is `from` + i */
  FILL_DRAWN,    /* each number is from `from` to `to`, as `seed` draws it */
  FILL_SHUFFLED, /* the numbers are `from`, `from` + 1, …, each once */
  FILL_RISING    /* each number is what the one before it is, or one more, up to `to` */
} fill_kind;

/* An image with four channels. */
typedef struct replica_picture {
  uint32_t object, data; /* cl_mem_object_type, 0: it is none; cl_channel_type */
  uint64_t extent[3];    /* what is not there is 0; of an array the last one is its layers */
} replica_picture;

typedef struct replica_argument {
  const parameter *is;  /* lent */
  uint64_t size;        /* bytes of the value, the buffer, the local memory */
  unsigned char *bytes; /* of a value */
  fill_kind fill;       /* what a buffer holds at first, */
  int64_t from, to;
  uint64_t seed;
  replica_picture picture;
  const answer_cell *cells; /* and elements that it holds instead. Lent */
  size_t cell_count;
  size_t same_as;  /* the buffer lies in the same memory as this argument's, the first of them; else its own number */
  uint64_t offset; /* in memory that several share */
  bool null;       /* a buffer that is not there */
} replica_argument;

typedef struct replica {
  const asked_source *source;    /* lent, */
  const char *text, *options;    /* instead of those of the source; NULL: those. Lent, too, */
  const answer_finding *finding; /* too */
  const char *kernel;
  uint32_t dimensions;
  uint64_t global[3], local[3], offset[3];
  replica_argument *arguments;
  size_t count;
} replica;

bool replica_is_sampler(const parameter *p);
/* Dimensions of an image of the type that a parameter has, 0: of another kind; and its cl_mem_object_type. */
unsigned replica_image_dimensions(const parameter *p, uint32_t *object);

/* NULL, or why the counterexample cannot be launched (lent). Release with replica_free in every case. */
const char *replica_make(const asked_source *s, const char *kernel, const answer_finding *f, replica *out);
/* Buffers and images that were null, or one memory object, in a launch are so in this one (`l` may be NULL). */
void replica_share(replica *r, const observed_launch *l);
/* Writes what a buffer holds at first over zeros. */
uint64_t replica_draw(uint64_t seed, uint64_t number); /* a hash: any number of 64 bits */
void replica_fill(const replica_argument *a, unsigned char *bytes);
void replica_free(replica *r);

/* A counterexample is a test case like others: a capture. */

/* Composes it in memory; `*to` is zeroed, and to be released with capture_free. */
void replica_capture(const replica *r, capture *to);
/* The same of several launches of one kernel, one after another, each with memory of its own. `more`: build options
 * beside those of the source, "" for none. */
void replicas_capture(const replica *all, size_t count, const char *more, capture *to);

/* Counterexamples that are run, and handed on. */

typedef struct confirm_options {
  /* Gets the launches of a kernel's findings, and says what became of each; `seconds`: what its proof took. -1:
   * they are not run. NULL: nor is it asked. */
  int (*run)(void *context, const replica *launches, size_t count, double seconds, confirmation *out);
  void *runner;                                                             /* its context */
  int (*keep)(void *context, const replica *r, const char *name, error *e); /* gets each launch; NULL: nobody does */
  void *context;
} confirm_options;

/* What becomes of each finding of an answer: an array, to be released with confirmations_free. NULL with `e` set: a launch
 * could not be kept. */
confirmation *confirm(const confirm_options *o, const asked_source *s, const verify_answer *a, error *e);
void confirmations_free(confirmation *c, size_t count);

#endif
