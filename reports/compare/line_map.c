/* A diff of lines without their spaces. */
#include "reports/compare/line_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/line_diff.h"
#include "base/memory.h"

/* Edits that are followed; texts that differ in more are taken to be the same only as far as that leads. */
#define MOST_EDITS 2000

static bool is_space(const text_line *l, size_t i) {
  return i < l->length && l->text[i] != '\0' && strchr(" \t\r\f\v\n", l->text[i]) != NULL;
}

static bool same(const text_line *a, const text_line *b) {
  size_t x = 0, y = 0;
  for (;; x++, y++) {
    while (is_space(a, x)) {
      x++;
    }
    while (is_space(b, y)) {
      y++;
    }
    if (x == a->length || y == b->length || a->text[x] != b->text[y]) {
      return x == a->length && y == b->length;
    }
  }
}

line_map line_map_of(const model_file *old, const model_file *new) {
  const line_diff d = {text_lines_of(old->text, old->length), text_lines_of(new->text, new->length), same, MOST_EDITS};
  const line_map map = {.old_of = mem_calloc(d.new.count, sizeof *map.old_of), .count = d.new.count};
  line_diff_pairs(&d, map.old_of);
  free(d.old.items);
  free(d.new.items);
  return map;
}

void line_map_free(line_map *m) {
  free(m->old_of);
  *m = (line_map){0};
}

uint32_t line_map_old(const line_map *m, uint32_t line) {
  return line == 0 || line > m->count ? 0 : m->old_of[line - 1];
}
