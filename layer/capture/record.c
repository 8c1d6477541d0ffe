/* Commands of the capture, one after another, the lock that keeps their order, and the payloads of records: the fields
 * that capture_format.h lists, little-endian, in memory that is used again and again. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "layer/capture/layer.h"

/* ---- blobs: bytes that went to the device, recorded once however often they go; equal digests are equal bytes ---- */

typedef struct blob {
  uint64_t low, high, size;
  uint32_t number;
  bool used;
} blob;

static blob *table;
static size_t capacity; /* a power of two, or 0 */
static uint32_t blob_count;

static blob *locate(blob *in, size_t size, const blob *wanted) {
  size_t at = (size_t)wanted->low & (size - 1);
  while (in[at].used && (in[at].low != wanted->low || in[at].high != wanted->high || in[at].size != wanted->size))
    at = (at + 1) & (size - 1);
  return &in[at];
}

static bool grow(void) {
  size_t larger = capacity ? 2 * capacity : 1024;
  blob *fresh = calloc(larger, sizeof *fresh);
  if (fresh == NULL) return false;
  for (size_t i = 0; i < capacity; i++)
    if (table[i].used) *locate(fresh, larger, &table[i]) = table[i];
  free(table);
  table = fresh;
  capacity = larger;
  return true;
}

uint32_t blob_of_bytes(const void *bytes, size_t size) {
  bytes_digest digest = digest_of(bytes, size);
  blob wanted = {.low = digest.low, .high = digest.high, .size = size, .number = blob_count, .used = true};
  if (blob_count >= capacity / 2 && !grow()) {
    unsuitable("the capture ran out of memory");
    return CAPTURE_NONE;
  }
  blob *found = locate(table, capacity, &wanted);
  if (found->used) return found->number;
  file_record(RECORD_BLOB, bytes, size);
  if (!recording()) return CAPTURE_NONE;
  *found = wanted;
  return blob_count++;
}

uint32_t blob_of(const area *a) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  uint32_t number = CAPTURE_NONE;
  if (bytes != NULL)
    number = blob_of_bytes(bytes, area_size(a));
  else
    unsuitable("the capture ran out of memory");
  free(owned);
  return number;
}

void area_digest(const area *a, capture_command *c) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  c->known = bytes != NULL;
  if (bytes != NULL) {
    bytes_digest digest = digest_of(bytes, area_size(a));
    c->low = digest.low;
    c->high = digest.high;
  }
  free(owned);
}

/* ---- payloads ---- */

static byte_buffer out;

static void put_sources(const capture_command *c) {
  bytes_u32(&out, (uint32_t)c->u.program.source_count);
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    const capture_source *s = &c->u.program.sources[i];
    bytes_string(&out, s->text);
    bytes_string(&out, s->options);
    bytes_u32(&out, (uint32_t)s->header_count);
    for (size_t h = 0; h < s->header_count; h++) {
      bytes_string(&out, s->headers[h].name);
      bytes_string(&out, s->headers[h].text);
    }
  }
}

static void put_field(const capture_command *c, const capture_field *f) {
  const unsigned char *at = (const unsigned char *)c + f->offset;
  uint32_t number;
  uint64_t numbers[3];
  bool flag;
  const char *string;
  switch (f->type) {
    case FIELD_U32:
      memcpy(&number, at, sizeof number);
      bytes_u32(&out, number);
      break;
    case FIELD_U64:
      memcpy(numbers, at, sizeof *numbers);
      bytes_u64(&out, numbers[0]);
      break;
    case FIELD_FLAG:
      memcpy(&flag, at, sizeof flag);
      bytes_u32(&out, flag);
      break;
    case FIELD_THREE:
      memcpy(numbers, at, sizeof numbers);
      for (int i = 0; i < 3; i++) bytes_u64(&out, numbers[i]);
      break;
    case FIELD_STRING:
      memcpy(&string, at, sizeof string);
      bytes_string(&out, string);
      break;
    case FIELD_COLOR: bytes_put(&out, at, sizeof c->u.area.color); break;
    case FIELD_PATTERN:
      bytes_u32(&out, c->u.bytes.pattern_size);
      bytes_put(&out, c->u.bytes.pattern, c->u.bytes.pattern_size);
      break;
    case FIELD_VALUE:
      if (c->u.argument.kind == CAPTURE_VALUE) bytes_put(&out, c->u.argument.bytes, (size_t)c->u.argument.size);
      break;
    case FIELD_SOURCES: put_sources(c); break;
    case FIELD_DIGEST:
      bytes_u32(&out, c->known);
      bytes_u64(&out, c->low);
      bytes_u64(&out, c->high);
      break;
    case FIELD_NONE: break;
  }
}

static const unsigned char *taken(size_t *length) {
  *length = out.length;
  return out.failed ? NULL : out.data;
}

const unsigned char *encode(const capture_command *c, size_t *length) {
  bytes_clear(&out);
  for (const capture_field *f = capture_fields[c->kind]; f->type != FIELD_NONE; f++) put_field(c, f);
  return taken(length);
}

const unsigned char *encode_call(const capture_call *c, size_t *length) {
  bytes_clear(&out);
  bytes_u32(&out, (uint32_t)c->function);
  bytes_u32(&out, c->thread);
  bytes_u32(&out, c->queue);
  bytes_u32(&out, c->blocking);
  bytes_u32(&out, c->event);
  bytes_u32(&out, c->memory);
  bytes_u64(&out, c->flags);
  bytes_u64(&out, c->offset);
  bytes_u64(&out, c->size);
  bytes_u32(&out, (uint32_t)c->wait_count);
  for (size_t i = 0; i < c->wait_count; i++) bytes_u32(&out, c->waits[i]);
  bytes_string(&out, c->module);
  bytes_u64(&out, c->place);
  return taken(length);
}

const unsigned char *encode_strings(const uint32_t *number, const char *const *strings, size_t count, size_t *length) {
  bytes_clear(&out);
  if (number != NULL) bytes_u32(&out, *number);
  for (size_t i = 0; i < count; i++) bytes_string(&out, strings[i]);
  return taken(length);
}

/* ---- commands ---- */

#define TRIES_AT_EXIT 1000
#define TRY_NS 1000000 /* between two */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static cl_device_id device; /* of all commands; NULL: there was none yet */

bool recording(void) { return atomic_load(&on); }

void recording_set(bool value) { atomic_store(&on, value); }

bool record_begin(void) {
  if (!recording()) return false;
  pthread_mutex_lock(&lock);
  if (recording()) return true;
  pthread_mutex_unlock(&lock);
  return false;
}

void record_end(void) { pthread_mutex_unlock(&lock); }

void record_release(object_kind kind, void *handle) {
  if (record_begin()) {
    free(object_release(kind, handle));
    record_end();
  }
}

void record_end_blocking(cl_command_queue queue, bool blocking) {
  if (blocking && queue_in_order(queue)) own_memory_finished(queue);
  record_end();
}

bool record_begin_at_exit(void) {
  for (int i = 0; i < TRIES_AT_EXIT; i++) {
    if (pthread_mutex_trylock(&lock) == 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
  }
  return false;
}

static void record_device(void) {
  char *key = device_key(device);
  const char *strings[] = {key != NULL ? key : ""};
  size_t size = 0;
  const unsigned char *payload = file_ready() ? encode_strings(NULL, strings, 1, &size) : NULL;
  if (payload != NULL) file_record(RECORD_DEVICE, payload, size);
  free(key);
}

/* With the lock. Whether all commands, with one in the queue, go to one device. */
static bool is_of_device(cl_command_queue queue) {
  cl_device_id its = queue_device(queue);
  if (device == NULL && its != NULL) {
    device = its;
    record_device();
  }
  return its == device;
}

bool record_begin_command(cl_command_queue queue) {
  if (!record_begin()) return false;
  if (!is_of_device(queue) && !file_is_for_order()) unsuitable("commands went to more than one device");
  return true;
}

bool record_begin_ahead(cl_command_queue queue) {
  const bool begun = record_begin(), can = begun && is_of_device(queue) && device != NULL;
  if (begun && !can) record_end();
  return can;
}

bool record_begin_call(const host_call *call) {
  if (!record_begin_command(call->queue)) return false;
  order_record(call);
  return true;
}

void record(const capture_command *c) {
  size_t length = 0;
  if (!file_ready()) return;
  const unsigned char *payload = encode(c, &length);
  if (payload != NULL)
    file_record(c->kind, payload, length);
  else
    unsuitable("the capture ran out of memory");
}

void record_ahead(const capture_command *c) {
  size_t length = 0;
  const unsigned char *payload = file_ready() ? encode(c, &length) : NULL;
  if (payload != NULL) file_record_ahead(c->kind, payload, length);
}

void refuse(const char *reason) {
  if (!record_begin()) return;
  unsuitable("%s", reason);
  record_end();
}

void record_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  device = NULL;
  free(table);
  table = NULL;
  capacity = 0;
  blob_count = 0;
}
