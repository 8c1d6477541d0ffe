#include "cli/framework.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "base/say.h"

/* "pytest", "py.test-3", "python3 -m pytest". */
static bool is_pytest(char *const *argv) {
  const char *name = path_end(argv[0]);
  if (strncmp(name, "python", 6) == 0) {
    for (size_t i = 1; argv[i] != NULL && argv[i][0] == '-'; i++) {
      if (strcmp(argv[i], "-m") == 0) {
        return argv[i + 1] != NULL && strcmp(argv[i + 1], "pytest") == 0;
      }
    }
    return false;
  }
  return strncmp(name, "pytest", 6) == 0 || strncmp(name, "py.test", 7) == 0;
}

static bool is_ctest(char *const *argv) { return strcmp(path_end(argv[0]), "ctest") == 0; }

static bool holds(const char *path, const char *text) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  bool found = false;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      found = memmem(bytes, size, text, strlen(text)) != NULL;
      (void)munmap(bytes, size);
    }
  }
  if (file >= 0) {
    (void)close(file);
  }
  return found;
}

/* Linked with it, statically or not; and not asked for one of its tests already. */
static bool is_gtest(char *const *argv) {
  for (size_t i = 1; argv[i] != NULL; i++) {
    if (strncmp(argv[i], "--gtest_filter=", 15) == 0 && strpbrk(argv[i] + 15, "*:?-") == NULL) {
      return false;
    }
  }
  return strchr(argv[0], '/') != NULL && (holds(argv[0], "gtest_list_tests") || holds(argv[0], "libgtest.so"));
}

static const struct {
  bool (*is)(char *const *argv);
  const char *sentence;
} frameworks[] = {
    {is_pytest, "pytest ran as one test case; with --pytest each of its tests is one"},
    {is_ctest, "ctest ran as one test case; with --ctest FOLDER, in place of the program, each of its tests is one"},
    {is_gtest, "this GoogleTest program ran as one test case; with --gtest each of its tests is one"},
};

void framework_hint(const test_settings *s, char *const *program) {
  if (program == NULL || program[0] == NULL || s->pytest || s->gtest || s->ctest != NULL) {
    return;
  }
  for (size_t i = 0; i < sizeof frameworks / sizeof frameworks[0]; i++) {
    if (frameworks[i].is(program)) {
      say(stderr, "cltestcheck: %s\n", frameworks[i].sentence);
      return;
    }
  }
}
