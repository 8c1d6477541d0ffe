/* A diff of lines without their spaces. */
#include "reports/compare/line_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/line_diff.h"
#include "base/memory.h"

/* Edits that are followed; texts that differ in more are taken to be the same only as far as that leads. */
#define MOST_EDITS 2000

typedef struct lines {
  uint64_t *hashes;
  size_t count, capacity;
} lines;

/* Without spaces. */
static uint64_t hash_line(const char *s, size_t length) {
  uint64_t hash = HASH_EMPTY;
  for (size_t i = 0; i < length; i++) {
    if (strchr(" \t\r\f\v", s[i]) == NULL || s[i] == '\0') {
      hash = hash_more(hash, &s[i], 1);
    }
  }
  return hash;
}

static lines split(const model_file *f) {
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

typedef struct both {
  lines old, new;
} both;

static bool same(const void *context, size_t old_line, size_t new_line) {
  const both *b = context;
  return b->old.hashes[old_line] == b->new.hashes[new_line];
}

line_map line_map_of(const model_file *old, const model_file *new) {
  both b = {split(old), split(new)};
  const line_map map = {.old_of = mem_calloc(b.new.count, sizeof *map.old_of), .count = b.new.count};
  const line_diff d = {b.old.count, b.new.count, same, &b, MOST_EDITS};
  line_diff_pairs(&d, map.old_of);
  free(b.old.hashes);
  free(b.new.hashes);
  return map;
}

void line_map_free(line_map *m) {
  free(m->old_of);
  *m = (line_map){0};
}

uint32_t line_map_old(const line_map *m, uint32_t line) {
  return line == 0 || line > m->count ? 0 : m->old_of[line - 1];
}
