/* The engine's verdicts about the kernels of a folder, against what each is expected to be.
 *   verify_cases ENGINE FILE…      of FILE:KERNEL that kernel alone */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "tests/proofs/verify/cases.h"
#include "tests/proofs/verify/engine.h"

static const char *engine;

/* One request for all cases that ask the same of the source, each of another kernel. */
static json_t *request_of(verify_cases *all, const json_t *with, verify_case **asked, size_t *count) {
  json_t *kernels = json_array();
  *count = 0;
  for (size_t i = 0; i < all->count; i++) {
    verify_case *c = &all->items[i];
    bool taken = c->done || json_equal(c->with, with) == 0;
    for (size_t n = 0; n < *count; n++) taken = taken || strcmp(asked[n]->kernel, c->kernel) == 0;
    if (!taken) {
      c->done = true;
      asked[(*count)++] = c;
      json_array_append(kernels, c->ask);
    }
  }
  const char *slash = strrchr(all->path, '/');
  json_t *request = json_pack(
      "{s:s,s:s,s:s%,s:i,s:i,s:o}", "source", all->text, "file", slash == NULL ? all->path : slash + 1, "directory",
      all->path, slash == NULL ? (size_t)0 : (size_t)(slash - all->path), "jobs", 2, "timeout", 60, "kernels", kernels);
  json_object_update(request, (json_t *)with);
  return request;
}

static bool ask_again(verify_case *const *asked, size_t count, const engine_run *run) {
  for (size_t i = 0; i < count; i++)
    if (case_wants_less(asked[i], engine_answer(run, asked[i]->kernel))) return true;
  return false;
}

static unsigned check(const verify_cases *all, verify_case *const *asked, size_t count, const engine_run *run) {
  unsigned wrong = 0;
  for (size_t i = 0; i < count; i++) {
    const json_t *answer = engine_answer(run, asked[i]->kernel);
    char *text = answer == NULL ? NULL : engine_malformed(answer);
    text = text == NULL ? case_wrong(asked[i], answer) : text;
    if (text != NULL) {
      wrong++;
      (void)fprintf(stderr, "%s:%u: %s\n", all->path, asked[i]->line, text);
    }
    free(text);
  }
  if (json_array_size(run->answers) != count || run->code != 0) {
    (void)fprintf(stderr, "%s: %zu answers to %zu questions, exit status %d\n", all->path,
                  json_array_size(run->answers), count, run->code);
    wrong++;
  }
  return wrong;
}

static void test_file(void **state) {
  char *path = mem_strdup(*state), *only = strrchr(path, ':');
  if (only != NULL) *only++ = '\0';
  verify_cases all = cases_read(path);
  for (size_t i = 0; only != NULL && i < all.count; i++)
    all.items[i].done = all.items[i].done || strcmp(all.items[i].kernel, only) != 0;
  verify_case **asked = mem_calloc(all.count + 1, sizeof *asked);
  unsigned wrong = 0;
  assert_true(all.count > 0);
  for (size_t i = 0; i < all.count; i++) {
    if (all.items[i].done) continue;
    size_t count = 0;
    json_t *request = request_of(&all, all.items[i].with, asked, &count);
    engine_run run = engine_ask_json(engine, request, 300);
    for (unsigned again = 0; again < 3 && ask_again(asked, count, &run); again++) {
      engine_free(&run);
      run = engine_ask_json(engine, request, 300);
    }
    wrong += check(&all, asked, count, &run);
    engine_free(&run);
    json_decref(request);
  }
  free(asked);
  cases_free(&all);
  free(path);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    (void)fprintf(stderr, "usage: verify_cases ENGINE FILE…\n");
    return 1;
  }
  engine = argv[1];
  const size_t count = (size_t)argc - 2;
  struct CMUnitTest *tests = mem_calloc(count, sizeof *tests);
  for (size_t i = 0; i < count; i++)
    tests[i] = (struct CMUnitTest){.name = argv[i + 2], .test_func = test_file, .initial_state = argv[i + 2]};
  const int failed = _cmocka_run_group_tests("verify_cases", tests, count, NULL, NULL);
  free(tests);
  return failed;
}
