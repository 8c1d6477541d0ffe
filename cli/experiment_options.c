/* One line a setting. */
#include "cli/experiment_options.h"

#include <stdio.h>

#include "base/say.h"
#include "cli/loading.h"

void experiment_options_fill(experiment_options *o, const settings *s, const target *t, unsigned jobs) {
  o->layer = t->layer;
  o->preload = t->preload;
  o->device = t->device;
  o->devices = t->devices;
  o->device_count = t->device_count;
  o->capture_layer = t->capture;
  o->replay_program = t->replay;
  o->engine = (run_engine)run_engine_find(s->mutation.engine);
  o->recheck = s->mutation.verify_engine;
  o->runs = s->repeats;
  o->jobs = s->jobs > 0 ? s->jobs : jobs;
  o->kernels = chosen_kernels(s);
  o->seed = s->seed;
  o->oracle = (transcript_oracle)transcript_oracle_find(s->mutation.oracle);
  o->ignore = s->mutation.ignore.items;
  o->ignore_count = s->mutation.ignore.count;
  o->limit = s->timeout;
  o->max_time = s->max_time;
}

void say_failing(const experiment_outcome *out, const char *without, const char *what) {
  if (out->failing > 0 && !out->baseline_failed && !out->interrupted) {
    say(stderr, "cltestcheck: %zu test case%s %s (exit status 4): %s\n", out->failing,
        out->failing == 1 ? " fails" : "s fail", without, what);
  }
}
