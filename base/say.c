/* Text for terminals: formatted, then cleaned line by line. */
#include "base/say.h"

#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

void say(FILE *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  scoped char *text = mem_calloc(length < 0 ? 1 : (size_t)length + 1, 1);
  va_start(args, format);
  (void)vsnprintf(text, length < 0 ? 1 : (size_t)length + 1, format, args);
  va_end(args);
  scoped_buffer clean = {0};
  for (const char *line = text; *line != '\0';) {
    size_t end = strcspn(line, "\n");
    utf8_line(&clean, line, end);
    buffer_puts(&clean, line[end] == '\n' ? "\n" : "");
    line += end + (line[end] == '\n' ? 1 : 0);
  }
  (void)fwrite(buffer_text(&clean), 1, clean.length, to);
}
