/* One line a setting. */
#include "cli/experiment_options.h"

#include <stdio.h>

#include "base/say.h"
#include "cli/loading.h"

void experiment_options_place(experiment_options *o, const target *t) {
  o->layer = t->layer;
  o->preload = t->preload;
  o->device = t->device;
  o->devices = t->devices;
  o->device_count = t->device_count;
  o->capture_layer = t->capture;
  o->replay_program = t->replay;
}

void experiment_options_fill(experiment_options *o, const settings *s, const target *t, unsigned jobs) {
  o->engine = (run_engine)run_engine_find(s->experiment.engine);
  o->recheck = s->experiment.verify_engine;
  o->runs = s->experiment.repeats;
  o->jobs = s->limits.jobs > 0 ? s->limits.jobs : jobs;
  o->kernels = chosen_kernels(&s->report.kernels);
  o->seed = s->experiment.seed;
  o->oracle = (transcript_oracle)transcript_oracle_find(s->experiment.oracle);
  o->ignore = s->experiment.ignore.items;
  o->ignore_count = s->experiment.ignore.count;
  o->limit = s->limits.timeout;
  o->max_time = s->limits.max_time;
  experiment_options_place(o, t);
}

void say_failing(const experiment_outcome *out, const char *without, const char *what) {
  if (out->failing > 0 && !out->baseline_failed && !out->interrupted) {
    say(stderr, "cltestcheck: %zu test case%s %s (exit status 4): %s\n", out->failing,
        out->failing == 1 ? " fails" : "s fail", without, what);
  }
}
