/* Explanations: the first launch of each kernel and verdict that is not consistent is run once more, with its accesses
 * checked, in serial order, or for its deadlock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "detectors/races/decoder.h"
#include "runner/amplify/internal.h"

/* What is being explained. */
typedef struct subject {
  amplify *amplify;
  size_t launch_index;
  const gated_launch *launch;
  trial *trial;
  const trial *other; /* gives the other result; NULL: the ungated program */
  const instrument_result *program;
  const instrument_kernel *kernel;
  const struct seen_race *race; /* of the kernel; NULL: none was seen */
  amplify_job *expected;        /* a run of `other` with memory */
  memory_difference difference;
  bool found;
  buffer argument;
  const char *obstacle; /* why it is not known whether accesses race */
  db_explained *places;
  size_t place_count, place_capacity;
  db_explanation out;
} subject;

/* Why a run hangs: which work-groups never ended, and where they were seen last. */

enum { LISTED_GROUPS = 4 };

/* A place on a line of a file of the program, 0: not known. */
static void explain_place(subject *s, const db_explained *place);

/* A group that never ended, and where it was seen last. */
static void add_group(subject *s, size_t group, uint32_t state) {
  const model *m = &s->program->model;
  const uint32_t number = state - GATE_STATE_AT;
  const model_site *site = state >= GATE_STATE_AT && number < m->site_count ? &m->sites[number] : NULL;
  db_explained place = {.role = "group", .group = (uint32_t)group};
  if (site != NULL) {
    place.construct = site->kind == SITE_BARRIER ? "barrier" : "loop";
    place.file = site->file;
    place.line = site->line;
  }
  if (site != NULL && s->place_count == 0) {
    s->out.file_name = m->files[site->file].name;
    s->out.line = site->line;
  }
  explain_place(s, &place);
}

static void read_watch(subject *s, const char *path) {
  FILE *file = fopen(path, "rb");
  uint32_t words[GATE_WORDS];
  if (file == NULL) return;
  size_t groups = s->launch->groups;
  scoped uint32_t *states = mem_calloc(groups, sizeof *states);
  if (fread(words, sizeof *words, GATE_WORDS, file) == GATE_WORDS && words[GATE_GROUPS] == groups &&
      fread(states, sizeof *states, groups, file) == groups) {
    /* What the file of a watched launch says. */
    uint32_t running = 0, waiting = 0;
    for (size_t i = 0; i < groups; i++) {
      waiting += states[i] == GATE_STATE_OUT ? 1 : 0;
      if (states[i] != GATE_STATE_OUT && states[i] != GATE_STATE_ENDED && running++ < LISTED_GROUPS)
        add_group(s, i, states[i]);
    }
    s->out.why.running = running;
    s->out.why.waiting = waiting;
    s->out.why.of_groups = (uint32_t)groups;
  }
  (void)fclose(file);
}

/* Where no run that hung was watched: one more. */
static int watch(subject *s, error *e) {
  amplify_job *j = amplify_job_watched(s->amplify, s->launch_index, &s->trial->schedule);
  int result = 0;
  if (j != NULL) {
    result = experiment_run_single(&s->amplify->base, &j->base, e);
    read_watch(s, j->watch);
    experiment_job_free(&j->base);
  }
  return result;
}

static int explain_deadlock(subject *s, error *e) {
  if (s->trial->watched != NULL)
    read_watch(s, s->trial->watched);
  else if (watch(s, e) != 0)
    return -1;
  s->out.why.kind = "groups";
  return 0;
}

/* Why results differ: what two schedules leave in the memory of the launch. */

enum { ATTEMPTS = 8, LISTED_LINES = 4 };

static amplify_job *memory_job(const subject *s, const trial *t) {
  amplify_job *j = amplify_job_new(s->amplify, amplify_gated_form(s->amplify));
  j->memory_of = s->launch_index;
  if (t != NULL) amplify_job_gate(j, s->launch_index, &t->schedule);
  amplify_job_gate_others(j); /* the launch itself, too, where nothing else gives the reference's result */
  return j;
}

static bool compare(const subject *s, const amplify_job *seen, memory_difference *out) {
  const instrument_kernel *k = s->kernel;
  scoped const char **types = mem_calloc(k->parameter_count + 1, sizeof(char *));
  for (size_t i = 0; i < k->parameter_count; i++) types[i] = k->parameters[i].type;
  return memory_compare(&s->expected->images, &seen->images, types, k->parameter_count, out);
}

/* Fill in kind, figures and places. */
static int explain_race(subject *s, error *e) {
  s->other = trial_with(s->launch, VERDICT_CONSISTENT);
  s->out.other = s->other == NULL ? 0 : s->other->row;
  s->out.why.in_order = s->amplify->in_order;
  /* Runs the schedule until memory differs. */
  amplify *a = s->amplify;
  s->expected = memory_job(s, s->other);
  int result = experiment_run_single(&a->base, &s->expected->base, e);
  for (int i = 0; i < ATTEMPTS && result == 0 && !s->found && amplify_goes_on(a); i++) {
    amplify_job *j = memory_job(s, s->trial);
    result = experiment_run_single(&a->base, &j->base, e);
    s->found = result == 0 && compare(s, j, &s->difference);
    experiment_job_free(&j->base);
  }
  if (result != 0) return -1;
  if (s->found) {
    const memory_difference *d = &s->difference;
    const instrument_parameter *p =
        d->argument < s->kernel->parameter_count ? &s->kernel->parameters[d->argument] : NULL;
    if (p != NULL && p->name[0] != '\0')
      buffer_puts(&s->argument, p->name);
    else
      buffer_printf(&s->argument, "argument %u", (unsigned)d->argument);
    if (p != NULL) {
      /* The lines on which the kernel writes through a parameter, as far as its own text tells. */
      bool more = false;
      EACH(const instrument_access, access, p->accesses, p->access_count) {
        bool known = !access->writes;
        for (size_t k = 0; k < s->place_count; k++) known = known || s->places[k].line == access->line;
        if (!known && s->place_count < LISTED_LINES) {
          s->out.file_name = s->place_count == 0 ? s->program->model.files[access->file].name : s->out.file_name;
          s->out.line = s->place_count == 0 ? access->line : s->out.line;
          explain_place(s, &(db_explained){.role = "write", .file = access->file, .line = access->line});
        } else if (!known) {
          more = true;
        }
      }
      s->out.why.rest = more ? "others" : s->place_count > 0 && p->escapes ? "elsewhere" : "";
    }
    s->out.why.kind = "memory";
    s->out.why.unit = d->unit;
    s->out.why.width = d->width;
    s->out.why.height = d->height;
    s->out.argument = buffer_text(&s->argument);
    s->out.first = d->first;
    s->out.last = d->last;
    s->out.differing = d->differing;
    s->out.reference = d->reference;
    s->out.seen = d->seen;
  } else if (s->trial->shown != NULL) {
    s->out.why.kind = "read";
    s->out.why.read_kernel = s->trial->shown->kernel;
    s->out.why.read_argument = s->trial->shown->argument;
    s->out.why.read_launch = s->trial->shown->launch;
    s->out.why.read_number = s->trial->shown->number;
  } else
    s->out.why.kind = "ending";
  return 0;
}

/* Where results depend on the order of work-groups: is that a race? The test case runs once more with its accesses to
 * memory checked, as `cltestcheck races` does. Where no two of a kernel's accesses race, atomic functions are why, whose
 * order the program leaves open. */

/* What was read differently and is no evidence of any schedule is a reason, too. */
static bool is_wanted(amplify *a) {
  a->varied =
      a->varied || a->in_order || transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference);
  return a->varied || trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0;
}

static const char *failure_of(const amplify *a, const amplify_job *j) {
  const pool_job *job = &j->base.job;
  if (job->timed_out || job->stopped) return "its accesses could not be checked in the time there was";
  if (job->worker != 0) return job->replayed && !job->incomplete ? NULL : "a replay whose accesses are checked failed";
  return job->status == amplify_case(a)->plain.status ? NULL
                                                      : "the program ends otherwise while its accesses are checked";
}

static int run_round(amplify *a, program_form form, unsigned round, error *e) {
  amplify_job *j = amplify_job_new(a, form);
  j->base.job.child.cells_round = round;
  if (amplify_replays(a)) amplify_replay_checked(j, round);
  const int result = experiment_run_single(&a->base, &j->base, e);
  a->unchecked = failure_of(a, j);
  a->check_late = j->base.job.timed_out || j->base.job.stopped;
  experiment_job_free(&j->base);
  return result;
}

/* In as many rounds as it takes until all memory was checked. */
static int run_checked(amplify *a, program_form form, error *e) {
  int result = run_round(a, form, 0, e);
  for (unsigned round = 1; result == 0 && a->unchecked == NULL && round < session_check_rounds(a->checks); round++)
    result = amplify_goes_on(a) ? run_round(a, form, round, e) : 0;
  if (a->unchecked == NULL && session_check_lacks_rounds(a->checks))
    a->unchecked = "its memory is too large to be checked";
  return result;
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

/* The program with this source among those that were checked; false: it is not there. */
static bool find_checked(const amplify *a, uint32_t program, uint32_t *number) {
  const char *wanted = session_program_at(a->session, program).key, *key = "";
  for (*number = 0; (key = session_program_at(a->checks, *number).key) != NULL && strcmp(key, wanted) != 0; ++*number) {
  }
  return key != NULL;
}

/* The race of a launch's kernel that was seen; NULL: none was. `*why`: why that says nothing, NULL: it does. */
static const seen_race *amplify_race_of(const amplify *a, const gated_launch *l, const char **why) {
  static const char *const unknown = "no launch of it was checked";
  uint32_t program = 0;
  const bool there = find_checked(a, l->program, &program);
  const seen_race *race = there ? races_worst(a->checks, program, l->kernel) : NULL;
  *why = race != NULL           ? NULL
         : a->unchecked != NULL ? a->unchecked
         : there                ? races_obstacle(a->checks, program, l->kernel)
                                : unknown;
  return race;
}

static int judge(amplify *a, gated_launch *l, error *e) {
  const char *why = NULL;
  int result = 0;
  const bool raced = amplify_race_of(a, l, &why) != NULL;
  l->accesses = raced || (why != NULL && !a->check_late) ? ACCESSES_RACE
                : why != NULL                            ? ACCESSES_UNCHECKED
                                                         : ACCESSES_RACELESS;
  for (size_t t = 0; t < l->trial_count && result == 0; t++) {
    if (schedule_judge(l->trials[t].outcomes) == VERDICT_RACE) {
      l->trials[t].recorded = false;
      result = amplify_store_trial(a, l, &l->trials[t], e);
    }
  }
  return result;
}

/* Whether some schedule of a launch differs, no race is seen, and nothing speaks against that. */
static bool any_without(const amplify *a) {
  bool any = false;
  for (size_t i = 0; i < a->launch_count && !any; i++) {
    const char *why = NULL;
    any = trial_with(&a->launches[i], VERDICT_DIFFERS) != NULL && amplify_race_of(a, &a->launches[i], &why) == NULL &&
          why == NULL;
  }
  return any;
}

/* What a group waits for may come too late in another order, and what it does then may race: the opposite order is
 * looked at, too. Where groups wait without end, it cannot be. */
static int look_in_both_orders(amplify *a, error *e) {
  if (run_checked(a, FORM_CHECKED, e) != 0) return -1;
  if (!amplify_goes_on(a) || !any_without(a)) return 0;
  if (trials_count(a->launches, a->launch_count, VERDICT_DEADLOCK, true) > 0) {
    a->unchecked = "groups wait for others, and what they do in an order in which that does not end is not known";
    return 0;
  }
  return run_checked(a, FORM_CHECKED_REVERSED, e);
}

int amplify_check(amplify *a, error *e) {
  a->check_late = false;
  if (!is_wanted(a)) return 0;
  experiment_phase_begin(&a->base, PHASE_EXPLANATION, 1);
  races_forget(a->checks);
  session_check_apart(a->checks, false);
  session_begin_test_case(a->checks, amplify_case(a)->row, a->options->common.tests[a->base.begin].argv);
  int result = look_in_both_orders(a, e);
  for (size_t i = 0; i < a->launch_count && result == 0 && amplify_goes_on(a); i++)
    result = judge(a, &a->launches[i], e);
  return result;
}

static void explain_place(subject *s, const db_explained *place) {
  *ARRAY_ADD(s->places, s->place_count, s->place_capacity) = *place;
}

/* Of a kernel: at the two accesses of a race, else where it begins. `t`: what shows it; NULL: runs that no schedule accounts
 * for. */
static int put_finding(amplify *a, const gated_launch *l, const trial *t, const seen_race *race, const char *rule,
                       error *e) {
  const known_program p = session_program_at(a->session, l->program);
  const model *m = &p.result->model;
  const model_function *f = &m->functions[m->kernels[l->kernel].function];
  db_finding finding = {.of.run = a->base.run,
                        .of.test_case = amplify_case(a)->row,
                        .of.program = p.stored->id,
                        .of.kernel = p.stored->kernels[l->kernel],
                        .schedule = t == NULL ? 0 : t->row,
                        .rule = rule};
  told_race told = {0};
  if (race != NULL) {
    races_tell(a->checks, race, &told);
    finding.places = told.places;
    finding.place_count = told.place_count;
    finding.detail = told.detail;
    finding.detail.cause = t == NULL ? "varied" : NULL;
  } else {
    finding.of.site = p.stored->sites[f->site];
  }
  return db_put_finding(a->base.db, &finding, e);
}

static int store(subject *s, schedule_verdict v, error *e) {
  amplify *a = s->amplify;
  s->out.places = s->places;
  s->out.place_count = s->place_count;
  if (db_put_explanation(a->base.db, s->trial->row, &s->out, e) != 0) return -1;
  const bool shown = !s->launch->meant && v != VERDICT_ORDER && v != VERDICT_DIFFERS;
  const seen_race *race = v == VERDICT_RACE ? s->race : NULL;
  return shown || race != NULL ? put_finding(a, s->launch, s->trial, race,
                                             v == VERDICT_RACE       ? "data-race"
                                             : v == VERDICT_DEADLOCK ? "deadlock"
                                                                     : "crash",
                                             e)
                               : 0;
}

/* --- races that were seen ----------------------------------------------------------------------------------------- */

/* A race that was seen of a kernel whose results vary, though no order of its work-groups shows it. */
static int tell_seen(amplify *a, const gated_launch *l, error *e) {
  const char *why = NULL;
  const seen_race *race = amplify_race_of(a, l, &why);
  return race == NULL ? 0 : put_finding(a, l, NULL, race, "data-race", e);
}

static int explain(amplify *a, size_t launch, trial *t, error *e) {
  const gated_launch *l = &a->launches[launch];
  const instrument_result *p = session_program_at(a->session, l->program).result;
  subject s = {
      .amplify = a, .launch_index = launch, .launch = l, .trial = t, .program = p, .kernel = &p->kernels[l->kernel]};
  const schedule_verdict v = trial_judge(l, t);
  int result = 0;
  if (v == VERDICT_RACE || v == VERDICT_ORDER || v == VERDICT_DIFFERS) {
    result = explain_race(&s, e);
    /* Both accesses of the race, where one was seen; why nothing is known of them, or that there is none. */
    s.race = amplify_race_of(s.amplify, s.launch, &s.obstacle);
    s.out.why.race = v == VERDICT_ORDER ? "none" : s.race == NULL ? "unknown" : "seen";
    s.out.why.race_why = v == VERDICT_ORDER && !s.kernel->atomics ? "it has no atomic functions" : s.obstacle;
    if (v != VERDICT_ORDER && s.race != NULL) {
      told_race told;
      races_tell(s.amplify->checks, s.race, &told);
      const db_place *last = &told.places[told.place_count - 1];
      s.out.file_name = s.program->model.files[last->file].name;
      s.out.line = last->line;
    }
  } else if (v == VERDICT_DEADLOCK) {
    result = explain_deadlock(&s, e);
  } else {
    s.out.why.kind = "signal";
  }
  if (result == 0 && !a->out->common.interrupted) result = store(&s, v, e);
  if (s.expected != NULL) experiment_job_free(&s.expected->base);
  buffer_free(&s.argument);
  free(s.places);
  return result;
}

static const schedule_verdict explained[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH, VERDICT_ORDER,
                                             VERDICT_DIFFERS};

/* Whether an earlier launch of the same kernel has the verdict. */
static bool shown_before(const amplify *a, size_t launch, schedule_verdict v) {
  for (size_t i = 0; i < launch; i++) {
    const gated_launch *l = &a->launches[i];
    if (launch_same_kernel(l, &a->launches[launch]) && trial_with(l, v) != NULL) return true;
  }
  return false;
}

/* Whether launches of the kernel before this one are selected, too, or one of them has the verdict. */
static bool told_before(const amplify *a, size_t launch) {
  bool told = false;
  for (size_t i = 0; i < a->launch_count && !told; i++) {
    const gated_launch *l = &a->launches[i];
    const bool same = launch_same_kernel(l, &a->launches[launch]);
    told = same && ((i < launch && l->row != 0) || trial_with(l, VERDICT_RACE) != NULL);
  }
  return told;
}

static int explain_varied(amplify *a, error *e) {
  int result = 0;
  if (a->varied && a->unchecked != NULL) {
    experiment_note(&a->base, "%s: results differed in runs that no schedule accounts for; %s",
                    a->options->common.tests[a->base.begin].name, a->unchecked);
  }
  for (size_t i = 0; i < a->launch_count && a->varied && result == 0; i++) {
    const gated_launch *l = &a->launches[i];
    if (l->row != 0 && !l->meant && !told_before(a, i)) result = tell_seen(a, l, e);
  }
  return result;
}

/* The trial of a launch of which a run was watched while it hung; `other` if there is none. */
static trial *watched_or(const gated_launch *l, trial *other) {
  trial *found = other;
  for (size_t t = 0; t < l->trial_count; t++)
    found = l->trials[t].watched != NULL && found->watched == NULL ? &l->trials[t] : found;
  return found;
}

int amplify_explain(amplify *a, error *e) {
  experiment_phase_begin(&a->base, PHASE_EXPLANATION, 0);
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t k = 0; k < sizeof explained / sizeof explained[0] && result == 0 && amplify_goes_on(a); k++) {
      trial *t = trial_with(&a->launches[i], explained[k]);
      t = explained[k] == VERDICT_DEADLOCK && t != NULL ? watched_or(&a->launches[i], t) : t;
      if (t != NULL && !shown_before(a, i, explained[k])) result = explain(a, i, t, e);
    }
  }
  return result != 0 || !amplify_goes_on(a) ? result : explain_varied(a, e);
}

/* Before a race is reported, the reference is looked at once more: results that vary seldom may have shown in none of
 * its runs, and whether the order of the groups is why has to be known. */

enum { REPLAYS = 20, PROGRAM_RUNS = 5 };

static bool any_race(const amplify *a) { return trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0; }

static int looked_at(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  const bool told = j->base.job.worker != 0 ? j->base.job.replayed && !j->base.job.incomplete
                                            : !j->base.job.timed_out && j->base.job.status == a->reference.status;
  if (told) experiment_learn(&a->reference, &j->base, false);
  return 0;
}

/* There is another reference. Where what it reads varies whatever the order, it is run as a whole, as every such
 * program, and what varies is no evidence. Where one order is the reference now, a run that gave what the old one gave may differ
 * from it, and a run that did not may not. */
static int try_again(amplify *a, error *e) {
  const bool replayed = amplify_replays(a) && transcript_unstable(&a->reference);
  if (replayed) amplify_no_replay(a, "what it reads differs from run to run");
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t t = 0; t < a->launches[i].trial_count; t++) {
      const schedule_verdict v = schedule_judge(a->launches[i].trials[t].outcomes);
      a->varied = a->varied || v == VERDICT_RACE;
      if (v == VERDICT_RACE || (a->in_order && v == VERDICT_CONSISTENT))
        trial_forget(&a->launches[i].trials[t], a->options->common.runs);
    }
  }
  return replayed && amplify_say_engine(a, e) != 0 ? -1 : amplify_trials(a, e);
}

static bool has_other_reference(const amplify *a) { return transcript_unstable(&a->reference) || a->in_order; }

int amplify_doubt(amplify *a, error *e) {
  if (!any_race(a) || transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference)) return 0;
  if (amplify_baseline_rest(a, e) != 0 || !amplify_goes_on(a)) return amplify_goes_on(a) ? -1 : 0;
  if (transcript_unstable(&amplify_case(a)->plain)) /* and the order was looked at, whether it is why */
    return has_other_reference(a) ? try_again(a, e) : 0;
  const unsigned runs = amplify_replays(a) ? REPLAYS : PROGRAM_RUNS;
  experiment_phase_begin(&a->base, PHASE_PREPARE, runs);
  if (amplify_run_form(a, amplify_gated_form(a), false, runs, looked_at, e) != 0) return amplify_goes_on(a) ? -1 : 0;
  if (!transcript_unstable(&a->reference) || !amplify_goes_on(a)) return 0;
  if (amplify_blame(a, e) != 0 || !amplify_goes_on(a)) return amplify_goes_on(a) ? -1 : 0;
  return has_other_reference(a) ? try_again(a, e) : 0;
}

/* Whether the order of the work-groups is why a program differs from itself: it runs with one group after another. */

enum { SERIAL_RUNS = 3 };

/* A program that its own memory makes fail when that is filled says nothing of the order: it runs without. */
static int serial_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->serial_failed = j->base.job.child.perturb != NULL &&
                     (j->base.job.timed_out || j->base.job.status != amplify_case(a)->plain.status);
  if (a->serial_failed) return 0;
  const bool told = !j->base.job.timed_out && j->base.job.status == a->reference.status;
  a->serial_told = told && (!a->serial_known || a->serial_told);
  experiment_learn(&a->serial, &j->base, !a->serial_known);
  a->serial_known = true;
  return 0;
}

/* One group after another, in every launch. Memory that nobody has written is filled with something else each time, and
 * time() says something else. */
static int run_serially(amplify *a, error *e) {
  static const char *const fillings[SERIAL_RUNS] = {"0", "85", "170"};
  int result = 0;
  bool filled = true;
  a->progress.common.total += SERIAL_RUNS;
  for (int i = 0; i < SERIAL_RUNS && result == 0 && amplify_goes_on(a);) {
    amplify_job *j = amplify_job_new(a, amplify_gated_form(a));
    j->base.job.child.perturb = filled ? fillings[i] : NULL;
    for (size_t l = 0; l < a->launch_count; l++) amplify_job_gate(j, l, &amplify_in_order);
    result = experiment_run_jobs(&a->base, &(experiment_job *){&j->base}, 1, serial_ended, e);
    if (i == 0) clock_sleep_past(time(NULL));
    filled = !a->serial_failed;
    i += filled ? 1 : 0;
  }
  return result;
}

/* Where the order is why, what one order gives is the reference, and launches that a run is not about have that order:
 * else what they vary in would be blamed on the others. */
static void take_serial(amplify *a) {
  if (a->serial_known && a->serial_told &&
      (!transcript_within(&amplify_case(a)->plain, &a->serial) || !transcript_within(&a->reference, &a->serial))) {
    transcript_free(&a->reference);
    a->reference = a->serial;
    a->serial = (transcript){0};
    a->in_order = true;
  } else {
    transcript_unmark(&a->reference);
    transcript_mark(&a->reference, &a->serial);
  }
}

int amplify_blame(amplify *a, error *e) {
  const char *name = a->options->common.tests[a->base.begin].name;
  if (run_serially(a, e) != 0 || !amplify_goes_on(a)) return amplify_goes_on(a) ? -1 : 0;
  if (!transcript_unstable(&amplify_case(a)->plain)) {
    experiment_note(&a->base, "%s: the program differs from itself once its kernels are gated, with the gate open",
                    name);
  }
  int result = amplify_name_unstable(a, &a->serial, true, e);
  if (!transcript_unstable(&a->serial)) {
    experiment_note(&a->base, "%s: it does not differ when work-groups execute one after another: their order is why",
                    name);
  }
  take_serial(a);
  transcript_free(&a->serial);
  a->serial = (transcript){0};
  a->serial_known = false;
  return result;
}
