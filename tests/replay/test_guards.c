/* Guard zones: a kernel that writes a little outside of a buffer is noticed, and harms nothing. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { ITEMS = 61, SIZE = ITEMS * 4, MANY = 1100 };

static const char source[] =
    "__kernel void store(__global int *to, int at, int value) { to[at] = value; }\n"
    "__kernel void around(__global int *to, __global const int *from, int n) {\n"
    "  to[0] = from[-1]; to[1] = from[n]; to[2] = (int)((size_t)from & 127); to[3] = (int)((size_t)to & 127);\n"
    "}\n";

/* Writes 5 into the buffer at this place and reads it; the last read is of what was around it before. */
static script store_at(int at, size_t buffers) {
  int inside[ITEMS] = {0};
  script s = {0};
  const uint32_t program = script_program(&s, source, ""), store = script_kernel(&s, program, "store");
  const uint32_t look = script_kernel(&s, program, "around");
  const uint32_t other = script_buffer(&s, CL_MEM_READ_WRITE, SIZE, inside);
  const uint32_t memory = script_buffer(&s, CL_MEM_READ_WRITE, SIZE, inside);
  const uint32_t out = script_buffer(&s, CL_MEM_READ_WRITE, 16, NULL);
  for (size_t i = 3; i < buffers; i++) (void)script_buffer(&s, CL_MEM_READ_WRITE, 16, NULL);
  script_memory(&s, look, 0, out);
  script_memory(&s, look, 1, memory);
  script_int(&s, look, 2, ITEMS);
  script_launch(&s, look, 1, 1);
  script_memory(&s, store, 0, memory);
  script_int(&s, store, 1, at);
  script_int(&s, store, 2, 5);
  script_launch(&s, store, 1, 1);
  if (at >= 0 && at < ITEMS) inside[at] = 5;
  script_read(&s, memory, 0, SIZE, inside);
  memset(inside, 0, sizeof inside);
  script_read(&s, other, 0, SIZE, inside);
  script_read(&s, out, 0, 16, NULL);
  return s;
}

static const unsigned char fillings[] = {0, 0, 0x7f, 0x7f, 0};

static void stores(int at, size_t buffers, bool escapes, const replay_options *o) {
  script s = store_at(at, buffers);
  replay *r = open_script(&s, o);
  for (size_t turn = 0; turn < sizeof fillings; turn++) {
    const replay_turn what = {.setup = 1, .keep = true, .filling = fillings[turn]};
    unsigned char around[16] = {0};
    replay_result result;
    memset(around, fillings[turn], 8);
    const outcome done = do_turn(r, &what, NULL, &result);
    assert_int_equal(done.wrong, 0);
    assert_memory_equal(done.bytes, around, sizeof around); /* nothing is left of what the turn before stored there */
    assert_int_equal(result.escaped, escapes);
  }
  replay_close(r);
  script_free(&s);
}

/* Memory that nobody has written holds the turn's filling, whatever the turn before left there. */
static void fresh_memory(void **state) {
  (void)state;
  script s = {0};
  const uint32_t program = script_program(&s, source, ""), store = script_kernel(&s, program, "store");
  const uint32_t memory = script_buffer(&s, CL_MEM_READ_WRITE, SIZE, NULL);
  script_memory(&s, store, 0, memory);
  script_int(&s, store, 1, 7);
  script_int(&s, store, 2, 5);
  script_launch(&s, store, 1, 1);
  script_read(&s, memory, 0, 16, NULL);
  replay *r = open_script(&s, NULL);
  for (size_t turn = 0; turn < sizeof fillings; turn++) {
    const replay_turn what = {.setup = 1, .keep = true, .filling = fillings[turn]};
    unsigned char wanted[16];
    replay_result result;
    memset(wanted, fillings[turn], sizeof wanted);
    const outcome done = do_turn(r, &what, NULL, &result);
    assert_int_equal(done.wrong, 0);
    assert_memory_equal(done.bytes, wanted, sizeof wanted);
  }
  replay_close(r);
  script_free(&s);
}

static const struct {
  int at;
  bool escapes;
} places[] = {{0, false},        {ITEMS - 1, false},    {-1, true},     {ITEMS, true},
              {ITEMS + 1, true}, {ITEMS + 16383, true}, {-16384, true}, {ITEMS + 2, true}};

static void everywhere(const replay_options *o) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) stores(places[i].at, 3, places[i].escapes, o);
}

static void before_and_behind(void **state) {
  (void)state;
  everywhere(NULL);
}

static void on_discrete_devices(void **state) {
  const replay_options discrete = {.discrete = true};
  (void)state;
  everywhere(&discrete);
}

static void with_little_memory(void **state) {
  const replay_options little = {.memory = 1};
  (void)state;
  everywhere(&little);
}

static void among_many_buffers(void **state) {
  const replay_options discrete = {.discrete = true};
  (void)state;
  stores(-1, MANY, true, NULL);
  stores(ITEMS + 1023, MANY, true, NULL);
  stores(ITEMS, MANY, true, &discrete);
  stores(3, MANY, false, NULL);
}

/* Many exposed buffers are looked at in several goes; the last one is broken. */
static void many_at_once(void **state) {
  const replay_options tries[] = {{0}, {.discrete = true}};
  (void)state;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    script s = {0};
    const uint32_t store = script_kernel(&s, script_program(&s, source, ""), "store");
    for (int number = 0; number < 50; number++) {
      script_memory(&s, store, 0, script_buffer(&s, CL_MEM_READ_WRITE, SIZE, NULL));
      script_int(&s, store, 1, number == 49 ? -1 : 0);
      script_int(&s, store, 2, 1);
      script_launch(&s, store, 1, 1);
    }
    replay *r = open_script(&s, &tries[i]);
    const replay_turn what = {.setup = 1, .keep = true};
    replay_result result;
    (void)do_turn(r, &what, NULL, &result);
    assert_true(result.escaped);
    replay_close(r);
    script_free(&s);
  }
}

/* A buffer for which there is no room with zones has none. */
static void without_zones(void **state) {
  (void)state;
  script s = store_at(3, 3);
  seen.refused_above = 64 << 10;
  seen.refused = 3;
  replay *r = open_script(&s, NULL);
  assert_int_equal(seen.refused, 0);
  const replay_turn what = {.setup = 1, .keep = true};
  replay_result result;
  assert_int_equal(do_turn(r, &what, NULL, &result).reads, 3);
  assert_false(result.escaped);
  replay_close(r);
  script_free(&s);
}

int test_guards(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fresh_memory),       cmocka_unit_test(before_and_behind),  cmocka_unit_test(on_discrete_devices),
      cmocka_unit_test(with_little_memory), cmocka_unit_test(among_many_buffers), cmocka_unit_test(many_at_once),
      cmocka_unit_test(without_zones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
