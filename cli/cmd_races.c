/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */
#include "cli/commands.h"
#include "cli/measuring.h"

static int cmd_races(const settings *s) {
  return measuring_or_once_more(&(measuring){.settings = s, .options = measure_of(s, FORM_COVERAGE, &look_for_races)});
}

const command command_races = {
    "races",
    "see data races on the device itself",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program twice, unmodified: once for its coverage and barriers that diverge, and once with every access "
    "of its kernels to global and local memory held against what other work-items of the launch did to the same bytes. "
    "Two accesses that nothing orders, one of them a write, are a data race: both are shown, with their work-items. "
    "What was not executed is not seen (`cltestcheck verify` proves). Exits with 3 when a race was found.",
    "cltestcheck races --kernel 'reduce*' -- ./my_tests",
    cmd_races,
    FOR_RACES};
