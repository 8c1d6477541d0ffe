/* Surveys: runs of the program with its kernels gated, as jobs. They say what is launched, how many groups are in
 * flight, and with the gate open what schedules are compared with. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "wire/protocol.h"

enum { REFERENCE_RUNS = 3 };

/* --- launches and coverage ---------------------------------------------------------------------------------------- */

static void pass_notes_on(amplify *a) {
  const char *text = NULL;
  for (size_t i = 0; (text = session_note(a->session, i)) != NULL; i++) experiment_note(&a->base, "%s", text);
}

/* The device or its compiler does not bear our source; another exit status may be what the open gate already shows. */
static bool failed(const amplify *a, const amplify_job *j) {
  return j->base.job.timed_out || (j->base.job.status > 128 && j->base.job.status != amplify_case(a)->plain.status);
}

static int survey_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = j->base.job.worker != 0 ? !j->base.job.replayed || j->base.job.incomplete : failed(a, j);
  return 0;
}

static int survey_coverage(amplify *a, error *e) {
  return amplify_run_form(a, FORM_GATED_COVERAGE, true, 1, survey_ended, e);
}

static int forget_survey(amplify *a, error *e) {
  a->launch_count = 0;
  return session_judge(a->session, false, e);
}

/* One run in which coverage is collected. The device's compiler may bear that less well than the gate alone: then the
 * program fails as its replay does, which says nothing against replays. */
static int survey(amplify *a, error *e) {
  if (survey_coverage(a, e) != 0) return amplify_goes_on(a) ? -1 : 0;
  if (amplify_replays(a) && a->form_failed && amplify_goes_on(a)) {
    amplify_no_replay(a, "a replay of its gated kernels failed");
    if (forget_survey(a, e) != 0 || survey_coverage(a, e) != 0) return amplify_goes_on(a) ? -1 : 0;
    if (a->form_failed) experiment_happens(&a->base, a->base.begin, EVENT_REGAINED);
  }
  if (!a->form_failed || !amplify_goes_on(a)) return 0;
  experiment_note(&a->base,
                  "%s does not end as it should with coverage and a gate together; its coverage is not collected%s",
                  amplify_test_name(a), a->options->coverage ? ", so --coverage cannot be had" : "");
  return forget_survey(a, e);
}

/* Programs that were in work when the gated program ended otherwise are left as they are. Of one that only takes too
 * long nothing is held against them. */
static int leave_suspects(amplify *a, error *e) {
  scoped char *suspect = a->form_hung ? NULL : session_suspect(a->session);
  experiment_note(&a->base, "%s does not end as it should with its kernels gated and the gate open%s%s%s; %s",
                  amplify_test_name(a), suspect == NULL ? "" : " (", suspect == NULL ? "" : suspect,
                  suspect == NULL ? "" : ")", suspect == NULL ? "nothing can be said about it" : "it runs without");
  a->launch_count = 0;
  if (suspect == NULL) return session_judge(a->session, false, e);
  session_hold_back(a->session);
  return session_judge(a->session, true, e);
}

/* --- the reference ------------------------------------------------------------------------------------------------ */

static void take_reference(amplify *a, amplify_job *j) {
  experiment_learn(&a->reference, &j->base, !a->reference_known);
  a->reference_known = true;
}

static int reference_replayed(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = a->form_failed || !j->base.job.replayed || j->base.job.incomplete;
  if (!a->form_failed) {
    j->base.seen.status = amplify_case(a)->plain.status;
    take_reference(a, j);
  }
  return 0;
}

static int reference_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = a->form_failed || failed(a, j);
  a->form_hung = a->form_hung || j->base.job.timed_out;
  bool same = a->options->common.mutant != 0 ||
              j->base.job.status == amplify_case(a)->plain.status; /* a mutant may well change it */
  a->open_differs = a->open_differs || !same;
  if (!a->form_failed && same) {
    amplify_case(a)->seconds =
        j->base.job.seconds > amplify_case(a)->seconds ? j->base.job.seconds : amplify_case(a)->seconds;
    take_reference(a, j);
  }
  return 0;
}

static void forget_reference(amplify *a) {
  transcript_free(&a->reference);
  a->reference = (transcript){0};
  a->reference_known = a->form_failed = a->form_hung = a->open_differs = false;
}

/* A run that counts launches and groups in flight. The device's compiler may be at work for the first time. */
static void amplify_job_survey(amplify_job *j);

/* Replays, and the program once: it finds the programs built, if the device's compiler remembers. */
static int replay_reference(amplify *a, error *e) {
  forget_reference(a);
  const program_form form = amplify_gated_form(a);
  if (amplify_run_form(a, form, true, REFERENCE_RUNS - 1, reference_replayed, e) != 0) return -1;
  if (!a->form_failed && amplify_goes_on(a)) {
    amplify_job *j = amplify_job_new(a, form);
    amplify_job_survey(j);
    return experiment_run_jobs(&a->base, &(experiment_job *){&j->base}, 1, reference_ended, e);
  }
  return 0;
}

static int make_reference(amplify *a, error *e) {
  if (amplify_replays(a)) {
    if (replay_reference(a, e) != 0 || !amplify_goes_on(a)) return amplify_goes_on(a) ? -1 : 0;
    if (!a->form_failed && !a->open_differs && !transcript_unstable(&a->reference)) return 0;
    amplify_no_replay(a, "a replay of its gated kernels reads other values than the program");
    a->varied = true;
    if (session_judge(a->session, false, e) != 0) return -1;
  }
  forget_reference(a);
  return amplify_run_form(a, amplify_gated_form(a), true, REFERENCE_RUNS, reference_ended, e);
}

static bool is_floating(const char *type) {
  return strncmp(type, "float", 5) == 0 || strncmp(type, "double", 6) == 0 || strncmp(type, "half", 4) == 0;
}

/* Whether the memory that was read was last given to a kernel as floating-point numbers. */
static bool reads_floats(const void *context, const transcript_read *r) {
  const amplify *a = context;
  known_program p;
  for (size_t i = 0; (p = session_program_at(a->session, i)).key != NULL; i++) {
    const instrument_result *known = p.result;
    for (size_t k = 0; k < known->model.kernel_count && p.reason == NULL; k++)
      if (strcmp(known->model.kernels[k].name, r->kernel) == 0 && r->argument < known->kernels[k].parameter_count &&
          is_floating(known->kernels[k].parameters[r->argument].type))
        return true;
  }
  return false;
}

/* Gated code may be compiled otherwise than the user's own, so that a floating-point result differs in its last bits. */
static void compare_with_plain(amplify *a) {
  const transcript *plain = &amplify_case(a)->plain;
  const transcript_oracle oracle = a->options->common.oracle;
  if (!transcript_differs(plain, &a->reference, oracle)) return;
  a->varied = a->varied || a->options->common.mutant == 0;
  const bool floats = oracle == ORACLE_READS && transcript_any_difference(plain, &a->reference, reads_floats, a);
  experiment_note(
      &a->base,
      "%s shows other results once its kernels are gated, with the gate open%s: schedules are compared with those",
      amplify_test_name(a),
      a->options->common.mutant != 0 ? " and the mutant in place"
      : floats                       ? " (the device's compiler rounds otherwise)"
                                     : "");
}

/* What the program shows as it is becomes the reference. */
static void compare_with_program(amplify *a) {
  experiment_note(&a->base,
                  "%s ends otherwise already with its kernels gated and the gate open: schedules are compared with the "
                  "program as it is",
                  amplify_test_name(a));
  transcript_free(&a->reference);
  a->reference = amplify_case(a)->plain;
  amplify_case(a)->plain = (transcript){.status = a->reference.status};
}

int amplify_survey(amplify *a, error *e) {
  experiment_phase_begin(&a->base, PHASE_PREPARE, 1 + (experiment_defers_run(&a->base) ? 1 : 0) + REFERENCE_RUNS);
  if (survey(a, e) != 0 || amplify_baseline_later(a, e) != 0) return -1;
  amplify_check_stable(a);
  const bool replayed = amplify_replays(a);
  if (amplify_goes_on(a) && make_reference(a, e) != 0) return -1;
  bool hung = a->form_hung;
  if (a->form_failed && amplify_goes_on(a)) {
    if (replayed) experiment_happens(&a->base, a->base.begin, EVENT_REGAINED);
    if (leave_suspects(a, e) != 0 || (!hung && make_reference(a, e) != 0)) return -1;
  }
  pass_notes_on(a);
  if (!amplify_goes_on(a)) return 0;
  if (a->form_failed) {
    a->launch_count = 0;
    return 0;
  }
  if (a->open_differs) {
    if (amplify_check_replays(a, e) != 0 || amplify_baseline_rest(a, e) != 0 || !amplify_goes_on(a))
      return amplify_goes_on(a) ? -1 : 0;
    compare_with_program(a);
  }
  if (transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference)) return amplify_blame(a, e);
  if (a->open_differs) return 0;
  compare_with_plain(a);
  return 0;
}

/* One run of a test case: what its processes ask and say while it runs. */

enum { LIMIT_FACTOR = 10, LEAST_LIMIT = 5, SLOW_FACTOR = 3, COMPILE_LIMIT = 60, COUNTED_LAUNCHES = 2 };
enum { PLAIN_LIMIT = 600 };                  /* how long the program takes is not known before it ran */
enum { CHECK_LIMIT = 60, CHECK_FACTOR = 5 }; /* checks are compiled first, and take several times as long */
#define NUMBER_NONE UINT64_MAX

/* What is kept for a connection. */
typedef struct client {
  experiment_client base; /* first */
  session_client session;
} client;

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* The number of this launch among its kernel's in this run, or among those of one shape: four words each - program,
 * kernel, shape (0: any), launches so far. */
static uint32_t count_launch(amplify_job *j, uint32_t program, uint32_t kernel, uint32_t shape) {
  for (size_t i = 0; i < j->number_count; i += 4)
    if (j->numbers[i] == program && j->numbers[i + 1] == kernel && j->numbers[i + 2] == shape)
      return j->numbers[i + 3]++;
  const uint32_t words[] = {program, kernel, shape, 1};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    *ARRAY_ADD(j->numbers, j->number_count, j->number_capacity) = words[i];
  return 0;
}

/* Runs launch alike, so the one after the last found comes first. Threads may take other turns: of launches of one
 * kernel with the same sizes it makes no difference which is which. */
static size_t find_launch(amplify_job *j, const gated_launch *wanted) {
  const amplify *a = j->amplify;
  for (size_t i = 0; i < a->launch_count; i++) {
    size_t at = (j->cursor + i) % a->launch_count;
    const gated_launch *l = &a->launches[at];
    if (launch_same_kernel(l, wanted) && l->shape == wanted->shape && l->of_shape == wanted->of_shape) {
      j->cursor = at + 1;
      return at;
    }
  }
  return NO_LAUNCH;
}

/* What a job asks for a launch: its schedule, and what is to be sent besides. */
static schedule schedule_of(const amplify_job *j, size_t launch, uint32_t number) {
  if (j->occupancy) /* groups wait some milliseconds to be counted: a few launches of a kernel have to do */
    return (schedule){.order = number < COUNTED_LAUNCHES ? ORDER_OCCUPANCY : ORDER_NONE};
  const schedule *s = launch < j->launch_count ? j->gated[launch] : NULL;
  return s == NULL ? (schedule){0} : *s;
}

bool amplify_says_of(const amplify_job *j, size_t launch) {
  return j->gated[launch] != NULL || launch == j->memory_of || launch == j->watched;
}

void amplify_put_schedule(const amplify_job *j, size_t launch, uint32_t nth, buffer *to) {
  const bool known = launch != NO_LAUNCH;
  const schedule s = schedule_of(j, launch, nth);
  wire_put_u64(to, known ? launch : NUMBER_NONE);
  wire_put_u64(to, schedule_pack(&s));
  wire_put_u32(to, (known && launch == j->memory_of ? SCHEDULE_MEMORY : 0U) |
                       (known && launch == j->watched ? SCHEDULE_WATCH : 0U));
}

static int on_launch(amplify_job *j, wire_reader *in, buffer *answer, error *e) {
  amplify *a = j->amplify;
  uint32_t program = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  /* Not 0. */
  uint64_t digest = wire_u32(in);
  for (uint32_t d = 0, dimensions = (uint32_t)digest; d < dimensions && d < 3; d++) {
    digest = digest * UINT64_C(0x9E3779B97F4A7C15) + wire_u64(in);
    digest = digest * UINT64_C(0x9E3779B97F4A7C15) + wire_u64(in);
  }
  const uint32_t shape = (uint32_t)(digest >> 32 ^ digest) | 1;
  uint32_t even = wire_u32(in);
  const bool told = j->base.job.worker != 0 && !j->occupancy; /* the turn has said it */
  const known_program p = session_program_at(a->session, program);
  if (in->failed || told || p.key == NULL || kernel >= p.result->model.kernel_count) return malformed(e);
  const uint32_t number = count_launch(j, program, kernel, 0);
  const gated_launch now = {.program = program,
                            .kernel = kernel,
                            .number = number,
                            .shape = shape,
                            .of_shape = count_launch(j, program, kernel, shape),
                            .uneven = even == 0,
                            .skipped = ""};
  size_t launch = find_launch(j, &now);
  if (launch == NO_LAUNCH && j->occupancy) {
    launch = a->launch_count;
    *ARRAY_ADD(a->launches, a->launch_count, a->launch_capacity) = now;
  }
  wire_begin(answer, MESSAGE_SCHEDULE);
  amplify_put_schedule(j, launch, number, answer);
  wire_end(answer);
  return 0;
}

static int on_gated(amplify_job *j, wire_reader *in, error *e) {
  uint64_t number = wire_u64(in);
  uint32_t words[GATE_WORDS] = {0};
  uint32_t count = wire_u32(in);
  for (uint32_t i = 0; i < count && i < GATE_WORDS; i++) words[i] = wire_u32(in);
  if (in->failed) return malformed(e);
  if (number >= j->amplify->launch_count) return 0;
  gated_launch *l = &j->amplify->launches[number];
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
  memory_image *image = ARRAY_ADD(j->images.items, j->images.count, j->images.capacity);
  image->argument = wire_u32(in);
  (void)wire_u64(in); /* bytes of the object */
  image->data = wire_string(in, &image->length);
  image->width = wire_u64(in);
  image->height = wire_u64(in);
  image->channel = wire_u32(in);
  image->pixel = wire_u32(in);
  return in->failed ? malformed(e) : 0;
}

static bool is_checked(program_form form) { return form_rows[form].kernels == KERNEL_CHECKED; }

static session *session_of(const amplify_job *j) {
  return is_checked(j->form) ? j->amplify->checks : j->amplify->session;
}

static int on_message(experiment_job *job, void *connection, uint32_t type, const void *payload, size_t length,
                      buffer *answer, error *e) {
  amplify_job *j = (amplify_job *)job;
  client *c = connection;
  wire_reader in = {.at = payload, .left = length};
  c->session.form = j->form; /* a worker's connection serves one job after another */
  c->session.repeats = !j->occupancy;
  switch (type) {
    case MESSAGE_LAUNCH: return on_launch(j, &in, answer, e);
    case MESSAGE_GATED: return on_gated(j, &in, e);
    case MESSAGE_MEMORY: return on_memory(j, &in, e);
    default:
      j->amplify->speaking = j;
      return session_message(session_of(j), &c->session, type, payload, length, answer, e);
  }
}

void amplify_job_reached(void *context, uint32_t program, uint32_t kernel, int64_t site, uint32_t outcome) {
  amplify_job *j = ((amplify *)context)->speaking;
  if (j != NULL && !j->occupancy)
    *ARRAY_ADD(j->reached, j->reached_count, j->reached_capacity) = (reached_outcome){program, kernel, site, outcome};
}

static void on_gone(experiment_job *job, void *connection) {
  client *c = connection;
  c->session.ended = c->session.ended || job->differs; /* then it was we who ended it */
  session_client_gone(session_of((amplify_job *)job), &c->session);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static double limit_of(const amplify *a, program_form form) {
  if (form == FORM_UNTOUCHED) return a->options->common.limit > 0 ? a->options->common.limit : PLAIN_LIMIT;
  const double usual = experiment_limit(&a->base, a->base.begin, LIMIT_FACTOR, LEAST_LIMIT);
  const double limit = a->options->common.limit > 0 ? a->options->common.limit : usual;
  return is_checked(form) ? CHECK_LIMIT + CHECK_FACTOR * limit : limit;
}

static void forget_images(amplify_job *j) {
  for (size_t i = 0; i < j->images.count; i++) free(j->images.items[i].data);
  j->images.count = 0;
}

/* What it reached stays: it was reached. */
static void forget(experiment_job *job) {
  amplify_job *j = (amplify_job *)job;
  forget_images(j);
  for (size_t i = 0; i < j->launch_count; i++) j->late[i] = j->stuck[i] = false;
  j->number_count = j->cursor = 0;
}

static void release(experiment_job *job) {
  amplify_job *j = (amplify_job *)job;
  forget_images(j);
  free(j->images.items);
  free(j->gated);
  free(j->late);
  free(j->stuck);
  free(j->numbers);
  free(j->reached);
  if (j->watch != NULL) {
    (void)unlink(j->watch);
    free(j->watch);
  }
}

amplify_job *amplify_job_new(amplify *a, program_form form) {
  const transcript *plain = &amplify_case(a)->plain;
  const bool blocks = form == FORM_UNTOUCHED || transcript_unstable(plain) || transcript_unstable(&a->reference);
  amplify_job *j = (amplify_job *)experiment_job_new(&a->base, a->base.begin, blocks);
  j->amplify = a;
  j->form = form;
  j->memory_of = j->watched = NO_LAUNCH;
  j->launch_count = a->launch_count;
  j->gated = mem_calloc(a->launch_count + 1, sizeof *j->gated);
  j->late = mem_calloc(a->launch_count + 1, sizeof *j->late);
  j->stuck = mem_calloc(a->launch_count + 1, sizeof *j->stuck);
  j->base.host_status = form == FORM_UNTOUCHED ? plain->status : a->reference.status;
  j->base.job.limit = limit_of(a, form);
  return j;
}

static experiment_job *plain_job(experiment *x, size_t test) {
  (void)test; /* the one in work */
  return &amplify_job_new((amplify *)x, FORM_UNTOUCHED)->base;
}

static void amplify_job_survey(amplify_job *j) {
  j->occupancy = true;
  j->base.job.limit =
      j->base.job.limit < COMPILE_LIMIT && j->form != FORM_UNTOUCHED ? COMPILE_LIMIT : j->base.job.limit;
}

program_form amplify_gated_form(const amplify *a) { return a->options->coverage ? FORM_GATED_COVERAGE : FORM_GATED; }

void amplify_job_gate(amplify_job *j, size_t launch, const schedule *s) { j->gated[launch] = s; }

const schedule amplify_in_order = {.order = ORDER_ASCENDING, .gate = GATE_TICKET};

void amplify_job_gate_others(amplify_job *j) {
  for (size_t i = 0; i < j->launch_count && j->amplify->in_order; i++)
    j->gated[i] = j->gated[i] == NULL ? &amplify_in_order : j->gated[i];
}

void amplify_job_slow(amplify_job *j) { j->base.job.limit *= SLOW_FACTOR; }

amplify_job *amplify_job_watched(amplify *a, size_t launch, const schedule *s) {
  char path[] = "/tmp/cltestcheck-watch-XXXXXX";
  const int fd = mkstemp(path);
  if (fd < 0) return NULL;
  (void)close(fd);
  amplify_job *j = amplify_job_new(a, FORM_GATED_WATCHED);
  amplify_job_gate(j, launch, s);
  amplify_job_gate_others(j);
  j->watched = launch;
  j->watch = mem_strdup(path);
  j->base.job.child.watch = j->watch;
  amplify_job_slow(j); /* it has yet to be compiled */
  return j;
}

static bool any(const bool *flags, size_t count, size_t which) {
  bool found = which < count && flags[which];
  for (size_t i = 0; i < count && which == NO_LAUNCH; i++) found = found || flags[i];
  return found;
}

run_outcome amplify_job_outcome(const amplify_job *j, size_t launch) {
  if (j->base.differs) return RUN_DIFFERS;
  if (j->base.job.timed_out || any(j->stuck, j->launch_count, launch)) return RUN_DEADLOCK;
  if (j->base.job.status > 128 && j->base.job.status != j->base.against->status) return RUN_CRASH;
  if (transcript_differs(j->base.against, &j->base.seen, j->amplify->options->common.oracle)) return RUN_DIFFERS;
  return any(j->late, j->launch_count, launch) ? RUN_OCCUPANCY : RUN_REFERENCE;
}

int amplify_run_form(amplify *a, program_form form, bool survey, unsigned runs, experiment_ended ended, error *e) {
  scoped experiment_job **jobs = mem_calloc(runs + 1, sizeof(experiment_job *));
  for (unsigned i = 0; i < runs; i++) {
    amplify_job *j = amplify_job_new(a, form);
    if (survey) amplify_job_survey(j);
    j->base.against = form == FORM_UNTOUCHED ? &amplify_case(a)->plain : NULL;
    if (amplify_replays(a)) amplify_replay_job(j);
    jobs[i] = &j->base;
  }
  return experiment_run_jobs(&a->base, jobs, runs, ended, e);
}

enum { BASELINE_RUNS = 20 };

const experiment_kind amplify_kind = {
    .without = "without any gate",
    .tolerant = true, /* one that fails now and then may well be what is looked for */
    .once = true,
    .says_later = true, /* where there are schedules to run */
    .most_plain = BASELINE_RUNS,
    .client_size = sizeof(client),
    .job_size = sizeof(amplify_job),
    .plain = plain_job,
    .message = on_message,
    .gone = on_gone,
    .forget = forget,
    .release = release,
    .after_first = amplify_capture,
};
