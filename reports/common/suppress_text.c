#include "reports/common/suppress_text.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"

enum { LONGEST = 200 }; /* bytes of a source line that stand in a suppression */

/* In double quotes for YAML. What a page or a terminal cannot show as it is matches any character. */
static void put_pattern(buffer *to, const char *text, size_t length, const char *end) {
  buffer_putc(to, '"');
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    if (n == 1 && (text[i] == '"' || text[i] == '\\')) {
      buffer_putc(to, '\\');
      buffer_putc(to, text[i]);
    } else if (n == 1 && text[i] >= ' ' && text[i] < 0x7f) {
      buffer_putc(to, text[i]);
    } else {
      for (size_t k = 0; k < (n == 0 ? 1 : n); k++) {
        buffer_putc(to, '?');
      }
    }
    i += n == 0 ? 1 : n;
  }
  buffer_printf(to, "%s\"", end);
}

place_line suppress_trimmed(place_line line) {
  while (line.length > 0 && isspace((unsigned char)line.text[0]) != 0) {
    line.text++;
    line.length--;
  }
  while (line.length > 0 && isspace((unsigned char)line.text[line.length - 1]) != 0) {
    line.length--;
  }
  return line;
}

void suppress_text(const char *rule, const char *kernel, place_line line, buffer *to) {
  const place_line shown = suppress_trimmed(line);
  const bool cut = shown.length > LONGEST;
  buffer_printf(to, "- {rule: %s", rule);
  if (kernel[0] != '\0') {
    buffer_puts(to, ", kernel: ");
    put_pattern(to, kernel, strlen(kernel), "");
  }
  if (shown.text != NULL) {
    buffer_puts(to, ", line: ");
    put_pattern(to, shown.text, cut ? LONGEST : shown.length, cut ? "*" : "");
  }
  buffer_puts(to, ", reason: \"" UTF8_ELLIPSIS "\"}");
}

void suppress_finding_text(const view *v, const db_finding *f, buffer *to) {
  const place_line line = f->file == MODEL_NONE ? (place_line){0} : place_line_of(&v->files[f->file], f->line);
  suppress_text(f->rule, f->kernel, line, to);
}
