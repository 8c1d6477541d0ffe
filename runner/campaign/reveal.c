/* Whether the program itself notices a mutant that a test case kills: one run of it from start to end with the mutant in
 * place, of which its exit status counts, that it ends at all, and its standard output where that is looked at. */
#include <string.h>

#include "mutate/verdict.h"
#include "runner/campaign/reuse.h"

/* By what a program could notice: a race that its data do not show is none of that. */
static bool kills(const campaign_options *o, const mutant_verdict *v) {
  return v->runs >= o->common.runs && mutant_differing(v) == v->runs && v->race == 0;
}

bool campaign_wants_reveal(const campaign_options *o, const mutant_verdict *verdicts, size_t test) {
  bool known = !o->reveal || !kills(o, &verdicts[test]) || verdicts[test].revealed != REVEALED_UNKNOWN;
  for (size_t t = 0; t < o->common.test_count && !known; t++) {
    known = verdicts[t].revealed == REVEALED_YES; /* one test case that notices it is enough */
  }
  return !known;
}

void campaign_reveal_unasked(const campaign *c, size_t test, mutant_verdict *v) {
  if (c->options->reveal && kills(c->options, v) && c->base.cases[test].fails) {
    v->revealed = REVEALED_NO;
  } else if (c->options->reveal && kills(c->options, v) && v->timeout == v->runs) {
    v->revealed = REVEALED_YES;
  }
}

/* Rounding in the form that holds mutants may change what is printed: what it prints without a mutant counts. */
static bool prints_otherwise(experiment *x, const campaign_job *j) {
  const transcript *without = &j->reference->shown, *plain = &x->cases[j->base.test].plain;
  return x->options->output && !without->unstable_output && !plain->unstable_output &&
         strcmp(without->output, j->base.seen.output) != 0;
}

static mutant_revealed revealed_by(experiment *x, const campaign_job *j) {
  if (j->refused != NULL) { /* from then on it ran without the mutant */
    return REVEALED_UNKNOWN;
  }
  const bool noticed = j->base.job.timed_out || j->events != 0 || prints_otherwise(x, j) ||
                       j->base.seen.status != x->cases[j->base.test].plain.status;
  return noticed ? REVEALED_YES : REVEALED_NO;
}

int campaign_reveal_ended(campaign *c, const campaign_job *j, mutant_verdict *v, error *e) {
  char key[KEY_SIZE];
  v->revealed = revealed_by(&c->base, j);
  verdict_key(c, j->program, j->mutant, j->base.test, BASIS_REVEAL, key);
  return db_keep_revealed(c->base.db, c->base.cases[j->base.test].row,
                          mutant_at(&c->programs, j->program, j->mutant)->row, v->revealed, key, e);
}

int campaign_recall_revealed(campaign *c, size_t program, uint32_t index, size_t test, mutant_verdict *v, error *e) {
  char key[KEY_SIZE] = "";
  if (c->options->reveal && kills(c->options, v) && !c->base.cases[test].fails) {
    verdict_key(c, program, index, test, BASIS_REVEAL, key);
  }
  if (key[0] != '\0' && db_find_revealed(c->base.db, key, &v->revealed, e) != 0) {
    return -1;
  }
  campaign_reveal_unasked(c, test, v);
  return v->revealed == REVEALED_UNKNOWN
             ? 0
             : db_keep_revealed(c->base.db, c->base.cases[test].row, mutant_at(&c->programs, program, index)->row,
                                v->revealed, key, e);
}
