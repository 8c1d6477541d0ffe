/* Experiments: their beginning and end, baselines, jobs, and what is said meanwhile. */
#include "runner/experiment/experiment.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/experiment/run_words.h"
#include "wire/protocol.h"

/* Which of what replays decided the program decides once more, and what comes of it. */

bool experiment_draws(const experiment *x, const uint32_t *parts, size_t count) {
  uint32_t draw = (uint32_t)x->options->seed;
  for (size_t i = 0; i < count; i++) {
    draw = (draw ^ parts[i]) * 2654435761u;
    draw ^= draw >> 15;
  }
  return (double)draw < x->options->recheck / 100 * UINT32_MAX;
}

void experiment_recheck(const experiment *x, const char *what, long long id, const char *replayed, const char *rerun) {
  x->out->verified++;
  if (strcmp(replayed, rerun) != 0) {
    x->out->contradicted++;
    experiment_note(x, "%s %lld: %s by replay, %s by runs of the program, which count", what, id, replayed, rerun);
  }
}

void experiment_say_rechecked(const experiment *x, const char *prefix, size_t count, const char *what) {
  if (count > 0 && !x->out->interrupted && x->out->contradicted == 0) {
    experiment_note(x, "%sreplays and runs of the program agree on all %zu %s that were run with both", prefix, count,
                    what);
  }
}

/* One run of a test case: its messages become a transcript, which is compared while it comes. */

/* --- messages ----------------------------------------------------------------------------------------------------- */

static int on_hello(experiment_job *j, experiment_client *c, const void *payload, size_t length, error *e) {
  wire_reader in = {.at = payload, .left = length};
  const uint32_t version = wire_u32(&in);
  experiment_case *of = &j->experiment->cases[j->test];
  (void)wire_u32(&in); /* process id */
  if (of->executable == NULL && j->job.worker == 0) of->executable = wire_string(&in, NULL);
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
  if (!c->counted) return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  if (transcript_take(&j->seen, c->process, &in, &read, &number, e) != 0) return -1;
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
  if (type == MESSAGE_READ) return on_read(j, client, payload, length, e);
  if (type == MESSAGE_HELLO && on_hello(j, client, payload, length, e) != 0) return -1;
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
      .on = o->target,
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
  if (j->job.replayed && j->against != NULL) transcript_lead(&j->seen, j->against, 0, j->job.first_read);
  if ((o->output || o->oracle == ORACLE_OUTPUT) && j->job.worker == 0 && !j->job.stopped && !j->job.timed_out)
    output_digest(j->job.output, o->ignore.items, o->ignore.count, j->seen.output);
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
  if (!((running *)context)->kept) experiment_job_free((experiment_job *)job);
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
  while (l.next < count) experiment_job_free(jobs[l.next++]);
  return result;
}

int experiment_run_single(experiment *x, experiment_job *j, error *e) {
  job_list l = {x, &j, 1, 0, NULL};
  return run(&(running){x, &(experiment_source){&l, next_of_list, NULL, ended_of_list}, true}, 1, e);
}

enum { COMMIT_SECONDS = 1 };

typedef struct experiment_notes {
  char **items;
  size_t count, capacity;
} experiment_notes;

void experiment_open(experiment *x) {
  const experiment_options *o = x->options;
  x->committed = clock_now();
  x->pool = pool_open(o->jobs, o->target.devices, o->target.device_count);
  x->deadline = o->max_time > 0 ? clock_now() + o->max_time : 0;
  pool_set_deadline(x->pool, x->deadline);
  x->cases = mem_calloc(o->test_count + 1, sizeof *x->cases);
  x->end = o->test_count;
  x->notes = mem_calloc(1, sizeof *x->notes);
}

void experiment_forget_case(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  transcript_free(&c->plain);
  transcript_free(&c->failing);
  free(c->why);
  free(c->doubt);
  capture_file_free(&c->capture);
  free(c->executable);
  *c = (experiment_case){.row = c->row};
}

int experiment_close(experiment *x, int result, error *e) {
  error ignored;
  pool_close(x->pool);
  for (size_t t = 0; t < x->options->test_count; t++) experiment_forget_case(x, t);
  free(x->cases);
  captures_close(x->captures);
  mem_free_all(x->notes->items, x->notes->count);
  free(x->notes);
  const int committed = db_commit(x->db, result == 0 ? e : &ignored);
  return result == 0 ? committed : result;
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

static bool is_said(experiment_notes *notes, const char *text) {
  const bool said = name_number((const char *const *)notes->items, notes->count, text) >= 0;
  if (!said) *ARRAY_ADD(notes->items, notes->count, notes->capacity) = mem_strdup(text);
  return said;
}

void listener_note(const experiment_listener *l, const char *format, va_list arguments) {
  scoped_buffer text = {0};
  buffer_vprintf(&text, format, arguments);
  l->note(l->context, buffer_text(&text));
}

void experiment_note(const experiment *x, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!x->kind->once || !is_said(x->notes, text)) x->listener->note(x->listener->context, text);
}

void experiment_phase_begin(experiment *x, experiment_phase phase, size_t total) {
  x->phase_started = clock_now();
  x->progress->phase = phase;
  x->progress->test = x->begin;
  x->progress->done = 0;
  x->progress->total = total;
  experiment_tick(x);
}

int experiment_begin_test_case(db *d, int64_t run, const experiment_test *test, int64_t *row, error *e) {
  if (db_begin_test_case(d, run, test->suite, test->name, test->line, row, e) != 0) return -1;
  return test->word == NULL ? 0 : db_set_word(d, *row, test->word, e);
}

void experiment_tick(experiment *x) {
  experiment_progress *p = x->progress;
  const double now = clock_now();
  p->seconds = now - x->phase_started;
  p->remaining = p->done == 0 || p->total < p->done ? -1 : p->seconds / (double)p->done * (double)(p->total - p->done);
  if (x->kind->progress != NULL) x->kind->progress(x);
  x->listener->progress(x->listener->context, p);
  if (now - x->committed > COMMIT_SECONDS && !x->failed) {
    x->failed = db_commit(x->db, &x->failure) != 0;
    x->committed = now;
  }
}

/* --- time --------------------------------------------------------------------------------------------------------- */

double experiment_limit(const experiment *x, size_t test, double factor, double least) {
  const double limit = x->cases[test].seconds * factor;
  return limit > least ? limit : least;
}

bool experiment_stopped(const experiment *x) {
  x->out->out_of_time = x->out->out_of_time || pool_is_late(x->pool);
  return x->out->interrupted || pool_is_late(x->pool);
}

/* The program as it is, several times. */

enum { PROGRAM_RUNS = 3, FAILURES_LOOKED_AT = 3 };

static const char *name_of(const experiment *x, size_t test) { return x->options->tests[test].name; }

unsigned experiment_plain_runs(const experiment *x) {
  return x->options->runs < x->kind->most_plain ? x->options->runs : x->kind->most_plain;
}

unsigned experiment_program_runs(const experiment *x) {
  const unsigned runs = experiment_plain_runs(x);
  return experiment_may_replay(x) && runs > PROGRAM_RUNS ? PROGRAM_RUNS : runs;
}

/* Two runs show before a capture what always varies. */
bool experiment_defers_run(const experiment *x) {
  return experiment_may_replay(x) && experiment_program_runs(x) == PROGRAM_RUNS;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

void experiment_note_failure(const experiment *x, const experiment_job *j) {
  experiment_note(x, "%s %s in some runs %s (%s %d)", name_of(x, j->test),
                  x->cases[j->test].fails ? "ends otherwise" : "fails", x->kind->without,
                  j->job.timed_out ? "it hangs; status" : "exit status", j->job.status);
}

/* A crash may be the very fault that is looked for: what the program shows until then is kept. */
static void keep_failing(experiment_case *c, experiment_job *j) {
  c->mixed = c->mixed || j->job.timed_out || (c->failed > 0 && c->failing.status != j->job.status);
  c->alone = (c->alone || c->failed == 0) && !j->job.left_running;
  experiment_learn(&c->failing, j, c->failed == 0);
}

char *experiment_failure(const experiment *x, const experiment_job *j) {
  char why[sizeof x->out->why], without[80];
  (void)snprintf(without, sizeof without, "%s%s", x->kind->without,
                 j->job.timed_out ? "; --timeout gives it more" : "");
  failure_words(&j->job, name_of(x, j->test), without, why, sizeof why);
  return mem_strdup(why);
}

static void take_failure(experiment *x, experiment_job *j) {
  experiment_case *c = &x->cases[j->test];
  const bool first = c->ended_well == 0;
  scoped char *why = experiment_failure(x, j);
  if (first) keep_failing(c, j);
  c->failed++;
  c->hung = c->hung || j->job.timed_out;
  c->seconds = j->job.seconds > c->seconds ? j->job.seconds : c->seconds;
  if (x->kind->tolerant && !first) {
    experiment_note_failure(x, j);
    return;
  }
  if (c->why == NULL) c->why = mem_strdup(why);
  if (x->kind->tolerant || !x->out->baseline_failed) (void)snprintf(x->out->why, sizeof x->out->why, "%s", c->why);
  x->out->baseline_failed = true;
}

static bool ended_as_it_does(const experiment_case *c, const pool_job *job) {
  return !job->timed_out && job->status == (c->fails ? c->plain.status : 0);
}

int experiment_plain_ended(experiment *x, experiment_job *j, error *e) {
  (void)e;
  experiment_case *c = &x->cases[j->test];
  x->out->status = j->job.status > x->out->status ? j->job.status : x->out->status;
  if (!ended_as_it_does(c, &j->job)) {
    take_failure(x, j);
    return 0;
  }
  c->alone = (c->alone || c->ended_well == 0) && !j->job.left_running;
  experiment_learn(&c->plain, j, c->ended_well == 0);
  c->ended_well++;
  c->seconds = j->job.seconds > c->seconds ? j->job.seconds : c->seconds;
  return 0;
}

static int run_plain(experiment *x, unsigned runs, bool (*wanted)(const experiment *, size_t), error *e) {
  const size_t cases = x->end - x->begin;
  scoped experiment_job **jobs = mem_calloc(cases * runs + 1, sizeof(experiment_job *));
  size_t count = 0;
  for (size_t i = 0; i < cases * runs; i++) {
    const size_t test = x->begin + i % cases;
    if (wanted == NULL || wanted(x, test)) jobs[count++] = x->kind->plain(x, test);
  }
  return experiment_run_jobs(x, jobs, count, experiment_plain_ended, e);
}

/* --- programs that fail ------------------------------------------------------------------------------------------- */

static void say_now_and_then(experiment *x, size_t test) {
  const experiment_case *c = &x->cases[test];
  const unsigned runs = c->failed + c->ended_well, failed = c->fails ? c->ended_well : c->failed;
  if (x->kind->tolerant) {
    experiment_note(x, "%s\n%s does so now and then (%u of %u runs so far); those that end well are looked at", c->why,
                    name_of(x, test), failed, runs);
    return;
  }
  (void)snprintf(x->out->why, sizeof x->out->why,
                 "%s\n%s does so now and then (%u of %u runs): make it end alike every time, else nobody can tell "
                 "which mutant is at fault. Verdicts so far are kept",
                 c->why, name_of(x, test), failed, runs);
}

/* It fails in each run, and alike: that is what other runs are compared with. */
static void take_failing(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  char next[1024];
  c->plain = c->failing;
  c->failing = (transcript){0};
  c->ended_well = c->failed;
  c->failed = 0;
  c->fails = true;
  x->out->failing++;
  experiment_note(x, "%s\n%s ends so in each of %u runs: what it does until then is what others are compared with",
                  c->why, name_of(x, test), c->ended_well);
  const experiment_test *t = &x->options->tests[test];
  crash_advice(c->plain.status, t->suite[0] == '\0' && t->capture == NULL ? t->line : "", false, next, sizeof next);
  if (next[0] != '\0') experiment_note(x, "%s", next);
}

/* Whether the program can be looked at although runs of it have failed. */
static bool settle(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  if (c->failed == 0) return true;
  if (c->ended_well > 0) {
    say_now_and_then(x, test);
    return x->kind->tolerant;
  }
  if (c->failed < FAILURES_LOOKED_AT || c->hung || c->mixed) {
    (void)snprintf(
        x->out->why, sizeof x->out->why, "%s%s%s%s", c->why, c->mixed && !c->hung ? "\n" : "",
        c->mixed && !c->hung ? name_of(x, test) : "",
        c->mixed && !c->hung ? " does not end alike in each run, so that nothing can be compared with it" : "");
    return false;
  }
  take_failing(x, test);
  return true;
}

/* A program that fails is run again: whether it always does or now and then, a person wants to know; where that is
 * tolerated, until it ends well. One that hangs is not: that would take as long again. */
static int look_at_failures(experiment *x, error *e) {
  bool fine = true;
  if (!x->out->baseline_failed) return 0;
  for (size_t t = x->begin; t < x->end && !experiment_stopped(x); t++) {
    const experiment_case *c = &x->cases[t];
    while (c->failed > 0 && !c->hung && c->failed + c->ended_well < FAILURES_LOOKED_AT && !experiment_stopped(x) &&
           !(x->kind->tolerant && c->ended_well > 0)) {
      experiment_job *again = x->kind->plain(x, t);
      if (experiment_run_jobs(x, &again, 1, experiment_plain_ended, e) != 0) return -1;
    }
    fine = !experiment_stopped(x) && settle(x, t) && fine;
  }
  x->out->baseline_failed = !fine;
  return 0;
}

int experiment_run_plain(experiment *x, unsigned runs, bool (*wanted)(const experiment *, size_t), error *e) {
  return run_plain(x, runs, wanted, e) != 0 ? -1 : look_at_failures(x, e);
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

int experiment_baseline(experiment *x, error *e) {
  const unsigned runs = experiment_program_runs(x), later = experiment_defers_run(x) ? 1 : 0;
  experiment_phase_begin(x, PHASE_BASELINE, (x->end - x->begin) * (runs - later));
  if (run_plain(x, 1, NULL, e) != 0) return -1;
  x->first_ended = time(NULL);
  if (look_at_failures(x, e) != 0) return -1;
  if (x->out->baseline_failed || experiment_stopped(x)) return 0;
  if (runs > 1 && later == 0) clock_sleep_past(x->first_ended);
  unsigned made = 1;
  if (x->kind->after_first != NULL && x->kind->after_first(x, &made, e) != 0) return -1;
  made += x->kind->captures_second && later > 0 ? 1 : 0;
  if (made + later >= runs || experiment_stopped(x)) return 0;
  return experiment_run_plain(x, runs - later - made, NULL, e);
}

int experiment_baseline_later(experiment *x, error *e) {
  clock_sleep_past(x->first_ended);
  return experiment_run_plain(x, 1, NULL, e);
}
