/* The one growable byte buffer, with a hard cap. Used wherever text grows. */
#ifndef CLTC_BASE_BUFFER_H
#define CLTC_BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define BUFFER_CAP ((size_t)1 << 30)

/* `{0}` is an empty buffer. `data` is NUL-terminated once anything was appended (the NUL is not counted). */
typedef struct buffer {
  char *data;
  size_t length;
  size_t capacity;
  bool overflowed; /* an append beyond BUFFER_CAP was dropped */
} buffer;

void buffer_append(buffer *b, const void *bytes, size_t length);
void buffer_puts(buffer *b, const char *s);
void buffer_putc(buffer *b, char c);
void buffer_printf(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vprintf(buffer *b, const char *format, va_list arguments);
/* The text so far, "" when empty; lent. */
const char *buffer_text(const buffer *b);
/* The text so far, owned by the caller; leaves the buffer empty. */
char *buffer_take(buffer *b);
void buffer_free(buffer *b);
/* A buffer that begins with this text; a variable of it that its block releases. */
buffer buffer_with(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define scoped_buffer __attribute__((cleanup(buffer_free))) buffer

#endif
