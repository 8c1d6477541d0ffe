/* Answers of the proof engine: what they say, and that a damaged one is a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proofs/client/answer.h"
#include "tests/fuzz/random.h"

enum { DAMAGED = 20000 };

/* As the interface between command and engine has it. */
static const char whole[] =
    "{\"kernel\":\"k\",\"file\":\"k.cl\",\"line\":12,\"verdict\":\"race\",\"reason\":\"\","
    "\"preconditions\":[\"n == 4\",{\"kind\":\"contents\",\"text\":\"b holds values from -2 to 9\",\"buffer\":\"b\","
    "\"holds\":\"values\",\"low\":-2,\"high\":9},{\"kind\":\"even\",\"text\":\"as "
    "large\"}],\"launches\":{\"given\":3,\"proved\":2},\"seconds\":0.5,\"queries\":7,"
    "\"memory\":12345,\"assumptions\":[{\"kind\":\"overflow\",\"text\":\"no "
    "overflow\"},{\"kind\":\"new\",\"text\":\"later\"}],"
    "\"invariants\":[{\"file\":\"k.cl\",\"line\":3,\"text\":\"i >= 0\"}],"
    "\"barriers\":[{\"file\":\"k.cl\",\"line\":9,\"column\":3,\"needed\":true},"
    "{\"file\":\"k.cl\",\"line\":10,\"column\":3,\"needed\":false},"
    "{\"file\":\"k.cl\",\"line\":11,\"column\":3,\"needed\":null}],"
    "\"findings\":[{\"rule\":\"data-race\",\"definite\":true,\"message\":\"both write\",\"places\":["
    "{\"role\":\"first\",\"access\":\"write\",\"file\":\"k.cl\",\"line\":5,\"column\":4,"
    "\"inlined\":[{\"file\":\"k.cl\",\"line\":20,\"column\":6}],\"local\":[1,2,3],\"group\":[4,5,6],\"condition\":\"n "
    "> 3\"},"
    "{\"role\":\"second\",\"access\":\"atomic\",\"file\":\"h.h\",\"line\":6,\"column\":0,\"inlined\":[]}],"
    "\"array\":\"a\",\"space\":\"global\",\"element\":12,\"element_size\":4,\"bytes\":4,\"local_size\":[64,1,1],"
    "\"groups\":[16,1,1],\"offset\":[0,0,2],\"arguments\":{\"n\":5,\"f\":{\"bytes\":\"0000803f\"}},"
    "\"contents\":{\"index\":[[3,7,4],[4,-7,4]]},\"depends_on\":[\"what b[0] holds\"],"
    "\"path\":[{\"thread\":2,\"file\":\"k.cl\",\"line\":4,\"column\":3,\"text\":\"the if is true\"}]}]}";

static void test_everything_is_read(void **state) {
  (void)state;
  verify_answer a;
  error e;
  assert_int_equal(answer_read(whole, strlen(whole), &a, &e), 0);
  assert_string_equal(a.kernel, "k");
  assert_int_equal(a.line, 12);
  assert_int_equal(a.verdict, ANSWER_RACE);
  assert_int_equal(a.preconditions.count, 3);
  assert_string_equal(a.preconditions.items[0].text, "n == 4");
  assert_int_equal(a.preconditions.items[0].kind, PREMISE_EXPRESSION);
  assert_int_equal(a.preconditions.items[1].kind, PREMISE_CONTENTS);
  assert_string_equal(a.preconditions.items[1].buffer, "b");
  assert_true(a.preconditions.items[1].contents.bounded && !a.preconditions.items[1].contents.distinct);
  assert_int_equal(a.preconditions.items[1].contents.low, -2);
  assert_int_equal(a.preconditions.items[1].contents.high, 9);
  assert_true(premises_have(&a.preconditions, PREMISE_EVEN));
  assert_false(premises_have(&a.preconditions, PREMISE_INSIDE));
  assert_string_equal(a.assumptions.items[0].text, "no overflow");
  assert_int_equal(a.assumptions.items[0].kind, PREMISE_OVERFLOW);
  assert_int_equal(a.assumptions.items[1].kind, PREMISE_OTHER);
  assert_int_equal(a.given, 3);
  assert_int_equal(a.proved, 2);
  assert_int_equal(a.queries, 7);
  assert_true(a.seconds > 0.4 && a.seconds < 0.6);
  assert_string_equal(a.invariants[0].text, "i >= 0");
  static const char *const needed[] = {"needed", "redundant", "undecided"};
  assert_int_equal(a.barrier_count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_string_equal(a.barriers[i].text, needed[i]);
    assert_int_equal(a.barriers[i].line, 9 + i);
  }
  answer_free(&a);
}

static void test_a_finding_is_read(void **state) {
  (void)state;
  verify_answer a;
  error e;
  assert_int_equal(answer_read(whole, strlen(whole), &a, &e), 0);
  assert_int_equal(a.finding_count, 1);
  const answer_finding *f = &a.findings[0];
  const db_finding *row = &f->row;
  assert_false(row->possible);
  assert_int_equal(row->place_count, 2);
  assert_int_equal(row->places[0].inlined[0].line, 20);
  assert_string_equal(row->places[0].local, "1,2,3");
  assert_string_equal(row->places[0].group, "4,5,6");
  assert_string_equal(row->places[0].condition, "n > 3");
  assert_null(row->places[1].local);
  assert_string_equal(f->files->items[row->places[1].file], "h.h");
  assert_true(row->detail.element.known);
  assert_int_equal(row->detail.element.value, 12);
  assert_int_equal(f->offset[2], 2);
  static const char *const witness[][2] = {
      {"n", "5"}, {"f", "bytes 0000803f"}, {"index", "7"}, {"index", "-7"}, {"", "what b[0] holds"}};
  assert_int_equal(row->witness_count, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(row->witness[i].what, witness[i][0]);
    assert_string_equal(row->witness[i].value, witness[i][1]);
  }
  assert_string_equal(answer_bytes(row->witness[1].value), "0000803f");
  assert_int_equal(f->contents[0].cells[1].value, -7);
  assert_int_equal(f->contents[0].cells[1].size, 4);
  assert_int_equal(row->path[0].thread, 2);
  answer_free(&a);
}

static void test_what_is_not_said_is_not_known(void **state) {
  (void)state;
  static const char least[] = "{\"kernel\":\"k\",\"verdict\":\"verified\"}";
  verify_answer a;
  error e;
  assert_int_equal(answer_read(least, strlen(least), &a, &e), 0);
  assert_int_equal(a.verdict, ANSWER_VERIFIED);
  assert_string_equal(a.file, "");
  assert_int_equal(a.given, 0);
  assert_int_equal(a.finding_count, 0);
  answer_free(&a);
}

/* Each line, and a part of the sentence that it gives. */
static const struct {
  const char *line, *says;
  int code;
} damaged[] = {
    {"", "cannot be read", EXIT_INTERNAL},
    {"{", "cannot be read", EXIT_INTERNAL},
    {"[1,2]", "cannot be read", EXIT_INTERNAL},
    {"null", "cannot be read", EXIT_INTERNAL},
    {"{\"kernel\":\"k\"} x", "cannot be read", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"kernel\":\"l\",\"verdict\":\"verified\"}", "cannot be read", EXIT_INTERNAL},
    {"{\"kernel\":\"k\"}", "without a verdict", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"verdict\":\"fine\"}", "without a verdict", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"verdict\":3}", "without a verdict", EXIT_INTERNAL},
    {"{\"verdict\":\"verified\"}", "without a kernel", EXIT_INTERNAL},
    /* a definite verdict without a definite finding is no verdict, nor is a proof with one */
    {"{\"kernel\":\"k\",\"verdict\":\"race\"}", "do not agree", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"verdict\":\"race\",\"findings\":[{\"rule\":\"data-race\",\"definite\":false}]}",
     "do not agree", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"verdict\":\"verified\",\"findings\":[{\"rule\":\"data-race\",\"definite\":false}]}",
     "do not agree", EXIT_INTERNAL},
    {"{\"kernel\":\"k\",\"verdict\":\"possible-race\",\"findings\":[{\"rule\":\"data-race\",\"definite\":true}]}",
     "do not agree", EXIT_INTERNAL},
    {"{\"error\":\"k.cl:3: unknown type\",\"code\":1}", "k.cl:3: unknown type", EXIT_USAGE},
    {"{\"error\":\"no memory\",\"code\":70}", "no memory", EXIT_INTERNAL},
    {"{\"error\":\"odd\",\"code\":3}", "odd", EXIT_USAGE},
};

static void test_damaged_answers_are_sentences(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
    verify_answer a;
    error e = {0};
    assert_int_equal(answer_read(damaged[i].line, strlen(damaged[i].line), &a, &e), -1);
    if (strstr(e.text, damaged[i].says) == NULL || e.code != damaged[i].code)
      fail_msg("%s gives %d: %s", damaged[i].line, e.code, e.text);
    answer_free(&a);
  }
}

/* Bytes of a whole answer replaced, taken away or doubled: it is read, or there is a sentence. */
static void test_random_damage(void **state) {
  (void)state;
  random_state r = {17};
  static const char letters[] = "{}[]\",:0123456789-eE.truefalsn\\u";
  for (size_t i = 0; i < DAMAGED; i++) {
    char line[sizeof whole + 1];
    memcpy(line, whole, sizeof whole);
    size_t length = sizeof whole - 1;
    for (size_t n = 1 + fuzz_below(&r, 4); n > 0; n--) {
      const size_t at = fuzz_below(&r, length);
      if (fuzz_below(&r, 3) == 0) {
        memmove(line + at, line + at + 1, length - at);
        length--;
      } else {
        line[at] = fuzz_below(&r, 8) == 0 ? (char)fuzz_below(&r, 256) : letters[fuzz_below(&r, sizeof letters - 1)];
      }
    }
    verify_answer a;
    error e = {0};
    if (answer_read(line, length, &a, &e) != 0)
      assert_true(e.text[0] != '\0' && e.code != 0);
    else
      assert_true(a.kernel[0] != '\0');
    answer_free(&a);
  }
}

static void test_our_own_answer(void **state) {
  (void)state;
  verify_answer a;
  answer_unknown("k", "k.cl", "too slow", &a);
  answer_assume(&a, "one");
  answer_assume(&a, "two");
  assert_int_equal(a.verdict, ANSWER_UNKNOWN);
  assert_string_equal(a.reason, "too slow");
  assert_int_equal(a.assumptions.count, 2);
  assert_string_equal(a.assumptions.items[1].text, "two");
  answer_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_is_read),
      cmocka_unit_test(test_a_finding_is_read),
      cmocka_unit_test(test_what_is_not_said_is_not_known),
      cmocka_unit_test(test_damaged_answers_are_sentences),
      cmocka_unit_test(test_random_damage),
      cmocka_unit_test(test_our_own_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
