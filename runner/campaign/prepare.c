/* What the original reaches in the form that holds mutants: the schema or, where the device cannot use that, clones. */
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

/* --- reach -------------------------------------------------------------------------------------------------------- */

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
  return 0;
}

/* A run of a kind for each test case that is replayed, or that is not. */
static int prepare_kind(campaign *c, job_kind kind, bool again, bool replays, error *e) {
  size_t count = 0;
  experiment_job **jobs = mem_calloc(c->base.options->test_count + 1, sizeof(experiment_job *));
  for (size_t test = 0; test < c->base.options->test_count && !experiment_stopped(&c->base); test++) {
    if (experiment_is_replayed(&c->base, test) == replays) {
      campaign_job *j = campaign_job_new(c, kind, test);
      j->again = again;
      jobs[count++] = &j->base;
      if (replays) {
        campaign_replay_job(j);
      }
    }
  }
  int result = experiment_run_jobs(&c->base, jobs, count, schema_ended, e);
  free(jobs);
  return result;
}

/* Whether no form is tried before a mutant needs it, as to build them all takes longer than anybody wants to wait for a
 * verdict: programs have so many mutants that each has several schemas, or so many kernels. */
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

/* Runs of the original in the form that holds mutants, one after the other: at the same time two would build the same.
 * A second replay tells which kernels wait for others. */
static int prepare_form(campaign *c, bool replays, error *e) {
  const bool tries = !replays || !too_large(&c->programs);
  return prepare_kind(c, JOB_REACH, false, replays, e) != 0 ||
                 (replays && prepare_kind(c, JOB_REACH, true, replays, e) != 0) ||
                 (tries && prepare_kind(c, JOB_SCHEMA, false, replays, e) != 0)
             ? -1
             : 0;
}

/* All of it again when a program gets another form: what was done with the first one is not whole. */
static int prepare_forms(campaign *c, bool replays, error *e) {
  for (bool again = true; again && !experiment_stopped(&c->base);) {
    if (prepare_form(c, replays, e) != 0 || clone_refused(c, &again, e) != 0) {
      return -1;
    }
  }
  return 0;
}

int campaign_prepare(campaign *c, error *e) {
  experiment_phase_begin(&c->base, PHASE_PREPARE, c->base.options->test_count * 3);
  return campaign_divide(c, e) != 0 || prepare_forms(c, true, e) != 0 || prepare_forms(c, false, e) != 0 ? -1 : 0;
}
