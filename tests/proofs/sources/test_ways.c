/* Whether a launch that was seen can have been made in a way: what its facts are about is taken from the launch. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "proofs/host/host.h"
#include "proofs/sources/source.h"

/* $0: int 100; $1: a buffer of 400 bytes of float; $2: float; $3: 64 bytes of local uint */
static parameter parameters[] = {{"n", "int", "int", PARAMETER_VALUE, 4, true, false, false, false, 0},
                                 {"a", "float", "float", PARAMETER_GLOBAL, 4, false, false, false, false, 0},
                                 {"f", "float", "float", PARAMETER_VALUE, 4, false, false, false, false, 0},
                                 {"l", "uint", "uint", PARAMETER_LOCAL, 4, true, true, false, false, 0}};
static const signature of = {"k", parameters, sizeof parameters / sizeof parameters[0], 1, false};

/* Of a fact that something is a number. */
static way_fit fit(host_seen seen, unsigned index, int64_t number, bool local_chosen, bool *named) {
  static unsigned char four[4];
  observed_argument arguments[] = {{.kind = OBSERVED_INTEGER, .parameter = 0, .integer = 100},
                                   {.kind = OBSERVED_BUFFER, .parameter = 1, .size = 400},
                                   {.kind = OBSERVED_BYTES, .parameter = 2, .bytes = four, .size = 4},
                                   {.kind = OBSERVED_LOCAL, .parameter = 3, .size = 64}};
  const observed_launch l = {.dimensions = 1,
                             .local = {64, 1, 1},
                             .groups = {2, 1, 1},
                             .offset = {7, 0, 0},
                             .local_chosen = local_chosen,
                             .arguments = arguments,
                             .argument_count = sizeof arguments / sizeof arguments[0]};
  const host_expression what = {.kind = EXPRESSION_SEEN, .seen = seen, .index = index, .type = {64, false}};
  const host_expression is = {.kind = EXPRESSION_NUMBER, .value = number, .type = {64, false}};
  const host_expression equal = {.kind = EXPRESSION_BINARY, .op = OP_EQUAL, .type = {32, true}, .a = &what, .b = &is};
  way_fact fact = {.expression = &equal};
  const struct host_way way = {.facts = &fact, .fact_count = 1};
  const way_fact *against = NULL;
  const way_fit result = way_fits(&way, &of, &l, &against);
  *named = against == &fact;
  return result;
}

static void test_seen(void **state) {
  static const struct {
    host_seen seen;
    unsigned index;
    int64_t number;
  } facts[] = {{SEEN_ARGUMENT, 0, 100},    {SEEN_ELEMENTS, 1, 100},  {SEEN_ELEMENTS, 3, 16},
               {SEEN_GLOBAL_SIZE, 0, 128}, {SEEN_GLOBAL_SIZE, 1, 1}, {SEEN_LOCAL_SIZE, 0, 64},
               {SEEN_GLOBAL_OFFSET, 0, 7}};
  bool named = false;
  (void)state;
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    assert_int_equal(fit(facts[i].seen, facts[i].index, facts[i].number, false, &named), WAY_FITS);
    assert_false(named);
    assert_int_equal(fit(facts[i].seen, facts[i].index, facts[i].number + 1, false, &named), WAY_CONTRADICTS);
    assert_true(named);
  }
}

static void test_not_seen(void **state) {
  bool named = false;
  (void)state;
  assert_int_equal(fit(SEEN_ARGUMENT, 2, 0, false, &named), WAY_MAY_FIT);   /* no integer */
  assert_int_equal(fit(SEEN_ARGUMENT, 1, 0, false, &named), WAY_MAY_FIT);   /* memory */
  assert_int_equal(fit(SEEN_ARGUMENT, 9, 0, false, &named), WAY_MAY_FIT);   /* none */
  assert_int_equal(fit(SEEN_ELEMENTS, 0, 1, false, &named), WAY_MAY_FIT);   /* no memory */
  assert_int_equal(fit(SEEN_LOCAL_SIZE, 0, 64, true, &named), WAY_MAY_FIT); /* the driver chose it */
  assert_int_equal(fit(SEEN_GLOBAL_SIZE, 0, 128, true, &named), WAY_FITS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_seen), cmocka_unit_test(test_not_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
