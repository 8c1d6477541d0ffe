/* Starting a process of our own and reading what it writes until it ends. */
#ifndef CLTC_BASE_SUBPROCESS_H
#define CLTC_BASE_SUBPROCESS_H

#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"

/* What to run: a function of ours or a program, and when to give up. */
typedef struct subprocess {
  void (*work)(void *context, int out); /* in the new process: writes to `out`; the process ends when it returns */
  void *context;
  char *const *argv;  /* where `work` is NULL: a program looked for in PATH, ended by NULL; its output is read */
  bool quiet;         /* a program has no standard input, and its standard error goes nowhere */
  bool joined;        /* its standard error is read as its output is */
  double deadline;    /* the moment (clock_now) at which it is killed; 0: never */
  bool interruptible; /* a SIGINT or SIGTERM that the caller has blocked and that waits kills it */
  size_t cap;         /* most bytes that are read; one more kills it; 0: BUFFER_CAP */
} subprocess;

typedef enum subprocess_end {
  SUBPROCESS_ENDED,
  SUBPROCESS_LATE,        /* killed: the deadline has passed */
  SUBPROCESS_INTERRUPTED, /* killed: the user wants an end */
  SUBPROCESS_TOO_MUCH,    /* killed: it wrote more than `cap` bytes */
} subprocess_end;

enum { SUBPROCESS_NO_PROGRAM = 127 }; /* exit status where the program cannot be run, as in shells */

/* Appends what the process writes to `out`. `*end` says why it is over, `*status` (of waitpid; 0 where it had to be
 * killed) how it ended. -1: it could not be started (EXIT_INTERNAL). */
int subprocess_read(const subprocess *s, buffer *out, subprocess_end *end, int *status, error *e);

/* A quiet program: its exit status; -1 when it could not be started, was killed or wrote more than 1 GiB. */
int subprocess_ask(const char *const *argv, buffer *out);

/* fork(), with what was printed so far written before. The new process ends when we do. `core`: where it crashes it may
 * leave a file with its memory, as it would on its own; else none, wherever it stands. */
pid_t subprocess_fork(bool core);

/* Writes all bytes, for `work`; false: the reader is gone. */
bool subprocess_write(int out, const void *bytes, size_t length);

/* Words of a command line as a shell takes them. */

/* Appends a word, in single quotes where it needs them. */
void shell_word(buffer *to, const char *word);
/* All words of a command; to be freed. */
char *shell_line(char *const *argv);
/* The other way round: the words of a line with blanks between them, quotes and backslashes, ended by NULL. To be given
 * to shell_free. NULL: the line has something in it that a shell would not take as it stands (variables, patterns, `;`,
 * a quote that does not end), or no word. */
char **shell_split(const char *line);
/* A copy of words ended by NULL, with those of `more` behind them; to be given to shell_free. */
char **shell_join(char *const *words, const char *const *more);
void shell_free(char **words);

#endif
