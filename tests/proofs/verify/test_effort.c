/* A question to the solver ends when it has used its processor time, and the next one is answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proofs/verify/request.h"

static Z3_ast unknown(Z3_context c, const char *name) {
  return Z3_mk_const(c, Z3_mk_string_symbol(c, name), Z3_mk_bv_sort(c, 128));
}

static Z3_ast number(Z3_context c, const char *digits) { return Z3_mk_numeral(c, digits, Z3_mk_bv_sort(c, 128)); }

/* Factors of the product of two primes of 61 bits each. */
static void assert_factors(Z3_context c, Z3_solver s) {
  const Z3_ast x = unknown(c, "x"), y = unknown(c, "y"), end = number(c, "2305843009213693952");
  Z3_solver_assert(c, s, Z3_mk_eq(c, Z3_mk_bvmul(c, x, y), number(c, "3335395569776156918862477129565748551")));
  Z3_solver_assert(c, s, Z3_mk_bvugt(c, x, number(c, "1")));
  Z3_solver_assert(c, s, Z3_mk_bvult(c, x, end));
  Z3_solver_assert(c, s, Z3_mk_bvugt(c, y, number(c, "1")));
  Z3_solver_assert(c, s, Z3_mk_bvult(c, y, end));
}

static void test_hard(void **state) {
  (void)state;
  Z3_config config = Z3_mk_config();
  const Z3_context c = Z3_mk_context(config);
  const Z3_solver s = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_UFBV"));
  Z3_del_config(config);
  Z3_solver_inc_ref(c, s);
  Z3_solver_push(c, s);
  for (int round = 0; round < 3; round++) {
    Z3_solver_push(c, s);
    assert_factors(c, s);
    const double before = effort_now();
    assert_int_equal(effort_check(c, s, 0, NULL, 0.2), Z3_L_UNDEF);
    assert_true(effort_now() - before >= 0.15);
    assert_true(effort_now() - before < 5);
    Z3_solver_pop(c, s, 1);
    assert_int_equal(effort_check(c, s, 0, NULL, 0.2), Z3_L_TRUE);
  }
  Z3_solver_dec_ref(c, s);
  Z3_del_context(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
