/* What a verification is asked for: a source, and for each kernel what may be taken to hold. */
#ifndef CLTC_VERIFY_REQUEST_H
#define CLTC_VERIFY_REQUEST_H

#include <jansson.h>
#include <stddef.h>
#include <z3.h>

#include "proofs/verify/module.h"

enum { SIZE_FREE = 0 };        /* a size that is not given */
enum { EFFORT_STRETCH = 100 }; /* a process that gets no processor ends after so many times its limit in any case */

/* What a launch gave for a scalar argument. */
typedef struct argument_given {
  const char *name;
  uint8_t *bytes; /* little-endian */
  size_t length;
  bool integer; /* a number: `bytes` are its low 8, for any width */
} argument_given;

/* What is known of the contents of a buffer of integers at a launch. */
typedef struct contents_known {
  bool distinct, ascending, identity, within;
  bool is_unsigned; /* its integers are */
  int64_t low, high;
} contents_known;

typedef struct buffer_given {
  const char *name;
  uint64_t bytes;
  int64_t memory; /* the same number: the same memory; -1: its own */
  int64_t offset;
  bool null;    /* a null pointer */
  bool local;   /* a size for a __local pointer */
  bool counted; /* it has some number of elements, which expressions speak of; `bytes` is 0 */
  bool said;    /* it is here for what the user says of it: no launch gave memory */
  contents_known contents;
  uint8_t *held; /* what it holds, `bytes` of it; NULL: not known */
} buffer_given;

/* A launch: one that was seen, or what is known of all. */
typedef struct launch {
  uint64_t count; /* how often it was seen; 0: it was not */
  unsigned dimensions;
  uint64_t local[3], groups[3]; /* SIZE_FREE: any */
  uint64_t offset[3];
  bool any_offset[3];  /* the offset is not known */
  bool uneven;         /* the last group may be smaller than the others */
  const char **assume; /* expressions that hold */
  size_t assume_count;
  argument_given *arguments;
  size_t argument_count;
  buffer_given *buffers;
  size_t buffer_count;
} launch;

typedef struct kernel_request {
  const char *name;
  launch any;       /* what holds for all launches */
  launch *launches; /* those that were seen */
  size_t launch_count;
} kernel_request;

typedef struct request {
  json_t *json; /* owns all texts */
  const char *source, *file, *options, *directory;
  double timeout, query_timeout; /* seconds */
  uint64_t memory;               /* bytes */
  unsigned jobs;
  const char *only; /* nothing is looked for but accesses outside in code of this file; NULL: all is */
  bool benign, bounds, alias, barriers, explain, repair;
  bool all; /* of a kernel in which something goes wrong, look for more */
  unsigned warp;
  bool warp_resync;
  kernel_request *kernels;
  size_t kernel_count;
} request;

/* Reads a request. -1 with `e`: it is none. */
int request_read(const char *text, size_t length, request *out, error *e);
void request_free(request *r);
/* What was asked of a kernel, or of all that have no entry of their own; NULL: nothing. */
const kernel_request *request_kernel(const request *r, const char *name);

/* --- verdict.c: tries what is cheap first, and gives the answer as JSON ------------------------------------------- */

/* The answer for a kernel, as docs/formats/verify-engine.md describes it; owned by the caller. */
json_t *verdict_of(const module *m, LLVMValueRef kernel, const request *r);
/* One for a kernel about which nothing can be said. */
json_t *verdict_unknown(LLVMValueRef kernel, const char *verdict, const char *reason);

/* --- effort ------------------------------------------------------------------------------------------------------- */

/* Limits and counts of the queries about a kernel. They count processor time, so that a busy machine gives the same answers. */

typedef struct effort {
  double deadline;      /* effort_now() after which nothing more is asked */
  double query_seconds; /* most for one query, of processor time */
  unsigned queries;
  bool no_overflow; /* an answer rests on signed arithmetic that does not overflow, */
  bool no_division; /* or on no division by 0 */
} effort;

/* Seconds of processor time that this process has used. */
double effort_now(void);
/* As Z3_solver_check_assumptions, for so many seconds of processor time at most. */
Z3_lbool effort_check(Z3_context c, Z3_solver s, unsigned count, const Z3_ast *assumptions, double seconds);

#endif
