/* The innermost frame of the stack that is neither ours nor the OpenCL loader's. */
#include "layer/common/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES_MOST = 24 };

static char program[4096]; /* what is run, whose name loaders leave empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_program(void) {
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
}

/* Libraries between the program and us: the loader, and our other guests. */
static bool is_between(const char *path) {
  static const char *const names[] = {"libOpenCL.so", "libcltestcheck-"};
  const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
  bool between = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    between = between || strncmp(name, names[i], strlen(names[i])) == 0;
  return between;
}

bool site_of_call(call_site *out) {
  static const char here = 0;
  void *frames[FRAMES_MOST];
  Dl_info own, at;
  (void)pthread_once(&once, find_program);
  const int count = backtrace(frames, FRAMES_MOST);
  if (dladdr(&here, &own) == 0) return false;
  for (int i = 0; i < count; i++) {
    struct link_map *map = NULL;
    void *extra = NULL;
    if (dladdr1(frames[i], &at, &extra, RTLD_DL_LINKMAP) == 0) continue;
    memcpy(&map, &extra, sizeof map);
    if (at.dli_fbase == own.dli_fbase || map == NULL || is_between(map->l_name)) continue;
    *out = (call_site){.module = map->l_name[0] != '\0' ? map->l_name : program,
                       .offset = (uint64_t)(uintptr_t)frames[i] - map->l_addr - 1}; /* in the call, not after it */
    return true;
  }
  return false;
}
