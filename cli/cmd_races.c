/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */
#include <fcntl.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/commands.h"
#include "cli/coverage_run.h"

/* The test case once more, checked: nothing of it but its races counts. */
static int run_round(coverage_run *r, const planned_test *t, host_options *options, host_result *h, error *e) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); /* the program has said all that it says */
  options->child.own_streams = nowhere >= 0;
  for (int i = 0; i < 3; i++) {
    options->child.streams[i] = nowhere;
  }
  const int result = host_run(r->checks, r->db, options, h, e);
  (void)close(nowhere);
  if (result == 0 && h->timed_out) {
    say(stderr,
        "cltestcheck: %s took longer than %g seconds while its accesses were checked; races that were seen until "
        "then are kept\n",
        t->name, coverage_limit(r, t));
  }
  return result;
}

/* In as many rounds as it takes until all memory was checked. */
static int run_rounds(coverage_run *r, const planned_test *t, host_options *options, host_result *h, error *e) {
  options->child.cells_round = 0;
  int result = run_round(r, t, options, h, e);
  for (unsigned round = 1; result == 0 && !h->interrupted && !h->timed_out && round < session_check_rounds(r->checks);
       round++) {
    say(stderr, "cltestcheck: %s: its memory is too large to be checked in one run; run %u of %u\n", t->name, round + 1,
        session_check_rounds(r->checks));
    options->child.cells_round = round;
    result = run_round(r, t, options, h, e);
  }
  return result;
}

/* The form that costs least, and once more where that was not enough. */
int coverage_checked(coverage_run *r, const planned_test *t, int64_t test_case, host_options options, error *e) {
  host_result h = {0};
  options.form = r->settings->strict ? SESSION_CHECKED_STRICT : SESSION_CHECKED;
  options.repeats = true;
  session_begin_test_case(r->checks, test_case, t->argv);
  session_check_apart(r->checks, true);
  int result = run_rounds(r, t, &options, &h, e);
  if (result == 0 && !h.interrupted && !h.timed_out && session_has_shared(r->checks)) {
    session_check_apart(r->checks, false);
    result = run_rounds(r, t, &options, &h, e);
  }
  r->interrupted = h.interrupted;
  return result == 0 ? session_end_checks(r->checks, e) : -1;
}

int cmd_races(const settings *s) { return cmd_coverage(s); }
