/* Myers' greedy diff (An O(ND) difference algorithm, 1986) over the lines of two texts. */
#include "reports/compare/line_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Edits that are followed; texts that differ in more are taken to be the same only as far as that leads. */
#define MOST_EDITS 2000

typedef struct lines {
  uint64_t *hashes;
  size_t count, capacity;
} lines;

/* Without spaces (FNV-1a). */
static uint64_t hash_line(const char *s, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) {
    if (strchr(" \t\r\f\v", s[i]) == NULL || s[i] == '\0') {
      hash = (hash ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
    }
  }
  return hash;
}

static lines split(const view_file *f) {
  lines l = {0};
  const char *at = f->text;
  const char *end = f->text + f->length;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    *ARRAY_ADD(l.hashes, l.count, l.capacity) = hash_line(at, (size_t)(stop - at));
    at = stop == end ? end : stop + 1;
  }
  return l;
}

/* How far each diagonal was followed, edit by edit: `reach[d]` has 2 d + 1 of them. */
typedef struct search {
  const uint64_t *a, *b;
  long n, m;
  long **reach;
  long edits;
} search;

static long reached(const search *s, long d, long k) { return d < 0 ? 0 : s->reach[d][k + d]; }

/* Where diagonal k begins with edit d: below or after one of its neighbours. */
static long start_of(const search *s, long d, long k, bool *down) {
  *down = d == 0 || k == -d || (k != d && reached(s, d - 1, k - 1) < reached(s, d - 1, k + 1));
  if (d == 0) {
    return 0;
  }
  return *down ? reached(s, d - 1, k + 1) : reached(s, d - 1, k - 1) + 1;
}

/* The diagonal that ended the search. */
static long find(search *s) {
  long best = 0;
  for (long d = 0;; d++) {
    s->edits = d;
    s->reach[d] = mem_calloc((size_t)(2 * d + 1), sizeof **s->reach);
    for (long k = -d; k <= d; k += 2) {
      bool down;
      long x = start_of(s, d, k, &down);
      while (x < s->n && x - k < s->m && x >= 0 && x - k >= 0 && s->a[x] == s->b[x - k]) {
        x++;
      }
      s->reach[d][k + d] = x;
      if (x >= s->n && x - k >= s->m) {
        return k;
      }
      best = d == MOST_EDITS && (k == -d || x + x - k > 2 * reached(s, d, best) - best) ? k : best;
    }
    if (d == MOST_EDITS) {
      return best;
    }
  }
}

/* Walks back and notes the pairs on the way. */
static void note_pairs(const search *s, long k, uint32_t *old_of, size_t before) {
  for (long d = s->edits; d >= 0; d--) {
    bool down;
    long from = start_of(s, d, k, &down);
    for (long x = reached(s, d, k); x > from; x--) {
      if (x <= s->n && x - k <= s->m && x - k > 0) {
        old_of[before + (size_t)(x - k) - 1] = (uint32_t)(before + (size_t)x);
      }
    }
    k += down ? 1 : -1;
  }
}

/* Between what both begin and end with. */
static void match(const lines *old, const lines *new, size_t before, size_t after, uint32_t *old_of) {
  search s = {.a = old->hashes + before,
              .b = new->hashes + before,
              .n = (long)(old->count - before - after),
              .m = (long)(new->count - before - after)};
  s.reach = mem_calloc(MOST_EDITS + 1, sizeof *s.reach);
  long k = find(&s);
  note_pairs(&s, k, old_of, before);
  for (long d = 0; d <= s.edits; d++) {
    free(s.reach[d]);
  }
  free(s.reach);
}

line_map line_map_of(const view_file *old, const view_file *new) {
  lines a = split(old);
  lines b = split(new);
  line_map map = {.old_of = mem_calloc(b.count, sizeof *map.old_of), .count = b.count};
  size_t least = a.count < b.count ? a.count : b.count;
  size_t before = 0;
  size_t after = 0;
  for (; before < least && a.hashes[before] == b.hashes[before]; before++) {
    map.old_of[before] = (uint32_t)before + 1;
  }
  for (; after < least - before && a.hashes[a.count - 1 - after] == b.hashes[b.count - 1 - after]; after++) {
    map.old_of[b.count - 1 - after] = (uint32_t)(a.count - after);
  }
  if (before + after < a.count && before + after < b.count) {
    match(&a, &b, before, after, map.old_of);
  }
  free(a.hashes);
  free(b.hashes);
  return map;
}

void line_map_free(line_map *m) {
  free(m->old_of);
  *m = (line_map){0};
}

uint32_t line_map_old(const line_map *m, uint32_t line) {
  return line == 0 || line > m->count ? 0 : m->old_of[line - 1];
}
