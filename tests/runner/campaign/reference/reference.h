/* The parts of the reference: one mutant as a source of its own, and one run of a program. */
#ifndef CLTC_REFERENCE_H
#define CLTC_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* What the report of `cltestcheck mutate` says of a mutant; strings are lent. */
typedef struct reference_mutant {
  const char *suite, *op, *original, *replacement, *description; /* description "" where there is none */
  unsigned line, column, end_line, end_column;                   /* from 1, in bytes, end exclusive */
} reference_mutant;

/* substitute.c: the text of the file with this mutant, to be freed. Ends the program with a sentence where the rules do
 * not know what to write. */
char *reference_substitute(const char *text, const reference_mutant *m);

/* What a run of a program did. */
typedef struct reference_run {
  int status;     /* exit status, 128 + signal */
  bool timed_out; /* ended by us */
  bool refused;   /* the kernels did not compile */
  double seconds;
  char *dump; /* everything that the host read back, in order */
  size_t length;
} reference_run;

/* run.c: runs `argv` in `folder`, where it leaves its files, for at most `limit` seconds. Release the result. */
reference_run reference_run_program(char *const *argv, const char *folder, double limit);
void reference_run_free(reference_run *r);
/* The bytes of a file with a zero after them, to be freed. Ends the program with a sentence if it cannot be read; for
 * `length` NULL is allowed. */
char *reference_read_file(const char *path, size_t *length);
void reference_write_file(const char *path, const char *bytes, size_t length);

/* Ends the program with exit status 2 and this sentence. */
_Noreturn void reference_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
