/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/say.h"
#include "cli/commands.h"
#include "cli/coverage_run.h"
#include "cli/loading.h"
#include "cli/output.h"

/* A run that ended early has not checked everything; one that was killed has shown nothing of what comes after. */
static int say_end_of_round(coverage_run *r, const planned_test *t, const host_result *h, error *e) {
  enum { KILLED = 128 };
  const bool killed = !h->timed_out && h->status > KILLED && h->status != r->usual;
  buffer text = {0};
  if (h->timed_out) {
    buffer_printf(&text, "took longer than %g seconds while its accesses were checked; what came later is not checked",
                  coverage_limit(r, t));
  } else if (killed) {
    buffer_printf(&text,
                  "was killed by signal %d while its accesses were checked, and ended with status %d before: whether "
                  "its work-items race is not known",
                  h->status - KILLED, r->usual);
  } else {
    buffer_printf(&text,
                  "ended with status %d while its accesses were checked, and with %d before: what it did not reach, or "
                  "what its device could not build, is not checked",
                  h->status, r->usual);
  }
  r->crashed = r->crashed || killed;
  say(stderr, "cltestcheck: %s %s\n", t->name, buffer_text(&text));
  const int result = db_add_skipped(r->db, r->run, t->name, buffer_text(&text), e);
  buffer_free(&text);
  return result;
}

/* The test case once more, checked: nothing of it but its races counts. */
static int run_round(coverage_run *r, const planned_test *t, host_options *options, host_result *h, error *e) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); /* the program has said all that it says */
  options->child.own_streams = nowhere >= 0;
  for (int i = 0; i < 3; i++) {
    options->child.streams[i] = nowhere;
  }
  const int result = host_run(r->checks, r->db, options, h, e);
  (void)close(nowhere);
  const bool otherwise = h->timed_out || (!h->interrupted && h->status != r->usual);
  return result == 0 && otherwise ? say_end_of_round(r, t, h, e) : result;
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

/* --- what coverage says against it -------------------------------------------------------------------------------- */

static bool was_executed(const view *v, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < v->line_count; i++) {
    if (v->lines[i].file == file && v->lines[i].line == line) {
      return v->lines[i].tests > 0;
    }
  }
  return true; /* a line without code of its own */
}

/* The line of an access that the first run did not come to; 0: none. */
static uint32_t unexecuted_line(const view *v, const view_finding *f) {
  for (size_t i = 0; i < f->place_count; i++) {
    if (!was_executed(v, f->places[i].file, f->places[i].line)) {
      return f->places[i].line;
    }
  }
  return 0;
}

size_t races_contradicted(const view *v, const settings *s) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    const view_finding *f = &v->findings[i];
    const uint32_t line = strcmp(f->rule, "data-race") == 0 && finding_counts(f, s) ? unexecuted_line(v, f) : 0;
    if (line == 0) {
      continue;
    }
    count++;
    say(stderr,
        "cltestcheck: the race of kernel %s in line %u is not certain: no work-item came to that line while coverage "
        "was measured; the program did something else in the run that checks accesses, or the device's compiler made "
        "something else of the checked kernel\n",
        f->kernel, line);
  }
  return count;
}

/* --- a finding once more ------------------------------------------------------------------------------------------ */

int races_judge_again(const coverage_run *r, int code, error *e) {
  bool again = false;
  if (db_seen_again(r->db, r->again->finding, r->run, &again, e) != 0) {
    return -1;
  }
  if (code != EXIT_FINE && code != EXIT_FOUND && code != EXIT_THRESHOLD) {
    return code;
  }
  say(stderr, "cltestcheck: finding %lld is %s\n", (long long)r->again->finding,
      again ? "seen again" : "not seen this time");
  return again ? EXIT_FOUND : EXIT_FINE;
}

static int get_finding(const settings *s, races_again *again, error *e) {
  db *d = NULL;
  again->finding = s->replay;
  const int result =
      db_open(&d, s->database, DB_READ, e) == 0 ? db_get_finding(d, again->finding, &again->seen, e) : -1;
  db_close(d);
  return result;
}

int cmd_races(const settings *s) {
  if (s->replay == 0) {
    return coverage_command(s, NULL);
  }
  races_again again = {0};
  error e;
  if (get_finding(s, &again, &e) != 0) {
    return say_error(&e);
  }
  if (!s->quiet) {
    say(stderr, "cltestcheck: finding %lld: kernel %s: %s\n", (long long)again.finding, again.seen.kernel,
        again.seen.command_line);
  }
  const char *kernel = again.seen.kernel;
  settings alone = *s;
  alone.kernels = (words){&kernel, 1, 1};
  const int code = coverage_command(&alone, &again);
  db_free_seen(&again.seen);
  return code;
}
