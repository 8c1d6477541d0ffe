/* Words of a command line as a shell takes them. */
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

void shell_word(buffer *to, const char *word) {
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

/* Reads a word: runs of plain characters, of quoted ones, and \\' . Returns what stands behind it; NULL: no word. */
static const char *read_word(const char *at, buffer *word) {
  const char *begin = at;
  while (*at != '\0' && *at != ' ') {
    size_t length = strspn(at, plain);
    if (*at == '\'') {
      at++;
      length = strcspn(at, "'");
      buffer_append(word, at, length);
      if (at[length] == '\0') {
        return NULL;
      }
      at += length + 1;
    } else if (at[0] == '\\' && at[1] == '\'') {
      buffer_putc(word, '\'');
      at += 2;
    } else if (length > 0) {
      buffer_append(word, at, length);
      at += length;
    } else {
      return NULL;
    }
  }
  return at == begin ? NULL : at;
}

char **shell_split(const char *line) {
  char **words = mem_calloc(strlen(line) + 2, sizeof *words);
  size_t count = 0;
  for (const char *at = line; at != NULL;) {
    buffer word = {0};
    at = read_word(at, &word);
    words[count++] = buffer_take(&word);
    if (at != NULL && *at == '\0') {
      return words;
    }
    at = at == NULL ? NULL : at + 1;
  }
  shell_free(words);
  return NULL;
}

void shell_free(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
    free(words[i]);
  }
  free(words);
}
