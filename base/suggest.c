#include "base/suggest.h"

#include <stdbool.h>
#include <string.h>

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
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
      }
    }
  }
  return d[rows][columns];
}

void suggest_consider(suggestion *s, const char *candidate) {
  size_t length = strlen(s->word);
  size_t longer = strlen(candidate) > length ? strlen(candidate) : length;
  bool begins = length >= PART && strncmp(s->word, candidate, length) == 0;
  if (length == 0 || longer > LONGEST) {
    return;
  }
  unsigned distance = begins ? 1 : suggest_distance(s->word, candidate);
  bool near = distance <= (longer < PART ? 0 : longer / PART);
  if (near && (s->best == NULL || distance < s->distance)) {
    s->best = candidate;
    s->distance = distance;
  }
}
