/* One run of a command as the database sees it: takes the layer's messages, instruments programs, turns evidence into
 * rows. Knows nothing of sockets. */
#ifndef CLTC_RUNNER_SESSION_H
#define CLTC_RUNNER_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "db/db.h"

typedef struct session session;

/* What a session has seen; for the final sentence and the exit code. */
typedef struct session_summary {
  unsigned processes; /* that made an OpenCL call */
  unsigned programs;  /* whose instrumented build succeeded */
  unsigned skipped;   /* programs left as they are */
  unsigned findings;
  uint64_t launches;     /* of instrumented kernels */
  bool device_denied;    /* the program asked for a type of device that is not there */
  uint32_t denied_type;  /* cl_device_type of that request */
  const char *device;    /* name of the first device that kernels were built for, "" before; lent */
  const char *last_skip; /* reason of the last skipped program, "" if none; lent */
} session_summary;

/* `d` stays the caller's. */
session *session_new(db *d, int64_t run);
void session_free(session *s);

/* Evidence from now on belongs to `test_case`; `directories` are searched for kernel files (paths are copied). */
void session_begin_test_case(session *s, int64_t test_case, const char *const *directories, size_t count);

/* Takes one message. An answer, if the message has one, is appended to `answer` whole. Returns -1 with `e` set when the
 * message is malformed or the database fails. */
int session_message(session *s, uint32_t type, const void *payload, size_t length, buffer *answer, error *e);

session_summary session_summarise(const session *s);
/* Notes from the layer, in order; lent. */
const char *session_note(const session *s, size_t index);

#endif
