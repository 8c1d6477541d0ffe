/* Being there before the driver is taken down. At the end of a process its atexit handlers and the destructors of its
 * libraries run in the opposite order of their registration. A driver's compiler registers some when it first needs
 * them, in a thread of its own, maybe after ours: then it would be taken down while it compiles. Destructors of the
 * objects of a thread come before all of these, for the thread that ends the process, which is nearly always the main
 * one. For the others a handler is registered anew with every launch that may be compiled. */
#include "layer/observe/exit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "layer/observe/evidence.h"

enum { MOST_HANDLERS = 64 };

/* Of the C library; weak: others do not have it. */
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

static void thread_ends(void *unused) {
  (void)unused;
  evidence_exit();
}

static bool is_main_thread(void) {
  static __thread enum { UNKNOWN, MAIN, OTHER } which;
  if (which == UNKNOWN) which = gettid() == getpid() ? MAIN : OTHER;
  return which == MAIN;
}

static bool watch_thread(void) {
  static __thread bool watched;
  if (!watched && __cxa_thread_atexit_impl != NULL && is_main_thread())
    watched = __cxa_thread_atexit_impl(thread_ends, NULL, &__dso_handle) == 0;
  return watched;
}

static void handler_register(void) { atexit(evidence_exit); }

void exit_before_driver(bool fresh) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static atomic_int handlers;
  pthread_once(&once, handler_register);
  if (!watch_thread() && fresh && atomic_load(&handlers) < MOST_HANDLERS) {
    atomic_fetch_add(&handlers, 1);
    handler_register();
  }
}
