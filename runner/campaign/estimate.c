#include "runner/campaign/estimate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/internal.h"

double estimate_left(const mutant_costs *costs, double spent) {
  double seconds = 0, left = 0;
  size_t done = 0;
  for (size_t k = 0; k < MUTANT_COSTS; k++) {
    seconds += costs->seconds[k];
    done += costs->done[k];
  }
  for (size_t k = 0; k < MUTANT_COSTS && done > 0; k++) {
    const double mean = costs->done[k] > 0 ? costs->seconds[k] / (double)costs->done[k] : seconds / (double)done;
    left += (double)costs->left[k] * mean;
  }
  return done == 0 || seconds <= 0 ? -1 : left * spent / seconds; /* several run at the same time */
}

/* --- of a campaign ------------------------------------------------------------------------------------------------ */

/* A mutant's place in the order, by what has to be built for it. */
typedef struct turn {
  uint32_t program, kernel, part;
  size_t place;
  campaign_mutant *mutant;
} turn;

static int by_build(const void *a, const void *b) {
  const turn *x = a, *y = b;
  const uint64_t pairs[][2] = {
      {x->program, y->program}, {x->kernel, y->kernel}, {x->part, y->part}, {x->place, y->place}};
  int result = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && result == 0; i++) {
    result = pairs[i][0] < pairs[i][1] ? -1 : pairs[i][0] > pairs[i][1];
  }
  return result;
}

static bool same_build(const turn *a, const turn *b) {
  return a->program == b->program && a->kernel == b->kernel && a->part == b->part;
}

void campaign_expect(campaign *c) {
  turn *turns = mem_calloc(c->queue.count + 1, sizeof *turns);
  size_t count = 0;
  for (size_t i = 0; i < c->queue.count; i++) {
    campaign_mutant *m = mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
    m->cost = m->form == MUTANT_CLONED ? COST_CLONE : COST_BUILT;
    if (m->reached && m->form == MUTANT_SELECTED && m->mutant->kernel_count > 0) {
      turns[count++] = (turn){(uint32_t)c->queue.list[i].program, m->mutant->kernels[0], m->part, i, m};
    }
  }
  qsort(turns, count, sizeof *turns, by_build);
  for (size_t i = 0; i < count; i++) {
    turns[i].mutant->cost = i == 0 || !same_build(&turns[i - 1], &turns[i]) ? COST_BUILDS : COST_BUILT;
  }
  free(turns);
}

void campaign_spent(campaign_pace *pace, const campaign_mutant *m, double seconds) {
  pace->costs.seconds[m->cost] += seconds;
  pace->costs.done[m->cost]++;
}

double campaign_seconds_left(campaign *c, double now) {
  enum { COUNTS_A_SECOND = 2 };
  if (now - c->pace.counted > 1.0 / COUNTS_A_SECOND) {
    c->pace.counted = now;
    memset(c->pace.costs.left, 0, sizeof c->pace.costs.left);
    for (size_t i = 0; i < c->queue.count; i++) {
      const campaign_mutant *m = mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
      c->pace.costs.left[m->cost] += m->reached && !m->decided ? 1 : 0;
    }
  }
  const double by_costs = estimate_left(&c->pace.costs, now - c->pace.started);
  const double by_limit = c->base.deadline - now;
  return c->base.deadline > 0 && (by_costs < 0 || by_limit < by_costs) ? by_limit : by_costs;
}
