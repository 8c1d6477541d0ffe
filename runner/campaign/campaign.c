/* The phases of a campaign, one after the other. */
#include "runner/campaign/campaign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/build/source_name.h"
#include "runner/campaign/codes.h"
#include "runner/campaign/launches.h"
#include "runner/campaign/races.h"
#include "runner/campaign/reuse.h"
#include "runner/isolate.h"

size_t campaign_decided(const campaign_progress *p) {
  size_t decided = 0;
  for (size_t s = 0; s < MUTANT_STATUSES; s++) {
    decided += p->of[s];
  }
  return decided;
}

/* How long the mutants take is not known before some have run. */
void campaign_progressed(experiment *x) {
  campaign *c = (campaign *)x;
  experiment_progress *p = &c->progress.common;
  if (p->total < p->done) { /* some work is done again */
    p->total = p->done;
  }
  p->remaining = -1;
  if (c->pace.started > 0) {
    const double now = clock_now(), spent = now - c->pace.started;
    p->remaining = campaign_seconds_left(c, now);
    c->progress.rate = spent > 0 ? (double)(campaign_decided(&c->progress) - c->pace.decided_before) / spent : 0;
  }
}

static void find_directories(campaign *c) {
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    add_directories(c->base.options->tests[t].argv, &c->directories.list, &c->directories.count,
                    &c->directories.capacity);
  }
}

/* How many test cases before this one are the same command. */
static size_t same_before(const experiment_options *o, size_t test) {
  size_t count = 0;
  for (size_t t = 0; t < test; t++) {
    count += strcmp(o->tests[t].suite, o->tests[test].suite) == 0 &&
                     strcmp(o->tests[t].name, o->tests[test].name) == 0 &&
                     strcmp(o->tests[t].line, o->tests[test].line) == 0
                 ? 1
                 : 0;
  }
  return count;
}

static bool is_known(const campaign_programs *all, int64_t program) {
  for (size_t p = 0; p < all->count; p++) {
    if (all->list[p]->stored.id == program) {
      return true;
    }
  }
  return false;
}

/* A run can only be gone on with while the kernels are the ones that it began with. */
static int check_resumed(campaign *c, error *e) {
  int64_t *programs = NULL;
  size_t count = 0;
  if (!c->resumed || experiment_stopped(&c->base) || c->out->common.baseline_failed) {
    return 0;
  }
  int result = db_run_programs(c->base.db, c->base.run, &programs, &count, e);
  for (size_t i = 0; i < count && result == 0; i++) {
    if (!is_known(&c->programs, programs[i])) {
      result = error_set(e, EXIT_USAGE,
                         "--resume: the kernels have changed since run %lld began; start again without --resume",
                         (long long)c->base.run);
    }
  }
  free(programs);
  return result;
}

static int begin_tests(campaign *c, error *e) {
  c->tests = mem_calloc(c->base.options->test_count, sizeof *c->tests);
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    const experiment_test *test = &c->base.options->tests[t];
    if (db_find_test_case(c->base.db, c->base.run, test->suite, test->name, test->line,
                          same_before(&c->options->common, t), &c->base.cases[t].row, e) != 0) {
      return -1;
    }
    c->resumed = c->resumed || c->base.cases[t].row != 0;
    if (c->base.cases[t].row == 0 &&
        experiment_begin_test_case(c->base.db, c->base.run, test, &c->base.cases[t].row, e) != 0) {
      return -1;
    }
  }
  return 0;
}

static int end_tests(experiment *x, error *e) {
  for (size_t t = 0; t < x->options->test_count; t++) {
    if (db_end_test_case(x->db, x->cases[t].row, x->cases[t].plain.status, false, e) != 0) {
      return -1;
    }
  }
  return 0;
}

static size_t programs_with_mutants(const campaign_programs *all) {
  size_t count = 0;
  for (size_t p = 0; p < all->count; p++) {
    count += all->list[p]->reason == NULL && (all->list[p]->schema.mutant_count > 0 || all->list[p]->launch_count > 0)
                 ? 1
                 : 0;
  }
  return count;
}

/* Whether the campaign goes on after a phase. */
static bool goes_on(const campaign *c) {
  return !experiment_stopped(&c->base) && !c->out->common.baseline_failed && !c->base.failed;
}

static int run_phases(campaign *c, error *e) {
  int (*const phases[])(campaign *, error *) = {campaign_baseline,      campaign_capture, campaign_launches,
                                                check_resumed,          campaign_prepare, campaign_baseline_later,
                                                campaign_baseline_rest, campaign_select,  campaign_equivalence,
                                                campaign_recall,        campaign_mutants};
  for (size_t i = 0; i < sizeof phases / sizeof phases[0] && goes_on(c); i++) {
    if (phases[i](c, e) != 0) {
      return -1;
    }
    c->out->common.programs = programs_with_mutants(&c->programs);
    if (c->out->common.programs == 0) {
      break;
    }
  }
  if (c->base.failed) {
    *e = c->base.failure;
    return -1;
  }
  return c->out->common.interrupted || c->out->common.out_of_time ? campaign_list(c, e) : 0;
}

void campaign_set_deadline(experiment *x, double deadline) {
  x->deadline = deadline;
  pool_set_deadline(x->pool, deadline);
  isolated_set_deadline(deadline);
}

/* Of a limited time a part is kept to ask the compiler about mutants that nobody noticed: an equivalent one does not
 * count, and would make the score of a campaign that is cut off too low. */
static void keep_time(campaign *c) {
  const double most = 3, part = 0.1 * c->base.options->max_time;
  const double kept = !c->options->equivalence ? 0 : part < most ? part : most;
  c->pace.deadline = c->base.deadline;
  campaign_set_deadline(&c->base, c->base.deadline > 0 ? c->base.deadline - kept : 0);
}

static void free_campaign(campaign *c) {
  for (size_t t = 0; t < c->base.options->test_count && c->tests != NULL; t++) {
    mem_free_all(c->tests[t].reached, c->tests[t].reached_count);
    mem_free_all(c->tests[t].iterations, c->tests[t].iteration_count);
    case_inputs_free(c->tests[t].inputs);
    transcript_free(&c->tests[t].unwritten);
    race_list_free(c->tests[t].races);
  }
  launches_free(c);
  for (size_t i = 0; i < c->references.count; i++) {
    transcript_free(&c->references.list[i]->shown);
    free(c->references.list[i]);
  }
  for (size_t p = 0; p < c->programs.count; p++) {
    campaign_program_free(c->programs.list[p]);
  }
  for (size_t i = 0; i < c->directories.count; i++) {
    free(c->directories.list[i]);
  }
  free(c->tests);
  free(c->references.list);
  free(c->programs.list);
  free(c->directories.list);
  free(c->queue.list);
  free(c->codes.list);
  free(c->codes.device);
}

int campaign_run(db *d, int64_t run, const campaign_options *o, const experiment_listener *l, campaign_outcome *out,
                 error *e) {
  *out = (campaign_outcome){0};
  campaign c = {.options = o, .out = out};
  c.base = (experiment){.kind = &campaign_kind,
                        .options = &o->common,
                        .listener = l,
                        .out = &out->common,
                        .progress = &c.progress.common,
                        .db = d,
                        .run = run};
  experiment_open(&c.base);
  keep_time(&c);
  find_directories(&c);
  const bool ran = begin_tests(&c, e) == 0 && run_phases(&c, e) == 0 && end_tests(&c.base, e) == 0;
  if (ran) {
    experiment_say_rechecked(&c.base, "", out->common.verified, "mutants");
  }
  isolated_set_deadline(0);
  out->decided = campaign_decided(&c.progress);
  for (size_t s = 0; s < MUTANT_STATUSES; s++) {
    out->counted += campaign_is_run((mutant_status)s) || s == MUTANT_NO_COVERAGE ? c.progress.of[s] : 0;
  }
  const int result = experiment_close(&c.base, ran ? 0 : -1, e);
  free_campaign(&c);
  return result;
}
