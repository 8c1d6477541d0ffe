/* What all experiments share: many runs of test cases, each as it is or with its programs changed, that are compared
 * with what the program shows as it is.
 *
 * An experiment embeds `experiment` and its jobs embed `experiment_job`, both as the first member. It says in an
 * experiment_kind how its jobs differ, and runs its phases in its own order:
 *
 *   baseline       the program as it is, several times: what it reads, how long it takes, what varies by itself
 *   capture        a run of each test case is captured; replays of it stand for runs of the program where they show the
 *                  same; whether they do is for the experiment to check
 *   its own runs   jobs for the pool, whose transcripts (transcript.h) are compared with a reference's while they come
 *   verification   some of what replays decided, with the whole program */
#ifndef CLTC_RUNNER_EXPERIMENT_EXPERIMENT_H
#define CLTC_RUNNER_EXPERIMENT_EXPERIMENT_H

#include <time.h>

#include "db/db.h"
#include "runner/experiment/options.h"

typedef struct experiment experiment;
typedef struct experiment_job experiment_job;

typedef struct experiment_kind {
  const char *without;  /* "without any mutant": in sentences about the program as it is */
  bool tolerant;        /* a program that fails now and then is looked at all the same; else it ends the experiment */
  bool once;            /* notes with the same words are said once */
  bool says_later;      /* that a test case is not replayed: experiment_say_not_replayed */
  unsigned most_plain;  /* runs of the baseline, at most */
  bool captures_second; /* the run that is captured is the second of the original, where one is made later */
  size_t client_size;   /* of what is kept for a connection; begins with experiment_client */
  size_t job_size;      /* begins with experiment_job */
  /* Before progress is told; NULL: nothing. */
  void (*progress)(experiment *x);
  /* A run of the program as it is. */
  experiment_job *(*plain)(experiment *x, size_t test);
  /* All messages but MESSAGE_READ. */
  int (*message)(experiment_job *j, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                 error *e);
  void (*gone)(experiment_job *j, void *client);
  /* Forgets what messages have said, before the job is run anew; releases what the kind has added to a job. */
  void (*forget)(experiment_job *j);
  void (*release)(experiment_job *j);
  /* After the first run of the baseline; how many more of its runs that has made goes to `*runs`. NULL: nothing. */
  int (*after_first)(experiment *x, unsigned *runs, error *e);
} experiment_kind;

typedef struct experiment_case {
  int64_t row;
  case_state state;
  char no_replay[512]; /* why it is not replayed, "" if nothing is against it */
  transcript plain;
  double seconds;              /* slowest run of the program as it is */
  unsigned ended_well, failed; /* such runs: that ended as the program does, and otherwise */
  bool fails;                  /* the program fails, alike in each run: with plain.status, which counts as well then */
  bool hung;                   /* one of them did not end in time */
  bool mixed;                  /* those that failed did not end alike */
  transcript failing;          /* what they show, while none has ended well */
  char *why;                   /* how the first of them failed, in words; NULL: none has */
  capture_file capture;
  char *executable; /* path of its (first) process; NULL: not known */
  bool alone;       /* its first runs left nothing running that used OpenCL: it is not looked for any more */
  bool doubted;     /* when it was captured it did something else than in its first run */
  char *doubt;      /* how it failed then, in words; NULL: it did not */
} experiment_case;

struct experiment {
  const experiment_kind *kind;
  const experiment_options *options;
  const experiment_listener *listener;
  experiment_outcome *out;
  experiment_progress *progress;
  db *db;
  int64_t run;
  pool *pool;
  experiment_case *cases; /* one per test of the options */
  size_t begin, end;      /* those in work */
  bool never_replays;     /* whatever the options say */
  char *captures;         /* folder of captures; NULL: there is none */
  time_t first_ended;     /* when the first runs of the baseline had ended */
  double deadline;        /* of all of it (clock_now), 0: none */
  double phase_started, committed;
  struct experiment_notes *notes; /* that were said, where they are said once */
  bool failed;                    /* with `failure`: it ends */
  error failure;
};

/* What is kept for a connection. */
typedef struct experiment_client {
  bool counted; /* `process` is valid */
  size_t process;
} experiment_client;

/* A read of the host that gave other values than the run that a job is compared with. */
typedef struct differing_read {
  uint64_t number;   /* which read of the host, from 1; 0: several threads read, and numbers tell nothing */
  uint32_t argument; /* of the kernel that wrote the memory last */
  uint64_t launch;   /* of that kernel */
  char kernel[];     /* "": none did */
} differing_read;

/* One run of a test case. */
struct experiment_job {
  pool_job job; /* first: the pool hands it back */
  experiment *experiment;
  size_t test;
  const transcript *against; /* what it is compared with while it runs; NULL: nothing */
  int host_status;           /* of a replay, in which the host does what it did and ends as it did */
  size_t filling;            /* of a replay: number of what lies around its buffers */
  transcript seen;
  size_t processes;
  bool differs;          /* known before the end, */
  double differed;       /* since when; */
  differing_read *shown; /* the first read that does; NULL: none */
};

/* `x` is zeroed but for kind, options, listener, out, progress, db and run. */
void experiment_open(experiment *x);
/* What is found is committed. `result`: 0, or -1 with `e` set, which stays. */
int experiment_close(experiment *x, int result, error *e);
/* Forgets the runs of a test case. */
void experiment_forget_case(experiment *x, size_t test);
void experiment_note(const experiment *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void experiment_phase_begin(experiment *x, experiment_phase phase, size_t total);
/* The row of a test case of the plan. */
int experiment_begin_test_case(db *d, int64_t run, const experiment_test *test, int64_t *row, error *e);
/* For progress and commits, often. */
void experiment_tick(experiment *x);
/* Seconds that a run may take: so many times what the slowest run took of the program as it is, and at least `least`. */
double experiment_limit(const experiment *x, size_t test, double factor, double least);
/* Whether the user has interrupted it or its time is over: no phase goes on, and none begins. */
bool experiment_stopped(const experiment *x);

/* A zeroed job of the kind's size, for a run of the program; `blocks`: reads come with digests of their blocks. */
experiment_job *experiment_job_new(experiment *x, size_t test, bool blocks);
void experiment_job_free(experiment_job *j); /* NULL is fine */
/* Makes the job a turn of a worker; those with different numbers (from 1) need workers of their own. */
void experiment_replay_job(experiment_job *j, uint64_t number, void (*turn)(pool_job *, buffer *));
/* Makes its transcript `known`, or (if that is known) marks what varies in that. */
void experiment_learn(transcript *known, experiment_job *j, bool first);

typedef struct experiment_source {
  void *context;
  /* The next job to start; NULL: none at the moment (pool_source). */
  experiment_job *(*next)(void *context);
  bool (*enough)(const experiment_job *j); /* as pool_source has it; NULL: never */
  int (*ended)(void *context, experiment_job *j, error *e);
} experiment_source;
/* Runs jobs until there are no more (pool_run), as many at a time as the options say, and frees them. */
int experiment_run(experiment *x, const experiment_source *source, error *e);

typedef int (*experiment_ended)(experiment *x, experiment_job *j, error *e);
/* Runs a fixed list of jobs, `ended` for each, and frees them. */
int experiment_run_jobs(experiment *x, experiment_job **jobs, size_t count, experiment_ended ended, error *e);
/* One run, whose job stays the caller's. */
int experiment_run_single(experiment *x, experiment_job *j, error *e);

/* How many of the baseline's runs start the program, at least: where test cases may be replayed, replays can do the
 * others. */
unsigned experiment_program_runs(const experiment *x);
/* All of them. */
unsigned experiment_plain_runs(const experiment *x);
/* The last of these is left to experiment_baseline_later: it is to be in another second than the first, for programs
 * that go by the time, and meanwhile there is other work. */
bool experiment_defers_run(const experiment *x);
int experiment_baseline(experiment *x, error *e);
int experiment_baseline_later(experiment *x, error *e);
/* A run of kind->plain has ended. */
int experiment_plain_ended(experiment *x, experiment_job *j, error *e);
/* Further runs of each test case in work that is `wanted` (NULL: all). */
int experiment_run_plain(experiment *x, unsigned runs, bool (*wanted)(const experiment *, size_t), error *e);
/* Says that a run of the program as it is failed, though others do not. */
/* How the run ended, in words for a person; free them. */
char *experiment_failure(const experiment *x, const experiment_job *j);
void experiment_note_failure(const experiment *x, const experiment_job *j);

/* Whether test cases are replayed where that is possible. */
bool experiment_may_replay(const experiment *x);
void experiment_happens(experiment *x, size_t test, case_event event);
bool experiment_is_replayed(const experiment *x, size_t test);
/* Captures a run of each test case in work that is wanted, or (--engine rerun) for what is known of them alone. */
int experiment_capture(experiment *x, error *e);
/* The file of a test case's capture, with a folder for it. */
int experiment_capture_file(experiment *x, size_t test, error *e);
/* The test case's runs start its program from now on. Says why, unless that is said later; with --engine replay that is
 * an error. */
int experiment_not_replayed(experiment *x, size_t test, const char *why, error *e);
/* The same without a note; with --engine replay that is an error, too, unless it is said later. */
int experiment_lose_replays(experiment *x, size_t test, const char *why, error *e);
/* Says what experiment_not_replayed was told. */
int experiment_say_not_replayed(experiment *x, size_t test, error *e);

/* Whether what these numbers name is among those that the program decides once more. */
bool experiment_draws(const experiment *x, const uint32_t *parts, size_t count);
/* Counts one that was run with both engines, and notes it when they say different things: "mutant 7: …". */
void experiment_recheck(const experiment *x, const char *what, long long id, const char *replayed, const char *rerun);
/* That both agree on all of `count`, if that is so: "PREFIXreplays and runs … all 7 mutants …". */
void experiment_say_rechecked(const experiment *x, const char *prefix, size_t count, const char *what);

#endif
