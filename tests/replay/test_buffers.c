/* Buffers and sub-buffers: what is written, filled, copied and read. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { SIZE = 4096, ODD = 333 };

static void numbers(unsigned char *bytes, size_t size, unsigned first) {
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(first + i * 7 + i / 251);
}

static void first_contents(void **state) {
  unsigned char bytes[ODD], zeros[ODD] = {0};
  script s = {0};
  (void)state;
  numbers(bytes, ODD, 1);
  const uint32_t with = script_buffer(&s, CL_MEM_READ_ONLY, ODD, bytes);
  const uint32_t without = script_buffer(&s, CL_MEM_READ_WRITE, ODD, NULL);
  script_read(&s, with, 0, ODD, bytes);
  script_read(&s, with, 100, 200, bytes + 100);
  script_read(&s, without, 0, ODD, zeros);
  expect_turns(&s, 2);
}

static void writes(void **state) {
  unsigned char whole[SIZE], part[ODD], sum[SIZE] = {0};
  script s = {0};
  (void)state;
  numbers(whole, SIZE, 5);
  numbers(part, ODD, 9);
  const uint32_t all = script_buffer(&s, 0, SIZE, NULL), some = script_buffer(&s, 0, SIZE, NULL);
  script_write(&s, all, 0, whole, SIZE);
  script_read(&s, all, 0, SIZE, whole);
  script_read(&s, some, 0, SIZE, sum); /* what an earlier turn wrote is gone */
  script_write(&s, some, 17, part, ODD);
  memcpy(sum + 17, part, ODD);
  script_read(&s, some, 0, SIZE, sum);
  expect_turns(&s, 3);
}

static void fills(void **state) {
  unsigned char pattern[128], sum[SIZE] = {0};
  script s = {0};
  (void)state;
  numbers(pattern, sizeof pattern, 3);
  for (uint32_t size = 1; size <= 128; size *= 2) {
    const uint32_t buffer = script_buffer(&s, 0, SIZE, NULL);
    memset(sum, 0, SIZE);
    for (size_t i = 0; i < 1024; i++) sum[256 + i] = pattern[i % size];
    script_fill(&s, buffer, 256, 1024, pattern, size);
    script_read(&s, buffer, 0, SIZE, sum);
  }
  expect_turns(&s, 2);
}

static void copies(void **state) {
  unsigned char from[SIZE], sum[SIZE] = {0};
  script s = {0};
  (void)state;
  numbers(from, SIZE, 8);
  const uint32_t a = script_buffer(&s, CL_MEM_READ_ONLY, SIZE, from), b = script_buffer(&s, 0, SIZE, NULL);
  script_copy(&s, a, b, 100, 2000, ODD);
  memcpy(sum + 2000, from + 100, ODD);
  script_read(&s, b, 0, SIZE, sum);
  script_copy(&s, b, b, 2000, 10, ODD);
  memcpy(sum + 10, sum + 2000, ODD);
  script_read(&s, b, 0, SIZE, sum);
  expect_turns(&s, 2);
}

/* A box of 5 bytes, 3 rows, 2 slices. */
enum { ROW = 16, SLICE = 96, BOX = 5 * 3 * 2 };

static size_t place(size_t x, size_t y, size_t z) { return z * SLICE + y * ROW + x; }

static void rectangles(void **state) {
  unsigned char bytes[SIZE], box[BOX], sum[SIZE], copied[SIZE] = {0};
  script s = {0};
  (void)state;
  numbers(bytes, SIZE, 2);
  numbers(box, BOX, 77);
  memcpy(sum, bytes, SIZE);
  const uint32_t a = script_buffer(&s, 0, SIZE, bytes), b = script_buffer(&s, 0, SIZE, NULL);
  const capture_command area = {.u.transfer = {.at = {.memory = a, .origin = {2, 1, 4}, .row = ROW, .slice = SLICE},
                                               .region = {5, 3, 2},
                                               .blob = CAPTURE_NONE}};
  size_t at = 0;
  for (size_t z = 4; z < 6; z++) {
    for (size_t y = 1; y < 4; y++) {
      for (size_t x = 2; x < 7; x++) {
        sum[place(x, y, z)] = box[at++];
        copied[(z - 4) * 50 + (y - 1) * 10 + x - 2 + 3] = sum[place(x, y, z)];
      }
    }
  }
  script_area(&s, CAPTURE_WRITE_RECT, &area, box, BOX);
  script_read(&s, a, 0, SIZE, sum);
  script_area(&s, CAPTURE_READ_RECT, &area, box, BOX);
  capture_command *copy = script_add(&s, CAPTURE_COPY_RECT);
  *copy = (capture_command){.kind = CAPTURE_COPY_RECT,
                            .u.transfer = {.at = {.memory = a, .origin = {2, 1, 4}, .row = ROW, .slice = SLICE},
                                           .to = {.memory = b, .origin = {3, 0, 0}, .row = 10, .slice = 50},
                                           .region = {5, 3, 2}}};
  script_read(&s, b, 0, SIZE, copied);
  expect_turns(&s, 2);
}

/* From a sub-buffer to the buffer that it is a part of, and to another one's. */
static void rectangles_of_parts(void **state) {
  unsigned char bytes[SIZE], sum[SIZE], other[ODD] = {0};
  script s = {0};
  (void)state;
  numbers(bytes, SIZE, 20);
  memcpy(sum, bytes, SIZE);
  const uint32_t whole = script_buffer(&s, 0, SIZE, bytes), part = script_sub_buffer(&s, whole, 0, 2048, 1024);
  const uint32_t second = script_sub_buffer(&s, script_buffer(&s, 0, SIZE, NULL), 0, 512, ODD);
  const uint32_t targets[] = {whole, second};
  for (size_t i = 0; i < 2; i++) {
    capture_command *copy = script_add(&s, CAPTURE_COPY_RECT);
    copy->u.transfer.at.memory = part;
    copy->u.transfer.to.memory = targets[i];
    copy->u.transfer.at.origin[0] = copy->u.transfer.to.origin[1] = 1;
    copy->u.transfer.region[0] = 7;
    copy->u.transfer.region[1] = 2;
    copy->u.transfer.region[2] = 1;
    copy->u.transfer.at.row = copy->u.transfer.to.row = 16;
    copy->u.transfer.at.slice = copy->u.transfer.to.slice = 160;
  }
  for (size_t y = 0; y < 2; y++) {
    memcpy(sum + (y + 1) * 16, bytes + 2048 + y * 16 + 1, 7);
    memcpy(other + (y + 1) * 16, bytes + 2048 + y * 16 + 1, 7);
  }
  script_read(&s, whole, 0, SIZE, sum);
  script_read(&s, second, 0, ODD, other);
  expect_turns(&s, 2);
}

static void sub_buffers(void **state) {
  unsigned char bytes[SIZE], part[ODD], sum[SIZE];
  script s = {0};
  (void)state;
  numbers(bytes, SIZE, 4);
  numbers(part, ODD, 40);
  memcpy(sum, bytes, SIZE);
  const uint32_t whole = script_buffer(&s, CL_MEM_READ_WRITE, SIZE, bytes);
  const uint32_t second = script_sub_buffer(&s, whole, CL_MEM_READ_ONLY, 1024, 1024);
  const uint32_t third = script_sub_buffer(&s, whole, 0, 2048, ODD);
  script_read(&s, second, 10, 500, sum + 1034);
  script_write(&s, third, 0, part, ODD);
  memcpy(sum + 2048, part, ODD);
  script_release_memory(&s, whole);
  script_copy(&s, third, second, 1, 2, 20);
  memcpy(sum + 1026, sum + 2049, 20);
  script_read(&s, second, 0, 1024, sum + 1024);
  script_release_memory(&s, second);
  script_read(&s, third, 0, ODD, part);
  script_release_memory(&s, third);
  expect_turns(&s, 3);
}

int test_buffers(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_contents), cmocka_unit_test(writes),     cmocka_unit_test(fills),
      cmocka_unit_test(copies),         cmocka_unit_test(rectangles), cmocka_unit_test(rectangles_of_parts),
      cmocka_unit_test(sub_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
