/* Whether two runs did the same to the device. */
#include <stdlib.h>
#include <string.h>

#include "capture/capture_internal.h"

enum { DIGEST_SIZE = 20, PART = 1 << 16 };

typedef struct record {
  uint64_t kind, length;
} record;

static bool next_record(stream *s, record *out) {
  unsigned char header[RECORD_HEADER];
  error ignored;
  if (stream_bytes(s, header, sizeof header, &ignored) != 0) {
    return false;
  }
  *out = (record){stream_number(header, 4), stream_number(header + 4, 8)};
  return true;
}

/* Of calls only their commands count: how often a program asks whether one is complete depends on time. */
static bool next(stream *s, record *out) {
  error ignored;
  bool there = next_record(s, out);
  while (there && (out->kind == RECORD_CALL || out->kind == RECORD_QUEUE)) {
    there = stream_skip(s, out->length, &ignored) == 0 && next_record(s, out);
  }
  return there;
}

static bool same_bytes(stream *a, stream *b, uint64_t size) {
  unsigned char first[PART], second[PART];
  error ignored;
  while (size) {
    size_t part = size < PART ? (size_t)size : PART;
    if (stream_bytes(a, first, part, &ignored) != 0 || stream_bytes(b, second, part, &ignored) != 0 ||
        memcmp(first, second, part) != 0) {
      return false;
    }
    size -= part;
  }
  return true;
}

/* What was read may differ: a digest at the end of the record. */
static bool same_record(stream *a, stream *b, const record *r) {
  const bool reads = r->kind == CAPTURE_READ || r->kind == CAPTURE_READ_RECT || r->kind == CAPTURE_READ_IMAGE;
  const uint64_t digest = reads && r->length >= DIGEST_SIZE ? DIGEST_SIZE : 0;
  error ignored;
  return same_bytes(a, b, r->length - digest) && stream_skip(a, digest, &ignored) == 0 &&
         stream_skip(b, digest, &ignored) == 0;
}

static bool same_streams(stream *a, stream *b) {
  record first = {0}, second = {0};
  while (first.kind != RECORD_END) {
    if (!next(a, &first) || !next(b, &second) || first.kind != second.kind || first.length != second.length ||
        first.kind == RECORD_UNSUITABLE || !same_record(a, b, &first)) {
      return false;
    }
  }
  return true;
}

bool capture_same_work(const char *one, const char *other) {
  stream *a = NULL, *b = NULL;
  error ignored;
  const bool same = stream_open(&a, one, &ignored) == 0 && stream_open(&b, other, &ignored) == 0 && same_streams(a, b);
  stream_close(a);
  stream_close(b);
  return same;
}
