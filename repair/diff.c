/* The shortest edit script of two texts by lines, written as hunks. */
#include "repair/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_diff.h"
#include "base/memory.h"

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

static bool same(const text_line *a, const text_line *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void add_step(script *out, char sign, size_t old_line, size_t new_line) {
  *ARRAY_ADD(out->steps, out->count, out->capacity) = (step){sign, old_line, new_line};
}

/* Where lines change, those that go stand before those that come. */
static void compare(const line_diff *b, script *out) {
  uint32_t *old_of = mem_calloc(b->new.count + 1, sizeof *old_of);
  line_diff_pairs(b, old_of);
  size_t x = 0, y = 0;
  while (x < b->old.count || y < b->new.count) {
    size_t next = y; /* line that stays, if any */
    while (next < b->new.count && old_of[next] == 0) {
      next++;
    }
    const size_t stays = next < b->new.count ? old_of[next] - 1 : b->old.count;
    for (; x < stays; x++) {
      add_step(out, '-', x, y);
    }
    for (; y < next; y++) {
      add_step(out, '+', x, y);
    }
    if (next < b->new.count) {
      add_step(out, ' ', x++, y++);
    }
  }
  free(old_of);
}

static void put_line(buffer *out, char sign, const text_line *l) {
  buffer_putc(out, sign);
  buffer_append(out, l->text, l->length);
  if (l->text[l->length - 1] != '\n') {
    buffer_puts(out, "\n\\ No newline at end of file\n");
  }
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
  const line_diff b = {text_lines_of(old_text, old_length), text_lines_of(new_text, new_length), same, 0};
  script s = {0};
  compare(&b, &s);
  const char *tab = strchr(name, ' ') == NULL ? "" : "\t"; /* the name would end at a blank */
  buffer_printf(out, "--- a/%s%s\n+++ b/%s%s\n", name, tab, name, tab);
  put_hunks(&b.old, &b.new, &s, out);
  free(s.steps);
  free(b.old.items);
  free(b.new.items);
}
