/* A form of a newcomer's own: a pass and a row, without a change of instrument/. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "instrument/forms.h"

static const char source[] =
    "int twice(int x) { return 2 * x; }\n"
    "__kernel void k(__global int *a) { if (a[0]) { a[1] = twice(a[0]); } }\n";

/* --- a pass that counts how many functions are entered -------------------------------------------------------------- */

static int ended;

static int count_begin(program *p, void **state, error *e) {
  if (p->function_count > 2) return error_set(e, EXIT_INTERNAL, "too many functions");
  size_t *functions = mem_calloc(1, sizeof *functions);
  *functions = p->function_count;
  *state = functions;
  return 0;
}

static void count_end(void *state) {
  free(state);
  ended++;
}

static void count_before(const void *state, const program *p, buffer *out) {
  (void)p;
  buffer_printf(out, "/* %zu functions */\n", *(const size_t *)state);
}

static void count_members(const void *state, const program *p, buffer *out) {
  (void)state, (void)p;
  buffer_puts(out, "  uint entered;\n");
}

static void count_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of(", uint own"));
}

static void count_function(const void *state, const program *p, uint32_t index, edits *e) {
  (void)state;
  const function *f = &p->functions[index];
  edit_add(e, body_start(&p->units[f->unit].text, f), EDIT_AFTER, 3, EDIT_BOTH, text_of(" cltc->entered++;"));
}

static void count_kernels(const void *state, const program *p, uint32_t kernel, buffer *out) {
  (void)state;
  buffer_printf(out, "/* after %s */\n", p->out->model.kernels[kernel].name);
}

static const pass counting = {.begin = count_begin,
                              .end = count_end,
                              .before = count_before,
                              .members = count_members,
                              .parameters = count_parameters,
                              .function = count_function,
                              .kernels = count_kernels};

/* --- what comes of it ----------------------------------------------------------------------------------------------- */

static char *text_with(const form_text *row, const char *text) {
  const pp_input in = {.name = "k.cl", .text = text, .length = strlen(text), .options = ""};
  instrument_result r;
  error e = {0};
  ended = 0;
  const int result = instrument_as(row, &in, 1, NULL, &r, &e);
  char *made = result == 0 ? mem_strdup(r.texts[0]) : NULL;
  instrument_free(&r);
  return made;
}

static size_t occurrences(const char *text, const char *wanted) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, wanted)) != NULL; at += strlen(wanted)) count++;
  return count;
}

static void test_alone(void **state) {
  (void)state;
  const form_text row = {.title = "/* ours */\n", .passes = {&counting}};
  char *text = text_with(&row, source);
  assert_non_null(text);
  static const char begin[] = "/* ours */\n/* 2 functions */\ntypedef struct {\n  uint t, zero;\n  uint entered;\n}";
  assert_memory_equal(text, begin, strlen(begin));
  assert_int_equal(occurrences(text, "{ cltc->entered++; return 2 * x; }"), 1);
  assert_int_equal(occurrences(text, "cltc->entered++;"), 2);
  assert_int_equal(occurrences(text, ", uint own) {"), 1);
  assert_int_equal(occurrences(text, "if (a[0]) { a[1] = twice(a[0], cltc); } }"), 1); /* nothing is recorded */
  assert_int_equal(occurrences(text, "/* after k */\n"), 1);
  assert_int_equal(ended, 1);
  free(text);
}

/* Two at once: coverage writes what it writes alone, and ours goes inside. */
static void test_with_coverage(void **state) {
  (void)state;
  const form_text both = {.title = "", .passes = {&counting, &coverage_pass}};
  const form_text coverage = {.title = "", .passes = {&coverage_pass}};
  char *text = text_with(&both, source);
  char *alone = text_with(&coverage, source);
  static const char *const added[] = {"/* 2 functions */\n", "  uint entered;\n", ", uint own", " cltc->entered++;",
                                      "/* after k */\n"};
  for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
    assert_true(occurrences(text, added[i]) > 0);
    for (char *at; (at = strstr(text, added[i])) != NULL;)
      memmove(at, at + strlen(added[i]), strlen(at + strlen(added[i])) + 1);
  }
  assert_string_equal(text, alone);
  free(text);
  free(alone);
}

static void test_refused(void **state) {
  (void)state;
  const form_text both = {.title = "", .passes = {&counting, &coverage_pass}};
  assert_null(text_with(&both, "void a() {}\nvoid b() {}\n__kernel void k() {}\n"));
  assert_int_equal(ended, 0); /* it had no state yet */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_with_coverage),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
