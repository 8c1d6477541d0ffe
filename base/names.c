/* Names: membership in lists, globs, and the known word that is nearest to a misspelt one. */
#include "base/names.h"

#include <fnmatch.h>
#include <string.h>

int name_index(const void *items, size_t count, size_t size, size_t at, const char *name) {
  for (size_t i = 0; i < count; i++) {
    const char *own = NULL; /* a char * in some */
    memcpy(&own, (const char *)items + i * size + at, sizeof own);
    if (strcmp(own, name) == 0) return (int)i;
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

static bool matches(const word_list *globs, const char *name) {
  for (size_t i = 0; i < globs->count; i++)
    if (fnmatch(globs->items[i], name, 0) == 0) return true;
  return false;
}

bool kernel_chosen(const kernel_choice *c, const char *kernel) {
  return (c->wanted.count == 0 || matches(&c->wanted, kernel)) && !matches(&c->exclude, kernel);
}

enum { LONGEST = 64, PART = 3 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned suggest_distance(const char *a, const char *b) {
  size_t rows = strnlen(a, LONGEST);
  size_t columns = strnlen(b, LONGEST);
  unsigned d[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= rows; i++) {
    for (size_t k = 0; k <= columns; k++) {
      if (i == 0 || k == 0) {
        d[i][k] = (unsigned)(i + k);
        continue;
      }
      d[i][k] = least(least(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + (a[i - 1] != b[k - 1] ? 1 : 0));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
    }
  }
  return d[rows][columns];
}

void suggest_consider(suggestion *s, const char *candidate) {
  size_t length = strlen(s->word);
  size_t longer = strlen(candidate) > length ? strlen(candidate) : length;
  bool begins = length >= PART && strncmp(s->word, candidate, length) == 0;
  if (length == 0 || longer > LONGEST) return;
  unsigned distance = begins ? 1 : suggest_distance(s->word, candidate);
  bool near = distance <= (longer < PART ? 0 : longer / PART);
  if (near && (s->best == NULL || distance < s->distance)) {
    s->best = candidate;
    s->distance = distance;
  }
}
