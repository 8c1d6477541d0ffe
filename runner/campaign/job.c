/* One run of a test case: what its processes say while it runs. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/launches.h"
#include "runner/campaign/races.h"
#include "runner/session/refusal.h"
#include "wire/protocol.h"

/* --- messages ----------------------------------------------------------------------------------------------------- */

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

/* The words of a program's places that this test case has reached; made if need be. */
static uint32_t *reached_words(campaign *c, size_t test, size_t program) {
  test_state *t = &c->tests[test];
  while (t->reached_count <= program) {
    (void)ARRAY_ADD(t->reached, t->reached_count, t->reached_capacity);
  }
  if (t->reached[program] == NULL) {
    t->reached[program] = mem_calloc(c->programs.list[program]->schema.flag_words, sizeof(uint32_t));
  }
  return t->reached[program];
}

/* That the user's own divisions are by zero is said of a mutant if they are not without it. */
static void take_events(campaign_job *j, uint32_t word) {
  j->events |= word & ~(uint32_t)MUTATE_DIVIDED_OWN;
  if ((word & MUTATE_DIVIDED_OWN) != 0 && j->reference != NULL) {
    const bool mutated = j->kind == JOB_MUTANT;
    j->reference->divides = j->reference->divides || !mutated;
    j->events |= mutated && !j->reference->divides ? MUTATE_DIVIDED : 0;
  }
}

static int on_evidence(campaign_job *j, wire_reader *in, error *e) {
  campaign *c = j->campaign;
  uint32_t program = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  uint64_t launches = wire_u64(in);
  (void)wire_u64(in); /* their numbers */
  (void)wire_u32(in); /* test case */
  if (j->kind == JOB_CHECKED) {
    const bool known = !in->failed && program < c->programs.count;
    return known && campaign_checked_evidence(j, program, kernel, in) == 0 ? 0 : malformed(e);
  }
  uint32_t words = wire_u32(in);
  if (in->failed || program >= c->programs.count || words != c->programs.list[program]->schema.flag_words ||
      (size_t)words * 4 != in->left) {
    return malformed(e);
  }
  c->out->launches += j->kind == JOB_REACH && !j->again ? launches : 0;
  uint32_t *reached = j->kind == JOB_REACH ? reached_words(c, j->base.test, program) : NULL;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t word = wire_u32(in);
    if (w == MUTATE_WORD_EVENTS) {
      take_events(j, word);
    } else if (reached != NULL && w == MUTATE_WORD_FUEL) {
      campaign_iterations(c, j->base.test, program, kernel, word, j->again);
    } else if (reached != NULL) {
      reached[w] |= word;
    }
  }
  return 0;
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
  const experiment_case *of = &c->base.cases[j->base.test];
  test_state *t = &c->tests[j->base.test];
  refusal r;
  int result = refusal_read(in, &r) != 0 ? malformed(e) : 0;
  if (result == 0 && j->kind == JOB_PLAIN && of->ended_well + of->failed == 0) {
    result = refusal_store(&r, c->base.db, c->base.run, e);
    if (result == 0 && r.launch && !t->refused) {
      buffer words = {0};
      refusal_words(&r, &words);
      experiment_note(&c->base, "%s: the device refuses launches without any mutant: %s",
                      c->base.options->tests[j->base.test].name, buffer_text(&words));
      buffer_free(&words);
      t->refused = true;
      c->out->refused = true;
    }
  }
  refusal_free(&r);
  return result;
}

/* The program's own kernels; of several runs the same is kept once. */
static int on_overrun(const campaign_job *j, wire_reader *in, error *e) {
  const campaign *c = j->campaign;
  overrun o = {0};
  int result = overrun_read(in, &o) != 0 ? malformed(e) : 0;
  if (result == 0 && j->kind == JOB_PLAIN) {
    result = overrun_store(&o, c->base.db, c->base.run, c->base.cases[j->base.test].row, 0, e);
  }
  overrun_free(&o);
  return result;
}

static int on_unnoticed(const campaign_job *j, wire_reader *in, error *e) {
  const campaign *c = j->campaign;
  unnoticed u = {0};
  int result = unnoticed_read(in, &u) != 0 ? malformed(e) : 0;
  if (result == 0 && j->kind == JOB_PLAIN && campaign_may_write(&c->programs, u.kernel, u.argument)) {
    result = unnoticed_store(&u, c->base.db, c->base.run, c->base.cases[j->base.test].row, e);
  }
  unnoticed_free(&u);
  return result;
}

/* Something was not checked. */
static void on_doubt(campaign_job *j) {
  if (j->look != NULL) {
    j->look->seen.unclear = true;
  }
}

/* Where a program ran as the user wrote it, the run says nothing of a mutant. */
static int on_note(campaign_job *j, wire_reader *in, error *e) {
  uint32_t program = wire_u32(in);
  if (program != NO_PROGRAM && program >= j->campaign->programs.count) {
    return malformed(e);
  }
  on_doubt(j);
  if (program != NO_PROGRAM && j->refused == NULL) {
    j->built = true;
    j->refused_program = program;
    j->refused = wire_string(in, NULL);
  }
  return 0;
}

/* Of what the program runs without us there are no mutants. */
static int on_skipped(campaign_job *j, wire_reader *in, error *e) {
  char *what = wire_string(in, NULL), *reason = wire_string(in, NULL);
  const experiment *x = j->base.experiment;
  on_doubt(j);
  const int result = db_add_skipped(x->db, x->run, what, reason, e);
  free(what);
  free(reason);
  return result;
}

static int on_message(experiment_job *job, void *client, uint32_t type, const void *payload, size_t length,
                      buffer *answer, error *e) {
  campaign_job *j = (campaign_job *)job;
  wire_reader in = {.at = payload, .left = length};
  (void)client;
  switch (type) {
    case MESSAGE_INSTRUMENT:
      return campaign_request(j, &in, answer, e);
    case MESSAGE_EVIDENCE:
      return on_evidence(j, &in, e);
    case MESSAGE_REFUSED:
      return on_refused(j, &in);
    case MESSAGE_CALL_REFUSED:
      return on_call_refused(j, &in, e);
    case MESSAGE_UNNOTICED:
      return on_unnoticed(j, &in, e);
    case MESSAGE_OVERRUN:
      return on_overrun(j, &in, e);
    case MESSAGE_NOTE:
      return on_note(j, &in, e);
    case MESSAGE_SITE:
      return campaign_site(j, &in, e);
    case MESSAGE_NEEDLESS: /* all launches are checked */
      wire_begin(answer, MESSAGE_IS_NEEDLESS);
      wire_put_u32(answer, 0);
      wire_end(answer);
      return 0;
    case MESSAGE_SKIPPED:
      return on_skipped(j, &in, e);
    case MESSAGE_REQUEST_DENIED:
      j->campaign->out->common.device_denied = true;
      j->campaign->out->common.denied_type = wire_u32(&in);
      return 0;
    default:
      return 0; /* of no interest here */
  }
}

static void on_gone(experiment_job *j, void *client) {
  (void)j;
  (void)client;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static void release(experiment_job *job) {
  campaign_job *j = (campaign_job *)job;
  free(j->refused);
  free(j->launch);
  race_look_free(j->look);
}

static void forget(experiment_job *job) {
  campaign_job *j = (campaign_job *)job;
  free(j->refused);
  j->refused = NULL;
  if (j->look != NULL) {
    race_look *again = race_look_new(j->look->at, j->look->of);
    race_look_free(j->look);
    j->look = again;
  }
  j->built = false;
  j->events = 0;
}

campaign_job *campaign_job_new(campaign *c, job_kind kind, size_t test) {
  const bool blocks = kind == JOB_PLAIN || kind == JOB_REFERENCE || transcript_unstable(&c->base.cases[test].plain);
  campaign_job *j = (campaign_job *)experiment_job_new(&c->base, test, blocks);
  j->campaign = c;
  j->kind = kind;
  j->batch = NO_BATCH;
  j->base.job.child.launch = kind == JOB_PLAIN && campaign_has_launches(c->options) ? LAUNCH_TELL : NULL;
  return j;
}

static experiment_job *plain_job(experiment *x, size_t test) {
  return &campaign_job_new((campaign *)x, JOB_PLAIN, test)->base;
}

const experiment_kind campaign_kind = {
    .without = "without any mutant",
    .most_plain = UINT_MAX,
    .client_size = sizeof(experiment_client),
    .job_size = sizeof(campaign_job),
    .progress = campaign_progressed,
    .plain = plain_job,
    .message = on_message,
    .gone = on_gone,
    .forget = forget,
    .release = release,
};

/* --- what a run says --- */

/* A replay that crashes does so though memory was lent to it; that a kernel left its buffers is certain then, where a
 * program may get away with it. */
unsigned campaign_seen(const campaign *c, const campaign_job *j) {
  const bool replayed = j->base.job.worker != 0, signalled = j->base.job.status > 128;
  const struct {
    bool holds;
    unsigned seen;
  } all[] = {
      {j->base.job.escaped && !c->tests[j->base.test].outside, MUTANT_SEEN_OUTSIDE},
      {j->base.job.timed_out || (j->events & MUTATE_ENDLESS) != 0, MUTANT_SEEN_TIMEOUT},
      {(j->events & MUTATE_DIVIDED) != 0, MUTANT_SEEN_DIVISION},
      {replayed && signalled, MUTANT_SEEN_FAULT},
      {j->base.differs, MUTANT_SEEN_READ},
      {signalled && j->base.job.status != j->base.against->status, MUTANT_SEEN_SIGNAL},
      {transcript_differs(j->base.against, &j->base.seen, c->base.options->oracle), MUTANT_SEEN_RESULT},
      {c->base.options->output && !replayed && transcript_differs(j->base.against, &j->base.seen, ORACLE_OUTPUT),
       MUTANT_SEEN_RESULT},
      {j->refused != NULL, MUTANT_SEEN_REFUSAL}, /* from then on the program ran without the mutant */
  };
  unsigned seen = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    seen |= all[i].holds ? all[i].seen : 0;
  }
  return seen;
}
