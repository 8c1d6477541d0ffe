/* Preparation: what the original reaches in the form that holds mutants, the references of mutants, and how often runs
 * repeat. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/build/disjoint.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"
#include "runner/isolate.h"

/* --- programs whose schema cannot be used ------------------------------------------------------------------------- */

/* Leaves a program out of the campaign, with its reason. Takes over `reason`. */
static int leave_out(experiment *x, campaign_program *p, char *reason, error *e) {
  p->reason = reason;
  return db_add_skipped(x->db, x->run, p->name, p->reason, e);
}

static char *reason_of(const campaign_options *o, const campaign_program *p, const campaign_job *j) {
  const char *form = p->cloned ? "with its clones" : "with its schema";
  const char *test = o->common.tests[j->base.test].name;
  char words[4096];
  buffer reason = {0};
  if (j->refused != NULL) {
    const char *line = strstr(j->refused, "error:");
    buffer_printf(&reason, "the device refused its %s: %.300s", p->cloned ? "clones" : "schema",
                  line == NULL ? j->refused : line);
  } else if (j->base.job.worker != 0) {
    worker_words(&j->base.job, words, sizeof words);
    buffer_printf(&reason, "%s a replay of %s ends otherwise: %s", form, test, words);
  } else {
    failure_words(&j->base.job, test, form, words, sizeof words);
    const char *last = strrchr(words, '\n');
    const size_t first = strcspn(words, "\n");
    buffer_printf(&reason, "%.*s%s%s", (int)first, words, last == NULL ? "" : " ", last == NULL ? "" : last + 1);
  }
  return buffer_take(&reason);
}

/* Whether there are programs whose schema is still in use. */
static bool may_clone(const campaign_programs *all) {
  for (size_t i = 0; i < all->count; i++) {
    const campaign_program *p = all->list[i];
    if (p->reason == NULL && !p->cloned && p->schema.mutant_count > 0) return true;
  }
  return false;
}

/* Of all others a refusal says nothing; another end of the test case may be any program's doing: no clones are to
 * blame while there are schemas. */
static int refuse(campaign *c, const campaign_job *j, error *e) {
  const bool clones_too = j->refused != NULL || !may_clone(&c->programs);
  int result = 0;
  for (size_t i = 0; i < c->programs.count && result == 0; i++) {
    campaign_program *p = c->programs.list[i];
    const bool meant = j->refused == NULL || j->refused_program == i;
    if (!meant || p->reason != NULL || p->schema.mutant_count == 0) continue;
    if (p->cloned && clones_too)
      result = leave_out(&c->base, p, reason_of(c->options, p, j), e);
    else if (p->refused == NULL)
      p->refused = reason_of(c->options, p, j);
  }
  return result;
}

/* Programs that were refused are clones from now on; `*any` tells whether there are any. */
static int clone_refused(campaign *c, bool *any, error *e) {
  int result = 0;
  *any = false;
  for (size_t i = 0; i < c->programs.count && result == 0; i++) {
    campaign_program *p = c->programs.list[i];
    if (p->refused != NULL && !p->cloned) {
      *any = true;
      experiment_note(&c->base, "%s: its mutants are built as clones, which takes longer: %s", p->name, p->refused);
      result = campaign_clone_program(c, p, e);
    }
  }
  c->form_changes += *any ? 1 : 0;
  return result;
}

/* --- reach -------------------------------------------------------------------------------------------------------- */

/* A replay that ends otherwise with the schemas says little: the program has to show it. */
static int schema_not_replayed(experiment *x, const campaign_job *j, error *e) {
  char words[512], why[600];
  worker_words(&j->base.job, words, sizeof words);
  (void)snprintf(why, sizeof why, "with the sources that hold the mutants: %s", words);
  return experiment_is_replayed(x, j->base.test) ? experiment_not_replayed(x, j->base.test, why, e) : 0;
}

/* A form that is refused costs its own program; one that changes how the test ends may be any. A replay that crashes is
 * tried with clones, as the device's compiler may be what crashed. */
static int schema_ended(experiment *x, experiment_job *job, error *e) {
  campaign *c = (campaign *)x;
  campaign_job *j = (campaign_job *)job;
  const bool replayed = j->base.job.worker != 0;
  if (replayed && j->refused == NULL && (j->base.job.status != 0 || replay_failed(&j->base.job) != NULL))
    return j->base.job.status > 128 && may_clone(&c->programs) ? refuse(c, j, e) : schema_not_replayed(&c->base, j, e);
  if (j->refused != NULL || j->base.job.timed_out ||
      (!replayed && j->base.job.status != c->base.cases[j->base.test].plain.status))
    return refuse(c, j, e);
  return 0;
}

/* Replays of one test case that has many programs build some of them each, at the same time. */
static uint32_t count_parts(const campaign *c, job_kind kind, bool replays, size_t surveyed) {
  enum { PROGRAMS_OF_A_PART = 4 };
  const size_t most = (surveyed > 0 ? surveyed : c->programs.count) / PROGRAMS_OF_A_PART;
  const size_t jobs = c->base.options->jobs;
  const bool whole = kind != JOB_REACH || !replays || c->base.options->test_count > 1 || most < 2;
  return whole ? 1 : (uint32_t)(most < jobs ? most : jobs);
}

/* A run of a kind for each test case that is replayed, or that is not; of the last survey, if it is about programs. */
static int prepare_kind(campaign *c, job_kind kind, bool again, bool replays, size_t surveyed, error *e) {
  size_t count = 0;
  const uint32_t parts = count_parts(c, kind, replays, surveyed);
  scoped experiment_job **jobs = mem_calloc(c->base.options->test_count * parts + 1, sizeof(experiment_job *));
  for (size_t n = 0; n < c->base.options->test_count * parts && !experiment_stopped(&c->base); n++) {
    const size_t test = n / parts;
    if (experiment_is_replayed(&c->base, test) == replays) {
      campaign_job *j = campaign_job_new(c, kind, test);
      j->again = again;
      j->parts = parts;
      j->survey = surveyed > 0 ? c->surveys : 0;
      j->part = (uint32_t)(n % parts);
      jobs[count++] = &j->base;
      if (replays) campaign_replay_job(j);
    }
  }
  return experiment_run_jobs(&c->base, jobs, count, schema_ended, e);
}

/* Whether no form is tried before a mutant needs it, as to build them all takes longer than anybody wants to wait for a
 * verdict: programs have so many mutants that each has several schemas, or so many kernels. */
static bool too_large(const campaign_programs *among) {
  enum { MOST_KERNELS = 12 };
  bool all = true;
  size_t kernels = 0;
  for (size_t i = 0; i < among->count; i++) {
    const campaign_program *p = among->list[i];
    const bool mutates = p->reason == NULL && p->schema.mutant_count > 0;
    all = all && (p->divided || !mutates);
    kernels += mutates ? p->schema.model.kernel_count : 0;
  }
  return all || kernels > MOST_KERNELS;
}

/* Runs of the original in the form that holds mutants, one after the other: at the same time two would build the same. A second replay tells which kernels wait for others. */
static int prepare_form(campaign *c, bool replays, size_t surveyed, error *e) {
  const bool tries = surveyed == 0 && (!replays || !too_large(&c->programs));
  return prepare_kind(c, JOB_REACH, false, replays, surveyed, e) != 0 ||
                 (replays && prepare_kind(c, JOB_REACH, true, replays, surveyed, e) != 0) ||
                 (tries && prepare_kind(c, JOB_SCHEMA, false, replays, 0, e) != 0)
             ? -1
             : 0;
}

/* All of it again when a program gets another form: what was done with the first one is not whole. */
static int prepare_forms(campaign *c, bool replays, size_t surveyed, error *e) {
  for (bool again = true; again && !experiment_stopped(&c->base);)
    if (prepare_form(c, replays, surveyed, e) != 0 || clone_refused(c, &again, e) != 0) return -1;
  return 0;
}

/* Whether what is reached of a program can wait for its first mutant: a test case of many programs that is replayed. */
static bool can_survey(const campaign *c) {
  return c->base.options->test_count == 1 && experiment_is_replayed(&c->base, 0) && too_large(&c->programs) &&
         c->programs.count > 2 * (size_t)c->base.options->jobs;
}

int campaign_prepare(campaign *c, error *e) {
  experiment_phase_begin(&c->base, PHASE_PREPARE, c->base.options->test_count * 3);
  if (campaign_divide(c, e) != 0) return -1;
  c->surveying = can_survey(c);
  return (!c->surveying && prepare_forms(c, true, 0, e) != 0) || prepare_forms(c, false, 0, e) != 0 ? -1 : 0;
}

/* --- of some programs, when their first mutant comes ------------------------------------------------------------- */

bool campaign_is_unsurveyed(const campaign *c, const campaign_program *p) {
  return c->surveying && p->survey == 0 && p->launches == NULL;
}

/* How many programs take part in the next survey. */
static size_t choose_programs(campaign *c, bool all) {
  size_t count = 0;
  c->surveys++;
  for (size_t i = 0; i < (all ? c->queue.count : c->queue.end); i++) {
    const mutant_index at = c->queue.list[i];
    campaign_program *p = c->programs.list[at.program];
    if (campaign_is_unsurveyed(c, p) && !p->mutants[at.index].decided) {
      p->survey = c->surveys;
      p->rank = (uint32_t)count++;
    }
  }
  return count;
}

/* What is known of the programs' mutants now. */
static int end_survey(campaign *c, error *e) {
  for (size_t i = 0; i < c->programs.count; i++) {
    campaign_program *p = c->programs.list[i];
    for (uint32_t m = 0; p->survey == c->surveys && m < p->schema.mutant_count; m++) {
      const bool assumed = p->mutants[m].reached && !p->mutants[m].decided;
      if (!p->mutants[m].chosen || p->mutants[m].decided) continue;
      if (campaign_start_mutant(c, i, m, e) != 0) return -1;
      c->queue.to_run -= assumed && !p->mutants[m].reached ? 1 : 0;
    }
    if (p->survey == c->surveys && campaign_recall_program(c, i, e) != 0) return -1;
  }
  return 0;
}

int campaign_survey(campaign *c, bool all, error *e) {
  const size_t count = c->surveying ? choose_programs(c, all) : 0;
  if (count > 0) {
    experiment_phase_begin(&c->base, PHASE_PREPARE, 2 * (size_t)c->base.options->jobs);
    if (prepare_forms(c, true, count, e) != 0) return -1;
    for (size_t i = 0; i < c->programs.count && experiment_stopped(&c->base); i++) /* it did not come to its end */
      if (c->programs.list[i]->survey == c->surveys) c->programs.list[i]->survey = 0;
    if (experiment_stopped(&c->base)) return 0;
    if (!experiment_is_replayed(&c->base, 0) && prepare_forms(c, false, 0, e) != 0) return -1;
    if (end_survey(c, e) != 0) return -1;
  }
  if (!c->surveying || (!all && experiment_is_replayed(&c->base, 0))) return 0;
  c->surveying = false;
  return 0;
}

/* Where repeats of a replay cannot differ, so that one stands for all: nothing in a launch depends on the order in which
 * its work-groups run. Launches are noted while a capture is read, and then looked at together in a process of its own,
 * as libclang reads the sources again. */

static bool has_one_group(const capture_command *l) {
  bool one = true;
  for (uint32_t d = 0; d < l->u.launch.dimensions; d++)
    one = one && l->u.launch.global[d] <= (l->u.launch.has_local ? l->u.launch.local[d] : 1);
  return one;
}

/* The value of an integer of so many bytes, if it is the same with a sign and without. */
static bool read_integer(const unsigned char *bytes, uint64_t size, int64_t *value) {
  int32_t four = -1;
  *value = -1;
  if (size == sizeof four) {
    memcpy(&four, bytes, sizeof four);
    *value = four;
  } else if (size == sizeof *value) {
    memcpy(value, bytes, sizeof *value);
  }
  return *value >= 0 && *value <= INT32_MAX;
}

static facts_argument argument_of(const launch_setting *s, uint32_t index) {
  facts_argument a = {.buffer = FACTS_NO_BUFFER};
  const capture_command *set = s->arguments[index];
  if (set != NULL && set->u.argument.kind == CAPTURE_VALUE)
    a.known = read_integer(set->u.argument.bytes, set->u.argument.size, &a.value);
  if (set != NULL && set->u.argument.kind == CAPTURE_MEMORY && set->u.argument.object != CAPTURE_NONE)
    a.buffer = s->stored->items[set->u.argument.object].owner;
  return a;
}

/* --- launches that are asked about ----------------------------------------------------------------------------------- */

enum { MOST_NOTED = 4096 };

typedef struct noted_launch {
  uint32_t kernel;
  facts_launch launch;
  facts_argument *arguments;
  bool asked;            /* since the last answer */
  bool looked, disjoint; /* it was looked at, and that was seen */
} noted_launch;

static noted_launch make_note(uint32_t kernel, const launch_setting *s) {
  const capture_command *l = s->launch;
  noted_launch n = {.kernel = kernel, .asked = true};
  n.arguments = mem_calloc(s->argument_count + 1, sizeof *n.arguments);
  for (uint32_t i = 0; i < s->argument_count; i++) n.arguments[i] = argument_of(s, i);
  n.launch = (facts_launch){
      .dimensions = l->u.launch.dimensions, .arguments = n.arguments, .argument_count = s->argument_count};
  for (uint32_t d = 0; d < n.launch.dimensions && d < 3; d++) {
    n.launch.global[d] = l->u.launch.global[d];
    n.launch.offset[d] = l->u.launch.has_offset ? l->u.launch.offset[d] : 0;
  }
  return n;
}

static bool is_same(const noted_launch *a, const noted_launch *b) {
  bool same = a->kernel == b->kernel && a->launch.dimensions == b->launch.dimensions &&
              a->launch.argument_count == b->launch.argument_count &&
              memcmp(a->launch.global, b->launch.global, sizeof a->launch.global) == 0 &&
              memcmp(a->launch.offset, b->launch.offset, sizeof a->launch.offset) == 0;
  for (size_t i = 0; i < a->launch.argument_count && same; i++) {
    const facts_argument *x = &a->arguments[i], *y = &b->arguments[i];
    same = x->known == y->known && x->value == y->value && x->buffer == y->buffer;
  }
  return same;
}

bool note_launch(campaign_program *p, uint32_t kernel, const launch_setting *s) {
  if (has_one_group(s->launch)) return true;
  noted_launch n = make_note(kernel, s);
  for (size_t i = 0; i < p->noted_count; i++) {
    if (is_same(&p->noted[i], &n)) {
      free(n.arguments);
      p->noted[i].asked = true;
      return !p->noted[i].looked || p->noted[i].disjoint;
    }
  }
  if (p->noted_count == MOST_NOTED) {
    free(n.arguments);
    return false;
  }
  *ARRAY_ADD(p->noted, p->noted_count, p->noted_capacity) = n;
  return true;
}

static bool is_open(const noted_launch *n) { return n->asked && !n->looked; }

/* A byte a launch that is looked at, and what all of them rest on. */
static int look(void *context, buffer *out, error *e) {
  const campaign_program *p = context;
  pp_input *inputs = request_inputs(&p->request);
  disjoint *d = disjoint_read(inputs, p->request.source_count);
  if (d == NULL) return error_set(e, EXIT_INTERNAL, "the sources cannot be read");
  for (size_t i = 0; i < p->noted_count; i++) {
    const noted_launch *n = &p->noted[i];
    if (is_open(n)) buffer_putc(out, disjoint_holds(d, p->schema.model.kernels[n->kernel].name, &n->launch) ? 1 : 0);
  }
  disjoint_write(d, out);
  return 0;
}

static int take(void *context, const void *bytes, size_t length) {
  campaign_program *p = context;
  size_t at = 0;
  for (size_t i = 0; i < p->noted_count; i++) {
    if (is_open(&p->noted[i])) {
      p->noted[i].disjoint = at < length && ((const char *)bytes)[at] == 1;
      at++;
    }
  }
  return at > length ? -1 : disjoint_add(&p->disjoint, (const char *)bytes + at, length - at);
}

static bool answer(campaign_program *p, bool wanted) {
  bool all = true;
  bool any = false;
  for (size_t i = 0; i < p->noted_count; i++) any = any || is_open(&p->noted[i]);
  error ignored;
  const bool failed = wanted && any && isolated(&(isolated_work){p, look, take}, &ignored) != 0;
  for (size_t i = 0; i < p->noted_count; i++) {
    noted_launch *n = &p->noted[i];
    n->disjoint = n->disjoint && !(failed && is_open(n));
    n->looked = n->looked || (wanted && n->asked);
    all = all && (!n->asked || n->disjoint);
    n->asked = false;
  }
  return all;
}

bool noted_are_steady(const campaign_programs *among, bool wanted) {
  bool all = wanted;
  for (size_t i = 0; i < among->count; i++) all = answer(among->list[i], all) && all;
  return all;
}

void noted_free(campaign_program *p) {
  for (size_t i = 0; i < p->noted_count; i++) free(p->noted[i].arguments);
  free(p->noted);
}

/* --- mutants --------------------------------------------------------------------------------------------------------- */

/* What is in doubt when the mutant takes an order away. */
static bool takes_order(const mutant *m) {
  return m->op == MUTATE_BARRIER || m->op == MUTATE_FENCE || m->op == MUTATE_ATOMIC;
}

bool campaign_is_steady(const campaign *c, size_t test, size_t program, uint32_t index) {
  const case_inputs *i = c->tests[test].inputs;
  const campaign_program *p = c->programs.list[program];
  const mutant *m = p->mutants[index].mutant;
  return i != NULL && i->steady && p->launches == NULL && !takes_order(m) && !m->sizes &&
         (p->disjoint == NULL || !disjoint_rests_on(p->disjoint, &p->schema.model, m));
}

/* What mutants are compared with: their kernels in the same form, without a mutant. */

enum { REFERENCE_RUNS = 3 };

reference *campaign_reference(campaign_references *all, size_t test, size_t program, const campaign_mutant *m,
                              bool replays) {
  for (size_t i = 0; i < all->count; i++) {
    reference *r = all->list[i];
    if (r->test == test && r->program == program && r->replays == replays && r->form == m->form &&
        (r->form == MUTANT_CLONED || r->part == m->part) && r->kernel_count == m->mutant->kernel_count &&
        memcmp(r->kernels, m->mutant->kernels, r->kernel_count * sizeof *r->kernels) == 0)
      return r;
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
  if (j->base.job.child.fills) return refilled(c, j, r);
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
  if (j->base.filling != 0) return filling_ended(c, j, e);
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
    if (transcript_unstable(&r->shown) && !transcript_unstable(&t->plain)) return reference_varies(c, j, r, e);
  }
  return 0;
}
