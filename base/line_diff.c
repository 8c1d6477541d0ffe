#include "base/line_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* How far each diagonal was followed, edit by edit: `reach[d]` has 2 d + 1 of them. */
typedef struct search {
  const line_diff *of;
  size_t before; /* lines that both texts begin with */
  long n, m;     /* lines between what both begin and end with */
  long **reach;
  long edits, most;
} search;

static bool same(const search *s, long x, long y) {
  return s->of->same(&s->of->old.items[s->before + (size_t)x], &s->of->new.items[s->before + (size_t)y]);
}

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
      while (x < s->n && x - k < s->m && x >= 0 && x - k >= 0 && same(s, x, x - k)) {
        x++;
      }
      s->reach[d][k + d] = x;
      if (x >= s->n && x - k >= s->m) {
        return k;
      }
      best = d == s->most && (k == -d || x + x - k > 2 * reached(s, d, best) - best) ? k : best;
    }
    if (d == s->most) {
      return best;
    }
  }
}

/* Walks back and notes the pairs on the way. */
static void note_pairs(const search *s, long k, uint32_t *old_of) {
  for (long d = s->edits; d >= 0; d--) {
    bool down;
    long from = start_of(s, d, k, &down);
    for (long x = reached(s, d, k); x > from; x--) {
      if (x <= s->n && x - k <= s->m && x - k > 0) {
        old_of[s->before + (size_t)(x - k) - 1] = (uint32_t)(s->before + (size_t)x);
      }
    }
    k += down ? 1 : -1;
  }
}

static void match(search *s, uint32_t *old_of) {
  s->most = s->n + s->m;
  if (s->of->most_edits > 0 && s->of->most_edits < (size_t)s->most) {
    s->most = (long)s->of->most_edits;
  }
  s->reach = mem_calloc((size_t)s->most + 1, sizeof *s->reach);
  const long k = find(s);
  note_pairs(s, k, old_of);
  for (long d = 0; d <= s->edits; d++) {
    free(s->reach[d]);
  }
  free(s->reach);
}

text_lines text_lines_of(const char *text, size_t length) {
  text_lines l = {0};
  for (size_t at = 0; at < length;) {
    const char *end = memchr(text + at, '\n', length - at);
    const size_t next = end == NULL ? length : (size_t)(end - text) + 1;
    *ARRAY_ADD(l.items, l.count, l.capacity) = (text_line){text + at, next - at};
    at = next;
  }
  return l;
}

void line_diff_pairs(const line_diff *d, uint32_t *old_of) {
  const size_t old_count = d->old.count, new_count = d->new.count;
  const size_t least = old_count < new_count ? old_count : new_count;
  size_t before = 0, after = 0;
  memset(old_of, 0, new_count * sizeof *old_of);
  for (; before < least && d->same(&d->old.items[before], &d->new.items[before]); before++) {
    old_of[before] = (uint32_t)before + 1;
  }
  for (; after < least - before && d->same(&d->old.items[old_count - 1 - after], &d->new.items[new_count - 1 - after]);
       after++) {
    old_of[new_count - 1 - after] = (uint32_t)(old_count - after);
  }
  search s = {
      .of = d, .before = before, .n = (long)(old_count - before - after), .m = (long)(new_count - before - after)};
  if (s.n > 0 && s.m > 0) {
    match(&s, old_of);
  }
}
