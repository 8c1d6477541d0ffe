#include "runner/interrupts.h"

#include <sys/signalfd.h>
#include <unistd.h>

void interrupts_begin(interrupts *i) {
  sigset_t blocked;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGINT);
  (void)sigaddset(&blocked, SIGTERM);
  (void)sigprocmask(SIG_BLOCK, &blocked, &i->before);
  i->signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool interrupts_came(const interrupts *i) {
  struct signalfd_siginfo info;
  return read(i->signals, &info, sizeof info) == (ssize_t)sizeof info;
}

void interrupts_end(interrupts *i) {
  (void)close(i->signals);
  (void)sigprocmask(SIG_SETMASK, &i->before, NULL);
}

void interrupts_forget(const interrupts *i) { (void)sigprocmask(SIG_SETMASK, &i->before, NULL); }
