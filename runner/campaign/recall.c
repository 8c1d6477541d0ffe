/* Taking over the verdicts of earlier runs, and keeping those of this one for later runs. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/reuse.h"

/* --- looking up --------------------------------------------------------------------------------------------------- */

static int look_up(campaign *c, size_t program, uint32_t index, size_t test, verdict_basis basis, mutant_verdict *v,
                   error *e) {
  const int64_t row = mutant_at(&c->programs, program, index)->row;
  const uint32_t least = basis == BASIS_REPLAY ? REPLAY_FILLINGS : 1;
  const uint32_t runs = c->base.options->runs > least ? c->base.options->runs : least;
  int64_t found = 0;
  char key[KEY_SIZE];
  verdict_key(c, program, index, test, basis, key);
  if (key[0] == '\0') {
    return 0;
  }
  if (db_find_verdict(c->base.db, key, runs, &found, v, e) != 0) {
    return -1;
  }
  mutant_shorten(v, runs);
  v->revealed = REVEALED_UNKNOWN;                    /* that was another program's, maybe */
  const bool own = found == c->base.cases[test].row; /* by a run that this one goes on with */
  if (found != 0 && !own &&
      (db_put_verdict(c->base.db, c->base.cases[test].row, row, v, e) != 0 ||
       db_keep_verdict(c->base.db, c->base.cases[test].row, row, key, true, e) != 0)) {
    return -1;
  }
  return found == 0 ? 0 : campaign_recall_revealed(c, program, index, test, v, e);
}

static int recall_mutant(campaign *c, size_t program, uint32_t index, error *e) {
  campaign_mutant *m = mutant_at(&c->programs, program, index);
  m->known = mem_calloc(c->base.options->test_count, sizeof *m->known);
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    if (campaign_reached(c, t, program, index)) {
      const bool replayed = experiment_is_replayed(&c->base, t), verified = replayed && c->base.options->recheck > 0;
      if (look_up(c, program, index, t, verified || !replayed ? BASIS_PROGRAM : BASIS_REPLAY, &m->known[t], e) != 0 ||
          (verified && m->known[t].runs == 0 && look_up(c, program, index, t, BASIS_REPLAY, &m->known[t], e) != 0)) {
        return -1;
      }
    }
  }
  return 0;
}

int campaign_recall(campaign *c, error *e) {
  for (size_t p = 0; p < c->programs.count && c->options->reuse; p++) {
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = mutant_at(&c->programs, p, m);
      if (one->chosen && one->reached && !one->decided && recall_mutant(c, p, m, e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

void campaign_known_verdicts(const campaign_options *o, const campaign_mutant *m, mutant_verdict *verdicts) {
  if (m->known != NULL) {
    memcpy(verdicts, m->known, o->common.test_count * sizeof *verdicts);
  }
}

/* --- keeping ------------------------------------------------------------------------------------------------------ */

int campaign_put_verdict(campaign *c, const reference *r, uint32_t index, const mutant_verdict *v, bool known,
                         error *e) {
  const int64_t test = c->base.cases[r->test].row;
  const int64_t row = mutant_at(&c->programs, r->program, index)->row;
  char key[KEY_SIZE] = "";
  if (known && !campaign_varies(&c->tests[r->test], &r->shown)) {
    verdict_key(c, r->program, index, r->test, v->replayed == 0 ? BASIS_PROGRAM : BASIS_REPLAY, key);
  }
  if (db_put_verdict(c->base.db, test, row, v, e) != 0) {
    return -1;
  }
  return key[0] == '\0' ? 0 : db_keep_verdict(c->base.db, test, row, key, false, e);
}
