/* The state of a session, shared by the files of this room and the decoders of detectors. */
#ifndef CLTC_RUNNER_SESSION_INTERNAL_H
#define CLTC_RUNNER_SESSION_INTERNAL_H

#include "detectors/fills/decoder.h"
#include "runner/build/program_request.h"

/* Whether a launch of the kernel was checked, or need not be; and why not all of its accesses were, NULL: they were.
 * `passed`: some led to memory of which nothing is known (of memory). */
typedef struct kernel_checks {
  bool made, passed;
  const char *unsure;
} kernel_checks;

typedef struct kernel_crash {
  bool suspected;
  bool left; /* runs as it was written */
} kernel_crash;

typedef struct session_program {
  char key[65]; /* of the request that made it */
  char *name;
  char *reason; /* why it was not instrumented; NULL when it was */
  bool built;
  bool launched;  /* evidence of it has come */
  bool suspected; /* of having crashed a process, with some of its kernels or, `suspected_whole`, all of it */
  bool suspected_whole;
  bool held; /* runs untouched for now */
  kernel_crash *kernels;
  instrument_result result;
  db_program stored;
  program_request *request; /* of a program whose launches are asked about: its sources; else NULL */
  struct asked_launch *asked;
  size_t asked_count, asked_capacity;
  kernel_checks *checks; /* per kernel */
  uint32_t **seen;       /* per kernel: the flags buffer's words so far in test case `seen_in`, ORed over processes */
} session_program;

/* A test case that the program named. */
typedef struct named_test {
  char *name;
  int64_t row;
  bool ended, failed;
} named_test;

struct session {
  db *db;
  int64_t run;
  session_options options;
  int64_t test_case;
  int64_t seen_in;           /* the test case that `seen` of the programs is about */
  char *suite, *line, *word; /* of test cases that the program names; NULL: names are not taken */
  named_test *named;
  size_t named_count, named_capacity;
  session_program *programs;
  size_t program_count, program_capacity;
  program_request **untouched; /* programs that ran as their user wrote them, in FORM_UNTOUCHED: their sources */
  size_t untouched_count, untouched_capacity;
  char **directories;
  size_t directory_count, directory_capacity;
  char **notes;
  size_t note_count, note_capacity;
  char *device;
  char *last_skip;
  char *refusal;      /* of the first launch that was refused; NULL: none was */
  bool unordered;     /* MESSAGE_UNORDERED has come */
  char **left_mapped; /* session_leave_mapped */
  size_t left_count, left_capacity;
  bool apart, shared; /* checked programs have OPTION_APART; MESSAGE_SHARED has come */
  bool unbounded;     /* with OPTION_BOUNDS: whether some accesses lie in their objects is not said, or some do not */
  uint32_t rounds;    /* of checked runs, for memory whose cells do not all fit; 0: one is enough */
  struct seen_race *races; /* detectors/races/decoder.h */
  size_t race_count, race_capacity;
  struct seen_error *memory_errors; /* detectors/memory/decoder.c */
  size_t memory_error_count, memory_error_capacity;
  struct left_alive *left;
  struct unawaited *unawaited;
  size_t unawaited_count, unawaited_capacity;
  result_reads reads; /* in FORM_FILLED */
  struct diverged_kernel {
    int64_t row; /* the test case */
    uint32_t program, kernel;
  } * diverged;
  size_t diverged_count, diverged_capacity;
  struct wrong_kernel *wrong; /* detectors/memory/decoder.c, of this test case */
  size_t wrong_count, wrong_capacity;
  double deadline; /* 0: none */
  bool mutant_found;
  session_summary summary;
};

/* Something of a program that a process has in hand; kernel MODEL_NONE: its build. */
typedef struct session_pending {
  uint32_t program, kernel;
} session_pending;

void client_takes(session_client *c, uint32_t program, uint32_t kernel);
void client_leaves(session_client *c, uint32_t program, uint32_t kernel);
/* Why a program must not be instrumented because of a crash in an earlier run; NULL if nothing is known. To be freed.
 */
char *recall_crash(session *s, const program_request *r);
/* The same of kernels: these are left as they were written. */
int recall_crashes(session *s, session_program *p, error *e);
/* Nothing of it is suspected. */
void session_clear(session_program *p);

/* takes the payload of MESSAGE_TEST_CASE. */
int session_test_case(session *s, session_client *c, wire_reader *in, error *e);
/* The row that evidence with this number belongs to. */
int64_t session_row(const session *s, const session_client *c, uint32_t number);
void session_forget_names(session *s);

/* writes the mutant of the options into the request's sources where the program has it; all questions of the
 * preprocessor have been answered. Returns -1 with `e` set when that cannot be done. */
int apply_mutant(session *s, program_request *r, error *e);
/* takes MESSAGE_NEEDLESS and answers it. */
int session_needless(session *s, wire_reader *in, buffer *answer, error *e);
/* a call that the driver has refused. */
int session_refused(session *s, const session_client *c, wire_reader *in, error *e);
/* The host used what one should have made; a kernel has written past the end of a buffer. */
int session_unnoticed(session *s, const session_client *c, wire_reader *in, error *e);
int session_overrun(session *s, const session_client *c, wire_reader *in, error *e);
/* MESSAGE_ALIVE and MESSAGE_RELEASED; the process is gone. */
int session_alive(session *s, session_client *c, wire_reader *in, error *e);
int session_released(session *s, session_client *c, wire_reader *in, error *e);
void leaks_client_gone(session *s, session_client *c);
void leaks_free(struct left_alive *l); /* NULL is fine */
/* host_calls.c: MESSAGE_UNAWAITED and MESSAGE_AWAITED; the process is gone. */
int session_unawaited(session *s, session_client *c, wire_reader *in, error *e);
int session_awaited(session *s, session_client *c, wire_reader *in, error *e);
void unawaited_client_gone(session *s, const session_client *c);
void unawaited_free(session *s);
/* detectors/fills/decoder.c: what the host has read. */
int session_host_read(session *s, const session_client *c, wire_reader *in, error *e);
void session_bare(session *s, wire_reader *in);
int session_skip(session *s, const char *program, const char *reason, error *e);
/* Whether its kernels record no coverage, so that their evidence says nothing. */
bool session_is_bare(const session_client *c);
void session_add_note(session *s, const char *text);

/* evidence.c: from a kernel's flags buffer to its decoder. */
/* A record of a kernel as it came. */
typedef struct form_record {
  uint32_t program, kernel;
  int64_t row;         /* of its test case */
  uint64_t launches;   /* that count */
  uint32_t first, end; /* numbers of those that ran as twins, as of MESSAGE_EVIDENCE */
  const uint32_t *words;
} form_record;
/* Who reads the records of a form: they stand in the rows of wire/forms.h. */
typedef int session_decoder(session *s, const form_record *r, error *e);
#define DECODER(name) session_decoder name;
#define NO_DECODER
#define FORM_DECODERS(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, LAUNCHED, DECODED) DECODED
CLTC_FORMS(FORM_DECODERS, FORMS_IGNORED)
#undef DECODER
#undef NO_DECODER
/* Stores outcomes that a record shows, and its launches. */
int session_store_evidence(session *s, const form_record *r, const model_term *items, size_t count, error *e);
/* The same, and counts the launches, of a record that says nothing of outcomes. */
int session_launched(session *s, const form_record *r, error *e);

/* Takes the payload of MESSAGE_EVIDENCE. */
int session_evidence(session *s, session_client *c, wire_reader *in, error *e);

/* detectors/races/decoder.c: `access` and `how` of db/db.h. */
typedef struct access_words {
  const char *access, *how;
} access_words;
access_words access_words_of(check_kind kind);

/* A number that a record keeps in two words. */
static inline uint64_t session_wide(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

#endif
