/* The options that a program's kernels are built with, and the macros in them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "host/facts.h"

enum { BEGIN_VALUE = 1, END_VALUE = 2 }; /* around an expression, in the text */

static void put_value(const kernel_view *v, const host_term *value, buffer *out);

/* What printf makes of a format: numbers and texts that are known, and marked expressions. */
static void put_format(const kernel_view *v, const host_term *format, buffer *out) {
  const host_term *values = format->a;
  for (const char *c = format->text; *c != '\0'; c++) {
    if (*c != '%') {
      buffer_putc(out, *c);
      continue;
    }
    if (c[1] == '%') {
      buffer_putc(out, *++c);
      continue;
    }
    const size_t flags = 1 + strspn(c + 1, "lzhjt");
    const bool simple = c[flags] != '\0' && strchr("diuxs", c[flags]) != NULL && c[flags] != 'x';
    const size_t length = flags + strcspn(c + flags, "diouxXeEfFgGaAcspn");
    if (simple && values != NULL && values->kind == TERM_PAIR) {
      put_value(v, values->a, out);
    } else {
      buffer_putc(out, BEGIN_VALUE);
      buffer_putc(out, END_VALUE);
    }
    values = values != NULL && values->kind == TERM_PAIR ? values->b : NULL;
    c += c[length] == '\0' ? length - 1 : length;
  }
}

static void put_value(const kernel_view *v, const host_term *value, buffer *out) {
  if (value->kind == TERM_TEXT) {
    buffer_puts(out, value->text);
  } else if (value->kind == TERM_FORMAT) {
    put_format(v, value, out);
  } else if (term_is_number(value)) {
    (void)view_write(v, value, NULL, out);
  } else {
    buffer_putc(out, BEGIN_VALUE);
    if (term_is_integer(value)) {
      (void)view_write(v, value, NULL, out);
    }
    buffer_putc(out, END_VALUE);
  }
}

/* "NAME=VALUE" of so many bytes. */
static void add_macro(host_launch *out, size_t *capacity, const char *text, size_t length) {
  const char *equal = memchr(text, '=', length);
  const size_t name = equal == NULL ? length : (size_t)(equal - text);
  host_macro *m = ARRAY_ADD(out->macros, out->macro_count, *capacity);
  m->name = mem_strndup(text, name);
  if (equal == NULL) {
    m->value = mem_strdup("1");
    return;
  }
  const char *value = equal + 1;
  size_t size = length - name - 1;
  if (size >= 2 && value[0] == BEGIN_VALUE && value[size - 1] == END_VALUE) {
    value++;
    size -= 2;
    m->value = size == 0 || memchr(value, BEGIN_VALUE, size) != NULL ? NULL : mem_strndup(value, size);
  } else if (memchr(value, BEGIN_VALUE, size) == NULL) {
    m->value = mem_strndup(value, size);
  }
}

/* The end of a word: a blank outside of an expression. */
static size_t word_end(const char *text) {
  bool inside = false;
  size_t i = 0;
  for (; text[i] != '\0' && (inside || (text[i] != ' ' && text[i] != '\t' && text[i] != '\n')); i++) {
    inside = text[i] == BEGIN_VALUE || (inside && text[i] != END_VALUE);
  }
  return i;
}

static void find_macros(host_launch *out, const char *text) {
  size_t capacity = 0;
  while (*text != '\0') {
    size_t length = word_end(text);
    if (length >= 2 && text[0] == '-' && text[1] == 'D') {
      if (length == 2) {
        text += 2;
        text += strspn(text, " \t\n");
        length = word_end(text);
        add_macro(out, &capacity, text, length);
      } else {
        add_macro(out, &capacity, text + 2, length - 2);
      }
    }
    text += length == 0 ? 1 : length;
  }
}

void view_options(const kernel_view *v, host_launch *out) {
  const host_term *options = v->met->options;
  buffer text = {0};
  if (options == NULL || (options->kind != TERM_TEXT && options->kind != TERM_FORMAT && !term_is_null(options))) {
    return;
  }
  if (!term_is_null(options)) {
    put_value(v, options, &text);
  }
  find_macros(out, buffer_text(&text));
  buffer shown = {0};
  out->options_known = true;
  for (const char *c = buffer_text(&text); *c != '\0'; c++) {
    if (*c != BEGIN_VALUE) {
      buffer_putc(&shown, *c);
      continue;
    }
    out->options_known = false;
    buffer_puts(&shown, "…");
    c = strchr(c, END_VALUE);
  }
  buffer_free(&text);
  out->options = shown.length == 0 ? mem_strdup("") : buffer_take(&shown);
  buffer_free(&shown);
}
