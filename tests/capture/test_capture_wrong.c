/* Captures that are wrong: each is refused in a sentence that names the file and says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fixtures/capture_fixture.h"

/* ---- records ---- */

static void argument(raw *r, uint32_t kernel, uint32_t index, uint32_t kind, uint32_t object) {
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){kernel, index, kind, object}, 1, (const uint64_t[]){0});
}

static void launch(raw *r, uint32_t kernel) {
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){kernel, 1, 0, 0, 0}, 9,
            (const uint64_t[]){0, 0, 0, 1, 0, 0, 0, 0, 0});
}

static void release(raw *r, uint32_t object) { raw_numbers(r, CAPTURE_RELEASE_MEMORY, 1, &object); }

static void buffer_of(raw *r, uint64_t flags, uint64_t size, uint32_t blob) {
  raw_begin(r, CAPTURE_BUFFER);
  raw_u64(r, flags);
  raw_u64(r, size);
  raw_u32(r, blob);
  raw_end(r);
}

static void sub_buffer(raw *r, uint32_t parent, uint64_t flags, uint64_t origin, uint64_t size) {
  raw_mixed(r, CAPTURE_SUB_BUFFER, 1, &parent, 3, (const uint64_t[]){flags, origin, size});
}

typedef struct image {
  uint64_t flags;
  uint32_t order, data_type, type;
  uint64_t width, height, depth, layers;
  uint32_t buffer;
  uint64_t pitch;
  uint32_t blob;
} image;

/* A right one, 2 x 2 elements of 4 bytes, to be made wrong. */
static image flat(void) {
  return (image){.order = CL_RGBA,
                 .data_type = CL_SNORM_INT8,
                 .type = CL_MEM_OBJECT_IMAGE2D,
                 .width = 2,
                 .height = 2,
                 .buffer = NONE,
                 .blob = NONE};
}

static void image_of(raw *r, image i) {
  raw_begin(r, CAPTURE_IMAGE);
  raw_u64(r, i.flags);
  raw_u32(r, i.order);
  raw_u32(r, i.data_type);
  raw_u32(r, i.type);
  raw_three(r, i.width, i.height, i.depth);
  raw_u64(r, i.layers);
  raw_u32(r, i.buffer);
  raw_u64(r, i.pitch);
  raw_u32(r, i.blob);
  raw_end(r);
}

#define IMAGE(...)    \
  do {                \
    image i = flat(); \
    __VA_ARGS__;      \
    image_of(r, i);   \
  } while (0)
#define NUMBERS(kind, ...) \
  raw_numbers(r, kind, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})
#define WIDE(...) \
  sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (const uint64_t[]) { __VA_ARGS__ }
#define LAUNCH(kernel, dimensions, offset, local, task, ...) \
  raw_mixed(r, CAPTURE_LAUNCH, 5, (const uint32_t[]){kernel, dimensions, offset, local, task}, WIDE(__VA_ARGS__))
#define ARGUMENT(kernel, index, kind, object, size) \
  raw_mixed(r, CAPTURE_ARGUMENT, 4, (const uint32_t[]){kernel, index, kind, object}, 1, (const uint64_t[]){size})

static void write_of(raw *r, uint32_t memory, uint64_t offset, uint64_t size, uint32_t blob) {
  raw_mixed(r, CAPTURE_WRITE, 1, &memory, 2, (const uint64_t[]){offset, size});
  raw_u32(r, blob);
  raw_end(r);
}

/* Numbers after the memory object, and the blob. */
static void area_of(raw *r, uint32_t kind, uint32_t memory, uint32_t blob, size_t count, const uint64_t *numbers) {
  raw_mixed(r, kind, 1, &memory, count, numbers);
  raw_u32(r, blob);
  raw_end(r);
}
#define AREA(kind, memory, blob, ...) area_of(r, kind, memory, blob, WIDE(__VA_ARGS__))
#define COPY(kind, from, to, ...) raw_mixed(r, kind, 2, (const uint32_t[]){from, to}, WIDE(__VA_ARGS__))

static void fill(raw *r, uint64_t offset, uint64_t size, uint32_t length) {
  char pattern[300] = {0};
  raw_mixed(r, CAPTURE_FILL, 1, (const uint32_t[]){0}, 2, (const uint64_t[]){offset, size});
  raw_u32(r, length);
  raw_bytes(r, pattern, length);
  raw_end(r);
}

static void program(raw *r, uint32_t linked, const char *link_options, uint32_t sources, uint32_t headers) {
  raw_begin(r, CAPTURE_PROGRAM);
  raw_u32(r, linked);
  raw_string(r, link_options);
  raw_u32(r, sources);
  for (uint32_t i = 0; i < sources && i < 10; i++) {
    raw_string(r, "text");
    raw_string(r, "");
    raw_u32(r, headers);
    for (uint32_t h = 0; h < headers && h < 10; h++) {
      raw_string(r, "name");
      raw_string(r, "text");
    }
  }
  raw_end(r);
}

static void nul_in_name(raw *r) {
  NUMBERS(CAPTURE_KERNEL, 0, 3);
  raw_bytes(r, "a\0b", 3);
  raw_end(r);
}

/* A record of which only the header is there. */
static void header(raw *r, uint32_t kind, uint64_t length) {
  raw_u32(r, kind);
  raw_u64(r, length);
}

static void string_record(raw *r, uint32_t kind, const char *s) {
  raw_begin(r, kind);
  raw_string(r, s);
  raw_end(r);
}

#define HUGE_ (UINT64_C(1) << 40)
#define MOST (UINT64_C(1) << 62)

/* Each group: writes one record that is wrong, the one of this number, after raw_world. False: there are no more. */
#define CASE(...) \
  if (n-- == 0) { \
    __VA_ARGS__;  \
    return true;  \
  }               \
  (void)0

static bool wrong_memory(raw *r, int n) {
  CASE(buffer_of(r, CL_MEM_USE_HOST_PTR, 8, NONE));
  CASE(buffer_of(r, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 8, NONE));
  CASE(buffer_of(r, 0, 0, NONE));
  CASE(buffer_of(r, 0, MOST, NONE));
  CASE(buffer_of(r, 0, 16, 2));
  CASE(buffer_of(r, 0, 16, 1));
  CASE(sub_buffer(r, 7, 0, 0, 8));
  CASE(sub_buffer(r, 2, 0, 0, 8));
  CASE(sub_buffer(r, 3, 0, 0, 8));
  CASE(sub_buffer(r, 5, 0, 0, 8));
  CASE(sub_buffer(r, 0, 0, 60, 5));
  CASE(sub_buffer(r, 0, 0, UINT64_MAX, 2));
  CASE(sub_buffer(r, 0, 0, 0, 0));
  CASE(sub_buffer(r, 0, CL_MEM_COPY_HOST_PTR, 0, 8));
  CASE(sub_buffer(r, NONE, 0, 0, 8));
  CASE(release(r, 7));
  CASE(release(r, 5));
  CASE(release(r, 0)); /* 2 is a part of it */
  CASE(release(r, 1)); /* 4 is made of it */
  CASE(release(r, NONE));
  return false;
}

static bool wrong_image(raw *r, int n) {
  CASE(IMAGE(i.flags = 64));
  CASE(IMAGE(i.order = 1));
  CASE(IMAGE(i.data_type = 1));
  CASE(IMAGE(i.order = CL_RGB));
  CASE(IMAGE(i.data_type = CL_UNORM_SHORT_565));
  CASE(IMAGE(i.type = 1));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_BUFFER));
  CASE(IMAGE(i.width = 0));
  CASE(IMAGE(i.height = 0));
  CASE(IMAGE(i.depth = 1));
  CASE(IMAGE(i.layers = 1));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE1D));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE3D));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE1D_ARRAY; i.height = 0));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE2D_ARRAY));
  CASE(IMAGE(i.width = HUGE_; i.height = HUGE_));
  CASE(IMAGE(i.width = UINT64_MAX; i.height = UINT64_MAX));
  CASE(IMAGE(i.blob = 1));
  CASE(IMAGE(i.blob = 2));
  CASE(IMAGE(i.pitch = 8));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE1D_BUFFER; i.height = 0));
  CASE(IMAGE(i.buffer = 7));
  CASE(IMAGE(i.buffer = 5));
  CASE(IMAGE(i.buffer = 3));
  CASE(IMAGE(i.buffer = 0; i.blob = 0));
  CASE(IMAGE(i.buffer = 0; i.pitch = 7));
  CASE(IMAGE(i.buffer = 0; i.pitch = 57));
  CASE(IMAGE(i.buffer = 0; i.pitch = UINT64_MAX));
  CASE(IMAGE(i.buffer = 0; i.height = 9));
  CASE(IMAGE(i.buffer = 0; i.type = CL_MEM_OBJECT_IMAGE3D; i.depth = 1));
  CASE(IMAGE(i.buffer = 0; i.type = CL_MEM_OBJECT_IMAGE1D_BUFFER; i.height = 0; i.width = 17));
  CASE(NUMBERS(CAPTURE_SAMPLER, 2, CL_ADDRESS_NONE, CL_FILTER_NEAREST));
  CASE(NUMBERS(CAPTURE_SAMPLER, 1, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST));
  CASE(NUMBERS(CAPTURE_SAMPLER, 1, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST));
  CASE(NUMBERS(CAPTURE_SAMPLER, 1, CL_ADDRESS_NONE, CL_FILTER_LINEAR + 1));
  return false;
}

static bool wrong_kernel(raw *r, int n) {
  CASE(program(r, 0, "", 0, 0));
  CASE(program(r, 0, "", 2, 0));
  CASE(program(r, 0, "", 1, 1));
  CASE(program(r, 0, "-x", 1, 0));
  CASE(program(r, 2, "", 1, 0));
  CASE(program(r, 1, "", UINT32_MAX, 0));
  CASE(program(r, 1, "", 1, UINT32_MAX));
  CASE(NUMBERS(CAPTURE_KERNEL, 1, 1); raw_bytes(r, "k", 1); raw_end(r));
  CASE(NUMBERS(CAPTURE_KERNEL, 0, 0));
  CASE(NUMBERS(CAPTURE_KERNEL, 0, 2); raw_bytes(r, "k", 1); raw_end(r));
  CASE(nul_in_name(r));
  CASE(NUMBERS(CAPTURE_CLONE, 3));
  CASE(NUMBERS(CAPTURE_CLONE, 2));
  CASE(NUMBERS(CAPTURE_RELEASE_KERNEL, 3));
  CASE(NUMBERS(CAPTURE_RELEASE_KERNEL, 2));
  CASE(ARGUMENT(3, 0, CAPTURE_LOCAL, NONE, 4));
  CASE(ARGUMENT(0, 4096, CAPTURE_LOCAL, NONE, 4));
  CASE(ARGUMENT(0, 0, 4, NONE, 4));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, NONE, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, NONE, 4));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, NONE, UINT64_MAX));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, 0, 4); raw_u32(r, 0); raw_end(r));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, NONE, 3); raw_u32(r, 0); raw_end(r));
  CASE(ARGUMENT(0, 0, CAPTURE_LOCAL, 0, 4));
  CASE(ARGUMENT(0, 0, CAPTURE_MEMORY, 5, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_MEMORY, 7, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_MEMORY, 0, 8));
  CASE(ARGUMENT(0, 0, CAPTURE_SAMPLE, 1, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_SAMPLE, NONE, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_SAMPLE, 0, 8));
  return false;
}

static bool wrong_launch(raw *r, int n) {
  CASE(LAUNCH(3, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(2, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 4, 0, 0, 0, 0, 0, 0, 4, 4, 4, 0, 0, 0));
  CASE(LAUNCH(0, 1, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 1, 0, 0, 1, 1, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 0, 1, 0, 0, 0, 0, 4, 0, 0, 4, 4, 0));
  CASE(LAUNCH(0, 1, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0));
  CASE(LAUNCH(0, 2, 0, 1, 0, 0, 0, 0, 4, 4, 0, 4, 0, 0));
  CASE(LAUNCH(0, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0));
  CASE(LAUNCH(0, 2, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0));
  CASE(LAUNCH(0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 0, 0, 0, 0, 0, 0, 1));
  CASE(argument(r, 0, 0, CAPTURE_MEMORY, 2); release(r, 2); launch(r, 0));
  return false;
}

static bool wrong_transfer(raw *r, int n) {
  CASE(write_of(r, 5, 0, 8, 0));
  CASE(write_of(r, 7, 0, 16, 0));
  CASE(write_of(r, 3, 0, 16, 0));
  CASE(write_of(r, 0, 49, 16, 0));
  CASE(write_of(r, 0, UINT64_MAX, 16, 0));
  CASE(write_of(r, 0, 0, 17, 0));
  CASE(write_of(r, 0, 0, 16, 2));
  CASE(write_of(r, 0, 0, 16, NONE));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, 0, 4, 2, 2, 0, 0));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, 0, 4, 2, 2, 3, 24));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, 0, 4, 2, 2, 8, 15));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 5, 2, 1, 4, 2, 2, 8, 16));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, 0, 4, 0, 2, 8, 24));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 1, 0, 0, 0, 4, 2, 2, 8, 24));
  CASE(AREA(CAPTURE_WRITE_RECT, 3, 0, 0, 0, 0, 4, 2, 2, 8, 24));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, UINT64_MAX, 4, 2, 2, 8, 24));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 0, 0, 0, 4, 2, 2, HUGE_, UINT64_MAX));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 1, 0, 0, 2, 2, 1));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 0, 0, 0, 2, 2, 2));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 0, 0, 0, 2, 1, 1));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 0, 0, 0, 2, 0, 1));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 0, 0, 0, 0, 0, 2, 2, 1));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 0, UINT64_MAX, 0, 2, 2, 1));
  CASE(fill(r, 0, 12, 3));
  CASE(fill(r, 0, 0, 0));
  CASE(fill(r, 0, 256, 256));
  CASE(fill(r, 2, 4, 4));
  CASE(fill(r, 0, 6, 4));
  CASE(fill(r, 64, 4, 4));
  CASE(raw_mixed(r, CAPTURE_FILL_IMAGE, 1, (const uint32_t[]){3}, WIDE(0, 0, 0, 3, 1, 1, 0, 0)));
  CASE(raw_mixed(r, CAPTURE_FILL_IMAGE, 1, (const uint32_t[]){3}, WIDE(0, 0, 0, 1, 1, 1, 0)));
  return false;
}

static bool wrong_copy(raw *r, int n) {
  CASE(COPY(CAPTURE_COPY, 5, 0, 0, 0, 4));
  CASE(COPY(CAPTURE_COPY, 0, 5, 0, 0, 4));
  CASE(COPY(CAPTURE_COPY, 0, 3, 0, 0, 4));
  CASE(COPY(CAPTURE_COPY, 0, 2, 61, 0, 4));
  CASE(COPY(CAPTURE_COPY, 0, 2, 0, 29, 4));
  CASE(COPY(CAPTURE_COPY_RECT, 0, 1, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1, 8, 6, 12));
  CASE(COPY(CAPTURE_COPY_RECT, 0, 1, 0, 0, 0, 0, 0, 0, 2, 2, 1, 4, 8, 6, 11));
  CASE(COPY(CAPTURE_COPY_RECT, 0, 1, 0, 0, 0, 0, 0, 6, 2, 2, 1, 4, 8, 6, 12));
  CASE(COPY(CAPTURE_COPY_RECT, 0, 4, 0, 0, 0, 0, 0, 0, 2, 2, 1, 4, 8, 6, 12));
  CASE(COPY(CAPTURE_COPY_IMAGE, 4, 3, 15, 0, 0, 0, 1, 0, 2, 1, 1));
  CASE(COPY(CAPTURE_COPY_IMAGE, 4, 3, 0, 0, 0, 1, 1, 0, 2, 1, 1));
  CASE(COPY(CAPTURE_COPY_IMAGE, 6, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1)); /* of other sizes */
  CASE(COPY(CAPTURE_COPY_IMAGE, 0, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1));
  CASE(COPY(CAPTURE_COPY_IMAGE_TO_BUFFER, 3, 0, 0, 1, 0, 2, 1, 1, 57));
  CASE(COPY(CAPTURE_COPY_IMAGE_TO_BUFFER, 3, 0, 1, 1, 0, 2, 1, 1, 0));
  CASE(COPY(CAPTURE_COPY_IMAGE_TO_BUFFER, 0, 0, 0, 0, 0, 1, 1, 1, 0));
  CASE(COPY(CAPTURE_COPY_BUFFER_TO_IMAGE, 0, 6, 33, 1, 0, 0, 1, 2, 1));
  CASE(COPY(CAPTURE_COPY_BUFFER_TO_IMAGE, 0, 6, 0, 2, 0, 0, 1, 2, 1));
  CASE(COPY(CAPTURE_COPY_BUFFER_TO_IMAGE, 3, 6, 0, 0, 0, 0, 1, 1, 1));
  CASE(COPY(CAPTURE_COPY, 0, 2, 0, 0, 4, 0)); /* a number more than there should be */
  CASE(COPY(CAPTURE_COPY, 0, 2, 0, 0));
  return false;
}

static void read_of(raw *r, uint32_t kind, uint32_t memory, size_t count, const uint64_t *numbers, uint32_t known) {
  raw_mixed(r, kind, 1, &memory, count, numbers);
  raw_u32(r, known);
  raw_u64(r, 0);
  raw_u64(r, 0);
  raw_end(r);
}

static bool wrong_read(raw *r, int n) {
  CASE(read_of(r, CAPTURE_READ, 0, WIDE(1, 64), 1));
  CASE(read_of(r, CAPTURE_READ, 5, WIDE(0, 4), 1));
  CASE(read_of(r, CAPTURE_READ, 0, WIDE(0, 64), 2));
  CASE(read_of(r, CAPTURE_READ, 3, WIDE(0, 4), 1));
  CASE(read_of(r, CAPTURE_READ_RECT, 0, WIDE(0, 0, 0, 4, 4, 1, 3, 16), 1));
  CASE(read_of(r, CAPTURE_READ_RECT, 0, WIDE(0, 0, 4, 4, 4, 1, 4, 16), 1));
  CASE(read_of(r, CAPTURE_READ_IMAGE, 3, WIDE(0, 0, 0, 2, 3, 1), 1));
  CASE(read_of(r, CAPTURE_READ_IMAGE, 0, WIDE(0, 0, 0, 1, 1, 1), 1));
  return false;
}

static void include(raw *r, const char *path, const char *text) {
  raw_begin(r, INCLUDE);
  raw_string(r, path);
  raw_string(r, text);
  raw_end(r);
}

/* Files that a replay must not write to, and records that are none of a file. */
static bool wrong_include(raw *r, int n) {
  CASE(include(r, "", ""));
  CASE(include(r, "a.h", ""));
  CASE(include(r, "../a.h", ""));
  CASE(include(r, "/", ""));
  CASE(include(r, "//a.h", ""));
  CASE(include(r, "/home//a.h", ""));
  CASE(include(r, "/home/a.h/", ""));
  CASE(include(r, "/../a.h", ""));
  CASE(include(r, "/home/../../a.h", ""));
  CASE(include(r, "/home/./a.h", ""));
  CASE(include(r, "/home/..", ""));
  CASE(string_record(r, INCLUDE, "/a.h"));
  CASE(NUMBERS(INCLUDE, 0, 0, 0));
  CASE(string_record(r, UNSUITABLE, "a reason"); include(r, "/a.h", ""));
  return false;
}

#define CALL_OF(...) raw_call(r, (const uint32_t[]){__VA_ARGS__}, (const uint64_t[]){0, 0, 0}, 0, NULL)
#define QUEUES NUMBERS(QUEUE, 1)

/* Calls, and what they are about: there is no queue and no event before. */
static bool wrong_call(raw *r, int n) {
  static const uint64_t none[3], beyond[3] = {1, 60, 8};
  CASE(NUMBERS(QUEUE, 2));
  CASE(NUMBERS(QUEUE, 1, 1));
  CASE(NUMBERS(CALL, 0));
  CASE(CALL_OF(0, 0, NONE, 0, NONE, NONE));
  CASE(CALL_OF(27, 0, NONE, 0, NONE, NONE));
  CASE(CALL_OF(22, 0, 0, 0, NONE, NONE));
  CASE(QUEUES; CALL_OF(22, 0, 1, 0, NONE, NONE));
  CASE(QUEUES; CALL_OF(22, 0, 0, 2, NONE, NONE));
  CASE(QUEUES; CALL_OF(22, 0, 0, 0, NONE, 0));
  CASE(CALL_OF(24, 0, NONE, 0, 1, NONE));
  CASE(CALL_OF(24, 0, NONE, 0, 0, NONE); CALL_OF(24, 0, NONE, 0, 0, NONE));
  CASE(raw_call(r, (const uint32_t[]){23, 0, NONE, 0, NONE, NONE}, none, 1, (const uint32_t[]){0}));
  CASE(raw_call(r, (const uint32_t[]){24, 0, NONE, 0, 0, NONE}, none, 1, (const uint32_t[]){0}));
  CASE(QUEUES; CALL_OF(16, 0, 0, 0, NONE, NONE));
  CASE(QUEUES; CALL_OF(16, 0, 0, 0, NONE, 5));
  CASE(QUEUES; raw_call(r, (const uint32_t[]){16, 0, 0, 0, NONE, 0}, beyond, 0, NULL));
  CASE(QUEUES; raw_call(r, (const uint32_t[]){17, 0, 0, 0, NONE, 3}, beyond, 0, NULL));
  CASE(QUEUES; CALL_OF(1, 0, 0, 0, NONE, NONE));
  CASE(QUEUES; CALL_OF(1, 0, 0, 0, NONE, NONE); fill(r, 62, 2, 1));
  CASE(QUEUES; CALL_OF(1, 0, 0, 0, NONE, NONE); CALL_OF(22, 0, 0, 0, NONE, NONE); launch(r, 0));
  CASE(raw_begin(r, CALL); raw_u32(r, 22); raw_end(r));
  CASE(raw_begin(r, CALL); for (int i = 0; i < 6; i++) raw_u32(r, i == 0 ? 23 : NONE); raw_end(r));
  return false;
}

/* Records that are not what a stream is made of. */
static bool wrong_record(raw *r, int n) {
  CASE(NUMBERS(0, 0));
  CASE(NUMBERS(CAPTURE_KINDS, 0));
  CASE(NUMBERS(99, 0));
  CASE(NUMBERS(108, 0));
  CASE(NUMBERS(UINT32_MAX, 0));
  CASE(raw_device(r));
  CASE(string_record(r, START, "again"));
  CASE(string_record(r, UNSUITABLE, "a reason"); string_record(r, UNSUITABLE, "another"));
  CASE(string_record(r, UNSUITABLE, "a reason"); buffer_of(r, 0, 8, NONE));
  CASE(string_record(r, UNSUITABLE, "a reason"); raw_blob(r, 1, 8));
  CASE(raw_mixed(r, END, 0, NULL, WIDE(r->commands, r->blobs + 1)));
  CASE(raw_mixed(r, END, 0, NULL, WIDE(r->commands - 1, r->blobs)));
  CASE(raw_mixed(r, END, 0, NULL, WIDE(r->commands, r->blobs, 0)));
  CASE(raw_mixed(r, END, 0, NULL, WIDE(r->commands)));
  CASE(raw_begin(r, UNSUITABLE); raw_u32(r, 9); raw_bytes(r, "shorter", 7); raw_end(r));
  CASE(raw_finish(r); raw_bytes(r, "x", 1));
  return false;
}

/* Records that are cut off: the file ends within them. */
static bool cut_record(raw *r, int n) {
  CASE(header(r, BLOB, UINT64_MAX));
  CASE(header(r, BLOB, HUGE_));
  CASE(header(r, BLOB, 1 << 30));
  CASE(header(r, CAPTURE_BUFFER, 20));
  CASE(header(r, CAPTURE_PROGRAM, 1 << 30));
  return false;
}

/* All of these are right, many just so. */
static bool right_record(raw *r, int n) {
  CASE(buffer_of(r, CL_MEM_READ_WRITE, MOST - 1, NONE));
  CASE(buffer_of(r, 0, 16, 0));
  CASE(sub_buffer(r, 0, 0, 0, 64));
  CASE(sub_buffer(r, 0, 0, 63, 1));
  CASE(image_of(r, flat()));
  CASE(IMAGE(i.blob = 0));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE1D; i.height = 0; i.width = 4; i.blob = 0));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE1D_ARRAY; i.height = 0; i.layers = 2; i.blob = 0));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE2D_ARRAY; i.layers = 4; i.blob = 1));
  CASE(IMAGE(i.type = CL_MEM_OBJECT_IMAGE3D; i.depth = 4; i.blob = 1));
  CASE(IMAGE(i.data_type = CL_HALF_FLOAT; i.order = CL_RG; i.blob = 0));
  CASE(IMAGE(i.data_type = CL_UNORM_SHORT_565; i.order = CL_RGB; i.width = 4; i.blob = 0));
  CASE(IMAGE(i.data_type = CL_UNORM_INT_101010; i.order = CL_RGBx; i.blob = 0));
  CASE(IMAGE(i.data_type = CL_UNORM_INT_101010_2; i.blob = 0));
  CASE(IMAGE(i.buffer = 0; i.pitch = 56));
  CASE(IMAGE(i.buffer = 0; i.height = 8));
  CASE(IMAGE(i.buffer = 0; i.type = CL_MEM_OBJECT_IMAGE1D_BUFFER; i.height = 0; i.width = 16));
  CASE(IMAGE(i.buffer = 2));
  CASE(NUMBERS(CAPTURE_SAMPLER, 0, CL_ADDRESS_NONE, CL_FILTER_NEAREST));
  CASE(program(r, 0, "", 1, 0));
  CASE(program(r, 1, "-x", 3, 2));
  CASE(NUMBERS(CAPTURE_KERNEL, 0, 1); raw_bytes(r, "k", 1); raw_end(r));
  CASE(NUMBERS(CAPTURE_CLONE, 1));
  CASE(NUMBERS(CAPTURE_RELEASE_KERNEL, 0));
  CASE(ARGUMENT(0, 4095, CAPTURE_LOCAL, NONE, 4));
  CASE(ARGUMENT(0, 0, CAPTURE_VALUE, NONE, 4); raw_u32(r, 0); raw_end(r));
  CASE(ARGUMENT(0, 0, CAPTURE_MEMORY, 6, 0));
  CASE(ARGUMENT(0, 0, CAPTURE_SAMPLE, 0, 0));
  CASE(LAUNCH(0, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 1, 1, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 0));
  CASE(LAUNCH(0, 2, 0, 1, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0));
  CASE(LAUNCH(0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0));
  CASE(write_of(r, 0, 48, 16, 0));
  CASE(raw_blob(r, 0, 0); write_of(r, 0, 64, 0, 2));
  CASE(AREA(CAPTURE_WRITE_RECT, 0, 0, 4, 2, 1, 4, 2, 2, 8, 16));
  CASE(AREA(CAPTURE_WRITE_IMAGE, 3, 0, 0, 0, 0, 2, 2, 1));
  CASE(fill(r, 0, 64, 64));
  CASE(fill(r, 62, 2, 1));
  CASE(raw_mixed(r, CAPTURE_FILL_IMAGE, 1, (const uint32_t[]){3}, WIDE(1, 1, 0, 1, 1, 1, 0, 0)));
  CASE(COPY(CAPTURE_COPY, 0, 2, 60, 28, 4));
  CASE(COPY(CAPTURE_COPY_RECT, 0, 1, 0, 0, 0, 0, 0, 0, 2, 2, 1, 4, 8, 6, 12));
  CASE(COPY(CAPTURE_COPY_IMAGE, 4, 3, 14, 0, 0, 0, 1, 0, 2, 1, 1));
  CASE(COPY(CAPTURE_COPY_IMAGE_TO_BUFFER, 3, 0, 0, 1, 0, 2, 1, 1, 56));
  CASE(COPY(CAPTURE_COPY_BUFFER_TO_IMAGE, 0, 6, 32, 1, 0, 0, 1, 2, 1));
  CASE(read_of(r, CAPTURE_READ, 0, WIDE(0, 64), 0));
  CASE(read_of(r, CAPTURE_READ_RECT, 0, WIDE(0, 0, 3, 4, 4, 1, 4, 16), 1));
  CASE(read_of(r, CAPTURE_READ_IMAGE, 3, WIDE(0, 0, 0, 2, 2, 1), 1));
  CASE(release(r, 4); release(r, 1); release(r, 2); release(r, 0));
  CASE(argument(r, 0, 0, CAPTURE_MEMORY, 2); release(r, 2); argument(r, 0, 0, CAPTURE_LOCAL, NONE); launch(r, 0));
  CASE(string_record(r, UNSUITABLE, "a reason"));
  CASE(CALL_OF(26, 7, NONE, 0, NONE, NONE));
  CASE(QUEUES; CALL_OF(9, 0, 0, 0, 0, NONE); fill(r, 62, 2, 1));
  CASE(QUEUES; CALL_OF(1, 0, 0, 0, NONE, NONE); string_record(r, UNSUITABLE, "a reason"));
  CASE(raw_call(r, (const uint32_t[]){16, 0, NONE, 0, NONE, 0}, (const uint64_t[]){1, 60, 4}, 0, NULL));
  CASE(include(r, "/a.h", ""));
  CASE(include(r, "/home/...a/.b/..c", "text"); buffer_of(r, 0, 16, NONE));
  return false;
}

static const struct group {
  const char *name;
  bool (*capture_put)(raw *r, int n);
  const char *says;
} groups[] = {
    {"memory", wrong_memory, "is damaged"},     {"image", wrong_image, "is damaged"},
    {"kernel", wrong_kernel, "is damaged"},     {"launch", wrong_launch, "is damaged"},
    {"transfer", wrong_transfer, "is damaged"}, {"copy", wrong_copy, "is damaged"},
    {"read", wrong_read, "is damaged"},         {"record", wrong_record, "is damaged"},
    {"call", wrong_call, "is damaged"},         {"include", wrong_include, "is damaged"},
    {"cut", cut_record, "is cut off"},
};

/* It is refused in a sentence that names the file, says this and what to do. */
static void check_refused(const char *path, const char *says, const char *name, int n) {
  capture c;
  error e = {0};
  if (capture_read(path, &c, &e) == 0) fail_msg("%s %d is taken", name, n);
  assert_int_equal(e.code, EXIT_USAGE);
  if (!strstr(e.text, says) || !strstr(e.text, path) || !strchr(e.text, ';')) fail_msg("%s %d: %s", name, n, e.text);
  assert_int_equal(c.command_count + c.blob_count, 0);
}

static void test_wrong(void **state) {
  (void)state;
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
    for (int n = 0;; n++) {
      raw r = {0};
      raw_world(&r);
      bool there = groups[g].capture_put(&r, n);
      bool ended = groups[g].capture_put == wrong_record || groups[g].capture_put == cut_record;
      if (there) {
        if (!ended) raw_finish(&r);
        capture_put(&r);
        check_refused(capture_file, groups[g].says, groups[g].name, n);
        file_put_packed(capture_packed, &r);
        check_refused(capture_packed, groups[g].says, groups[g].name, n);
        error e = {0};
        assert_int_equal(capture_pack(capture_file, capture_packed, &e), -1);
      }
      buffer_free(&r.bytes);
      if (!there) break;
    }
}

static void test_right(void **state) {
  (void)state;
  for (int n = 0;; n++) {
    raw r = {0};
    capture c;
    error e = {0};
    raw_world(&r);
    bool there = right_record(&r, n);
    raw_finish(&r);
    capture_put(&r);
    buffer_free(&r.bytes);
    if (capture_read(capture_file, &c, &e) != 0) fail_msg("%d: %s", n, e.text);
    capture_free(&c);
    if (!there) break;
  }
}

/* A command on the device, and the device is not known. */
static void test_no_device(void **state) {
  raw r = {0};
  (void)state;
  raw_start(&r);
  raw_blob(&r, 1, 16);
  buffer_of(&r, 0, 16, NONE);
  write_of(&r, 0, 0, 16, 0);
  raw_finish(&r);
  capture_put(&r);
  check_refused(capture_file, "its device is not known", "no device", 0);
  buffer_free(&r.bytes);
}

static void test_beginnings(void **state) {
  raw r = {0};
  capture c;
  error e = {0};
  (void)state;
  raw_bytes(&r, "CLTCCAPr", 8);
  raw_device(&r);
  capture_put(&r);
  check_refused(capture_file, "does not begin as a capture", "no start", 0);
  buffer_free(&r.bytes);
  raw_bytes(&r, "CLTCCAPr", 8);
  raw_begin(&r, START);
  raw_u32(&r, 7);
  raw_end(&r);
  capture_put(&r);
  check_refused(capture_file, "is of version 7", "version", 0);
  buffer_free(&r.bytes);
  file_put(capture_file, "", 0);
  check_refused(capture_file, "no capture", "empty", 0);
  file_put(capture_file, "CLTCCAPx________", 16);
  check_refused(capture_file, "no capture", "magic", 0);
  check_refused(capture_folder, "no capture", "folder", 0);
  assert_int_equal(unlink(capture_file), 0);
  assert_int_equal(capture_read(capture_file, &c, &e), -1);
  assert_non_null(strstr(e.text, "No such file"));
}

/* Headers of frames: how long, with which window. */
static void test_frames(void **state) {
  unsigned char frame[64] = "CLTCCAPz\x28\xB5\x2F\xFD";
  (void)state;
  frame[12] = 0xC0;
  frame[13] = 0x50; /* a window of 1 MiB */
  frame[14 + 5] = 1;
  file_put(capture_packed, frame, sizeof frame);
  check_refused(capture_packed, "more than any does", "1 TiB", 0);
  frame[14 + 5] = 0;
  frame[14 + 3] = 1;
  frame[13] = 0xA0; /* of 1 GiB */
  file_put(capture_packed, frame, sizeof frame);
  check_refused(capture_packed, "is damaged", "window", 0);
  frame[12] = 0; /* it does not say how long */
  file_put(capture_packed, frame, sizeof frame);
  check_refused(capture_packed, "does not say how large", "no length", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong),      cmocka_unit_test(test_right),  cmocka_unit_test(test_no_device),
      cmocka_unit_test(test_beginnings), cmocka_unit_test(test_frames),
  };
  return cmocka_run_group_tests(tests, capture_set_up, capture_tear_down);
}
