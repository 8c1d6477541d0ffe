/* Kernels with what is expected of them, in files of OpenCL C. A line
 *
 *   // expect VERDICT KERNEL [ARRAY[ELEMENT]] [; PRECONDITION]…      `none`: there are no preconditions
 *   // ask {"local": [64], …}        what is asked of the kernel, as JSON; nothing: everything is free
 *   // with {"benign": false}        parts of the request
 *   // because TEXT                  stands in the reason of the verdict, or in what the finding depends on
 *   // assumes TEXT                  stands in one of the assumptions; `nothing`: there are none
 *   // says {…}                      stands in the answer
 *   // slow                          with CLTC_FULL=1 only
 *
 * says what the engine has to answer; the last six belong to the `expect` before them. Where the places of a finding are is
 * marked after the lines between the expectation and the next: `//! write`, `//! read`, `//! atomic`, `//! barrier`, `//! decision`, and
 * `//! inlined` where a helper is called; of barriers that are asked about `//! needed` and `//! deletable`. A mark counts for both places of a race if it is the only one. */
#ifndef CLTC_TESTS_VERIFY_CASES_H
#define CLTC_TESTS_VERIFY_CASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { CASES_MOST_MARKS = 16 };

typedef struct case_mark {
  unsigned line;
  const char *word; /* lent */
  size_t length;
} case_mark;

typedef struct verify_case {
  unsigned line; /* of the expectation */
  char *verdict, *kernel;
  char *array;   /* NULL: any */
  long element;  /* -1: any */
  json_t *needs; /* preconditions; NULL: any */
  json_t *ask;   /* of the kernel, with its name */
  json_t *with;  /* of the request */
  json_t *says;  /* what stands in the answer */
  char *because; /* NULL: any */
  char *assumes; /* NULL: any */
  case_mark marks[CASES_MOST_MARKS];
  size_t mark_count;
  bool done;
} verify_case;

typedef struct verify_cases {
  char *path, *text;
  verify_case *items;
  size_t count, capacity;
} verify_cases;

/* Reads a file; fails the test where it is not as above. */
verify_cases cases_read(const char *path);
void cases_free(verify_cases *c);
/* What is wrong with the answer (NULL: there is none): a text to be freed; NULL: nothing. */
char *case_wrong(const verify_case *c, const json_t *answer);
/* Whether the answer has more preconditions than are expected, as it has on a machine that is busy: worth another question. */
bool case_wants_less(const verify_case *c, const json_t *answer);

#endif
