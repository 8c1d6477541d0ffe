/* The further runs of a test case: nothing of them counts but what the look is for. */
#include "runner/measure/look.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"

/* A run that ended early has not looked at everything; one that was killed has shown nothing of what comes after. */
static int say_otherwise(measuring *m, const experiment_test *t, const program_end *h, int usual, error *e) {
  enum { KILLED = 128 };
  const measure_look *look = m->options->look;
  const bool killed = !h->timed_out && h->status > KILLED;
  buffer text = {0};
  if (h->timed_out) {
    buffer_printf(&text, "took longer than %g seconds while %s; what came later is not checked", measuring_limit(m, t),
                  look->doing);
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

static int look_for(measuring *m, const experiment_test *t, int64_t test_case, program_options options, int usual,
                    error *e) {
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
    const bool ended = h.timed_out && measuring_is_over(m); /* which is said elsewhere */
    if (result == 0 && !ended && (h.timed_out || (!h.interrupted && h.status != usual))) {
      result = say_otherwise(m, t, &h, usual, e);
    }
  }
  (void)close(nowhere);
  m->out->common.interrupted = m->out->common.interrupted || h.interrupted;
  return result != 0 || look->end == NULL ? result : look->end(m->further, e);
}

/* What the run that counts has seen, and the look did not. */
static void say_not_again(measuring *m, const experiment_test *t, const char *kernel) {
  measuring_note(m,
                 "%s: kernel %s accessed memory that is not its own, and did not when it was run again to see where: "
                 "the program does not do the same in each run",
                 t->name, kernel);
  m->out->crashed = true;
}

static int look_again(measuring *m, const experiment_test *t, int64_t test_case, program_options options, int usual,
                      error *e) {
  const unsigned before = session_summarise(m->further).findings;
  bool sure = false;
  char *kernel = m->options->look->reason(m->session, &sure);
  const int result = kernel == NULL ? 0 : look_for(m, t, test_case, options, usual, e);
  if (kernel != NULL && sure && result == 0 && session_summarise(m->further).findings == before) {
    say_not_again(m, t, kernel);
  }
  free(kernel);
  return result;
}

int measuring_look(measuring *m, const experiment_test *t, int64_t test_case, program_options options, int usual,
                   error *e) {
  return (m->options->look->reason != NULL ? look_again : look_for)(m, t, test_case, options, usual, e);
}
