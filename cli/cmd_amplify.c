/* cltestcheck amplify: runs test cases under many orders of their work-groups and reports on it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/subprocess.h"
#include "cli/options.h"
#include "cli/output.h"

typedef struct amplify_command {
  settings settings; /* of the command line; for --replay, of the recorded run */
  db_replay recorded;
  amplify_replay replay;
  char **command; /* the recorded one; NULL: a suite's, or the command line has another */
  plan plan;
  amplify_options options;
  db *db;
  int64_t run;
  amplify_outcome out;
  progress_line line;
} amplify_command;

static const char *const phase_names[] = {
    [PHASE_BASELINE] = "ungated",  [PHASE_PREPARE] = "counting launches",  [PHASE_RUNS] = "schedules",
    [PHASE_RECHECK] = "verifying", [PHASE_EXPLANATION] = "looking closer",
};

static void show_progress(void *context, const experiment_progress *common) {
  amplify_command *c = context;
  const amplify_progress *p = (const amplify_progress *)common;
  if (c->settings.report.quiet || !isatty(STDERR_FILENO)) return;
  char line[200];
  int n = 0;
  if (c->plan.count > 1) n += snprintf(line, sizeof line, "%.30s: ", c->plan.tests[p->common.test].name);
  n += snprintf(line + n, sizeof line - (size_t)n, "%s", phase_names[p->common.phase]);
  if (p->common.total > 0)
    n += snprintf(line + n, sizeof line - (size_t)n, " %zu/%zu runs", p->common.done, p->common.total);
  if (p->common.phase == PHASE_RUNS && p->races + p->deadlocks + p->crashes > 0) {
    n += snprintf(line + n, sizeof line - (size_t)n, "  races %zu  deadlocks %zu  crashes %zu", p->races, p->deadlocks,
                  p->crashes);
  }
  if (p->common.remaining >= 0 && p->common.total > 0) {
    (void)snprintf(line + n, sizeof line - (size_t)n, "  %u:%02u left", (unsigned)p->common.remaining / 60,
                   (unsigned)p->common.remaining % 60);
  }
  progress_show(&c->line, line);
}

static void show_note(void *context, const char *text) { progress_note(&((amplify_command *)context)->line, text); }

/* --- a recorded schedule ------------------------------------------------------------------------------------------ */

/* What stands after `key` in the settings of a run, which are lines "key words"; to be freed. NULL: nothing does. */
static char *setting_of(const char *text, const char *key) {
  size_t length = strlen(key);
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
    if (strncmp(line, key, length) == 0 && line[length] == ' ')
      return mem_strndup(line + length + 1, strcspn(line + length + 1, "\n"));
  return NULL;
}

static int prepare_replay(amplify_command *c, error *e) {
  db *d = NULL;
  if (db_open(&d, c->settings.report.database, DB_READ, e) != 0) return -1;
  int result = db_get_replay(d, c->settings.replay.id, &c->recorded, e);
  db_close(d);
  if (result != 0) return -1;
  c->replay = (amplify_replay){
      .kernel = c->recorded.kernel,
      .launch = c->recorded.launch,
      .schedule = {.order = (schedule_order)schedule_order_find(c->recorded.order),
                   .gate = (schedule_gate)schedule_gate_find(c->recorded.gate),
                   .target = c->recorded.target,
                   .seed = c->recorded.seed},
  };
  /* What is not said now is as it was then. */
  scoped char *oracle = setting_of(c->recorded.settings, "oracle");
  scoped char *with = setting_of(c->recorded.settings, "mutant");
  const int found = oracle == NULL ? -1 : transcript_oracle_find(oracle);
  if (found >= 0) c->settings.experiment.oracle = (transcript_oracle)found;
  if (with != NULL && c->settings.experiment.mutant == 0)
    c->settings.experiment.mutant = (uint32_t)strtoul(with, NULL, 10);
  char order[SCHEDULE_TEXT];
  schedule_describe(&c->replay.schedule, order);
  if (!c->settings.report.quiet) {
    say(stderr, "cltestcheck: schedule %lld: kernel %s, launch %u, %s: %s\n", (long long)c->settings.replay.id,
        c->replay.kernel, (unsigned)c->replay.launch, order, c->recorded.command_line);
  }
  const plan_words w = planning_words(&c->settings);
  const recorded_test test = {c->recorded.suite, c->recorded.name, c->recorded.command_line, c->recorded.word};
  return recorded_plan(&w, &test, &c->plan, &c->command, e);
}

static int prepare_amplify(amplify_command *c, error *e) {
  const settings *s = &c->settings;
  const bool once = s->replay.id != 0;
  if ((once ? prepare_replay(c, e) : planning_make(s, &c->plan, e)) != 0) return -1;
  amplify_options *o = &c->options;
  *o = s->amplification;
  o->common = experiment_of(s, 1);
  o->replay = once ? &c->replay : NULL;
  if (memchr(o->plan.orders, true, sizeof o->plan.orders) == NULL) amplify_usual_orders(&o->plan);
  if (target_find(&s->device, TARGET_ALIKE, &o->common.target, e) != 0 ||
      planning_capture(s, &c->plan, &o->common.target, e) != 0)
    return -1;
  if (s->experiment.jobs == 0 && o->common.target.device_count > 1)
    o->common.jobs = (unsigned)o->common.target.device_count;
  if (c->command != NULL) { /* it is the test case of then */
    free((char *)c->plan.tests[0].name);
    c->plan.tests[0].name = mem_strdup(c->recorded.name);
  }
  c->options.common.tests = c->plan.tests;
  c->options.common.test_count = c->options.replay != NULL ? 1 : c->plan.count;
  scoped_buffer recall = buffer_with("oracle %s\nmutant %u\n", transcript_oracle_name(s->experiment.oracle),
                                     (unsigned)s->experiment.mutant);
  return measure_begin(s->report.database, s->given.verb, buffer_text(&recall), &c->db, &c->run, e);
}

/* --- after -------------------------------------------------------------------------------------------------------- */

static int judge_amplify(void *context, const view *v) {
  const amplify_command *c = context;
  const bool depends = c->settings.fail.order && has_order_dependent(v);
  const int code = amplify_judge(&c->options, &c->out, v, count_suppressed_schedules(v), depends);
  return code == EXIT_FINE && fails_on_memory(&c->settings.fail, v) != NULL ? EXIT_THRESHOLD : code;
}

static bool has_launches(void *context, const view *v) {
  (void)context;
  return v->launch_count > 0;
}

static void say_end(void *context, const view *v, int code) {
  const amplify_command *c = context;
  if (c->out.common.baseline_failed) {
    say(stderr, "cltestcheck: %s\n", c->out.common.why);
  } else if (c->out.common.interrupted) {
    (void)fputs("cltestcheck: interrupted; what was found so far is kept\n", stderr);
  } else if (c->out.common.out_of_time && c->out.runs == 0) {
    (void)fputs("cltestcheck: --max-time was over before any schedule was run\n", stderr);
  } else if (c->out.common.processes == 0) {
    say(stderr, "cltestcheck: nothing was amplified: %s\n", no_opencl_call());
  } else if (c->out.common.programs == 0) {
    say(stderr, "cltestcheck: nothing was amplified: %s\n",
        c->out.last_skip[0] != '\0' ? c->out.last_skip : "no kernel was built from source");
  } else if (c->out.launches_all == 0) {
    (void)fputs("cltestcheck: nothing was amplified: no kernel was launched\n", stderr);
  } else if (c->out.gated == 0 && c->out.proved > 0) {
    (void)fputs(
        "cltestcheck: nothing needed to be amplified: every launch with several work-groups is proved to have one "
        "result (--no-trust-proofs runs them all the same)\n",
        stderr);
  } else if (c->out.gated == 0) {
    (void)fputs("cltestcheck: nothing was amplified: no launch has several work-groups that can be put in order\n",
                stderr);
  } else if (c->out.common.contradicted > 0) {
    say(stderr,
        "cltestcheck: %zu of %zu schedules that were run with both engines have two verdicts (above): use --engine "
        "rerun for this program, and report it\n",
        c->out.common.contradicted, c->out.common.verified);
  } else if (c->out.common.out_of_time) {
    (void)fputs("cltestcheck: --max-time is over: schedules have fewer runs than --runs\n", stderr);
  }
  if (!c->settings.report.quiet) framework_hint(&c->settings.tests, c->settings.given.command);
  const bool whole = code == EXIT_FINE || (code == EXIT_BASELINE && c->out.common.failing > 0);
  if (whole && !c->settings.report.quiet && c->out.gated > 0 && !has_other_results(v)) {
    (void)fputs(
        "cltestcheck: no order of work-groups changed a result; `cltestcheck races` looks at every access, inside of "
        "work-groups, too\n",
        stderr);
  }
  say_failing(&c->out.common, "without any gate", "schedules are compared with what they do until then");
  if (code == EXIT_THRESHOLD) say_fails_on_memory(&c->settings.fail, v);
  if (code == EXIT_THRESHOLD && c->settings.fail.order && has_order_dependent(v))
    (void)fputs("cltestcheck: a result depends on the order of work-groups (--fail-on order-dependent)\n", stderr);
  if (c->out.common.device_denied && c->out.common.programs == 0)
    say_denied(&c->settings.given, &c->options.common.target, c->out.common.denied_type);
}

static const measure_words words_of = {judge_amplify, has_launches, NULL, say_end};

static int run_amplify(amplify_command *c, error *e) {
  const experiment_listener listener = {c, show_progress, show_note};
  int result = amplify_run(c->db, c->run, &c->options, &listener, &c->out, e);
  progress_wipe(&c->line);
  if (result != 0) return -1;
  const experiment_outcome *out = &c->out.common;
  if (!out->interrupted && db_end_run(c->db, c->run, out->device, out->status, e) != 0) return -1;
  return db_commit(c->db, e);
}

static int cmd_amplify(const settings *s, error *e) {
  amplify_command c = {.settings = *s};
  const bool ran = prepare_amplify(&c, e) == 0 && run_amplify(&c, e) == 0;
  int code = ran ? measure_report(&c.settings.report, c.db, c.run, &words_of, &c) : -1;
  if (ran) code = emit_cases(&c.settings, &c.plan, &c.options.common.target, c.db, &c.run, 1, code);
  db_close(c.db);
  plan_free(&c.plan);
  db_free_replay(&c.recorded);
  shell_free(c.command);
  target_free(&c.options.common.target);
  return code;
}

const command command_amplify = {
    "amplify",
    "find races and deadlocks between work-groups",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program again and again, unmodified, each time with the work-groups of its kernels in another order: one "
    "of them first or last, ascending, reverse, random. Results that depend on it are a race where a check of all "
    "accesses sees one, and else order-dependent, which is no failure; a group that never ends is a deadlock. Exits "
    "with 3 when something is found and says how to see it again.",
    "cltestcheck amplify --kernel 'reduce*' --max-time 60 -- ./my_tests",
    cmd_amplify,
    FOR_AMPLIFY};
