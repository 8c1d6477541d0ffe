/* Constants of sources, reasons of cases, and whose a file is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/names.h"
#include "generate/draw.h"
#include "generate/file.h"

static bool has(const constants *c, double value) {
  bool found = false;
  for (size_t i = 0; i < c->count; i++) found = found || c->items[i] == value;
  return found;
}

static void test_constants(void **state) {
  (void)state;
  constants c =
      constants_read("#define TILE 16\n/* 99 */ int x1 = a - 5; // 98\nfloat f = 1.5f, g = .25; b == 0x20; TILE16");
  assert_true(has(&c, 16) && has(&c, -5) && has(&c, 1.5) && has(&c, 0.25) && has(&c, 32));
  assert_int_equal(c.count, 5);
  free(c.items);
}

/* A kernel with an if, whose outcomes launches 2 and 0 of three took first, and a loop of which nothing is taken. */
static void test_reasons(void **state) {
  (void)state;
  model_outcome branch[] = {{.index = OUTCOME_TRUE, .label = (char *)"true", .line = 4, .tests = 1, .first = 2},
                            {.index = OUTCOME_FALSE, .label = (char *)"false", .line = 4, .tests = 2, .first = 0}};
  model_outcome loop[] = {{.index = OUTCOME_ZERO, .label = (char *)"0 iterations", .line = 7}};
  model_site sites[] = {{.kind = SITE_IF, .line = 4, .offset = 30, .outcomes = branch, .outcome_count = 2},
                        {.kind = SITE_FOR, .line = 7, .offset = 60, .outcomes = loop, .outcome_count = 1}};
  view_kernel kernel = {.name = (char *)"k", .sites = sites, .site_count = 2};
  view_test_case launches[] = {{.name = (char *)"0"}, {.name = (char *)"1"}, {.name = (char *)"2"}};
  model_file file = {.name = (char *)"k.cl"};
  const view v = {.kernels = &kernel,
                  .kernel_count = 1,
                  .test_cases = launches,
                  .test_case_count = 3,
                  .files = &file,
                  .file_count = 1};
  outcomes o = {0};
  outcomes_read(&o, &v, "other");
  assert_false(o.known);
  outcomes_read(&o, &v, "k");
  assert_int_equal(o.count, 3);
  assert_null(outcomes_reason(&o, 1, true));
  char *first = outcomes_reason(&o, 2, false), *again = outcomes_reason(&o, 2, true),
       *other = outcomes_reason(&o, 0, true);
  assert_string_equal(first, "takes the then of line 4");
  assert_string_equal(again, first);
  assert_string_equal(other, "takes the else of line 4");
  assert_null(outcomes_reason(&o, 2, true)); /* it is taken */
  assert_int_equal(outcomes_taken(&o), 2);
  buffer words = {0};
  outcome_words(&o.items[2], &words);
  assert_string_equal(buffer_text(&words), "no turn of the loop of line 7");
  buffer_free(&words);
  outcomes_read(&o, &v, "k"); /* no outcome is there twice */
  assert_int_equal(o.count, 3);
  free(first);
  free(again);
  free(other);
  outcomes_free(&o);
}

static void add_line(const char *path, const char *line) {
  FILE *f = fopen(path, "ae");
  assert_non_null(f);
  (void)fputs(line, f);
  assert_int_equal(fclose(f), 0);
}

static void test_files(void **state) {
  (void)state;
  char folder[] = "/tmp/cltestcheck-generate-XXXXXX";
  error e;
  assert_non_null(mkdtemp(folder));
  char *path = generated_path(folder, "some/blur.tile.cl");
  assert_string_equal(path_end(path), "blur.tile.yaml");
  assert_int_equal(generated_check(path, &e), 0); /* it is not there */
  assert_int_equal(generated_write(path, "/some/blur.tile.cl", "-DS=\"a{b}\"", NULL, 0, &e), 0);
  assert_int_equal(generated_check(path, &e), 0);
  assert_int_equal(generated_write(path, "/some/blur.tile.cl", "", NULL, 0, &e), 0);
  add_line(path, "# mine\n");
  assert_int_equal(generated_check(path, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, path));
  assert_int_equal(generated_write(path, "/some/blur.tile.cl", "", NULL, 0, &e), -1);
  assert_int_equal(unlink(path), 0);
  add_line(path, "name: by hand\n"); /* not ours */
  assert_int_equal(generated_check(path, &e), -1);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
  free(path);
}

/* What is divided by in two pairs of parentheses. */
static void test_divisor(void **state) {
  (void)state;
  asked_source s;
  error e;
  inputs in;
  unsigned drawn = 0;
  asked_source_init(&s, "kernel void k(global float *out, int n) { out[0] = 1 / ((float)(n)); }", SIZE_MAX, "", ".",
                    NULL);
  assert_int_equal(asked_source_read(&s, &e), 0);
  inputs_begin(&in, &s, "k", NULL, NULL, 0, 0);
  for (unsigned i = 1; i <= 8; i++) {
    input x;
    if (!inputs_draw(&in, i, NULL, &x)) continue;
    drawn++;
    input_free(&x);
  }
  assert_int_equal(drawn, 8);
  inputs_end(&in);
  asked_source_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_constants), cmocka_unit_test(test_reasons),
                                     cmocka_unit_test(test_divisor), cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
