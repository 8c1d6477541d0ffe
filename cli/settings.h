/* What the command line says, for every command, and the commands. */
#ifndef CLTC_CLI_SETTINGS_H
#define CLTC_CLI_SETTINGS_H

#include "proofs/repair/options.h"
#include "runner/amplify/amplify.h"
#include "runner/campaign/campaign.h"
#include "runner/measure/measure.h"
#include "runner/plan/plan.h"

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

/* The words after the name of the command, and what else said something. */
typedef struct command_line {
  const char *verb;             /* name of the command; `check` has those of its parts here */
  const char *typed;            /* as it was given */
  word_list positional;         /* before `--` */
  char **command;               /* after `--`, NULL if there was no `--` */
  struct assignments *assigned; /* every value that was given, with its origin (cli/options.h) */
  bool help, help_all;          /* `help_all`: with all options */
} command_line;

/* Where they run. */
typedef struct device_settings {
  const char *name; /* --device */
  const char *platform;
  bool preload;
  bool no_build_cache;
} device_settings;

/* What is kept of a run, and what is said of it. */
typedef struct report_settings {
  const char *database;
  struct configuration *configuration; /* the file, which suppresses findings; NULL: none (cli/options.h) */
  kernel_choice kernels;               /* also those that are mutated, gated, … */
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

/* Where sources are. */
typedef struct source_settings {
  const char *root; /* folder that names of files start at, NULL: that of their repository */
  word_list roots;  /* folders with the files in which kernels are strings; none: the repository */
  word_list lines;  /* that are mutated or may be repaired; none: all */
} source_settings;

/* Of `mutate`, beside what a campaign is told. */
typedef struct mutation_settings {
  bool list;
  const char *operators;
  bool resume;
} mutation_settings;

/* Of `verify` and `repair`, beside what is asked of the engine. */
typedef struct verify_settings {
  bool no_confirm, no_cache;
  unsigned second_opinion;      /* launches a kernel that are to contradict a proof; 0: off */
  word_list hosts;              /* files of the host program */
  const char *host_options;     /* of their compiler, NULL: none */
  const char *compile_commands; /* file, NULL: none */
} verify_settings;

/* Of kernel cases. */
typedef struct case_settings {
  const char *emit;      /* folder for the launches of findings, NULL: none */
  const char *yaml;      /* capture: folder for kernel cases, NULL: a capture is made */
  bool update;           /* run */
  const char *generated; /* generate: folder for its files, */
  const char *against;   /* the kernel, or file, that its kernels are held against; NULL: none, */
  double tolerance;      /* relative, of that; 0: by type */
} case_settings;

/* What is done once more. */
typedef struct replay_settings {
  int64_t id;       /* of a schedule (`amplify`) or a finding (`races`, `memory`); 0: none */
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

/* All of it. What the rooms below take as options is here as they take it: commands add what else there is to say.
 * Commands see all of this; everybody else gets a part. */
typedef struct settings {
  command_line given;
  test_settings tests;
  device_settings device;
  report_settings report;
  fail_settings fail;
  source_settings sources;
  experiment_options experiment;
  measure_options measure;
  mutation_settings mutation;
  campaign_options campaign;
  amplify_options amplification;
  verify_settings verify;
  prove_options proof;
  repair_options repair;
  case_settings cases;
  replay_settings replay;
  shown_settings shown;
} settings;

void settings_free(settings *s);

/* The commands: one cmd_NAME.c each, with what is said of it. */

/* X(name, NAME) for each, in the order in which they are listed. */
#define COMMANDS(X)     \
  X(check, CHECK)       \
  X(coverage, COVERAGE) \
  X(mutate, MUTATE)     \
  X(amplify, AMPLIFY)   \
  X(races, RACES)       \
  X(memory, MEMORY)     \
  X(verify, VERIFY)     \
  X(repair, REPAIR)     \
  X(generate, GENERATE) \
  X(capture, CAPTURE)   \
  X(replay, REPLAY)     \
  X(run, RUN)           \
  X(report, REPORT)     \
  X(show, SHOW)         \
  X(list, LIST)         \
  X(diff, DIFF)         \
  X(merge, MERGE)       \
  X(devices, DEVICES)   \
  X(config, CONFIG)     \
  X(doctor, DOCTOR)

#define COMMAND_NUMBER(name, NAME) NUMBER_OF_##NAME,
#define COMMAND_BIT(name, NAME) FOR_##NAME = 1 << NUMBER_OF_##NAME,
#define COMMAND_ROW(name, NAME) extern const command command_##name;
enum command_number { COMMANDS(COMMAND_NUMBER) COMMAND_COUNT };
/* In option.commands. */
enum command_bit {
  COMMANDS(COMMAND_BIT) FOR_MEASURING = FOR_CHECK | FOR_COVERAGE | FOR_RACES | FOR_MEMORY,
  FOR_EXPERIMENTS = FOR_MEASURING | FOR_MUTATE | FOR_AMPLIFY,
  FOR_PROOFS = FOR_VERIFY | FOR_REPAIR,
  FOR_ALL = 0x7fffffff
};

typedef struct command {
  const char *name;
  const char *summary; /* one line */
  const char *usage;   /* what follows the name */
  const char *details; /* paragraphs for help and the man page */
  const char *example;
  int (*run)(const settings *s, error *e); /* the exit code, having said why; -1 with `e`, which main says */
  unsigned bit;                            /* in option.commands */
} command;

COMMANDS(COMMAND_ROW)
extern const command *const commands[]; /* ended by NULL */
#define EACH_COMMAND(c) for (const command *const *c##_at = commands, *c = *c##_at; c != NULL; c = *++c##_at)
const command *command_find(const char *name);

/* `config COMMAND`: every setting of a command. */
void config_print_command(const command *c, const settings *s);

#endif
