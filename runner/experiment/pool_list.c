/* Running a fixed list of jobs. */
#include "runner/experiment/pool.h"

typedef struct progress {
  const pool_list *list;
  size_t next;
} progress;

static pool_job *next(void *context) {
  progress *p = context;
  return p->next < p->list->count ? p->list->job(p->list->context, p->next++) : NULL;
}

static bool never_enough(void *context, const pool_job *job) {
  (void)context;
  (void)job;
  return false;
}

static int ended(void *context, pool_job *job, error *e) {
  const pool_list *list = ((progress *)context)->list;
  return list->ended(list->context, job, e);
}

static void released(void *context, pool_job *job) {
  const pool_list *list = ((progress *)context)->list;
  list->released(list->context, job);
}

static void tick(void *context) {
  const pool_list *list = ((progress *)context)->list;
  list->tick(list->context);
}

int pool_run_list(pool *of, const pool_list *list, unsigned width, bool *interrupted, error *e) {
  progress p = {list, 0};
  const pool_source source = {&p, next, never_enough, ended, released, tick};
  int result = pool_run(of, &source, width, interrupted, e);
  for (; p.next < list->count; p.next++) {
    list->released(list->context, list->job(list->context, p.next));
  }
  return result;
}
