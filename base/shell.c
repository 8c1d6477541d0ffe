/* Words of a command line as a shell takes them. */
#include "base/shell.h"

#include <string.h>

void shell_word(buffer *to, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    buffer_puts(to, word);
    return;
  }
  buffer_putc(to, '\'');
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '\'') { /* no quote can stand in quotes: they end, it comes with a backslash, they begin again */
      buffer_puts(to, "'\\''");
    } else {
      buffer_putc(to, *c);
    }
  }
  buffer_putc(to, '\'');
}
