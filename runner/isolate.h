/* Rewriting in a process of its own: libclang may crash or hang on odd source, and that must cost one program's
 * results, not the run. */
#ifndef CLTC_RUNNER_ISOLATE_H
#define CLTC_RUNNER_ISOLATE_H

#include <signal.h>
#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/highlight.h"

typedef struct isolated_work {
  void *context;
  int (*make)(void *context, buffer *out, error *e);            /* in the process of its own */
  int (*take)(void *context, const void *bytes, size_t length); /* of what that made, in ours; -1: unreadable */
} isolated_work;

/* A crash, or more than 60 seconds, is an error that says so. */
int isolated(const isolated_work *work, error *e);
/* The same, or what it made before for the same key (base/digest.h), also in another process: it is kept beside programs that were
 * built (builds_folder), under the same bounds. */
int isolated_kept(const isolated_work *work, const char *key, error *e);

/* Begins that work in a process beside us, for whoever asks for its result by the same key later. False: results are not
 * kept, so nobody could. */
bool isolated_ahead(const isolated_work *work, const char *key);
/* Waits for all that was begun so. */
void isolated_await(void);

/* From this moment on (as clock_now tells it, 0: never) whatever is still at work fails likewise. */
void isolated_set_deadline(double moment);

/* As highlight (frontend/frontend.h) on each text: a highlighter. A text that libclang crashes on takes no other
 * along. */
void isolated_highlight(highlight_text *texts, size_t count);

/* Ctrl-C and SIGTERM while cltestcheck waits for processes of its own. */

typedef struct interrupts {
  int signals; /* a descriptor to poll for reading */
  sigset_t before;
} interrupts;

/* From here to interrupts_end the two signals wait to be asked for; `children`: SIGCHLD, too. */
void interrupts_begin(interrupts *i, bool children);
/* The number of one that has come and was not asked for before; 0: none. */
int interrupts_next(const interrupts *i);
/* Whether one has come. */
bool interrupts_came(const interrupts *i);
void interrupts_end(interrupts *i);
/* In a process that was forked in between: signals do what they did before. */
void interrupts_forget(const interrupts *i);

#endif
