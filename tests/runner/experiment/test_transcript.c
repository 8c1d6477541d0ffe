/* Transcripts: which runs are the same, what is learnt of a program that varies, and what then still tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runner/experiment/run_words.h"
#include "runner/experiment/transcript.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { BLOCKS = 4, MOST = 8 };

/* A run, as letters: each word is a read of four blocks in order of the calls, "-" one that did not come; with capitals
 * blocks are not told. A "/" at its end: of another program, "'": of another argument. */
static transcript read_words(const char *words, bool threads) {
  transcript t = {0};
  uint64_t number = 0;
  for (const char *at = words; *at != '\0'; number++) {
    const size_t length = strcspn(at, " /\'");
    const char mark = at[length];
    const bool blocks = at[0] >= 'a' && at[0] <= 'z';
    if (at[0] != '-') {
      buffer b = {0};
      wire_put_u64(&b, number);
      wire_put_string(&b, "k", 1);
      wire_put_u32(&b, mark == '\'' ? 1 : 2);
      wire_put_u64(&b, number);
      wire_put_u64(&b, mark == '/' ? 1 : 0);
      wire_put_u32(&b, threads ? 1 : 0);
      wire_put_u64(&b, 4 * length);
      uint64_t digest = 0;
      for (size_t i = 0; i < length; i++) digest = digest * 31 + (unsigned char)(at[i] | 0x20);
      wire_put_u64(&b, digest);
      wire_put_u64(&b, ~digest);
      wire_put_u32(&b, blocks ? (uint32_t)length : 0);
      for (size_t i = 0; i < length && blocks; i++) wire_put_u32(&b, (uint32_t)at[i]);
      wire_reader in = {.at = (const unsigned char *)buffer_text(&b), .left = b.length};
      const transcript_read *read = NULL;
      uint64_t got = 0;
      error e;
      assert_int_equal(transcript_take(&t, 0, &in, &read, &got, &e), 0);
      assert_int_equal(got, number);
      buffer_free(&b);
    }
    at += strcspn(at, " ");
    at += *at == ' ' ? 1 : 0;
  }
  return t;
}

static transcript run_of(const char *words) { return read_words(words, false); }

/* What a program showed in some runs; then whether a run differs from it, and what share of its first read tells
 * nothing. */
static const struct {
  const char *runs[3];
  const char *run;
  bool differs;
  double varying; /* of the first read; 0: it is stable */
} cases[] = {
    {{"aaaa bbbb"}, "aaaa bbbb", false, 0},
    {{"aaaa bbbb"}, "aaaa bbbc", true, 0},
    {{"aaaa bbbb"}, "aaaa", true, 0},                      /* too few reads */
    {{"aaaa bbbb"}, "aaaa bbbb cccc", true, 0},            /* too many */
    {{"aaaa"}, "aaaaa", true, 0},                          /* another size */
    {{"aaaa", "aaaa"}, "aaaa", false, 0},                  /* nothing varies */
    {{"aaaa", "aaab"}, "aaax", false, 0.25},               /* a block that varies is no evidence */
    {{"aaaa", "aaab"}, "xaaa", true, 0.25},                /* the others are */
    {{"aaaa", "aaab", "abaa"}, "axax", false, 0.5},        /* what has varied once stays no evidence */
    {{"aaaa", "aaab"}, "AAAX", false, 0.25},               /* without blocks nothing can be told of it */
    {{"AAAA", "AAAB"}, "XXXX", false, 1},                  /* as here: the whole read is none */
    {{"aaaa", "aaaaaa"}, "xxxx", false, 1},                /* its size varies */
    {{"aaaa bbbb", "aaab bbbb"}, "aaax bbbx", true, 0.25}, /* another read still tells */
    {{"aaaa bbbb", "aaaa"}, "aaaa bbbb cccc", false, 0},   /* how often it reads varies */
    {{"aaaa bbbb", "aaaa"}, "aaax", true, 0},              /* what it reads then does not */
    {{"aaaa bbbb", "aaaa -"}, "aaaa", false, 0},
};

static transcript learnt(size_t i) {
  transcript t = run_of(cases[i].runs[0]);
  for (size_t r = 1; r < COUNT(cases[i].runs) && cases[i].runs[r] != NULL; r++) {
    transcript other = run_of(cases[i].runs[r]);
    transcript_learn(&t, &other);
    transcript_free(&other);
  }
  return t;
}

static void test_differs(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    transcript t = learnt(i), run = run_of(cases[i].run);
    if (transcript_differs(&t, &run, ORACLE_READS) != cases[i].differs) fail_msg("case %zu", i);
    assert_false(transcript_differs(&t, &run, ORACLE_EXIT));
    const transcript_read *first = &t.processes[0].reads[0];
    assert_int_equal(first->unstable, cases[i].varying > 0);
    if (first->unstable) assert_float_equal(transcript_varying(first), cases[i].varying, 1e-9);
    run.status = 1; /* the exit status decides alone */
    assert_true(transcript_differs(&t, &run, ORACLE_READS));
    assert_true(transcript_differs(&t, &run, ORACLE_EXIT));
    transcript_free(&t);
    transcript_free(&run);
  }
}

/* The same of a program with threads, which take turns as it happens. `turns`: of the run it comes; if it is one thread
 * that gives all commands of it, the others still have several. */
static const struct {
  const char *runs[3];
  const char *run;
  bool differs, threads;
  size_t unstable; /* reads */
} threaded[] = {
    {{"aaaa bbbb cccc"}, "cccc aaaa bbbb", false, true, 0},    /* another turn */
    {{"aaaa bbbb cccc"}, "cccc aaaa bbbb", false, false, 0},   /* as in a replay */
    {{"aaaa bbbb cccc"}, "cccc aaaa bbbd", true, true, 0},     /* other bytes */
    {{"aaaa bbbb"}, "aaaa aaaa", true, true, 0},               /* as often, too */
    {{"aaaa bbbb"}, "aaaa", true, true, 0},                    /* too few */
    {{"aaaa bbbb"}, "bbbb aaaa aaaa", true, true, 0},          /* too many */
    {{"aaaa/ bbbb"}, "bbbb aaaa/", false, true, 0},            /* whose they are goes with them */
    {{"aaaa/ bbbb"}, "bbbb/ aaaa", true, true, 0},             /* two programs have changed places */
    {{"aaaa' bbbb"}, "bbbb' aaaa", true, true, 0},             /* two arguments */
    {{"aaaa bbbb", "bbbb aaaa"}, "bbbb aaaa", false, true, 0}, /* nothing varies */
    {{"aaaa bbbb", "bbbb aaac"}, "aaax bbbb", false, true, 1}, /* a block does */
    {{"aaaa bbbb", "bbbb aaac"}, "bbbx aaaa", true, true, 1},  /* and only this one */
    {{"aaaa bbbb", "bbbb aaac", "aaad bbbb"}, "bbbb aaaa", false, true, 1},
    {{"aaaa bbbb", "bbbb xxxx"}, "bbbb zzzz", false, true, 1},    /* a race */
    {{"aaaa bbbb", "bbbb xxxx"}, "cccc zzzz", true, true, 1},     /* beside it */
    {{"aaaa/ bbbb", "bbbb/ aaaa"}, "aaaa/ bbbb", false, true, 2}, /* programs change places by themselves */
    {{"aaaa bbbb/"}, "aaaa/ bbbb/", false, true, 0},              /* another kernel had the memory, and left it alone */
    {{"aaaa bbbb/", "cccc/ bbbb/"}, "dddd/ bbbb/", false, true, 1}, /* or did not */
    {{"aaaa bbbb", "bbbb"}, "bbbb", false, true, 0},                /* how often it reads varies */
};

static void test_threads(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(threaded); i++) {
    transcript t = read_words(threaded[i].runs[0], true), run = read_words(threaded[i].run, threaded[i].threads);
    for (size_t r = 1; r < COUNT(threaded[i].runs) && threaded[i].runs[r] != NULL; r++) {
      transcript other = read_words(threaded[i].runs[r], true);
      transcript_learn(&t, &other);
      transcript_free(&other);
    }
    transcript marked = read_words(threaded[i].runs[0], false);
    transcript_mark(&marked, &t);
    const bool differs = transcript_differs(&t, &run, ORACLE_READS),
               through = transcript_differs(&marked, &run, ORACLE_READS);
    size_t unstable = 0;
    for (size_t k = 0; k < t.processes[0].count; k++) unstable += t.processes[0].reads[k].unstable ? 1 : 0;
    if (differs != threaded[i].differs || unstable != threaded[i].unstable ||
        (threaded[i].threads && through != threaded[i].differs) || !transcript_within(&marked, &t))
      fail_msg("case %zu", i);
    transcript_free(&t);
    transcript_free(&run);
    transcript_free(&marked);
  }
}

/* While it comes, a read is told to differ only where it cannot be any of the reference's. */
static void test_threads_at_once(void **state) {
  (void)state;
  transcript t = read_words("aaaa bbbb/ cccc", true), run = read_words("cccc bbbb dddd", true);
  const bool differs[] = {false, false, true};
  for (size_t i = 0; i < COUNT(differs); i++)
    assert_int_equal(transcript_read_differs(&t, &run, 0, i, &run.processes[0].reads[i]), differs[i]);
  transcript_free(&t);
  transcript_free(&run);
}

/* The marks of one reference hold for another of the same program. */
static void test_mark(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    transcript marked = learnt(i), other = run_of(cases[i].runs[0]), run = run_of(cases[i].run);
    transcript_mark(&other, &marked);
    assert_int_equal(transcript_differs(&other, &run, ORACLE_READS), cases[i].differs);
    assert_int_equal(transcript_unstable(&other), cases[i].varying > 0);
    transcript_unmark(&other);
    assert_false(transcript_unstable(&other));
    transcript_free(&marked);
    transcript_free(&other);
    transcript_free(&run);
  }
}

static void test_output(void **state) {
  (void)state;
  transcript t = {.output = "one"}, same = {.output = "one"}, other = {.output = "two"};
  assert_false(transcript_differs(&t, &same, ORACLE_OUTPUT));
  assert_true(transcript_differs(&t, &other, ORACLE_OUTPUT));
  assert_false(transcript_differs(&t, &other, ORACLE_READS));
  transcript_learn(&t, &other);
  assert_false(transcript_differs(&t, &other, ORACLE_OUTPUT));
}

/* A replay that leaves out the first reads, as nothing before them can differ. */
static void test_lead(void **state) {
  (void)state;
  transcript t = run_of("aaaa bbbb cccc"), run = run_of("- bbbb cccc");
  assert_true(transcript_differs(&t, &run, ORACLE_READS));
  transcript_lead(&run, &t, 0, 1);
  assert_false(transcript_differs(&t, &run, ORACLE_READS));
  transcript_free(&run);
  transcript_free(&t);
}

static void test_malformed(void **state) {
  (void)state;
  buffer b = {0};
  wire_put_u64(&b, 0);
  wire_put_string(&b, "k", 1);
  for (int i = 0; i < 5; i++) wire_put_u64(&b, 0);
  wire_put_u32(&b, 0);
  wire_put_u32(&b, 0);
  wire_put_u32(&b, 1000); /* blocks that are not there */
  for (size_t length = 0; length <= b.length; length++) {
    wire_reader in = {.at = (const unsigned char *)buffer_text(&b), .left = length};
    transcript t = {0};
    const transcript_read *read = NULL;
    uint64_t number = 0;
    error e;
    assert_int_equal(transcript_take(&t, 0, &in, &read, &number, &e), -1);
    assert_string_equal(e.text, "the layer sent a malformed message");
    assert_int_equal(t.count, 0);
  }
  buffer_free(&b);
}

/* Takes a read of that number. */
static int take_number(transcript *t, uint64_t number, error *e) {
  buffer b = {0};
  wire_put_u64(&b, number);
  wire_put_string(&b, "k", 1);
  wire_put_u32(&b, 0);
  for (int i = 0; i < 5; i++) wire_put_u64(&b, 0);
  wire_put_u32(&b, 0);
  wire_put_u32(&b, 0);
  wire_reader in = {.at = (const unsigned char *)buffer_text(&b), .left = b.length};
  const transcript_read *read = NULL;
  uint64_t got = 0;
  const int result = transcript_take(t, 0, &in, &read, &got, e);
  buffer_free(&b);
  return result;
}

/* A number may be a million ahead of how many reads have come, however often a read is told. */
static void test_numbers_far_ahead(void **state) {
  (void)state;
  const uint64_t most = 1 << 20;
  transcript t = {0};
  error e;
  assert_int_equal(take_number(&t, most + 1, &e), -1);
  assert_non_null(strstr(e.text, "read 1048577 of the host when 0 had come"));
  assert_int_equal(take_number(&t, UINT64_MAX, &e), -1);
  assert_int_equal(t.count, 0); /* no room was made */
  assert_int_equal(take_number(&t, most, &e), 0);
  assert_int_equal(take_number(&t, most, &e), 0);
  assert_int_equal(take_number(&t, most + 2, &e), -1); /* one has come */
  assert_int_equal(take_number(&t, most + 1, &e), 0);
  assert_int_equal(take_number(&t, most + 2, &e), 0);
  transcript_free(&t);
}

typedef struct named_words {
  char words[MOST][128];
  double shares[MOST];
  size_t count;
} named_words;

static int name(void *context, const char *what, double share, error *e) {
  named_words *n = context;
  (void)e;
  assert_in_range(n->count, 0, MOST - 1);
  (void)snprintf(n->words[n->count], sizeof n->words[0], "%s", what);
  n->shares[n->count++] = share;
  return 0;
}

static void test_words(void **state) {
  (void)state;
  transcript t = run_of("aaaa bbbb"), other = run_of("aaab");
  transcript_learn(&t, &other);
  named_words n = {0};
  error e;
  assert_int_equal(stable_reads(&t), 2);
  assert_int_equal(unstable_outputs(&t, ORACLE_READS, name, &n, &e), 0);
  assert_int_equal(n.count, 2);
  assert_string_equal(n.words[0], "argument 2 of kernel k after its launch 0");
  assert_float_equal(n.shares[0], 0.25, 1e-9);
  assert_string_equal(n.words[1], "how often the host reads from the device");
  transcript_free(&t);
  transcript_free(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_differs),   cmocka_unit_test(test_threads), cmocka_unit_test(test_threads_at_once),
      cmocka_unit_test(test_mark),      cmocka_unit_test(test_output),  cmocka_unit_test(test_lead),
      cmocka_unit_test(test_malformed), cmocka_unit_test(test_words),   cmocka_unit_test(test_numbers_far_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
