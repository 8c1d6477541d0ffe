/* A test case that fails while the device has instrumented code in hand: is that why? */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/measure/look.h"

enum { LOOKS = 3 };

static const char *ending(int status) {
  static char text[64];
  const char *format = status > 128 ? "was killed by signal %d" : "failed with exit status %d";
  (void)snprintf(text, sizeof text, format, status > 128 ? status - 128 : status);
  return text;
}

/* Launches that were made and of which no evidence has come: `seen` came. */
static int tell_missing(const measuring *m, const experiment_test *t, const program_end *h, uint64_t seen, error *e) {
  if (h->interrupted || h->launches <= seen) {
    return 0;
  }
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
    if (program_run(m->session, m->db, i == 0 ? options : aside, h, e) != 0 || h->interrupted || h->timed_out) {
      return -1;
    }
    count += alike(first, h->status) ? 1 : 0;
  }
  return count;
}

/* The suspects are left as they are, and what remains runs again, until that ends otherwise. */
static int leave_suspects(measuring *m, const program_options *options, int first, program_end *h, error *e) {
  int result = 0;
  for (char *suspect = session_suspect(m->session); suspect != NULL && result == 0;) {
    session_hold_back(m->session);
    result = session_judge(m->session, true, e) != 0 || program_run(m->session, m->db, options, h, e) != 0 ? -1 : 0;
    free(suspect);
    suspect =
        result != 0 || h->interrupted || h->timed_out || !alike(first, h->status) ? NULL : session_suspect(m->session);
  }
  return result != 0 ? -1 : session_judge(m->session, false, e);
}

/* Untouched it has always ended otherwise: it is at fault if it fails once more as it was. */
static int look_instrumented(measuring *m, const experiment_test *t, const program_options *options, int first,
                             program_end *h, error *e) {
  const program_end untouched = *h;
  if (session_judge(m->session, false, e) != 0 || program_run(m->session, m->db, options, h, e) != 0) {
    return -1;
  }
  if (h->interrupted || h->timed_out) {
    return 0;
  }
  if (!alike(first, h->status)) {
    measuring_note(
        m, "%s %s once and not again, whether instrumented or not: it does so now and then; what was seen is kept",
        t->name, ending(first));
    return 0;
  }
  const int result = leave_suspects(m, options, first, h, e);
  *h = untouched;
  return result;
}

int measuring_host(measuring *m, const experiment_test *t, const program_options *options, program_end *h, error *e) {
  const uint64_t before = session_summarise(m->session).launches;
  if (program_run(m->session, m->db, options, h, e) != 0 ||
      tell_missing(m, t, h, session_summarise(m->session).launches - before, e) != 0) {
    return -1;
  }
  char *suspect = h->status == 0 || h->timed_out || h->interrupted ? NULL : session_suspect(m->session);
  if (suspect == NULL) {
    return 0;
  }
  const int first = h->status;
  measuring_note(m,
                 "%s %s while the device or its compiler had instrumented code in hand (%s); running it again, %d "
                 "times, with that left as it is",
                 t->name, ending(first), suspect, LOOKS);
  free(suspect);
  e->text[0] = '\0';
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  const program_options aside = measuring_aside(*options, nowhere);
  const int count = look_untouched(m, options, &aside, first, h, e);
  const int result = count == 0 ? look_instrumented(m, t, &aside, first, h, e) : 0;
  (void)close(nowhere);
  if (count < 0 && e->text[0] != '\0') {
    return -1;
  }
  if (count == 0) {
    return result;
  }
  if (count > 0) {
    measuring_note(m, "%s ends alike with it untouched, %s%d of %d times: the instrumentation is not why", t->name,
                   count < LOOKS ? "though now and then only, " : "", count, LOOKS);
    h->status = first;
  }
  return session_judge(m->session, false, e);
}
