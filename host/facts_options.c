/* The options that a program's kernels are built with. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "host/facts.h"

static const char unknown[] = "\xe2\x80\xa6"; /* `…` */

static void put_value(const host_term *value, buffer *out, bool *known);

/* What printf makes of a format. */
static void put_format(const host_term *format, buffer *out, bool *known) {
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
    const bool simple = c[flags] != '\0' && strchr("dius", c[flags]) != NULL;
    const size_t length = flags + strcspn(c + flags, "diouxXeEfFgGaAcspn");
    if (simple && values != NULL && values->kind == TERM_PAIR) {
      put_value(values->a, out, known);
    } else {
      buffer_puts(out, unknown);
      *known = false;
    }
    values = values != NULL && values->kind == TERM_PAIR ? values->b : NULL;
    c += c[length] == '\0' ? length - 1 : length;
  }
}

static void put_value(const host_term *value, buffer *out, bool *known) {
  if (value->kind == TERM_TEXT) {
    buffer_puts(out, value->text);
  } else if (value->kind == TERM_FORMAT) {
    put_format(value, out, known);
  } else if (term_is_number(value)) {
    buffer_printf(out, value->is_signed ? "%" PRId64 : "%" PRIu64, value->value);
  } else {
    buffer_puts(out, unknown);
    *known = false;
  }
}

void find_options(const met_launch *m, host_launch *out) {
  const host_term *options = m->options;
  buffer text = {0};
  if (options == NULL || (options->kind != TERM_TEXT && options->kind != TERM_FORMAT && !term_is_null(options))) {
    return;
  }
  out->options_known = true;
  if (!term_is_null(options)) {
    put_value(options, &text, &out->options_known);
  }
  out->options = mem_strdup(buffer_text(&text));
  buffer_free(&text);
}
