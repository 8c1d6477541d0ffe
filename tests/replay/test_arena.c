/* The address space of buffers on a CPU device, and kernels that leave it. */
#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "checks.h"
#include "replay/arena.h"

enum { PAGE = 4096, FILLING = 0x7f };
#define MIB ((size_t)1 << 20)

static const size_t sizes[] = {100, 3 * 65536, 0, PAGE + 1};
enum { PLACES = sizeof sizes / sizeof *sizes };

static void places(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  assert_non_null(a);
  for (size_t i = 0; i < PLACES; i++) {
    unsigned char *at = arena_place(a, i);
    if (sizes[i] == 0) {
      assert_null(at);
      continue;
    }
    assert_non_null(at);
    assert_int_equal((uintptr_t)at % PAGE, 0);
    for (size_t b = 0; b < sizes[i]; b++) assert_int_equal(at[b], 0);
    memset(at, 1, sizes[i]);
  }
  arena_close(a);
}

static void no_room(void **state) {
  (void)state;
  const size_t much[] = {(size_t)1 << 60}, together[] = {(size_t)9 << 40, (size_t)9 << 40};
  assert_null(arena_open(much, 1));
  assert_null(arena_open(together, 2));
}

static void areas(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  const uintptr_t at = (uintptr_t)arena_place(a, 1);
  const struct {
    uintptr_t address;
    arena_area area;
  } wanted[] = {
      {at, ARENA_NEAR},
      {at - 1, ARENA_NEAR},
      {at - ARENA_NEARNESS, ARENA_NEAR},
      {at - ARENA_NEARNESS - 1, ARENA_FAR},
      {at + sizes[1] + ARENA_NEARNESS - 1, ARENA_NEAR},
      {at + sizes[1] + ARENA_NEARNESS, ARENA_FAR},
      {at - (size_t)64 * 1024 * MIB, ARENA_FAR},
      {at + (size_t)64 * 1024 * MIB, ARENA_FAR},
      {(uintptr_t)state, ARENA_ELSEWHERE},
      {1, ARENA_ELSEWHERE},
      {UINTPTR_MAX, ARENA_ELSEWHERE},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    assert_int_equal(arena_find(a, wanted[i].address), wanted[i].area);
    assert_int_equal(arena_find(NULL, wanted[i].address), ARENA_ELSEWHERE);
  }
  arena_close(a);
}

/* Whole pages that hold the address and nothing of the places, wherever it is around them. */
static void pages(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  for (size_t i = 0; i < PLACES; i++) {
    const uintptr_t begin = (uintptr_t)arena_place(a, i);
    const uintptr_t end = begin + (sizes[i] + PAGE - 1) / PAGE * PAGE;
    for (uintptr_t distance = 1; begin != 0 && distance < 3 * 65536; distance += 4095) {
      const uintptr_t tried[] = {begin - distance, end + distance - 1};
      for (size_t t = 0; t < 2; t++) {
        size_t size = 0;
        const uintptr_t from = (uintptr_t)arena_pages(a, tried[t], &size);
        assert_true(from % PAGE == 0 && size % PAGE == 0);
        assert_true(from <= tried[t] && tried[t] < from + size);
        assert_true(from + size <= begin || from >= end);
      }
    }
  }
  arena_close(a);
}

static void mended(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  unsigned char *at = arena_place(a, 1);
  volatile unsigned char *near = at + sizes[1] + 70000, *far = at - 512 * MIB;
  memset(at, 1, sizes[1]);
  for (int turn = 0; turn < 3; turn++) { /* nothing stays from one to the next */
    faults_begin(a, FILLING);
    assert_int_equal(*near, FILLING);
    faults left = faults_end();
    assert_true(left.near && !left.far && !left.foreign && !left.written);
    faults_begin(a, FILLING);
    *near = 5;
    assert_int_equal(*near, 5);
    left = faults_end();
    assert_true(left.near && !left.far && !left.foreign && left.written);
    faults_begin(a, FILLING);
    assert_int_equal(*far, 0);
    left = faults_end();
    assert_true(!left.near && left.far && !left.foreign && !left.written);
    faults_begin(a, FILLING);
    *far = 5;
    left = faults_end();
    assert_true(!left.near && left.far && !left.foreign && left.written);
    faults_begin(a, FILLING);
    left = faults_end();
    assert_true(!left.near && !left.far && !left.foreign && !left.written);
  }
  assert_true(at[0] == 1 && memcmp(at, at + 1, sizes[1] - 1) == 0);
  arena_close(a);
}

enum { READERS = 4, STEP = 64, STEPS = 256 };

static atomic_int waiting;

/* Reads pages at the same time as others; gives how many bytes were not the filling's. */
static void *look_around(void *data) {
  const volatile unsigned char *near = data;
  intptr_t other = 0;
  for (int round = 0; round < STEPS; round++) {
    atomic_fetch_add(&waiting, 1);
    while (atomic_load(&waiting) < READERS * (round + 1)) {
    }
    other += near[(size_t)round * PAGE * STEP] != FILLING;
  }
  return (void *)other; /* NOLINT: a number */
}

/* No thread finds anything else, even where several are the first to come. */
static void together(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  unsigned char *at = arena_place(a, 1);
  pthread_t threads[READERS];
  atomic_store(&waiting, 0);
  faults_begin(a, FILLING);
  for (size_t i = 0; i < READERS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, look_around, at + sizes[1] + (1 << 20)), 0);
  for (size_t i = 0; i < READERS; i++) {
    void *other = NULL;
    (void)pthread_join(threads[i], &other);
    assert_null(other);
  }
  const faults left = faults_end();
  assert_true(left.near && !left.written);
  arena_close(a);
}

static void foreign(void **state) {
  (void)state;
  arena *a = arena_open(sizes, PLACES);
  volatile unsigned char *reserved = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  faults_begin(a, FILLING);
  assert_int_equal(*reserved, 0);
  const faults left = faults_end();
  assert_true(!left.near && left.far && left.foreign);
  (void)munmap((void *)(uintptr_t)reserved, PAGE);
  arena_close(a);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static const char source[] =
    "__kernel void store(__global int *to, long at) { to[at] = 5; }\n"
    "__kernel void load(__global int *to, __global const int *from, long at) { to[0] = from[at]; }\n";

static void begin(uint64_t reads) { (void)reads; }
static bool over(void) { return false; }
static const replay_functions functions = {.begin = begin, .over = over};

/* Loads (and stores) so many ints from a buffer's begin, turn after turn: the worker stays fit for others. */
static void leaves(int64_t at, bool stores, bool faulted) {
  int inside[4] = {1, 2, 3, 4};
  script s = {0};
  const uint32_t program = script_program(&s, source, "");
  const uint32_t store = script_kernel(&s, program, "store"), load = script_kernel(&s, program, "load");
  const uint32_t memory = script_buffer(&s, CL_MEM_READ_WRITE, sizeof inside, inside);
  const uint32_t out = script_buffer(&s, CL_MEM_READ_WRITE, 16, NULL);
  script_memory(&s, load, 0, out);
  script_memory(&s, load, 1, memory);
  script_value(&s, load, 2, &at, sizeof at);
  script_launch(&s, load, 1, 1);
  if (stores) {
    script_memory(&s, store, 0, memory);
    script_value(&s, store, 1, &at, sizeof at);
    script_launch(&s, store, 1, 1);
  }
  script_read(&s, memory, 0, sizeof inside, inside);
  script_read(&s, out, 0, 16, NULL);
  replay *r = open_script(&s, NULL);
  for (int turn = 0; turn < 4; turn++) {
    const replay_turn what = {.setup = 1, .keep = true, .filling = turn % 2 == 0 ? 0 : FILLING};
    unsigned char around[4];
    replay_result result;
    memset(around, what.filling, sizeof around);
    const outcome done = do_turn(r, &what, &functions, &result);
    assert_int_equal(done.wrong, 0);
    if (!faulted) assert_memory_equal(done.bytes, around, sizeof around);
    assert_int_equal(result.escaped, stores);
    assert_int_equal(result.faulted, faulted);
    assert_false(result.spoiled);
  }
  replay_close(r);
  script_free(&s);
}

static void turns(void **state) {
  (void)state;
  for (int stores = 0; stores < 2; stores++) {
    leaves(-1, stores == 1, false);
    leaves(100000, stores == 1, false);
    leaves(-100000, stores == 1, false);
    leaves((int64_t)1 << 34, stores == 1, true); /* 64 GiB */
    leaves(-((int64_t)1 << 34), stores == 1, true);
  }
}

int test_arena(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places), cmocka_unit_test(no_room),  cmocka_unit_test(areas),   cmocka_unit_test(pages),
      cmocka_unit_test(mended), cmocka_unit_test(together), cmocka_unit_test(foreign), cmocka_unit_test(turns),
  };
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
