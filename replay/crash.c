/* A handler that may only write: everything is made ready before. */
#include "replay/crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512, NAME = 200 };

static const struct {
  int number;
  const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

static char line[LINE]; /* what is said after the signal's name */
static unsigned long launches;

static void write_text(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) {
    return;
  }
}

static void on_crash(int number) {
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    if (signals[i].number == number) {
      write_text("cltestcheck-replay: the device crashed (");
      write_text(signals[i].name);
      write_text(line);
    }
  }
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

void crash_watch(void) {
  struct sigaction action = {.sa_handler = on_crash};
  (void)sigemptyset(&action.sa_mask);
  (void)snprintf(line, sizeof line, ") before the first launch\n");
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    (void)sigaction(signals[i].number, &action, NULL);
  }
}

void crash_turn(void) { launches = 0; }

void crash_launch(const char *kernel) {
  (void)snprintf(line, sizeof line, ") in launch %lu (kernel %.*s) or one shortly before it\n", launches++, NAME,
                 kernel);
}
