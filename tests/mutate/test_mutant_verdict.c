/* From what runs of a mutant show to its status: the rules of docs/mutation.md, each as a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mutate/verdict.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A run counts once, for what was seen of it that says most. */
static void test_reason_of_a_run(void **state) {
  (void)state;
  static const struct {
    unsigned seen;
    uint32_t output, crash, timeout, outside;
  } cases[] = {
      {0, 0, 0, 0, 0},
      {MUTANT_SEEN_OUTSIDE, 0, 0, 0, 1},
      {MUTANT_SEEN_TIMEOUT, 0, 0, 1, 0},
      {MUTANT_SEEN_DIVISION, 0, 1, 0, 0},
      {MUTANT_SEEN_FAULT, 0, 1, 0, 0},
      {MUTANT_SEEN_READ, 1, 0, 0, 0},
      {MUTANT_SEEN_SIGNAL, 0, 1, 0, 0},
      {MUTANT_SEEN_RESULT, 1, 0, 0, 0},
      {MUTANT_SEEN_REFUSAL, 0, 1, 0, 0},
      /* a run that was killed at its limit has shown less than the reference, and ended by a signal */
      {MUTANT_SEEN_TIMEOUT | MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 0, 0, 1, 0},
      /* the kernel says that it divided by zero; what the host then reads is a consequence */
      {MUTANT_SEEN_DIVISION | MUTANT_SEEN_READ | MUTANT_SEEN_RESULT, 0, 1, 0, 0},
      /* a program that is ended by us at the first other read is not one that crashed */
      {MUTANT_SEEN_READ | MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 1, 0, 0, 0},
      /* a program that crashes itself has read less than the reference: that it crashed says more */
      {MUTANT_SEEN_SIGNAL | MUTANT_SEEN_RESULT, 0, 1, 0, 0},
      /* what is read after a write outside of a buffer, or a crash, is a consequence */
      {MUTANT_SEEN_OUTSIDE | MUTANT_SEEN_READ, 0, 0, 0, 1},
      {MUTANT_SEEN_OUTSIDE | MUTANT_SEEN_FAULT, 0, 0, 0, 1},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    mutant_runs r = {0};
    const size_t filling = i % MUTANT_FILLINGS;
    mutant_count_run(&r, filling, cases[i].seen, i % 2 == 1);
    assert_int_equal(r.v.runs, 1);
    assert_int_equal(r.v.replayed, i % 2);
    assert_int_equal(r.v.output, cases[i].output);
    assert_int_equal(r.v.crash, cases[i].crash);
    assert_int_equal(r.v.timeout, cases[i].timeout);
    assert_int_equal(r.v.outside, cases[i].outside);
    assert_int_equal(r.made[filling], 1);
    assert_int_equal(r.differed[filling], cases[i].seen != 0);
  }
}

/* Runs as letters, one filling after the other in turn: `.` like the reference, `x` another output, `c` a crash, `d` a division by zero, `t` too long, `w` a write outside of a buffer. */
static void make(mutant_runs *r, const char *letters, uint32_t fillings, bool replayed) {
  static const struct {
    char letter;
    unsigned seen;
  } meanings[] = {{'x', MUTANT_SEEN_READ},    {'c', MUTANT_SEEN_FAULT},   {'d', MUTANT_SEEN_DIVISION},
                  {'t', MUTANT_SEEN_TIMEOUT}, {'w', MUTANT_SEEN_OUTSIDE}, {'.', 0}};
  *r = (mutant_runs){0};
  for (size_t i = 0; letters[i] != '\0'; i++) {
    for (size_t m = 0; m < COUNT(meanings); m++)
      if (meanings[m].letter == letters[i]) mutant_count_run(r, i % fillings, meanings[m].seen, replayed);
  }
}

typedef struct script {
  const char *letters; /* of all runs: the last one settles it, and none before */
  mutant_need need;
  mutant_verdict v; /* runs, output, crash, timeout, replayed, outside, unwritten */
} script;

static const script scripts[] = {
    /* runs of the program, all with the same bytes in unwritten memory */
    {".", {1, 1, false, false}, {1, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"x", {1, 1, false, false}, {1, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"xx", {2, 1, false, false}, {2, 2, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    /* the first that differs decides the reason */
    {"ctttt", {5, 1, false, false}, {5, 0, 5, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"tcccc", {5, 1, false, false}, {5, 0, 0, 5, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"txw", {5, 1, false, false}, {5, 0, 0, 0, 0, 5, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {".x", {5, 1, false, false}, {2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}}, /* undecided already */
    {"xxcct", {5, 1, false, false}, {5, 5, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    /* replays whose repeats may differ: each filling is tried, whatever was asked for */
    {"...", {1, 3, false, false}, {3, 0, 0, 0, 3, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"xxx", {1, 3, false, false}, {3, 3, 0, 0, 3, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"....", {4, 3, false, false}, {4, 0, 0, 0, 4, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"...x",
     {9, 3, false, false},
     {4, 1, 0, 0, 4, 0, 0, 0, REVEALED_UNKNOWN, 0, false}}, /* two with one filling differ */
    {"x..x..",
     {9, 3, false, false},
     {6, 0, 0, 0, 6, 0, 2, 0, REVEALED_UNKNOWN, 0, false}}, /* none did: it is the filling */
    {".x.", {3, 3, false, false}, {3, 0, 0, 0, 3, 0, 1, 0, REVEALED_UNKNOWN, 0, false}},
    {"cccc",
     {4, 3, false, false},
     {4, 0, 4, 0, 4, 0, 0, 0, REVEALED_UNKNOWN, 0, false}}, /* no crash stands for another */
    /* replays whose repeats cannot differ: one stands for all with its filling */
    {"...", {20, 3, true, false}, {20, 0, 0, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"xxx", {20, 3, true, false}, {20, 20, 0, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"dtt", {20, 3, true, false}, {20, 0, 20, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {".x.", {20, 3, true, false}, {3, 0, 0, 0, 3, 0, 1, 0, REVEALED_UNKNOWN, 0, false}},
    {"x.x", {20, 3, true, false}, {3, 0, 0, 0, 3, 0, 2, 0, REVEALED_UNKNOWN, 0, false}},
    {"ddd", {20, 3, true, false}, {20, 0, 20, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    /* a crash is tried once with each filling */
    {"ccc", {20, 3, true, false}, {20, 0, 20, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"xcc", {20, 3, true, false}, {20, 20, 0, 0, 20, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"c..", {20, 3, true, false}, {3, 0, 0, 0, 3, 0, 1, 0, REVEALED_UNKNOWN, 0, false}},
    {".c.", {20, 3, true, false}, {3, 0, 0, 0, 3, 0, 1, 0, REVEALED_UNKNOWN, 0, false}},
    /* a write outside of a buffer kills with any filling, even where the others look alike */
    {"w", {20, 3, true, false}, {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"w", {20, 3, false, false}, {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"x.w", {20, 3, true, false}, {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"x.w", {2, 3, true, false}, {3, 0, 0, 0, 3, 3, 0, 0, REVEALED_UNKNOWN, 0, false}},
};

/* A checked replay has shown a race when these runs had been made. It stands for all where they alone would not kill. */
static const script raced[] = {
    {"...", {20, 3, false, true}, {20, 0, 0, 0, 20, 0, 0, 20, REVEALED_UNKNOWN, 0, false}},
    {"...x", {20, 3, false, true}, {20, 0, 0, 0, 20, 0, 0, 20, REVEALED_UNKNOWN, 0, false}},
    {".x.", {3, 3, true, true}, {3, 0, 0, 0, 3, 0, 0, 3, REVEALED_UNKNOWN, 0, false}},
    {"xxx", {3, 3, true, true}, {3, 3, 0, 0, 3, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
    {"..w", {20, 3, false, true}, {20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}},
};

static void test_settled(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(scripts); i++) {
    const script *s = &scripts[i];
    const size_t length = strlen(s->letters);
    char begun[16] = "";
    mutant_runs r;
    for (size_t n = 0; n < length; n++) {
      make(&r, begun, s->need.fillings, s->v.replayed > 0);
      if (mutant_settled(&r, &s->need)) fail_msg("%s (%zu) is settled by %s", s->letters, i, begun);
      begun[n] = s->letters[n];
    }
    make(&r, s->letters, s->need.fillings, s->v.replayed > 0);
    if (!mutant_settled(&r, &s->need)) fail_msg("%s (%zu) is not settled", s->letters, i);
    const mutant_verdict v = mutant_conclude(&r, &s->need);
    if (memcmp(&v, &s->v, sizeof v) != 0) {
      fail_msg("%s (%zu): %u runs, %u output, %u crash, %u timeout, %u replayed, %u outside, %u unwritten", s->letters,
               i, v.runs, v.output, v.crash, v.timeout, v.replayed, v.outside, v.unwritten);
    }
  }
}

static void test_race(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(raced); i++) {
    const script *s = &raced[i];
    mutant_runs r;
    make(&r, s->letters, s->need.fillings, true);
    assert_true(mutant_settled(&r, &s->need));
    const mutant_verdict v = mutant_conclude(&r, &s->need);
    if (memcmp(&v, &s->v, sizeof v) != 0)
      fail_msg("%s (%zu): %u runs, %u output, %u outside, %u race", s->letters, i, v.runs, v.output, v.outside, v.race);
  }
}

static void test_status(void **state) {
  (void)state;
  static const struct {
    mutant_verdict tests[2];
    mutant_status status;
    const char *reason;
  } cases[] = {
      {{{0}, {0}}, MUTANT_SURVIVED, ""},
      {{{5, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_SURVIVED,
       ""},
      {{{5, 5, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "output"},
      {{{5, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 5, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "timeout"},
      {{{5, 0, 5, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 5, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "crash"}, /* the first test case that kills it */
      {{{2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_UNDECIDED,
       "output"},
      {{{2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 5, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "crash"},
      {{{2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {2, 0, 1, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_UNDECIDED,
       "output"},
      {{{4, 4, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}},
       MUTANT_UNDECIDED,
       "output"}, /* not all of the five runs are made */
      {{{5, 2, 2, 1, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "crash"},
      {{{5, 2, 1, 2, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "output"},
      {{{5, 1, 1, 3, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "timeout"},
      {{{5, 0, 0, 0, 5, 5, 0, 0, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "out of bounds"},
      {{{3, 0, 0, 0, 3, 0, 2, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 5, 5, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "out of bounds"},
      {{{3, 0, 0, 0, 3, 0, 2, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_UNDECIDED,
       "unwritten"},
      {{{5, 0, 0, 0, 5, 0, 0, 5, REVEALED_UNKNOWN, 0, false}, {0}}, MUTANT_KILLED, "race"},
      /* what data show goes before that */
      {{{5, 0, 0, 0, 5, 0, 0, 5, REVEALED_UNKNOWN, 0, false}, {5, 5, 0, 0, 5, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "output"},
      {{{5, 5, 0, 0, 5, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 5, 0, 0, 5, REVEALED_UNKNOWN, 0, false}},
       MUTANT_KILLED,
       "output"},
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
      {{2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {2, 1, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 0, 0, 0, 7, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 5, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 20, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 5, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 0, 0, 13, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 5, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{6, 0, 6, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 5, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 3, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 3, 0, 0, 0, 0, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 0, 0, 0, 20, 20, 0, 0, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 5, 5, 0, 0, REVEALED_UNKNOWN, 0, false}},
      {{20, 0, 0, 0, 20, 0, 0, 20, REVEALED_UNKNOWN, 0, false}, {5, 0, 0, 0, 5, 0, 0, 5, REVEALED_UNKNOWN, 0, false}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    mutant_verdict v = cases[i].v;
    mutant_shorten(&v, 5);
    assert_memory_equal(&v, &cases[i].shorter, sizeof v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reason_of_a_run), cmocka_unit_test(test_settled), cmocka_unit_test(test_race),
      cmocka_unit_test(test_status),          cmocka_unit_test(test_shorten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
