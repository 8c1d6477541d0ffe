/* One error type for the whole tool: an exit code of docs/exit-codes and a sentence for a person. */
#ifndef CLTC_BASE_ERROR_H
#define CLTC_BASE_ERROR_H

/* Exit codes of the command line; also what an error carries. */
enum exit_code {
  EXIT_FINE = 0,
  EXIT_USAGE = 1,     /* wrong arguments, unreadable or foreign files */
  EXIT_THRESHOLD = 2, /* --fail-under not reached */
  EXIT_FOUND = 3,     /* barrier divergence, race or deadlock found */
  EXIT_BASELINE = 4,  /* the user's program itself fails */
  EXIT_NOTHING = 5,   /* no kernel built from source was observed */
  EXIT_INTERNAL = 70  /* a fault of ours or of the machine (no memory, disk full) */
};

typedef struct error {
  int code;        /* an exit_code */
  char text[2048]; /* one sentence: what happened, where, what to do */
} error;

/* Sets `*e` (may be NULL) and returns -1, so that `return error_set(…)` works. */
int error_set(error *e, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
