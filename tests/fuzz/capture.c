/* Captures with random changes: whatever is in a file, capture_read takes or refuses it, and what it takes is packed
 * and read again. By hand: fuzz_capture SEED SECONDS CAPTURE…, not packed, besides one that has every record. With
 * -DFUZZER it is one for libFuzzer. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "base/memory.h"
#include "random.h"
#include "tests/fixtures/capture_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory, and its name. */
typedef struct place {
  int fd;
  char path[64];
} place;

static place make_place(void) {
  place p = {.fd = memfd_create("capture", 0)};
  if (p.fd < 0) abort();
  snprintf(p.path, sizeof p.path, "/proc/self/fd/%d", p.fd);
  return p;
}

static void put(const place *p, const void *bytes, size_t size) {
  if (ftruncate(p->fd, 0) != 0 || pwrite(p->fd, bytes, size, 0) != (ssize_t)size) abort();
}

/* Reads all that a capture points at. */
static uint64_t walk(const capture *c) {
  uint64_t sum = c->stored_bytes + strlen(c->device) + strlen(c->program) + strlen(c->directory);
  for (size_t i = 0; i < c->blob_count; i++)
    for (size_t b = 0; b < c->blobs[i].size; b++) sum += c->blobs[i].bytes[b];
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *k = &c->commands[i];
    sum += (uint64_t)k->kind;
    if (k->kind == CAPTURE_ARGUMENT && k->u.argument.kind == CAPTURE_VALUE)
      sum += k->u.argument.bytes[k->u.argument.size - 1];
    for (size_t s = 0; k->kind == CAPTURE_PROGRAM && s < k->u.program.source_count; s++)
      sum += strlen(k->u.program.sources[s].text);
  }
  return sum;
}

static char packed_path[] = "/tmp/capture_fuzz_XXXXXX";

/* What was taken is the same when it was packed. */
static void pack(const capture *c, const place *from) {
  capture again;
  error e;
  if (capture_pack(from->path, packed_path, &e) != 0 || capture_read(packed_path, &again, &e) != 0) {
    fprintf(stderr, "packed: %s\n", e.text);
    abort();
  }
  if (walk(c) - c->stored_bytes != walk(&again) - again.stored_bytes) abort();
  capture_free(&again);
}

static bool took(const place *p, bool packed) {
  capture c;
  error e = {0};
  if (capture_read(p->path, &c, &e) != 0) {
    if (e.code != EXIT_USAGE || !e.text[0] || strlen(e.text) + 1 >= sizeof e.text) abort();
    return false;
  }
  walk(&c);
  if (packed) pack(&c, p);
  capture_free(&c);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static place p = {.fd = -1};
  if (p.fd < 0) p = make_place();
  put(&p, data, size);
  took(&p, false);
  return 0;
}

#ifndef FUZZER

static random_state numbers;

static uint64_t next(void) { return random_next(&numbers); }

static size_t below(size_t n) { return fuzz_below(&numbers, n); }

static const uint64_t interesting[] = {0,
                                       1,
                                       2,
                                       3,
                                       4,
                                       8,
                                       16,
                                       64,
                                       127,
                                       128,
                                       255,
                                       4095,
                                       4096,
                                       65535,
                                       INT32_MAX,
                                       UINT32_MAX,
                                       UINT64_C(1) << 32,
                                       UINT64_C(1) << 40,
                                       UINT64_C(1) << 62,
                                       INT64_MAX,
                                       UINT64_MAX};

/* One random change. */
static void change(buffer *b) {
  size_t at = below(b->length), left = b->length - at;
  uint64_t number = interesting[below(sizeof interesting / sizeof *interesting)];
  size_t length = below(2) ? 4 : 8, part = below(left < 40 ? left : 40);
  switch (below(6)) {
    case 0: b->data[at] = (char)next(); break;
    case 1: b->data[at] = (char)(b->data[at] ^ (1 << below(8))); break;
    case 2:
      for (size_t i = 0; i < length && i < left; i++) b->data[at + i] = (char)(number >> (8 * i));
      break;
    case 3: /* some bytes go */
      memmove(b->data + at, b->data + at + part, left - part);
      b->length -= part;
      break;
    case 4: /* some are put in */
      for (size_t i = 0; i < part; i++) buffer_putc(b, 0);
      memmove(b->data + at + part, b->data + at, left);
      break;
    default: /* some are those of another place */
      memmove(b->data + at, b->data + below(b->length - part), part);
      break;
  }
}

/* The places of records in the stream, so that whole ones are changed, too. */
static size_t records_of(const raw *r, size_t *places, size_t most) {
  size_t count = 0;
  for (size_t at = 8; at + 12 <= r->bytes.length && count < most; count++) {
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)r->bytes.data[at + 4 + (size_t)i];
    places[count] = at;
    if (length > r->bytes.length - at - 12) /* a length that was changed */
      return count + 1;
    at += 12 + length;
  }
  return count;
}

/* A record is left out, or there twice, or in another place; the end still says the right numbers sometimes. */
static void shuffle(buffer *b, const raw *r) {
  size_t places[128], count = records_of(r, places, 128);
  size_t from = below(count - 1), to = below(count - 1);
  size_t size = places[from + 1] - places[from];
  bool leave = below(2), put_in = below(2);
  buffer_append(b, r->bytes.data, 8);
  for (size_t i = 0; i < count; i++) {
    size_t end = i + 1 < count ? places[i + 1] : r->bytes.length;
    if (i == to && put_in) buffer_append(b, r->bytes.data + places[from], size);
    if (i != from || !leave) buffer_append(b, r->bytes.data + places[i], end - places[i]);
  }
}

/* Lets the end say how many commands and blobs there are, so that what else was changed is looked at. */
static void correct_end(buffer *b) {
  raw r = {.bytes = *b};
  size_t places[256], count = records_of(&r, places, 256);
  uint64_t commands = 0, blobs = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned kind = (unsigned char)b->data[places[i]];
    commands += kind < START;
    blobs += kind == BLOB;
    if (kind == END && places[i] + 28 <= b->length)
      for (size_t byte = 0; byte < 8; byte++) {
        b->data[places[i] + 12 + byte] = (char)(commands >> (8 * byte));
        b->data[places[i] + 20 + byte] = (char)(blobs >> (8 * byte));
      }
  }
}

/* A changed stream, raw or in a frame that is right, and sometimes a changed frame. */
static bool one(const place *p, const raw *r) {
  raw changed = {0};
  bool packed = below(4) == 0, result;
  if (below(3) == 0)
    shuffle(&changed.bytes, r);
  else
    buffer_append(&changed.bytes, r->bytes.data, r->bytes.length);
  for (size_t n = below(4); n > 0; n--) change(&changed.bytes);
  if (below(2)) correct_end(&changed.bytes);
  if (packed && changed.bytes.length > 8) {
    size_t bound = ZSTD_compressBound(changed.bytes.length);
    char *frame = mem_calloc(1, bound + 8);
    memcpy(frame, "CLTCCAPz", 8);
    size_t size = ZSTD_compress(frame + 8, bound, changed.bytes.data + 8, changed.bytes.length - 8, 1);
    if (below(3) == 0) frame[8 + below(size)] = (char)next();
    put(p, frame, size + 8);
    free(frame);
  } else {
    put(p, changed.bytes.data, changed.bytes.length);
  }
  result = took(p, below(8) == 0);
  buffer_free(&changed.bytes);
  return result;
}

/* What a program did, as the layer wrote it down. */
static void read_capture(const char *path, buffer *out) {
  char part[4096];
  size_t n = 0;
  FILE *f = fopen(path, "rb");
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) buffer_append(out, part, n);
  if (f == NULL || out->length < 64 || memcmp(out->data, "CLTCCAPz", 8) == 0) {
    fprintf(stderr, "%s is no capture as it was written\n", path);
    exit(2);
  }
  fclose(f);
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const time_t end = time(NULL) + (argc > 2 ? (time_t)strtoul(argv[2], NULL, 10) : 10);
  const size_t all = argc > 3 ? (size_t)argc - 2 : 1;
  size_t count = 0, taken = 0;
  place p = make_place();
  raw *r = mem_calloc(all, sizeof *r);
  int fd = mkstemp(packed_path);
  if (fd < 0) abort();
  close(fd);
  raw_everything(&r[0]);
  for (size_t i = 1; i < all; i++) read_capture(argv[i + 2], &r[i].bytes);
  for (; time(NULL) < end; count++) {
    numbers.at = seed * 1000003 + count;
    taken += one(&p, &r[below(3) == 0 ? 0 : below(all)]);
  }
  printf("seed %" PRIu64 ": %zu captures, %zu of them taken\n", seed, count, taken);
  for (size_t i = 0; i < all; i++) buffer_free(&r[i].bytes);
  free(r);
  unlink(packed_path);
  return 0;
}

#endif
