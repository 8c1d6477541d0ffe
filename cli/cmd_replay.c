/* cltestcheck replay: does again what was captured, as it was, with a mutant or with a schedule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/output.h"
#include "runner/plan/plan.h"

enum { ARGUMENTS = 8 };

static int check_arguments(const settings *s, error *e) {
  if (s->given.positional.count != 1 || s->given.command != NULL)
    return error_set(e, EXIT_USAGE, "replay wants one file that `cltestcheck capture` has made");
  if (s->experiment.mutant != 0 && s->replay.schedule != 0)
    return error_set(e, EXIT_USAGE, "--mutant and --schedule cannot be had together");
  return 0;
}

/* The schedule of the database, with the replay as its program. */
static int replay_schedule(const settings *s, char **argv) {
  settings amplify = *s;
  amplify.given.verb = "amplify";
  amplify.given.positional = (word_list){0};
  amplify.given.command = argv;
  amplify.replay.id = s->replay.schedule;
  return command_amplify.run(&amplify);
}

static int no_mutant(const settings *s, const session *with, error *e) {
  const char *reason = session_summarise(with).last_skip;
  return reason[0] != '\0'
             ? error_set(e, EXIT_USAGE, "--mutant: %s", reason)
             : error_set(e, EXIT_USAGE, "--mutant: no program has mutant %u; `cltestcheck mutate --list` shows them",
                         (unsigned)s->experiment.mutant);
}

static int run_replay(const settings *s, const target *t, char **argv, error *e) {
  recording r;
  program_end h = {0};
  program_options options = {.child = {.argv = argv, .on = {.layer = t->layer, .device = t->device}},
                             .timeout = s->experiment.limit,
                             .form = s->experiment.mutant != 0 ? FORM_COVERAGE : FORM_UNTOUCHED};
  int result = recording_open(&r, e);
  if (result == 0) {
    session_mutate(r.session, s->experiment.mutant);
    result = recording_run(&r, &options, &h, e);
  }
  if (result == 0 && s->experiment.mutant != 0 && !session_has_mutant(r.session)) result = no_mutant(s, r.session, e);
  recording_close(&r);
  if (result == 0 && h.timed_out)
    result = error_set(e, EXIT_BASELINE, "the replay ran longer than %g seconds and was ended", s->experiment.limit);
  if (result == 0 && h.status > 128) {
    result =
        h.interrupted
            ? error_set(e, 130, "interrupted")
            : error_set(e, EXIT_BASELINE,
                        "the replay was killed by signal %d (%s): a kernel leaves its buffers, which a program may get "
                        "away with and a replay does not; --launch N shows what the launches before leave in memory",
                        h.status - 128, strsignal(h.status - 128));
  }
  return result != 0 ? -1 : h.status;
}

/* -1 with `e` set, or the exit code. */
static int replay(const settings *s, const target *t, error *e) {
  if (t->replay == NULL)
    return error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
  char *includes = plan_includes_folder(e);
  if (includes == NULL) return -1;
  char launch[32];
  (void)snprintf(launch, sizeof launch, "%lld", (long long)s->replay.launch);
  char *argv[ARGUMENTS] = {t->replay, (char *)s->given.positional.items[0]};
  if (s->replay.launch >= 0) {
    argv[2] = "--launch";
    argv[3] = launch;
  }
  const int code = s->replay.schedule != 0 ? replay_schedule(s, argv) : run_replay(s, t, argv, e);
  scratch_close(includes);
  return code;
}

static int cmd_replay(const settings *s) {
  error e = {0};
  target t = {0};
  const bool ready = check_arguments(s, &e) == 0 && target_find_one(&s->device, &t, &e) == 0;
  const int code = ready ? replay(s, &t, &e) : -1;
  target_free(&t);
  return code < 0 ? say_error(&e) : code;
}

const command command_replay = {
    "replay",
    "do again what was captured, as it was or with a fault",
    "[OPTIONS] FILE",
    "Does again what `cltestcheck capture` recorded and compares what is read back with what the program got: exits "
    "with 0 when all is the same and with 1 when not. With --mutant or --schedule it shows what that mutant or that "
    "order of work-groups changes: a reproduction of a survivor or a race that needs no program.",
    "cltestcheck replay tests.cltc --mutant 2071",
    cmd_replay,
    FOR_REPLAY};
