/* One test case and one kernel of an earlier run, run again. */
#include "cli/once_more.h"

#include "base/say.h"
#include "cli/output.h"

typedef struct once_more {
  int64_t finding;
  db_seen seen;
} once_more;

static int judge_again(void *context, db *d, int64_t run, int code, error *e) {
  const once_more *m = context;
  bool again = false;
  if (db_seen_again(d, m->finding, run, &again, e) != 0) {
    return -1;
  }
  if (code != EXIT_FINE && code != EXIT_FOUND && code != EXIT_THRESHOLD) {
    return code;
  }
  say(stderr, "cltestcheck: finding %lld is %s\n", (long long)m->finding, again ? "seen again" : "not seen this time");
  return again ? EXIT_FOUND : EXIT_FINE;
}

static int get_finding(const char *database, once_more *m, error *e) {
  db *d = NULL;
  const int result = db_open(&d, database, DB_READ, e) == 0 ? db_get_finding(d, m->finding, &m->seen, e) : -1;
  db_close(d);
  return result;
}

int measuring_or_once_more(const measuring_command *how) {
  const settings *s = how->settings;
  once_more m = {.finding = s->experiment.replay};
  error e;
  if (m.finding == 0) {
    return measuring_run(how);
  }
  if (get_finding(s->report.database, &m, &e) != 0) {
    return say_error(&e);
  }
  if (!s->report.quiet) {
    say(stderr, "cltestcheck: finding %lld: kernel %s: %s\n", (long long)m.finding, m.seen.kernel, m.seen.command_line);
  }
  const char *kernel = m.seen.kernel;
  const recorded_test test = {m.seen.suite, m.seen.name, m.seen.command_line, m.seen.word};
  settings alone = *s;
  alone.report.kernels.wanted = (words){&kernel, 1, 1};
  measuring_command again = *how;
  again.settings = &alone;
  again.again = &test;
  again.judge_again = judge_again;
  again.context = &m;
  const int code = measuring_run(&again);
  db_free_seen(&m.seen);
  return code;
}
