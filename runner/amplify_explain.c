/* Why a launch is not consistent: for the first such launch of each kernel and verdict, the runs are made once more to
 * look into memory, or at how far the groups of a deadlock came. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "runner/amplify_internal.h"
#include "runner/session_internal.h"

enum { ATTEMPTS = 8, LISTED_GROUPS = 4, LISTED_LINES = 4 };

/* What is being explained. */
typedef struct subject {
  amplify *amplify;
  size_t launch_index;
  const amplify_launch *launch;
  trial *trial;
  const trial *other; /* gives the other result; NULL: the ungated program */
  const session_program *program;
  const instrument_kernel *kernel;
  const char *name;      /* of the kernel */
  amplify_job *expected; /* a run of `other` with memory */
  memory_difference difference;
  bool found;
  char *watch; /* path of the file */
  buffer text, unfinished;
  db_explanation out;
} subject;

static schedule_verdict verdict_of(const trial *t) { return schedule_judge(t->outcomes); }

/* The lowest schedule with a verdict: one with a target, where there is one. */
static trial *lowest_trial(const amplify_launch *l, schedule_verdict v) {
  trial *found = NULL;
  for (size_t i = 0; i < l->trial_count; i++) {
    trial *t = &l->trials[i];
    if (verdict_of(t) == v && (found == NULL || t->schedule.order < found->schedule.order)) {
      found = t;
    }
  }
  return found;
}

/* "group 17 first, ticket gate", or "ungated". */
static void put_schedule(buffer *to, const trial *t) {
  char words[SCHEDULE_TEXT] = "the gate open";
  if (t != NULL) {
    schedule_describe(&t->schedule, words);
  }
  buffer_puts(to, words);
}

/* --- races ----------------------------------------------------------------------------------------------------------
 */

static amplify_job *memory_job(const subject *s, const trial *t) {
  amplify_job *j = amplify_job_new(s->amplify, s->amplify->options->coverage ? FORM_COVERAGE : FORM_BARE);
  j->memory_of = s->launch_index;
  if (t != NULL) {
    amplify_job_gate(j, s->launch_index, &t->schedule);
  }
  return j;
}

/* One run whose job stays alive. */
typedef struct single {
  amplify_job *job;
  bool started;
} single;

static pool_job *next_single(void *context) {
  single *s = context;
  bool first = !s->started;
  s->started = true;
  return first ? &s->job->job : NULL;
}

static bool never_enough(void *context, const pool_job *job) {
  (void)context;
  (void)job;
  return false;
}

static int ended_single(void *context, pool_job *job, error *e) {
  (void)job;
  (void)e;
  single *s = context;
  amplify_job_finish(s->job);
  return 0;
}

static void keep_single(void *context, pool_job *job) {
  (void)context;
  (void)job;
}

static void tick_single(void *context) { amplify_tick(((single *)context)->job->amplify); }

static int run_single(amplify *a, amplify_job *j, error *e) {
  single s = {j, false};
  const pool_source source = {&s, next_single, never_enough, ended_single, keep_single, tick_single};
  a->progress.done++;
  return pool_run(&source, 1, &a->out->interrupted, e);
}

/* Runs the schedule until memory differs. */
static int find_difference(subject *s, error *e) {
  amplify *a = s->amplify;
  s->expected = memory_job(s, s->other);
  int result = run_single(a, s->expected, e);
  for (int i = 0; i < ATTEMPTS && result == 0 && !s->found && amplify_goes_on(a); i++) {
    amplify_job *j = memory_job(s, s->trial);
    result = run_single(a, j, e);
    s->found = result == 0 && memory_compare(s->expected, j, s->kernel, &s->difference);
    amplify_job_free(j);
  }
  return result;
}

/* The lines on which the kernel writes through a parameter, as far as its own text tells. */
static void put_lines(subject *s, const instrument_parameter *p) {
  uint32_t lines[LISTED_LINES];
  size_t count = 0;
  bool more = false;
  for (size_t i = 0; i < p->access_count; i++) {
    const instrument_access *access = &p->accesses[i];
    bool known = !access->writes;
    for (size_t k = 0; k < count; k++) {
      known = known || lines[k] == access->line;
    }
    if (!known && count < LISTED_LINES) {
      s->out.file = count == 0 ? s->program->result.model.files[access->file].name : s->out.file;
      s->out.line = count == 0 ? access->line : s->out.line;
      lines[count++] = access->line;
    } else if (!known) {
      more = true;
    }
  }
  for (size_t i = 0; i < count; i++) {
    buffer_printf(&s->text, "%s%u", i == 0 ? (count > 1 ? "; written at lines " : "; written at line ") : ", ",
                  (unsigned)lines[i]);
  }
  buffer_puts(&s->text, more ? " and others" : count > 0 && p->escapes ? " and perhaps elsewhere" : "");
}

static void say_difference(subject *s) {
  const memory_difference *d = &s->difference;
  const instrument_parameter *p = d->argument < s->kernel->parameter_count ? &s->kernel->parameters[d->argument] : NULL;
  static char name[160];
  if (p != NULL && p->name[0] != '\0') {
    (void)snprintf(name, sizeof name, "%s", p->name);
  } else {
    (void)snprintf(name, sizeof name, "argument %u", (unsigned)d->argument);
  }
  buffer_printf(&s->text, "%s[%llu]%s is %s with ", name, (unsigned long long)d->first,
                strcmp(d->unit, "byte") == 0 ? " (byte)" : "", d->reference);
  put_schedule(&s->text, s->other);
  buffer_printf(&s->text, ", and %s with ", d->seen);
  put_schedule(&s->text, s->trial);
  if (d->differing > 1) {
    buffer_printf(&s->text, "; %llu %ss differ, %llu to %llu", (unsigned long long)d->differing, d->unit,
                  (unsigned long long)d->first, (unsigned long long)d->last);
  }
  if (p != NULL) {
    put_lines(s, p);
  }
  s->out.argument = name;
  s->out.first = d->first;
  s->out.last = d->last;
  s->out.differing = d->differing;
  s->out.reference = d->reference;
  s->out.seen = d->seen;
}

static int explain_race(subject *s, error *e) {
  s->other = lowest_trial(s->launch, VERDICT_CONSISTENT);
  s->out.other = s->other == NULL ? 0 : s->other->row;
  if (find_difference(s, e) != 0) {
    return -1;
  }
  if (s->found) {
    say_difference(s);
  } else if (s->trial->shown != NULL) {
    buffer_printf(&s->text, "%s", s->trial->shown);
  } else {
    buffer_puts(&s->text, "the program ends otherwise or prints something else");
  }
  return 0;
}

/* --- deadlocks ------------------------------------------------------------------------------------------------------
 */

static void put_place(const subject *s, uint32_t state, buffer *to) {
  const model *m = &s->program->result.model;
  uint32_t site = state - GATE_STATE_AT;
  if (state >= GATE_STATE_AT && site < m->site_count) {
    bool barrier = m->sites[site].kind == SITE_BARRIER;
    buffer_printf(to, " (%s line %u)", barrier ? "at the barrier on" : "in the loop on", (unsigned)m->sites[site].line);
  }
}

/* What the file of a watched launch says. */
static void read_states(subject *s, const uint32_t *states, size_t count) {
  size_t running = 0;
  size_t out = 0;
  for (size_t i = 0; i < count; i++) {
    bool runs = states[i] != GATE_STATE_OUT && states[i] != GATE_STATE_ENDED;
    out += states[i] == GATE_STATE_OUT ? 1 : 0;
    if (runs && running++ < LISTED_GROUPS) {
      buffer_printf(&s->unfinished, "%sgroup %zu", s->unfinished.length > 0 ? ", " : "", i);
      put_place(s, states[i], &s->unfinished);
      if (running == 1 && states[i] >= GATE_STATE_AT &&
          states[i] - GATE_STATE_AT < s->program->result.model.site_count) {
        const model_site *site = &s->program->result.model.sites[states[i] - GATE_STATE_AT];
        s->out.file = s->program->result.model.files[site->file].name;
        s->out.line = site->line;
      }
    }
  }
  if (running > LISTED_GROUPS) {
    buffer_printf(&s->unfinished, " and %zu more", running - LISTED_GROUPS);
  }
  if (running > 0) {
    buffer_printf(&s->text, "%s never ended%s", buffer_text(&s->unfinished),
                  out > 0 ? ": what is waited for is the work of groups that have not begun" : "");
  }
  if (running > 0 && out > 0) {
    buffer_printf(&s->text, " (%zu of %zu)", out, count);
  }
}

static void read_watch(subject *s) {
  FILE *file = fopen(s->watch, "rb");
  uint32_t words[GATE_WORDS];
  if (file == NULL) {
    return;
  }
  size_t groups = s->launch->groups;
  uint32_t *states = mem_calloc(groups, sizeof *states);
  if (fread(words, sizeof *words, GATE_WORDS, file) == GATE_WORDS && words[GATE_GROUPS] == groups &&
      fread(states, sizeof *states, groups, file) == groups) {
    read_states(s, states, groups);
  }
  free(states);
  (void)fclose(file);
}

static int explain_deadlock(subject *s, error *e) {
  char path[] = "/tmp/cltestcheck-watch-XXXXXX";
  int fd = mkstemp(path);
  if (fd >= 0) {
    (void)close(fd);
    s->watch = path;
    amplify_job *j = amplify_job_new(s->amplify, FORM_WATCH);
    amplify_job_gate(j, s->launch_index, &s->trial->schedule);
    j->watched = s->launch_index;
    j->job.child.watch = path;
    amplify_job_slow(j); /* it has yet to be compiled */
    int result = run_single(s->amplify, j, e);
    amplify_job_free(j);
    if (result == 0) {
      read_watch(s);
    }
    (void)unlink(path);
    s->watch = NULL;
    if (result != 0) {
      return -1;
    }
  }
  if (s->text.length == 0) {
    buffer_puts(&s->text, "some work-group never ended; the device does not let us see which");
  }
  return 0;
}

/* --- all ------------------------------------------------------------------------------------------------------------
 */

static const char *rule_of(schedule_verdict v) {
  return v == VERDICT_RACE ? "data-race" : v == VERDICT_DEADLOCK ? "deadlock" : "crash";
}

static int store(subject *s, schedule_verdict v, error *e) {
  amplify *a = s->amplify;
  s->out.text = buffer_text(&s->text);
  s->out.unfinished = buffer_text(&s->unfinished);
  s->out.argument = s->out.argument == NULL ? "" : s->out.argument;
  s->out.reference = s->out.reference == NULL ? "" : s->out.reference;
  s->out.seen = s->out.seen == NULL ? "" : s->out.seen;
  s->out.file = s->out.file == NULL ? "" : s->out.file;
  if (db_put_explanation(a->db, s->trial->row, &s->out, e) != 0) {
    return -1;
  }
  if (s->launch->meant) {
    return 0;
  }
  buffer message = {0};
  buffer_printf(&message, "launch %u, ", (unsigned)s->launch->number);
  put_schedule(&message, s->trial);
  buffer_printf(&message, ": %s", s->out.text);
  const model *m = &s->program->result.model;
  const model_function *f = &m->functions[m->kernels[s->launch->kernel].function];
  int result = db_add_finding(a->db, a->test_row, s->program->stored.kernels[s->launch->kernel],
                              s->program->stored.sites[f->site], rule_of(v), buffer_text(&message), e);
  buffer_free(&message);
  return result;
}

static int explain(amplify *a, size_t launch, trial *t, error *e) {
  const amplify_launch *l = &a->launches[launch];
  const session_program *p = &a->session->programs[l->program];
  subject s = {.amplify = a,
               .launch_index = launch,
               .launch = l,
               .trial = t,
               .program = p,
               .kernel = &p->result.kernels[l->kernel],
               .name = p->result.model.kernels[l->kernel].name};
  schedule_verdict v = verdict_of(t);
  int result = 0;
  if (v == VERDICT_RACE) {
    result = explain_race(&s, e);
  } else if (v == VERDICT_DEADLOCK) {
    result = explain_deadlock(&s, e);
  } else {
    buffer_puts(&s.text, "the program is killed by a signal");
  }
  if (result == 0 && !a->out->interrupted) {
    result = store(&s, v, e);
  }
  amplify_job_free(s.expected);
  buffer_free(&s.text);
  buffer_free(&s.unfinished);
  return result;
}

static const schedule_verdict explained[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH};

/* Whether an earlier launch of the same kernel has the verdict. */
static bool shown_before(const amplify *a, size_t launch, schedule_verdict v) {
  for (size_t i = 0; i < launch; i++) {
    const amplify_launch *l = &a->launches[i];
    if (l->program == a->launches[launch].program && l->kernel == a->launches[launch].kernel &&
        lowest_trial(l, v) != NULL) {
      return true;
    }
  }
  return false;
}

int amplify_explain(amplify *a, error *e) {
  amplify_phase_begin(a, AMPLIFY_EXPLANATION, 0);
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t k = 0; k < sizeof explained / sizeof explained[0] && result == 0 && amplify_goes_on(a); k++) {
      trial *t = lowest_trial(&a->launches[i], explained[k]);
      if (t != NULL && !shown_before(a, i, explained[k])) {
        result = explain(a, i, t, e);
      }
    }
  }
  return result;
}
