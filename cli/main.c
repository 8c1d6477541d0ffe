/* cltestcheck: picks the command and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"

const command commands[] = {
    {"coverage", "measure coverage of the kernels that a program runs",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program, unmodified, with every OpenCL kernel that it builds from source instrumented, keeps the "
     "evidence in "
     "the results database and prints a table. The program keeps its own standard output and error; ours go to "
     "standard "
     "error. A BENCHMARK is one of `cltestcheck list`; a SUITE.yaml names a program and its test cases; a "
     "CAPTURE is a file of `cltestcheck capture`.",
     "cltestcheck coverage --show-missed --fail-under branch=80 -- ./my_tests", cmd_coverage, FOR_COVERAGE},
    {"mutate", "find out how many faults in the kernels the tests would notice",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Makes small faults (mutants) in the OpenCL kernels that the program builds from source, one at a time, and runs "
     "the "
     "program with each: a test that cannot tell the mutant from the original has a gap. A mutant is killed when every "
     "run "
     "differs: in what the host reads back from the device, in exit status, by a crash or by time. First the original "
     "runs "
     "as often; what differs from run to run by itself is no evidence. The program is not edited; its output is kept "
     "from "
     "the terminal.",
     "cltestcheck mutate --runs 5 --kernel 'gemm*' -- ./my_tests", cmd_mutate, FOR_MUTATE},
    {"amplify", "find races and deadlocks between work-groups",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program again and again, unmodified, each time with the work-groups of its kernels in another order: "
     "one "
     "group to completion before all others start, one after another in reverse, in a random permutation. Results that "
     "depend on the order are a race; a group that never ends is a deadlock. OpenCL promises no order, so another "
     "device "
     "or driver may choose any of them. Exits with 3 when something was found; each finding says how to see it again. "
     "`// cltestcheck: order-dependent` above a kernel says that its order dependence is meant.",
     "cltestcheck amplify --kernel 'reduce*' --max-time 60 -- ./my_tests", cmd_amplify, FOR_AMPLIFY},
    {"capture", "record what a program does on the device", "[OPTIONS] FILE -- PROGRAM [ARGS]",
     "Runs the program, unmodified, and records its OpenCL programs, kernels, launches and transfers with their data, "
     "in "
     "order, so that `cltestcheck replay` does all of it again without the program, here or elsewhere. The file holds "
     "the "
     "program's kernels and data: mind whom you give it to. What cannot be done again (shared virtual memory, programs "
     "from binaries, several devices, …) is said, and no file is made.",
     "cltestcheck capture tests.cltc -- ./my_tests", cmd_capture, FOR_CAPTURE},
    {"replay", "do again what was captured, as it was or with a fault", "[OPTIONS] FILE",
     "Does again what `cltestcheck capture` recorded and compares what is read back with what the program got: exits "
     "with 0 when all is the same and with 1 when not. With --mutant or --schedule it shows what that mutant or that "
     "order of work-groups changes: a reproduction of a survivor or a race that needs no program.",
     "cltestcheck replay tests.cltc --mutant 2071", cmd_replay, FOR_REPLAY},
    {"report", "report on earlier runs, as text, JSON or lcov", "[OPTIONS] [RUN…]",
     "Reports on a run of the database (the newest by default), or on several together. Without --format, as text. "
     "Goes to "
     "standard output unless --format names a file.",
     "cltestcheck report --format lcov=coverage.info --fail-under line=90", cmd_report, FOR_REPORT},
    {"show", "print the rewritten source of a kernel file", "[OPTIONS] FILE.cl [-- BUILD OPTIONS]",
     "Prints what the device's compiler gets instead of FILE.cl built with these options, without running anything.",
     "cltestcheck show kernels.cl -- -DN=64 -I include", cmd_show, FOR_SHOW},
    {"list", "list the benchmarks, or the runs in the database", "[OPTIONS]",
     "Lists the benchmarks that `coverage` knows by name, with their test cases; with --runs, the runs that the "
     "database "
     "holds.",
     "cltestcheck list --runs", cmd_list, FOR_LIST},
    {"merge", "copy the runs of other databases into one", "[OPTIONS] FILE.db…",
     "Copies every run of the given databases that the database (--db) does not have yet. Merging twice changes "
     "nothing.",
     "cltestcheck merge --db all.db shard1.db shard2.db", cmd_merge, FOR_MERGE},
    {"devices", "list the OpenCL devices of this machine, and what they promise", "",
     "Lists the devices with the numbers that --device takes.", "cltestcheck devices", cmd_devices, FOR_DEVICES},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0},
};

const command *command_find(const char *name) {
  for (const command *c = commands; c->name != NULL; c++) {
    if (strcmp(c->name, name) == 0) {
      return c;
    }
  }
  return NULL;
}

static int unknown_command(const char *name) {
  (void)fprintf(stderr, "cltestcheck: unknown command \"%s\"; `cltestcheck help` lists the commands\n", name);
  return EXIT_USAGE;
}

/* `help`, `--help`, `--version` and the generated files. */
static int meta_command(int argc, char **argv) {
  const char *name = argc < 2 ? "" : argv[1];
  if (strcmp(name, "--version") == 0) {
    (void)printf("cltestcheck %s\n", CLTC_VERSION);
  } else if (strcmp(name, "--man-page") == 0) {
    help_man_page(stdout);
  } else if (strcmp(name, "--completion") == 0) {
    help_completion(stdout);
  } else if (strcmp(name, "help") == 0 && argc > 2) {
    const command *c = command_find(argv[2]);
    if (c == NULL) {
      return unknown_command(argv[2]);
    }
    help_command(c, stdout);
  } else if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    help_overview(stdout);
  } else if (name[0] == '\0') {
    help_overview(stderr);
    return EXIT_USAGE;
  } else {
    return -1;
  }
  return EXIT_FINE;
}

int main(int argc, char **argv) {
  (void)signal(SIGPIPE, SIG_IGN);
  int code = meta_command(argc, argv);
  if (code >= 0) {
    return code;
  }
  const command *c = command_find(argv[1]);
  if (c == NULL) {
    return unknown_command(argv[1]);
  }
  settings s;
  error e;
  if (options_parse(c, argc - 2, argv + 2, &s, &e) != 0) {
    (void)fprintf(stderr, "cltestcheck: %s\n", e.text);
    code = e.code;
  } else if (s.help) {
    help_command(c, stdout);
    code = EXIT_FINE;
  } else {
    code = c->run(&s);
  }
  settings_free(&s);
  return code;
}
