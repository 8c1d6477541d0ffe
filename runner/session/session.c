/* A session: messages in, answers and rows out; evidence, test cases that programs name, launches that are asked about. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/names.h"
#include "detectors/fills/record.h"
#include "detectors/memory/record.h"
#include "detectors/races/decoder.h"
#include "runner/build/build.h"
#include "runner/build/disjoint.h"
#include "runner/isolate.h"
#include "runner/session/internal.h"
#include "schedamp/schedule.h"
#include "wire/answer.h"
#include "wire/protocol.h"

session *session_new(db *d, int64_t run, const session_options *o) {
  session *s = mem_calloc(1, sizeof *s);
  s->db = d;
  s->run = run;
  s->options = *o;
  return s;
}

void session_end_at(session *s, double moment) {
  s->deadline = moment;
  isolated_set_deadline(moment);
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
  for (size_t i = 0; s->options.kernels == KERNEL_MEMORY && i < s->program_count; i++)
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
  return s->options.aside ? 0 : db_add_skipped(s->db, s->run, program, reason, e);
}

/* --- instrumenting ------------------------------------------------------------------------------------------------ */

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
    scoped bool *left = mem_calloc(p->result.model.kernel_count, sizeof *left);
    for (size_t k = 0; k < p->result.model.kernel_count; k++) left[k] = p->kernels[k].left;
    program_answer(out, (uint32_t)(p - s->programs), &p->result, left, &form_rows[c->form],
                   s->apart && (!s->options.bounds || p->result.unbounded) ? " " OPTION_APART : first);
  }
}

/* Remembers the result under the request's key and answers with it. */
static int finish_program(session *s, const session_client *c, program_request *r, int status,
                          instrument_result *result, const error *why, buffer *answer, error *e) {
  session_program *p = ARRAY_ADD(s->programs, s->program_count, s->program_capacity);
  memcpy(p->key, r->key, sizeof p->key);
  p->name = request_title(r);
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
    if (s->options.kernels == KERNEL_CHECKED || s->options.kernels == KERNEL_BOUNDS ||
        s->options.kernels == KERNEL_FILLED) { /* its launches will be asked about */
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
  int status = crash != NULL ? error_set(&why, EXIT_INTERNAL, "%s", crash)
                             : build_instrumented(r, s->options.kernels, &result, &why);
  if (status == 0 && result.question_count == 0 && s->options.mutant != 0) {
    instrument_free(&result);
    status = apply_mutant(s, r, &why) != 0 ? -1 : build_instrumented(r, s->options.kernels, &result, &why);
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

static int on_hello(session *s, wire_reader *in, error *e) {
  uint32_t version = wire_u32(in);
  (void)wire_u32(in);
  scoped char *executable = wire_string(in, NULL);
  char *slash = strrchr(executable, '/');
  if (slash != NULL && slash != executable) {
    *slash = '\0';
    /* Where a program lives its kernels may lie; not so for interpreters and other programs of the system. */
    bool known = strncmp(executable, "/usr/", 5) == 0 || strcmp(executable, "/bin") == 0;
    for (size_t i = 0; i < s->directory_count && !known; i++) known = strcmp(s->directories[i], executable) == 0;
    if (!known) *ARRAY_ADD(s->directories, s->directory_count, s->directory_capacity) = mem_strdup(executable);
  }
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
  scoped char *log = wire_string(in, NULL);
  const char *line = strstr(log, "error:");
  line = line == NULL ? log : line;
  char reason[512];
  const bool before = strncmp(log, REFUSED_BEFORE, strlen(REFUSED_BEFORE)) == 0;
  (void)snprintf(reason, sizeof reason, "%s%.*s",
                 before ? "" : "the device's compiler refused the instrumented source: ",
                 (int)(strcspn(line, "\n") > 300 ? 300 : strcspn(line, "\n")), line);
  if (!p->built && !s->options.aside && db_drop_program(s->db, s->run, p->stored.id, e) != 0) return -1;
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
  scoped char *text = wire_string(in, &length);
  scoped char *directory = wire_string(in, NULL);
  scoped char *log = wire_string(in, NULL);
  while (length > 0 && text[length - 1] == '\0') length--;
  const char *directories[] = {directory};
  char *root = NULL;
  scoped char *name = source_name(text, length, directories, 1, &root);
  free(root);
  scoped_buffer note = buffer_with("%s does not compile; the device's compiler says:\n%.6000s", name, log);
  session_add_note(s, buffer_text(&note));
  const char *line = strstr(log, "error:");
  char reason[512];
  (void)snprintf(reason, sizeof reason, "it does not compile: %.*s",
                 (int)strcspn(line == NULL ? log : line, "\n") % 400, line == NULL ? log : line);
  return session_skip(s, name, reason, e);
}

static int on_skipped(session *s, wire_reader *in, error *e) {
  scoped char *what = wire_string(in, NULL);
  scoped char *reason = wire_string(in, NULL);
  return session_skip(s, what, reason, e);
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
      scoped char *text = wire_string(&in, NULL);
      session_add_note(s, text);
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

/* Evidence: the records of kernels, which the decoder of their form reads. */

int session_store_evidence(session *s, const form_record *r, const model_term *items, size_t count, error *e) {
  const session_program *p = &s->programs[r->program];
  scoped db_evidence *evidence = mem_calloc(count, sizeof *evidence);
  for (size_t i = 0; i < count; i++) evidence[i] = (db_evidence){p->stored.sites[items[i].site], items[i].outcome};
  return db_add_evidence(s->db, r->row, p->stored.kernels[r->kernel], r->launches, evidence, count, e);
}

int session_launched(session *s, const form_record *r, error *e) {
  s->summary.launches += r->launches;
  return session_store_evidence(s, r, NULL, 0, e);
}

/* What reads the record of a form. */
#define DECODER(name) name
#define NO_DECODER NULL
#define FORM_DECODER(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, LAUNCHED, DECODED) [KERNEL_##NAME] = DECODED,
static session_decoder *const decoders[] = {CLTC_FORMS(FORM_DECODER, FORMS_IGNORED)};

int session_evidence(session *s, session_client *c, wire_reader *in, error *e) {
  uint32_t number = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  uint64_t launches = wire_u64(in);
  const uint32_t first = wire_u32(in), end = wire_u32(in);
  const int64_t row = session_row(s, c, wire_u32(in));
  uint32_t count = wire_u32(in);
  if (in->failed || number >= s->program_count || s->programs[number].reason != NULL ||
      kernel >= s->programs[number].result.model.kernel_count ||
      count != s->programs[number].result.kernels[kernel].total_words || (size_t)count * 4 != in->left)
    return error_set(e, EXIT_INTERNAL, "the layer sent evidence that fits no kernel");
  client_leaves(c, number, kernel);
  session_program *p = &s->programs[number];
  p->launched = true;
  s->summary.observed = true;
  if (session_is_bare(c)) return 0;
  scoped uint32_t *words = mem_calloc(count, sizeof *words);
  for (uint32_t i = 0; i < count; i++) words[i] = wire_u32(in);
  return decoders[s->options.kernels](
      s, &(form_record){number, kernel, row, c->repeats ? 0 : launches, first, end, words}, e);
}

/* A mutant that is in a program all the time: its text with the replacement made, instrumented like the user's own. */

static int write_mutant(program_request *r, const mutate_result *all, const mutant *m, error *e) {
  pp_input *inputs = request_inputs(r);
  const size_t index = mutant_source(inputs, r->source_count, &all->model, m);
  free(inputs);
  if (index == SIZE_MAX) {
    return error_set(e, EXIT_USAGE,
                     "mutant %u is in a header, which other programs may use too; only mutants in %s "
                     "itself can be run by themselves",
                     (unsigned)m->id, r->sources[0].name);
  }
  if (m->description != NULL) {
    return error_set(e, EXIT_USAGE,
                     "mutant %u (%s) is no change of the text; only those that are can be run by themselves",
                     (unsigned)m->id, m->description);
  }
  request_source *source = &r->sources[index];
  char *text = mutant_text(&source->input, m);
  free(source->text);
  source->text = text;
  source->input.text = text;
  source->input.length = strlen(text);
  return 0;
}

int apply_mutant(session *s, program_request *r, error *e) {
  mutate_result all;
  int status = build_mutated(r, &(build_mutants){0}, &all, e);
  for (size_t i = 0; i < all.mutant_count && status == 0; i++) {
    if (all.mutants[i].id == s->options.mutant) {
      status = write_mutant(r, &all, &all.mutants[i], e);
      s->mutant_found = s->mutant_found || status == 0;
      break;
    }
  }
  mutate_free(&all);
  return status;
}

bool session_has_mutant(const session *s) { return s->mutant_found; }

/* Test cases that the program itself names: rows of the database, and how they ended. */

void session_forget_names(session *s) {
  for (size_t i = 0; i < s->named_count; i++) free(s->named[i].name);
  s->named_count = 0;
  free(s->suite);
  free(s->line);
  free(s->word);
  s->suite = s->line = s->word = NULL;
}

void session_take_names(session *s, const char *suite, const char *line, const char *word) {
  s->suite = mem_strdup(suite);
  s->line = mem_strdup(line);
  s->word = word == NULL ? NULL : mem_strdup(word);
}

/* The same name again, in this process or in another, is the same test case. */
static named_test *find_or_begin(session *s, const char *name, const char *command, error *e) {
  for (size_t i = s->named_count; i-- > 0;)
    if (strcmp(s->named[i].name, name) == 0) return &s->named[i];
  int64_t row = 0;
  if (db_begin_test_case(s->db, s->run, s->suite, name, command[0] == '\0' ? s->line : command, &row, e) != 0 ||
      (s->word != NULL && db_set_word(s->db, row, s->word, e) != 0))
    return NULL;
  named_test *t = ARRAY_ADD(s->named, s->named_count, s->named_capacity);
  *t = (named_test){.name = mem_strdup(name), .row = row};
  return t;
}

static int begin_named(session *s, session_client *c, uint32_t number, const char *name, const char *command,
                       error *e) {
  const named_test *t = find_or_begin(s, name, command, e);
  if (t == NULL) return -1;
  while (c->named_count < number) *ARRAY_ADD(c->named, c->named_count, c->named_capacity) = 0;
  c->named[number - 1] = t->row;
  return 0;
}

static int end_named(session *s, int64_t row, int status, error *e) {
  for (size_t i = 0; i < s->named_count; i++) {
    if (s->named[i].row == row && row != 0) {
      s->named[i].ended = true;
      s->named[i].failed = s->named[i].failed || status != 0;
      return db_end_test_case(s->db, row, status, false, e);
    }
  }
  return 0;
}

int session_test_case(session *s, session_client *c, wire_reader *in, error *e) {
  const uint32_t number = wire_u32(in);
  const bool begins = wire_u32(in) == 1;
  const int status = (int)wire_u32(in);
  scoped char *name = wire_string(in, NULL);
  scoped char *command = wire_string(in, NULL);
  int result = 0;
  /* numbers follow each other, but for those that a forked process has from its parent */
  if (in->failed || number == 0 || (begins && number > c->named_count + (1u << 24))) {
    result = error_set(e, EXIT_INTERNAL, "the layer named a test case in a malformed message");
  } else if (s->suite != NULL) {
    result = begins ? begin_named(s, c, number, name, command, e)
                    : end_named(s, number <= c->named_count ? c->named[number - 1] : 0, status, e);
  }
  return result;
}

int64_t session_row(const session *s, const session_client *c, uint32_t number) {
  const int64_t row = number >= 1 && number <= c->named_count ? c->named[number - 1] : 0;
  return row != 0 ? row : s->test_case;
}

int session_end_names(session *s, int status, bool timed_out, size_t *count, size_t *failed, error *e) {
  *count = s->named_count;
  *failed = 0;
  for (size_t i = 0; i < s->named_count; i++) {
    named_test *t = &s->named[i];
    t->failed = t->ended ? t->failed : status != 0 || timed_out;
    *failed += t->failed ? 1 : 0;
    if (!t->ended && db_end_test_case(s->db, t->row, status, timed_out, e) != 0) return -1;
  }
  return 0;
}

/* Launches in which nothing needs to be checked: the kernel's tree says so for their sizes and arguments. Their work-items
 * do not touch what others write (frontend/facts/launch.h), or no access leaves its memory (frontend/facts/launch.h). */

enum { MOST_QUESTIONS = 32, MOST_ARGUMENTS = 1024 };

/* A question of a program, and its answer. */
typedef struct asked_launch {
  uint64_t digest;
  bool needless;
} asked_launch;

typedef struct question {
  const session_program *program;
  const char *kernel;
  kernel_form form;
  facts_launch launch;
  facts_argument arguments[MOST_ARGUMENTS];
  bool answer;
} question;

static void read_launch(wire_reader *in, question *q) {
  q->launch.dimensions = wire_u32(in);
  in->failed = in->failed || q->launch.dimensions > 3;
  for (uint32_t d = 0; d < q->launch.dimensions && !in->failed; d++) {
    q->launch.offset[d] = wire_u64(in);
    q->launch.global[d] = wire_u64(in);
    q->launch.local[d] = wire_u64(in);
  }
  q->launch.argument_count = wire_u32(in);
  in->failed = in->failed || q->launch.argument_count > MOST_ARGUMENTS;
  for (size_t i = 0; i < q->launch.argument_count && !in->failed; i++) {
    const uint32_t kind = wire_u32(in);
    const uint64_t value = wire_u64(in), bytes = wire_u64(in), flags = bytes >> MEMORY_FLAGS_AT;
    q->arguments[i] = (facts_argument){.known = kind == 1,
                                       .value = kind == 1 ? (int64_t)value : 0,
                                       .buffer = kind == 2 ? (uint32_t)value : FACTS_NO_BUFFER,
                                       .bytes = kind == 2 ? bytes & ((UINT64_C(1) << MEMORY_FLAGS_AT) - 1) : 0,
                                       .no_read = (flags & MEMORY_NO_READ) != 0,
                                       .no_write = (flags & MEMORY_NO_WRITE) != 0};
  }
  q->launch.arguments = q->arguments;
}

static int look(void *context, buffer *out, error *e) {
  const question *q = context;
  (void)e;
  pp_input *inputs = request_inputs(q->program->request);
  disjoint *d = disjoint_read(inputs, q->program->request->source_count);
  const bool inside = q->form != KERNEL_CHECKED;
  const bool holds = d != NULL && (inside ? disjoint_stays_inside(d, q->kernel, &q->launch)
                                          : disjoint_holds(d, q->kernel, &q->launch));
  buffer_putc(out, holds ? 1 : 0);
  return 0;
}

static int take(void *context, const void *bytes, size_t length) {
  question *q = context;
  q->answer = length == 1 && *(const char *)bytes == 1;
  return length == 1 ? 0 : -1;
}

/* In a process of its own: libclang reads the sources again. */
static bool find_out(session_program *p, uint64_t digest, question *q) {
  for (size_t i = 0; i < p->asked_count; i++)
    if (p->asked[i].digest == digest) return p->asked[i].needless;
  error ignored;
  if (p->request == NULL || p->asked_count >= MOST_QUESTIONS ||
      isolated(&(isolated_work){q, look, take}, &ignored) != 0)
    q->answer = false;
  if (p->asked_count < MOST_QUESTIONS)
    *ARRAY_ADD(p->asked, p->asked_count, p->asked_capacity) = (asked_launch){digest, q->answer};
  return q->answer;
}

int session_needless(session *s, wire_reader *in, buffer *answer, error *e) {
  const uint64_t digest = hash_more(HASH_EMPTY, in->at, in->left);
  const uint32_t number = wire_u32(in), kernel = wire_u32(in);
  question *q = mem_calloc(1, sizeof *q);
  read_launch(in, q);
  if (in->failed || number >= s->program_count || kernel >= s->programs[number].result.model.kernel_count) {
    free(q);
    return error_set(e, EXIT_INTERNAL, "the layer asked about a launch of no kernel");
  }
  q->program = &s->programs[number];
  q->form = s->options.kernels;
  q->kernel = q->program->result.model.kernels[kernel].name;
  const bool fills = s->options.kernels == KERNEL_FILLED && q->program->result.filled_count > 0;
  const bool holds = !s->options.all && !fills && find_out(&s->programs[number], digest, q);
  if (holds && q->program->checks != NULL) q->program->checks[kernel].made = true;
  wire_begin(answer, MESSAGE_IS_NEEDLESS);
  wire_put_u32(answer, holds ? 1 : 0);
  wire_end(answer);
  free(q);
  return 0;
}
