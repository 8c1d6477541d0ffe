/* One run of a command as the database sees it: takes the layer's messages, instruments programs, turns evidence into
 * rows; a program that is run to its end with it. */
#ifndef CLTC_RUNNER_SESSION_SESSION_H
#define CLTC_RUNNER_SESSION_SESSION_H

#include "db/db.h"
#include "runner/build/forms.h"
#include "runner/server.h"
#include "wire/fields.h"

typedef struct session session;

/* What a session has seen; for the final sentence and the exit code. */
typedef struct session_summary {
  unsigned processes; /* that made an OpenCL call */
  unsigned programs;  /* whose instrumented build succeeded */
  unsigned skipped;   /* programs left as they are */
  unsigned findings;
  uint64_t launches; /* of instrumented kernels */
  bool observed;     /* evidence of some launch has come, of one that is not counted (`repeats`), too */
  uint64_t refused_launches;
  bool device_denied;    /* the program asked for a type of device that is not there */
  uint32_t denied_type;  /* cl_device_type of that request */
  const char *device;    /* name of the first device that kernels were built for, "" before; lent */
  const char *refusal;   /* of the first refused launch, in words, "" if none was; lent */
  const char *last_skip; /* reason of the last skipped program, "" if none; lent */
} session_summary;

/* What one process that talks to the session has in hand: instrumented programs that the device's compiler works on,
 * kernels whose launch is not known to have ended. Zero it before its first message. */
typedef struct session_client {
  program_form form;
  bool repeats; /* its launches are repetitions: they are not counted */
  struct session_pending *pending;
  size_t pending_count, pending_capacity;
  int64_t *named; /* rows of the test cases that it named, by number - 1; 0: not kept */
  size_t named_count, named_capacity;
  bool ended;               /* it said goodbye */
  struct left_alive *alive; /* what it has not released; NULL: that is not looked for */
} session_client;

/* Called for every outcome of a test case that a launch of a kernel (of this number in the session) is the first to
 * reach; `site` is the database's id. */
typedef void (*session_reached)(void *context, uint32_t program, uint32_t kernel, int64_t site, uint32_t outcome);

/* What a session is for; all is lent. */
typedef struct session_options {
  kernel_form kernels; /* of instrumented programs; KERNEL_GATED is for clients of the gated forms */
  uint32_t mutant;     /* id of one that is written into the text of each program that has it; 0: none */
  bool aside; /* beside another session of this run: what is skipped is known from there, and evidence goes nowhere */
  /* Nothing is left out or added for caution: checked is also what need not be, launches whose work-items keep to elements
   * of their own; barriers count as missed only where work-items surely miss them. */
  bool all;
  bool bounds;       /* of checked programs that can say it, whether accesses lie in their objects is looked at */
  const char *rules; /* on memory that become findings (base/rules.h); NULL: all */
  const session *
      diverging; /* has seen which kernels diverge, whose errors are not told, as they may follow from that; NULL: none has */
  session_reached reached; /* NULL: nobody asks */
  void *context;           /* its */
} session_options;

/* `d` stays the caller's. */
session *session_new(db *d, int64_t run, const session_options *o);
void session_free(session *s); /* NULL is fine */

/* Evidence from now on belongs to `test_case`, in which the program `argv` runs (copied): kernel files are looked for
 * in its folders. */
void session_begin_test_case(session *s, int64_t test_case, char *const *argv);

/* Until the next test case: those that the program itself names (cltestcheck.h) become test cases of `suite`, with
 * `line` for those that name no command; `word` as of db_set_word, or NULL. Evidence belongs to them then; without this call they are not looked at. */
void session_take_names(session *s, const char *suite, const char *line, const char *word);
/* The program has ended with this status: so have the test cases that it named and did not end. `*count`: how many it
 * named, `*failed`: how many of them did not end well. */
int session_end_names(session *s, int status, bool timed_out, size_t *count, size_t *failed, error *e);

/* Writes findings on objects that processes have left alive, which are gone. */
int session_end_leaks(session *s, error *e);
/* The same for reads that nobody has waited for. */
int session_end_unawaited(session *s, error *e);
/* From this moment on (as clock_now tells it, 0: never) whatever the front end is still at work on runs untouched, and is
 * not listed as skipped. It holds for all sessions of the process. */
void session_end_at(session *s, double moment);
/* Whether some program had that mutant. */
bool session_has_mutant(const session *s);

/* Takes one message of `c`. An answer, if the message has one, is appended to `answer` whole. Returns -1 with `e` set
 * when the message is malformed or the database fails. */
int session_message(session *s, session_client *c, uint32_t type, const void *payload, size_t length, buffer *answer,
                    error *e);

/* Nothing more comes from `c`. What it had in hand when it went without goodbye is suspected from now on of having
 * crashed it. */
void session_client_gone(session *s, session_client *c);

/* The first suspect of this test case in words ("kernel k of f.cl"), to be freed; NULL if there is none. */
char *session_suspect(const session *s);
/* Suspects run untouched until session_judge. */
void session_hold_back(session *s);
/* Ends the suspicion. `guilty`: without them the test case ends well, so they stay as they are from now on, in later
 * runs too, and are listed as skipped. */
int session_judge(session *s, bool guilty, error *e);
/* At the end: programs of which a kernel ran as it was written, and no launch was seen, do not count. */
int session_drop_left(session *s, error *e);

/* A program that clients asked for, by the number that the layer has for it: lent until the next message. */
typedef struct known_program {
  const char *key;    /* the same for the same request in another session; NULL: there are not so many programs */
  const char *reason; /* why it runs untouched; NULL: it is instrumented, */
  const struct instrument_result *result; /* like this, */
  const db_program *stored;               /* and is known by these rows */
} known_program;
known_program session_program_at(const session *s, size_t number);

session_summary session_summarise(const session *s);
/* Notes from the layer, in order; lent. */
const char *session_note(const session *s, size_t index);

/* Running the user's host program under the layer and watching it. */

typedef struct program_options {
  child_options child;
  double timeout;    /* seconds, 0: none */
  program_form form; /* of the programs that it builds */
  bool repeats;      /* its launches are not counted */
  const char *name;  /* for people */
  /* Called once, with a sentence, when the program has ended and we wait for a process that it left running; NULL: nobody
   * is told. */
  void (*waiting)(void *context, const char *text);
  void *context;
} program_options;

typedef struct program_end {
  int status;                           /* as a shell shows it: exit status, or 128 + signal */
  bool timed_out;                       /* its process group was killed */
  bool interrupted;                     /* by the user: SIGINT or SIGTERM */
  uint64_t launches;                    /* instrumented ones that its processes made, evidence of them or not */
  char last_launch[SERVER_LAST_LAUNCH]; /* of a program that a signal ended: server_last_launch; else "" */
  bool launched;                        /* there was one */
  leftover leftover; /* still runs and may use OpenCL; what it does from now on is not counted. pid 0: none */
} program_end;

/* Runs the program to its end, feeding the session and committing to `d` about every second. The program gets a process
 * group of its own and keeps standard input, output and error (and the terminal). What it leaves running and uses
 * OpenCL is waited for: up to the time limit or, without one, as long as it says something now and then. Returns -1
 * with `e` set when the program could not be started (EXIT_USAGE) or the results could not be kept; in the latter case
 * it ran to its end all the same. */
int program_run(session *s, db *d, const program_options *options, program_end *out, error *e);

#endif
