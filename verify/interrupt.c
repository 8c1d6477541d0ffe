/* A timer of the process's processor time. It tells Z3 to stop, from a thread of its own, while the query still runs. */
#include "verify/interrupt.h"

#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Z3_context running; /* NULL: no query; one at a time */
static int number;         /* of the query */

static void stop(union sigval of) {
  (void)pthread_mutex_lock(&lock);
  if (running != NULL && of.sival_int == number) {
    Z3_interrupt(running);
  }
  (void)pthread_mutex_unlock(&lock);
}

void interrupt_begin(interrupt *i, Z3_context c, double seconds) {
  (void)pthread_mutex_lock(&lock);
  running = c;
  number++;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = stop};
  event.sigev_value.sival_int = number;
  (void)pthread_mutex_unlock(&lock);
  i->set = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &i->timer) == 0;
  if (i->set) {
    struct itimerspec after = {.it_value = {.tv_sec = (time_t)seconds}};
    after.it_value.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) + 1;
    after.it_value.tv_nsec = after.it_value.tv_nsec > 999999999 ? 999999999 : after.it_value.tv_nsec;
    (void)timer_settime(i->timer, 0, &after, NULL);
  }
}

void interrupt_end(interrupt *i) {
  if (i->set) {
    (void)timer_delete(i->timer);
  }
  (void)pthread_mutex_lock(&lock);
  running = NULL;
  (void)pthread_mutex_unlock(&lock);
}
