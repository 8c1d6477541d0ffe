/* Findings of a run, and counterexamples, become kernel cases: a test case, a kernel, its capture, its description. */
#include "cli/emit_cases.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/say.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "proofs/counterexample/replica.h"
#include "runner/plan/plan.h"

typedef struct wanted {
  size_t test;
  char *kernel;
} wanted;

typedef struct emission {
  const char *directory; /* of the option */
  const report_settings *report;
  const capture_wish *wish;
  const plan *plan;
  const target *target;
  char *scratch;
  wanted *items;
  size_t count, capacity;
  error *e;
} emission;

/* --- what is wanted ----------------------------------------------------------------------------------------------- */

static void want(emission *x, const char *suite, const char *name, const char *kernel) {
  size_t test = 0;
  while (test < x->plan->count &&
         (strcmp(x->plan->tests[test].suite, suite) != 0 || strcmp(x->plan->tests[test].name, name) != 0))
    test++;
  bool known = test == x->plan->count || !kernel_chosen(&x->report->kernels, kernel);
  for (size_t i = 0; i < x->count; i++)
    known = known || (x->items[i].test == test && strcmp(x->items[i].kernel, kernel) == 0);
  if (!known) *ARRAY_ADD(x->items, x->count, x->capacity) = (wanted){test, mem_strdup(kernel)};
}

static int want_findings(emission *x, const view *v, db *d) {
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    db_seen seen;
    bool found = false;
    if (f->suppressed != NULL || f->proved || f->kernel == NULL || f->kernel[0] == '\0') continue;
    if (db_finding_test(d, f->id, &found, &seen, x->e) != 0) return -1;
    if (found) want(x, seen.suite, seen.name, f->kernel);
    db_free_seen(&seen);
  }
  return 0;
}

static void want_schedules(emission *x, const view *v) {
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    bool found = false;
    for (size_t k = 0; k < l->schedule_count; k++) {
      const char *verdict = l->schedules[k].verdict;
      found = found || (l->schedules[k].suppressed == NULL &&
                        (strcmp(verdict, "race") == 0 || strcmp(verdict, "deadlock") == 0 ||
                         strcmp(verdict, "crash") == 0 || strcmp(verdict, "order-dependent") == 0));
    }
    if (found) {
      const view_test_case *t = &v->test_cases[l->test_case];
      want(x, t->suite, t->name, v->kernels[l->kernel].name);
    }
  }
}

/* --- what is written ---------------------------------------------------------------------------------------------- */

/* The capture of a test case; free the path. NULL with the error set. */
static char *capture_of(const emission *x, size_t test) {
  const experiment_test *t = &x->plan->tests[test];
  scoped_buffer path = {0};
  if (t->capture != NULL) return mem_strdup(t->capture);
  buffer_printf(&path, "%s/%zu", x->scratch, test);
  struct stat status;
  if (stat(buffer_text(&path), &status) != 0 &&
      capture_program(t->argv, x->target, buffer_text(&path), x->wish, x->e) != 0 &&
      (x->e->code != EXIT_BASELINE || stat(buffer_text(&path), &status) != 0))
    return NULL;
  return buffer_take(&path);
}

/* Makes a folder of --emit-cases if it is not there. */
static int emit_folder(const char *folder, error *e) {
  return mkdir(folder, 0777) == 0 || errno == EEXIST
             ? 0
             : error_set(e, EXIT_USAGE, "the folder %s of --emit-cases cannot be made: %s", folder, strerror(errno));
}

/* DIR/KERNEL, or DIR/KERNEL-2 where that is there already. */
static char *free_folder(const char *directory, const char *kernel) {
  for (unsigned number = 1;; number++) {
    scoped_buffer path = {0};
    struct stat status;
    buffer_printf(&path, number == 1 ? "%s/%s" : "%s/%s-%u", directory, kernel, number);
    if (stat(buffer_text(&path), &status) != 0) return buffer_take(&path);
  }
}

static int write_case(const emission *x, const wanted *w) {
  capture c = {0};
  size_t ignored = 0;
  char *path = capture_of(x, w->test);
  if (path == NULL || capture_read(path, &c, x->e) != 0) {
    free(path);
    return -1;
  }
  char *folder = free_folder(x->directory, w->kernel);
  const case_description how = {.name = w->kernel, .folder = folder, .reader = case_kernels_read, .kernel = w->kernel};
  int result = emit_folder(folder, x->e) != 0 ? -1 : case_describe(&c, &how, &ignored, x->e);
  if (result == 0) {
    say(stderr, "cltestcheck: %s/suite.yaml has the launches of kernel %s in %s\n", folder, w->kernel,
        x->plan->tests[w->test].name);
  } else if (x->e->code == EXIT_NOTHING) { /* which is no reason to keep the others from being written */
    say(stderr, "cltestcheck: kernel %s in %s: %s\n", w->kernel, x->plan->tests[w->test].name, x->e->text);
    result = 0;
  }
  free(folder);
  free(path);
  capture_free(&c);
  return result;
}

static int emit(emission *x, db *d, const int64_t *runs, size_t count) {
  view v;
  if (load_view(d, runs, count, x->report, &v, x->e) != 0) return -1;
  want_schedules(x, &v);
  int result = want_findings(x, &v, d);
  view_free(&v);
  if (result == 0 && x->count > 0) {
    x->scratch = scratch_temporary("cltestcheck-emit", x->e);
    result = x->scratch == NULL ? -1 : emit_folder(x->directory, x->e);
  }
  for (size_t i = 0; i < x->count && result == 0; i++) result = write_case(x, &x->items[i]);
  return result;
}

int emit_cases(const settings *s, const plan *p, const target *t, db *d, const int64_t *runs, size_t count, int code) {
  error e = {0};
  capture_wish wish = planning_wish(s, "");
  wish.quiet = wish.silent = true;
  emission x = {.directory = s->cases.emit, .report = &s->report, .wish = &wish, .plan = p, .target = t, .e = &e};
  if (s->cases.emit == NULL) return code;
  const int result = emit(&x, d, runs, count);
  for (size_t i = 0; i < x.count; i++) free(x.items[i].kernel);
  free(x.items);
  scratch_close(x.scratch);
  return result == 0 ? code : say_error(&e);
}

/* A counterexample as a case. */

int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e) {
  capture c = {0};
  size_t ignored = 0;
  scoped_buffer path = buffer_with("%s/%s", folder, name);
  const case_description how = {.name = name, .folder = buffer_text(&path), .reader = case_kernels_read};
  replica_capture(r, &c);
  const int result = emit_folder(folder, e) != 0 || emit_folder(buffer_text(&path), e) != 0 ||
                             case_describe(&c, &how, &ignored, e) != 0
                         ? -1
                         : 0;
  capture_free(&c);
  return result;
}

int emit_replica(void *folder, const replica *r, const char *name, error *e) {
  const int result = emit_replica_quietly(folder, r, name, e);
  if (result == 0)
    say(stderr, "cltestcheck: %s/%s/suite.yaml has the launch of a counterexample\n", (const char *)folder, name);
  return result;
}
