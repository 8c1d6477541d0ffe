/* The parts of a campaign. */
#ifndef CLTC_RUNNER_CAMPAIGN_INTERNAL_H
#define CLTC_RUNNER_CAMPAIGN_INTERNAL_H

#include "capture/capture.h"
#include "runner/build/program_request.h"
#include "runner/campaign/campaign.h"
#include "runner/experiment/experiment.h"
#include "wire/launch_change.h"

typedef enum mutant_cost { COST_BUILT, COST_CLONE, COST_BUILDS, MUTANT_COSTS } mutant_cost;

typedef struct mutant_costs {
  double seconds[MUTANT_COSTS]; /* of the runs of those that are done */
  size_t done[MUTANT_COSTS], left[MUTANT_COSTS];
} mutant_costs;

/* Seconds, when so many have gone by since the first began; below 0: nothing is known. */
double estimate_left(const mutant_costs *costs, double spent);

/* Up to MUTANT_REVEALS all of them are of one test case. `Checks` are checked replays, and only runs that may be replays
 * lead there. */
typedef enum mutant_state {
  MUTANT_IDLE,              /* there is no mutant; the first state */
  MUTANT_RUNS,              /* it runs, by replays where the test case has them */
  MUTANT_CHECKS_RACES,      /* a check comes next, for races */
  MUTANT_CHECKS_DIVERGENCE, /* another one, for barriers that are not reached alike: it has no race of its own, */
  MUTANT_CHECKS_LAST_DOUBT, /* and neither does anything else depend on the order */
  MUTANT_CHECKED,           /* it runs; checks do not tell more */
  MUTANT_ALIKE,             /* it runs; nothing in it depends on the order of work-items: its repeats are alike */
  MUTANT_RACES,             /* a check has shown a race that the original does not have */
  MUTANT_RERUNS,            /* it runs by its program: replays do not tell */
  MUTANT_REVEALS,           /* the test case kills it: does its program notice? */
  MUTANT_AGAIN,             /* all of it once more by the program, as --verify-engine wants */
  MUTANT_AGAIN_REVEALS,     /* likewise, and a test case kills it */
  MUTANT_STATES
} mutant_state;

typedef enum mutant_event {
  MUTANT_IS_TAKEN,
  MUTANT_WANTS_CHECK,
  MUTANT_NEW_RACE,      /* a check shows a race, or a divergence, that the original does not have, */
  MUTANT_OLD_RACE,      /* or none that it does not have, */
  MUTANT_NO_RACE,       /* or nothing that depends on an order; */
  MUTANT_UNCHECKED,     /* or it cannot be made */
  MUTANT_MAY_DIVERGE,   /* after a check for races: it has barriers that may not be reached alike */
  MUTANT_REPLAY_FAILED, /* a replay of it does not tell */
  MUTANT_IS_ASKED,      /* its verdict against the test case is there, and whether the program notices it is asked */
  MUTANT_NEXT_TEST,
  MUTANT_IS_VERIFIED, /* after the last test case: it is among those that the program decides once more */
  MUTANT_IS_DECIDED,
  MUTANT_EVENTS
} mutant_event;

/* The state after an event. What cannot happen in a state changes nothing. */
mutant_state mutant_after(mutant_state s, mutant_event event);

/* Its runs are replays where the test case has them. */
bool mutant_replays(mutant_state s);
/* A check comes next: for races, or for divergence. */
bool mutant_checks(mutant_state s);
bool mutant_checks_divergence(mutant_state s);
bool mutant_reveals(mutant_state s);
/* The program decides what replays have decided. */
bool mutant_is_again(mutant_state s);

#define NO_BATCH UINT32_MAX

/* What is checked in a replay. */
typedef enum check_look {
  LOOK_RACES,
  LOOK_DIVERGENCE, /* of barriers and async calls */
  LOOKS
} check_look;

/* Clones of some mutants, built together. */
typedef struct batch {
  uint32_t *numbers;
  size_t count;
  mutate_result made; /* its texts; nothing before it is needed */
  bool written;
  bool refused; /* by the device's compiler: each of its mutants then has a batch of its own */
} batch;

/* The schema of some mutants of a program that has too many for one. */
typedef struct schema_part {
  uint32_t *numbers;
  size_t count;
  mutate_result made; /* its texts */
  bool written;
} schema_part;

typedef struct campaign_mutant {
  const mutant *mutant;
  int64_t row;
  bool chosen;  /* by the filters */
  bool reached; /* by a test case */
  bool passed;  /* it is before campaign.drawn, and among campaign.passed */
  bool decided;
  mutant_status status;
  uint32_t original; /* of a duplicate: index in the program */
  uint32_t change;   /* equal ones are the same in several builds of a text */
  bool coded;        /* the database knows what it is in all of them */
  mutant_form form;
  mutant_cost cost;
  uint32_t part;  /* of a divided program */
  uint32_t batch; /* of the cloned form, NO_BATCH until it is needed */
  mutant_verdict
      *known; /* one per test case, from earlier runs: `runs` is 0 where there is none; NULL: nothing is known */
} campaign_mutant;

/* Which mutant of which program. */
typedef struct mutant_index {
  uint32_t program, index;
} mutant_index;

typedef struct code_item code_item;
typedef struct launch_site launch_site;
typedef struct launch_moment launch_moment;
typedef struct launch_mutant launch_mutant;

/* A program as some test case builds it. */
typedef struct campaign_program {
  program_request request;
  char *name;
  char *reason; /* why it has no mutants; NULL if it has */
  mutate_result schema;
  char *refused;          /* why its schema cannot be used; NULL if it can: */
  bool cloned;            /* then all its mutants are clones. */
  bool divided;           /* it has too many mutants for one schema: it has several, and is looked at without them */
  uint32_t survey, rank;  /* of campaign.surveys: which tells what of it is reached, 0: none yet; and its place there */
  mutate_result original; /* of what is cloned or divided: the original as a clone; its texts */
  db_program stored;
  campaign_mutant *mutants; /* one per schema.mutants */
  schema_part *parts;
  size_t part_count, part_capacity;
  batch *batches;
  size_t batch_count, batch_capacity;
  struct disjoint *disjoint;  /* prepare.c: what was shown of its launches; NULL: nothing */
  struct noted_launch *noted; /* prepare.c: those that were asked about */
  size_t noted_count, noted_capacity;
  instrument_result *checked[LOOKS]; /* races.c: the original, checked; NULL: not made yet, or */
  char *unchecked[LOOKS];            /* why it cannot be */
  bool unchecked_said;
  launch_mutant *launches; /* of an executable file of the host: one per schema.mutants; NULL: it has kernels */
  size_t launch_count;
} campaign_program;

/* What a test case's launches of a kernel do. */
typedef struct kernel_iterations {
  bool launched, launched_again;
  uint32_t most;  /* iterations of its loops that a work-item makes */
  uint32_t again; /* the same in a second run */
  bool waits;     /* it iterates until others have done something */
} kernel_iterations;

typedef struct case_inputs case_inputs;

typedef struct test_state {
  bool refused;                       /* launches were, and it was said */
  bool builds;                        /* a program with mutants, */
  bool prints;                        /* or one that names printf */
  case_inputs *inputs;                /* what it does on the device; NULL: not known */
  bool varies;                        /* in the form that holds mutants, and it was said */
  bool reads_unwritten;               /* its runs with other fillings differ, and that was said */
  bool outside;                       /* without any mutant its kernels write outside of buffers */
  transcript filled[REPLAY_FILLINGS]; /* of replays with other fillings; the first is that of the others, too */
  transcript unwritten;               /* of a replay; marked: what depends on memory that nobody has written */
  struct race_list *races;            /* races.c: of `looks` checked replays without any mutant */
  unsigned looks[LOOKS];
  bool checking;         /* one of them runs */
  bool unchecked[LOOKS]; /* they say nothing */
  uint32_t **reached;    /* per program: words of places executed; NULL: the program was not built */
  size_t reached_count, reached_capacity;
  kernel_iterations **iterations; /* per program, one per model.kernels; NULL: the program was not built */
  size_t iteration_count, iteration_capacity;
  launch_moment *moments; /* of its launches, in their order */
  size_t moment_count, moment_capacity;
} test_state;

/* What a mutant is compared with: the same kernels in the same form without a mutant. */
typedef struct reference {
  uint32_t number; /* among the campaign's */
  size_t test, program;
  bool replays; /* made by them, and for them */
  mutant_form form;
  uint32_t part;
  const uint32_t *kernels; /* of a mutant */
  size_t kernel_count;
  transcript shown;
  size_t filled_count; /* runs with other fillings than the first, where they matter */
  bool unfilled;       /* its runs of the program do not work with fillings */
  double seconds;
  size_t runs;
  bool ready, busy;
  bool slow;    /* a run took too long: the next one gets more time */
  bool waits;   /* a run made too many iterations: the next ones may make many more */
  bool failed;  /* the form cannot be used */
  bool divides; /* by zero, without any mutant */
} reference;

typedef enum job_kind {
  JOB_PLAIN,     /* as it is */
  JOB_REACH,     /* schemas that record what is reached */
  JOB_SCHEMA,    /* schemas without a mutant */
  JOB_CHECK,     /* a replay as it is */
  JOB_REFERENCE, /* the kernels of a reference in its form, without a mutant */
  JOB_CHECKED,   /* a replay with a mutant or without, all accesses checked for races */
  JOB_MUTANT
} job_kind;

/* The mutants that are to be decided, in the order in which they are run. */
typedef struct campaign_queue {
  mutant_index *list;
  size_t count;
  size_t end;        /* those before it are run now */
  size_t drawn;      /* those before it are decided or being run */
  size_t passed;     /* of these: such as are run */
  size_t ran_before; /* how many were run by the runs that this one goes on with */
  size_t to_run;     /* of all: such as are to be run */
  bool selected;     /* it is known which mutants take part */
} campaign_queue;

/* How long things take. */
typedef struct campaign_pace {
  double deadline;       /* with what is kept for comparing code at the end; 0: none */
  double started;        /* when mutants began; 0: not yet */
  size_t decided_before; /* by then */
  mutant_costs costs;
  double counted; /* when it was counted which are left */
} campaign_pace;

/* What a compiler makes of mutants. */
typedef struct campaign_codes {
  code_item *list; /* sorted as the mutants are */
  size_t count, capacity;
  size_t changes;
  char *device; /* key of that of the first program that was built */
} campaign_codes;

typedef struct campaign_programs {
  campaign_program **list;
  size_t count, capacity;
} campaign_programs;

static inline campaign_mutant *mutant_at(const campaign_programs *all, size_t program, size_t index) {
  return &all->list[program]->mutants[index];
}

typedef struct campaign_references {
  reference **list;
  size_t count, capacity;
} campaign_references;

typedef struct postponed_program postponed_program;

/* Where kernel files may lie. */
typedef struct campaign_directories {
  char **list;
  size_t count, capacity;
} campaign_directories;

/* Where the host launches kernels. */
typedef struct launch_sites {
  launch_site *list;
  size_t count, capacity;
} launch_sites;

typedef struct campaign {
  experiment base; /* first */
  const campaign_options *options;
  campaign_outcome *out;
  test_state *tests; /* beside base.cases */
  campaign_programs programs;
  struct postponed_program {
    program_request request;
    size_t test;
  } * postponed; /* in first runs, still to be read */
  size_t postponed_count, postponed_capacity;
  campaign_references references;
  campaign_queue queue;
  campaign_pace pace;
  campaign_codes codes;
  launch_sites sites;
  campaign_directories directories;
  bool ran_later;        /* the last run of the baseline is made */
  uint32_t form_changes; /* how often programs became clones */
  bool surveying;        /* what programs reach is told when their first mutant comes: */
  uint32_t surveys;      /* by so many looks so far */
  bool resumed;
  campaign_progress progress;
} campaign;

/* One run of a test case. */
typedef struct campaign_job {
  experiment_job base; /* first */
  campaign *campaign;
  job_kind kind;
  bool again;           /* JOB_REACH, of a test case that had one */
  uint32_t part, parts; /* JOB_REACH: it is about every so many-th program, from this one on, */
  uint32_t survey;      /* of this survey; 0: of all */
  size_t program;       /* JOB_REFERENCE, JOB_MUTANT */
  reference *reference;
  uint32_t mutant;          /* JOB_MUTANT: index in the program */
  uint32_t batch;           /* which is used, NO_BATCH if none */
  unsigned under_test;      /* whose run it is, among those at a time */
  uint32_t events;          /* MUTATE_DIVIDED, MUTATE_ENDLESS */
  uint32_t refused_program; /* that did not run in its form */
  char *refused;            /* why not, NULL if all did: the words of the device's compiler or of the layer, */
  bool built;               /* the layer's: it was built, but something did not run */
  bool reveals;             /* JOB_MUTANT: whether the program notices it is all that is asked */
  struct race_look *look;   /* JOB_CHECKED */
  bool unfueled;            /* JOB_MUTANT: its loops may turn for as long as it has time */
  char *launch;             /* JOB_MUTANT: the change of a launch mutant, or NULL */
} campaign_job;

/* Before progress is shown. */
void campaign_progressed(experiment *x);
/* Whether a status comes of runs. */
bool campaign_is_run(mutant_status status);

/* --- mutants.c --- */

/* What an earlier run of the same program found. */
int campaign_recall_revealed(campaign *c, size_t program, uint32_t index, size_t test, mutant_verdict *v, error *e);

/* program.c: answers a request; makes the program's mutants at the first one. */
/* Whether the kernel of this name may write memory that is this argument, by its source. */
bool campaign_may_write(const campaign_programs *among, const char *kernel, uint32_t argument);
/* JOB_REACH: whether this program is built in the form that tells what is reached. */
bool campaign_is_about(const campaign_job *j, size_t program);
int campaign_request(campaign_job *j, wire_reader *in, buffer *answer, error *e);
/* Programs of first runs, which did not wait for this. `*unread`: the device has to answer something for one of them. */
int campaign_take_postponed(campaign *c, bool *unread, error *e);
void campaign_program_free(campaign_program *p);
/* Writes the text of a mutant's batch, with batches of some mutants each, or of this one alone. */
int campaign_write_batch(campaign *c, campaign_program *p, uint32_t index, error *e);
/* Its mutants are clones from now on: writes the original in that form. */
int campaign_clone_program(campaign *c, campaign_program *p, error *e);
/* program.c */
/* Divides programs that have too many mutants for one schema, as far as they are clear by then. */
int campaign_divide(campaign *c, error *e);
/* Writes the text of a mutant's part; false: it cannot be written. */
bool campaign_write_part(const campaign_options *o, campaign_program *p, uint32_t index);

/* job.c */
extern const experiment_kind campaign_kind;
campaign_job *campaign_job_new(campaign *c, job_kind kind, size_t test);
/* What was seen of a mutant's run: MUTANT_SEEN_…. */
unsigned campaign_seen(const campaign *c, const campaign_job *j);

/* job.c */
/* Captures the test cases and finds out whose replays show the same; notes say which do not and why. */
int campaign_capture(campaign *c, error *e);
/* Makes the job a turn of a worker. */
void campaign_replay_job(campaign_job *j);
/* Whether what its test case reads varies in ways that unwritten memory does not explain. */
bool campaign_varies(const test_state *t, const transcript *shown);
/* Why a job of a worker says nothing about a mutant; NULL: it does. */
const char *campaign_replay_failed(const campaign_job *j);

/* prepare.c: what the original reaches, in which form */
int campaign_prepare(campaign *c, error *e);
/* Whether it is not known yet what of the program is reached. */
bool campaign_is_unsurveyed(const campaign *c, const campaign_program *p);
/* Tells what is reached of the programs that mutants up to the end of the round are in, or of `all`; what was found of
 * their mutants before is known again then. */
int campaign_survey(campaign *c, bool all, error *e);
/* mutants.c */
/* The original's work-items iterate so often at most in a loop of a kernel that they launch; `again`: in another run. */
void campaign_iterations(campaign *c, size_t test, size_t program, uint32_t kernel, uint32_t iterations, bool again);
/* Without a mutant they have made more than they may: they wait for others. */
void campaign_wait(campaign *c, const reference *r);
/* How many all work-items of its launches there make, each as many as the busiest, and one more; 0: not known. */
double campaign_turns(const campaign *c, size_t test, size_t program, uint32_t kernel);
/* Iterations that a mutant's work-item gets there, */
uint32_t campaign_fuel(const campaign *c, size_t test, size_t program, uint32_t kernel);
/* in this run. */
uint32_t campaign_fuel_of(const campaign_job *j, uint32_t kernel);
/* campaign.c: what the mutants wait for, once they have an order; that one has taken so many seconds; and how many are
 * left (below 0: not known). */
void campaign_expect(campaign *c);
void campaign_spent(campaign_pace *pace, const campaign_mutant *m, double seconds);
/* program.c: which mutants take part. */
int campaign_select(campaign *c, error *e);
/* What is known of a chosen mutant before it is run. */
int campaign_start_mutant(campaign *c, size_t program, uint32_t index, error *e);
bool campaign_reached(const campaign *c, size_t test, size_t program, uint32_t index);
/* Its status from now on, for the progress too. */
void campaign_count(campaign *c, campaign_mutant *m, mutant_status status);
void campaign_show(campaign *c, campaign_program *p, uint32_t index, mutant_status status);
int campaign_decide(campaign *c, campaign_program *p, uint32_t index, mutant_status status, const char *reason,
                    error *e);
/* reuse.c: verdicts of earlier runs */
/* Looks up what is known of each undecided mutant, which becomes part of this run. */
int campaign_recall(campaign *c, error *e);
int campaign_recall_program(campaign *c, size_t program, error *e);
void campaign_known_verdicts(const campaign_options *o, const campaign_mutant *m, mutant_verdict *verdicts);
/* Stores the verdict of a mutant and the test case of the reference, and, if it is `known` what it depends on, for later
 * runs as well. */
int campaign_put_verdict(campaign *c, const reference *r, uint32_t index, const mutant_verdict *v, bool known,
                         error *e);
/* When the campaign ends before anything is known of them: all are to be decided by a run that goes on. */
int campaign_list(campaign *c, error *e);
/* prepare.c: whether two replays of a mutant with one filling are alike; false where that is not clear. */
bool campaign_is_steady(const campaign *c, size_t test, size_t program, uint32_t index);
/* campaign.c: in which order the undecided mutants are drawn. */
void campaign_order(campaign *c);
/* Decides those that no test case reaches, as far as their turn has come, or all. */
int campaign_draw_unreached(campaign *c, bool all, error *e);
/* equivalence.c: which mutants are the original, or another mutant, to a compiler. */
/* Decides by what is known from earlier runs. */
int campaign_equivalence(campaign *c, error *e);
/* Asks the compiler for the mutants that were run and not killed, or for all, as far as it has not been asked, and
 * decides. What was run may turn out to count no more. */
int campaign_compare(campaign *c, bool all, error *e);
/* Whether it has been asked for all of them. */
bool campaign_compared(const campaign_codes *codes);
/* races.c */
/* Whether the mutant can be in a checked replay of the test case. */
bool campaign_can_check(const campaign *c, check_look look, size_t test, size_t program, uint32_t index);
/* Whether there are barriers or async calls that its work-items may not reach alike. */
bool campaign_may_diverge(const campaign_programs *all, size_t program, uint32_t index);
/* The next job for that: of the original first. NULL: that runs. */
campaign_job *campaign_checked_job(campaign *c, check_look look, uint32_t index, reference *r, double limit);
/* What its end says of the mutant; MUTANT_EVENTS: it was the original. */
mutant_event campaign_checked_ended(campaign *c, campaign_job *j);
/* Answers a request for a program of such a job. */
void campaign_answer_checked(campaign_job *j, size_t index, buffer *answer);
/* Takes a record, from the number of its words on; -1: it is malformed. */
int campaign_checked_evidence(campaign_job *j, uint32_t program, uint32_t kernel, wire_reader *in);
/* prepare.c */
/* The one for a mutant, maybe still to be made; `replays`: for replays. */
reference *campaign_reference(campaign_references *all, size_t test, size_t program, const campaign_mutant *m,
                              bool replays);
bool campaign_reference_ready(const campaign *c, const reference *r);
/* Of the replay that it needs next: the number of its filling. */
size_t campaign_reference_filling(const reference *r);
/* Whether runs of the program that are compared with it have their buffers filled. */
bool campaign_reference_fills(const campaign_options *o, const reference *r);
int campaign_reference_ended(campaign *c, campaign_job *j, error *e);
/* mutants.c: runs the mutants up to `order_end` that are not decided. */
int campaign_round(campaign *c, error *e);

/* A mutant, by what it has in common with others. */
typedef struct draw_item {
  uint32_t program, index;
  uint32_t id;
  uint32_t kernel, op, file, line; /* its stratum, with the program */
  uint64_t lot;                    /* of draw_order */
} draw_item;

/* Puts them into an order drawn at random within strata: however many of the first ones are taken, they are spread
 * evenly over the strata. */
void draw_order(draw_item *items, size_t count, uint64_t seed);

/* A question: the code of a mutant, or of the original in the kernels that reach it. */
struct code_item {
  uint32_t program, index;
  bool original;
  bool known, built;
  bool kept;  /* in the database */
  bool asked; /* what is not known now the compiler crashed on */
  char digest[65];
};

enum { KEY_SIZE = 33 }; /* 128 bits of a digest, hexadecimal */

struct case_inputs {
  char *device;   /* as the capture has it: name, vendor, driver and language version */
  char all[65];   /* digest of everything */
  double **items; /* per program and kernel: work-items of its launches */
  size_t program_count;
  bool steady;    /* repeats of its launches cannot differ, without a mutant */
  char files[65]; /* reuse.c: digest of the files of its program, */
  bool looked;    /* once it was looked for */
};

/* Reads the capture of a test case. NULL: not all that it does on the device is known, and no verdict has a key. */
case_inputs *case_inputs_read(const campaign *c, size_t test);
/* The same of a capture that was read; programs and kernel digests are the campaign's. */
case_inputs *case_inputs_of(const campaign *c, const capture *captured);
void case_inputs_free(case_inputs *i);
/* program.c: the only program of the campaign that a command builds; SIZE_MAX: none, or which is not clear. */
size_t campaign_program_of(const campaign_programs *all, const capture_command *built);

typedef struct launch_setting {
  const capture_command *launch;
  const capture_command **arguments; /* as set last, NULL where none is */
  uint32_t argument_count;
  const stored_objects *stored;
} launch_setting;

/* Notes a launch of the model's kernel. False: its repeats may differ, as far as is known. */
bool note_launch(campaign_program *p, uint32_t kernel, const launch_setting *s);
/* Whether all launches that were noted since the last call have one work-group, or work-items that are disjoint
 * (runner/build/disjoint.h). Unless `wanted`, nothing is looked at, and the answer is false. */
bool noted_are_steady(const campaign_programs *among, bool wanted);
void noted_free(campaign_program *p);

/* By what decides. A key is "" where that cannot be known. */
typedef enum verdict_basis {
  BASIS_PROGRAM, /* runs of the program */
  BASIS_REPLAY,
  BASIS_REVEAL /* of what the program notices: runs of it */
} verdict_basis;
void verdict_key(const campaign *c, size_t program, uint32_t index, size_t test, verdict_basis basis,
                 char key[KEY_SIZE]);
/* What a compiler makes of a mutant alone, or of the original in the kernels that reach it. */
void code_key(const campaign_program *p, uint32_t index, bool original, char key[KEY_SIZE]);

/* A place of the original source: bytes of a file of the model. What a mutant has put there is all of it. */
typedef struct race_place {
  uint32_t file, begin, end;
} race_place;

/* Two accesses that nothing orders. */
typedef struct race_pair {
  uint32_t program, kernel;
  race_place now, before;
  bool known;      /* `before` is */
  bool divergence; /* not of accesses: `now` is a barrier or an async call that work-items do not reach alike */
} race_pair;

/* What checked replays have shown. */
typedef struct race_list {
  race_pair *items;
  size_t count, capacity;
  bool unclear; /* something may have been missed, or its results may depend on an order though nothing races */
} race_list;

/* Of a job: what it gives the device, and what that shows. */
typedef struct race_look {
  check_look at;
  const mutant *of;       /* NULL: the original */
  instrument_result made; /* of its program, with the mutant */
  bool tried;
  char *why; /* why it cannot be checked; NULL: it can */
  race_list seen;
} race_look;

void race_list_free(race_list *l); /* NULL is fine */
race_look *race_look_new(check_look at, const mutant *of);
void race_look_free(race_look *l); /* NULL is fine */
/* Whether `seen` has a pair that the original does not have. */
bool races_are_new(const race_list *original, const race_list *seen);
/* What `from` has goes into `to`, too. */
void races_add(race_list *to, const race_list *from);

/* A mutant as the database keeps it. */

/* Lent by the mutant. */
db_mutant campaign_stored_mutant(const mutant *m);

/* Launch mutants: where the host launches kernels, which mutants that makes, and what the layer is told of each. */

/* A kernel and a call that launches it. */
struct launch_site {
  char *kernel, *module;
  uint64_t offset;
  uint32_t shape;           /* SHAPE_… */
  uint64_t values, nonzero; /* arguments */
  bool *reached;            /* by test cases */
};

/* From this number on a kernel is launched there, as a run of a test case told. */
struct launch_moment {
  uint32_t site;
  uint64_t number, thread;
};

struct launch_mutant {
  uint32_t site;
  launch_change change;
};

/* Whether there are to be any. */
bool campaign_has_launches(const campaign_options *o);
/* MESSAGE_SITE of a run without any mutant. */
int campaign_site(campaign_job *j, wire_reader *in, error *e);
/* Makes programs of the files whose calls launch kernels, and the mutants of these. They are no part of `schema` before
 * campaign_take_launches. */
int campaign_launches(campaign *c, error *e);
void campaign_take_launches(const campaign_programs *all);

/* A mutant's change as the layer reads it; free() it. NULL: it is no launch mutant. */
char *launch_change_text(const launch_sites *sites, const campaign_program *p, uint32_t index);
bool launch_reached(const launch_sites *sites, size_t test, const campaign_program *p, uint32_t index);
/* Which launches of its kernel a mutant changes, by their numbers; free() them. */
launch_range *launch_ranges(const campaign *c, size_t test, const campaign_program *p, uint32_t index, size_t *count);
/* Whether these numbers are the same in each run; of mutants in kernels: true. */
bool launch_is_ordered(const campaign *c, size_t test, const campaign_program *p, uint32_t index);
void launches_free(campaign *c);

#endif
