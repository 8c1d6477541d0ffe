/* One run of a test case: its messages become a transcript, which is compared while it comes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/experiment/experiment.h"
#include "runner/experiment/run_words.h"
#include "wire/protocol.h"

/* --- messages ----------------------------------------------------------------------------------------------------- */

static int on_hello(experiment_job *j, experiment_client *c, const void *payload, size_t length, error *e) {
  wire_reader in = {.at = payload, .left = length};
  const uint32_t version = wire_u32(&in);
  experiment_case *of = &j->experiment->cases[j->test];
  (void)wire_u32(&in); /* process id */
  if (of->executable == NULL && j->job.worker == 0) {
    of->executable = wire_string(&in, NULL);
  }
  c->process = j->processes++;
  c->counted = true;
  j->experiment->out->processes++;
  if (version != PROTOCOL_VERSION) {
    return error_set(e, EXIT_INTERNAL, "the layer speaks version %u of the protocol, not %u; install cltestcheck again",
                     (unsigned)version, PROTOCOL_VERSION);
  }
  return 0;
}

static differing_read *keep_read(const transcript_read *r, uint64_t number, bool threads) {
  const size_t length = strlen(r->kernel) + 1;
  differing_read *kept = mem_calloc(1, sizeof *kept + length);
  kept->number = threads ? 0 : number + 1;
  kept->argument = r->argument;
  kept->launch = r->launch;
  memcpy(kept->kernel, r->kernel, length);
  return kept;
}

static int on_read(experiment_job *j, const experiment_client *c, const void *payload, size_t length, error *e) {
  wire_reader in = {.at = payload, .left = length};
  const transcript_read *read = NULL;
  uint64_t number = 0;
  if (!c->counted) {
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  }
  if (transcript_take(&j->seen, c->process, &in, &read, &number, e) != 0) {
    return -1;
  }
  if (j->against != NULL && j->experiment->options->oracle == ORACLE_READS && !j->differs &&
      transcript_read_differs(j->against, &j->seen, c->process, number, read)) {
    j->differs = true;
    j->differed = clock_now();
    j->shown = keep_read(read, number, j->seen.processes[c->process].threads);
  }
  return 0;
}

static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  experiment_job *j = context;
  if (type == MESSAGE_READ) {
    return on_read(j, client, payload, length, e);
  }
  if (type == MESSAGE_HELLO && on_hello(j, client, payload, length, e) != 0) {
    return -1;
  }
  return j->experiment->kind->message(j, client, type, payload, length, answer, e);
}

static void on_gone(void *context, void *client) {
  experiment_job *j = context;
  j->experiment->kind->gone(j, client);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static void forget_seen(experiment_job *j) {
  transcript_free(&j->seen);
  free(j->shown);
  j->shown = NULL;
  j->processes = 0;
  j->differs = false;
}

static void forget(pool_job *job) {
  experiment_job *j = (experiment_job *)job;
  forget_seen(j);
  j->experiment->kind->forget(j);
}

experiment_job *experiment_job_new(experiment *x, size_t test, bool blocks) {
  const experiment_options *o = x->options;
  experiment_job *j = mem_calloc(1, x->kind->job_size);
  j->experiment = x;
  j->test = test;
  j->job.child = (child_options){
      .argv = o->tests[test].argv,
      .layer = o->layer,
      .preload = o->preload,
      .device = o->device,
      .observe = o->oracle != ORACLE_READS ? NULL
                 : blocks                  ? "blocks"
                                           : "1",
  };
  j->job.lingers = !x->cases[test].alone;
  j->host_status = x->cases[test].plain.status;
  j->job.handler = (server_handler){j, x->kind->client_size, on_message, on_gone};
  j->job.forget = forget;
  return j;
}

void experiment_job_free(experiment_job *j) {
  if (j != NULL) {
    j->experiment->kind->release(j);
    forget_seen(j);
    free(j);
  }
}

void experiment_replay_job(experiment_job *j, uint64_t number, void (*turn)(pool_job *, buffer *)) {
  assert(number > 0 && j->experiment->cases[j->test].capture.path != NULL);
  replay_job(&j->job, &j->experiment->cases[j->test].capture, number, turn);
}

/* After its end: status and output go into its transcript. */
static void finish(experiment_job *j) {
  const experiment_options *o = j->experiment->options;
  j->seen.status = j->job.replayed ? j->host_status : j->job.status;
  if (j->job.replayed && j->against != NULL) {
    transcript_lead(&j->seen, j->against, 0, j->job.first_read);
  }
  if ((o->output || o->oracle == ORACLE_OUTPUT) && j->job.worker == 0 && !j->job.stopped && !j->job.timed_out) {
    output_digest(j->job.output, (const char *const *)o->ignore, o->ignore_count, j->seen.output);
  }
}

void experiment_learn(transcript *known, experiment_job *j, bool first) {
  if (first) {
    *known = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(known, &j->seen);
  }
}

/* --- many jobs ---------------------------------------------------------------------------------------------------- */

typedef struct running {
  experiment *experiment;
  const experiment_source *source;
  bool kept; /* jobs stay the caller's */
} running;

static pool_job *next(void *context) {
  const experiment_source *s = ((running *)context)->source;
  experiment_job *j = s->next(s->context);
  return j == NULL ? NULL : &j->job;
}

static bool enough(void *context, const pool_job *job) {
  const experiment_source *s = ((running *)context)->source;
  return s->enough != NULL && s->enough((const experiment_job *)job);
}

/* What failed while no job had ended ends it, too. */
static int judge(const experiment *x, int result, error *e) {
  if (result == 0 && x->failed) {
    *e = x->failure;
    return -1;
  }
  return result;
}

static int on_ended(void *context, pool_job *job, error *e) {
  const running *r = context;
  experiment_job *j = (experiment_job *)job;
  finish(j);
  return judge(r->experiment, r->source->ended(r->source->context, j, e), e);
}

static void released(void *context, pool_job *job) {
  if (!((running *)context)->kept) {
    experiment_job_free((experiment_job *)job);
  }
}

static void tick(void *context) { experiment_tick(((running *)context)->experiment); }

static int run(running *r, unsigned width, error *e) {
  experiment *x = r->experiment;
  const pool_source source = {r, next, enough, on_ended, released, tick};
  return judge(x, pool_run(x->pool, &source, width, &x->out->interrupted, e), e);
}

int experiment_run(experiment *x, const experiment_source *source, error *e) {
  return run(&(running){x, source, false}, x->options->jobs, e);
}

/* --- a list of jobs ----------------------------------------------------------------------------------------------- */

typedef struct job_list {
  experiment *experiment;
  experiment_job **jobs;
  size_t count, next;
  experiment_ended ended; /* NULL: nothing is to be done */
} job_list;

static experiment_job *next_of_list(void *context) {
  job_list *l = context;
  return l->next < l->count ? l->jobs[l->next++] : NULL;
}

static int ended_of_list(void *context, experiment_job *j, error *e) {
  const job_list *l = context;
  l->experiment->progress->done++;
  return l->ended == NULL ? 0 : l->ended(l->experiment, j, e);
}

int experiment_run_jobs(experiment *x, experiment_job **jobs, size_t count, experiment_ended ended, error *e) {
  job_list l = {x, jobs, count, 0, ended};
  const int result = experiment_run(x, &(experiment_source){&l, next_of_list, NULL, ended_of_list}, e);
  while (l.next < count) {
    experiment_job_free(jobs[l.next++]);
  }
  return result;
}

int experiment_run_single(experiment *x, experiment_job *j, error *e) {
  job_list l = {x, &j, 1, 0, NULL};
  return run(&(running){x, &(experiment_source){&l, next_of_list, NULL, ended_of_list}, true}, 1, e);
}
