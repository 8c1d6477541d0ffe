/* The status of a mutant, from its runs. */
#include "mutate/verdict.h"

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* The first line that was seen is the reason. */
static const struct {
  unsigned seen;
  size_t reason; /* member of a verdict */
} reasons[] = {
    {MUTANT_SEEN_OUTSIDE, offsetof(mutant_verdict, outside)}, {MUTANT_SEEN_TIMEOUT, offsetof(mutant_verdict, timeout)},
    {MUTANT_SEEN_DIVISION, offsetof(mutant_verdict, crash)},  {MUTANT_SEEN_FAULT, offsetof(mutant_verdict, crash)},
    {MUTANT_SEEN_READ, offsetof(mutant_verdict, output)},     {MUTANT_SEEN_SIGNAL, offsetof(mutant_verdict, crash)},
    {MUTANT_SEEN_RESULT, offsetof(mutant_verdict, output)},   {MUTANT_SEEN_REFUSAL, offsetof(mutant_verdict, crash)},
};

/* Reasons by name. */
static const struct {
  const char *name;
  size_t member; /* of a verdict */
} names[] = {
    {"out of bounds", offsetof(mutant_verdict, outside)}, {"crash", offsetof(mutant_verdict, crash)},
    {"output", offsetof(mutant_verdict, output)},         {"timeout", offsetof(mutant_verdict, timeout)},
    {"unwritten", offsetof(mutant_verdict, unwritten)},   {"race", offsetof(mutant_verdict, race)},
};

enum { REASONS = sizeof names / sizeof names[0] };

static uint32_t *count_of(mutant_verdict *v, size_t member) { return (uint32_t *)(void *)((char *)v + member); }

static uint32_t known_count(const mutant_verdict *v, size_t member) {
  return *(const uint32_t *)(const void *)((const char *)v + member);
}

static size_t reason_row(const mutant_verdict *v) {
  size_t best = 0;
  for (size_t i = 1; i < REASONS; i++)
    best = known_count(v, names[i].member) > known_count(v, names[best].member) ? i : best;
  return best;
}

static size_t main_reason(const mutant_verdict *v) { return names[reason_row(v)].member; }

/* The first run that differs decides the reason: whether a later one crashes, or hangs until its limit, is chance. */
void mutant_count_run(mutant_runs *r, size_t filling, unsigned seen, bool replayed) {
  const bool first = mutant_differing(&r->v) == 0 || (seen & MUTANT_SEEN_OUTSIDE) != 0;
  r->v.runs++;
  r->v.replayed += replayed ? 1 : 0;
  r->made[filling]++;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
    if ((seen & reasons[i].seen) != 0) {
      ++*count_of(&r->v, first ? reasons[i].reason : main_reason(&r->v));
      r->differed[filling]++;
      return;
    }
  }
}

uint32_t mutant_differing(const mutant_verdict *v) {
  return v->output + v->crash + v->timeout + v->outside + v->unwritten + v->race;
}

/* --- all runs of a test case -------------------------------------------------------------------------------------- */

static bool varies_by_itself(const mutant_runs *r) {
  bool varies = false;
  for (size_t f = 0; f < MUTANT_FILLINGS; f++) varies = varies || (r->differed[f] > 0 && r->differed[f] < r->made[f]);
  return varies;
}

/* Whether as many fillings as are needed have been tried so often. */
static bool are_tried(const mutant_runs *r, const mutant_need *need, uint32_t often) {
  uint32_t tried = 0;
  for (size_t f = 0; f < MUTANT_FILLINGS; f++) tried += r->made[f] >= often ? 1 : 0;
  return tried >= need->fillings;
}

static bool is_mixed(const mutant_verdict *v) { return mutant_differing(v) > 0 && mutant_differing(v) < v->runs; }

static uint32_t wanted_runs(const mutant_need *need) {
  return need->runs > need->fillings ? need->runs : need->fillings;
}

bool mutant_settled(const mutant_runs *r, const mutant_need *need) {
  return r->v.outside > 0 || (need->race && mutant_differing(&r->v) < r->v.runs) || varies_by_itself(r) ||
         r->v.runs >= wanted_runs(need) || (need->steady && are_tried(r, need, 1)) ||
         (is_mixed(&r->v) && are_tried(r, need, 2));
}

mutant_verdict mutant_conclude(const mutant_runs *r, const mutant_need *need) {
  mutant_verdict v = r->v;
  const uint32_t wanted = wanted_runs(need);
  const uint32_t replayed = v.replayed == v.runs ? wanted : v.replayed;
  if (v.outside > 0) return (mutant_verdict){.runs = wanted, .outside = wanted, .replayed = replayed};
  if (need->race && mutant_differing(&v) < v.runs)
    return (mutant_verdict){.runs = wanted, .race = wanted, .replayed = replayed};
  if (is_mixed(&v) && !varies_by_itself(r))
    return (mutant_verdict){.runs = v.runs, .replayed = v.replayed, .unwritten = mutant_differing(&v)};
  if (need->steady && !is_mixed(&v) && v.runs < wanted) {
    *count_of(&v, main_reason(&v)) += mutant_differing(&v) > 0 ? wanted - v.runs : 0;
    v.runs = wanted;
    v.replayed = replayed;
  }
  return v;
}

void mutant_shorten(mutant_verdict *v, uint32_t runs) {
  if (v->runs <= runs) return;
  mutant_verdict kept = {.runs = runs, .replayed = v->replayed < runs ? v->replayed : runs};
  *count_of(&kept, main_reason(v)) = mutant_differing(v) < runs ? mutant_differing(v) : runs;
  *v = kept;
}

/* --- all test cases ----------------------------------------------------------------------------------------------- */

mutant_status mutant_judge(const mutant_verdict *verdicts, size_t count, uint32_t runs, const char **reason) {
  mutant_status status = MUTANT_SURVIVED;
  bool by_race = false;
  *reason = "";
  for (size_t t = 0; t < count; t++) {
    const mutant_verdict *v = &verdicts[t];
    if (v->runs >= runs && mutant_differing(v) == v->runs && (status != MUTANT_KILLED || (by_race && v->race == 0))) {
      status = MUTANT_KILLED;
      *reason = names[reason_row(v)].name;
      by_race = v->race > 0; /* what another test case's data show goes before that */
    } else if (mutant_differing(v) > 0 && status == MUTANT_SURVIVED) {
      status = MUTANT_UNDECIDED;
      *reason = names[reason_row(v)].name;
    }
  }
  return status;
}
