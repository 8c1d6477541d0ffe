/* The commands, one table. */
#include "cli/commands.h"

#include <string.h>

#include "cli/options.h"

const command commands[] = {
    {"check", "look for all that a program's kernels do wrong, in one report",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "For who has no time: what `races` and `memory` see, and the coverage that comes with it. The report begins with "
     "what killed the program and with launches that were refused and went unnoticed; then come errors with memory, "
     "races, barriers that diverge, and what no test case has reached. The program runs once as it is, and again, "
     "without its output, with its accesses watched. Exits with 3 when anything was found.",
     "cltestcheck check --max-time 300 -- ./my_tests", cmd_check, FOR_CHECK},
    {"coverage", "measure coverage of the kernels that a program runs",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program, unmodified, with every OpenCL kernel that it builds from source instrumented, keeps the "
     "evidence in "
     "the results database and prints a table. The program keeps its own standard output and error; ours go to "
     "standard "
     "error. A BENCHMARK is one of `cltestcheck list`; a SUITE.yaml names a program and its test cases; a "
     "CAPTURE is a file of `cltestcheck capture`. With --pytest, --gtest or --ctest each test of a framework is a test "
     "case (docs/recipes).",
     "cltestcheck coverage --show-missed --fail-under branch=80 -- ./my_tests", cmd_coverage, FOR_COVERAGE},
    {"mutate", "find out how many faults in the kernels the tests would notice",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Makes small faults (mutants) in the OpenCL kernels that the program builds, one at a time, and runs the "
     "program with each: a test that cannot tell the mutant from the original has a gap. A mutant is killed when every "
     "run differs: in what the host reads back, in exit status, by a crash or by time; what differs without a mutant, "
     "too, is no evidence. The program's output is not shown.",
     "cltestcheck mutate --runs 5 --kernel 'gemm*' -- ./my_tests", cmd_mutate, FOR_MUTATE},
    {"amplify", "find races and deadlocks between work-groups",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program again and again, unmodified, each time with the work-groups of its kernels in another order: "
     "one "
     "of them first or last, ascending, reverse, random. Results that depend on it are a race where a check of all "
     "accesses sees one, and else order-dependent, which is no failure; a group that never ends is a deadlock. "
     "Exits with 3 when something is found and says how to see it again.",
     "cltestcheck amplify --kernel 'reduce*' --max-time 60 -- ./my_tests", cmd_amplify, FOR_AMPLIFY},
    {"races", "see data races on the device itself",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program twice, unmodified: once for its coverage and barriers that diverge, and once with every access "
     "of "
     "its kernels to global and local memory held against what other work-items of the launch did to the same bytes. "
     "Two accesses that nothing orders, one of them a write, are a data race: both are shown, with their work-items. "
     "What was not executed is not seen (`cltestcheck verify` proves). Exits with 3 when a race was found.",
     "cltestcheck races --kernel 'reduce*' -- ./my_tests", cmd_races, FOR_RACES},
    {"memory", "find accesses outside of their memory, and what else kernels do wrong with it",
     "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Runs the program, unmodified, with every access of its kernels held against the buffer or array that its pointer "
     "was made from: accesses outside, through null pointers, at addresses that a type does not allow, and against a "
     "buffer's flags. A read outside gives 0, a write outside is dropped, and the program goes on, so that one that "
     "would have crashed comes to its end. Exits with 3 when an error was found.",
     "cltestcheck memory --kernel 'reduce*' -- ./my_tests", cmd_memory, FOR_MEMORY},
    {"verify", "prove that kernels have no race and no barrier divergence, or show one",
     "[OPTIONS] (FILE.cl… [-- BUILD OPTIONS] | BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Proves kernels free of data races, barrier divergence and accesses past the end of buffers, for all "
     "work-items, "
     "or finds a counterexample: two work-items, their accesses, arguments and sizes. Of a kernel file nothing is run: "
     "sizes and arguments are any, or as --local, --groups and --assume say. A program runs once, unmodified; its "
     "launches say what sizes and arguments can be, and the report says which of that a proof needs. Exits with 3 when "
     "something was found that depends on nothing unknown. It needs clang-19 and a build of cltestcheck with Z3 "
     "(`cltestcheck doctor`).",
     "cltestcheck verify --local 64 --assume 'n > 0' kernels.cl -- -DN=64", cmd_verify, FOR_VERIFY},
    {"repair", "make a patch that removes races and barrier divergence",
     "[OPTIONS] (FILE.cl… [-- BUILD OPTIONS] | BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
     "Verifies kernels as `cltestcheck verify` does, and for those with a race inside of a work-group or a barrier "
     "that not all "
     "work-items reach looks for the cheapest change of barriers with which they are proved: put in, moved, taken out, "
     "or with another fence. Prints the change as a unified diff for `git apply` or `patch -p1`, or makes it with "
     "--in-place; says what was wrong and what was changed on standard error. Exits with 3 when something remains that "
     "barriers cannot repair. It needs what `cltestcheck verify` needs.",
     "cltestcheck repair --local 64 kernels.cl | git apply", cmd_repair, FOR_REPAIR},
    {"capture", "record what a program does on the device",
     "[OPTIONS] (FILE -- PROGRAM [ARGS] | --yaml DIR (-- PROGRAM [ARGS] | CAPTURE))",
     "Runs the program, unmodified, and records its OpenCL programs, kernels, launches and transfers with their data, "
     "in "
     "order, so that `cltestcheck replay` does all of it again without the program, here or elsewhere. The file holds "
     "the "
     "program's kernels and data: mind whom you give it to. What cannot be done again (shared virtual memory, programs "
     "from binaries, several devices, …) is said, and no file is made. With --yaml the launches are written as kernel "
     "cases: a suite.yaml that can be read, changed and run.",
     "cltestcheck capture tests.cltc -- ./my_tests", cmd_capture, FOR_CAPTURE},
    {"replay", "do again what was captured, as it was or with a fault", "[OPTIONS] FILE",
     "Does again what `cltestcheck capture` recorded and compares what is read back with what the program got: exits "
     "with 0 when all is the same and with 1 when not. With --mutant or --schedule it shows what that mutant or that "
     "order of work-groups changes: a reproduction of a survivor or a race that needs no program.",
     "cltestcheck replay tests.cltc --mutant 2071", cmd_replay, FOR_REPLAY},
    {"run", "run kernel cases as plain tests", "[OPTIONS] SUITE.yaml…",
     "Runs kernel cases: launches without a host program, which a SUITE.yaml with `kernels:` describes "
     "(docs/kernel-cases.md). Says of each whether it passes; of one that fails, which element is the first that is "
     "wrong, how many are, and by how much. Exits with 4 when a case fails. The other commands take the same files: "
     "coverage, mutate, amplify, races, verify, repair.",
     "cltestcheck run suite.yaml", cmd_run, FOR_RUN},
    {"report", "report on earlier runs: tables, a page, formats for CI", "[OPTIONS] [RUN…]",
     "Reports on runs of the database together: by default the newest of each command on the sources of the newest "
     "run; "
     "else those named, or --all. Without --format, as text. Goes to standard output unless --format "
     "names a file.",
     "cltestcheck report --format lcov=coverage.info --fail-under line=90", cmd_report, FOR_REPORT},
    {"show", "print the rewritten source of a kernel file, or sources with their coverage",
     "[OPTIONS] FILE.cl [-- BUILD OPTIONS] | --annotate [OPTIONS] [FILE…]",
     "Prints what the device's compiler gets instead of FILE.cl built with these options, without running anything. "
     "With "
     "--annotate, the sources of the database's newest runs as they were built: each line with the number of test "
     "cases "
     "that executed it, and under it what was never seen, findings, and mutants that survived.",
     "cltestcheck show kernels.cl -- -DN=64 -I include", cmd_show, FOR_SHOW},
    {"list", "list the benchmarks, or the runs in the database", "[OPTIONS]",
     "Lists the benchmarks that `coverage` knows by name, with their test cases; with --runs, the runs that the "
     "database "
     "holds.",
     "cltestcheck list --runs", cmd_list, FOR_LIST},
    {"diff", "show what changed from one run to another", "[OPTIONS] OLD NEW | A..B",
     "Compares two runs, the newest runs of two databases (FILE.db, or FILE.db:RUN), or the newest runs made at two "
     "git "
     "revisions: lines and outcomes that are newly missed or newly covered, mutants newly not noticed or newly killed, "
     "findings that are new or gone, metrics. Code that has moved is the same code. --fail-on-worse exits with 2 when "
     "anything is worse, new code that no test covers included.",
     "cltestcheck diff --fail-on-worse main..HEAD", cmd_diff, FOR_DIFF},
    {"merge", "copy the runs of other databases into one", "[OPTIONS] FILE.db…",
     "Copies every run of the given databases that the database (--db) does not have yet. Merging twice changes "
     "nothing.",
     "cltestcheck merge --db all.db shard1.db shard2.db", cmd_merge, FOR_MERGE},
    {"devices", "list the OpenCL devices of this machine, and what they promise", "",
     "Lists the devices with the numbers that --device takes.", "cltestcheck devices", cmd_devices, FOR_DEVICES},
    {"config", "show which settings hold, and where they come from", "[COMMAND [OPTIONS]]",
     "Without a COMMAND: what cltestcheck.yaml and the environment (CLTESTCHECK_RUNS, …) set, command by command, and "
     "the suppressions. With one: every setting of that command, with the given options above the rest. Each with its "
     "place: file, line and column, variable, command line, or default.",
     "cltestcheck config mutate --runs 5", cmd_config, FOR_CONFIG},
    {"doctor", "say what is missing on this machine, and what to install", "[OPTIONS]",
     "Looks for the OpenCL loader and whether it loads our layer, devices and their known faults, libclang and its "
     "headers, the files of cltestcheck, and room for temporary files and the database. Exits with 0 when nothing is "
     "missing, and with 1 when something is.",
     "cltestcheck doctor", cmd_doctor, FOR_DOCTOR},
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
