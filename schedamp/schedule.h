/* Schedules: in which order the work-groups of a launch execute. docs/amplify.md says what they are for.
 *
 * A work-group has a linear id: (id2 * groups1 + id1) * groups0 + id0. A *position* is its place in the order, from 0.
 */
#ifndef CLTC_SCHEDAMP_SCHEDULE_H
#define CLTC_SCHEDAMP_SCHEDULE_H

#include "base/model.h"

typedef enum schedule_order {
  ORDER_NONE,      /* as the device likes: the gate is open */
  ORDER_FIRST,     /* the target runs to completion before any other group starts on the kernel's code */
  ORDER_LAST,      /* the target starts when all others have ended */
  ORDER_REVERSE,   /* one group after another, the highest id first */
  ORDER_RANDOM,    /* one group after another, in a seeded permutation (gate.cl) */
  ORDER_ASCENDING, /* one group after another, the lowest id first */
  ORDER_OCCUPANCY  /* as the device likes, and counts how many groups are in flight together */
} schedule_order;

typedef enum schedule_gate {
  GATE_TICKET,  /* groups get their ids in the order in which they start: the first one to start has position 0 */
  GATE_HARDWARE /* groups keep their ids and wait for their turn, which hangs where that turn needs a group that is not
                   resident */
} schedule_gate;

typedef struct schedule {
  schedule_order order;
  schedule_gate gate;
  uint32_t target; /* linear id of a group; ORDER_FIRST and ORDER_LAST, else 0 */
  uint32_t seed;   /* ORDER_RANDOM: below 2^SCHEDULE_SEED_BITS, else 0 */
} schedule;

#define SCHEDULE_SEED_BITS 24
#define SCHEDULE_GROUPS_CAP (UINT32_C(1) << 31) /* a launch of so many groups or more is not gated */

/* What a gated kernel expects in its hidden parameter `first`: target in bits 0 to 31, order in 32 to 34, gate in 35,
 * seed in 36 to 59; the others are 0. */
uint64_t schedule_pack(const schedule *s);

/* Names: "none", "first", … and "ticket", "hardware". -1 for a word that is none. */
const char *schedule_order_name(schedule_order order);
const char *schedule_gate_name(schedule_gate gate);
int schedule_order_find(const char *name);
int schedule_gate_find(const char *name);

/* Targets as in the paper: the groups are cut into sets of `set` consecutive ids, one target is drawn from each.
 * Returns ceil(groups / set) ids, ascending, to be freed; the same for the same numbers. */
uint32_t *schedule_targets(uint32_t groups, uint32_t set, uint64_t seed, size_t *count);
/* A seed below 2^SCHEDULE_SEED_BITS for something counted by `number`, such as a launch. */
uint32_t schedule_seed(uint64_t seed, uint64_t number);

/* "group 17 first, ticket gate", "reverse order, hardware gate", "random order (seed 9), ticket gate". */
#define SCHEDULE_TEXT 80
void schedule_describe(const schedule *s, char text[SCHEDULE_TEXT]);

/* The gate: OpenCL C that makes the work-groups of a launch execute in the order of a schedule. instrument/ writes it
 * into a program and calls it at the beginning and at the end of each kernel.
 *
 * A gated kernel has the five hidden parameters of wire/protocol.h. Of these `first` holds the schedule
 * (schedule_pack), `slots` the *gate record* of the launch: GATE_WORDS u32, zeroed before each launch, and, built with
 * -DCLTC_WATCH, after them one word a work-group (by its id under the schedule): GATE_STATE_…. `flags` gets the
 * coverage by atomics (as with -DCLTC_DIRECT, which is implied); built with -DCLTC_BARE there is no coverage and
 * nothing is written there.
 *
 * Groups are renamed by what they are told: get_group_id, get_global_id and get_global_linear_id, in the kernel and in
 * all that it calls, speak of the group that this one stands for. Every wait of the gate is bounded. */

/* Text for instrument_program's `gate`. Needs of the program: see instrument/instrument.h. */
extern const char gate_text[];

/* What repeated runs of one schedule prove. */

/* How one run went: a character of the picture, and of what the database keeps. */
typedef enum run_outcome {
  RUN_REFERENCE = '.', /* the reference's result */
  RUN_DIFFERS = 'x',   /* another one */
  RUN_DEADLOCK = 'D',  /* a group never ended */
  RUN_OCCUPANCY = 'o', /* the reference's result, but the gate gave up: the device has not the room for that order */
  RUN_CRASH = '!'      /* ended by a signal, or with another status than the reference without having shown anything */
} run_outcome;

typedef enum schedule_verdict {
  VERDICT_PENDING, /* no run yet */
  VERDICT_CONSISTENT,
  VERDICT_RACE,
  VERDICT_DEADLOCK,
  VERDICT_OCCUPANCY, /* no run was in the order that was asked for */
  VERDICT_CRASH,
  VERDICT_ORDER,   /* results differ, and no access races: what the order of atomic functions decides */
  VERDICT_DIFFERS, /* results differ, and accesses were not checked */
  VERDICTS
} schedule_verdict;

/* "pending", "consistent", "race", "deadlock", "occupancy-bound", "crash", "order-dependent", "differs". */
const char *schedule_verdict_name(schedule_verdict v);
/* -1 for a word that is none. */
int schedule_verdict_find(const char *name);

/* Of the runs' outcomes, one character each, ended by NUL: the first of crash, deadlock, race that occurs; occupancy
 * when every run is; else consistent. */
schedule_verdict schedule_judge(const char *outcomes);
size_t schedule_count(const char *outcomes, run_outcome which);

/* Whether two series of runs may well be of one schedule: their verdicts are the same, or one is consistent and what
 * the other shows is so seldom that it would all fall into one of them by chance in 1 of 100 cases at least (Fisher's
 * exact test: of the r runs that show it each is one of these n, not of those m: C(n, r) / C(n + m, r)). */
bool schedule_agree(const char *outcomes, const char *other);

/* Trials: the schedules of a launch, and what their runs gave. */

/* A schedule of a launch and what its runs gave. */
typedef struct trial {
  schedule schedule;
  char *outcomes; /* one character a run, room for all that are to be made and the NUL */
  size_t count;
  bool settled;  /* further runs would change nothing */
  bool recorded; /* a row of the database says the same */
  bool slow;     /* a run exceeded its time limit: the next one gets more */
  int64_t row;
  struct differing_read *shown; /* what the first differing run showed, for whoever says it; NULL: none. Of one piece */
  char *watched;                /* path of the file of a run that hung while it was watched; NULL: none did */
} trial;

/* What is known of the accesses of a kernel whose results differ. */
typedef enum launch_accesses {
  ACCESSES_UNCHECKED,
  ACCESSES_RACE, /* or they cannot be checked */
  ACCESSES_RACELESS
} launch_accesses;

/* A launch of a gated kernel. Zeroed but for program, kernel, number, uneven and skipped when it begins. */
typedef struct gated_launch {
  uint32_t program, kernel; /* by their numbers */
  uint32_t number;          /* among this kernel's launches */
  uint32_t shape, of_shape; /* digest of its sizes; number among this kernel's launches with them */
  uint32_t groups, local, together;
  bool seen; /* a gate record of it came */
  bool uneven;
  const char *skipped; /* why it has no trials, "" if it has */
  bool meant;          /* its kernel says that its order dependence is meant */
  launch_accesses accesses;
  int64_t row;
  trial *trials;
  size_t trial_count, trial_capacity;
} gated_launch;

/* A further trial of at most `runs` runs. */
void launch_add_trial(gated_launch *l, const schedule *s, unsigned runs);
/* Releases its trials and zeroes it. */
void launch_free(gated_launch *l);
bool launch_same_kernel(const gated_launch *one, const gated_launch *other);

/* A trial of at most `runs` runs begins anew. */
void trial_forget(trial *t, unsigned runs);
/* Whether the next run of the trial shows for sure that it is a deadlock, if it hangs: that one is to be watched. */
bool trial_is_last_hang(const gated_launch *l, const trial *t);
/* A further run. Two deadlocks or crashes are enough; of a launch that is known to hang one deadlock is. What is after
 * `runs` of them is left out. */
void trial_add(const gated_launch *l, trial *t, run_outcome outcome, unsigned runs);
/* A run that was too slow once, and never again with more time, was no deadlock: it is left out. */
void trial_leave_out_slow(const gated_launch *l, trial *t);
/* The verdict on a trial of this launch: what differs is a race only once accesses were checked. */
schedule_verdict trial_judge(const gated_launch *l, const trial *t);
/* The trial with a verdict whose order comes first: one with a target, where there is one. NULL if none has it. */
trial *trial_with(const gated_launch *l, schedule_verdict v);
/* How many trials of some launches have a verdict; `meant`: also those whose order dependence is meant. */
size_t trials_count(const gated_launch *launches, size_t count, schedule_verdict v, bool meant);

/* Which schedules the launches of a test case get. */

typedef enum schedule_choice { TARGETS_SETS, TARGETS_ALL, TARGETS_COUNT, TARGETS_LIST } schedule_choice;

typedef struct schedule_plan {
  schedule_gate gate;
  bool orders[ORDER_OCCUPANCY]; /* by schedule_order: which are tried */
  schedule_choice targets;      /* of ORDER_FIRST and ORDER_LAST: one of each set of ten, all, so many, these */
  uint32_t *target_list;        /* TARGETS_LIST; lent */
  size_t target_count;          /* TARGETS_LIST, TARGETS_COUNT */
} schedule_plan;

/* Why a launch gets no schedules, "" if it does. */
const char *schedule_obstacle(const gated_launch *l);
/* Gives the launch its trials of at most `runs` runs, those that tell most first, should time run out. */
void schedule_add_trials(const schedule_plan *p, gated_launch *l, uint64_t seed, unsigned runs);
/* A seed for a launch that depends on nothing but the command's seed and the launch: name and number of its kernel. */
uint64_t schedule_launch_seed(uint64_t seed, const char *kernel, uint32_t number);
/* Groups in flight are counted in the first launches of a kernel; the others are taken to be like them. */
void schedule_fill_together(gated_launch *launches, size_t count);
/* Whether the lines of comment, attributes or nothing above the kernel's function, or its own, say that its order
 * dependence is meant. */
bool schedule_is_meant(const model *m, uint32_t kernel);

/* Launches that are gated together, and which run is next: all groups and schedules are run alike often, so that the
 * time there is is spent evenly. */

/* Launches that are gated together. */
typedef struct launch_group {
  size_t *launches;
  size_t count;
  size_t width;            /* schedules: the most that one of them has */
  size_t repeat, schedule; /* what is next: all schedules once, then again */
  bool guilty;             /* something showed: its launches are gated apart, in other groups */
} launch_group;

typedef struct launch_groups {
  gated_launch *launches; /* of the test case; lent */
  unsigned runs;          /* of a schedule */
  launch_group *items;
  size_t count, capacity;
} launch_groups;

/* One group of all launches with schedules; none if there are none. */
void groups_begin(launch_groups *set, gated_launch *launches, size_t count, unsigned runs);
/* Something showed in a group: its kernels, or else its launches, are gated apart from now on. */
void groups_split(launch_groups *set, size_t index);
/* Of the groups with something to do, the one that has come least far; NULL if there is none. */
launch_group *groups_next(launch_groups *set);
/* The group's present run is under way. */
void groups_step(launch_group *g);
/* Runs that are still to be made, if nothing more shows. */
size_t groups_left(const launch_groups *set);
void groups_free(launch_groups *set);

/* In what the memory of a launch differs between two runs. */

/* What a launch left in an argument. */
typedef struct memory_image {
  uint32_t argument;
  char *data;
  size_t length;           /* of `data`: less where it was cut */
  uint64_t width, height;  /* of an image, in pixels; else 0 */
  uint32_t channel, pixel; /* the type of its channels as OpenCL numbers it; bytes of a pixel */
} memory_image;

typedef struct memory_images {
  memory_image *items;
  size_t count, capacity;
} memory_images;

/* In words and figures. */
typedef struct memory_difference {
  uint32_t argument;
  uint64_t first, last, differing; /* elements */
  char reference[64], seen[64];    /* values at `first` */
  const char *unit;                /* "element", "pixel" or "byte" */
  uint64_t width, height;          /* of an image, else 0 */
} memory_difference;

/* Where a pixel is: "(3, 5)", in a volume "(3, 5, 0)". */
#define MEMORY_PLACE 72
void memory_pixel(const memory_difference *d, uint64_t number, char text[MEMORY_PLACE]);
/* The first argument that differs; false: none does. `types`: names of the types that the arguments point to, "" where
 * there is none. */
bool memory_compare(const memory_images *reference, const memory_images *seen, const char *const *types,
                    size_t type_count, memory_difference *out);

#endif
