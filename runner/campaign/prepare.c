/* What the original reaches, how long its kernels take and how long they take in the form that holds mutants: the
 * schema or, where the device cannot use that, clones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"

/* --- programs whose schema cannot be used ------------------------------------------------------------------------- */

/* Leaves a program out of the campaign, with its reason. Takes over `reason`. */
static int leave_out(experiment *x, campaign_program *p, char *reason, error *e) {
  p->reason = reason;
  return db_add_skipped(x->db, x->run, p->name, p->reason, e);
}

static char *reason_of(const campaign_options *o, const campaign_program *p, const campaign_job *j) {
  const char *form = p->cloned ? "with its clones" : "with its schema";
  const char *test = o->common.tests[j->base.test].name;
  char words[4096];
  buffer reason = {0};
  if (j->refused != NULL) {
    const char *line = strstr(j->refused, "error:");
    buffer_printf(&reason, "the device refused its %s: %.300s", p->cloned ? "clones" : "schema",
                  line == NULL ? j->refused : line);
  } else if (j->base.job.worker != 0) {
    worker_words(&j->base.job, words, sizeof words);
    buffer_printf(&reason, "%s a replay of %s ends otherwise: %s", form, test, words);
  } else {
    failure_words(&j->base.job, test, form, words, sizeof words);
    const char *last = strrchr(words, '\n');
    const size_t first = strcspn(words, "\n");
    buffer_printf(&reason, "%.*s%s%s", (int)first, words, last == NULL ? "" : " ", last == NULL ? "" : last + 1);
  }
  return buffer_take(&reason);
}

/* Whether there are programs whose schema is still in use. */
static bool may_clone(const campaign_programs *all) {
  for (size_t i = 0; i < all->count; i++) {
    const campaign_program *p = all->list[i];
    if (p->reason == NULL && !p->cloned && p->schema.mutant_count > 0) {
      return true;
    }
  }
  return false;
}

/* Of all others a refusal says nothing; another end of the test case may be any program's doing: no clones are to
 * blame while there are schemas. */
static int refuse(campaign *c, const campaign_job *j, error *e) {
  const bool clones_too = j->refused != NULL || !may_clone(&c->programs);
  int result = 0;
  for (size_t i = 0; i < c->programs.count && result == 0; i++) {
    campaign_program *p = c->programs.list[i];
    const bool meant = j->refused == NULL || j->refused_program == i;
    if (!meant || p->reason != NULL || p->schema.mutant_count == 0) {
      continue;
    }
    if (p->cloned && clones_too) {
      result = leave_out(&c->base, p, reason_of(c->options, p, j), e);
    } else if (p->refused == NULL) {
      p->refused = reason_of(c->options, p, j);
    }
  }
  return result;
}

/* Programs that were refused are clones from now on; `*any` tells whether there are any. */
static int clone_refused(campaign *c, bool *any, error *e) {
  int result = 0;
  *any = false;
  for (size_t i = 0; i < c->programs.count && result == 0; i++) {
    campaign_program *p = c->programs.list[i];
    if (p->refused != NULL && !p->cloned) {
      *any = true;
      experiment_note(&c->base, "%s: its mutants are built as clones, which takes longer: %s", p->name, p->refused);
      result = campaign_clone_program(c, p, e);
    }
  }
  c->form_changes += *any ? 1 : 0;
  return result;
}

/* --- reach, times ------------------------------------------------------------------------------------------------- */

/* A replay that ends otherwise with the schemas says little: the program has to show it. */
static int schema_not_replayed(experiment *x, const campaign_job *j, error *e) {
  char words[512], why[600];
  worker_words(&j->base.job, words, sizeof words);
  (void)snprintf(why, sizeof why, "with the sources that hold the mutants: %s", words);
  return experiment_is_replayed(x, j->base.test) ? experiment_not_replayed(x, j->base.test, why, e) : 0;
}

/* A form that is refused costs its own program; one that changes how the test ends may be any. A replay that crashes is
 * tried with clones, as the device's compiler may be what crashed. */
static int schema_ended(experiment *x, experiment_job *job, error *e) {
  campaign *c = (campaign *)x;
  campaign_job *j = (campaign_job *)job;
  const bool replayed = j->base.job.worker != 0;
  if (replayed && j->refused == NULL && (j->base.job.status != 0 || replay_failed(&j->base.job) != NULL)) {
    return j->base.job.status > 128 && may_clone(&c->programs) ? refuse(c, j, e) : schema_not_replayed(&c->base, j, e);
  }
  if (j->refused != NULL || j->base.job.timed_out ||
      (!replayed && j->base.job.status != c->base.cases[j->base.test].plain.status)) {
    return refuse(c, j, e);
  }
  test_state *t = &c->tests[j->base.test];
  const bool first = (j->kind == JOB_REACH && !j->again) || (j->kind == JOB_SCHEMA && !t->built);
  t->built = t->built || j->kind == JOB_SCHEMA;
  if (!j->again) {
    *(first ? &c->pace.first_seconds : &c->pace.second_seconds) += j->base.job.seconds;
  }
  if (!first && j->kind != JOB_REACH) {
    t->schema_seconds = j->base.job.seconds;
  }
  return 0;
}

static int nothing_ended(experiment *x, experiment_job *j, error *e) {
  (void)x;
  (void)j;
  (void)e;
  return 0;
}

/* What building a kernel costs: the first run of the schemas against the second. */
static void set_build_cost(campaign *c) {
  size_t kernels = 0;
  for (size_t p = 0; p < c->programs.count; p++) {
    kernels += c->programs.list[p]->schema.model.kernel_count;
  }
  double cost = kernels == 0 ? 0 : (c->pace.first_seconds - 2 * c->pace.second_seconds) / (2 * (double)kernels);
  c->pace.build_seconds = cost < 0.05 ? 0.05 : cost;
}

static bool replayed(const campaign *c, size_t test) { return experiment_is_replayed(&c->base, test); }
static bool not_replayed(const campaign *c, size_t test) { return !replayed(c, test); }

/* Which kernel it is that takes longer in the form that holds mutants matters only where that is more, in all runs of a
 * mutant, than building one. */
static bool slow_replays(const campaign *c, size_t test) {
  const test_state *t = &c->tests[test];
  return replayed(c, test) && (t->schema_seconds - t->replay_seconds) * c->base.options->runs > c->pace.build_seconds;
}

/* A run of a kind for each test case that is wanted. */
static int prepare_kind(campaign *c, job_kind kind, bool again, bool (*wanted)(const campaign *, size_t),
                        experiment_ended ended, error *e) {
  size_t count = 0;
  experiment_job **jobs = mem_calloc(c->base.options->test_count + 1, sizeof(experiment_job *));
  for (size_t test = 0; test < c->base.options->test_count && !experiment_stopped(&c->base); test++) {
    if (wanted(c, test)) {
      campaign_job *j = campaign_job_new(c, kind, test);
      j->again = again;
      jobs[count++] = &j->base;
      if (replayed(c, test) && (kind == JOB_REACH || kind == JOB_SCHEMA)) {
        campaign_replay_job(j);
      }
    }
  }
  int result = experiment_run_jobs(&c->base, jobs, count, ended, e);
  free(jobs);
  return result;
}

/* Runs of these kinds, one after the other: at the same time two would build the same. */
static int prepare(campaign *c, const job_kind *kinds, size_t kind_count, bool (*wanted)(const campaign *, size_t),
                   experiment_ended ended, error *e) {
  int result = 0;
  for (size_t i = 0; i < kind_count && result == 0; i++) {
    result = prepare_kind(c, kinds[i], kinds[i] == JOB_REACH && i > 0, wanted, ended, e);
  }
  return result;
}

/* Whether what kernels cost in the form that holds mutants is not looked at, as to build them all takes longer than
 * anybody wants to wait for a verdict: programs have so many mutants that each has several schemas, or so many kernels. */
static bool too_large(const campaign_programs *among) {
  enum { MOST_KERNELS = 12 };
  bool all = true;
  size_t kernels = 0;
  for (size_t i = 0; i < among->count; i++) {
    const campaign_program *p = among->list[i];
    const bool mutates = p->reason == NULL && p->schema.mutant_count > 0;
    all = all && (p->divided || !mutates);
    kernels += mutates ? p->schema.model.kernel_count : 0;
  }
  return all || kernels > MOST_KERNELS;
}

/* Runs of the original in the form that holds mutants. Each finds built what the one before has built. */
static int prepare_form(campaign *c, bool replays, error *e) {
  static const job_kind replay_kinds[] = {JOB_REACH, JOB_REACH, JOB_SCHEMA, JOB_SCHEMA};
  static const job_kind run_kinds[] = {JOB_REACH, JOB_SCHEMA, JOB_SCHEMA_TIMES};
  if (replays) {
    const size_t kinds = sizeof replay_kinds / sizeof replay_kinds[0];
    return prepare(c, replay_kinds, too_large(&c->programs) ? kinds / 2 : kinds, replayed, schema_ended, e);
  }
  int result = 0;
  for (size_t i = 0; i < sizeof run_kinds / sizeof run_kinds[0] && result == 0; i++) {
    result = prepare(c, &run_kinds[i], 1, not_replayed, schema_ended, e);
  }
  return result;
}

/* All of it again when a program gets another form: what was done with the first one is not whole. */
static int prepare_forms(campaign *c, bool replays, error *e) {
  const double first_seconds = c->pace.first_seconds, second_seconds = c->pace.second_seconds;
  for (bool again = true; again && !experiment_stopped(&c->base);) {
    if (prepare_form(c, replays, e) != 0 || clone_refused(c, &again, e) != 0) {
      return -1;
    }
    for (size_t t = 0; t < c->base.options->test_count && again; t++) {
      c->tests[t].built = c->tests[t].built && replayed(c, t) != replays;
      c->pace.first_seconds = first_seconds;
      c->pace.second_seconds = second_seconds;
    }
  }
  return 0;
}

int campaign_prepare(campaign *c, error *e) {
  static const job_kind times[] = {JOB_SCHEMA_TIMES, JOB_TIMES};
  experiment_phase_begin(&c->base, PHASE_PREPARE, c->base.options->test_count * 5);
  if (campaign_divide(c, e) != 0 || prepare_forms(c, true, e) != 0 || prepare_forms(c, false, e) != 0) {
    return -1;
  }
  set_build_cost(c);
  return prepare(c, &times[1], 1, not_replayed, nothing_ended, e) != 0
             ? -1
             : prepare(c, times, 2, slow_replays, nothing_ended, e);
}
