/* Processor time, and a solver that is interrupted when it has used enough of it. */
#include "proofs/verify/effort.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

double effort_now(void) { return clock_processor(); }

/* The query that is asked. */
static struct {
  pthread_mutex_t lock;
  Z3_context context;
  Z3_solver solver; /* NULL: none */
  double end;       /* effort_now() */
  timer_t timer;
  pid_t owner; /* the process that has the timer: a child has none */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a thread of its own. It may come late, when another query is asked. */
static void ring(union sigval unused) {
  (void)unused;
  (void)pthread_mutex_lock(&asked.lock);
  if (asked.solver != NULL && effort_now() >= asked.end) Z3_solver_interrupt(asked.context, asked.solver);
  (void)pthread_mutex_unlock(&asked.lock);
}

/* From then on it rings, again and again: an interrupt is lost before the solver has begun. 0: no more. */
static void wind(double seconds) {
  struct itimerspec when = {.it_interval = {.tv_nsec = seconds > 0 ? 50000000 : 0}};
  when.it_value.tv_sec = (time_t)seconds;
  when.it_value.tv_nsec = (long)((seconds - (double)when.it_value.tv_sec) * 1e9);
  (void)timer_settime(asked.timer, 0, &when, NULL);
}

static bool has_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
  if (asked.owner != getpid())
    asked.owner = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &asked.timer) == 0 ? getpid() : 0;
  return asked.owner != 0;
}

static void note(Z3_context c, Z3_solver s, double end) {
  (void)pthread_mutex_lock(&asked.lock);
  asked.context = c;
  asked.solver = s;
  asked.end = end;
  (void)pthread_mutex_unlock(&asked.lock);
}

Z3_lbool effort_check(Z3_context c, Z3_solver s, unsigned count, const Z3_ast *assumptions, double seconds) {
  if (!has_timer()) return Z3_L_UNDEF;
  note(c, s, effort_now() + seconds);
  wind(seconds > 0.001 ? seconds : 0.001);
  const Z3_lbool result = Z3_solver_check_assumptions(c, s, count, assumptions);
  wind(0);
  note(NULL, NULL, 0);
  return result;
}
