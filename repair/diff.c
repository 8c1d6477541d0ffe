/* The shortest edit script of two texts by lines (Myers, An O(ND) difference algorithm), written as hunks. */
#include "repair/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CONTEXT = 3 }; /* lines around a change */

typedef struct line {
  const char *text;
  size_t length; /* with its end */
} line;

typedef struct lines {
  line *items;
  size_t count, capacity;
} lines;

/* One step of the script: a line of the old text that stays or goes, or one of the new text that comes. */
typedef struct step {
  char sign; /* ' ', '-', '+' */
  size_t old_line, new_line;
} step;

typedef struct script {
  step *steps;
  size_t count, capacity;
} script;

static lines split(const char *text, size_t length) {
  lines l = {0};
  for (size_t at = 0; at < length;) {
    const char *end = memchr(text + at, '\n', length - at);
    const size_t next = end == NULL ? length : (size_t)(end - text) + 1;
    *ARRAY_ADD(l.items, l.count, l.capacity) = (line){text + at, next - at};
    at = next;
  }
  return l;
}

static bool same(const line *a, const line *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Whether the way to diagonal k comes from above (a line came) with d steps; else from the left (a line went). */
static bool comes(const size_t *reach, size_t middle, long k, long d) {
  return k == -d || (k != d && reach[(size_t)((long)middle + k - 1)] < reach[(size_t)((long)middle + k + 1)]);
}

/* Goes back over the kept states; the steps come out last first. */
static void walk_back(const lines *a, const lines *b, size_t *const *kept, long depth, size_t middle, script *out) {
  size_t x = a->count, y = b->count;
  for (long d = depth; d >= 0; d--) {
    const long k = (long)x - (long)y;
    const size_t *reach = kept[d];
    const bool down = comes(reach, middle, k, d);
    const long previous = down ? k + 1 : k - 1;
    const size_t px = d == 0 ? 0 : reach[(size_t)((long)middle + previous)];
    const size_t py = d == 0 ? 0 : (size_t)((long)px - previous);
    while (x > px && y > py) {
      x--;
      y--;
      *ARRAY_ADD(out->steps, out->count, out->capacity) = (step){' ', x, y};
    }
    if (d > 0) {
      *ARRAY_ADD(out->steps, out->count, out->capacity) = (step){down ? '+' : '-', px, py};
      x = px;
      y = py;
    }
  }
}

static void compare(const lines *a, const lines *b, script *out) {
  const size_t middle = a->count + b->count + 1;
  size_t *reach = mem_calloc(2 * middle + 1, sizeof *reach);
  size_t **kept = NULL;
  size_t kept_count = 0, capacity = 0;
  for (long d = 0; d < (long)middle; d++) {
    size_t *copy = mem_calloc(2 * middle + 1, sizeof *copy);
    memcpy(copy, reach, (2 * middle + 1) * sizeof *copy);
    *ARRAY_ADD(kept, kept_count, capacity) = copy;
    bool done = false;
    for (long k = -d; k <= d && !done; k += 2) {
      size_t x = d == 0                       ? 0
                 : comes(reach, middle, k, d) ? reach[(size_t)((long)middle + k + 1)]
                                              : reach[(size_t)((long)middle + k - 1)] + 1;
      size_t y = (size_t)((long)x - k);
      while (x < a->count && y < b->count && same(&a->items[x], &b->items[y])) {
        x++;
        y++;
      }
      reach[(size_t)((long)middle + k)] = x;
      done = x >= a->count && y >= b->count;
    }
    if (done) {
      walk_back(a, b, kept, d, middle, out);
      break;
    }
  }
  for (size_t i = 0; i < kept_count; i++) {
    free(kept[i]);
  }
  free(kept);
  free(reach);
}

static void put_line(buffer *out, char sign, const line *l) {
  buffer_putc(out, sign);
  buffer_append(out, l->text, l->length);
  if (l->text[l->length - 1] != '\n') {
    buffer_puts(out, "\n\\ No newline at end of file\n");
  }
}

/* Steps first to last (last not included), with the numbers of their lines. */
static void put_hunk(const lines *a, const lines *b, const script *s, size_t first, size_t last, buffer *out) {
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

static void put_hunks(const lines *a, const lines *b, const script *s, buffer *out) {
  for (size_t i = 0; i < s->count; i++) {
    if (s->steps[i].sign == ' ') {
      continue;
    }
    const size_t first = i < CONTEXT ? 0 : i - CONTEXT;
    size_t end = i + 1; /* after the last change */
    for (size_t k = end; k < s->count && k < end + 2 * CONTEXT + 1; k++) {
      end = s->steps[k].sign != ' ' ? k + 1 : end;
    }
    const size_t last = end + CONTEXT < s->count ? end + CONTEXT : s->count;
    put_hunk(a, b, s, first, last, out);
    i = last - 1;
  }
}

void diff_write(const char *name, const char *old_text, size_t old_length, const char *new_text, size_t new_length,
                buffer *out) {
  if (old_length == new_length && memcmp(old_text, new_text, old_length) == 0) {
    return;
  }
  lines a = split(old_text, old_length), b = split(new_text, new_length);
  script s = {0};
  compare(&a, &b, &s);
  for (size_t i = 0; i < s.count / 2; i++) {
    const step t = s.steps[i];
    s.steps[i] = s.steps[s.count - 1 - i];
    s.steps[s.count - 1 - i] = t;
  }
  const char *tab = strchr(name, ' ') == NULL ? "" : "\t"; /* the name would end at a blank */
  buffer_printf(out, "--- a/%s%s\n+++ b/%s%s\n", name, tab, name, tab);
  put_hunks(&a, &b, &s, out);
  free(s.steps);
  free(a.items);
  free(b.items);
}
