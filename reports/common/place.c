/* Counting columns, finding lines. */
#include "reports/common/place.h"

#include <string.h>

#include "base/utf8.h"

static uint32_t units(const char *s, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(s + i, length - i);
    count += n == 4 ? 2 : 1;
    i += n == 0 ? 1 : n;
  }
  return count;
}

uint32_t place_column(const model_file *file, uint32_t column, uint32_t offset) {
  if (column == 0 || offset < column - 1 || offset > file->length) {
    return column;
  }
  return 1 + units(file->text + offset - (column - 1), column - 1);
}

static place_line without_return(place_line l) {
  l.length -= l.length > 0 && l.text[l.length - 1] == '\r' ? 1 : 0;
  return l;
}

const char *place_source_line(const model_file *file, uint32_t line, size_t *length) {
  const char *at = file->text;
  const char *end = file->text + file->length;
  for (uint32_t n = 1; at < end; n++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    if (n == line) {
      *length = (size_t)(stop - at);
      if (*length > 0 && at[*length - 1] == '\r') {
        --*length;
      }
      return at;
    }
    at = stop + 1;
  }
  return NULL;
}

place_line place_line_of(const model_file *file, uint32_t line) {
  place_line l = {0};
  l.text = place_source_line(file, line, &l.length);
  return l;
}

place_line place_line_at(const model_file *file, uint32_t offset) {
  if (offset > file->length) {
    return (place_line){0};
  }
  size_t begin = offset;
  while (begin > 0 && file->text[begin - 1] != '\n') {
    begin--;
  }
  const char *end = offset == file->length ? NULL : memchr(file->text + offset, '\n', file->length - offset);
  size_t stop = end == NULL ? file->length : (size_t)(end - file->text);
  return without_return((place_line){file->text + begin, stop - begin});
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }

void place_extent(const place_line *line, uint32_t *first, uint32_t *end) {
  size_t from = 0;
  size_t to = line->length;
  while (from < to && is_blank(line->text[from])) {
    from++;
  }
  while (to > from && is_blank(line->text[to - 1])) {
    to--;
  }
  *first = 1 + units(line->text, from);
  *end = *first + units(line->text + from, to - from);
}
