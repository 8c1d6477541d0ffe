/* The further runs of a test case: nothing of them counts but what the look is for. */
#include "runner/measure/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "detectors/memory/decoder.h"
#include "detectors/races/decoder.h"

enum { KILLED = 128 };

/* A run that ended early has not looked at everything; one that was killed has shown nothing of what comes after. */
static int say_otherwise(measuring *m, const experiment_test *t, const program_end *h, int usual, error *e) {
  const measure_look *look = m->options->look;
  const bool killed = !h->timed_out && h->status > KILLED;
  scoped_buffer text = {0};
  if (h->timed_out) {
    buffer_printf(&text, "took longer than %g seconds while %s; what came later is not checked", measuring_limit(m, t),
                  look->doing);
  } else if (killed && h->status == usual) {
    buffer_printf(&text, "was killed by signal %d while %s, as it is without that: whether %s is not known",
                  h->status - KILLED, look->doing, look->unknown);
  } else if (killed) {
    buffer_printf(&text, "was killed by signal %d while %s, and ended with status %d before: whether %s is not known",
                  h->status - KILLED, look->doing, usual, look->unknown);
  } else {
    buffer_printf(&text,
                  "ended with status %d while %s, and with %d before: what it did not reach, or what its device could "
                  "not build, is not checked",
                  h->status, look->doing, usual);
  }
  m->out->crashed = m->out->crashed || killed;
  measuring_note(m, "%s %s", t->name, buffer_text(&text));
  return db_add_skipped(m->db, m->run, t->name, buffer_text(&text), e);
}

program_options measuring_aside(program_options options) {
  options.repeats = true;
  options.child.leaks = options.child.unawaited = false;
  options.child.unwatched = true;
  return options;
}

static bool all_lay_inside(const session *s, int result, const program_end *h) {
  const bool ended_well = result == 0 && h->status == 0 && !h->timed_out && !h->interrupted;
  return ended_well && h->launches > 0 && session_is_inside(s);
}

static int run_look(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                    const program_end *first, error *e) {
  const measure_look *look = m->options->look;
  look_run r = {0};
  program_end h = {0};
  char *note = NULL;
  int result = 0;
  options = measuring_aside(options); /* the program has said all that it says */
  options.form = m->options->strict ? look->strict_form : look->form;
  char *capture = first->status == 0 ? measuring_capture(m, t, &options.child) : NULL; /* which waits for reads */
  session_begin_test_case(m->further, test_case, t->argv);
  for (; result == 0 && !h.interrupted && !h.timed_out && look->next(m->further, &r, &note); r.number++) {
    if (note != NULL) measuring_note(m, "%s: %s", t->name, note);
    free(note);
    note = NULL;
    options.child.cells_round = r.round;
    if (r.number > 0) options.child.capture = NULL;
    options.timeout = measuring_limit(m, t);
    result = program_run(m->further, m->db, &options, &h, e);
    m->out->looked_at += result == 0 ? h.launches : 0;
    const bool said = h.timed_out && (first->timed_out || measuring_is_over(m)); /* elsewhere */
    /* In the words of a finding that it says no more of. */
    if (h.interrupted) {
      (void)snprintf(m->cut, sizeof m->cut, "the run that tells was interrupted");
    } else if (h.timed_out) {
      (void)snprintf(m->cut, sizeof m->cut, "the run that tells was ended as it took too long");
    } else if (h.status != first->status) {
      (void)snprintf(m->cut, sizeof m->cut, "the run that tells ended with status %d, and the one before with %d",
                     h.status, first->status);
    }
    if (result == 0 && !said && (h.timed_out || (!h.interrupted && (h.status != first->status || h.status > KILLED))))
      result = say_otherwise(m, t, &h, first->status, e);
  }
  m->out->inside = all_lay_inside(m->further, result, &h);
  measuring_end_capture(m, capture);
  m->out->common.interrupted = m->out->common.interrupted || h.interrupted;
  return result != 0 || look->end == NULL ? result : look->end(m->further, e);
}

/* One that was ended for its time is looked at again only where it is known that there is something. */
static bool is_looked_at(measuring *m, const program_end *first) {
  bool (*const reason)(const session *) = m->options->look->reason;
  if (first->interrupted) {
    (void)snprintf(m->cut, sizeof m->cut, "the program was interrupted before it could be run again");
  } else if (m->out->common.interrupted) { /* in the run that looks for divergence */
    (void)snprintf(m->cut, sizeof m->cut, "the run that tells was interrupted");
  } else if (measuring_is_over(m)) {
    (void)snprintf(m->cut, sizeof m->cut, "--max-time was over before the program could be run again");
  } else {
    return reason == NULL ? !first->timed_out
                          : reason(m->session) && (!first->timed_out || session_has_wrong(m->session));
  }
  return false;
}

int measuring_look(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                   const program_end *first, error *e) {
  bool untold = false;
  m->cut[0] = '\0';
  if (is_looked_at(m, first) && run_look(m, t, test_case, options, first, e) != 0) return -1;
  const int result = session_end_wrong(m->session, m->further, m->cut, &untold, e);
  m->out->crashed = m->out->crashed || untold;
  return result;
}

/* --- the looks ----------------------------------------------------------------------------------------------------- */

/* At accesses that race: in as many rounds as it takes until all memory was checked; first in the form that costs least, and once
 * more where that was not enough. */
static bool next_races(session *s, look_run *r, char **note) {
  if (r->number == 0) {
    session_check_apart(s, true);
    return true;
  }
  if (++r->round < session_check_rounds(s)) {
    *note = mem_printf("its memory is too large to be checked in one run; run %u of %u", r->round + 1,
                       session_check_rounds(s));
    return true;
  }
  if (r->whole || !session_has_shared(s)) return false;
  session_check_apart(s, false);
  r->whole = true;
  r->round = 0;
  return true;
}

#define LOOK_FOR_RACES(usual, strict)                                                        \
  {                                                                                          \
    .form = (usual), .strict_form = (strict), .next = next_races, .end = session_end_checks, \
    .doing = "its accesses were checked", .unknown = "its work-items race"                   \
  }
const measure_look look_for_races = LOOK_FOR_RACES(FORM_CHECKED, FORM_CHECKED_STRICT);
const measure_look look_for_races_in_bounds = LOOK_FOR_RACES(FORM_CHECKED_BOUNDS, FORM_CHECKED_WHOLE);

static bool next_faults(session *s, look_run *r, char **note) {
  (void)s, (void)note;
  return r->number == 0;
}

/* At accesses that have left their objects: once, of every test case or where the run that counts says that there were any, or
 * pointers of which nothing is known. */
#define LOOK_FOR_FAULTS(when)                                                                                          \
  {                                                                                                                    \
    .form = FORM_MEMORY, .strict_form = FORM_MEMORY, .next = next_faults, .reason = (when), .end = session_end_memory, \
    .doing = "its accesses were held against their memory", .unknown = "all its errors are listed"                     \
  }
const measure_look look_for_faults = LOOK_FOR_FAULTS(session_has_untold);
const measure_look look_for_all_faults = LOOK_FOR_FAULTS(NULL);

/* The look at a test case's commands: one that is captured or, if there is none yet, one more run, where the run that counts has had several queues, one that is
 * out of order, or commands while the host had memory mapped. */

static int judge(measuring *m, const experiment_test *t, int64_t test_case, const char *path, error *e) {
  const commands_seen seen = {.path = path,
                              .argv = t->argv,
                              .rules = m->options->rules,
                              .db = m->db,
                              .run = m->run,
                              .test_case = test_case,
                              .further = m->further};
  scoped char *why = NULL;
  const int result = access(path, F_OK) == 0 ? m->options->commands(&seen, &why, e) : 0;
  if (result == 0 && why != NULL)
    measuring_note(m, "%s: whether its commands race is not known after a part of it: %s", t->name, why);
  return result;
}

int measuring_commands(measuring *m, const experiment_test *t, int64_t test_case, program_options options, error *e) {
  repeated_run kept;
  if (measuring_repeats(m, t, &kept)) {
    const int judged = judge(m, t, test_case, kept.path, e);
    free(kept.path);
    return judged;
  }
  char *directory = captures_open(e);
  capture_file file;
  program_end end = {0};
  const session_options untouched = {.kernels = form_rows[FORM_UNTOUCHED].kernels, .aside = true};
  session *s = session_new(m->db, m->run, &untouched);
  if (directory == NULL) {
    session_free(s);
    return -1;
  }
  capture_file_init(&file, directory, 0, "");
  session_begin_test_case(s, test_case, t->argv);
  options = measuring_aside(options);
  options.form = FORM_UNTOUCHED;
  options.child.capture = file.path;
  options.child.order = true;
  options.timeout = measuring_limit(m, t);
  int result = program_run(s, m->db, &options, &end, e);
  m->out->common.interrupted = m->out->common.interrupted || end.interrupted;
  if (result == 0 && !end.interrupted && !end.timed_out) result = judge(m, t, test_case, file.path, e);
  session_free(s);
  capture_file_free(&file);
  captures_close(directory);
  return result;
}

/* A test case that fails while the device has instrumented code in hand: is that why? */

enum { LOOKS = 3 };

static const char *ending(int status) {
  static char text[64];
  const char *format = status > 128 ? "was killed by signal %d" : "failed with exit status %d";
  (void)snprintf(text, sizeof text, format, status > 128 ? status - 128 : status);
  return text;
}

/* Launches that were made and of which no evidence has come: `seen` came. */
static int tell_missing(const measuring *m, const experiment_test *t, const program_end *h, uint64_t seen, error *e) {
  if (h->interrupted || h->launches <= seen) return 0;
  char reason[256];
  (void)snprintf(reason, sizeof reason,
                 "what %llu of its %llu launches did is not known: a process ended before it was read, as by _exit, "
                 "exec or a signal (clFinish before that keeps it)",
                 (unsigned long long)(h->launches - seen), (unsigned long long)h->launches);
  measuring_note(m, "%s: %s", t->name, reason);
  return h->status > 128 ? 0 : db_add_skipped(m->db, m->run, t->name, reason, e); /* of a crash one knows */
}

/* Signals may differ from crash to crash. */
static bool alike(int status, int other) { return status == other || (status > 128 && other > 128); }

/* Runs a test case that has failed several times with its suspects untouched; what it prints is shown of the first of these.
 * Gives how often it ended alike, -1 with `e` set or, with `e` untouched, when it was interrupted or took too long. */
static int look_untouched(measuring *m, const program_options *options, const program_options *aside, int first,
                          program_end *h, error *e) {
  int count = 0;
  session_hold_back(m->session);
  for (int i = 0; i < LOOKS; i++) {
    if (program_run(m->session, m->db, i == 0 ? options : aside, h, e) != 0 || h->interrupted || h->timed_out)
      return -1;
    count += alike(first, h->status) ? 1 : 0;
  }
  return count;
}

/* Untouched it has always ended otherwise: it is at fault if it fails once more as it was. */
static int look_instrumented(measuring *m, const experiment_test *t, const program_options *options, int first,
                             program_end *h, error *e) {
  const program_end untouched = *h;
  if (session_judge(m->session, false, e) != 0 || program_run(m->session, m->db, options, h, e) != 0) return -1;
  if (h->interrupted || h->timed_out) return 0;
  if (!alike(first, h->status)) {
    measuring_note(
        m, "%s %s once and not again, whether instrumented or not: it does so now and then; what was seen is kept",
        t->name, ending(first));
    return 0;
  }
  /* The suspects are left as they are, and what remains runs again, until that ends otherwise. */
  int result = 0;
  for (char *suspect = session_suspect(m->session); suspect != NULL && result == 0;) {
    session_hold_back(m->session);
    result = session_judge(m->session, true, e) != 0 || program_run(m->session, m->db, options, h, e) != 0 ? -1 : 0;
    free(suspect);
    suspect =
        result != 0 || h->interrupted || h->timed_out || !alike(first, h->status) ? NULL : session_suspect(m->session);
  }
  result = result != 0 ? -1 : session_judge(m->session, false, e);
  *h = untouched;
  return result;
}

int measuring_own_run(measuring *m, const experiment_test *t, const program_options *options, uint64_t launches,
                      program_end *h, error *e) {
  if (tell_missing(m, t, h, launches, e) != 0) return -1;
  char *suspect = h->status == 0 || h->timed_out || h->interrupted ? NULL : session_suspect(m->session);
  if (suspect == NULL) return 0;
  const int first = h->status;
  measuring_note(m,
                 "%s %s while the device or its compiler had instrumented code in hand (%s); running it again, %d "
                 "times, with that left as it is",
                 t->name, ending(first), suspect, LOOKS);
  free(suspect);
  e->text[0] = '\0';
  const program_options aside = measuring_aside(*options);
  const int count = look_untouched(m, options, &aside, first, h, e);
  const int result = count == 0 ? look_instrumented(m, t, &aside, first, h, e) : 0;
  if (count < 0 && e->text[0] != '\0') return -1;
  if (count == 0) return result;
  if (count > 0) {
    measuring_note(m, "%s ends alike with it untouched, %s%d of %d times: the instrumentation is not why", t->name,
                   count < LOOKS ? "though now and then only, " : "", count, LOOKS);
    h->status = first;
  }
  return session_judge(m->session, false, e);
}
