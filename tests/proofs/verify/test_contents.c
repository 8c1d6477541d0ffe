/* Races that happen with certain contents of buffers only: the counterexample names these contents, and with them both
 * work-items really come to the place. What the kernel does is computed here, in C.
 *   verify_contents ENGINE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "tests/proofs/verify/engine.h"

static const char *engine;

enum { BYTES = 4096 };
static unsigned char b[BYTES], c[BYTES];

/* --- what the kernels do ------------------------------------------------------------------------------------------ */

static int64_t number(const unsigned char *from, int64_t at, size_t bytes) {
  int64_t n = 0;
  assert_true(at >= 0 && (size_t)at * bytes + bytes <= BYTES);
  memcpy(&n, from + (size_t)at * bytes, bytes);
  const unsigned unused = (unsigned)(64 - 8 * bytes);
  return (int64_t)((uint64_t)n << unused) >> unused;
}

/* Where the work-item writes; -1: nowhere. Of several places the first that it has not in common with `other`, -1: of all. */
typedef struct kernel_case {
  const char *name, *source;
  int64_t (*place)(int64_t i);
  bool alike; /* two numbers of a buffer must be the same: possible, as they may be distinct */
} kernel_case;

static int64_t above(int64_t i) { return number(b, i, 4) > 3 ? 0 : -1; }
static int64_t small(int64_t i) { return number(b, i, 1) < -3 ? 0 : -1; }
static int64_t halves(int64_t i) { return number(b, i + 2, 2) == -7 ? 0 : -1; }
static int64_t wide(int64_t i) { return number(b, i, 8) > INT64_C(0x300000003) ? 0 : -1; }
static int64_t bits(int64_t i) { return (number(b, i, 1) & 0xF0) == 0xA0 ? 0 : -1; }
static int64_t lane(int64_t i) { return number(b, 4 * i + 2, 4) == 9 ? 0 : -1; }
static int64_t loaded(int64_t i) { return number(b, 4 * i + 1, 4) == 3 ? 0 : -1; }
static int64_t member(int64_t i) { return number(b, 2 * i + 1, 4) == 11 ? 0 : -1; }
static int64_t members(int64_t i) { return number(b, 8 * i + 4, 1) == 11 && number(b, 2 * i, 4) == 400 ? 0 : -1; }
static int64_t views(int64_t i) {
  return number(b, i, 4) == 0x1234 && number(b, 5 + i, 1) == 2 && number(b, 3, 2) == 0 ? 0 : -1;
}
static int64_t scatter(int64_t i) { return number(b, i, 4); }
static int64_t through(int64_t i) { return number(b, number(c, i, 4), 4) == 5 ? 0 : -1; }
static int64_t sum(int64_t i) {
  (void)i;
  return number(b, 0, 4) + number(b, 1, 4) + number(b, 2, 4) == 12 ? 0 : -1;
}
static int64_t unlike(int64_t i) { return number(b, i, 4) != number(b, i + 1, 4) ? number(b, i, 4) & 3 : -1; }

static const kernel_case cases[] = {
    {"above", "global const int *b) { const int i = get_global_id(0); if (b[i] > 3) { a[0] = i; } }", above, false},
    {"small", "global const char *b) { const int i = get_global_id(0); if (b[i] < -3) { a[0] = i; } }", small, false},
    {"halves", "global const short *b) { const int i = get_global_id(0); if (b[i + 2] == -7) { a[0] = i; } }", halves,
     true},
    {"wide", "global const long *b) { const int i = get_global_id(0); if (b[i] > 0x300000003) { a[0] = i; } }", wide,
     false},
    {"bits", "global const uchar *b) { const int i = get_global_id(0); if ((b[i] & 0xF0) == 0xA0) { a[0] = i; } }",
     bits, false},
    {"lane", "global const int4 *b) { const int i = get_global_id(0); if (b[i].z == 9) { a[0] = i; } }", lane, false},
    {"loaded", "global const int *b) { const int i = get_global_id(0); if (vload4(i, b).y == 3) { a[0] = i; } }",
     loaded, true},
    {"member", "global const struct two *b) { const int i = get_global_id(0); if (b[i].second == 11) { a[0] = i; } }",
     member, false},
    {"members",
     "global const struct mixed *b) { const int i = get_global_id(0); if (b[i].c == 11 && b[i].n == 400) { a[0] = i; } "
     "}",
     members, false},
    {"views",
     "global const int *b) { const int i = get_global_id(0); if (b[i] == 0x1234 && ((global const uchar *)b)[5 + i] == "
     "2 "
     "&& ((global const short *)b)[3] == 0) { a[0] = i; } }",
     views, true},
    {"scatter", "global const int *b) { const int i = get_global_id(0); a[b[i]] = i; }", scatter, true},
    {"through",
     "global const int *b, global const int *c) { const int i = get_global_id(0); if (b[c[i]] == 5) { a[0] = i; } }",
     through, false},
    {"sum",
     "constant int *b) { const int i = get_global_id(0); int s = 0; for (int j = 0; j < 3; j++) { s += b[j]; } if (s "
     "== 12) { a[0] "
     "= i; } }",
     sum, false},
    {"unlike", "global const int *b) { const int i = get_global_id(0); if (b[i] != b[i + 1]) { a[b[i] & 3] = i; } }",
     unlike, false}};

enum { CASES = sizeof cases / sizeof *cases };

/* --- asking ------------------------------------------------------------------------------------------------------- */

static void fill(const json_t *cells, unsigned char *to) {
  size_t i = 0;
  json_t *cell = NULL;
  memset(to, 0, BYTES);
  json_array_foreach(cells, i, cell) {
    const json_int_t at = json_integer_value(json_array_get(cell, 0)), n = json_integer_value(json_array_get(cell, 1));
    const json_int_t bytes = json_integer_value(json_array_get(cell, 2));
    assert_true(bytes >= 1 && bytes <= 8 && at >= 0 && (at + 1) * bytes <= BYTES);
    memcpy(to + at * bytes, &n, (size_t)bytes);
  }
}

static int64_t item_of(const json_t *finding, size_t place) {
  const json_t *at = json_array_get(json_object_get(finding, "places"), place);
  const json_int_t local = json_integer_value(json_array_get(json_object_get(at, "local"), 0));
  const json_int_t group = json_integer_value(json_array_get(json_object_get(at, "group"), 0));
  return group * json_integer_value(json_array_get(json_object_get(finding, "local_size"), 0)) + local;
}

static void check(const kernel_case *k, const json_t *answer) {
  const char *verdict = json_string_value(json_object_get(answer, "verdict"));
  if (verdict == NULL || strcmp(verdict, k->alike ? "possible-race" : "race") != 0)
    fail_msg("%s: %s", k->name, verdict);
  const json_t *finding = json_array_get(json_object_get(answer, "findings"), 0);
  const json_t *contents = json_object_get(finding, "contents");
  fill(json_object_get(contents, "b"), b);
  fill(json_object_get(contents, "c"), c);
  const int64_t first = item_of(finding, 0), second = item_of(finding, 1);
  const int64_t x = k->place(first), y = k->place(second);
  if (first == second || x < 0 || x != y || x != json_integer_value(json_object_get(finding, "element"))) {
    char *text = json_dumps(finding, JSON_COMPACT);
    (void)fprintf(stderr, "%s: %s\n", k->name, text);
    fail_msg("%s: work-items %d and %d write to %d and %d", k->name, (int)first, (int)second, (int)x, (int)y);
  }
}

static void test_contents(void **state) {
  (void)state;
  buffer source = {0};
  buffer_puts(&source, "struct two { int first, second; };\nstruct mixed { int n; char c; };\n");
  for (size_t i = 0; i < CASES; i++)
    buffer_printf(&source, "kernel void %s(global int *a, %s\n", cases[i].name, cases[i].source);
  json_t *request = json_pack("{s:s,s:i,s:i}", "source", buffer_text(&source), "jobs", 2, "timeout", 60);
  engine_run run = engine_ask_json(engine, request, 300);
  for (size_t i = 0; i < CASES; i++) check(&cases[i], engine_answer(&run, cases[i].name));
  engine_free(&run);
  json_decref(request);
  buffer_free(&source);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    (void)fprintf(stderr, "usage: verify_contents ENGINE\n");
    return 1;
  }
  engine = argv[1];
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_contents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
