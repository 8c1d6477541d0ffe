/* Captures of test cases: files, turns of workers, and the state of what is known of a test case. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "runner/experiment/experiment.h"
#include "wire/protocol.h"

int run_engine_find(const char *name) {
  static const char *const names[] = {[ENGINE_AUTO] = "auto", [ENGINE_REPLAY] = "replay", [ENGINE_RERUN] = "rerun"};
  return name_number(names, sizeof names / sizeof names[0], name);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

char *captures_open(error *e) { return scratch_temporary("cltestcheck-capture", e); }

void captures_close(char *directory) { scratch_close(directory); }

void capture_file_init(capture_file *f, const char *directory, size_t test, const char *replay_program) {
  f->path = mem_printf("%s/%zu", directory, test);
  f->argv[0] = (char *)replay_program;
  f->argv[1] = f->path;
  f->argv[2] = NULL;
}

/* Another file, which is there, takes its place. */
static void capture_file_take(capture_file *f, const char *path) {
  free(f->path);
  f->path = mem_strdup(path);
  f->argv[1] = f->path;
}

void capture_file_free(capture_file *f) {
  free(f->path);
  *f = (capture_file){0};
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

void replay_job(pool_job *job, capture_file *f, uint64_t number, void (*turn)(pool_job *, buffer *)) {
  job->child.argv = f->argv;
  job->child.worker = true;
  job->child.on.preload = NULL;
  job->worker = number;
  job->turn = turn;
}

const char *replay_failed(const pool_job *job) {
  if (job->worker == 0 || job->timed_out) return NULL;
  if (job->replayed)
    return job->incomplete ? "the device refused a command that it took without a mutant or gate" : NULL;
  return job->status <= 128 ? "the replay ended early" : NULL;
}

const char *replay_obstacle(const transcript *plain) {
  if (plain->count > 1) return "more than one process uses OpenCL";
  return transcript_unstable(plain) || plain->unstable_count ? "what it reads differs from run to run" : NULL;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static void put_expected(const transcript *against, buffer *answer) {
  const transcript_process *p = against->count == 1 ? &against->processes[0] : NULL;
  wire_put_u32(answer, p == NULL ? 0 : (uint32_t)p->count);
  for (size_t i = 0; p != NULL && i < p->count; i++) {
    wire_put_u64(answer, p->reads[i].low);
    wire_put_u64(answer, p->reads[i].high);
  }
}

unsigned char replay_filling(size_t number) {
  static const unsigned char fillings[REPLAY_FILLINGS] = {
      0, 0x7f, /* a large number, whatever the type, which both additions and multiplications change */
      0xff,    /* no number, where numbers float: it stays when it is multiplied by zero */
  };
  return number < REPLAY_FILLINGS ? fillings[number] : 0;
}

void turn_begin(buffer *answer, uint64_t setup, const transcript *against, unsigned char filling, bool partial) {
  wire_begin(answer, MESSAGE_TURN);
  wire_put_u64(answer, setup);
  const bool ordered = against != NULL && (against->count == 0 || !against->processes[0].threads);
  if (!ordered || against->count > 1 || transcript_unstable(against))
    wire_put_u32(answer, NO_READS);
  else
    put_expected(against, answer);
  wire_put_u32(answer, filling);
  wire_put_u32(answer, partial ? 1 : 0);
}

void turn_end(buffer *answer, const turn_change *change) {
  const char *text = change == NULL ? "" : change->text;
  const size_t count = change == NULL ? 0 : change->count;
  wire_put_string(answer, text, strlen(text));
  wire_put_u32(answer, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    wire_put_u64(answer, change->ranges[i].first);
    wire_put_u64(answer, change->ranges[i].behind);
  }
  wire_end(answer);
}

/* Runs that are captured, and which test cases are replayed. */

bool experiment_may_replay(const experiment *x) {
  const experiment_options *o = x->options;
  return o->engine != ENGINE_RERUN && o->oracle == ORACLE_READS && o->target.capture != NULL &&
         o->target.replay != NULL && !x->never_replays;
}

void experiment_happens(experiment *x, size_t test, case_event event) {
  x->cases[test].state = case_after(x->cases[test].state, event);
}

bool experiment_is_replayed(const experiment *x, size_t test) { return case_is_replayed(x->cases[test].state); }

/* --- test cases that are not -------------------------------------------------------------------------------------- */

int experiment_say_not_replayed(experiment *x, size_t test, error *e) {
  const char *name = x->options->tests[test].name, *why = x->cases[test].no_replay;
  if (x->options->engine == ENGINE_REPLAY)
    return error_set(e, EXIT_USAGE, "--engine replay: %s cannot be replayed: %s; use --engine auto", name, why);
  experiment_note(x, "%s: every run starts the program again, as it cannot be replayed: %s", name, why);
  return 0;
}

static void lose(experiment *x, size_t test, const char *why) {
  experiment_case *c = &x->cases[test];
  experiment_happens(x, test, EVENT_LOST);
  (void)snprintf(c->no_replay, sizeof c->no_replay, "%s", why);
}

int experiment_not_replayed(experiment *x, size_t test, const char *why, error *e) {
  lose(x, test, why);
  return x->kind->says_later ? 0 : experiment_say_not_replayed(x, test, e);
}

int experiment_lose_replays(experiment *x, size_t test, const char *why, error *e) {
  lose(x, test, why);
  const bool wrong = x->options->engine == ENGINE_REPLAY && !x->kind->says_later;
  return wrong ? experiment_say_not_replayed(x, test, e) : 0;
}

/* --- captures ----------------------------------------------------------------------------------------------------- */

/* A program without OpenCL leaves no file. */
static bool is_empty(const experiment_case *c) { return c->plain.count == 0 && access(c->capture.path, F_OK) != 0; }

static int captured(experiment *x, experiment_job *j, error *e) {
  experiment_case *c = &x->cases[j->test];
  const bool failed = j->job.timed_out || j->job.status != c->plain.status;
  /* of one that varies replays will tell: what varies may be something else with another layer in its process */
  const bool same = !failed && (case_varies(c->state) || !transcript_differs(&c->plain, &j->seen, x->options->oracle));
  if (failed && x->kind->tolerant) experiment_note_failure(x, j);
  if (!failed && c->doubt != NULL) { /* it failed once, and not because it was captured */
    c->failed++;
    c->why = c->doubt;
    c->doubt = NULL;
    x->out->baseline_failed = true;
    return 0;
  }
  if (same) {
    const bool wanted = case_is_wanted(c->state), empty = is_empty(c);
    experiment_happens(x, j->test, empty ? EVENT_NOTHING : EVENT_CAPTURED);
    return wanted && empty ? experiment_lose_replays(x, j->test, "it does nothing on the device", e) : 0;
  }
  if (x->kind->captures_second && !c->doubted && c->ended_well == 1) { /* whether it always does, another run tells */
    c->doubted = true;
    c->doubt = failed ? experiment_failure(x, j) : NULL;
    return 0;
  }
  return case_is_wanted(c->state) ? experiment_not_replayed(x, j->test, "it does something else when it is captured", e)
                                  : 0;
}

int experiment_capture_file(experiment *x, size_t test, error *e) {
  if (x->captures == NULL && (x->captures = captures_open(e)) == NULL) return -1;
  capture_file_free(&x->cases[test].capture);
  const char *given = x->options->tests[test].capture;
  capture_file_init(&x->cases[test].capture, x->captures, test, x->options->target.replay);
  if (given != NULL) /* what a replay does could be captured, but for what it keeps around memory */
    capture_file_take(&x->cases[test].capture, given);
  return 0;
}

int experiment_capture(experiment *x, error *e) {
  size_t count = 0;
  scoped experiment_job **jobs = mem_calloc(x->end - x->begin + 1, sizeof(experiment_job *));
  for (size_t t = x->begin; t < x->end; t++) {
    if (case_is_captured(x->cases[t].state) || x->cases[t].state == CASE_IDLE) continue;
    if (x->cases[t].capture.path != NULL && x->options->tests[t].capture != NULL) {
      experiment_happens(x, t, EVENT_CAPTURED);
    } else if (x->cases[t].capture.path != NULL) {
      jobs[count] = x->kind->plain(x, t);
      jobs[count++]->job.child.capture = x->cases[t].capture.path;
    }
  }
  return experiment_run_jobs(x, jobs, count, captured, e);
}

/* Two tables: what holds in a state, and which state comes after it. */

enum { WANTED = 1, KEPT = 2, REPLAYED = 4, VARIES = 8, BLOCKS = 16, UNWRITTEN = 32, SHOWN = KEPT | REPLAYED };

static const unsigned char holds[CASE_STATES] = {
    [CASE_PROGRAM] = 0,
    [CASE_RECORDED] = KEPT,
    [CASE_IDLE] = 0,
    [CASE_WANTED] = WANTED,
    [CASE_WANTED_VARYING] = WANTED | VARIES,
    [CASE_CAPTURED] = SHOWN,
    [CASE_CAPTURED_VARYING] = SHOWN | VARIES | BLOCKS,
    [CASE_UNCLEAR] = SHOWN | BLOCKS,
    [CASE_REPLAYED] = SHOWN,
    [CASE_REPLAYED_BLOCKS] = SHOWN | BLOCKS,
    [CASE_REPLAYED_UNWRITTEN] = SHOWN | BLOCKS | UNWRITTEN,
    [CASE_REPLAYED_VARYING] = SHOWN | VARIES | BLOCKS,
    [CASE_REPLAYED_VARYING_UNWRITTEN] = SHOWN | VARIES | BLOCKS | UNWRITTEN,
};

static const struct {
  case_state from;
  case_event event;
  case_state to;
} steps[] = {
    {CASE_PROGRAM, EVENT_STEADY, CASE_WANTED},
    {CASE_PROGRAM, EVENT_VARIES, CASE_WANTED_VARYING},
    {CASE_PROGRAM, EVENT_CAPTURED, CASE_RECORDED}, /* for what is known of it alone */
    {CASE_PROGRAM, EVENT_NOTHING, CASE_IDLE},
    {CASE_RECORDED, EVENT_REGAINED, CASE_CAPTURED},
    {CASE_WANTED, EVENT_CAPTURED, CASE_CAPTURED},
    {CASE_WANTED, EVENT_NOTHING, CASE_IDLE},
    {CASE_WANTED, EVENT_LOST, CASE_PROGRAM},
    {CASE_WANTED_VARYING, EVENT_CAPTURED, CASE_CAPTURED_VARYING},
    {CASE_WANTED_VARYING, EVENT_NOTHING, CASE_IDLE},
    {CASE_WANTED_VARYING, EVENT_LOST, CASE_PROGRAM},
    {CASE_CAPTURED, EVENT_UNCLEAR, CASE_UNCLEAR},
    {CASE_CAPTURED, EVENT_SAME, CASE_REPLAYED},
    {CASE_CAPTURED, EVENT_LOST, CASE_RECORDED},
    {CASE_CAPTURED_VARYING, EVENT_SAME, CASE_REPLAYED_VARYING},
    {CASE_CAPTURED_VARYING, EVENT_UNWRITTEN, CASE_REPLAYED_VARYING_UNWRITTEN},
    {CASE_CAPTURED_VARYING, EVENT_LOST, CASE_RECORDED},
    {CASE_UNCLEAR, EVENT_SAME, CASE_REPLAYED_BLOCKS},
    {CASE_UNCLEAR, EVENT_UNWRITTEN, CASE_REPLAYED_UNWRITTEN},
    {CASE_UNCLEAR, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_BLOCKS, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_UNWRITTEN, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_VARYING, EVENT_LOST, CASE_RECORDED},
    {CASE_REPLAYED_VARYING_UNWRITTEN, EVENT_LOST, CASE_RECORDED},
};

case_state case_after(case_state s, case_event event) {
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
    if (steps[i].from == s && steps[i].event == event) return steps[i].to;
  return s;
}

bool case_is_wanted(case_state s) { return (holds[s] & WANTED) != 0; }
bool case_is_captured(case_state s) { return (holds[s] & KEPT) != 0; }
bool case_is_replayed(case_state s) { return (holds[s] & REPLAYED) != 0; }
bool case_varies(case_state s) { return (holds[s] & VARIES) != 0; }
bool case_by_blocks(case_state s) { return (holds[s] & BLOCKS) != 0; }
bool case_reads_unwritten(case_state s) { return (holds[s] & UNWRITTEN) != 0; }
