/* Verdicts of schedules, from the outcomes of their runs. */
#include "schedamp/verdict.h"

#include <string.h>

#include "base/names.h"

static const char *const names[VERDICTS] = {
    [VERDICT_PENDING] = "pending",       [VERDICT_CONSISTENT] = "consistent",     [VERDICT_RACE] = "race",
    [VERDICT_DEADLOCK] = "deadlock",     [VERDICT_OCCUPANCY] = "occupancy-bound", [VERDICT_CRASH] = "crash",
    [VERDICT_ORDER] = "order-dependent", [VERDICT_DIFFERS] = "differs",
};

/* What one run suffices to prove, the worst first. */
static const struct {
  run_outcome outcome;
  schedule_verdict verdict;
} proofs[] = {
    {RUN_CRASH, VERDICT_CRASH},
    {RUN_DEADLOCK, VERDICT_DEADLOCK},
    {RUN_DIFFERS, VERDICT_RACE},
};

const char *schedule_verdict_name(schedule_verdict v) { return names[v]; }

int schedule_verdict_find(const char *name) { return name_number(names, VERDICTS, name); }

size_t schedule_count(const char *outcomes, run_outcome which) {
  size_t count = 0;
  for (; *outcomes != '\0'; outcomes++) count += *outcomes == (char)which ? 1 : 0;
  return count;
}

schedule_verdict schedule_judge(const char *outcomes) {
  if (*outcomes == '\0') return VERDICT_PENDING;
  for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++)
    if (schedule_count(outcomes, proofs[i].outcome) > 0) return proofs[i].verdict;
  return schedule_count(outcomes, RUN_OCCUPANCY) == strlen(outcomes) ? VERDICT_OCCUPANCY : VERDICT_CONSISTENT;
}

static double chance(const char *shows, size_t other_runs) {
  const size_t runs = strlen(shows);
  const size_t differ = runs - schedule_count(shows, RUN_REFERENCE) - schedule_count(shows, RUN_OCCUPANCY);
  double all_in_one = 1;
  for (size_t i = 0; i < differ; i++) all_in_one *= (double)(runs - i) / (double)(runs + other_runs - i);
  return all_in_one;
}

bool schedule_agree(const char *outcomes, const char *other) {
  const schedule_verdict one = schedule_judge(outcomes), two = schedule_judge(other);
  if (one == VERDICT_CONSISTENT)
    return two == VERDICT_CONSISTENT || (two != VERDICT_OCCUPANCY && chance(other, strlen(outcomes)) >= 0.01);
  return one == two || (two == VERDICT_CONSISTENT && schedule_agree(other, outcomes));
}
