/* Insertions into a token sequence. */
#include "frontend/edits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

char *text_of(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = mem_calloc((size_t)(length < 0 ? 0 : length) + 1, 1);
  va_start(args, format);
  (void)vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, args);
  va_end(args);
  return text;
}

void edit_add(edits *e, uint32_t token, enum edit_place place, uint32_t extent, enum edit_mode mode, char *text) {
  edit *added = ARRAY_ADD(e->items, e->count, e->capacity);
  *added = (edit){token, place, extent, (uint32_t)e->count, mode, text};
}

void edit_wrap(edits *e, span s, char *prefix, char *suffix) {
  uint32_t extent = s.last - s.first + 1;
  edit_add(e, s.first, EDIT_BEFORE, extent, EDIT_BOTH, prefix);
  edit_add(e, s.last, EDIT_AFTER, extent, EDIT_BOTH, suffix);
}

void edit_move(edits *e, span s, char *text) {
  edit_add(e, s.first, EDIT_MOVED, s.last - s.first + 1, EDIT_BOTH, text);
}

/* Before a token the outer edit comes first, after it the inner one. */
static int compare(const void *a, const void *b) {
  const edit *left = a;
  const edit *right = b;
  if (left->token != right->token) {
    return left->token < right->token ? -1 : 1;
  }
  if (left->place != right->place) {
    return left->place < right->place ? -1 : 1;
  }
  int outer = left->place == EDIT_AFTER || left->place == EDIT_SUFFIX ? 1 : -1;
  if (left->extent != right->extent) {
    return left->extent > right->extent ? outer : -outer;
  }
  return left->number < right->number ? outer : -outer;
}

void edit_sort(edits *e) {
  if (e->count > 1) {
    qsort(e->items, e->count, sizeof *e->items, compare);
  }
}

size_t edit_find(const edits *e, uint32_t token, enum edit_place place) {
  size_t low = 0;
  size_t high = e->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const edit *item = &e->items[middle];
    if (item->token < token || (item->token == token && item->place < place)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void edit_free(edits *e) {
  for (size_t i = 0; i < e->count; i++) {
    free(e->items[i].text);
  }
  free(e->items);
  *e = (edits){0};
}
