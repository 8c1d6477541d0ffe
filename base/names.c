#include "base/names.h"

#include <string.h>

int name_index(const void *items, size_t count, size_t size, size_t at, const char *name) {
  for (size_t i = 0; i < count; i++) {
    const char *own = NULL; /* a char * in some */
    memcpy(&own, (const char *)items + i * size + at, sizeof own);
    if (strcmp(own, name) == 0) {
      return (int)i;
    }
  }
  return -1;
}

int name_number(const char *const *names, size_t count, const char *name) {
  return name_index(names, count, sizeof *names, 0, name);
}

void *named(const void *items, size_t count, size_t size, size_t at, const char *name) {
  const int index = name_index(items, count, size, at, name);
  return index < 0 ? NULL : (char *)items + (size_t)index * size;
}

bool path_ends(const char *path, const char *end) {
  const size_t length = strlen(path), tail = strlen(end);
  return tail <= length && strcmp(path + length - tail, end) == 0 && (tail == length || path[length - tail - 1] == '/');
}

const char *path_end(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}
