/* Lines of texts: ranges of them as options give them, the shortest edit script of two texts, and unified hunks of it. */
#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_ranges.h"
#include "base/memory.h"
#include "base/names.h"

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
  if (d == 0) return 0;
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
      while (x < s->n && x - k < s->m && x >= 0 && x - k >= 0 && same(s, x, x - k)) x++;
      s->reach[d][k + d] = x;
      if (x >= s->n && x - k >= s->m) return k;
      best = d == s->most && (k == -d || x + x - k > 2 * reached(s, d, best) - best) ? k : best;
    }
    if (d == s->most) return best;
  }
}

/* Walks back and notes the pairs on the way. */
static void note_pairs(const search *s, long k, uint32_t *old_of) {
  for (long d = s->edits; d >= 0; d--) {
    bool down;
    long from = start_of(s, d, k, &down);
    for (long x = reached(s, d, k); x > from; x--)
      if (x <= s->n && x - k <= s->m && x - k > 0)
        old_of[s->before + (size_t)(x - k) - 1] = (uint32_t)(s->before + (size_t)x);
    k += down ? 1 : -1;
  }
}

static void match(search *s, uint32_t *old_of) {
  s->most = s->n + s->m;
  if (s->of->most_edits > 0 && s->of->most_edits < (size_t)s->most) s->most = (long)s->of->most_edits;
  s->reach = mem_calloc((size_t)s->most + 1, sizeof *s->reach);
  const long k = find(s);
  note_pairs(s, k, old_of);
  for (long d = 0; d <= s->edits; d++) free(s->reach[d]);
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
  for (; before < least && d->same(&d->old.items[before], &d->new.items[before]); before++)
    old_of[before] = (uint32_t)before + 1;
  for (; after < least - before && d->same(&d->old.items[old_count - 1 - after], &d->new.items[new_count - 1 - after]);
       after++)
    old_of[new_count - 1 - after] = (uint32_t)(old_count - after);
  search s = {
      .of = d, .before = before, .n = (long)(old_count - before - after), .m = (long)(new_count - before - after)};
  if (s.n > 0 && s.m > 0) match(&s, old_of);
}

/* The shortest edit script of two texts by lines, written as hunks. */

enum { CONTEXT = 3 }; /* lines around a change */

/* One step of the script: a line of the old text that stays or goes, or one of the new text that comes. */
typedef struct step {
  char sign; /* ' ', '-', '+' */
  size_t old_line, new_line;
} step;

typedef struct script {
  step *steps;
  size_t count, capacity;
} script;

static bool same_lines(const text_line *a, const text_line *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void add_step(script *out, char sign, size_t old_line, size_t new_line) {
  *ARRAY_ADD(out->steps, out->count, out->capacity) = (step){sign, old_line, new_line};
}

/* Where lines change, those that go stand before those that come. */
static void compare(const line_diff *b, script *out) {
  scoped uint32_t *old_of = mem_calloc(b->new.count + 1, sizeof *old_of);
  line_diff_pairs(b, old_of);
  size_t x = 0, y = 0;
  while (x < b->old.count || y < b->new.count) {
    size_t next = y; /* line that stays, if any */
    while (next < b->new.count && old_of[next] == 0) next++;
    const size_t stays = next < b->new.count ? old_of[next] - 1 : b->old.count;
    for (; x < stays; x++) add_step(out, '-', x, y);
    for (; y < next; y++) add_step(out, '+', x, y);
    if (next < b->new.count) add_step(out, ' ', x++, y++);
  }
}

static void put_line(buffer *out, char sign, const text_line *l) {
  buffer_putc(out, sign);
  buffer_append(out, l->text, l->length);
  if (l->text[l->length - 1] != '\n') buffer_puts(out, "\n\\ No newline at end of file\n");
}

/* Steps first to last (last not included), with the numbers of their lines. */
static void put_hunk(const text_lines *a, const text_lines *b, const script *s, size_t first, size_t last,
                     buffer *out) {
  size_t old_count = 0, new_count = 0;
  for (size_t i = first; i < last; i++) {
    old_count += s->steps[i].sign != '+' ? 1 : 0;
    new_count += s->steps[i].sign != '-' ? 1 : 0;
  }
  buffer_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", s->steps[first].old_line + (old_count > 0 ? 1 : 0), old_count,
                s->steps[first].new_line + (new_count > 0 ? 1 : 0), new_count);
  for (size_t i = first; i < last; i++) {
    const step *t = &s->steps[i];
    put_line(out, t->sign, t->sign == '+' ? &b->items[t->new_line] : &a->items[t->old_line]);
  }
}

static void put_hunks(const text_lines *a, const text_lines *b, const script *s, buffer *out) {
  for (size_t i = 0; i < s->count; i++) {
    if (s->steps[i].sign == ' ') continue;
    const size_t first = i < CONTEXT ? 0 : i - CONTEXT;
    size_t end = i + 1; /* after the last change */
    for (size_t k = end; k < s->count && k < end + 2 * CONTEXT + 1; k++) end = s->steps[k].sign != ' ' ? k + 1 : end;
    const size_t last = end + CONTEXT < s->count ? end + CONTEXT : s->count;
    put_hunk(a, b, s, first, last, out);
    i = last - 1;
  }
}

void diff_write(const char *name, const char *old_text, size_t old_length, const char *new_text, size_t new_length,
                buffer *out) {
  if (old_length == new_length && memcmp(old_text, new_text, old_length) == 0) return;
  const line_diff b = {text_lines_of(old_text, old_length), text_lines_of(new_text, new_length), same_lines, 0};
  script s = {0};
  compare(&b, &s);
  const char *tab = strchr(name, ' ') == NULL ? "" : "\t"; /* the name would end at a blank */
  buffer_printf(out, "--- a/%s%s\n+++ b/%s%s\n", name, tab, name, tab);
  put_hunks(&b.old, &b.new, &s, out);
  free(s.steps);
  free(b.old.items);
  free(b.new.items);
}

/* ---- ranges of lines ---- */

/* Reads "gemm.cl:10-20", "7"; the file is to be freed. */
static int line_range_read(const char *text, line_range *out, error *e) {
  const char *colon = strrchr(text, ':');
  const char *numbers = colon == NULL ? text : colon + 1;
  unsigned first = 0, last = 0;
  char extra = 0;
  int fields = sscanf(numbers, "%u-%u%c", &first, &last, &extra);
  bool single = fields == 1 && strchr(numbers, '-') == NULL && numbers[strspn(numbers, "0123456789")] == '\0';
  last = single ? first : last;
  if ((!single && fields != 2) || first == 0 || last < first)
    return error_set(e, EXIT_USAGE, "--lines wants [FILE:]FIRST[-LAST], such as gemm.cl:10-20, not \"%s\"", text);
  *out = (line_range){colon == NULL ? NULL : mem_strndup(text, (size_t)(colon - text)), first, last};
  return 0;
}

int line_ranges_read(const char *const *texts, size_t count, line_ranges *out, error *e) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) {
    line_range *r = ARRAY_ADD(out->items, out->count, out->capacity);
    *r = (line_range){0};
    result = line_range_read(texts[i], r, e);
  }
  return result;
}

void line_ranges_free(line_ranges *r) {
  for (size_t i = 0; i < r->count; i++) free(r->items[i].file);
  free(r->items);
}

bool line_range_has(const line_range *r, const char *path, uint32_t line) {
  return (r->file == NULL || path_ends(path, r->file)) && line >= r->first && line <= r->last;
}
