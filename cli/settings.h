/* What the command line says, for every command. */
#ifndef CLTC_CLI_SETTINGS_H
#define CLTC_CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/names.h"
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

/* The words after the name of the command, and what else said something. */
typedef struct command_line {
  const char *verb;             /* name of the command; `check` has those of its parts here */
  const char *typed;            /* as it was given */
  words positional;             /* before `--` */
  char **command;               /* after `--`, NULL if there was no `--` */
  struct assignments *assigned; /* every value that was given, with its origin (cli/assignments.h) */
  bool help, help_all;          /* `help_all`: with all options */
} command_line;

/* Which test cases there are. */
typedef struct test_settings {
  bool pytest, gtest;  /* the program after `--` is one test case a test */
  const char *ctest;   /* build folder, NULL: none */
  const char *suites;  /* directory of benchmarks, NULL for our own */
  const char *capture; /* file that keeps what the test case does, NULL: none */
} test_settings;

/* Where they run. */
typedef struct device_settings {
  const char *name; /* --device */
  const char *platform;
  bool preload;
  bool no_build_cache;
} device_settings;

/* --kernel and --exclude. */
typedef struct kernel_settings {
  words wanted, exclude;
} kernel_settings;

/* What is kept of a run, and what is said of it. */
typedef struct report_settings {
  const char *database;
  struct configuration *configuration; /* the file, which suppresses findings; NULL: none (cli/configuration.h) */
  kernel_settings kernels;             /* also those that are mutated, gated, … */
  threshold *thresholds;
  size_t threshold_count, threshold_capacity;
  format_request *formats;
  size_t format_count, format_capacity;
  const char *colour; /* auto, always, never */
  const char *since;  /* revision: lines that have changed since come first; `mutate`: alone */
  bool show_missed;
  bool all; /* every finding in full */
  bool quiet;
  bool verbose;
} report_settings;

/* What is no failure otherwise. */
typedef struct fail_settings {
  bool benign, order, possible, refused, overrun; /* --fail-on */
  bool worse;                                     /* of `diff` */
} fail_settings;

/* 0: not given. */
typedef struct limit_settings {
  double timeout, max_time; /* seconds */
  unsigned jobs;
} limit_settings;

/* Where sources are. */
typedef struct source_settings {
  const char *root; /* folder that names of files start at, NULL: that of their repository */
  words roots;      /* folders with the files in which kernels are strings; none: the repository */
} source_settings;

/* Of commands that measure. */
typedef struct measure_settings {
  bool exit_as_program;
  bool strict;       /* races: fences together with atomic functions order nothing */
  const char *rules; /* of memory: names with commas, NULL: all */
  bool leaks;        /* objects that the program does not release are errors, too */
} measure_settings;

/* Of all that runs test cases again and again. */
typedef struct experiment_settings {
  unsigned repeats; /* --runs N */
  unsigned shard, shards;
  uint64_t seed;
  int64_t replay; /* id of a schedule, or of a finding; 0: none */
  uint32_t mutant;
  const char *oracle;
  bool races; /* mutate: checked replays have a say, too */
  words ignore;
  const char *engine;   /* auto, replay, rerun */
  double verify_engine; /* percent */
} experiment_settings;

/* Of `mutate`. */
typedef struct mutation_settings {
  bool list;
  uint64_t sample;
  const char *operators;
  words lines;
  bool no_equivalence;
  bool no_cache;
  bool resume;
} mutation_settings;

/* Of `amplify`. */
typedef struct amplification_settings {
  const char *gate; /* ticket, hardware */
  bool orders[ORDER_OCCUPANCY], orders_given;
  bool targets_all, targets_list; /* neither: `targets[0]` groups are drawn, if there is one */
  uint32_t *targets;
  size_t target_count, target_capacity;
  bool coverage; /* is collected, too */
  bool no_trust_proofs;
} amplification_settings;

/* Of `verify`, and of `repair`, which asks as it does. */
typedef struct proof_settings {
  launch_sizes local, groups;
  words assume;
  bool alias, no_benign, no_bounds, barriers, explain, warp_resync, no_confirm, no_cache;
  unsigned second_opinion; /* launches a kernel that are to contradict a proof; 0: off */
  bool second_opinion_given;
  unsigned warp_sync;           /* work-items that run in step, 0: none */
  double query_timeout;         /* seconds, 0: not given */
  unsigned memory;              /* MiB, 0: not given */
  words hosts;                  /* files of the host program */
  const char *host_options;     /* of their compiler, NULL: none */
  const char *compile_commands; /* file, NULL: none */
} proof_settings;

/* Of `repair` alone. */
typedef struct repair_settings {
  bool in_place, atomics, optimise;
  words lines;           /* that may be changed; none: all */
  const char *check;     /* a command, NULL: none */
  unsigned max_barriers; /* 0: any number */
  unsigned loop_weight;  /* 0: not given */
} repair_settings;

/* Of kernel cases. */
typedef struct case_settings {
  const char *emit;      /* folder for the launches of findings, NULL: none */
  const char *yaml;      /* capture: folder for kernel cases, NULL: a capture is made */
  bool update;           /* run */
  const char *generated; /* generate: folder for its files, */
  const char *against;   /* the kernel, or file, that its kernels are held against; NULL: none, */
  double tolerance;      /* relative, of that; 0: by type */
} case_settings;

/* Of `replay`. */
typedef struct replay_settings {
  int64_t launch;   /* the last one, -1: all */
  int64_t schedule; /* id, 0: none */
} replay_settings;

/* What `show`, `list` and `report` print. */
typedef struct shown_settings {
  bool mutants, tree, schedule, checked, memory; /* the source in another form */
  bool annotate;                                 /* the sources of the database's runs */
  bool runs;                                     /* list: not the benchmarks */
  bool all;                                      /* report: all runs */
} shown_settings;

/* All of it. Commands and what assembles options of them see it; everybody else gets a part. */
typedef struct settings {
  command_line given;
  test_settings tests;
  device_settings device;
  report_settings report;
  fail_settings fail;
  limit_settings limits;
  source_settings sources;
  measure_settings measure;
  experiment_settings experiment;
  mutation_settings mutation;
  amplification_settings amplification;
  proof_settings proof;
  repair_settings repair;
  case_settings cases;
  replay_settings replay;
  shown_settings shown;
} settings;

void settings_free(settings *s);

#endif
