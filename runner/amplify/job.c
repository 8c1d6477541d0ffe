/* One run of a test case: what its processes ask and say while it runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

enum { LIMIT_FACTOR = 10, LEAST_LIMIT = 5, SLOW_FACTOR = 3, COMPILE_LIMIT = 60, COUNTED_LAUNCHES = 2 };
#define NUMBER_NONE UINT64_MAX

/* What is kept for a connection. */
typedef struct client {
  session_client session;
  bool counted; /* `process` is valid */
  size_t process;
} client;

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

/* --- launches -------------------------------------------------------------------------------------------------------
 */

/* The number of this launch among its kernel's in this run: three words a kernel - program, kernel, launches so far. */
static uint32_t count_launch(amplify_job *j, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < j->number_count; i += 3) {
    if (j->numbers[i] == program && j->numbers[i + 1] == kernel) {
      return j->numbers[i + 2]++;
    }
  }
  *ARRAY_ADD(j->numbers, j->number_count, j->number_capacity) = program;
  *ARRAY_ADD(j->numbers, j->number_count, j->number_capacity) = kernel;
  *ARRAY_ADD(j->numbers, j->number_count, j->number_capacity) = 1;
  return 0;
}

/* Runs launch alike, so the one behind the last found comes first. */
static size_t find_launch(amplify_job *j, uint32_t program, uint32_t kernel, uint32_t number) {
  const amplify *a = j->amplify;
  for (size_t i = 0; i < a->launch_count; i++) {
    size_t at = (j->cursor + i) % a->launch_count;
    const amplify_launch *l = &a->launches[at];
    if (l->program == program && l->kernel == kernel && l->number == number) {
      j->cursor = at + 1;
      return at;
    }
  }
  return NO_LAUNCH;
}

/* What a job asks for a launch: its schedule, and what is to be sent besides. */
static schedule schedule_of(const amplify_job *j, size_t launch, uint32_t number) {
  if (j->occupancy) { /* groups wait some milliseconds to be counted: a few launches of a kernel have to do */
    return (schedule){.order = number < COUNTED_LAUNCHES ? ORDER_OCCUPANCY : ORDER_NONE};
  }
  const schedule *s = launch < j->launch_count ? j->gated[launch] : NULL;
  return s == NULL ? (schedule){0} : *s;
}

static int on_launch(amplify_job *j, wire_reader *in, buffer *answer, error *e) {
  amplify *a = j->amplify;
  uint32_t program = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  uint32_t dimensions = wire_u32(in);
  for (uint32_t d = 0; d < dimensions && d < 3; d++) {
    (void)wire_u64(in);
    (void)wire_u64(in);
  }
  uint32_t even = wire_u32(in);
  if (in->failed || program >= a->session->program_count ||
      kernel >= a->session->programs[program].result.model.kernel_count) {
    return malformed(e);
  }
  uint32_t number = count_launch(j, program, kernel);
  size_t launch = find_launch(j, program, kernel, number);
  if (launch == NO_LAUNCH && j->occupancy) {
    launch = a->launch_count;
    *ARRAY_ADD(a->launches, a->launch_count, a->launch_capacity) =
        (amplify_launch){.program = program, .kernel = kernel, .number = number, .uneven = even == 0, .skipped = ""};
  }
  schedule s = schedule_of(j, launch, number);
  uint32_t flags = launch == NO_LAUNCH
                       ? 0
                       : (launch == j->memory_of ? SCHEDULE_MEMORY : 0U) | (launch == j->watched ? SCHEDULE_WATCH : 0U);
  wire_begin(answer, MESSAGE_SCHEDULE);
  wire_put_u64(answer, launch == NO_LAUNCH ? NUMBER_NONE : launch);
  wire_put_u64(answer, schedule_pack(&s));
  wire_put_u32(answer, flags);
  wire_end(answer);
  return 0;
}

static int on_gated(amplify_job *j, wire_reader *in, error *e) {
  uint64_t number = wire_u64(in);
  uint32_t words[GATE_WORDS] = {0};
  uint32_t count = wire_u32(in);
  for (uint32_t i = 0; i < count && i < GATE_WORDS; i++) {
    words[i] = wire_u32(in);
  }
  if (in->failed) {
    return malformed(e);
  }
  if (number >= j->amplify->launch_count) {
    return 0;
  }
  amplify_launch *l = &j->amplify->launches[number];
  if (j->occupancy) {
    l->seen = true;
    l->uneven = l->uneven || words[GATE_UNEVEN] != 0;
    l->groups = words[GATE_GROUPS];
    l->local = words[GATE_LOCAL];
    l->together = words[GATE_COUNT] > l->together ? words[GATE_COUNT] : l->together;
  } else if (number < j->launch_count) {
    j->late[number] = j->late[number] || (words[GATE_GAVE_UP] & GATE_UP_ABSENT) != 0;
    j->stuck[number] = j->stuck[number] || (words[GATE_GAVE_UP] & GATE_UP_STUCK) != 0;
  }
  return 0;
}

static int on_memory(amplify_job *j, wire_reader *in, error *e) {
  (void)wire_u64(in);
  memory_image *image = ARRAY_ADD(j->images, j->image_count, j->image_capacity);
  image->argument = wire_u32(in);
  image->bytes = wire_u64(in);
  image->data = wire_string(in, &image->length);
  return in->failed ? malformed(e) : 0;
}

/* --- other messages -------------------------------------------------------------------------------------------------
 */

static void describe_read(amplify_job *j, const transcript_read *r, uint64_t number) {
  buffer text = {0};
  if (r->kernel[0] == '\0') {
    buffer_printf(&text, "read %llu of the host gives other values", (unsigned long long)number + 1);
  } else {
    buffer_printf(&text, "the host reads other values from argument %u of kernel %s (behind its launch %llu)",
                  (unsigned)r->argument, r->kernel, (unsigned long long)r->launch);
  }
  j->shown = buffer_take(&text);
}

static int on_read(amplify_job *j, const client *c, wire_reader *in, error *e) {
  const transcript_read *read = NULL;
  uint64_t number = 0;
  if (!c->counted || transcript_take(&j->seen, c->process, in, &read, &number) != 0) {
    return malformed(e);
  }
  if (j->against != NULL && j->amplify->options->oracle == ORACLE_READS && !j->differs &&
      transcript_read_differs(j->against, c->process, number, read)) {
    j->differs = true;
    describe_read(j, read, number);
  }
  return 0;
}

static const session_form forms[] = {
    [FORM_PLAIN] = SESSION_UNTOUCHED,
    [FORM_COVERAGE] = SESSION_GATED_COVERAGE,
    [FORM_BARE] = SESSION_GATED_BARE,
    [FORM_WATCH] = SESSION_GATED_WATCH,
};

static void on_hello(amplify_job *j, client *c) {
  c->process = j->processes++;
  c->counted = true;
  j->amplify->out->processes++;
}

static int on_message(void *context, void *connection, uint32_t type, const void *payload, size_t length,
                      buffer *answer, error *e) {
  amplify_job *j = context;
  client *c = connection;
  wire_reader in = {.at = payload, .left = length};
  c->session.form = forms[j->form]; /* a worker's connection serves one job after another */
  c->session.repeats = !j->occupancy;
  switch (type) {
    case MESSAGE_READ:
      return on_read(j, c, &in, e);
    case MESSAGE_LAUNCH:
      return on_launch(j, &in, answer, e);
    case MESSAGE_GATED:
      return on_gated(j, &in, e);
    case MESSAGE_MEMORY:
      return on_memory(j, &in, e);
    case MESSAGE_HELLO:
      on_hello(j, c);
      break;
    case MESSAGE_REFUSED:
      j->refused = true;
      break;
    default:
      break;
  }
  j->amplify->speaking = j;
  return session_message(j->amplify->session, &c->session, type, payload, length, answer, e);
}

void amplify_job_reached(void *context, uint32_t program, uint32_t kernel, int64_t site, uint32_t outcome) {
  amplify_job *j = ((amplify *)context)->speaking;
  if (j != NULL && !j->occupancy) {
    *ARRAY_ADD(j->reached, j->reached_count, j->reached_capacity) = (reached_outcome){program, kernel, site, outcome};
  }
}

static void on_gone(void *context, void *connection) {
  amplify_job *j = context;
  client *c = connection;
  c->session.ended = c->session.ended || j->differs; /* then it was we who ended it */
  session_client_gone(j->amplify->session, &c->session);
}

/* --- jobs -----------------------------------------------------------------------------------------------------------
 */

static double limit_of(const amplify *a) {
  double limit = a->seconds * LIMIT_FACTOR > LEAST_LIMIT ? a->seconds * LIMIT_FACTOR : LEAST_LIMIT;
  return a->options->limit > 0 ? a->options->limit : limit;
}

/* What it reached stays: it was reached. */
static void forget(pool_job *job) {
  amplify_job *j = (amplify_job *)job;
  transcript_free(&j->seen);
  for (size_t i = 0; i < j->image_count; i++) {
    free(j->images[i].data);
  }
  for (size_t i = 0; i < j->launch_count; i++) {
    j->late[i] = j->stuck[i] = false;
  }
  free(j->shown);
  j->shown = NULL;
  j->image_count = j->number_count = j->processes = j->cursor = 0;
  j->differs = j->refused = false;
}

amplify_job *amplify_job_new(amplify *a, amplify_form form) {
  const amplify_options *o = a->options;
  bool blocks = form == FORM_PLAIN || transcript_unstable(&a->plain) || transcript_unstable(&a->reference);
  amplify_job *j = mem_calloc(1, sizeof *j);
  j->amplify = a;
  j->form = form;
  j->memory_of = j->watched = NO_LAUNCH;
  j->launch_count = a->launch_count;
  j->gated = mem_calloc(a->launch_count + 1, sizeof *j->gated);
  j->late = mem_calloc(a->launch_count + 1, sizeof *j->late);
  j->stuck = mem_calloc(a->launch_count + 1, sizeof *j->stuck);
  j->job.child = (child_options){
      .argv = o->tests[a->test].argv,
      .layer = o->layer,
      .preload = o->preload,
      .device = o->device,
      .observe = o->oracle != ORACLE_READS ? NULL
                 : blocks                  ? "blocks"
                                           : "1",
  };
  /* how long the program takes is not known before it ran */
  j->job.limit = form == FORM_PLAIN ? o->limit : limit_of(a);
  j->job.handler = (server_handler){j, sizeof(client), on_message, on_gone};
  j->job.forget = forget;
  return j;
}

void amplify_job_free(amplify_job *j) {
  if (j == NULL) {
    return;
  }
  transcript_free(&j->seen);
  for (size_t i = 0; i < j->image_count; i++) {
    free(j->images[i].data);
  }
  free(j->images);
  free(j->gated);
  free(j->late);
  free(j->stuck);
  free(j->numbers);
  free(j->reached);
  free(j->shown);
  free(j);
}

void amplify_job_survey(amplify_job *j) {
  j->occupancy = true;
  j->job.limit = j->job.limit < COMPILE_LIMIT && j->form != FORM_PLAIN ? COMPILE_LIMIT : j->job.limit;
}

amplify_form amplify_gated_form(const amplify *a) { return a->options->coverage ? FORM_COVERAGE : FORM_BARE; }

void amplify_learn(transcript *known, amplify_job *j, bool first) {
  if (first) {
    *known = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(known, &j->seen);
  }
}

void amplify_job_gate(amplify_job *j, size_t launch, const schedule *s) { j->gated[launch] = s; }

void amplify_job_slow(amplify_job *j) { j->job.limit *= SLOW_FACTOR; }

void amplify_job_finish(amplify_job *j) {
  const amplify_options *o = j->amplify->options;
  /* of a replay the host does what it did, and ends as it did */
  const transcript *plain = &j->amplify->plain, *reference = &j->amplify->reference;
  j->seen.status = !j->job.replayed ? j->job.status : j->form == FORM_PLAIN ? plain->status : reference->status;
  if (o->oracle == ORACLE_OUTPUT && !j->job.stopped && !j->job.timed_out) {
    output_digest(j->job.output, (const char *const *)o->ignore, o->ignore_count, j->seen.output);
  }
}

static bool any(const bool *flags, size_t count, size_t which) {
  bool found = which < count && flags[which];
  for (size_t i = 0; i < count && which == NO_LAUNCH; i++) {
    found = found || flags[i];
  }
  return found;
}

run_outcome amplify_job_outcome(const amplify_job *j, size_t launch) {
  if (j->differs) {
    return RUN_DIFFERS;
  }
  if (j->job.timed_out || any(j->stuck, j->launch_count, launch)) {
    return RUN_DEADLOCK;
  }
  if (j->job.status > 128 && j->job.status != j->against->status) {
    return RUN_CRASH;
  }
  if (transcript_differs(j->against, &j->seen, j->amplify->options->oracle)) {
    return RUN_DIFFERS;
  }
  return any(j->late, j->launch_count, launch) ? RUN_OCCUPANCY : RUN_REFERENCE;
}

/* --- a list of jobs -------------------------------------------------------------------------------------------------
 */

typedef struct job_list {
  amplify *amplify;
  amplify_job **jobs;
  int (*ended)(amplify *, amplify_job *, error *);
} job_list;

static pool_job *job_of_list(void *context, size_t index) { return &((job_list *)context)->jobs[index]->job; }

static int ended_of_list(void *context, pool_job *job, error *e) {
  job_list *l = context;
  amplify_job *j = (amplify_job *)job;
  amplify_job_finish(j);
  l->amplify->progress.done++;
  return l->ended(l->amplify, j, e);
}

static void released_of_list(void *context, pool_job *job) {
  (void)context;
  amplify_job_free((amplify_job *)job);
}

static void tick_of_list(void *context) { amplify_tick(((job_list *)context)->amplify); }

int amplify_run_jobs(amplify *a, amplify_job **jobs, size_t count, int (*ended)(amplify *, amplify_job *, error *),
                     error *e) {
  job_list l = {a, jobs, ended};
  const pool_list list = {&l, count, job_of_list, ended_of_list, released_of_list, tick_of_list};
  return pool_run_list(a->pool, &list, a->options->jobs, &a->out->interrupted, e);
}

int amplify_run_form(amplify *a, amplify_form form, bool survey, unsigned runs,
                     int (*ended)(amplify *, amplify_job *, error *), error *e) {
  amplify_job **jobs = mem_calloc(runs + 1, sizeof *jobs);
  for (unsigned i = 0; i < runs; i++) {
    jobs[i] = amplify_job_new(a, form);
    if (survey) {
      amplify_job_survey(jobs[i]);
    }
    if (a->replay && form != FORM_PLAIN) {
      amplify_replay_job(jobs[i]);
    }
  }
  int result = amplify_run_jobs(a, jobs, runs, ended, e);
  free(jobs);
  return result;
}
