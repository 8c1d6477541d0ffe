/* The stream of records in a file, as it is or in one zstd frame. Whatever the file says of sizes, no more memory is
 * taken than bytes have come. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/files.h"
#include "base/memory.h"
#include "capture/capture_internal.h"

#define STREAM_MOST (UINT64_C(64) << 30) /* bytes; of larger ones nothing is read */

#define STEP ((size_t)1 << 20) /* how much memory is taken before the first byte has come */
#define WINDOW_LOG 23          /* the most that a frame may ask for: 8 MiB */

enum { BUFFER = 1 << 16 };

struct stream {
  char *path;
  int fd;
  bool packed;
  uint64_t stored, left;
  ZSTD_DStream *frame;
  bool frame_ended;
  size_t at, filled; /* of the buffer */
  unsigned char buffer[BUFFER];
};

const char *stream_path(const stream *s) { return s->path; }
bool stream_packed(const stream *s) { return s->packed; }
uint64_t stream_stored(const stream *s) { return s->stored; }
uint64_t stream_left(const stream *s) { return s->left; }

/* ---- what is said ---- */

int stream_damaged(const stream *s, error *e, const char *format, ...) {
  char what[512];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return error_set(e, EXIT_USAGE, "the capture %s is damaged (%s); capture the program again", s->path, what);
}

static int cut_off(const stream *s, error *e) {
  return error_set(e, EXIT_USAGE,
                   "the capture %s is cut off: the program was killed, or ended without exit(); capture it again",
                   s->path);
}

static int unreadable(const char *path, error *e) {
  return error_set(e, EXIT_USAGE, "cannot read the capture %s: %s", path, strerror(errno));
}

static int foreign(const char *path, error *e) {
  return error_set(e, EXIT_USAGE, "%s is no capture of a program; give a file that cltestcheck has captured", path);
}

/* ---- the file ---- */

/* More of the file, if the buffer is empty. 0: there is none, or -1 with `e` set. */
static int fill(stream *s, error *e) {
  ssize_t got;
  if (s->at < s->filled) return 1;
  do {
    got = read(s->fd, s->buffer, BUFFER);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return unreadable(s->path, e);
  s->at = 0;
  s->filled = (size_t)got;
  return got > 0;
}

static int raw_bytes(stream *s, unsigned char *to, size_t size, error *e) {
  while (size) {
    int more = fill(s, e);
    if (more <= 0) return more < 0 ? -1 : cut_off(s, e);
    size_t part = s->filled - s->at < size ? s->filled - s->at : size;
    memcpy(to, s->buffer + s->at, part);
    s->at += part;
    to += part;
    size -= part;
  }
  return 0;
}

/* ---- the frame ---- */

/* Some bytes of the frame, into `out`. */
static int unpack(stream *s, ZSTD_outBuffer *out, error *e) {
  int more = fill(s, e);
  if (more < 0) return -1;
  ZSTD_inBuffer in = {s->buffer + s->at, s->filled - s->at, 0};
  size_t before = out->pos, result = ZSTD_decompressStream(s->frame, out, &in);
  s->at += in.pos;
  if (ZSTD_isError(result)) return stream_damaged(s, e, "%s", ZSTD_getErrorName(result));
  s->frame_ended = result == 0;
  if (!more && !s->frame_ended && out->pos == before) return cut_off(s, e);
  return 0;
}

static int packed_bytes(stream *s, unsigned char *to, size_t size, error *e) {
  ZSTD_outBuffer out = {to, size, 0};
  while (out.pos < size) {
    if (s->frame_ended) return stream_damaged(s, e, "its frame ends too early");
    if (unpack(s, &out, e) != 0) return -1;
  }
  return 0;
}

/* The first bytes of the file say how many bytes the frame holds. */
static int open_frame(stream *s, error *e) {
  int more = fill(s, e);
  if (more < 0) return -1;
  unsigned long long size = ZSTD_getFrameContentSize(s->buffer + s->at, s->filled - s->at);
  if (size == ZSTD_CONTENTSIZE_ERROR && s->filled - s->at < 18) return cut_off(s, e);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return stream_damaged(s, e, "its frame does not say how large it is");
  s->left = size;
  s->frame = ZSTD_createDStream();
  if (s->frame == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(s->frame, ZSTD_d_windowLogMax, WINDOW_LOG)))
    return error_set(e, EXIT_INTERNAL, "there is not enough memory to read the capture %s", s->path);
  return 0;
}

/* ---- the stream ---- */

static int open_magic(stream *s, error *e) {
  unsigned char magic[CAPTURE_MAGIC_SIZE];
  struct stat facts;
  if (fstat(s->fd, &facts) != 0) return unreadable(s->path, e);
  if (!S_ISREG(facts.st_mode) || facts.st_size < CAPTURE_MAGIC_SIZE) return foreign(s->path, e);
  s->stored = (uint64_t)facts.st_size;
  s->left = s->stored - CAPTURE_MAGIC_SIZE;
  if (raw_bytes(s, magic, sizeof magic, e) != 0) return -1;
  s->packed = memcmp(magic, CAPTURE_MAGIC_PACKED, sizeof magic) == 0;
  if (!s->packed && memcmp(magic, CAPTURE_MAGIC_RAW, sizeof magic) != 0) return foreign(s->path, e);
  if (s->packed && open_frame(s, e) != 0) return -1;
  if (s->left > STREAM_MOST)
    return stream_damaged(s, e, "it says that it holds %llu bytes, more than any does", (unsigned long long)s->left);
  return 0;
}

int stream_open(stream **out, const char *path, error *e) {
  if (pipe_refuse(path, e) != 0) return -1;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return unreadable(path, e);
  stream *s = mem_calloc(1, sizeof *s);
  s->path = mem_strdup(path);
  s->fd = fd;
  *out = s;
  if (open_magic(s, e) == 0) return 0;
  stream_close(s);
  *out = NULL;
  return -1;
}

void stream_close(stream *s) {
  if (s == NULL) return;
  ZSTD_freeDStream(s->frame);
  close(s->fd);
  free(s->path);
  free(s);
}

int stream_bytes(stream *s, void *to, size_t size, error *e) {
  if (size > s->left) return cut_off(s, e);
  s->left -= size;
  return s->packed ? packed_bytes(s, to, size, e) : raw_bytes(s, to, size, e);
}

int stream_take(stream *s, size_t size, unsigned char **out, error *e) {
  size_t room = 0;
  unsigned char *bytes = NULL;
  *out = NULL;
  if (size > s->left) return cut_off(s, e);
  for (size_t have = 0; have < size || !bytes;) {
    size_t wanted = room ? 2 * room : STEP;
    unsigned char *grown = realloc(bytes, wanted < size ? wanted : size + 1);
    if (grown == NULL) {
      free(bytes);
      return error_set(e, EXIT_INTERNAL, "there is not enough memory to read the capture %s", s->path);
    }
    bytes = grown;
    room = wanted < size ? wanted : size;
    if (stream_bytes(s, bytes + have, room - have, e) != 0) {
      free(bytes);
      return -1;
    }
    have = room;
  }
  *out = bytes;
  return 0;
}

int stream_skip(stream *s, uint64_t size, error *e) {
  unsigned char some[BUFFER];
  if (size > s->left) return cut_off(s, e);
  while (size) {
    size_t part = size < sizeof some ? (size_t)size : sizeof some;
    if (stream_bytes(s, some, part, e) != 0) return -1;
    size -= part;
  }
  return 0;
}

int stream_end(stream *s, error *e) {
  ZSTD_outBuffer nothing = {NULL, 0, 0};
  if (s->left) return stream_damaged(s, e, "something follows its end");
  while (s->packed && !s->frame_ended)
    if (unpack(s, &nothing, e) != 0) return -1;
  int more = fill(s, e);
  return more <= 0 ? more : stream_damaged(s, e, "something follows its end");
}

uint64_t stream_number(const unsigned char *bytes, size_t size) {
  uint64_t value = 0;
  while (size-- > 0) value = value << 8 | bytes[size];
  return value;
}
