/* Preconditions held against launches, and launches that are drawn to satisfy them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "proofs/opinion/draw.h"

static asked_source source;

static int set_up(void **state) {
  (void)state;
  error e;
  asked_source_init(&source,
                    "kernel void k(global int *a, global const int *index, int n, uint w, long far, float f) {}\n"
                    "__attribute__((reqd_work_group_size(16, 2, 1))) kernel void fixed(global int *a) {\n"
                    "  a[get_global_id(1)] = get_global_id(0);\n}\n"
                    "kernel void pictures(read_only image2d_t i) {}\n",
                    SIZE_MAX, "", "/", NULL);
  return asked_source_read(&source, &e);
}

static int tear_down(void **state) {
  (void)state;
  asked_source_free(&source);
  return 0;
}

/* k with 2 groups of 8, an offset of 3; 100 elements in a, 7 in index; n -5, w 4294967295, far 2^40. */
static void make(replica *r) {
  static replica_argument arguments[6];
  static int n = -5;
  static unsigned w = 4294967295u;
  static long far = 1L << 40;
  static float f = 1;
  void *const values[] = {NULL, NULL, &n, &w, &far, &f};
  const signature *of = asked_signature(&source, "k");
  memset(arguments, 0, sizeof arguments);
  for (size_t i = 0; i < 6; i++) {
    arguments[i].is = &of->parameters[i];
    arguments[i].size = i == 0 ? 400 : i == 1 ? 28 : of->parameters[i].size;
    arguments[i].bytes = values[i];
  }
  *r = (replica){.source = &source, .kernel = "k", .dimensions = 1, .arguments = arguments, .count = 6};
  for (int d = 0; d < 3; d++) {
    r->local[d] = d == 0 ? 8 : 1;
    r->global[d] = d == 0 ? 16 : 1;
  }
  r->offset[0] = 3;
}

static void test_values(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {{"n", -5},
               {"w", 4294967295},
               {"far - 1", 1099511627775},
               {"get_global_size(0)", 16},
               {"get_local_size( 0 ) * get_num_groups(0) + get_global_offset(0)", 19},
               {"get_global_size(1)", 1},
               {"get_work_dim() == 1", 1},
               {"elements(a) >= n + 105", 1},
               {"elements(a) >= n + 106", 0},
               {"elements(index)", 7},
               {"power_of_two(get_local_size(0))", 1},
               {"power_of_two(get_local_size(0) + n)", 0},
               {"power_of_two(n + 5)", 0},
               {"n < 0 && (w > 3 || !n)", 1},
               {"n % get_local_size(0) == 0 ? 1 : 2", 2},
               {"0x10 + 3", 19}};
  static const char *const unknown[] = {"m",   "f",      "a",      "elements(n)", "elements(m)", "get_global_size(3)",
                                        "n +", "sin(n)", "(int)w", "far * far"};
  replica r;
  make(&r);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t value = 0;
    if (!terms_value(cases[i].text, strlen(cases[i].text), &r, &value) || value != cases[i].value)
      fail_msg("%s is %lld", cases[i].text, (long long)value);
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    int64_t value = 0;
    if (terms_value(unknown[i], strlen(unknown[i]), &r, &value)) fail_msg("%s is %lld", unknown[i], (long long)value);
  }
}

static void read(terms *t, premise *said, size_t count) {
  const premises all = {said, count};
  terms_read(&all, NULL, asked_signature(&source, "k"), t);
}

#define HOLDS(name, ...)                                                                             \
  {                                                                                                  \
    .kind = PREMISE_CONTENTS, .text = "what it holds", .buffer = (name), .contents = { __VA_ARGS__ } \
  }

static void test_reading(void **state) {
  (void)state;
  premise said[] = {{.text = "n > 7"},
                    HOLDS("index", .distinct = true),
                    HOLDS("index", .bounded = true, .low = -3, .high = 90),
                    {.kind = PREMISE_EVEN, .text = "as large"},
                    {.kind = PREMISE_AS_SEEN, .text = "f"},
                    {.kind = PREMISE_INSIDE, .text = "inside"}};
  premise other[] = {{.kind = PREMISE_OTHER, .text = "n > 3"}};
  premise nobody[] = {HOLDS("m", .distinct = true)};
  terms t;
  read(&t, said, 6);
  assert_int_equal(t.count, 1);
  assert_null(t.foreign);
  assert_int_equal(t.numbers[0], 7);
  assert_true(t.contents[1].distinct && t.contents[1].bounded && !t.contents[1].ascending);
  assert_int_equal(t.contents[1].low, -3);
  assert_int_equal(t.contents[1].high, 90);
  assert_false(t.contents[0].distinct || t.contents[0].bounded);
  terms_free(&t);
  read(&t, other, 1);
  assert_string_equal(t.foreign, other[0].text);
  terms_free(&t);
  read(&t, nobody, 1);
  assert_string_equal(t.foreign, nobody[0].text);
  terms_free(&t);
}

/* Each launch that is drawn holds what it is to hold, by the bytes that it has. */
static void test_drawn(void **state) {
  (void)state;
  premise said[] = {{.text = "n == get_global_size(0)"}, {.text = "w >= 3"},
                    {.text = "get_work_dim() == 1"},     {.text = "power_of_two(get_local_size(0))"},
                    HOLDS("index", .distinct = true),    HOLDS("index", .bounded = true, .low = 2, .high = 40)};
  terms t;
  read(&t, said, 6);
  drawing d = {.source = &source, .kernel = "k", .terms = &t, .seed = 5};
  draw_begin(&d);
  assert_null(draw_obstacle(&d));
  bool offset = false, several = false;
  for (unsigned i = 0; i < 12; i++) {
    replica r;
    assert_true(draw_launch(&d, i, &r));
    int n = 0;
    unsigned w = 0;
    memcpy(&n, r.arguments[2].bytes, sizeof n);
    memcpy(&w, r.arguments[3].bytes, sizeof w);
    assert_int_equal(n, r.global[0]);
    assert_true(w >= 3 && (r.local[0] & (r.local[0] - 1)) == 0);
    assert_int_equal(r.global[0] % r.local[0], 0);
    int *index = mem_calloc(1, r.arguments[1].size);
    bool seen[41] = {false};
    replica_fill(&r.arguments[1], (unsigned char *)index);
    for (size_t k = 0; k < r.arguments[1].size / sizeof *index; k++) {
      assert_true(index[k] >= 2 && index[k] <= 40 && !seen[index[k]]);
      seen[index[k]] = true;
    }
    free(index);
    offset = offset || r.offset[0] > 0;
    several = several || r.global[0] > r.local[0];
    replica_free(&r);
  }
  assert_true(offset && several);
  assert_true(d.size_count <= DRAW_GROUP_SIZES);
  draw_end(&d);
  terms_free(&t);
}

static void test_none(void **state) {
  (void)state;
  premise never[] = {{.text = "n > 3"}, {.text = "n < 3"}};
  terms t;
  replica r;
  read(&t, never, 2);
  drawing d = {.source = &source, .kernel = "k", .terms = &t};
  draw_begin(&d);
  assert_false(draw_launch(&d, 0, &r));
  draw_end(&d);
  terms_free(&t);
}

/* What is said of each element, with bounds that depend on the launch. */
static void test_each(void **state) {
  (void)state;
  premise said[] = {{.text = "0 <= index[i] && index[i] < n"}, {.text = "n > 2"}, {.text = "n < 9"}};
  premise other[] = {{.text = "index[i] + 1 < n"}};
  terms t;
  read(&t, other, 1);
  assert_non_null(t.foreign);
  terms_free(&t);
  read(&t, said, 3);
  assert_null(t.foreign);
  assert_int_equal(t.each_count, 2);
  drawing d = {.source = &source, .kernel = "k", .terms = &t, .seed = 9};
  draw_begin(&d);
  bool several = false;
  for (unsigned i = 0; i < 6; i++) {
    replica r;
    assert_true(draw_launch(&d, i, &r));
    int n = 0;
    memcpy(&n, r.arguments[2].bytes, sizeof n);
    int *index = mem_calloc(1, r.arguments[1].size);
    replica_fill(&r.arguments[1], (unsigned char *)index);
    for (size_t k = 0; k < r.arguments[1].size / sizeof *index; k++) {
      assert_true(index[k] >= 0 && index[k] < n);
      several = several || index[k] != index[0];
    }
    free(index);
    replica_free(&r);
  }
  assert_true(several);
  draw_end(&d);
  terms_free(&t);
}

static void test_attributes(void **state) {
  (void)state;
  const premises nothing = {NULL, 0};
  terms t;
  replica r;
  terms_read(&nothing, NULL, asked_signature(&source, "fixed"), &t);
  drawing d = {.source = &source, .kernel = "fixed", .terms = &t};
  draw_begin(&d);
  assert_true(draw_launch(&d, 4, &r));
  assert_int_equal(r.local[0], 16);
  assert_int_equal(r.local[1], 2);
  replica_free(&r);
  draw_end(&d);
  terms_free(&t);
  terms_read(&nothing, NULL, asked_signature(&source, "pictures"), &t);
  d = (drawing){.source = &source, .kernel = "pictures", .terms = &t};
  draw_begin(&d);
  assert_int_equal(d.required[0], 0);
  assert_null(draw_obstacle(&d));
  assert_true(draw_launch(&d, 0, &r));
  assert_true(r.arguments[0].picture.object != 0 && r.arguments[0].picture.extent[0] > 0);
  assert_int_equal(r.arguments[0].picture.extent[2], 0);
  replica_free(&r);
  draw_end(&d);
  terms_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_reading),
                                     cmocka_unit_test(test_drawn),  cmocka_unit_test(test_none),
                                     cmocka_unit_test(test_each),   cmocka_unit_test(test_attributes)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
