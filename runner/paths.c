/* Finding our own files relative to the running program. */
#include "runner/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

/* Relative to the folder of the program: build tree, installed tree, packed folder. */
static const char *const places[] = {"", "../" CLTC_LIBRARY_DIR "/cltestcheck", "../lib/cltestcheck",
                                     "../share/cltestcheck"};

char *own_path(const char *name) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) {
    return NULL;
  }
  self[length] = '\0';
  *strrchr(self, '/') = '\0';
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    buffer candidate = {0};
    buffer_printf(&candidate, "%s/%s%s%s", self, places[i], places[i][0] == '\0' ? "" : "/", name);
    char real[PATH_MAX];
    bool there = realpath(buffer_text(&candidate), real) != NULL;
    buffer_free(&candidate);
    if (there) {
      return mem_strdup(real);
    }
  }
  return NULL;
}
