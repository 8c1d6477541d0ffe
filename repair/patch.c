/* Applying changes of a text, and following places back through them. */
#include "repair/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void patch_add(patch *p, size_t offset, size_t removed, char *text, uint32_t spot) {
  const size_t number = p->count;
  *ARRAY_ADD(p->items, p->count, p->capacity) = (patch_change){offset, removed, text, spot, number};
}

static int compare(const void *a, const void *b) {
  const patch_change *left = a, *right = b;
  if (left->offset != right->offset) {
    return left->offset < right->offset ? -1 : 1;
  }
  return left->number < right->number ? -1 : 1;
}

void patch_apply(patch *p, const char *text, size_t length, buffer *out) {
  if (p->count > 1) {
    qsort(p->items, p->count, sizeof *p->items, compare);
  }
  size_t at = 0;
  for (size_t i = 0; i < p->count; i++) {
    const patch_change *c = &p->items[i];
    if (c->offset > at) {
      buffer_append(out, text + at, c->offset - at);
      at = c->offset;
    }
    buffer_puts(out, c->text);
    at = c->offset + c->removed > at ? c->offset + c->removed : at;
  }
  buffer_append(out, text + at, length - at);
}

size_t patch_origin(const patch *p, size_t offset, uint32_t *spot) {
  size_t original = 0, changed = 0; /* the same place in both */
  *spot = PATCH_NO_SPOT;
  for (size_t i = 0; i < p->count; i++) {
    const patch_change *c = &p->items[i];
    const size_t until = changed + (c->offset > original ? c->offset - original : 0);
    if (offset < until) {
      break;
    }
    changed = until;
    original = c->offset > original ? c->offset : original;
    const size_t added = strlen(c->text);
    if (offset < changed + added) {
      *spot = c->spot;
      return c->offset;
    }
    changed += added;
    original = c->offset + c->removed > original ? c->offset + c->removed : original;
  }
  return original + (offset - changed);
}

void patch_free(patch *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->items[i].text);
  }
  free(p->items);
  *p = (patch){0};
}

size_t text_offset(const char *text, size_t length, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (uint32_t l = 1; l < line; l++) {
    const char *end = memchr(text + at, '\n', length - at);
    if (end == NULL) {
      return PATCH_NOWHERE;
    }
    at = (size_t)(end - text) + 1;
  }
  at += column > 0 ? column - 1 : 0;
  return line == 0 || at >= length ? PATCH_NOWHERE : at;
}

uint32_t text_line(const char *text, size_t offset) {
  uint32_t line = 1;
  for (size_t i = 0; i < offset; i++) {
    line += text[i] == '\n' ? 1 : 0;
  }
  return line;
}
