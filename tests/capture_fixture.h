/* Captures written byte by byte, as docs/formats/capture.md has them, and files of bytes. */
#ifndef CLTC_TESTS_CAPTURE_FIXTURE_H
#define CLTC_TESTS_CAPTURE_FIXTURE_H

#include <stdint.h>

#include "base/buffer.h"
#include "capture/capture.h"

/* Names of format.h, written down again. */
enum { START = 100, DEVICE, BLOB, UNSUITABLE, END, INCLUDE, QUEUE, CALL };

#define NONE UINT32_MAX

typedef struct raw {
  buffer bytes;
  size_t length_at; /* of the record that is being written */
  uint64_t commands, blobs;
} raw;

void raw_u32(raw *r, uint32_t value);
void raw_u64(raw *r, uint64_t value);
void raw_three(raw *r, uint64_t a, uint64_t b, uint64_t c);
void raw_string(raw *r, const char *s);
void raw_bytes(raw *r, const void *bytes, size_t size);

/* A record: its payload comes between the two. */
void raw_begin(raw *r, uint32_t kind);
void raw_end(raw *r);

/* Magic and START (of a program in this directory); "device"; a blob of `size` bytes of this value; the end. */
void raw_start(raw *r);
void raw_start_in(raw *r, const char *directory);
void raw_device(raw *r);
void raw_blob(raw *r, unsigned char value, size_t size);
void raw_finish(raw *r);
/* A command of u32s, or of u32s and then u64s. */
void raw_numbers(raw *r, uint32_t kind, size_t count, const uint32_t *numbers);
void raw_mixed(raw *r, uint32_t kind, size_t count, const uint32_t *numbers, size_t wide_count, const uint64_t *wide);

/* A call: the numbers before `flags`, those behind, and events. */
void raw_call(raw *r, const uint32_t numbers[6], const uint64_t wide[3], uint32_t count, const uint32_t *events);

/* START, DEVICE, blob 0 of 16 and blob 1 of 64 bytes, and
 *   memory 0: a buffer of 64 bytes; 1: another one, with blob 1; 2: a sub-buffer of 0, bytes 16 to 48;
 *     3: a 2D image of 2 x 2 elements of 4 bytes, with blob 0; 4: a 1D image of 16 such elements made of 1; 5: released
 *     6: a 2D image of 2 x 2 elements of 16 bytes
 *   sampler 0, program 0, kernel 0, kernel 1: a clone of it, kernel 2: released. */
void raw_world(raw *r);
/* All of that, and every other kind of record once, to the end; two queues, and calls: a user event, a read in queue 1 that
 * waits for it and gives event 1 (its command is the first of the reads), a mapping of bytes 8 to 24 of memory 0. */
void raw_everything(raw *r);

/* A folder of the test's own with the names of two files in it, for a group of tests; cmocka's set-up and tear-down. */
extern char capture_file[64], capture_packed[64], capture_folder[32];
int capture_set_up(void **state);
int capture_tear_down(void **state);
/* The capture in capture_file. */
void capture_put(const raw *r);

/* The bytes in a file. */
void file_put(const char *path, const void *bytes, size_t size);
/* A packed capture of the raw one's stream, as it is. */
void file_put_packed(const char *path, const raw *r);

#endif
