/* The file of a capture. It appears with the first record; records are gathered and written some at a time. The end is
 * written before and with each launch, and with each read, as a process may end by a signal or _exit, when it ends by
 * itself, and whenever recording stops; what is still recorded later takes its place. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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
    case FIELD_COLOR: bytes_put(&out, at, CAPTURE_COLOR); break;
    case FIELD_PATTERN:
      bytes_u32(&out, c->u.transfer.pattern_size);
      bytes_put(&out, c->u.transfer.pattern, c->u.transfer.pattern_size);
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

/* The payload of the command's record, lent until the next call, also by file_ready; NULL without memory. */
static const unsigned char *encode(const capture_command *c, size_t *length) {
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

/* Strings as a payload of their own, after `number` if there is one. */
static const unsigned char *encode_strings(const uint32_t *number, const char *const *strings, size_t count,
                                           size_t *length) {
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

static void recording_set(bool value) { atomic_store(&on, value); }

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

/* Tries for a while; in a signal handler the lock may be this thread's own. */
static bool record_begin_at_exit(void) {
  for (int i = 0; i < TRIES_AT_EXIT; i++) {
    if (pthread_mutex_trylock(&lock) == 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
  }
  return false;
}

static void record_device(void) {
  scoped char *key = device_key(device);
  const char *strings[] = {key != NULL ? key : ""};
  size_t size = 0;
  const unsigned char *payload = file_ready() ? encode_strings(NULL, strings, 1, &size) : NULL;
  if (payload != NULL) file_record(RECORD_DEVICE, payload, size);
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

#define CAP_DEFAULT (UINT64_C(4) << 30)
#define RESERVE 4096u /* for the last records, beyond the cap */
#define REASON_MOST 256

enum { GATHERED = 1 << 18 };

static struct {
  char *path; /* NULL: no capture */
  uint64_t cap;
  int fd; /* -1: not open */
  pid_t owner;
  bool abandoned; /* by a fork: the file is the parent's */
  unsigned char *gathered;
  size_t gathered_size;
  uint64_t offset;                    /* where the gathered bytes go */
  uint64_t commands, blobs;           /* in the records so far */
  uint64_t safe_commands, safe_blobs; /* in those before `offset` */
  bool ahead;                         /* what may follow was written, and the end after that */
} file = {.fd = -1};

/* ---- bytes ---- */

static void put_number(unsigned char *to, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static bool write_at(uint64_t offset, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  while (length) {
    ssize_t written = pwrite(file.fd, at, length, (off_t)offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    offset += (uint64_t)written;
    length -= (size_t)written;
  }
  return true;
}

static void written(uint64_t bytes) {
  file.offset += bytes;
  file.safe_commands = file.commands;
  file.safe_blobs = file.blobs;
}

/* The gathered records are whole ones: the file can always be cut at `offset`. */
static bool flush(void) {
  if (!write_at(file.offset, file.gathered, file.gathered_size)) return false;
  written(file.gathered_size);
  file.gathered_size = 0;
  return true;
}

static void put_header(unsigned char *to, uint32_t kind, size_t length) {
  put_number(to, kind, 4);
  put_number(to + 4, length, 8);
}

static bool append(uint32_t kind, const void *payload, size_t length) {
  unsigned char header[RECORD_HEADER];
  put_header(header, kind, length);
  if (length > GATHERED - RECORD_HEADER - file.gathered_size && !flush()) return false;
  file.commands += kind < CAPTURE_KINDS;
  file.blobs += kind == RECORD_BLOB;
  if (length <= GATHERED - RECORD_HEADER - file.gathered_size) {
    memcpy(file.gathered + file.gathered_size, header, RECORD_HEADER);
    if (length) memcpy(file.gathered + file.gathered_size + RECORD_HEADER, payload, length);
    file.gathered_size += RECORD_HEADER + length;
    return true;
  }
  if (!write_at(file.offset, header, RECORD_HEADER) || !write_at(file.offset + RECORD_HEADER, payload, length))
    return false;
  written(RECORD_HEADER + (uint64_t)length);
  return true;
}

/* ---- the end ---- */

static bool append_reason(const char *reason) {
  unsigned char payload[4 + REASON_MOST];
  size_t length = strnlen(reason, REASON_MOST);
  put_number(payload, length, 4);
  memcpy(payload + 4, reason, length);
  return append(RECORD_UNSUITABLE, payload, 4 + length);
}

static bool write_end_at(uint64_t offset, uint64_t commands) {
  unsigned char end[RECORD_END_SIZE];
  put_header(end, RECORD_END, RECORD_END_SIZE - RECORD_HEADER);
  put_number(end + RECORD_HEADER, commands, 8);
  put_number(end + RECORD_HEADER + 8, file.blobs, 8);
  return write_at(offset, end, sizeof end);
}

static bool write_end(void) {
  bool done = flush() && write_end_at(file.offset, file.commands);
  done = done && (!file.ahead || ftruncate(file.fd, (off_t)(file.offset + RECORD_END_SIZE)) == 0);
  file.ahead = false;
  return done;
}

/* What could not be written is cut off; there is room for the reason now. */
static void write_failed(void) {
  char reason[REASON_MOST];
  recording_set(false);
  snprintf(reason, sizeof reason, "the capture could not be written: %s", strerror(errno));
  file.gathered_size = 0;
  file.commands = file.safe_commands;
  file.blobs = file.safe_blobs;
  if (ftruncate(file.fd, (off_t)file.offset) == 0 && append_reason(reason)) write_end();
}

void file_finish(void) {
  if (!recording() || !record_begin_at_exit()) return;
  if (file.fd >= 0 && file.owner == getpid()) {
    if (storage_unseen())
      own_memory_missed();
    else if (!write_end())
      write_failed();
  }
  record_end();
}

/* Handlers run in the reverse order: those of the driver, and what a program registered before it used OpenCL, come
 * after this one. What they still record is ended when the library goes. */
__attribute__((destructor)) static void unloaded(void) { file_finish(); }

static void exit_registered(void) { atexit(file_finish); }

/* ---- the beginning ---- */

static uint64_t cap_of_environment(void) {
  const char *text = getenv(ENV_CAPTURE_CAP);
  char *end = NULL;
  errno = 0;
  uint64_t cap = text != NULL ? strtoull(text, &end, 10) : 0;
  if (text == NULL || end == text || *end || errno) cap = CAP_DEFAULT;
  struct rlimit limit; /* a write beyond it would end the process */
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < cap + RESERVE)
    cap = limit.rlim_cur > RESERVE ? limit.rlim_cur - RESERVE : 0;
  return cap;
}

/* The path as it is from anywhere: the program may change its directory before the file is made. Free it. */
static char *absolute(const char *path) {
  char *directory = path[0] == '/' ? NULL : getcwd(NULL, 0), *result = NULL;
  if (path[0] == '/') return strdup(path);
  if (directory != NULL && asprintf(&result, "%s/%s", directory, path) < 0) result = NULL;
  free(directory);
  return result;
}

void file_start(void) {
  const char *path = getenv(ENV_CAPTURE);
  if (path == NULL || !path[0]) return;
  file.cap = cap_of_environment();
  file.gathered = malloc(GATHERED);
  file.path = file.gathered != NULL ? absolute(path) : NULL;
  recording_set(file.path != NULL);
}

/* Another process has written, or writes, the file: a mark beside it says that the capture is not all. */
static void mark_more(void) {
  char name[PATH_MAX + sizeof CAPTURE_MORE];
  recording_set(false);
  snprintf(name, sizeof name, "%s%s", file.path, CAPTURE_MORE);
  int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
}

/* The arguments of the process, separated by spaces; free it. */
static char *command_line(void) {
  enum { MOST = 1 << 16 };
  char *line = calloc(1, MOST);
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t length = line != NULL && fd >= 0 ? read(fd, line, MOST - 1) : 0;
  for (ssize_t i = 0; i + 1 < length; i++)
    if (!line[i]) line[i] = ' ';
  if (fd >= 0) close(fd);
  return line;
}

static bool write_start(void) {
  static const uint32_t version = CAPTURE_VERSION;
  char *line = command_line(), *directory = getcwd(NULL, 0);
  const char *strings[] = {line != NULL ? line : "", directory != NULL ? directory : ""};
  size_t length = 0;
  const unsigned char *payload = encode_strings(&version, strings, 2, &length);
  bool done = payload != NULL && write_at(0, CAPTURE_MAGIC_RAW, CAPTURE_MAGIC_SIZE);
  if (done) {
    written(CAPTURE_MAGIC_SIZE);
    done = append(RECORD_START, payload, length) && flush();
  }
  free(line);
  free(directory);
  return done;
}

bool file_ready(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!recording() || file.fd >= 0) return recording();
  file.fd = file.abandoned ? -1 : open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file.fd < 0) {
    if (file.abandoned || errno == EEXIST) mark_more();
    recording_set(false);
    return false;
  }
  file.owner = getpid();
  pthread_once(&once, exit_registered);
  if (write_start()) return true;
  write_failed();
  return false;
}

/* What a process that ends without a word must leave behind: what it did to the device, and what it saw of it. */
static bool must_stay(uint32_t kind) {
  return kind == CAPTURE_LAUNCH || kind == CAPTURE_READ || kind == CAPTURE_READ_RECT || kind == CAPTURE_READ_IMAGE;
}

void file_record(uint32_t kind, const void *payload, size_t length) {
  if (!file_ready()) return;
  uint64_t size = file.offset + file.gathered_size + RECORD_HEADER + (uint64_t)length;
  if (size > file.cap)
    unsuitable("the capture would be larger than %llu bytes", (unsigned long long)file.cap);
  else if (!append(kind, payload, length) || (must_stay(kind) && !write_end()))
    write_failed();
}

void file_record_ahead(uint32_t kind, const void *payload, size_t length) {
  unsigned char header[RECORD_HEADER];
  if (!file_ready() || file.offset + file.gathered_size + RECORD_HEADER + (uint64_t)length > file.cap) return;
  put_header(header, kind, length);
  file.ahead = true;
  if (!(flush() && write_at(file.offset, header, sizeof header) &&
        write_at(file.offset + sizeof header, payload, length) &&
        write_end_at(file.offset + sizeof header + length, file.commands + 1)))
    write_failed();
}

void file_not_ahead(void) {
  if (file.ahead && file_ready() && !write_end()) write_failed();
}

bool file_is_for_order(void) {
  static int known = -1;
  if (known < 0) {
    const char *text = getenv(ENV_CAPTURE_ORDER);
    known = text != NULL && strcmp(text, "1") == 0;
  }
  return known > 0;
}

void unsuitable(const char *format, ...) {
  char reason[REASON_MOST];
  va_list list;
  if (!file_ready()) return;
  va_start(list, format);
  vsnprintf(reason, sizeof reason, format, list);
  va_end(list);
  recording_set(false);
  if (!(append_reason(reason) && write_end())) write_failed();
}

void file_after_fork(void) {
  if (file.fd < 0) return;
  close(file.fd);
  file.fd = -1;
  file.abandoned = true;
  file.gathered_size = 0;
}
