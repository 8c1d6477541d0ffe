/* The state of a session, shared by session.c and session_evidence.c. */
#ifndef CLTC_RUNNER_SESSION_INTERNAL_H
#define CLTC_RUNNER_SESSION_INTERNAL_H

#include "instrument/instrument.h"
#include "runner/session.h"

typedef struct session_program {
  char key[65]; /* of the request that made it */
  char *name;
  char *reason; /* why it was not instrumented; NULL when it was */
  bool built;
  instrument_result result;
  db_program stored;
  uint32_t **seen; /* per kernel: the flags buffer's words so far in this test case, ORed over processes */
} session_program;

struct session {
  db *db;
  int64_t run;
  int64_t test_case;
  session_program *programs;
  size_t program_count, program_capacity;
  char **directories;
  size_t directory_count, directory_capacity;
  char **notes;
  size_t note_count, note_capacity;
  char *device;
  char *last_skip;
  session_summary summary;
};

int session_skip(session *s, const char *program, const char *reason, error *e);
void session_add_note(session *s, const char *text);

#endif
