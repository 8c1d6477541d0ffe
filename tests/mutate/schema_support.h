/* What the tests of schemata share: counting failures, making mutants of a text. */
#ifndef CLTC_TESTS_SCHEMA_SUPPORT_H
#define CLTC_TESTS_SCHEMA_SUPPORT_H

#include "mutate/mutate.h"
#include "schema_device.h"

/* Counts a failure and says so. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned failures(void);

/* The mutants of a text, questions of its preprocessor answered by libclang. Ends the program if it is refused. */
mutate_result mutate_text(const char *text, const char *options, const uint32_t *clones, size_t clone_count);
/* The schema of a text, or its clones of number 0 and of all its mutants, built. */
build *build_schema(device *d, const mutate_result *r, const char *more_options);
build *build_clones(device *d, const char *text, const char *options, const mutate_result *r);
/* The same with those of clone_is_due only. */
build *build_due_clones(device *d, const char *text, const char *options, const mutate_result *r);
/* Runs the clone for a number. */
outcome run_clone(build *clones, const char *kernel, const int32_t *in, bool single, uint32_t number, uint32_t fuel);
/* Whether this is a run with --full. */
bool is_full(void);
/* Whether clones are compared of this mutant: of every fourth one, of all with --full. */
bool clone_is_due(const mutant *m);
/* Whether it is compared with a text that is written by hand: where clone and schema are not compared with each other, and of
 * all with --full. */
bool text_is_due(const mutant *m);

/* schema_texts.c: texts of one kernel each, built as one program, and one of them run. */
typedef struct written {
  build *build; /* NULL: does not build, which is counted as a failure */
  const char *kernel;
  bool joined;
} written;
written write_texts(device *d, char *const *texts, size_t count, const char *options, const char *kernel);
outcome run_text(const written *w, size_t index, const int32_t *in);

/* schema_cases.c, schema_numbers.c, schema_loops.c, schema_records.c, schema_wide.c */
void test_cases(device *d);
void test_numbers(device *d);
void test_loops(device *d);
void test_records(device *d);
void test_wide(device *d);

#endif
