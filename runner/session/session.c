/* A session: messages in, answers and rows out. */
#include "runner/session/session.h"

#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/names.h"
#include "detectors/fills/decoder.h"
#include "detectors/fills/record.h"
#include "detectors/races/decoder.h"
#include "detectors/races/record.h"
#include "runner/build/build.h"
#include "runner/build/program_request.h"
#include "runner/build/source_name.h"
#include "runner/isolate.h"
#include "runner/session/internal.h"
#include "schedamp/schedule.h"
#include "wire/answer.h"
#include "wire/fields.h"
#include "wire/protocol.h"

session *session_new(db *d, int64_t run) {
  session *s = mem_calloc(1, sizeof *s);
  s->db = d;
  s->run = run;
  s->kernels = KERNEL_COUNTED;
  return s;
}

void session_want_rules(session *s, const char *rules) { s->rules = rules; }

void session_use(session *s, kernel_form kernels) { s->kernels = kernels; }

void session_gate(session *s, uint32_t mutant_id) {
  s->kernels = KERNEL_GATED;
  s->mutant = mutant_id;
}

void session_end_at(session *s, double moment) {
  s->deadline = moment;
  isolated_set_deadline(moment);
}

void session_on_reached(session *s, session_reached reached, void *context) {
  s->reached = reached;
  s->reached_context = context;
}

static void free_directories(session *s) {
  for (size_t i = 0; i < s->directory_count; i++) free(s->directories[i]);
  s->directory_count = 0;
}

void session_free(session *s) {
  if (s == NULL) return;
  mem_free_all(s->left_mapped, s->left_count);
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    mem_free_all(p->seen, p->result.model.kernel_count);
    free(p->checks);
    free(p->kernels);
    free(p->asked);
    if (p->request != NULL) {
      request_free(p->request);
      free(p->request);
    }
    free(p->name);
    free(p->reason);
    db_program_free(&p->stored);
    instrument_free(&p->result);
  }
  for (size_t i = 0; i < s->note_count; i++) free(s->notes[i]);
  for (size_t i = 0; i < s->untouched_count; i++) {
    request_free(s->untouched[i]);
    free(s->untouched[i]);
  }
  free(s->untouched);
  free_directories(s);
  session_forget_names(s);
  free(s->named);
  free(s->directories);
  free(s->programs);
  free(s->notes);
  free(s->device);
  free(s->last_skip);
  free(s->refusal);
  free(s->races);
  free(s->memory_errors);
  free(s->wrong);
  leaks_free(s->left);
  unawaited_free(s);
  result_reads_free(&s->reads);
  free(s->diverged);
  free(s);
}

void session_begin_test_case(session *s, int64_t test_case, char *const *argv) {
  s->test_case = test_case;
  s->memory_error_count = s->wrong_count = 0;
  for (size_t i = 0; s->kernels == KERNEL_MEMORY && i < s->program_count; i++)
    memset(s->programs[i].checks, 0, s->programs[i].result.model.kernel_count * sizeof *s->programs[i].checks);
  free_directories(s);
  session_forget_names(s);
  add_directories(argv, &s->directories, &s->directory_count, &s->directory_capacity);
  for (size_t i = 0; i < s->program_count; i++) session_clear(&s->programs[i]);
}

void session_add_note(session *s, const char *text) {
  if (name_number((const char *const *)s->notes, s->note_count, text) < 0)
    *ARRAY_ADD(s->notes, s->note_count, s->note_capacity) = mem_strdup(text);
}

int session_skip(session *s, const char *program, const char *reason, error *e) {
  s->summary.skipped++;
  free(s->last_skip);
  s->last_skip = mem_strdup(reason);
  return s->aside ? 0 : db_add_skipped(s->db, s->run, program, reason, e);
}

/* --- instrumenting ------------------------------------------------------------------------------------------------ */

static session_program *add_program(session *s, const program_request *r) {
  session_program *p = ARRAY_ADD(s->programs, s->program_count, s->program_capacity);
  memcpy(p->key, r->key, sizeof p->key);
  p->name = request_title(r);
  return p;
}

static int store_program(session *s, session_program *p, error *e) {
  size_t kernels = p->result.model.kernel_count;
  p->seen = mem_calloc(kernels, sizeof *p->seen);
  p->checks = mem_calloc(kernels, sizeof *p->checks);
  p->kernels = mem_calloc(kernels, sizeof *p->kernels);
  for (size_t k = 0; k < kernels; k++) p->seen[k] = mem_calloc(p->result.kernels[k].total_words, sizeof **p->seen);
  return db_add_program(s->db, s->run, &p->result.model, &p->stored, e) == 0 ? recall_crashes(s, p, e) : -1;
}

static session_program *find_program(session *s, const program_request *r) {
  for (size_t i = 0; i < s->program_count; i++)
    if (memcmp(s->programs[i].key, r->key, sizeof r->key) == 0) return &s->programs[i];
  return NULL;
}

bool session_is_bare(const session_client *c) { return form_rows[c->form].bare; }

static size_t filled_before(const session *s, const session_program *of) {
  size_t count = 0;
  for (const session_program *p = s->programs; p < of; p++) count += p->result.filled_count;
  return count;
}

static void answer_program(const session *s, const session_client *c, const session_program *p, buffer *out) {
  if (p->reason != NULL || p->held || c->form == FORM_UNTOUCHED) {
    answer_untouched(out, p->reason != NULL ? p->reason : "held back");
  } else {
    char first[32] = "";
    if (c->form == FORM_FILLED) (void)snprintf(first, sizeof first, " " OPTION_FIRST "%zu", filled_before(s, p));
    bool *left = mem_calloc(p->result.model.kernel_count, sizeof *left);
    for (size_t k = 0; k < p->result.model.kernel_count; k++) left[k] = p->kernels[k].left;
    program_answer(out, (uint32_t)(p - s->programs), &p->result, left, &form_rows[c->form],
                   s->apart ? " " OPTION_APART : first);
    free(left);
  }
}

/* Remembers the result under the request's key and answers with it. */
static int finish_program(session *s, const session_client *c, program_request *r, int status,
                          instrument_result *result, const error *why, buffer *answer, error *e) {
  session_program *p = add_program(s, r);
  const bool kept = request_remember(r, s->db, e) == 0;
  int outcome = 0;
  if (status != 0) {
    instrument_free(result);
    p->reason = mem_strdup(why->text);
    outcome = kept ? session_skip(s, p->name, p->reason, e) : -1;
  } else {
    p->result = *result;
    request_name_files(r, &p->result.model);
    outcome = kept ? store_program(s, p, e) : -1;
    if (s->kernels == KERNEL_CHECKED || s->kernels == KERNEL_BOUNDS ||
        s->kernels == KERNEL_FILLED) { /* its launches will be asked about */
      p->request = mem_calloc(1, sizeof *p->request);
      *p->request = *r;
      *r = (program_request){0};
      memcpy(r->key, p->key, sizeof r->key);
    }
  }
  answer_program(s, c, p, answer);
  return outcome;
}

/* Instruments a program that is new to this run, unless it is known to end badly. */
static int make_program(session *s, const session_client *c, program_request *r, buffer *answer, error *e) {
  request_name_sources(r, (const char *const *)s->directories, s->directory_count);
  instrument_result result = {0};
  error why = {0};
  char *crash = request_recall(r, s->db, e) == 0 ? recall_crash(s, r) : NULL;
  int status =
      crash != NULL ? error_set(&why, EXIT_INTERNAL, "%s", crash) : build_instrumented(r, s->kernels, &result, &why);
  if (status == 0 && result.question_count == 0 && s->mutant != 0) {
    instrument_free(&result);
    status = apply_mutant(s, r, &why) != 0 ? -1 : build_instrumented(r, s->kernels, &result, &why);
  }
  free(crash);
  if (status != 0 && s->deadline > 0 && clock_now() > s->deadline) { /* that is why */
    answer_untouched(answer, "");
    return 0;
  }
  if (status == 0 && result.question_count > 0) {
    request_ask(result.questions, result.question_count, answer);
    instrument_free(&result);
    return 0;
  }
  return finish_program(s, c, r, status, &result, &why, answer, e);
}

/* What its kernels do may be asked later. */
static void keep_untouched(session *s, program_request *r) {
  for (size_t i = 0; i < s->untouched_count; i++)
    if (memcmp(s->untouched[i]->key, r->key, sizeof r->key) == 0) return;
  program_request *kept = mem_calloc(1, sizeof *kept);
  *kept = *r;
  *r = (program_request){0};
  *ARRAY_ADD(s->untouched, s->untouched_count, s->untouched_capacity) = kept;
}

static int on_instrument(session *s, session_client *c, wire_reader *in, buffer *answer, error *e) {
  program_request r;
  if (request_decode(in, &r) != 0) {
    request_free(&r);
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed request");
  }
  if (s->device == NULL) s->device = mem_strndup(r.device, strcspn(r.device, "\n"));
  int outcome = 0;
  session_program *known = find_program(s, &r);
  if (known != NULL) {
    answer_program(s, c, known, answer);
  } else if (c->form == FORM_UNTOUCHED) {
    keep_untouched(s, &r);
    answer_untouched(answer, "");
  } else {
    outcome = make_program(s, c, &r, answer, e);
    known = find_program(s, &r);
  }
  if (known != NULL && known->reason == NULL && !known->held && c->form != FORM_UNTOUCHED)
    client_takes(c, (uint32_t)(known - s->programs), MODEL_NONE);
  request_free(&r);
  return outcome;
}

/* --- other messages ---------------------------------------------------------------------------------------------- */

/* Where a program lives its kernels may lie; not so for interpreters and other programs of the system. */
static void add_directory(session *s, const char *directory) {
  bool known = strncmp(directory, "/usr/", 5) == 0 || strcmp(directory, "/bin") == 0;
  for (size_t i = 0; i < s->directory_count && !known; i++) known = strcmp(s->directories[i], directory) == 0;
  if (!known) *ARRAY_ADD(s->directories, s->directory_count, s->directory_capacity) = mem_strdup(directory);
}

static int on_hello(session *s, wire_reader *in, error *e) {
  uint32_t version = wire_u32(in);
  (void)wire_u32(in);
  char *executable = wire_string(in, NULL);
  char *slash = strrchr(executable, '/');
  if (slash != NULL && slash != executable) {
    *slash = '\0';
    add_directory(s, executable);
  }
  free(executable);
  s->summary.processes++;
  if (version != PROTOCOL_VERSION) {
    return error_set(e, EXIT_INTERNAL, "the layer speaks version %u of the protocol, not %u; install cltestcheck again",
                     (unsigned)version, PROTOCOL_VERSION);
  }
  return 0;
}

static session_program *program_of(session *s, uint32_t number, error *e) {
  if (number >= s->program_count || s->programs[number].reason != NULL) {
    (void)error_set(e, EXIT_INTERNAL, "the layer spoke of a program that is not there");
    return NULL;
  }
  return &s->programs[number];
}

static int on_built(session *s, session_client *c, wire_reader *in, error *e) {
  uint32_t number = wire_u32(in);
  session_program *p = program_of(s, number, e);
  if (p == NULL) return -1;
  client_leaves(c, number, MODEL_NONE);
  s->summary.programs += p->built ? 0 : 1;
  p->built = true;
  return 0;
}

static int on_refused(session *s, session_client *c, wire_reader *in, error *e) {
  uint32_t number = wire_u32(in);
  session_program *p = program_of(s, number, e);
  if (p == NULL) return -1;
  client_leaves(c, number, MODEL_NONE);
  char *log = wire_string(in, NULL);
  const char *line = strstr(log, "error:");
  line = line == NULL ? log : line;
  char reason[512];
  const bool before = strncmp(log, REFUSED_BEFORE, strlen(REFUSED_BEFORE)) == 0;
  (void)snprintf(reason, sizeof reason, "%s%.*s",
                 before ? "" : "the device's compiler refused the instrumented source: ",
                 (int)(strcspn(line, "\n") > 300 ? 300 : strcspn(line, "\n")), line);
  free(log);
  if (!p->built && !s->aside && db_drop_program(s->db, s->run, p->stored.id, e) != 0) return -1;
  return session_skip(s, p->name, reason, e);
}

static int on_launching(session *s, session_client *c, wire_reader *in, error *e) {
  uint32_t number = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  const session_program *p = program_of(s, number, e);
  if (p == NULL || kernel >= p->result.model.kernel_count)
    return p == NULL ? -1 : error_set(e, EXIT_INTERNAL, "the layer spoke of a kernel that is not there");
  client_takes(c, number, kernel);
  return 0;
}

/* The user's own source does not compile: not ours to mend, but a person wants to know, with the compiler's words. */
static int on_failed(session *s, wire_reader *in, error *e) {
  size_t length = 0;
  char *text = wire_string(in, &length);
  char *directory = wire_string(in, NULL);
  char *log = wire_string(in, NULL);
  while (length > 0 && text[length - 1] == '\0') length--;
  const char *directories[] = {directory};
  char *root = NULL;
  char *name = source_name(text, length, directories, 1, &root);
  free(root);
  buffer note = {0};
  buffer_printf(&note, "%s does not compile; the device's compiler says:\n%.6000s", name, log);
  session_add_note(s, buffer_text(&note));
  const char *line = strstr(log, "error:");
  char reason[512];
  (void)snprintf(reason, sizeof reason, "it does not compile: %.*s",
                 (int)strcspn(line == NULL ? log : line, "\n") % 400, line == NULL ? log : line);
  int result = session_skip(s, name, reason, e);
  buffer_free(&note);
  free(name);
  free(text);
  free(directory);
  free(log);
  return result;
}

static int on_skipped(session *s, wire_reader *in, error *e) {
  char *what = wire_string(in, NULL);
  char *reason = wire_string(in, NULL);
  int result = session_skip(s, what, reason, e);
  free(what);
  free(reason);
  return result;
}

int session_message(session *s, session_client *c, uint32_t type, const void *payload, size_t length, buffer *answer,
                    error *e) {
  wire_reader in = {.at = payload, .left = length};
  switch (type) {
    case MESSAGE_HELLO: return on_hello(s, &in, e);
    case MESSAGE_INSTRUMENT: return on_instrument(s, c, &in, answer, e);
    case MESSAGE_BUILT: return on_built(s, c, &in, e);
    case MESSAGE_REFUSED: return on_refused(s, c, &in, e);
    case MESSAGE_SKIPPED: return on_skipped(s, &in, e);
    case MESSAGE_FAILED: return on_failed(s, &in, e);
    case MESSAGE_EVIDENCE: return session_evidence(s, c, &in, e);
    case MESSAGE_NEEDLESS: return session_needless(s, &in, answer, e);
    case MESSAGE_TEST_CASE: return session_test_case(s, c, &in, e);
    case MESSAGE_LAUNCHING: return on_launching(s, c, &in, e);
    case MESSAGE_GOODBYE: c->ended = true; return 0;
    case MESSAGE_NOTE: {
      (void)wire_u32(&in); /* program */
      char *text = wire_string(&in, NULL);
      session_add_note(s, text);
      free(text);
      return 0;
    }
    case MESSAGE_UNORDERED:
    case MESSAGE_SHARED:
    case MESSAGE_SHORT: return races_hear(s, type, &in);
    case MESSAGE_CALL_REFUSED: return session_refused(s, c, &in, e);
    case MESSAGE_UNNOTICED: return session_unnoticed(s, c, &in, e);
    case MESSAGE_BARE: session_bare(s, &in); return 0;
    case MESSAGE_READ: return session_host_read(s, c, &in, e);
    case MESSAGE_OVERRUN: return session_overrun(s, c, &in, e);
    case MESSAGE_ALIVE: return session_alive(s, c, &in, e);
    case MESSAGE_UNAWAITED: return session_unawaited(s, c, &in, e);
    case MESSAGE_AWAITED: return session_awaited(s, c, &in, e);
    case MESSAGE_RELEASED: return session_released(s, c, &in, e);
    case MESSAGE_REQUEST_DENIED:
      s->summary.device_denied = true;
      s->summary.denied_type = wire_u32(&in);
      return 0;
    default: return error_set(e, EXIT_INTERNAL, "the layer sent a message of unknown type %u", (unsigned)type);
  }
}

known_program session_program_at(const session *s, size_t number) {
  if (number >= s->program_count) return (known_program){0};
  const session_program *p = &s->programs[number];
  return (known_program){p->key, p->reason, &p->result, &p->stored};
}

session_summary session_summarise(const session *s) {
  session_summary summary = s->summary;
  summary.device = s->device == NULL ? "" : s->device;
  summary.refusal = s->refusal == NULL ? "" : s->refusal;
  summary.last_skip = s->last_skip == NULL ? "" : s->last_skip;
  return summary;
}

const char *session_note(const session *s, size_t index) { return index < s->note_count ? s->notes[index] : NULL; }
