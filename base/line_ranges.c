/* Ranges of lines as options give them: their reader, and the question whether a place lies in one. */
#include "base/line_ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"

int line_range_read(const char *text, line_range *out, error *e) {
  const char *colon = strrchr(text, ':');
  const char *numbers = colon == NULL ? text : colon + 1;
  unsigned first = 0;
  unsigned last = 0;
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
