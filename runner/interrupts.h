/* Ctrl-C and SIGTERM while cltestcheck waits for processes of its own. */
#ifndef CLTC_RUNNER_INTERRUPTS_H
#define CLTC_RUNNER_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

typedef struct interrupts {
  int signals; /* a descriptor to poll for reading */
  sigset_t before;
} interrupts;

/* From here to interrupts_end the two signals wait to be asked for. */
void interrupts_begin(interrupts *i);
/* Whether one has come. */
bool interrupts_came(const interrupts *i);
void interrupts_end(interrupts *i);
/* In a process that was forked in between: signals do what they did before. */
void interrupts_forget(const interrupts *i);

#endif
