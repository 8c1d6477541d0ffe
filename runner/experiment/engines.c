/* Which of what replays decided the program decides once more, and what comes of it. */
#include <string.h>

#include "runner/experiment/experiment.h"

bool experiment_draws(const experiment *x, const uint32_t *parts, size_t count) {
  uint32_t draw = (uint32_t)x->options->seed;
  for (size_t i = 0; i < count; i++) {
    draw = (draw ^ parts[i]) * 2654435761u;
    draw ^= draw >> 15;
  }
  return (double)draw < x->options->recheck / 100 * UINT32_MAX;
}

void experiment_recheck(const experiment *x, const char *what, long long id, const char *replayed, const char *rerun) {
  x->out->verified++;
  if (strcmp(replayed, rerun) != 0) {
    x->out->contradicted++;
    experiment_note(x, "%s %lld: %s by replay, %s by runs of the program, which count", what, id, replayed, rerun);
  }
}

void experiment_say_rechecked(const experiment *x, const char *prefix, size_t count, const char *what) {
  if (count > 0 && !x->out->interrupted && x->out->contradicted == 0) {
    experiment_note(x, "%sreplays and runs of the program agree on all %zu %s that were run with both", prefix, count,
                    what);
  }
}
