/* From runs of a mutant to its status. */
#include "mutate/verdict.h"

/* The first line that was seen is the reason. */
static const struct {
  unsigned seen;
  size_t reason; /* member of a verdict */
} reasons[] = {
    {MUTANT_SEEN_TIMEOUT, offsetof(mutant_verdict, timeout)}, {MUTANT_SEEN_DIVISION, offsetof(mutant_verdict, crash)},
    {MUTANT_SEEN_FAULT, offsetof(mutant_verdict, crash)},     {MUTANT_SEEN_READ, offsetof(mutant_verdict, output)},
    {MUTANT_SEEN_SIGNAL, offsetof(mutant_verdict, crash)},    {MUTANT_SEEN_RESULT, offsetof(mutant_verdict, output)},
    {MUTANT_SEEN_ESCAPE, offsetof(mutant_verdict, crash)},    {MUTANT_SEEN_REFUSAL, offsetof(mutant_verdict, crash)},
};

void mutant_count_run(mutant_verdict *v, unsigned seen, bool replayed) {
  v->runs++;
  v->replayed += replayed ? 1 : 0;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
    if ((seen & reasons[i].seen) != 0) {
      ++*(uint32_t *)(void *)((char *)v + reasons[i].reason);
      return;
    }
  }
}

uint32_t mutant_differing(const mutant_verdict *v) { return v->output + v->crash + v->timeout; }

uint32_t mutant_wanted_runs(const mutant_verdict *v, uint32_t runs, uint32_t least_replays) {
  const bool replays = v->replayed > 0 && v->replayed == v->runs;
  return replays && runs < least_replays ? least_replays : runs;
}

bool mutant_settled(const mutant_verdict *v, uint32_t runs, uint32_t least_replays) {
  const uint32_t differ = mutant_differing(v);
  return v->runs >= mutant_wanted_runs(v, runs, least_replays) || (differ > 0 && differ < v->runs);
}

bool mutant_replays_tell(const mutant_verdict *v, bool escaped) {
  return mutant_differing(v) == v->runs || (mutant_differing(v) == 0 && !escaped);
}

bool mutant_left_open(const mutant_verdict *v) {
  return mutant_differing(v) > 0 && (mutant_differing(v) < v->runs || v->crash > 0);
}

static uint32_t take_some(uint32_t *from, uint32_t left) {
  const uint32_t taken = *from < left ? *from : left;
  *from = taken;
  return left - taken;
}

void mutant_shorten(mutant_verdict *v, uint32_t runs) {
  if (v->runs <= runs) {
    return;
  }
  uint32_t *kept[] = {&v->crash, &v->output, &v->timeout};
  if (v->crash < v->output || v->crash < v->timeout) {
    kept[0] = v->timeout > v->output ? &v->timeout : &v->output;
    kept[1] = v->timeout > v->output ? &v->output : &v->timeout;
    kept[2] = &v->crash;
  }
  uint32_t left = runs;
  for (size_t i = 0; i < 3; i++) {
    left = take_some(kept[i], left);
  }
  v->replayed = v->replayed < runs ? v->replayed : runs;
  v->runs = runs;
}

static const char *main_reason(const mutant_verdict *v) {
  if (v->crash >= v->output && v->crash >= v->timeout) {
    return "crash";
  }
  return v->timeout > v->output ? "timeout" : "output";
}

mutant_status mutant_judge(const mutant_verdict *verdicts, size_t count, uint32_t runs, const char **reason) {
  mutant_status status = MUTANT_SURVIVED;
  *reason = "";
  for (size_t t = 0; t < count; t++) {
    const mutant_verdict *v = &verdicts[t];
    if (v->runs >= runs && mutant_differing(v) == v->runs && status != MUTANT_KILLED) {
      status = MUTANT_KILLED;
      *reason = main_reason(v);
    } else if (mutant_differing(v) > 0 && status == MUTANT_SURVIVED) {
      status = MUTANT_UNDECIDED;
      *reason = main_reason(v);
    }
  }
  return status;
}
