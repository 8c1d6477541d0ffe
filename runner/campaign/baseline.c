/* The original, several times. */
#include <stdio.h>

#include "base/buffer.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"

int campaign_baseline(campaign *c, error *e) { return experiment_baseline(&c->base, e); }

/* What varies only now may be a test case that cannot be replayed. */
int campaign_baseline_later(campaign *c, error *e) {
  if (!experiment_defers_run(&c->base)) {
    return 0;
  }
  experiment_phase_begin(&c->base, PHASE_BASELINE, c->base.options->test_count);
  int result = experiment_baseline_later(&c->base, e);
  for (size_t t = 0; t < c->base.options->test_count && result == 0 && !c->out->common.baseline_failed; t++) {
    const experiment_case *of = &c->base.cases[t];
    const bool told = !case_is_replayed(of->state) || !campaign_varies(&c->tests[t], &of->plain) ||
                      (case_varies(of->state) && stable_reads(&of->plain) > 0);
    const char *why = told ? NULL : replay_obstacle(&of->plain);
    result = why == NULL ? 0 : experiment_lose_replays(&c->base, t, why, e);
  }
  return result;
}

/* Whether replays do not stand for the other runs. What varies by itself only the program shows. */
static bool is_left(const experiment *x, size_t test) {
  return !experiment_is_replayed(x, test) ||
         campaign_varies(&((const campaign *)x)->tests[test], &x->cases[test].plain);
}

typedef struct unstable_store {
  campaign *campaign;
  size_t test;
  bool printed; /* not read from the device */
} unstable_store;

static int store_unstable(void *context, const char *what, double share, error *e) {
  const unstable_store *s = context;
  const campaign *c = s->campaign;
  const bool varies = s->printed || campaign_varies(&c->tests[s->test], &c->base.cases[s->test].plain);
  char named[600];
  (void)snprintf(named, sizeof named, "%s%s", what, varies ? "" : ", from memory that nobody has written,");
  experiment_note(&c->base,
                  "%s: %s differs from run to run without any mutant (%.3g %% of its bytes, which are no evidence)",
                  c->base.options->tests[s->test].name, named, share * 100);
  return db_add_unstable(c->base.db, c->base.cases[s->test].row, named, share, e);
}

/* Test cases that do nothing on the device, in one sentence for all. */
static void note_idle(experiment *x) {
  enum { NAMED = 3 };
  buffer names = {0};
  size_t count = 0;
  for (size_t t = 0; t < x->options->test_count; t++) {
    if (x->cases[t].state == CASE_IDLE && count++ < NAMED) {
      buffer_printf(&names, "%s%s", count == 1 ? "" : ", ", x->options->tests[t].name);
    }
  }
  if (count > 0) {
    experiment_note(x, "%zu test case%s nothing on the device and %s run against no mutant: %s%s", count,
                    count == 1 ? " does" : "s do", count == 1 ? "is" : "are", buffer_text(&names),
                    count > NAMED ? ", …" : "");
  }
  buffer_free(&names);
}

int campaign_baseline_rest(campaign *c, error *e) {
  const unsigned rest = c->base.options->runs - experiment_program_runs(&c->base);
  experiment_phase_begin(&c->base, PHASE_BASELINE, c->base.options->test_count * rest);
  if (rest > 0 && experiment_run_plain(&c->base, rest, is_left, e) != 0) {
    return -1;
  }
  for (size_t t = 0;
       t < c->base.options->test_count && !experiment_stopped(&c->base) && !c->out->common.baseline_failed; t++) {
    unstable_store s = {.campaign = c, .test = t}, printed = {.campaign = c, .test = t, .printed = true};
    const transcript *plain = &c->base.cases[t].plain;
    if (unstable_outputs(plain, c->base.options->oracle, store_unstable, &s, e) != 0 ||
        (c->base.options->output && plain->unstable_output &&
         store_unstable(&printed, "standard output (see --ignore)", 1, e) != 0)) {
      return -1;
    }
    const bool tells = c->base.cases[t].state == CASE_IDLE || stable_reads(&c->base.cases[t].plain) > 0;
    if (c->base.options->oracle == ORACLE_READS && c->programs.count > 0 && !tells) {
      experiment_note(&c->base,
                      "%s reads nothing back from the device that is the same in every run: only its exit status can "
                      "tell mutants apart (or its output, with --oracle output)",
                      c->base.options->tests[t].name);
    }
  }
  if (c->programs.count > 0) {
    note_idle(&c->base);
  }
  return 0;
}
