/* Requests to the engine: what each key means where it is left out or wrong, and damaged ones: no crash, no leak.
 *   verify_requests ENGINE SEED COUNT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "proofs/verify/request.h"
#include "tests/fuzz/random.h"
#include "tests/proofs/verify/engine.h"

static const char *engine;
static unsigned long seed, damaged;

/* --- what is read --------------------------------------------------------------------------------------------------- */

static request read_request(const char *text) {
  request r;
  error e = {0};
  if (request_read(text, strlen(text), &r, &e) != 0) fail_msg("%s", e.text);
  return r;
}

static void test_defaults(void **state) {
  (void)state;
  request r = read_request("{\"source\": \"\"}");
  assert_string_equal(r.file, "kernel.cl");
  assert_string_equal(r.options, "");
  assert_null(r.directory);
  assert_true(r.timeout == 30 && r.query_timeout == 10);
  assert_int_equal(r.memory, 1 << 30);
  assert_int_equal(r.jobs, 1);
  assert_true(r.benign && r.bounds && !r.alias && !r.barriers && !r.explain && r.warp == 0 && !r.warp_resync);
  assert_int_equal(r.kernel_count, 0);
  request_free(&r);
}

static void test_launch(void **state) {
  (void)state;
  request r = read_request(
      "{\"source\": \"\", \"kernels\": [{\"kernel\": \"k\", \"launches\": [{\"count\": 3, \"local\": [4, 2], "
      "\"groups\": [5, null], "
      "\"offset\": [7], \"arguments\": {\"n\": -2, \"x\": {\"bytes\": \"00Ff\"}}, \"buffers\": {\"a\": {\"bytes\": 64, "
      "\"memory\": 2, "
      "\"offset\": 16, \"contents\": [\"distinct\", \"within:-3:8\"]}, \"t\": {\"local_bytes\": 12}}}]}]}");
  const kernel_request *k = request_kernel(&r, "k");
  assert_non_null(k);
  assert_null(request_kernel(&r, "l"));
  assert_int_equal(k->launch_count, 1);
  const launch *l = &k->launches[0];
  assert_int_equal(l->count, 3);
  assert_int_equal(l->dimensions, 2);
  assert_true(l->local[0] == 4 && l->local[1] == 2 && l->local[2] == 1);
  assert_true(l->groups[0] == 5 && l->groups[1] == SIZE_FREE && l->groups[2] == 1);
  assert_true(l->offset[0] == 7 && l->offset[1] == 0 && l->offset[2] == 0);
  assert_int_equal(l->argument_count, 2);
  assert_true(l->arguments[0].integer && l->arguments[0].length == 8 && l->arguments[0].bytes[0] == 0xFE);
  assert_true(!l->arguments[1].integer && l->arguments[1].length == 2 && l->arguments[1].bytes[1] == 0xFF);
  const buffer_given *a = &l->buffers[0], *t = &l->buffers[1];
  assert_true(a->bytes == 64 && a->memory == 2 && a->offset == 16 && !a->local);
  assert_true(a->contents.distinct && a->contents.within && a->contents.low == -3 && a->contents.high == 8);
  assert_true(!a->contents.ascending && !a->contents.identity);
  assert_true(t->bytes == 12 && t->local && t->memory == -1);
  request_free(&r);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "{",
                                      "[]",
                                      "1",
                                      "null",
                                      "{}",
                                      "{\"source\": 1}",
                                      "{\"source\": \"\"",
                                      "{\"source\": \"\"} x",
                                      "{\"source\": \"\", \"source\": \"\"}",
                                      "{\"source\": \"\\u0000\"}",
                                      "{\"source\": \"\\ud800\"}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    request r;
    error e = {0};
    assert_int_equal(request_read(texts[i], strlen(texts[i]), &r, &e), -1);
    assert_int_equal(e.code, EXIT_USAGE);
    assert_true(e.text[0] != '\0');
  }
}

/* --- damaged ones --------------------------------------------------------------------------------------------------- */

static const char whole[] =
    "{\"source\": \"kernel void k(global int *a, int n) { a[get_global_id(0)] = n; }\", \"file\": \"k.cl\", "
    "\"options\": \"-DN=4\", "
    "\"directory\": \"/tmp\", \"bitcode\": null, \"timeout\": 5, \"query_timeout\": 2, \"memory\": 1073741824, "
    "\"jobs\": 2, "
    "\"benign\": true, \"bounds\": true, \"alias\": false, \"barriers\": false, \"explain\": false, \"warp\": 0, "
    "\"warp_resync\": false, "
    "\"kernels\": [{\"kernel\": \"k\", \"local\": [64, 1, 1], \"groups\": [16, null], \"offset\": [0, 0, 0], "
    "\"dimensions\": 1, "
    "\"assume\": [\"n == get_global_size(0)\"], \"launches\": [{\"count\": 3, \"dimensions\": 1, \"local\": [64, 1, "
    "1], "
    "\"groups\": [16, 1, 1], \"offset\": [0, 0, 0], \"arguments\": {\"n\": 1024, \"scale\": {\"bytes\": "
    "\"0000803f\"}}, "
    "\"buffers\": {\"a\": {\"bytes\": 4096, \"memory\": 0, \"offset\": 0, \"contents\": [\"distinct\", "
    "\"within:0:1023\"]}, "
    "\"tmp\": {\"local_bytes\": 256}}}]}]}";

static const char *const values[] = {"null",
                                     "true",
                                     "-1",
                                     "0",
                                     "7",
                                     "1e300",
                                     "18446744073709551616",
                                     "9223372036854775807",
                                     "\"\"",
                                     "[]",
                                     "{}",
                                     "[1]",
                                     "\"x\"",
                                     "0.5",
                                     "[[[[]]]]",
                                     "\"within:\"",
                                     "\"z\"",
                                     "-0.0",
                                     "\"\\u0001\""};

static size_t value_end(const char *text) {
  const size_t length = *text == '"' ? 1 + strcspn(text + 1, "\"") + 1 : strcspn(text, ",]}");
  return length == 0 ? 1 : length;
}

/* Puts another value in the place of one. */
static char *change_value(random_state *r) {
  const size_t length = sizeof whole - 1;
  size_t at = fuzz_below(r, length);
  while (at + 2 < length && !(whole[at] == ':' && whole[at + 1] == ' ')) at++;
  at = at + 2 < length ? at + 2 : at;
  const size_t old = value_end(whole + at);
  const char *put = values[fuzz_below(r, sizeof values / sizeof *values)];
  char *made = mem_calloc(length + strlen(put) + 1, 1);
  memcpy(made, whole, at);
  memcpy(made + at, put, strlen(put));
  const size_t rest = at + old < length ? at + old : length;
  memcpy(made + at + strlen(put), whole + rest, length - rest);
  return made;
}

static char *change_bytes(random_state *r) {
  char *made = mem_strdup(whole);
  for (size_t n = 1 + fuzz_below(r, 3); n > 0; n--) {
    const size_t at = fuzz_below(r, strlen(made) + 1);
    if (made[at] != '\0' && fuzz_below(r, 3) == 0)
      memmove(made + at, made + at + 1, strlen(made + at));
    else if (made[at] != '\0')
      made[at] = (char)(1 + fuzz_below(r, 255));
  }
  if (fuzz_below(r, 8) == 0) made[fuzz_below(r, strlen(made) + 1)] = '\0';
  return made;
}

static void test_damaged(void **state) {
  (void)state;
  random_state r = {seed};
  unsigned long read = 0;
  for (unsigned long n = 0; n < damaged; n++) {
    char *text = fuzz_below(&r, 2) == 0 ? change_value(&r) : change_bytes(&r);
    request q;
    error e = {0};
    if (request_read(text, strlen(text), &q, &e) == 0) {
      read++;
      request_free(&q);
    } else {
      assert_true(e.text[0] != '\0');
    }
    free(text);
  }
  assert_true(damaged < 100 || (read > damaged / 20 && read < damaged)); /* both kinds come */
}

/* --- the program ---------------------------------------------------------------------------------------------------- */

/* The program answers in its limits, whatever stands where another value should. */
static void test_strange_values(void **state) {
  (void)state;
  static const char *const parts[] = {
      "\"timeout\": 0",
      "\"timeout\": -1",
      "\"query_timeout\": 0",
      "\"memory\": 1",
      "\"memory\": -1",
      "\"jobs\": 0",
      "\"jobs\": 100000",
      "\"directory\": \"/nowhere\"",
      "\"options\": \"-I\"",
      "\"options\": \"\\\"\"",
      "\"options\": \"-cl-std=CL9\"",
      "\"options\": \"-include nowhere.h\"",
      "\"options\": \"-o /dev/null -S\"",
      "\"file\": \"a\\\"b\\\\c\\nd.cl\"",
      "\"file\": \"\"",
      "\"kernels\": [{}]",
      "\"kernels\": [{\"kernel\": \"nobody\"}]",
      "\"kernels\": [{\"kernel\": \"k\"}, {\"kernel\": \"k\"}]",
      "\"kernels\": [{\"kernel\": \"k\", \"local\": [0], \"groups\": [-5]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"local\": [4611686018427387904], \"groups\": [4611686018427387904]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"offset\": [-1]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"launches\": [{}]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"launches\": [{\"buffers\": {\"a\": {\"bytes\": 1}}}]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"launches\": [{\"arguments\": {\"a\": 1, \"n\": {\"bytes\": \"\"}, \"x\": "
      "5}}]}]",
      "\"kernels\": [{\"kernel\": \"k\", \"launches\": [{\"arguments\": {\"n\": {\"bytes\": "
      "\"0102030405060708090a\"}}}]}]",
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{\"source\": \"kernel void k(global int *a, int n) { a[get_global_id(0)] = n; }\", %s}", parts[i]);
    engine_run run = engine_ask(engine, text, strlen(text), 60);
    const json_t *first = json_array_get(run.answers, 0);
    const bool sentence =
        run.code == 1 && json_array_size(run.answers) == 1 && json_is_string(json_object_get(first, "error"));
    char *wrong = run.code == 0 && first != NULL ? engine_malformed(first) : NULL;
    if ((run.code != 0 && !sentence) || wrong != NULL) {
      char *answer = json_dumps(run.answers, 0);
      fail_msg("%s: exit status %d, %s", parts[i], run.code, answer);
    }
    engine_free(&run);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults), cmocka_unit_test(test_launch),         cmocka_unit_test(test_refused),
      cmocka_unit_test(test_damaged),  cmocka_unit_test(test_strange_values),
  };
  if (argc != 4) {
    (void)fprintf(stderr, "usage: verify_requests ENGINE SEED COUNT\n");
    return 1;
  }
  engine = argv[1];
  seed = strtoul(argv[2], NULL, 10);
  damaged = strtoul(argv[3], NULL, 10);
  return cmocka_run_group_tests_name("verify_requests", tests, NULL, NULL);
}
