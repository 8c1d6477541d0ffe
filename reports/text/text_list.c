/* Lists in the text report: items, and how much of a long list is shown. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text.h"

const char *text_plural(size_t count) { return count == 1 ? "" : "s"; }

void text_item(text *t, const char *s) {
  buffer_puts(&t->out, "  ");
  text_wrapped(t, 2, 4, s);
}

size_t text_shown(const text *t, size_t count, size_t most) {
  return t->options->show_missed || count <= most ? count : most;
}

void text_rest(text *t, size_t count) {
  if (count > 0) {
    buffer item = {0};
    buffer_printf(&item, UTF8_ELLIPSIS " and %zu more; ", count);
    text_show_missed(t, &item);
    buffer_puts(&item, " shows all");
    text_item(t, buffer_text(&item));
    buffer_free(&item);
  }
}

void text_fitted(text *t, size_t column, size_t indent, const char *s) {
  buffer clean = {0};
  buffer fitted = {0};
  text_name(&clean, s);
  char empty[] = "";
  char *rest = NULL;
  char *word = strtok_r(clean.data == NULL ? empty : clean.data, " ", &rest);
  for (; word != NULL; word = strtok_r(NULL, " ", &rest)) {
    buffer_puts(&fitted, fitted.length == 0 ? "" : " ");
    utf8_shorten(&fitted, word, t->width - indent); /* of a line of its own */
  }
  text_wrapped(t, column, indent, buffer_text(&fitted));
  buffer_free(&clean);
  buffer_free(&fitted);
}

void text_place(const text *t, uint32_t file, uint32_t line, buffer *to) {
  buffer_printf(to, "%s:%u", t->v->files[file].name, line);
}
