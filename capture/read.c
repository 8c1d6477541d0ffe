/* The reader of captures: records, their payloads by the fields of wire/capture_format.h, and the file of places beside
 * it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "capture/capture_internal.h"

/* Payloads of records: the fields that wire/capture_format.h lists. */

typedef struct cursor {
  const unsigned char *at;
  size_t left;
  bool failed;
} cursor;

static const unsigned char *take(cursor *in, size_t size) {
  const unsigned char *bytes = in->at;
  if (in->failed || size > in->left) {
    in->failed = true;
    return NULL;
  }
  in->at += size;
  in->left -= size;
  return bytes;
}

static uint64_t take_number(cursor *in, size_t size) {
  const unsigned char *bytes = take(in, size);
  uint64_t value = 0;
  for (size_t i = size; bytes && i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

static uint32_t take_u32(cursor *in) { return (uint32_t)take_number(in, 4); }

static bool take_flag(cursor *in) {
  uint32_t value = take_u32(in);
  in->failed = in->failed || value > 1;
  return value == 1;
}

static void take_bytes(cursor *in, void *to, size_t size) {
  const unsigned char *bytes = take(in, size);
  if (bytes && size) memcpy(to, bytes, size);
}

/* NULL once it has failed. */
static char *take_string(cursor *in) {
  uint32_t length = take_u32(in);
  const unsigned char *bytes = take(in, length);
  if (bytes && length && memchr(bytes, 0, length)) in->failed = true;
  return bytes && !in->failed ? mem_strndup((const char *)bytes, length) : NULL;
}

/* ---- fields ---- */

static void take_source(cursor *in, capture_source *s) {
  s->text = take_string(in);
  s->options = take_string(in);
  uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 8) { /* two lengths each */
    in->failed = true;
    return;
  }
  s->headers = mem_calloc(count, sizeof *s->headers);
  s->header_count = count;
  for (uint32_t i = 0; i < count; i++) {
    s->headers[i].name = take_string(in);
    s->headers[i].text = take_string(in);
  }
}

static void take_sources(cursor *in, capture_command *c) {
  uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 12) { /* two lengths and a count each */
    in->failed = true;
    return;
  }
  c->u.program.sources = mem_calloc(count, sizeof *c->u.program.sources);
  c->u.program.source_count = count;
  for (uint32_t i = 0; i < count; i++) take_source(in, &c->u.program.sources[i]);
}

static void take_pattern(cursor *in, capture_command *c) {
  c->u.transfer.pattern_size = take_u32(in);
  if (c->u.transfer.pattern_size > sizeof c->u.transfer.pattern) in->failed = true;
  take_bytes(in, c->u.transfer.pattern, c->u.transfer.pattern_size);
}

static void take_value(cursor *in, capture_command *c) {
  if (c->u.argument.kind != CAPTURE_VALUE) return;
  const unsigned char *bytes = c->u.argument.size <= in->left ? take(in, (size_t)c->u.argument.size) : NULL;
  if (bytes == NULL) {
    in->failed = true;
    return;
  }
  c->u.argument.bytes = mem_calloc(1, (size_t)c->u.argument.size);
  memcpy(c->u.argument.bytes, bytes, (size_t)c->u.argument.size);
}

static void take_field(cursor *in, capture_command *c, const capture_field *f) {
  unsigned char *at = (unsigned char *)c + f->offset;
  uint64_t numbers[3];
  uint32_t number;
  bool flag;
  char *string;
  switch (f->type) {
    case FIELD_U32:
      number = take_u32(in);
      memcpy(at, &number, sizeof number);
      break;
    case FIELD_U64:
      numbers[0] = take_number(in, 8);
      memcpy(at, numbers, sizeof *numbers);
      break;
    case FIELD_FLAG:
      flag = take_flag(in);
      memcpy(at, &flag, sizeof flag);
      break;
    case FIELD_THREE:
      for (int i = 0; i < 3; i++) numbers[i] = take_number(in, 8);
      memcpy(at, numbers, sizeof numbers);
      break;
    case FIELD_STRING:
      string = take_string(in);
      memcpy(at, &string, sizeof string);
      break;
    case FIELD_COLOR: take_bytes(in, at, CAPTURE_COLOR); break;
    case FIELD_PATTERN: take_pattern(in, c); break;
    case FIELD_VALUE: take_value(in, c); break;
    case FIELD_SOURCES: take_sources(in, c); break;
    case FIELD_DIGEST:
      c->known = take_flag(in);
      c->low = take_number(in, 8);
      c->high = take_number(in, 8);
      break;
    case FIELD_NONE: break;
  }
}

/* ---- records ---- */

bool decode(capture_command *c, uint32_t kind, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *c = (capture_command){.kind = (capture_kind)kind};
  for (const capture_field *f = capture_fields[kind]; f->type != FIELD_NONE; f++) take_field(&in, c, f);
  if (!in.failed && !in.left) return true;
  command_free(c);
  return false;
}

static void take_waits(cursor *in, capture_call *c) {
  const uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 4) {
    in->failed = true;
    return;
  }
  c->waits = mem_calloc(count, sizeof *c->waits);
  for (c->wait_count = 0; c->wait_count < count; c->wait_count++) c->waits[c->wait_count] = take_u32(in);
}

static void call_free(capture_call *c);

/* A call of the program; false as above. */
static bool decode_call(capture_call *c, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *c = (capture_call){0};
  const uint32_t function = take_u32(&in);
  c->function = function < FUNCTION_KINDS ? (capture_function)function : FUNCTION_KINDS;
  c->thread = take_u32(&in);
  c->queue = take_u32(&in);
  c->blocking = take_flag(&in);
  c->event = take_u32(&in);
  c->memory = take_u32(&in);
  c->flags = take_number(&in, 8);
  c->offset = take_number(&in, 8);
  c->size = take_number(&in, 8);
  take_waits(&in, c);
  const bool placed = !in.failed && in.left > 0;
  c->module = placed ? take_string(&in) : mem_strdup("");
  c->place = placed ? take_number(&in, 8) : 0;
  if (!in.failed && !in.left) return true;
  call_free(c);
  return false;
}

static void call_free(capture_call *c) {
  free(c->waits);
  free(c->module);
}

static double take_real(cursor *in) {
  const uint64_t bits = take_number(in, 8);
  double value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* What a READ must have got; false as above. Its command is not set. */
static bool decode_expectation(capture_expectation *x, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *x = (capture_expectation){.name = take_string(&in)};
  x->number = take_u32(&in);
  x->lanes = take_u32(&in);
  x->used = take_u32(&in);
  x->first = take_number(&in, 8);
  x->blob = take_u32(&in);
  x->ulp = take_number(&in, 8);
  x->relative = take_real(&in);
  x->absolute = take_real(&in);
  if (!in.failed && !in.left) return true;
  free(x->name);
  return false;
}

/* A payload of strings after `number`, if there is one. The strings are to be freed, also if it is false. */
static bool decode_strings(uint32_t *number, char **strings, size_t count, const unsigned char *payload,
                           size_t length) {
  cursor in = {.at = payload, .left = length};
  if (number) *number = take_u32(&in);
  for (size_t i = 0; i < count; i++) strings[i] = take_string(&in);
  return !in.failed && !in.left;
}

static void free_sources(capture_command *c) {
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    capture_source *s = &c->u.program.sources[i];
    for (size_t h = 0; h < s->header_count; h++) {
      free(s->headers[h].name);
      free(s->headers[h].text);
    }
    free(s->headers);
    free(s->text);
    free(s->options);
  }
  free(c->u.program.sources);
  free(c->u.program.link_options);
}

void command_free(capture_command *c) {
  if (c->kind == CAPTURE_PROGRAM)
    free_sources(c);
  else if (c->kind == CAPTURE_KERNEL)
    free(c->u.kernel.name);
  else if (c->kind == CAPTURE_ARGUMENT)
    free(c->u.argument.bytes);
}

#define PAYLOAD_MOST (UINT64_C(1) << 30) /* bytes of a record that is no blob */
#define SEVERAL "more than one process of the program used OpenCL"

typedef struct scan {
  stream *in;
  scan_keep keep;
  capture *out;
  size_t blob_capacity, command_capacity, include_capacity, call_capacity, queue_capacity, expectation_capacity;
  capture_kind follows; /* the command that the call before it makes; 0: there was none */
  uint32_t events;      /* so far */
  checker *checker;
  uint64_t record; /* the number of this one */
  uint64_t begin;  /* how many bytes of the stream were left before it */
  bool started, has_device, ended;
  uint64_t commands;    /* so far */
  capture_command read; /* the command before, if it is a READ */
  bool has_read;
  error *e;
} scan;

static int wrong(const scan *s, const char *what) {
  return stream_damaged(s->in, s->e, "record %" PRIu64 ": %s", s->record, what);
}

/* ---- records that are no commands ---- */

static int read_start(scan *s, const unsigned char *payload, size_t length) {
  uint32_t version = 0;
  char *strings[2] = {NULL, NULL};
  bool right = decode_strings(&version, strings, 2, payload, length);
  if (length >= sizeof version && version != CAPTURE_VERSION) {
    free(strings[0]);
    free(strings[1]);
    return error_set(s->e, EXIT_USAGE,
                     "the capture %s is of version %u and this cltestcheck reads version %u; capture the program again",
                     stream_path(s->in), version, CAPTURE_VERSION);
  }
  s->out->program = strings[0];
  s->out->directory = strings[1];
  s->started = true;
  return right ? 0 : wrong(s, "it does not begin as a capture");
}

/* A record of one string, which there is once. */
static int read_string(scan *s, char **to, const unsigned char *payload, size_t length) {
  char *string = NULL;
  bool again = *to != NULL, right = decode_strings(NULL, &string, 1, payload, length);
  if (again || !right) {
    free(string);
    return wrong(s, again ? "it is there twice" : "it is no string");
  }
  *to = string;
  return 0;
}

static int read_include(scan *s, const unsigned char *payload, size_t length) {
  char *strings[2] = {NULL, NULL};
  if (!decode_strings(NULL, strings, 2, payload, length) || !capture_path_plain(strings[0])) {
    free(strings[0]);
    free(strings[1]);
    return wrong(s, "it is no file that a kernel includes");
  }
  *ARRAY_ADD(s->out->includes, s->out->include_count, s->include_capacity) = (capture_include){strings[0], strings[1]};
  return 0;
}

static int read_end(scan *s, const unsigned char *payload, size_t length) {
  if (length != RECORD_END_SIZE - RECORD_HEADER || stream_number(payload, 8) != s->commands ||
      stream_number(payload + 8, 8) != s->out->blob_count)
    return wrong(s, "the end does not say how much there is");
  if (s->follows && s->out->unsuitable == NULL) return wrong(s, "the last call has no command");
  s->ended = true;
  return stream_end(s->in, s->e);
}

static int read_blob(scan *s, uint64_t length) {
  unsigned char *bytes = NULL;
  int result =
      s->keep == SCAN_ALL ? stream_take(s->in, (size_t)length, &bytes, s->e) : stream_skip(s->in, length, s->e);
  if (result != 0) return -1;
  if (s->out->blob_count >= CAPTURE_NONE) {
    free(bytes);
    return wrong(s, "there are too many blobs");
  }
  capture_blob *b = ARRAY_ADD(s->out->blobs, s->out->blob_count, s->blob_capacity);
  *b = (capture_blob){.bytes = bytes, .size = (size_t)length};
  return 0;
}

/* ---- commands ---- */

static int read_command(scan *s, uint32_t kind, const unsigned char *payload, size_t length) {
  capture_command c;
  if (!decode(&c, kind, payload, length)) return wrong(s, "its fields are not those of its kind");
  const char *what = NULL;
  if (s->follows && c.kind != s->follows)
    what = "it is not the command of the call before it";
  else if (command_on_device(c.kind) && !s->has_device)
    what = "its device is not known";
  else
    what = check_command(s->checker, s->out, &c);
  if (what) {
    command_free(&c);
    return wrong(s, what);
  }
  s->commands++;
  s->follows = 0;
  s->has_read = c.kind == CAPTURE_READ || c.kind == CAPTURE_READ_IMAGE;
  s->read = c; /* a READ owns nothing */
  if (s->keep != SCAN_FACTS)
    *ARRAY_ADD(s->out->commands, s->out->command_count, s->command_capacity) = c;
  else
    command_free(&c);
  return 0;
}

/* ---- calls ---- */

static int read_queue(scan *s, const unsigned char *payload, size_t length) {
  const uint64_t flag = length == 4 ? stream_number(payload, 4) : 2;
  if (flag > 1) return wrong(s, "it is no queue");
  *ARRAY_ADD(s->out->queues, s->out->queue_count, s->queue_capacity) = (capture_queue){flag == 1};
  return 0;
}

static int read_call(scan *s, const unsigned char *payload, size_t length) {
  capture_call c;
  if (!decode_call(&c, payload, length)) return wrong(s, "it is no call");
  const char *what = s->follows ? "the call before it has no command" : check_call(s->checker, s->out, &c, &s->events);
  if (what) {
    call_free(&c);
    return wrong(s, what);
  }
  c.command = (size_t)s->commands;
  s->follows = capture_function_kind(c.function);
  if (s->keep != SCAN_FACTS)
    *ARRAY_ADD(s->out->calls, s->out->call_count, s->call_capacity) = c;
  else
    call_free(&c);
  return 0;
}

/* ---- expectations ---- */

static int read_expectation(scan *s, const unsigned char *payload, size_t length) {
  capture_expectation x;
  if (!decode_expectation(&x, payload, length)) return wrong(s, "it does not say what is expected");
  const char *what = check_expectation(s->checker, s->out, s->has_read ? &s->read : NULL, &x);
  s->has_read = false;
  if (what) {
    free(x.name);
    return wrong(s, what);
  }
  x.command = (size_t)s->commands - 1;
  *ARRAY_ADD(s->out->expectations, s->out->expectation_count, s->expectation_capacity) = x;
  return 0;
}

static int read_payload(scan *s, uint32_t kind, const unsigned char *payload, size_t length) {
  if ((kind == RECORD_START) == s->started) return wrong(s, "it does not begin as a capture");
  if (s->out->unsuitable && kind != RECORD_END) return wrong(s, "nothing can follow what could not be captured");
  switch (kind) {
    case RECORD_START: return read_start(s, payload, length);
    case RECORD_DEVICE: s->has_device = true; return read_string(s, &s->out->device, payload, length);
    case RECORD_UNSUITABLE: return read_string(s, &s->out->unsuitable, payload, length);
    case RECORD_INCLUDE: return read_include(s, payload, length);
    case RECORD_QUEUE: return read_queue(s, payload, length);
    case RECORD_CALL: return read_call(s, payload, length);
    case RECORD_EXPECT: return read_expectation(s, payload, length);
    case RECORD_END: return read_end(s, payload, length);
    default:
      return kind && kind < CAPTURE_KINDS ? read_command(s, kind, payload, length) : wrong(s, "its kind is unknown");
  }
}

static int read_record(scan *s) {
  unsigned char header[RECORD_HEADER], *payload = NULL;
  s->begin = stream_left(s->in);
  if (stream_bytes(s->in, header, sizeof header, s->e) != 0) return -1;
  uint32_t kind = (uint32_t)stream_number(header, 4);
  uint64_t length = stream_number(header + 4, 8);
  if (kind == RECORD_BLOB && s->started && s->out->unsuitable == NULL) return read_blob(s, length);
  if (length > PAYLOAD_MOST) return wrong(s, "it is too long");
  if (stream_take(s->in, (size_t)length, &payload, s->e) != 0) return -1;
  int result = read_payload(s, kind, payload, (size_t)length);
  free(payload);
  return result;
}

/* ---- the whole ---- */

/* A mark beside a capture as the layer writes it. */
static bool has_more(const char *path) {
  scoped char *name = mem_calloc(1, strlen(path) + sizeof CAPTURE_MORE);
  strcat(strcpy(name, path), CAPTURE_MORE);
  return access(name, F_OK) == 0;
}

static int scan_records(scan *s, scan_facts *facts) {
  uint64_t all = stream_left(s->in);
  s->out->stored_bytes = stream_stored(s->in);
  s->checker = checker_new();
  int result = 0;
  for (s->record = 0; result == 0 && !s->ended; s->record++) result = read_record(s);
  checker_free(s->checker);
  if (result != 0) return -1;
  facts->last = all - s->begin;
  facts->packed = stream_packed(s->in);
  facts->marked = s->out->unsuitable == NULL && !facts->packed && has_more(stream_path(s->in));
  if (facts->marked) s->out->unsuitable = mem_strdup(SEVERAL);
  if (s->out->device == NULL) s->out->device = mem_strdup("");
  return 0;
}

int capture_scan(const char *path, scan_keep keep, capture *out, scan_facts *facts, error *e) {
  scan s = {.keep = keep, .out = out, .e = e};
  *out = (capture){0};
  if (stream_open(&s.in, path, e) != 0) return -1;
  int result = scan_records(&s, facts);
  stream_close(s.in);
  if (result != 0) capture_free(out);
  return result;
}

int capture_read(const char *path, capture *out, error *e) {
  scan_facts facts;
  return capture_scan(path, SCAN_ALL, out, &facts, e);
}

void capture_free(capture *c) {
  for (size_t i = 0; i < c->command_count; i++) command_free(&c->commands[i]);
  for (size_t i = 0; i < c->blob_count; i++) free(c->blobs[i].bytes);
  for (size_t i = 0; i < c->call_count; i++) call_free(&c->calls[i]);
  for (size_t i = 0; i < c->expectation_count; i++) free(c->expectations[i].name);
  for (size_t i = 0; i < c->place_count; i++) free(c->places[i].text);
  free(c->places);
  free(c->expectations);
  free(c->calls);
  free(c->queues);
  for (size_t i = 0; i < c->include_count; i++) {
    free(c->includes[i].path);
    free(c->includes[i].text);
  }
  free(c->includes);
  free(c->commands);
  free(c->blobs);
  free(c->device);
  free(c->program);
  free(c->directory);
  free(c->unsuitable);
  *c = (capture){0};
}

/* Where the commands of a kernel case stand: lines of command, bytes of an element and words, in a file beside the
 * capture. */

enum { PLACES_MOST = 64 << 20 };

static char *path_of(const char *capture_path) {
  buffer path = buffer_with("%s.places", capture_path);
  return buffer_take(&path);
}

int capture_places_write(const capture *c, const char *to, error *e) {
  scoped char *path = path_of(to);
  FILE *f = fopen(path, "wbe");
  bool written = f != NULL;
  for (size_t i = 0; i < c->place_count && written; i++) {
    const capture_place *p = &c->places[i];
    written = fprintf(f, "%zu %llu %s\n", p->command, (unsigned long long)p->element, p->text) > 0;
  }
  const bool closed = f != NULL && fclose(f) == 0;
  return written && closed ? 0 : error_set(e, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
}

void capture_places_read(capture *c, const char *from) {
  scoped char *path = path_of(from);
  scoped_buffer text = {0};
  error ignored;
  const char *at = file_read(path, "places", PLACES_MOST, &text, &ignored) == 0 ? buffer_text(&text) : "";
  while (*at != '\0') {
    const size_t length = strcspn(at, "\n");
    char *words = NULL;
    const size_t command = (size_t)strtoull(at, &words, 10);
    const uint64_t element = strtoull(words, &words, 10);
    if (words < at + length) {
      *ARRAY_ADD(c->places, c->place_count, c->place_capacity) =
          (capture_place){command, element, mem_strndup(words + 1, (size_t)(at + length - words - 1))};
    }
    at += length + (at[length] == '\n' ? 1 : 0);
  }
}

void capture_results_take(const char *folder, capture_results *out) {
  scoped_buffer path = buffer_with("%s/" CAPTURE_RESULTS, folder);
  error ignored;
  capture_result head;
  *out = (capture_results){0};
  buffer all = {0};
  if (file_read(buffer_text(&path), "results", SIZE_MAX, &all, &ignored) != 0) all.length = 0;
  (void)unlink(buffer_text(&path));
  out->size = all.length;
  out->bytes = buffer_take(&all);
  for (size_t at = 0; out->size - at >= sizeof head; at += sizeof head + (size_t)head.size) {
    memcpy(&head, out->bytes + at, sizeof head);
    if (head.size > out->size - at - sizeof head || head.number > out->size) break; /* cut off */
    while (out->count <= head.number) *ARRAY_ADD(out->places, out->count, out->capacity) = SIZE_MAX;
    out->places[head.number] = at;
  }
}

const unsigned char *capture_results_find(const capture_results *r, uint64_t number, uint64_t size) {
  capture_result head;
  if (number >= r->count || r->places[number] == SIZE_MAX) return NULL;
  const unsigned char *at = (const unsigned char *)r->bytes + r->places[number];
  memcpy(&head, at, sizeof head);
  return head.size == size ? at + sizeof head : NULL;
}

void capture_results_free(capture_results *r) {
  free(r->bytes);
  free(r->places);
  *r = (capture_results){0};
}

static int compare(const void *command, const void *place) {
  const size_t wanted = *(const size_t *)command, is = ((const capture_place *)place)->command;
  return wanted < is ? -1 : wanted > is;
}

const capture_place *capture_place_of(const capture *c, size_t command) {
  return c->place_count == 0 ? NULL : bsearch(&command, c->places, c->place_count, sizeof *c->places, compare);
}
