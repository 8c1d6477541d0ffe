#include "base/globs.h"

#include <fnmatch.h>

static bool matches(const char *const *globs, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (fnmatch(globs[i], name, 0) == 0) {
      return true;
    }
  }
  return false;
}

bool globs_select(const char *const *wanted, size_t wanted_count, const char *const *exclude, size_t exclude_count,
                  const char *name) {
  return (wanted_count == 0 || matches(wanted, wanted_count, name)) && !matches(exclude, exclude_count, name);
}

bool kernel_chosen(const kernel_choice *c, const char *kernel) {
  return globs_select(c->wanted, c->wanted_count, c->exclude, c->exclude_count, kernel);
}
