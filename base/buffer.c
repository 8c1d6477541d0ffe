/* The growable byte buffer. */
#include "base/buffer.h"

#include <stdarg.h>
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
  if (length > 0) {
    memcpy(b->data + b->length, bytes, length);
  }
  b->length += length;
  b->data[b->length] = '\0';
}

void buffer_puts(buffer *b, const char *s) { buffer_append(b, s, strlen(s)); }

void buffer_putc(buffer *b, char c) { buffer_append(b, &c, 1); }

void buffer_printf(buffer *b, const char *format, ...) {
  char small[512];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(small, sizeof small, format, args);
  va_end(args);
  if (length < 0) {
    return;
  }
  if ((size_t)length < sizeof small) {
    buffer_append(b, small, (size_t)length);
    return;
  }
  char *large = mem_calloc((size_t)length + 1, 1);
  va_start(args, format);
  (void)vsnprintf(large, (size_t)length + 1, format, args);
  va_end(args);
  buffer_append(b, large, (size_t)length);
  free(large);
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
