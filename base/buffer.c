/* The growable byte buffer. */
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void buffer_append(buffer *b, const void *bytes, size_t length) {
  if (length > BUFFER_CAP - b->length - 1) {
    b->overflowed = true;
    return;
  }
  b->data = mem_grow(b->data, &b->capacity, b->length + length + 1, 1);
  if (length > 0) memcpy(b->data + b->length, bytes, length);
  b->length += length;
  b->data[b->length] = '\0';
}

void buffer_puts(buffer *b, const char *s) { buffer_append(b, s, strlen(s)); }

void buffer_putc(buffer *b, char c) { buffer_append(b, &c, 1); }

void buffer_vprintf(buffer *b, const char *format, va_list arguments) {
  char small[512];
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(small, sizeof small, format, arguments);
  if (length >= 0 && (size_t)length < sizeof small) {
    buffer_append(b, small, (size_t)length);
  } else if (length >= 0) {
    scoped char *large = mem_calloc((size_t)length + 1, 1);
    (void)vsnprintf(large, (size_t)length + 1, format, again);
    buffer_append(b, large, (size_t)length);
  }
  va_end(again);
}

void buffer_printf(buffer *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(b, format, arguments);
  va_end(arguments);
}

buffer buffer_with(const char *format, ...) {
  buffer b = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&b, format, arguments);
  va_end(arguments);
  return b;
}

const char *buffer_text(const buffer *b) { return b->data == NULL ? "" : b->data; }

char *buffer_take(buffer *b) {
  char *text = b->data == NULL ? mem_strdup("") : b->data;
  *b = (buffer){0};
  return text;
}

void buffer_free(buffer *b) {
  free(b->data);
  *b = (buffer){0};
}
