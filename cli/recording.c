/* A temporary database for a session. */
#include "cli/recording.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/say.h"
#include "runner/experiment/captures.h"

int recording_open(recording *r, error *e) {
  *r = (recording){.directory = captures_open(e)};
  if (r->directory == NULL) {
    return -1;
  }
  buffer path = {0};
  buffer_printf(&path, "%s/db", r->directory);
  int result = db_open(&r->db, buffer_text(&path), DB_WRITE, e);
  buffer_free(&path);
  if (result != 0 || db_begin_run(r->db, "capture", CLTC_VERSION, &r->run, e) != 0) {
    return -1;
  }
  r->session = session_new(r->db, r->run);
  int64_t test_case = 0;
  if (db_begin_test_case(r->db, r->run, "", "capture", "", &test_case, e) != 0) {
    return -1;
  }
  char *nothing[] = {"", NULL};
  session_begin_test_case(r->session, test_case, nothing);
  return 0;
}

int recording_run(recording *r, const program_options *options, program_end *out, error *e) {
  return program_run(r->session, r->db, options, out, e);
}

void recording_close(recording *r) {
  if (r->session != NULL) {
    session_free(r->session);
  }
  db_close(r->db);
  captures_close(r->directory);
}

void say_note(void *context, const char *text) {
  (void)context;
  say(stderr, "cltestcheck: %s\n", text);
}
