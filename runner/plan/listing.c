/* What the frameworks' listings have in common. */
#include "runner/plan/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/subprocess.h"

bool plan_is_listed(const plan_words *s) { return s->pytest || s->gtest || s->ctest != NULL; }

int plan_listed(const plan_words *s, plan *p, error *e) {
  if ((s->pytest ? 1 : 0) + (s->gtest ? 1 : 0) + (s->ctest != NULL ? 1 : 0) > 1) {
    return error_set(e, EXIT_USAGE,
                     "--pytest, --gtest and --ctest each say where test cases come from; give one of them");
  }
  if (s->word_count > 0) {
    return error_set(e, EXIT_USAGE,
                     "\"%s\" cannot be run together with tests that are listed; put what belongs to them after --",
                     s->words[0]);
  }
  if (s->captures) {
    return error_set(e, EXIT_USAGE, "--capture keeps one test case; give that one after -- as a program");
  }
  return s->ctest != NULL ? plan_ctest(s, p, e) : s->gtest ? plan_gtest(s, p, e) : plan_pytest(s, p, e);
}

int listing_run(char *const *argv, buffer *out, error *e) {
  const subprocess s = {.argv = argv};
  subprocess_end end;
  int status;
  if (subprocess_read(&s, out, &end, &status, e) != 0) {
    return -1;
  }
  if (end != SUBPROCESS_ENDED) {
    return error_set(e, EXIT_USAGE, "%s printed more than 1 GiB when it was asked for its tests", argv[0]);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

char **listing_join(char *const *head, const char *const *more) {
  size_t count = 0;
  size_t extra = 0;
  for (; head[count] != NULL; count++) {
  }
  for (; more[extra] != NULL; extra++) {
  }
  char **argv = mem_calloc(count + extra + 1, sizeof *argv);
  for (size_t i = 0; i < count; i++) {
    argv[i] = mem_strdup(head[i]);
  }
  for (size_t i = 0; i < extra; i++) {
    argv[count + i] = mem_strdup(more[i]);
  }
  return argv;
}

void listing_free(char **argv) {
  for (size_t i = 0; argv != NULL && argv[i] != NULL; i++) {
    free(argv[i]);
  }
  free(argv);
}

void listing_left_out(const plan_words *s, const char *name, const char *why) {
  if (!s->quiet) {
    (void)fprintf(stderr, "cltestcheck: test %s is left out: %s\n", name, why);
  }
}
