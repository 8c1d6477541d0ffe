/* What the command line says, for every command. */
#ifndef CLTC_CLI_SETTINGS_H
#define CLTC_CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/words.h"
#include "schedamp/schedule.h"

#define DEFAULT_DATABASE "cltestcheck.db"

struct assignments;
struct configuration;

typedef struct threshold {
  const char *metric;
  double percent;
} threshold;

typedef struct format_request {
  char *name;
  const char *file; /* NULL: none given; "-": standard output */
} format_request;

/* --local, --groups: a number a dimension. */
typedef struct launch_sizes {
  uint64_t sizes[3];   /* 0: free */
  unsigned dimensions; /* 0: the option was not given */
} launch_sizes;

/* Of `mutate`. */
typedef struct mutation_settings {
  bool list;
  uint64_t sample;
  const char *operators;
  const char *since;
  words lines;
  const char *oracle;
  bool races; /* checked replays have a say, too */
  words ignore;
  const char *engine;   /* auto, replay, rerun */
  double verify_engine; /* percent */
  bool no_equivalence;
  bool no_cache;
  bool resume;
} mutation_settings;

/* Of `amplify`. */
typedef struct amplification_settings {
  schedule_gate gate;
  bool orders[ORDER_OCCUPANCY], orders_given;
  bool targets_all, targets_list; /* neither: `targets[0]` groups are drawn, if there is one */
  uint32_t *targets;
  size_t target_count, target_capacity;
  bool no_trust_proofs;
} amplification_settings;

/* Of `verify`, and of `repair`, which asks as it does. */
typedef struct proof_settings {
  launch_sizes local, groups;
  words assume;
  bool alias, no_benign, no_bounds, barriers, explain, warp_resync, no_confirm, fail_on_possible;
  unsigned second_opinion; /* launches a kernel that are to contradict a proof; 0: off */
  bool second_opinion_given;
  unsigned warp_sync;           /* work-items that run in step, 0: none */
  double query_timeout;         /* seconds, 0: not given */
  unsigned memory;              /* MiB, 0: not given */
  words hosts;                  /* files of the host program */
  const char *host_options;     /* of their compiler, NULL: none */
  const char *compile_commands; /* file, NULL: none */
  const char *emit_test;        /* folder, NULL: none */
} proof_settings;

/* Of `repair` alone. */
typedef struct repair_settings {
  bool in_place, atomics, optimise;
  const char *check;     /* a command, NULL: none */
  unsigned max_barriers; /* 0: any number */
  unsigned loop_weight;  /* 0: not given */
} repair_settings;

/* What `show` and reports print beside the rest. */
typedef struct shown_settings {
  bool show_missed;
  bool show_mutants;
  bool show_tree;
  bool annotate; /* show: the sources of the database's runs */
  bool show_schedule, show_checked, show_memory;
} shown_settings;

typedef struct settings {
  const char *verb;  /* name of the command; `check` has those of its parts here */
  const char *typed; /* as it was given */
  const char *database;
  const char *device;
  const char *platform;
  bool pytest, gtest; /* the program after `--` is one test case a test */
  const char *ctest;  /* build folder, NULL: none */
  bool exit_as_program;
  const char *suites;  /* directory of benchmarks, NULL for our own */
  const char *root;    /* folder that names of files start at, NULL: that of their repository */
  const char *capture; /* file that keeps what the test case does, NULL: none */
  words source_roots;  /* folders with the files in which kernels are strings; none: the repository */
  words kernels;
  words exclude;
  double timeout;
  threshold *thresholds;
  size_t threshold_count, threshold_capacity;
  format_request *formats;
  size_t format_count, format_capacity;
  const char *colour; /* auto, always, never */
  bool quiet;
  bool verbose;
  bool fail_on_worse;
  /* races: */
  bool strict;
  const char *rules; /* of memory: names with commas, NULL: all */
  bool leaks;        /* objects that the program does not release are errors, too */
  bool fail_on_benign, fail_on_order, fail_on_refused, fail_on_overrun;
  bool preload;
  bool runs;
  bool all;
  /* experiments: */
  unsigned repeats; /* --runs N */
  unsigned jobs;
  unsigned shard, shards;
  uint64_t seed;
  double max_time;
  int64_t replay; /* id of a schedule, or of a finding; 0: none */
  uint32_t mutant;
  /* run: */
  bool update;
  /* capture: */
  const char *emit_cases; /* folder for the launches of findings, NULL: none */
  const char *yaml;       /* folder for kernel cases, NULL: a capture is made */
  /* replay: */
  int64_t launch;   /* the last one, -1: all */
  int64_t schedule; /* id, 0: none */
  bool collect;     /* --coverage */
  words positional; /* before `--` */
  char **command;   /* after `--`, NULL if there was no `--` */
  bool help;
  bool help_all;                       /* with all options */
  struct assignments *assigned;        /* every value that was given, with its origin (cli/assignments.h) */
  struct configuration *configuration; /* the file; NULL: none (cli/configuration.h) */
  /* of some commands: */
  mutation_settings mutation;
  amplification_settings amplification;
  proof_settings proof;
  repair_settings repair;
  shown_settings shown;
} settings;

void settings_free(settings *s);

#endif
