/* Two tables: what holds in a state, and which state comes after it. */
#include "runner/campaign/mutant_state.h"

enum { REPLAYS = 1, CHECKS = 2, DIVERGENCE = 4, UNCHECKED = 8, REVEALS = 16, AGAIN = 32 };

static const unsigned char holds[MUTANT_STATES] = {
    [MUTANT_IDLE] = 0,
    [MUTANT_RUNS] = REPLAYS | UNCHECKED,
    [MUTANT_CHECKS_RACES] = REPLAYS | CHECKS | UNCHECKED,
    [MUTANT_CHECKS_DIVERGENCE] = REPLAYS | CHECKS | DIVERGENCE | UNCHECKED,
    [MUTANT_CHECKS_LAST_DOUBT] = REPLAYS | CHECKS | DIVERGENCE | UNCHECKED,
    [MUTANT_CHECKED] = REPLAYS,
    [MUTANT_ALIKE] = REPLAYS,
    [MUTANT_RACES] = REPLAYS,
    [MUTANT_RERUNS] = 0,
    [MUTANT_REVEALS] = REVEALS,
    [MUTANT_AGAIN] = AGAIN,
    [MUTANT_AGAIN_REVEALS] = AGAIN | REVEALS,
};

static const struct {
  mutant_state from;
  mutant_event event;
  mutant_state to;
} steps[] = {
    {MUTANT_IDLE, MUTANT_IS_TAKEN, MUTANT_RUNS},
    {MUTANT_RUNS, MUTANT_WANTS_CHECK, MUTANT_CHECKS_RACES},
    {MUTANT_RUNS, MUTANT_REPLAY_FAILED, MUTANT_RERUNS},
    {MUTANT_RUNS, MUTANT_IS_ASKED, MUTANT_REVEALS},
    {MUTANT_RUNS, MUTANT_IS_VERIFIED, MUTANT_AGAIN},
    {MUTANT_CHECKS_RACES, MUTANT_NEW_RACE, MUTANT_RACES},
    {MUTANT_CHECKS_RACES, MUTANT_OLD_RACE, MUTANT_CHECKED},
    {MUTANT_CHECKS_RACES, MUTANT_NO_RACE, MUTANT_ALIKE},
    {MUTANT_CHECKS_RACES, MUTANT_UNCHECKED, MUTANT_CHECKED},
    {MUTANT_CHECKS_DIVERGENCE, MUTANT_NEW_RACE, MUTANT_RACES},
    {MUTANT_CHECKS_DIVERGENCE, MUTANT_OLD_RACE, MUTANT_CHECKED},
    {MUTANT_CHECKS_DIVERGENCE, MUTANT_NO_RACE, MUTANT_CHECKED}, /* the check for races showed what does */
    {MUTANT_CHECKS_DIVERGENCE, MUTANT_UNCHECKED, MUTANT_CHECKED},
    {MUTANT_CHECKS_LAST_DOUBT, MUTANT_NEW_RACE, MUTANT_RACES},
    {MUTANT_CHECKS_LAST_DOUBT, MUTANT_OLD_RACE, MUTANT_CHECKED},
    {MUTANT_CHECKS_LAST_DOUBT, MUTANT_NO_RACE, MUTANT_ALIKE},
    {MUTANT_CHECKS_LAST_DOUBT, MUTANT_UNCHECKED, MUTANT_CHECKED},
    {MUTANT_CHECKED, MUTANT_MAY_DIVERGE, MUTANT_CHECKS_DIVERGENCE},
    {MUTANT_CHECKED, MUTANT_REPLAY_FAILED, MUTANT_RERUNS},
    {MUTANT_CHECKED, MUTANT_IS_ASKED, MUTANT_REVEALS},
    {MUTANT_ALIKE, MUTANT_MAY_DIVERGE, MUTANT_CHECKS_LAST_DOUBT},
    {MUTANT_ALIKE, MUTANT_REPLAY_FAILED, MUTANT_RERUNS},
    {MUTANT_ALIKE, MUTANT_IS_ASKED, MUTANT_REVEALS},
    {MUTANT_RACES, MUTANT_IS_ASKED, MUTANT_REVEALS},
    {MUTANT_RERUNS, MUTANT_IS_ASKED, MUTANT_REVEALS},
    {MUTANT_AGAIN, MUTANT_IS_ASKED, MUTANT_AGAIN_REVEALS},
};

mutant_state mutant_after(mutant_state s, mutant_event event) {
  if (event == MUTANT_IS_DECIDED || s == MUTANT_IDLE) {
    return event == MUTANT_IS_TAKEN ? MUTANT_RUNS : MUTANT_IDLE;
  }
  if (event == MUTANT_NEXT_TEST) {
    return mutant_is_again(s) ? MUTANT_AGAIN : MUTANT_RUNS;
  }
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if (steps[i].from == s && steps[i].event == event) {
      return steps[i].to;
    }
  }
  return s;
}

bool mutant_replays(mutant_state s) { return (holds[s] & REPLAYS) != 0; }
bool mutant_checks(mutant_state s) { return (holds[s] & CHECKS) != 0; }
bool mutant_checks_divergence(mutant_state s) { return (holds[s] & DIVERGENCE) != 0; }
bool mutant_is_unchecked(mutant_state s) { return (holds[s] & UNCHECKED) != 0; }
bool mutant_reveals(mutant_state s) { return (holds[s] & REVEALS) != 0; }
bool mutant_is_again(mutant_state s) { return (holds[s] & AGAIN) != 0; }
