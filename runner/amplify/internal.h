/* The parts of schedule amplification. */
#ifndef CLTC_RUNNER_AMPLIFY_INTERNAL_H
#define CLTC_RUNNER_AMPLIFY_INTERNAL_H

#include "detectors/gates/record.h"
#include "instrument/instrument.h"
#include "runner/amplify/amplify.h"
#include "runner/experiment/experiment.h"
#include "runner/session/session.h"

/* A kernel whose launches in a test case are all proved. */
typedef struct proved {
  char *kernel;
  uint64_t launches; /* that the capture has */
  char *words;       /* "proved: one result (proof 12)"; NULL: they are not all proved */
  int64_t proof;     /* one of those that say so */
} proved;

typedef struct proved_list {
  proved *items;
  size_t count, capacity;
} proved_list;

#define NO_LAUNCH SIZE_MAX

struct amplify_job;

typedef struct amplify {
  experiment base; /* first; its test case in work is `begin` */
  const amplify_options *options;
  amplify_outcome *out;
  session *session;
  session *checks; /* for runs of checked forms: whether accesses race */
  /* of the test case in work: */
  transcript reference; /* gated, with the gate open */
  transcript serial;    /* one group after another, while that is looked at */
  bool reference_known, serial_known;
  bool in_order;      /* results vary with the order: the reference has one group after another in every launch, and so
                          have all launches that a run is not about */
  bool serial_failed; /* the last of these runs, with fresh memory filled */
  bool serial_told;   /* those that count ended as the reference does */
  bool form_failed;   /* with the gate open, the program did not end as it does without */
  bool open_differs;  /* with the gate open, it had another exit status */
  bool form_hung;     /* as it took too long */
  bool varied;        /* runs or replays in no particular order gave different results */
  const char *unchecked; /* why the accesses could not be checked; NULL: they were, or need not be */
  bool check_late;       /* that is for want of time */
  proved_list proved;    /* kernels whose launches need no schedules */
  unsigned plain_left;   /* runs of the baseline that are still to be done */
  gated_launch *launches;
  size_t launch_count, launch_capacity;
  struct amplify_job *speaking; /* whose message is being taken */
  size_t unstable_count;        /* outputs that vary, while they are named */
  /* over all: */
  amplify_progress progress;
  size_t tests_left;
  double whole_deadline; /* with what is kept for checking accesses; 0: none */
} amplify;

/* The test case in work; whether it is replayed. */
experiment_case *amplify_case(const amplify *a);
bool amplify_replays(const amplify *a);

/* An outcome that no run before had reached. */
typedef struct reached_outcome {
  uint32_t program, kernel; /* that reached it */
  int64_t site;
  uint32_t outcome;
} reached_outcome;

/* One run of the test case in work. */
typedef struct amplify_job {
  experiment_job base; /* first */
  amplify *amplify;
  program_form form;
  bool occupancy; /* every launch counts the groups in flight */
  /* Which launches are gated, and how: `gated[i]` for launches[i]; NULL: none. */
  const schedule **gated;
  bool *late;  /* launches[i]: the gate gave up as the device has not the room */
  bool *stuck; /* launches[i]: the gate gave up on a group that did not end */
  size_t launch_count;
  size_t memory_of; /* launch whose memory is wanted, NO_LAUNCH: none */
  memory_images images;
  size_t watched;    /* launch that is watched, NO_LAUNCH: none; */
  char *watch;       /* into this file, which goes with the job unless somebody takes it */
  uint32_t *numbers; /* launches so far, by program, kernel and shape: see survey.c */
  size_t number_count, number_capacity;
  size_t cursor; /* launch after the one that was found last */
  reached_outcome *reached;
  size_t reached_count, reached_capacity;
  /* for whoever made it: */
  size_t group, schedule_index;
} amplify_job;

bool amplify_goes_on(const amplify *a);

/* survey.c */
extern const experiment_kind amplify_kind;
extern const schedule amplify_in_order; /* one group after another, as they are numbered */
/* Takes note of what a session reached first. */
void amplify_job_reached(void *context, uint32_t program, uint32_t kernel, int64_t site, uint32_t outcome);
amplify_job *amplify_job_new(amplify *a, program_form form);
/* Gates a launch in this run; the schedule is lent. */
void amplify_job_gate(amplify_job *j, size_t launch, const schedule *s);
/* A run that shows, if it hangs, which groups of a launch never ended, and where. NULL: there is no file for that. */
amplify_job *amplify_job_watched(amplify *a, size_t launch, const schedule *s);
/* Whether there is something to say of a launch in this run. */
bool amplify_says_of(const amplify_job *j, size_t launch);
/* The fields of MESSAGE_SCHEDULE for a launch, or NO_LAUNCH; `nth`: of its kernel's. */
void amplify_put_schedule(const amplify_job *j, size_t launch, uint32_t nth, buffer *to);
/* Gates all launches that have no schedule yet as in the reference; to be called when the others are gated. */
void amplify_job_gate_others(amplify_job *j);
/* Gives the run more time. */
void amplify_job_slow(amplify_job *j);
/* How the run went, compared with `against`: for launch `launch`, or (NO_LAUNCH) for all together. */
run_outcome amplify_job_outcome(const amplify_job *j, size_t launch);
/* So many runs of one form, by replays where the test case is replayed; FORM_UNTOUCHED: compared with the program as it is.
 * `survey`: amplify_job_survey. */
int amplify_run_form(amplify *a, program_form form, bool survey, unsigned runs, experiment_ended ended, error *e);
/* The form that schedules are run with. */
program_form amplify_gated_form(const amplify *a);

int amplify_baseline_later(amplify *a, error *e);
int amplify_check_replays(amplify *a, error *e);
int amplify_baseline_rest(amplify *a, error *e);
/* Says what varies in a transcript. `ordered`: although groups ran one after another, so it is no evidence. */
int amplify_name_unstable(amplify *a, const transcript *t, bool ordered, error *e);
/* explain.c */
/* The program varies: what of that also does with one group after another is not for the order of the groups. The rest
 * is evidence like all else. */
int amplify_blame(amplify *a, error *e);
/* survey.c: its launches, and the reference. */
int amplify_survey(amplify *a, error *e);
/* trials.c */
/* Captures a run of the test case, if it may be replayed and its first run is known. */
int amplify_capture(experiment *x, unsigned *runs, error *e);
/* The test case is not replayed any more. */
void amplify_no_replay(amplify *a, const char *why);
/* The same, if it varies. */
void amplify_check_stable(amplify *a);
/* Says that it is not replayed, if that is so and not what was wanted. */
int amplify_say_engine(amplify *a, error *e);
/* So many replays of the program as it is; where one differs, the test case is not replayed any more. */
int amplify_check_plain(amplify *a, unsigned runs, error *e);
/* Makes the job a turn of a worker. */
void amplify_replay_job(amplify_job *j);
/* The same for a run of a checked form, by a worker of its own for each round. */
void amplify_replay_checked(amplify_job *j, unsigned round);
/* trials.c */
int amplify_trials(amplify *a, error *e);
/* trials.c: a share of what replays have run, once more with the program; what differs is noted, and the program's runs
 * count. */
int amplify_verify(amplify *a, error *e);
/* explain.c: whether races are of the order, if there are any; where they are not, their trials are made again. */
int amplify_doubt(amplify *a, error *e);
/* Stores what a trial has so far. */
int amplify_store_trial(amplify *a, const gated_launch *l, trial *t, error *e);
/* explain.c: whether the accesses of kernels race whose results depend on the order, or vary. */
int amplify_check(amplify *a, error *e);
/* explain.c: findings, why a launch differs or hangs. */
int amplify_explain(amplify *a, error *e);

/* Of the test case in work. */
static inline const char *amplify_test_name(const amplify *a) { return a->options->common.tests[a->base.begin].name; }

#endif
