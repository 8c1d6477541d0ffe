/* The further runs of a test case: nothing of them counts but what the look is for. */
#include "runner/measure/look.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "detectors/memory/decoder.h"
#include "detectors/races/decoder.h"

enum { KILLED = 128 };

/* A run that ended early has not looked at everything; one that was killed has shown nothing of what comes after. */
static int say_otherwise(measuring *m, const experiment_test *t, const program_end *h, int usual, error *e) {
  const measure_look *look = m->options->look;
  const bool killed = !h->timed_out && h->status > KILLED;
  buffer text = {0};
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
  const int result = db_add_skipped(m->db, m->run, t->name, buffer_text(&text), e);
  buffer_free(&text);
  return result;
}

program_options measuring_aside(program_options options, int nowhere) {
  options.repeats = true;
  options.child.leaks = options.child.unawaited = false;
  options.child.own_streams = nowhere >= 0;
  for (int i = 0; i < 3; i++) {
    options.child.streams[i] = nowhere;
  }
  return options;
}

/* In the words of a finding that it says no more of. */
static void take_end(measuring *m, const program_end *h, int usual) {
  if (h->interrupted) {
    (void)snprintf(m->cut, sizeof m->cut, "the run that tells was interrupted");
  } else if (h->timed_out) {
    (void)snprintf(m->cut, sizeof m->cut, "the run that tells was ended as it took too long");
  } else if (h->status != usual) {
    (void)snprintf(m->cut, sizeof m->cut, "the run that tells ended with status %d, and the one before with %d",
                   h->status, usual);
  }
}

static int run_look(measuring *m, const experiment_test *t, int64_t test_case, program_options options,
                    const program_end *first, error *e) {
  const measure_look *look = m->options->look;
  look_run r = {0};
  program_end h = {0};
  char *note = NULL;
  int result = 0;
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); /* the program has said all that it says */
  options = measuring_aside(options, nowhere);
  options.form = m->options->strict ? look->strict_form : look->form;
  session_begin_test_case(m->further, test_case, t->argv);
  for (; result == 0 && !h.interrupted && !h.timed_out && look->next(m->further, &r, &note); r.number++) {
    if (note != NULL) {
      measuring_note(m, "%s: %s", t->name, note);
    }
    free(note);
    note = NULL;
    options.child.cells_round = r.round;
    options.timeout = measuring_limit(m, t);
    result = program_run(m->further, m->db, &options, &h, e);
    m->out->looked_at += result == 0 ? h.launches : 0;
    const bool said = h.timed_out && (first->timed_out || measuring_is_over(m)); /* elsewhere */
    take_end(m, &h, first->status);
    if (result == 0 && !said && (h.timed_out || (!h.interrupted && (h.status != first->status || h.status > KILLED)))) {
      result = say_otherwise(m, t, &h, first->status, e);
    }
  }
  (void)close(nowhere);
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
  if (is_looked_at(m, first) && run_look(m, t, test_case, options, first, e) != 0) {
    return -1;
  }
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
    buffer text = {0};
    buffer_printf(&text, "its memory is too large to be checked in one run; run %u of %u", r->round + 1,
                  session_check_rounds(s));
    *note = buffer_take(&text);
    return true;
  }
  if (r->whole || !session_has_shared(s)) {
    return false;
  }
  session_check_apart(s, false);
  r->whole = true;
  r->round = 0;
  return true;
}

const measure_look look_for_races = {.form = FORM_CHECKED,
                                     .strict_form = FORM_CHECKED_STRICT,
                                     .next = next_races,
                                     .end = session_end_checks,
                                     .doing = "its accesses were checked",
                                     .unknown = "its work-items race"};

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
