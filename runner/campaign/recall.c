/* Taking over the verdicts of earlier runs, and keeping those of this one for later runs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/reuse.h"

/* --- captures for keys alone -----------------------------------------------------------------------------------------
 */

static int recorded(campaign *c, campaign_job *j, error *e) {
  (void)e;
  test_state *t = &c->tests[j->test];
  if (j->job.status == t->plain.status && !transcript_differs(&t->plain, &j->seen, c->options->oracle)) {
    const bool nothing = t->plain.count == 0 && access(t->capture.path, F_OK) != 0;
    t->state = case_after(t->state, nothing ? EVENT_NOTHING : EVENT_CAPTURED);
  }
  return 0;
}

int campaign_record(campaign *c, error *e) {
  if (c->options->oracle != ORACLE_READS || c->options->capture_layer == NULL) {
    return 0;
  }
  c->captures = captures_open(e);
  if (c->captures == NULL) {
    return -1;
  }
  size_t count = 0;
  campaign_job **jobs = mem_calloc(c->options->test_count + 1, sizeof *jobs);
  for (size_t t = 0; t < c->options->test_count; t++) {
    if (replay_obstacle(&c->tests[t].plain) == NULL) {
      capture_file_init(&c->tests[t].capture, c->captures, t, c->options->replay_program);
      jobs[count] = campaign_job_new(c, RUN_CAPTURE, t);
      capture_job(&jobs[count++]->job, c->options->capture_layer, &c->tests[t].capture);
    }
  }
  campaign_phase_begin(c, PHASE_CAPTURE, count);
  int result = count == 0 ? 0 : campaign_run_jobs(c, jobs, count, recorded, e);
  free(jobs);
  return result;
}

/* --- looking up ------------------------------------------------------------------------------------------------------
 */

/* Whose verdicts hold for an engine, those that count more first. */
static const struct {
  size_t count;
  verdict_basis bases[2];
} accepted[] = {
    [ENGINE_AUTO] = {2, {BASIS_PROGRAM, BASIS_REPLAY}},
    [ENGINE_REPLAY] = {2, {BASIS_REPLAY, BASIS_ALONE}},
    [ENGINE_RERUN] = {1, {BASIS_PROGRAM}},
};

static bool is_of_replays(verdict_basis basis) { return basis == BASIS_REPLAY || basis == BASIS_ALONE; }

static int look_up(campaign *c, size_t program, uint32_t index, size_t test, mutant_verdict *v, error *e) {
  const int64_t row = c->programs[program]->mutants[index].row;
  int64_t found = 0;
  for (size_t i = 0; i < accepted[c->options->engine].count && found == 0; i++) {
    const verdict_basis basis = accepted[c->options->engine].bases[i];
    char key[KEY_SIZE];
    verdict_key(c, program, index, test, basis, key);
    if (key[0] == '\0' || (is_of_replays(basis) && !case_is_replayed(c->tests[test].state))) {
      continue;
    }
    const uint32_t least = is_of_replays(basis) ? REPLAY_FILLINGS : 1;
    const uint32_t runs = c->options->runs > least ? c->options->runs : least;
    if (db_find_verdict(c->db, key, runs, &found, v, e) != 0) {
      return -1;
    }
    mutant_shorten(v, runs);
    if (found != 0 && found != c->tests[test].row && /* by a run that this one goes on with */
        (db_put_verdict(c->db, c->tests[test].row, row, v, e) != 0 ||
         db_keep_verdict(c->db, c->tests[test].row, row, key, true, e) != 0)) {
      return -1;
    }
  }
  return 0;
}

static int recall_mutant(campaign *c, size_t program, uint32_t index, error *e) {
  campaign_mutant *m = &c->programs[program]->mutants[index];
  size_t missing = 0;
  m->known = mem_calloc(c->options->test_count, sizeof *m->known);
  for (size_t t = 0; t < c->options->test_count; t++) {
    if (campaign_reached(c, t, program, index)) {
      if (look_up(c, program, index, t, &m->known[t], e) != 0) {
        return -1;
      }
      missing += m->known[t].runs == 0 ? 1 : 0;
    }
  }
  m->all_known = missing == 0;
  return 0;
}

int campaign_recall(campaign *c, error *e) {
  for (size_t t = 0; t < c->options->test_count; t++) {
    c->tests[t].inputs = test_inputs_read(c, t);
  }
  for (size_t p = 0; p < c->program_count && c->options->reuse; p++) {
    for (uint32_t m = 0; m < c->programs[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = &c->programs[p]->mutants[m];
      if (one->chosen && !one->decided && recall_mutant(c, p, m, e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

void campaign_known_verdicts(const campaign *c, const campaign_mutant *m, mutant_verdict *verdicts) {
  if (m->known != NULL) {
    memcpy(verdicts, m->known, c->options->test_count * sizeof *verdicts);
  }
}

/* --- keeping ---------------------------------------------------------------------------------------------------------
 */

/* With --engine auto what replays leave open is not theirs to decide. */
static verdict_basis basis_of(const campaign *c, const mutant_verdict *v) {
  if (v->replayed == 0) {
    return BASIS_PROGRAM;
  }
  return c->options->engine == ENGINE_REPLAY && mutant_left_open(v) ? BASIS_ALONE : BASIS_REPLAY;
}

int campaign_put_verdict(campaign *c, const campaign_job *j, const mutant_verdict *v, error *e) {
  const int64_t test = c->tests[j->test].row;
  const int64_t row = c->programs[j->program]->mutants[j->mutant].row;
  char key[KEY_SIZE] = "";
  if (!transcript_unstable(&j->reference->shown)) {
    verdict_key(c, j->program, j->mutant, j->test, basis_of(c, v), key);
  }
  if (db_put_verdict(c->db, test, row, v, e) != 0) {
    return -1;
  }
  return key[0] == '\0' ? 0 : db_keep_verdict(c->db, test, row, key, false, e);
}
