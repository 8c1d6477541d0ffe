/* Jobs of a campaign: runs of a test case, and replays of its capture. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"
#include "runner/session/refusal.h"
#include "wire/protocol.h"

/* --- messages ----------------------------------------------------------------------------------------------------- */

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

/* The words of a program's places that this test case has reached; made if need be. */
static uint32_t *reached_words(campaign *c, size_t test, size_t program) {
  test_state *t = &c->tests[test];
  while (t->reached_count <= program) (void)ARRAY_ADD(t->reached, t->reached_count, t->reached_capacity);
  if (t->reached[program] == NULL)
    t->reached[program] = mem_calloc(c->programs.list[program]->schema.flag_words, sizeof(uint32_t));
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
      (size_t)words * 4 != in->left)
    return malformed(e);
  c->out->launches += j->kind == JOB_REACH && !j->again ? launches : 0;
  uint32_t *reached = j->kind == JOB_REACH ? reached_words(c, j->base.test, program) : NULL;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t word = wire_u32(in);
    if (w == MUTATE_WORD_EVENTS)
      take_events(j, word);
    else if (reached != NULL && w == MUTATE_WORD_FUEL)
      campaign_iterations(c, j->base.test, program, kernel, word, j->again);
    else if (reached != NULL)
      reached[w] |= word;
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
      scoped_buffer words = {0};
      refusal_words(&r, &words);
      experiment_note(&c->base, "%s: the device refuses launches without any mutant: %s",
                      c->base.options->tests[j->base.test].name, buffer_text(&words));
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
  if (result == 0 && j->kind == JOB_PLAIN)
    result = overrun_store(&o, c->base.db, c->base.run, c->base.cases[j->base.test].row, 0, e);
  overrun_free(&o);
  return result;
}

static int on_unnoticed(const campaign_job *j, wire_reader *in, error *e) {
  const campaign *c = j->campaign;
  unnoticed u = {0};
  int result = unnoticed_read(in, &u) != 0 ? malformed(e) : 0;
  if (result == 0 && j->kind == JOB_PLAIN && campaign_may_write(&c->programs, u.kernel, u.argument))
    result = unnoticed_store(&u, c->base.db, c->base.run, c->base.cases[j->base.test].row, e);
  unnoticed_free(&u);
  return result;
}

/* Something was not checked. */
static void on_doubt(campaign_job *j) {
  if (j->look != NULL) j->look->seen.unclear = true;
}

/* Where a program ran as the user wrote it, the run says nothing of a mutant. */
static int on_note(campaign_job *j, wire_reader *in, error *e) {
  uint32_t program = wire_u32(in);
  if (program != NO_PROGRAM && program >= j->campaign->programs.count) return malformed(e);
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
    case MESSAGE_INSTRUMENT: return campaign_request(j, &in, answer, e);
    case MESSAGE_EVIDENCE: return on_evidence(j, &in, e);
    case MESSAGE_REFUSED: return on_refused(j, &in);
    case MESSAGE_CALL_REFUSED: return on_call_refused(j, &in, e);
    case MESSAGE_UNNOTICED: return on_unnoticed(j, &in, e);
    case MESSAGE_OVERRUN: return on_overrun(j, &in, e);
    case MESSAGE_NOTE: return on_note(j, &in, e);
    case MESSAGE_SITE: return campaign_site(j, &in, e);
    case MESSAGE_NEEDLESS: /* all launches are checked */
      wire_begin(answer, MESSAGE_IS_NEEDLESS);
      wire_put_u32(answer, 0);
      wire_end(answer);
      return 0;
    case MESSAGE_SKIPPED: return on_skipped(j, &in, e);
    case MESSAGE_REQUEST_DENIED:
      j->campaign->out->common.device_denied = true;
      j->campaign->out->common.denied_type = wire_u32(&in);
      return 0;
    default: return 0; /* of no interest here */
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
  j->parts = 1;
  j->base.job.child.launch = kind == JOB_PLAIN && campaign_has_launches(c->options) ? LAUNCH_TELL : NULL;
  return j;
}

static experiment_job *plain_job(experiment *x, size_t test) {
  return &campaign_job_new((campaign *)x, JOB_PLAIN, test)->base;
}

static int read_postponed(experiment *x, unsigned *runs, error *e) {
  bool unread = false;
  if (campaign_take_postponed((campaign *)x, &unread, e) != 0) return -1;
  if (unread) ++*runs;
  return unread ? experiment_run_plain(x, 1, NULL, e) : 0;
}

const experiment_kind campaign_kind = {
    .without = "without any mutant",
    .most_plain = UINT_MAX,
    .captures_second = true,
    .after_first = read_postponed,
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
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) seen |= all[i].holds ? all[i].seen : 0;
  return seen;
}

/* Test cases that are done again without their program: captured once, and compared with what the program shows. */

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* Turns with equal setups use the same built programs. 0: the program as it is. */
static uint64_t setup_of(const campaign_job *j) {
  if (j->kind == JOB_CHECKED) {
    const uint64_t which = j->look->of == NULL ? 0 : (uint64_t)j->program << 32 | (j->mutant + 1);
    return UINT64_C(1) << 63 | (uint64_t)j->look->at << 62 | which;
  }
  if (j->reference != NULL && j->reference->form == MUTANT_LAUNCHED) return 0;
  if (j->reference != NULL) return ((uint64_t)j->reference->number + 1) << 32 | (uint32_t)(j->batch + 1);
  const uint64_t form = (uint64_t)j->campaign->form_changes * 2;
  const uint64_t reach = UINT64_C(1) << 62 | (uint64_t)j->survey << 40 | (uint64_t)j->part << 32 | (form + 1);
  return j->kind == JOB_REACH ? reach : j->kind == JOB_SCHEMA ? form + 2 : 0;
}

static void put_changed(buffer *answer, uint32_t program, const char *name, const char *twin, uint32_t number,
                        uint32_t fuel) {
  wire_put_u32(answer, program);
  wire_put_string(answer, name, strlen(name));
  wire_put_string(answer, twin, strlen(twin));
  wire_put_u32(answer, number);
  wire_put_u32(answer, fuel);
}

static void put_kernel(const campaign_job *j, uint32_t kernel, buffer *answer) {
  const campaign_program *p = j->campaign->programs.list[j->program];
  const char *name = p->schema.model.kernels[kernel].name;
  uint32_t number = j->kind == JOB_MUTANT ? p->mutants[j->mutant].mutant->number : 0;
  scoped char *twin = j->batch != NO_BATCH ? mutant_clone_name(name, number) : mem_strdup(name);
  put_changed(answer, (uint32_t)j->program, name, twin, number, campaign_fuel_of(j, kernel));
}

/* The kernels of the programs that a survey is about, as they are built for it: the others are those of other turns. */
static uint32_t put_surveyed(const campaign_job *j, buffer *answer) {
  const campaign_programs *all = &j->campaign->programs;
  uint32_t count = 0;
  for (uint32_t i = 0; j->survey > 0 && i < all->count; i++) {
    const campaign_program *p = all->list[i];
    for (uint32_t k = 0; campaign_is_about(j, i) && k < p->schema.model.kernel_count; k++) {
      const char *name = p->schema.model.kernels[k].name;
      scoped char *twin = p->cloned || p->divided ? mutant_clone_name(name, 0) : mem_strdup(name);
      if (answer != NULL) put_changed(answer, i, name, twin, 0, UINT32_MAX);
      count++;
    }
  }
  return count;
}

static void put_turn(pool_job *job, buffer *answer) {
  const campaign_job *j = (const campaign_job *)job;
  const campaign *c = j->campaign;
  const reference *r = j->kind == JOB_CHECKED ? NULL : j->reference;
  turn_change change = {.text = j->launch};
  scoped launch_range *ranges = NULL;
  if (j->launch != NULL)
    change.ranges = ranges = launch_ranges(c, j->base.test, c->programs.list[j->program], j->mutant, &change.count);
  turn_begin(answer, setup_of(j), j->base.against, replay_filling(j->base.filling), j->kind == JOB_MUTANT);
  wire_put_u32(answer, r == NULL ? put_surveyed(j, NULL) : (uint32_t)r->kernel_count);
  if (r == NULL) (void)put_surveyed(j, answer);
  for (size_t i = 0; r != NULL && i < r->kernel_count; i++) put_kernel(j, r->kernels[i], answer);
  wire_put_u32(answer, 0); /* schedules */
  turn_end(answer, j->launch == NULL ? NULL : &change);
}

void campaign_replay_job(campaign_job *j) {
  const bool blocks = case_by_blocks(j->campaign->base.cases[j->base.test].state);
  const bool changes = j->kind == JOB_MUTANT || (j->kind == JOB_CHECKED && j->look->of != NULL);
  experiment_replay_job(&j->base, (j->base.test + 1) * 2 + (blocks ? 1 : 0), put_turn);
  j->base.job.child.observe = blocks ? "blocks" : "1"; /* for all turns of the worker */
  j->base.job.variant = changes ? (uint64_t)j->program << 32 | (j->mutant + 1) : 0;
}

const char *campaign_replay_failed(const campaign_job *j) {
  return j->base.differs || j->events != 0 ? NULL : replay_failed(&j->base.job);
}

static const char varying[] = "what it reads differs from run to run";

/* Of a program that varies: where it gives the device the same both times, it is the device's memory that varies. */
static int captured_again(experiment *x, experiment_job *j, error *e) {
  const experiment_case *of = &x->cases[j->test];
  const bool same = case_is_captured(of->state) && j->job.status == of->plain.status &&
                    capture_same_work(of->capture.path, j->job.child.capture);
  (void)unlink(j->job.child.capture);
  return same || !case_is_replayed(of->state) ? 0 : experiment_lose_replays(x, j->test, varying, e);
}

/* --- whether replays show what the program shows ------------------------------------------------------------------ */

static int checked(experiment *x, experiment_job *j, error *e) {
  test_state *t = &((campaign *)x)->tests[j->test];
  if (!experiment_is_replayed(x, j->test)) return 0; /* known from another run */
  t->outside = t->outside || j->job.escaped;
  if (!j->job.replayed) {
    char why[512];
    worker_words(&j->job, why, sizeof why);
    return experiment_not_replayed(x, j->test, why, e);
  }
  transcript *first = &t->filled[j->filling];
  if (first->processes == NULL && !j->job.incomplete) {
    *first = j->seen;
    j->seen = (transcript){0};
  } else if (j->job.incomplete || transcript_differs(first, &j->seen, x->options->oracle)) {
    return case_varies(x->cases[j->test].state) ? experiment_lose_replays(x, j->test, varying, e)
                                                : experiment_not_replayed(x, j->test, "what replays read differs", e);
  }
  return 0;
}

static void forget_checks(test_state *t) {
  for (size_t i = 0; i < REPLAY_FILLINGS; i++) {
    transcript_free(&t->filled[i]);
    t->filled[i] = (transcript){0};
  }
}

bool campaign_varies(const test_state *t, const transcript *shown) {
  return transcript_unstable(shown) && !transcript_within(shown, &t->unwritten);
}

/* What differs between fillings comes from where nobody has written: it is no evidence. */
static int compare_checks(experiment *x, size_t test, transcript *filled, error *e) {
  experiment_case *of = &x->cases[test];
  test_state *t = &((campaign *)x)->tests[test];
  transcript *replays = &filled[0];
  for (size_t i = 1; i < REPLAY_FILLINGS; i++) transcript_learn(replays, &filled[i]);
  const bool unwritten = transcript_unstable(replays);
  const transcript_oracle oracle = x->options->oracle;
  if (!case_by_blocks(of->state) && (unwritten || transcript_differs(replays, &of->plain, oracle))) {
    experiment_happens(x, test, EVENT_UNCLEAR);
    return 0;
  }
  transcript_mark(&of->plain, replays);
  if (transcript_differs(&of->plain, replays, oracle))
    return experiment_not_replayed(x, test, "a replay reads other values than the program", e);
  if (unwritten && stable_reads(replays) == 0)
    return experiment_not_replayed(x, test, "all that it reads depends on memory that it has not written", e);
  t->unwritten = *replays;
  *replays = (transcript){0};
  experiment_happens(x, test, unwritten ? EVENT_UNWRITTEN : EVENT_SAME);
  return 0;
}

/* --- runs for them ------------------------------------------------------------------------------------------------ */

/* In another second, for programs that go by the time. */
static int capture_again(campaign *c, error *e) {
  const experiment_options *o = &c->options->common;
  const time_t first_ended = time(NULL);
  int result = 0;
  for (size_t t = 0; t < o->test_count && result == 0 && !experiment_stopped(&c->base); t++) {
    if (o->tests[t].capture == NULL && experiment_is_replayed(&c->base, t) && case_varies(c->base.cases[t].state)) {
      capture_file again = {0};
      clock_sleep_past(first_ended);
      capture_file_init(&again, c->base.captures, o->test_count, o->target.replay);
      experiment_job *j = c->base.kind->plain(&c->base, t);
      j->job.child.capture = again.path;
      result = experiment_run_jobs(&c->base, &j, 1, captured_again, e);
      capture_file_free(&again);
    }
  }
  return result;
}

/* Whether replays of the test case are to be looked at in this way. */
static bool is_unchecked(experiment *x, size_t test, bool blocks) {
  const case_state s = x->cases[test].state;
  return blocks ? s == CASE_UNCLEAR || s == CASE_CAPTURED_VARYING : s == CASE_CAPTURED;
}

/* Jobs of a check that wait, NULL where one has begun. A worker builds all programs of its test case, which takes longer
 * than many replays: a second one is for test cases whose runs take long. */
typedef struct check_list {
  campaign *campaign;
  experiment_job **jobs;
  size_t count;
  bool *replays; /* per test case: one of its replays runs */
} check_list;

static bool is_plain(const experiment_job *j) { return ((const campaign_job *)j)->kind == JOB_PLAIN; }

static experiment_job *next_check(void *context) {
  const double long_run = 3; /* seconds */
  check_list *l = context;
  for (size_t i = 0; i < l->count; i++) {
    experiment_job *j = l->jobs[i];
    if (j == NULL) continue;
    if (!is_plain(j) && l->replays[j->test] && l->campaign->base.cases[j->test].seconds < long_run) continue;
    l->replays[j->test] = l->replays[j->test] || !is_plain(j);
    l->jobs[i] = NULL;
    return j;
  }
  return NULL;
}

static int check_ended(void *context, experiment_job *j, error *e) {
  check_list *l = context;
  experiment *x = &l->campaign->base;
  x->progress->done++;
  if (is_plain(j)) return experiment_plain_ended(x, j, e);
  l->replays[j->test] = false;
  return checked(x, j, e);
}

/* `runs` replays of each test case that may be replayed, of which nothing but digests is known, or blocks. Where it is
 * time for the last run of the baseline, and for something beside it, that is made with them. */
static int check(campaign *c, unsigned runs, bool blocks, error *e) {
  const size_t tests = c->base.options->test_count;
  size_t count = 0;
  experiment_job **jobs = mem_calloc(tests * (runs + 1) + 1, sizeof(experiment_job *));
  const bool later =
      !c->ran_later && experiment_defers_run(&c->base) && c->base.options->jobs > 1 && time(NULL) > c->base.first_ended;
  c->ran_later = c->ran_later || later;
  for (size_t t = 0; later && t < tests; t++) jobs[count++] = c->base.kind->plain(&c->base, t);
  for (size_t i = 0; i < tests * runs; i++) {
    if (is_unchecked(&c->base, i / runs, blocks)) {
      campaign_job *j = campaign_job_new(c, JOB_CHECK, i / runs);
      campaign_replay_job(j);
      j->base.filling = i % runs < REPLAY_FILLINGS ? i % runs : 0;
      jobs[count++] = &j->base;
    }
  }
  check_list l = {c, jobs, count, mem_calloc(tests + 1, sizeof(bool))};
  int result = experiment_run(&c->base, &(experiment_source){&l, next_check, NULL, check_ended}, e);
  for (size_t i = 0; i < count; i++) experiment_job_free(jobs[i]);
  free(l.replays);
  free(jobs);
  if (later && result == 0) result = experiment_run_plain(&c->base, 0, NULL, e);
  for (size_t t = 0; t < tests && result == 0 && !experiment_stopped(&c->base); t++) {
    result = is_unchecked(&c->base, t, blocks) ? compare_checks(&c->base, t, c->tests[t].filled, e) : 0;
    forget_checks(&c->tests[t]);
  }
  return result;
}

/* Parts of what it reads may vary, as long as others tell something. */
static bool varies_inside(const transcript *plain) {
  return plain->count == 1 && !plain->unstable_count && transcript_unstable(plain) && stable_reads(plain) > 0;
}

/* Why a replay would see nothing of what the program, or who runs it, can see; NULL: it sees it. */
static const char *unseen(const experiment *x, size_t test) {
  const test_state *t = &((const campaign *)x)->tests[test];
  if (x->options->output && t->prints) return "its kernels print, and --oracle output looks at what they print";
  return t->builds && stable_reads(&x->cases[test].plain) == 0
             ? "it reads nothing back from the device that is the same in every run"
             : NULL;
}

static int choose_candidate(experiment *x, size_t test, error *e) {
  const experiment_case *of = &x->cases[test];
  if (unseen(x, test) != NULL && of->plain.count <= 1) return experiment_not_replayed(x, test, unseen(x, test), e);
  const bool varies = varies_inside(&of->plain);
  const char *why = varies ? NULL : replay_obstacle(&of->plain);
  if (why != NULL) {
    const bool several = of->plain.count > 1; /* processes */
    return several ? experiment_not_replayed(x, test, why, e) : experiment_lose_replays(x, test, why, e);
  }
  experiment_happens(x, test, varies ? EVENT_VARIES : EVENT_STEADY);
  return experiment_capture_file(x, test, e);
}

static bool is_no_candidate(const experiment *x, size_t test) { return !case_is_wanted(x->cases[test].state); }

static bool is_doubted(const experiment *x, size_t test) { return x->cases[test].doubted; }

/* Those that did something else when they were captured: a second run tells whether they vary by themselves. */
static int capture_doubted(campaign *c, error *e) {
  experiment *x = &c->base;
  if (experiment_run_plain(x, 1, is_doubted, e) != 0) return -1;
  for (size_t t = 0; t < x->options->test_count && !x->out->baseline_failed; t++) {
    if (!is_doubted(x, t)) continue;
    (void)unlink(x->cases[t].capture.path);
    experiment_happens(x, t, EVENT_LOST);
    if (choose_candidate(x, t, e) != 0) return -1;
  }
  if (x->out->baseline_failed || experiment_capture(x, e) != 0) return x->out->baseline_failed ? 0 : -1;
  return experiment_run_plain(x, 0, NULL, e);
}

/* Captures for keys alone, where test cases are not replayed: what they do on the device decides whose verdicts hold.
 */
static int record(campaign *c, error *e) {
  const experiment_options *o = &c->options->common;
  size_t count = 0;
  for (size_t t = 0; t < o->test_count && o->oracle == ORACLE_READS && o->target.capture != NULL; t++) {
    if (replay_obstacle(&c->base.cases[t].plain) == NULL) {
      if (experiment_capture_file(&c->base, t, e) != 0) return -1;
      count++;
    }
  }
  experiment_phase_begin(&c->base, PHASE_CAPTURE, count);
  return count == 0 ? 0 : experiment_capture(&c->base, e);
}

static void note_outside(const campaign *c) {
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    if (c->tests[t].outside) {
      experiment_note(&c->base,
                      "%s writes outside of its buffers without any mutant, which is a fault of its own; so writes "
                      "there are no evidence against mutants",
                      c->base.options->tests[t].name);
    }
  }
}

int campaign_capture(campaign *c, error *e) {
  if (!experiment_may_replay(&c->base)) return record(c, e);
  for (size_t t = 0; t < c->base.options->test_count; t++)
    if (choose_candidate(&c->base, t, e) != 0) return -1;
  if (experiment_defers_run(&c->base) && experiment_run_plain(&c->base, 1, is_no_candidate, e) != 0) return -1;
  if (c->out->common.baseline_failed) return 0;
  const unsigned rest = c->base.options->runs - experiment_program_runs(&c->base);
  const unsigned checks = (rest > 0 ? rest : 1) + REPLAY_FILLINGS - 1;
  experiment_phase_begin(&c->base, PHASE_CAPTURE, c->base.options->test_count * (1 + checks));
  if (experiment_capture(&c->base, e) != 0 || capture_doubted(c, e) != 0) return -1;
  if (c->out->common.baseline_failed) return 0;
  if (capture_again(c, e) != 0) return -1;
  if (check(c, checks, false, e) != 0 || check(c, checks, true, e) != 0) return -1;
  note_outside(c);
  return 0;
}
