/* cltestcheck coverage: runs test cases under the layer and reports what their kernels did. */
#include "cli/commands.h"
#include "cli/measuring.h"

static int cmd_coverage(const settings *s) {
  return measuring_run(&(measuring){.settings = s, .options = measure_of(s, FORM_COVERAGE, NULL)});
}

const command command_coverage = {
    "coverage",
    "measure coverage of the kernels that a program runs",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program, unmodified, with every OpenCL kernel that it builds from source instrumented, keeps the "
    "evidence in the results database and prints a table. The program keeps its own standard output and error; ours go "
    "to standard error. A BENCHMARK is one of `cltestcheck list`; a SUITE.yaml names a program and its test cases; a "
    "CAPTURE is a file of `cltestcheck capture`. With --pytest, --gtest or --ctest each test of a framework is a test "
    "case (docs/recipes).",
    "cltestcheck coverage --show-missed --fail-under branch=80 -- ./my_tests",
    cmd_coverage,
    FOR_COVERAGE};
