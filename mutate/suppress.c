/* Comments that leave lines out of mutation: in the kernel's source, and beside it where that is a string of another
 * file. */
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/memory.h"
#include "mutate/find.h"

/* --- the lines of a text ------------------------------------------------------------------------------------------ */

typedef struct marks {
  bool *lines;
  size_t count, capacity;
  size_t open; /* line of a no-mutate-begin that has no end yet, 0: none */
} marks;

static void mark(marks *m, size_t first, size_t last) {
  while (m->count <= last) {
    *ARRAY_ADD(m->lines, m->count, m->capacity) = false;
  }
  for (size_t i = first; i <= last; i++) {
    m->lines[i] = true;
  }
}

/* Reads the words of a comment; `line` is its first. */
static void read_comment(marks *m, const char *s, size_t length, size_t line) {
  static const char word[] = "cltestcheck: no-mutate";
  const size_t size = sizeof word - 1;
  for (size_t i = 0; i < length; i++) {
    line += source_ends_line(s, i, length) ? 1 : 0;
    if (length - i < size || memcmp(s + i, word, size) != 0) {
      continue;
    }
    i += size;
    if (length - i >= 6 && memcmp(s + i, "-begin", 6) == 0) {
      m->open = m->open == 0 ? line : m->open;
    } else if (length - i >= 4 && memcmp(s + i, "-end", 4) == 0) {
      mark(m, m->open == 0 ? line : m->open, line);
      m->open = 0;
    } else {
      mark(m, line, line);
    }
    i--;
  }
}

bool *suppressed_lines(const char *text, size_t length, size_t *count) {
  marks m = {0};
  size_t line = 1;
  for (size_t i = 0; i < length;) {
    bool comment = false;
    size_t to = source_skip(text, i, length, &comment);
    to = to == i ? i + 1 : to;
    if (comment) {
      read_comment(&m, text + i, to - i, line);
    }
    for (; i < to; i++) {
      line += source_ends_line(text, i, length) ? 1 : 0;
    }
  }
  if (m.open != 0) { /* to the end of the file */
    mark(&m, m.open, line);
  }
  *count = m.count;
  return m.lines;
}

/* --- where it is a string ----------------------------------------------------------------------------------------- */

/* In a file of whatever language, whose comments are not known. */
static bool *lines_of_home(const model_home *home, size_t *count) {
  marks m = {0};
  read_comment(&m, home->text, home->length, 1);
  *count = m.count;
  return m.lines;
}

static void suppress_in_file(mutate_result *r, uint32_t file) {
  const model_file *f = &r->model.files[file];
  bool **lines = mem_calloc(f->home_count + 1, sizeof *lines);
  size_t *counts = mem_calloc(f->home_count + 1, sizeof *counts);
  home_index x = home_index_of(f);
  for (size_t h = 0; h < f->home_count; h++) {
    lines[h] = lines_of_home(&f->homes[h], &counts[h]);
  }
  for (size_t i = 0; i < r->mutant_count; i++) {
    home_place at;
    if (r->mutants[i].file == file && home_find(&x, r->mutants[i].offset, &at)) {
      r->mutants[i].suppressed = r->mutants[i].suppressed || (at.line < counts[at.home] && lines[at.home][at.line]);
    }
  }
  mem_free_all(lines, f->home_count);
  free(counts);
  home_index_free(&x);
}

void mutate_suppress_at_home(mutate_result *r) {
  for (uint32_t file = 0; file < r->model.file_count; file++) {
    if (r->model.files[file].home_count > 0) {
      suppress_in_file(r, file);
    }
  }
}
