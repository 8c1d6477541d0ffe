/* What mutants are compared with: their kernels in the same form, without a mutant. */
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/internal.h"

enum { REFERENCE_RUNS = 3 };

reference *campaign_reference(campaign_references *all, size_t test, size_t program, const campaign_mutant *m,
                              bool replays) {
  for (size_t i = 0; i < all->count; i++) {
    reference *r = all->list[i];
    if (r->test == test && r->program == program && r->replays == replays && r->form == m->form &&
        (r->form == MUTANT_CLONED || r->part == m->part) && r->kernel_count == m->mutant->kernel_count &&
        memcmp(r->kernels, m->mutant->kernels, r->kernel_count * sizeof *r->kernels) == 0) {
      return r;
    }
  }
  reference *r = mem_calloc(1, sizeof *r);
  *ARRAY_ADD(all->list, all->count, all->capacity) = r;
  *r = (reference){.number = (uint32_t)all->count - 1,
                   .test = test,
                   .program = program,
                   .replays = replays,
                   .form = m->form,
                   .part = m->part,
                   .kernels = m->mutant->kernels,
                   .kernel_count = m->mutant->kernel_count};
  return r;
}

bool campaign_reference_fills(const campaign_options *o, const reference *r) {
  return !r->replays && !r->unfilled && o->common.oracle == ORACLE_READS;
}

/* Whether a run of the original with some filling is still to be made. */
static bool lacks_filling(const campaign *c, const reference *r) {
  const bool matters =
      r->replays ? case_reads_unwritten(c->base.cases[r->test].state) : campaign_reference_fills(c->options, r);
  return matters && r->filled_count < REPLAY_FILLINGS - 1;
}

bool campaign_reference_ready(const campaign *c, const reference *r) { return r->ready && !lacks_filling(c, r); }

size_t campaign_reference_filling(const reference *r) { return r->ready ? r->filled_count + 1 : 0; }

/* --- its runs ----------------------------------------------------------------------------------------------------- */

/* The form's results vary where the original's do not: a race of the program's own, mostly. A program tells which parts
 * of what it reads vary; replays do not. */
static int reference_varies(campaign *c, const campaign_job *j, reference *r, error *e) {
  test_state *t = &c->tests[r->test];
  const char *name = c->base.options->tests[r->test].name;
  if (j->base.job.worker != 0) {
    transcript_free(&r->shown);
    r->runs = 0;
    r->ready = false;
    return experiment_not_replayed(
        &c->base, r->test, "with its kernels in the form that holds mutants, what it reads differs from run to run", e);
  }
  if (!t->varies) {
    t->varies = true;
    experiment_note(&c->base,
                    "%s: with its kernels in the form that holds mutants, what it reads differs from run to run, "
                    "though not without: maybe a race (see `cltestcheck amplify`); what varies is no evidence",
                    name);
  }
  return 0;
}

/* Whether the run ended as the program does. */
static bool ended_alike(experiment *x, const campaign_job *j) {
  return !j->base.job.timed_out && j->base.seen.status == x->cases[j->base.test].plain.status && j->events == 0;
}

/* A run of the program with another filling. */
static int refilled(campaign *c, const campaign_job *j, reference *r) {
  if (!ended_alike(&c->base, j)) {
    r->unfilled = true;
    return 0;
  }
  const bool before = transcript_unstable(&r->shown);
  transcript_learn(&r->shown, &j->base.seen);
  r->filled_count++;
  test_state *t = &c->tests[r->test];
  if (!before && transcript_unstable(&r->shown) && !t->reads_unwritten) {
    t->reads_unwritten = true;
    experiment_note(&c->base,
                    "%s: a part of what it reads comes from memory that nobody has written, and is no evidence",
                    c->base.options->tests[r->test].name);
  }
  return 0;
}

static int filling_ended(campaign *c, campaign_job *j, error *e) {
  reference *r = j->reference;
  if (j->base.job.timed_out && !r->slow) {
    r->slow = true;
    return 0;
  }
  if (j->base.job.child.fills) {
    return refilled(c, j, r);
  }
  if (!j->base.job.replayed || j->events != 0) {
    transcript_free(&r->shown);
    r->runs = 0;
    r->ready = false;
    return experiment_not_replayed(&c->base, r->test, "what it does depends on memory that it has not written", e);
  }
  transcript_learn(&r->shown, &j->base.seen);
  r->filled_count++;
  return 0;
}

/* The form works when the test case ends as the original does; rounding may differ, so its outputs are its own. */
int campaign_reference_ended(campaign *c, campaign_job *j, error *e) {
  reference *r = j->reference;
  if (j->base.filling != 0) {
    return filling_ended(c, j, e);
  }
  const experiment_case *t = &c->base.cases[r->test];
  if (j->base.job.timed_out && !r->slow) { /* once may be the machine's doing, or the device's compiler at work */
    r->slow = true;
    return 0;
  }
  if (j->base.job.child.fills && !ended_alike(&c->base, j)) {
    r->unfilled = true;
    return 0;
  }
  if (j->base.job.timed_out) {
    experiment_note(&c->base,
                    "%s: kernels in the form that holds mutants, without a mutant, do not end within the time limit: "
                    "what only this form could decide is invalid (--timeout gives more time)",
                    c->base.options->tests[r->test].name);
  }
  if (j->events == MUTATE_ENDLESS && !r->waits) { /* its loops wait for somebody */
    r->waits = true;
    campaign_wait(c, r);
    return 0;
  }
  r->runs++;
  if (j->base.job.timed_out || j->base.seen.status != t->plain.status || j->events != 0) {
    r->failed = true;
    return 0;
  }
  r->seconds = j->base.job.seconds > r->seconds ? j->base.job.seconds : r->seconds;
  if (r->runs == 1) {
    r->shown = j->base.seen;
    j->base.seen = (transcript){0};
    transcript_mark(&r->shown, &t->plain);
    r->ready = !transcript_differs(&t->plain, &r->shown, c->base.options->oracle);
  } else {
    transcript_learn(&r->shown, &j->base.seen);
    r->ready = r->runs >= REFERENCE_RUNS;
    if (transcript_unstable(&r->shown) && !transcript_unstable(&t->plain)) {
      return reference_varies(c, j, r, e);
    }
  }
  return 0;
}
