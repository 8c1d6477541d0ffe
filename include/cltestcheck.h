/* Test cases of a program that runs several of them: tells cltestcheck which one runs, so that coverage is told apart
 * by test case. For the main function of a test program, a listener of GoogleTest or Catch2, a plugin of an
 * interpreter.
 *
 *   cltestcheck_begin("blur of an empty image");
 *   bool passed = test_blur_of_an_empty_image();
 *   cltestcheck_end(passed ? 0 : 1);
 *
 * All is in this file: nothing needs to be linked, but libdl where the C library still has it apart. Where the program
 * does not run under `cltestcheck coverage`, both functions do nothing.
 *
 * A launch belongs to the test case that has begun when it is enqueued, whenever it ends, and in whichever thread. What
 * is launched outside of all test cases belongs to the program as a whole. One test case can run at a time in a
 * process; a child process that a test case starts belongs to it if it finds the name in its environment
 * (CLTESTCHECK_TEST_CASE, and CLTESTCHECK_TEST_COMMAND for the command); one that is forked belongs to it in any case. */
#ifndef CLTESTCHECK_H
#define CLTESTCHECK_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of the layer that cltestcheck has put between this program and OpenCL; NULL without it. */
static inline void *cltestcheck_find(const char *name) {
  char path[4096];
  const char *layers = getenv("CLTESTCHECK_LAYERS"); /* with colons between them, ours first */
  const size_t length = layers ? strcspn(layers, ":") : 0;
  if (length == 0 || length >= sizeof path) return NULL;
  memcpy(path, layers, length);
  path[length] = '\0';
  void *layer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return layer ? dlsym(layer, name) : NULL;
}

/* A test case begins; one that has not ended ends well. `name` is its name in reports; `command` is what runs it alone,
 * for people, or NULL. Both are copied. The same name again goes on with the same test case. */
static inline void cltestcheck_begin_with(const char *name, const char *command) {
  void (*begin)(const char *, const char *);
  void *found = cltestcheck_find("cltestcheck_layer_begin");
  if (!found) return;
  memcpy(&begin, &found, sizeof begin);
  begin(name, command);
}

static inline void cltestcheck_begin(const char *name) { cltestcheck_begin_with(name, NULL); }

/* The test case has ended. `status` is 0 where it ended well. */
static inline void cltestcheck_end(int status) {
  void (*end)(int);
  void *found = cltestcheck_find("cltestcheck_layer_end");
  if (!found) return;
  memcpy(&end, &found, sizeof end);
  end(status);
}

#ifdef __cplusplus
}
#endif

#endif
