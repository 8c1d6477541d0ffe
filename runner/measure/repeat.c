/* Runs that need not start the program: one of a test case's runs is captured, and what it did is done again. All that such
 * runs may say is that nothing is there; else the program is run, and says what. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "capture/capture.h"
#include "runner/measure/look.h"

/* Bytes of a capture, and of all of a command: folders for what is temporary may lie in memory. */
#define MOST ((uint64_t)256 << 20)
#define MOST_IN_ALL (2 * MOST)
#define LEAST ((uint64_t)1 << 20)

/* Of a test case: they are as many as the folder's files. */
static char *path_of(const measuring *m, const experiment_test *t) {
  buffer path = {0};
  buffer_printf(&path, "%s/%zu", m->options->captures, (size_t)(t - m->options->common.tests));
  return buffer_take(&path);
}

static char *file_of(const measuring *m, const experiment_test *t) {
  const target *on = &m->options->common.target;
  const bool may = m->options->captures != NULL && on->capture != NULL && on->replay != NULL && t->capture == NULL &&
                   strcmp(t->argv[0], on->replay) != 0;
  return may ? path_of(m, t) : NULL;
}

char *measuring_capture(measuring *m, const experiment_test *t, child_options *child) {
  const uint64_t left = MOST_IN_ALL - m->captured;
  char *path = m->options->captured || left < LEAST ? NULL : file_of(m, t);
  child->capture = path;
  child->capture_most = left < MOST ? left : MOST;
  return path;
}

void measuring_end_capture(measuring *m, char *path) {
  struct stat s;
  if (path != NULL && stat(path, &s) == 0) m->captured += (uint64_t)s.st_size;
  m->captured = m->captured > MOST_IN_ALL ? MOST_IN_ALL : m->captured;
  free(path);
}

/* What the host has written to a mapping is captured with what it has not. */
static bool maps_for_writing(const capture *c) {
  bool maps = false;
  for (size_t i = 0; i < c->call_count && !maps; i++) {
    const capture_call *call = &c->calls[i];
    maps = (call->function == FUNCTION_MAP || call->function == FUNCTION_MAP_IMAGE) &&
           (call->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  }
  return maps;
}

static const char *obstacle_of(const capture *c) {
  return c->unsuitable != NULL ? c->unsuitable : maps_for_writing(c) ? "it writes to mapped memory" : NULL;
}

static bool joins(const capture *c) {
  bool several = c->queue_count > 1;
  for (size_t i = 0; i < c->queue_count && !several; i++) several = !c->queues[i].in_order;
  for (size_t i = 0; i < c->call_count && !several; i++) several = c->calls[i].thread > 0;
  return several;
}

/* Why what the file holds does not stand for the program, to be freed; NULL: it does. */
static char *find_obstacle(const char *path, bool *joined) {
  capture c;
  error e;
  if (access(path, F_OK) != 0) return mem_strdup("none of its runs was captured");
  if (capture_read(path, &c, &e) != 0) return mem_strdup(e.text);
  const char *why = obstacle_of(&c);
  char *said = why == NULL ? NULL : mem_strdup(why);
  *joined = joins(&c);
  capture_free(&c);
  return said;
}

bool measuring_repeats(const measuring *m, const experiment_test *t, repeated_run *out) {
  bool joined = false;
  char *path = file_of(m, t), *why = path == NULL ? NULL : find_obstacle(path, &joined);
  const bool may = path != NULL && why == NULL;
  if (why != NULL && m->options->verbose)
    measuring_note(m, "%s is started for each run, as it cannot be replayed: %s", t->name, why);
  free(why);
  if (may)
    *out =
        (repeated_run){path, joined, {m->options->common.target.replay, path, (char *)"--reads", (char *)"any", NULL}};
  else
    free(path);
  return may;
}
