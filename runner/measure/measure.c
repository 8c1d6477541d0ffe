/* Test cases, one after the other: the run, the look, and the row in the database; whether a capture does it again. */

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rules.h"
#include "capture/capture.h"
#include "detectors/memory/decoder.h"
#include "detectors/races/decoder.h"
#include "runner/experiment/experiment.h"
#include "runner/experiment/run_words.h"
#include "runner/measure/look.h"

void measuring_note(const measuring *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  listener_note(m->listener, format, arguments);
  va_end(arguments);
}

#define LEAST_LEFT 0.01 /* seconds */

static double least_limit(double a, double b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

/* Once --max-time is over what still runs is ended at once. */
double measuring_limit(const measuring *m, const experiment_test *t) {
  const double left = m->until > 0 ? m->until - clock_now() : 0;
  return least_limit(m->until > 0 && left < LEAST_LEFT ? LEAST_LEFT : left,
                     least_limit(m->options->common.limit, t->limit));
}

bool measuring_is_over(const measuring *m) { return m->until > 0 && clock_now() >= m->until; }

static void say_waiting(void *context, const char *text) { measuring_note(context, "%s", text); }

static void say_end(const measuring *m, const experiment_test *t, const program_end *h) {
  if (h->timed_out && measuring_is_over(m)) {
    measuring_note(m, "%s was ended, as --max-time is over; what was seen so far is kept", t->name);
  } else if (h->timed_out) {
    measuring_note(m, "%s ran longer than %g seconds and was ended", t->name, measuring_limit(m, t));
  } else if (h->interrupted) {
    measuring_note(m, "interrupted; what was seen so far is kept");
  } else if (h->status > 128) {
    /* What the program itself started in a capture has another line. */
    char next[1024];
    measuring_note(m, "%s was killed by signal %d (%s); %s. What was seen up to then is kept", t->name, h->status - 128,
                   strsignal(h->status - 128), h->last_launch);
    crash_advice(h->status, t->suite[0] == '\0' && t->capture == NULL ? t->line : "", m->options->form == FORM_BOUNDS,
                 next, sizeof next);
    if (next[0] != '\0' && !m->options->no_advice && h->launched) measuring_note(m, "%s", next);
  } else if (h->status != 0 && m->options->form == FORM_BOUNDS && session_has_wrong(m->session)) {
    measuring_note(
        m,
        "%s ended with exit status %d; what its kernels wrote outside of their memory was dropped, which may "
        "be why",
        t->name, h->status);
  } else if (h->status != 0 && !m->options->exit_as_program) {
    measuring_note(m, "%s itself failed with exit status %d", t->name, h->status);
  }
  if (h->leftover.pid != 0) {
    measuring_note(m, "process %d (%s), which %s started, still runs; what it does from now on is not counted",
                   (int)h->leftover.pid, h->leftover.name, t->name);
  }
}

enum { KILLED = 128, LEAST_SECONDS = 20, SLOWER = 10 };

/* Whether results depend on memory that nobody has written: where accesses are wrong that says little, as what they would
 * have written is not. `seconds`: what the run that counts took; with other values loops may turn for ever. */
static int look_at_unwritten(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                             double seconds, error *e) {
  options.timeout = options.timeout > 0 ? options.timeout : LEAST_SECONDS + SLOWER * seconds;
  return measuring_unwritten(m, t, test_case, measuring_aside(options), e);
}

static unsigned found_by(const session *s) { return s == NULL ? 0 : session_summarise(s).findings; }

static unsigned seen_by(const measuring *m) {
  return found_by(m->session) + found_by(m->further) + found_by(m->diverging);
}

/* Where not all work-items come to a barrier, what they do is undefined: that comes first, and what such a kernel did wrong
 * otherwise is not told. */
int measuring_divergence(measuring *m, const experiment_test *t, int64_t test_case, program_options options, bool *any,
                         error *e) {
  *any = false;
  if (m->diverging == NULL || m->out->common.interrupted || measuring_is_over(m)) return 0;
  const unsigned before = found_by(m->diverging);
  program_end h = {0};
  options = measuring_aside(options);
  options.form = FORM_COVERAGE;
  options.child.unguarded = false; /* what such kernels write outside lies in guard zones */
  options.timeout = measuring_limit(m, t);
  session_begin_test_case(m->diverging, test_case, t->argv);
  const int result = program_run(m->diverging, m->db, &options, &h, e);
  m->out->common.interrupted = m->out->common.interrupted || h.interrupted;
  *any = found_by(m->diverging) > before;
  return result;
}

/* Where the program named test cases of its own, what it did outside of them is one more only if there is something to
 * say of it. */
static int end_test_case(measuring *m, int64_t test_case, const program_end *h, error *e) {
  size_t named = 0, failed = 0;
  if (session_end_names(m->session, h->status, h->timed_out, &named, &failed, e) != 0 ||
      db_end_test_case(m->db, test_case, h->status, h->timed_out, e) != 0)
    return -1;
  m->out->named += named;
  m->out->failed = m->out->failed || failed > 0;
  return named > 0 && (h->status == 0 || failed > 0) ? db_drop_test_case(m->db, test_case, e) : 0;
}

/* Where its commands may have been in no order. */
static int look_at_order(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                         const program_end *h, error *e) {
  const bool looks = m->options->commands != NULL && !h->interrupted && !h->timed_out && !measuring_is_over(m) &&
                     h->status <= KILLED && session_take_unordered(m->session);
  return looks ? measuring_commands(m, t, test_case, options, e) : 0;
}

static int run_own(measuring *m, const experiment_test *t, const program_options *options, program_end *h, error *e) {
  const uint64_t before = session_summarise(m->session).launches;
  return program_run(m->session, m->db, options, h, e) != 0
             ? -1
             : measuring_own_run(m, t, options, session_summarise(m->session).launches - before, h, e);
}

static int run_test(measuring *m, const experiment_test *t, error *e) {
  const experiment_options *o = &m->options->common;
  measure_outcome *out = m->out;
  int64_t test_case = 0;
  if (experiment_begin_test_case(m->db, m->run, t, &test_case, e) != 0) return -1;
  session_begin_test_case(m->session, test_case, t->argv);
  const program_options options = {.child = {.argv = t->argv,
                                             .on = o->target,
                                             .processor = o->processor,
                                             .unguarded = m->options->form == FORM_BOUNDS,
                                             .unawaited = m->options->form == FORM_BOUNDS &&
                                                          (rule_is_wanted(m->options->rules, "used-before-read") ||
                                                           rule_is_wanted(m->options->rules, "host-race")),
                                             .leaks = m->options->form == FORM_BOUNDS && m->options->leaks,
                                             .unwatched = m->options->silent},
                                   .timeout = measuring_limit(m, t),
                                   .form = m->options->form,
                                   .name = t->name,
                                   .waiting = say_waiting,
                                   .context = m};
  session_take_names(m->session, t->suite, t->line, t->word);
  program_end h = {0};
  const bool alone = m->further != NULL && m->options->look_alone;
  const double began = clock_now();
  const unsigned begun = seen_by(m);
  if (!alone && run_own(m, t, &options, &h, e) != 0) return -1;
  const double took = clock_now() - began;
  const bool refused = seen_by(m) > begun; /* and unnoticed: what was to be written nobody has written */
  out->common.interrupted = out->common.interrupted || h.interrupted;
  say_end(m, t, &h);
  if (session_end_leaks(m->session, e) != 0 || session_end_unawaited(m->session, e) != 0) return -1;
  const unsigned before = seen_by(m);
  bool diverges = false;
  if (look_at_order(m, t, test_case, options, &h, e) != 0 ||
      (session_has_wrong(m->session) && measuring_divergence(m, t, test_case, options, &diverges, e) != 0))
    return -1;
  if (m->further != NULL && measuring_look(m, t, test_case, options, &h, e) != 0) return -1;
  const bool right = m->filled != NULL && !refused && !out->common.interrupted && !h.timed_out &&
                     !measuring_is_over(m) && h.status <= KILLED && seen_by(m) == before;
  if (right && look_at_unwritten(m, t, test_case, options, took, e) != 0) return -1;
  out->common.out_of_time = out->common.out_of_time || measuring_is_over(m);
  out->failed = out->failed || (h.timed_out ? !measuring_is_over(m) : h.status != 0);
  out->common.status = h.status > out->common.status ? h.status : out->common.status;
  out->killed = h.status > KILLED && !h.timed_out && !h.interrupted ? h.status - KILLED : out->killed;
  out->cut_short = out->cut_short || h.interrupted || h.timed_out || h.status > KILLED;
  return end_test_case(m, test_case, &h, e);
}

static int run_tests(measuring *m, error *e) {
  const experiment_options *o = &m->options->common;
  const double start = clock_now();
  int result = 0;
  m->until = o->max_time > 0 ? start + o->max_time : 0;
  for (size_t i = 0; i < o->test_count && result == 0 && !m->out->common.interrupted; i++) {
    if (measuring_is_over(m)) {
      m->out->common.out_of_time = true;
      measuring_note(m, "--max-time is over: %zu of %zu test cases were run", i, o->test_count);
      break;
    }
    const double seconds = clock_now() - start;
    const experiment_progress p = {.test = i,
                                   .done = i,
                                   .total = o->test_count,
                                   .seconds = seconds,
                                   .remaining = i == 0 ? -1 : seconds / (double)i * (double)(o->test_count - i)};
    m->listener->progress(m->listener->context, &p);
    result = run_test(m, &o->tests[i], e);
  }
  return result == 0 && session_drop_left(m->session, e) == 0 &&
                 db_end_run(m->db, m->run, session_summarise(m->session).device, m->out->common.status, e) == 0
             ? db_commit(m->db, e)
             : -1;
}

/* --- the outcome -------------------------------------------------------------------------------------------------- */

static void take_session(const session *s, measure_outcome *out) {
  const session_summary seen = session_summarise(s);
  out->common.processes = seen.processes;
  out->common.programs = seen.programs;
  out->common.device_denied = seen.device_denied;
  out->common.denied_type = seen.denied_type;
  out->observed = seen.observed;
  out->skipped = seen.skipped;
  out->refused_launches = seen.refused_launches;
  (void)snprintf(out->common.device, sizeof out->common.device, "%s", seen.device);
  (void)snprintf(out->last_skip, sizeof out->last_skip, "%s", seen.last_skip);
  (void)snprintf(out->refusal, sizeof out->refusal, "%s", seen.refusal);
}

static void take_further(const session *s, measure_outcome *out) {
  const session_summary seen = session_summarise(s);
  out->unchecked = seen.programs == 0 && seen.skipped > 0;
  (void)snprintf(out->unchecked_why, sizeof out->unchecked_why, "%s", seen.last_skip);
}

static bool says(const session *s, const char *note) {
  for (size_t i = 0; session_note(s, i) != NULL; i++)
    if (strcmp(session_note(s, i), note) == 0) return true;
  return false;
}

/* Those that `before` has are said. */
static void say_notes(const measuring *m, const session *s, const session *before) {
  for (size_t i = 0; s != NULL && session_note(s, i) != NULL; i++)
    if (before == NULL || !says(before, session_note(s, i))) measuring_note(m, "%s", session_note(s, i));
}

int measure_run(db *d, int64_t run, const measure_options *o, const experiment_listener *l, measure_outcome *out,
                error *e) {
  measuring m = {.options = o, .listener = l, .out = out, .db = d, .run = run};
  const bool bounds = o->form == FORM_BOUNDS, looks = o->look != NULL;
  *out = (measure_outcome){0};
  if (bounds && looks) m.diverging = session_new(d, run, &(session_options){.kernels = KERNEL_COUNTED, .aside = true});
  if (o->unwritten) m.filled = session_new(d, run, &(session_options){.kernels = KERNEL_FILLED, .aside = true});
  session_options of = {.kernels = form_rows[o->form].kernels,
                        .all = looks && o->look_all,
                        .rules = bounds ? o->rules : NULL,
                        .diverging = m.diverging};
  m.session = session_new(d, run, &of);
  if (looks) {
    of.kernels = form_rows[o->look->form].kernels;
    of.bounds = o->look->form == FORM_CHECKED_BOUNDS;
    m.further = session_new(d, run, &of);
  }
  const int result = run_tests(&m, e);
  take_session(m.session, out);
  if (m.further != NULL) take_further(m.further, out);
  if (result == 0) {
    say_notes(&m, m.session, NULL);
    say_notes(&m, m.further, m.session);
  }
  session_free(m.session);
  session_free(m.further);
  session_free(m.diverging);
  if (m.filled != NULL && session_summarise(m.filled).skipped > 0) {
    measuring_note(&m, "values that nobody wrote were not looked for in each program: %s",
                   session_summarise(m.filled).last_skip);
  }
  session_free(m.filled);
  return result;
}

/* What a run that measures says, and what speaks against it. */

static bool was_executed(const view *v, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < v->line_count; i++)
    if (v->lines[i].file == file && v->lines[i].line == line) return v->lines[i].tests > 0;
  return true; /* a line without code of its own */
}

/* The line of an access that the run that counts did not come to; 0: none. */
static uint32_t unexecuted_line(const view *v, const db_finding *f) {
  for (size_t i = 0; i < f->place_count; i++)
    if (!was_executed(v, f->places[i].file, f->places[i].line)) return f->places[i].line;
  return 0;
}

/* Races that count in lines that coverage says were never executed. */
static size_t count_contradicted(const measuring *m, const view *v) {
  size_t count = 0;
  EACH(const db_finding, f, v->findings, v->finding_count) {
    const bool race = rule_is(f->rule, RULE_RACE) && finding_counts(f, &m->options->common.kernels);
    const uint32_t line = race ? unexecuted_line(v, f) : 0;
    if (line == 0) continue;
    count++;
    measuring_note(m,
                   "the race of kernel %s in line %u is not certain: no work-item came to that line while coverage was "
                   "measured; the program did something else in the run that checks accesses, or the device's compiler "
                   "made something else of the checked kernel",
                   f->kernel, line);
  }
  return count;
}

bool measure_has_seen(const measure_options *o, const measure_outcome *out, const view *v) {
  return out->common.programs > 0 && out->observed && !leaves_no_kernel(v, &o->common.kernels);
}

static bool has_mistake_of_host(const view *v) {
  bool any = false;
  for (size_t i = 0; i < v->finding_count; i++)
    any = any || (rule_is(v->findings[i].rule, RULE_HOST) && v->findings[i].suppressed == NULL);
  return any;
}

int measure_judge_seen(const measure_options *o, const measure_outcome *out, const view *v,
                       const experiment_listener *l) {
  const measuring m = {.options = o, .listener = l};
  const size_t found = count_findings(v, &o->common.kernels);
  const size_t doubtful = o->look == NULL || found == 0 || out->cut_short ? 0 : count_contradicted(&m, v);
  return found > doubtful || (o->form == FORM_BOUNDS && has_mistake_of_host(v)) ? EXIT_FOUND
         : doubtful > 0                                                         ? EXIT_BASELINE
                                                                                : EXIT_FINE;
}

/* What was found comes first: it may be why the program failed. */
int measure_judge(const measure_options *o, const measure_outcome *out, const view *v, const experiment_listener *l) {
  const int seen = measure_judge_seen(o, out, v, l);
  if (seen == EXIT_FOUND) return seen;
  if (out->common.interrupted) return 130;
  if (out->failed || out->crashed) return EXIT_BASELINE;
  return measure_has_seen(o, out, v) && !out->unchecked ? seen : EXIT_NOTHING;
}

/* Runs that need not start the program: one of a test case's runs is captured, and what it did is done again. All that such
 * runs may say is that nothing is there; else the program is run, and says what. */

/* Bytes of a capture, and of all of a command: folders for what is temporary may lie in memory. */
#define MOST ((uint64_t)256 << 20)
#define MOST_IN_ALL (2 * MOST)
#define LEAST ((uint64_t)1 << 20)

/* Of a test case: they are as many as the folder's files. */
static char *path_of(const measuring *m, const experiment_test *t) {
  return mem_printf("%s/%zu", m->options->captures, (size_t)(t - m->options->common.tests));
}

static char *file_of(const measuring *m, const experiment_test *t) {
  const target *on = &m->options->common.target;
  const bool may = m->options->captures != NULL && on->capture != NULL && on->replay != NULL && t->capture == NULL &&
                   strcmp(t->argv[0], on->replay) != 0;
  return may ? path_of(m, t) : NULL;
}

char *measuring_capture(measuring *m, const experiment_test *t, child_options *child) {
  const uint64_t left = MOST_IN_ALL - m->captured;
  char *path = m->options->captured || left < LEAST ? NULL : file_of(m, t);
  child->capture = path;
  child->capture_most = left < MOST ? left : MOST;
  return path;
}

void measuring_end_capture(measuring *m, char *path) {
  struct stat s;
  if (path != NULL && stat(path, &s) == 0) m->captured += (uint64_t)s.st_size;
  m->captured = m->captured > MOST_IN_ALL ? MOST_IN_ALL : m->captured;
  free(path);
}

/* What the host has written to a mapping is captured with what it has not. */
static bool maps_for_writing(const capture *c) {
  bool maps = false;
  for (size_t i = 0; i < c->call_count && !maps; i++) {
    const capture_call *call = &c->calls[i];
    maps = (call->function == FUNCTION_MAP || call->function == FUNCTION_MAP_IMAGE) &&
           (call->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  }
  return maps;
}

/* Why what the file holds does not stand for the program, to be freed; NULL: it does. */
static char *find_obstacle(const char *path, bool *joined) {
  capture c;
  error e;
  if (access(path, F_OK) != 0) return mem_strdup("none of its runs was captured");
  if (capture_read(path, &c, &e) != 0) return mem_strdup(e.text);
  const char *why = c.unsuitable != NULL ? c.unsuitable : maps_for_writing(&c) ? "it writes to mapped memory" : NULL;
  char *said = why == NULL ? NULL : mem_strdup(why);
  bool several = c.queue_count > 1;
  for (size_t i = 0; i < c.queue_count && !several; i++) several = !c.queues[i].in_order;
  for (size_t i = 0; i < c.call_count && !several; i++) several = c.calls[i].thread > 0;
  *joined = several;
  capture_free(&c);
  return said;
}

bool measuring_repeats(const measuring *m, const experiment_test *t, repeated_run *out) {
  bool joined = false;
  char *path = file_of(m, t), *why = path == NULL ? NULL : find_obstacle(path, &joined);
  const bool may = path != NULL && why == NULL;
  if (why != NULL && m->options->verbose)
    measuring_note(m, "%s is started for each run, as it cannot be replayed: %s", t->name, why);
  free(why);
  if (may)
    *out =
        (repeated_run){path, joined, {m->options->common.target.replay, path, (char *)"--reads", (char *)"any", NULL}};
  else
    free(path);
  return may;
}
