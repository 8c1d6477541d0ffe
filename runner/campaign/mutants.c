/* Runs of mutants: every mutant against every test case that reaches it, with its fuel and the state of its verdict. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/internal.h"

/* Two tables: what holds in a state, and which state comes after it. */

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
  if (event == MUTANT_IS_DECIDED || s == MUTANT_IDLE) return event == MUTANT_IS_TAKEN ? MUTANT_RUNS : MUTANT_IDLE;
  if (event == MUTANT_NEXT_TEST) return mutant_is_again(s) ? MUTANT_AGAIN : MUTANT_RUNS;
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
    if (steps[i].from == s && steps[i].event == event) return steps[i].to;
  return s;
}

bool mutant_replays(mutant_state s) { return (holds[s] & REPLAYS) != 0; }
bool mutant_checks(mutant_state s) { return (holds[s] & CHECKS) != 0; }
bool mutant_checks_divergence(mutant_state s) { return (holds[s] & DIVERGENCE) != 0; }
/* No check was made yet. */
static bool mutant_is_unchecked(mutant_state s) { return (holds[s] & UNCHECKED) != 0; }
bool mutant_reveals(mutant_state s) { return (holds[s] & REVEALS) != 0; }
bool mutant_is_again(mutant_state s) { return (holds[s] & AGAIN) != 0; }

/* Whether the program itself notices a mutant that a test case kills: one run of it from start to end with the mutant in
 * place, of which its exit status counts, that it ends at all, and its standard output where that is looked at. */

/* By what a program could notice: a race that its data do not show is none of that. */
static bool kills(const campaign_options *o, const mutant_verdict *v) {
  return v->runs >= o->common.runs && mutant_differing(v) == v->runs && v->race == 0;
}

/* Whether the program is to be asked if it notices the mutant that the test case kills. */
static bool campaign_wants_reveal(const campaign_options *o, const mutant_verdict *verdicts, size_t test) {
  bool known = !o->reveal || !kills(o, &verdicts[test]) || verdicts[test].revealed != REVEALED_UNKNOWN;
  for (size_t t = 0; t < o->common.test_count && !known; t++)
    known = verdicts[t].revealed == REVEALED_YES; /* one test case that notices it is enough */
  return !known;
}

/* What is known without asking: nobody overlooks a program that does not end, and one that fails without a mutant shows
 * nothing by failing with one. */
static void campaign_reveal_unasked(const campaign *c, size_t test, mutant_verdict *v) {
  if (c->options->reveal && kills(c->options, v) && c->base.cases[test].fails)
    v->revealed = REVEALED_NO;
  else if (c->options->reveal && kills(c->options, v) && v->timeout == v->runs)
    v->revealed = REVEALED_YES;
}

/* Rounding in the form that holds mutants may change what is printed: what it prints without a mutant counts. */
static bool prints_otherwise(experiment *x, const campaign_job *j) {
  const transcript *without = &j->reference->shown, *plain = &x->cases[j->base.test].plain;
  return x->options->output && !without->unstable_output && !plain->unstable_output &&
         strcmp(without->output, j->base.seen.output) != 0;
}

static mutant_revealed revealed_by(experiment *x, const campaign_job *j) {
  if (j->refused != NULL) /* from then on it ran without the mutant */
    return REVEALED_UNKNOWN;
  const bool noticed = j->base.job.timed_out || j->events != 0 || prints_otherwise(x, j) ||
                       j->base.seen.status != x->cases[j->base.test].plain.status;
  return noticed ? REVEALED_YES : REVEALED_NO;
}

/* The answer of a run; REVEALED_UNKNOWN where it tells nothing. */
static int campaign_reveal_ended(campaign *c, const campaign_job *j, mutant_verdict *v, error *e) {
  char key[KEY_SIZE];
  v->revealed = revealed_by(&c->base, j);
  verdict_key(c, j->program, j->mutant, j->base.test, BASIS_REVEAL, key);
  return db_keep_revealed(c->base.db, c->base.cases[j->base.test].row,
                          mutant_at(&c->programs, j->program, j->mutant)->row, v->revealed, key, e);
}

int campaign_recall_revealed(campaign *c, size_t program, uint32_t index, size_t test, mutant_verdict *v, error *e) {
  char key[KEY_SIZE] = "";
  if (c->options->reveal && kills(c->options, v) && !c->base.cases[test].fails)
    verdict_key(c, program, index, test, BASIS_REVEAL, key);
  if (key[0] != '\0' && db_find_revealed(c->base.db, key, &v->revealed, e) != 0) return -1;
  campaign_reveal_unasked(c, test, v);
  return v->revealed == REVEALED_UNKNOWN
             ? 0
             : db_keep_revealed(c->base.db, c->base.cases[test].row, mutant_at(&c->programs, program, index)->row,
                                v->revealed, key, e);
}

enum { LIMIT_FACTOR = 10, SLOW_FACTOR = 6, LIMIT_AGAIN = 2, LIMIT_FACTOR_AGAIN = 3 };
#define EVENT_SECONDS 0.03 /* what a kernel says of itself may come after a read, and tells why it differs */

/* A mutant that is being run: one run of it at a time. */
typedef struct under_test {
  mutant_state state;
  bool busy;      /* a job of it runs */
  double seconds; /* of its jobs so far */
  size_t program;
  uint32_t index;
  size_t test;              /* in work */
  mutant_verdict *verdicts; /* one per test case */
  mutant_runs runs;         /* of the test case in work */
  bool fills;               /* these have fillings */
  bool unfueled;            /* it has made all the iterations that it may: how long it takes is to tell */
  bool hangs;               /* and takes too long */
  bool late;                /* a run of it was over its limit */
  bool noticed;             /* a run of the program did, before it was known that the form alone is not noticed */
  bool by_end;              /* one of them differs in nothing but how it ends, or what it prints */
  mutant_status replayed;   /* MUTANT_AGAIN: what replays said */
} under_test;

typedef struct mutant_round {
  campaign *campaign;
  under_test *mutants; /* options->common.jobs */
  size_t next;         /* in the order */
} mutant_round;

/* --- verdicts --- */

static void happens(under_test *u, mutant_event event) { u->state = mutant_after(u->state, event); }

static mutant_status status_of(const campaign_options *o, const under_test *u, const char **reason) {
  return mutant_judge(u->verdicts, o->common.test_count, o->common.runs, reason);
}

/* Whether the mutant, decided by replays, is among those that the program itself decides once more. It cannot tell who
 * writes outside of buffers, or reads what nobody has written. */
static bool to_verify(const campaign *c, const under_test *u) {
  bool replayed = false, only_replays = false;
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    replayed = replayed || u->verdicts[t].replayed > 0;
    only_replays =
        only_replays || u->verdicts[t].outside > 0 || u->verdicts[t].unwritten > 0 || u->verdicts[t].race > 0;
  }
  return replayed && !only_replays && !mutant_is_again(u->state) &&
         experiment_draws(&c->base, &mutant_at(&c->programs, u->program, u->index)->mutant->id, 1);
}

static void begin_again(under_test *u, mutant_status status, size_t tests) {
  assert(u->state == MUTANT_RUNS && u->test == tests);
  happens(u, MUTANT_IS_VERIFIED);
  u->runs = (mutant_runs){0};
  u->replayed = status;
  u->test = 0;
  memset(u->verdicts, 0, tests * sizeof *u->verdicts);
}

static int decide_by_verdicts(campaign *c, under_test *u, error *e) {
  const char *reason = NULL;
  const mutant_status status = status_of(c->options, u, &reason);
  if (mutant_is_again(u->state)) {
    experiment_recheck(&c->base, "mutant", mutant_at(&c->programs, u->program, u->index)->mutant->id,
                       mutant_status_name(u->replayed), mutant_status_name(status));
  }
  return campaign_decide(c, c->programs.list[u->program], u->index, status, reason, e);
}

static void finish(campaign *c, under_test *u) {
  campaign_spent(&c->pace, mutant_at(&c->programs, u->program, u->index), u->seconds);
  free(u->verdicts);
  *u = (under_test){0};
  c->progress.common.done++;
}

static int invalid(campaign *c, under_test *u, const char *why, error *e) {
  if (c->options->verbose) {
    experiment_note(&c->base, "mutant %u counts as invalid: %.300s",
                    (unsigned)mutant_at(&c->programs, u->program, u->index)->mutant->id, why);
  }
  int result = campaign_decide(c, c->programs.list[u->program], u->index, MUTANT_INVALID, "", e);
  finish(c, u);
  return result;
}

/* Whether its runs against the test case in work are replays. */
static bool is_replayed(const campaign *c, const under_test *u) {
  const bool known = launch_is_ordered(c, u->test, c->programs.list[u->program], u->index);
  return known && mutant_replays(u->state) && experiment_is_replayed(&c->base, u->test);
}

/* A batch that does not compile: its mutants are tried alone; whoever does not compile alone is invalid. */
static int refused(campaign *c, under_test *u, const campaign_job *j, error *e) {
  if (j->batch == NO_BATCH && (c->programs.list[u->program]->divided || j->kind == JOB_REFERENCE)) { /* others may do */
    j->reference->failed = true;
    return 0;
  }
  batch *b = j->batch == NO_BATCH ? NULL : &c->programs.list[u->program]->batches[j->batch];
  if (b == NULL || b->count <= 2) return invalid(c, u, j->refused, e);
  b->refused = true;
  return 0;
}

/* A launch that the device refused after it took the same kernel before: the mutant has written over something. */
static bool spoilt(const campaign_programs *all, const under_test *u, const campaign_job *j) {
  const bool ran =
      mutant_at(all, u->program, u->index)->form == MUTANT_SELECTED || !mutant_replays(u->state) || u->runs.v.runs > 0;
  return j->kind == JOB_MUTANT && j->built && ran;
}

/* --- what runs next ----------------------------------------------------------------------------------------------- */

/* Takes the next undecided mutant; false: there is none. */
static bool take_mutant(mutant_round *w, under_test *u) {
  assert(u->state == MUTANT_IDLE && u->verdicts == NULL);
  campaign *c = w->campaign;
  while (w->next < c->queue.end) {
    const mutant_index at = c->queue.list[w->next++];
    const campaign_mutant *m = mutant_at(&c->programs, at.program, at.index);
    if (!m->decided && m->reached) {
      *u = (under_test){.program = at.program, .index = at.index};
      happens(u, MUTANT_IS_TAKEN);
      u->verdicts = mem_calloc(c->base.options->test_count, sizeof *u->verdicts);
      campaign_known_verdicts(c->options, m, u->verdicts);
      return true;
    }
  }
  return false;
}

/* Seconds. A mutant that ran out of time once is not waited for as long again: what its other runs tell is only whether
 * they all do. Nor is one that has made a hundred times as many iterations as the original: its time is what counts then. */
static double limit_of(experiment *x, const under_test *u, job_kind kind, const reference *r) {
  const bool doubted = u->late || (u->unfueled && !mutant_reveals(u->state));
  const bool again = kind == JOB_MUTANT && doubted && x->options->limit > LIMIT_AGAIN;
  const double factor = again ? LIMIT_FACTOR_AGAIN : LIMIT_FACTOR;
  const double least = again ? LIMIT_AGAIN : x->options->limit;
  const double limit = experiment_limit(x, u->test, factor, r->seconds * factor > least ? r->seconds * factor : least);
  return kind == JOB_REFERENCE && r->slow ? limit * SLOW_FACTOR : limit;
}

static campaign_job *new_job(campaign *c, const under_test *u, job_kind kind, reference *r) {
  campaign_job *j = campaign_job_new(c, kind, u->test);
  const campaign_mutant *m = mutant_at(&c->programs, u->program, u->index);
  j->program = u->program;
  j->mutant = u->index;
  j->reference = r;
  j->batch = m->form == MUTANT_CLONED ? m->batch : NO_BATCH;
  j->base.job.limit = limit_of(&c->base, u, kind, r);
  const size_t of_mutant = mutant_reveals(u->state) ? 0 : u->runs.v.runs % REPLAY_FILLINGS;
  const size_t number = kind == JOB_MUTANT ? of_mutant : campaign_reference_filling(r);
  j->base.against = kind == JOB_MUTANT ? &r->shown : NULL;
  if (kind == JOB_MUTANT && transcript_unstable(&r->shown)) j->base.job.child.observe = "blocks";
  j->unfueled = kind == JOB_MUTANT && (u->unfueled || mutant_reveals(u->state));
  j->launch = kind == JOB_MUTANT ? launch_change_text(&c->sites, c->programs.list[u->program], u->index) : NULL;
  j->base.job.child.launch = r->replays ? NULL : j->launch; /* a turn says it by itself */
  if (r->replays) {
    campaign_replay_job(j);
    j->base.filling = number;
  } else if (campaign_reference_fills(c->options, r)) {
    j->base.filling = number;
    j->base.job.child.fills = true;
    j->base.job.child.fill = replay_filling(number);
  }
  if (kind == JOB_MUTANT && mutant_reveals(u->state)) {
    j->reveals = true;
    j->base.against = NULL; /* it is to run to its end */
  }
  return j;
}

static void next_test(under_test *u) {
  happens(u, MUTANT_NEXT_TEST);
  u->test++;
  u->runs = (mutant_runs){0};
  u->by_end = u->unfueled = u->hangs = u->late = u->noticed = false;
}

static bool is_killed(const campaign_options *o, const under_test *u) {
  const char *reason = NULL;
  return status_of(o, u, &reason) == MUTANT_KILLED;
}

/* Whether a checked replay is to tell more: no test case kills the mutant, and nothing differs so far, or the runs do
 * not kill it. Where all differ the other runs are cheaper than the build. */
static bool wants_check(const campaign *c, const under_test *u, const mutant_need *need) {
  const mutant_verdict *v = &u->runs.v;
  const bool settled = mutant_settled(&u->runs, need), differs = mutant_differing(v) > 0;
  const bool due = settled ? mutant_differing(v) < v->runs : !differs && v->runs >= REPLAY_FILLINGS;
  return due && mutant_is_unchecked(u->state) && v->outside + v->timeout == 0 && is_replayed(c, u) &&
         !is_killed(c->options, u) && campaign_can_check(c, LOOK_RACES, u->test, u->program, u->index);
}

/* What the runs so far come to: another one, a checked replay, or a verdict. */
static int go_on(campaign *c, under_test *u, const reference *r, error *e) {
  assert(u->runs.v.runs > 0 && !mutant_checks(u->state) && !mutant_reveals(u->state));
  const bool alike = campaign_is_steady(c, u->test, u->program, u->index) || u->state == MUTANT_ALIKE;
  const mutant_need need = {.runs = c->base.options->runs,
                            .fillings = u->fills ? REPLAY_FILLINGS : 1,
                            .steady = r->replays && alike,
                            .race = u->state == MUTANT_RACES};
  if (wants_check(c, u, &need)) {
    happens(u, MUTANT_WANTS_CHECK);
    return 0;
  }
  if (!mutant_settled(&u->runs, &need)) return 0;
  mutant_verdict *v = &u->verdicts[u->test];
  *v = mutant_conclude(&u->runs, &need);
  campaign_reveal_unasked(c, u->test, v);
  const int result = campaign_put_verdict(c, r, u->index, v, !u->by_end, e);
  if (!campaign_wants_reveal(c->options, u->verdicts, u->test)) {
    next_test(u);
  } else { /* its verdict is known, whatever that says */
    happens(u, MUTANT_IS_ASKED);
    if (is_killed(c->options, u) && !mutant_is_again(u->state) && !to_verify(c, u))
      campaign_show(c, c->programs.list[u->program], u->index, MUTANT_KILLED);
  }
  return result;
}

/* Whether the test case in work is still to run the mutant, or to tell whether its program notices it. */
static bool has_work(const campaign *c, under_test *u) {
  if (u->verdicts[u->test].runs > 0) happens(u, MUTANT_IS_ASKED);
  return campaign_reached(c, u->test, u->program, u->index) &&
         (!mutant_reveals(u->state) || campaign_wants_reveal(c->options, u->verdicts, u->test));
}

static campaign_job *job_of(campaign *c, under_test *u, error *e, int *result);

/* What runs against the test case in work are compared with; where its form does not work the mutant gets the other. */
static reference *reference_of(campaign *c, const under_test *u) {
  campaign_program *p = c->programs.list[u->program];
  campaign_mutant *m = mutant_at(&c->programs, u->program, u->index);
  if (m->form == MUTANT_SELECTED && p->divided && !campaign_write_part(c->options, p, u->index))
    m->form = MUTANT_CLONED;
  reference *r = campaign_reference(&c->references, u->test, u->program, m, is_replayed(c, u));
  if (r->failed && !mutant_reveals(u->state) && m->form == MUTANT_SELECTED) {
    m->form = MUTANT_CLONED;
    r = campaign_reference(&c->references, u->test, u->program, m, is_replayed(c, u));
  }
  return r;
}

/* A checked replay that is wanted; meanwhile the original's may have shown that there is none. */
static campaign_job *checked_job(campaign *c, under_test *u, reference *r, error *e, int *result) {
  const check_look look = mutant_checks_divergence(u->state) ? LOOK_DIVERGENCE : LOOK_RACES;
  if (campaign_can_check(c, look, u->test, u->program, u->index))
    return campaign_checked_job(c, look, u->index, r, limit_of(&c->base, u, JOB_MUTANT, r));
  happens(u, MUTANT_UNCHECKED);
  *result = go_on(c, u, r, e);
  return *result == 0 ? job_of(c, u, e, result) : NULL;
}

/* A program that does not notice the mutant does not notice its form, either: what it does with that alone, of which the
 * first filling is enough, is asked if it notices something. Its output is compared with that of the form. */
static bool is_asked_now(const campaign *c, const under_test *u, const reference *r) {
  return r->ready || (!u->noticed && !c->base.options->output);
}

/* The job that brings a mutant on. NULL: its reference is being made, or (idle) it is decided. */
static campaign_job *job_of(campaign *c, under_test *u, error *e, int *result) {
  campaign_program *p = c->programs.list[u->program];
  const campaign_mutant *m = mutant_at(&c->programs, u->program, u->index);
  for (; u->test < c->base.options->test_count; next_test(u)) {
    if (!has_work(c, u)) continue;
    reference *r = reference_of(c, u);
    if (r->failed && mutant_reveals(u->state)) continue; /* the form itself is what the program would notice */
    if (r->failed) {
      *result = invalid(c, u, "its kernels do not work in the form that holds mutants, without a mutant", e);
      return NULL;
    }
    if (m->form == MUTANT_CLONED && campaign_write_batch(c, p, u->index, e) != 0) {
      *result = -1;
      return NULL;
    }
    if (experiment_stopped(&c->base)) return NULL;
    if (mutant_reveals(u->state) && is_asked_now(c, u, r)) return new_job(c, u, JOB_MUTANT, r);
    if (r->busy) return NULL;
    if (mutant_checks(u->state)) return checked_job(c, u, r, e, result);
    r->busy = mutant_reveals(u->state) || !campaign_reference_ready(c, r);
    return new_job(c, u, r->busy ? JOB_REFERENCE : JOB_MUTANT, r);
  }
  const char *reason = NULL;
  if (to_verify(c, u)) {
    begin_again(u, status_of(c->options, u, &reason), c->base.options->test_count);
    return job_of(c, u, e, result);
  }
  *result = decide_by_verdicts(c, u, e);
  finish(c, u);
  return NULL;
}

static experiment_job *next(void *context) {
  mutant_round *w = context;
  campaign *c = w->campaign;
  c->base.failed = c->base.failed || campaign_draw_unreached(c, false, &c->base.failure) != 0;
  for (unsigned i = 0; i < c->base.options->jobs && !experiment_stopped(&c->base) && !c->base.failed; i++) {
    under_test *u = &w->mutants[i];
    while (!u->busy && (u->state != MUTANT_IDLE || take_mutant(w, u))) {
      int result = 0;
      campaign_job *j = job_of(c, u, &c->base.failure, &result);
      c->base.failed = result != 0;
      if (j != NULL) {
        u->busy = true;
        j->under_test = i;
        return &j->base;
      }
      if (u->state != MUTANT_IDLE || c->base.failed) break; /* its reference is being made */
    }
  }
  return NULL;
}

/* --- what a run says ---------------------------------------------------------------------------------------------- */

/* Replays do not tell: the program itself has to, in all runs of this mutant against the test case. The mutant is a
 * clone from now on, whose source is near to the user's own: what lies around buffers depends on what a process has
 * done before. */
static void begin_rerun(const campaign *c, under_test *u, const char *why) {
  if (c->options->verbose) {
    experiment_note(&c->base, "mutant %u, %s: the program is run again: %s",
                    (unsigned)mutant_at(&c->programs, u->program, u->index)->mutant->id,
                    c->base.options->tests[u->test].name, why);
  }
  campaign_mutant *m = mutant_at(&c->programs, u->program, u->index);
  happens(u, MUTANT_REPLAY_FAILED);
  m->form = m->form == MUTANT_LAUNCHED ? MUTANT_LAUNCHED : MUTANT_CLONED;
  u->runs = (mutant_runs){0};
  u->unfueled = u->hangs = u->late = false;
}

static int mutant_ended(campaign *c, under_test *u, campaign_job *j, error *e) {
  const bool replayed = j->base.job.worker != 0;
  u->fills = replayed || j->base.job.child.fills;
  const bool spent = (j->events & MUTATE_ENDLESS) != 0;
  if (spent && !u->unfueled && !u->hangs) { /* the limit of iterations tells nothing of its results */
    u->unfueled = true;
    return 0;
  }
  if (u->unfueled && (spent || j->base.job.timed_out)) { /* spent: the compiler knows that it does not end */
    u->unfueled = false;
    u->hangs = true;
  }
  const unsigned seen = campaign_seen(c, j);
  u->late = u->late || (seen & MUTANT_SEEN_TIMEOUT) != 0;
  u->by_end = u->by_end || seen == MUTANT_SEEN_RESULT;
  mutant_count_run(&u->runs, j->base.filling, seen, replayed);
  return go_on(c, u, j->reference, e);
}

static int checked_ended(campaign *c, under_test *u, campaign_job *j, error *e) {
  const mutant_event shown = campaign_checked_ended(c, j);
  if (shown == MUTANT_EVENTS) return 0;
  const bool more = u->state == MUTANT_CHECKS_RACES && (shown == MUTANT_OLD_RACE || shown == MUTANT_NO_RACE);
  happens(u, shown);
  if (more && campaign_may_diverge(&c->programs, u->program, u->index)) {
    happens(u, MUTANT_MAY_DIVERGE);
    return 0;
  }
  if (u->state == MUTANT_ALIKE && c->options->verbose) {
    experiment_note(&c->base, "mutant %u, %s: nothing races: repeats of a replay are alike",
                    (unsigned)mutant_at(&c->programs, u->program, u->index)->mutant->id,
                    c->base.options->tests[u->test].name);
  }
  return go_on(c, u, j->reference, e);
}

static int ended(void *context, experiment_job *job, error *e) {
  mutant_round *w = context;
  campaign *c = w->campaign;
  campaign_job *j = (campaign_job *)job;
  under_test *u = &w->mutants[j->under_test];
  assert(u->busy && u->state != MUTANT_IDLE);
  u->busy = false;
  u->seconds += j->base.job.seconds;
  int result = 0;
  if (j->kind == JOB_REFERENCE) j->reference->busy = false;
  if (j->kind == JOB_CHECKED) {
    result = checked_ended(c, u, j, e);
  } else if (j->reveals && !j->reference->ready && revealed_by(&c->base, j) == REVEALED_YES) {
    u->noticed = true;
  } else if (j->reveals) {
    result = campaign_reveal_ended(c, j, &u->verdicts[u->test], e);
    next_test(u);
  } else if (j->refused != NULL && !spoilt(&c->programs, u, j)) {
    result = refused(c, u, j, e);
  } else if (campaign_replay_failed(j) != NULL) {
    begin_rerun(c, u, campaign_replay_failed(j));
  } else if (j->kind == JOB_REFERENCE) {
    result = campaign_reference_ended(c, j, e);
  } else {
    result = mutant_ended(c, u, j, e);
  }
  return result;
}

static bool enough(const experiment_job *job) {
  const campaign_job *j = (const campaign_job *)job;
  return j->events != 0 || (j->base.differs && clock_now() - j->base.differed > EVENT_SECONDS);
}

/* --- a round -------------------------------------------------------------------------------------------------------- */

int campaign_round(campaign *c, error *e) {
  mutant_round w = {.campaign = c, .mutants = mem_calloc(c->base.options->jobs, sizeof *w.mutants)};
  int result = experiment_run(&c->base, &(experiment_source){&w, next, enough, ended}, e);
  for (unsigned i = 0; i < c->base.options->jobs; i++) {
    const under_test *u = &w.mutants[i];
    if (u->state != MUTANT_IDLE) /* shown, maybe; whether the program notices it is for a run that goes on */
      campaign_count(c, mutant_at(&c->programs, u->program, u->index), MUTANT_PENDING);
    free(u->verdicts);
  }
  free(w.mutants);
  return result;
}

/* How many iterations a work-item of a mutant may make: by what those of the original make in the same kernel and test
 * case, so that no other test case has a say in a verdict. */

/* A loop that waits for another work-group makes as many iterations as the machine gives it time for: a second's work
 * and more is not a wait. */
enum { FUEL_FACTOR = 100, FUEL_LEAST = 10000, FUEL_WAITING = 100000000 };

/* Made if need be. NULL: there is no such kernel. */
static kernel_iterations *place_of(campaign *c, size_t test, size_t program, uint32_t kernel) {
  test_state *t = &c->tests[test];
  while (t->iteration_count <= program) (void)ARRAY_ADD(t->iterations, t->iteration_count, t->iteration_capacity);
  const size_t kernels = c->programs.list[program]->schema.model.kernel_count;
  if (t->iterations[program] == NULL) t->iterations[program] = mem_calloc(kernels + 1, sizeof **t->iterations);
  return kernel < kernels ? &t->iterations[program][kernel] : NULL;
}

void campaign_iterations(campaign *c, size_t test, size_t program, uint32_t kernel, uint32_t iterations, bool again) {
  kernel_iterations *known = place_of(c, test, program, kernel);
  if (known == NULL) return;
  uint32_t *most = again ? &known->again : &known->most;
  *most = *most > iterations ? *most : iterations;
  *(again ? &known->launched_again : &known->launched) = true;
}

void campaign_wait(campaign *c, const reference *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    kernel_iterations *known = place_of(c, r->test, r->program, r->kernels[i]);
    if (known != NULL) known->waits = true;
  }
}

/* A kernel that waits for others iterates as long as they take. */
static bool is_waiting(const kernel_iterations *k) { return k->waits || (k->launched_again && k->again != k->most); }

static uint32_t fuel_for(uint64_t iterations) {
  const uint64_t fuel = iterations * FUEL_FACTOR + FUEL_LEAST;
  return fuel >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)fuel;
}

static const kernel_iterations *iterations_of(const test_state *t, size_t program, uint32_t kernel) {
  const bool known = program < t->iteration_count && t->iterations[program] != NULL;
  return known && t->iterations[program][kernel].launched ? &t->iterations[program][kernel] : NULL;
}

/* Counts alone, which are the same whatever else the machine does: so those of a kernel that waits are left out. */
double campaign_turns(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const case_inputs *i = c->tests[test].inputs;
  const kernel_iterations *known = iterations_of(&c->tests[test], program, kernel);
  const uint32_t most = known == NULL || is_waiting(known) ? 0 : known->most;
  return i == NULL ? 0 : i->items[program][kernel] * ((double)most + 1);
}

/* A kernel that the original does not launch there gets what the program's busiest one anywhere has. */
uint32_t campaign_fuel(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const kernel_iterations *known = iterations_of(&c->tests[test], program, kernel);
  if (known != NULL) return is_waiting(known) ? FUEL_WAITING : fuel_for(known->most);
  uint32_t most = 0;
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    for (uint32_t k = 0; k < c->programs.list[program]->schema.model.kernel_count; k++) {
      known = iterations_of(&c->tests[t], program, k);
      most = known != NULL && known->most > most ? known->most : most;
    }
  }
  return fuel_for(most);
}

uint32_t campaign_fuel_of(const campaign_job *j, uint32_t kernel) {
  return j->unfueled ? UINT32_MAX : campaign_fuel(j->campaign, j->base.test, j->program, kernel);
}
