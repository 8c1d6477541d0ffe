/* Experiments as functions: the replay of a capture is the test case, and a table says which experiment. */
#include "runner/amplify/trial.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "runner/amplify/amplify.h"
#include "runner/build/forms.h"
#include "runner/experiment/run_words.h"
#include "runner/measure/measure.h"

typedef struct trying trying;

struct trial_kind {
  const char *name; /* of the command that a person would give */
  bool any_reads;   /* reads that differ are no failure: races make them differ */
  int (*run)(const trying *t, db *d, int64_t run, trial_result *out, error *e);
  const measure_look *const *look; /* of one that measures; NULL: none */
  bool all, alone;   /* measure_options.look_all, look_alone; of `amplify`: no group goes before all others */
  program_form form; /* of what measures */
  bool launches;     /* each launch is a test case */
};

struct trying {
  const trial_kind *kind;
  const trial_options *asked;
  experiment_options options;
};

/* --- experiments -------------------------------------------------------------------------------------------------- */

static void ignore_progress(void *context, const experiment_progress *p) { (void)context, (void)p; }

static void ignore_note(void *context, const char *text) { (void)context, (void)text; }

static const experiment_listener nobody = {NULL, ignore_progress, ignore_note};

static int look_at(const trying *t, db *d, int64_t run, view *v, trial_result *out, error *e) {
  if (db_commit(d, e) != 0 || db_load(d, &run, 1, v, e) != 0) return -1;
  out->benign = has_benign(v, &t->options.kernels);
  if (t->asked->look != NULL) t->asked->look(t->asked->context, v);
  return 0;
}

static int run_measure(const trying *t, db *d, int64_t run, trial_result *out, error *e) {
  const measure_options options = {.common = t->options,
                                   .look = t->kind->look == NULL ? NULL : *t->kind->look,
                                   .form = t->kind->form,
                                   .look_all = t->kind->all,
                                   .look_alone = t->kind->alone,
                                   .strict = t->asked->strict,
                                   .silent = true};
  measure_outcome outcome;
  view v;
  if (measure_run(d, run, &options, &nobody, &outcome, e) != 0 || look_at(t, d, run, &v, out, e) != 0) return -1;
  out->code = measure_judge(&options, &outcome, &v, &nobody);
  out->launches = outcome.looked_at > 0 ? outcome.looked_at : outcome.observed ? 1 : 0;
  view_free(&v);
  return 0;
}

static int run_amplify(const trying *t, db *d, int64_t run, trial_result *out, error *e) {
  amplify_options options = {.common = t->options};
  amplify_outcome outcome = {0};
  view v;
  amplify_usual_orders(&options.plan);
  options.plan.orders[ORDER_FIRST] = !t->kind->alone;
  options.common.max_time = t->options.limit;
  options.common.limit = 0; /* of a run: by what the launches take as they are */
  if (amplify_run(d, run, &options, &nobody, &outcome, e) != 0) {
    out->code = e->code;
    return e->code == 130 ? -1 : 0;
  }
  if (look_at(t, d, run, &v, out, e) != 0) return -1;
  out->code = amplify_judge(&options, &outcome, &v, 0, false);
  view_free(&v);
  return 0;
}

const trial_kind trial_coverage = {"coverage", false, run_measure, NULL, false, false, FORM_COVERAGE, false};
static const measure_look *const races = &look_for_races;
static const measure_look *const faults = &look_for_all_faults;
const trial_kind trial_races = {"races", true, run_measure, &races, false, false, FORM_COVERAGE, false};
const trial_kind trial_watched = {"races", true, run_measure, &races, true, false, FORM_COVERAGE, false};
const trial_kind trial_accesses = {"races", true, run_measure, &races, true, true, FORM_COVERAGE, false};
const trial_kind trial_memory = {"memory", true, run_measure, &faults, false, true, FORM_BOUNDS, false};
const trial_kind trial_launches = {"coverage", true, run_measure, NULL, false, false, FORM_COVERAGE, true};
const trial_kind trial_amplify = {"amplify", true, run_amplify, NULL, false, false, FORM_COVERAGE, false};
const trial_kind trial_orders = {"amplify", true, run_amplify, NULL, false, true, FORM_COVERAGE, false};

/* --- a trial ------------------------------------------------------------------------------------------------------ */

int trial_includes_begin(trial_includes *i, error *e) {
  const char *before = getenv(ENV_INCLUDES);
  i->before = before == NULL ? NULL : mem_strdup(before);
  i->folder = scratch_temporary("cltestcheck-includes", e);
  return i->folder != NULL && setenv(ENV_INCLUDES, i->folder, 1) == 0 ? 0 : -1;
}

void trial_includes_end(trial_includes *i) {
  if (i->before != NULL)
    (void)setenv(ENV_INCLUDES, i->before, 1);
  else
    (void)unsetenv(ENV_INCLUDES);
  free(i->before);
  scratch_close(i->folder);
}

static int run(const trying *t, const char *database, trial_result *out, error *e) {
  db *d = NULL;
  int64_t id = 0;
  int result =
      db_open(&d, database, DB_WRITE, e) != 0 || db_begin_run(d, t->kind->name, CLTC_VERSION, &id, e) != 0 ? -1 : 0;
  result = result == 0 ? t->kind->run(t, d, id, out, e) : -1;
  db_close(d);
  (void)unlink(database);
  return result;
}

int trial_run(const trial_kind *kind, const trial_options *o, const char *path, trial_result *out, error *e) {
  char *argv[] = {o->base->target.replay,
                  (char *)path,
                  kind->any_reads ? "--reads" : NULL,
                  "any",
                  kind->launches ? "--tests" : NULL,
                  "launches",
                  NULL};
  const experiment_test test = {.suite = "", .name = "launches", .line = "", .argv = argv};
  trying t = {.kind = kind, .asked = o, .options = *o->base};
  buffer database = {0};
  trial_includes i = {0};
  *out = (trial_result){.code = EXIT_INTERNAL};
  t.options.tests = &test;
  t.options.test_count = 1;
  t.options.kernels = o->kernels;
  t.options.limit = o->limit;
  t.options.processor = o->processor;
  buffer_printf(&database, "%s/trial.db", o->folder);
  int result = trial_includes_begin(&i, e) == 0 ? run(&t, buffer_text(&database), out, e) : -1;
  if (result == 0 && out->code == 130) result = error_set(e, 130, "interrupted");
  trial_includes_end(&i);
  buffer_free(&database);
  return result;
}
