/* Captures: every kind of record, raw and packed; everything that is wrong with a file is said in one sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <CL/cl.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fixtures/capture_fixture.h"

static capture read_right(const char *path) {
  capture c;
  error e = {0};
  if (capture_read(path, &c, &e) != 0) fail_msg("%s", e.text);
  return c;
}

/* ---- all that there is ---- */

static void check_three(const uint64_t n[3], uint64_t a, uint64_t b, uint64_t c) {
  assert_int_equal(n[0], a);
  assert_int_equal(n[1], b);
  assert_int_equal(n[2], c);
}

static const capture_command *next(const capture *c, size_t *at, capture_kind kind) {
  assert_true(*at < c->command_count);
  assert_int_equal(c->commands[*at].kind, kind);
  return &c->commands[(*at)++];
}

static void check_memory(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_BUFFER);
  assert_int_equal(k->u.buffer.flags, CL_MEM_READ_WRITE);
  assert_int_equal(k->u.buffer.size, 64);
  assert_int_equal(k->u.buffer.blob, CAPTURE_NONE);
  k = next(c, at, CAPTURE_BUFFER);
  assert_int_equal(k->u.buffer.flags, 0);
  assert_int_equal(k->u.buffer.blob, 1);
  k = next(c, at, CAPTURE_SUB_BUFFER);
  assert_int_equal(k->u.sub_buffer.parent, 0);
  assert_int_equal(k->u.sub_buffer.flags, CL_MEM_WRITE_ONLY);
  assert_int_equal(k->u.sub_buffer.origin, 16);
  assert_int_equal(k->u.sub_buffer.size, 32);
  k = next(c, at, CAPTURE_IMAGE);
  assert_int_equal(k->u.image.flags, CL_MEM_READ_ONLY);
  assert_int_equal(k->u.image.order, CL_RGBA);
  assert_int_equal(k->u.image.data_type, CL_UNORM_INT8);
  assert_int_equal(k->u.image.type, CL_MEM_OBJECT_IMAGE2D);
  assert_int_equal(k->u.image.width, 2);
  assert_int_equal(k->u.image.height, 2);
  assert_int_equal(k->u.image.depth, 0);
  assert_int_equal(k->u.image.array_size, 0);
  assert_int_equal(k->u.image.buffer, CAPTURE_NONE);
  assert_int_equal(k->u.image.row_pitch, 0);
  assert_int_equal(k->u.image.blob, 0);
  k = next(c, at, CAPTURE_IMAGE);
  assert_int_equal(k->u.image.type, CL_MEM_OBJECT_IMAGE1D_BUFFER);
  assert_int_equal(k->u.image.width, 16);
  assert_int_equal(k->u.image.buffer, 1);
  assert_int_equal(k->u.image.blob, CAPTURE_NONE);
  next(c, at, CAPTURE_BUFFER);
  k = next(c, at, CAPTURE_RELEASE_MEMORY);
  assert_int_equal(k->u.release.object, 5);
  next(c, at, CAPTURE_IMAGE);
}

static void check_kernels(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_SAMPLER);
  assert_int_equal(k->u.sampler.normalized, 1);
  assert_int_equal(k->u.sampler.addressing, CL_ADDRESS_REPEAT);
  assert_int_equal(k->u.sampler.filter, CL_FILTER_LINEAR);
  k = next(c, at, CAPTURE_PROGRAM);
  assert_false(k->u.program.linked);
  assert_string_equal(k->u.program.link_options, "");
  assert_int_equal(k->u.program.source_count, 1);
  assert_string_equal(k->u.program.sources[0].text, "kernel void k() {}");
  assert_string_equal(k->u.program.sources[0].options, "-DX");
  assert_int_equal(k->u.program.sources[0].header_count, 0);
  k = next(c, at, CAPTURE_KERNEL);
  assert_int_equal(k->u.kernel.program, 0);
  assert_string_equal(k->u.kernel.name, "k");
  assert_int_equal(next(c, at, CAPTURE_CLONE)->u.clone.kernel, 0);
  next(c, at, CAPTURE_KERNEL);
  assert_int_equal(next(c, at, CAPTURE_RELEASE_KERNEL)->u.release.object, 2);
  k = next(c, at, CAPTURE_PROGRAM);
  assert_true(k->u.program.linked);
  assert_string_equal(k->u.program.link_options, "-link");
  assert_int_equal(k->u.program.source_count, 2);
  assert_string_equal(k->u.program.sources[0].text, "first");
  assert_string_equal(k->u.program.sources[1].text, "second");
  assert_int_equal(k->u.program.sources[1].header_count, 1);
  assert_string_equal(k->u.program.sources[1].headers[0].name, "a.h");
  assert_string_equal(k->u.program.sources[1].headers[0].text, "text of a.h");
}

static void check_argument(const capture_command *k, uint32_t kernel, uint32_t index, capture_argument_kind kind,
                           uint64_t size, uint32_t object) {
  assert_int_equal(k->u.argument.kernel, kernel);
  assert_int_equal(k->u.argument.index, index);
  assert_int_equal(k->u.argument.kind, kind);
  assert_int_equal(k->u.argument.size, size);
  assert_int_equal(k->u.argument.object, object);
}

static void check_launches(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_ARGUMENT);
  check_argument(k, 0, 3, CAPTURE_VALUE, 5, CAPTURE_NONE);
  assert_memory_equal(k->u.argument.bytes, "hello", 5);
  check_argument(next(c, at, CAPTURE_ARGUMENT), 0, 1, CAPTURE_LOCAL, 256, CAPTURE_NONE);
  check_argument(next(c, at, CAPTURE_ARGUMENT), 0, 2, CAPTURE_MEMORY, 0, 1);
  check_argument(next(c, at, CAPTURE_ARGUMENT), 1, 0, CAPTURE_MEMORY, 0, CAPTURE_NONE);
  check_argument(next(c, at, CAPTURE_ARGUMENT), 1, 4095, CAPTURE_SAMPLE, 0, 0);
  k = next(c, at, CAPTURE_LAUNCH);
  assert_int_equal(k->u.launch.kernel, 0);
  assert_int_equal(k->u.launch.dimensions, 2);
  assert_true(k->u.launch.has_offset && k->u.launch.has_local && !k->u.launch.task);
  check_three(k->u.launch.offset, 1, 2, 0);
  check_three(k->u.launch.global, 8, 6, 0);
  check_three(k->u.launch.local, 4, 3, 0);
  k = next(c, at, CAPTURE_LAUNCH);
  assert_int_equal(k->u.launch.kernel, 1);
  assert_true(!k->u.launch.has_offset && !k->u.launch.has_local && !k->u.launch.task);
  check_three(k->u.launch.global, 5, 0, 7); /* nothing is launched, which is allowed */
  k = next(c, at, CAPTURE_LAUNCH);
  assert_true(!k->u.launch.has_offset && k->u.launch.has_local && k->u.launch.task);
}

static void check_transfers(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_WRITE);
  assert_int_equal(k->u.transfer.at.memory, 2);
  assert_int_equal(k->u.transfer.at.offset, 16);
  assert_int_equal(k->u.transfer.size, 16);
  assert_int_equal(k->u.transfer.blob, 0);
  k = next(c, at, CAPTURE_WRITE_RECT);
  assert_int_equal(k->u.transfer.at.memory, 0);
  check_three(k->u.transfer.at.origin, 1, 1, 0);
  check_three(k->u.transfer.region, 4, 2, 2);
  assert_int_equal(k->u.transfer.at.row, 8);
  assert_int_equal(k->u.transfer.at.slice, 24);
  assert_int_equal(k->u.transfer.blob, 0);
  k = next(c, at, CAPTURE_WRITE_IMAGE);
  assert_int_equal(k->u.transfer.at.memory, 3);
  check_three(k->u.transfer.region, 2, 2, 1);
  assert_int_equal(k->u.transfer.blob, 0);
  k = next(c, at, CAPTURE_FILL);
  assert_int_equal(k->u.transfer.at.memory, 0);
  assert_int_equal(k->u.transfer.at.offset, 32);
  assert_int_equal(k->u.transfer.size, 16);
  assert_int_equal(k->u.transfer.pattern_size, 4);
  assert_memory_equal(k->u.transfer.pattern, "abcd", 4);
  k = next(c, at, CAPTURE_FILL_IMAGE);
  check_three(k->u.transfer.at.origin, 1, 0, 0);
  check_three(k->u.transfer.region, 1, 2, 1);
  assert_memory_equal(k->u.transfer.pattern, "0123456789abcdef", 16);
}

static void check_copies(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_COPY);
  assert_int_equal(k->u.transfer.at.memory, 1);
  assert_int_equal(k->u.transfer.to.memory, 2);
  assert_int_equal(k->u.transfer.at.offset, 60);
  assert_int_equal(k->u.transfer.to.offset, 28);
  assert_int_equal(k->u.transfer.size, 4);
  k = next(c, at, CAPTURE_COPY_RECT);
  check_three(k->u.transfer.at.origin, 1, 0, 0);
  check_three(k->u.transfer.to.origin, 0, 1, 0);
  check_three(k->u.transfer.region, 2, 2, 1);
  assert_int_equal(k->u.transfer.at.row, 4);
  assert_int_equal(k->u.transfer.at.slice, 8);
  assert_int_equal(k->u.transfer.to.row, 6);
  assert_int_equal(k->u.transfer.to.slice, 12);
  k = next(c, at, CAPTURE_COPY_IMAGE);
  check_three(k->u.transfer.at.origin, 14, 0, 0);
  check_three(k->u.transfer.to.origin, 0, 1, 0);
  check_three(k->u.transfer.region, 2, 1, 1);
  k = next(c, at, CAPTURE_COPY_IMAGE_TO_BUFFER);
  check_three(k->u.transfer.at.origin, 0, 1, 0);
  check_three(k->u.transfer.region, 2, 1, 1);
  assert_int_equal(k->u.transfer.to.offset, 56);
  k = next(c, at, CAPTURE_COPY_BUFFER_TO_IMAGE);
  assert_int_equal(k->u.transfer.at.offset, 16);
  check_three(k->u.transfer.to.origin, 1, 0, 0);
  check_three(k->u.transfer.region, 1, 2, 1);
}

static void check_reads(const capture *c, size_t *at) {
  const capture_command *k = next(c, at, CAPTURE_READ);
  assert_int_equal(k->u.transfer.size, 64);
  assert_true(k->known);
  assert_true(k->low == 0x1122334455667788u && k->high == 0x99aabbccddeeff00u);
  k = next(c, at, CAPTURE_READ_RECT);
  assert_int_equal(k->u.transfer.at.memory, 1);
  check_three(k->u.transfer.at.origin, 0, 0, 1);
  assert_int_equal(k->u.transfer.at.slice, 16);
  assert_false(k->known);
  k = next(c, at, CAPTURE_READ_IMAGE);
  assert_int_equal(k->u.transfer.at.memory, 4);
  check_three(k->u.transfer.at.origin, 3, 0, 0);
  check_three(k->u.transfer.region, 13, 1, 1);
}

static void check_calls(const capture *c) {
  assert_int_equal(c->queue_count, 2);
  assert_true(c->queues[0].in_order && !c->queues[1].in_order);
  assert_int_equal(c->call_count, 3);
  const capture_call *k = &c->calls[0];
  assert_int_equal(k->function, FUNCTION_USER_EVENT);
  assert_int_equal(k->queue, CAPTURE_NONE);
  assert_int_equal(k->event, 0);
  assert_int_equal(k->wait_count, 0);
  k = &c->calls[1];
  assert_int_equal(k->function, FUNCTION_MAP);
  assert_int_equal(k->thread, 1);
  assert_int_equal(k->queue, 0);
  assert_true(k->blocking);
  assert_int_equal(k->event, CAPTURE_NONE);
  assert_int_equal(k->memory, 0);
  assert_int_equal(k->flags, 2);
  assert_int_equal(k->offset, 8);
  assert_int_equal(k->size, 16);
  k = &c->calls[2];
  assert_int_equal(k->function, FUNCTION_READ);
  assert_int_equal(c->commands[k->command].kind, CAPTURE_READ);
  assert_int_equal(k->queue, 1);
  assert_false(k->blocking);
  assert_int_equal(k->event, 1);
  assert_int_equal(k->wait_count, 2);
  assert_int_equal(k->waits[0], 0);
  assert_int_equal(k->waits[1], CAPTURE_NONE);
}

static void check_everything(const char *path) {
  capture c = read_right(path);
  struct stat facts;
  size_t at = 0;
  assert_string_equal(c.program, "./program 1 2");
  assert_string_equal(c.directory, "/home/of the program");
  assert_string_equal(c.device, "name\nvendor\ndriver\nOpenCL C 1.2");
  assert_null(c.unsuitable);
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal(c.stored_bytes, facts.st_size);
  assert_int_equal(c.include_count, 1);
  assert_string_equal(c.includes[0].path, "/home/of/a.h");
  assert_string_equal(c.includes[0].text, "#define A 1\n");
  assert_int_equal(c.blob_count, 2);
  assert_int_equal(c.blobs[0].size, 16);
  assert_int_equal(c.blobs[1].size, 64);
  for (size_t i = 0; i < 64; i++) assert_int_equal(c.blobs[1].bytes[i], 0xBB);
  check_memory(&c, &at);
  check_kernels(&c, &at);
  check_launches(&c, &at);
  check_transfers(&c, &at);
  check_copies(&c, &at);
  check_reads(&c, &at);
  check_calls(&c);
  assert_int_equal(next(&c, &at, CAPTURE_RELEASE_MEMORY)->u.release.object, 2);
  assert_int_equal(next(&c, &at, CAPTURE_RELEASE_KERNEL)->u.release.object, 1);
  assert_int_equal(at, c.command_count);
  capture_free(&c);
}

static void test_every_kind(void **state) {
  raw r = {0};
  error e = {0};
  (void)state;
  raw_everything(&r);
  capture_put(&r);
  check_everything(capture_file);
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  check_everything(capture_packed);
  assert_int_equal(capture_pack(capture_packed, capture_file, &e), 0); /* a packed one packed again */
  check_everything(capture_file);
  buffer_free(&r.bytes);
}

/* Nothing at all was done. */
static void test_empty(void **state) {
  raw r = {0};
  (void)state;
  raw_start(&r);
  raw_finish(&r);
  capture_put(&r);
  capture c = read_right(capture_file);
  assert_int_equal(c.command_count + c.blob_count, 0);
  assert_string_equal(c.device, "");
  capture_free(&c);
  buffer_free(&r.bytes);
}

/* ---- what cannot be done again ---- */

static void check_unsuitable(const char *path, const char *reason) {
  capture c = read_right(path);
  assert_non_null(c.unsuitable);
  assert_string_equal(c.unsuitable, reason);
  capture_free(&c);
}

static void test_unsuitable(void **state) {
  raw r = {0};
  error e = {0};
  (void)state;
  raw_world(&r);
  raw_begin(&r, UNSUITABLE);
  raw_string(&r, "shared virtual memory");
  raw_end(&r);
  raw_finish(&r);
  capture_put(&r);
  check_unsuitable(capture_file, "shared virtual memory");
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  check_unsuitable(capture_packed, "shared virtual memory");
  buffer_free(&r.bytes);
}

static void test_more_processes(void **state) {
  raw r = {0};
  error e = {0};
  char more[80];
  (void)state;
  snprintf(more, sizeof more, "%s.more", capture_file);
  raw_everything(&r);
  capture_put(&r);
  file_put(more, "", 0);
  check_unsuitable(capture_file, "more than one process of the program used OpenCL");
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  assert_int_equal(unlink(more), 0);
  check_unsuitable(capture_packed, "more than one process of the program used OpenCL");
  check_everything(capture_file);
  buffer_free(&r.bytes);
}

/* ---- two captures ---- */

/* A blob of this value is written, and something with this digest read. */
static void put_written(const char *path, unsigned char value, uint64_t digest, const char *reason) {
  raw r = {0};
  raw_world(&r);
  raw_blob(&r, value, 8);
  raw_mixed(&r, CAPTURE_WRITE, 1, (const uint32_t[]){0}, 2, (const uint64_t[]){0, 8});
  raw_u32(&r, 2);
  raw_end(&r);
  raw_mixed(&r, CAPTURE_READ, 1, (const uint32_t[]){0}, 2, (const uint64_t[]){0, 8});
  raw_u32(&r, 1);
  raw_u64(&r, digest);
  raw_u64(&r, 7);
  raw_end(&r);
  if (reason) {
    raw_begin(&r, UNSUITABLE);
    raw_string(&r, reason);
    raw_end(&r);
  }
  raw_finish(&r);
  file_put(path, r.bytes.data, r.bytes.length);
  buffer_free(&r.bytes);
}

static void test_same_work(void **state) {
  error e = {0};
  (void)state;
  put_written(capture_file, 1, 3, NULL);
  put_written(capture_packed, 1, 3, NULL);
  assert_true(capture_same_work(capture_file, capture_packed));
  put_written(capture_packed, 1, 4, NULL); /* what is read does not count */
  assert_true(capture_same_work(capture_file, capture_packed));
  put_written(capture_packed, 2, 3, NULL);
  assert_false(capture_same_work(capture_file, capture_packed));
  put_written(capture_packed, 1, 3, "a reason");
  assert_false(capture_same_work(capture_file, capture_packed));
  assert_false(capture_same_work(capture_packed, capture_packed));
  assert_false(capture_same_work(capture_file, "/nowhere"));
  raw r = {0};
  raw_everything(&r);
  file_put(capture_packed, r.bytes.data, r.bytes.length);
  assert_false(capture_same_work(capture_file, capture_packed));
  capture_put(&r);
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  assert_true(capture_same_work(capture_file, capture_packed)); /* packed or not */
  size_t cut = r.bytes.length - 1;
  file_put(capture_packed, r.bytes.data, cut);
  assert_false(capture_same_work(capture_file, capture_packed));
  buffer_free(&r.bytes);
}

/* ---- arguments ---- */

static void argument(raw *r, uint32_t kernel, uint32_t index, uint32_t kind, uint32_t object) {
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){kernel, index, kind, object}, 1, (const uint64_t[]){0});
}

static void launch(raw *r, uint32_t kernel) {
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){kernel, 1, 0, 0, 0}, 9,
            (const uint64_t[]){0, 0, 0, 1, 0, 0, 0, 0, 0});
}

static void release(raw *r, uint32_t object) { raw_numbers(r, CAPTURE_RELEASE_MEMORY, 1, &object); }

static bool is_right(raw *r) {
  capture c;
  error e;
  raw_finish(r);
  capture_put(r);
  int result = capture_read(capture_file, &c, &e);
  if (result == 0) capture_free(&c);
  buffer_free(&r->bytes);
  return result == 0;
}

/* What counts is what was set last, in the original and in the clone, however often it was. */
static void test_arguments(void **state) {
  (void)state;
  for (int set_again = 0; set_again < 2; set_again++)
    for (int times = 1; times < 2000; times = 3 * times + 1) {
      raw r = {0};
      raw_world(&r);
      for (int i = 0; i < times; i++) {
        argument(&r, 0, 0, CAPTURE_MEMORY, 3);
        argument(&r, 0, (uint32_t)i % 7 + 1, CAPTURE_MEMORY, 0);
      }
      raw_numbers(&r, CAPTURE_CLONE, 1, (const uint32_t[]){0}); /* kernel 3 */
      argument(&r, 0, 0, set_again ? CAPTURE_LOCAL : CAPTURE_MEMORY, set_again ? NONE : 6);
      release(&r, 3);
      launch(&r, 0);
      if (set_again) argument(&r, 3, 0, CAPTURE_MEMORY, 6);
      launch(&r, 3);
      assert_int_equal(is_right(&r), set_again);
    }
}

/* ---- packed files ---- */

static char *contents(const char *path, size_t *size) {
  struct stat facts;
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fstat(fileno(f), &facts), 0);
  *size = (size_t)facts.st_size;
  char *bytes = malloc(*size + 1);
  assert_int_equal(fread(bytes, 1, *size, f), *size);
  fclose(f);
  return bytes;
}

static void test_cut_anywhere(void **state) {
  raw r = {0};
  error e = {0};
  capture c;
  (void)state;
  raw_everything(&r);
  capture_put(&r);
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  for (int which = 0; which < 2; which++) {
    size_t size;
    char *bytes = contents(which ? capture_packed : capture_file, &size);
    for (size_t cut = 0; cut < size; cut++) {
      file_put(capture_file, bytes, cut);
      assert_int_equal(capture_read(capture_file, &c, &e), -1);
      assert_int_equal(e.code, EXIT_USAGE);
      assert_non_null(strstr(e.text, cut < 8 ? "is no capture" : "is cut off"));
    }
    free(bytes);
    capture_put(&r);
  }
  buffer_free(&r.bytes);
}

/* Each byte of a packed file changed: the checksum, if nothing else, tells, but where nothing depends on it. */
static void test_changed_anywhere(void **state) {
  raw r = {0};
  error e = {0};
  capture c;
  size_t size;
  (void)state;
  raw_everything(&r);
  capture_put(&r);
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  char *bytes = contents(capture_packed, &size);
  for (size_t at = 0; at < size; at++) {
    bytes[at] = (char)(bytes[at] ^ 0x10);
    file_put(capture_packed, bytes, size);
    if (capture_read(capture_packed, &c, &e) == 0) {
      capture_free(&c);
      check_everything(capture_packed);
    }
    bytes[at] = (char)(bytes[at] ^ 0x10);
  }
  bytes[size] = 0;
  file_put(capture_packed, bytes, size + 1);
  assert_int_equal(capture_read(capture_packed, &c, &e), -1);
  assert_non_null(strstr(e.text, "something follows its end"));
  free(bytes);
  buffer_free(&r.bytes);
}

/* ---- packing ---- */

static int files_there(void) {
  DIR *d = opendir(capture_folder);
  int count = 0;
  while (readdir(d)) count++;
  closedir(d);
  return count - 2;
}

static void test_pack_fails(void **state) {
  raw r = {0};
  error e = {0};
  char nowhere[80];
  (void)state;
  snprintf(nowhere, sizeof nowhere, "%s/none/packed", capture_folder);
  raw_everything(&r);
  capture_put(&r);
  assert_int_equal(capture_pack(capture_file, nowhere, &e), -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, nowhere));
  assert_non_null(strstr(e.text, "No such file"));
  assert_int_equal(capture_pack(nowhere, capture_packed, &e), -1);
  buffer_free(&r.bytes);
}

/* A file that was there stays as it is, and nothing else is left. */
static void test_pack_without_room(void **state) {
  raw r = {0};
  error e = {0};
  struct rlimit before, little = {512, 0};
  (void)state;
  raw_start(&r);
  raw_begin(&r, BLOB);
  for (uint32_t i = 0; i < 20000; i++) raw_u32(&r, i * 2654435761u);
  raw_end(&r);
  raw_finish(&r);
  capture_put(&r);
  file_put(capture_packed, "before", 6);
  int files = files_there();
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  little.rlim_max = before.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
  int result = capture_pack(capture_file, capture_packed, &e);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(result, -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_non_null(strstr(e.text, capture_packed));
  assert_non_null(strstr(e.text, "File too large"));
  assert_int_equal(files_there(), files);
  size_t size;
  char *bytes = contents(capture_packed, &size);
  assert_int_equal(size, 6);
  assert_memory_equal(bytes, "before", 6);
  free(bytes);
  assert_int_equal(capture_pack(capture_file, capture_packed, &e), 0);
  assert_int_equal(files_there(), files);
  buffer_free(&r.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_kind),   cmocka_unit_test(test_empty),
      cmocka_unit_test(test_unsuitable),   cmocka_unit_test(test_more_processes),
      cmocka_unit_test(test_same_work),    cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_cut_anywhere), cmocka_unit_test(test_changed_anywhere),
      cmocka_unit_test(test_pack_fails),   cmocka_unit_test(test_pack_without_room),
  };
  return cmocka_run_group_tests(tests, capture_set_up, capture_tear_down);
}
