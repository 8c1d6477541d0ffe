/* The phases of schedule amplification, test case by test case: baseline, plan, and launches of which a proof is known;
 * experiments as functions. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "detectors/races/decoder.h"
#include "proofs/client/prove.h"
#include "proofs/sources/observe.h"
#include "runner/amplify/internal.h"
#include "runner/amplify/trial.h"
#include "runner/experiment/run_words.h"
#include "runner/measure/measure.h"

/* The program as it is, several times: whether it varies by itself, and a capture of it. */

enum { NAMED_OUTPUTS = 3 };

/* The first few are named, of the others there is only the number. */
static int say_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  (void)e;
  if (++a->unstable_count > NAMED_OUTPUTS) return 0;
  experiment_note(
      &a->base,
      "%s: the program differs from itself without any gate: %s differs from run to run (%.3g %% of its bytes)",
      amplify_test_name(a), what, share * 100);
  return 0;
}

static int store_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  a->out->unstable = true;
  if (++a->unstable_count > NAMED_OUTPUTS) return db_add_unstable(a->base.db, amplify_case(a)->row, what, share, e);
  experiment_note(&a->base,
                  "%s: %s differs from run to run also when work-groups execute one after another (%.3g %% of its "
                  "bytes): the order of the groups is not why, and this is no evidence",
                  amplify_test_name(a), what, share * 100);
  return db_add_unstable(a->base.db, amplify_case(a)->row, what, share, e);
}

int amplify_name_unstable(amplify *a, const transcript *t, bool ordered, error *e) {
  a->unstable_count = 0;
  int result = unstable_outputs(t, a->options->common.oracle, ordered ? store_unstable : say_unstable, a, e);
  if (a->unstable_count > NAMED_OUTPUTS) {
    experiment_note(&a->base, "%s: and so do %zu other outputs", amplify_test_name(a),
                    a->unstable_count - NAMED_OUTPUTS);
  }
  return result;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* Some runs of the program as it is, one of which is captured; one more, later; the others by replays, where replays
 * stand for it; and what is left of them by the program, when something differs. */
static int amplify_baseline(amplify *a, error *e) {
  experiment *x = &a->base;
  a->plain_left = experiment_plain_runs(x) - experiment_program_runs(x);
  if (experiment_baseline(x, e) != 0) return -1;
  return amplify_goes_on(a) && !experiment_defers_run(x) ? amplify_name_unstable(a, &amplify_case(a)->plain, false, e)
                                                         : 0;
}

int amplify_baseline_later(amplify *a, error *e) {
  if (!experiment_defers_run(&a->base) || !amplify_goes_on(a)) return 0;
  if (experiment_baseline_later(&a->base, e) != 0) return -1;
  return amplify_goes_on(a) ? amplify_name_unstable(a, &amplify_case(a)->plain, false, e) : 0;
}

int amplify_check_replays(amplify *a, error *e) {
  if (a->plain_left == 0 || !amplify_replays(a)) return 0;
  experiment_phase_begin(&a->base, PHASE_BASELINE, a->plain_left);
  const int result = amplify_check_plain(a, a->plain_left, e);
  a->plain_left = amplify_replays(a) ? 0 : a->plain_left;
  return result;
}

int amplify_baseline_rest(amplify *a, error *e) {
  const unsigned runs = a->plain_left;
  a->plain_left = 0;
  if (runs == 0) return 0;
  experiment_phase_begin(&a->base, PHASE_BASELINE, runs);
  if (experiment_run_plain(&a->base, runs, NULL, e) != 0) return -1;
  if (!transcript_unstable(&amplify_case(a)->plain) || !amplify_goes_on(a)) return 0;
  return amplify_name_unstable(a, &amplify_case(a)->plain, false, e) != 0 ? -1 : amplify_blame(a, e);
}

/* From a capture to the launches in it, and to the proofs that cover these. */

static proved *find(proved_list *l, const char *kernel) { return NAMED(l->items, l->count, kernel, kernel); }

/* The proof that covers a launch, 0: none does. */
static int find_proof(db *d, const asked_source *s, const asked_kernel *k, const observed_launch *l, int64_t *proof,
                      error *e) {
  launch_cover wanted[2];
  const size_t count = covers_wanted(s, k, l, wanted);
  int result = 0;
  *proof = 0;
  for (size_t i = 0; i < count && *proof == 0 && result == 0; i++) result = db_find_cover(d, wanted[i].key, proof, e);
  return result;
}

/* One of the proofs that cover all launches of a kernel, 0: not all are covered. */
static int find_proofs(db *d, const asked_source *s, const asked_kernel *k, int64_t *proof, error *e) {
  int result = 0;
  *proof = 0;
  if (k->uneven > 0 || k->distinct != k->launch_count) return 0; /* not all are known */
  for (size_t i = 0; i < k->launch_count && result == 0; i++) {
    result = find_proof(d, s, k, &k->launches[i], proof, e);
    if (*proof == 0) break;
  }
  return result;
}

/* Kernels of one name in several sources are taken together. */
static int add_kernel(db *d, const asked_source *s, const asked_kernel *k, proved_list *to, error *e) {
  int64_t proof = 0;
  const int result = find_proofs(d, s, k, &proof, e);
  proved *p = find(to, k->name);
  const bool others = p == NULL || p->proof != 0;
  if (p == NULL) {
    p = ARRAY_ADD(to->items, to->count, to->capacity);
    *p = (proved){.kernel = mem_strdup(k->name)};
  }
  p->launches += k->made;
  p->proof = others ? proof : 0;
  return result;
}

/* Where one source cannot be read, its launches are not known, of whatever kernels. */
static bool all_known(const observation *o) {
  bool known = true;
  for (size_t i = 0; i < o->count; i++) known = known && o->sources[i].problem == NULL;
  return known;
}

static int look(db *d, const observation *o, proved_list *out, error *e) {
  int result = 0;
  for (size_t i = 0; i < o->count && result == 0; i++)
    for (size_t k = 0; k < o->sources[i].kernel_count && result == 0; k++)
      result = add_kernel(d, &o->sources[i], &o->sources[i].kernels[k], out, e);
  for (size_t i = 0; i < out->count; i++)
    if (out->items[i].proof != 0)
      out->items[i].words = mem_printf("proved: one result (proof %lld)", (long long)out->items[i].proof);
  return result;
}

/* Looks at the launches of a capture; `scratch`: a folder for what its kernels include. A capture that cannot be read
 * proves nothing. -1 with `e` set: the database cannot be read. Free in every case. */
static int proved_read(db *d, const char *path, const char *scratch, proved_list *out, error *e) {
  *out = (proved_list){0};
  char *const nothing[] = {NULL};
  capture c;
  observation o = {0};
  error ignored;
  int result = 0;
  (void)mkdir(scratch, 0700);
  if (capture_read(path, &c, &ignored) == 0) {
    if (c.unsuitable == NULL && observe_capture(&c, scratch, nothing, &o, &ignored) == 0 && all_known(&o))
      result = look(d, &o, out, e);
    capture_free(&c);
  }
  for (size_t i = 0; i < o.count; i++) asked_source_free(&o.sources[i]);
  free(o.sources);
  return result;
}

static void proved_free(proved_list *l) {
  for (size_t i = 0; i < l->count; i++) {
    free(l->items[i].kernel);
    free(l->items[i].words);
  }
  free(l->items);
  *l = (proved_list){0};
}

/* Which schedules each launch gets. */

static const char *kernel_name(const amplify *a, const gated_launch *l) {
  return session_program_at(a->session, l->program).result->model.kernels[l->kernel].name;
}

static bool is_selected(const amplify *a, const gated_launch *l) {
  const experiment_options *o = &a->options->common;
  const amplify_replay *only = a->options->replay;
  if (only != NULL) return strcmp(kernel_name(a, l), only->kernel) == 0 && l->number == only->launch;
  return kernel_chosen(&o->kernels, kernel_name(a, l));
}

/* A proof is about kernels as they are, and about launches that are known: those of the capture. */
static int read_proofs(amplify *a, error *e) {
  const amplify_options *o = a->options;
  if (o->no_trust_proofs || o->replay != NULL || o->common.mutant != 0 || !amplify_replays(a)) return 0;
  const char *path = amplify_case(a)->capture.path;
  scoped_buffer scratch = buffer_with("%s.files", path);
  return proved_read(a->base.db, path, buffer_text(&scratch), &a->proved, e);
}

/* Why all launches of this one's kernel are proved to have one result; NULL: they are not. */
static const char *proof_of(const amplify *a, const gated_launch *l) {
  const char *name = kernel_name(a, l);
  uint64_t launches = 0;
  for (size_t i = 0; i < a->launch_count; i++) launches += strcmp(kernel_name(a, &a->launches[i]), name) == 0 ? 1 : 0;
  /* Why a kernel with so many launches needs no schedules; NULL: it does. Lent by the list. */
  const proved *p = find((proved_list *)&a->proved, name);
  return p != NULL && p->launches == launches ? p->words : NULL;
}

static int plan_launch(amplify *a, gated_launch *l, error *e) {
  const known_program p = session_program_at(a->session, l->program);
  const char *proof = proof_of(a, l);
  l->skipped = schedule_obstacle(l);
  if (l->skipped[0] == '\0' && proof != NULL) {
    l->skipped = proof;
    a->out->proved++;
  }
  l->meant = schedule_is_meant(&p.result->model, l->kernel);
  if (l->skipped[0] == '\0') {
    const experiment_options *o = &a->options->common;
    const amplify_replay *only = a->options->replay;
    if (only == NULL)
      schedule_add_trials(&a->options->plan, l, schedule_launch_seed(o->seed, kernel_name(a, l), l->number), o->runs);
    else if (only->schedule.target < l->groups)
      launch_add_trial(l, &only->schedule, o->runs);
    l->skipped = l->trial_count > 0 ? "" : "it has none of the work-groups of --targets";
  }
  a->out->launches++;
  a->out->gated += l->trial_count > 0 ? 1 : 0;
  a->out->most_groups = l->groups > a->out->most_groups ? l->groups : a->out->most_groups;
  const db_launch row = {
      .number = l->number, .groups = l->groups, .local = l->local, .together = l->together, .skipped = l->skipped};
  return db_put_launch(a->base.db, amplify_case(a)->row, p.stored->kernels[l->kernel], &row, &l->row, e);
}

/* The trials of every launch; stores launches. */
static int amplify_plan(amplify *a, error *e) {
  int result = read_proofs(a, e);
  schedule_fill_together(a->launches, a->launch_count);
  for (size_t i = 0; i < a->launch_count && result == 0; i++) {
    a->out->launches_all++;
    if (is_selected(a, &a->launches[i])) result = plan_launch(a, &a->launches[i], e);
  }
  return result;
}

experiment_case *amplify_case(const amplify *a) { return &a->base.cases[a->base.begin]; }

bool amplify_replays(const amplify *a) { return experiment_is_replayed(&a->base, a->base.begin); }

bool amplify_goes_on(const amplify *a) {
  return !experiment_stopped(&a->base) && !a->out->common.baseline_failed && !a->out->device_lost && !a->base.failed;
}

/* --- a test case -------------------------------------------------------------------------------------------------- */

static void set_deadline(amplify *a, double deadline) {
  a->base.deadline = deadline;
  pool_set_deadline(a->base.pool, deadline);
  session_end_at(a->session, deadline);
  session_end_at(a->checks, deadline);
}

/* Of a limited time a part is kept for checking accesses: without that nobody knows whether what differs is a race. */
static void keep_time(amplify *a) {
  const double most = 60, part = 0.3 * a->options->common.max_time;
  a->whole_deadline = a->base.deadline;
  set_deadline(a, a->base.deadline > 0 ? a->base.deadline - (part < most ? part : most) : 0);
}

typedef int (*phase)(amplify *a, error *e);

static int run_phases(amplify *a, const phase *phases, size_t count, error *e) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0 && amplify_goes_on(a); i++) result = phases[i](a, e);
  return result;
}

static int run_test(amplify *a, error *e) {
  static const phase runs[] = {amplify_baseline,      amplify_survey, amplify_plan,  amplify_say_engine,
                               amplify_check_replays, amplify_trials, amplify_doubt, amplify_verify};
  static const phase checks[] = {amplify_check, amplify_explain};
  const experiment_test *test = &a->options->common.tests[a->base.begin];
  if (experiment_begin_test_case(a->base.db, a->base.run, test, &amplify_case(a)->row, e) != 0) return -1;
  session_begin_test_case(a->session, amplify_case(a)->row, test->argv);
  const double working = a->base.deadline;
  int result = run_phases(a, runs, sizeof runs / sizeof runs[0], e);
  const bool whole = amplify_goes_on(a); /* not cut off by the time */
  set_deadline(a, a->whole_deadline);
  if (result == 0 && (whole || trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0))
    result = run_phases(a, checks, sizeof checks / sizeof checks[0], e);
  set_deadline(a, working);
  static const schedule_verdict wrong[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH};
  size_t found = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    found += trials_count(a->launches, a->launch_count, wrong[i], false);
  a->out->found += found;
  if (result == 0 && !a->out->common.baseline_failed)
    result = db_end_test_case(a->base.db, amplify_case(a)->row, amplify_case(a)->plain.status, false, e);
  experiment_forget_case(&a->base, a->base.begin);
  transcript_free(&a->reference);
  a->reference_known = a->in_order = a->varied = false;
  a->unchecked = NULL;
  proved_free(&a->proved);
  for (size_t i = 0; i < a->launch_count; i++) launch_free(&a->launches[i]);
  a->launch_count = 0;
  return result;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Options that fit nothing, which only the launches can tell. */
static int check_options(const amplify *a, error *e) {
  const amplify_options *o = a->options;
  const amplify_outcome *out = a->out;
  if (out->launches_all > 0 && out->launches == 0) {
    return error_set(e, EXIT_NOTHING, "--kernel and --exclude leave no kernel that is launched; there are: %s",
                     out->kernels);
  }
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < o->plan.target_count && o->plan.targets == TARGETS_LIST; i++)
    least = o->plan.target_list[i] < least ? o->plan.target_list[i] : least;
  if (o->plan.targets == TARGETS_LIST && out->most_groups > 1 && least >= out->most_groups) {
    return error_set(e, EXIT_USAGE, "--targets: there is no work-group %u; the largest launch has %zu (0 to %zu)",
                     (unsigned)least, out->most_groups, out->most_groups - 1);
  }
  if (o->common.mutant != 0 && out->common.programs > 0 && !out->mutant_seen) {
    return error_set(e, EXIT_USAGE, "--mutant: no program has mutant %u; `cltestcheck mutate --list` shows them",
                     (unsigned)o->common.mutant);
  }
  if (o->replay != NULL && out->common.programs > 0 && out->gated == 0) {
    return error_set(e, EXIT_USAGE, "--replay: the program has no launch %u of kernel %s with a group %u any more",
                     (unsigned)o->replay->launch, o->replay->kernel, (unsigned)o->replay->schedule.target);
  }
  return 0;
}

static void summarise(amplify *a) {
  session_summary s = session_summarise(a->session);
  a->out->common.programs = s.programs;
  a->out->common.device_denied = s.device_denied;
  a->out->common.denied_type = s.denied_type;
  a->out->mutant_seen = session_has_mutant(a->session);
  (void)snprintf(a->out->common.device, sizeof a->out->common.device, "%s", s.device);
  (void)snprintf(a->out->last_skip, sizeof a->out->last_skip, "%s", s.last_skip);
  scoped_buffer names = {0};
  known_program p;
  for (size_t i = 0; (p = session_program_at(a->session, i)).key != NULL; i++) {
    const model *m = &p.result->model;
    for (size_t k = 0; k < m->kernel_count && p.reason == NULL; k++)
      buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", m->kernels[k].name);
  }
  (void)snprintf(a->out->kernels, sizeof a->out->kernels, "%s", buffer_text(&names));
}

static int run_tests(amplify *a, error *e) {
  const size_t count = a->options->common.test_count;
  for (size_t t = 0; t < count && amplify_goes_on(a); t++) {
    a->base.begin = t;
    a->base.end = t + 1;
    a->tests_left = count - t;
    if (run_test(a, e) != 0) return -1;
  }
  return 0;
}

int amplify_run(db *d, int64_t run, const amplify_options *o, const experiment_listener *l, amplify_outcome *out,
                error *e) {
  *out = (amplify_outcome){0};
  amplify a = {.options = o, .out = out};
  a.base = (experiment){.kind = &amplify_kind,
                        .options = &o->common,
                        .listener = l,
                        .out = &out->common,
                        .progress = &a.progress.common,
                        .db = d,
                        .run = run,
                        .never_replays = o->common.mutant != 0}; /* the host may do something else with a mutant */
  experiment_open(&a.base);
  const session_options gated = {
      .kernels = KERNEL_GATED, .mutant = o->common.mutant, .reached = amplify_job_reached, .context = &a};
  const session_options checked = {.kernels = KERNEL_CHECKED, .mutant = o->common.mutant, .aside = true};
  a.session = session_new(d, run, &gated);
  a.checks = session_new(d, run, &checked);
  keep_time(&a);
  int result = run_tests(&a, e);
  summarise(&a);
  if (result == 0 && a.base.failed) {
    *e = a.base.failure;
    result = -1;
  }
  if (result == 0 && amplify_goes_on(&a)) result = check_options(&a, e);
  session_end_at(a.session, 0);
  result = experiment_close(&a.base, result, e);
  free(a.launches);
  session_free(a.session);
  session_free(a.checks);
  return result;
}

void amplify_usual_orders(schedule_plan *p) {
  p->orders[ORDER_FIRST] = p->orders[ORDER_ASCENDING] = p->orders[ORDER_REVERSE] = p->orders[ORDER_RANDOM] = true;
}

int amplify_judge(const amplify_options *o, const amplify_outcome *out, const view *v, size_t suppressed,
                  bool depends) {
  if (out->common.contradicted > 0) return EXIT_INTERNAL;
  if (out->found > suppressed || count_findings(v, &o->common.kernels) > 0) return EXIT_FOUND;
  if (out->common.interrupted) return 130;
  if (out->common.baseline_failed || out->common.failing > 0) return EXIT_BASELINE;
  if (out->device_lost) return EXIT_BASELINE;
  if ((out->gated == 0 && out->proved == 0) || (out->common.out_of_time && out->runs == 0)) return EXIT_NOTHING;
  if (depends) return EXIT_THRESHOLD;
  return out->unstable ? EXIT_BASELINE : EXIT_FINE;
}

/* Experiments as functions: the replay of a capture is the test case, and a table says which experiment. */

typedef struct trying trying;

struct trial_kind {
  const char *name; /* of the command that a person would give */
  bool any_reads;   /* reads that differ are no failure: races make them differ */
  int (*run)(const trying *t, db *d, int64_t run, trial_result *out, error *e);
  const measure_look *const *look; /* of one that measures; NULL: none */
  bool all, alone;   /* measure_options.look_all, look_alone; of `amplify`: no group goes before all others */
  program_form form; /* of what measures */
  bool launches;     /* each launch is a test case */
};

struct trying {
  const trial_kind *kind;
  const trial_options *asked;
  experiment_options options;
};

/* --- experiments -------------------------------------------------------------------------------------------------- */

static void ignore_progress(void *context, const experiment_progress *p) { (void)context, (void)p; }

static void ignore_note(void *context, const char *text) { (void)context, (void)text; }

static const experiment_listener nobody = {NULL, ignore_progress, ignore_note};

static int look_at(const trying *t, db *d, int64_t run, view *v, trial_result *out, error *e) {
  if (db_commit(d, e) != 0 || db_load(d, &run, 1, v, e) != 0) return -1;
  out->benign = has_benign(v, &t->options.kernels);
  if (t->asked->look != NULL) t->asked->look(t->asked->context, v);
  return 0;
}

static int run_measure(const trying *t, db *d, int64_t run, trial_result *out, error *e) {
  const measure_options options = {.common = t->options,
                                   .look = t->kind->look == NULL ? NULL : *t->kind->look,
                                   .form = t->kind->form,
                                   .look_all = t->kind->all,
                                   .look_alone = t->kind->alone,
                                   .strict = t->asked->strict,
                                   .silent = true};
  measure_outcome outcome;
  view v;
  if (measure_run(d, run, &options, &nobody, &outcome, e) != 0 || look_at(t, d, run, &v, out, e) != 0) return -1;
  out->code = measure_judge(&options, &outcome, &v, &nobody);
  out->inside = outcome.inside;
  out->launches = outcome.looked_at > 0 ? outcome.looked_at : outcome.observed ? 1 : 0;
  view_free(&v);
  return 0;
}

static int run_amplify(const trying *t, db *d, int64_t run, trial_result *out, error *e) {
  amplify_options options = {.common = t->options};
  amplify_outcome outcome = {0};
  view v;
  amplify_usual_orders(&options.plan);
  options.plan.orders[ORDER_FIRST] = !t->kind->alone;
  options.common.max_time = t->options.limit;
  options.common.limit = 0; /* of a run: by what the launches take as they are */
  if (amplify_run(d, run, &options, &nobody, &outcome, e) != 0) {
    out->code = e->code;
    return e->code == 130 ? -1 : 0;
  }
  if (look_at(t, d, run, &v, out, e) != 0) return -1;
  out->code = amplify_judge(&options, &outcome, &v, 0, false);
  view_free(&v);
  return 0;
}

const trial_kind trial_coverage = {"coverage", false, run_measure, NULL, false, false, FORM_COVERAGE, false};
static const measure_look *const races = &look_for_races;
static const measure_look *const accesses = &look_for_races_in_bounds;
static const measure_look *const faults = &look_for_all_faults;
const trial_kind trial_races = {"races", true, run_measure, &races, false, false, FORM_COVERAGE, false};
const trial_kind trial_watched = {"races", true, run_measure, &accesses, true, false, FORM_COVERAGE, false};
const trial_kind trial_accesses = {"races", true, run_measure, &accesses, true, true, FORM_COVERAGE, false};
const trial_kind trial_memory = {"memory", true, run_measure, &faults, false, true, FORM_BOUNDS, false};
const trial_kind trial_launches = {"coverage", true, run_measure, NULL, false, false, FORM_COVERAGE, true};
const trial_kind trial_amplify = {"amplify", true, run_amplify, NULL, false, false, FORM_COVERAGE, false};
const trial_kind trial_orders = {"amplify", true, run_amplify, NULL, false, true, FORM_COVERAGE, false};

/* --- a trial ------------------------------------------------------------------------------------------------------ */

int trial_includes_begin(trial_includes *i, error *e) {
  const char *before = getenv(ENV_INCLUDES);
  i->before = before == NULL ? NULL : mem_strdup(before);
  i->folder = scratch_temporary("cltestcheck-includes", e);
  return i->folder != NULL && setenv(ENV_INCLUDES, i->folder, 1) == 0 ? 0 : -1;
}

void trial_includes_end(trial_includes *i) {
  if (i->before != NULL)
    (void)setenv(ENV_INCLUDES, i->before, 1);
  else
    (void)unsetenv(ENV_INCLUDES);
  free(i->before);
  scratch_close(i->folder);
}

static int run(const trying *t, const char *database, trial_result *out, error *e) {
  db *d = NULL;
  int64_t id = 0;
  int result =
      db_open(&d, database, DB_WRITE, e) != 0 || db_begin_run(d, t->kind->name, CLTC_VERSION, &id, e) != 0 ? -1 : 0;
  result = result == 0 ? t->kind->run(t, d, id, out, e) : -1;
  db_close(d);
  (void)unlink(database);
  return result;
}

/* PoCL builds a kernel for each size of groups unless this says 0: then once for all launches. */
#define ONE_BUILD "POCL_WORK_GROUP_SPECIALIZATION"

int trial_run(const trial_kind *kind, const trial_options *o, const char *path, trial_result *out, error *e) {
  char *argv[] = {o->base->target.replay,
                  (char *)path,
                  kind->any_reads ? "--reads" : NULL,
                  "any",
                  kind->launches ? "--tests" : NULL,
                  "launches",
                  NULL};
  const experiment_test test = {.suite = "", .name = "launches", .line = "", .argv = argv};
  trying t = {.kind = kind, .asked = o, .options = *o->base};
  scoped_buffer database = {0};
  trial_includes i = {0};
  *out = (trial_result){.code = EXIT_INTERNAL};
  t.options.tests = &test;
  t.options.test_count = 1;
  t.options.kernels = o->kernels;
  t.options.limit = o->limit;
  t.options.processor = o->processor;
  buffer_printf(&database, "%s/trial.db", o->folder);
  const bool once =
      (kind->look == &accesses || kind->look == &faults) && getenv(ONE_BUILD) == NULL && setenv(ONE_BUILD, "0", 1) == 0;
  int result = trial_includes_begin(&i, e) == 0 ? run(&t, buffer_text(&database), out, e) : -1;
  if (result == 0 && out->code == 130) result = error_set(e, 130, "interrupted");
  trial_includes_end(&i);
  if (once) (void)unsetenv(ONE_BUILD);
  return result;
}
