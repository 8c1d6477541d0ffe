/* Kernel cases: launches without a host program, written in suite.yaml (docs/kernel-cases.md). A case is a capture in
 * words: it becomes one, and all that takes captures takes it. */
#ifndef CLTC_CASES_CASES_H
#define CLTC_CASES_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "frontend/preprocess.h"
#include "wire/capture.h"

typedef enum case_parameter_kind {
  CASE_MEMORY, /* a pointer to global or constant memory */
  CASE_LOCAL,  /* a pointer to local memory */
  CASE_VALUE,
  CASE_IMAGE,
  CASE_SAMPLER,
  CASE_OTHER
} case_parameter_kind;

typedef struct case_parameter {
  char *name;
  char *type;    /* of the value, or of what the pointer points to: "float4" */
  char *written; /* the same in the words of the source: "real"; "": not known */
  case_parameter_kind kind;
  uint32_t size;  /* bytes of that; 0: not known */
  bool read_only; /* nothing is written through it */
  bool atomic;    /* atomic functions use it */
  uint64_t reach; /* bytes that the launch of case_skeleton may touch, 0: not known */
} case_parameter;

typedef struct case_kernel {
  char *name;
  case_parameter *parameters;
  size_t count;
  uint32_t dimensions; /* that it asks about */
} case_kernel;

typedef struct case_kernels {
  case_kernel *items;
  size_t count;
} case_kernels;

/* Reads the kernels of a source; -1 with `e` set. Released with case_kernels_free. */
typedef int case_kernels_reader(const pp_input *in, case_kernels *out, error *e);
void case_kernels_free(case_kernels *k);

/* Appends a suite with a test for each kernel, to begin with: it runs as it is, unless a kernel wants more. */
void case_skeleton(const char *path, const case_kernels *kernels, buffer *out);

typedef struct case_suite case_suite;

/* Whether a YAML file has `kernels:`, or at least no `program:`; one that cannot be read has. */
bool case_suite_is(const char *path);
/* Reads a file and all that it says of its cases but their contents. -1 with `e` set (EXIT_USAGE: file, line, column). */
int case_suite_open(case_suite **out, const char *path, case_kernels_reader *reader, error *e);
void case_suite_close(case_suite *s); /* NULL is fine */

const char *case_suite_name(const case_suite *s);
size_t case_suite_count(const case_suite *s);
const char *case_name(const case_suite *s, size_t number);

/* Where a result of a case stands in the file. */
typedef struct case_result {
  const struct yaml_node_s *expects; /* the entry of `expect`; NULL: nothing is expected of it */
  char *name;                        /* of the buffer or image */
  size_t command;                    /* the READ */
  uint64_t size;                     /* bytes */
  capture_expectation shape;         /* what its numbers are, and how far off they may be; no name and no blob */
} case_result;

/* A case as a capture; to be given to case_capture_free. -1 with `e` set. */
typedef struct case_capture {
  capture capture;
  case_result *results; /* one a READ, in order */
  size_t result_count;
  bool expects; /* something */
} case_capture;

int case_compose(case_suite *s, size_t number, case_capture *out, error *e);
void case_capture_free(case_capture *c);

/* Appends "fill: 0", "ramp: {…}", … which give exactly these bytes of the elements from `shape->first` on, or up to `most`
 * numbers as a list; false: there are no such words. `rounds`: with the tolerance of what compilers round otherwise. */
bool case_words(const capture_expectation *shape, const unsigned char *bytes, size_t size, size_t most, bool rounds,
                buffer *out);
/* Appends "digest: "…"". */
void case_digest(const unsigned char *bytes, size_t size, buffer *out);

/* How a capture is written as a suite of one case. */
typedef struct case_description {
  const char *name;    /* of suite and case */
  const char *folder;  /* for suite.yaml, kernels.cl and data, which must not be there yet */
  const char *results; /* folder with what a replay reads (--case FOLDER); NULL: nothing is expected */
  case_kernels_reader *reader;
  const char *kernel; /* what comes after its last launch is left out; NULL: nothing is */
} case_description;

/* `*varied`: reads of which the replay got something else than the program, and of which nothing is expected. -1 with
 * `e` set: EXIT_NOTHING if a case cannot say it, EXIT_USAGE if a file cannot be written. */
int case_describe(const capture *c, const case_description *how, size_t *varied, error *e);

/* Taking the results of today for what is expected (`run --update`). */
typedef struct case_update case_update;

/* From now on files with expected results may be missing. */
case_update *case_update_open(case_suite *s);
/* Takes a result of a case. -1 with `e` set: it cannot take the place of what stands in the file, which is left as it
 * is then. */
int case_update_take(case_update *u, size_t number, const case_capture *c, size_t result, const unsigned char *bytes,
                     error *e);
/* Writes what has changed; `*changed` is how much. -1 with `e` set: a file could not be written. */
int case_update_write(case_update *u, size_t *changed, error *e);
void case_update_close(case_update *u);

#endif
