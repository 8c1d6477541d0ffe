#include "capture_fixture.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/memory.h"

void raw_bytes(raw *r, const void *bytes, size_t size) { buffer_append(&r->bytes, bytes, size); }

void raw_u32(raw *r, uint32_t value) {
  const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                  (unsigned char)(value >> 24)};
  raw_bytes(r, bytes, sizeof bytes);
}

void raw_u64(raw *r, uint64_t value) {
  raw_u32(r, (uint32_t)value);
  raw_u32(r, (uint32_t)(value >> 32));
}

void raw_three(raw *r, uint64_t a, uint64_t b, uint64_t c) {
  raw_u64(r, a);
  raw_u64(r, b);
  raw_u64(r, c);
}

void raw_string(raw *r, const char *s) {
  raw_u32(r, (uint32_t)strlen(s));
  raw_bytes(r, s, strlen(s));
}

void raw_begin(raw *r, uint32_t kind) {
  r->commands += kind < START;
  r->blobs += kind == BLOB;
  raw_u32(r, kind);
  r->length_at = r->bytes.length;
  raw_u64(r, 0);
}

void raw_end(raw *r) {
  uint64_t length = r->bytes.length - r->length_at - 8;
  for (int i = 0; i < 8; i++)
    r->bytes.data[r->length_at + (size_t)i] = (char)(length >> (8 * i));
}

void raw_start_in(raw *r, const char *directory) {
  raw_bytes(r, "CLTCCAPr", 8);
  raw_begin(r, START);
  raw_u32(r, 3);
  raw_string(r, "./program 1 2");
  raw_string(r, directory);
  raw_end(r);
}

void raw_start(raw *r) { raw_start_in(r, "/home/of the program"); }

void raw_device(raw *r) {
  raw_begin(r, DEVICE);
  raw_string(r, "name\nvendor\ndriver\nOpenCL C 1.2");
  raw_end(r);
}

void raw_blob(raw *r, unsigned char value, size_t size) {
  raw_begin(r, BLOB);
  for (size_t i = 0; i < size; i++)
    raw_bytes(r, &value, 1);
  raw_end(r);
}

void raw_finish(raw *r) {
  uint64_t commands = r->commands, blobs = r->blobs;
  raw_begin(r, END);
  raw_u64(r, commands);
  raw_u64(r, blobs);
  raw_end(r);
}

void raw_mixed(raw *r, uint32_t kind, size_t count, const uint32_t *numbers, size_t wide_count, const uint64_t *wide) {
  raw_begin(r, kind);
  for (size_t i = 0; i < count; i++)
    raw_u32(r, numbers[i]);
  for (size_t i = 0; i < wide_count; i++)
    raw_u64(r, wide[i]);
  raw_end(r);
}

void raw_numbers(raw *r, uint32_t kind, size_t count, const uint32_t *numbers) {
  raw_mixed(r, kind, count, numbers, 0, NULL);
}

static void put_buffer(raw *r, uint64_t flags, uint64_t size, uint32_t blob) {
  raw_begin(r, CAPTURE_BUFFER);
  raw_u64(r, flags);
  raw_u64(r, size);
  raw_u32(r, blob);
  raw_end(r);
}

static void put_image(raw *r, uint32_t data_type, uint32_t type, uint64_t width, uint64_t height, uint32_t buffer_,
                      uint32_t blob) {
  raw_begin(r, CAPTURE_IMAGE);
  raw_u64(r, CL_MEM_READ_ONLY);
  raw_u32(r, CL_RGBA);
  raw_u32(r, data_type);
  raw_u32(r, type);
  raw_three(r, width, height, 0);
  raw_u64(r, 0);
  raw_u32(r, buffer_);
  raw_u64(r, 0);
  raw_u32(r, blob);
  raw_end(r);
}

static void put_program(raw *r) {
  raw_begin(r, CAPTURE_PROGRAM);
  raw_u32(r, 0);
  raw_string(r, "");
  raw_u32(r, 1);
  raw_string(r, "kernel void k() {}");
  raw_string(r, "-DX");
  raw_u32(r, 0);
  raw_end(r);
}

static void put_kernel(raw *r) {
  raw_begin(r, CAPTURE_KERNEL);
  raw_u32(r, 0);
  raw_string(r, "k");
  raw_end(r);
}

void raw_world(raw *r) {
  raw_start(r);
  raw_device(r);
  raw_blob(r, 0xAA, 16);
  raw_blob(r, 0xBB, 64);
  put_buffer(r, CL_MEM_READ_WRITE, 64, NONE);
  put_buffer(r, 0, 64, 1);
  raw_begin(r, CAPTURE_SUB_BUFFER);
  raw_u32(r, 0);
  raw_u64(r, CL_MEM_WRITE_ONLY);
  raw_u64(r, 16);
  raw_u64(r, 32);
  raw_end(r);
  put_image(r, CL_UNORM_INT8, CL_MEM_OBJECT_IMAGE2D, 2, 2, NONE, 0);
  put_image(r, CL_UNORM_INT8, CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, 1, NONE);
  put_buffer(r, CL_MEM_READ_WRITE, 8, NONE);
  raw_numbers(r, CAPTURE_RELEASE_MEMORY, 1, (const uint32_t[]){5});
  put_image(r, CL_FLOAT, CL_MEM_OBJECT_IMAGE2D, 2, 2, NONE, 1);
  raw_numbers(r, CAPTURE_SAMPLER, 3, (const uint32_t[]){1, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR});
  put_program(r);
  put_kernel(r);
  raw_numbers(r, CAPTURE_CLONE, 1, (const uint32_t[]){0});
  put_kernel(r);
  raw_numbers(r, CAPTURE_RELEASE_KERNEL, 1, (const uint32_t[]){2});
}

static void put_arguments(raw *r) {
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){0, 3, 0, NONE}, 1, (const uint64_t[]){5});
  raw_bytes(r, "hello", 5); /* the value comes behind its size */
  raw_end(r);
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){0, 1, 1, NONE}, 1, (const uint64_t[]){256});
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){0, 2, 2, 1}, 1, (const uint64_t[]){0});
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){1, 0, 2, NONE}, 1, (const uint64_t[]){0});
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){1, 4095, 3, 0}, 1, (const uint64_t[]){0});
}

static void put_launches(raw *r) {
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){0, 2, 1, 1, 0}, 9, (const uint64_t[]){1, 2, 0, 8, 6, 0, 4, 3, 0});
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){1, 3, 0, 0, 0}, 9, (const uint64_t[]){0, 0, 0, 5, 0, 7, 0, 0, 0});
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){0, 1, 0, 1, 1}, 9, (const uint64_t[]){0, 0, 0, 1, 0, 0, 1, 0, 0});
}

static void put_transfers(raw *r) {
  raw_begin(r, CAPTURE_WRITE);
  raw_u32(r, 2);
  raw_u64(r, 16);
  raw_u64(r, 16);
  raw_u32(r, 0);
  raw_end(r);
  raw_begin(r, CAPTURE_WRITE_RECT);
  raw_u32(r, 0);
  raw_three(r, 1, 1, 0);
  raw_three(r, 4, 2, 2);
  raw_u64(r, 8);
  raw_u64(r, 24);
  raw_u32(r, 0);
  raw_end(r);
  raw_begin(r, CAPTURE_WRITE_IMAGE);
  raw_u32(r, 3);
  raw_three(r, 0, 0, 0);
  raw_three(r, 2, 2, 1);
  raw_u32(r, 0);
  raw_end(r);
  raw_begin(r, CAPTURE_FILL);
  raw_u32(r, 0);
  raw_u64(r, 32);
  raw_u64(r, 16);
  raw_string(r, "abcd");
  raw_end(r);
  raw_begin(r, CAPTURE_FILL_IMAGE);
  raw_u32(r, 3);
  raw_three(r, 1, 0, 0);
  raw_three(r, 1, 2, 1);
  raw_bytes(r, "0123456789abcdef", 16);
  raw_end(r);
}

static void put_copies(raw *r) {
  raw_mixed(r, CAPTURE_COPY, 2, (const uint32_t[]){1, 2}, 3, (const uint64_t[]){60, 28, 4});
  raw_mixed(r, CAPTURE_COPY_RECT, 2, (const uint32_t[]){0, 1}, 13,
            (const uint64_t[]){1, 0, 0, 0, 1, 0, 2, 2, 1, 4, 8, 6, 12});
  raw_mixed(r, CAPTURE_COPY_IMAGE, 2, (const uint32_t[]){4, 3}, 9, (const uint64_t[]){14, 0, 0, 0, 1, 0, 2, 1, 1});
  raw_mixed(r, CAPTURE_COPY_IMAGE_TO_BUFFER, 2, (const uint32_t[]){3, 0}, 7, (const uint64_t[]){0, 1, 0, 2, 1, 1, 56});
  raw_mixed(r, CAPTURE_COPY_BUFFER_TO_IMAGE, 2, (const uint32_t[]){0, 6}, 7, (const uint64_t[]){16, 1, 0, 0, 1, 2, 1});
}

static void put_digest(raw *r, uint32_t known) {
  raw_u32(r, known);
  raw_u64(r, 0x1122334455667788u);
  raw_u64(r, 0x99aabbccddeeff00u);
  raw_end(r);
}

static void put_reads(raw *r) {
  raw_begin(r, CAPTURE_READ);
  raw_u32(r, 0);
  raw_u64(r, 0);
  raw_u64(r, 64);
  put_digest(r, 1);
  raw_begin(r, CAPTURE_READ_RECT);
  raw_u32(r, 1);
  raw_three(r, 0, 0, 1);
  raw_three(r, 4, 4, 1);
  raw_u64(r, 4);
  raw_u64(r, 16);
  put_digest(r, 0);
  raw_begin(r, CAPTURE_READ_IMAGE);
  raw_u32(r, 4);
  raw_three(r, 3, 0, 0);
  raw_three(r, 13, 1, 1);
  put_digest(r, 1);
}

static void put_linked(raw *r) {
  raw_begin(r, CAPTURE_PROGRAM);
  raw_u32(r, 1);
  raw_string(r, "-link");
  raw_u32(r, 2);
  for (int i = 0; i < 2; i++) {
    raw_string(r, i ? "second" : "first");
    raw_string(r, "");
    raw_u32(r, (uint32_t)i);
    if (i) {
      raw_string(r, "a.h");
      raw_string(r, "text of a.h");
    }
  }
  raw_end(r);
}

void raw_call(raw *r, const uint32_t numbers[6], const uint64_t wide[3], uint32_t count, const uint32_t *events) {
  raw_begin(r, CALL);
  for (int i = 0; i < 6; i++)
    raw_u32(r, numbers[i]);
  for (int i = 0; i < 3; i++)
    raw_u64(r, wide[i]);
  raw_u32(r, count);
  for (uint32_t i = 0; i < count; i++)
    raw_u32(r, events[i]);
  raw_end(r);
}

static void put_calls(raw *r) {
  static const uint64_t nothing[3] = {0, 0, 0};
  raw_numbers(r, QUEUE, 1, (const uint32_t[]){1});
  raw_numbers(r, QUEUE, 1, (const uint32_t[]){0});
  raw_call(r, (const uint32_t[]){24, 0, NONE, 0, 0, NONE}, nothing, 0, NULL);
  raw_call(r, (const uint32_t[]){16, 1, 0, 1, NONE, 0}, (const uint64_t[]){2, 8, 16}, 0, NULL);
  raw_call(r, (const uint32_t[]){6, 0, 1, 0, 1, NONE}, nothing, 2, (const uint32_t[]){0, NONE});
}

void raw_everything(raw *r) {
  raw_world(r);
  put_linked(r);
  put_arguments(r);
  put_launches(r);
  put_transfers(r);
  put_copies(r);
  put_calls(r);
  put_reads(r);
  raw_numbers(r, CAPTURE_RELEASE_MEMORY, 1, (const uint32_t[]){2});
  raw_numbers(r, CAPTURE_RELEASE_KERNEL, 1, (const uint32_t[]){1});
  raw_begin(r, INCLUDE);
  raw_string(r, "/home/of/a.h");
  raw_string(r, "#define A 1\n");
  raw_end(r);
  raw_finish(r);
}

/* ---- files ---- */

void file_put(const char *path, const void *bytes, size_t size) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
    perror(path);
    abort();
  }
}

void file_put_packed(const char *path, const raw *r) {
  size_t bound = ZSTD_compressBound(r->bytes.length);
  char *packed = mem_calloc(1, bound + 8);
  memcpy(packed, "CLTCCAPz", 8);
  size_t size = ZSTD_compress(packed + 8, bound, r->bytes.data + 8, r->bytes.length - 8, 1);
  if (ZSTD_isError(size))
    abort();
  file_put(path, packed, size + 8);
  free(packed);
}

char capture_file[64], capture_packed[64], capture_folder[32];

int capture_set_up(void **state) {
  (void)state;
  strcpy(capture_folder, "/tmp/test_capture_XXXXXX");
  if (!mkdtemp(capture_folder))
    return -1;
  snprintf(capture_file, sizeof capture_file, "%s/capture", capture_folder);
  snprintf(capture_packed, sizeof capture_packed, "%s/packed", capture_folder);
  return 0;
}

int capture_tear_down(void **state) {
  char command[64];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", capture_folder);
  return system(command);
}

void capture_put(const raw *r) { file_put(capture_file, r->bytes.data, r->bytes.length); }
