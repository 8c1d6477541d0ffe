/* One run of a test case: what its processes say while it runs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"
#include "runner/session/refusal.h"
#include "wire/protocol.h"

/* What is kept for a connection. */
typedef struct client {
  bool counted; /* `process` is valid */
  size_t process;
} client;

/* --- messages ------------------------------------------------------------------------------------------------------
 */

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

static int on_hello(campaign_job *j, client *c, wire_reader *in, error *e) {
  uint32_t version = wire_u32(in);
  (void)wire_u32(in); /* process id */
  test_state *t = &j->campaign->tests[j->test];
  if (j->kind == RUN_PLAIN && t->executable == NULL) {
    t->executable = wire_string(in, NULL);
  }
  c->process = j->processes++;
  j->campaign->out->processes++;
  c->counted = true;
  if (version != PROTOCOL_VERSION) {
    return error_set(e, EXIT_INTERNAL, "the layer speaks version %u of the protocol, not %u; install cltestcheck again",
                     (unsigned)version, PROTOCOL_VERSION);
  }
  return 0;
}

static int on_read(campaign_job *j, const client *c, wire_reader *in, error *e) {
  const transcript_read *read = NULL;
  uint64_t number = 0;
  if (!c->counted || transcript_take(&j->seen, c->process, in, &read, &number) != 0) {
    return malformed(e);
  }
  if (j->against != NULL && j->campaign->options->oracle == ORACLE_READS) {
    if (!j->differs && transcript_read_differs(j->against, c->process, number, read)) {
      j->differs = true;
      j->differed = clock_now();
    }
  }
  return 0;
}

/* The words of a program's places that this test case has reached; made if need be. */
static uint32_t *reached_words(campaign *c, size_t test, size_t program) {
  test_state *t = &c->tests[test];
  while (t->reached_count <= program) {
    (void)ARRAY_ADD(t->reached, t->reached_count, t->reached_capacity);
  }
  if (t->reached[program] == NULL) {
    t->reached[program] = mem_calloc(c->programs[program]->schema.flag_words, sizeof(uint32_t));
  }
  return t->reached[program];
}

static int on_evidence(campaign_job *j, wire_reader *in, error *e) {
  campaign *c = j->campaign;
  uint32_t program = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  uint64_t launches = wire_u64(in);
  (void)wire_u32(in); /* test case */
  uint32_t words = wire_u32(in);
  if (in->failed || program >= c->program_count || words != c->programs[program]->schema.flag_words ||
      (size_t)words * 4 != in->left) {
    return malformed(e);
  }
  c->out->launches += j->kind == RUN_REACH ? launches : 0;
  uint32_t *reached = j->kind == RUN_REACH ? reached_words(c, j->test, program) : NULL;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t word = wire_u32(in);
    if (w == MUTATE_WORD_EVENTS) {
      j->events |= word;
    } else if (reached != NULL && w == MUTATE_WORD_FUEL) {
      campaign_turns(c, j->test, program, kernel, word);
    } else if (reached != NULL) {
      reached[w] |= word;
    }
  }
  return 0;
}

static int on_times(campaign_job *j, wire_reader *in, error *e) {
  campaign *c = j->campaign;
  char *kernel = wire_string(in, NULL);
  (void)wire_u64(in);
  double seconds = (double)wire_u64(in) * 1e-9;
  for (size_t p = 0; p < c->program_count && !in->failed; p++) {
    const model *m = &c->programs[p]->schema.model;
    for (size_t k = 0; k < m->kernel_count; k++) {
      if (strcmp(m->kernels[k].name, kernel) == 0) {
        kernel_time *t = &c->programs[p]->times[k];
        *(j->kind == RUN_TIMES ? &t->plain : &t->schema) += seconds;
      }
    }
  }
  free(kernel);
  return in->failed ? malformed(e) : 0;
}

static int on_refused(campaign_job *j, wire_reader *in) {
  j->refused_program = wire_u32(in);
  free(j->refused);
  j->refused = wire_string(in, NULL);
  return 0;
}

/* What the driver refuses without any mutant; the first run of a test case says it. */
static int on_call_refused(campaign_job *j, wire_reader *in, error *e) {
  campaign *c = j->campaign;
  test_state *t = &c->tests[j->test];
  refusal r;
  int result = refusal_read(in, &r) != 0 ? malformed(e) : 0;
  if (result == 0 && j->kind == RUN_PLAIN && t->ended_well + t->failed == 0) {
    result = refusal_store(&r, c->db, c->run, e);
    if (result == 0 && r.launch && !t->refused) {
      buffer words = {0};
      refusal_words(&r, &words);
      campaign_note(c, "%s: the device refuses launches without any mutant: %s", c->options->tests[j->test].name,
                    buffer_text(&words));
      buffer_free(&words);
      t->refused = true;
      c->out->refused = true;
    }
  }
  refusal_free(&r);
  return result;
}

/* Where a program ran as the user wrote it, the run says nothing of a mutant. */
static int on_note(campaign_job *j, wire_reader *in, error *e) {
  uint32_t program = wire_u32(in);
  if (program != NO_PROGRAM && program >= j->campaign->program_count) {
    return malformed(e);
  }
  if (program != NO_PROGRAM && j->refused == NULL) {
    j->built = true;
    j->refused_program = program;
    j->refused = wire_string(in, NULL);
  }
  return 0;
}

static int on_message(void *context, void *connection, uint32_t type, const void *payload, size_t length,
                      buffer *answer, error *e) {
  campaign_job *j = context;
  wire_reader in = {.at = payload, .left = length};
  switch (type) {
    case MESSAGE_HELLO:
      return on_hello(j, connection, &in, e);
    case MESSAGE_INSTRUMENT:
      return campaign_request(j, &in, answer, e);
    case MESSAGE_READ:
      return on_read(j, connection, &in, e);
    case MESSAGE_EVIDENCE:
      return on_evidence(j, &in, e);
    case MESSAGE_TIMES:
      return on_times(j, &in, e);
    case MESSAGE_REFUSED:
      return on_refused(j, &in);
    case MESSAGE_CALL_REFUSED:
      return on_call_refused(j, &in, e);
    case MESSAGE_NOTE:
      return on_note(j, &in, e);
    case MESSAGE_REQUEST_DENIED:
      j->campaign->out->device_denied = true;
      j->campaign->out->denied_type = wire_u32(&in);
      return 0;
    default:
      return 0; /* of no interest here */
  }
}

static void on_gone(void *context, void *connection) {
  (void)context;
  (void)connection;
}

/* --- jobs ----------------------------------------------------------------------------------------------------------
 */

static void forget(pool_job *job) {
  campaign_job *j = (campaign_job *)job;
  transcript_free(&j->seen);
  free(j->refused);
  j->refused = NULL;
  j->built = false;
  j->processes = 0;
  j->events = 0;
  j->differs = false;
}

campaign_job *campaign_job_new(campaign *c, run_kind kind, size_t test) {
  const campaign_options *o = c->options;
  bool blocks = kind == RUN_PLAIN || kind == RUN_REFERENCE || transcript_unstable(&c->tests[test].plain);
  campaign_job *j = mem_calloc(1, sizeof *j);
  j->campaign = c;
  j->kind = kind;
  j->test = test;
  j->batch = NO_BATCH;
  j->job.child = (child_options){
      .argv = o->tests[test].argv,
      .layer = o->layer,
      .preload = o->preload,
      .device = o->device,
      .observe = o->oracle != ORACLE_READS ? NULL
                 : blocks                  ? "blocks"
                                           : "1",
      .times = kind == RUN_TIMES || kind == RUN_SCHEMA_TIMES,
  };
  j->job.handler = (server_handler){j, sizeof(client), on_message, on_gone};
  j->job.forget = forget;
  return j;
}

void campaign_job_free(campaign_job *j) {
  if (j == NULL) {
    return;
  }
  transcript_free(&j->seen);
  free(j->refused);
  free(j);
}

void campaign_job_finish(campaign_job *j) {
  j->seen.status = j->job.status;
  if (j->job.replayed) { /* the host does what it did, and ends as it did */
    j->seen.status = j->campaign->tests[j->test].plain.status;
    if (j->against != NULL) {
      transcript_lead(&j->seen, j->against, 0, j->job.first_read);
    }
  }
  if (j->campaign->options->oracle == ORACLE_OUTPUT && !j->job.stopped && !j->job.timed_out) {
    output_digest(j->job.output, j->campaign->options->ignore, j->campaign->options->ignore_count, j->seen.output);
  }
}

/* --- a list of jobs ------------------------------------------------------------------------------------------------
 */

typedef struct job_list {
  campaign *campaign;
  campaign_job **jobs;
  int (*ended)(campaign *, campaign_job *, error *);
} job_list;

static pool_job *job_of_list(void *context, size_t index) { return &((job_list *)context)->jobs[index]->job; }

static int ended_of_list(void *context, pool_job *job, error *e) {
  job_list *l = context;
  campaign_job *j = (campaign_job *)job;
  campaign_job_finish(j);
  l->campaign->progress.done++;
  return l->ended(l->campaign, j, e);
}

static void released_of_list(void *context, pool_job *job) {
  (void)context;
  campaign_job_free((campaign_job *)job);
}

static void tick_of_list(void *context) { campaign_tick(((job_list *)context)->campaign); }

int campaign_run_jobs(campaign *c, campaign_job **jobs, size_t count, int (*ended)(campaign *, campaign_job *, error *),
                      error *e) {
  job_list l = {c, jobs, ended};
  const pool_list list = {&l, count, job_of_list, ended_of_list, released_of_list, tick_of_list};
  return pool_run_list(c->pool, &list, c->options->jobs, &c->out->interrupted, e);
}
