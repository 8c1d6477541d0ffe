/* From what runs of a mutant show to its status: the rules of docs/mutation.md, each as a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mutate/verdict.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A run counts once, for what was seen of it that says most. */
static void test_reason_of_a_run(void **state) {
  (void)state;
  static const struct {
    unsigned seen;
    uint32_t output, crash, timeout;
  } cases[] = {
      {0, 0, 0, 0},
      {MUTANT_SEEN_TIMEOUT, 0, 0, 1},
      {MUTANT_SEEN_DIVISION, 0, 1, 0},
      {MUTANT_SEEN_FAULT, 0, 1, 0},
      {MUTANT_SEEN_READ, 1, 0, 0},
      {MUTANT_SEEN_SIGNAL, 0, 1, 0},
      {MUTANT_SEEN_RESULT, 1, 0, 0},
      {MUTANT_SEEN_ESCAPE, 0, 1, 0},
      {MUTANT_SEEN_REFUSAL, 0, 1, 0},
      /* a run that was killed at its limit has shown less than the reference, and ended by a signal */
      {MUTANT_SEEN_TIMEOUT | MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 0, 0, 1},
      /* the kernel says that it divided by zero; what the host then reads is a consequence */
      {MUTANT_SEEN_DIVISION | MUTANT_SEEN_READ | MUTANT_SEEN_RESULT, 0, 1, 0},
      /* a program that is ended by us at the first other read is not one that crashed */
      {MUTANT_SEEN_READ | MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 1, 0, 0},
      /* a program that crashes itself has read less than the reference: that it crashed says more */
      {MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 0, 1, 0},
      {MUTANT_SEEN_RESULT | MUTANT_SEEN_ESCAPE, 1, 0, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    mutant_verdict v = {0};
    mutant_count_run(&v, cases[i].seen, i % 2 == 1);
    assert_int_equal(v.runs, 1);
    assert_int_equal(v.replayed, i % 2);
    assert_int_equal(v.output, cases[i].output);
    assert_int_equal(v.crash, cases[i].crash);
    assert_int_equal(v.timeout, cases[i].timeout);
  }
}

enum { LEAST = 3 };

/* {runs, output, crash, timeout, replayed}: whether it is settled when so many runs are asked for, and what replays
 * alone would say. */
static void test_settled(void **state) {
  (void)state;
  static const struct {
    mutant_verdict v;
    uint32_t asked;
    bool settled;
  } cases[] = {
      {{0, 0, 0, 0, 0}, 1, false}, {{1, 0, 0, 0, 0}, 1, true}, {{1, 1, 0, 0, 0}, 2, false},
      {{2, 1, 0, 0, 0}, 5, true}, /* undecided already */
      {{4, 2, 1, 1, 0}, 5, false}, {{5, 2, 2, 1, 0}, 5, true}, {{1, 0, 0, 0, 1}, 1, false},
      {{2, 0, 0, 0, 2}, 1, false}, {{3, 0, 0, 0, 3}, 1, true}, {{3, 3, 0, 0, 3}, 1, true},
      {{3, 0, 0, 0, 3}, 4, false}, {{2, 1, 0, 0, 2}, 1, true}, {{1, 0, 0, 0, 0}, 1, true},
      {{2, 0, 0, 0, 1}, 1, true}, /* a program among them: replays are not what is counted */
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(mutant_settled(&cases[i].v, cases[i].asked, LEAST), cases[i].settled);
  }
}

static void test_replays_tell(void **state) {
  (void)state;
  static const struct {
    mutant_verdict v;
    bool escaped, tell;
  } cases[] = {
      {{3, 0, 0, 0, 3}, false, true},  {{3, 0, 0, 0, 3}, true, false},
      {{3, 3, 0, 0, 3}, false, true},  {{3, 1, 1, 1, 3}, true, true}, /* whatever lies there, it differs */
      {{3, 1, 0, 0, 3}, false, false}, {{3, 2, 0, 0, 3}, true, false},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(mutant_replays_tell(&cases[i].v, cases[i].escaped), cases[i].tell);
  }
  assert_false(mutant_left_open(&(mutant_verdict){3, 0, 0, 0, 3}));
  assert_false(mutant_left_open(&(mutant_verdict){3, 3, 0, 0, 3}));
  assert_true(mutant_left_open(&(mutant_verdict){3, 2, 0, 0, 3}));
  assert_true(mutant_left_open(&(mutant_verdict){3, 2, 1, 0, 3}));
}

static void test_status(void **state) {
  (void)state;
  static const struct {
    mutant_verdict tests[2];
    mutant_status status;
    const char *reason;
  } cases[] = {
      {{{0}, {0}}, MUTANT_SURVIVED, ""},
      {{{5, 0, 0, 0, 0}, {5, 0, 0, 0, 0}}, MUTANT_SURVIVED, ""},
      {{{5, 5, 0, 0, 0}, {0}}, MUTANT_KILLED, "output"},
      {{{5, 0, 0, 0, 0}, {5, 0, 0, 5, 0}}, MUTANT_KILLED, "timeout"},
      {{{5, 0, 5, 0, 0}, {5, 5, 0, 0, 0}}, MUTANT_KILLED, "crash"}, /* the first test case that kills it */
      {{{2, 1, 0, 0, 0}, {5, 0, 0, 0, 0}}, MUTANT_UNDECIDED, "output"},
      {{{2, 1, 0, 0, 0}, {5, 0, 5, 0, 0}}, MUTANT_KILLED, "crash"},
      {{{2, 1, 0, 0, 0}, {2, 0, 1, 0, 0}}, MUTANT_UNDECIDED, "output"},
      {{{4, 4, 0, 0, 0}, {0}}, MUTANT_UNDECIDED, "output"}, /* not all of the five runs are made */
      {{{5, 2, 2, 1, 0}, {0}}, MUTANT_KILLED, "crash"},
      {{{5, 2, 1, 2, 0}, {0}}, MUTANT_KILLED, "output"},
      {{{5, 1, 1, 3, 0}, {0}}, MUTANT_KILLED, "timeout"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *reason = NULL;
    assert_int_equal(mutant_judge(cases[i].tests, 2, 5, &reason), cases[i].status);
    assert_string_equal(reason, cases[i].reason);
  }
}

/* A verdict of more runs than are asked for says the same of fewer: killed stays killed, for the same reason. */
static void test_shorten(void **state) {
  (void)state;
  static const struct {
    mutant_verdict v, shorter;
  } cases[] = {
      {{2, 1, 0, 0, 0}, {2, 1, 0, 0, 0}},   {{20, 0, 0, 0, 7}, {5, 0, 0, 0, 5}}, {{20, 20, 0, 0, 0}, {5, 5, 0, 0, 0}},
      {{20, 4, 3, 13, 0}, {5, 0, 0, 5, 0}}, {{6, 2, 2, 2, 0}, {5, 2, 2, 1, 0}},  {{6, 1, 1, 4, 0}, {5, 1, 0, 4, 0}},
      {{20, 3, 0, 0, 0}, {5, 3, 0, 0, 0}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    mutant_verdict v = cases[i].v;
    mutant_shorten(&v, 5);
    assert_memory_equal(&v, &cases[i].shorter, sizeof v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reason_of_a_run), cmocka_unit_test(test_settled), cmocka_unit_test(test_replays_tell),
      cmocka_unit_test(test_status),          cmocka_unit_test(test_shorten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
