/* Mutants run in rounds, and after some of them the compiler is asked about code.
 *
 * The first two rounds have verdicts before code is compared. Then that of all is, where it does not take long; of a
 * large campaign that of mutants that nobody noticed, after each round of the largest size, as they may be equivalent.
 * Which of the others are duplicates can wait until all have run. */
#include "base/clock.h"
#include "runner/campaign/internal.h"

enum { FIRST_ROUND = 16, LARGEST_ROUND = 512, ROUND_GROWTH = 3 };

static const campaign_mutant *at_turn(const campaign *c, size_t i) {
  return mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
}

/* Those up to a place in the order that are to be run. */
static size_t count_undecided(const campaign *c, size_t end) {
  size_t count = 0;
  for (size_t i = 0; i < end; i++) {
    count += at_turn(c, i)->reached && !at_turn(c, i)->decided ? 1 : 0;
  }
  return count;
}

/* The end of a round of so many more that are to be run. */
static size_t end_of_round(const campaign *c, size_t size) {
  size_t end = c->queue.end;
  for (size_t count = 0; end < c->queue.count && count < size; end++) {
    count += at_turn(c, end)->reached && !at_turn(c, end)->decided ? 1 : 0;
  }
  return end;
}

/* Runs what is not decided of the mutants up to the end of the round. */
static int run_round(campaign *c, error *e) {
  const size_t left = count_undecided(c, c->queue.end);
  if (left == 0 || experiment_stopped(&c->base)) {
    return 0;
  }
  experiment_phase_begin(&c->base, PHASE_RUNS, left);
  return campaign_round(c, e);
}

static int compare_behind_round(campaign *c, size_t size, error *e) {
  const bool large = c->queue.to_run > LARGEST_ROUND;
  const bool due = large ? size == LARGEST_ROUND : size == FIRST_ROUND * ROUND_GROWTH;
  return due && !experiment_stopped(&c->base) ? campaign_compare(c, !large, e) : 0;
}

static int run_rounds(campaign *c, error *e) {
  for (size_t size = FIRST_ROUND; c->queue.end < c->queue.count && !experiment_stopped(&c->base);) {
    c->queue.end = end_of_round(c, size);
    if (run_round(c, e) != 0 || campaign_draw_unreached(c, false, e) != 0 || compare_behind_round(c, size, e) != 0) {
      return -1;
    }
    size = size * ROUND_GROWTH < LARGEST_ROUND ? size * ROUND_GROWTH : LARGEST_ROUND;
  }
  return 0;
}

/* What is asked of the compiler at the end: about all mutants, or, where the time is over, about those that nobody
 * noticed, for which some of the time was kept. */
static int compare_at_end(campaign *c, error *e) {
  const bool whole = !experiment_stopped(&c->base);
  if (c->out->common.interrupted) {
    return 0;
  }
  campaign_set_deadline(&c->base, c->pace.deadline);
  return campaign_compare(c, whole, e);
}

int campaign_mutants(campaign *c, error *e) {
  c->pace.started = clock_now();
  c->pace.decided_before = campaign_decided(&c->progress);
  experiment_phase_begin(&c->base, PHASE_RUNS, c->queue.to_run);
  if (run_rounds(c, e) != 0 || compare_at_end(c, e) != 0) {
    return -1;
  }
  const bool left = count_undecided(c, c->queue.count) > 0;
  if (!left && campaign_draw_unreached(c, true, e) != 0) {
    return -1;
  }
  c->out->common.out_of_time = c->out->common.out_of_time && (left || !campaign_compared(&c->codes));
  return 0;
}
