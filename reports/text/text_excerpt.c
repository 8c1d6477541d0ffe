/* A source line under a place, with a mark, as compilers show it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/place.h"
#include "reports/text/text.h"

#define TAB 4
#define GUTTER 9 /* columns before the source: two spaces, the number, a space, the gutter's character, a space */

/* A line as shown: each column is one character of `shown`; `columns[i]` is the column of byte i. */
typedef struct layout {
  buffer shown;
  size_t *columns; /* length + 1 of them */
  size_t width;
} layout;

static void lay_out(layout *l, const char *line, size_t length) {
  l->columns = mem_calloc(length + 1, sizeof *l->columns);
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(line + i, length - i);
    n = n == 0 ? 1 : n;
    for (size_t k = 0; k < n; k++) {
      l->columns[i + k] = l->width;
    }
    if (line[i] == '\t') {
      do {
        buffer_putc(&l->shown, ' ');
        l->width++;
      } while (l->width % TAB != 0);
    } else {
      utf8_line(&l->shown, line + i, n);
      l->width++;
    }
    i += n;
  }
  l->columns[length] = l->width;
}

/* Appends columns [from, from + room) of a laid out line, with an ellipsis where something is cut off. */
static void put_window(text *t, const layout *l, size_t from, size_t room) {
  size_t column = 0;
  const char *s = buffer_text(&l->shown);
  for (size_t i = 0; i < l->shown.length; column++) {
    size_t n = utf8_character(s + i, l->shown.length - i);
    bool cut = (column == from && from > 0) || (column == from + room - 1 && l->width > from + room);
    if (column >= from && column < from + room) {
      if (cut) {
        buffer_puts(&t->out, UTF8_ELLIPSIS);
      } else {
        buffer_append(&t->out, s + i, n);
      }
    }
    i += n;
  }
}

static void put_mark(text *t, size_t from, size_t room, size_t begin, size_t end) {
  buffer_printf(&t->out, "%*s| ", GUTTER - 2, "");
  for (size_t column = from; column < end && column < from + room; column++) {
    buffer_putc(&t->out, column < begin ? ' ' : column == begin ? '^' : '~');
  }
  buffer_putc(&t->out, '\n');
}

static void trim_end(buffer *b) {
  while (b->length > 0 && b->data[b->length - 1] == ' ') {
    b->data[--b->length] = '\0';
  }
}

void text_excerpt_of(text *t, const char *source, size_t length, uint32_t line, char gutter, uint32_t column,
                     uint32_t end) {
  layout l = {0};
  lay_out(&l, source, length);
  bool placed = column > 0 && column <= length;
  size_t mark = placed ? l.columns[column - 1] : 0;
  size_t room = t->width - GUTTER;
  size_t from = mark + 8 < room ? 0 : mark - room / 2;
  buffer_printf(&t->out, "%6u %c ", line, gutter);
  put_window(t, &l, from, room);
  trim_end(&t->out);
  buffer_putc(&t->out, '\n');
  if (placed && end > 0) {
    size_t stop = end > length ? l.width : l.columns[end - 1];
    put_mark(t, from, room, mark, stop > mark ? stop : mark + 1);
  }
  buffer_free(&l.shown);
  free(l.columns);
}

void text_excerpt(text *t, const model_file *file, uint32_t line, char gutter, uint32_t column, uint32_t end) {
  size_t length = 0;
  const char *source = place_source_line(file, line, &length);
  if (source != NULL) {
    text_excerpt_of(t, source, length, line, gutter, column, end);
  }
}
