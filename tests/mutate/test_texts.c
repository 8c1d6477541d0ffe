/* The sources that hold mutants: the schema and clones. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "tests/fixtures/mutants_fixture.h"

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void run_with(const char *options, const char *source, const uint32_t *clones, size_t clone_count,
                     const bool *operators, mutate_result *out) {
  pp_input in = {.name = "kernel.cl", .text = source, .length = strlen(source), .options = options};
  error e = {0};
  if (mutate_program(&in, 1, clones, clone_count, operators, out, &e) != 0) {
    print_error("%s", e.text);
    fail();
  }
  assert_int_equal(out->question_count, 0);
  assert_int_equal(out->source_count, 1);
  size_t count = 0;
  front_error *errors = front_check(out->texts[0], out->options[0], &count);
  front_errors_free(errors, count);
  assert_int_equal(count, 0);
}

static void run(const char *source, const uint32_t *clones, size_t clone_count, const bool *operators,
                mutate_result *out) {
  run_with(NULL, source, clones, clone_count, operators, out);
}

/* libclang takes `n` for the size of an array while it is a constant: its mutants go, the others keep their numbers. */
static void leaves_out_what_is_refused(void **state) {
  (void)state;
  static const char source[] = INTS("const int n = 2 << 1;\nint t[n];\nt[a] = a & b;\np[0] = t[b] | a;");
  pp_input in = {.name = "kernel.cl", .text = source, .length = sizeof source - 1};
  found f;
  find(&in, 1, &f);
  mutate_result r;
  run(source, NULL, 0, NULL, &r);
  size_t kept = 0;
  for (size_t i = 0; i < f.result.mutant_count; i++) {
    if (f.result.mutants[i].line > 2) {
      assert_true(kept < r.mutant_count);
      assert_int_equal(r.mutants[kept].number, f.result.mutants[i].number);
      assert_int_equal(r.mutants[kept].id, f.result.mutants[i].id);
      kept++;
    }
  }
  assert_true(kept < f.result.mutant_count && kept == r.mutant_count);
  assert_int_equal(r.flag_words, MUTATE_WORD_REACHED + 1);
  mutate_free(&r);
  found_free(&f);
}

/* What a macro's text is changed to holds where nothing is executed, too: a size that is refused makes the mutant
 * invalid, another one stands in the clone. */
static void changes_sizes(void **state) {
  (void)state;
  static const char source[] =
      "#define N 16\n" INTS("int t[N]; switch (a) { case N: t[0] = N; break; } p[0] = t[0] + (int)sizeof(int[N]);");
  mutate_result all, r;
  run(source, NULL, 0, NULL, &all);
  unsigned fine = 0;
  unsigned refused = 0;
  for (size_t i = 0; i < all.mutant_count; i++) {
    const mutant *m = &all.mutants[i];
    if (m->line == 1) {
      const bool negative = strcmp(m->replacement, "-1") == 0;
      assert_int_equal(m->form, MUTANT_CLONED);
      assert_true(m->sizes);
      assert_int_equal(m->invalid, negative);
      refused += negative ? 1 : 0;
      fine += negative ? 0 : 1;
    } else {
      assert_false(m->sizes || m->invalid);
    }
  }
  assert_int_equal(refused, 1);
  assert_int_equal(fine, 4); /* 0, 1, 17, 15 */
  for (size_t i = 0; i < all.mutant_count; i++) {
    if (strcmp(all.mutants[i].replacement, "17") == 0) {
      run(source, &all.mutants[i].number, 1, NULL, &r);
      assert_non_null(strstr(r.texts[0], "int t[ 17 ]"));
      assert_non_null(strstr(r.texts[0], "case  17 :"));
      assert_non_null(strstr(r.texts[0], "int[ 17 ]"));
      mutate_free(&r);
    }
  }
  mutate_free(&all);
}

/* A clone has a kernel's functions, but not a variable of the program's, nor what an #if chose. */
static void leaves_sizes_outside(void **state) {
  (void)state;
  static const char *const sources[] = {
      "#define N 3\nconstant int c[N] = {1, 2, 3};\n" INTS("p[0] = c[a & 1] + N;"),
      "#define N 3\nstruct s { int t[N]; };\n" INTS("struct s s; s.t[0] = a; p[0] = s.t[0] + N;"),
      "#define N 3\n#if N > 2\n#define M 1\n#endif\n" INTS("p[0] = M + N;"),
      "#define N 3\n#define CAT(x, y) x##y\n#define MORE(x) CAT(x, u)\n" INTS("p[0] = N + MORE(N);"),
  };
  for (size_t i = 0; i < COUNT(sources); i++) {
    mutate_result r;
    run(sources[i], NULL, 0, NULL, &r);
    assert_true(r.mutant_count > 0);
    for (size_t m = 0; m < r.mutant_count; m++) assert_int_not_equal(r.mutants[m].line, 1);
    mutate_free(&r);
  }
}

static void writes_clones(void **state) {
  (void)state;
  static const char source[] = INTS("p[0] = !u | (a & b);") "kernel void other(global int *p) { p[0] = p[1] & 1; }\n";
  mutate_result all, r;
  run(source, NULL, 0, NULL, &all);
  uint32_t number = 0;
  for (size_t i = 0; i < all.mutant_count; i++)
    number = all.mutants[i].op == MUTATE_LOGIC ? all.mutants[i].number : number;
  run(source, &number, 1, NULL, &r);
  char *name = mutant_clone_name("k", number);
  assert_non_null(strstr(r.texts[0], name));
  assert_null(strstr(r.texts[0], "other__cltc"));
  assert_int_equal(r.mutant_count, all.mutant_count);
  free(name);
  mutate_free(&r);
  mutate_free(&all);
}

static uint32_t number_of(const mutate_result *r, mutate_operator op) {
  uint32_t number = 0;
  for (size_t i = 0; i < r->mutant_count; i++) number = r->mutants[i].op == op ? r->mutants[i].number : number;
  assert_int_not_equal(number, 0);
  return number;
}

/* Mutants whose text libclang refuses would be left out. */
static void writes_atomics_of_2_0(void **state) {
  (void)state;
  static const char source[] =
      ATOMICS("atomic_fetch_add(p, a); a = atomic_fetch_sub_explicit(u, 2u, memory_order_relaxed);\n"
              "atomic_fetch_or(l, 1L); atomic_fetch_and(p, a); atomic_fetch_xor(u, 1u); atomic_fetch_min(l, 2L);\n"
              "a += atomic_fetch_max_explicit(p, a, memory_order_acq_rel, memory_scope_work_group);\n"
              "x = atomic_exchange(f, 2); atomic_store(u, a ? 1u : 2u); atomic_store_explicit(f, x, "
              "memory_order_release);\n"
              "if (atomic_compare_exchange_strong(p, &a, a + 1)) atomic_flag_clear(g);\n"
              "a = atomic_compare_exchange_weak_explicit(f, &x, 3, memory_order_acq_rel, memory_order_relaxed, "
              "memory_scope_device);\n"
              "while (atomic_flag_test_and_set_explicit(g, memory_order_acquire, memory_scope_device)) a++;\n"
              "atomic_flag_clear_explicit(g, memory_order_release); (void)atomic_flag_test_and_set(g);")
          "kernel void k(global atomic_int *p, global atomic_flag *g, global atomic_float *f) {\n"
          "local atomic_uint u; local atomic_long l; h(p, &u, &l, f, g, 1, 2);\n}\n";
  static const char *const standards[] = {"-cl-std=CL2.0", "-cl-std=CL3.0"};
  for (size_t i = 0; i < COUNT(standards); i++) {
    mutate_result r, clones;
    uint32_t numbers[16];
    size_t count = 0;
    run_with(standards[i], source, NULL, 0, NULL, &r);
    for (size_t m = 0; m < r.mutant_count; m++) {
      if (r.mutants[m].op == MUTATE_ATOMIC) {
        assert_true(count < COUNT(numbers));
        assert_int_equal(r.mutants[m].form, MUTANT_SELECTED);
        numbers[count++] = r.mutants[m].number;
      }
    }
    assert_int_equal(count, COUNT(numbers));
    run_with(standards[i], source, numbers, count, NULL, &clones);
    mutate_free(&clones);
    mutate_free(&r);
  }
}

/* All mutants are listed alike, whichever operators are written into the text. */
static void writes_what_is_chosen(void **state) {
  (void)state;
  static const char source[] = INTS(
      "const int n = 2 << 1;\nint t[n];\nt[a] = a & b;\nfor (int i = 0; i < 7; i++) { mem_fence(1); p[i] = t[b] | a; "
      "}");
  bool chosen[MUTATE_OPERATORS];
  assert_int_equal(mutate_select_operators("rel,const", chosen, NULL), 0);
  mutate_result all, some;
  run(source, NULL, 0, NULL, &all);
  run(source, NULL, 0, chosen, &some);
  assert_int_equal(some.mutant_count, all.mutant_count);
  assert_int_equal(some.place_count, all.place_count);
  assert_int_equal(some.flag_words, all.flag_words);
  for (size_t i = 0; i < all.mutant_count; i++) {
    assert_int_equal(some.mutants[i].id, all.mutants[i].id);
    assert_int_equal(some.mutants[i].number, all.mutants[i].number);
    assert_int_equal(some.mutants[i].place, all.mutants[i].place);
  }
  static const char *const names[] = {"cltc_lt_int", "cltc_number_int", "cltc_and_int", "cltc_or_int"};
  for (size_t i = 0; i < COUNT(names); i++) {
    assert_non_null(strstr(all.texts[0], names[i]));
    assert_true((strstr(some.texts[0], names[i]) != NULL) == (i < 2));
  }
  mutate_free(&some);
  uint32_t number = number_of(&all, MUTATE_REL);
  run(source, &number, 1, chosen, &some);
  for (size_t i = 0; i < COUNT(names); i++) assert_true((strstr(some.texts[0], names[i]) != NULL) == (i < 2));
  mutate_free(&some);
  mutate_free(&all);
}

/* Questions of the preprocessor come back, and a source that cannot be read is an error. */
static void asks_and_refuses(void **state) {
  (void)state;
  static const char question[] = "#ifdef cl_khr_fp64\n#endif\nkernel void k() {}\n";
  static const char wrong[] = "kernel void k() { x = 1; }\n";
  pp_input in = {.name = "kernel.cl", .text = question, .length = sizeof question - 1};
  mutate_result r;
  error e = {0};
  assert_int_equal(mutate_program(&in, 1, NULL, 0, NULL, &r, &e), 0);
  assert_int_equal(r.question_count, 1);
  mutate_free(&r);
  in = (pp_input){.name = "kernel.cl", .text = wrong, .length = sizeof wrong - 1};
  assert_int_equal(mutate_program(&in, 1, NULL, 0, NULL, &r, &e), -1);
  assert_non_null(strstr(e.text, "kernel.cl:1: "));
  mutate_free(&r);
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static void selects_operators(void **state) {
  (void)state;
  bool selected[MUTATE_OPERATORS];
  assert_int_equal(mutate_select_operators("paper", selected, NULL), 0);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) assert_int_equal(selected[i], i <= MUTATE_LOOP);
  assert_int_equal(mutate_select_operators("paper,gpu,-rel,-const", selected, NULL), 0);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) assert_int_equal(selected[i], i < MUTATE_CONST && i != MUTATE_REL);
  assert_int_equal(mutate_select_operators("launch", selected, NULL), 0);
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) assert_int_equal(selected[i], i > MUTATE_CONST);
  static const char *const wrong[] = {"", "paper,", "arit", "arithm", "-", "--rel", "paper gpu"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    error e = {0};
    assert_int_equal(mutate_select_operators(wrong[i], selected, &e), -1);
    assert_int_equal(e.code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "paper, gpu and launch, and arith, rel, logic, bit, assign, barrier"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_what_is_chosen), cmocka_unit_test(leaves_out_what_is_refused),
      cmocka_unit_test(changes_sizes),         cmocka_unit_test(leaves_sizes_outside),
      cmocka_unit_test(writes_clones),         cmocka_unit_test(asks_and_refuses),
      cmocka_unit_test(selects_operators),     cmocka_unit_test(writes_atomics_of_2_0),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
