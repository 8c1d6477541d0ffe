/* What the frameworks' listings have in common. */
#include "cli/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

bool plan_is_listed(const settings *s) { return s->pytest || s->gtest || s->ctest != NULL; }

int plan_listed(const settings *s, plan *p, error *e) {
  if ((s->pytest ? 1 : 0) + (s->gtest ? 1 : 0) + (s->ctest != NULL ? 1 : 0) > 1) {
    return error_set(e, EXIT_USAGE,
                     "--pytest, --gtest and --ctest each say where test cases come from; give one of them");
  }
  if (s->positional.count > 0) {
    return error_set(e, EXIT_USAGE,
                     "\"%s\" cannot be run together with tests that are listed; put what belongs to them "
                     "behind --",
                     s->positional.items[0]);
  }
  if (s->capture != NULL) {
    return error_set(e, EXIT_USAGE, "--capture keeps one test case; give that one behind -- as a program");
  }
  return s->ctest != NULL ? plan_ctest(s, p, e) : s->gtest ? plan_gtest(s, p, e) : plan_pytest(s, p, e);
}

static void read_all(int from, buffer *out) {
  char part[4096];
  for (;;) {
    const ssize_t n = read(from, part, sizeof part);
    if (n > 0) {
      buffer_append(out, part, (size_t)n);
    } else if (n == 0 || errno != EINTR) {
      return;
    }
  }
}

int listing_run(char *const *argv, buffer *out, error *e) {
  int ends[2];
  if (pipe(ends) != 0) {
    return error_set(e, EXIT_INTERNAL, "no pipe could be made: %s", strerror(errno));
  }
  (void)fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    (void)close(ends[0]);
    (void)dup2(ends[1], STDOUT_FILENO);
    (void)close(ends[1]);
    (void)execvp(argv[0], argv);
    _exit(127);
  }
  (void)close(ends[1]);
  if (child > 0) {
    read_all(ends[0], out);
  }
  (void)close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    return error_set(e, EXIT_INTERNAL, "%s could not be started: %s", argv[0], strerror(errno));
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

void listing_left_out(const settings *s, const char *name, const char *why) {
  if (!s->quiet) {
    (void)fprintf(stderr, "cltestcheck: test %s is left out: %s\n", name, why);
  }
}
